"""What may lie in the hotel: all numbers of one colour, floor by floor, together with their chances.

Cubes of one colour cannot be told apart, so what is to be known of them is how many lie on each floor. A drop adds one
to some floor; an open floor shows its number, and then nothing lies there. Walking through all of it in order keeps the
exact chance of every way in which they may lie now. The shelves (`deduce/shelves.py`) count the same, as the same
things are taken for granted; they know each floor alone and are quicker, and bots go by them.
"""

from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest
from math import log2
from typing import Final, NamedTuple, TypeAlias

from whodunit.deduce.shelves import Cleared, Put
from whodunit.games.arosa.facts import CLUES, FLOORS, Floor

MOST: Final = 8_000
"""So many ways are kept at most, the likeliest: all of them with up to eight cubes of a colour inside.

With more, what is left out has a chance of some millionths.
"""
PUSHED: Final = 0.001
"""As near as a share comes to 0 or 1 that is not certain: a cube may have been pushed to another floor."""

_BITS: Final = CLUES.bit_length()
_DIGIT: Final = (1 << _BITS) - 1
_ONE: Final = tuple(1 << _BITS * floor for floor in FLOORS)
_KEPT: Final = 24
"""So many of the newest are kept: a few of every colour, as they may be large; what is made of them is kept longer."""

Ways: TypeAlias = dict[int, float]
"""The numbers on all floors, as the digits of one number, and how likely they are; the chances sum to one."""


class Fell(NamedTuple):
    """A cube from above this floor fell out of the hotel."""

    floor: Floor


Story: TypeAlias = tuple[Put | Cleared | Fell, ...]
"""All that was heard and seen of the cubes of one colour."""


class Find(NamedTuple):
    """What a floor may show of one colour."""

    number: int
    chance: float
    left: float
    """How many bits are then missing to know where the others lie."""


@lru_cache(maxsize=2048)
def missing(story: Story) -> tuple[float, float]:
    """Return how many bits are missing to know how many lie on which floor: by chances, and if each way counts once."""
    ways = _ways(story)
    return -sum([chance * log2(chance) for chance in ways.values()]), log2(len(ways))


@lru_cache(maxsize=1024)
def finds(story: Story) -> tuple[tuple[Find, ...], ...]:
    """Return by floor what it may show."""
    ways = _ways(story)
    bits = [(numbers, chance, chance * log2(chance)) for numbers, chance in ways.items()]
    found = []
    for floor in FLOORS:
        shift = _BITS * floor
        chances: dict[int, float] = {}
        sums: dict[int, float] = {}
        for numbers, chance, weighed in bits:
            number = numbers >> shift & _DIGIT
            chances[number] = chances.get(number, 0.0) + chance
            sums[number] = sums.get(number, 0.0) + weighed
        found.append(
            tuple(
                # Of ways with p in all, -sum of (w / p) log2(w / p).
                Find(number, chances[number], max(0.0, log2(chances[number]) - sums[number] / chances[number]))
                for number in sorted(chances)
            )
        )
    return tuple(found)


_newest: Final[dict[Story, Ways]] = {}


def _ways(story: Story) -> Ways:
    """Return in which ways the cubes of a story may lie: from its longest beginning that is kept, step by step."""
    known = next((until for until in range(len(story), 0, -1) if story[:until] in _newest), 0)
    ways = _newest[story[:known]] if known else {0: 1.0}
    for entry in story[known:]:
        ways = _after(ways, entry)
    _newest.pop(story, None)
    _newest[story] = ways
    for old in list(_newest)[:-_KEPT]:
        _newest.pop(old, None)
    return ways


def _after(before: Ways, entry: Put | Cleared | Fell) -> Ways:
    if isinstance(entry, Put):
        return _put(before, entry.weights)
    if isinstance(entry, Fell):
        return _anew(before, 1, None)
    shift = _BITS * entry.shelf
    kept = {
        numbers - (entry.found << shift): chance
        for numbers, chance in before.items()
        if numbers >> shift & _DIGIT == entry.found
    }
    return _whole(kept) if kept else _anew(before, entry.found, entry.shelf)


def _put(before: Ways, weights: Sequence[float]) -> Ways:
    after: Ways = {}
    get = after.get
    for one, weight in zip(_ONE, weights, strict=True):
        for numbers, chance in before.items():
            after[numbers + one] = get(numbers + one, 0.0) + weight * chance
    if len(after) > MOST:
        after = dict(nlargest(MOST, after.items(), key=_chance))
    return _whole({numbers: chance for numbers, chance in after.items() if chance})


def _chance(way: tuple[int, float]) -> float:
    return way[1]


def _whole(ways: Ways) -> Ways:
    total = sum(ways.values())
    return {numbers: chance / total for numbers, chance in ways.items()}


def _anew(before: Ways, out: int, empty: Floor | None) -> Ways:
    """Return the ways when so many came out that could not: what is left lies where it was expected, and not there."""
    inside = _cubes(next(iter(before)))
    shares = [0.0 if floor == empty else PUSHED + _expected(before, floor) for floor in FLOORS]
    weights = [share / sum(shares) for share in shares]
    ways: Ways = {0: 1.0}
    for _ in range(inside - out):
        ways = _put(ways, weights)
    return ways


def _cubes(numbers: int) -> int:
    return sum(numbers >> _BITS * floor & _DIGIT for floor in FLOORS)


def _expected(ways: Ways, floor: Floor) -> float:
    shift = _BITS * floor
    return sum([chance * (numbers >> shift & _DIGIT) for numbers, chance in ways.items()])
