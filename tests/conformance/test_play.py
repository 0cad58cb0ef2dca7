"""Random play of every game, at every number of seats, with every option and variant."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as profile

from tests.conformance.checks import CHECKS
from tests.conformance.play import play
from tests.conformance.plug import kinds_of, plug_of
from tests.conformance.second import Order, digest, in_second_process
from tests.conformance.settings import Setting, corners, exercised, settings_of, wanted
from whodunit.core.errors import BadOptions
from whodunit.games import GAMES, get
from whodunit.table.table import Table

many = profile(max_examples=120, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("check", CHECKS)
def test_random_play(game_id: str, check: str) -> None:
    game, plug = get(game_id), plug_of(game_id)

    @many
    @given(settings_of(game.INFO, plug))
    def holds(setting: Setting) -> None:
        CHECKS[check](play(game, plug, setting), plug)

    holds()


def test_every_value_of_every_option_is_played(game_id: str) -> None:
    game, plug = get(game_id), plug_of(game_id)
    seen: set[tuple[str, object]] = set()
    for setting in corners(game.INFO, plug):
        played = play(game, plug, setting)
        seen.update(exercised(game.INFO, played.options))
        for check in CHECKS.values():
            check(played, plug)

    assert wanted(game.INFO) - seen == plug.ELSEWHERE


def test_options_open_a_game_or_are_refused_as_bad(game_id: str) -> None:
    game = get(game_id)
    opened: set[bool] = set()

    @many
    @given(settings_of(game.INFO, None))
    def holds(setting: Setting) -> None:
        options = {**setting.options, **game.INFO.bulk}  # what they are refused for needs no simulation
        try:
            Table.open(game, setting.seats, game.INFO.parse(setting.seats, options), b"")
        except BadOptions:
            opened.add(False)
        else:
            opened.add(True)

    holds()
    assert True in opened


def test_a_second_process_plays_the_same_games() -> None:
    """Nothing depends on the order of a set: another hash seed gives the same events, offers and views."""
    orders = [Order(id, _setting(id, seed)) for id in GAMES for seed in range(5)]

    assert in_second_process(orders) == [digest(order) for order in orders]


def _setting(game_id: str, seed: int) -> Setting:
    seats = get(game_id).INFO.seats[1]
    return Setting(seats, plug_of(game_id).adjusted(seats, {}), seed, 40)


def test_final_and_undoable_actions_are_actions_of_the_game(game_id: str) -> None:
    info = get(game_id).INFO

    assert {*info.final, *info.undoable} <= set(kinds_of(info.action))


def test_a_game_without_a_plug_fails() -> None:
    with pytest.raises(AssertionError, match=r"tests/games/no_such_game/worlds\.py"):
        plug_of("no_such_game")
