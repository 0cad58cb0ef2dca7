"""The quick tower, for computer players among themselves and for what they imagine.

A drop is one draw: the floor from the law measured with the physics, then what the listener makes of the noise, drawn
from what it made of real clips of cubes on that floor. What is heard is one of a few hundred ways a clip can sound (a
likelihood for each floor); every way is possible, if not likely, for every floor, so hearing rules nothing out.
"""

import struct
from typing import Final

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.tower.cubes import FLOORS, Drop, Lift, Likelihood, Resting, Tower, taken_out
from whodunit.tower.facts import Difficulty

LIKELIHOOD: Final = "application/x-likelihood"
"""Eight numbers in place of a clip."""

_EIGHT: Final = struct.Struct(f"<{FLOORS}f")


def law(cubes: int) -> Likelihood:  # noqa: ARG001  (measured next)
    """Return how often a cube dropped on so many resting ones comes to lie on each floor; adds up to one."""
    return (0.135, 0.058, 0.08, 0.097, 0.132, 0.168, 0.228, 0.102)


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
        # Stands in until the tables are measured: the law without any noise.
        drawn = rng.below(f"drop {nth}", 1 << 63) / (1 << 63)
        odds = law(len(tower.resting))
        floor = next((f for f in range(FLOORS) if drawn < sum(odds[: f + 1])), FLOORS - 1)
        return Drop((Resting(cube, floor),), LIKELIHOOD, silence())

    def lift(self, tower: Tower, floor: int, nth: int, rng: Rng) -> Lift:  # noqa: ARG002  (a DropModel's)
        return taken_out(tower, floor)


def stacked(tower: Tower, difficulty: Difficulty, floor: int, sound: bytes) -> int:
    """Return a draw of `drop <nth>` that ends on this floor with this noise: for a rerun in another world."""
    raise NotImplementedError
