"""Every number that the kernel gives, against plain enumeration by definition."""

from collections import defaultdict
from fractions import Fraction
from random import Random

import pytest

from tests.deduce.deals import SHAPES, Case, Enumerated, Hand, enumerated
from tests.deduce.engines import ENGINES
from whodunit.deduce import Posterior

POSITIONS = 500


def cases(shape: str) -> list[Case]:
    return [SHAPES[shape](Random(f"{shape} {number}")) for number in range(POSITIONS)]  # noqa: S311  (play)


class Truth:
    """The totals, marginals and joints of enumerated worlds."""

    def __init__(self, case: Case, found: Enumerated) -> None:
        self.case = case
        self.scale = found.scale
        self.total = sum(found.worlds.values())
        self.masses = defaultdict[tuple[str, str], int](int)
        self.hands: dict[str, dict[Hand, int]] = {holder: defaultdict(int) for holder in case.holders}
        for world, weight in found.worlds.items():
            for holder, hand in zip(case.holders, world, strict=True):
                self.hands[holder][hand] += weight
        for holder, hands in self.hands.items():
            for hand, weight in hands.items():
                for element in hand:
                    self.masses[element, holder] += weight

    def assert_equal(self, posterior: Posterior[str, str]) -> None:
        factor = Fraction(posterior.scale, self.scale)
        assert posterior.exact
        assert posterior.total == self.total * factor
        for holder in self.case.holders:
            for element in self.case.elements:
                assert posterior.mass(element, holder) == self.masses[element, holder] * factor
            joint = {tuple(sorted(hand)): mass for hand, mass in posterior.joint(holder).items()}
            assert joint == {hand: mass * factor for hand, mass in self.hands[holder].items()}


@pytest.mark.parametrize("shape", SHAPES)
def test_total_marginals_and_joints_are_those_of_enumeration(shape: str) -> None:
    possible = 0
    for case in cases(shape):
        found = enumerated(case)
        mass = Truth(case, found)
        logic = Truth(case, Enumerated(dict.fromkeys(found.worlds, 1), 1))
        possible += bool(found.worlds)
        for engine in ENGINES.values():
            position = case.position(engine)

            mass.assert_equal(position.posterior)
            logic.assert_equal(position.logic)
    assert possible > POSITIONS / 4


@pytest.mark.parametrize("shape", SHAPES)
def test_every_world_has_as_many_ranks_as_it_has_weight(shape: str) -> None:
    for case in cases(shape)[:100]:
        true = enumerated(case)
        for engine in ENGINES.values():
            position = case.position(engine)
            posterior = position.posterior
            if posterior.total > 3000:
                continue
            found = defaultdict[tuple[Hand, ...], int](int)
            for world in posterior.worlds():
                found[tuple(tuple(sorted(hand)) for hand in position.deal.hands(world).values())] += 1

            factor = Fraction(posterior.scale, true.scale)
            assert found == {world: weight * factor for world, weight in true.worlds.items()}
