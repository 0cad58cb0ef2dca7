"""A position is a value: it grows by learning, and it does not matter in how many steps."""

import pickle
from random import Random

import pytest

from tests.deduce.deals import SHAPES, Case, whole_clue
from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import PURE, Evidence, Position, has, lacks, shows, some
from whodunit.deduce.automaton import automaton

THREE = {"ann": 2, "bob": 2, "solution": 1}
CARDS = ["a", "b", "c", "d", "e"]


def whole(number: int) -> Case:
    return whole_clue(Random(f"steps {number}"), shows)  # noqa: S311  (play)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", range(8))
def test_step_by_step_equals_at_once(number: int, engine: str) -> None:
    case = whole(number)
    at_once = case.position(ENGINES[engine])
    stepwise = Position(case.elements, case.holders, case.rules, ENGINES[engine])
    for item in case.seen:
        stepwise = stepwise.learn(item)
        assert stepwise.logic.total > 0

    assert stepwise == at_once
    assert hash(stepwise) == hash(at_once)
    assert stepwise.logic.total == at_once.logic.total
    assert stepwise.posterior.joint("solution") == at_once.posterior.joint("solution")
    samples = [p.posterior.sample(Rng(b"seed", 7), "worlds", 10) for p in (stepwise, at_once)]
    assert samples[0] == samples[1]


def test_learning_leaves_the_old_position_as_it_was() -> None:
    before = Position(CARDS, THREE)
    total = before.logic.total

    after = before.learn(has("ann", ["a"], 1))

    assert (before.logic.total, before.evidence) == (total, ())
    assert after.logic.total < total


def test_what_was_known_already_is_not_counted_again() -> None:
    position = Position(CARDS, THREE).learn(lacks("ann", ["a", "b"], 1))
    position.logic  # noqa: B018  (counts)

    assert position.learn(lacks("ann", ["b"], 2)).logic is position.logic


def test_evidence_on_one_holder_leaves_the_machines_of_the_others() -> None:
    automaton.cache_clear()
    position = Position(CARDS, THREE, engine=PURE).learn(some("ann", ["a", "b"], 1))
    position.logic  # noqa: B018
    built = automaton.cache_info().misses

    position.learn(some("bob", ["a", "b"], 2)).logic  # noqa: B018

    assert built == 3
    assert automaton.cache_info().misses == 4


def test_a_position_travels() -> None:
    position = whole(3).position(PURE)

    copy = pickle.loads(pickle.dumps(position))  # noqa: S301  (our own)

    assert copy == position
    assert copy.posterior.joint("solution") == position.posterior.joint("solution")


def test_logic_and_likelihood_stand_side_by_side() -> None:
    position = Position(CARDS, THREE).learn(shows("ann", "a", ["a", "b"], 1))

    assert position.logic.total == 4 * 3  # b, c, d or e beside it; then bob's two of three
    assert position.posterior.marginal("b", "ann") < position.logic.marginal("b", "ann")
    assert position.logic.hand("ann") == ("a",)
    assert position.posterior.holders("a") == ("ann",)


def test_entropy_is_counted_in_bits() -> None:
    position = Position(CARDS, THREE)

    assert position.logic.entropy("solution") == pytest.approx(2.321928)
    assert position.learn(has("solution", ["c"], 1)).logic.entropy("solution") == 0


def test_an_empty_deal_has_one_world() -> None:
    assert list(Position([], {"nobody": 0}).logic.worlds()) == [(0,)]


@pytest.mark.parametrize(
    "wrong",
    [
        Evidence("ann", ("a", "a"), (1, 1, 0)),
        Evidence("ann", ("a",), (1, 1), given="a", otherwise=(1, 1)),
        Evidence("ann", ("a", "b"), (1, 1)),
        Evidence("ann", ("a",), (1, 1), given="b"),
        Evidence("ann", ("a",), (1, -1)),
    ],
)
def test_evidence_that_says_nothing_sensible_is_refused(wrong: Evidence[str, str]) -> None:
    with pytest.raises(ValueError, match=r"element|weight"):
        Position(CARDS, THREE).learn(wrong)


@pytest.mark.parametrize("holders", [{"ann": 4}, {"ann": 6, "bob": -1}, {"ann": 2, "bob": 2}])
def test_holders_that_do_not_fit_are_refused(holders: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="do not fill"):
        Position(CARDS, holders)


def test_shapes_are_all_there() -> None:
    assert len(SHAPES) >= 6
