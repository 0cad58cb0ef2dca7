"""Sections 4.5 and 4.6 of the rules: summoned tokens and the suggestion."""

from typing import Any

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    END_TURN,
    NO_MOVE,
    PASSAGE,
    ROLL,
    At,
    Staged,
    at_of,
    entered,
    refused,
    stage,
    stay_in,
)
from whodunit.core.types import TABLE
from whodunit.games.clue.facts import ROOMS, SUSPECTS, WEAPONS, Suspect, Weapon
from whodunit.games.clue.model import (
    Answering,
    Arrived,
    Concluding,
    EndTurn,
    NoMove,
    StayAndSuggest,
    Stayed,
    Suggest,
    Suggested,
    TakePassage,
    Trio,
    TurnBegan,
)

pytestmark = pytest.mark.rules

NOBODY_CAN = ["Mustard White Plum Rope Ballroom Hall", "", ""]
"""Scarlet's owner holds what is named below, so nobody else can show it."""
SOLUTION = "Green Knife Study"


def nobody_can(**staging: Any) -> Staged:
    return entered("Ballroom", NOBODY_CAN, SOLUTION, **staging)


def test_tokens_moved_by_a_suggestion_stay_where_they_were_put() -> None:
    """CLUE-33: they do not go back when it is answered."""
    game = nobody_can().play(0, Suggest("Plum", "Rope", "Ballroom")).nobody_shows().play(0, EndTurn()).pass_by(1)

    assert game.place("Plum") == "Ballroom"
    assert game.weapon("Rope") == "Ballroom"


def test_a_token_moved_into_a_room_is_marked() -> None:
    """CLUE-34: for that room, for everybody to see."""
    game = nobody_can().play(0, Suggest("Mustard", "Rope", "Ballroom"))

    assert game.state.summoned == (None, "Ballroom", None)
    assert all(game.view(viewer).summoned == (None, "Ballroom", None) for viewer in (0, 1, 2, TABLE))


def test_a_later_relocation_replaces_the_mark() -> None:
    """CLUE-34: the token carries one mark, for the room where it is."""
    game = nobody_can(places={"Mustard": "Hall"}, summoned={1: "Hall"})

    game.play(0, Suggest("Mustard", "Rope", "Ballroom"))

    assert game.state.summoned == (None, "Ballroom", None)


def test_being_named_in_the_same_room_gives_no_mark() -> None:
    """CLUE-34, ruling A11: the token was not moved."""
    game = nobody_can(places={"Mustard": "Ballroom"}).play(0, Suggest("Mustard", "Rope", "Ballroom"))

    assert game.state.summoned == (None, None, None)


def test_being_named_in_the_same_room_takes_no_mark() -> None:
    """CLUE-34, ruling A11: a mark already carried is not lost."""
    game = nobody_can(places={"Mustard": "Ballroom"}, summoned={1: "Ballroom"})

    game.play(0, Suggest("Mustard", "Rope", "Ballroom"))

    assert game.state.summoned == (None, "Ballroom", None)


def test_naming_oneself_gives_no_mark() -> None:
    """CLUE-34, CLUE-39, ruling A11: one's own token is there already."""
    game = stage(["", "Scarlet Ballroom", ""], places={"Scarlet": (16, 9)}).walk(0, 1, "Ballroom")

    game.play(0, Suggest("Scarlet", "Rope", "Ballroom"))

    assert game.state.summoned == (None, None, None)
    assert game.place("Scarlet") == "Ballroom"


def test_naming_a_token_without_a_player_marks_nobody() -> None:
    """CLUE-34, CLUE-39: it has no owner."""
    game = nobody_can().play(0, Suggest("Plum", "Rope", "Ballroom"))

    assert game.state.summoned == (None, None, None)
    assert game.place("Plum") == "Ballroom"


