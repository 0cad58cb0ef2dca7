"""Whether a question can be taken back once somebody is asked: then reading how long its answer takes costs nothing."""

import asyncio
from contextlib import suppress

from whodunit import games
from whodunit.bench.server.script import GAMES, SEATS, choose, lay
from whodunit.bench.server.timing import TURNS_OF_THE_LOOP, SimulatedClock
from whodunit.bench.server.worlds import since
from whodunit.core.errors import Illegal, Refusal
from whodunit.core.rng import Stream
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore

MOVES = 400
"""So many moves a game has at most, and moments at which something happens by itself."""


def undone(deals: int) -> tuple[int, int]:
    """Try to take every question back in so many games of each kind; return how many were tried and how many gone."""
    assert {id for id in games.ids() if games.get(id).INFO.answers} == {*GAMES}, "all games with questions are tried"

    async def all_of_them() -> list[tuple[int, int]]:
        return [await _undone(deal) for deal in range(len(GAMES) * deals)]

    tried, gone = zip(*asyncio.run(all_of_them()), strict=True)
    return sum(tried), sum(gone)


async def _undone(deal: int) -> tuple[int, int]:
    clock, draws = SimulatedClock(), Stream(b"undo %d" % deal)
    host = Host(MemoryStore(), MemoryBus(), clock)
    live = await lay(host, deal, deal, [f"person {seat}" for seat in range(SEATS)])
    tried = gone = 0
    for _ in range(MOVES):
        assert live.table is not None
        if live.table.asked:
            clock.forward()
            for _ in range(TURNS_OF_THE_LOOP):
                await asyncio.sleep(0)
            continue
        seat = min(live.table.awaiting)
        action = choose(live.game, live.table.offers[seat], draws)
        await host.moves.act(live, seat, since(live, seat, action), action)
        if live.table.asked:
            tried += 1
            if await _is_undone(host, live, seat):
                gone += 1
                await host.moves.act(live, seat, since(live, seat, action), action)
    await host.close()
    return tried, gone


async def _is_undone(host: Host, live: Live, seat: int) -> bool:
    with suppress(Illegal, Refusal):
        await host.moves.undo(live, seat)
        return True
    return False
