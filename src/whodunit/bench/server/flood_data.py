"""What is on the disk: a bit that falls over, somebody who wants to be forgotten, and games under a wrong clock."""

import asyncio
import logging
import shutil
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from whodunit.bench.server.flood_house import (
    BYSTANDER,
    Visitors,
    files_of,
    house,
    is_shared,
    rows_with,
    terms,
    visited,
)
from whodunit.bench.server.flood_writes import noise
from whodunit.bench.server.script import SEATS, Hurried, lay, play, script, table_id
from whodunit.core.errors import NoTable
from whodunit.core.ports import NEVER, Store
from whodunit.core.rng import Stream
from whodunit.core.types import Blob
from whodunit.host.host import Host
from whodunit.infra.memory import NoBus
from whodunit.infra.sqlite import SqliteStore
from whodunit.room import chat, manners
from whodunit.room.listing import digest

# --- A bit that falls over ----------------------------------------------------------------------------------------

TABLES = 6
MOVES = 30
Fate: TypeAlias = Literal["identical", "said", "silent"]
"""What a flipped bit does: nothing that can be read, an error or a word in the log, or other content without a word."""


class Flips(Struct, frozen=True):
    """What became of a database of which one bit was wrong, many times over."""

    fates: Counter[str]
    silent: list[str]
    """What was read otherwise, by where the bit was."""

    def __str__(self) -> str:
        told = ", ".join(f"{number} {fate}" for fate, number in self.fates.most_common())
        return "\n".join([f"{self.fates.total()} flips: {told}", *(f"    {each}" for each in self.silent[:10])])


def flipped(folder: Path, flips: int) -> Flips:
    """Flip one bit of a database so many times, and read everything each time."""
    whole, copy = folder / "whole.sqlite", folder / "flipped" / "whodunit.sqlite"
    copy.parent.mkdir()
    asyncio.run(_filled(whole))
    true, _ = asyncio.run(_read(whole))  # a house that opens tidies up, so only now is it as each one finds it
    content = whole.read_bytes()
    found, draws = Flips(Counter(), []), Stream(b"flips")
    with _heard() as log:
        for _ in range(flips):
            place, bit = draws.below("byte", len(content)), draws.below("bit", 8)
            copy.write_bytes(flip(content, place, bit))
            log.clear()
            try:
                read, lost = asyncio.run(_read(copy, true))
            except Exception as error:  # noqa: BLE001  (that it says something is what counts)
                found.fates[f"said by {type(error).__name__}"] += 1
                continue
            fate, differs = judged(true, read, lost or bool(log))
            found.fates[fate] += 1
            if fate == "silent":
                found.silent.append(f"byte {place:,}, bit {bit}: {', '.join(differs)}")
    shutil.rmtree(copy.parent)
    return found


def flip(content: bytes, place: int, bit: int) -> bytes:
    """Return the same bytes with one bit the other way round."""
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


def judged(true: Mapping[str, object], read: Mapping[str, object], said: bool) -> tuple[Fate, list[str]]:  # noqa: FBT001  (a finding, as the others)
    """Compare what was read with what is true, and name what differs."""
    differs = [name for name in true if read.get(name) != true[name]]
    if not differs:
        return "identical", []
    return ("said" if said else "silent"), differs


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Keep what is logged as a warning or worse, and print none of it."""
    lines: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    ear, root = Ear(logging.WARNING), logging.getLogger("whodunit")
    propagates, root.propagate = root.propagate, False
    root.addHandler(ear)
    try:
        yield lines
    finally:
        root.removeHandler(ear)
        root.propagate = propagates


def _person(table: int, seat: int) -> str:
    return f"person {table} {seat}"


async def _filled(path: Path) -> None:
    """Fill a database with games in the middle, their players' notes and words, and a clip at each."""
    store = SqliteStore(path)
    host = Host(store, NoBus(), Hurried(), haste=0)
    for number in range(TABLES):
        people = [_person(number, seat) for seat in range(SEATS)]
        live = await lay(host, number, number, people)
        await play(host, live, await script(number, MOVES))
        await host.writer.note(live, lambda room: manners.jot(room, people[0], 1, noise("notes", 400), 0))  # noqa: B023
        said = f"this is table {number}"
        await host.writer.note(live, lambda room: chat.say(room, people[1], "playing", (), "", said, 0))  # noqa: B023
        await store.append(live.id, [], [Blob("clip", "audio/flac", noise(f"{number}", 2000).encode())])
    await host.close()


async def _read(path: Path, true: Mapping[str, object] | None = None) -> tuple[dict[str, object], bool]:
    """Return everything that a house reads of a database, by what it is; and whether anything was said to be lost."""
    store = SqliteStore(path)
    host = Host(store, NoBus(), Hurried(), haste=0)
    try:
        return await _everything(store, host, true or {})
    finally:
        await host.close()


