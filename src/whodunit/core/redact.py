"""Builds views: an event as a viewer may see it, and the fold over such events. Nothing is stripped from the truth."""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.types import Event, Game, Seat, Undone

T = TypeVar("T")


@cache
def secrets(kind: type[Struct]) -> dict[str, None]:
    """Return the Secret fields of an event type, each with the None that stands for unknown."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return dict.fromkeys(field.name for field in info.fields if _is_secret(field.type))


def _is_secret(kind: msgspec.inspect.Type) -> bool:
    return isinstance(kind, msgspec.inspect.Metadata) and bool(kind.extra and kind.extra.get("secret"))


def redact(event: Event, viewer: Seat) -> Event:
    """Return the event as this viewer may see it."""
    unknown = secrets(type(event))  # as `hidden`, without the call: every seat is shown every event
    return replace(event, **unknown) if unknown and viewer not in event.known_to else event


def hidden(event: Event) -> Event:
    """Return the event as everybody sees it whom it does not name: the same one if it has no secrets."""
    unknown = secrets(type(event))
    return replace(event, **unknown) if unknown else event


def fold(game: Game, events: Iterable[Event]) -> Any:
    """Return the state, or from redacted events the view, that a case's events lead to."""
    state = None
    for event in standing(events):
        state = game.evolve(state, event)
    return state


def standing(events: Iterable[Event]) -> list[Event]:
    """Return the events of a case, from its first, that nobody has taken back."""
    return [event for _, event in standing_by_seq(events)]


def standing_by_seq(events: Iterable[Event]) -> list[tuple[int, Event]]:
    """Return the same, each with its number; whatever stands before one of them stood before it from the first."""
    kept: list[tuple[int, Event]] = []
    for seq, event in enumerate(events, 1):
        if isinstance(event, Undone):
            while kept and kept[-1][0] > event.back_to:
                kept.pop()
        else:
            kept.append((seq, event))
    return kept


def entitled(value: T | None) -> T:
    """Return what an event says to a viewer who must have been told; anything else is a fault."""
    if value is None:
        raise ValueError("this viewer is entitled to know what the event hides")
    return value
