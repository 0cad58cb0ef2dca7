"""Section 4.7 of the rules: the disproof of a suggestion."""

from typing import Any

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    CANNOT_SHOW,
    END_TURN,
    ROLL,
    Staged,
    entered,
    refused,
    show,
    stage,
    trio_of,
)
from whodunit.core.types import TABLE
from whodunit.games.clue.facts import PACK
from whodunit.games.clue.model import (
    Accuse,
    Answering,
    Beginning,
    CannotShow,
    CardShown,
    Concluding,
    CouldNotShow,
    EndTurn,
    HandDealt,
    Show,
    Suggest,
    TurnBegan,
)

pytestmark = pytest.mark.rules

TRIO = trio_of("Green Wrench Lounge")


def asked(*hands: str, **staging: Any) -> Staged:
    """Scarlet in the Lounge names Mr. Green with the wrench; these are the hands, hers first."""
    return entered("Lounge", hands, **staging).play(0, Suggest("Green", "Wrench", "Lounge"))


def test_the_asking_begins_at_the_left_and_goes_clockwise() -> None:
    """CLUE-40, CLUE-42: one after another, never the suggester."""
    game = asked("Green Wrench Lounge", "", "", "")
    order = []
    while isinstance(game.state.phase, Answering):
        (seat,) = game.awaiting()
        assert game.state.phase == Answering(TRIO, asked=seat)
        assert game.offers(seat) == [CANNOT_SHOW]
        order.append(seat)
        game.play(seat, CannotShow())
        assert game.last == game.told(TABLE) == [CouldNotShow(seat=seat)]

    assert order == [1, 2, 3]
    assert game.state.phase == Concluding()
    assert game.awaiting() == {0}


def test_the_asking_goes_round_the_end_of_the_table() -> None:
    """CLUE-40: from the last seat the left is the first."""
    hands = ["", "", "Green Wrench Lounge", ""]
    game = stage(hands, places={"White": (6, 17)}, on_turn=2).walk(2, 1, "Lounge")
    game.play(2, Suggest("Green", "Wrench", "Lounge"))

    assert [game.awaiting(), game.play(3, CannotShow()).awaiting(), game.play(0, CannotShow()).awaiting()] == [
        {3}, {0}, {1},
    ]  # fmt: skip
    assert game.play(1, CannotShow()).awaiting() == {2}


def test_out_players_are_asked_too() -> None:
    """CLUE-40, CLUE-53: they keep their cards."""
    game = asked("Green", "Wrench", "Lounge", out=(1,))

    assert game.awaiting() == {1}
    assert game.offers(1) == [show("Wrench")]


def test_whoever_holds_one_must_show_it() -> None:
    """CLUE-41, ruling A19: he cannot say that he holds none."""
    game = asked("Green Lounge", "Wrench", "")

    assert game.offers(1) == [show("Wrench")]
    assert refused(game, 1, CannotShow())


def test_whoever_holds_several_chooses_freely_which_one() -> None:
    """CLUE-41: any one of them."""
    game = asked("Green", "Wrench Lounge", "")
    assert game.offers(1) == [show("Wrench", "Lounge")]
    assert asked("Green", "Wrench Lounge", "").play(1, Show("Wrench")).told(0)[0].card == "Wrench"
    assert asked("Green", "Wrench Lounge", "").play(1, Show("Lounge")).told(0)[0].card == "Lounge"

    all_three = asked("", "Lounge Green Wrench", "")
    assert all_three.offers(1) == [show("Green", "Wrench", "Lounge")]


def test_only_a_named_card_of_ones_own_hand_is_shown() -> None:
    """CLUE-41: neither another card of the hand nor a named card of somebody else's."""
    game = asked("Green", "Wrench Plum", "Lounge")

    assert all(refused(game, 1, Show(card)) for card in PACK if card != "Wrench")


