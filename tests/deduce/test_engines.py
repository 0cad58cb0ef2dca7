"""Both engines give the same, down to the last world; what the compiled one cannot hold, Python counts."""

from math import comb
from pathlib import Path
from random import Random

import pytest

from tests.deduce.deals import SHAPES, Case, whole_clue
from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import PURE, Position, count, native, shows, some
from whodunit.deduce.build import build
from whodunit.deduce.native import Native
from whodunit.deduce.order import ordered
from whodunit.deduce.reduce import reduced


def whole(number: int) -> Case:
    return whole_clue(Random(f"whole {number}"), shows)  # noqa: S311  (play)


@pytest.mark.parametrize("number", range(40))
def test_the_engines_agree_on_whole_games_of_clue(number: int) -> None:
    case = whole(number)
    positions = [case.position(engine) for engine in ENGINES.values()]

    for position in positions:
        assert position.posterior.total == positions[0].posterior.total > 0
        for element in case.elements:
            for holder in case.holders:
                assert position.posterior.mass(element, holder) == positions[0].posterior.mass(element, holder)
        assert position.posterior.joint("solution") == positions[0].posterior.joint("solution")
        assert sum(position.logic.joint("solution").values()) == position.logic.total
        drawn = position.posterior.sample(Rng(b"seed", 1), "worlds", 20)
        assert drawn == positions[0].posterior.sample(Rng(b"seed", 1), "worlds", 20)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_engines_deal_in_the_same_order(shape: str) -> None:
    for number in range(100):
        case = SHAPES[shape](Random(f"order {number}"))  # noqa: S311
        known = case.position(PURE)._compiled.mass
        position = reduced(known)
        for engine in ENGINES.values():
            if isinstance(engine, Native) and position is not None:
                assert engine.order(known) == ordered(position)


@pytest.mark.parametrize("engine", ENGINES)
def test_more_elements_than_a_word_has_bits(engine: str) -> None:
    cards = [f"c{number}" for number in range(70)]
    position = Position(cards, {"a": 67, "b": 3}, engine=ENGINES[engine]).learn(some("b", cards[:5], 1))

    assert position.posterior.total == comb(70, 3) - comb(65, 3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("weight", [7, 10**12, 10**25, 10**60])
def test_weights_of_any_size(engine: str, weight: int) -> None:
    cards = [f"c{number}" for number in range(8)]
    heavy = [count("a", cards[:2], 1, 1), count("b", cards[2:5], 1, 2)]
    heavy = [type(item)(item.holder, item.elements, tuple(w * weight + 1 for w in item.weights), 1) for item in heavy]
    position = Position(cards, {"a": 3, "b": 5}, engine=ENGINES[engine]).learn(*heavy)
    total = sum(
        (weight + 1 if of_two == 1 else 1)
        * (weight + 1 if of_three == 2 else 1)  # so b has one of the three
        * (comb(2, of_two) * comb(3, of_three) * comb(3, 3 - of_two - of_three))
        for of_two in range(3)
        for of_three in range(4 - of_two)
    )

    assert position.posterior.total == total
    assert len(position.posterior.sample(Rng(b"seed", 1), "worlds", 5)) == 5


def test_a_stranger_to_this_machine_is_not_loaded_and_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tmp_path / "kernel.so"
    broken.write_bytes(b"of another machine")
    for path in (tmp_path / "missing.so", broken):
        native.load.cache_clear()
        monkeypatch.setattr("whodunit.deduce.build.library", lambda path=path: path)
        caplog.clear()

        assert native.load() is native.load() is None
        assert caplog.messages == [native.SLOW]
    native.load.cache_clear()


def test_without_a_compiler_nothing_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)

    assert build(tmp_path / "kernel.so") is None
    assert list(tmp_path.iterdir()) == []


def test_where_nobody_may_write_nothing_is_built(tmp_path: Path) -> None:
    assert build(tmp_path / "missing" / "kernel.so") is None


def test_a_compiler_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "false")

    assert build(tmp_path / "kernel.so") is None
    assert list(tmp_path.iterdir()) == []
    capsys.readouterr()
