"""Bots at a table of the site slam though nobody waits for them, and are certified all the same."""

import asyncio

from whodunit import arena, bots
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.server.runner import Runner
from whodunit.server.workers import Workers
from whodunit.table import manners
from whodunit.table.clock import WallClock
from whodunit.table.host import Host
from whodunit.table.room import Laid, Sat
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
    await host.begin(live, lambda room: manners.start(room, "ann", "detective", 1, bots.VERSION, 0))
    await host.note(live, lambda room: manners.hand_over(room, "ann", "detective", 0))
    for _ in range(3000):
        await asyncio.sleep(0.02)
        if live.table is not None and live.table.outcome:
            break
    case = await host.case(live)
    await runner.close()
    await host.close()
    workers.close()
    return [statement.holds for statement in arena.certify(case)]


def test_bots_interrupt_at_a_table_and_their_moves_can_be_run_again() -> None:
    assert asyncio.run(game_of_bots()) == [True, True]
