"""The quick tower, for computer players among themselves and for what they imagine.

A drop is one draw: the floor from the law measured with the physics, then what the ear makes of the noise, drawn from
what it made of real clips. What is heard is one of a few hundred ways of sounding, each with its likelihood on every
floor; every way is possible, if not likely, on every floor, so hearing alone never rules a floor out.
"""

import json
import struct
from bisect import bisect_right
from functools import lru_cache
from importlib import resources
from itertools import accumulate
from math import exp
from typing import Any, Final, NamedTuple

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.tower.cubes import FLOORS, Drop, Lift, Likelihood, Resting, Tower, taken_out
from whodunit.tower.facts import Difficulty

LIKELIHOOD: Final = "application/x-likelihood"
"""Eight numbers in place of a clip."""

# One draw of 63 bits holds, from the lowest up, where the cube lands, what is heard, and whether it knocks another.
_FLOOR_BITS: Final = 20
_SOUND_BITS: Final = 23
_KNOCK_BITS: Final = 20
_DRAW: Final = 1 << (_FLOOR_BITS + _SOUND_BITS + _KNOCK_BITS)
_MEASURED: Final = 45
"""So many cubes were inside at most when the law was measured; more change it no further."""

_EIGHT: Final = struct.Struct(f"<{FLOORS}f")


class _Ear(NamedTuple):
    """What is drawn from for one difficulty."""

    sounds: tuple[bytes, ...]
    until: tuple[tuple[int, ...], ...]
    """For each floor, up to which number each way of sounding goes."""
    places: dict[bytes, int]


def law(cubes: int) -> Likelihood:
    """Return how often a cube dropped on so many resting ones comes to lie on each floor; adds up to one."""
    return _law(min(cubes, _MEASURED))


def spoken(sound: bytes) -> Likelihood:
    """Read the likelihoods that stand in a clip's place."""
    return _EIGHT.unpack(sound)


def silence() -> bytes:
    """Return a noise that tells nothing."""
    return _EIGHT.pack(*[1.0] * FLOORS)


class Surrogate(Struct, frozen=True, gc=False):
    """A drop model that goes by tables."""

    difficulty: Difficulty = "normal"

    def drop(self, tower: Tower, cube: int, nth: int, rng: Rng) -> Drop:
        drawn = rng.below(f"drop {nth}", _DRAW)
        resting = tower.resting
        floor = bisect_right(_floors(min(len(resting), _MEASURED)), drawn & ((1 << _FLOOR_BITS) - 1))
        ear = _ear(self.difficulty)
        way = bisect_right(ear.until[floor], drawn >> _FLOOR_BITS & ((1 << _SOUND_BITS) - 1))
        moved: tuple[Resting, ...] = (Resting(cube, floor),)
        knock = drawn >> (_FLOOR_BITS + _SOUND_BITS)
        if knock < len(resting) * _knock():
            ways = _falls(tower)
            moved += ways[knock % len(ways)] if ways else ()
        return Drop(moved, LIKELIHOOD, ear.sounds[way])

    def lift(self, tower: Tower, floor: int, nth: int, rng: Rng) -> Lift:  # noqa: ARG002  (a DropModel's)
        return taken_out(tower, floor)


def stacked(tower: Tower, difficulty: Difficulty, drop: Drop) -> int:
    """Return what `drop <nth>` would have to draw for this to happen: for a rerun in another world."""
    floor = drop.moved[0].floor
    ear, floors = _ear(difficulty), _floors(min(len(tower.resting), _MEASURED))
    way = ear.places[drop.sound]
    landing = floors[floor - 1] if floor else 0
    heard = ear.until[floor][way - 1] if way else 0
    knock = (1 << _KNOCK_BITS) - 1
    if drop.moved[1:]:
        knock = _falls(tower).index(drop.moved[1:])
        if knock >= len(tower.resting) * _knock():
            raise ValueError(f"the surrogate never knocks {drop.moved[1:]} here")
    return landing | (heard | knock << _SOUND_BITS) << _FLOOR_BITS


def _falls(tower: Tower) -> list[tuple[Resting, ...]]:
    """Return every way in which one resting cube can come to lie on a lower floor."""
    return [(Resting(rest.cube, lower),) for rest in tower.resting for lower in range(rest.floor)]


@lru_cache
def _data() -> Any:
    file = resources.files(__package__) / "data" / "surrogate.json"
    return json.loads(file.read_text("utf-8"))


@lru_cache(maxsize=_MEASURED + 1)
def _law(cubes: int) -> Likelihood:
    offsets, slopes = _data()["law"]
    powers = [exp(offset + slope * cubes) for offset, slope in zip(offsets, slopes, strict=True)]
    return tuple(power / sum(powers) for power in powers)


@lru_cache(maxsize=_MEASURED + 1)
def _floors(cubes: int) -> tuple[int, ...]:
    """Return up to which number each floor but the last goes."""
    return tuple(round(share * (1 << _FLOOR_BITS)) for share in accumulate(_law(cubes)))[:-1]


@lru_cache
def _knock() -> float:
    """Return the numbers below which a drop knocks a cube, for each one inside."""
    return float(_data()["knocks"]) * (1 << _KNOCK_BITS)


@lru_cache
def _ear(difficulty: Difficulty) -> _Ear:
    ways: list[list[int]] = _data()["ways"][difficulty]
    sounds = tuple(_EIGHT.pack(*(weight / (1 << _SOUND_BITS) for weight in way)) for way in ways)
    until = tuple(tuple(accumulate(way[floor] for way in ways)) for floor in range(FLOORS))
    return _Ear(sounds, until, {sound: place for place, sound in enumerate(sounds)})
