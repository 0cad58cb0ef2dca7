"""A wrong clock closes and drops nothing: what is done by age alone waits for a second witness."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.server.sites import MIDNIGHT, FakeClock, Open, Parlour, opened, settle, terms_of
from whodunit.core.errors import NotStored
from whodunit.core.ports import Record
from whodunit.core.types import Blob
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.infra.postgres import clock_of_its_own
from whodunit.room.listing import listing_of
from whodunit.room.manners import DAY_MS, GRACE_DAYS, HOSTLESS_MS, UNFINISHED_MS
from whodunit.room.room import Stage
from whodunit.server import app
from whodunit.server.clips import KEPT_MS
from whodunit.server.clock_watch import APART_MS, RECENT_MS, TOLD_MS, ClockWatch, Witnesses, leapt, steady_ms, vouched

NOW = MIDNIGHT
MINUTE_MS = 60_000


# --- Who vouches for the clock --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (Witnesses(NOW, 0), False),
        (Witnesses(NOW, DAY_MS - 1), False),
        (Witnesses(NOW, DAY_MS), True),
        (Witnesses(NOW, 0, database=NOW), True),
        (Witnesses(NOW, 0, database=NOW - APART_MS), True),
        (Witnesses(NOW, 0, database=NOW + APART_MS + 1), False),
        (Witnesses(NOW, 0, database=NOW - APART_MS - 1), False),
        (Witnesses(NOW, 10 * DAY_MS, database=NOW - 31 * DAY_MS, newest=NOW), False),  # another machine knows better
        (Witnesses(NOW, 0, newest=NOW), True),
        (Witnesses(NOW, 0, newest=NOW - RECENT_MS), True),
        (Witnesses(NOW, 0, newest=NOW - RECENT_MS - 1), False),
        (Witnesses(NOW, 0, newest=NOW - 31 * DAY_MS), False),
        (Witnesses(NOW, 0, newest=NOW + APART_MS + 1), False),
        (Witnesses(NOW, DAY_MS - 1, newest=NOW - DAY_MS - RECENT_MS), False),  # it is how long before the start
        (Witnesses(NOW, DAY_MS - 1, newest=NOW - DAY_MS), True),
    ],
)
def test_what_counts_as_a_second_witness(seen: Witnesses, expected: bool) -> None:
    assert vouched(seen) == expected


def test_a_leap_is_more_than_some_minutes() -> None:
    assert leapt(MINUTE_MS, MINUTE_MS) == leapt(MINUTE_MS + APART_MS, MINUTE_MS) == 0
    assert leapt(MINUTE_MS + APART_MS + 1, MINUTE_MS) == APART_MS + 1
    assert leapt(-DAY_MS, MINUTE_MS) == -DAY_MS - MINUTE_MS


def test_the_steady_clock_goes_forward() -> None:
    assert 0 <= steady_ms() <= steady_ms()


def test_a_database_on_this_machine_is_no_witness() -> None:
    assert clock_of_its_own(None, None, NOW) is None
    assert clock_of_its_own("10.0.0.1", "10.0.0.1", NOW) is None
    assert clock_of_its_own("10.0.0.1", "10.0.0.2", NOW) == NOW


# --- Watching -------------------------------------------------------------------------------------------------------


class Elsewhere(MemoryStore):
    """A database on another machine, with a clock that is right, or does not answer."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self._clock = clock
        self.mute = False

    async def now(self) -> int | None:
        if self.mute:
            raise NotStored("the database does not answer")
        return self._clock.steady()


async def begun(store: MemoryStore, clock: FakeClock) -> ClockWatch:
    watch = ClockWatch(store, clock, clock.steady)
    await watch.begin()
    return watch


def believed(watch: ClockWatch) -> bool:
    return watch.is_vouched


@pytest.mark.parametrize("by", [APART_MS + 1, 31 * DAY_MS, -31 * DAY_MS])
def test_a_clock_that_is_set_is_told_for_a_while_and_not_believed_for_a_day(by: int) -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        async with Parlour(store, clock=clock) as parlour:
            await parlour.table("ada", "bob")
        watch = await begun(store, clock)
        assert (watch.is_vouched, watch.fault()) == (True, None)  # by what was just stored

        clock.move(clock.now() + MINUTE_MS)
        clock.set(by)
        await watch.look()
        assert watch.is_suspect
        assert not believed(watch)
        assert ("ahead" if by > 0 else "back") in (watch.fault() or "")

        clock.move(clock.now() + TOLD_MS)
        await watch.look()
        assert (watch.is_suspect, watch.is_vouched, watch.fault()) == (False, False, None)
        clock.move(clock.now() + DAY_MS - TOLD_MS)
        await watch.look()
        assert believed(watch)

    asyncio.run(scene())


