"""The judge of every table: one change at a time, stored before it is true, with another node beside it or not."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, Literal

import pytest

from tests.server.sites import FakeClock, Page, Parlour, pass_time, settle
from tests.server.worlds import answered, begun, laid, lively, terms, to_question
from whodunit import bots
from whodunit.core.errors import Conflict, Illegal, NoTable, NotStored, StillOpen
from whodunit.core.ports import Listing, Record
from whodunit.core.types import Blob
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.table import manners
from whodunit.table.host import RETRY_MS, Host, digest
from whodunit.table.live import Change, Live
from whodunit.table.room import Asked, Jotted, Sat, Selected
from whodunit.table.verify import verify


def host_on(store: MemoryStore, clock: FakeClock | None = None, bus: MemoryBus | None = None) -> Host:
    return Host(store, bus or MemoryBus(), clock or FakeClock())


async def play(host: Host, live: Live, moves: int, seed: int = 1) -> None:
    """Make so many moves of own turns and answers."""
    rng, clock = Random(seed), host.clock
    assert isinstance(clock, FakeClock)
    for _ in range(moves):
        assert live.table is not None
        if live.table.outcome:
            return
        (seat,) = live.table.awaiting
        if live.room.chairs[seat].due and await to_question(host, live, rng) is not None:
            await answered(live, clock)
        else:
            await host.act(live, seat, *lively(live.table.offers[seat], rng))


# --- Tables ----------------------------------------------------------------------------------------------------------


def test_a_table_is_found_again_as_it_was_left() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        live = await begun(host)
        await play(host, live, 30)
        again = await host_on(store, FakeClock(host.clock.now())).get(live.id)

        assert again.room == live.room
        assert again.table == live.table
        assert again.table is not live.table
        await host.close()

    asyncio.run(scene())


def test_a_table_is_loaded_once_however_many_ask_for_it() -> None:
    async def scene() -> None:
        store = MemoryStore()
        await begun(host_on(store))
        host = host_on(store)
        lives = await asyncio.gather(*(host.get("table0") for _ in range(10)))

        assert len({id(live) for live in lives}) == 1
        with pytest.raises(NoTable):
            await host.get("another")
        with pytest.raises(NoTable):  # and it is asked for anew
            await host.get("another")
        assert set(host.tables) == {"table0"}
        await host.close()

    asyncio.run(scene())


def test_a_table_has_one_beginning() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        await laid(host)
        with pytest.raises(Conflict):
            await laid(host_on(store))
        live = await host.get("table0")
        with pytest.raises(Illegal):
            await host.act(live, 0, 1, Roll())
        with pytest.raises(Illegal):
            await host.undo(live, 0)
        with pytest.raises(Illegal):
            await host.select(live, 0, 1, Roll())
        with pytest.raises(StillOpen):
            await host.case(live)
        await host.close()

    asyncio.run(scene())


def test_a_list_knows_who_sits_there_and_no_key() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        live = await laid(host, people=("ada", "bob"))
        (listing,) = await store.gathering()
        assert listing.people == ("ada", "bob")
        assert await store.opened_by(digest("CODE0")) == await store.opened_by(digest("key 1 of 0")) == live.id
        assert not [key for key in listing.keys if key in {"CODE0", *live.room.laid.keys}]
        await host.begin(live, lambda room: manners.start(room, "ada", "random", 1, bots.VERSION, 0))

        assert list(await store.gathering()) == []
        (mine,) = await store.of_person("bob")
        assert (mine.stage, mine.table) == ("playing", live.id)
        await host.close()

    asyncio.run(scene())


def test_a_closed_case_is_whole_and_honest() -> None:
    async def scene() -> None:
        host = host_on(MemoryStore())
        live = await begun(host, options={"starter": 0, "max_turns": 6})
        with pytest.raises(StillOpen):
            await host.case(live)
        await play(host, live, 500)
        case = await host.case(live)

        assert all(statement.holds for statement in verify(case))
        assert case.events[-1] == (await host.batches(live))[-1].events[-1]
        assert (await host.store.of_person("ada"))[0].stage == "over"
        assert live.timers == {}
        await host.close()

    asyncio.run(scene())


# --- Changes ---------------------------------------------------------------------------------------------------------


def test_a_move_is_told_after_it_is_stored_and_a_refused_one_never() -> None:
    class Slow(MemoryStore):
        async def append(self, *args: Any, **more: Any) -> None:
            await gate.wait()
            await super().append(*args, **more)

    gate = asyncio.Event()
    gate.set()

    async def scene() -> None:
        host = host_on(Slow())
        live = await begun(host)
        changes: list[Change] = []
        host.listeners.append(changes.append)
        table = live.table
        assert table is not None
        gate.clear()
        moving = asyncio.ensure_future(host.act(live, 0, table.seq, Roll()))
        await settle()
        assert (live.table, changes) == (table, [])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(moving), 0.01)
        moving.cancel()  # whoever asked has gone; what was begun is finished
        gate.set()
        await settle()
        assert [batch.seq for change in changes for batch in change.batches] == [table.seq + 1]
        with pytest.raises(Illegal):
            await host.act(live, 0, table.seq, Roll())
        assert len(changes) == 1
        await host.close()

    asyncio.run(scene())


def test_a_move_can_be_taken_back_and_what_was_asked_is_forgotten() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = host_on(MemoryStore(), clock)
        live = await begun(host)
        seat = await to_question(host, live, Random(1))
        assert live.table is not None
        asker = live.table.state.on_turn
        assert seat in live.timers
        with pytest.raises(Illegal):
            await host.undo(live, (asker + 1) % 4)
        await host.undo(live, asker)
        assert live.timers == {}
        seq = live.table.seq
        await pass_time(clock, 60_000)
        assert live.table.seq == seq
        assert live.table.awaiting == {asker}
        await host.close()

    asyncio.run(scene())


def test_every_asked_seat_has_its_moment_stored_with_the_question() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        live = await begun(host)
        asked: list[tuple[Asked, Change]] = []
        host.listeners.append(lambda c: asked.extend((e, c) for e in c.entries if isinstance(e, Asked)))
        await play(host, live, 60)

        assert len(asked) > 10
        for entry, change in asked:
            assert change.batches  # one append: there is no question without its moment
            assert 4000 <= entry.due - entry.at <= 10_000
            assert entry.since == change.batches[-1].last
        await host.close()

    asyncio.run(scene())


# --- Disk ------------------------------------------------------------------------------------------------------------


class Full(MemoryStore):
    """A disk that is full now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False

    async def append(
        self, table: str, records: Sequence[Record], blobs: Sequence[Blob] = (), listing: Listing | None = None
    ) -> None:
        if self.full:
            raise NotStored("database or disk is full")
        await super().append(table, records, blobs, listing)


