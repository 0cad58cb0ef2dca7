"""The check that every stored row has, and what a whole stream must look like: both stores use the same.

A disk that turns a bit, or a file that somebody has edited, shall be found out and named, and never be played on with.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal
from zlib import crc32

from whodunit.core.errors import Damaged, DamagedLeaf
from whodunit.core.ports import Leaf, Listing, Record

LOG = logging.getLogger(__name__)

ABOVE: Final = 1 << 32
"""Added to every check, so that all are equally long on disk: their length shall tell nothing about a hand."""
SPREAD: Final = {"case": 0x9E3779B1, "room": 0x85EBCA77}
"""What an entry's number is multiplied by, so that none stands for another's."""
MASK: Final = 0xFFFFFFFF
LEAF_DAMAGED: Final = "it is not what was stored"


def row_crc(*values: Any) -> int:
    """Return the check over a row's values, of which the last is bytes; a number and its digits are not the same."""
    # ASCII: how other characters are written differs between versions of Python.
    return ABOVE + crc32(values[-1], crc32(ascii(values[:-1]).encode()))


def record_crc(table: str, stream: str, seq: int, last: int, body: bytes) -> int:
    """Return the check over a record: in half the time of any other row's, since every move waits for it."""
    return ABOVE + crc32(body, (owner_crc(table) + seq * SPREAD[stream] + last) & MASK)


@lru_cache(10_000)
def owner_crc(table: str) -> int:
    """Return what stands for a table in the checks over its records."""
    return crc32(table.encode())


def listing_crc(listing: Listing) -> int:
    """Return the check over a listing, where its parts are stored one by one; fields that come later are not in it."""
    parts = (listing.stage, listing.public, listing.people, listing.keys, listing.at, listing.due)
    return row_crc(*parts, listing.household, listing.table.encode())


CHECKED: Final = {
    "record": (("table_id", "stream", "seq", "last", "body"), record_crc),
    "blob": (("table_id", "id", "media", "data"), row_crc),
    "note": (("table_id", "seat", "version", "body"), row_crc),
    "review": (("table_id", "part", "version", "body"), row_crc),
    "leaf": (("shelf", "item", "person", "version", "done", "body"), row_crc),
}
"""By table: the columns that a row's check (its column `crc`) is over, bytes last, and how it is made. One more table
is one more line here, a `crc` in both layouts, this function where a row is written and `is_sound` where it is read."""


def columns(name: str) -> str:
    """Return a table's columns and its check, as a query wants them."""
    return ", ".join(f"{name}.{column}" for column in (*CHECKED[name][0], "crc"))


def is_sound(name: str, row: Iterable[Any]) -> bool:
    """Say whether a row of a table, its check last, is as it was written."""
    *values, crc = row
    try:
        return bool(CHECKED[name][1](*values) == crc)
    except (TypeError, ValueError, KeyError):  # it is not even of the kind that was written
        return False


def leaf_of(row: Sequence[Any]) -> Leaf | None:
    """Return the leaf in a row with its check; None if it is not what was stored."""
    if not is_sound("leaf", row):
        return None
    shelf, item, person, version, done, body, _ = row
    return Leaf(shelf, item, person, version, bool(done), body)


class Leaves:
    """Takes leaves out of rows, without those that are damaged; the log names each of these once."""

    def __init__(self) -> None:
        self.named: set[tuple[Any, Any]] = set()

    def sound(self, rows: Iterable[Sequence[Any]]) -> Iterator[Leaf]:
        """Yield the leaves that are as they were stored."""
        for row in rows:
            if leaf := leaf_of(row):
                yield leaf
            elif (row[0], row[1]) not in self.named:
                self.named.add((row[0], row[1]))
                LOG.error("%s", DamagedLeaf(row[0], row[1], LEAF_DAMAGED))


def all_leaves(rows: Sequence[Sequence[Any]]) -> list[Leaf]:
    """Return the leaves in all of the rows; raises Damaged, with those that are as they were stored."""
    found = [leaf for row in rows if (leaf := leaf_of(row))]
    for row in rows:
        if leaf_of(row) is None:
            raise DamagedLeaf(row[0], row[1], LEAF_DAMAGED, found)
    return found


def whole(
    table: str, stream: Literal["case", "room"], after: int, rows: Iterable[Any], noted: int | None
) -> list[Record] | None:
    """Return a stream's records behind entry `after`, of which none may be missing up to the entry that is noted.

    Rows have the columns of a record, and their check. Raises Damaged. None: the first is not the very next entry, so
    only the whole stream can tell whether something is missing.
    """
    found: list[Record] = []
    for row in rows:
        if row[0] != table or row[1] != stream or not is_sound("record", row):
            raise Damaged(table, f"a record of its {stream} is not what was stored")
        found.append(Record(stream, *row[2:5]))
    found.sort(key=lambda record: record.seq)
    reached = after
    for record in found:
        if record.seq != reached + 1:
            if reached == after != 0:
                return None
            raise Damaged(table, f"entry {reached + 1} of its {stream} is missing")
        reached = record.last
    if reached < (noted or 0):
        if not found and after:
            return None
        raise Damaged(table, f"its {stream} ends with entry {reached}, and {noted} were stored")
    if found and noted is None:
        raise Damaged(table, f"nothing says where its {stream} ends")
    return found


class Streams:
    """Goes through records in their order, and says of each stream once what is missing: for `whodunit check-data`."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._torn: set[tuple[str, str]] = set()
        self.reached: dict[tuple[str, str], int] = {}

    def take(self, table: str, stream: str, seq: int, last: int) -> None:
        """Take the next record."""
        before = self.reached.get((table, stream), 0)
        if seq != before + 1 and (table, stream) not in self._torn:
            self._torn.add((table, stream))
            self._say(str(Damaged(table, f"entry {before + 1} of its {stream} is missing")))
        self.reached[table, stream] = last

    def end(self, noted: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
        """Compare where streams end with what was noted; return those that are longer, which only a note can be."""
        longer = []
        for key in sorted({*self.reached, *noted}):
            found, last = self.reached.get(key, 0), noted.get(key, 0)
            if found < last:
                self._say(str(Damaged(key[0], f"its {key[1]} ends with entry {found}, and {last} were stored")))
            elif found > last:
                longer.append(key)
        return longer
