"""The things in the box: the floors of the hotel, the colours, how many cubes there are and what they cost."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias, get_args

from whodunit.core.describing import known_as
from whodunit.core.types import TABLE, Seat
from whodunit.tower import FLOORS as STOREYS

FLOORS: Final[tuple[int, ...]] = tuple(range(STOREYS))
FLOOR_NAMES: Final = tuple(f"floor {floor}" for floor in FLOORS)
Floor: TypeAlias = Annotated[int, known_as(dict(enumerate(FLOOR_NAMES)))]
"""From 0, the ground floor, to 7 under the roof (AROSA-2)."""
Colour: TypeAlias = Literal["yellow", "blue", "brown", "gray", "black", "white", "red"]
Cube: TypeAlias = int
"""The number by which the tower knows a cube while it is inside; each drop makes a new one, later ones are higher."""

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
"""The players' by seat, and the victims' last, so that VICTIM = -1 finds it."""
VICTIM: Final[Seat] = TABLE
"""Who owns a victim: nobody who sits here (AROSA-4)."""
Owner: TypeAlias = Annotated[int, known_as({seat: COLOURS[seat] for seat in range(VICTIM, len(COLOURS) - 1)})]
"""Whose cube it is: a seat, or VICTIM; people tell cubes by their colours."""

VICTIMS: Final = 2
CLUES: Final = 20
PROLOGUE_CLUES: Final = 2
SHEET_LIMIT: Final = 10
SCENE_POINTS: Final = 3
NEAR_POINTS: Final = 2
FAR_POINTS: Final = 1

_KINDS: Final = 8
"""More than there are owners, so that a cube's number tells its owner."""


def cube_of(nth: int, owner: Seat) -> Cube:
    """Return the number of the cube of the nth drop."""
    return _KINDS * nth + owner + 1


def owner_of(cube: Cube) -> Seat:
    """Return whose cube it is: a seat, or VICTIM."""
    return cube % _KINDS - 1


# What the record of a game says, entry by entry: a cube of this owner was dropped, this floor was cleared, or a cube
# of this owner fell out of the hotel.


def dropped(owner: Seat) -> int:
    """Return the entry for a drop."""
    return owner + 1


def cleared(floor: Floor) -> int:
    """Return the entry for a floor of which everything was taken out."""
    return _KINDS + floor


def fell(owner: Seat) -> int:
    """Return the entry for a cube that fell out while the hotel was lifted."""
    return 2 * _KINDS + owner + 1


def _entry_names() -> Iterator[tuple[int, str]]:
    for owner in range(VICTIM, len(COLOURS) - 1):
        yield dropped(owner), f"dropped {COLOURS[owner]}"
        yield fell(owner), f"fell {COLOURS[owner]}"
    for floor, name in enumerate(FLOOR_NAMES):
        yield cleared(floor), f"cleared {name}"


Entry: TypeAlias = Annotated[int, known_as(dict(_entry_names()))]
"""An entry of the record."""


def read(entry: int) -> tuple[Literal["dropped", "cleared", "fell"], int]:
    """Return what an entry says, and of which owner or floor."""
    kind, number = divmod(entry, _KINDS)
    return ("dropped", number - 1) if kind == 0 else ("cleared", number) if kind == 1 else ("fell", number - 1)


def since_open(record: tuple[int, ...]) -> list[list[int]]:
    """Return by floor how many cubes of each owner, victims first, were dropped since it was cleared."""
    dropped = [0] * _KINDS
    since: list[list[int] | None] = [None] * len(FLOORS)
    for entry in reversed(record):
        if entry < _KINDS:
            dropped[entry] += 1
        elif entry < 2 * _KINDS and since[entry - _KINDS] is None:
            since[entry - _KINDS] = [*dropped]
    return [dropped if counts is None else counts for counts in since]
