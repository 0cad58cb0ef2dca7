"""A proof holds step by step, none of it can be spared, and it goes as a person would go."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.cases.played import TABLES, Asking, cut, only
from tests.deduce.deals import SHAPES, Case, Item, enumerated
from tests.deduce.engines import ENGINES
from whodunit.cases.posed import GIVEN, Known, numbered
from whodunit.cases.ruling import certain
from whodunit.cases.steps import Mark, NoProof, Step, explained
from whodunit.deduce import Claim, Evidence, Position, count, has, lacks, shows, some
from whodunit.deduce.engine import Engine
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS
from whodunit.games.perfect_alibi.facts import PACK as TILES
from whodunit.games.perfect_alibi.facts import WITH

KINDS = {"read", "line", "place", "kind", "hand", "group", "together"}
PROVABLE = ("clue", "counts", "lies", "voids", "whole hands", "weighted shows")
"""Shapes of deals in which something can be certain; the cards of `anything` mostly clash."""


# --- What a proof must be ---------------------------------------------------------------------------------------------


def claim_of(position: Known, mark: Mark) -> Claim[Any, Any]:
    elements = {str(element): element for element in position.deal.elements}
    holders = {str(holder): holder for holder in position.deal.holders}
    return Claim(elements[mark.row], holders[mark.column], mark.held)


def with_marks(position: Known, marks: Sequence[Mark], lines: Sequence[int] = ()) -> Known:
    """Return what the rules say, with these lines and marks; of what is given, only what is no mark."""
    kept = [item for item in only(position, lines).evidence if item.source != GIVEN or not makes_marks(item)]
    sizes = dict(zip(position.deal.holders, position.deal.capacities, strict=True))
    said = [
        (has if mark.held else lacks)(claim.holder, [claim.element], None)
        for mark in marks
        for claim in [claim_of(position, mark)]
    ]
    return Position(position.deal.elements, sizes, [*kept, *said], position.engine)


def makes_marks(item: Item) -> bool:
    """Say whether evidence says of each of its elements that somebody has it, or that nobody has."""
    return isinstance(item, Evidence) and not item.given and (not any(item.weights[1:]) or not any(item.weights[:-1]))


def spread(position: Known, marks: Sequence[Mark]) -> set[Mark]:
    """Return marks with what goes without saying: what somebody has is with nobody else."""
    columns = [str(holder) for holder in position.deal.holders]
    others = {Mark(mark.row, column, False) for mark in marks if mark.held for column in columns}
    return {*marks, *(other for other in others if Mark(other.row, other.column, True) not in marks)}


def stood(position: Known) -> set[Mark]:
    """Return the marks that stand from the start: by the rules, what is given, and what is not in a hand seen whole."""
    deal = position.deal
    rules = Position(
        deal.elements,
        dict(zip(deal.holders, deal.capacities, strict=True)),
        [item for item in position.evidence if item.source is None],
        position.engine,
    ).logic
    given: list[Any] = [item for item in position.evidence if item.source == GIVEN and makes_marks(item)]
    marks = {
        Mark(str(element), str(item.holder), bool(item.weights[-1])) for item in given for element in item.elements
    }
    for holder in deal.holders:
        for element in deal.elements:
            marks |= {
                Mark(str(element), str(holder), held)
                for held in (True, False)
                if rules.certain(Claim(element, holder, held))
            }
    marks = spread(position, sorted(marks, key=repr))
    for holder, capacity in zip(deal.holders, deal.capacities, strict=True):
        if sum(mark.held for mark in marks if mark.column == str(holder)) == capacity:
            hand = [str(element) for element in deal.elements if Mark(str(element), str(holder), True) not in marks]
            marks |= {Mark(row, str(holder), False) for row in hand}
    return marks


def is_certain(position: Known, marks: Sequence[Mark]) -> bool:
    """Count by hand whether these follow."""
    items = [item for item in position.evidence if item.source is None]
    seen = [item for item in position.evidence if item.source is not None]
    case = Case(list(position.deal.elements), dict(zip(position.deal.holders, position.deal.capacities, strict=True)))
    case.rules, case.seen = items, seen
    holders = [str(holder) for holder in position.deal.holders]
    worlds = [dict(zip(holders, hands, strict=True)) for hands in enumerated(case).worlds]
    return all((mark.row in world[mark.column]) == mark.held for world in worlds for mark in marks)


def assert_proves(position: Known, claims: Sequence[Claim[Any, Any]], steps: Sequence[Step], *, by_hand: bool) -> None:
    """Check each step from its lines and marks alone, and that each is needed."""
    shown = stood(position)
    for step in steps:
        assert step.kind in KINDS
        assert step.lines == tuple(sorted(set(step.lines)))
        assert step.settles
        assert not shown.intersection(step.settles)
        shown |= spread(position, step.settles)
        stand = with_marks(position, step.rests, step.lines)
        assert certain(stand, [claim_of(position, mark) for mark in step.settles])
        assert not by_hand or is_certain(stand, step.settles)
        for left_out in step.lines:
            fewer = with_marks(position, step.rests, [line for line in step.lines if line != left_out])
            assert step.kind == "group" or not certain(fewer, [claim_of(position, mark) for mark in step.settles])
    assert leads(position, steps, claims)
    assert not any(leads(position, [*steps[:one], *steps[one + 1 :]], claims) for one in range(len(steps)))
    used = {line for step in steps for line in step.lines}
    assert certain(only(position, sorted(used)), claims)


def leads(position: Known, steps: Sequence[Step], claims: Sequence[Claim[Any, Any]]) -> bool:
    """Say whether each step rests on what is given and settled before it, and the claims on all of them."""
    shown = stood(position)
    for step in steps:
        if not shown.issuperset(step.rests):
            return False
        shown |= spread(position, step.settles)
    wanted = [Mark(str(claim.element), str(claim.holder), claim.held) for claim in claims]
    return shown.issuperset(wanted)


def some_claims(position: Known, random: Random) -> list[Claim[Any, Any]]:
    """Return one or two things that are certain and are not so from the start."""
    start = only(position, ())
    found = [
        claim
        for holder in position.deal.holders
        for element in position.deal.elements
        for claim in (Claim(element, holder), Claim(element, holder, held=False))
        if certain(position, [claim]) and not certain(start, [claim])
    ]
    return random.sample(found, min(len(found), random.randint(1, 2)))


def staged(case: Case, engine: Engine) -> Known:
    """Return a case with its hand as what is given, and its other sources as lines in their order."""
    sources = [source for source in dict.fromkeys(item.source for item in case.seen) if source not in ("hand", "open")]
    return numbered(case.position(engine), {source: line for line, source in enumerate(sources, 1)})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", PROVABLE)
def test_each_step_holds_by_itself_and_none_can_be_spared(shape: str, engine: str) -> None:
    random = Random(f"steps {shape}")  # noqa: S311  (play)
    proved = 0
    while proved < 15:
        position = staged(SHAPES[shape](random), ENGINES[engine])
        if not 0 < position.logic.total <= 400:
            continue
        claims = some_claims(position, random)
        if claims:
            assert_proves(position, claims, explained(position, claims), by_hand=shape != "whole hands")
            proved += 1


@pytest.mark.parametrize("table", TABLES)
def test_proofs_in_games_that_were_played(table: str) -> None:
    for position, claims in islice(cut(table, "steps"), 25):
        assert_proves(position, claims, explained(position, claims), by_hand=False)


# --- As a person would go ---------------------------------------------------------------------------------------------

HAND = ("Scarlet", "Mustard", "Rope", "LeadPipe", "Study", "Hall")


def clue(*seen: Evidence[Any, Any]) -> Known:
    """Lay a table of three at Clue: the solver sits in seat 0."""
    rules = [count("envelope", kind, 1, None) for kind in (SUSPECTS, WEAPONS, ROOMS)]
    position: Known = Position(PACK, {0: 6, 1: 6, 2: 6, "envelope": 3}, rules)
    return position.learn(has(0, HAND, GIVEN), *seen)


def told(position: Known, *claims: Claim[Any, Any]) -> list[tuple[str, tuple[int, ...], str, str]]:
    """Return a proof as kinds, lines, and what each rests on and settles, in short."""
    return [
        (step.kind + "!" * step.cases, step.lines, _short(step.rests), _short(step.settles))
        for step in explained(position, claims)
    ]


def _short(marks: Sequence[Mark]) -> str:
    return ", ".join(f"{mark.row} {'=' if mark.held else '!'} {mark.column}" for mark in marks)


def test_reading_a_card_off() -> None:
    assert told(clue(has(1, ["Wrench"], 1)), Claim("Wrench", 1)) == [("read", (1,), "", "Wrench = 1")]


def test_what_is_given_needs_no_step() -> None:
    assert told(clue(has(1, ["Wrench"], 1)), Claim("Rope", "envelope", held=False)) == []


def test_the_other_side_of_a_mark_is_no_step() -> None:
    position = clue(has(1, ["Wrench"], 1))

    assert told(position, Claim("Wrench", "envelope", held=False)) == [("read", (1,), "", "Wrench = 1")]


def test_a_line_with_marks() -> None:
    position = clue(lacks(1, ["Green", "Rope", "Lounge"], 1), some(1, ["Green", "Rope", "Kitchen"], 2))

    assert told(position, Claim("Kitchen", 1)) == [
        ("read", (1,), "", "Green ! 1"),
        ("line", (2,), "Green ! 1, Rope ! 1", "Kitchen = 1"),
    ]


def test_nobody_else_is_left() -> None:
    position = clue(lacks(1, ["Green", "Knife", "Lounge"], 1), lacks(2, ["Green", "Wrench", "Kitchen"], 2))

    assert told(position, Claim("Green", "envelope")) == [
        ("read", (1,), "", "Green ! 1"),
        ("read", (2,), "", "Green ! 2"),
        ("place", (), "Green ! 0, Green ! 1, Green ! 2", "Green = envelope"),
    ]


def test_only_one_of_a_kind_is_left() -> None:
    seen = [has(1, ["White", "Green"], 1), has(2, ["Peacock"], 2)]

    assert told(clue(*seen), Claim("Plum", "envelope"))[-1] == (
        "kind",
        (),
        "Scarlet ! envelope, Mustard ! envelope, White ! envelope, Green ! envelope, Peacock ! envelope",
        "Plum = envelope",
    )


def test_a_hand_is_full() -> None:
    known = ["White", "Knife", "Lounge", "Library", "Ballroom", "Kitchen"]

    assert told(clue(has(1, known, 1)), Claim("Green", 1, held=False)) == [
        ("read", (1,), "", ", ".join(f"{card} = 1" for card in known)),
        ("hand", (), ", ".join(f"{card} = 1" for card in known), "Green ! 1"),
    ]


def test_the_last_card_of_a_hand_is_the_one_that_was_shown() -> None:
    seen = [has(1, ["White", "Knife", "Lounge", "Library", "Ballroom"], 1), some(1, ["Green", "Wrench", "Kitchen"], 2)]
    steps = told(clue(*seen), Claim("Plum", 1, held=False))

    assert [step[:2] for step in steps] == [("read", (1,)), ("hand", (2,))]


def test_three_showed_one_of_the_same_three() -> None:
    trio = ["White", "Knife", "Lounge"]
    position: Known = Position(PACK, {1: 6, 2: 6, 3: 6, "envelope": 3})
    position = position.learn(some(1, trio, 1), some(2, trio, 2), some(3, trio, 3))

    assert told(position, Claim("White", "envelope", held=False)) == [
        ("group", (1, 2, 3), "", "White ! envelope"),
    ]


def test_two_lines_and_the_size_of_a_hand() -> None:
    seen = [
        has(1, ["White", "Knife", "Lounge", "Library"], 1),
        some(1, ["Green", "Wrench"], 2),
        some(1, ["Plum", "Candlestick"], 3),
    ]
    steps = told(clue(*seen), Claim("Peacock", 1, held=False))

    assert steps[-1] == (
        "together!",
        (2, 3),
        "White = 1, Knife = 1, Lounge = 1, Library = 1",
        "Peacock ! 1",
    )


def test_four_nines_and_five_of_two_rooms() -> None:
    """Four nines, two and one are placed: a nine is missing. Five of Restaurant and Sun deck, two and three placed."""
    nines, rooms = WITH["9"], (*WITH["Restaurant"], *WITH["SunDeck"])
    position: Known = Position(TILES, {0: 5, 1: 5, 2: 5, "missing": 1})
    position = position.learn(
        has(0, ["Restaurant-3", "SunDeck-3", "Restaurant-6", "Bar-3", "Bar-12"], GIVEN),
        count(1, nines, 2, 1),
        shows(1, "Bar-9", nines, 1),
        count(2, nines, 1, 2),
        count(1, rooms, 2, 3),
        count(2, rooms, 3, 4),
    )
    read, counted, placed, left = told(position, Claim("Library-9", "missing"))

    assert read == ("read", (1,), "", "Bar-9 = 1")
    assert counted[:3] == ("group", (1, 2), "Bar-9 ! 0, Restaurant-9 ! 0, SunDeck-9 ! 0, Library-9 ! 0")
    assert "9" not in counted[3]
    assert placed == (
        "group",
        (3, 4),
        "Restaurant-3 = 0, Restaurant-6 = 0, SunDeck-3 = 0",
        "Restaurant-9 ! missing, SunDeck-9 ! missing",
    )
    assert left[0] == "kind"
    assert left[3] == "Library-9 = missing"


def test_who_lied() -> None:
    """With the Rival an answer that cannot be true tells who has the asker's tile."""
    nines, tiles = WITH["9"], ["rival-Captain", "rival-Cook"]
    rules = [count(seat, TILES, 5, None) for seat in range(3)] + [lacks("box", TILES, None)]
    rules += [count("missing", TILES, 1, None)]
    sizes = {0: 6, 1: 6, 2: 5, "missing": 1}
    holders: dict[Any, int] = {**sizes, "box": 0}
    rules = [item for item in rules if item.holder in holders]
    position: Known = Position([*TILES, *tiles], holders, rules)
    lie = Evidence(1, nines, (0, 1, 0, 1, 0), 1, given="rival-Cook", otherwise=(0, 0, 1, 0, 0))
    position = position.learn(has(0, [*WITH["9"][:3], "Bar-3", "Bar-6"], GIVEN), lie)

    assert told(position, Claim("rival-Cook", 1)) == [
        ("line", (1,), "Bar-9 ! 1, Restaurant-9 ! 1, SunDeck-9 ! 1", "rival-Cook = 1"),
    ]


