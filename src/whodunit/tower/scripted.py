"""A tower for tests: floors, knocks, roof rests and spills as a script says, drawn by fixed weights where it is silent.

Its noise is a dummy without information.
"""

from typing import Final

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.tower.cubes import FLOORS, Drop, Lift, Resting, Tower
from whodunit.tower.surrogate import LIKELIHOOD, silence

WEIGHTS: Final = (9, 11, 12, 13, 14, 14, 14, 13)
"""In hundredths, floors 0 to 7."""


class Landing(Struct, frozen=True, gc=False):
    """Where a drop ends, which resting cubes it pushes (cube, floor), and how often it stays on the roof before."""

    floor: int
    knocks: tuple[tuple[int, int], ...] = ()
    roof_rests: int = 0


class Script(Struct, frozen=True, gc=False):
    """What happens at the nth drop and at the nth lift, counted from 0."""

    drops: dict[int, Landing] = {}
    spills: dict[int, tuple[int, ...]] = {}
    """Cubes from above the exposed floor that fall out."""


class Scripted(Struct, frozen=True, gc=False):
    """A drop model that does as it is told."""

    script: Script = Script()

    def drop(self, tower: Tower, cube: int, nth: int, rng: Rng) -> Drop:
        drawn = rng.below(f"drop {nth}", sum(WEIGHTS))
        landing = self.script.drops.get(nth)
        if landing is None:
            landing = Landing(next(floor for floor in range(FLOORS) if drawn < sum(WEIGHTS[: floor + 1])))
        # A roof rest leaves no trace (the tower is put back and only the drop that entered counts), so none is made.
        inside = {rest.cube for rest in tower.resting}
        pushed = [Resting(number, floor) for number, floor in sorted(landing.knocks) if number in inside]
        return Drop((Resting(cube, landing.floor), *pushed), LIKELIHOOD, silence())

    def lift(self, tower: Tower, floor: int, nth: int, rng: Rng) -> Lift:  # noqa: ARG002  (a DropModel's)
        above = {rest.cube for rest in tower.resting if rest.floor > floor}
        return Lift(tower.on(floor), tuple(sorted(above.intersection(self.script.spills.get(nth, ())))))
