"""Hands that change: every number that a flow gives, against plain enumeration of all deals and all exchanges."""

import pickle
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest

from tests.deduce.engines import ENGINES
from whodunit.core.rng import Rng
from whodunit.deduce import Claim, Engine
from whodunit.deduce.flow import Course, Doubted, Fact, Flow, Held, Lacked, Left, Swapped

CASES = 150
BOX = "box"

Hands = dict[str, frozenset[str]]
Way = tuple[tuple[str, tuple[object, ...]], ...]
"""By element: with whom it began, and which exchanges moved it."""


class Case(NamedTuple):
    """A small deck, who gets how many, and what was learned of a game that really happened."""

    elements: tuple[str, ...]
    holders: dict[str, int]
    facts: tuple[Fact[str, str], ...]


def dealt(random: Random) -> Case:
    """Play a little game of two or three hands and a box: cards are laid down, seen, missed, exchanged."""
    holders = {"a": 2, "b": 2, "c": 2, BOX: 1} if random.random() < 0.6 else {"a": 3, "b": 3, BOX: 1}
    elements = tuple("1234567"[: sum(holders.values())])
    deck = random.sample(elements, len(elements))
    hands = {who: {deck.pop() for _ in range(number)} for who, number in holders.items()}
    facts: list[Fact[str, str]] = []
    if random.random() < 0.5:
        facts.append(Held("a", tuple(sorted(hands["a"])), "hand"))
    for source in range(random.randint(2, 6)):
        who, other = random.sample([who for who in holders if who != BOX], 2)
        hand = sorted(hands[who])
        kind = random.choice(("lay", "lay", "see", "miss", "doubt", "swap", "swap"))
        swaps = sum(isinstance(fact, Swapped) for fact in facts)
        if kind == "swap" and swaps < 2 and hand and len(hands[other]) == len(hand):
            number = random.randint(1, min(2, len(hand)))
            given, drawn = (tuple(sorted(random.sample(sorted(hands[x]), number))) for x in (who, other))
            known = random.random() < 0.25
            facts.append(Swapped(who, other, number, source, *((given, drawn) if known else ())))
            hands[who] = hands[who] - set(given) | set(drawn)
            hands[other] = hands[other] - set(drawn) | set(given)
        elif kind == "lay" and hand:
            card = random.choice(hand)
            facts += [Held(who, (card,), source), Left((card,), source)]
            hands[who].remove(card)
        elif kind == "see" and hand:
            facts.append(Held(who, tuple(random.sample(hand, 1)), source))
        elif kind == "miss":
            laid = {card for fact in facts if isinstance(fact, Left) for card in fact.elements}
            missing = [card for card in elements if card not in hands[who] and card not in laid]
            facts.append(Lacked(who, tuple(random.sample(missing, min(2, len(missing)))), source))
        elif kind == "doubt":
            laid = {card for fact in facts if isinstance(fact, Left) for card in fact.elements}
            open_ones = [card for card in elements if card not in laid]
            facts.append(
                Doubted(who, tuple(random.sample(open_ones, min(2, len(open_ones)))), random.randint(1, 3), source)
            )
    return Case(elements, holders, tuple(facts))


def deals(case: Case) -> Iterator[Hands]:
    def rest(left: tuple[str, ...], holders: list[tuple[str, int]]) -> Iterator[Hands]:
        if not holders:
            yield {}
            return
        (who, number), *others = holders
        for hand in combinations(left, number):
            for more in rest(tuple(card for card in left if card not in hand), others):
                yield {who: frozenset(hand), **more}

    return rest(case.elements, list(case.holders.items()))


def enumerated(case: Case) -> tuple[dict[Way, Fraction], dict[tuple[str, str], Fraction], dict[tuple[str, str], int]]:
    """Return the weight of every way, of every element with a holder now, and how many ways those are."""
    ways: dict[Way, Fraction] = {}
    masses: Counter[tuple[str, str]] = Counter()
    numbers: Counter[tuple[str, str]] = Counter()

    def go(
        facts: tuple[Fact[str, str], ...],
        where: Hands,
        laid: frozenset[str],
        trail: dict[str, tuple[object, ...]],
        weight: Fraction,
        start: Hands,
    ) -> None:
        if not facts:
            began = {card: who for who, hand in start.items() for card in hand}
            ways[tuple((began[card], trail[card]) for card in case.elements)] = weight
            for who, hand in where.items():
                for card in hand:
                    masses[card, who] += weight  # type: ignore[assignment]
                    numbers[card, who] += 1
            return
        fact, *rest = facts
        match fact:
            case Held() if set(fact.elements) <= where[fact.holder]:
                go(tuple(rest), where, laid, trail, weight, start)
            case Lacked() if not set(fact.elements) & where[fact.holder]:
                go(tuple(rest), where, laid, trail, weight, start)
            case Doubted():
                doubtful = len(set(fact.elements) & where[fact.holder])
                go(tuple(rest), where, laid, trail, weight / 2 ** (fact.halvings * doubtful), start)
            case Left():
                go(tuple(rest), where, laid | set(fact.elements), trail, weight, start)
            case Swapped(one=one, other=other):
                for given in combinations(sorted(where[one] - laid), fact.number):
                    for drawn in combinations(sorted(where[other] - laid), fact.number):
                        if (fact.given or given, fact.drawn or drawn) != (given, drawn):
                            continue
                        moved = trail | {card: (*trail[card], fact.source) for card in given}
                        moved |= {card: (*trail[card], fact.source) for card in drawn}
                        after = where | {
                            one: where[one] - set(given) | set(drawn),
                            other: where[other] - set(drawn) | set(given),
                        }
                        go(tuple(rest), after, laid, moved, weight, start)
            case _:
                return

    for hands in deals(case):
        go(case.facts, hands, frozenset(), dict.fromkeys(case.elements, ()), Fraction(1), hands)
    return ways, dict(masses), dict(numbers)  # type: ignore[arg-type]


