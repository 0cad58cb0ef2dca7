"""Bots at a table of the site slam though nobody waits for them, and are certified all the same."""

import asyncio
from typing import Any

import pytest

from tests.server.sites import FakeClock, Here, pass_time, settle
from tests.server.worlds import begun
from whodunit import arena, bots
from whodunit.core.types import Action
from whodunit.games.perfect_alibi.model import PickAssistant, Slam
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import Laid, Sat
from whodunit.room.pace import Pace
from whodunit.server.bot_runner import Runner
from whodunit.server.workers import Workers
from whodunit.table.seal import Seal


async def game_of_bots() -> list[bool | None]:
    """Let one person lay a table, hand over to a bot and look on."""
    workers = Workers(1)
    host = Host(MemoryStore(), MemoryBus(), WallClock(), haste=0.001)
    runner = Runner(host, workers, b"seed")
    laid = Laid(
        at=0,
        game="perfect_alibi",
        options={},
        levels=(None, "detective", "detective"),
        public=False,
        assistance="logic",
        pace="quick",
        code="code",
        keys=("a", "b", "c"),
        seal=Seal.from_seed("interrupts"),
    )
    live = await host.lay("table", laid, Sat(at=0, seat=0, person="ann", name="Ann", salt="salt"))
    live.pages[0] += 1
    await host.moves.begin(
        live, lambda room: manners.start(room, "ann", "detective", live.game.INFO.rules, bots.VERSION, 0)
    )
    await host.writer.note(live, lambda room: manners.hand_over(room, "ann", "detective", 0))
    while live.table is None or not live.table.outcome:  # noqa: ASYNC110  (a state of the host's, not an event)
        await asyncio.sleep(0.02)
    case = await host.case(live)
    await runner.close()
    await host.close()
    workers.close()
    return [statement.holds for statement in arena.certify(case)]


def test_bots_interrupt_at_a_table_and_their_moves_can_be_run_again() -> None:
    assert asyncio.run(game_of_bots()) == [True, True]


def delays(people: int, **options: int) -> list[int]:
    """Return how long bots at this table wait before they slam, in thirty tries."""

    async def scene() -> list[int]:
        waits = []
        for seed in range(30):
            clock = FakeClock()
            host = Host(MemoryStore(), MemoryBus(), clock)
            runner = Runner(host, Here(), b"seed %d" % seed)
            levels = tuple(None if seat < people else "rookie" for seat in range(3))
            who = ("ann", "ben", "cis")[: max(1, people)]
            live = await begun(host, who, game="perfect_alibi", seats=3, levels=levels, options=options)
            for assistant in ("Captain", "Priest", "Journalist"):
                assert live.table is not None
                (seat,) = live.table.awaiting
                await host.moves.act(live, seat, live.table.offers[seat][0].since, PickAssistant(assistant))
            if not people:
                await host.writer.note(live, lambda room: manners.hand_over(room, "ann", "rookie", 0))
            assert live.table is not None
            waits.append(runner._start_for_people(live, live.table))
            await runner.close()
            await host.close()
        return waits

    return asyncio.run(scene())


def test_a_bot_gives_people_a_start_before_it_slams() -> None:
    """ALIBI-R28: drawn anew each time, from 4 to 9 seconds or as the table says; none where no person could slam."""
    waits = delays(people=1)
    assert all(4000 <= wait <= 9000 for wait in waits)
    assert len(set(waits)) > 20
    assert all(20_000 <= w <= 21_000 for w in delays(people=2, bot_slam_delay_least_s=20, bot_slam_delay_most_s=21))
    assert set(delays(people=0)) == {0}


def test_no_bot_moves_on_before_all_have_been_asked_whether_they_interrupt() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = Host(MemoryStore(), MemoryBus(), clock)
        runner = Runner(host, Here(), b"seed")
        thought = asyncio.Event()

        async def slow(_live: Live, _seat: int) -> None:
            await thought.wait()

        runner._urge = slow  # type: ignore[assignment,method-assign]
        live = await begun(host, ("ann",), game="perfect_alibi", seats=3, levels=(None, "rookie", "rookie"), options={})
        live.pages[0] += 1
        await host.writer.note(live, lambda room: manners.hand_over(room, "ann", "rookie", 0))

        async def rest() -> int:
            for _ in range(5):
                await settle()
                if clock.next is not None:
                    clock.move(clock.next)
            await settle()
            assert live.table is not None
            return live.table.seq

        before = await rest()
        assert await rest() == before
        thought.set()
        assert await rest() > before
        await runner.close()
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize(("pace", "early"), [("normal", True), ("brisk", False), ("at_once", False)])
def test_whoever_plays_alone_has_the_whole_start_however_fast_the_bots_go_on(pace: Pace, *, early: bool) -> None:
    """With people an event that comes in between ends the start: they have had the time from one to the next."""

    async def scene() -> int:
        clock = FakeClock()
        host = Host(MemoryStore(), MemoryBus(), clock)
        runner = Runner(host, Here(), b"seed")

        async def slams(live: Live, seat: int) -> Action | None:
            assert live.table is not None
            offers = [offer for offer in live.table.offers[seat] if offer.action is Slam]
            return offers[0].at(0) if seat == 1 and offers else None

        runner._urge = slams  # type: ignore[method-assign]
        terms: dict[str, Any] = {"seats": 3, "levels": (None, "rookie", "rookie"), "public": False, "pace": pace}
        live = await begun(host, ("ann",), game="perfect_alibi", options={}, **terms)
        for assistant in ("Captain", "Priest", "Journalist"):
            assert live.table is not None
            (seat,) = live.table.awaiting
            await host.moves.act(live, seat, live.table.offers[seat][0].since, PickAssistant(assistant))
        began = clock.now()
        live.pages[0] += 1
        runner.poke(live)
        await pass_time(clock, 1100)
        await host.writer.note(live, lambda room: manners.hand_over(room, "ann", "rookie", clock.now()))
        while not any(batch.cause and type(batch.cause.action) is Slam for batch in await host.batches(live)):
            await pass_time(clock, 100)
            assert clock.now() - began < 60_000
        slammed = next(b.at for b in await host.batches(live) if b.cause and type(b.cause.action) is Slam)
        await runner.close()
        await host.close()
        return slammed - began

    assert (asyncio.run(scene()) < 4000) == early