def test_what_cannot_be_stored_does_not_happen_and_an_answer_comes_later() -> None:
    async def scene() -> None:
        store, clock = Full(), FakeClock()
        host = host_on(store, clock)
        live = await begun(host)
        seat = await to_question(host, live, Random(1))
        assert seat is not None
        await settle()
        assert live.table is not None
        before = (live.room, live.table)
        store.full = True
        with pytest.raises(NotStored):
            await host.note(live, lambda _: [Jotted(at=0, seat=0, seq=0, text="x")])
        await pass_time(clock, 12_000)  # its moment passes, and nothing can be written
        assert (live.room, live.table) == before
        store.full = False
        await pass_time(clock, RETRY_MS)

        assert live.table.seq > before[1].seq
        assert live.table.awaiting
        await host.close()

    asyncio.run(scene())


# --- Two nodes -------------------------------------------------------------------------------------------------------


class Yielding(MemoryStore):
    """Takes its time, so that others come in between."""

    async def append(
        self, table: str, records: Sequence[Record], blobs: Sequence[Blob] = (), listing: Listing | None = None
    ) -> None:
        await asyncio.sleep(0)
        await super().append(table, records, blobs, listing)
        await asyncio.sleep(0)

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        await asyncio.sleep(0)
        found = await super().read(table, stream, after)
        await asyncio.sleep(0)
        return found