def test_the_mark_belongs_to_the_seat_that_owns_the_token() -> None:
    """CLUE-34: seats and suspects are counted differently when tokens are left out."""
    hands = ["Plum Rope Ballroom", "", ""]
    game = stage(hands, "Green Knife Study", tokens=("White", "Peacock", "Plum"), places={"White": (16, 9)})

    game.walk(0, 1, "Ballroom").play(0, Suggest("Plum", "Rope", "Ballroom"))

    assert game.state.summoned == (None, None, "Ballroom")
    assert game.place("Plum") == "Ballroom"


def test_the_mark_ends_with_the_owners_next_turn_though_unused() -> None:
    """CLUE-34: here its owner leaves by the die, and is back too late."""
    game = nobody_can().play(0, Suggest("Mustard", "Rope", "Ballroom")).nobody_shows().play(0, EndTurn())
    assert game.offers(1) == [ROLL, stay_in("Ballroom"), ACCUSE]

    game.walk(1, 1, (16, 9))

    assert game.state.summoned == (None, None, None)


def test_the_mark_ends_also_for_whoever_was_shut_in_and_did_not_move() -> None:
    """CLUE-25, CLUE-34: used or not."""
    places: dict[Suspect, At] = {"Scarlet": "DiningRoom", "Green": (8, 17), "Plum": (12, 15)}
    game = stage(places=places, summoned={0: "DiningRoom", 2: "Hall"})
    assert game.offers(0) == [stay_in("DiningRoom"), NO_MOVE, ACCUSE]

    game.play(0, NoMove()).play(0, EndTurn())

    assert game.state.summoned == (None, None, "Hall")


def test_the_mark_waits_for_its_owners_turn() -> None:
    """CLUE-34: other players' turns do not end it."""
    game = nobody_can().play(0, Suggest("White", "Rope", "Ballroom")).nobody_shows().play(0, EndTurn()).pass_by(1)

    assert game.state.summoned == (None, None, "Ballroom")
    assert game.offers(2) == [ROLL, stay_in("Ballroom"), ACCUSE]


def test_staying_and_suggesting_are_one_choice() -> None:
    """CLUE-13, CLUE-35: after it the turn goes on as after any suggestion."""
    game = stage(["Plum Ballroom", "", ""], places={"Scarlet": "Ballroom"}, summoned={0: "Ballroom"})

    game.play(0, StayAndSuggest("Plum", "Rope", "Ballroom"))

    assert (
        game.last
        == game.told(TABLE)
        == [
            Stayed(seat=0),
            Suggested(seat=0, trio=Trio("Plum", "Rope", "Ballroom")),
        ]
    )
    assert game.state.phase == Answering(Trio("Plum", "Rope", "Ballroom"), asked=1)
    assert game.state.summoned == (None, None, None)
    assert (game.place("Scarlet"), game.place("Plum"), game.weapon("Rope")) == ("Ballroom",) * 3
    assert refused(game, 0, EndTurn())
    assert game.nobody_shows().offers(0) == [ACCUSE, END_TURN]


def test_the_mark_can_be_used_once() -> None:
    """CLUE-35: in the turn after that the player must move again."""
    game = stage(["Plum Ballroom", "", ""], places={"Scarlet": "Ballroom"}, summoned={0: "Ballroom"})

    game.play(0, StayAndSuggest("Plum", "Rope", "Ballroom")).nobody_shows().play(0, EndTurn()).pass_by(1).pass_by(2)

    assert game.offers(0) == [ROLL, ACCUSE]


def test_a_marked_player_may_leave_by_the_passage() -> None:
    """CLUE-35: as usual; the mark is for the room that is left."""
    game = stage(places={"Scarlet": "Lounge"}, summoned={0: "Lounge"}).play(0, TakePassage())

    assert game.state.summoned == (None, None, None)
    assert game.state.phase == Arrived(may_suggest=True)


def test_the_room_named_is_the_room_of_ones_own_token() -> None:
    """CLUE-36: one suspect, one weapon, and no other room."""
    game = nobody_can()

    assert all(refused(game, 0, Suggest("Plum", "Rope", room)) for room in ROOMS if room != "Ballroom")
    game.play(0, Suggest("Plum", "Rope", "Ballroom"))
    assert game.last == game.told(TABLE) == [Suggested(seat=0, trio=Trio("Plum", "Rope", "Ballroom"))]


