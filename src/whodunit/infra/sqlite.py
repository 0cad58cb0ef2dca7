"""The default store: one SQLite file, written by one thread and read by another. The event loop waits for neither."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import json

from whodunit.core.errors import Conflict, NotStored
from whodunit.core.ports import AT_ONCE, NEVER, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra.append_order import check_form, check_notes, check_order
from whodunit.infra.lock import held
from whodunit.infra.sqlite_records import READ, UNPLACED, Records, place, rewrite, undo
from whodunit.infra.sqlite_schema import BadDatabase, connected, migrate, read_only

LOG = logging.getLogger(__name__)
DISK: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""What SQLite reports when the world is to blame; all else is our bug."""


class Append(NamedTuple):
    """One call of `append`, on its way through the writer."""

    table: str
    records: Sequence[Record]
    blobs: Sequence[Blob]
    listing: Listing | None
    done: "asyncio.Future[None]"


class Drop(NamedTuple):
    """One call of `drop_blobs`, on the same way."""

    before: int
    done: "asyncio.Future[int]"


class Rewrite(NamedTuple):
    """One call of `rewrite`, on the same way."""

    table: str
    changes: Sequence[tuple[Record, bytes]]
    done: "asyncio.Future[None]"


class Keep(NamedTuple):
    """One call of `keep_notes`, on the same way."""

    table: str
    notes: Notes
    done: "asyncio.Future[None]"


class Probe(NamedTuple):
    """One call of `probe`, on the same way."""

    done: "asyncio.Future[None]"


Write: TypeAlias = Append | Drop | Rewrite | Keep | Probe


