"""What every Bus must do; each implementation runs the same suite."""

import asyncio
import gc
from collections.abc import Callable

import pytest

from whodunit.core.ports import Bus
from whodunit.infra.memory import MemoryBus

BUSES: dict[str, Callable[[], Bus]] = {"memory": MemoryBus}


@pytest.fixture(params=BUSES)
def bus(request: pytest.FixtureRequest) -> Bus:
    return BUSES[request.param]()


def test_every_listener_of_a_table_hears_its_signals(bus: Bus) -> None:
    async def scene() -> None:
        one, two, other = bus.listen("a"), bus.listen("a"), bus.listen("b")
        await bus.publish("a", 4)
        await bus.publish("a", 7)
        await bus.publish("b", 1)

        assert [await anext(one), await anext(one)] == [4, 7]
        assert await anext(two) == 4
        assert await anext(other) == 1

    asyncio.run(scene())


def test_a_listener_waits_and_hears_nothing_of_before(bus: Bus) -> None:
    async def scene() -> None:
        await bus.publish("a", 1)
        ear = bus.listen("a")
        waiting = asyncio.ensure_future(anext(ear))
        await asyncio.sleep(0)
        assert not waiting.done()
        await bus.publish("a", 2)

        assert await waiting == 2

    asyncio.run(scene())


def test_a_listener_that_stops_disturbs_nobody(bus: Bus) -> None:
    async def scene() -> None:
        stays, goes = bus.listen("a"), asyncio.ensure_future(anext(bus.listen("a")))
        await asyncio.sleep(0)
        goes.cancel()
        await asyncio.gather(goes, return_exceptions=True)
        await bus.publish("a", 3)

        assert await anext(stays) == 3

    asyncio.run(scene())


def test_the_memory_bus_forgets_whoever_is_gone() -> None:
    async def scene() -> None:
        bus = MemoryBus()
        bus.listen("a")
        gc.collect()
        await bus.publish("a", 1)
        await bus.publish("b", 1)

        assert bus._ears == {}

    asyncio.run(scene())