def test_what_does_not_follow_has_no_proof() -> None:
    with pytest.raises(NoProof, match="does not follow"):
        explained(clue(has(1, ["Wrench"], 1)), [Claim("Knife", 1)])


def test_lines_that_clash_prove_nothing() -> None:
    with pytest.raises(NoProof, match="cannot all be true"):
        explained(clue(lacks(1, ["Wrench"], 1), lacks(2, ["Wrench"], 2), has(1, ["Wrench"], 3)), [Claim("Knife", 1)])


# --- The same everywhere ----------------------------------------------------------------------------------------------


def digest(askings: Iterator[Asking], engine: Engine) -> str:
    """Return what comes out of some cases, as one number."""
    told = []
    for position, claims in askings:
        sizes = dict(zip(position.deal.holders, position.deal.capacities, strict=True))
        told.append(repr(explained(Position(position.deal.elements, sizes, position.evidence, engine), claims)))
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


@pytest.mark.parametrize("table", TABLES)
def test_both_engines_prove_in_the_same_way(table: str) -> None:
    number = 2 if table == "rival" else 6  # Python takes its time
    assert len({digest(islice(cut(table, "engines"), number), engine) for engine in ENGINES.values()}) == 1


def test_the_order_of_sets_makes_no_difference() -> None:
    program = (
        "from itertools import islice\n"
        "from tests.cases.played import cut\n"
        "from tests.cases.test_steps import digest\n"
        "from whodunit.deduce import best\n"
        "print(digest(islice(cut('perfect alibi', 'sets'), 8), best()))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(found) == 1
