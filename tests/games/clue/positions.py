"""Positions from played games: what a viewer has seen after so many suggestions."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from whodunit import arena
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Seat
from whodunit.games.clue.evidence import Belief, belief
from whodunit.games.clue.model import Suggested

AFTER = (0, 4, 8, 14, 20)


class Position(NamedTuple):
    seats: int
    viewer: Seat
    suggestions: int
    seen: list[Any]
    belief: Belief


def from_games(games: int, seats: tuple[int, ...], seed: str) -> Iterator[Position]:
    """Let rookies play, and look in on a seat and on the spectators every few suggestions."""
    for number in range(games):
        count = seats[number % len(seats)]
        case = arena.open_with_bots("clue", ["rookie"] * count, {"max_turns": 400}, f"{seed} {number}")
        events = arena.play_case(case, lambda *_: None).events
        for viewer in (number % count, TABLE):
            yield from _looks(count, viewer, events)


def _looks(seats: int, viewer: Seat, events: tuple[Any, ...]) -> Iterator[Position]:
    known, suggestions = belief(viewer), 0
    seen: list[Any] = []
    for event in events:
        if isinstance(event, Suggested):
            if suggestions in AFTER:
                yield Position(seats, viewer, suggestions, list(seen), known)
            suggestions += 1
        seen.append(redact(event, viewer))
        known = known.learn(seen[-1])
