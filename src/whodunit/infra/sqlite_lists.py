"""The listings in the SQLite file, and all that they are found by: columns, indices, who is at which table.

A listing's body has a check of its own; everything else follows from the bodies. So it is compared with them when the
house opens: what no check is over would else be missing from a list, and nobody would know.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import MsgspecError, json

from whodunit.core.ports import Listing
from whodunit.infra.checks import row_crc

TABLES: Final = ("listing", "person", "key")
LEGIBLE: Final = "listing.rowid, listing.table_id, listing.body, listing.crc"
"""What `listing_of` wants to have of a row."""
_ALL: Final = (
    f"SELECT {LEGIBLE}, stage, public, at, due, household FROM listing WHERE rowid > ? ORDER BY rowid LIMIT 1000"  # noqa: S608  (ours)
)


def listing_of(row: Sequence[Any]) -> Listing | None:
    """Return the listing in a row of LEGIBLE; None if it is not what was stored."""
    _, _, body, crc, *_ = row
    try:
        data = body.encode()
        return json.decode(data, type=Listing) if row_crc(data) == crc else None
    except (MsgspecError, AttributeError, UnicodeError):  # no text at all
        return None


def put_listing(connection: sqlite3.Connection, listing: Listing) -> None:
    """Put a listing in the old one's place, with all that it can be found by."""
    body = json.encode(listing)
    row = (*_columns(listing), body.decode(), row_crc(body))
    connection.execute("INSERT OR REPLACE INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.execute("DELETE FROM person WHERE table_id = ?", (listing.table,))
    connection.execute("DELETE FROM key WHERE table_id = ?", (listing.table,))
    _put_rows(connection, listing)


def _columns(listing: Listing) -> tuple[object, ...]:
    return listing.table, listing.stage, listing.public, listing.at, listing.due, listing.household


def _put_rows(connection: sqlite3.Connection, listing: Listing) -> None:
    connection.executemany("INSERT INTO person VALUES (?, ?)", _pairs(listing.people, listing.table))
    connection.executemany("INSERT INTO key VALUES (?, ?)", _pairs(listing.keys, listing.table))


def _pairs(names: Iterable[str], table: str) -> list[tuple[str, str]]:
    return [(name, table) for name in dict.fromkeys(names)]


def count_rows(connection: sqlite3.Connection, name: Literal["blob", "note", "leaf"], more: Mapping[str, int]) -> None:
    """Note that tables have so many blobs or notes more, or the house so many leaves."""
    query = f"INSERT INTO stream_end VALUES (?, '{name}', ?) ON CONFLICT DO UPDATE SET last = last + excluded.last"  # noqa: S608  (ours)
    connection.executemany(query, more.items())


class Verdict:
    """What a comparison of the lists with the listings' bodies has found."""

    def __init__(self) -> None:
        self.damaged: dict[int, str] = {}
        """By rowid: the tables whose listing is not what was stored."""
        self.wrong: list[str] = []
        """What does not follow from the others, in words for a log."""


def compared(connection: sqlite3.Connection, step: Callable[[int], None] = lambda _: None) -> Verdict:
    """Compare everything that follows from listings with the listings themselves."""
    verdict = Verdict()
    for name in TABLES:
        ((said, *_), *_) = connection.execute(f"PRAGMA integrity_check({name})")
        if said != "ok":
            verdict.wrong.append(f"{name} is out of order")
    counts, sums = Counter[str](), Counter[str]()
    for row in _rows(connection, step):
        listing = listing_of(row)
        if listing is None:
            verdict.damaged[row[0]] = str(row[1])
            continue
        if (row[1], *row[4:]) != _columns(listing):
            verdict.wrong.append("a listing is found by what it does not say")
        table = listing.table.encode()
        for name, names in (("person", listing.people), ("key", listing.keys)):
            pairs = [(each.encode(), table) for each in {*names}]
            counts[name] += len(pairs)
            sums[name] += sum(map(hash, pairs))
    lost = {table.encode() for table in verdict.damaged.values()}
    for name in TABLES[1:]:
        if _heap(connection, name, lost) != (counts[name], sums[name]):
            verdict.wrong.append(f"{name} does not fit the listings")
    return verdict


def _heap(connection: sqlite3.Connection, name: str, lost: set[bytes]) -> tuple[int, int]:
    """Return what two heaps of pairs can be compared by, in whatever order they come, without those of lost tables."""
    count = total = 0
    text, connection.text_factory = connection.text_factory, bytes
    try:
        cursor = connection.execute(f"SELECT * FROM {name}")  # noqa: S608  (ours)
        while pairs := cursor.fetchmany(1000):
            kept = [pair for pair in pairs if pair[1] not in lost] if lost else pairs
            count += len(kept)
            total += sum(map(hash, kept))
    finally:
        connection.text_factory = text
    return count, total


def _rows(connection: sqlite3.Connection, step: Callable[[int], None] = lambda _: None) -> Iterator[tuple[Any, ...]]:
    after = -(2**63)
    while rows := connection.execute(_ALL, (after,)).fetchall():
        yield from rows
        after = rows[-1][0]
        step(len(rows))


def rebuild(connection: sqlite3.Connection) -> None:
    """Make everything that follows from listings anew, and leave those that are damaged as they are, findable as ever.

    Also leaves nothing behind in these pages of what was deleted there. One transaction, which the caller begins.
    """
    listings = connection.execute("SELECT rowid, * FROM listing ORDER BY rowid").fetchall()
    pairs = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES[1:]}  # noqa: S608  (ours)
    for name in TABLES:
        connection.execute(f"DELETE FROM {name}")  # noqa: S608  (ours)
    good = {}
    lost = set()
    for row in listings:
        if listing := listing_of((*row[:2], *row[-2:])):
            good[listing.table] = (listing, row[-2:])
        else:
            lost.add(row[1])
            connection.execute("INSERT OR IGNORE INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row[1:])
    rows = [(*_columns(listing), *stored) for listing, stored in good.values()]
    connection.executemany("INSERT OR REPLACE INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    # In the order of the table that they go into: then pages are filled one after the other.
    people = sorted(pair for listing, _ in good.values() for pair in _pairs(listing.people, listing.table))
    keys = sorted(pair for listing, _ in good.values() for pair in _pairs(listing.keys, listing.table))
    connection.executemany("INSERT INTO person VALUES (?, ?)", people)
    connection.executemany("INSERT INTO key VALUES (?, ?)", keys)
    for name, found in pairs.items():
        left = [pair for pair in found if pair[1] in lost]
        connection.executemany(f"INSERT OR IGNORE INTO {name} VALUES (?, ?)", left)  # noqa: S608  (ours)


def rebuild_notes(connection: sqlite3.Connection) -> None:
    """Write all notes anew, as they are: they are replaced, so rows move, and their old copies may stay behind."""
    rows = connection.execute("SELECT rowid, * FROM note ORDER BY rowid").fetchall()
    connection.execute("DELETE FROM note")
    columns = "rowid, table_id, seat, version, body, crc"
    connection.executemany(f"INSERT INTO note ({columns}) VALUES (?, ?, ?, ?, ?, ?)", rows)  # noqa: S608  (ours)
