"""The leaves in the SQLite file: found by three indices, each of which tells what the others have lost."""

import sqlite3
from collections.abc import Sequence
from itertools import islice
from typing import Final

from whodunit.core.errors import Conflict, DamagedLeaf
from whodunit.core.ports import Leaf
from whodunit.infra.append_order import check_leaf
from whodunit.infra.checks import LEAF_DAMAGED, Leaves, all_leaves, columns, leaf_of, row_crc
from whodunit.infra.sqlite_lists import count_rows

_ROW: Final = columns("leaf")
ONE: Final = f"SELECT {_ROW} FROM leaf WHERE shelf = ? AND item = ? AND person = ?"  # noqa: S608  (ours)
_OWN: Final = f"SELECT {_ROW} FROM leaf WHERE person = '' AND shelf = ?"  # noqa: S608  (ours)
LAST: Final = f"{_OWN} ORDER BY item DESC"
BEFORE: Final = f"{_OWN} AND item < ? ORDER BY item DESC"
_DONE: Final = "shelf = ? AND item = ? AND done AND person <> ''"
OF_ITEM: Final = f"SELECT {_ROW} FROM leaf WHERE {_DONE} ORDER BY person"  # noqa: S608  (ours)
COUNT: Final = f"SELECT count(*) FROM leaf WHERE {_DONE}"  # noqa: S608  (ours)
OF_PERSON: Final = f"SELECT {_ROW} FROM leaf WHERE person = ? ORDER BY shelf, item"  # noqa: S608  (ours)
DROP: Final = "DELETE FROM leaf WHERE person = ?"
_NEXT: Final = "UPDATE leaf SET version = ?, done = ?, body = ?, crc = ? WHERE shelf = ? AND item = ? AND person = ?"
_ALL: Final = ""
"""No table's name: under it stands how many leaves there must be."""


def keep_leaf(connection: sqlite3.Connection, leaf: Leaf) -> Conflict | DamagedLeaf | None:
    """Put a leaf in the place of the version before, if it follows it, and if that one is as it was stored."""
    try:
        kept = read_leaf(connection, leaf.shelf, leaf.item, leaf.person)
        check_leaf(leaf, kept.version if kept else 0)
    except (Conflict, DamagedLeaf) as refusal:
        return refusal
    key = (leaf.shelf, leaf.item, leaf.person)
    row = (leaf.version, int(leaf.done), leaf.body, row_crc(*key, leaf.version, int(leaf.done), leaf.body))
    if kept:
        connection.execute(_NEXT, (*row, *key))
    else:
        connection.execute("INSERT INTO leaf VALUES (?, ?, ?, ?, ?, ?, ?)", (*key, *row))
        count_rows(connection, "leaf", {_ALL: 1})
    return None


def read_leaf(connection: sqlite3.Connection, shelf: str, item: str, person: str) -> Leaf | None:
    """Return a leaf, or None; raises Damaged if it is not as it was stored."""
    row = connection.execute(ONE, (shelf, item, person)).fetchone()
    if row is None:
        return None
    found = leaf_of(row)
    if found is None or row[:3] != (shelf, item, person):
        raise DamagedLeaf(shelf, item, LEAF_DAMAGED)
    return found


def own_leaves(connection: sqlite3.Connection, sound: Leaves, shelf: str, before: str, most: int) -> list[Leaf]:
    """Return the house's own leaves on a shelf, the last item first."""
    if before:
        return _first(connection, sound, BEFORE, (shelf, before), most)
    return _first(connection, sound, LAST, (shelf,), most)


def done_leaves(connection: sqlite3.Connection, sound: Leaves, shelf: str, item: str, most: int) -> list[Leaf]:
    """Return people's leaves of an item that are done."""
    return _first(connection, sound, OF_ITEM, (shelf, item), most)


def _first(connection: sqlite3.Connection, sound: Leaves, query: str, values: Sequence[str], most: int) -> list[Leaf]:
    """Return the first that are sound, however many others lie between them."""
    cursor = connection.execute(query, values)
    try:
        return list(islice(sound.sound(cursor), most))
    finally:
        cursor.close()  # else it keeps checkpoints waiting


def count_done(connection: sqlite3.Connection, shelf: str, item: str) -> int:
    """Return how many people's leaves of an item are done."""
    ((count,),) = connection.execute(COUNT, (shelf, item))
    return int(count)


def leaves_of_person(connection: sqlite3.Connection, person: str) -> list[Leaf]:
    """Return all leaves of a person; raises Damaged with the others if one is not as it was stored."""
    return all_leaves(connection.execute(OF_PERSON, (person,)).fetchall())


def drop_leaves(connection: sqlite3.Connection, person: str) -> int:
    """Drop all leaves of a person, and return how many there were."""
    count = connection.execute(DROP, (person,)).rowcount
    if count:
        count_rows(connection, "leaf", {_ALL: -count})
    return count


def leaves_wrong(connection: sqlite3.Connection) -> str | None:
    """Say what is wrong with how leaves are found; None: nothing. What a leaf says is looked at when it is read."""
    try:
        ((said, *_), *_) = connection.execute("PRAGMA integrity_check(leaf)")
        ((count, noted),) = connection.execute(
            "SELECT count(*), (SELECT last FROM stream_end WHERE table_id = ? AND stream = 'leaf') FROM leaf", (_ALL,)
        )
    except sqlite3.DatabaseError:
        return "they cannot be read"
    if said != "ok":
        return "they are out of order"
    return None if count == (noted or 0) else f"there are {count}, and {noted or 0} were stored"


def count_anew(connection: sqlite3.Connection) -> None:
    """Note that there are as many leaves as are found; one that is lost has been named."""
    ((count,),) = connection.execute("SELECT count(*) FROM leaf")
    count_rows(connection, "leaf", {_ALL: count})


def rebuild_leaves(connection: sqlite3.Connection) -> None:
    """Write all leaves anew, as they are: rows move when others are replaced, and their old copies may stay behind.

    However many there are, few are in memory. One transaction, which the caller begins.
    """
    stored = "shelf, item, person, version, done, body, crc"
    connection.execute(f"CREATE TABLE leaf_anew AS SELECT rowid AS number, {stored} FROM leaf ORDER BY rowid")  # noqa: S608  (ours)
    connection.execute("DELETE FROM leaf")
    connection.execute(f"INSERT INTO leaf (rowid, {stored}) SELECT * FROM leaf_anew ORDER BY number")  # noqa: S608  (ours)
    connection.execute("DROP TABLE leaf_anew")
    connection.execute("REINDEX leaf")
