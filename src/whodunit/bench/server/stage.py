"""The site as `whodunit bench server` finds it: every table laid and begun, and who sits there told to the bench.

`python -m whodunit.bench.server.stage STAGING`, which is a `script.Staging` as JSON. Prints a line of JSON (the
cookies by group and seat, the schema of what may be asked) and serves until it is told to stop.
"""

import asyncio
import gc
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import uvloop

from whodunit.bench.server import habit, worlds
from whodunit.bench.server.script import (
    CLOSED,
    CLUE,
    SEATS,
    Staging,
    WorldTables,
    ages,
    lay,
    lay_for_bots,
    parted,
    play,
    script,
)
from whodunit.core.notes import Assistance
from whodunit.core.ports import Bus, Leases, Store
from whodunit.core.rng import Rng
from whodunit.host.leases import SingleNode
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryStore, NoBus
from whodunit.infra.postgres_schema import SCHEMES
from whodunit.infra.sqlite import SqliteStore
from whodunit.room.entries import Abandoned
from whodunit.server import protocol, serve
from whodunit.server.app import Site
from whodunit.server.limits import read_limits
from whodunit.server.network import networks


class Ahead(WallClock):
    """The real clock, or one that somebody has set wrong."""

    def __init__(self, milliseconds: int) -> None:
        self._ahead = milliseconds

    def now(self) -> int:
        return super().now() + self._ahead


async def opened(where: str) -> tuple[Store, Bus, Leases]:
    """Open what the tables are kept in."""
    if where == "memory":
        return MemoryStore(), NoBus(), SingleNode()
    if not where.startswith(SCHEMES):
        return SqliteStore(Path(where)), NoBus(), SingleNode()
    return (await serve.opened(serve.Settings(database=where)))[:3]


async def stage(staging: Staging) -> None:
    """Serve the tables until a signal comes."""
    store, bus, leases = await opened(staging.store)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    decks = worlds.Decks()
    site = Site(
        store,
        bus,
        Ahead(staging.ahead_ms),
        b"bench",
        haste=staging.haste,
        lanes=1,
        rate=staging.rate,
        draws=decks if staging.worlds else Rng,
        leases=leases,
        proxies=networks(staging.proxies),
        limits=read_limits(staging.limits),
        sweep_s=staging.sweep_s,
    )
    cookies = [[site.people.new() for _ in range(SEATS)] for _ in range(staging.groups)]
    strangers = [site.people.new() for _ in cookies]
    persons = [[_person(cookie) for cookie in group] for group in cookies]
    await _laid(site, staging, persons)
    guests = await _laid_in_worlds(site, decks, staging.worlds, persons) if staging.worlds else []
    try:
        await site.start("127.0.0.1", staging.port, None)
        told = {
            "cookies": cookies,
            "guests": guests,
            "strangers": strangers,
            "asks": msgspec.json.schema(protocol.AnyAsk),
        }
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
        await stop.wait()
    finally:
        await site.stop()


async def _laid(site: Site, staging: Staging, persons: Sequence[Sequence[str]]) -> None:
    """Lay all tables, and play those that are to have a past."""
    pasts = {deal: await script(deal, staging.played) for deal in staging.deals} if staging.played else {}

    seated = staging.groups if staging.seated is None else staging.seated
    old = ages(seated * staging.games, staging.played, spread=staging.spread)

    async def begun(number: int) -> None:
        deal = staging.deals[number % len(staging.deals)]
        assistance: Assistance = "probabilities" if number < staging.assisted else "paper"
        live = await lay(site.host, number, deal, persons[number // staging.games], assistance)
        await play(site.host, live, parted(pasts[deal], old[number])[0] if pasts else ())
        if staging.played:
            site.host.release(live)

    await asyncio.gather(*(begun(number) for number in range(seated * staging.games)))
    for number in range(staging.closed):
        await _laid_and_closed(site, number, staging.played_out, persons[number])
    for wanted in staging.bots:
        await lay_for_bots(site.host, wanted, persons[wanted.group][0])
    gc.collect()


async def _laid_and_closed(site: Site, number: int, played: int, persons: Sequence[str]) -> None:
    """Play a table of Clue for a while, and close its case."""
    deal = CLUE[number % len(CLUE)]
    live = await lay(site.host, CLOSED + number, deal, persons)
    await play(site.host, live, await script(deal, played))
    await site.host.writer.note(live, lambda _: [Abandoned(at=0)])
    site.host.release(live)


async def _laid_in_worlds(
    site: Site, decks: worlds.Decks, wanted: WorldTables, persons: Sequence[Sequence[str]]
) -> list[str]:
    """Lay a table in each world; return a cookie for each: of somebody who may look on there, and nowhere else."""
    kind = msgspec.convert(wanted.kind, worlds.Kind)
    guests = [site.people.new() for _ in range(wanted.count)]

    async def begun(place: int) -> None:
        number, (*players, watcher) = wanted.first + place, persons[worlds.group_of(place, len(persons))]
        dealt = worlds.world(kind, number)
        if kind in worlds.ALONE:  # a guest would end that
            await decks.lay(site.host, number, dealt, players, pace=worlds.ALONE[kind])
        else:
            await decks.lay(site.host, number, dealt, players, [watcher, _person(guests[place])])

    await asyncio.gather(*(begun(place) for place in range(wanted.count)))
    if wanted.habit:
        habit.switch_on(site.host)
    gc.collect()
    gc.freeze()  # thousands of tables lie in memory: no probe is to wait while all of them are looked through
    return guests


def _person(cookie: str) -> str:
    return cookie.partition(".")[0]


if __name__ == "__main__":
    serve.log_discreetly()
    serve.spare_memory()
    uvloop.run(stage(msgspec.json.decode(sys.argv[1], type=Staging)))
