"""Section 3 of the rules: the drawing, every figure that is verified there, and both tables of distances."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.games.clue.staging import At, at_of, ends
from whodunit.games.clue.facts import (
    BOARD,
    DOOR_SQUARES,
    DOORS,
    LETTERS,
    NEAREST_DOOR,
    NEIGHBOURS,
    PACK,
    PASSAGES,
    ROOMS,
    SQUARES,
    STARTS,
    SUSPECTS,
    WEAPONS,
    Room,
    Suspect,
)

pytestmark = pytest.mark.rules

MAP = """
SSSSSS#.#HHHHHH#1#LLLLLL
SSSSSSS..HHHHHH..LLLLLLL
SSSSSSS..HHHHHH..LLLLLLL
SSSSSSS..HHHHHH..LLLLLLL
#.....^.>HHHHHH..LLLLLLL
6........HHHHHH..LLLLLLL
#YYYYY...HHHHHH..^.....#
YYYYYYY....^^..........2
YYYYYYY<.XXXXX...v.....#
YYYYYYY..XXXXX..DDDDDDDD
#YYYYY...XXXXX..DDDDDDDD
#v.^.....XXXXX..DDDDDDDD
RRRRRR...XXXXX.>DDDDDDDD
RRRRRR...XXXXX..DDDDDDDD
RRRRRR...XXXXX..DDDDDDDD
RRRRRR<............DDDDD
RRRRRR...v....v........#
#.......BBBBBBBB...v....
5.......BBBBBBBB..KKKKK#
#CCCCv.>BBBBBBBB<.KKKKKK
CCCCCC..BBBBBBBB..KKKKKK
CCCCCC..BBBBBBBB..KKKKKK
CCCCCC..BBBBBBBB..KKKKKK
CCCCCC#...BBBB...#KKKKKK
#########4####3#########
""".strip().splitlines()

DOOR_TABLE: dict[Room, dict[tuple[int, int], tuple[int, int]]] = {
    "Study": {(4, 6): (3, 6)},
    "Hall": {(4, 8): (4, 9), (7, 11): (6, 11), (7, 12): (6, 12)},
    "Lounge": {(6, 17): (5, 17)},
    "Library": {(8, 7): (8, 6), (11, 3): (10, 3)},
    "BilliardRoom": {(11, 1): (12, 1), (15, 6): (15, 5)},
    "DiningRoom": {(8, 17): (9, 17), (12, 15): (12, 16)},
    "Conservatory": {(19, 5): (20, 5)},
    "Ballroom": {(16, 9): (17, 9), (16, 14): (17, 14), (19, 7): (19, 8), (19, 16): (19, 15)},
    "Kitchen": {(17, 19): (18, 19)},
}

FROM_ROOMS: dict[Room, str] = {
    "Study": " -  4 17  7 15 17 20 17 28",
    "Hall": " 4  -  8  7 15  8 20 13 19",
    "Lounge": "17  8  - 14 22  4 27 15 19",
    "Library": " 7  7 14  -  4 14 14 12 23",
    "BilliardRoom": "15 15 22  4  - 14  7  6 17",
    "DiningRoom": "17  8  4 14 14  - 19  7 11",
    "Conservatory": "20 20 27 14  7 19  -  4 20",
    "Ballroom": "17 13 15 12  6  7  4  -  7",
    "Kitchen": "28 19 19 23 17 11 20  7  -",
}
FROM_STARTS: dict[Suspect, str] = {
    "Scarlet": "21 12  8 18 26 10 31 19 23",
    "Mustard": "21 12  8 18 26  8 31 19 23",
    "White": "33 24 24 28 22 16 25  8 13",
    "Green": "24 24 31 19 13 23 10  8 24",
    "Peacock": "23 23 30 17 10 22  7  9 23",
    "Plum": " 8 10 21 11 19 21 24 21 32",
}


def by_room(row: str) -> dict[Room, int]:
    return {room: int(steps) for room, steps in zip(ROOMS, row.split(), strict=True) if steps != "-"}


WALKS: list[tuple[At, dict[Room, int]]] = [
    *((room, by_room(row)) for room, row in FROM_ROOMS.items()),
    *((at_of(STARTS[suspect]), by_room(row)) for suspect, row in FROM_STARTS.items()),
]


def test_the_box_holds_21_cards() -> None:
    """Section 2: six suspects, six weapons, nine rooms; 324 possible solutions."""
    assert SUSPECTS == ("Scarlet", "Mustard", "White", "Green", "Peacock", "Plum")
    assert set(WEAPONS) == {"Rope", "LeadPipe", "Knife", "Wrench", "Candlestick", "Revolver"}
    assert set(ROOMS) == set(DOOR_TABLE)
    assert len(PACK) == len(set(PACK)) == 21
    assert len(SUSPECTS) * len(WEAPONS) * len(ROOMS) == 324


def test_the_board_is_the_one_drawn_in_the_rules() -> None:
    assert list(BOARD) == MAP


def test_the_cells_of_the_board_add_up_to_600() -> None:
    cells = Counter("".join(BOARD))

    assert cells.total() == 600
    assert len(SQUARES) == sum(cells[mark] for mark in ".123456^v<>") == 188
    assert len(STARTS) == sum(cells[mark] for mark in "123456") == 6
    assert len(DOORS) == sum(cells[mark] for mark in "^v<>") == 17
    assert (cells["X"], cells["#"]) == (35, 38)
    assert {letter: cells[letter] for letter in "SHLYRDCBK"} == {
        "S": 27, "H": 42, "L": 41, "Y": 31, "R": 30, "D": 53, "C": 28, "B": 52, "K": 35,
    }  # fmt: skip
    assert sum(cells[letter] for letter in "SHLYRDCBK") == 339


def test_the_doors_are_those_of_the_table() -> None:
    """CLUE-26: a door joins one square with one room, in the direction of its arrow."""
    assert {room: [at_of(square) for square in DOOR_SQUARES[room]] for room in ROOMS} == {
        room: list(doors) for room, doors in DOOR_TABLE.items()
    }
    assert {at_of(square): room for square, room in DOORS.items()} == {
        door: room for room, doors in DOOR_TABLE.items() for door in doors
    }
    letters = dict(zip(ROOMS, "SHLYRDCBK", strict=True))
    for room, doors in DOOR_TABLE.items():
        for (row, column), (inner_row, inner_column) in doors.items():
            arrow = {(-1, 0): "^", (1, 0): "v", (0, -1): "<", (0, 1): ">"}
            assert MAP[row][column] == arrow[inner_row - row, inner_column - column]
            assert MAP[inner_row][inner_column] == letters[room]


@pytest.mark.parametrize("square", [(3, 7), (5, 16), (20, 6)])
def test_a_doorway_has_no_side_entrance(square: tuple[int, int]) -> None:
    """CLUE-26: squares that touch a doorway cell sideways are no doors."""
    assert not {end for end in ends(square, 1) if isinstance(end, str)}


def test_the_start_squares_lie_clockwise_round_the_board() -> None:
    """CLUE-3, CLUE-4: where each token begins."""
    assert {suspect: at_of(square) for suspect, square in STARTS.items()} == {
        "Scarlet": (0, 16),
        "Mustard": (7, 23),
        "White": (24, 14),
        "Green": (24, 9),
        "Peacock": (18, 0),
        "Plum": (5, 0),
    }
    assert list(STARTS) == list(SUSPECTS)


def test_two_passages_join_the_corner_rooms_both_ways() -> None:
    """CLUE-31; and every room with a single door is such a corner room."""
    assert PASSAGES == {"Study": "Kitchen", "Kitchen": "Study", "Lounge": "Conservatory", "Conservatory": "Lounge"}
    assert {room for room in ROOMS if len(DOOR_SQUARES[room]) == 1} == set(PASSAGES)


def test_neighbours_share_a_side() -> None:
    """CLUE-18: never diagonally, and never round the edge of the board."""
    drawn = {(row, column) for row in range(25) for column in range(24) if MAP[row][column] in ".123456^v<>"}
    sides = [(-1, 0), (0, -1), (0, 1), (1, 0)]

    assert {at_of(square): {at_of(near) for near in NEIGHBOURS[square]} for square in SQUARES} == {
        (row, column): {(row + down, column + right) for down, right in sides} & drawn for row, column in drawn
    }


def test_a_square_is_called_by_the_nearest_door() -> None:
    """The page is tested with the same drawing: room and steps of every square, two letters each."""
    drawn = {
        (row, column): (LETTERS[line[2 * column]], int(line[2 * column + 1]))
        for row, line in enumerate(Path(__file__).with_name("doors.txt").read_text("utf-8").splitlines())
        for column in range(len(line) // 2)
        if line[2 * column] != " "
    }

    assert {at_of(square): named for square, named in NEAREST_DOOR.items()} == drawn


def test_the_dead_ends_are_known() -> None:
    assert [at_of(square) for square in SQUARES if len(NEIGHBOURS[square]) == 1] == [
        (0, 7), (0, 16), (5, 0), (7, 23), (11, 1), (17, 23), (18, 0), (24, 9), (24, 14),
    ]  # fmt: skip


def test_all_squares_form_one_area() -> None:
    reached, edge = set(), {STARTS["Scarlet"]}
    while edge:
        reached |= edge
        edge = {near for square in edge for near in NEIGHBOURS[square]} - reached

    assert reached == set(SQUARES)
    assert set(STARTS.values()) | set(DOORS) <= reached


@cache
def one_step(start: At, entry_cost: int) -> set[At]:
    return ends(start, 1, room_entry_cost=entry_cost)


def steps_into_rooms(start: At, entry_cost: int) -> dict[At, int]:
    """Count how many throws of 1 it takes from here into each room, alone on the board."""
    found: dict[At, int] = {}
    steps, known, edge = 0, {start}, {start}
    while edge:
        steps += 1
        reached = {end for at in edge for end in one_step(at, entry_cost)} - known
        found |= dict.fromkeys((end for end in reached if isinstance(end, str)), steps)
        known |= reached
        edge = {end for end in reached if not isinstance(end, str)}
    return found


@pytest.mark.parametrize(("start", "table"), WALKS)
def test_the_distances_are_those_of_the_tables(start: At, table: dict[Room, int]) -> None:
    """CLUE-26, CLUE-29: one step out of the door, the squares between, one step into the room."""
    assert steps_into_rooms(start, entry_cost=1) == table


@pytest.mark.parametrize(("start", "table"), WALKS)
def test_with_a_free_doorway_every_distance_is_one_smaller(start: At, table: dict[Room, int]) -> None:
    """CLUE-V7: the doorway costs nothing, leaving still does."""
    assert steps_into_rooms(start, entry_cost=0) == {room: steps - 1 for room, steps in table.items()}


@pytest.mark.parametrize(("start", "table"), WALKS)
@pytest.mark.parametrize("entry_cost", [1, 0])
def test_a_single_throw_of_that_distance_reaches_the_room(start: At, table: dict[Room, int], entry_cost: int) -> None:
    """CLUE-V1, CLUE-V7: as far as two dice go."""
    for room, steps in table.items():
        least = steps - 1 + entry_cost
        if least <= 11:
            throws = {
                throw: ends(start, throw, dice_count=2, room_entry_cost=entry_cost) for throw in (least - 1, least)
            }
            assert room not in throws[least - 1]
            assert room in throws[least]
