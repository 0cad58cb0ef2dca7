"""What an asked player chooses: noted at once, kept when it is stored, and told so when it came to nothing."""

import asyncio

import pytest

from tests.room.test_pace import asked, due_at, fair, given, options
from tests.server.sites import FakeClock, pass_time, settle
from tests.server.worlds import answered, begun
from whodunit.core.errors import Illegal
from whodunit.host.host import Host
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import pace


def test_what_was_kept_before_a_restart_is_given_after_it_though_an_answer_clock_still_runs() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        host = Host(store, MemoryBus(), clock)
        live = await begun(host, pace="unhurried", allowance=pace.Bank(600, 0, 40))
        seat = await asked(host, live, "several")
        (since, actions), due = options(live, seat), due_at(live, seat)
        kept = host.answering.select(live, seat, since, actions[-1])
        await pass_time(clock, 1000)
        assert kept.done()
        await host.close()
        clock.move(due + 5000)
        again = Host(store, MemoryBus(), clock)
        table = await again.get(live.id)
        await settle()

        assert await given(again, table) == (clock.now(), actions[-1])
        await again.close()

    asyncio.run(scene())


def test_what_was_only_noted_is_kept_when_the_house_closes() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        host = Host(store, MemoryBus(), clock)
        live = await begun(host)
        seat = await asked(host, live, "several")
        since, actions = options(live, seat)
        noted = host.answering.select(live, seat, since, actions[-1])
        await settle()
        assert not noted.done()
        await host.close()
        assert noted.done()
        again = Host(store, MemoryBus(), clock)
        due = (await again.get(live.id)).room.chairs[seat].due
        assert due is not None
        assert due.chosen
        await again.close()

    asyncio.run(scene())


def test_a_choice_that_came_too_late_is_told_so() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host)
        seat = await asked(host, live, "several")
        since, actions = options(live, seat)
        first, second = (host.answering.select(live, seat, since, action) for action in (actions[0], actions[-1]))
        await answered(live, clock)
        assert first.result() is second.result() is None  # whoever thinks again has said so
        with pytest.raises(Illegal):
            host.answering.select(live, seat, since, actions[0])
        await host.close()

    asyncio.run(scene())