async def _everything(store: Store, host: Host, true: Mapping[str, object]) -> tuple[dict[str, object], bool]:
    read: dict[str, object] = {
        "games that run": await store.unfinished(NEVER),
        "the hall": await store.gathering(),
        "what is due": await store.due(NEVER),
    }
    lost = False
    for number in range(TABLES):
        table = table_id(number)
        asks: dict[str, Awaitable[object]] = {
            f"{table}'s lists": _lists(store, number),
            f"{table}'s clip": store.blob(table, "clip"),
            f"{table}'s record": _record(store, host, table, true),
        }
        for name, asked in asks.items():
            try:
                read[name] = await asked
            except NoTable:
                read[name] = None  # gone, and nothing says that it was ever there
            except Exception:  # noqa: BLE001  (that it says something is what counts)
                lost = True
    return read, lost


async def _lists(store: Store, number: int) -> object:
    people = [[each.table for each in await store.of_person(_person(number, seat))] for seat in range(SEATS)]
    table = table_id(number)
    opens = [await store.opened_by(digest(key)) for key in (f"CODE {table}", f"key {table} 0")]
    return people, opens


async def _record(store: Store, host: Host, table: str, true: Mapping[str, object]) -> object:
    """Read a table's records, and if they are others than they were the table itself: what cannot be folded says so."""
    records = await store.read(table, "room"), await store.read(table, "case")
    if records != true.get(f"{table}'s record"):
        await host.get(table)
    return records


# --- To be forgotten ----------------------------------------------------------------------------------------------

SOON_S = 2.0


class Left(Struct, frozen=True):
    """What can still be read about somebody who was forgotten."""

    at_once: tuple[str, ...]
    soon: tuple[str, ...]
    """A little later, while the server runs on."""
    in_files: tuple[str, ...] = ()
    """Of a PostgreSQL: in its own files, where it keeps what it has deleted until it cleans up."""

    def __str__(self) -> str:
        told = (
            f"at once {', '.join(self.at_once) or 'nothing'}; after {SOON_S:.0f} s {', '.join(self.soon) or 'nothing'}"
        )
        return told + (f"; in PostgreSQL's own files {', '.join(self.in_files)}" if self.in_files else "")


def forgotten(where: str) -> Left:
    """Let somebody play, talk and take notes, and then be forgotten; return what is left of them."""
    with house(where, groups=1, games=1) as server:
        return visited(server, lambda here: _forgotten(here, where))


async def _forgotten(here: Visitors, where: str) -> Left:
    cookie = here.server.told["cookies"][0][1]
    words = {
        "the words": noise("what was said", 60),
        "the notes": noise("what was noted", 60),
        "the name": noise("a name", 20),
        "the cookie": cookie.partition(".")[0],
    }
    page = await here.page(cookie, BYSTANDER)
    made = await page.ask("create_table", **terms(name=words["the name"]))
    await page.ask("say", table=table_id(0), text=words["the words"])
    await page.ask("jot", table=table_id(0), text=words["the notes"])
    await page.ask("say", table=made["table"], text=words["the words"])
    status = await here.post("/api/forget", cookie, BYSTANDER, {"sure": True})
    if status != FORGOTTEN:
        raise RuntimeError(f"to be forgotten was answered with {status}")
    at_once = await _left(where, words)
    await asyncio.sleep(SOON_S)
    in_files = found_in(files_of(where), words) if is_shared(where) else ()
    return Left(at_once, await _left(where, words), in_files)


FORGOTTEN = 204


async def _left(where: str, words: Mapping[str, str]) -> tuple[str, ...]:
    if is_shared(where):
        return tuple([name for name, text in words.items() if await rows_with(where, text)])
    return found_in(files_of(where), words)


def found_in(files: Sequence[Path], words: Mapping[str, str]) -> tuple[str, ...]:
    """Name what stands in any of the files."""
    left = dict(words)
    for file in files:
        try:
            content = file.read_bytes()
        except FileNotFoundError:  # a database may tidy up meanwhile
            continue
        for name in [name for name, text in left.items() if text.encode() in content]:
            del left[name]
    return tuple(name for name in words if name not in left)


# --- A wrong clock ------------------------------------------------------------------------------------------------

MONTH_MS = 31 * 24 * 60 * 60 * 1000
RUNNING = 3
SWEEP_S = 0.02
SWEEPS = 130
"""More than two hours' worth: every hour what is old is seen to."""


def opened_by_clock(where: str) -> int:
    """Start a house a month ahead, where games were left running; return how many of them were opened to all."""
    with house(where, groups=RUNNING, games=1, played=MOVES) as server:
        cookies: list[list[str]] = server.told["cookies"]
    with house(where, ahead_ms=MONTH_MS, sweep_s=SWEEP_S) as server:

        async def scene(here: Visitors) -> int:
            await asyncio.sleep(2 * SWEEP_S * SWEEPS)
            return sum([await _is_open(here, number, four[0]) for number, four in enumerate(cookies)])

        return visited(server, scene)


async def _is_open(here: Visitors, number: int, cookie: str) -> bool:
    page = await here.page(cookie, BYSTANDER)
    await page.watch(table_id(number))
    while page.table is None or not page.room:
        page.news.clear()
        await page.news.wait()
    told: dict[str, Any] = page.table
    return bool(told["closed"]) or page.room["stage"] == "over"
