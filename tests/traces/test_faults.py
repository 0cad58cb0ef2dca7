"""The invariant bites: every tell that is put back is found, and nothing is found without one."""

from collections.abc import Callable, Sequence
from typing import Final

import pytest

from tests.traces.cases import Case, alone, pairs, some
from tests.traces.faults import FAULTS
from tests.traces.house import Habits, Terms
from tests.traces.judge import locked_by_readers
from tests.traces.pairs import Pair
from tests.traces.trace import Entry, side_by_side
from whodunit.core.types import TABLE, Seat
from whodunit.room.pace import SOLO

QUIET: Final = (Habits(), Habits())
TAPPED: Final = (Habits(0), Habits(2_611))
LATE: Final = (Habits(thought=0), Habits(thought=20_017))


def clue(viewer: int = TABLE) -> Pair:
    """Return a question that somebody must answer in one way in one world, and can in several in the other."""
    pair = some("clue", {}, 3, viewer, 1)
    assert pair.tells
    return pair


def rivals() -> Pair:
    """Return a question to somebody who may be a liar with two numbers to choose from."""
    pair = some("perfect_alibi", {"rival": True}, 3, TABLE, 1)
    assert pair.tells
    return pair


def turn() -> Pair:
    return next(pairs("clue", {}, 3, TABLE, 1, asked=False))


def others(pair: Pair) -> tuple[Seat, ...]:
    """Return everybody but whoever asks."""
    return tuple(seat for seat in range(pair.setting.seats) if pair.move is None or seat != pair.move[0])


def among_bots(habits: tuple[Habits, Habits]) -> list[Case]:
    """Return a question of the one person among bots, at each pace for that."""
    found = (alone("clue", {}, 3, viewer, 1) for viewer in range(3))
    pair = next(pair for pair in found if pair is not None and pair.tells)
    return [Case(pair, Terms(pace, bots=others(pair)), habits) for pace in sorted(SOLO)]


SCENES: Final[dict[str, Callable[[], Sequence[Case]]]] = {
    "separate_habit_commit": lambda: [Case(clue(), Terms(), QUIET), Case(rivals(), Terms(), QUIET)],
    "early_return": lambda: [Case(clue(), Terms(bots=others(clue())), QUIET), *among_bots(QUIET)],
    "stored_at_the_tap": lambda: [Case(clue(), Terms(), TAPPED)],
    "notice_by_choice": lambda: [Case(clue(), Terms("slow"), QUIET), Case(rivals(), Terms("slow"), QUIET)],
    "answered_when_thought": lambda: [Case(clue(), Terms(bots=others(clue())), LATE), *among_bots(LATE)],
    "moved_when_thought": lambda: [Case(turn(), Terms(bots=turn().awaited), LATE)],
    "unpadded": lambda: [Case(clue(1), Terms("steady"), (Habits(0, 0, 0), Habits(0, 0, 1)))],
    "waited_for_by_choice": lambda: [Case(rivals(), Terms("unhurried"), QUIET)],
}
"""By fault: comparisons of which every one must find it."""


@pytest.mark.parametrize("fault", SCENES)
def test_a_tell_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in SCENES[fault]():
        case.check()  # without it there is nothing to find
        with monkeypatch.context() as patch:
            FAULTS[fault](patch)
            with pytest.raises(AssertionError):
                case.check()


def test_a_reader_who_waits_for_the_lock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(clue(), Terms(), QUIET)
    assert [locked_by_readers(run) for run in case.runs()] == [[], []]

    FAULTS["watch_under_the_lock"](monkeypatch)
    assert all(locked_by_readers(run) for run in case.runs())


def test_every_fault_has_a_scene() -> None:
    assert {*SCENES, "watch_under_the_lock"} == {*FAULTS}


def test_the_difference_is_shown_side_by_side() -> None:
    same, late = Entry(5, "lock", "taken"), Entry(9, "timer", "rung")
    shown = side_by_side([same, late], [same, late._replace(at=12)])

    assert [line[0] for line in shown.splitlines()] == [" ", "#"]
    assert "0.009 s  timer    rung" in shown
    assert "0.012 s  timer    rung" in shown
    assert side_by_side([same], [same]) == "the same"
