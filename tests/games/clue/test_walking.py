"""Section 4.3 of the rules: moving on squares."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    CLUE,
    END_TURN,
    NO_MOVE,
    ROLL,
    At,
    at_of,
    ends,
    path_of,
    place_of,
    refused,
    stage,
)
from whodunit.core.rng import Rng
from whodunit.games.clue.facts import DOOR_SQUARES, DOORS, NEIGHBOURS, ROOMS, SQUARES, SUSPECTS, Place, Square, Suspect
from whodunit.games.clue.model import Move, Moved, NoMove, NotMoved, Roll, Suggest

pytestmark = pytest.mark.rules


def test_one_step_goes_to_a_neighbouring_square() -> None:
    """CLUE-18: orthogonally, never diagonally."""
    assert ends((5, 5), 1) == {(4, 5), (5, 4), (5, 6)}
    assert ends((16, 11), 1) == {(15, 11), (16, 10), (16, 12)}
    assert ends((15, 11), 1) == {(15, 10), (15, 12), (16, 11)}


def test_alone_in_the_corridors_every_neighbour_is_free() -> None:
    """CLUE-18, CLUE-20: tokens in rooms are in nobody's way."""
    for square in SQUARES:
        steps = {at for at in ends(at_of(square), 1) if not isinstance(at, str)}
        assert steps == {at_of(near) for near in NEIGHBOURS[square]}


def test_the_direction_may_change_after_every_step() -> None:
    """CLUE-18: two steps from the same square."""
    assert ends((5, 5), 2) == {(4, 4), (4, 6), (5, 3), (5, 7), (6, 6)}


def test_no_square_is_visited_twice_and_the_first_counts() -> None:
    """CLUE-19, ruling A22: out and back is no move; round a block one comes back in more than two steps."""
    assert (5, 5) not in ends((5, 5), 2)
    assert (5, 5) not in ends((5, 5), 4)
    assert ends((0, 7), 2) == {(1, 8), (2, 7)}


def test_another_token_can_be_neither_ended_on_nor_passed() -> None:
    """CLUE-20: in a corridor one square wide nobody gets by."""
    assert ends((24, 14), 2) == {(23, 15)}
    assert ends((24, 14), 2, (23, 15)) == {(23, 14)}
    assert (5, 7) not in ends((5, 5), 2, (5, 7))
    assert (5, 7) not in ends((5, 5), 2, (5, 6))


@pytest.mark.parametrize("token", ["Green", "Mustard"])
def test_tokens_without_a_player_block_like_any_other(token: Suspect) -> None:
    """CLUE-20, CLUE-25: nobody owns Green here, and Mustard's owner is out."""
    game = stage(places={"Scarlet": (0, 16), token: (1, 16)}, out=(1,))

    assert game.offers(0) == [NO_MOVE, ACCUSE]


def test_a_move_on_squares_uses_the_whole_throw() -> None:
    """CLUE-21, ruling A7: no shorter and no longer."""
    game = stage(places={"Scarlet": (17, 1)}).throw(0, 3)

    assert game.ends() == {(17, 2), (17, 4), (18, 1), (18, 3)}
    assert refused(game, 0, Move(place_of((17, 3))))
    assert refused(game, 0, Move(place_of((17, 5))))


def test_if_the_throw_is_too_long_the_longest_way_is_walked() -> None:
    """CLUE-22, ruling A7: the player chooses among equally long ones."""
    shut = (3, 15), (3, 16)

    assert ends((0, 16), 4, *shut) == {(1, 15), (2, 16)}
    assert ends((0, 16), 5, *shut) == {(1, 15), (2, 16)}
    assert ends((0, 16), 6, *shut) == {(1, 15), (2, 16)}
    assert ends((0, 16), 3, *shut) == {(2, 15)}
    game = stage(places={"Scarlet": (0, 16), "Plum": (3, 15), "Green": (3, 16)}).walk(0, 6, (1, 15))
    path = path_of((1, 16), (2, 16), (2, 15), (1, 15))
    assert game.last == [Moved(seat=0, path=path, to=place_of((1, 15)))]


def test_a_room_in_reach_leaves_no_excuse_for_a_shorter_way() -> None:
    """CLUE-22: neither a room nor a path of full length must be possible."""
    around = (6, 16), (6, 18), (8, 17), (7, 18), (7, 16)

    assert ends((7, 17), 1, *around) == {(6, 17)}
    assert ends((7, 17), 2, *around) == {"Lounge"}
    assert ends((7, 17), 6, *around) == {"Lounge"}
    assert ends((6, 17), 6, (6, 16), (6, 18), (7, 17)) == {"Lounge"}


def test_rooms_hold_any_number_of_tokens() -> None:
    """CLUE-23: five tokens and all weapons do not fill the Hall."""
    crowd = dict.fromkeys(SUSPECTS[1:], "Hall")
    game = stage(places={"Scarlet": (4, 8), **crowd}, weapon_rooms=ROOMS[:6])
    game.change(weapons=("Hall",) * 6)

    game.walk(0, 6, "Hall")

    assert {at_of(place) for place in game.state.places} == {"Hall"}
    assert game.offers(0)[0].action is Suggest


