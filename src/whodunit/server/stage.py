"""The site as `whodunit bench server` finds it: every table laid and begun, and who sits there told to the bench.

`python -m whodunit.server.stage STORE PORT GROUPS GAMES DEALS`; STORE is `memory`, the path of a database or the
address of one that other nodes share. Each group of people has so many tables, and plays them one after another.
Prints one line of JSON, the cookies by group and seat, and serves until it is told to stop.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path

import uvloop

from whodunit.bench.server_script import SEATS, lay
from whodunit.core.ports import Bus, Leases, Store
from whodunit.infra.memory import MemoryStore, NoBus
from whodunit.infra.postgres_schema import SCHEMES
from whodunit.infra.sqlite import SqliteStore
from whodunit.server import serve
from whodunit.server.app import Site
from whodunit.table.charge import Alone
from whodunit.table.clock import WallClock

RATE = 10_000.0
"""The limit on asks is in force, but no limit to a load."""


async def opened(where: str) -> tuple[Store, Bus, Leases]:
    """Open what the tables are kept in."""
    if where == "memory":
        return MemoryStore(), NoBus(), Alone()
    if not where.startswith(SCHEMES):
        return SqliteStore(Path(where)), NoBus(), Alone()
    return (await serve.opened(serve.Settings(database=where)))[:3]


async def stage(where: str, port: int, groups: int, games: int, deals: int) -> None:
    """Serve the tables until a signal comes."""
    store, bus, leases = await opened(where)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    site = Site(store, bus, WallClock(), b"bench", haste=0, lanes=1, rate=RATE, leases=leases)
    cookies = [[site.people.new() for _ in range(SEATS)] for _ in range(groups)]
    persons = [[cookie.partition(".")[0] for cookie in group] for group in cookies]
    await asyncio.gather(
        *(lay(site.host, number, number % deals, persons[number // games]) for number in range(groups * games))
    )
    try:
        await site.start("127.0.0.1", port, None)
        sys.stdout.write(json.dumps({"cookies": cookies}) + "\n")
        sys.stdout.flush()
        await stop.wait()
    finally:
        await site.stop()


def main(store: str, *numbers: str) -> None:
    """Take the command line."""
    serve.collect_seldom()
    uvloop.run(stage(store, *map(int, numbers)))


if __name__ == "__main__":
    main(*sys.argv[1:])
