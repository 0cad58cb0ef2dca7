"""The judge of every table: one change at a time, stored before it is true, with another node beside it or not."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.server.sites import FakeClock, dice, pass_time, settle
from tests.server.worlds import answered, begun, laid, lively, to_question
from whodunit import bots
from whodunit.core.errors import Conflict, Illegal, NoTable, NotStored, StillOpen
from whodunit.core.ports import HALL, Listing, Record
from whodunit.core.types import Blob
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.timers import RETRY_MS
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import Jotted, QuestionPut
from whodunit.room.listing import digest
from whodunit.server.frames import listed
from whodunit.table.verify import verify


def host_on(store: MemoryStore, clock: FakeClock | None = None, bus: MemoryBus | None = None) -> Host:
    return Host(store, bus or MemoryBus(), clock or FakeClock())


async def play(host: Host, live: Live, moves: int, seed: int = 1) -> None:
    """Make so many moves of own turns and answers."""
    rng, clock = dice(seed), host.clock
    assert isinstance(clock, FakeClock)
    for _ in range(moves):
        assert live.table is not None
        if live.table.outcome:
            return
        (seat,) = live.table.awaiting
        if live.room.chairs[seat].due and await to_question(host, live, rng) is not None:
            await answered(live, clock)
        else:
            await host.moves.act(live, seat, *lively(live.table.offers[seat], rng))


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
        for seat in range(3):
            told = [event for batch in await host.batches(live) for event in batch.events if seat in event.known_to]
            assert len(told) > 1  # more than the hand that was dealt
            assert again.confided(seat) == live.confided(seat) == told
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
            await host.moves.act(live, 0, 1, Roll())
        with pytest.raises(Illegal):
            await host.moves.undo(live, 0)
        with pytest.raises(Illegal):
            host.answering.select(live, 0, 1, Roll())
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
        assert (
            await store.opened_by(digest("CODE0")) == await store.opened_by(digest(live.room.key(1) or "")) == live.id
        )
        assert await store.opened_by(digest("key 1 of 0")) is None
        assert not [key for key in listing.keys if key in {"CODE0", *live.room.laid.keys, live.room.key(1)}]
        await host.moves.begin(live, lambda room: manners.start(room, "ada", "random", 1, bots.VERSION, 0))

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
        assert live.rings == {}
        await host.close()

    asyncio.run(scene())


# --- Changes ---------------------------------------------------------------------------------------------------------


def test_a_move_is_told_after_it_is_stored_and_a_refused_one_never() -> None:
    class Slow(MemoryStore):
        async def append(self, *args: Any, **more: Any) -> None:
            await super().append(*args, **more)
            await gate.wait()

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
        moving = asyncio.ensure_future(host.moves.act(live, 0, table.seq, Roll()))
        await settle()
        assert (live.table, changes) == (table, [])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(moving), 0.01)
        moving.cancel()  # stored and not told: whoever comes next catches up, and tells it
        gate.set()
        await settle()
        assert (live.table, changes) == (table, [])
        with pytest.raises(Illegal):
            await host.moves.act(live, 0, table.seq, Roll())
        assert [batch.seq for change in changes for batch in change.batches] == [table.seq + 1]
        assert len(changes) == 1
        await host.close()

    asyncio.run(scene())


def test_a_question_is_not_taken_back_once_somebody_is_asked() -> None:
    """The pause before the answer can be read: whoever could take the question back would have read it for nothing."""

    async def scene() -> None:
        clock = FakeClock()
        host = host_on(MemoryStore(), clock)
        live = await begun(host)
        seat = await to_question(host, live, dice(1))
        assert live.table is not None
        asker = live.table.state.on_turn
        for moment in (0, 3000):
            await pass_time(clock, moment)
            assert live.table.asked == (seat,)
            assert live.undoer is None
            for anybody in range(4):
                with pytest.raises(Illegal):
                    await host.moves.undo(live, anybody)
        assert live.table.undo_point is not None
        assert live.table.undo_point[0] == asker  # so that what was taken back before still folds
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("next_one", [None, "detective"])
def test_a_turn_is_not_taken_back_while_a_bot_is_waited_for(next_one: str | None) -> None:
    """How long it takes could be read, and the turn ended once more; of a person who has not moved nothing can."""

    async def scene() -> None:
        host = host_on(MemoryStore())
        people = ("ada", "bob") if next_one is None else ("ada",)
        live = await begun(host, people, seats=2, levels=(None, next_one))
        while live.table is not None and live.table.awaiting == {0}:
            offers = {offer.action: offer for offer in live.table.offers[0]}
            offer = offers.get(EndTurn) or offers.get(Roll) or offers[Move]
            squares = [action for action in offer.actions() if not isinstance(getattr(action, "to", None), str)]
            await host.moves.act(live, 0, offer.since, squares[0])
        assert live.table is not None
        assert live.table.awaiting == {1}
        assert live.table.undoer == 0
        assert live.undoer == (0 if next_one is None else None)
        if next_one is None:
            await host.moves.undo(live, 0)
        else:
            with pytest.raises(Illegal):
                await host.moves.undo(live, 0)
        await host.close()

    asyncio.run(scene())


def test_every_asked_seat_has_its_moment_stored_with_the_question() -> None:
    async def scene() -> None:
        store = MemoryStore()
        host = host_on(store)
        live = await begun(host)
        asked: list[tuple[QuestionPut, Change]] = []
        host.listeners.append(lambda c: asked.extend((e, c) for e in c.entries if isinstance(e, QuestionPut)))
        await play(host, live, 60)

        assert len(asked) > 10
        for entry, change in asked:
            assert change.batches  # one append: there is no question without its moment
            assert 4000 <= entry.due - entry.at <= 10_000
            assert entry.since == change.batches[-1].last
        await host.close()

    asyncio.run(scene())


def test_no_list_tells_whether_an_asked_player_has_a_choice() -> None:
    """What they will answer is stored a moment after the question, whether or not there is a choice."""
    clock, told = FakeClock(), list[str]()

    class SlowStore(MemoryStore):
        async def append(self, *args: Any, **terms: Any) -> None:
            await super().append(*args, **terms)
            clock.move(clock.now() + 3)

    class Crier(MemoryBus):
        async def publish(self, table: str, size: int) -> None:
            told.append(table)
            await super().publish(table, size)

    async def scene() -> None:
        host = host_on(SlowStore(), clock=clock, bus=Crier())
        live = await begun(host)
        rng, kinds = dice(1), Counter[bool]()
        while await to_question(host, live, rng) is not None and kinds.total() < 40:
            assert live.table is not None
            size, moved, (offer,) = live.room.size, live.moved, live.table.offers[live.table.asked[0]]
            told.clear()
            await pass_time(clock, 1000)
            kinds[offer.count > 1] += 1
            assert live.room.size == size + 1
            assert live.room.at > moved
            assert listed(live, "ada", 0).at == moved
            assert HALL not in told
            assert live.listed is not None
            assert live.listed.at <= moved
            await answered(live, clock)
        assert min(kinds[True], kinds[False]) > 3
        await host.close()

    asyncio.run(scene())


def test_an_answer_that_is_due_is_given_by_whoever_holds_the_table_then() -> None:
    async def scene() -> None:
        store, clock = MemoryStore(), FakeClock()
        first = host_on(store, clock)
        live = await begun(first)
        seat = await to_question(first, live, dice(1))
        assert seat is not None
        await settle()
        due = live.room.chairs[seat].due
        await first.close()
        assert due is not None
        second = host_on(store, clock)
        again = await second.get(live.id)
        assert again.room.chairs[seat].due == due
        await answered(again, clock)

        assert clock.now() == due.at
        assert (await second.batches(again))[-1].at == due.at
        await second.close()

    asyncio.run(scene())


# --- Disk ------------------------------------------------------------------------------------------------------------


class Full(MemoryStore):
    """A disk that is full now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,
    ) -> None:
        if self.full:
            raise NotStored("database or disk is full")
        await super().append(table, records, blobs, listing, leased=leased)


