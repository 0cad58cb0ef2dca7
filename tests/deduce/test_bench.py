"""The benchmark of deduction measures what it says, and asks the peers the same question."""

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from tests.deduce.deals import whole_clue
from tests.deduce.engines import ENGINES
from whodunit.bench.deduction import first_count, main, resamples
from whodunit.bench.deduction.main import Look
from whodunit.bench.deduction.peers import PEERS


def dealt(seed: str) -> Iterator[Look]:
    """Positions without end, some of seats and some of spectators."""
    for number in count():
        case = whole_clue(Random(f"{seed} {number}"))  # noqa: S311  (play)
        position = case.position(next(reversed(ENGINES.values())))
        yield Look(any(item.source == "hand" for item in case.seen), position)


def test_every_bar_has_its_figure() -> None:
    found = main.figures(dealt, 25, 0, "test")

    without_peers = {bar.key for bar in main.BARS if ".vs_" not in bar.key}
    assert without_peers <= found.keys()
    assert {"clue.seat.joint_median_ms", "clue.spectator.joint_median_ms"} <= found.keys()
    assert min(found.values()) >= 0


def test_the_first_count_is_timed_with_the_kernel_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_count, "GAMES", {"clue_3": ("clue", 3)})

    found = main.first_counts()

    assert {key.removeprefix("first_count.clue_3.") for key in found} == {"us", "fallback_us", "vs_fallback"}
    assert min(found.values()) > 0


def test_resampled_games_are_timed_whole_and_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resamples, "SEATS", {"clue": 2})
    monkeypatch.setattr(resamples, "MADE", 2)

    found = resamples.figures(1, "test")

    assert {bar.key for bar in main.RESAMPLE_BARS} <= found.keys()
    assert found.keys() == {
        f"resample.clue.{what}" for what in ("median_ms", "events_median_ms", "world_median_ms", "events_seen")
    }
    assert min(found.values()) > 0


def test_the_worst_is_the_999th_thousandth() -> None:
    assert main.summary("x", range(1, 2001)) == {"x.median_ms": 1000.5, "x.worst_ms": 1998}


def test_the_sat_model_finds_possible_what_is_possible() -> None:
    for look in islice(dealt("sat"), 50):
        problem = main.problem(look.position)

        assert PEERS["sat"](problem)() == {"possible": problem["possible"]}


def test_the_peers_get_a_world_that_fits() -> None:
    for look in islice(dealt("world"), 20):
        hands = look.position.deal.hands(main.problem(look.position)["world"])

        assert all(look.position.logic.mass(card, holder) for holder, hand in hands.items() for card in hand)
