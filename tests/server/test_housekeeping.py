"""What time alone does: games that nobody plays on are closed and open to see, tables without a host leave the hall."""

import asyncio
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import Page, Parlour, beyond, settle, terms_of
from whodunit.core.errors import StillOpen
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import AnyEntry
from whodunit.room.manners import HOSTLESS_MS, UNFINISHED_MS
from whodunit.room.room import Room
from whodunit.server.housekeeping import clear_hall, close_unfinished
from whodunit.table.verify import verify

OPTIONS = {"starter": 0}
DAY_MS = 24 * 60 * 60 * 1000


async def later(parlour: Parlour, milliseconds: int) -> None:
    """Let time pass, and the house look after what is old."""
    parlour.clock.move(parlour.clock.now() + milliseconds)
    await close_unfinished(parlour.host)
    await clear_hall(parlour.host)
    await settle()


async def look(page: Page, table: str, eyes: Any) -> Any:
    return (await page.ask("look", table=table, seq=page.told.seq, eyes=eyes))["view"]


def test_a_game_is_closed_and_revealed_thirty_days_after_its_last_move() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            eve = await parlour.watching("eve", table)
            await later(parlour, UNFINISHED_MS - 1000)
            await parlour.play([ada], table, until=beyond(ada.told.seq))
            await later(parlour, UNFINISHED_MS - 1)
            assert not ada.told.table["closed"]
            with pytest.raises(Refused, match="still_open"):
                await look(eve, table, "all")

            await later(parlour, 1)

            for page in (ada, bob, eve):
                assert page.told.room["stage"] == "over"
                assert page.told.table["closed"]
                assert (page.told.table["awaiting"], page.told.table["offers"]) == ([], [])
                assert page.told.table["outcome"] is None
            assert all((await look(eve, table, "all"))["hands"])
            with pytest.raises(Refused, match="illegal"):
                await ada.ask("act", table=table, since=1, action={"type": "Roll"})
            with pytest.raises(Refused, match="illegal"):
                await ada.ask("undo", table=table)
            assert "rematch" in ada.told.room["may"]
            frames = len(ada.told.frames)
            await later(parlour, UNFINISHED_MS)  # once
            assert len(ada.told.frames) == frames

    asyncio.run(scene())


def test_a_closed_case_can_be_saved_and_checked_and_a_restart_forgets_nothing() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with Parlour(store) as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", options=OPTIONS)
            await parlour.play([ada], table, until=beyond(ada.told.seq))
            with pytest.raises(StillOpen):
                await parlour.host.case(await parlour.host.get(table))
            await later(parlour, UNFINISHED_MS)
            clock = parlour.clock
        async with Parlour(store, MemoryBus(), clock) as again:
            bob = await again.watching("bob", table)
            assert (bob.told.room["stage"], bob.told.table["closed"], bob.told.table["offers"]) == ("over", True, [])
            case = await again.host.case(await again.host.get(table))
            assert case.closed == "abandoned"
            assert all(statement.holds for statement in verify(case))

    asyncio.run(scene())


def test_a_game_of_days_is_not_closed_while_it_goes_on() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            for _ in range(5):
                await later(parlour, 20 * DAY_MS)
                await parlour.play([ada, bob], table, until=beyond(ada.told.seq))
            assert not ada.told.table["closed"]
            before = parlour.clock.now() - UNFINISHED_MS
            assert [listing.table for listing in await parlour.host.store.unfinished(before)] == []

    asyncio.run(scene())


def test_a_move_through_another_node_comes_first() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as one, Parlour(store, MemoryBus(), one.clock) as deaf:
            table, (ada, _) = await one.table("ada", "bob", options=OPTIONS)
            stale = await deaf.host.get(table)  # it hears of nothing that the first one does
            one.clock.move(one.clock.now() + UNFINISHED_MS)
            await one.play([ada], table, until=beyond(ada.told.seq))
            judged: list[int] = []

            def close(room: Room) -> list[AnyEntry]:
                judged.append(stale.moved)
                return manners.abandon(room, stale.moved, deaf.clock.now())

            await deaf.host.writer.note(stale, close, joint=True)

            assert len(judged) == 2  # the second time it knows better
            assert not stale.room.abandoned

    asyncio.run(scene())


async def hall(parlour: Parlour) -> list[str]:
    page = parlour.page("visitor")
    await page.ask("watch_lobby")
    return [listed["table"] for listed in page.told.last["lobby"]["open"]]


async def open_table(parlour: Parlour) -> tuple[str, Page]:
    ada = parlour.page("ada")
    terms = terms_of(public=True, chairs=[None, None, None])
    table = (await ada.ask("create_table", **terms))["table"]
    await ada.ask("watch_table", table=table)
    return table, ada


def test_a_table_leaves_the_hall_half_an_hour_after_its_host_and_returns_with_the_host() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await open_table(parlour)
            await later(parlour, 10 * HOSTLESS_MS)
            assert await hall(parlour) == [table]

            ada.close()
            await parlour.pass_time(10_000)
            away = (await parlour.host.get(table)).room.chairs[0].away
            assert away is not None
            await later(parlour, HOSTLESS_MS - (parlour.clock.now() - away.at) - 1)
            assert await hall(parlour) == [table]
            await later(parlour, 1)
            assert await hall(parlour) == []
            bob = await parlour.watching("bob", table)  # whoever has the link still finds it
            assert not bob.told.room["public"]

            await parlour.watching("ada", table)
            await settle()
            assert await hall(parlour) == [table]

    asyncio.run(scene())


def test_a_house_that_was_shut_clears_the_hall_too() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with Parlour(store) as parlour:
            table, _ = await open_table(parlour)
            clock = parlour.clock
        async with Parlour(store, MemoryBus(), clock) as again:
            assert await hall(again) == [table]
            await later(again, HOSTLESS_MS)
            assert await hall(again) == []
            await again.watching("ada", table)
            await settle()
            assert await hall(again) == [table]

    asyncio.run(scene())


def test_a_table_that_everybody_left_leaves_the_hall_until_somebody_sits_down() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await open_table(parlour)
            await ada.ask("stand_up", table=table)
            await later(parlour, HOSTLESS_MS)
            assert await hall(parlour) == []
            await ada.ask("sit_down", table=table, seat=1, name="Ada", salt="0" * 32)
            await settle()
            assert await hall(parlour) == [table]

    asyncio.run(scene())
