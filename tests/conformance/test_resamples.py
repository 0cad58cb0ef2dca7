"""Whole games made for a game that brings no more than a DealBelief: nightcap, an author's first game."""

from typing import Any

import pytest
from msgspec.structs import replace

from nightcap import model
from nightcap.model import GUESTS
from tests.conformance.test_derive import DERIVED, GAME, SETTINGS, WRITTEN
from whodunit.conformance.play import Played, play
from whodunit.conformance.plug import Plug
from whodunit.conformance.resamples import RESAMPLES
from whodunit.conformance.support import Viewer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.deduce.belief import DealBelief, DealtWorld


@pytest.fixture(params=SETTINGS[3:5], ids=lambda setting: f"{setting.seats}-{setting.seed}")
def played(request: pytest.FixtureRequest) -> Played:
    return play(GAME, DERIVED, request.param)


@pytest.mark.parametrize("check", RESAMPLES)
@pytest.mark.parametrize("plug", [DERIVED, WRITTEN], ids=["derived", "written"])
def test_it_is_free_with_a_deal(played: Played, plug: Plug, check: str) -> None:
    for seat in played.viewers:
        RESAMPLES[check](Viewer(played, plug, seat))


def believed(played: Played, seat: int, **other: Any) -> DealBelief:
    belief = GAME.belief(seat)
    assert isinstance(belief, DealBelief)
    belief = replace(belief, reading=belief.reading._replace(**other))
    for event in played.last.seen(seat, played.events):
        belief = belief.learn(event)
    return belief


def test_a_secret_that_proves_nothing_is_named(played: Played) -> None:
    """Then no world says what it was."""

    def proves(event: Any, viewer: int, seq: int) -> Any:
        return () if isinstance(event, model.GuestShown) else GAME.belief(0).reading.proves(event, viewer, seq)  # type: ignore[attr-defined]

    belief = believed(played, TABLE, proves=proves)

    with pytest.raises(
        ValueError, match=r"event \d+ \(GuestShown\) proves nothing of guest to \[\d, \d\], who may see it"
    ):
        belief.resample(Rng(b"", 1), played.last.seen(TABLE, played.events))


def test_a_world_of_another_belief_is_refused(played: Played) -> None:
    belief, seen = believed(played, TABLE), played.last.seen(TABLE, played.events)
    shown = next(event for event in seen if isinstance(event, model.GuestShown))
    *others, solution = sorted(GUESTS, key=lambda guest: guest not in shown.guests)  # the two are with somebody else
    size, seats = len(others) // played.last.seats, [*range(played.last.seats)]
    seats.append(seats.pop(shown.seat))
    hands = {seat: tuple(others[place * size : (place + 1) * size]) for place, seat in enumerate(seats)}
    world = DealtWorld(tuple(hands[seat] for seat in sorted(seats)), (solution,))

    with pytest.raises(ValueError, match=r"event \d+ \(GuestShown\) cannot have been in this world"):
        belief.unredact(world, seen, Rng(b"", 1))


def test_who_only_looks_is_refused(played: Played) -> None:
    belief = replace(believed(played, 0), attention="sight")

    with pytest.raises(ValueError, match="only looks"):
        belief.resample(Rng(b"", 1), played.last.seen(0, played.events))
