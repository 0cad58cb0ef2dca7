"""What a seat has seen, told in full as a world has it: numbers, cards shown and drawn, wrong slams."""

from fractions import Fraction
from typing import Any

import pytest

from tests.games.perfect_alibi.staging import Staged, stage
from whodunit.core.chance import outcomes
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Seat
from whodunit.games.perfect_alibi.evidence import Belief, World, belief
from whodunit.games.perfect_alibi.facts import PACK
from whodunit.games.perfect_alibi.model import (
    AnswerCorrected,
    Answered,
    Beginning,
    CardDrawn,
    CardShown,
    Confirm,
    Correct,
    MissingSeen,
    Slam,
    Slammed,
)

HANDS = ("Bar-3 Bar-6 Bar-12", "SunDeck-3 SunDeck-6 Bar-9 Library-9 Restaurant-12", "")


def learned(known: Belief, game: Staged) -> Belief:
    for event in game.seen(known.seat):
        known = known.learn(event)
    return known


def truth(game: Staged) -> World:
    state = game.state
    return World(state.missing, state.hands, state.rivals, tuple(one.said for one in state.log if one.answered))


def told(known: Belief, game: Staged, kind: type, field: str, nth: int = -1) -> dict[Any, Fraction]:
    """Return what a secret can have been in the true world, with its chance."""
    known, world, found = learned(known, game), truth(game), dict[Any, Fraction]()
    for events, share in outcomes(lambda rng: known.unredact(world, game.seen(known.seat), rng)).items():
        assert [redact(event, known.seat) for event in events] == game.seen(known.seat)
        secret = [getattr(event, field) for event in events if isinstance(event, kind)][nth]
        found[secret] = found.get(secret, Fraction(0)) + share
    return found


@pytest.mark.parametrize("viewer", [2, TABLE])
def test_a_number_is_as_the_world_has_it_and_a_card_one_of_those_that_fit(viewer: Seat) -> None:
    """ALIBI-32, 47: the Priest's question."""
    game = stage(HANDS, assistants="DAC").ask("SunDeck").answer(2).show("SunDeck-6")
    half = Fraction(1, 2)

    assert told(belief(viewer), game, Answered, "said") == {2: 1}
    assert told(belief(viewer), game, CardShown, "card") == {"SunDeck-3": half, "SunDeck-6": half}
    assert told(belief(0), game, CardShown, "card") == {"SunDeck-6": 1}


def test_a_lie_is_as_the_world_has_it() -> None:
    """ALIBI-64: seat 1 lies to who has the Priest."""
    game = stage(HANDS, assistants="DAC", rivals="ADB").ask("SunDeck").answer(1)

    assert told(belief(2), game, Answered, "said") == {1: 1}


def test_who_shows_first_what_was_seen_shows_it_again() -> None:
    game = stage(HANDS, assistants="AED").ask("SunDeck").answer(2).show("SunDeck-6")
    game.change(on_turn=0, phase=Beginning()).ask("SunDeck").answer(2).show("SunDeck-6")

    both = {"SunDeck-3": Fraction(1, 2), "SunDeck-6": Fraction(1, 2)}
    assert told(belief(2), game, CardShown, "card", 0) == told(belief(2), game, CardShown, "card", 1) == both
    known = learned(belief(2, "logic", "seen_first"), game)
    for events in outcomes(lambda rng: known.unredact(truth(game), game.seen(2), rng)):
        assert len({event.card for event in events if isinstance(event, CardShown)}) == 1


def test_a_card_that_the_cook_drew_is_any_of_the_hand() -> None:
    """ALIBI-49."""
    game = stage(HANDS, assistants="EAC", cook_optional=False).ask("SunDeck").answer(2, drawn_card=0)

    cards = told(belief(2), game, CardDrawn, "card")
    assert cards == dict.fromkeys(game.state.hands[1], Fraction(1, 5))


def test_a_wrong_slam_named_what_the_slammer_did_not_know_to_be_wrong() -> None:
    """ALIBI-54: which card it was, nobody else is told."""
    game = stage(HANDS, missing="Library-3")
    wrong = next(card for card in PACK if card != game.state.missing and card not in game.state.hands[0])
    game.play(0, Slam(wrong))

    cards = told(belief(2), game, Slammed, "card")
    assert set(cards) == set(PACK) - set(game.state.hands[0]) - {game.state.missing}
    assert len(set(cards.values())) == 1
    assert told(belief(2), game, MissingSeen, "card") == {game.state.missing: 1}


@pytest.mark.parametrize(("number", "before"), [(1, {0, 1}), (0, {0, 1}), (3, {3, 4})])
def test_a_number_that_was_found_wrong_was_wrong(number: int, before: set[int]) -> None:
    """ALIBI-69: to the others it is only said that it was wrong; a card was shown for 2 or more."""
    game = stage(HANDS, assistants="DAC", answer_mode="by_hand").ask("SunDeck").answer(number)
    if number > 1:
        game.show("SunDeck-6")
    game.play(0, Confirm(1)).play(1, Correct(2))

    assert told(belief(2), game, Answered, "said") == dict.fromkeys(before, Fraction(1, 2))
    assert told(belief(2), game, AnswerCorrected, "said") == {2: 1}


def test_a_world_in_which_it_cannot_have_been_is_refused() -> None:
    game = stage(HANDS, assistants="ADC").ask("SunDeck").answer(2).show("SunDeck-6")
    hands = game.state.hands
    other = World(game.state.missing, (hands[1], hands[0], hands[2]), (), (2,))

    with pytest.raises(ValueError, match="in this world seat 1 had no card to show: something was forgotten"):
        learned(belief(2), game).unredact(other, game.seen(2), Rng(b"", 1))
    with pytest.raises(ValueError, match="only looks"):
        learned(belief(2, "sight"), game).unredact(truth(game), game.seen(2), Rng(b"", 1))
