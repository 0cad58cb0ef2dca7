"""A proof holds, none of it can be spared, and its grade says what it takes to see it."""

from collections.abc import Sequence
from random import Random

import pytest

from tests.deduce.deals import SHAPES, Case, Item, enumerated, whole_clue
from tests.deduce.engines import ENGINES
from whodunit.deduce import Claim, Explanation, Position, count, has, lacks, shows, some
from whodunit.deduce.engine import Engine

CARDS = ["a", "b", "c", "d", "e", "f", "g"]
HOLDERS = {"ann": 2, "bob": 2, "cid": 2, "solution": 1}


def assert_sound(found: Explanation[str, str], case: Case, engine: Engine) -> None:
    """Check that all sources together prove the claim, and that they do not if any one is left out."""
    assert len(set(found.sources)) == len(found.sources)
    start = Position(case.elements, case.holders, case.rules, engine)
    for left_out in (None, *found.sources):
        seen = [item for item in case.seen if item.source in found.sources and item.source != left_out]
        assert start.learn(*seen).logic.certain(found.claim) == (left_out is None)
    for step in found.steps:
        assert step.evidence == tuple(item for item in case.seen if item.source == step.source)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_proof_holds_and_nothing_of_it_can_be_spared(shape: str, engine: str) -> None:
    random = Random(f"proofs {shape}")  # noqa: S311  (play)
    proved = 0
    while proved < 12:
        case = SHAPES[shape](random)
        position = case.position(ENGINES[engine])
        if not position.logic.total or len(case.seen) < 2 or position.logic.total > 500:
            continue
        claims = [
            Claim(card, holder, held) for card in case.elements for holder in case.holders for held in (True, False)
        ]
        claim = random.choice(claims)
        found = position.explain(claim)

        assert (found is not None) == position.logic.certain(claim)
        if found:
            assert_sound(found, case, ENGINES[engine])
            proved += bool(found.steps)


@pytest.mark.parametrize("engine", ENGINES)
def test_proofs_in_whole_games_of_clue(engine: str) -> None:
    random = Random("whole proofs")  # noqa: S311
    proved = 0
    while proved < 12:
        case = whole_clue(random, shows)
        position = case.position(ENGINES[engine])
        known = [Claim(card, "solution") for card in position.logic.hand("solution")]
        for claim in known:
            found = position.explain(claim)
            assert found is not None
            assert_sound(found, case, ENGINES[engine])
            proved += 1


def explained(seen: Sequence[Item], claim: Claim[str, str], engine: Engine) -> Explanation[str, str]:
    rules: list[Item] = [count("solution", CARDS[:4], 1, None)]
    found = Position(CARDS, HOLDERS, rules, engine).learn(*seen).explain(claim)
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
class TestGrades:
    def test_1_what_was_seen(self, engine: Engine) -> None:
        found = explained([has("ann", ["a"], 1), has("bob", ["e"], 2)], Claim("a", "ann"), engine)

        assert (found.grade, found.sources) == (1, (1,))
        assert found.steps[0].settles[0] == Claim("a", "ann")

    def test_1_what_another_has(self, engine: Engine) -> None:
        found = explained([has("ann", ["a"], 1)], Claim("a", "bob", held=False), engine)

        assert (found.grade, found.sources) == (1, (1,))

    def test_2_nobody_else_can_have_it(self, engine: Engine) -> None:
        seen = [lacks("ann", ["a"], 1), lacks("bob", ["a", "b"], 2), lacks("cid", ["a"], 3)]
        found = explained(seen, Claim("a", "solution"), engine)

        assert (found.grade, found.sources) == (2, (1, 2, 3))

    def test_3_one_thing_leads_to_another(self, engine: Engine) -> None:
        seen = [has("ann", ["a"], 1), some("bob", ["a", "b"], 2), has("cid", ["c"], 3)]
        found = explained(seen, Claim("d", "solution"), engine)

        assert (found.grade, found.sources) == (3, (1, 2, 3))
        assert Claim("d", "solution") in found.steps[-1].settles

    def test_4_a_hand_is_full(self, engine: Engine) -> None:
        found = explained([has("ann", ["e", "f"], 1)], Claim("a", "ann", held=False), engine)

        assert (found.grade, found.sources) == (4, (1,))

    def test_5_three_share_what_is_too_little_for_four(self, engine: Engine) -> None:
        seen = [some(who, ["a", "b", "c"], source) for source, who in enumerate(["ann", "bob", "cid"])]
        found = explained(seen, Claim("d", "solution"), engine)

        assert (found.grade, found.sources) == (5, (0, 1, 2))


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_all_of_one_hand_is_one_source(engine: Engine) -> None:
    seen = [has("ann", ["a"], "hand"), has("ann", ["b"], "hand"), has("bob", ["c"], 4)]
    found = explained(seen, Claim("d", "solution"), engine)

    assert found.sources == ("hand", 4)
    assert len(found.steps[0].evidence) == 2


def test_what_is_not_certain_has_no_proof() -> None:
    position = Position(CARDS, HOLDERS).learn(has("ann", ["a"], 1))

    assert position.explain(Claim("b", "bob")) is None
    assert position.explain(Claim("a", "ann", held=False)) is None


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
class TestClash:
    def test_sources_that_cannot_all_be_right(self, engine: Engine) -> None:
        seen = [has("bob", ["g"], 1), has("ann", ["a"], 2), lacks("cid", ["e"], 3), some("bob", ["a"], 4)]
        position = Position(CARDS, HOLDERS, engine=engine).learn(*seen)

        assert position.logic.total == position.posterior.total == 0
        assert position.clash() == (2, 4)
        assert position.explain(Claim("a", "ann")) is None

    def test_there_is_none_where_a_world_fits(self, engine: Engine) -> None:
        assert Position(CARDS, HOLDERS, engine=engine).learn(has("bob", ["g"], 1)).clash() == ()

    def test_the_rules_alone_may_be_at_fault(self, engine: Engine) -> None:
        rules = [has("ann", ["a", "b", "c"], None)]

        assert Position(CARDS, HOLDERS, rules, engine).clash() == (None,)

    def test_none_of_them_can_be_spared(self, engine: Engine) -> None:
        random = Random("clashes")  # noqa: S311
        clashes = 0
        while clashes < 25:
            case = SHAPES["anything"](random)
            sources = case.position(engine).clash()
            if enumerated(case).worlds:
                assert sources == ()
                continue
            clashes += 1
            for left_out in (None, *sources):
                seen = [item for item in case.seen if item.source in sources and item.source != left_out]
                worlds = enumerated(Case(case.elements, case.holders, case.rules, seen)).worlds
                assert bool(worlds) == (left_out is not None)
