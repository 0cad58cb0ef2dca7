"""Section 4.2 of the rules: the turn and its choices."""

from collections.abc import Mapping

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    END_TURN,
    NO_MOVE,
    PASSAGE,
    ROLL,
    At,
    Staged,
    entered,
    path_of,
    place_of,
    refused,
    stage,
    stay_in,
    suggest_in,
)
from whodunit.core.offer import Offer
from whodunit.core.types import TABLE
from whodunit.games.clue.facts import PASSAGES, ROOMS, Room, Suspect
from whodunit.games.clue.model import (
    Accuse,
    Arrived,
    Beginning,
    CannotShow,
    DiceThrown,
    EndTurn,
    Move,
    Moved,
    NoMove,
    NotMoved,
    PassageTaken,
    Roll,
    Show,
    StayAndSuggest,
    Suggest,
    TakePassage,
    TurnBegan,
    Walking,
)

pytestmark = pytest.mark.rules


def test_turns_pass_to_the_left() -> None:
    """CLUE-12: clockwise, round and round; every turn is counted."""
    game = stage([""] * 4)
    turns = []
    for _ in range(9):
        turns.append((game.state.turn, game.state.on_turn))
        game.pass_by(game.state.on_turn)

    assert turns == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 0), (6, 1), (7, 2), (8, 3), (9, 0)]


def test_out_players_are_skipped_as_turn_takers() -> None:
    """CLUE-12: the turn goes to the next active player."""
    game = stage([""] * 5, out=(1, 2, 4))

    game.pass_by(0)
    assert game.last == [TurnBegan(seat=3)]
    assert game.awaiting() == {3}
    game.pass_by(3)
    assert game.last == [TurnBegan(seat=0)]


def test_a_turn_that_ends_in_the_corridor() -> None:
    """CLUE-13, CLUE-17: throw, walk, end; every step is told to everybody."""
    game = stage()

    game.throw(0, 2)
    assert game.last == game.told(TABLE) == [DiceThrown(seat=0, dice=(2,))]
    assert game.state.phase == Walking(throw=2)
    assert game.awaiting() == {0}

    game.go(0, (2, 16))
    assert game.last == game.told(TABLE) == [Moved(seat=0, path=path_of((1, 16), (2, 16)), to=place_of((2, 16)))]
    assert game.state.phase == Arrived(may_suggest=False)
    assert game.place("Scarlet") == (2, 16)
    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.awaiting() == {0}

    game.play(0, EndTurn())
    assert game.last == [TurnBegan(seat=1)]
    assert game.state.phase == Beginning()
    assert (game.state.turn, game.state.on_turn) == (2, 1)
    assert game.awaiting() == {1}


def test_after_entering_a_room_a_suggestion_is_optional() -> None:
    """CLUE-13: suggest, or accuse, or end the turn."""
    game = entered("Lounge")

    assert game.state.phase == Arrived(may_suggest=True)
    assert game.offers(0) == [suggest_in("Lounge"), ACCUSE, END_TURN]
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]


CORNERS: list[tuple[Room, Room, tuple[int, int]]] = [
    ("Study", "Kitchen", (4, 6)),
    ("Kitchen", "Study", (17, 19)),
    ("Lounge", "Conservatory", (6, 17)),
    ("Conservatory", "Lounge", (19, 5)),
]


@pytest.mark.parametrize(("at", "others", "offers"), [
    ((0, 16), {}, [ROLL, ACCUSE]),
    ((6, 17), {}, [ROLL, ACCUSE]),
    ((6, 17), {"Mustard": (6, 16), "White": (6, 18), "Green": (7, 17)}, [ROLL, ACCUSE]),
    ((0, 16), {"Plum": (1, 16)}, [NO_MOVE, ACCUSE]),
    ((4, 1), {"Plum": (5, 1)}, [ROLL, ACCUSE]),
    ((4, 1), {"Plum": (5, 1), "Green": (4, 2)}, [NO_MOVE, ACCUSE]),
    ("Hall", {"Mustard": (4, 8), "White": (7, 11)}, [ROLL, ACCUSE]),
    ("Hall", {"Mustard": (4, 8), "White": (7, 11), "Green": (7, 12)}, [NO_MOVE, ACCUSE]),
    ("Library", {"Mustard": "Library"}, [ROLL, ACCUSE]),
])  # fmt: skip
def test_the_movement_choices_without_a_passage(at: At, others: Mapping[Suspect, At], offers: list[Offer]) -> None:
    """CLUE-14, CLUE-25: no move only if there is no first step; a door square always has one, through its door."""
    game = stage(places={"Scarlet": at, **others})

    assert game.offers(0) == offers


