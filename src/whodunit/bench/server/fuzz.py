"""What malformed and hostile messages do to the site: nothing, as far as anybody honest can tell.

Strangers, players of other tables and players of the table itself send what `hostile` makes, over sockets and as
requests; honest people meanwhile watch some tables, at which nothing may happen, and play at others as if nothing were.
Damage is whatever is otherwise: a byte stored of a quiet table, an honest move that is refused or not answered, an
error in the server's log, memory that stays taken.
"""

import argparse
import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import ClientSession, DummyCookieJar, TCPConnector
from msgspec import Struct

from whodunit.bench import report
from whodunit.bench.report import Bar
from whodunit.bench.server import hostile
from whodunit.bench.server.load import Server, free_port, resident_kb
from whodunit.bench.server.people import Page
from whodunit.bench.server.script import HOUSE, MIXED, SEATS, ScriptedMove, Staging, scripts, table_id
from whodunit.bench.server.speed import act, staged
from whodunit.core.rng import Stream

MESSAGES = 100_000
TABLES = 6
QUIET = range(4)
"""The tables at which nothing may happen; at the others people play."""
PAST = 40
STRANGERS = 4
AT_ONCE = 12
A_VISIT = 40
"""How many messages a visitor sends: fewer than the site admits at once, so that each is looked at."""
FLOOD = 300
WARM = 10
"""One message in so many is sent before memory is weighed: by then everything has been loaded that ever is."""
MEMORY_KB = 8 * 1024
"""What may stay taken: to lose a hundred bytes with each of 100,000 messages would be more."""
PATIENCE_S = 20.0
STORED = {
    "record": "SELECT stream, seq, last, body FROM record WHERE table_id = ? ORDER BY stream, seq",
    "blob": "SELECT id, media, data FROM blob WHERE table_id = ? ORDER BY id",
    "listing": "SELECT * FROM listing WHERE table_id = ?",
    "person": "SELECT * FROM person WHERE table_id = ? ORDER BY 1, 2",
    "key": "SELECT * FROM key WHERE table_id = ? ORDER BY 1, 2",
}

BARS = [Bar("fuzzed", ">=", MESSAGES), Bar("fuzz_damage", "<=", 0)]
LABELS = {
    "fuzzed": "malformed and hostile messages",
    "fuzz_damage": "tables touched, honest moves refused, errors, memory kept",
    "fuzz_memory_kb": "kB of memory that stayed taken",
}


class Outcome(Struct):
    """What became of it all."""

    sent: int
    honest: int
    memory_kb: int
    damage: list[str]


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Send the messages, fill the figures in, and return what was damaged."""
    done = fuzz(args.messages)
    figures |= {"fuzzed": done.sent, "fuzz_damage": len(done.damage), "fuzz_memory_kb": done.memory_kb}
    return "\n".join([f"fuzz: {done.honest:,} honest moves meanwhile", *done.damage[:20]])


def fuzz(messages: int) -> Outcome:
    """Send so many messages to a site of its own."""
    with TemporaryDirectory(prefix="whodunit-fuzz-") as name:
        port, folder = free_port(), Path(name)
        store, log = folder / "whodunit.sqlite", folder / "log"
        staging = Staging(str(store), port, groups=TABLES + STRANGERS, games=1, seated=TABLES, played=PAST, rate=20.0)
        with staged(staging, pinned=False, log=log) as server:
            done = asyncio.run(Siege(server, store, PAST + 60 + messages // 100).lasted(messages))
        errors = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
        done.damage += [f"the server's log: {line}" for line in errors]
    return done


def stored(store: Path, table: str) -> dict[str, str]:
    """Return a digest of everything that is stored of a table."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
        rows = {name: database.execute(query, (table,)).fetchall() for name, query in STORED.items()}
    return {name: hashlib.sha256(repr(found).encode()).hexdigest() for name, found in rows.items()}


