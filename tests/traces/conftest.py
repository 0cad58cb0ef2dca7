"""A test that asks for a `game_id` runs over every game; `asking` games have answers."""

import pytest

from tests.traces.cases import answers
from whodunit.games import ids


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    games = sorted(ids())
    if "game_id" in metafunc.fixturenames:
        metafunc.parametrize("game_id", games)
    if "asking" in metafunc.fixturenames:
        metafunc.parametrize("asking", [game for game in games if answers(game)])
