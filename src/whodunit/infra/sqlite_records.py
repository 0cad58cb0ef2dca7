"""Stores the records of all tables in one SQLite file: appended as they come, found by table and stream.

Where each lies is noted for many at once (`place`), in the order in which it is looked up: a commit of a hundred moves
then writes a few pages, and not one for each table. The newest, which have no place yet, are few enough to be gone
through.
"""

import logging
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Final, Literal
from zlib import crc32

from whodunit.core.errors import Conflict, Damaged
from whodunit.core.ports import Record
from whodunit.infra.checks import ABOVE, MASK, SPREAD, columns, is_sound, owner_crc, record_crc, whole

LOG = logging.getLogger(__name__)

LASTS: Final = 100_000
"""How many streams' ends are kept in mind: nobody else writes the file, so it need not be asked again."""
UNPLACED: Final = 1000
"""How many records may have no place yet."""
AT_ONCE: Final = 48
"""So many records are inserted by one statement; each number of them has its own, which SQLite keeps ready."""
NOTED: Final = 4
"""With every so many places it is noted how far all streams reach, and else that of new ones: it costs as much as the
places themselves. A stream may always reach farther than is noted."""
WIDTH: Final = 6
"""So many columns has an inserted row."""
_ROW: Final = columns("record")
_UNPLACED, _PLACED, _END = range(3)
_READ: Final = f"""
    SELECT {_PLACED}, {_ROW} FROM place LEFT JOIN record ON record.number = place.number
    WHERE place.table_id = ?1 AND place.stream = ?2 AND place.seq > ?3
    UNION ALL
    SELECT {_UNPLACED}, {_ROW} FROM record
    WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2 AND seq > ?3
    UNION ALL
    SELECT {_END}, table_id, stream, NULL, last, NULL, NULL FROM stream_end WHERE table_id = ?1 AND stream = ?2
"""  # noqa: S608  (ours)
"""The records of a table's stream that begin behind an entry, and where it ends as far as they have places."""
_LAST: Final = """
    SELECT
        (SELECT last FROM record WHERE number = (
            SELECT number FROM place WHERE table_id = ?1 AND stream = ?2 ORDER BY seq DESC LIMIT 1
        )),
        (SELECT last FROM stream_end WHERE table_id = ?1 AND stream = ?2),
        (SELECT max(last) FROM record
            WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2)
"""
"""Where a stream ends: by its last place, by what was noted then, and by what has no place yet, however long it is."""
_ONE: Final = """
    SELECT * FROM record WHERE number = coalesce(
        (SELECT number FROM place WHERE table_id = ?1 AND stream = ?2 AND seq = ?3),
        (SELECT number FROM record
            WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2 AND seq = ?3)
    )
"""


def read(
    connection: sqlite3.Connection, table: str, stream: Literal["case", "room"], after: int = 0
) -> Sequence[Record]:
    """Return the records that begin behind entry `after`, all of them and as they were stored, or raise Damaged."""
    rows = connection.execute(_READ, (table, stream, after)).fetchall()  # at once: a cursor keeps checkpoints waiting
    ends = [row[4] for row in rows if row[0] == _END]
    found = [row[1:] for row in rows if row[0] != _END]
    if not all(isinstance(end, int) for end in ends):
        raise Damaged(table, f"where its {stream} ends is not to be read")
    # A new stream has no end noted before its first records get their places.
    noted = ends[0] if ends else None if any(row[0] == _PLACED for row in rows) else 0
    records = whole(table, stream, after, found, noted)
    if records is None:
        records = [record for record in read(connection, table, stream) if record.seq > after]
    return records


