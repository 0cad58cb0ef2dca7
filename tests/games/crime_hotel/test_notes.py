"""What the notes of Crime Hotel write by themselves, and why."""

from typing import Any

import pytest

from tests.games.crime_hotel.staging import Staged, parked, stage
from tests.games.crime_hotel.test_evidence import of
from whodunit.core.notes import Assistance
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Message, Seat
from whodunit.games import crime_hotel
from whodunit.games.crime_hotel.evidence import belief
from whodunit.games.crime_hotel.model import Exchange, Look

pytestmark = pytest.mark.rules


def marks(game: Staged, seat: Seat, level: Assistance) -> dict[tuple[str, str], Any]:
    sheet = of(game, seat).sheet(level)
    return {(cell.row, cell.column): (cell.mark, cell.source) for cell in sheet.cells if cell.mark}


def looked() -> Staged:
    return parked().guess(2, "room 27").draw("look 1.1", 2, 29).play(1, Look(2))


def test_on_paper_nothing_writes_itself() -> None:
    assert marks(looked(), 1, "paper") == {}
    assert belief(0).sheet("probabilities").cells == ()
    assert belief(0).proof("11", "0", []) is None


def test_facts_are_the_own_hand_open_cards_voids_and_cards_seen() -> None:
    facts = marks(looked(), 1, "facts")

    assert facts["18", "1"] == ("yes", "seen")
    assert facts["18", "hidden"] == ("no", "seen")
    assert facts["12", "1"] == ("no", "seen")
    assert facts["11", "open"] == ("yes", "seen")
    assert facts["11", "0"] == ("no", "seen")
    assert facts["12", "open"] == ("no", "seen")
    assert facts["12", "2"] == ("no", "seen")
    assert facts["29", "2"] == ("yes", "seen")
    assert facts["29", "0"] == ("no", "seen")
    assert ("28", "2") not in facts


def test_an_exchange_is_noted_by_those_who_made_it() -> None:
    game = parked().guess(2, "room 27").draw("exchange 1.1", 0, 14).play(1, Exchange(0, (18,)))

    for seat in (0, 1):
        facts = marks(game, seat, "facts")
        assert facts["18", "0"] == facts["14", "1"] == ("yes", "seen")
        assert facts["18", "1"] == facts["14", "0"] == ("no", "seen")
    assert ("18", "0") not in marks(game, 2, "facts")


def test_what_an_exchange_undoes_is_noted_no_longer() -> None:
    """HOTEL-13, HOTEL-31."""
    game = parked().guess(2, "room 27")
    assert marks(game, 0, "facts")["18", "2"] == ("no", "seen")
    game.draw("exchange 1.1", 2, 25).play(1, Exchange(2, (18,)))

    assert ("18", "2") not in marks(game, 0, "facts")
    assert ("18", "2") not in marks(game, 0, "logic")


def test_logic_says_what_follows() -> None:
    game = stage(rounds=1).cards(11, 13, 15)
    logic = marks(game, 0, "logic")

    assert logic["12", "0"] == ("yes", "seen")
    assert set(marks(game, 0, "facts").items()) <= set(logic.items())
    alone = stage(["11 12", "13 21", "31 32"], 22, rounds=1).cards(11, 13, 31).guess(2, "room 32")
    assert marks(alone, 0, "logic")["32", "open"] == ("no", "seen")
    alone.draw("look 1.1", 2, 32).play(1, Look(2))
    assert marks(alone, 1, "logic")["22", "2"] == ("no", "follows")  # whose only card is 32
    assert ("22", "2") not in marks(alone, 1, "facts")
    assert {cell.share for cell in of(alone, 1).sheet("logic").cells} == {None}


def test_shares_add_up_and_totals_are_told() -> None:
    game = looked()
    known = of(game, 1)
    sheet = known.sheet("probabilities")

    for card in ("28", "12", "39", "11"):
        shares = [cell.share for cell in sheet.cells if cell.row == card]
        assert sum(share for share in shares if share is not None) == pytest.approx(1)
    assert len(sheet.cells) == 27 * 5
    assert sheet.worlds == str(known.logic.total)
    assert sheet.solutions == len(known.rooms())
    assert sheet.bits == known.entropy()
    assert sheet.assumes == known.assumes()
    assert known.sheet("logic").assumes == ()
    assert (known.sheet("logic").worlds, known.sheet("logic").bits, known.sheet("logic").solutions) == (None,) * 3
    assert sheet.seq == known.sheet("facts").seq == len(game.events)


def test_a_proof_names_the_log_lines_it_rests_on() -> None:
    game = looked()
    known = of(game, 1)

    def proof(row: str, column: str) -> list[Any] | None:
        found = known.proof(row, column, game.seen(1))
        return None if found is None else [(step.message.key, step.seq) for step in found.reasons]

    assert proof("29", "2") == [("looked.seen", len(game.events))]
    assert proof("18", "1") == [("why.hand", None)]
    assert proof("12", "open") == [("why.dark", None)]
    assert proof("31", "open") == [("rooms_lit", 7)]
    assert proof("11", "0") == [("card_played", 9)]
    assert proof("12", "2") == [("card_played.lacking", 11)]
    assert proof("28", "2") is None
    assert proof("28", "nobody") is None
    assert proof("10", "2") is None
    assert known.proof("29", "2", game.seen(1)).grade == 1  # type: ignore[union-attr]
    assert known.proof("11", "0", game.seen(1)).grade == 1  # type: ignore[union-attr]


def test_spectators_have_notes_too() -> None:
    facts = marks(looked(), TABLE, "facts")

    assert facts["12", "2"] == ("no", "seen")
    assert ("29", "2") not in facts
    assert all(column != str(TABLE) for _, column in facts)


def test_by_habit_anything_is_done_that_is_on_offer() -> None:
    game = parked()
    action = crime_hotel.habit(game.view(2), 2, game.seen(2), Rng(b"habit", 1))

    assert game.can(2, action)
    assert Message("why.dark").params == {}