def test_a_machine_that_slept_has_not_leapt() -> None:
    async def scene() -> None:
        clock = FakeClock()
        watch = await begun(MemoryStore(), clock)
        clock.move(clock.now() + 10 * DAY_MS)  # the steady clock goes on
        await watch.look()
        assert (watch.fault(), watch.is_vouched) == (None, True)

    asyncio.run(scene())


@pytest.mark.parametrize("by", [31 * DAY_MS, -31 * DAY_MS])
def test_a_clock_that_differs_from_the_databases_is_not_believed_as_long_as_it_does(by: int) -> None:
    async def scene() -> None:
        clock = FakeClock()
        store = Elsewhere(clock)
        clock.set(by)
        watch = await begun(store, clock)
        assert ("ahead of" if by > 0 else "behind") in (watch.fault() or "")
        for _ in range(3):
            clock.move(clock.now() + DAY_MS)
            await watch.look()
            assert (watch.is_suspect, watch.is_vouched, watch.fault()) == (True, False, None)
        store.mute = True
        await watch.look()
        assert not believed(watch)  # what it said last still counts
        store.mute = False
        clock.set(-by)
        await watch.look()
        assert "set" in (watch.fault() or "")  # that is a leap, and a good one
        clock.move(clock.now() + TOLD_MS)
        await watch.look()
        assert believed(watch)  # the database's machine says so, and nobody waits for a day
        store.mute = True
        await watch.look()
        assert not believed(watch)

    asyncio.run(scene())


