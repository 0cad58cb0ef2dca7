"""Whole games: what holds after every single step, whatever is done (the property of section 4)."""

import pytest
from msgspec.structs import replace

from tests.games.arosa.staging import AROSA, Staged, balanced, opened
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.games.arosa.model import CoverTracks, Dropped, Exposed, Inspect, Suspect

pytestmark = pytest.mark.rules


def played(seats: int, seed: int) -> Staged:
    """Play at random to the end; `balanced` is asked after every event."""
    game = opened(seats, clues=8)
    step = 0
    while game.outcome() is None:
        step += 1
        (seat,) = game.awaiting()
        offers = game.offers(seat)
        rng = Rng(bytes([seed, seats]), step)
        game.play(seat, offers[rng.below("offer", len(offers))].sample(rng))
    return game


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_nothing_is_lost_and_nothing_told(seats: int) -> None:
    """AROSA-E22, AROSA-6, 11: the sums hold after every step, and no floor of a closed hotel is in any event."""
    for seed in range(4):
        game = played(seats, seed)
        balanced(game.state)
        for event in game.events:
            seen = redact(event, 0)
            if isinstance(seen, Dropped):
                assert seen.moved is None
            elif isinstance(seen, Exposed):
                assert seen.lift is None
        assert all(view == replace(game.state, tower=None) for view in game.views.values())


def test_a_turn_has_one_inspection() -> None:
    """AROSA-19: however many actions it takes."""
    game = played(4, 9)

    turns = [event for event in game.events if isinstance(event, Exposed)]
    assert [event.seat for event in turns] == [(turns[0].seat + number) % 4 for number in range(len(turns))]
    assert game.state.lifts == len(turns) == game.state.turn
    assert {Inspect, Suspect, CoverTracks} <= {*AROSA.INFO.action.__args__}
