"""The things in the box: room cards, the places of the hotel board, and the desks of the police station."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

from whodunit.core.describing import known_as

FLOORS: Final = (1, 2, 3)
COLUMNS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)

Card: TypeAlias = Annotated[
    int, known_as({10 * floor + column: f"room {10 * floor + column}" for floor in FLOORS for column in COLUMNS})
]
"""A room and its card: the tens are the floor, the units the column."""
Floor: TypeAlias = int
Place: TypeAlias = str
"""Where a guess can stand: a floor, a column or a room."""
Department: TypeAlias = Literal["RELOCATE", "EXCHANGE", "LOOK", "DUPLICATE", "BONUS"]

CARDS: Final[tuple[Card, ...]] = tuple(10 * floor + column for floor in FLOORS for column in COLUMNS)

ROUNDS: Final = 5
INVESTIGATIONS: Final = 3
FLOOR_POINTS: Final = 2
COLUMN_POINTS: Final = 5
ROOM_POINTS: Final = 10

DEPARTMENTS: Final[tuple[Department, ...]] = get_args(Department)
DESKS: Final[Mapping[int, Mapping[Department, tuple[int | None, ...]]]] = MappingProxyType(
    {
        3: {"RELOCATE": (None,), "EXCHANGE": (1, 2), "LOOK": (1, 2), "DUPLICATE": (None,), "BONUS": (1, 2, 3)},
        4: {"RELOCATE": (None,) * 2, "EXCHANGE": (1, 2), "LOOK": (1, 2), "DUPLICATE": (None,) * 2, "BONUS": (1, 2, 3)},
    }
)
"""By players: the figures on the desks of each department, from the left; None = a desk without one.

The rulebook shows them in pictures that we do not have: beyond the bonus of 3 they are our choice.
"""


def floor_of(card: Card) -> Floor:
    """Return the floor of a room."""
    return card // 10


def column_of(card: Card) -> int:
    """Return the column of a room."""
    return card % 10


def rooms_of(place: Place) -> tuple[Card, ...]:
    """Return the rooms that a place stands for."""
    return _ROOMS[place]


@cache
def extreme(card: Card, seats: int) -> float:
    """Return how likely a card is to be the highest or the lowest of a round."""
    below, others = CARDS.index(card), seats - 1
    above = len(CARDS) - 1 - below
    return float((below**others + above**others) / (len(CARDS) - 1) ** others)


ROOM: Final[Mapping[Card, Place]] = MappingProxyType({card: f"room {card}" for card in CARDS})
"""The place of each room."""

PLACES: Final[tuple[Place, ...]] = (
    *(f"floor {floor}" for floor in FLOORS),
    *(f"column {column}" for column in COLUMNS),
    *ROOM.values(),
)
"""The 39 places of a guess (HOTEL-23)."""

_ROOMS: Final[Mapping[Place, tuple[Card, ...]]] = MappingProxyType(
    {f"floor {floor}": tuple(card for card in CARDS if floor_of(card) == floor) for floor in FLOORS}
    | {f"column {column}": tuple(card for card in CARDS if column_of(card) == column) for column in COLUMNS}
    | {place: (card,) for card, place in ROOM.items()}
)
