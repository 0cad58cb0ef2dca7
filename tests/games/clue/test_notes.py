"""What the notes of Clue write by themselves, why, and what an asked seat answers by habit."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.clue.staging import Staged, entered
from whodunit.core.notes import Assistance, Sheet
from whodunit.core.rng import Rng
from whodunit.core.types import Seat, StandingOrder
from whodunit.games import clue
from whodunit.games.clue.evidence import Belief
from whodunit.games.clue.model import CannotShow, CardShown, Show, Suggest

HANDS = ("Scarlet Rope Study", "Mustard Knife Hall", "Green Wrench Lounge")
ASKED = Suggest("Green", "Wrench", "Kitchen")


def belief_of(game: Staged, seat: Seat) -> Belief:
    belief = clue.belief(seat)
    for event in game.seen(seat):
        belief = belief.learn(event)
    return belief


def marks(game: Staged, seat: Seat, level: Assistance) -> dict[tuple[str, str], Any]:
    sheet: Sheet = belief_of(game, seat).sheet(level)
    return {(cell.row, cell.column): (cell.mark, cell.source) for cell in sheet.cells if cell.mark}


def asked() -> Staged:
    """Seat 0 has asked; seat 1 could not show, seat 2 has shown the Wrench."""
    game = entered("Kitchen", HANDS, "Peacock Revolver Kitchen")
    return game.play(0, ASKED).play(1, CannotShow()).play(2, Show("Wrench"))


def test_on_paper_nothing_writes_itself() -> None:
    assert marks(asked(), 0, "paper") == {}


def test_facts_are_the_own_hand_passes_and_cards_seen_and_no_more() -> None:
    facts = marks(asked(), 0, "facts")

    assert facts["Scarlet", "0"] == ("yes", "seen")
    assert facts["Scarlet", "envelope"] == ("no", "seen")
    assert facts["Peacock", "0"] == ("no", "seen")
    assert facts["Wrench", "2"] == ("yes", "seen")
    assert facts["Wrench", "1"] == ("no", "seen")
    assert facts["Green", "1"] == ("no", "seen")
    assert ("Green", "2") not in facts


def test_a_bystander_notes_the_pass_but_not_the_card() -> None:
    facts = marks(asked(), 1, "facts")

    assert ("Wrench", "2") not in facts
    assert ("Green", "2") not in facts
    assert facts["Kitchen", "1"] == ("no", "seen")


def test_logic_says_what_follows_and_knows_it_from_what_was_seen() -> None:
    game = entered("Lounge", HANDS, "Peacock Revolver Kitchen")
    game.play(0, Suggest("Scarlet", "Rope", "Lounge")).play(1, CannotShow()).play(2, Show("Lounge"))
    logic = marks(game, 1, "logic")  # seat 1 holds none of them, and seat 2 showed one

    assert logic["Lounge", "1"] == ("no", "seen")
    assert all(mark == ("no", "seen") for (_, holder), mark in logic.items() if holder == "1" and mark[0] == "no")
    alone = marks(asked(), 0, "logic")
    assert {source for _, source in alone.values()} == {"seen"}
    assert set(marks(asked(), 0, "facts").items()) <= set(alone.items())


def test_shares_add_up_and_are_exact_only_beside_a_mark() -> None:
    sheet = belief_of(asked(), 0).sheet("probabilities")

    for card in ("Green", "Peacock", "Revolver"):
        shares = [cell.share for cell in sheet.cells if cell.row == card]
        assert sum(share for share in shares if share is not None) == pytest.approx(1)
    assert sheet.worlds == str(belief_of(asked(), 0).logic.total)
    assert sheet.solutions == len(belief_of(asked(), 0).solution())
    assert sheet.bits == belief_of(asked(), 0).entropy()


def test_a_proof_names_the_log_lines_it_rests_on() -> None:
    game = asked()
    proof = belief_of(game, 0).proof("Wrench", "2", game.seen(0))

    assert proof is not None
    seq = 1 + next(number for number, event in enumerate(game.events) if isinstance(event, CardShown))
    assert [(step.message.key, step.seq) for step in proof.reasons] == [("card_shown.seen", seq)]
    assert belief_of(game, 0).proof("Green", "2", game.seen(0)) is None
    assert belief_of(game, 0).proof("Green", "nobody", game.seen(0)) is None
    assert belief_of(game, 0).proof("Umbrella", "2", game.seen(0)) is None


def test_by_habit_a_card_that_the_asker_has_seen_is_shown_again() -> None:
    game = asked()
    again = entered("Kitchen", HANDS, "Peacock Revolver Kitchen").play(0, ASKED).play(1, CannotShow())

    habits = {clue.habit(again.view(2), 2, game.seen(2), Rng(b"habit", n)) for n in range(40)}
    assert habits == {Show("Wrench")}
    habits = {clue.habit(again.view(2), 2, again.seen(2), Rng(b"habit", n)) for n in range(40)}
    assert habits == {Show("Green"), Show("Wrench")}


def test_by_order_what_most_others_have_seen_is_shown() -> None:
    game = asked()
    again = entered("Kitchen", HANDS, "Peacock Revolver Kitchen").play(0, ASKED).play(1, CannotShow())
    elsewhere = [replace(event, to=1) if isinstance(event, CardShown) else event for event in game.seen(2)]

    def shown(order: StandingOrder | None, events: Sequence[Any]) -> set[Any]:
        return {clue.habit(again.view(2), 2, events, Rng(b"habit", n), order) for n in range(40)}

    assert shown("least", game.seen(2)) == {Show("Wrench")}  # the asker has seen it
    assert shown("least", elsewhere) == {Show("Wrench")}
    assert shown("seen", elsewhere) == shown(None, elsewhere) == {Show("Green"), Show("Wrench")}
    assert shown("least", again.seen(2)) == {Show("Green"), Show("Wrench")}


def test_by_habit_who_has_nothing_passes() -> None:
    game = entered("Kitchen", HANDS, "Peacock Revolver Kitchen").play(0, ASKED)

    assert clue.habit(game.view(1), 1, game.seen(1), Rng(b"habit", 1)) == CannotShow()
