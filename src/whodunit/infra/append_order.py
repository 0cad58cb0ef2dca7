"""Checks that an append follows what is stored. Every store uses the same checks."""

from collections.abc import Callable, Sequence

from whodunit.core.errors import Conflict
from whodunit.core.ports import Leaf, Listing, Notes, Record


def check_form(table: str, records: Sequence[Record], listing: Listing | None) -> None:
    """Catch the mistakes of a caller, which no later reading could mend."""
    for record in records:
        assert record.last >= record.seq - (not record.body), "a record has at least one entry, or nothing at all"
    assert listing is None or listing.table == table, "a table lists itself alone"


def check_order(table: str, records: Sequence[Record], last: Callable[[str, str], int]) -> None:
    """Raise Conflict unless every record follows what its stream has: `last` of what is stored, then one another."""
    reached: dict[str, int] = {}
    for record in records:
        stream = record.stream
        before = reached[stream] if stream in reached else last(table, stream)
        if record.seq != before + 1:
            raise Conflict(f"{stream} of {table} has {before} entries; {record.seq} does not follow")
        reached[stream] = record.last


def check_notes(table: str, notes: Notes, version: int) -> None:
    """Raise Conflict unless the notes follow the version that is stored."""
    if notes.version != version + 1:
        raise Conflict(f"{table} has notes {version} of seat {notes.seat}; {notes.version} do not follow")


def check_person(person: str) -> None:
    """Catch a caller who would drop the house's own leaves."""
    assert person, "the house's own leaves are nobody's"


def check_leaf(leaf: Leaf, version: int) -> None:
    """Raise Conflict unless the leaf follows the version that is stored, 0 if none is."""
    if leaf.version != version + 1:
        raise Conflict(f"the leaf {leaf.shelf}/{leaf.item} has version {version}; {leaf.version} does not follow")
