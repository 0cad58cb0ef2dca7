"""Tables at which a move may take days: they never sleep, wait on disk, and are played on with nobody there."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.contract.houses import postgres_store
from tests.server.sites import FakeClock, Parlour
from tests.server.test_clocks import SHORT, dealt, mover, on, run, sitting
from tests.server.worlds import begun
from whodunit.core.ports import AT_ONCE
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.switchboard import Switchboard
from whodunit.room import clocks
from whodunit.room.entries import HandedOver, decode
from whodunit.room.pace import DAY_S, Days
from whodunit.table.table import Table

DAYS = Days(2)
DAY_MS = 1000 * DAY_S


def has_moved(live: Live, before: Table | None) -> bool:
    return live.table is not before


@pytest.mark.parametrize("game", SHORT)
def test_a_table_of_days_is_played_to_its_end_with_nobody_there(game: str) -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        levels = (None, "rookie", None)
        async with Parlour(store, clock=clock) as house:
            terms = {"options": SHORT[game], "allowance": DAYS, "pace": "slow", "levels": levels, "seats": 3}
            live = await dealt(house, ("ada", "", "cleo"), game=game, **terms)
            await on(house, lambda: clocks.first_end(live.room) is not None)
            began = clock.now()
            house.feeds.sweep()
            assert not house.host.tables  # nothing is due soon: it waits on disk
            loads = 0
            while True:
                loads += live.id not in house.host.tables
                live = await house.host.get(live.id)
                if live.stage == "over":
                    break
                await on(house, partial(has_moved, live, live.table))
                house.feeds.sweep()

            assert loads > 1
            assert 2 * DAY_MS <= clock.now() - began < 10 * DAY_MS
            assert await store.due(2**60) == []

    run(scene())


def test_days_run_on_over_a_restart_and_a_time_out_comes_from_disk(tmp_path: Path) -> None:
    async def scene() -> None:
        clock, file = FakeClock(), tmp_path / "whodunit.sqlite"
        async with Parlour(SqliteStore(file), clock=clock) as house:
            live = await begun(house.host, ("ada", "bob"), allowance=DAYS)
            await house.pass_time(DAY_MS)
        clock.move(clock.now() + DAY_MS // 2)
        async with Parlour(SqliteStore(file), clock=clock) as house:
            await house.wakeups.wake_due()
            assert not house.host.tables
            clock.move(clock.now() + DAY_MS // 2)
            await house.wakeups.wake_due()
            live = house.host.tables[live.id]
            await really(house, lambda: mover(live) == 1)

            assert live.bot_level(0) == "detective"
            assert clocks.left(live.room, 0, clock.now()) == 2 * DAY_MS

    run(scene())


def test_of_two_nodes_one_sees_to_a_table_of_days_that_nobody_looks_at(database: str) -> None:
    async def scene() -> None:
        clock = FakeClock()
        stores = [await postgres_store(database, name) for name in ("here", "there")]
        boards = [await Switchboard(database, name, 2.0).open() for name in ("here", "there")]
        houses = [Parlour(store, board, clock, leases=board) for store, board in zip(stores, boards, strict=True)]
        live = await begun(houses[0].host, ("ada", "bob"), allowance=DAYS)
        houses[0].feeds.sweep()
        assert not houses[0].host.tables
        clock.move(clock.now() + 2 * DAY_MS)
        await asyncio.gather(*(house.wakeups.wake_due() for house in houses))
        # Who comes second may find that the first has the lease already, and then lets the table sleep.
        lives = [await house.host.get(live.id) for house in houses]
        await really(houses[0], lambda: all(mover(live) == 1 for live in lives))

        assert sum(board.holds(live.id) for board in boards) == 1
        assert [live.bot_level(0) for live in lives] == ["detective", "detective"]
        entries = [entry for record in await stores[0].read(live.id, "room") for entry in decode(record.body)]
        assert sum(isinstance(entry, HandedOver) for entry in entries) == 1
        for house in houses:
            await house.close()

    run(scene())


async def really(house: Parlour, until: Callable[[], object]) -> None:
    """Let time pass until something is so, in a house whose store has threads or sockets of its own."""
    for _ in range(400):
        if until():
            return
        await house.pass_time(500)
        await asyncio.sleep(0.01)
    raise AssertionError("it never comes to that")


def test_at_a_table_of_days_nobody_is_missed() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob"), allowance=DAYS)
            (ada,) = await sitting(house, live, "ada")
            await house.pass_time(10 * 60_000)
            assert ada.told.chair(1)["away_ms"] is not None
            assert ada.told.chair(1)["may"] == []

    run(scene())


def test_one_look_finds_every_table_that_is_due() -> None:
    async def scene() -> None:
        store, number = MemoryStore(), AT_ONCE + 3
        async with Parlour(store) as house:
            for seed in range(number):
                await begun(house.host, ("ada", "bob"), seed, allowance=DAYS)
        for listing in [*store._listings.values()]:
            await store.append(listing.table, [], (), replace(listing, due=1))
        async with Parlour(store) as house:
            await house.wakeups.wake_due()
            assert len(house.host.tables) == number

    run(scene())
