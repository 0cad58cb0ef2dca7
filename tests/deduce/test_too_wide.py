"""A position that is too wide is counted without its widest evidence, and says so; nothing ever hangs."""

from collections import Counter
from random import Random

import pytest

from tests.deduce.deals import Case, counts, enumerated, lies, weighted_shows, whole_clue
from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import Claim, HandEvidence, Position, TooWide, frontier, some
from whodunit.deduce.engine import Engine


def too_wide(case: Case, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Position[str, str] | None:
    """Return the position under a cap on states that is too low for all of its evidence, if there is one."""
    for states in (6400, 3200, 1600, 800, 400, 200, 100, 50, 25):
        monkeypatch.setattr(frontier, "STATES", states)
        position = case.position(engine)
        try:
            if not position.logic.exact and not position.posterior.exact:
                return position
        except TooWide:
            return None
    return None


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_ruled_out_without_the_widest_evidence_is_ruled_out(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = 0
    for number in range(60):
        case = whole_clue(Random(f"ruled out {number}"))  # noqa: S311  (play)
        with monkeypatch.context() as few:
            if (position := too_wide(case, ENGINES[engine], few)) is None:
                continue
            found = position.logic
        wide += 1
        exact = case.position(ENGINES[engine]).logic
        assert exact.exact
        assert set(found.left_out) <= {item.source for item in case.seen}
        assert found.total >= exact.total
        for card in case.elements:
            for holder in case.holders:
                assert exact.mass(card, holder) <= found.mass(card, holder)
                if found.certain(Claim(card, holder)):
                    assert exact.certain(Claim(card, holder))
    assert wide > 5


@pytest.mark.parametrize("engine", ENGINES)
def test_samples_and_worlds_obey_the_evidence_left_out(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = 0
    for number in range(200):
        case = (lies, weighted_shows, counts)[number % 3](Random(f"obeyed {number}"))  # noqa: S311
        if (position := too_wide(case, ENGINES[engine], monkeypatch)) is None:
            continue
        wide += 1
        true = enumerated(case)
        worlds = {tuple(position.deal.mask(hand) for hand in world): weight for world, weight in true.worlds.items()}
        drawn = Counter(position.posterior.sample(Rng(b"wide", number), "worlds", 2000))

        assert set(position.logic.worlds()) == set(worlds)
        assert drawn.keys() <= worlds.keys()
        for world, weight in worlds.items():
            assert drawn[world] / drawn.total() == pytest.approx(weight / sum(worlds.values()), abs=0.06)
    assert wide > 5


def test_both_engines_leave_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "STATES", 200)
    for number in range(12):
        case = whole_clue(Random(f"both {number}"))  # noqa: S311
        found = []
        for engine in ENGINES.values():
            try:
                logic = case.position(engine).logic
                found.append((logic.left_out, logic.total))
            except TooWide:
                found.append(((), -1))
        assert len(set(found)) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_deal_that_is_too_wide_in_itself_is_refused(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "STATES", 20)
    position = Position(range(12), dict.fromkeys(range(6), 2), engine=ENGINES[engine])

    with pytest.raises(TooWide):
        position.logic  # noqa: B018


@pytest.mark.parametrize("engine", ENGINES)
def test_more_hands_than_can_be_judged_are_left_unjudged(engine: str) -> None:
    position = Position(range(24), {"a": 12, "b": 12}, engine=ENGINES[engine])
    judged = position.learn(HandEvidence("a", lambda hand: int(0 in hand), "judged"), some("a", [1, 2], "some"))

    assert judged.logic.left_out == ("judged",)
    assert all(world[0] & 1 for world in judged.logic.sample(Rng(b"seed", 1), "worlds", 20))
    assert judged.explain(Claim(0, "a")) is None
    assert judged.clash() == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_holder_with_too_many_hands_has_no_joint(engine: str) -> None:
    with pytest.raises(TooWide):
        Position(range(16), {"a": 8, "b": 8}, engine=ENGINES[engine]).logic.joint("a")
