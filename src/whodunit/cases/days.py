"""The case of a day: it follows from the date alone, so every house has the same, and nothing is shipped or fetched.

How hard it is follows from the weekday, from Monday to Sunday. Two days within a month never have cases of the same
shape: a day takes only shapes of its own class out of as many classes as a month has days, so that no day need know of
another.
"""

from collections.abc import Mapping
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
    efforts: Mapping[str, tuple[int, ...]]
    """By game, in thousandths: from which effort on a case is one for Monday, for Tuesday and so on; last, where the
    hardest end."""


GENERATIONS: Final = (
    Generation(
        "2026-11-01",
        "first",
        {
            "clue": (0, 10_300, 13_300, 16_500, 19_500, 24_000, 30_500, 60_000),
            "perfect_alibi": (0, 12_000, 14_500, 17_500, 21_000, 25_500, 33_000, 80_000),
            "crime_hotel": (0, 8_900, 9_250, 9_500, 9_800, 10_150, 10_500, 20_000),
        },
    ),
)
TRIED: Final = 20_000
"""After so many cases that will not do any case does: a day has one, whatever becomes of the games."""


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
    made = Made(seed, games.get(game).INFO.rules, provable(game).version)
    least, beyond = generation.efforts[game][weekday - 1 : weekday + 1]
    for number, found in enumerate(mine(game, seed, weekday=weekday)):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if puzzle is None:
            continue
        if number >= TRIED or (least <= puzzle.effort < beyond and _class(shape(puzzle)) == day.toordinal() % CLASSES):
            return puzzle
    raise AssertionError("mining has no end")


def _class(shape: str) -> int:
    return int.from_bytes(sha256(shape.encode()).digest()) % CLASSES
