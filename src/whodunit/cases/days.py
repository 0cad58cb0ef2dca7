"""The case of a day: it follows from the date alone, so every house has the same, and nothing is shipped or fetched.

How hard it is follows from the weekday, from Monday to Sunday. Two days within a month never have cases of the same
shape: a day takes only shapes of its own class out of as many classes as a month has days, so that no day need know of
another.
"""

from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from whodunit import games
from whodunit.cases.mining import mine
from whodunit.cases.posed import Posed, cuts_of
from whodunit.cases.puzzle import Made, Puzzle, puzzle_of, shape, weighed
from whodunit.core.cutting import Weighed
from whodunit.core.types import TABLE

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
            "crime_hotel": (0, 9_000, 9_600, 10_100, 10_500, 14_000, 15_650, 25_000),
        },
    ),
)
TRIED: Final = 6_000
"""After so many cases any shape will do, and after twice as many any effort: a day has a case, whatever comes."""


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
    cuts = cuts_of(game)
    made = Made(seed, games.get(game).INFO.rules, cuts.version)
    if isinstance(cuts, Weighed):
        given, lines, question = cuts.make(day.toordinal())
        opened: Any = given[0]
        return weighed(Posed(game, TABLE, opened.seats, question, given, lines, len(lines)), cuts, made)
    edges = generation.efforts.get(game)
    for number, found in enumerate(mine(game, seed, weekday=weekday)):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if puzzle is None:
            continue
        fits = edges is None or edges[weekday - 1] <= puzzle.effort < edges[weekday]
        is_its_class = _class(shape(puzzle)) == day.toordinal() % CLASSES
        if (fits or number >= 2 * TRIED) and (is_its_class or number >= TRIED):
            return puzzle
    raise AssertionError("mining has no end")


def _class(shape: str) -> int:
    return int.from_bytes(sha256(shape.encode()).digest()) % CLASSES
