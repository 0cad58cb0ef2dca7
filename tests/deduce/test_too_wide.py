"""A position that is too wide is counted without its widest evidence, and says so; nothing ever hangs."""

from random import Random

import pytest

from tests.deduce.deals import Case, enumerated, lies, weighted_shows, whole_clue
from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import Claim, HandEvidence, Position, TooWide, frontier, some


def wide_cases(number: int) -> list[Case]:
    random = Random("wide")  # noqa: S311  (play)
    made = [shape(random) for shape in (lies, weighted_shows) for _ in range(number)]
    return [case for case in made if len(case.seen) > 2]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_ruled_out_without_the_widest_evidence_is_ruled_out(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = 0
    for case in wide_cases(60):
        exact = case.position(ENGINES[engine]).logic
        with monkeypatch.context() as few:
            few.setattr(frontier, "STATES", 40)
            try:
                found = case.position(ENGINES[engine]).logic
            except TooWide:
                continue
        assert found.exact == (not found.left_out)
        wide += not found.exact
        assert set(found.left_out) <= {item.source for item in case.seen}
        assert found.total >= exact.total
        for card in case.elements:
            for holder in case.holders:
                assert exact.mass(card, holder) <= found.mass(card, holder)
                if found.certain(Claim(card, holder)):
                    assert exact.certain(Claim(card, holder))
    assert wide > 5


@pytest.mark.parametrize("engine", ENGINES)
def test_samples_obey_the_evidence_left_out(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "STATES", 40)
    drawn = 0
    for number, case in enumerate(wide_cases(60)):
        position = case.position(ENGINES[engine])
        try:
            posterior = position.posterior
        except TooWide:
            continue
        if posterior.exact:
            continue
        worlds = {tuple(position.deal.mask(hand) for hand in world) for world in enumerated(case).worlds}
        samples = posterior.sample(Rng(b"wide", number), "worlds", 30)
        drawn += len(samples)

        assert set(samples) <= worlds
        assert set(position.logic.worlds()) == worlds
    assert drawn > 100


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
