"""Positions from played games: what a seat or the spectators of Clue, or a seat of Perfect Alibi, have seen so far."""

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from whodunit import arena
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Event, Seat
from whodunit.deduce import Position
from whodunit.games import perfect_alibi
from whodunit.games.clue.evidence import Belief, belief
from whodunit.games.clue.model import Suggested
from whodunit.games.perfect_alibi.model import Answered

AFTER = (0, 4, 8, 14, 20)
ALIBI_ANSWERS = 20


class Look(NamedTuple):
    """What a viewer has seen and believes at one moment of a game."""

    seats: int
    viewer: Seat
    seen: list[Any]
    belief: Belief


def from_games(games: int, seats: tuple[int, ...], seed: str) -> Iterator[Look]:
    """Let rookies play, and look in on a seat and on the spectators every few suggestions."""
    for number in range(games):
        count = seats[number % len(seats)]
        case = arena.open_with_bots("clue", ["rookie"] * count, {"max_turns": 100}, f"{seed} {number}")
        events = arena.play_case(case, lambda *_: None).events
        for viewer in (number % count, TABLE):
            yield from _looks(count, viewer, events)


def _looks(seats: int, viewer: Seat, events: tuple[Event, ...]) -> Iterator[Look]:
    known, suggestions = belief(viewer), 0
    seen: list[Any] = []
    for event in events:
        if isinstance(event, Suggested):
            if suggestions in AFTER:
                yield Look(seats, viewer, list(seen), known)
            if suggestions == AFTER[-1]:
                return
            suggestions += 1
        seen.append(redact(event, viewer))
        known = known.learn(seen[-1])


def from_alibi(seed: str, seats: int = 5) -> Iterator[Position[Any, Any]]:
    """Let rookies with rivals play Perfect Alibi, and look in on a seat after every third of twenty answers."""
    for number in count():
        case = arena.open_with_bots("perfect_alibi", ["rookie"] * seats, {"rival": True}, f"{seed} {number}")
        known, answers = perfect_alibi.belief(number % seats), 0
        for event in arena.play_case(case, lambda *_: None).events:
            known = known.learn(redact(event, number % seats))
            answers += isinstance(event, Answered)
            if isinstance(event, Answered) and answers <= ALIBI_ANSWERS and answers % 3 == number % 3:
                assert known.position is not None
                yield known.position
