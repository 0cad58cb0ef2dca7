"""Stores the records of all tables in one SQLite file: appended as they come, found by table and stream.

Where each lies is noted for many at once (`place`), in the order in which it is looked up: a commit of a hundred moves
then writes a few pages, and not one for each table. The newest, which have no place yet, are few enough to be gone
through.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Final

from whodunit.core.errors import Conflict
from whodunit.core.ports import Record

LASTS: Final = 100_000
"""How many streams' ends are kept in mind: nobody else writes the file, so it need not be asked again."""
UNPLACED: Final = 1000
"""How many records may have no place yet."""
AT_ONCE: Final = 48
"""So many records are inserted by one statement; each number of them has its own, which SQLite keeps ready."""
_OF_A_STREAM: Final = """
    SELECT record.* FROM place JOIN record USING (number)
    WHERE place.table_id = ?1 AND place.stream = ?2 AND place.seq > ?3
    UNION ALL
    SELECT * FROM record
    WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2 AND seq > ?3
"""
READ: Final = f"SELECT seq, last, body FROM ({_OF_A_STREAM}) ORDER BY seq"  # noqa: S608  (ours)
"""The records of a table's stream that begin behind an entry."""
_LAST: Final = """
    SELECT max(last) FROM (
        SELECT last FROM record WHERE number = (
            SELECT number FROM place WHERE table_id = ?1 AND stream = ?2 ORDER BY seq DESC LIMIT 1
        )
        UNION ALL
        SELECT last FROM record WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2
    )
"""
"""Where a stream ends: by its last place and what has none yet, however long it is."""
_ONE: Final = f"SELECT number, body FROM ({_OF_A_STREAM}) WHERE seq = ?3 + 1"  # noqa: S608  (ours)


class Records:
    """The end of every stream, for the only one who writes: as far as is known, and with what a transaction adds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lasts: dict[tuple[str, str], int] = {}
        self._new: dict[tuple[str, str], int] = {}
        self._rows: list[tuple[str, str, int, int, bytes]] = []
        self._unplaced = 0

    def add(self, table: str, records: Sequence[Record]) -> None:
        """Let records follow what their streams have so far."""
        for record in records:
            self._new[table, record.stream] = record.last
            if not record.is_empty:
                self._rows.append((table, record.stream, record.seq, record.last, record.body))

    @property
    def fit_one_statement(self) -> bool:
        """Whether what has been added is inserted by a single statement, which is a transaction by itself."""
        return len(self._rows) <= AT_ONCE

    def insert(self) -> None:
        """Write what has been added: each statement lets go of the interpreter, and may wait long to get it back."""
        for at in range(0, len(self._rows), AT_ONCE):
            rows = self._rows[at : at + AT_ONCE]
            self._connection.execute(_inserting(len(rows)), [*chain.from_iterable(rows)])
        self._unplaced += len(self._rows)
        self._rows.clear()

    def last(self, table: str, stream: str) -> int:
        """Return the stream's last entry, 0 if it has none."""
        found = self._new.get((table, stream)) or self._lasts.get((table, stream))
        if found is None:
            ((last,),) = self._connection.execute(_LAST, (table, stream))
            found = int(last or 0)
        return found

    def keep(self) -> None:
        """Take in that what was inserted is stored."""
        if len(self._lasts) > LASTS:
            self._lasts.clear()
        self._lasts |= self._new
        self._new.clear()

    def drop(self) -> None:
        """Forget what was added and not stored."""
        self._lasts.clear()
        self._new.clear()
        self._rows.clear()

    def place(self, least: int) -> None:
        """Note where the newest records lie, if so many have no place yet."""
        if self._unplaced >= least:
            place(self._connection)
            self._unplaced = 0


@cache
def _inserting(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO record (table_id, stream, seq, last, body) VALUES {values}"  # noqa: S608  (ours)


def rewrite(connection: sqlite3.Connection, table: str, changes: Sequence[tuple[Record, bytes]]) -> Conflict | None:
    """Put other bodies in the place of stored ones: all of them, or none if one is not as it was given."""
    found = [connection.execute(_ONE, (table, old.stream, old.seq - 1)).fetchone() for old, _ in changes]
    if [row and row[1] for row in found] != [old.body for old, _ in changes]:
        return Conflict(f"{table} has been rewritten meanwhile")
    connection.execute("PRAGMA secure_delete = ON")  # pages of their own, as long records have, are overwritten too
    rows = [(body, number) for (_, body), (number, _) in zip(changes, found, strict=True)]
    connection.executemany("UPDATE record SET body = ? WHERE number = ?", rows)
    connection.execute("PRAGMA secure_delete = FAST")
    return None


def place(connection: sqlite3.Connection) -> None:
    """Note where the newest records lie."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("""
            INSERT INTO place SELECT table_id, stream, seq, number FROM record
            WHERE number > (SELECT number FROM placed) ORDER BY table_id, stream, seq
        """)
        connection.execute("UPDATE placed SET number = (SELECT coalesce(max(number), 0) FROM record)")
        connection.execute("COMMIT")
    except sqlite3.Error:
        undo(connection)
        raise


def undo(connection: sqlite3.Connection) -> None:
    """End a transaction that has failed."""
    if connection.in_transaction:  # some errors have ended it already
        with suppress(sqlite3.Error):  # then the next BEGIN says so to everyone
            connection.execute("ROLLBACK")
