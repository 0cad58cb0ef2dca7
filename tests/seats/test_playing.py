"""Bots of one's own play whole games: they interrupt if they want to, and a player in Python plays as it would here."""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.seats.test_slips import AMPLE_S, ROOT, SHORT_S, WRONG, program
from whodunit import arena, bots, games
from whodunit.bots.random import Random
from whodunit.core.types import Action, Seat
from whodunit.seats.own import LIVES, Own, Slips
from whodunit.seats.program import Program
from whodunit.table.case import Case
from whodunit.table.table import Table
from whodunit.table.verify import verify

WALKER = re.search(r"class Walker.*?(?=\n\n\n)", (ROOT / "docs" / "library.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def played(
    game: str, *levels: str, seed: str = "7", move_s: float = AMPLE_S, **options: Any
) -> tuple[Case, dict[Seat, Slips]]:
    case = arena.open_with_bots(game, levels, options, seed)
    with arena.seating(case, levels, move_s) as players:
        case = arena.play_case(case, lambda *_: None, players, arena.LONGEST)
    return case, {seat: player.slips for seat, player in players.items() if isinstance(player, Own)}


# --- Players in Python ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options"),
    [("clue", {"max_turns": 12}), ("perfect_alibi", {}), ("crime_hotel", {"investigations": 1}), ("arosa", {})],
)
def test_a_player_plays_by_lines_as_it_plays_in_the_house(game: str, options: dict[str, Any]) -> None:
    """All that it is told must be the same, interrupts included: one draw more or less, and it plays otherwise."""
    here, _ = played(game, "detective", "rookie", "rookie", **options)
    there, slips = played(game, "tests.seats.players:Detective", "rookie", "rookie", **options)

    assert there.batches == here.batches
    assert slips[0].decisions >= sum(batch.cause is not None and batch.cause.seat == 0 for batch in here.batches) > 2
    assert slips[0].first == ""


