"""Gives the rows of earlier versions their checks while the house opens: in steps, so that it can be interrupted."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from msgspec import MsgspecError, json

from whodunit.core.ports import Listing
from whodunit.infra.checks import record_crc, row_crc
from whodunit.infra.progress import Progress
from whodunit.infra.sqlite_lists import count_rows, put_listing
from whodunit.infra.sqlite_records import note_ends

AT_A_TIME: Final = {"record": 1000, "blob": 50, "listing": 500}
"""So many rows move in one transaction."""
UNSOUND: Final = -1
"""No row has this check."""
FILLED: Final = 1000
"""So many free pages are overwritten at a time."""


def give_checks(connection: sqlite3.Connection) -> None:
    """Move every row with its check to where it belongs now; what has moved is gone from where it was."""
    left = {name: _highest(connection, name) for name in AT_A_TIME}
    progress = Progress(sum(left.values()), "checking in what earlier versions stored")
    for name, count in AT_A_TIME.items():
        reached = 0
        query = f"SELECT rowid, * FROM {name}_unchecked ORDER BY rowid LIMIT ?"  # noqa: S608  (ours)
        while rows := connection.execute(query, (count,)).fetchall():
            connection.execute("BEGIN IMMEDIATE")
            _MOVES[name](connection, rows)
            connection.execute(f"DELETE FROM {name}_unchecked WHERE rowid <= ?", (rows[-1][0],))  # noqa: S608  (ours)
            connection.execute("COMMIT")
            progress.step(rows[-1][0] - reached)
            reached = rows[-1][0]
    progress.end()


def _highest(connection: sqlite3.Connection, name: str) -> int:
    ((highest,),) = connection.execute(f"SELECT coalesce(max(rowid), 0) FROM {name}_unchecked")  # noqa: S608  (ours)
    return int(highest)


def _move_records(connection: sqlite3.Connection, rows: list[Any]) -> None:
    checked = [(number, *values, record_crc(*values)) for number, _, *values in rows]
    connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)", checked)
    note_ends(connection, {(table, stream): last for _, table, stream, _, last, *_ in checked})


def _move_blobs(connection: sqlite3.Connection, rows: list[Any]) -> None:
    checked = [(*values, row_crc(*values)) for _, *values in rows]
    connection.executemany("INSERT INTO blob VALUES (?, ?, ?, ?, ?)", checked)
    count_rows(connection, "blob", Counter(row[1] for row in rows))


def _move_listings(connection: sqlite3.Connection, rows: list[Any]) -> None:
    for _, table, stage, public, at, body, due in rows:
        try:
            listing = json.decode(body, type=Listing)
        except (MsgspecError, TypeError, UnicodeError):  # it stays as it is, and is called damaged
            row = (table, stage, public, at, due, "", body, UNSOUND)
            connection.execute("INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        else:
            put_listing(connection, listing)


_MOVES: Final[dict[str, Callable[[sqlite3.Connection, list[Any]], None]]] = {
    "record": _move_records,
    "blob": _move_blobs,
    "listing": _move_listings,
}


def overwrite_free_pages(connection: sqlite3.Connection) -> None:
    """Fill the file's free pages with zeros: earlier versions did not, and what they freed can be read there."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE zeros (x BLOB NOT NULL)")
    ((page,),) = connection.execute("PRAGMA page_size")
    while (free := connection.execute("PRAGMA freelist_count").fetchone()[0]) > 0:
        connection.execute("INSERT INTO zeros VALUES (zeroblob(?))", (min(free, FILLED) * (page - 4),))
    connection.execute("DROP TABLE zeros")
    connection.execute("COMMIT")
