"""How hard a proof is: what each step costs, how far one has to look, and that a part is no harder than the whole."""

from itertools import islice
from typing import Any

import pytest

from tests.cases.played import TABLES, cut
from whodunit.cases.effort import cost, effort, harder_parts, inferences, leading, parts, signature
from whodunit.cases.posed import Known
from whodunit.cases.steps import Mark, Step, explained
from whodunit.deduce import Claim, Evidence, Position, count, has, lacks, some
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS

MARKS = tuple(Mark(card, "1", False) for card in PACK)
SETTLED = (Mark("Plum", "envelope", True),)


def step(kind: str, lines: int, rests: int, *, cases: bool = False) -> Step:
    return Step(kind, tuple(range(1, lines + 1)), MARKS[:rests], SETTLED, cases)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "thousandths"),
    [
        (step("read", 1, 0), 300),
        (step("line", 1, 0), 1000),
        (step("line", 1, 1), 2000),
        (step("line", 1, 2), 2414),
        (step("line", 1, 4, cases=True), 4500),
        (step("place", 0, 3), 2732),
        (step("kind", 0, 5), 3236),
        (step("together", 0, 4), 3000),
        (step("together", 2, 4), 9000),
        (step("together", 3, 4), 27000),
        (step("together", 2, 4, cases=True), 13500),
        (step("hand", 0, 6), 4000),
        (step("hand", 1, 20), 4000),
        (step("group", 3, 12), 4000),
    ],
    ids=lambda one: signature([one]) if isinstance(one, Step) else "",
)
def test_what_a_step_costs(one: Step, thousandths: int) -> None:
    assert cost(one) == thousandths


def clue(*seen: Evidence[Any, Any]) -> Known:
    rules = [count("envelope", kind, 1, None) for kind in (SUSPECTS, WEAPONS, ROOMS)]
    position: Known = Position(PACK, {0: 6, 1: 6, 2: 6, "envelope": 3}, rules)
    return position.learn(has(0, PACK[:2] + PACK[6:8] + PACK[12:14], 0), *seen)


def test_one_looks_longer_where_less_of_the_lines_is_of_use() -> None:
    position = clue(has(1, ["Wrench"], 1))
    steps = explained(position, [Claim("Wrench", 1)])

    assert effort(steps, position, 1) == 300
    assert effort(steps, position, 4) == 300 + 1000  # half of two bits
    assert effort(steps, position, 8) == 300 + 1500


def test_one_finds_sooner_what_is_not_the_only_thing_to_find() -> None:
    one, two = clue(has(1, ["Wrench"], 1)), clue(has(1, ["Wrench"], 1), has(2, ["Knife"], 2))
    claims = [Claim("Wrench", 1)]

    assert effort(explained(two, claims), two, 8) == effort(explained(one, claims), one, 8) - 500


def test_nothing_is_easier_for_having_much_to_find() -> None:
    seen = [has(1 + line % 2, [card], line) for line, card in enumerate(["Wrench", "Knife", "Kitchen", "Plum"], 1)]
    position = clue(*seen)

    assert effort(explained(position, [Claim("Wrench", 2)]), position, 2) == 300


def test_inferences_are_what_is_not_read() -> None:
    position = clue(lacks(1, ["Green", "Rope", "Lounge"], 1), some(1, ["Green", "Rope", "Kitchen"], 2))
    steps = explained(position, [Claim("Kitchen", 1)])

    assert [one.kind for one in steps] == ["read", "line"]
    assert inferences(steps) == 1


def test_a_signature_tells_shapes_apart_and_not_cards() -> None:
    first = clue(lacks(1, ["Green", "Rope", "Lounge"], 1), some(1, ["Green", "Rope", "Kitchen"], 2))
    same = clue(some(2, ["Plum", "LeadPipe", "Library"], 1), lacks(2, ["Plum", "Knife", "Ballroom"], 2))
    other = clue(lacks(1, ["Green", "Wrench", "Lounge"], 1), some(1, ["Green", "Wrench", "Kitchen"], 2))
    signatures = [
        signature(explained(position, [claim]))
        for position, claim in (
            (first, Claim("Kitchen", 1)),
            (same, Claim("Library", 2)),
            (other, Claim("Kitchen", 1)),
        )
    ]

    assert signatures[0] == signatures[1] == "line1.2.1 read1.0.1"
    assert signatures[2] != signatures[0]


def test_a_signature_does_not_depend_on_the_order_of_steps() -> None:
    steps = [step("line", 1, 2), step("read", 1, 0), step("hand", 0, 6)]

    assert signature(steps) == signature(steps[::-1])


def test_what_leads_to_a_step() -> None:
    position = clue(
        lacks(1, ["Green", "Rope", "Lounge"], 1),
        some(1, ["Green", "Rope", "Kitchen"], 2),
        has(2, ["Wrench", "Library"], 3),
    )
    steps = explained(position, [Claim("Wrench", 2), Claim("Kitchen", 1)])
    last = next(number for number, one in enumerate(steps) if one.kind == "line")

    assert [one.lines for one in leading(steps, last)] == [(1,), (2,)]


def test_a_part_asks_for_what_is_settled_on_the_way() -> None:
    position = clue(
        has(1, ["White", "Green"], 1),
        lacks(2, ["Peacock"], 2),
        some(2, ["Peacock", "Plum"], 3),
        lacks(1, ["Peacock"], 4),
        lacks(1, ["Knife"], 5),
    )
    steps = explained(position, [Claim("Peacock", "envelope")])
    found = [*parts(position, steps)]

    assert all(inferences(explained(part, claims)) < inferences(steps) for part, claims, _ in found)
    assert {lines for _, _, lines in found} <= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("table", TABLES)
def test_a_part_is_hardly_ever_graded_harder_than_the_whole(table: str) -> None:
    found = [
        harder_parts(position, steps)
        for position, claims in islice(cut(table, "parts"), 12)
        for steps in [explained(position, claims)]
    ]
    harder, pairs = (sum(numbers) for numbers in zip(*found, strict=True))

    assert pairs > 10
    assert 20 * harder <= pairs