async def nodes(store: MemoryStore) -> tuple[list[Host], list[Live]]:
    clock, bus = FakeClock(), MemoryBus()
    hosts = [host_on(store, clock, bus) for _ in range(2)]
    first = await begun(hosts[0])
    return hosts, [first, await hosts[1].get(first.id)]


@pytest.mark.parametrize("store", [MemoryStore, Yielding])
def test_of_two_nodes_that_move_at_once_one_wins_and_both_agree(store: type[MemoryStore]) -> None:
    async def scene() -> None:
        hosts, lives = await nodes(store())
        assert lives[0].table is not None
        since = lives[0].table.seq
        moves = [host.act(live, 0, since, Roll()) for host, live in zip(hosts, lives, strict=True)]
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
            hosts[0].act(lives[0], 0, since, Roll()),
            hosts[1].note(lives[1], lambda room: manners.jot(room, "bob", 0, "what now", 5)),
            hosts[0].note(lives[0], lambda room: manners.mark(room, "ada", 0, "Rope|1", "x", 6)),
            hosts[1].note(lives[1], lambda room: manners.mark(room, "cleo", 0, "Hall|1", "x", 7)),
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


def test_a_change_gives_up_on_a_table_that_never_rests() -> None:
    class Restless(MemoryStore):
        async def append(self, *_: Any, **__: Any) -> None:
            raise Conflict("somebody was faster")

    async def scene() -> None:
        store = MemoryStore()
        live = await begun(host_on(store))
        restless = Restless()
        restless._records = store._records
        host = host_on(restless)
        live = await host.get(live.id)
        with pytest.raises(Conflict):
            await host.note(live, lambda _: [Jotted(at=0, seat=0, seq=0, text="x")])
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
            seat = await to_question(hosts[turn % 2], lives[turn % 2], Random(turn))
            await settle()
            assert seat is not None
            assert [seat in live.timers for live in lives] == [True, True]
            await answered(lives[0], clock)
            await settle()
            assert lives[0].table == lives[1].table
        batches = await hosts[0].batches(lives[0])
        assert [batch.seq for batch in batches[1:]] == [batch.last + 1 for batch in batches[:-1]]
        for host in hosts:
            await host.close()

    asyncio.run(scene())


# --- Silence ---------------------------------------------------------------------------------------------------------


def test_what_may_be_printed_tells_nothing() -> None:
    async def scene() -> None:
        host = host_on(MemoryStore())
        live = await begun(host)
        assert live.table is not None
        changes: list[Change] = []
        host.listeners.append(changes.append)
        await host.act(live, 0, live.table.seq, Roll())
        state = live.table.state
        told = [repr(host), repr(live), f"{live}", repr(live.room), repr(live.table), repr(live.room.laid.seal)]
        told += [repr(changes[0]), repr(live.room.laid), repr(live.room.chairs[0]), repr(terms())]
        told.append(repr(Sat(at=0, seat=0, person="ada", name="A", salt="0" * 32)))
        told.append(repr(Selected(at=0, seat=0, since=1, action=terms().seal.secret.encode(), chosen=True)))  # type: ignore[arg-type]
        secrets = ["ada", "CODE0", "key 0 of 0", live.room.laid.seal.secret, *state.hands[0], state.envelope.suspect]

        assert not [(secret, text) for secret in secrets for text in told[:6] if secret in text]
        await host.close()

    asyncio.run(scene())


def test_nobody_else_ends_the_turn() -> None:
    async def scene() -> None:
        host = host_on(MemoryStore())
        live = await begun(host)
        assert live.table is not None
        for seat in (1, 2, 3, -1, 7):
            for action in (Roll(), EndTurn(), Move("Hall"), Accuse("Green", "Rope", "Hall")):
                with pytest.raises(Illegal):
                    await host.act(live, seat, live.table.seq, action)
        await host.close()

    asyncio.run(scene())
