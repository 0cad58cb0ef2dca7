"""Who is told, waited for and listed follows from public facts: it is the same in both worlds of a question."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.server.sites import FakeClock, pass_time, settle
from tests.traces.cases import ALLOWANCES, PACES, some, variants
from tests.traces.house import TABLE_ID, Terms, store
from tests.traces.pairs import Pair
from tests.traces.stores import Node
from whodunit.core.errors import Illegal
from whodunit.core.types import TABLE, Batch, Undone
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.leases import SingleNode
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import answers, clocks, manners, pace, reminders
from whodunit.room.entries import ENTRY_BYTES, QuestionPut, decode
from whodunit.room.pace import Allowance, Pace
from whodunit.server import frames
from whodunit.server.housekeeping import close_unfinished

SEATS = 3


class World(NamedTuple):
    host: Host
    live: Live
    asked: tuple[QuestionPut, ...]
    """The entries that were stored with the question."""

    @property
    def now(self) -> int:
        return self.host.clock.now()

    @property
    def waited(self) -> list[int | None]:
        return [reminders.waited_since(self.live.room, self.live.table, seat, self.now) for seat in range(SEATS)]


async def put(pair: Pair, world: int, terms: Terms) -> World:
    """Put the question in one of the worlds, where everybody is there."""
    kept = MemoryStore()
    await store(pair, terms, pair.pasts[world], Node("", kept, MemoryBus(), SingleNode()))
    host = Host(kept, MemoryBus(), FakeClock())
    live = await host.get(TABLE_ID)
    live.pages.update(range(SEATS))
    await settle()
    assert pair.move is not None
    seat, action = pair.move
    assert live.table is not None
    size = live.room.size
    await host.moves.act(live, seat, live.table.since(seat, action), action)
    await settle()
    entries = [entry for record in await kept.read(TABLE_ID, "room", size) for entry in decode(record.body)]
    return World(host, live, tuple(entry for entry in entries if isinstance(entry, QuestionPut)))


def compared(asking: str, terms: Terms, check: Callable[[Pair, World, World], None]) -> None:
    """Check the worlds of a question of every variant."""

    async def scene(pair: Pair) -> None:
        worlds = await put(pair, 0, terms), await put(pair, 1, terms)
        check(pair, *worlds)
        for world in worlds:
            await world.host.close()

    for options in variants(asking):
        asyncio.run(scene(some(asking, options, SEATS, TABLE, 1)))


@pytest.mark.parametrize("allowance", ALLOWANCES, ids=lambda allowance: type(allowance).__name__)
@pytest.mark.parametrize("speed", PACES)
def test_who_is_told_and_when_the_table_wakes(asking: str, speed: Pace, allowance: Allowance) -> None:
    def check(_: Pair, one: World, other: World) -> None:
        assert one.waited == other.waited
        due = [clocks.next_act(world.live.room, world.live.table, world.now) for world in (one, other)]
        assert due[0] == due[1]

    compared(asking, Terms(speed, allowance), check)


@pytest.mark.parametrize("allowance", ALLOWANCES, ids=lambda allowance: type(allowance).__name__)
@pytest.mark.parametrize("speed", PACES)
def test_what_is_stored_with_a_question(asking: str, speed: Pace, allowance: Allowance) -> None:
    def check(pair: Pair, one: World, other: World) -> None:
        for here, there in zip(one.asked, other.asked, strict=True):
            assert (here.due, here.until, here.latest) == (there.due, there.until, there.latest)
            assert len(encode(here)) == len(encode(there))
            assert len(encode(here)) % ENTRY_BYTES == 0
            for entry in (here, there):
                assert (bytes(entry.action) == b"null") == (entry.until is not None)  # nothing but what is typed
        assert tuple(entry.seat for entry in one.asked) == pair.awaited

    compared(asking, Terms(speed, allowance), check)


@pytest.mark.parametrize("speed", PACES)
def test_whoever_is_waited_for_is_so_with_a_choice_and_without(asking: str, speed: Pace) -> None:
    def check(pair: Pair, one: World, other: World) -> None:
        for world in (one, other):
            assert world.live.table is not None
            for seat in pair.awaited:
                typed = pace.typed(world.live.game, world.live.table.offers[seat]) is not None
                assert answers.waits(world.live.room, seat, {}, world.now) == (speed == "unhurried" or typed)

    compared(asking, Terms(speed), check)


def test_nobody_takes_a_question_back_and_what_was_taken_back_still_folds(asking: str) -> None:
    def check(pair: Pair, *worlds: World) -> None:
        for world in worlds:
            table = world.live.table
            assert table is not None
            assert pair.move is not None
            assert table.asked == pair.awaited
            assert (table.undoer, world.live.undoer) == (None, None)
            asker = pair.move[0]
            with pytest.raises(Illegal):
                table.undo(asker)
            assert frames.Telling(world.live, (), table.seq).to(asker).rstrip().endswith(b'"may_undo":false}')
            if table.undo_point is not None:  # as a table that was stored before this was refused
                before = table.undo_point[1]
                again = table.grow(Batch(seq=table.seq + 1, events=(Undone(back_to=before.seq),)))
                assert (again.state, again.asked) == (before.state, ())

    compared(asking, Terms(), check)


@pytest.mark.parametrize("speed", PACES)
def test_when_a_game_that_nobody_plays_on_is_announced_and_closed(asking: str, speed: Pace) -> None:
    async def days(world: World) -> list[object]:
        clock, live = world.host.clock, world.live
        assert isinstance(clock, FakeClock)
        found: list[object] = []
        for _ in range(manners.UNFINISHED_MS // manners.DAY_MS + manners.GRACE_DAYS + 2):
            await pass_time(clock, manners.DAY_MS)
            await close_unfinished(world.host, {})
            told = frames.room(live, "nobody", clock.now())
            found.append((live.at, live.room.size, live.room.closing, live.stage, told.closes_ms))
        assert found[-1] == (live.at, live.room.size, live.room.closing, "over", None)
        return found

    async def scene(pair: Pair) -> None:
        one, other = await put(pair, 0, Terms(speed)), await put(pair, 1, Terms(speed))
        assert await days(one) == await days(other)
        await one.host.close()
        await other.host.close()

    for options in variants(asking):
        asyncio.run(scene(some(asking, options, SEATS, TABLE, 1)))
