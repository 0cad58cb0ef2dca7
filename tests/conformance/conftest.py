"""A test that asks for a `game_id`, or for a `golden` transcript, runs over every game, or those named by --game."""

import pytest

from tests.conformance.transcripts import transcripts_of
from tests.conftest import chosen_games
from whodunit.games import GAMES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    games = chosen_games(metafunc.config, GAMES)
    if "game_id" in metafunc.fixturenames:
        metafunc.parametrize("game_id", games)
    if "golden" in metafunc.fixturenames:
        paths = [path for game in games for path in transcripts_of(game)]
        metafunc.parametrize("golden", paths, ids=lambda path: f"{path.parent.name}-{path.stem}")
