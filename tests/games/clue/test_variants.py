"""Section 4.10 of the rules: the variants, off unless configured; CLUE-V4 is in test_end.py."""

from typing import Any

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    CLUE,
    END_TURN,
    ROLL,
    Staged,
    at_of,
    ends,
    entered,
    look_at,
    refused,
    stage,
    stay_in,
    suggest_in,
    trio_of,
)
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Outcome
from whodunit.games.clue.facts import DOORS
from whodunit.games.clue.model import (
    Accuse,
    CannotShow,
    CardShown,
    Concluding,
    CouldNotShow,
    DiceThrown,
    EndTurn,
    LookAside,
    LookingAside,
    Roll,
    Show,
    SideCardSeen,
    StayAndSuggest,
    Suggest,
    TakePassage,
    TurnBegan,
    Walking,
)

pytestmark = pytest.mark.rules

RIGHT = Accuse("White", "Rope", "Study")


# --- CLUE-V1: two dice -------------------------------------------------------------------------------------------


def test_two_dice_are_thrown_and_their_sum_counts() -> None:
    """CLUE-V1: both dice are public."""
    game = stage(dice_count=2, places={"Scarlet": "Hall"}).throw(0, 3, 5)

    assert game.last == game.told(TABLE) == [DiceThrown(seat=0, dice=(3, 5))]
    assert game.state.phase == Walking(throw=8)
    assert game.awaiting() == {0}


@pytest.mark.parametrize("dice", [1, 2])
def test_each_die_has_six_faces(dice: int) -> None:
    """CLUE-14, CLUE-V1, ruling A18: one die by default, from 1 to 6."""
    rng = Rng(b"any", 1)
    game = stage() if dice == 1 else stage(dice_count=2)

    (thrown,) = CLUE.decide(game.state, 0, Roll(), rng)

    assert [(draw.label, draw.kind, draw.range) for draw in rng.draws] == [
        ("die 1", "below", 6), ("die 2", "below", 6),
    ][:dice]  # fmt: skip
    results: list[Any] = [draw.result for draw in rng.draws]
    assert thrown == DiceThrown(seat=0, dice=tuple(1 + result for result in results))
    assert stage().throw(0, 1).state.phase == Walking(throw=1)
    assert stage().throw(0, 6).state.phase == Walking(throw=6)


# --- CLUE-V2: suggestion required --------------------------------------------------------------------------------


def test_with_v2_a_suggestion_must_follow_the_entry() -> None:
    """CLUE-V2: by die or by passage, unless the player accuses instead."""
    walked = entered("Lounge", suggestion_mandatory=True)
    assert walked.offers(0) == [suggest_in("Lounge"), ACCUSE]
    assert refused(walked, 0, EndTurn())
    assert walked.play(0, RIGHT).outcome() == Outcome(winners=(0,), how="solved")

    crept = stage(places={"Scarlet": "Study"}, suggestion_mandatory=True).play(0, TakePassage())
    assert crept.offers(0) == [suggest_in("Kitchen"), ACCUSE]


def test_with_v2_the_corridor_demands_nothing() -> None:
    """CLUE-V2: nor does the end of the turn once the suggestion is made."""
    assert stage(suggestion_mandatory=True).walk(0, 1, (1, 16)).offers(0) == [ACCUSE, END_TURN]
    game = entered("Lounge", ["Green Wrench Lounge", "", ""], suggestion_mandatory=True)
    game.play(0, Suggest("Green", "Wrench", "Lounge")).nobody_shows()
    assert game.offers(0) == [ACCUSE, END_TURN]


def test_with_v2_nobody_must_stay_where_he_was_brought() -> None:
    """CLUE-35, CLUE-V2: being moved in is no entry by die or passage."""
    game = stage(places={"Scarlet": "Hall"}, summoned={0: "Hall"}, suggestion_mandatory=True)

    assert game.offers(0) == [ROLL, stay_in("Hall"), ACCUSE]


# --- CLUE-V3: late accusation ------------------------------------------------------------------------------------


def shown_a_card(**options: Any) -> Staged:
    game = entered("Lounge", ["Green", "Wrench", "Lounge"], **options).play(0, Suggest("Green", "Wrench", "Lounge"))
    return game.play(1, Show("Wrench"))


def test_with_v3_the_suggester_may_accuse_after_being_shown_a_card() -> None:
    """CLUE-V3: before the turn passes."""
    game = shown_a_card(accuse_after_disproof=True)

    assert game.last == [CardShown(seat=1, to=0, card="Wrench", known_to=frozenset({0, 1}))]
    assert game.state.phase == Concluding()
    assert game.awaiting() == {0}
    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.offers(2) == []
    assert game.play(0, RIGHT).outcome() == Outcome(winners=(0,), how="solved")


