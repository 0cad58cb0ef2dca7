"""The case of a day: it follows from the date alone, so every house has the same, and nothing is shipped or fetched.

How hard it is follows from the weekday, from Monday to Sunday. Two days within a month never have cases of the same
shape: a day takes only shapes of its own class out of as many classes as a month has days, so that no day need know of
another.
"""

from datetime import date
from hashlib import sha256
from typing import Final

from msgspec import Struct

from whodunit import games
from whodunit.cases.mining import mine
from whodunit.cases.posed import provable
from whodunit.cases.puzzle import Made, Puzzle, puzzle_of, shape

CLASSES: Final = 31
"""Of what shape a case is does not come again within so many days."""


class Generation(Struct, frozen=True):
    """A version of how cases of a day are made, and from which day on it is used: past days keep what they had."""

    since: str
    seed: str
    efforts: dict[str, tuple[int, ...]]
    """By game: where the efforts of one weekday end and those of the next begin, in thousandths."""


GENERATIONS: Final = (
    Generation(
        "2026-11-01",
        "first",
        {},
    ),
)


class NoDay(LookupError):
    """This is no day that has cases; says why."""


def day_of(text: str) -> date:
    """Return the day that is written so, as 2026-11-18; NoDay, if none is."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise NoDay(f"{text!r} is no day") from error
    if day.isoformat() != text or text < GENERATIONS[0].since:
        raise NoDay(f"{text!r} has no cases")
    return day


def case_of(text: str, game: str) -> Puzzle:
    """Make the case of a day and a game."""
    day = day_of(text)
    generation = [one for one in GENERATIONS if one.since <= text][-1]
    weekday, seed = day.isoweekday(), f"{generation.seed} {text}"
    cuts, rules = provable(game), games.get(game)
    made = Made(seed, rules.INFO.rules, cuts.version)
    ends = generation.efforts.get(game, ())
    for found in mine(game, seed, weekday=weekday):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if (
            puzzle is not None
            and sum(puzzle.effort >= end for end in ends) == weekday - 1
            and _class(shape(puzzle)) == day.toordinal() % CLASSES
        ):
            return puzzle
    raise AssertionError("mining has no end")


def _class(shape: str) -> int:
    return int.from_bytes(sha256(shape.encode()).digest()) % CLASSES
