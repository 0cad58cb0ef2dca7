"""What a seat has seen, told in full as a world has it: by CLUE-41 and by what the belief assumes of people."""

from fractions import Fraction

import pytest

from tests.games.clue.staging import Staged, entered
from whodunit.core.chance import outcomes
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.games.clue.evidence import Belief, World, belief
from whodunit.games.clue.model import Accuse, Arrived, CannotShow, CardShown, LookAside, Show, Suggest

HANDS = ("Plum Knife Hall Library Kitchen Ballroom", "Green Wrench", "Lounge")
GREEN = Suggest("Green", "Wrench", "Lounge")


def learned(known: Belief, game: Staged) -> Belief:
    for event in game.seen(known.seat):
        known = known.learn(event)
    return known


def truth(game: Staged) -> World:
    return World(game.state.envelope, game.state.hands, game.state.side)


def shown(known: Belief, game: Staged, nth: int = -1) -> dict[str | None, Fraction]:
    """Return which card can have been shown in the true world, with its chance."""
    known, world, found = learned(known, game), truth(game), dict[str | None, Fraction]()
    for events, share in outcomes(lambda rng: known.unredact(world, game.seen(known.seat), rng)).items():
        assert [redact(event, known.seat) for event in events] == game.seen(known.seat)
        card = [event.card for event in events if isinstance(event, CardShown)][nth]
        found[card] = found.get(card, Fraction(0)) + share
    return found


@pytest.fixture
def game() -> Staged:
    return entered("Lounge", list(HANDS)).play(0, GREEN).play(1, Show("Wrench"))


def test_whoever_was_told_is_told_the_same(game: Staged) -> None:
    for seat in (0, 1):
        assert learned(belief(seat), game).unredact(truth(game), game.seen(seat), Rng(b"", 1)) == tuple(game.events)


@pytest.mark.parametrize("viewer", [2, TABLE])
def test_of_the_cards_that_fit_each_may_have_been_shown(game: Staged, viewer: int) -> None:
    half = Fraction(1, 2)

    assert shown(belief(viewer), game) == {"Green": half, "Wrench": half}


def asked_again(game: Staged, suggestion: Suggest) -> Staged:
    """Let seat 0, who is in the Lounge, ask once more, and be shown the Wrench."""
    game.change(on_turn=0, phase=Arrived(may_suggest=True))
    return game.play(0, suggestion).play(1, Show("Wrench"))


def test_whoever_shows_first_what_was_seen_shows_the_same_card_again(game: Staged) -> None:
    known = learned(belief(2, "logic", "seen_first"), asked_again(game, GREEN))

    told = outcomes(lambda rng: known.unredact(truth(game), game.seen(2), rng))

    cards = {tuple(event.card for event in events if isinstance(event, CardShown)): told[events] for events in told}
    assert cards == {("Green", "Green"): Fraction(1, 2), ("Wrench", "Wrench"): Fraction(1, 2)}
    assert shown(belief(2), game, 0) == shown(belief(2), game, 1) == {"Green": Fraction(1, 2), "Wrench": Fraction(1, 2)}


def test_who_reads_motives_takes_it_that_nobody_asks_again_for_what_he_was_shown(game: Staged) -> None:
    asked_again(game, Suggest("Peacock", "Wrench", "Lounge"))

    assert shown(belief(2, "motives"), game, 0) == {"Green": 1}
    assert shown(belief(2), game, 0) == {"Green": Fraction(1, 2), "Wrench": Fraction(1, 2)}


def test_side_cards_and_the_envelope_are_told_as_they_are() -> None:
    """CLUE-V5, CLUE-49."""
    game = entered(
        "Lounge", ["Plum Knife", "Hall Library"], side="Green Wrench Lounge Peacock", two_player_side_cards=4
    )
    game.play(0, GREEN).play(1, CannotShow()).play(0, LookAside(2)).play(0, Accuse("Green", "Rope", "Hall"))

    for viewer in (0, 1, TABLE):
        told = learned(belief(viewer), game).unredact(truth(game), game.seen(viewer), Rng(b"", 1))
        assert told == tuple(game.events)


def test_a_world_in_which_it_cannot_have_been_is_refused(game: Staged) -> None:
    deal = truth(game)
    other = World(deal.envelope, (deal.hands[1], deal.hands[0], deal.hands[2]))

    with pytest.raises(ValueError, match="in this world seat 1 could have shown none of"):
        learned(belief(TABLE), game).unredact(other, game.seen(TABLE), Rng(b"", 1))
    with pytest.raises(ValueError, match="only looks"):
        learned(belief(2, "sight"), game).unredact(deal, game.seen(2), Rng(b"", 1))


def test_a_belief_that_has_learned_something_else_is_refused(game: Staged) -> None:
    known = learned(belief(2), game)

    with pytest.raises(ValueError, match="the belief has learned 12 events, and 11 were seen"):
        known.resample(Rng(b"", 1), game.seen(2)[:-1])