@pytest.mark.parametrize(("room", "partner", "door"), CORNERS)
def test_the_movement_choices_in_a_corner_room(room: Room, partner: Room, door: tuple[int, int]) -> None:
    """CLUE-14, CLUE-15, CLUE-31, ruling A23: with its door shut the passage must be taken."""
    assert stage(places={"Scarlet": room}).offers(0) == [ROLL, PASSAGE, ACCUSE]
    assert stage(places={"Scarlet": room}, summoned={0: room}).offers(0) == [ROLL, PASSAGE, stay_in(room), ACCUSE]

    shut = stage(places={"Scarlet": room, "Plum": door})
    assert shut.offers(0) == [PASSAGE, ACCUSE]
    assert refused(shut, 0, Roll())
    assert refused(shut, 0, NoMove())
    assert shut.play(0, TakePassage()).last == [PassageTaken(seat=0, to=partner)]

    marked = stage(places={"Scarlet": room, "Plum": door}, summoned={0: room})
    assert marked.offers(0) == [PASSAGE, stay_in(room), ACCUSE]


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in PASSAGES])
def test_only_corner_rooms_have_a_passage(room: Room) -> None:
    """CLUE-14, CLUE-31: everywhere else there is only the die."""
    game = stage(places={"Scarlet": room})

    assert game.offers(0) == [ROLL, ACCUSE]
    assert refused(game, 0, TakePassage())


def test_the_stay_is_on_offer_only_with_the_mark() -> None:
    """CLUE-14, CLUE-15, CLUE-35: and only for its owner, for that room."""
    game = stage(places={"Scarlet": "Hall", "Mustard": "Hall"}, summoned={0: "Hall"})
    assert game.offers(0) == [ROLL, stay_in("Hall"), ACCUSE]
    assert refused(game, 0, StayAndSuggest("Plum", "Rope", "Library"))

    game.throw(0, 1).go(0, (7, 11)).play(0, EndTurn())
    assert game.offers(1) == [ROLL, ACCUSE]


def test_nobody_gives_up_movement_to_stay_in_a_room() -> None:
    """CLUE-15: no ending, no suggesting, no staying before a move."""
    game = stage(places={"Scarlet": "Hall"})

    assert refused(game, 0, EndTurn())
    assert refused(game, 0, NoMove())
    assert refused(game, 0, Suggest("Plum", "Rope", "Hall"))
    assert refused(game, 0, StayAndSuggest("Plum", "Rope", "Hall"))


def test_after_a_throw_there_is_only_the_walk() -> None:
    """CLUE-16, rulings A5 and A12: no passage, no accusation, no second throw."""
    game = stage(places={"Scarlet": "Study"}, summoned={0: "Study"}).throw(0, 1)

    assert game.ends() == {(4, 6)}
    assert refused(game, 0, TakePassage())
    assert refused(game, 0, Accuse("White", "Rope", "Study"))
    assert refused(game, 0, StayAndSuggest("White", "Rope", "Study"))
    assert refused(game, 0, Roll())
    assert refused(game, 0, EndTurn())


def test_after_a_passage_there_is_no_throw() -> None:
    """CLUE-14, CLUE-16: exactly one movement choice."""
    game = stage(places={"Scarlet": "Study"}).play(0, TakePassage())

    assert game.state.phase == Arrived(may_suggest=True)
    assert game.offers(0) == [suggest_in("Kitchen"), ACCUSE, END_TURN]
    assert refused(game, 0, Roll())
    assert refused(game, 0, TakePassage())


def test_throws_paths_and_ends_are_public() -> None:
    """CLUE-17: everybody is told the same."""
    game = stage(places={"Scarlet": (6, 18)}).throw(0, 5)
    assert all(game.told(viewer) == [DiceThrown(seat=0, dice=(5,))] for viewer in (0, 1, 2, TABLE))

    game.go(0, "Lounge")
    assert all(game.told(viewer) == [Moved(seat=0, path=path_of((6, 17)), to="Lounge")] for viewer in (0, 1, 2, TABLE))
    assert all(game.view(viewer).places == game.state.places for viewer in (0, 1, 2, TABLE))


def test_whoever_cannot_move_may_accuse_or_end_the_turn() -> None:
    """CLUE-14, CLUE-25: no throw, no suggestion."""
    game = stage(places={"Scarlet": "Library", "Plum": (8, 7), "Green": (11, 3)}).play(0, NoMove())

    assert game.last == [NotMoved(seat=0)]
    assert game.state.phase == Arrived(may_suggest=False)
    assert game.offers(0) == [ACCUSE, END_TURN]
    assert refused(game, 0, Suggest("Plum", "Rope", "Library"))
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]


def nothing_for_others(game: Staged) -> bool:
    (awaited,) = game.awaiting()
    return all(game.offers(viewer) == [] for viewer in (*range(3), TABLE) if viewer != awaited) and refused(
        game, (awaited + 1) % 3, game.offers(awaited)[0].at(0)
    )


def test_only_one_seat_has_anything_to_do() -> None:
    """CLUE-12, CLUE-40: through a whole turn."""
    game = stage(["Plum Lounge", "", "Wrench"], places={"Scarlet": (6, 16)})
    assert nothing_for_others(game)
    assert nothing_for_others(game.throw(0, 2))
    assert nothing_for_others(game.go(0, "Lounge"))
    assert nothing_for_others(game.play(0, Suggest("Plum", "Wrench", "Lounge")))
    assert nothing_for_others(game.play(1, CannotShow()))
    assert nothing_for_others(game.play(2, Show("Wrench")))
    assert game.awaiting() == {1}
    assert nothing_for_others(game.throw(1, 1))
    assert refused(game, 0, Move(place_of((7, 22))))
