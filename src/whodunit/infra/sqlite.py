"""The default store: one SQLite file, written by one thread and read by another. The event loop waits for neither."""

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Literal, TypeVar

from whodunit.core.errors import Damaged, DamagedLeaf, NotStored
from whodunit.core.ports import AT_ONCE, NEVER, Leaf, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra.append_order import check_form, check_person
from whodunit.infra.checks import Leaves, columns, is_sound
from whodunit.infra.lock import held, held_itself
from whodunit.infra.sqlite_kept import read_review
from whodunit.infra.sqlite_leaves import (
    count_done,
    done_leaves,
    leaves_of_person,
    leaves_wrong,
    own_leaves,
    read_leaf,
)
from whodunit.infra.sqlite_lists import LEGIBLE, compared, listing_of, rebuild
from whodunit.infra.sqlite_records import UNPLACED, Records, place_rest, read, undo
from whodunit.infra.sqlite_schema import BadDatabase, check_layout, connected, migrate, read_only
from whodunit.infra.sqlite_writes import (
    Anew,
    Append,
    Drop,
    DropLeaves,
    Keep,
    KeepLeaf,
    KeepReview,
    Probe,
    Rewrite,
    Scrub,
    Write,
    deliver,
    emptied,
    is_full,
    is_torn,
    judged,
    store,
)

LOG = logging.getLogger(__name__)
T = TypeVar("T")
REPAIR: Final = "`whodunit check-data --repair` makes them anew from what is whole"
SCRUB_S: Final = 5.0
"""How long whoever is forgotten waits until the log could be emptied; it is tried on until then and afterwards."""
SCRUB_AGAIN_S: Final = 0.1
ANEW_SHARE: Final = 50
"""For so many times as long as it took to make the lists anew, that is not done again."""
SEARCHED: Final = 1 << 20
"""So many bytes of the file are searched at a time."""
_PLACES: Final = """
    table_id IN (
        SELECT table_id FROM (
            SELECT table_id, row_number() OVER (
                PARTITION BY household, CASE household WHEN '' THEN table_id END ORDER BY at DESC, table_id
            ) AS nth FROM listing WHERE stage = 'gathering' AND public
        ) WHERE nth <= ?3
    )
"""
"""That a table is among the newest of its household's; those of no household count by themselves."""


