"""Turns messages into sentences. Nothing else does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final

from whodunit.core.types import Message, Param, Term, Who

ACTION: Final = "action."
"""The keys under which actions have their names: what a name has no place for is listed behind it."""


def say(message: Message, texts: Mapping[str, str], names: Sequence[str]) -> str:
    """Put a message into the words of a language; `names` are the players', by seat."""
    sentence = texts[message.key]
    said = sentence.format_map({name: _said(param, texts, names) for name, param in message.params.items()})
    if not message.key.startswith(ACTION):
        return said
    places = {name for _, name, _, _ in Formatter().parse(sentence)}
    listed = [_listed(param, texts, names) for name, param in message.params.items() if name not in places]
    return f"{said}: {'; '.join(listed)}" if listed else said


@dataclass(frozen=True)
class _Terms:
    """Things of a game: `{card}` takes their names, `{card:the}` the forms that a sentence needs."""

    words: tuple[str, ...]
    texts: Mapping[str, str]

    def __format__(self, form: str) -> str:
        return _joined([self.texts[f"form.{form}.{word}" if form else f"term.{word}"] for word in self.words])


def _joined(things: Sequence[str]) -> str:
    """Put a comma between things, or a semicolon where one of them has a comma itself."""
    return ("; " if any(", " in thing for thing in things) else ", ").join(things)


def _said(param: Param, texts: Mapping[str, str], names: Sequence[str]) -> str | _Terms:
    match param:
        case Who(seat=seat):
            return names[seat]
        case Term(word=word):
            return _Terms((word,), texts)
        case tuple():
            return _Terms(tuple(term.word for term in param), texts)
        case _:
            return str(param)


def _listed(param: Param, texts: Mapping[str, str], names: Sequence[str]) -> str:
    """Say what an action names; a word of the action itself may be no thing of the game, and then stands as it is."""
    match param:
        case Who(seat=seat):
            return names[seat]
        case Term() | tuple():
            terms = (param,) if isinstance(param, Term) else param
            return _joined([texts.get(f"term.{term.word}", term.word) for term in terms])
        case _:
            return str(param)
