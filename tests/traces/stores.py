"""What a recorded house keeps its tables in: memory, or real databases whose statements are recorded too."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import asyncpg

from tests.traces.trace import Trace
from whodunit.core.ports import Bus, Leases, Store
from whodunit.host.leases import SingleNode
from whodunit.infra import postgres
from whodunit.infra.memory import MemoryBus, MemoryStore, NoBus
from whodunit.infra.postgres import CHANNEL, PostgresStore
from whodunit.infra.postgres_schema import connected, prepared
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.switchboard import Switchboard

Kept: TypeAlias = Literal["memory", "sqlite", "postgres", "nodes"]
STORES: Final[tuple[Kept, ...]] = ("memory", "sqlite", "postgres", "nodes")
SCHEMAS: Final = count(1)
KEY: Final = b"k" * 32


class Node(NamedTuple):
    """One process of a house, and what it sees the others by."""

    name: str
    store: Store
    bus: Bus
    leases: Leases


class Site(NamedTuple):
    """What the nodes of one house share."""

    nodes: tuple[Node, ...]
    hear: Callable[[], Awaitable[None]]
    """Wait until every node has heard what the others have said so far."""
    leased: bool = False
    """Whether who runs a table, and who is where, comes out in real time."""


@asynccontextmanager
async def opened(kept: Kept, trace: Trace, cluster: str = "") -> AsyncIterator[Site]:
    """Open what a house of this kind needs; a PostgreSQL at `cluster` gets a schema of its own."""
    match kept:
        case "memory":
            yield Site((Node("", MemoryStore(), MemoryBus(), SingleNode()),), _nothing)
        case "sqlite":
            with TemporaryDirectory() as folder:
                store = SqliteStore(Path(folder, "whodunit.sqlite"))
                for connection in (store._writes, store._reads):
                    connection.set_trace_callback(lambda text: _add_statement(trace, text))
                yield Site((Node("", store, NoBus(), SingleNode()),), _nothing)
        case "postgres" | "nodes":
            async with _nodes(await _schema(cluster), trace, ("a", "b") if kept == "nodes" else ("",)) as site:
                yield site


async def _nothing() -> None:
    """Wait for nobody: there is one node."""


# --- Statements ------------------------------------------------------------------------------------------------------


def _add_statement(trace: Trace, text: str, args: tuple[Any, ...] = (), node: str = "") -> None:
    """Record a statement: of SQLite's, its text has every value in it; PostgreSQL's come apart from it."""
    words = re.findall(r"[A-Za-z_]+", text)
    verb = words[0].upper() if words else ""
    after = next((words[place + 1] for place, word in enumerate(words[:-1]) if word.upper() in {"INTO", "FROM"}), "")
    size = sum(map(_size, args)) if args else len(text)
    trace.add(f"sql{node}", f"{verb} {after}", 1, size)


def _size(value: object) -> int:
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    return len(value) if isinstance(value, (bytes, str)) else 8


NOTES: Final = re.compile(r"\bnote\b")
"""Statements about notes: any of the pool's connections may run them, and only the first is listened to. What the store
is asked for is recorded all the same, with its size."""
GATHERED: Final = re.compile(r"^\s*SELECT\b.*\bFROM\s+unnest\b", re.DOTALL | re.IGNORECASE)
"""The statement that reads for many tables at once."""


class _logged:  # noqa: N801  (a context, as suppress is)
    """Record the statements of all connections that PostgresStore opens meanwhile, for as long as they live."""

    def __init__(self, trace: Trace, node: str) -> None:
        self._trace = trace
        self._node = node

    async def _connected(self, address: str) -> Any:
        connection = await connected(address)
        connection.add_query_logger(self._heard)
        return connection

    def _heard(self, query: Any) -> None:
        # What is asked while a statement runs goes into the next (decision 112): how many there are is real time's to
        # say. Each read is recorded by itself, when the store is asked for it.
        if GATHERED.search(query.query) or NOTES.search(query.query):
            return
        _add_statement(self._trace, query.query, tuple(query.args or ()), self._node)

    def __enter__(self) -> None:
        postgres.connected = self._connected  # type: ignore[attr-defined]  # imported there by name

    def __exit__(self, *_: object) -> None:
        postgres.connected = connected  # type: ignore[attr-defined]


# --- Nodes -----------------------------------------------------------------------------------------------------------


async def _schema(cluster: str) -> str:
    name = f"traced{next(SCHEMAS)}"
    connection = await asyncpg.connect(cluster)
    await connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
    await connection.execute(f"CREATE SCHEMA {name}")
    await connection.close()
    address = f"{cluster}&search_path={name}"
    await prepared(address, KEY)
    return address


@asynccontextmanager
async def _nodes(address: str, trace: Trace, names: Sequence[str]) -> AsyncIterator[Site]:
    """Open nodes on one database.

    Notices reach all who listen in the order in which they were sent: when each node has heard one that was sent last,
    it has heard all others.
    """
    nodes, marks = [], dict[str, asyncio.Queue[str]]()
    for name in names:
        label = f" {name}" if name else ""
        with _logged(trace, label):
            store = await PostgresStore(address, name or "here").open()
        board = await Switchboard(address, name or "here").open()
        marks[name] = asyncio.Queue()
        await board._connection.add_listener(CHANNEL, _marker(marks[name]))
        nodes.append(Node(label, store, board, board))
    crier = await asyncpg.connect(address)
    numbers = count()

    async def hear() -> None:
        mark = f'{{"from": "mark {next(numbers)}"}}'
        await crier.execute("SELECT pg_notify($1, $2)", CHANNEL, mark)
        for heard in marks.values():
            while await asyncio.wait_for(heard.get(), 10) != mark:
                pass

    try:
        yield Site(tuple(nodes), hear, leased=True)
    finally:
        await crier.close()


def _marker(marks: "asyncio.Queue[str]") -> Callable[..., None]:
    def heard(_connection: object, _pid: int, _channel: str, payload: str) -> None:
        if payload.startswith('{"from": "mark'):
            marks.put_nowait(payload)

    return heard