def test_the_card_is_known_to_suggester_and_shower_alone() -> None:
    """CLUE-41: everybody knows who showed."""
    game = asked("Green", "Wrench", "Lounge", "").play(1, Show("Wrench"))

    shown = CardShown(seat=1, to=0, card="Wrench", known_to=frozenset({0, 1}))
    hidden = CardShown(seat=1, to=0, card=None, known_to=frozenset({0, 1}))
    assert game.last == [shown, TurnBegan(seat=1)]
    assert [game.told(viewer)[0] for viewer in (0, 1, 2, 3, TABLE)] == [shown, shown, hidden, hidden, hidden]


def test_how_many_cards_he_could_have_shown_stays_with_the_shower() -> None:
    """CLUE-41: the others see the same, whether it was forced or chosen."""
    forced = asked("Green", "Wrench Plum", "Lounge Hall")
    chosen = asked("Green", "Wrench Lounge", "Plum Hall")
    holds_none = asked("Green", "Plum Hall", "Wrench Lounge")

    assert forced.state.phase == chosen.state.phase == holds_none.state.phase == Answering(TRIO, asked=1)
    assert forced.awaiting() == chosen.awaiting() == holds_none.awaiting()
    assert forced.view(0) == chosen.view(0) == holds_none.view(0)
    assert forced.view(TABLE) == chosen.view(TABLE) == holds_none.view(TABLE)
    forced.play(1, Show("Wrench"))
    chosen.play(1, Show("Wrench"))
    assert forced.told(0) == chosen.told(0)
    assert forced.told(2) == chosen.told(2)
    assert forced.view(TABLE) == chosen.view(TABLE)


def test_whoever_holds_none_says_so() -> None:
    """CLUE-42: in public; and he has nothing to show."""
    game = asked("Green", "", "Wrench Lounge")

    assert game.offers(1) == [CANNOT_SHOW]
    assert refused(game, 1, Show("Wrench"))
    game.play(1, CannotShow())
    assert all(game.told(viewer) == [CouldNotShow(seat=1)] for viewer in (0, 1, 2, TABLE))


def test_the_asking_stops_with_the_first_card_shown() -> None:
    """CLUE-43: the next player is not asked, though he holds one too."""
    game = asked("Green", "Wrench", "Lounge").play(1, Show("Wrench"))

    assert [type(event) for event in game.events if getattr(event, "seat", None) == 2] == [HandDealt]
    assert game.offers(2) == []
    assert refused(game, 2, Show("Lounge"))


def test_when_a_card_has_been_shown_the_turn_ends_at_once() -> None:
    """CLUE-44, ruling A13: no accusation any more."""
    game = asked("Green", "", "Wrench Lounge").play(1, CannotShow()).play(2, Show("Lounge"))

    assert game.last == [
        CardShown(seat=2, to=0, card="Lounge", known_to=frozenset({0, 2})),
        TurnBegan(seat=1),
    ]
    assert game.state.phase == Beginning()
    assert (game.state.turn, game.state.on_turn) == (2, 1)
    assert refused(game, 0, Accuse("White", "Rope", "Study"))
    assert refused(game, 0, EndTurn())
    assert game.offers(1) == [ROLL, ACCUSE]


def test_the_turn_passes_over_out_players_after_a_card_is_shown() -> None:
    """CLUE-12, CLUE-44: out player 1 shows, and player 2 is on turn."""
    game = asked("Green", "Wrench", "Lounge", out=(1,)).play(1, Show("Wrench"))

    assert game.last[1:] == [TurnBegan(seat=2)]


def test_when_nobody_can_show_the_suggester_ends_the_turn_or_accuses() -> None:
    """CLUE-45, CLUE-46: when all others have been asked."""
    game = asked("Green Wrench Lounge", "", "").play(1, CannotShow())
    assert game.state.phase == Answering(TRIO, asked=2)
    assert game.offers(0) == []

    game.play(2, CannotShow())

    assert game.state.phase == Concluding()
    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.play(0, EndTurn()).last == [TurnBegan(seat=1)]
