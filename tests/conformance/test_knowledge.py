"""Who learns what: the support test, byte equality, and what may be taken back, in games played at random."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as profile

from tests.conformance.believes import BELIEFS
from tests.conformance.play import play
from tests.conformance.plug import plug_of
from tests.conformance.sends import indistinguishable, sends_equal_bytes, takes_back
from tests.conformance.settings import Setting, settings_of
from tests.conformance.support import KNOWLEDGE, Viewer
from whodunit.games import get

PACE: Final = (20, 100)
CHECKS: Final = KNOWLEDGE | BELIEFS
EXAMPLES: Final = {"supports": 30, "believes_what_can_be_known": 8, "never_rules_out_the_truth": 10}


def some(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return profile(max_examples=examples, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("check", CHECKS)
def test_what_every_viewer_can_know(game_id: str, check: str) -> None:
    game, plug = get(game_id), plug_of(game_id)
    listed: set[int] = set()

    @some(EXAMPLES.get(check, 15))
    @given(settings_of(game.INFO, plug, pace=PACE))
    def holds(setting: Setting) -> None:
        played = play(game, plug, setting)
        for seat in played.viewers if plug.provable(played.events) else ():
            viewer = Viewer(played, plug, seat)
            CHECKS[check](viewer)
            listed.update(map(len, viewer.listed))

    holds()
    assert max(listed) > 1, "no viewer had few enough worlds to try them all"


def test_equal_bytes_in_worlds_that_a_viewer_cannot_tell_apart(game_id: str) -> None:
    game, plug = get(game_id), plug_of(game_id)
    compared: dict[int, int] = {}

    @some(20)
    @given(settings_of(game.INFO, plug, pace=PACE))
    def holds(setting: Setting) -> None:
        played = play(game, plug, setting)
        for seat in played.viewers if plug.provable(played.events) else ():
            viewer = Viewer(played, plug, seat)
            sends_equal_bytes(viewer)
            compared[seat] = compared.get(seat, 0) + len(indistinguishable(viewer))

    holds()
    assert set(compared) == {*range(-1, game.INFO.seats[1])}, "not every number of seats was played"
    assert all(compared.values()), f"a viewer had no other world: {compared}"


def test_taking_back_restores_the_table_for_everybody(game_id: str) -> None:
    game, plug = get(game_id), plug_of(game_id)
    taken: set[type] = set()

    @some(30)
    @given(settings_of(game.INFO, plug, pace=PACE))
    def holds(setting: Setting) -> None:
        taken.update(takes_back(play(game, plug, setting)))

    holds()
    assert taken <= set(game.INFO.undoable)
    assert bool(taken) == bool(game.INFO.undoable), "nothing was ever taken back"