def test_the_centre_is_never_entered() -> None:
    """CLUE-24: between the Hall and the stairway there is only the corridor."""
    assert ends((7, 10), 1) == {(7, 9), (7, 11)}
    assert ends((15, 13), 1) == {(15, 12), (15, 14), (16, 13)}


def test_start_squares_are_ordinary_squares() -> None:
    """CLUE-24, ruling A8: nothing closes them, once their token has gone."""
    assert ends((5, 1), 1) == {(4, 1), (5, 0), (5, 2)}
    assert ends((5, 1), 1, (5, 0)) == {(4, 1), (5, 2)}


def test_whoever_is_boxed_in_makes_no_move() -> None:
    """CLUE-22, CLUE-25, ruling A9: nothing is thrown."""
    game = stage(places={"Scarlet": (17, 23), "Plum": (17, 22)})

    assert game.offers(0) == [NO_MOVE, ACCUSE]
    assert refused(game, 0, Roll())
    assert game.play(0, NoMove()).last == [NotMoved(seat=0)]
    assert game.place("Scarlet") == (17, 23)
    assert game.offers(0) == [ACCUSE, END_TURN]


def test_a_free_neighbour_is_a_first_step() -> None:
    """CLUE-25: only when every way is shut there is no move."""
    game = stage(places={"Scarlet": (17, 20), "Plum": (17, 21), "Green": (16, 20)})

    assert game.offers(0) == [ROLL, ACCUSE]
    assert refused(game, 0, NoMove())


# --- Every walk, step by step ------------------------------------------------------------------------------------


def walks(start: Place, throw: int, others: set[Square], entry_cost: int) -> Iterator[tuple[Place, int]]:
    """Walk every way that CLUE-18 to CLUE-30 allow; give each place on it and the steps to it."""

    def on(square: Square, steps: int, visited: set[Square]) -> Iterator[tuple[Place, int]]:
        if steps:
            yield square, steps
        if DOORS.get(square, start) != start and steps + entry_cost <= throw:
            yield DOORS[square], steps + entry_cost
        for near in NEIGHBOURS[square]:
            if steps < throw and near not in visited | others:
                yield from on(near, steps + 1, visited | {near})

    if isinstance(start, str):
        for door in DOOR_SQUARES[start]:
            if door not in others:
                yield from on(door, 1, {door})
    else:
        yield from on(start, 0, {start})


def book_ends(start: Place, throw: int, others: set[Square], entry_cost: int, *, exact: bool) -> set[At]:
    by_steps = defaultdict[int, set[At]](set)
    rooms = set[At]()
    for place, steps in walks(start, throw, others, entry_cost):
        if isinstance(place, str):
            rooms.add(place)
        else:
            by_steps[steps].add(at_of(place))
    if not exact:
        return rooms.union(*by_steps.values())
    if rooms or throw in by_steps:
        return rooms | by_steps[throw]
    return by_steps[max(by_steps)]


def crowded(number: int) -> tuple[Place, list[Square]]:
    """Draw a place to start from and up to five tokens close around it."""
    rng = Rng(b"walks", number)
    start: Place = rng.shuffled("start", (*SQUARES, *ROOMS * 6))[0]
    first = DOOR_SQUARES[start] if isinstance(start, str) else (start,)
    close = [
        square
        for square in SQUARES
        if square != start and any(abs(square // 24 - near // 24) + abs(square % 24 - near % 24) <= 3 for near in first)
    ]
    others = rng.shuffled("others", close)[: rng.below("count", 6)]
    return start, list(others)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("entry_cost", [1, 0])
@pytest.mark.parametrize("dice", [1, 2])
def test_the_ends_are_those_of_the_book(dice: int, entry_cost: int, *, exact: bool) -> None:
    """CLUE-18 to CLUE-22, CLUE-26 to CLUE-30, CLUE-V1, CLUE-V6, CLUE-V7: against every walk taken step by step."""
    for number in range(30):
        start, others = crowded(number)
        standing = [at_of(start), *map(at_of, others), *["Hall"] * (5 - len(others))]
        places = dict(zip(SUSPECTS, standing, strict=True))
        game = stage(places=places, dice_count=dice, room_entry_cost=entry_cost, exact_roll=exact)
        if ROLL not in game.offers(0):
            continue
        throws = [1 + number % 6, 2][:dice]
        game.throw(0, *throws)
        book = book_ends(start, sum(throws), set(others), entry_cost, exact=exact)
        assert game.ends() == book, (at_of(start), throws, others)
        for end in book:
            assert_walked(start, sum(throws), place_of(end), game.state, set(others))


def assert_walked(start: Place, throw: int, end: Place, state: object, others: set[Square]) -> None:
    (moved,) = CLUE.decide(state, 0, Move(end), Rng(b"", 1))
    assert isinstance(moved, Moved)
    assert moved.to == end
    path = moved.path
    assert len(path) <= throw
    assert len({start, *path}) == 1 + len(path)
    assert not others & set(path)
    for before, after in zip((start, *path), path, strict=False):
        assert after in (DOOR_SQUARES[before] if isinstance(before, str) else NEIGHBOURS[before])
    last = path[-1] if path else start
    assert not isinstance(last, str)
    assert end == (DOORS[last] if isinstance(end, str) else last)
