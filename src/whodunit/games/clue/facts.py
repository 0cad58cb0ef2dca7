"""The things in the box: cards, tokens, and the board as it is drawn in section 3 of the rules."""

from string import ascii_lowercase
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

from whodunit.core.describing import known_as

Suspect: TypeAlias = Literal["Scarlet", "Mustard", "White", "Green", "Peacock", "Plum"]
Weapon: TypeAlias = Literal["Rope", "LeadPipe", "Knife", "Wrench", "Candlestick", "Revolver"]
Room: TypeAlias = Literal[
    "Study", "Hall", "Lounge", "Library", "BilliardRoom", "DiningRoom", "Conservatory", "Ballroom", "Kitchen"
]
Card: TypeAlias = Suspect | Weapon | Room

HEIGHT: Final = 25
WIDTH: Final = 24
SQUARE_NAMES: Final = MappingProxyType(
    {cell: f"{ascii_lowercase[cell % WIDTH]}{HEIGHT - cell // WIDTH}" for cell in range(HEIGHT * WIDTH)}
)
"""What people call a square, as on a chessboard: a1 is at the bottom left, x25 at the top right."""
Square: TypeAlias = Annotated[int, known_as(SQUARE_NAMES)]
"""A corridor square, as row * WIDTH + column."""
Place: TypeAlias = Square | Room

SUSPECTS: Final[tuple[Suspect, ...]] = get_args(Suspect)
"""In the order of the start squares clockwise round the board (CLUE-4)."""
WEAPONS: Final[tuple[Weapon, ...]] = get_args(Weapon)
ROOMS: Final[tuple[Room, ...]] = get_args(Room)
PACK: Final[tuple[Card, ...]] = (*SUSPECTS, *WEAPONS, *ROOMS)

BOARD: Final = (
    "SSSSSS#.#HHHHHH#1#LLLLLL",
    "SSSSSSS..HHHHHH..LLLLLLL",
    "SSSSSSS..HHHHHH..LLLLLLL",
    "SSSSSSS..HHHHHH..LLLLLLL",
    "#.....^.>HHHHHH..LLLLLLL",
    "6........HHHHHH..LLLLLLL",
    "#YYYYY...HHHHHH..^.....#",
    "YYYYYYY....^^..........2",
    "YYYYYYY<.XXXXX...v.....#",
    "YYYYYYY..XXXXX..DDDDDDDD",
    "#YYYYY...XXXXX..DDDDDDDD",
    "#v.^.....XXXXX..DDDDDDDD",
    "RRRRRR...XXXXX.>DDDDDDDD",
    "RRRRRR...XXXXX..DDDDDDDD",
    "RRRRRR...XXXXX..DDDDDDDD",
    "RRRRRR<............DDDDD",
    "RRRRRR...v....v........#",
    "#.......BBBBBBBB...v....",
    "5.......BBBBBBBB..KKKKK#",
    "#CCCCv.>BBBBBBBB<.KKKKKK",
    "CCCCCC..BBBBBBBB..KKKKKK",
    "CCCCCC..BBBBBBBB..KKKKKK",
    "CCCCCC..BBBBBBBB..KKKKKK",
    "CCCCCC#...BBBB...#KKKKKK",
    "#########4####3#########",
)
"""Letters are rooms, X the centre, # no part of the board, digits starts, arrows doors; all else is corridor."""

LETTERS: Final = MappingProxyType(dict(zip("SHLYRDCBK", ROOMS, strict=True)))
ARROWS: Final = MappingProxyType({"^": -WIDTH, "v": WIDTH, "<": -1, ">": 1})
STEPS: Final = (-WIDTH, -1, 1, WIDTH)

PASSAGES: Final[MappingProxyType[Room, Room]] = MappingProxyType(
    {"Study": "Kitchen", "Kitchen": "Study", "Lounge": "Conservatory", "Conservatory": "Lounge"}
)

_CELLS: Final = MappingProxyType({row * WIDTH + col: BOARD[row][col] for row in range(HEIGHT) for col in range(WIDTH)})

SQUARES: Final[tuple[Square, ...]] = tuple(cell for cell, mark in _CELLS.items() if mark in ".123456^v<>")


def _neighbours(square: Square) -> tuple[Square, ...]:
    # Column 0 and column 23 are next to each other as numbers, but not on the board.
    near = (square + step for step in STEPS if abs((square + step) % WIDTH - square % WIDTH) <= 1)
    return tuple(cell for cell in near if cell in SQUARES)


NEIGHBOURS: Final = MappingProxyType({square: _neighbours(square) for square in SQUARES})

DOORS: Final[MappingProxyType[Square, Room]] = MappingProxyType(
    {cell: LETTERS[_CELLS[cell + ARROWS[mark]]] for cell, mark in _CELLS.items() if mark in ARROWS}
)
"""The room behind each door square (CLUE-26)."""

DOOR_SQUARES: Final = MappingProxyType(
    {room: tuple(square for square in DOORS if DOORS[square] == room) for room in ROOMS}
)

STARTS: Final[MappingProxyType[Suspect, Square]] = MappingProxyType(
    {
        suspect: next(cell for cell, mark in _CELLS.items() if mark == digit)
        for suspect, digit in zip(SUSPECTS, "123456", strict=True)
    }
)


def _nearest_doors() -> dict[Square, tuple[Room, int]]:
    found = {square: (room, 0) for room in ROOMS for square in DOOR_SQUARES[room]}
    walked = list(found)
    for square in walked:  # which grows meanwhile
        room, steps = found[square]
        for near in NEIGHBOURS[square]:
            if near not in found:
                found[near] = (room, steps + 1)
                walked.append(near)
    return found


NEAREST_DOOR: Final = MappingProxyType(_nearest_doors())
"""What a square is called by: whose door is nearest on foot, and how far; of equals the first in `ROOMS`."""