class SqliteStore:
    """Keeps everything in one file, and is the only one that may; raises InUse or BadDatabase if it cannot begin.

    On a disk that is full it begins all the same, and whatever is stored can be read.
    """

    def __init__(self, path: Path) -> None:
        self.fault: str | None = None
        path = path.resolve()  # by whatever name it is called, a database has one lock
        with ExitStack() as opened, _blamed_on(path):
            opened.enter_context(held(path.with_name(f"{path.name}.lock")))
            try:
                self._open(path, opened)
            except sqlite3.Error as error:
                if not _is_full(error):
                    raise
                self._writes = self._reads = opened.enter_context(read_only(path))
                self.fault = "the disk was full when the house opened: make room, and start it again"
            self._opened = opened.pop_all()
        self._may_write = self.fault is None
        self._gathered: dict[asyncio.AbstractEventLoop, list[Write]] = {}
        """By loop: what was given in this turn of it."""
        self._queue: SimpleQueue[list[Write] | None] = SimpleQueue()
        self._given = self._taken = 0
        self._closing = False
        self._reader = ThreadPoolExecutor(1, "sqlite reader")
        # A daemon: whoever forgets to close the store shall not hang at the end, and loses nothing acknowledged.
        self._writer = Thread(target=self._write, name="sqlite writer", daemon=True)
        self._writer.start()

    def _open(self, path: Path, opened: ExitStack) -> None:
        """Open the file twice, to write and to read, and bring it up to date."""
        with ExitStack() as both:
            self._writes = both.enter_context(connected(path))
            migrate(self._writes)
            place(self._writes)
            self._reads = both.enter_context(connected(path))
            self._reads.execute("PRAGMA query_only = 1")
            opened.enter_context(both.pop_all())

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,  # noqa: ARG002  (one process holds every lease)
    ) -> None:
        """Store all of it with the next commit; a caller that is cancelled meanwhile may find it stored or not."""
        check_form(table, records, listing)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Append(table, records, blobs, listing, done))
        await done

    async def rewrite(self, table: str, changes: Sequence[tuple[Record, bytes]]) -> None:
        """Put other bodies in the place of stored ones with the next commit, or raise Conflict."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Rewrite(table, changes, done))
        await done

    async def drop_blobs(self, before: int) -> int:
        """Drop the blobs of some old tables with the next commit."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._put(Drop(before, done))
        return await done

    async def keep_notes(self, table: str, notes: Notes) -> None:
        """Put a seat's notes in the place of those that it had with the next commit, or raise Conflict."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Keep(table, notes, done))
        await done

    async def probe(self) -> None:
        """Write something that changes nothing with the next commit."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Probe(done))
        await done

    def _put(self, write: Write) -> None:
        if self._closing:
            raise NotStored("the store is closed")
        if not self._may_write:
            raise NotStored(self.fault)
        self._given += 1
        loop = write.done.get_loop()
        gathered = self._gathered.get(loop)
        if gathered is None:
            self._gathered[loop] = gathered = []
            loop.call_soon(self._hand_over, loop)
        gathered.append(write)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake the writer once for all that was given in a turn of the loop: else the first has a commit of its own."""
        if writes := self._gathered.pop(loop, None):  # unless the store was closed meanwhile
            self._queue.put(writes)

    @property
    def waiting(self) -> int:
        """How many appends wait for the next commit."""
        return self._given - self._taken

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        """Return the records that begin behind entry `after`."""
        rows = await self._ask(READ, table, stream, after)
        return [Record(stream, *row) for row in rows]

    async def notes(self, table: str) -> Sequence[Notes]:
        """Return the notes of a table's seats."""
        rows = await self._ask("SELECT seat, version, body FROM note WHERE table_id = ? ORDER BY seat", table)
        return [Notes(*row) for row in rows]

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob, or None."""
        rows = await self._ask("SELECT id, media, data FROM blob WHERE table_id = ? AND id = ?", table, id)
        return Blob(*rows[0]) if rows else None

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        """Return the oldest games that still run, or those after one of them."""
        query = """
            SELECT body FROM listing WHERE stage = 'playing' AND at < ? AND (at, table_id) > (?, ?)
            ORDER BY at, table_id LIMIT ?
        """
        last = (-1, "") if after is None else (after.at, after.table)
        return [json.decode(body, type=Listing) for (body,) in await self._ask(query, before, *last, AT_ONCE)]

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        """Return the newest public tables that still gather players, or those after one of them."""
        query = """
            SELECT body FROM (
                SELECT body, at, table_id, row_number() OVER (
                    PARTITION BY household, CASE household WHEN '' THEN table_id END ORDER BY at DESC, table_id
                ) AS nth FROM listing WHERE stage = 'gathering' AND public
            ) WHERE nth <= ?4 AND (at < ?1 OR at = ?1 AND table_id > ?2) ORDER BY at DESC, table_id LIMIT ?3
        """
        if each is None:
            query = """
                SELECT body FROM listing WHERE stage = 'gathering' AND public
                AND (at < ?1 OR at = ?1 AND table_id > ?2) ORDER BY at DESC, table_id LIMIT ?3
            """
        last = (NEVER, "") if after is None else (after.at, after.table)
        values = (*last, AT_ONCE) if each is None else (*last, AT_ONCE, each)
        return [json.decode(body, type=Listing) for (body,) in await self._ask(query, *values)]

    async def of_person(self, person: str) -> Sequence[Listing]:
        """Return a person's tables, the last changed first."""
        query = "SELECT body FROM person JOIN listing USING (table_id) WHERE person = ? ORDER BY at DESC, table_id"
        return [json.decode(body, type=Listing) for (body,) in await self._ask(query, person)]

    async def opened_by(self, key: str) -> str | None:
        """Return the table that a key opens."""
        rows = await self._ask("SELECT table_id FROM key WHERE key = ? ORDER BY table_id LIMIT 1", key)
        return str(rows[0][0]) if rows else None

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        """Return the tables that do something by themselves before then, and when."""
        query = """
            SELECT due, table_id FROM listing WHERE due < ? AND (due, table_id) > (?, ?) ORDER BY due, table_id LIMIT ?
        """
        return [(due, table) for due, table in await self._ask(query, before, *after, AT_ONCE)]

    async def newest(self) -> int | None:
        """Return when a table last changed."""
        ((at,),) = await self._ask("SELECT max(at) FROM listing")
        return None if at is None else int(at)

    async def now(self) -> int | None:
        """Return None: a file has no clock."""
        return None

    async def close(self) -> None:
        """Store what was given, then let go of the file and its lock."""
        if not self._closing:
            self._closing = True
            for loop in [*self._gathered]:
                self._hand_over(loop)
            self._queue.put(None)
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._writer.join()
        self._reader.shutdown()
        self._opened.close()

    async def _ask(self, query: str, *values: object) -> list[Any]:
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._rows, query, values)

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        try:
            return self._reads.execute(query, values).fetchall()  # at once: an open cursor keeps checkpoints waiting
        except sqlite3.Error as error:
            fate = _judged(error)
        raise fate

    def _write(self) -> None:
        records = Records(self._writes)
        while batch := _waiting(self._queue):
            self._taken += len(batch)
            fates = store(self._writes, batch, records)
            self.fault = next((str(fate) for fate in fates if isinstance(fate, NotStored)), None)
            deliver(batch, fates)
            try:
                records.place(UNPLACED)
            except sqlite3.Error:  # it is done with a later commit; SQLite names columns, never what is in them
                LOG.exception("the places of records were not noted")


def _waiting(queue: "SimpleQueue[list[Write] | None]") -> list[Write]:
    """Wait for writes, and take all that came while the last commit ran; nothing when the queue has ended."""
    batch: list[Write] = []
    with suppress(Empty):
        writes = queue.get()
        while writes:
            batch += writes
            writes = queue.get_nowait()
        if batch:
            queue.put(None)  # for the next call
    return batch


