"""Real processes on one database, two at once or killed: every acknowledged move exactly once, no table stuck."""

import sys
from pathlib import Path

import pytest

from whodunit.bench import server_nodes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows neither forks nor kills")


def test_fifty_games_on_two_nodes_of_which_each_is_killed_once() -> None:
    done = server_nodes.play(50, 2, durable=False)

    assert done.faults == []
    assert (done.games, done.kills) == (50, 2)
    assert done.moves > 50 * 10


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_that_is_killed_again_and_again_loses_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = str(tmp_path / "whodunit.sqlite") if kind == "sqlite" else request.getfixturevalue("database")
    done = server_nodes.kill(where, 5, 1.5)

    assert done.faults == []
    assert done.kills == 5
    assert done.games >= server_nodes.TABLES
    assert done.pending > 0  # and they came: no game was stuck
