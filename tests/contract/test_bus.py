"""What every Bus must do; each implementation runs the same suite, with what makes it speak."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

import pytest

from tests.contract.houses import Run, postgres_store
from whodunit.core.ports import Bus, Record
from whodunit.infra.memory import MemoryBus
from whodunit.infra.switchboard import Switchboard


class Line(NamedTuple):
    """A bus, how another node makes a table as long as this, and how both are closed."""

    bus: Bus
    grow: Callable[[str, int], Awaitable[None]]
    close: Callable[[], Awaitable[None]]


async def memory(_: str) -> Line:
    bus = MemoryBus()

    async def close() -> None:
        pass

    return Line(bus, bus.publish, close)


async def postgres(database: str) -> Line:
    store = await postgres_store(database, "there")
    bus = await Switchboard(database, "here").open()
    sizes: dict[str, int] = {}

    async def grow(table: str, size: int) -> None:
        await store.append(table, [Record("case", sizes.get(table, 0) + 1, size, b"")])
        sizes[table] = size

    async def close() -> None:
        await bus.close()
        await store.close()

    return Line(bus, grow, close)


@pytest.fixture(params=[memory, postgres])
def line(request: pytest.FixtureRequest, run: Run) -> Iterator[Line]:
    database = request.getfixturevalue("database") if request.param is postgres else ""
    line = run(request.param(database))
    yield line
    run(line.close())


def test_every_listener_of_a_table_hears_its_signals(run: Run, line: Line) -> None:
    async def scene() -> None:
        one, two, other = line.bus.listen("a"), line.bus.listen("a"), line.bus.listen("b")
        await line.grow("a", 4)
        await line.grow("a", 7)
        await line.grow("b", 1)

        assert [await anext(one), await anext(one)] == [4, 7]
        assert await anext(two) == 4
        assert await anext(other) == 1

    run(scene())


def test_a_listener_waits_and_hears_nothing_of_before(run: Run, line: Line) -> None:
    async def scene() -> None:
        before = line.bus.listen("a")
        await line.grow("a", 1)
        await anext(before)
        ear = line.bus.listen("a")
        waiting = asyncio.ensure_future(anext(ear))
        await asyncio.sleep(0)
        assert not waiting.done()
        await line.grow("a", 2)

        assert await waiting == 2

    run(scene())


def test_a_listener_that_stops_disturbs_nobody(run: Run, line: Line) -> None:
    async def scene() -> None:
        stays, goes = line.bus.listen("a"), asyncio.ensure_future(anext(line.bus.listen("a")))
        await asyncio.sleep(0)
        goes.cancel()
        await asyncio.gather(goes, return_exceptions=True)
        await line.grow("a", 3)

        assert await anext(stays) == 3

    run(scene())


def test_the_memory_bus_forgets_whoever_is_gone() -> None:
    async def scene() -> None:
        bus = MemoryBus()
        bus.listen("a")
        gc.collect()
        await bus.publish("a", 1)
        await bus.publish("b", 1)

        assert bus._ears == {}

    asyncio.run(scene())


def test_what_nobody_listens_to_any_more_leaves_nothing(run: Run) -> None:
    async def scene() -> None:
        bus = MemoryBus()
        kept = bus.listen("a")
        for number in range(100):
            bus.listen(f"unknown {number}")
            bus.listen("a")
        gc.collect()
        assert [*bus._ears] == ["a"]
        await bus.publish("a", 3)
        assert await anext(kept) == 3

    run(scene())
