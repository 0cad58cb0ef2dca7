"""Samples are drawn independently, each world as often as it is likely."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from tests.deduce.deals import SHAPES, enumerated
from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import Position, has

DRAWN = 6000


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_world_is_drawn_as_often_as_it_is_likely(shape: str, engine: str) -> None:
    tested = 0
    for number in range(60):
        case = SHAPES[shape](Random(f"samples {number}"))  # noqa: S311  (play)
        true = enumerated(case)
        if not 2 <= len(true.worlds) <= 400:
            continue
        tested += 1
        position = case.position(ENGINES[engine])
        drawn = Counter(position.posterior.sample(Rng(b"samples", number), shape, DRAWN))
        total = sum(true.worlds.values())
        square = 0.0
        for world, weight in true.worlds.items():
            masks = tuple(position.deal.mask(hand) for hand in world)
            expected = DRAWN * weight / total
            square += (drawn.pop(masks, 0) - expected) ** 2 / expected

        assert not drawn
        freedom = len(true.worlds) - 1
        assert square < freedom + 5 * sqrt(2 * freedom)
        if tested == 5:
            break
    assert tested == 5


def test_the_same_label_gives_the_same_worlds_and_another_gives_others() -> None:
    posterior = Position(range(20), {"a": 10, "b": 10}).posterior
    first = posterior.sample(Rng(b"seed", 1), "one", 5)

    assert posterior.sample(Rng(b"seed", 1), "one", 5) == first
    assert posterior.sample(Rng(b"seed", 1), "other", 5) != first
    assert posterior.sample(Rng(b"seed", 2), "one", 5) != first


def test_nothing_is_drawn_where_the_evidence_clashes() -> None:
    position = Position(["a", "b"], {"one": 1, "two": 1}).learn(has("one", ["a"], 1), has("two", ["a"], 2))

    with pytest.raises(ValueError, match="clashes"):
        position.posterior.sample(Rng(b"seed", 1), "none", 1)
