"""A house that is attacked, on each kind of store, and visitors who come to it from anywhere."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, get_args
from urllib.parse import parse_qs, urlsplit

import asyncpg
import msgspec
from aiohttp import ClientSession, DummyCookieJar, TCPConnector

from whodunit.bench.database import postgres
from whodunit.bench.server.load import Server, free_port
from whodunit.bench.server.oracle import percentile
from whodunit.bench.server.people import Lost, Page, Refused
from whodunit.bench.server.script import Staging
from whodunit.bench.server.speed import staged
from whodunit.infra.postgres_schema import SCHEMES

T = TypeVar("T")
StoreKind: TypeAlias = Literal["SQLite", "PostgreSQL"]
STORES: tuple[StoreKind, ...] = get_args(StoreKind)
PROXY = "127.0.0.1"
"""Through it come all visitors: what it says of them counts, so that none is on the server's own machine."""
ATTACKER, BYSTANDER, THIRD = "198.51.100.7", "203.0.113.5", "192.0.2.9"
"""Addresses of households, from the networks that are kept for examples."""
SITE_RATE = 20.0
"""How many asks a second a page may send, as the site has it."""
PATIENCE_S = 30.0
NAME = "Mallory"
SALT = f"{0:032x}"


class Grounds:
    """Where houses are put up: a folder, and a PostgreSQL that is started when it is first needed."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._cluster: str | None = None
        self._numbers = count()

    def new(self, store: StoreKind) -> str:
        """Return where a house can keep its tables, and nothing is yet."""
        number = next(self._numbers)
        if store == "SQLite":
            folder = self._folder / f"house{number}"
            folder.mkdir()
            return str(folder / "whodunit.sqlite")
        self._cluster = self._cluster or self._stack.enter_context(postgres())
        asyncio.run(_asked(self._cluster, f"CREATE DATABASE flood{number}"))
        return self._cluster.replace("/postgres?", f"/flood{number}?")


@contextmanager
def house(where: str, **staging: Any) -> Iterator[Server]:
    """Run the site as others reach it: behind a proxy, with its usual limits and pauses."""
    people: dict[str, Any] = {}
    if staging.get("played"):  # what is past is played without pauses, before the house opens
        with staged(Staging(where, free_port(), **staging), pinned=False) as server:
            people, staging = server.told, {}
    fields = {"haste": 1.0, "rate": SITE_RATE, "proxies": (PROXY,), **staging}
    with staged(Staging(where, free_port(), **fields), pinned=False) as server:
        server.told |= people
        yield server


async def _asked(database: str, query: str, *values: object) -> list[Any]:
    connection = await asyncpg.connect(database)
    try:
        return [tuple(row) for row in await connection.fetch(query, *values)]
    finally:
        await connection.close()


def is_shared(where: str) -> bool:
    """Say whether it is a PostgreSQL."""
    return where.startswith(SCHEMES)


async def stored_bytes(where: str) -> int:
    """Return how much disk a house takes: its database, whether or not that has left the write-ahead log, and files.

    The log itself is left out: both databases use it again and again, so it does not grow without end.
    """
    if is_shared(where):
        return int((await _asked(where, "SELECT pg_database_size(current_database())"))[0][0])
    with closing(sqlite3.connect(f"file:{where}?mode=ro", uri=True)) as database:
        pages, size = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    others = [file for file in files_of(where) if not file.name.startswith(Path(where).name)]
    return int(pages * size) + sum(file.stat().st_size for file in others)


def files_of(where: str) -> list[Path]:
    """Return every file in which something may be kept."""
    folder = Path(parse_qs(urlsplit(where).query)["host"][0], "data") if is_shared(where) else Path(where).parent
    return [file for file in folder.rglob("*") if file.is_file()]


async def rows_with(where: str, words: str) -> int:
    """Count the rows of a PostgreSQL in which something can be read."""
    tables = await _asked(where, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    found = 0
    for (table,) in tables:
        for row in await _asked(where, f'SELECT * FROM "{table}"'):  # noqa: S608  (a name from the catalogue)
            found += any(words.encode() in _plain(value) for value in row)
    return found


def _plain(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


# --- Visitors ------------------------------------------------------------------------------------------------------


class Visitors:
    """Pages that are opened in a house, from whichever household."""

    def __init__(self, session: ClientSession, server: Server) -> None:
        self.session = session
        self.server = server
        self.address = f"http://127.0.0.1:{server.port}"
        self._pages: list[Page] = []

    async def page(self, cookie: str, household: str) -> Page:
        """Open a page, and wait until it is connected; raise TimeoutError if nobody lets it in."""
        page = Page(self.session, self.address, cookie, household)
        self._pages.append(page)
        async with asyncio.timeout(PATIENCE_S):
            while not page.connected:
                page.news.clear()
                await page.news.wait()
        return page

    async def post(self, path: str, cookie: str, household: str, body: object) -> int:
        """Post something, and return the status."""
        headers = {"Origin": self.address, "Cookie": f"whodunit={cookie}", "X-Forwarded-For": household}
        async with self.session.post(self.address + path, data=msgspec.json.encode(body), headers=headers) as got:
            await got.read()
            return got.status

    async def close(self) -> None:
        """Let everybody go."""
        pages, self._pages = self._pages, []
        await asyncio.gather(*(page.close() for page in pages))


def visited(server: Server, scene: Callable[[Visitors], Awaitable[T]]) -> T:
    """Let people come to a house, do what they came for, and leave."""

    async def whole() -> T:
        async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
            here = Visitors(session, server)
            try:
                return await scene(here)
            finally:
                await here.close()

    return asyncio.run(whole())


def people_of(server: Server) -> list[str]:
    """Return the cookies of everybody, group after group, and then of those who belong to none."""
    return [*(cookie for group in server.told["cookies"] for cookie in group), *server.told["strangers"]]


def terms(**changes: Any) -> dict[str, Any]:
    """Return what a table is laid with."""
    laid = {"game": "clue", "options": {}, "chairs": [None, None, None], "public": False, "assistance": "paper"}
    return laid | {"name": NAME, "salt": SALT} | changes


class Waits:
    """How long somebody waited for answers."""

    def __init__(self) -> None:
        self.ms: list[float] = []
        self.refused = 0

    @property
    def median(self) -> float:
        return percentile(self.ms, 0.5)

    def __str__(self) -> str:
        told = f"{self.median:,.1f} ms, p99 {percentile(self.ms, 0.99):,.1f}, worst {max(self.ms):,.1f}"
        return f"{told} ({len(self.ms)} asks{f', {self.refused} refused' if self.refused else ''})"


async def waited(page: Page, seconds: float, pause_s: float, kind: str, **fields: Any) -> Waits:
    """Ask again and again for so long, and a few times at least."""
    waits, end = Waits(), time.monotonic() + seconds
    while time.monotonic() < end or len(waits.ms) < LEAST:
        began = time.perf_counter()
        try:
            await page.ask(kind, **fields)
        except Refused:
            waits.refused += 1
        except Lost:
            await asyncio.sleep(0.05)
            continue
        waits.ms.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(pause_s)
    return waits


LEAST = 5


def until(seconds: float) -> Iterator[None]:
    """Go on for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
