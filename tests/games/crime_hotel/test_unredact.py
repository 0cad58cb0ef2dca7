"""What a seat has seen, told in full as a world has it: hands, exchanges, and cards that others have looked at."""

from fractions import Fraction
from math import comb

import pytest

from tests.games.crime_hotel.staging import Staged, parked
from tests.games.crime_hotel.worlds import world
from whodunit.core.chance import outcomes
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel.evidence import Belief, belief
from whodunit.games.crime_hotel.facts import Card
from whodunit.games.crime_hotel.model import Exchange, Look, Looked


def learned(known: Belief, game: Staged) -> Belief:
    for event in game.seen(known.seat):
        known = known.learn(event)
    return known


@pytest.mark.parametrize("viewer", [0, 1, 2, TABLE])
def test_hands_and_exchanges_are_told_as_they_are(viewer: int) -> None:
    """HOTEL-6, HOTEL-31: also in an investigation that is over."""
    game = parked(investigations=2).guess(2, "room 27").play(1, Exchange(0, (18,))).finish()
    known, dealt = learned(belief(viewer), game), world(game.state, game.events)
    (told,) = outcomes(lambda rng: known.unredact(dealt, game.seen(viewer), rng))

    assert len(dealt.deals) == 2
    assert told == tuple(game.events)


@pytest.mark.parametrize("viewer", [2, TABLE])
def test_of_the_cards_of_a_hand_any_may_have_been_looked_at(viewer: int) -> None:
    """HOTEL-32: of the hand as it was then, each choice of so many as likely as any other."""
    game = parked().guess(2, "room 27").play(1, Look(0))
    known, seen = learned(belief(viewer), game), game.seen(viewer)

    found = dict[tuple[Card, ...], Fraction]()
    for events, share in outcomes(lambda rng: known.unredact(world(game.state, game.events), seen, rng)).items():
        assert [redact(event, viewer) for event in events] == seen
        (looked,) = (event for event in events if isinstance(event, Looked))
        found[looked.cards or ()] = share

    count = next(event.count for event in game.events if isinstance(event, Looked))
    held = game.state.hands[0]
    assert all(cards == tuple(sorted(cards)) and {*cards} <= {*held} and len(cards) == count for cards in found)
    assert len(found) == comb(5, count)
    assert set(found.values()) == {Fraction(1, len(found))}


def test_who_looked_knows_what_was_there() -> None:
    game = parked().guess(2, "room 27").play(1, Look(0))

    for viewer in (0, 1):
        known = learned(belief(viewer), game)
        assert known.unredact(world(game.state, game.events), game.seen(viewer), Rng(b"", 1)) == tuple(game.events)


def test_a_belief_that_only_looks_is_refused() -> None:
    game = parked()

    with pytest.raises(ValueError, match="only looks"):
        learned(belief(0, "sight"), game).resample(Rng(b"", 1), game.seen(0))