def test_at_most_one_suggestion_per_entry() -> None:
    """CLUE-37: not a second one in the same turn ..."""
    game = nobody_can().play(0, Suggest("Plum", "Rope", "Ballroom")).nobody_shows()

    assert game.state.phase == Concluding()
    assert refused(game, 0, Suggest("White", "Rope", "Ballroom"))
    assert game.offers(0) == [ACCUSE, END_TURN]


def test_a_declined_suggestion_cannot_be_made_up_for() -> None:
    """CLUE-37, ruling A10: ... nor in the next turn without leaving first."""
    game = nobody_can().play(0, EndTurn()).pass_by(1).pass_by(2)

    assert game.offers(0) == [ROLL, ACCUSE]
    assert refused(game, 0, Suggest("Plum", "Rope", "Ballroom"))


def test_whoever_was_summoned_away_may_come_back_and_suggest() -> None:
    """CLUE-37, ruling A14: having been in another room in any way lifts the bar."""
    game = entered("Lounge", ["Plum Lounge", "Scarlet Conservatory", ""], places={"Mustard": (19, 5)})
    game.play(0, Suggest("Plum", "Rope", "Lounge")).nobody_shows().play(0, EndTurn())
    game.walk(1, 1, "Conservatory").play(1, Suggest("Scarlet", "Rope", "Conservatory")).nobody_shows()
    game.play(1, EndTurn()).pass_by(2)
    assert game.offers(0) == [ROLL, PASSAGE, stay_in("Conservatory"), ACCUSE]

    game.play(0, TakePassage()).play(0, Suggest("Plum", "Rope", "Lounge"))

    assert game.last == [Suggested(seat=0, trio=Trio("Plum", "Rope", "Lounge"))]


def test_the_named_tokens_come_before_anyone_answers() -> None:
    """CLUE-38: both are in the room while the first player is still being asked."""
    game = nobody_can(weapon_rooms=ROOMS[:6])
    before = game.state

    game.play(0, Suggest("Plum", "Rope", "Ballroom"))

    assert game.state.phase == Answering(Trio("Plum", "Rope", "Ballroom"), asked=1)
    assert game.state.places == (*before.places[:5], "Ballroom")
    assert game.state.weapons == ("Ballroom", *before.weapons[1:])


def test_tokens_already_there_stay() -> None:
    """CLUE-38: with the one that comes in."""
    game = nobody_can(places={"Green": "Ballroom", "Plum": "Ballroom"}, weapons={"Rope": "Ballroom"})

    game.play(0, Suggest("Plum", "Rope", "Ballroom"))

    assert [at_of(place) for place in game.state.places] == [
        "Ballroom", (7, 23), (24, 14), "Ballroom", (18, 0), "Ballroom",
    ]  # fmt: skip
    assert game.weapon("Rope") == "Ballroom"


@pytest.mark.parametrize("suspect", SUSPECTS)
@pytest.mark.parametrize("weapon", WEAPONS[:1])
def test_any_suspect_may_be_named(suspect: Suspect, weapon: Weapon) -> None:
    """CLUE-39: one's own, another player's, an out player's, or one nobody owns."""
    game = nobody_can(out=(2,)).play(0, Suggest(suspect, weapon, "Ballroom"))

    assert game.place(suspect) == "Ballroom"
    assert game.last == [Suggested(seat=0, trio=Trio(suspect, weapon, "Ballroom"))]


@pytest.mark.parametrize("weapon", WEAPONS)
def test_any_weapon_may_be_named(weapon: Weapon) -> None:
    """CLUE-39: wherever it lies."""
    assert nobody_can().play(0, Suggest("Plum", weapon, "Ballroom")).weapon(weapon) == "Ballroom"


def test_cards_of_ones_own_hand_may_be_named() -> None:
    """CLUE-39, CLUE-40: all three of them, and the suggester is never asked."""
    game = nobody_can().play(0, Suggest("Plum", "Rope", "Ballroom")).nobody_shows()

    assert game.state.phase == Concluding()
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]