def store(connection: sqlite3.Connection, batch: Sequence[Write], records: Records) -> list[Exception | int | None]:
    """Do the writes in one transaction and return what became of each: an error is not well."""
    plain = all(isinstance(write, Append) and not write.blobs and not write.listing for write in batch)
    try:
        if not plain:
            connection.execute("BEGIN IMMEDIATE")
        fates = [_done(connection, write, records) for write in batch]
        if plain and not records.fit_one_statement:
            connection.execute("BEGIN IMMEDIATE")
        records.insert()
        if connection.in_transaction:
            connection.execute("COMMIT")
    except Exception as error:  # noqa: BLE001  (a bug is its caller's to see; the writer lives on for the others)
        undo(connection)
        records.drop()
        if len(batch) == 1 or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
            return [_judged(error) for _ in batch]
    else:
        records.keep()
        return fates
    # One of them may be too long for a disk that has room for the others: alone, each gets the answer it deserves.
    return [fate for write in batch for fate in store(connection, [write], records)]


def _done(connection: sqlite3.Connection, write: Write, records: Records) -> Exception | int | None:
    match write:
        case Append():
            return _add(connection, write, records)
        case Drop():
            return _drop(connection, write.before)
        case Rewrite():
            records.insert()  # it may be one of these
            return rewrite(connection, write.table, write.changes)
        case Keep():
            return _keep(connection, write.table, write.notes)
        case Probe():
            connection.execute("UPDATE placed SET number = number")
            return None


def _is_full(error: sqlite3.Error) -> bool:
    """Say whether a full disk may be to blame: SQLite also needs room for the index of its write-ahead log."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def _judged(error: Exception) -> Exception:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DISK:
        return error
    refusal = NotStored(str(error))
    refusal.__cause__ = error
    return refusal


def _add(connection: sqlite3.Connection, append: Append, records: Records) -> Conflict | None:
    table, new, blobs, listing, _ = append
    try:
        check_order(table, new, lambda stream: records.last(table, stream))
    except Conflict as conflict:
        return conflict
    records.add(table, new)
    if blobs:  # what an event points to never changes: the first of an id stays
        things = [(table, blob.id, blob.media, blob.data) for blob in blobs]
        connection.executemany("INSERT OR IGNORE INTO blob VALUES (?, ?, ?, ?)", things)
    if listing:
        _list(connection, listing)
    return None


def _keep(connection: sqlite3.Connection, table: str, notes: Notes) -> Conflict | None:
    of_seat = (table, notes.seat)
    kept = connection.execute("SELECT version FROM note WHERE table_id = ? AND seat = ?", of_seat).fetchone()
    try:
        check_notes(table, notes, kept[0] if kept else 0)
    except Conflict as conflict:
        return conflict
    connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?)", (*of_seat, notes.version, notes.body))
    return None


def _drop(connection: sqlite3.Connection, before: int) -> int:
    query = """SELECT table_id FROM listing WHERE stage = 'over' AND at < ?
        AND EXISTS (SELECT 1 FROM blob WHERE blob.table_id = listing.table_id) LIMIT ?"""
    old = connection.execute(query, (before, AT_ONCE)).fetchall()
    connection.executemany("DELETE FROM blob WHERE table_id = ?", old)
    return len(old)


def _list(connection: sqlite3.Connection, listing: Listing) -> None:
    table, body = listing.table, json.encode(listing).decode()
    row = (table, listing.stage, listing.public, listing.at, body, listing.due, listing.household)
    columns = "table_id, stage, public, at, body, due, household"
    connection.execute(f"INSERT OR REPLACE INTO listing ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608  (ours)
    connection.execute("DELETE FROM person WHERE table_id = ?", (table,))
    connection.execute("DELETE FROM key WHERE table_id = ?", (table,))
    people = [(person, table) for person in dict.fromkeys(listing.people)]
    connection.executemany("INSERT INTO person VALUES (?, ?)", people)
    keys = [(key, table) for key in dict.fromkeys(listing.keys)]
    connection.executemany("INSERT INTO key VALUES (?, ?)", keys)


def deliver(batch: Sequence[Write], fates: Sequence[Exception | int | None]) -> None:
    """Tell the callers in their own threads, with one waking for all of a loop."""
    told = zip(batch, fates, strict=True)
    for loop, ended in groupby(told, lambda pair: pair[0].done.get_loop()):
        with suppress(RuntimeError):  # the loop has closed, and its callers with it
            loop.call_soon_threadsafe(_settle, list(ended))


def _settle(ended: Sequence[tuple[Write, Exception | int | None]]) -> None:
    for write, fate in ended:
        done: asyncio.Future[Any] = write.done
        if done.done():  # its caller was cancelled
            continue
        if isinstance(fate, Exception):
            done.set_exception(fate)
        else:
            done.set_result(fate)


@contextmanager
def _blamed_on(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, BadDatabase) as error:
        raise BadDatabase(f"cannot open the database {path}: {error}") from error
