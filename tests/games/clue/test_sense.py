"""What is worth thinking about at Clue, and what a situation is worth."""

from typing import Any

import pytest

from tests.games.clue.staging import Staged, entered, place_of, stage
from tests.games.clue.test_evidence import of
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Attention, Seat
from whodunit.games.clue.facts import ROOMS, STARTS
from whodunit.games.clue.model import Accuse, EndTurn, LookAside, Move, Roll, Show, StayAndSuggest, Suggest, TakePassage
from whodunit.games.clue.rules import legal
from whodunit.games.clue.sense import WON, consider, steps, worth

HANDS = ["Plum Knife Hall Library Kitchen Ballroom", "Green Wrench", "Lounge"]


def considered(game: Staged, seat: Seat, attention: Attention = "logic") -> list[Action]:
    return list(consider(game.view(seat), seat, of(game, seat, attention), Rng(b"", 1)))


@pytest.mark.parametrize("hands", [HANDS, ["Plum", "", ""], ["", "", ""]])
def test_whatever_is_considered_is_on_offer(hands: list[str]) -> None:
    game = entered("Lounge", hands)
    found = considered(game, 0)

    assert found
    assert all(any(offer.admits(action) for offer in legal(game.view(0), 0)) for action in found)


def test_questions_name_what_is_open_and_one_own_card() -> None:
    found = [action for action in considered(entered("Lounge", HANDS), 0) if isinstance(action, Suggest)]

    assert {action.room for action in found} == {"Lounge"}
    assert len(found) == len(set(found)) == 25
    assert "Plum" in {action.suspect for action in found}
    assert "Knife" in {action.weapon for action in found}


def test_a_walk_ends_in_a_room_or_on_the_way_to_one() -> None:
    game = stage(HANDS, places={"Scarlet": (6, 17)}).throw(0, 6)
    found = considered(game, 0)

    assert Move("Lounge") in found
    assert Move("DiningRoom") in found
    squares = [action.to for action in found if isinstance(action, Move) and not isinstance(action.to, str)]
    assert 0 < len(squares) <= len(ROOMS)


def test_a_card_that_the_suggester_has_seen_is_shown_again() -> None:
    game = entered("Lounge", HANDS).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert considered(game, 1) == [Show("Green"), Show("Wrench")]
    game.play(1, Show("Wrench")).pass_by(1).pass_by(2)
    game.change(places=(place_of((6, 17)), *game.state.places[1:])).walk(0, 1, "Lounge")
    game.play(0, Suggest("Green", "Wrench", "Lounge"))

    assert considered(game, 1) == [Show("Wrench")]


def test_an_accusation_is_considered_when_it_is_better_than_waiting() -> None:
    """The more rivals, the sooner; alone one waits until one is sure."""
    sure = entered("Lounge", HANDS, "White Rope Study").play(0, Suggest("Green", "Wrench", "Lounge"))
    sure.play(1, Show("Green"))
    assert not any(isinstance(action, Accuse) for action in considered(sure, 1))

    looked = stage(HANDS, "White Rope Study").play(0, Accuse("White", "Rope", "Hall"))
    belief = of(looked, 0)
    view: Any = stage(HANDS, "White Rope Study").view(0)
    assert consider(view, 0, belief, Rng(b"", 1))[-1] == Accuse("White", "Rope", "Study")


def test_a_turn_ends_only_when_nothing_is_left_to_ask() -> None:
    assert EndTurn() not in considered(entered("Lounge", HANDS), 0)
    game = entered("Lounge", ["Green Wrench Lounge", "", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert considered(game.nobody_shows(), 0) == [EndTurn()]


def test_a_turn_begins_with_all_ways_to_move() -> None:
    game = stage(HANDS, places={"Scarlet": "Study"}, summoned={0: "Study"})
    kinds = {type(action) for action in considered(game, 0)}

    assert kinds == {Roll, TakePassage, StayAndSuggest}


def test_side_cards_are_looked_at() -> None:
    game = entered("Lounge", ["Plum", ""], side="Green Wrench Lounge Hall", two_player_side_cards=4)
    game.play(0, Suggest("Green", "Wrench", "Lounge")).nobody_shows()

    assert isinstance(considered(game, 0)[0], LookAside)


def test_the_way_to_every_room() -> None:
    assert steps(STARTS["Scarlet"])["Lounge"] == 8
    assert steps("Lounge")["DiningRoom"] == 4
    assert steps("Lounge")["Conservatory"] == 0
    assert steps("Hall")["Kitchen"] == 19


def test_worth_grows_with_questions_the_room_and_the_win() -> None:
    game = entered("Lounge", ["Plum", "", ""])
    asking = worth(game.state, 0)
    afterwards = worth(game.play(0, EndTurn()).state, 0)
    won = stage(HANDS).play(0, Accuse("White", "Rope", "Study")).state

    assert asking > afterwards
    assert (worth(won, 0), worth(won, 1)) == (WON, 0)
    near, far = (stage(HANDS, places={"Scarlet": at}).state for at in ((6, 16), (0, 16)))
    assert worth(near, 0) > worth(far, 0)
    thrown = stage(HANDS, places={"Scarlet": (6, 16)}).throw(0, 2).state
    assert worth(thrown, 0) > worth(near, 0)
