"""The store for several nodes: one PostgreSQL. Of two writers at once, the second gets a Conflict."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple, TypeVar

import asyncpg
from msgspec import json

from whodunit.core.errors import Conflict, Damaged, NotHeld, NotStored
from whodunit.core.ports import AT_ONCE, NEVER, Leaf, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra.append_order import check_form, check_order, check_person
from whodunit.infra.checks import columns, is_sound, listing_crc, record_crc, row_crc
from whodunit.infra.postgres_check import LISTINGS, is_kept, listing_of
from whodunit.infra.postgres_leaves import PostgresLeaves
from whodunit.infra.postgres_reads import News
from whodunit.infra.postgres_schema import connected

LOG = logging.getLogger(__name__)
T = TypeVar("T")
CHANNEL: Final = "whodunit"
MOST: Final = 500
"""How many appends go into one statement."""
READERS: Final = 4
PATIENCE_S: Final = 5.0
"""How long a database that restarts is waited for."""
VACUUM_S: Final = 60.0
"""How long whoever is forgotten waits, at most, for PostgreSQL to tidy up."""

LOST: Final = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
)
"""The connection is gone, and what was under way may be stored or not. TimeoutError is an OSError."""
WORLD: Final = (
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.PostgresSystemError,
    asyncpg.PostgresIOError,
    asyncpg.QueryCanceledError,
)
"""What PostgreSQL reports when the world is to blame; all else is our bug."""

# Moves every table's head on from where its append knew it, and does the rest for those alone that could be moved. An
# update waits for another node's and then looks again, so of two that follow the same entry one is too late. Heads are
# locked in the order of their names: two nodes never wait for each other. Notices leave with the commit: nobody hears
# of what was not stored, and nobody who dies can keep what was to himself. A payload has at most 8,000 bytes.
_APPEND: Final = """
WITH given AS (
    SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[])
    AS given (table_id, case_before, case_last, room_before, room_last, leased)
), locked AS (
    SELECT head.table_id, head.case_last, head.room_last FROM head JOIN given USING (table_id)
    ORDER BY head.table_id FOR UPDATE OF head
), moved AS (
    UPDATE head SET
        case_last = coalesce(given.case_last, locked.case_last),
        room_last = coalesce(given.room_last, locked.room_last)
    FROM given JOIN locked USING (table_id)
    WHERE head.table_id = given.table_id
    AND locked.case_last = coalesce(given.case_before, locked.case_last)
    AND locked.room_last = coalesce(given.room_before, locked.room_last)
    AND (NOT given.leased OR $1 = (SELECT node FROM lease WHERE lease.table_id = given.table_id))
    RETURNING head.table_id, head.case_last + head.room_last AS size
), made AS (
    INSERT INTO head
    SELECT table_id, coalesce(case_last, 0), coalesce(room_last, 0) FROM given
    WHERE coalesce(case_before, 0) = 0 AND coalesce(room_before, 0) = 0 AND NOT leased
    ON CONFLICT DO NOTHING
    RETURNING table_id, case_last + room_last AS size
), won AS (
    SELECT * FROM moved UNION ALL SELECT * FROM made
), records AS (
    INSERT INTO record (table_id, stream, seq, last, body, crc)
    SELECT new.* FROM unnest($8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bytea[], $13::bigint[])
    AS new (table_id, stream, seq, last, body, crc) JOIN won USING (table_id)
), blobs AS (
    INSERT INTO blob (table_id, id, media, data, crc)
    SELECT new.* FROM unnest($14::text[], $15::text[], $16::text[], $17::bytea[], $18::bigint[])
    AS new (table_id, id, media, data, crc) JOIN won USING (table_id)
    ON CONFLICT DO NOTHING
), listings AS (
    INSERT INTO listing (table_id, stage, public, people, keys, at, due, household, crc)
    SELECT new.table_id, stage, public, ARRAY(SELECT json_array_elements_text(people)),
        ARRAY(SELECT json_array_elements_text(keys)), at, due, household, crc
    FROM unnest($19::text[], $20::text[], $21::boolean[], $22::json[], $23::json[], $24::bigint[], $25::bigint[],
        $26::text[], $27::bigint[])
    AS new (table_id, stage, public, people, keys, at, due, household, crc) JOIN won USING (table_id)
    ON CONFLICT (table_id) DO UPDATE SET stage = excluded.stage, public = excluded.public, people = excluded.people,
        keys = excluded.keys, at = excluded.at, due = excluded.due, household = excluded.household, crc = excluded.crc
    RETURNING table_id
), lines AS (
    SELECT json_build_array(table_id, size, listings.table_id IS NOT NULL) AS line,
        sum(octet_length(table_id) + 40) OVER (ORDER BY table_id) / 4000 AS page
    FROM won LEFT JOIN listings USING (table_id)
), told AS (
    SELECT pg_notify($28, json_build_object('from', $1, 'grown', json_agg(line))::text) FROM lines GROUP BY page
)
SELECT table_id, (SELECT count(*) FROM told) FROM won
"""


_DROP: Final = """
WITH old AS (
    SELECT table_id FROM listing WHERE stage = 'over' AND at < $1
    AND (EXISTS (SELECT FROM blob WHERE blob.table_id = listing.table_id)
        OR EXISTS (SELECT FROM review WHERE review.table_id = listing.table_id)) LIMIT $2
), blobs AS (
    DELETE FROM blob USING old WHERE blob.table_id = old.table_id
), reviews AS (
    DELETE FROM review USING old WHERE review.table_id = old.table_id
)
SELECT count(*) FROM old
"""


_REWRITE: Final = """
UPDATE record SET body = new.body, crc = new.crc
FROM unnest($2::text[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[]) AS new (stream, seq, old, body, crc)
WHERE table_id = $1 AND record.stream = new.stream AND record.seq = new.seq AND record.body = new.old
RETURNING record.seq
"""


# Of two nodes that follow the same version the second waits for the first, and then finds another there.
_KEEP: Final = """
WITH kept AS (
    INSERT INTO note SELECT $1::text, $2::smallint, $3::bigint, $4::bytea, $5::bigint
    WHERE $3 = 1 OR EXISTS (SELECT FROM note WHERE table_id = $1 AND seat = $2)
    ON CONFLICT (table_id, seat) DO UPDATE SET version = excluded.version, body = excluded.body, crc = excluded.crc
        WHERE note.version = excluded.version - 1
    RETURNING seat
)
SELECT pg_notify($6, json_build_object('from', $7::text, 'noted', $1::text)::text) FROM kept
"""
_KEEP_REVIEW: Final = """
INSERT INTO review VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (table_id, part) DO UPDATE SET version = excluded.version, body = excluded.body, crc = excluded.crc
"""
_PLACES: Final = """
table_id IN (
    SELECT table_id FROM (
        SELECT table_id, row_number() OVER (
            PARTITION BY household, CASE household WHEN '' THEN table_id END ORDER BY at DESC, table_id
        ) AS nth FROM listing WHERE stage = 'gathering' AND public
    ) AS placed WHERE nth <= $5
)
"""
_NOW: Final = """
SELECT host(inet_server_addr()), host(inet_client_addr()), floor(1000 * extract(epoch FROM clock_timestamp()))::bigint
"""


class Append(NamedTuple):
    """One call of `append`, on its way into a statement."""

    table: str
    records: Sequence[Record]
    blobs: Sequence[Blob]
    listing: Listing | None
    leased: bool
    done: "asyncio.Future[None]"


class PostgresStore:
    """Keeps everything in a database that many nodes share; `prepared` has made it ready."""

    def __init__(self, address: str, node: str) -> None:
        self._address = address
        self._node = node
        self._writes: Any = None
        self._reads: Any = None
        self._news = News(self._ask)
        self._leaves = PostgresLeaves(self._ask)
        self._damaged: set[str] = set()
        """Whose listings are not what was stored."""
        self._queue: list[Append] = []
        self._given = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None
        self.fault: str | None = None

    async def open(self) -> "PostgresStore":
        """Connect."""
        self._writes = await connected(self._address)
        self._reads = await asyncpg.create_pool(
            self._address,
            min_size=1,
            max_size=READERS,
            timeout=10,
            command_timeout=30,
            connect=lambda *_, **__: connected(self._address),
            reset=_as_it_is,
        )
        self._writer = asyncio.get_running_loop().create_task(self._write())
        return self

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,
    ) -> None:
        """Store all of it with the next statement; a caller that is cancelled meanwhile may find it stored or not."""
        check_form(table, records, listing)
        firsts: dict[str, int] = {record.stream: record.seq - 1 for record in reversed(records)}
        check_order(table, records, lambda _, stream: firsts[stream])
        if self._closing:
            raise NotStored("the store is closed")
        done = asyncio.get_running_loop().create_future()
        self._queue.append(Append(table, records, blobs, listing, leased, done))
        self._given.set()
        await done

    async def probe(self) -> None:
        """Write something that changes nothing."""
        try:
            await self._ask("UPDATE house SET version = version")
        except NotStored as error:
            self.fault = str(error)
            raise
        self.fault = None

    @property
    def waiting(self) -> int:
        """How many appends wait for the next statement."""
        return len(self._queue)

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        """Return the records that begin behind entry `after`."""
        return await self._news.read(table, stream, after)

    async def rewrite(self, table: str, changes: Sequence[tuple[Record, bytes]]) -> None:
        """Put other bodies in the place of stored ones, or raise Conflict."""
        rows = [
            (old.stream, old.seq, old.body, body, record_crc(table, old.stream, old.seq, old.last, body))
            for old, body in changes
        ]
        try:
            async with self._reads.acquire() as connection, connection.transaction():
                done = await connection.fetch(_REWRITE, table, *_turned(rows, 5))
                if len(done) != len(rows):
                    raise Conflict(f"{table} has been rewritten meanwhile")
        except (*LOST, *WORLD) as error:
            raise NotStored(str(error)) from error

    async def keep_notes(self, table: str, notes: Notes) -> None:
        """Put a seat's notes in the place of those that it had, or raise Conflict.

        After a connection that broke they may be stored, and be refused as a second try: then they are there.
        """
        row = (table, notes.seat, notes.version, notes.body)
        if not await self._ask(_KEEP, *row, row_crc(*row), CHANNEL, self._node):
            raise Conflict(f"{table} has other notes of seat {notes.seat}; {notes.version} do not follow")

    async def notes(self, table: str) -> Sequence[Notes]:
        """Return the notes of a table's seats."""
        query = f"SELECT {columns('note')} FROM note WHERE table_id = $1 ORDER BY seat"  # noqa: S608  (ours)
        rows = await self._ask(query, table)
        if not all(is_sound("note", row) for row in rows):
            raise Damaged(table, "one of its notes is not what was stored")
        return [Notes(*row[1:4]) for row in rows]

    async def keep_review(self, table: str, version: str, part: str, body: bytes) -> None:
        """Keep a part of a review in the place of what was kept of it, by whichever node."""
        row = (table, part, version, body)
        await self._ask(_KEEP_REVIEW, *row, row_crc(*row))

    async def review(self, table: str, version: str, part: str) -> bytes | None:
        """Return what was kept of a review under this version; None if nothing was, or it is damaged."""
        query = f"SELECT {columns('review')} FROM review WHERE table_id = $1 AND part = $2"  # noqa: S608  (ours)
        for row in await self._ask(query, table, part):
            if row[2] == version and is_sound("review", row):
                return bytes(row[3])
        return None

    async def keep_leaf(self, leaf: Leaf) -> None:
        """Put a leaf in the place of the version before, or raise Conflict."""
        await self._leaves.keep(leaf)

    async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
        """Return a leaf, or None."""
        return await self._leaves.one(shelf, item, person)

    async def leaves(self, shelf: str, before: str = "", most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return the house's own leaves on a shelf, the last item first."""
        return await self._leaves.own(shelf, before, most)

    async def leaves_of_item(self, shelf: str, item: str, most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return people's leaves of an item that are done."""
        return await self._leaves.of_item(shelf, item, most)

    async def count_leaves(self, shelf: str, item: str) -> int:
        """Return how many people's leaves of an item are done."""
        return await self._leaves.count(shelf, item)

    async def leaves_of_person(self, person: str) -> Sequence[Leaf]:
        """Return all leaves of a person."""
        return await self._leaves.of_person(person)

    async def drop_leaves(self, person: str) -> int:
        """Drop all leaves of a person."""
        check_person(person)
        return await self._leaves.drop(person)

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob, or None."""
        query = f"SELECT {columns('blob')} FROM blob WHERE table_id = $1 AND id = $2"  # noqa: S608  (ours)
        for row in await self._ask(query, table, id):
            if not is_kept("blob", row):
                raise Damaged(table, "one of its blobs is not what was stored")
            return Blob(*row[1:4])
        return None

    async def drop_blobs(self, before: int) -> int:
        """Drop the blobs and reviews of some old tables."""
        rows = await self._ask(_DROP, before, AT_ONCE)
        return int(rows[0][0])

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        """Return the oldest games that still run, or those after one of them."""
        last = (-1, "") if after is None else (after.at, after.table)
        where = "stage = 'playing' AND at < $3 AND (at, table_id) > ($4, $5)"
        return await self._listings(where, "at, table_id", before, *last)

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        """Return the newest public tables that still gather players, or those after one of them."""
        where = "stage = 'gathering' AND public AND (at < $3 OR at = $3 AND table_id > $4)"
        last = (NEVER, "") if after is None else (after.at, after.table)
        if each is None:
            return await self._listings(where, "at DESC, table_id", *last)
        return await self._listings(f"{where} AND {_PLACES}", "at DESC, table_id", *last, each)

    async def newest(self) -> int | None:
        """Return when a table last changed."""
        rows = await self._ask("SELECT max(at) FROM listing")
        return None if rows[0][0] is None else int(rows[0][0])

    async def now(self) -> int | None:
        """Return the time on the database's machine; None: it is this one."""
        (row,) = await self._ask(_NOW)
        return clock_of_its_own(*row)

    async def of_person(self, person: str) -> Sequence[Listing]:
        """Return a person's tables, the last changed first."""
        where = "people @> ARRAY[$1::text] ORDER BY at DESC, table_id"
        rows = await self._ask(f"{LISTINGS} WHERE {where}", person)
        found = [listing for row in rows if (listing := listing_of(row))]
        if len(found) < len(rows):
            lost = next(row[0] for row in rows if not listing_of(row))
            raise Damaged(lost, "how it stands in lists is not what was stored", found)
        return found

    async def opened_by(self, key: str) -> str | None:
        """Return the table that a key opens."""
        for row in await self._ask(f"{LISTINGS} WHERE keys @> ARRAY[$1::text] ORDER BY table_id LIMIT 1", key):
            if not listing_of(row):
                raise Damaged(row[0], "how it stands in lists is not what was stored")
            return str(row[0])
        return None

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        """Return the tables that do something by themselves before then, and when, but those awake elsewhere."""
        where = """
            due < $3 AND (due, table_id) > ($4, $5)
            AND NOT EXISTS (SELECT FROM lease WHERE lease.table_id = listing.table_id AND node <> $6)
        """
        found = await self._listings(where, "due, table_id", before, *after, self._node)
        return [(listing.due, listing.table) for listing in found if listing.due is not None]

    async def scrub(self, traces: Sequence[bytes] = ()) -> bool:  # noqa: ARG002  (its files are not ours to search)
        """Let PostgreSQL take away what was rewritten and replaced; its own files keep copies, as the host is told."""
        try:
            connection = await connected(self._address)
            try:
                await connection.execute("VACUUM record, listing, note, leaf", timeout=VACUUM_S)
            finally:
                await connection.close()
        except (*LOST, *WORLD):
            LOG.warning("what was forgotten has not been vacuumed; PostgreSQL does so by itself, later")
            return False
        return True

    async def close(self) -> None:
        """Store what was given, then let go of the database."""
        self._closing = True
        self._given.set()
        if self._writer is not None:
            await self._writer
            with suppress(*LOST):
                await self._writes.close(timeout=2)
            self._news.close()
            self._reads.terminate()

    async def _listings(self, where: str, order: str, *values: object) -> list[Listing]:
        """Return the first listings, but for those that are damaged: they are named in the log, and take no place."""
        query = f"{LISTINGS} WHERE table_id <> ALL($1::text[]) AND {where} ORDER BY {order} LIMIT $2"
        while True:
            rows = await self._ask(query, [*self._damaged], AT_ONCE, *values)
            found = [listing_of(row) for row in rows]
            bad = {row[0] for row, listing in zip(rows, found, strict=True) if listing is None}
            if not bad:
                return [listing for listing in found if listing]
            self._damaged |= bad
            for table in bad:
                LOG.error("the table %s is damaged: how it stands in lists is not what was stored", table)

    async def _ask(self, query: str, *values: object) -> list[Any]:
        async def fetch() -> list[Any]:
            found: list[Any] = await self._reads.fetch(query, *values)
            return found

        try:
            return await patiently(fetch)
        except WORLD as error:
            raise NotStored(str(error)) from error

    # --- Writing ---

    async def _write(self) -> None:
        while not self._closing or self._queue:
            await self._given.wait()
            batch = self._taken()
            if batch:
                fates = await self._stored(batch)
                self.fault = next((str(fate) for fate in fates if isinstance(fate, NotStored)), None)
                _settle(batch, fates)

    def _taken(self) -> list[Append]:
        """Take what came while the last statement ran, of each table the first."""
        taken: dict[str, Append] = {}
        left = []
        for append in self._queue:
            if append.table in taken or len(taken) == MOST:
                left.append(append)
            else:
                taken[append.table] = append
        self._queue = left
        if not left and not self._closing:
            self._given.clear()
        return [*taken.values()]

    async def _stored(self, batch: Sequence[Append]) -> list[Exception | None]:
        """Store the appends in one transaction and return what became of each: None is well."""
        tries = 0

        async def send() -> set[str]:
            nonlocal tries
            tries += 1
            if self._writes.is_closed():
                self._writes = await connected(self._address)
            return {row[0] for row in await self._writes.fetch(_APPEND, *_columns(self._node, batch))}

        try:
            won = await patiently(send)
        except Exception as error:  # noqa: BLE001  (a bug is its caller's to see; the writer lives on for the others)
            if len(batch) == 1 or isinstance(error, NotStored):
                return [_judged(error) for _ in batch]
        else:
            return [None if append.table in won else await self._refused(append, tries) for append in batch]
        # One of them may be what no database takes: alone, each gets the answer it deserves.
        return [fate for append in batch for fate in await self._stored([append])]

    async def _refused(self, append: Append, tries: int) -> Exception | None:
        try:
            return await self._reason(append, tries)
        except Exception as error:  # noqa: BLE001  (of this append nothing is known; what was stored with it stays so)
            return error

    async def _reason(self, append: Append, tries: int) -> Exception | None:
        """Return why an append was not stored; None if it was, by a try whose answer was lost with the connection."""
        added = [record for record in append.records if not record.is_empty]
        for record in added if tries > 1 else ():
            stored = await self.read(append.table, record.stream, record.seq - 1)
            if not stored or stored[0] != record:
                break
        else:
            if tries > 1 and added:
                return None
        query = "SELECT FROM lease WHERE table_id = $1 AND node = $2"
        if append.leased and not await self._ask(query, append.table, self._node):
            return NotHeld(f"{append.table} is another node's to run")
        return Conflict(f"{append.table} has grown otherwise")


def clock_of_its_own(server: str | None, client: str | None, time: int) -> int | None:
    """Return the database's time, or None if it runs on the machine that asks: then its clock is no second witness."""
    return None if server is None or server == client else time


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Do it, again if the connection breaks; NotStored when that lasts."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    wait = 0.02
    while True:
        try:
            return await work()
        except LOST as error:
            if isinstance(error, ValueError):  # a value that cannot be sent, and none of the connection's faults
                raise
            if asyncio.get_running_loop().time() + wait > deadline:
                raise NotStored(f"the database does not answer: {type(error).__name__}") from error
        await asyncio.sleep(wait)
        wait *= 2


async def _as_it_is(_: Any) -> None:
    """Leave a reader's connection as it is: nothing in it changes, and to tidy it is a round trip for each read."""


def _judged(error: Exception) -> Exception:
    if not isinstance(error, WORLD):
        return error
    refusal = NotStored(str(error))
    refusal.__cause__ = error
    return refusal


def _columns(node: str, batch: Sequence[Append]) -> list[object]:
    """Lay the appends out by columns, as the statement takes them."""
    heads, records, blobs, listings = [], [], [], []
    for table, own, things, listing, leased, _ in batch:
        spans: dict[str, tuple[int, int]] = {}
        for record in own:
            before = spans[record.stream][0] if record.stream in spans else record.seq - 1
            spans[record.stream] = (before, record.last)
            if not record.is_empty:
                row = (table, record.stream, record.seq, record.last, record.body)
                records.append((*row, record_crc(*row)))
        heads.append((table, *spans.get("case", (None, None)), *spans.get("room", (None, None)), leased))
        first = {blob.id: blob for blob in reversed(things)}  # what an event points to never changes
        rows = [(table, blob.id, blob.media, blob.data) for blob in first.values()]
        blobs += [(*row, row_crc(*row)) for row in rows]
        if listing:
            people, keys = (json.encode(each).decode() for each in (listing.people, listing.keys))
            rest = (listing.at, listing.due, listing.household, listing_crc(listing))
            listings.append((table, listing.stage, listing.public, people, keys, *rest))
    return [
        node,
        *_turned(heads, 6),
        *_turned(records, 6),
        *_turned(blobs, 5),
        *_turned(listings, 9),
        CHANNEL,
    ]


def _turned(rows: Sequence[Sequence[object]], width: int) -> list[Sequence[object]]:
    return [*zip(*rows, strict=True)] if rows else [()] * width


def _settle(batch: Sequence[Append], fates: Sequence[Exception | None]) -> None:
    for append, fate in zip(batch, fates, strict=True):
        if append.done.done():  # its caller was cancelled
            continue
        if fate:
            append.done.set_exception(fate)
        else:
            append.done.set_result(None)