@pytest.mark.parametrize("game", games.ids())
def test_the_walker_of_the_library_page_plays_every_game(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert WALKER is not None
    (tmp_path / "walking.py").write_text(f"import whodunit\n\n\n{WALKER[0]}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    seats = games.get(game).INFO.seats[0]
    todo = arena.matches(game, ["walking:Walker", *["rookie"] * (seats - 1)], seats, "7", {}, move_s=AMPLE_S)
    done = [arena.play(match) for match in todo[:2]]

    (slips,) = arena.slips(done).values()
    assert slips == Slips(decisions=slips.decisions)
    assert slips.decisions > 2
    assert not any(result.unfinished for result in done)


# --- Interrupts -------------------------------------------------------------------------------------------------------


def alibi(way: str, notes: Path, move_s: float = AMPLE_S) -> tuple[Case, Slips, Counter[str]]:
    """Play Perfect Alibi; return it, what went wrong, and how often the bot was asked for what."""
    case, slips = played("perfect_alibi", program(way, notes), "rookie", "rookie", move_s=move_s)
    told = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]
    return case, slips[0], Counter(line["asks"] for line in told)


def test_who_does_not_interrupt_is_never_asked_to(notes: Path) -> None:
    case, slips, asked = alibi("right", notes)

    assert asked.keys() == {"hello", "act", None}
    assert slips == Slips(decisions=asked["act"])
    assert case.outcome is not None


def test_who_wants_to_be_asked_is_asked_after_every_event_and_may_decline(notes: Path, tmp_path: Path) -> None:
    without, _, _ = alibi("right", tmp_path / "others")
    case, slips, asked = alibi("patient interrupter", notes)

    assert case.batches == without.batches
    assert asked["interrupt"] > asked["act"] > 2
    assert slips == Slips(decisions=asked["act"] + asked["interrupt"])


def test_an_interrupt_is_done_though_nobody_waits_for_the_seat(notes: Path) -> None:
    case, slips, asked = alibi("hasty interrupter", notes)
    interrupts = case.table.game.INFO.interrupts
    table, waited_for = Table(case.table.game, 3, b""), []
    for batch in case.batches:
        if batch.cause is not None and batch.cause.seat == 0 and type(batch.cause.action) in interrupts:
            waited_for.append(0 in table.awaiting)
        table = table.grow(batch)

    assert asked["interrupt"] == 1
    assert slips == Slips(decisions=asked["act"] + asked["interrupt"])
    assert waited_for == [False]


def test_who_is_late_with_interrupts_is_waited_for_no_more_often_than_it_has_lives(notes: Path) -> None:
    case, slips, asked = alibi("late interrupter", notes, SHORT_S)

    assert asked["interrupt"] == asked["hello"] == LIVES
    assert slips.late == slips.decisions - asked["act"]
    assert case.outcome is not None


def test_a_beginning_that_fails_is_counted_also_where_an_interrupt_was_to_be_asked_for(notes: Path) -> None:
    case, _, _ = alibi("right", notes.with_suffix(".before"))
    game, table, interrupts = case.table.game, Table(case.table.game, 3, b""), case.table.game.INFO.interrupts
    for batch in case.batches:
        table = table.grow(batch)
        if any(offer.action in interrupts for offer in table.offers[0]):
            break
    bot = Own(Program([sys.executable, "-S", str(WRONG), "stillborn once", str(notes)]), game, 0, b"", AMPLE_S)
    bot.see(table.update(0, [event for batch in case.batches for event in batch.events][: table.seq]))

    assert bot.interrupt() is None
    assert bot.slips == Slips(decisions=1, crashed=1, first=bot.slips.first)
    assert bot.slips.first.endswith("crashed: ended with status 1: it never lived")
    assert bot.act() in [action for offer in table.offers[0] for action in offer.actions()]
    assert bot.slips == Slips(decisions=2, crashed=1, first=bot.slips.first)
    bot.close()


class Polled(Random):
    """Notes that it is asked, and interrupts as soon as it can and may."""

    asked: ClassVar[list[Seat]] = []
    may_interrupt: ClassVar[bool] = False

    def interrupt(self) -> Action | None:
        self.asked.append(self.seat)
        urgent = [offer for offer in self.update.offers if offer.action in self.game.INFO.interrupts]
        return urgent[0].at(0) if urgent and self.may_interrupt else None


@pytest.mark.parametrize("may_interrupt", [False, True])
def test_all_are_asked_clockwise_and_who_is_first_moves_on_with_every_action(
    may_interrupt: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Seat] = []
    monkeypatch.setattr(Polled, "asked", asked)
    monkeypatch.setattr(Polled, "may_interrupt", may_interrupt)
    case = arena.open_with_bots("perfect_alibi", ["random"] * 4, {}, "7")
    players = {seat: Polled(case.table.game, seat, b"%d" % seat) for seat in range(4)}
    case = arena.play_case(case, lambda *_: None, players, 40)

    causes = [batch.cause for batch in case.batches if batch.cause is not None]
    interrupts = [nth for nth, cause in enumerate(causes, 1) if type(cause.action) in case.table.game.INFO.interrupts]
    calm = interrupts[0] if interrupts else 40  # before so many actions nobody interrupted, so all were asked
    assert asked[: 4 * (calm - 1)] == [(nth + place) % 4 for nth in range(1, calm) for place in range(4)]
    assert bool(interrupts) is may_interrupt
    if interrupts:
        assert causes[calm - 1].seat == calm % 4 == asked[4 * (calm - 1)]


def test_an_interrupt_must_be_one(notes: Path, tmp_path: Path) -> None:
    without, _, _ = alibi("right", tmp_path / "others")
    case, slips, _ = alibi("pushing interrupter", notes)

    assert slips.illegal > 0
    assert "illegal: seat 0 may not do " in slips.first
    assert case.batches == without.batches


# --- The case ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    notes = tmp_path_factory.mktemp("case") / "notes"
    return played("crime_hotel", program("right", notes), "rookie", "rookie", investigations=1)[0]


def test_a_case_says_that_somebodys_own_bot_played(case: Case) -> None:
    assert [(bot.seat, bot.level) for bot in case.header.bots] == [(0, bots.OWN), (1, "rookie"), (2, "rookie")]
    assert sys.executable.encode() not in repr(case.header).encode()


def test_it_is_certified_as_far_as_it_can_be(case: Case) -> None:
    own, *others = arena.certify(case)

    assert own.holds is None
    assert own.text == ("a bot of somebody's own played in seat 0, which cannot be run again here: not comparable")
    assert [statement.holds for statement in others] == [True, True]
    assert [statement.holds for statement in verify(case)] == [True, True, True]


def test_whom_it_does_not_name_nobody_can_seat_again(case: Case) -> None:
    with pytest.raises(LookupError, match="there is no player 'own'; there is: random, "):
        arena.players_of(case)
