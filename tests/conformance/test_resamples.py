"""Whole games made for a game that brings no more than a DealBelief: nightcap, an author's first game."""

from fractions import Fraction
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from nightcap import model
from nightcap.model import GUESTS
from tests.conformance.test_derive import DERIVED, GAME, SETTINGS, WRITTEN
from whodunit.conformance.play import Played, play
from whodunit.conformance.plug import Plug
from whodunit.conformance.resamples import RESAMPLES, resamples_what_was_seen
from whodunit.conformance.support import Viewer
from whodunit.core.chance import outcomes
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


def test_of_the_guests_that_fit_each_may_have_been_shown(played: Played) -> None:
    """NIGHT-5, and what the belief assumes: the evidence of who saw it says how likely it is."""
    belief, seen = believed(played, TABLE), played.last.seen(TABLE, played.events)
    (world,) = belief.sample(Rng(b"", 1), "worlds", 1)
    chosen = [number for number, event in enumerate(seen) if isinstance(event, model.GuestShown)][:4]
    last = chosen[-1] + 1  # of more there would be too many ways

    begun = belief.reading
    known = DealBelief(TABLE, "logic", begun)
    for event in seen[:last]:
        known = known.learn(event)
    told = outcomes(lambda rng: known.unredact(world, seen[:last], rng))

    shown: list[Any] = [seen[number] for number in chosen]
    fitting = [[guest for guest in event.guests if guest in world.hands[event.seat]] for event in shown]
    assert len(told) == prod(map(len, fitting))
    assert set(told.values()) == {Fraction(1, len(told))}
    assert {tuple(event.guest for event in events if isinstance(event, model.GuestShown)) for events in told} == {
        *product(*fitting)
    }


def test_a_secret_that_proves_nothing_is_named(played: Played) -> None:
    """Then no world says what it was."""

    def proves(event: Any, viewer: int, seq: int) -> Any:
        return () if isinstance(event, model.GuestShown) else GAME.belief(0).reading.proves(event, viewer, seq)  # type: ignore[attr-defined]

    belief = believed(played, TABLE, proves=proves)

    with pytest.raises(
        ValueError, match=r"event \d+ \(GuestShown\) proves nothing of guest to \[\d, \d\], who may see it"
    ):
        belief.resample(Rng(b"", 1), played.last.seen(TABLE, played.events))


def test_a_belief_that_cannot_do_it_is_told_what_it_lacks(played: Played) -> None:
    bare: Any = SimpleNamespace(**vars(GAME) | {"belief": lambda _seat: object()})
    viewer = Viewer(played, DERIVED, 0)
    viewer.played = played._replace(game=bare)

    with pytest.raises(AssertionError, match=r"the belief \(builtins\) lacks `unredact\(world, seen, rng\)`"):
        resamples_what_was_seen(viewer)


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