@pytest.mark.parametrize("by", [APART_MS + 1, DAY_MS, 31 * DAY_MS])
def test_days_begin_by_what_a_clock_was_before_it_was_set_ahead_until_it_has_run_for_a_day(by: int) -> None:
    async def scene() -> None:
        clock = FakeClock()
        watch = await begun(MemoryStore(), clock)
        clock.set(by)
        for _ in range(24):
            assert watch.believed == clock.steady()
            clock.move(clock.now() + DAY_MS // 24)
        assert watch.believed == clock.now()
        clock.move(clock.now() + 1)
        assert watch.believed == clock.now()

    asyncio.run(scene())


def test_days_begin_by_a_clock_that_was_set_back_at_once() -> None:
    async def scene() -> None:
        clock = FakeClock()
        watch = await begun(MemoryStore(), clock)
        clock.set(-DAY_MS)
        assert watch.believed == clock.now()
        clock.set(DAY_MS)
        assert watch.believed == clock.now() - DAY_MS

    asyncio.run(scene())


@pytest.mark.parametrize("by", [31 * DAY_MS, -31 * DAY_MS])
def test_days_begin_by_the_databases_clock_where_there_is_one(by: int) -> None:
    async def scene() -> None:
        clock = FakeClock()
        store = Elsewhere(clock)
        clock.set(by)
        watch = await begun(store, clock)
        for mute in (False, True, True, False):
            store.mute = mute
            clock.move(clock.now() + DAY_MS)
            assert watch.believed == clock.steady()
            await watch.look()
        clock.set(-by)
        await watch.look()
        assert watch.believed == clock.now() == clock.steady()

    asyncio.run(scene())


def test_times_that_are_stored_ahead_of_the_clock_are_told(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        async with Parlour(store, clock=clock) as parlour:
            await parlour.table("ada", "bob")
        clock.set(-DAY_MS)
        watch = await begun(store, clock)
        assert "ahead of this machine's clock" in (watch.fault() or "")
        assert not believed(watch)
        caplog.clear()

        clock.set(4 * 31 * DAY_MS)  # as in a house that was shut for months
        watch = await begun(store, clock)
        assert (watch.fault(), watch.is_suspect, watch.is_vouched) == (None, False, False)
        assert "nothing was stored for" in caplog.text

    asyncio.run(scene())


# --- A house with a wrong clock -------------------------------------------------------------------------------------


@asynccontextmanager
async def swept(store: MemoryStore, clock: FakeClock) -> AsyncIterator[Open]:
    """Open a site that sweeps as soon as it has nothing else to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SWEEP_S", 0)
        patch.setattr(app, "HOURLY", 1)
        async with opened(store=store, bus=MemoryBus(), clock=clock, steady=clock.steady) as house:
            await settle()
            yield house


async def stage(house: Open, table: str) -> tuple[Stage, int | None]:
    live = await house.site.host.get(table)
    return live.stage, None if live.room.closing is None else live.room.closing.day


async def laid(store: MemoryStore, clock: FakeClock) -> tuple[str, str, str]:
    """Return a game that runs, one that is over and has a clip, and an open table."""
    async with Parlour(store, clock=clock) as parlour:
        runs, _ = await parlour.table("ada", "bob")
        over, _ = await parlour.table("ada", "bob")
        gathers = (await parlour.page("ada").ask("create_table", **terms_of(public=True)))["table"]
        live = await parlour.host.get(over)
        assert live.table is not None
        listing = listing_of(over, live.room, live.table.abandon(), clock.now(), clock.now())
        end = Record("room", live.room.size + 1, live.room.size, b"")
        await store.append(over, [end], [Blob("clip", "audio/flac", b"la")], listing)
    return runs, over, gathers


async def standing(house: Open, tables: tuple[str, str, str]) -> tuple[Stage, bool, bool]:
    """Return how far the game is, whether the clip is there, and whether the table is open."""
    store = house.site.host.store
    hall = [one.table for one in await store.gathering()]
    return (await stage(house, tables[0]))[0], await store.blob(tables[1], "clip") is not None, tables[2] in hall


def test_a_house_that_is_started_with_its_clock_a_month_ahead_closes_nothing() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        tables = await laid(store, clock)
        clock.set(UNFINISHED_MS + DAY_MS)
        async with swept(store, clock) as house:
            for _ in range(20):
                clock.move(clock.now() + MINUTE_MS)
                await settle()
            assert await stage(house, tables[0]) == ("playing", None)
            assert (await standing(house, tables))[:2] == ("playing", True)
            clock.set(-UNFINISHED_MS - DAY_MS)  # the host has noticed
            await settle()
            response = await house.get("/health")
            assert response.status == 503
            assert "clock was set back" in await response.text()
            assert await stage(house, tables[0]) == ("playing", None)

    asyncio.run(scene())


def test_a_clock_that_is_set_ahead_while_the_house_runs_closes_drops_and_withdraws_nothing() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        tables = await laid(store, clock)
        async with swept(store, clock) as house:
            for ahead in (UNFINISHED_MS + DAY_MS, 10 * UNFINISHED_MS):
                clock.set(ahead)
                for _ in range(20):
                    clock.move(clock.now() + MINUTE_MS)
                    await settle()
                assert await standing(house, tables) == ("playing", True, True)
            assert (await house.get("/health")).status == 503
            clock.move(clock.now() + TOLD_MS)
            await settle()
            assert (await house.get("/health")).status == 200

    asyncio.run(scene())


def test_a_month_that_has_really_passed_closes_what_is_old() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        tables = await laid(store, clock)
        async with swept(store, clock) as house:
            clock.move(clock.now() + HOSTLESS_MS)
            await settle()
            assert await standing(house, tables) == ("playing", True, False)
            clock.move(clock.now() + max(UNFINISHED_MS, KEPT_MS) + 1)
            await settle()
            assert await standing(house, tables) == ("playing", False, False)
            for day in range(1, GRACE_DAYS + 1):
                assert await stage(house, tables[0]) == ("playing", day)
                clock.move(clock.now() + DAY_MS)
                await settle()
            assert (await stage(house, tables[0]))[0] == "over"
            assert (await house.get("/health")).status == 200

    asyncio.run(scene())


def test_a_house_that_stood_still_for_a_month_waits_for_a_day_and_one_that_is_restarted_goes_on_counting() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        tables = await laid(store, clock)
        clock.move(clock.now() + UNFINISHED_MS + DAY_MS)
        async with swept(store, clock) as house:
            clock.move(clock.now() + DAY_MS - MINUTE_MS)
            await settle()
            assert await stage(house, tables[0]) == ("playing", None)
            clock.move(clock.now() + MINUTE_MS)
            await settle()
            assert await stage(house, tables[0]) == ("playing", 1)
        for day in range(1, GRACE_DAYS):
            async with Parlour(store, clock=clock) as parlour:
                await parlour.table("cleo", "dora")  # somebody plays every day
            clock.move(clock.now() + DAY_MS)
            async with swept(store, clock) as house:
                assert await stage(house, tables[0]) == ("playing", day + 1)

    asyncio.run(scene())
