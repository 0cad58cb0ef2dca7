"""The generic tests of OpenSpiel, PettingZoo and Gymnasium, run in their own environment over all our games."""

import pickle
import subprocess
from pathlib import Path

import pytest

from tests.env.test_docs import blocks, theirs
from tests.env.test_worlds import MORE, SETTINGS
from tests.env.worlds import pairs
from whodunit import games
from whodunit.bench import peer_env
from whodunit.env import Terms

SCRIPT = Path(__file__).with_name("peers.py")


@pytest.fixture(scope="module")
def python() -> Path:
    return peer_env.with_whodunit()


def run(python: Path, *arguments: str) -> str:
    """Run a part of it there; what it says is shown if it fails."""
    # -P: whodunit/env/pettingzoo.py and the like shall not stand in for the libraries.
    done = subprocess.run([python, "-P", SCRIPT, *arguments], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", games.ids())
@pytest.mark.parametrize("peer", ["open_spiel", "pettingzoo", "gymnasium"])
def test_their_own_tests_pass_for_every_game_and_number_of_seats(python: Path, peer: str, game: str) -> None:
    told = run(python, peer, game)

    least, most = games.get(game).INFO.seats
    assert all(
        any(word in told for word in (f"players={seats}", f"{game} {seats}")) for seats in range(least, most + 1)
    )
    if peer == "pettingzoo":
        assert told.count("Passed API test") >= 3 * (most - least + 1)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS + MORE)
def test_their_interfaces_tell_no_worlds_apart(
    python: Path, tmp_path: Path, game: str, seats: int, options: dict[str, object]
) -> None:
    found = [
        (viewer, *((course.terms, course.batches, course.said) for course in both))
        for seed in range(2)
        for viewer, *both in pairs(Terms(game, seats, options, turns=30), seed)
    ]
    file = tmp_path / "pairs"
    file.write_bytes(pickle.dumps(found))

    assert f"of {len(found)} pairs" in run(python, "worlds", str(file))


@pytest.mark.soak
def test_the_examples_of_the_page_run(python: Path) -> None:
    examples = [block for block in blocks() if theirs(block)]
    assert len(examples) == 3
    for example in examples:
        done = subprocess.run([python, "-I", "-c", example], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
