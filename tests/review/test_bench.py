"""The bench of the review: its second opinion is one, and it notices what it looks for."""

import json
from collections.abc import Sequence
from typing import Any, Self

import pytest
from msgspec.structs import replace

from nightcap import model
from tests.review.conftest import played
from whodunit import bench, games
from whodunit.bench import review as measuring
from whodunit.bench.brute_force import MOST, Counted, Uncountable
from whodunit.bench.review import Found, Job, compared, in_order, in_two_parts, sigmas
from whodunit.core.redact import redact
from whodunit.core.types import Belief, Seat
from whodunit.deduce.belief import DealBelief
from whodunit.review import review
from whodunit.table.case import Case


def known(case: Case, viewer: Seat, batches: int) -> Belief:
    belief = case.table.game.belief(viewer)
    for batch in case.batches[:batches]:
        for event in batch.events:
            belief = belief.learn(redact(event, viewer))
    return belief


@pytest.mark.parametrize("seed", ["s1", "b", "c"])
def test_counting_all_worlds_gives_the_same_gains(seed: str) -> None:
    case = played(seed, "rookie", "rookie", "rookie")
    gains, sums = compared(case)

    assert len(gains) > 20
    assert max(gains) < 1e-12
    assert max(sums) < 1e-12


def test_the_count_is_a_second_opinion(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """A belief that overlooks that a shown card was chosen among two is found out."""
    real = DealBelief.gain
    monkeypatch.setattr(DealBelief, "gain", lambda self, *asked: 0.9 * real(self, *asked))

    assert max(compared(case)[0]) > 0.01


def test_who_showed_one_of_two_is_weighed_by_the_choice(case: Case) -> None:
    """Worlds in which both could have been shown are half as likely: without that the count would be another."""
    shown = next(
        place
        for place, batch in enumerate(case.batches)
        for event in batch.events
        if isinstance(event, model.GuestShown)
    )
    (event,) = [event for event in case.batches[shown].events if isinstance(event, model.GuestShown)]
    counted = Counted(case.table, event.to, case.batches[: shown + 1], known(case, event.to, shown + 1))

    assert {weight for _, weight in counted.worlds} == {0.5, 1.0}
    assert counted.entropy == pytest.approx(known(case, event.to, shown + 1).entropy(), abs=1e-12)


def test_too_many_worlds_are_not_counted(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whodunit.bench.brute_force.MOST", 10)
    assert MOST > 10

    with pytest.raises(Uncountable):
        Counted(case.table, 0, case.batches[:1], known(case, 0, 1))


def test_an_event_that_stands_twice_is_counted(case: Case) -> None:
    part = review(case).seats[2]

    assert in_two_parts(part) == 0
    assert in_two_parts(replace(part, steps=(*part.steps, part.steps[0]))) == 1


def test_luck_is_measured_in_standard_errors_by_game() -> None:
    assert sigmas([1.0, -1.0, 1.0, -1.0]) == 0
    assert sigmas([1.0, 1.2, 0.8, 1.0]) > 10
    assert sigmas([0.0]) == 0


def found(asked: Sequence[float]) -> list[Found]:
    return [Found(0.0, 0.0, one, 10.0, 10, 1, 0) for one in asked]


def test_levels_are_in_order_only_if_that_is_certain() -> None:
    low, mid, high = found([1, 2, 1, 2, 1, 2]), found([4, 5, 4, 5, 4, 5]), found([8, 9, 8, 9, 8, 9])

    assert in_order([low, mid, high])
    assert not in_order([low, high, mid])
    assert not in_order([low, mid, found([1, 9, 1, 9, 2, 8])])
    assert not in_order([low, low])


def test_a_level_is_measured_by_its_own_games() -> None:
    random, detective = (measuring.reviewed(Job("nightcap", level, "x")) for level in ("random", "detective"))

    assert random.graded == sum(random.kinds.values()) > 0
    assert random.blunders == sum(count for (_, blunder), count in random.kinds.items() if blunder)
    assert "nightcap  random  question" in measuring.by_kind({("nightcap", "random"): [random]})
    assert measuring.efficiency([random]) < measuring.efficiency([detective]) <= 1
    assert (random.in_two_parts, detective.in_two_parts) == (0, 0)


def test_every_figure_is_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: the example is installed in no other."""

    class Here:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        map = staticmethod(map)

    monkeypatch.setattr(measuring, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(measuring, "first_words", lambda _case: 0.1)
    monkeypatch.setattr(games, "ids", lambda: ("nightcap",))
    monkeypatch.setattr(measuring, "TYPICAL", 1)
    monkeypatch.setattr(measuring, "POSITIONS", 1)

    assert bench.main(["review", "--games", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)

    assert {bar.key for bar in measuring.bars(["nightcap"], measuring.PARTS)} <= figures.keys()
    assert {f"efficiency_{level}.nightcap" for level in measuring.LEVELS} <= figures.keys()
    assert {f"luck_gifts_{level}.nightcap" for level in measuring.LEVELS} <= figures.keys()
    assert figures["review_s.nightcap"] > 0
    assert figures["gain_error_max"] < 1e-9
