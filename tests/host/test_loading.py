"""How tables come into memory: moves have their turn, nobody waits for many, and one may be beyond reading."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Literal

import pytest

from tests.host.test_host import host_on, play
from tests.server.sites import FakeClock
from tests.server.worlds import begun
from whodunit.core.errors import NotStored
from whodunit.core.ports import Listing, Record
from whodunit.host.host import TAKING, Host
from whodunit.host.leases import SingleNode
from whodunit.host.loading import A_LITTLE, folded
from whodunit.host.wakeups import Wakeups
from whodunit.infra.memory import MemoryBus, MemoryStore


class Slow(MemoryStore):
    """Takes its time to read, and counts who waits for it."""

    waiting_now = most = 0

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        self.waiting_now += 1
        self.most = max(self.most, self.waiting_now)
        await asyncio.sleep(0.001)
        self.waiting_now -= 1
        return await super().read(table, stream, after)


def test_while_a_table_is_read_others_have_their_turn() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        live = await begun(host)
        await play(host, live, 60)
        room, case = [await store.read(live.id, stream) for stream in ("room", "case")]
        reading, turns = asyncio.ensure_future(folded(live.id, room, case)), 0
        while not reading.done():
            turns += 1
            await asyncio.sleep(0)

        assert reading.result().table == live.table
        assert turns >= len(room) // A_LITTLE + len(case) // A_LITTLE >= 4
        await host.close()

    asyncio.run(scene())


def test_of_a_dead_nodes_tables_a_few_are_read_at_once() -> None:
    async def scene() -> None:
        store, leases = Slow(), SingleNode()
        before = host_on(store)
        names = [(await begun(before, seed=number)).id for number in range(5 * TAKING)]
        host = Host(store, MemoryBus(), FakeClock(), leases=leases)
        for name in names:
            leases.heard(name)  # as when all are inherited with one beat
        store.most = 0
        while len(host.tables) < len(names):  # noqa: ASYNC110  (they come when they do)
            await asyncio.sleep(0.001)

        assert store.most == TAKING
        await host.close()
        await before.close()

    asyncio.run(scene())


def test_a_table_that_cannot_be_read_keeps_no_other_asleep(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        store = MemoryStore()
        before = host_on(store)
        good = await begun(before)
        for due, (name, record) in enumerate([("bad", Record("room", 1, 1, b"rubbish")), (good.id, good.end("room"))]):
            await store.append(name, [record], (), Listing(name, "playing", False, (), (), 0, due))
        host = host_on(store)
        await Wakeups(host).wake_due()

        assert [*host.tables] == [good.id]
        assert [record.message for record in caplog.records] == ["the table bad cannot be read"]
        await host.close()
        await before.close()

    caplog.set_level(logging.ERROR)
    asyncio.run(scene())


def test_a_store_that_is_not_there_ends_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        host = host_on(MemoryStore())

        async def gone(*_: object) -> None:
            raise NotStored("the database does not answer")

        monkeypatch.setattr(host.store, "read", gone)
        with pytest.raises(NotStored):
            await host.look_up("t0")
        await host.close()

    asyncio.run(scene())
