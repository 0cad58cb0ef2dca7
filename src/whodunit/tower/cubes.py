"""The data of a tower: cubes by number, where each one rests, what a drop and a lift do. Plain values, no physics."""

import struct
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from whodunit.core.rng import Rng

FLOORS: Final = 8
"""Floor 0 is the table, floor k the lid of box k - 1."""

CLIP: Final = "audio/flac"
"""The media type of a real clip; the other towers put the ear's likelihoods in its place."""

Kind: TypeAlias = Literal["physics", "surrogate", "scripted"]
"""Real cubes in a simulation; tables of how such cubes fall; or what a test says."""

Likelihood: TypeAlias = tuple[float, ...]
"""One number for each floor; only their ratios mean anything."""

POSE: Final = struct.Struct("<7f")


class Resting(Struct, frozen=True, array_like=True, gc=False):
    """A cube at rest: its number (the game knows its colour), its floor, and where exactly it lies."""

    cube: int
    floor: int
    pose: bytes = b""
    """Centre in metres and orientation (w x y z), packed; empty in a tower without physics."""


class Tower(Struct, frozen=True, gc=False):
    """All cubes inside, in the order of their numbers."""

    resting: tuple[Resting, ...] = ()

    def after(self, moved: Iterable[Resting]) -> "Tower":
        """Return the tower when these have come to rest: cubes that were inside already, or have come in."""
        found = {rest.cube: rest for rest in self.resting}
        found |= {rest.cube: rest for rest in moved}
        return Tower(tuple([found[cube] for cube in sorted(found)]))

    def without(self, cubes: Iterable[int]) -> "Tower":
        """Return the tower when these have been taken out."""
        gone = frozenset(cubes)
        return Tower(tuple([rest for rest in self.resting if rest.cube not in gone]))

    def on(self, floor: int) -> tuple[Resting, ...]:
        """Return what lies on a floor."""
        return tuple([rest for rest in self.resting if rest.floor == floor])


class Drop(Struct, frozen=True, gc=False):
    """One cube has fallen: what no player is told, and what everybody hears."""

    moved: tuple[Resting, ...]
    """The dropped cube first, then whatever it pushed, by number."""
    media: str
    sound: bytes

    @property
    def floor(self) -> int:
        """The floor on which the dropped cube has come to lie."""
        return self.moved[0].floor


class Lift(Struct, frozen=True, gc=False):
    """A floor has been exposed, and the tower stands without what was taken or fell out."""

    taken: tuple[Resting, ...]
    """What lay on the floor, for all to see."""
    spilled: tuple[int, ...] = ()
    """Cubes from above that fell out of the lifted part."""
    moved: tuple[Resting, ...] = ()
    """Cubes that were shaken to other places inside the lifted part."""


class Exercise(Struct, frozen=True, gc=False):
    """A fall to train the ear on."""

    sound: bytes
    floor: int
    resting: tuple[int, ...]
    """By floor, how many cubes lay there when it fell."""
    pose: bytes = b""
    """Where exactly it came to lie."""
    ear: int = 0
    """Which floor the trained listener would have named."""


class DropModel(Protocol):
    """Where cubes come to lie and how it sounds. Every draw is labelled by `nth`, so one batch may hold many drops."""

    def drop(self, tower: Tower, cube: int, nth: int, rng: Rng) -> Drop:
        """Let a cube fall into the closed tower; `nth` counts the drops of the game."""

    def lift(self, tower: Tower, floor: int, nth: int, rng: Rng) -> Lift:
        """Expose a floor; `nth` counts the lifts of the game."""


class Place(NamedTuple):
    """Where a cube lies, for drawing: the centre in millimetres from the shaft's axis and the table, and its turn."""

    x: float
    y: float
    z: float
    turn: tuple[float, float, float, float]
    """A quaternion, w first."""


def place(pose: bytes) -> Place:
    """Unpack where a cube of the physics lies."""
    x, y, z, *turn = POSE.unpack(pose)
    return Place(x * 1000, y * 1000, z * 1000, (turn[0], turn[1], turn[2], turn[3]))


def taken_out(tower: Tower, floor: int) -> Lift:
    """Lift with a steady hand: nothing moves but what is taken."""
    return Lift(tower.on(floor))
