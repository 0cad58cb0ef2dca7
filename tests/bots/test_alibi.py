"""The players of every level at Perfect Alibi: every variant, interrupts, miscounts, and certified afterwards."""

from typing import Any

import pytest

from whodunit import arena, bots
from whodunit.core.rng import Stream
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.model import Announce, Confirm, Slam, TreacheryClaimed
from whodunit.table.case import Case
from whodunit.table.verify import verify

MIXED = ("mastermind", "detective", "rookie", "random")


def played(*levels: str, seed: str = "alibi", **options: Any) -> Case:
    return arena.play_case(arena.open_with_bots("perfect_alibi", levels, options, seed), lambda *_: None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rival": True},
        {"answer_mode": "by_hand", "bot_error_rate": 20},
        {"answer_mode": "by_hand", "unforgiving": True, "bot_error_rate": 20},
        {"answer_mode": "by_hand", "unforgiving": True, "rival": True, "bot_error_rate": 20},
        {"rival": True, "cook_optional": True, "last_question_protected": True, "lie_bounds": "literal"},
    ],
)
def test_every_level_plays_every_variant(options: dict[str, Any]) -> None:
    case = played(*MIXED, **options)

    assert case.outcome is not None
    assert [statement.holds for statement in verify(case)] == [True, True, True]
    assert [statement.holds for statement in arena.certify(case)] == [True] * 4


@pytest.mark.parametrize("seats", [3, 5])
def test_other_numbers_of_players(seats: int) -> None:
    assert played(*("detective", "rookie", "detective", "random", "rookie")[:seats], rival=True).outcome is not None


def test_the_same_seed_gives_the_same_moves() -> None:
    assert played(*MIXED, rival=True).batches == played(*MIXED, rival=True).batches


def test_bots_slam_though_nobody_waits_for_them() -> None:
    """A bot that is certain does not wait for its turn."""
    out_of_turn = 0
    for number in range(8):
        case = played("detective", "detective", "detective", seed=f"slam {number}")
        before = case.batches[-1]
        assert before.cause is not None
        if isinstance(before.cause.action, Slam):
            last = [batch for batch in case.batches[:-1] if batch.cause is not None][-1]
            out_of_turn += last.cause is not None
    assert out_of_turn > 4


def test_asking_whether_it_interrupts_changes_nothing() -> None:
    case = arena.open_with_bots("perfect_alibi", MIXED, {}, "asked")
    one, other = (arena.players_of(case)[0] for _ in range(2))
    for player in (one, other):
        player.see(case.table.update(0, case.events))
    for _ in range(5):
        one.interrupt()

    seat = case.awaiting[0]
    assert one._rng.below("next", 1 << 60) == other._rng.below("next", 1 << 60)  # type: ignore[attr-defined]
    assert seat in range(4)
    assert bots.seated("random", perfect_alibi, 0, b"").interrupt() is None


def test_bots_that_miscount_are_asked_to_confirm_or_caught() -> None:
    """ALIBI-69, 70: a clash is what the Unforgiving variant lives on."""
    kinds: set[type] = set()
    for number in range(6):
        for unforgiving in (False, True):
            options = {"answer_mode": "by_hand", "bot_error_rate": 30, "unforgiving": unforgiving}
            case = played("detective", "detective", "detective", seed=f"errs {number}", **options)
            kinds |= {type(event) for event in case.events}
            kinds |= {type(batch.cause.action) for batch in case.batches if batch.cause is not None}
    assert {Confirm, TreacheryClaimed, Announce} <= kinds


def test_without_errors_nobody_doubts() -> None:
    case = played("detective", "detective", "rookie", answer_mode="by_hand", rival=True)

    assert not any(isinstance(batch.cause.action, Confirm) for batch in case.batches if batch.cause is not None)
    assert Stream(b"").below("x", 1) == 0
