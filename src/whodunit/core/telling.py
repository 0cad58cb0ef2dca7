"""Log lines as a table: for each type of event a key of the game's texts, and which of its fields fill the sentence.

It may have actions too: a review says so what was done and what could have been.

A table is data, so a page can build the same lines from it. A game whose lines need more writes a function `tell`.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from whodunit.core.redact import secrets
from whodunit.core.types import Action, Event, Message, Param, Term, Who


class Line(Struct, frozen=True):
    """How one type of event is told.

    A field that holds None is left out of the sentence: it is a secret that this viewer may not know, or there is
    nothing to say. Whoever does know the secrets is told `<key>.seen`.
    """

    key: str
    """Of the game's texts."""
    seats: tuple[str, ...] = ()
    """The fields that stand for players; by custom of all games `seat` is whoever did it."""
    words: tuple[str, ...] = ()
    """The fields that hold a word of the game, or several: their names stand in the texts under `term.`"""
    plain: tuple[str, ...] = ()
    """The fields that are said as they are, such as a number."""
    by: str = ""
    """A field whose value chooses among sentences: `<key>.<value>`, such as `ended.solved`, or `accused.true`."""


Lines: TypeAlias = Mapping[type[Event] | type[Action], Line]


class Teller(Struct, frozen=True):
    """The function `tell` of a game that gives its lines as a table."""

    lines: Lines

    def __call__(self, event: Event | Action) -> Message:
        """Return the one log line of an event, redacted or not."""
        return _told(self.lines[type(event)], event)


def _told(line: Line, event: Event | Action) -> Message:
    key = line.key
    if line.by:
        chosen = getattr(event, line.by)
        key = f"{key}.{str(chosen).lower() if isinstance(chosen, bool) else chosen}"
    params: dict[str, Param] = {}
    for fields, param in ((line.seats, Who), (line.words, _words), (line.plain, _plain)):
        for field in fields:
            value = getattr(event, field)
            if value is not None:
                params[field] = param(value)
    is_seen = any(getattr(event, field) is not None for field in secrets(type(event)))
    return Message(f"{key}.seen" if is_seen else key, params)


def _words(value: Any) -> Term | tuple[Term, ...]:
    return tuple(map(Term, value)) if isinstance(value, tuple) else Term(str(value))


def _plain(value: Any) -> int | str:
    return value if isinstance(value, int) else str(value)