class SqliteStore:
    """Keeps everything in one file, and is the only one that may; raises InUse or BadDatabase if it cannot begin.

    On a disk that is full it begins all the same, and whatever is stored can be read.
    """

    def __init__(self, path: Path) -> None:
        self.fault: str | None = None
        path = path.resolve()  # by whatever name it is called, a database has one lock
        with ExitStack() as opened, _blamed_on(path):
            opened.enter_context(held(path.with_name(f"{path.name}.lock")))
            self._file = opened.enter_context(held_itself(path))
            try:
                self._open(path, opened)
            except sqlite3.Error as error:
                if not is_full(error):
                    raise
                self._open_to_read(path, opened)
            self._opened = opened.pop_all()
        self._may_write = self.fault is None
        self._searching = Lock()
        self._scrubbing: asyncio.Task[None] | None = None
        self._left: set[bytes] = set()
        """What is still to be scrubbed."""
        self._next_anew = 0.0
        for table in self._damaged.values():
            _say_damaged(table)
        if self._leaves_wrong:
            LOG.error("the leaves are damaged: %s; %s", self._leaves_wrong, REPAIR)
        self._sound_leaves = Leaves()
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
            check_layout(self._writes)
            _placed(self._writes)
            self._damaged = _lists_in_order(self._writes)
            self._leaves_wrong = leaves_wrong(self._writes)
            self._reads = both.enter_context(connected(path))
            self._reads.execute("PRAGMA query_only = 1")
            opened.enter_context(both.pop_all())

    def _open_to_read(self, path: Path, opened: ExitStack) -> None:
        """Open the file though nothing can be written to it."""
        self._writes = self._reads = opened.enter_context(read_only(path))
        check_layout(self._reads)
        self._damaged = compared(self._reads).damaged
        self._leaves_wrong = leaves_wrong(self._reads)
        self.fault = "the disk was full when the house opened: make room, and start it again"

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
        """Drop the blobs and reviews of some old tables with the next commit."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._put(Drop(before, done))
        return await done

    async def keep_notes(self, table: str, notes: Notes) -> None:
        """Put a seat's notes in the place of those that it had with the next commit, or raise Conflict."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Keep(table, notes, done))
        await done

    async def keep_review(self, table: str, version: str, part: str, body: bytes) -> None:
        """Keep a part of a review in the place of what was kept of it, with the next commit."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(KeepReview(table, part, version, body, done))
        await done

    async def keep_leaf(self, leaf: Leaf) -> None:
        """Put a leaf in the place of the version before with the next commit, or raise Conflict."""
        self._check_leaves(leaf.shelf, leaf.item)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(KeepLeaf(leaf, done))
        await done

    async def drop_leaves(self, person: str) -> int:
        """Drop all leaves of a person with the next commit."""
        check_person(person)
        self._check_leaves("*", "*")
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._put(DropLeaves(person, done))
        return await done

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
        return await self._read(table, lambda: read(self._reads, table, stream, after))

    async def notes(self, table: str) -> Sequence[Notes]:
        """Return the notes of a table's seats."""
        return await self._read(table, lambda: self._notes(table))

    def _notes(self, table: str) -> list[Notes]:
        query = f"SELECT {columns('note')} FROM note WHERE table_id = ? ORDER BY seat"  # noqa: S608  (ours)
        with self._at_one_moment():
            rows = self._reads.execute(query, (table,)).fetchall()
            noted = self._noted(table, "note")
        if len(rows) != noted:
            raise Damaged(table, f"it has {len(rows)} notes, and not as many were stored")
        for row in rows:
            if row[0] != table or not is_sound("note", row):
                raise Damaged(table, "one of its notes is not what was stored")
        return [Notes(*row[1:4]) for row in rows]

    @contextmanager
    def _at_one_moment(self) -> Iterator[None]:
        """Let what is read meanwhile be of one moment."""
        self._reads.execute("BEGIN")
        try:
            yield
        finally:
            undo(self._reads)

    def _noted(self, table: str, name: str) -> int:
        """Return how many blobs or notes a table must have."""
        query = "SELECT last FROM stream_end WHERE table_id = ? AND stream = ?"
        rows = self._reads.execute(query, (table, name)).fetchall()
        return int(rows[0][0]) if rows else 0

    async def review(self, table: str, version: str, part: str) -> bytes | None:
        """Return what was kept of a review under this version; None if nothing was, or it is damaged."""
        with suppress(Damaged):
            return await self._read(table, lambda: read_review(self._reads, table, version, part))
        return None

    async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
        """Return a leaf, or None."""
        return await self._read_leaves(shelf, item, lambda: read_leaf(self._reads, shelf, item, person))

    async def leaves(self, shelf: str, before: str = "", most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return the house's own leaves on a shelf, the last item first."""
        sound = self._sound_leaves
        return await self._read_leaves(shelf, "*", lambda: own_leaves(self._reads, sound, shelf, before, most))

    async def leaves_of_item(self, shelf: str, item: str, most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return people's leaves of an item that are done."""
        sound = self._sound_leaves
        return await self._read_leaves(shelf, item, lambda: done_leaves(self._reads, sound, shelf, item, most))

    async def count_leaves(self, shelf: str, item: str) -> int:
        """Return how many people's leaves of an item are done."""
        return await self._read_leaves(shelf, item, lambda: count_done(self._reads, shelf, item))

    async def leaves_of_person(self, person: str) -> Sequence[Leaf]:
        """Return all leaves of a person."""
        return await self._read_leaves("*", "*", lambda: leaves_of_person(self._reads, person))

    async def _read_leaves(self, shelf: str, item: str, work: Callable[[], T]) -> T:
        """Read some leaves; where their pages cannot be read they are damaged."""
        self._check_leaves(shelf, item)
        try:
            return await self._in_turn(work)
        except NotStored as error:
            if is_torn(error):
                raise DamagedLeaf(shelf, item, str(error)) from error.__cause__
            raise

    def _check_leaves(self, shelf: str, item: str) -> None:
        """Raise Damaged if leaves could be missing where they are looked for, and nobody would know."""
        if self._leaves_wrong:
            raise DamagedLeaf(shelf, item, f"as all leaves: {self._leaves_wrong}")

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob, or None."""
        return await self._read(table, lambda: self._blob(table, id))

    def _blob(self, table: str, id: str) -> Blob | None:
        query = f"SELECT {columns('blob')} FROM blob WHERE table_id = ? AND id = ?"  # noqa: S608  (ours)
        if row := self._reads.execute(query, (table, id)).fetchone():
            if row[:2] != (table, id) or not is_sound("blob", row):
                raise Damaged(table, "one of its blobs is not what was stored")
            return Blob(*row[1:4])
        self._miss(table, id)
        return None

    def _miss(self, table: str, id: str) -> None:
        """Raise Damaged unless a table really has no such blob: what leads to it may be damaged as well."""
        with self._at_one_moment():
            numbers = self._reads.execute("SELECT rowid FROM blob WHERE table_id = ?", (table,)).fetchall()
            noted = self._noted(table, "blob")
        if len(numbers) != noted:
            raise Damaged(table, f"it has {len(numbers)} blobs, and not as many were stored")
        for number in numbers:  # by number: else SQLite answers from the index
            row = self._reads.execute("SELECT table_id, id FROM blob WHERE rowid = ?", number).fetchone()
            if row is None or row[0] != table or row[1] == id:
                raise Damaged(table, "one of its blobs is not found where it should be")

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        """Return the oldest games that still run, or those after one of them."""
        last = (-1, "") if after is None else (after.at, after.table)
        where = "stage = 'playing' AND at < ? AND (at, table_id) > (?, ?)"
        return await self._listings(where, "at, table_id", before, *last)

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        """Return the newest public tables that still gather players, or those after one of them."""
        where = "stage = 'gathering' AND public AND (at < ?1 OR at = ?1 AND table_id > ?2)"
        last = (NEVER, "") if after is None else (after.at, after.table)
        if each is None:
            return await self._listings(where, "at DESC, table_id", *last)
        return await self._listings(f"{where} AND {_PLACES}", "at DESC, table_id", *last, each)

    async def newest(self) -> int | None:
        """Return when a table last changed."""
        ((at,),) = await self._ask("SELECT max(at) FROM listing")
        return None if at is None else int(at)

    async def now(self) -> int | None:
        """Return None: a file has no clock."""
        return None

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        """Return the tables that do something by themselves before then, and when."""
        found = await self._listings("due < ? AND (due, table_id) > (?, ?)", "due, table_id", before, *after)
        return [(listing.due, listing.table) for listing in found if listing.due is not None]

    async def of_person(self, person: str) -> Sequence[Listing]:
        """Return a person's tables, the last changed first."""
        query = f"""
            SELECT {LEGIBLE}, person.table_id FROM person LEFT JOIN listing USING (table_id)
            WHERE person = ? ORDER BY at DESC, table_id
        """  # noqa: S608  (ours)
        rows = await self._ask(query, person)
        found = [listing for row in rows if (listing := listing_of(row))]
        if len(found) < len(rows):
            lost = next(row[-1] for row in rows if not listing_of(row))
            raise Damaged(lost, "how it stands in lists is not what was stored", found)
        return found

    async def opened_by(self, key: str) -> str | None:
        """Return the table that a key opens."""
        query = f"""
            SELECT {LEGIBLE}, key.table_id FROM key LEFT JOIN listing USING (table_id)
            WHERE key = ? ORDER BY key.table_id LIMIT 1
        """  # noqa: S608  (ours)
        for row in await self._ask(query, key):
            if not listing_of(row):
                raise Damaged(row[-1], "how it stands in lists is not what was stored")
            return str(row[-1])
        return None

    async def _listings(self, where: str, order: str, *values: object) -> list[Listing]:
        """Return the first listings, but for those that are damaged: they are named in the log, and take no place."""
        while True:
            known = ", ".join(map(str, self._damaged))
            query = f"""
                SELECT {LEGIBLE} FROM listing WHERE {where} AND rowid NOT IN ({known}) ORDER BY {order} LIMIT {AT_ONCE}
            """  # noqa: S608  (ours)
            rows = await self._ask(query, *values)
            found = [listing_of(row) for row in rows]
            bad = {row[0]: row[1] for row, listing in zip(rows, found, strict=True) if listing is None}
            if not bad:
                return [listing for listing in found if listing]
            self._damaged |= bad
            for table in bad.values():
                _say_damaged(table)

    async def scrub(self, traces: Sequence[bytes] = ()) -> bool:
        """Empty the log, and leave nothing in the file of what was deleted, rewritten or replaced; see `Store`.

        SQLite overwrites what it frees, but where rows move from a full page to another their old copies may stay:
        the file is searched for the traces, and if one is there what has rows that move is made anew: the lists, and
        if it is still there the leaves.
        """
        fate = await self._scrubbed(traces)
        if fate == "busy":
            self._left |= {*traces}
            if self._scrubbing is None or self._scrubbing.done():
                self._scrubbing = asyncio.get_running_loop().create_task(self._scrub_on())
        elif fate == "stays":
            LOG.warning("somebody who was forgotten still stands in the database: at a table that is damaged")
        return fate == "gone"

    async def _scrub_on(self) -> None:
        """Try it until it is done, unless the store is closed: then the log goes."""
        LOG.warning(
            "what was forgotten is not gone from the disk yet: another program reads the database, or rows moved"
        )
        loop = asyncio.get_running_loop()
        with suppress(NotStored):
            while self._left:
                await asyncio.sleep(max(SCRUB_S, self._next_anew - loop.time()))
                left = {*self._left}
                if await self._scrubbed([*left]) != "busy":
                    self._left -= left
            LOG.warning("what was forgotten is gone from the disk")

    async def _scrubbed(self, traces: Sequence[bytes]) -> Literal["gone", "busy", "stays"]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SCRUB_S
        while not await self._emptied(None):
            if loop.time() > deadline:
                return "busy"
            await asyncio.sleep(SCRUB_AGAIN_S)
        if not await asyncio.to_thread(self._holds, traces):
            return "gone"
        began = loop.time()
        if began < self._next_anew:  # moves wait for it, and anybody may ask to be forgotten again and again
            return "busy"
        # Leaves are many, and seldom to blame. What is out of order stays so: made anew, it would look whole.
        parts: tuple[Anew, ...] = ("lists",) if self._leaves_wrong else ("lists", "leaves")
        for part in parts:
            emptied = await self._emptied(part)
            self._next_anew = loop.time() + ANEW_SHARE * (loop.time() - began)
            if not emptied:
                return "busy"
            if not await asyncio.to_thread(self._holds, traces):
                return "gone"
        return "stays"

    async def _emptied(self, anew: Anew | None) -> bool:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._put(Scrub(anew, done))
        return bool(await done)

    def _holds(self, traces: Sequence[bytes]) -> bool:
        """Say whether one of these stands in the database's file, in use or not."""
        longest, at, tail = max(map(len, traces), default=0), 0, b""
        with self._searching:  # it has one place to read on from
            while longest:
                os.lseek(self._file, at, os.SEEK_SET)
                more = os.read(self._file, SEARCHED)
                if not more:
                    break
                at += len(more)
                seen = tail + more
                if any(trace in seen for trace in traces):
                    return True
                tail = seen[1 - longest :] if longest > 1 else b""
        return False

    async def close(self) -> None:
        """Store what was given, then let go of the file and its lock."""
        if not self._closing:
            self._closing = True
            if self._scrubbing is not None:
                self._scrubbing.cancel()
            for loop in [*self._gathered]:
                self._hand_over(loop)
            self._queue.put(None)
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._writer.join()
        self._reader.shutdown()
        self._opened.close()

    async def _read(self, table: str, work: Callable[[], T]) -> T:
        """Read something of one table; where its pages cannot be read it is damaged, and others need not be."""
        try:
            return await self._in_turn(work)
        except NotStored as error:
            if is_torn(error):
                raise Damaged(table, str(error)) from error.__cause__
            raise

    async def _ask(self, query: str, *values: object) -> list[Any]:
        return await self._in_turn(lambda: self._reads.execute(query, values).fetchall())

    async def _in_turn(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, _blamed_on_disk, work)

    def _write(self) -> None:
        records = Records(self._writes)
        while batch := _waiting(self._queue):
            self._taken += len(batch)
            scrubs = [write for write in batch if isinstance(write, Scrub)] if Scrub in map(type, batch) else []
            writes = [write for write in batch if not isinstance(write, Scrub)] if scrubs else batch
            fates = store(self._writes, writes, records)
            if writes:
                self.fault = next((str(fate) for fate in fates if isinstance(fate, NotStored)), None)
            deliver(writes, fates)
            _place(records, UNPLACED)
            if scrubs:
                fate = emptied(self._writes, {scrub.anew for scrub in scrubs})
                deliver(scrubs, [fate] * len(scrubs))
        _place(records, 0)  # what is closed is whole: it is noted where each stream ends


def _place(records: Records, least: int) -> None:
    try:
        records.place(least)
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


@contextmanager
def _blamed_on(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, BadDatabase) as error:
        raise BadDatabase(f"cannot open the database {path}: {error}") from error
    except UnicodeDecodeError as error:  # what SQLite wanted to say quotes words of the file that are none
        raise BadDatabase(f"cannot open the database {path}: its layout is damaged") from error


def _blamed_on_disk(work: Callable[[], T]) -> T:
    try:
        return work()
    except sqlite3.Error as error:
        fate = judged(error)
    raise fate


def _placed(connection: sqlite3.Connection) -> None:
    try:
        place_rest(connection)
    except ValueError as error:
        raise BadDatabase(f"{error}: {REPAIR}") from error


def _say_damaged(table: str) -> None:
    LOG.error("the table %s is damaged: how it stands in lists is not what was stored", table)


def _lists_in_order(connection: sqlite3.Connection) -> dict[int, str]:
    """See to it that lists show what listings say, and return those that are damaged, by rowid."""
    try:
        verdict = compared(connection)
    except sqlite3.DatabaseError as error:
        raise BadDatabase(f"its lists cannot be read ({error}): {REPAIR}") from error
    if verdict.wrong:
        LOG.error("the lists are damaged: %s", "; ".join(dict.fromkeys(verdict.wrong)))
        # Only if the pages are in order: else what is written may land in another's.
        if connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]:
            connection.execute("BEGIN IMMEDIATE")
            rebuild(connection)
            connection.execute("REINDEX listing")
            connection.execute("COMMIT")
            verdict = compared(connection)
    if verdict.wrong:
        raise BadDatabase(f"its lists are damaged ({verdict.wrong[0]}): {REPAIR}")
    return verdict.damaged
