"""Rows of the SQLite file that are replaced: notes, and reviews, which are made again when they are missing."""

import sqlite3

from whodunit.core.errors import Conflict
from whodunit.core.ports import AT_ONCE, Notes
from whodunit.infra.append_order import check_notes
from whodunit.infra.checks import columns, is_sound, row_crc
from whodunit.infra.sqlite_lists import count_rows


def keep_notes(connection: sqlite3.Connection, table: str, notes: Notes) -> Conflict | None:
    """Put a seat's notes in the place of those that it had, if they follow them."""
    of_seat = (table, notes.seat)
    kept = connection.execute("SELECT version FROM note WHERE table_id = ? AND seat = ?", of_seat).fetchone()
    try:
        check_notes(table, notes, kept[0] if kept else 0)
    except Conflict as conflict:
        return conflict
    row = (*of_seat, notes.version, notes.body)
    connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?)", (*row, row_crc(*row)))
    if not kept:
        count_rows(connection, "note", {table: 1})
    return None


def read_review(connection: sqlite3.Connection, table: str, version: str, part: str) -> bytes | None:
    """Return what was kept of a review under this version; None if nothing was, or it is not as it was kept."""
    query = f"SELECT {columns('review')} FROM review WHERE table_id = ? AND part = ?"  # noqa: S608  (ours)
    for row in connection.execute(query, (table, part)).fetchall():
        if row[:3] == (table, part, version) and is_sound("review", row):
            return bytes(row[3])
    return None


def keep_review(connection: sqlite3.Connection, table: str, version: str, part: str, body: bytes) -> None:
    """Keep a part of a review in the place of what was kept of it."""
    row = (table, part, version, body)
    connection.execute("INSERT OR REPLACE INTO review VALUES (?, ?, ?, ?, ?)", (*row, row_crc(*row)))


def drop_old(connection: sqlite3.Connection, before: int) -> int:
    """Drop the blobs and reviews of tables that are over and have not changed since then; return of how many."""
    query = """
        SELECT table_id FROM listing WHERE stage = 'over' AND at < ?
        AND (EXISTS (SELECT 1 FROM blob WHERE blob.table_id = listing.table_id)
            OR EXISTS (SELECT 1 FROM review WHERE review.table_id = listing.table_id)) LIMIT ?
    """
    old = connection.execute(query, (before, AT_ONCE)).fetchall()
    connection.executemany("DELETE FROM review WHERE table_id = ?", old)
    connection.executemany("DELETE FROM blob WHERE table_id = ?", old)
    connection.executemany("DELETE FROM stream_end WHERE table_id = ? AND stream = 'blob'", old)
    return len(old)
