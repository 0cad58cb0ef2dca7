"""Three solvers as a yardstick: one that only marks, one that counts as well, and one that tries every deal."""

from itertools import islice
from typing import Any

import pytest

from tests.cases.played import TABLES, cut
from whodunit.cases.posed import Known
from whodunit.cases.ruling import certain
from whodunit.cases.solvers import counting, exact, marks_only
from whodunit.cases.steps import explained
from whodunit.deduce import Claim, Evidence, Position, count, has, lacks, some
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS

PLAIN = {"read", "line", "place", "kind"}


def clue(*seen: Evidence[Any, Any]) -> Known:
    rules = [count("envelope", kind, 1, None) for kind in (SUSPECTS, WEAPONS, ROOMS)]
    position: Known = Position(PACK, {0: 6, 1: 6, 2: 6, "envelope": 3}, rules)
    return position.learn(has(0, PACK[:2] + PACK[6:8] + PACK[12:14], 0), *seen)


def solved(position: Known, claim: Claim[Any, Any]) -> tuple[bool, bool, bool]:
    return tuple(solver(position, [claim]) for solver in (marks_only, counting, exact))  # type: ignore[return-value]


def test_marks_are_enough_where_one_thing_leads_to_another() -> None:
    seen = [
        lacks(1, ["Green", "Knife"], 1),
        some(1, ["Green", "Knife", "Kitchen"], 2),
        lacks(2, ["Green"], 3),
        has(2, ["White"], 4),
    ]

    assert solved(clue(*seen), Claim("Green", "envelope")) == (True, True, True)
    assert solved(clue(*seen), Claim("Plum", "envelope", held=False)) == (True, True, True)
    assert solved(clue(*seen), Claim("Kitchen", 1)) == (True, True, True)


def test_a_hand_must_be_counted() -> None:
    position = clue(has(1, ["White", "Knife", "Lounge", "Library", "Ballroom", "Kitchen"], 1))

    assert solved(position, Claim("Green", 1, held=False)) == (False, True, True)


def test_a_group_must_be_counted() -> None:
    position: Known = Position(PACK, {1: 6, 2: 6, 3: 6, "envelope": 3})
    trio = ["White", "Knife", "Lounge"]
    position = position.learn(*(some(seat, trio, seat) for seat in (1, 2, 3)))

    assert solved(position, Claim("White", "envelope", held=False)) == (False, True, True)


def test_two_lines_must_be_put_together() -> None:
    seen = [
        has(1, ["White", "Knife", "Lounge", "Library"], 1),
        some(1, ["Green", "Wrench"], 2),
        some(1, ["Plum", "Candlestick"], 3),
    ]

    assert solved(clue(*seen), Claim("Peacock", 1, held=False)) == (False, False, True)


def test_nobody_solves_what_does_not_follow() -> None:
    assert solved(clue(has(1, ["White"], 1)), Claim("Plum", "envelope")) == (False, False, False)


@pytest.mark.parametrize("table", TABLES)
def test_who_does_more_solves_more_and_none_is_ever_wrong(table: str) -> None:
    numbers = [0, 0, 0]
    for position, claims in islice(cut(table, "solvers"), 30):
        marks, counted, tried = (solver(position, claims) for solver in (marks_only, counting, exact))
        assert marks <= counted <= tried
        assert not tried or certain(position, claims)
        steps = explained(position, claims)
        assert marks >= all(step.kind in PLAIN and not step.cases for step in steps)
        assert counted >= all(step.kind != "together" and not step.cases for step in steps)
        numbers = [sum(pair) for pair in zip(numbers, (marks, counted, tried), strict=True)]
    assert numbers[2] == 30
    assert 0 < numbers[0] <= numbers[1] <= 30