def test_with_v3_the_suggester_may_also_end_the_turn() -> None:
    """CLUE-V3: nothing else is widened."""
    game = shown_a_card(accuse_after_disproof=True)

    assert refused(game, 0, Suggest("Green", "Wrench", "Lounge"))
    assert refused(game, 0, Roll())
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]


def test_without_v3_the_card_ends_the_turn() -> None:
    """CLUE-44, CLUE-V3: off unless configured."""
    game = shown_a_card()

    assert game.last[1:] == [TurnBegan(seat=1)]
    assert refused(game, 0, RIGHT)


# --- CLUE-V5: side cards -----------------------------------------------------------------------------------------

SIDE = "Plum Knife Kitchen Wrench"


def unanswered(**staging: Any) -> Staged:
    hands = ["Green Candlestick Lounge Conservatory", ""]
    game = entered("Lounge", hands, side=SIDE, two_player_side_cards=4, **staging)
    return game.play(0, Suggest("Green", "Candlestick", "Lounge")).play(1, CannotShow())


def test_the_side_row_lies_face_down() -> None:
    """CLUE-V5: four cards that nobody has seen; seven for each player."""
    game = stage(["", ""], side=SIDE, two_player_side_cards=4)

    assert game.state.side == ("Plum", "Knife", "Kitchen", "Wrench")
    assert game.state.sizes == (7, 7)
    assert all(game.view(viewer).side == (None, None, None, None) for viewer in (0, 1, TABLE))
    assert game.state.looked == ((), ())


def test_when_the_opponent_cannot_show_the_suggester_looks_aside() -> None:
    """CLUE-V5: he must, and the choice of position is his."""
    game = unanswered()

    assert game.last == [CouldNotShow(seat=1)]
    assert game.state.phase == LookingAside()
    assert game.awaiting() == {0}
    assert game.offers(0) == [look_at(1, 2, 3, 4)]
    assert game.offers(1) == game.offers(TABLE) == []
    assert refused(game, 0, EndTurn())
    assert refused(game, 0, RIGHT)
    assert refused(game, 0, LookAside(0))
    assert refused(game, 0, LookAside(5))


def test_the_side_card_is_known_to_who_looks_and_its_position_to_all() -> None:
    """CLUE-V5: and it is put back in its place."""
    game = unanswered().play(0, LookAside(3))

    seen = SideCardSeen(seat=0, position=3, card="Kitchen", known_to=frozenset({0}))
    unseen = SideCardSeen(seat=0, position=3, card=None, known_to=frozenset({0}))
    assert game.last == game.told(0) == [seen]
    assert game.told(1) == game.told(TABLE) == [unseen]
    assert game.view(0).side == (None, None, "Kitchen", None)
    assert game.view(1).side == game.view(TABLE).side == (None, None, None, None)
    assert game.state.side == ("Plum", "Knife", "Kitchen", "Wrench")
    assert all(game.view(viewer).looked == ((3,), ()) for viewer in (0, 1, TABLE))


def test_after_the_look_the_turn_goes_on() -> None:
    """CLUE-45, CLUE-V5: accuse or end the turn."""
    game = unanswered().play(0, LookAside(1))

    assert game.state.phase == Concluding()
    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]


def test_a_position_is_looked_at_once() -> None:
    """CLUE-V5: a card he has not yet seen; the positions are kept in order."""
    game = unanswered().play(0, LookAside(3)).play(0, EndTurn()).pass_by(1)
    game.play(0, TakePassage()).play(0, Suggest("Green", "Candlestick", "Conservatory")).play(1, CannotShow())
    assert game.offers(0) == [look_at(1, 2, 4)]
    assert refused(game, 0, LookAside(3))

    game.play(0, LookAside(1))

    assert game.state.looked == ((1, 3), ())
    assert game.view(0).side == ("Plum", None, "Kitchen", None)


def test_each_player_looks_for_himself() -> None:
    """CLUE-V5: what the opponent has seen is still new to the other."""
    game = stage(["", "Green Candlestick Lounge"], side=SIDE, two_player_side_cards=4, places={"Mustard": (6, 17)})
    game.change(looked=((1, 2, 3, 4), (2,)), on_turn=1).walk(1, 1, "Lounge")
    game.play(1, Suggest("Green", "Candlestick", "Lounge")).play(0, CannotShow())

    assert game.offers(1) == [look_at(1, 3, 4)]
    game.play(1, LookAside(4))
    assert game.last == [SideCardSeen(seat=1, position=4, card="Wrench", known_to=frozenset({1}))]
    assert game.state.looked == ((1, 2, 3, 4), (2, 4))


