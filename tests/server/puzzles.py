"""Cases to solve for tests: real ones of Clue, others that differ in what is secret alone; houses to solve them in."""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.server.client import Refused
from tests.server.sites import FakeClock, Here, Page, Parlour
from whodunit.cases.mining import mine
from whodunit.cases.puzzle import Made, Puzzle, puzzle_of
from whodunit.core.cutting import Entry
from whodunit.core.ports import Store
from whodunit.core.wire import encode
from whodunit.server import case_frames, case_work
from whodunit.server.app import Site
from whodunit.server.attempts import begins_at
from whodunit.server.fair_queue import Claim
from whodunit.server.workers import Workers

GAME = "clue"


@cache
def clue(day: str, number: int = 0) -> Puzzle:
    """Return a case of a day, with at least one line before its par and one after it."""
    made = Made(f"test {day}", 1, 1)
    for found in mine(GAME, f"{day} {number}", ["trio"]):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if puzzle is not None and 2 < puzzle.par < puzzle.posed.total:
            return puzzle
    raise AssertionError("mining has no end")


def with_other_secrets(puzzle: Puzzle, turned: int) -> Puzzle:
    """Return the same case with everything else that is not told when so many lines are turned."""
    other = clue("2026-11-02", 1)
    lines = puzzle.posed.lines
    swapped = lines[:turned] + lines[turned:][::-1]
    assert swapped != lines or turned >= len(lines) - 1
    return Puzzle(
        replace(puzzle.posed, lines=swapped),
        wrong(puzzle),
        puzzle.posed.total,
        other.steps,
        puzzle.effort + 1234,
        Made(f"{puzzle.made.seed} another", 7, 7, 7),
    )


def wrong(puzzle: Puzzle) -> tuple[Entry, ...]:
    """Return an answer to the question that is not the right one."""
    return tuple(
        next(entry for entry in group if entry != right)
        for group, right in zip(puzzle.posed.question.form, puzzle.answer, strict=True)
    )


# --- Houses ---------------------------------------------------------------------------------------------------------

DAY = "2026-11-18"
NOON = begins_at(DAY) + 12 * 3_600_000
CASE = f"{DAY}.{GAME}"
DAY_MS = 24 * 3_600_000


class Making(Here):
    """Writes down what is done in which process."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[str] = []
        self.proven: list[str] = []
        self.jobs: list[tuple[str, str, bytes]] = []

    async def make_case(self, work: Callable[[Any], Any], job: Any) -> Any:
        self.made.append(f"{job.day}.{job.game}")
        await asyncio.sleep(0)
        return work(job)

    async def prove_case(self, work: Callable[[Any], Any], job: Any) -> Any:
        self.proven.append(f"{job.day}.{job.game}")
        await asyncio.sleep(0)
        return work(job)

    async def once(self, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        self.jobs.append((key, work.__name__, encode((job, claim))))
        await asyncio.sleep(0)
        return work(job)


def found_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the case of a day be found quickly."""
    monkeypatch.setattr(case_work, "case_of", lambda day, _game: clue(day))


def house(
    store: Store | None = None, at: int = NOON, workers: Workers | None = None, games: tuple[str, ...] = (GAME,)
) -> Parlour:
    return Parlour(store, clock=FakeClock(at), workers=workers or Making(), case_games=lambda: games)


async def seen_to(house: Parlour | Site) -> None:
    """Wait until the house has done what it does ahead."""
    house.cases.shelf.see_to_days()
    assert house.cases.shelf._task is not None
    await house.cases.shelf._task


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


async def turned_to(page: Page, number: int, case: str = CASE) -> dict[str, Any]:
    """Open a case and turn it so far."""
    frame: dict[str, Any] = await page.ask("open_case", case=case)
    while frame["turned"] < number:
        frame = await page.ask("turn_line", case=case, turned=frame["turned"])
    return frame


async def solve(page: Page, case: str = CASE) -> dict[str, Any]:
    puzzle = clue(case.partition(".")[0])
    await turned_to(page, puzzle.par, case)
    frame: dict[str, Any] = await page.ask("claim_case", case=case, turned=puzzle.par, claim=puzzle.answer)
    return frame


def told(puzzle: Puzzle) -> Any:
    """Return what is told of a case when its first line is turned."""
    made = case_frames._told(puzzle.at(1))
    return msgspec.json.decode(encode({"given": made.given, "lines": made.lines, "view": made.view}))
