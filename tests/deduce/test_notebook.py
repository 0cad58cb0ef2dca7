"""Notes on a deal: what was seen is told apart from what follows, and whatever is certain has a proof."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest

from whodunit.core.notes import Assistance, Sheet
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import Event, Message
from whodunit.deduce import Evidence, HandEvidence, Position, count, has, lacks, notebook, shows, some
from whodunit.deduce.flow import Flow, Held, Lacked, Swapped
from whodunit.deduce.notebook import Known, Seen

Holder: TypeAlias = int | str

CARDS = ("a", "b", "c", "d", "e")
HOLDERS: dict[Holder, int] = {0: 2, 1: 2, "solution": 1}
START: Position[str, Holder] = Position(CARDS, HOLDERS)
MINE = START.learn(has(0, ["a", "b"], "hand"))


class Happened(Event, frozen=True):
    """Any event."""

    name: str


def tell(event: Happened) -> Message:
    return Message(event.name)


def notes(position: Position[str, Holder], level: Assistance) -> Sheet:
    deal = position.deal
    return notebook.sheet(position, deal.elements, deal.holders, notebook.seen_in(position), level, 7)


def marks(sheet: Sheet, source: str) -> set[tuple[str, str, str | None]]:
    return {(cell.row, cell.column, cell.mark) for cell in sheet.cells if cell.source == source}


def nobody_else(card: str, holder: str) -> set[tuple[str, str, str | None]]:
    return {(card, column, "yes" if column == holder else "no") for column in map(str, HOLDERS)}


def test_the_own_hand_is_seen_and_so_is_what_it_lacks() -> None:
    facts = notes(MINE, "facts")

    assert facts.seq == 7
    assert marks(facts, "seen") == {
        *nobody_else("a", "0"),
        *nobody_else("b", "0"),
        *((card, "0", "no") for card in "cde"),
    }
    assert len(facts.cells) == len(marks(facts, "seen"))
    assert not any(cell.share is not None for cell in facts.cells)


def test_what_follows_is_marked_as_following() -> None:
    known = MINE.learn(lacks(1, ["c"], 3))
    sheet = notes(known, "logic")

    assert [(cell.row, cell.column) for cell in sheet.cells] == [(c, str(h)) for c in CARDS for h in HOLDERS]
    assert ("c", "1", "no") in marks(sheet, "seen")
    assert marks(sheet, "follows") == {
        ("c", "solution", "yes"),
        *((card, "solution", "no") for card in "de"),
        *((card, "1", "yes") for card in "de"),
    }
    assert marks(notes(known, "facts"), "seen") == marks(sheet, "seen")
    assert (sheet.worlds, sheet.clash) == (None, ())


def test_shares_say_how_likely_the_rest_is_and_worlds_are_counted() -> None:
    sheet = notes(MINE.learn(some(1, ["c", "d"], 3)), "probabilities")
    cells = {(cell.row, cell.column): cell for cell in sheet.cells}

    assert sheet.worlds == "3"
    assert cells["a", "0"].share == 1.0
    assert cells["a", "solution"].share == 0.0
    assert cells["e", "solution"].share == pytest.approx(1 / 3)
    assert all((cell.share in (0.0, 1.0)) == (cell.mark is not None) for cell in sheet.cells)
    assert all((cell.source is None) == (cell.mark is None) for cell in sheet.cells)


@pytest.mark.parametrize("level", ["facts", "logic", "probabilities"])
def test_a_clash_leaves_nothing_but_the_events_that_cannot_all_be_right(level: Assistance) -> None:
    sheet = notes(MINE.learn(has(1, ["c"], 3), has("solution", ["d"], 4), lacks(1, ["c"], 6)), level)
    own = notes(MINE.learn(has(1, ["a"], 9)), level)

    assert sheet == Sheet(7, clash=(3, 6))
    assert own == Sheet(7, clash=(9,))  # the own hand is no event


def test_a_card_that_was_shown_is_nowhere_else() -> None:
    seen = notebook.seen_in(START.learn(shows(1, "c", CARDS, 3)))

    assert seen == {("c", 0): "no", ("c", 1): "yes", ("c", "solution"): "no"}


@pytest.mark.parametrize(
    "item",
    [
        count("solution", CARDS, 1, None),
        has(1, ["c"], None),
        some(1, ["c", "d"], 3),
        Evidence(1, ("c", "d"), (3, 2, 1), 3),
        HandEvidence(1, lambda hand: int("c" in hand), 3),
    ],
)
def test_rules_and_what_leaves_a_choice_show_nothing(item: Evidence[str, Holder]) -> None:
    assert notebook.seen_in(START.learn(item)) == {}


def test_what_holds_only_under_a_condition_shows_nothing() -> None:
    liar: Evidence[str, Holder] = Evidence(1, ("c",), (1, 0), 3, given="e", otherwise=(0, 1))
    known = START.learn(liar)

    assert notebook.seen_in(known, conditions=["e"]) == {}
    assert notebook.seen_in(known) != {}  # who shows a card has it


def test_an_entry_is_found_by_what_the_sheet_calls_it() -> None:
    assert notebook.entry(CARDS, HOLDERS, "c", "1") == ("c", 1)
    assert notebook.entry([11, 12], HOLDERS, "12", "solution") == (12, "solution")
    assert notebook.entry(CARDS, HOLDERS, "f", "1") is None
    assert notebook.entry(CARDS, HOLDERS, "c", "2") is None


def flow() -> Flow[str, Holder]:
    return Flow(CARDS, HOLDERS).learn(Held(0, ("a", "b"), "hand"), Lacked(1, ("c",), 1))


@pytest.mark.parametrize("known", [MINE.learn(lacks(1, ["c"], 1)), flow()])
def test_a_proof_is_told_by_what_was_seen_whether_a_card_is_there_or_not(known: Known[str, Holder]) -> None:
    seen: Sequence[Event] = [Happened(name="passed")]
    where = notebook.proof(known, "c", "solution", seen, tell)
    where_not = notebook.proof(known, "c", 1, seen, tell)

    assert where is not None
    assert where_not is not None
    assert [reason.message.key for reason in where.reasons] == ["why.hand", "passed"]
    assert [(reason.message.key, reason.seq) for reason in where_not.reasons] == [("passed", 1)]


def test_what_is_open_has_no_proof() -> None:
    assert notebook.proof(MINE, "c", 1, [], tell) is None


def test_notes_on_a_flow_are_as_of_now() -> None:
    seen: Seen[str, Holder] = {("a", 0): "yes"}
    before = notebook.sheet(flow(), CARDS, HOLDERS, seen, "probabilities", 7)
    after = notebook.sheet(flow().learn(Swapped(0, 1, 1, 2)), CARDS, HOLDERS, seen, "probabilities", 7)

    assert marks(before, "follows") >= {("b", "0", "yes"), ("c", "solution", "yes")}
    assert ("b", "0", "yes") not in marks(after, "follows")
    assert marks(before, "seen") == marks(after, "seen") == {("a", "0", "yes")}  # the game's word
    assert (before.worlds, after.worlds) == ("1", "4")


def test_one_of_the_things_told_is_forgotten_even_if_another_says_the_same() -> None:
    told: list[Evidence[str, Holder]] = [lacks(1, ["c"], 3), lacks(1, ["c"], 3), lacks("solution", ["d"], 4)]
    known = MINE.learn(*told)
    forgot = notebook.forget(known, told, StackedRng(b"", 1, {"forgotten": 1}))

    assert forgot == MINE.learn(told[0], told[2])
    assert forgot.evidence[1] is told[0]
    assert known == MINE.learn(*told)


def test_a_flow_forgets_in_the_same_way() -> None:
    shown: Held[str, Holder] = Held(1, ("d",), 2)
    twin: Held[str, Holder] = Held(1, ("d",), 2)
    known = flow().learn(shown, twin)

    assert notebook.forget(known, [shown], Rng(b"", 1)) == flow().learn(shown)
    assert notebook.forget(known, [], Rng(b"", 1)) is known
