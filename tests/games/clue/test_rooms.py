"""Section 4.4 of the rules: entering and leaving rooms."""

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    END_TURN,
    PASSAGE,
    ROLL,
    At,
    at_of,
    ends,
    entered,
    path_of,
    place_of,
    refused,
    stage,
    suggest_in,
)
from whodunit.games.clue.facts import DOOR_SQUARES, DOORS, ROOMS, Room
from whodunit.games.clue.model import (
    Answering,
    Arrived,
    CannotShow,
    EndTurn,
    Move,
    Moved,
    PassageTaken,
    Suggest,
    TakePassage,
    Trio,
)

pytestmark = pytest.mark.rules


def rooms_of(places: set[At]) -> set[At]:
    return {place for place in places if isinstance(place, str)}


@pytest.mark.parametrize("square", DOORS)
def test_a_room_is_entered_from_its_door_square(square: int) -> None:
    """CLUE-26, ruling A6: stepping in costs one step."""
    assert rooms_of(ends(at_of(square), 1)) == {DOORS[square]}
    assert rooms_of(ends(at_of(square), 2)) >= {DOORS[square]}


def test_the_doorway_is_no_square_of_its_own() -> None:
    """CLUE-26: from two squares before the door it takes three steps, not four."""
    assert "Lounge" not in ends((6, 15), 2)
    assert "Lounge" in ends((6, 15), 3)


def test_a_door_square_may_be_crossed_without_entering() -> None:
    """CLUE-26: entering is the player's choice."""
    assert ends((6, 18), 2) == {(6, 16), (6, 20), (7, 17), (7, 19), (8, 18), "Lounge"}
    assert (6, 17) in ends((6, 18), 1)


def test_nobody_walks_through_a_wall() -> None:
    """CLUE-26: beside the Hall, but not at its door."""
    assert ends((3, 8), 1) == {(2, 8), (3, 7), (4, 8)}
    assert ends((6, 8), 1) == {(5, 8), (6, 7), (7, 8)}


def test_entering_a_room_ends_the_movement() -> None:
    """CLUE-27: the rest of the throw is lost, and an exact throw is not needed."""
    game = stage(places={"Scarlet": (6, 16)}).throw(0, 6)
    assert "Lounge" in game.ends()

    game.go(0, "Lounge")

    assert game.last == [Moved(seat=0, path=path_of((6, 17)), to="Lounge")]
    assert game.place("Scarlet") == "Lounge"
    assert game.state.phase == Arrived(may_suggest=True)
    assert game.offers(0) == [suggest_in("Lounge"), ACCUSE, END_TURN]
    assert refused(game, 0, Move(place_of((6, 17))))


def test_from_the_door_square_the_way_in_crosses_no_square() -> None:
    """CLUE-26, CLUE-27: the path is empty."""
    assert entered("Study").last == [Moved(seat=0, path=(), to="Study")]


def test_a_token_on_the_door_square_closes_the_door_from_outside() -> None:
    """CLUE-28: for everybody else; other doors of the room stay open."""
    assert "Hall" in ends((5, 8), 2)
    assert "Hall" not in ends((5, 8), 2, (4, 8))
    assert "Hall" in ends((7, 10), 2, (4, 8))
    assert "Hall" in ends((7, 10), 6, (4, 8), (7, 12))


def test_a_token_on_the_door_square_closes_the_door_from_inside() -> None:
    """CLUE-28, CLUE-29: out only by the doors that are free."""
    assert ends("Hall", 1) == {(4, 8), (7, 11), (7, 12)}
    assert ends("Hall", 1, (7, 11)) == {(4, 8), (7, 12)}
    assert ends("Hall", 1, (7, 11), (4, 8)) == {(7, 12)}


def test_the_token_on_the_door_square_may_itself_go_in() -> None:
    """CLUE-28: the door is closed for all others."""
    game = stage(places={"Scarlet": (4, 6), "Mustard": "Study"})

    assert "Study" in game.throw(0, 3).ends()


@pytest.mark.parametrize("room", ROOMS)
def test_the_first_step_out_is_onto_a_door_square(room: Room) -> None:
    """CLUE-29: by any of the room's doors."""
    assert ends(room, 1) == {at_of(square) for square in DOOR_SQUARES[room]}


def test_the_walk_out_goes_on_from_the_door_square() -> None:
    """CLUE-29: the door square is the first square of the path."""
    game = stage(places={"Scarlet": "Study"}).walk(0, 3, (4, 8))

    assert game.last == [Moved(seat=0, path=path_of((4, 6), (4, 7), (4, 8)), to=place_of((4, 8)))]
    assert game.state.phase == Arrived(may_suggest=False)


def test_the_room_left_is_not_entered_again_in_the_same_turn() -> None:
    """CLUE-30: not even by another of its doors."""
    for throw in range(1, 7):
        assert "Hall" not in ends("Hall", throw)
    assert "Ballroom" not in ends("Ballroom", 8, dice_count=2)
    assert ends("Hall", 2, (4, 8)) == {(7, 10), (7, 11), (7, 12), (7, 13)}


def test_in_a_later_turn_it_may_be_entered_again() -> None:
    """CLUE-30, CLUE-37: it is the same turn that is barred."""
    game = stage(places={"Scarlet": "Hall"}).walk(0, 1, (7, 11)).play(0, EndTurn())

    game.pass_by(1).pass_by(2).throw(0, 4)

    assert "Hall" in game.ends()


@pytest.mark.parametrize(("room", "partner"), [
    ("Study", "Kitchen"), ("Kitchen", "Study"), ("Lounge", "Conservatory"), ("Conservatory", "Lounge"),
])  # fmt: skip
def test_the_passage_is_the_whole_movement(room: Room, partner: Room) -> None:
    """CLUE-31: without a throw; a suggestion may follow."""
    game = stage(places={"Mustard": room}, on_turn=1).play(1, TakePassage())

    assert game.last == [PassageTaken(seat=1, to=partner)]
    assert game.place("Mustard") == partner
    assert game.place("Scarlet") == (0, 16)
    assert game.state.phase == Arrived(may_suggest=True)
    assert game.offers(1) == [suggest_in(partner), ACCUSE, END_TURN]


def test_a_suggestion_brings_tokens_from_anywhere() -> None:
    """CLUE-32, CLUE-38: out of a room, or from a start square."""
    game = entered("Lounge", ["", "Plum Green Rope Lounge", ""], "White Knife Study", places={"Plum": "Kitchen"})
    game.play(0, Suggest("Plum", "Rope", "Lounge"))

    assert game.state.phase == Answering(Trio("Plum", "Rope", "Lounge"), asked=1)
    assert game.place("Plum") == "Lounge"
    assert game.place("Green") == (24, 9)


def test_a_token_brought_into_a_corner_room_may_use_its_passage() -> None:
    """CLUE-31, CLUE-32, CLUE-35: as usual."""
    game = entered("Lounge", ["Rope Lounge Mustard", "", ""], "White Knife Study")
    game.play(0, Suggest("Mustard", "Rope", "Lounge")).play(1, CannotShow()).play(2, CannotShow()).play(0, EndTurn())

    assert [offer for offer in game.offers(1) if offer in (ROLL, PASSAGE)] == [ROLL, PASSAGE]
    assert game.play(1, TakePassage()).place("Mustard") == "Conservatory"
