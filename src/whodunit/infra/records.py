"""The records of all tables in one SQLite file: appended in the order of their coming, found by table and stream.

Where each lies is noted for many at once (`place`), in the order in which it is looked up: a commit of a hundred moves
then writes a few pages, and not one for each table. The newest, which have no place yet, are few enough to be gone
through.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Final, TypeAlias

from whodunit.core.errors import Conflict
from whodunit.core.ports import Record

LASTS: Final = 100_000
"""How many streams' ends are kept in mind."""
Lasts: TypeAlias = dict[tuple[str, str], int]
"""By table and stream, the last entry: nobody else writes the file, so it need not be asked again.

Whoever deletes records must forget these.
"""
UNPLACED: Final = 4000
"""How many records may have no place yet."""
AT_A_TIME: Final = (32, 8, 4, 2, 1)
"""How many records are inserted by one statement: each lets go of the interpreter and waits to get it back."""
_COLUMNS: Final = "(table_id, stream, seq, last, body)"
_INSERTS: Final = {
    size: f"INSERT INTO record {_COLUMNS} VALUES {', '.join(['(?, ?, ?, ?, ?)'] * size)}"  # noqa: S608  (ours)
    for size in AT_A_TIME
}
_OF_A_STREAM: Final = """
    SELECT record.* FROM place JOIN record USING (number)
    WHERE place.table_id = ?1 AND place.stream = ?2 AND place.seq > ?3
    UNION ALL
    SELECT * FROM record
    WHERE number > (SELECT number FROM placed) AND table_id = ?1 AND stream = ?2 AND seq > ?3
"""
READ: Final = f"SELECT seq, last, body FROM ({_OF_A_STREAM}) ORDER BY seq"  # noqa: S608  (ours)
"""The records of a table's stream that begin behind an entry."""
_LAST: Final = f"SELECT max(last) FROM ({_OF_A_STREAM})"  # noqa: S608  (ours)
_ONE: Final = f"SELECT number, body FROM ({_OF_A_STREAM}) WHERE seq = ?3 + 1"  # noqa: S608  (ours)


class Reached:
    """How far every stream has come: what is known, what the file says, and what a transaction adds to it."""

    def __init__(self, connection: sqlite3.Connection, lasts: Lasts) -> None:
        self._connection = connection
        self._lasts = lasts
        self.new: Lasts = {}
        self._rows: list[tuple[str, str, int, int, bytes]] = []

    def add(self, table: str, records: Sequence[Record]) -> None:
        """Let records follow what their streams have so far."""
        for record in records:
            self.new[table, record.stream] = record.last
            if not record.is_empty:
                self._rows.append((table, record.stream, record.seq, record.last, record.body))

    def insert(self) -> None:
        """Write what has been added."""
        rows, at = self._rows, 0
        for size in AT_A_TIME:
            while len(rows) - at >= size:
                self._connection.execute(_INSERTS[size], [*chain.from_iterable(rows[at : at + size])])
                at += size
        rows.clear()

    def last(self, table: str, stream: str) -> int:
        """Return the stream's last entry, 0 if it has none."""
        found = self.new.get((table, stream)) or self._lasts.get((table, stream))
        if found is None:
            ((last,),) = self._connection.execute(_LAST, (table, stream, 0))
            found = int(last or 0)
        return found


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


def place(connection: sqlite3.Connection, least: int) -> None:
    """Note where the newest records lie, if so many have no place yet."""
    ((count,),) = connection.execute("SELECT max(number) - (SELECT number FROM placed) FROM record")
    if (count or 0) < least:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("""
            INSERT INTO place SELECT table_id, stream, seq, number FROM record
            WHERE number > (SELECT number FROM placed) ORDER BY table_id, stream, seq
        """)
        connection.execute("UPDATE placed SET number = (SELECT max(number) FROM record)")
        connection.execute("COMMIT")
    except sqlite3.Error:
        undo(connection)
        raise


def undo(connection: sqlite3.Connection) -> None:
    """End a transaction that has failed."""
    if connection.in_transaction:  # some errors have ended it already
        with suppress(sqlite3.Error):  # then the next BEGIN says so to everyone
            connection.execute("ROLLBACK")
