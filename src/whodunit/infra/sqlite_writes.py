"""What is written to the SQLite file: the writes that wait for one commit, what it makes of each, and who is told."""

import asyncio
import sqlite3
from collections.abc import Container, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from whodunit.core.errors import Conflict, NotStored
from whodunit.core.ports import Leaf, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra.append_order import check_order
from whodunit.infra.checks import row_crc
from whodunit.infra.sqlite_kept import drop_old, keep_notes, keep_review
from whodunit.infra.sqlite_leaves import drop_leaves, keep_leaf, rebuild_leaves
from whodunit.infra.sqlite_lists import count_rows, put_listing, rebuild, rebuild_notes
from whodunit.infra.sqlite_records import Records, rewrite, undo

SCRUB_MS: Final = 50
"""How long moves wait, at each try, for whoever reads the log that is to be emptied."""
BUSY_MS: Final = 5000
"""How long a commit waits for another program that has locked the file: Python's own choice."""
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
        sqlite3.SQLITE_TOOBIG,
    }
)
"""What SQLite reports when the world is to blame; all else is our bug."""
FULL: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    }
)
"""What it reports when there is no room."""
TORN: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_TOOBIG})
"""And of these, what it reports when the file is not what it wrote."""


Anew: TypeAlias = Literal["lists", "leaves"]
"""What of the file is written anew, as it is, to leave nothing behind in its pages."""


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


class Scrub(NamedTuple):
    """One call of `scrub`, on the same way."""

    anew: Anew | None
    """What is to be made anew first."""
    done: "asyncio.Future[int]"


class Keep(NamedTuple):
    """One call of `keep_notes`, on the same way."""

    table: str
    notes: Notes
    done: "asyncio.Future[None]"


class KeepReview(NamedTuple):
    """One call of `keep_review`, on the same way."""

    table: str
    part: str
    version: str
    body: bytes
    done: "asyncio.Future[None]"


class KeepLeaf(NamedTuple):
    """One call of `keep_leaf`, on the same way."""

    leaf: Leaf
    done: "asyncio.Future[None]"


class DropLeaves(NamedTuple):
    """One call of `drop_leaves`, on the same way."""

    person: str
    done: "asyncio.Future[int]"


class Probe(NamedTuple):
    """One call of `probe`, on the same way."""

    done: "asyncio.Future[None]"


Write: TypeAlias = Append | Drop | Rewrite | Scrub | Keep | KeepReview | KeepLeaf | DropLeaves | Probe


def emptied(connection: sqlite3.Connection, anew: Container[Anew | None]) -> Exception | int:
    """Make so much anew, put what the log holds into the file, and empty the log; 0 if somebody reads in it."""
    try:
        if "lists" in anew:
            connection.execute("BEGIN IMMEDIATE")
            rebuild(connection)
            rebuild_notes(connection)
            connection.execute("COMMIT")
        if "leaves" in anew:
            connection.execute("BEGIN IMMEDIATE")
            rebuild_leaves(connection)
            connection.execute("COMMIT")
        connection.execute(f"PRAGMA busy_timeout = {SCRUB_MS}")
        ((busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        undo(connection)
        return judged(error)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return int(not busy)


def store(connection: sqlite3.Connection, batch: Sequence[Write], records: Records) -> list[Exception | int | None]:
    """Do the writes in one transaction and return what became of each: an error is not well."""
    if not batch:
        return []
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
            return [judged(error) for _ in batch]
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
            return drop_old(connection, write.before)
        case Rewrite():
            records.insert()  # it may be one of these
            return rewrite(connection, write.table, write.changes)
        case Keep():
            return keep_notes(connection, write.table, write.notes)
        case KeepReview():
            keep_review(connection, write.table, write.version, write.part, write.body)
            return None
        case KeepLeaf():
            return keep_leaf(connection, write.leaf)
        case DropLeaves():
            return drop_leaves(connection, write.person)
        case Probe():
            connection.execute("UPDATE placed SET number = number")
            return None
        case Scrub():
            raise AssertionError("it is done between transactions")


def is_full(error: sqlite3.Error) -> bool:
    """Say whether a full disk may be to blame: SQLite also needs room for the index of its write-ahead log."""
    return getattr(error, "sqlite_errorcode", 0) in FULL


def is_torn(error: NotStored) -> bool:
    """Say whether it was not stored because the file is not what SQLite wrote."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF in TORN


def judged(error: Exception) -> Exception:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DISK:
        return error
    refusal = NotStored(str(error))
    refusal.__cause__ = error
    return refusal


def _add(connection: sqlite3.Connection, append: Append, records: Records) -> Conflict | None:
    table, new, blobs, listing, _ = append
    try:
        check_order(table, new, records.last)
    except Conflict as conflict:
        return conflict
    records.add(table, new)
    if blobs:  # what an event points to never changes: the first of an id stays
        things = [(table, blob.id, blob.media, blob.data) for blob in blobs]
        rows = [(*thing, row_crc(*thing)) for thing in things]
        count = connection.executemany("INSERT OR IGNORE INTO blob VALUES (?, ?, ?, ?, ?)", rows).rowcount
        count_rows(connection, "blob", {table: count})
    if listing:
        put_listing(connection, listing)
    return None


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