def test_what_a_player_has_seen_stays_seen_when_the_other_looks_there_too() -> None:
    """CLUE-V5: both know the card now, and nobody has told them."""
    hands = ["Green Candlestick Lounge", "Mustard Revolver Hall"]
    game = entered("Lounge", hands, side=SIDE, two_player_side_cards=4, places={"Mustard": (7, 11)})
    game.play(0, Suggest("Green", "Candlestick", "Lounge")).play(1, CannotShow()).play(0, LookAside(2))

    game.play(0, EndTurn()).walk(1, 1, "Hall").play(1, Suggest("Mustard", "Revolver", "Hall"))
    game.play(0, CannotShow()).play(1, LookAside(2))

    assert game.view(0).side == game.view(1).side == (None, "Knife", None, None)
    assert game.view(TABLE).side == (None, None, None, None)
    assert game.state.looked == ((2,), (2,))


def test_whoever_has_seen_all_four_looks_at_nothing() -> None:
    """CLUE-V5: nothing more happens."""
    hands = ["Green Candlestick Lounge", ""]
    game = entered("Lounge", hands, side=SIDE, two_player_side_cards=4).change(looked=((1, 2, 3, 4), ()))

    game.play(0, Suggest("Green", "Candlestick", "Lounge")).play(1, CannotShow())

    assert game.state.phase == Concluding()
    assert game.offers(0) == [ACCUSE, END_TURN]


def test_a_card_shown_leaves_the_side_row_alone() -> None:
    """CLUE-44, CLUE-V5: only when the opponent cannot show."""
    game = entered("Lounge", ["Green", "Lounge"], side=SIDE, two_player_side_cards=4)

    game.play(0, Suggest("Green", "Wrench", "Lounge")).play(1, Show("Lounge"))

    assert game.last[1:] == [TurnBegan(seat=1)]
    assert game.state.looked == ((), ())


# --- CLUE-V6: loose throw ----------------------------------------------------------------------------------------


def test_with_v6_a_move_may_stop_early() -> None:
    """CLUE-V6: after any number of steps from 1 up to the throw; by default it may not."""
    loose = ends((5, 5), 3, exact_roll=False)

    assert loose == ends((5, 5), 1) | ends((5, 5), 2) | ends((5, 5), 3)
    assert (5, 5) not in loose
    assert ends((5, 5), 3) < loose


def test_with_v6_a_shut_corridor_needs_no_longest_way() -> None:
    """CLUE-22, CLUE-V6: every square on the way will do."""
    assert ends("BilliardRoom", 4, (15, 6), (11, 3), exact_roll=False) == {(11, 1), (11, 2)}
    assert ends((0, 16), 6, (2, 15), (2, 16), exact_roll=False) == {(1, 15), (1, 16)}


# --- CLUE-V7: free doorway ---------------------------------------------------------------------------------------


def test_with_v7_a_throw_that_reaches_the_door_square_also_enters() -> None:
    """CLUE-V7: stepping in costs nothing; leaving still costs one step."""
    assert ends((6, 16), 1, room_entry_cost=0) == {(5, 16), (6, 15), (6, 17), (7, 16), "Lounge"}
    assert ends("Lounge", 1, room_entry_cost=0) == {(6, 17)}


@pytest.mark.parametrize("square", DOORS)
def test_with_v7_a_token_on_a_door_square_must_still_throw(square: int) -> None:
    """CLUE-V7: then it enters with any throw, and a door stays shut to all others."""
    game = stage(places={"Scarlet": at_of(square)}, room_entry_cost=0)

    assert game.offers(0) == [ROLL, ACCUSE]
    assert all(DOORS[square] in ends(at_of(square), throw, room_entry_cost=0) for throw in (1, 6))


def test_with_v7_the_room_left_stays_barred() -> None:
    """CLUE-30, CLUE-V7: also through a free doorway."""
    assert ends("Hall", 1, room_entry_cost=0) == {(4, 8), (7, 11), (7, 12)}
    assert "Hall" not in ends("Hall", 2, room_entry_cost=0)


# --- Together ----------------------------------------------------------------------------------------------------


def test_variants_can_be_combined() -> None:
    """CLUE-V2, CLUE-V3, CLUE-35: staying demands a suggestion in any case, and a late accusation may follow."""
    game = stage(
        ["Green", "Wrench", ""],
        places={"Scarlet": "Hall"},
        summoned={0: "Hall"},
        suggestion_mandatory=True,
        accuse_after_disproof=True,
    )
    game.play(0, StayAndSuggest("Green", "Wrench", "Hall")).play(1, Show("Wrench"))

    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.play(0, Accuse("Green", "Wrench", "Hall")).state.out == (True, False, False)
    assert game.last[0].trio == trio_of("Green Wrench Hall")
