"""A test that asks for a `game_id`, or for a `golden` transcript, runs over every game, or those named by --game.

All others belong to no game: they run where no game is named, or by --game=none, and not once more with every game.
"""

from pathlib import Path

import pytest

from tests.conformance.transcripts import transcripts_of
from tests.conftest import NO_GAME, chosen_games
from whodunit.games import GAMES

HERE = Path(__file__).parent


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    games = chosen_games(metafunc.config, GAMES)
    if "game_id" in metafunc.fixturenames:
        metafunc.parametrize("game_id", games)
    if "golden" in metafunc.fixturenames:
        paths = [path for game in games for path in transcripts_of(game)]
        metafunc.parametrize("golden", paths, ids=lambda path: f"{path.parent.name}-{path.stem}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen: list[str] = config.getoption("--game")
    if not chosen:
        return
    wanted = {True: set(chosen) != {NO_GAME}, False: NO_GAME in chosen}
    left_out = [item for item in items if item.path.parent == HERE and not wanted[_is_of_a_game(item)]]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _is_of_a_game(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and not {"game_id", "golden"}.isdisjoint(item.fixturenames)
