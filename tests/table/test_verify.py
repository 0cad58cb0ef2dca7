"""The honest-dealer check: three statements, and a forger is caught by the right one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.table.playing import any_step, opened, played
from whodunit import load, save
from whodunit.core.types import Batch, Cause
from whodunit.games.clue.facts import PACK
from whodunit.games.clue.model import CardShown, DiceThrown, EndTurn, HandDealt, Moved, Show
from whodunit.table.case import Case
from whodunit.table.seal import Seal
from whodunit.table.verify import verify


def verdicts(case: Case) -> list[bool | None]:
    return [statement.holds for statement in verify(case)]


def forged(case: Case, path: Path, which: type, change: Callable[[Batch], Batch]) -> tuple[Case, Batch]:
    """Change the first batch that holds such an event, and save it with a chain of checks that fits."""
    index = next(i for i, batch in enumerate(case.batches) if any(isinstance(e, which) for e in batch.events))
    batches = list(case.batches)
    batches[index] = change(batches[index])
    assert batches[index] != case.batches[index]
    save(replace(case, batches=tuple(batches)), path)
    return load(path), case.batches[index]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.case"


@pytest.mark.parametrize("seats", [2, 4])
def test_an_honest_case_stands_in_all_three(seats: int) -> None:
    case = played(seats, salts=("a", "b"))

    assert verdicts(case) == [True, True, True]


def test_an_abandoned_case_with_a_move_taken_back_stands_too() -> None:
    case = any_step(any_step(opened())).undo(0).close()

    assert verdicts(case) == [True, True, True]


def test_another_secret_does_not_fit_the_commitment() -> None:
    case = replace(played(), seal=Seal.from_seed("another"))

    assert verdicts(case)[0] is False


def test_another_salt_changes_every_draw() -> None:
    case = played(salts=("a",))
    case = replace(case, header=replace(case.header, salts=("b",)))

    assert verdicts(case)[:2] == [True, False]


def test_a_tampered_draw_is_named(path: Path) -> None:
    def change(batch: Batch) -> Batch:
        (draw,) = batch.draws
        assert isinstance(draw.result, int)
        return replace(batch, draws=(replace(draw, result=(draw.result + 1) % 6),))

    case, was = forged(played(), path, DiceThrown, change)
    _, draws, events = verify(case)

    assert draws.holds is False
    assert draws.text.startswith(f"event {was.seq}: the draw 'die 1' has been changed")
    assert events.holds is False


def test_a_draw_made_twice_or_of_no_kind_is_named(path: Path) -> None:
    case, was = forged(played(), path, DiceThrown, lambda batch: replace(batch, draws=batch.draws * 2))
    assert verify(case)[1].text == f"event {was.seq}: 'die 1' has been drawn twice"

    bent = replace(was.draws[0], kind="guess")
    case, was = forged(played(), path, DiceThrown, lambda batch: replace(batch, draws=(bent,)))
    assert verify(case)[1].text.startswith(f"event {was.seq}: the draw 'die 1' is none")


def test_a_tampered_event_is_named(path: Path) -> None:
    def change(batch: Batch) -> Batch:
        (thrown,) = batch.events
        assert isinstance(thrown, DiceThrown)
        return replace(batch, events=(replace(thrown, dice=(7 - thrown.dice[0],)),))

    case, was = forged(played(), path, DiceThrown, change)
    _, draws, events = verify(case)

    assert draws.holds is True
    assert events.holds is False
    assert events.text.startswith(f"event {was.seq}: Roll() of seat 0 gives {was.events[0]}, the file says DiceThrown(")


def test_a_tampered_deal_is_named(path: Path) -> None:
    def change(batch: Batch) -> Batch:
        events = list(batch.events)
        index, dealt = next((i, e) for i, e in enumerate(events) if isinstance(e, HandDealt))
        assert dealt.cards is not None
        other = next(card for card in PACK if card not in dealt.cards)
        events[index] = replace(dealt, cards=(other, *dealt.cards[1:]))
        return replace(batch, events=tuple(events))

    case, _ = forged(played(), path, HandDealt, change)
    _, draws, events = verify(case)

    assert draws.holds is True
    assert events.text.startswith("event 4: setting up gives HandDealt(")


def test_a_tampered_action_is_named(path: Path) -> None:
    case, was = forged(played(), path, Moved, lambda batch: replace(batch, cause=Cause(0, EndTurn())))
    told = verify(case)[2]
    assert told.holds is False
    assert told.text.startswith(f"event {was.seq}: its action has been changed: seat 0 may not do EndTurn() now")

    def show_another(batch: Batch) -> Batch:
        assert batch.cause is not None
        assert isinstance(batch.cause.action, Show)
        other = next(card for card in PACK if card != batch.cause.action.card)
        return replace(batch, cause=replace(batch.cause, action=Show(other)))

    case, was = forged(played(seed="with a card shown", max_turns=200), path, CardShown, show_another)
    told = verify(case)[2]
    assert told.holds is False
    assert told.text.startswith(f"event {was.seq}: ")


def test_an_action_of_somebody_else_is_named(path: Path) -> None:
    case, was = forged(played(), path, Moved, lambda batch: replace(batch, cause=None))

    assert verify(case)[2].text.startswith(f"event {was.seq}: ")


def test_other_rules_are_not_comparable(path: Path) -> None:
    case = played()
    save(replace(case, header=replace(case.header, rules=0)), path)
    statements = verify(load(path))

    assert [statement.holds for statement in statements] == [True, True, None]
    assert statements[2].text.endswith("not comparable")


def test_the_seed_needs_house_and_seats() -> None:
    seal = Seal.from_seed(7)

    assert seal.seed(("a", "b")) != seal.seed(("a", "c"))
    assert seal.seed(("ab", "")) != seal.seed(("a", "b"))
    assert Seal.from_seed(7) == seal
    assert Seal.from_seed(8).commitment != seal.commitment
    assert seal.secret not in seal.commitment
