"""An arena on a cluster of Ray: the same results as on one machine, also when a machine dies."""

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from whodunit import arena, cli
from whodunit.arena import Match, Result, cluster
from whodunit.bench import peer_env

SCRIPT = Path(__file__).with_name("on_a_cluster.py")


def timeless(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Return them by number, without how long moves took."""
    told = [msgspec.structs.asdict(result) for result in sorted(results, key=lambda result: result.number)]
    return [{name: value for name, value in each.items() if name != "move_ms"} for each in told]


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_two_nodes_of_which_one_is_killed_give_what_one_machine_gives(tmp_path: Path) -> None:
    todo = arena.matches("perfect_alibi", ["rookie", "random", "detective"], 24, "7", {}, pair=True)
    given, told = tmp_path / "matches", tmp_path / "results"
    given.write_bytes(msgspec.json.encode(todo))

    done = subprocess.run(
        [peer_env.with_whodunit(), "-P", SCRIPT, given, told], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert "killed a node" in done.stdout
    there = [msgspec.json.decode(line, type=Result) for line in told.read_bytes().splitlines()]
    assert [result.number for result in sorted(there, key=lambda result: result.number)] == [*range(24)]  # none twice
    assert timeless(there) == timeless(arena.results(todo, 1))


def test_a_machine_with_another_build_is_refused_before_it_plays() -> None:
    match = Match("clue", "7", ("random", "random"), {}, 0, 0)
    other = msgspec.structs.replace(cluster.build_of("clue"), bots=-1)

    with pytest.raises(cluster.OtherBuild, match=r"a machine of the cluster has Build.*bots=-1"):
        cluster._play(match, other)
    assert cluster._play(match, cluster.build_of("clue")).decisions == arena.play(match).decisions


def test_without_ray_the_command_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", "clue", "--seats", "random,random", "--games", "1", "--ray"]) == cli.BAD_INPUT
    assert "install whodunit-games[ray]" in capsys.readouterr().err
