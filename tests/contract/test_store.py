"""What every Store and every Bus must do; each implementation runs the same suite."""

import asyncio
from collections.abc import Callable

import pytest

from whodunit.core.errors import Conflict
from whodunit.core.ports import Bus, Store
from whodunit.core.types import Batch, Blob, Event
from whodunit.infra.memory import MemoryBus, MemoryStore

STORES: dict[str, Callable[[], Store]] = {"memory": MemoryStore}
BUSES: dict[str, Callable[[], Bus]] = {"memory": MemoryBus}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> Store:
    return STORES[request.param]()


@pytest.fixture(params=BUSES)
def bus(request: pytest.FixtureRequest) -> Bus:
    return BUSES[request.param]()


class Ticked(Event, frozen=True):
    number: int


def batch(seq: int, count: int = 2) -> Batch:
    return Batch(seq=seq, events=tuple(Ticked(number=seq + offset) for offset in range(count)))


def test_batches_are_read_in_the_order_of_their_appending(store: Store) -> None:
    async def scene() -> None:
        await store.append("a", 0, batch(1))
        await store.append("a", 2, batch(3, 1))
        await store.append("b", 0, batch(1, 5))

        assert await store.read("a") == [batch(1), batch(3, 1)]
        assert await store.read("a", after=2) == [batch(3, 1)]
        assert await store.read("a", after=3) == []
        assert await store.read("nobody") == []

    asyncio.run(scene())


@pytest.mark.parametrize(("expected", "seq"), [(0, 1), (1, 2), (3, 4), (2, 4), (5, 3)])
def test_an_append_that_does_not_follow_is_a_conflict_and_changes_nothing(
    store: Store, expected: int, seq: int
) -> None:
    async def scene() -> None:
        await store.append("a", 0, batch(1))
        with pytest.raises(Conflict):
            await store.append("a", expected, batch(seq), [Blob("id", "audio/ogg", b"sound")])

        assert await store.read("a") == [batch(1)]
        assert await store.blob("a", "id") is None

    asyncio.run(scene())


def test_of_two_at_once_one_wins(store: Store) -> None:
    async def scene() -> None:
        tries = [store.append("a", 0, batch(1, count)) for count in (1, 2)]
        results = await asyncio.gather(*tries, return_exceptions=True)

        assert sorted(type(result).__name__ for result in results) == ["Conflict", "NoneType"]
        assert len(await store.read("a")) == 1

    asyncio.run(scene())


def test_a_blob_belongs_to_its_table(store: Store) -> None:
    async def scene() -> None:
        blob = Blob("id", "audio/ogg", b"\x00\xff")
        await store.append("a", 0, batch(1), [blob])

        assert await store.blob("a", "id") == blob
        assert await store.blob("b", "id") is None

    asyncio.run(scene())


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