class Records:
    """The end of every stream, for the only one who writes: as far as is known, and with what a transaction adds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lasts: dict[tuple[str, str], int] = {}
        self._new: dict[tuple[str, str], int] = {}
        self._values: list[str | int | bytes] = []
        """Of the rows to be inserted, one behind the other."""
        self._unplaced = 0
        self._ends: dict[tuple[str, str], int] = {}
        """How far streams reach that have grown since all ends were noted."""
        self._fresh: set[tuple[str, str]] = set()
        """Of these, whose end was never noted."""
        self._places = 0

    def add(self, table: str, records: Sequence[Record]) -> None:
        """Let records follow what their streams have so far."""
        values, new, owner = self._values, self._new, owner_crc(table)
        for record in records:
            stream, seq, last = record.stream, record.seq, record.last
            new[table, stream] = last
            if seq == 1:
                self._fresh.add((table, stream))
            if seq <= last:
                body = record.body
                crc = ABOVE + crc32(body, (owner + seq * SPREAD[stream] + last) & MASK)  # as record_crc, and faster
                values += (table, stream, seq, last, body, crc)

    @property
    def fit_one_statement(self) -> bool:
        """Whether what has been added is inserted by a single statement, which is a transaction by itself."""
        return len(self._values) <= AT_ONCE * WIDTH

    def insert(self) -> None:
        """Write what has been added: each statement lets go of the interpreter, and may wait long to get it back."""
        for at in range(0, len(self._values), AT_ONCE * WIDTH):
            values = self._values[at : at + AT_ONCE * WIDTH]
            self._connection.execute(_inserting(len(values) // WIDTH), values)
        self._unplaced += len(self._values) // WIDTH
        self._values.clear()

    def last(self, table: str, stream: str) -> int:
        """Return the stream's last entry, 0 if it has none."""
        found = self._new.get((table, stream)) or self._lasts.get((table, stream))
        if found is None:
            ((placed, noted, newest),) = self._connection.execute(_LAST, (table, stream))
            if (placed or 0) < (noted or 0) or (placed is None) != (noted is None):
                raise Damaged(table, f"its {stream} does not end where it is noted")
            found = int(newest or placed or 0)
        return found

    def keep(self) -> None:
        """Take in that what was inserted is stored."""
        if len(self._lasts) > LASTS:
            self._lasts.clear()
        self._lasts |= self._new
        self._ends |= self._new
        self._new.clear()

    def drop(self) -> None:
        """Forget what was added and not stored."""
        self._lasts.clear()
        self._new.clear()
        self._values.clear()

    def place(self, least: int) -> None:
        """Note where the newest records lie, if so many have no place yet; all of them, if it is the last time."""
        if self._unplaced >= least and (self._unplaced or self._ends):
            every = not least or not self._places % NOTED
            place(self._connection, self._ends if every else self._known_first())
            self._unplaced = 0
            self._places += 1
            self._fresh.clear()
            if every:
                self._ends.clear()

    def _known_first(self) -> dict[tuple[str, str], int]:
        return {key: self._ends[key] for key in self._fresh if key in self._ends}


@cache
def _inserting(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO record (table_id, stream, seq, last, body, crc) VALUES {values}"  # noqa: S608  (ours)


def rewrite(connection: sqlite3.Connection, table: str, changes: Sequence[tuple[Record, bytes]]) -> Conflict | None:
    """Put other bodies in the place of stored ones: all of them, or none if one is not as it was given."""
    rows = []
    for old, body in changes:
        found = connection.execute(_ONE, (table, old.stream, old.seq)).fetchone()
        values = (table, old.stream, old.seq, old.last)
        if found is None or found[1:6] != (*values, old.body):
            return Conflict(f"{table} has been rewritten meanwhile")
        rows.append((body, record_crc(*values, body), found[0]))
    connection.executemany("UPDATE record SET body = ?, crc = ? WHERE number = ?", rows)
    return None


def place(connection: sqlite3.Connection, ends: Mapping[tuple[str, str], int] | None = None) -> None:
    """Note where the newest records lie, and where their streams end; it need not be looked up if it is given."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # One that has its place is left alone: `placed` may say too little, and is right again by this.
        connection.execute("""
            INSERT OR IGNORE INTO place SELECT table_id, stream, seq, number FROM record
            WHERE number > (SELECT number FROM placed) ORDER BY table_id, stream, seq
        """)
        if ends is None:
            found = connection.execute("""
                SELECT table_id, stream, max(last) FROM record
                WHERE number > (SELECT number FROM placed) GROUP BY table_id, stream
            """).fetchall()
            ends = {(table, stream): last for table, stream, last in found}
        note_ends(connection, ends)
        connection.execute("UPDATE placed SET number = (SELECT coalesce(max(number), 0) FROM record)")
        connection.execute("COMMIT")
    except sqlite3.Error:
        undo(connection)
        raise


def note_ends(connection: sqlite3.Connection, ends: Mapping[tuple[str, str], int]) -> None:
    """Note how far streams reach, if not farther yet."""
    query = "INSERT INTO stream_end VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)"
    connection.executemany(query, [(*key, last) for key, last in ends.items() if last])


def place_rest(connection: sqlite3.Connection) -> None:
    """Note what a process that was killed has left without places; say what of it is missing or damaged.

    Raises ValueError if new records would take the numbers of lost ones.
    """
    ((newest,),) = connection.execute("SELECT coalesce(max(number), 0) FROM record")
    placed = connection.execute("SELECT number FROM placed").fetchall()
    if len(placed) != 1 or not isinstance(placed[0][0], int) or placed[0][0] > newest:
        raise ValueError("nothing says rightly which records have their places")
    ((after,),) = placed
    if after == newest:
        return
    for number, *row in connection.execute(f"SELECT number, {_ROW} FROM record WHERE number > ?", (after,)):  # noqa: S608  (ours)
        after += 1
        if not is_sound("record", row):
            LOG.error("the record %d, of the table %s, is damaged", number, row[0])
    if newest != after:
        LOG.error("%d records are missing before the record %d", newest - after, newest)
    place(connection)


def undo(connection: sqlite3.Connection) -> None:
    """End a transaction that has failed."""
    if connection.in_transaction:  # some errors have ended it already
        with suppress(sqlite3.Error):  # then the next BEGIN says so to everyone
            connection.execute("ROLLBACK")
