"""Towers and falls that several tests look at, each made once in a process."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from whodunit.core.rng import Rng
from whodunit.tower import model, physics
from whodunit.tower.cubes import Drop, Tower


@lru_cache
def tower_of(cubes: int) -> Tower:
    """Return a tower into which so many cubes have fallen, as a game's rules would have let them."""
    real, rng, tower = model("physics"), Rng(b"tower", 1), Tower()
    for cube in range(cubes):
        moved, _ = physics.landed(tower, cube, np.random.Generator(np.random.PCG64(cube)))
        tower = tower.after(moved)
    assert real.lift(tower, 0, 0, rng).taken == tower.on(0)
    return tower


class Fallen(NamedTuple):
    before: Tower
    drop: Drop


@lru_cache
def game(drops: int, seed: bytes = b"game") -> tuple[Fallen, ...]:
    """Drop cubes one after another; return each drop with the tower before it."""
    real, rng, tower = model("physics"), Rng(seed, 1), Tower()
    found = []
    for cube in range(drops):
        drop = real.drop(tower, cube, cube, rng)
        found.append(Fallen(tower, drop))
        tower = tower.after(drop.moved)
    return tuple(found)
