"""What time alone does: games that nobody plays on are closed and open to see, tables without a host leave the hall."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import pytest

from tests.server.client import Refused
from tests.server.sites import FakeClock, Page, Parlour, beyond, settle, terms_of
from whodunit.core.errors import StillOpen
from whodunit.core.ports import Listing, Record
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import AnyEntry
from whodunit.room.manners import DAY_MS, GRACE_DAYS, HOSTLESS_MS, UNFINISHED_MS
from whodunit.room.room import Room
from whodunit.server.housekeeping import clear_hall, close_unfinished
from whodunit.table.verify import verify

OPTIONS = {"starter": 0}


async def later(parlour: Parlour, milliseconds: int) -> None:
    """Let time pass, and the house look after what is old."""
    parlour.clock.move(parlour.clock.now() + milliseconds)
    await close_unfinished(parlour.host, {})
    await clear_hall(parlour.host, {})
    await settle()


async def days(parlour: Parlour, number: int) -> None:
    """Let days pass, and the house look after what is old on each."""
    for _ in range(number):
        await later(parlour, DAY_MS)


async def look(page: Page, table: str, eyes: Any) -> Any:
    return (await page.ask("look", table=table, seq=page.told.seq, eyes=eyes))["view"]


def test_a_game_is_closed_and_revealed_a_week_after_that_was_announced_thirty_days_after_its_last_move() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            eve = await parlour.watching("eve", table)
            await later(parlour, UNFINISHED_MS - 1000)
            await parlour.play([ada], table, until=beyond(ada.told.seq))
            await later(parlour, UNFINISHED_MS - 1)
            assert ada.told.room["closes_ms"] is None

            await later(parlour, 1)
            assert [page.told.room["closes_ms"] for page in (ada, bob, eve)] == [GRACE_DAYS * DAY_MS] * 3
            await days(parlour, 2)
            assert eve.told.room["closes_ms"] == (GRACE_DAYS - 2) * DAY_MS
            await days(parlour, GRACE_DAYS - 3)
            await later(parlour, DAY_MS - 1)
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
            assert ada.told.room["closes_ms"] is None

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
            await days(parlour, GRACE_DAYS)
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
                return manners.abandon(room, stale.at, deaf.clock.now())

            await deaf.host.writer.note(stale, close, joint=True)

            assert len(judged) == 2  # the second time it knows better
            assert stale.room.closing is None

    asyncio.run(scene())


@pytest.mark.parametrize("comes", ["moves", "opens the page", "looks at it again", "comes after a restart"])
def test_whoever_plays_and_moves_or_comes_back_keeps_the_game(comes: str) -> None:
    async def scene() -> None:
        store, clock = MemoryStore(), FakeClock()
        async with Parlour(store, MemoryBus(), clock) as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", options=OPTIONS)
            eve = await parlour.watching("eve", table)
            await later(parlour, UNFINISHED_MS)
            await days(parlour, GRACE_DAYS - 1)
            await parlour.watching("carl", table)  # whoever watches keeps nothing
            await settle()
            assert eve.told.room["closes_ms"] == DAY_MS

            match comes:
                case "moves":
                    await parlour.play([ada], table, until=beyond(ada.told.seq))
                case "opens the page":
                    await parlour.watching("bob", table)
                case "looks at it again":
                    await ada.ask("looking", table=table, looking=True)
                case _:
                    async with Parlour(store, MemoryBus(), clock) as again:
                        page = await again.watching("bob", table)
                        assert page.told.room["closes_ms"] == DAY_MS
                        await settle()
                        assert page.told.room["closes_ms"] is None
                    return
            await parlour.pass_time(60_000)  # whoever was asked has answered
            page = await parlour.watching("eve", table)
            assert page.told.room["closes_ms"] is None
            live = await parlour.host.get(table)
            await later(parlour, live.at + UNFINISHED_MS - 1 - parlour.clock.now())
            assert not page.told.table["closed"]
            assert page.told.room["closes_ms"] is None
            await later(parlour, 1)  # and then everything begins anew
            assert page.told.room["closes_ms"] == GRACE_DAYS * DAY_MS

    asyncio.run(scene())


def test_a_list_says_that_a_game_of_mine_is_going_to_be_closed_and_keeps_its_date() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", options=OPTIONS)
            at = (await parlour.host.get(table)).at
            await later(parlour, UNFINISHED_MS)
            await ada.ask("watch_lobby")
            (mine,) = ada.told.last["lobby"]["mine"]
            assert (mine["closes_ms"], mine["at"]) == (GRACE_DAYS * DAY_MS, at)

    asyncio.run(scene())


def test_a_clock_that_leaps_takes_one_day_of_the_grace_and_one_that_is_set_back_takes_the_word_back() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", options=OPTIONS)
            live = await parlour.host.get(table)
            for day in range(1, GRACE_DAYS + 1):
                await later(parlour, 3 * UNFINISHED_MS)
                assert live.room.closing is not None
                assert (live.room.closing.day, live.table and live.table.closed) == (day, False)
            parlour.clock.set(live.at + DAY_MS - parlour.clock.now())
            page = await parlour.watching("eve", table)
            assert page.told.room["closes_ms"] is None
            await later(parlour, UNFINISHED_MS)
            assert ada.told.room["closes_ms"] == GRACE_DAYS * DAY_MS  # from the beginning

    asyncio.run(scene())


def test_a_game_that_is_announced_is_read_once_a_day_and_however_many_there_are_each_has_its_turn() -> None:
    class Counting(MemoryStore):
        reads = 0

        async def read(self, *args: Any, **kwargs: Any) -> Any:
            self.reads += 1
            return await super().read(*args, **kwargs)

        async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
            found = [one for one in await super().unfinished(before) if after is None or one.table > after.table]
            return found[:1]  # as if that were AT_ONCE

    async def scene(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("whodunit.server.housekeeping.AT_ONCE", 1)
        store, looks = Counting(), dict[str, int]()
        async with Parlour(store) as parlour:
            tables = [(await parlour.table("ada", "bob", options=OPTIONS))[0] for _ in range(3)]
            clock = parlour.clock
        async with Parlour(store, MemoryBus(), clock) as again:
            clock.move(clock.now() + UNFINISHED_MS)
            for hour in range(GRACE_DAYS * 24 + 1):
                await close_unfinished(again.host, looks)
                again.feeds.sweep()
                assert again.host.tables == {}
                assert len(looks) == (0 if hour == GRACE_DAYS * 24 else len(tables))
                clock.move(clock.now() + DAY_MS // 24)
            stages = [(await again.host.get(table)).stage for table in tables]
            assert stages == ["over"] * len(tables)
            whole = (GRACE_DAYS + 1 + 1) * len(tables)
            assert store.reads <= 2 * whole + len(tables)  # both streams, and now and then what is new

    with pytest.MonkeyPatch.context() as monkeypatch:
        asyncio.run(scene(monkeypatch))


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


def test_a_table_in_the_hall_is_not_read_again_every_minute() -> None:
    reads: list[str] = []

    class Read(MemoryStore):
        async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
            reads.append(table)
            return await super().read(table, stream, after)

    async def scene() -> None:
        async with Parlour(Read()) as parlour:
            ada = parlour.page("ada")
            table = (await ada.ask("create_table", **terms_of(public=True)))["table"]
            looks: dict[str, int] = {}
            for minute in range(40):
                parlour.feeds.sweep()  # nobody looks at it: it is let go of
                await clear_hall(parlour.host, looks)
                if minute == 28:
                    assert reads.count(table) <= 2  # its two streams, once
                parlour.clock.move(parlour.clock.now() + 60_000)
            assert await parlour.host.store.gathering() == []

    asyncio.run(scene())