class Siege:
    """One site, whoever attacks it, and whoever goes on playing there."""

    def __init__(self, server: Server, store: Path, length: int) -> None:
        self._server = server
        self._store = store
        self._cookies: list[list[str]] = server.told["cookies"]
        self._draws = Stream(b"fuzz")
        self._asks = hostile.Asks(server.told["asks"], self._draws)
        self._tables = [table_id(number) for number in range(TABLES)]
        played, whole = scripts(MIXED[:TABLES], PAST), scripts(MIXED[:TABLES], length)
        self._old = {deal: [step for step in steps if step.seat != HOUSE] for deal, steps in played.items()}
        self._next = {deal: whole[deal][len(played[deal]) :] for deal in whole}
        self._done = Outcome(0, 0, 0, [])

    async def lasted(self, messages: int) -> Outcome:
        """Attack, and say what it did."""
        async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
            address = f"http://127.0.0.1:{self._server.port}"
            pages = [[Page(session, address, cookie) for cookie in self._cookies[number]] for number in range(TABLES)]
            for table, four in zip(self._tables, pages, strict=True):
                await asyncio.gather(*(page.watch(table) for page in four))
            await asyncio.sleep(0.5)  # who has come is stored
            before = {table: stored(self._store, table) for table in self._tables}
            playing = [asyncio.ensure_future(self._played(n, pages[n])) for n in range(TABLES) if n not in QUIET]
            await self._attacked(messages // WARM)
            weighed = resident_kb(self._server.process.pid)
            await self._attacked(messages)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for number in QUIET:
                table = self._tables[number]
                changed = [name for name, now in stored(self._store, table).items() if now != before[table][name]]
                self._done.damage += [f"{table}: its {name} has changed" for name in changed]
            for number in range(TABLES):  # what nobody could touch still goes on, and what was played too
                await self._goes_on(number, pages[number])
            self._done.memory_kb = resident_kb(self._server.process.pid) - weighed
            await asyncio.gather(*(page.close() for four in pages for page in four))
        if self._done.memory_kb > MEMORY_KB:
            self._done.damage.append(f"{self._done.memory_kb} kB of memory stay taken")
        return self._done

    # --- The honest ---

    async def _played(self, number: int, pages: Sequence[Page]) -> None:
        """Play on by the script, a few moves a second, as if nothing were."""
        while len(self._next[number]) > A_VISIT:
            await self._goes_on(number, pages)
            await asyncio.sleep(0.15)

    async def _goes_on(self, number: int, pages: Sequence[Page]) -> None:
        """Make the next move of a table's script: everybody there is told of it, and of what the house answers."""
        steps = self._next[number]
        asked = steps.pop(0)
        last = asked.last
        while steps and steps[0].seat == HOUSE:
            last = steps.pop(0).last
        try:
            ask = json.loads(act(number, asked))
            fields = {name: ask[name] for name in ("table", "since", "action")}
            await asyncio.wait_for(pages[asked.seat].ask("act", **fields), PATIENCE_S)
            await asyncio.wait_for(asyncio.gather(*(page.told(last) for page in pages)), PATIENCE_S)
            self._done.honest += 1
        except Exception as error:  # noqa: BLE001  (whatever it is, somebody honest has suffered)
            self._done.damage.append(f"{self._tables[number]}: a move failed: {type(error).__name__} {error}")

    # --- The others ---

    async def _attacked(self, until: int) -> None:
        """Send messages from many sides until so many have been sent."""

        async def attacker() -> None:
            while self._done.sent < until:
                await self._visit()
                if self._done.sent // 20_000 > (self._done.sent - A_VISIT) // 20_000:
                    kept = resident_kb(self._server.process.pid)
                    told = f"{self._done.sent:,} messages, {len(self._done.damage)} times damage, {kept:,} kB in use"
                    report.progress(told)

        await asyncio.gather(*(attacker() for _ in range(AT_ONCE)))

    async def _visit(self) -> None:
        kinds = (self._strange, self._strange, self._broken, self._insider, self._insider, self._flood, self._requests)
        kind = kinds[self._draws.below("kind", len(kinds))]
        try:
            await asyncio.wait_for(kind(), PATIENCE_S)
        except TimeoutError:
            self._done.damage.append(f"the server does not answer ({kind.__name__})")
        except OSError:
            return  # it has hung up, as it may

    def _stranger(self) -> str:
        return self._cookies[TABLES + self._draws.below("who", STRANGERS)][self._draws.below("seat", SEATS)]

    async def _strange(self) -> None:
        """Send asks in order, and others, about tables that are none of the stranger's business."""
        asks = [_text(self._asks.well_formed(self._tables)) for _ in range(A_VISIT // 2)]
        replayed = [act(number, self._any(self._old[number] + self._next[number][:1])) for number in range(TABLES)]
        frames = [hostile.frame(each.encode()) for each in [*asks, *(each for each in replayed if each)]]
        await self._sent(self._stranger(), frames + self._harmless(A_VISIT - len(frames)))

    async def _insider(self) -> None:
        """Send as a player: what the schema refuses, moves made long ago, and moves that are another seat's to make."""
        number = self._draws.below("table", TABLES)
        seat = self._draws.below("seat", SEATS)
        others = [step for step in self._next[number][:1] if step.seat not in {seat, HOUSE}]
        steps = [self._any(self._old[number] + others) for _ in range(A_VISIT // 4)]
        frames = [hostile.frame(act(number, step).encode()) for step in steps]
        await self._sent(self._cookies[number][seat], frames + self._harmless(A_VISIT - len(frames)))

    async def _broken(self) -> None:
        """Break the rules of frames, on a new socket each time."""
        for _ in range(8):
            with suppress(OSError):
                await self._sent(self._stranger(), [hostile.breaking(self._draws)], to_the_end=False)

    async def _flood(self) -> None:
        """Send more at once than anybody may: the site says goodbye."""
        await self._sent(self._stranger(), self._harmless(FLOOD))

    async def _requests(self) -> None:
        for _ in range(A_VISIT // 2):
            cookies = [self._stranger(), *self._cookies[0]]
            raw = hostile.request(self._draws, self._server.port, cookies, self._tables)
            reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
            writer.write(raw)
            self._done.sent += 1
            with suppress(OSError, TimeoutError):
                await writer.drain()
                await asyncio.wait_for(reader.read(4096), 0.05)  # half a request gets no answer
            writer.transport.abort()

    def _harmless(self, count: int) -> list[bytes]:
        return [hostile.harmless(self._draws, self._asks, self._tables) for _ in range(count)]

    def _any(self, steps: Sequence[ScriptedMove]) -> ScriptedMove:
        return steps[self._draws.below("step", len(steps))]

    async def _sent(self, cookie: str, frames: Sequence[bytes], *, to_the_end: bool = True) -> None:
        """Open a socket, send the frames at once, and stay until the server has come to their end or has hung up."""
        host = f"127.0.0.1:{self._server.port}"
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        try:
            writer.write(
                f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: whodunit={cookie}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: d2hvZHVuaXQgYmVuY2hlcw==\r\n\r\n".encode()
            )
            await reader.readuntil(b"\r\n\r\n")
            for each in frames:
                writer.write(each)
            self._done.sent += len(frames)
            if to_the_end:
                writer.write(hostile.frame(_END, opcode=9))
                await _heard(reader, _END)
            await writer.drain()
        except asyncio.IncompleteReadError:
            return  # it has hung up
        finally:
            writer.transport.abort()


_END = b"that was all"


async def _heard(reader: asyncio.StreamReader, end: bytes) -> None:
    """Read until the server sends this, or nothing more."""
    kept = b""
    while end not in kept and (got := await reader.read(65536)):
        kept = kept[-len(end) :] + got


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
