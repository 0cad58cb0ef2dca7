"""Hints: a nudge, then the fact; from one's own notes, and only where the table chose that."""

import asyncio
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import Page, Parlour
from tests.server.test_notes import LEVELS, believed, plain, played
from whodunit.core.redact import redact
from whodunit.games import get


async def hint(page: Page, table: str, grade: str, known: list[tuple[str, str]]) -> dict[str, Any] | None:
    """Return a hint, or None if there is none but what is known."""
    try:
        found: dict[str, Any] = await page.ask("give_hint", table=table, grade=grade, known=known)
    except Refused as refused:
        if refused.reason != "no_hint":
            raise
        return None
    return found


async def facts(page: Page, table: str) -> list[dict[str, Any]]:
    """Ask for one hint after another, until there are no more."""
    found: list[dict[str, Any]] = []
    while fact := await hint(page, table, "fact", [(old["row"], old["column"]) for old in found]):
        found.append(fact)
    return found


@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_hint_is_something_certain_of_my_own_notes_that_was_not_seen(level: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages = await played(parlour, level, until=140)
            for seat, page in enumerate(pages):
                sheet = plain((await believed(parlour, table, seat)).sheet("logic"))
                follows = {(c["row"], c["column"]): c["mark"] for c in sheet["cells"] if c["source"] == "follows"}
                told = {(fact["row"], fact["column"]): fact["mark"] for fact in await facts(page, table)}

                assert told
                assert told.items() <= follows.items()
                assert {cell for cell, mark in follows.items() if mark == "yes"} <= told.keys()

    asyncio.run(scene())


def test_a_nudge_says_where_to_look_and_not_what_is_there() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await played(parlour, "logic", until=200)
            nudge, fact = [await ada.ask("give_hint", table=table, grade=grade) for grade in ("nudge", "fact")]
            proof = await ada.ask("why", table=table, row=fact["row"], column=fact["column"])

            assert nudge == {"seq": fact["seq"], "row": None, "column": None, "mark": None}
            assert fact["seq"] == max(reason["seq"] for reason in proof["reasons"] if reason["seq"])

    asyncio.run(scene())


@pytest.mark.parametrize("level", LEVELS[:2])
def test_there_are_no_hints_where_the_table_chose_none(level: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await played(parlour, level)
            for grade in ("nudge", "fact"):
                with pytest.raises(Refused, match="no_help"):
                    await ada.ask("give_hint", table=table, grade=grade)

    asyncio.run(scene())


def test_whoever_watches_gets_no_hint_and_nobody_does_before_the_game() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await parlour.table("ada", "bob", assistance="logic", public=True)
            eve = await parlour.watching("eve", table)
            with pytest.raises(Refused, match="no_seat"):
                await eve.ask("give_hint", table=table, grade="nudge")

    asyncio.run(scene())


def test_the_newest_certainty_is_hinted_at_first() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await played(parlour, "logic", until=140)
            began = [await since(parlour, table, fact) for fact in await facts(ada, table) if fact["mark"] == "yes"]

            assert len(began) > 1
            assert began == sorted(began, reverse=True)

    asyncio.run(scene())


async def since(parlour: Parlour, table: str, fact: dict[str, Any]) -> int:
    """Return the first event after which this was certain."""
    belief = get("clue").belief(0)
    wanted = (fact["row"], fact["column"], fact["mark"])
    for batch in await parlour.host.batches(await parlour.host.get(table)):
        for seq, event in enumerate(batch.events, batch.seq):
            belief = belief.learn(redact(event, 0))
            if wanted in {(cell.row, cell.column, cell.mark) for cell in belief.sheet("logic").cells}:
                return seq
    raise AssertionError(f"{wanted} is not certain")
