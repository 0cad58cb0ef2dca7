"""Every benchmark that can be run in a moment is: what it finds is no test's business, that it finds everything is.

The peers have an environment of their own. The benches of deduction and tower are run beside what they measure
(tests/deduce/test_bench.py, tests/tower/test_listening.py), `bench client` where there is a browser
(tests/browser/test_bench.py), and what the server's kill, fuzz and nodes do in tests/server. That of the client and
that of the server as a whole are run by `./run soak`; its load is always (tests/bench/test_server.py).
"""

import json
import shutil
import sys
from collections.abc import Iterable
from typing import Any

import pytest

from whodunit import bench
from whodunit.bench import engine, peer_env, peers, report
from whodunit.bench.server import speed


def measured(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, float]:
    """Run a benchmark and return what it prints, every figure a number."""
    assert bench.main([*command, "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert figures
    assert all(isinstance(figure, int | float) for figure in figures.values())
    return figures


def wanted(bars: Iterable[report.Bar]) -> set[str]:
    return {bar.key for bar in bars}


@pytest.mark.parametrize("game", ["clue", "perfect_alibi"])
def test_engine(game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    peer = {"decisions": 100.0, "games": 1.0, "cpu_seconds": 0.1}
    monkeypatch.setattr(peer_env, "python", lambda: None)
    monkeypatch.setattr(peer_env, "run", lambda *_: peer)

    figures = measured(capsys, "engine", "--game", game, "--rounds", "1", "--seconds", "0.05")

    assert wanted(engine.bars(game)) <= set(figures)


def test_env(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    peer = {"decisions": 100.0, "games": 1.0, "cpu_seconds": 0.1}
    monkeypatch.setattr(peer_env, "with_whodunit", lambda: None)
    monkeypatch.setattr(peer_env, "run", lambda *_: peer)

    figures = measured(capsys, "env", "--game", "clue", "--rounds", "1", "--seconds", "0.05")

    others = {f"clue.vector_vs_{name}" for name in ("pettingzoo", *(f"open_spiel.{name}" for name in peers.VECTORS))}
    assert {"clue.vector.per_s", "clue.processes_vs_one", *others} <= set(figures)


def test_arosa(capsys: pytest.CaptureFixture[str]) -> None:
    figures = measured(capsys, "arosa", "--games", "1", "--physics", "0")

    assert {"calibration", "hits_listening", "hits_deaf", "listening_gain"} <= set(figures)


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the load generator needs a C compiler")
def test_server(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, small in {"TABLES": 3, "LENGTH": 30, "WARM": 2}.items():
        monkeypatch.setattr(speed, constant, small)

    figures = measured(capsys, "server", "--only", "clue", "--no-peer", "--passes", "1", "--moves", "10")

    assert {key for key in speed.CLUE_LABELS if "boardgame" not in key} <= set(figures)