def test_what_cannot_be_stored_does_not_happen_and_an_answer_comes_later() -> None:
    async def scene() -> None:
        store, clock = Full(), FakeClock()
        host = host_on(store, clock)
        live = await begun(host)
        seat = await to_question(host, live, dice(1))
        assert seat is not None
        await settle()
        assert live.table is not None
        before = (live.room, live.table)
        store.full = True
        with pytest.raises(NotStored):
            await host.writer.note(live, lambda _: [Jotted(at=0, seat=0, seq=0, text="x")])
        await pass_time(clock, 12_000)  # its moment passes, and nothing can be written
        assert (live.room, live.table) == before
        store.full = False
        await pass_time(clock, RETRY_MS)

        assert live.table.seq > before[1].seq
        assert live.table.awaiting
        await host.close()

    asyncio.run(scene())


# --- Silence ---------------------------------------------------------------------------------------------------------


def test_what_may_be_printed_tells_nothing() -> None:
    async def scene() -> None:
        host = host_on(MemoryStore())
        live = await begun(host)
        assert live.table is not None
        await host.moves.act(live, 0, live.table.seq, Roll())
        state = live.table.state
        told = [repr(host), repr(live), f"{live}", repr(live.room), repr(live.table), repr(live.room.laid.seal)]
        told = [re.sub("0x[0-9a-f]+", "", text) for text in told]  # an address may spell a name
        secrets = ["ada", "CODE0", "key 0 of 0", live.room.laid.seal.secret, *state.hands[0], state.envelope.suspect]

        assert not [(secret, text) for secret in secrets for text in told if secret in text]
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
                    await host.moves.act(live, seat, live.table.seq, action)
        await host.close()

    asyncio.run(scene())