def way_of(case: Case, course: Course[str]) -> Way:
    swaps = [fact for fact in case.facts if isinstance(fact, Swapped)]
    found: dict[str, tuple[str, tuple[object, ...]]] = {}
    for lane, cards in course:
        at, trail = str(lane.origin), [swaps[number].source for number in lane.moves]
        for number in lane.moves:
            at = swaps[number].other if at == swaps[number].one else swaps[number].one
        assert at == lane.where
        found |= dict.fromkeys(cards, (str(lane.origin), tuple(trail)))
    return tuple(found[card] for card in case.elements)


def cases() -> list[Case]:
    return [dealt(Random(f"flow {number}")) for number in range(CASES)]  # noqa: S311  (play)


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_totals_and_masses_are_those_of_enumeration(engine: Engine) -> None:
    exchanged = 0
    for case in cases():
        ways, masses, numbers = enumerated(case)
        flow = Flow(case.elements, case.holders, case.facts, engine)
        exchanged += sum(isinstance(fact, Swapped) for fact in case.facts) > 1

        assert flow.logic.total == len(ways)
        assert Fraction(flow.posterior.total, flow.posterior.scale) == sum(ways.values())
        for who in case.holders:
            for card in case.elements:
                assert flow.logic.mass(card, who) == numbers.get((card, who), 0)
                assert Fraction(flow.posterior.mass(card, who), flow.posterior.scale) == masses.get((card, who), 0)
    assert exchanged > CASES / 6


def test_every_course_is_listed_once_and_sampled_as_likely_as_it_is() -> None:
    for number, case in enumerate(cases()[:60]):
        ways, _, _ = enumerated(case)
        flow = Flow(case.elements, case.holders).learn(*case.facts)

        listed = [way_of(case, course) for course in flow.logic.courses()]
        assert len(listed) == len(ways)
        assert set(listed) == set(ways)
        drawn = Counter(way_of(case, course) for course in flow.posterior.sample(Rng(b"flow", number), "draw", 300))
        assert set(drawn) <= set(ways)
        if len(ways) <= 6:
            for way, weight in ways.items():
                assert drawn[way] / 300 == pytest.approx(float(weight / sum(ways.values())), abs=0.12)


def test_what_is_certain_is_proved_by_sources_none_of_which_is_to_spare() -> None:
    proofs = 0
    for case in cases()[:40]:
        flow = Flow(case.elements, case.holders, case.facts)
        for card in case.elements[::3]:
            for who in case.holders:
                for held in (True, False):
                    mass, total = flow.logic.mass(card, who), flow.logic.total
                    why = flow.explain(Claim(card, who, held))
                    assert (why is not None) == (mass == (total if held else 0))
                    if why is None:
                        continue
                    proofs += 1
                    assert 1 <= why.grade <= 5
                    assert flow._refutes(why.sources, Claim(card, who, held))
                    for spare in why.sources:
                        rest = [source for source in why.sources if source != spare]
                        assert not flow._refutes(rest, Claim(card, who, held))
    assert proofs > 100


def test_what_cannot_be_true_together_clashes() -> None:
    flow = Flow(("1", "2", "3"), {"a": 1, "b": 1, BOX: 1})
    flow = flow.learn(Lacked("b", ("3",), "free"), Held("a", ("1",), 7), Swapped("a", "b", 1, 8), Held("a", ("1",), 9))

    assert flow.logic.total == 0
    assert flow.clash() == (7, 9)
    assert flow.explain(Claim("1", "a")) is None
    assert flow.learn().facts == flow.facts
    with pytest.raises(ValueError, match="what clashes"):
        flow.logic.marginal("1", "a")


def test_what_was_missed_may_have_come_since() -> None:
    """A void holds at its moment; an exchange undoes it, for what was kept it still holds."""
    flow = Flow(("1", "2", "3", "4", "5"), {"a": 2, "b": 2, BOX: 1}).learn(Lacked("a", ("1", "2"), 1))
    assert flow.logic.mass("1", "a") == 0
    assert flow.explain(Claim("1", "a", held=False)) is not None
    after = flow.learn(Swapped("a", "b", 1, 2))

    assert after.logic.mass("1", "a") > 0
    assert after.logic.mass("1", "a") + after.logic.mass("2", "a") <= after.logic.total
    assert after.explain(Claim("1", "a", held=False)) is None


def test_a_flow_is_a_value() -> None:
    one, same = (Flow(("1", "2"), {"a": 1, BOX: 1}, [Held("a", ("1",), 1)]) for _ in range(2))

    assert one == same == pickle.loads(pickle.dumps(one))  # noqa: S301  (our own)
    assert hash(one) == hash(same)
    assert one != one.learn(Left(("1",), 2))
    assert one != 1
