"""Two nodes over one store and one bus: whoever is faster wins, and both come to the same table."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import pytest

from tests.server.sites import SALT, FakeClock, Page, Parlour, dice, pass_time, settle
from tests.server.test_clocks import BANK, dealt, mover, sitting
from tests.server.worlds import answered, begun, to_question
from whodunit.core.errors import Conflict
from whodunit.core.ports import Listing, Record
from whodunit.core.types import Blob, Seat
from whodunit.games.clue.model import Roll
from whodunit.host.host import Host
from whodunit.host.leases import SingleNode
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import clocks, manners
from whodunit.room import room as rooms
from whodunit.room.entries import Jotted, decode


class Yielding(MemoryStore):
    """Takes its time, so that others come in between."""

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,
    ) -> None:
        await asyncio.sleep(0)
        await super().append(table, records, blobs, listing, leased=leased)
        await asyncio.sleep(0)

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        await asyncio.sleep(0)
        found = await super().read(table, stream, after)
        await asyncio.sleep(0)
        return found


async def nodes(store: MemoryStore) -> tuple[list[Host], list[Live]]:
    clock, bus = FakeClock(), MemoryBus()
    hosts = [Host(store, bus, clock) for _ in range(2)]
    first = await begun(hosts[0])
    return hosts, [first, await hosts[1].get(first.id)]


@pytest.mark.parametrize("store", [MemoryStore, Yielding])
def test_of_two_nodes_that_move_at_once_one_wins_and_both_agree(store: type[MemoryStore]) -> None:
    async def scene() -> None:
        hosts, lives = await nodes(store())
        assert lives[0].table is not None
        since = lives[0].table.seq
        moves = [host.moves.act(live, 0, since, Roll()) for host, live in zip(hosts, lives, strict=True)]
        ends = await asyncio.gather(*moves, return_exceptions=True)
        await settle()

        assert sorted(type(end).__name__ for end in ends) == ["Illegal", "NoneType"]
        assert lives[0].table == lives[1].table
        assert lives[0].room == lives[1].room
        for host in hosts:
            await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("store", [MemoryStore, Yielding])
def test_a_change_that_lost_the_race_is_decided_again(store: type[MemoryStore]) -> None:
    async def scene() -> None:
        hosts, lives = await nodes(store())
        assert lives[0].table is not None
        since = lives[0].table.seq
        await asyncio.gather(
            hosts[0].moves.act(lives[0], 0, since, Roll()),
            hosts[1].writer.note(lives[1], lambda room: manners.jot(room, "bob", 0, "what now", 5)),
            hosts[0].writer.note(lives[0], lambda room: manners.mark(room, "ada", 0, "Rope|1", "x", 6)),
            hosts[1].writer.note(lives[1], lambda room: manners.mark(room, "cleo", 0, "Hall|1", "x", 7)),
        )
        await settle()

        assert lives[0].room == lives[1].room
        assert lives[0].table == lives[1].table
        assert lives[1].table is not None
        assert lives[1].table.seq > since
        chairs = lives[0].room.chairs
        assert (chairs[0].marks, chairs[1].jotting, chairs[2].marks) == ({"Rope|1": "x"}, "what now", {"Hall|1": "x"})
        for host in hosts:
            await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("store", [MemoryStore, Yielding])
def test_two_devices_of_one_seat_on_two_nodes_write_on_one_page(store: type[MemoryStore]) -> None:
    async def scene() -> None:
        hosts, lives = await nodes(store())
        await asyncio.gather(
            hosts[0].writer.keep_notes(lives[0], lambda room: manners.jot(room, "bob", 0, "what now", 5)),
            hosts[1].writer.keep_notes(lives[1], lambda room: manners.mark(room, "bob", 0, "Rope|1", "x", 6)),
            hosts[0].writer.keep_notes(lives[0], lambda room: manners.mark(room, "bob", 0, "Hall|1", "x", 7)),
        )
        await settle()

        for live in lives:
            chair = live.room.chairs[1]
            assert (chair.jotting, chair.marks, chair.noted) == ("what now", {"Rope|1": "x", "Hall|1": "x"}, 3)
        assert lives[0].room == lives[1].room
        for host in hosts:
            await host.close()

    asyncio.run(scene())


def test_a_change_gives_up_on_a_table_that_never_rests() -> None:
    class Restless(MemoryStore):
        async def append(self, *_: Any, **__: Any) -> None:
            raise Conflict("somebody was faster")

    async def scene() -> None:
        store = MemoryStore()
        live = await begun(Host(store, MemoryBus(), FakeClock()))
        restless = Restless()
        restless._records = store._records
        host = Host(restless, MemoryBus(), FakeClock())
        live = await host.get(live.id)
        with pytest.raises(Conflict):
            await host.writer.note(live, lambda _: [Jotted(at=0, seat=0, seq=0, text="x")])
        await host.close()

    asyncio.run(scene())


def test_two_people_on_two_nodes_play_one_game_and_are_told_all_of_it_in_order() -> None:
    async def scene() -> None:
        store, bus, clock = Yielding(), MemoryBus(), FakeClock()
        async with Parlour(store, bus, clock) as here, Parlour(store, bus, clock) as there:
            table, (ada, bob) = await here.table("ada", "bob", options={"starter": 0, "max_turns": 8})
            bob.close()
            bob = await there.watching("bob", table)
            eves = [await node.watching("eve", table) for node in (here, there)]
            pages: list[Page] = [ada, bob]
            await here.play(pages, table)
            await settle()

            assert bob.told.over
            assert [len(page.told.events) for page in (*pages, *eves)] == [ada.told.seq] * 4
            assert eves[0].told.events == eves[1].told.events
            assert [event["seq"] for event in bob.told.events] == [*range(1, bob.told.seq + 1)]
            lives = [await node.host.get(table) for node in (here, there)]
            assert lives[0].table == lives[1].table
            assert lives[0].room == lives[1].room

    asyncio.run(scene())


def test_an_answer_due_on_two_nodes_is_given_once() -> None:
    async def scene() -> None:
        hosts, lives = await nodes(Yielding())
        clock = hosts[0].clock
        assert isinstance(clock, FakeClock)
        for turn in range(12):
            seat = await to_question(hosts[turn % 2], lives[turn % 2], dice(turn))
            await settle()
            assert seat is not None
            assert [seat in live.rings for live in lives] == [True, True]
            await answered(lives[0], clock)
            await settle()
            assert lives[0].table == lives[1].table
        batches = await hosts[0].batches(lives[0])
        assert [batch.seq for batch in batches[1:]] == [batch.last + 1 for batch in batches[:-1]]
        for host in hosts:
            await host.close()

    asyncio.run(scene())


def test_what_happens_while_a_node_loads_a_table_reaches_it() -> None:
    class Gap(MemoryStore):
        async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
            found = await super().read(table, stream, after)
            if stream == "case":
                await gate.wait()
            return found

    gate = asyncio.Event()
    gate.set()

    async def scene() -> None:
        store, bus = Gap(), MemoryBus()
        here, there = (Host(store, bus, FakeClock()) for _ in range(2))
        live = await begun(here)
        assert live.table is not None
        gate.clear()
        loading = asyncio.ensure_future(there.get(live.id))
        await settle()
        await here.moves.act(live, 0, live.table.seq, Roll())
        gate.set()
        other = await loading
        await settle()

        assert other.table == live.table
        for host in (here, there):
            await host.close()

    asyncio.run(scene())


def test_a_game_that_began_between_two_reads_is_taken_in_with_the_next() -> None:
    async def scene() -> None:
        (here, there), (live, _) = await nodes(MemoryStore())
        entries = [entry for record in await here.store.read(live.id, "room") for entry in decode(record.body)]
        gathering = Live(live.id, rooms.evolve(None, entries[0]), None)
        batches = await here.batches(live)

        assert gathering.take([], batches) == ()
        assert gathering.table is None
        assert gathering.take(entries[1:], batches) == batches
        assert (gathering.room, gathering.table) == (live.room, live.table)
        for host in (here, there):
            await host.close()

    asyncio.run(scene())


class Lent(SingleNode):
    """Leases as a test hands them out, and who is on another node."""

    def __init__(self, *elsewhere: Seat, has: bool) -> None:
        self.has = has
        self.there = frozenset(elsewhere)

    def holds(self, table: str) -> bool:  # noqa: ARG002  (as in Leases)
        return self.has

    def elsewhere(self, table: str) -> frozenset[Seat]:  # noqa: ARG002
        return self.there


def test_time_spent_on_one_node_is_spent_on_the_next() -> None:
    async def scene() -> None:
        store, bus, clock = MemoryStore(), MemoryBus(), FakeClock()
        leases = [Lent(1, has=True), Lent(0, has=False)]
        first, second = (Parlour(store, bus, clock, leases=lent) for lent in leases)
        live = await dealt(first, ("ann", "ben"), allowance=BANK)
        await sitting(first, live, "ann")
        other = await second.host.get(live.id)
        await sitting(second, other, "ben")  # where ann has been all the time
        seat = mover(other)
        await pass_time(clock, 20_000)
        left = clocks.left(other.room, seat, clock.now())

        leases[0].has, leases[1].has = False, True
        leases[1].heard(live.id)
        await settle()
        assert clocks.left(other.room, seat, clock.now()) == left
        await first.close()
        await second.close()

    asyncio.run(scene())


def test_of_two_rematches_on_two_nodes_there_is_one_and_the_other_stands_in_no_list() -> None:
    async def scene() -> None:
        store, bus, clock = Yielding(), MemoryBus(), FakeClock()
        first, second = (Parlour(store, bus, clock, haste=0) for _ in range(2))
        table, pages = await first.table("ann", "ben", options={"max_turns": 2})
        await first.play(pages, table)
        ann, ben = await first.watching("ann", table), await second.watching("ben", table)
        made = await asyncio.gather(*(page.ask("rematch", table=table, salt=SALT) for page in (ann, ben)))

        assert made[0] == made[1]
        assert [one.table for one in await store.gathering()] == [made[0]["table"]]
        assert {one.table for one in await store.of_person("ann")} == {table, made[0]["table"]}
        await first.close()
        await second.close()

    asyncio.run(scene())
