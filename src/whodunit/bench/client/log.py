"""Tables in the middle of a game and with a long log, laid in a folder before the site opens there."""

import asyncio
import hashlib
import hmac
from pathlib import Path

from whodunit import bots, games
from whodunit.bench.server.script import Hurried, choose
from whodunit.core.rng import Stream
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryBus
from whodunit.infra.sqlite import SqliteStore
from whodunit.room import manners
from whodunit.room.entries import Laid, Sat
from whodunit.table.seal import Seal

TABLES = {"middle": 120, "longlog": 400, "moves": 12}
"""How many events each has behind it: half of a game, more than most games ever have, and one to go on with."""
SEATS = 4
KEY = b"bench client".ljust(32)
PERSONS = ("reader", "ben", "cleo", "dan")


def lay(folder: Path) -> list[str]:
    """Play the tables so far; return the cookies that open their seats."""
    (folder / "house.key").write_bytes(KEY)
    asyncio.run(_played(folder))
    return [f"{person}.{hmac.new(KEY, person.encode(), hashlib.sha256).hexdigest()}" for person in PERSONS]


class Today(Hurried):
    """The house closes games of long ago."""

    def now(self) -> int:
        return WallClock().now()


async def _played(folder: Path) -> None:
    host = Host(SqliteStore(folder / "whodunit.sqlite"), MemoryBus(), Today(), haste=0)
    rules = games.get("clue").INFO.rules
    for table, events in TABLES.items():
        live = await host.lay(table, _laid(table), *_sat())
        await host.moves.begin(live, lambda room: manners.start(room, PERSONS[0], "random", rules, bots.VERSION, 0))
        draws = Stream(b"bench client")
        while live.table is not None and live.table.seq < events:
            await _step(host, live, draws)
    await host.close()


async def _step(host: Host, live: Live, draws: Stream) -> None:
    assert live.table is not None
    (seat,) = live.table.awaiting
    offers = live.table.offers[seat]
    if offers[0].action in live.game.INFO.answers:
        await asyncio.sleep(0)  # the house answers
        return
    action = choose(live.game, offers, draws)
    await host.moves.act(live, seat, next(offer.since for offer in offers if offer.admits(action)), action)


def _laid(table: str) -> Laid:
    return Laid(
        at=0,
        game="clue",
        options={},
        levels=(None,) * SEATS,
        public=False,
        assistance="probabilities",
        pace="normal",
        code=table.upper(),
        keys=tuple(f"{table} {seat}" for seat in range(SEATS)),
        seal=Seal.from_seed("bench client"),
    )


def _sat() -> list[Sat]:
    names = ("Ann", "Ben", "Cleo", "Dan")
    return [Sat(at=0, seat=seat, person=PERSONS[seat], name=names[seat], salt=f"{seat:032x}") for seat in range(SEATS)]
