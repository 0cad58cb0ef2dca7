"""A store and a bus in memory, for tests and trials: everything is lost when the process ends."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Literal
from weakref import WeakSet, finalize

from msgspec.structs import replace

from whodunit.core.errors import Conflict
from whodunit.core.ports import AT_ONCE, GAP, Leaf, Listing, Notes, Record
from whodunit.core.types import Blob, Seat
from whodunit.infra.append_order import check_form, check_leaf, check_notes, check_order, check_person


class MemoryStore:
    """Keeps everything in dictionaries."""

    def __init__(self) -> None:
        self._records: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
        self._lasts: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._blobs: dict[tuple[str, str], Blob] = {}
        self._listings: dict[str, Listing] = {}
        self._notes: defaultdict[str, dict[Seat, Notes]] = defaultdict(dict)
        self._reviews: dict[tuple[str, str], tuple[str, bytes]] = {}
        self._leaves: dict[tuple[str, str, str], Leaf] = {}
        """By shelf, item and person."""

    @property
    def fault(self) -> str | None:
        """Nothing: memory takes everything."""
        return None

    async def probe(self) -> None:
        """Do nothing: memory takes everything."""

    @property
    def waiting(self) -> int:
        """Nothing: every append has ended before it returned."""
        return 0

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,  # noqa: ARG002  (one process holds every lease)
    ) -> None:
        """Store all of it, or raise Conflict and store nothing."""
        check_form(table, records, listing)
        lasts = self._lasts[table]
        check_order(table, records, lambda _, stream: lasts.get(stream, 0))
        for record in records:
            if not record.is_empty:
                self._records[table, record.stream].append(record)
            lasts[record.stream] = record.last
        for blob in blobs:
            self._blobs.setdefault((table, blob.id), blob)  # what an event points to never changes
        if listing:
            self._listings[table] = listing

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        """Return the records that begin behind entry `after`."""
        return [record for record in self._records.get((table, stream), ()) if record.seq > after]

    async def rewrite(self, table: str, changes: Sequence[tuple[Record, bytes]]) -> None:
        """Put other bodies in the place of stored ones, or raise Conflict."""
        if any(old not in self._records.get((table, old.stream), ()) for old, _ in changes):
            raise Conflict(f"{table} has been rewritten meanwhile")
        for old, body in changes:
            records = self._records[table, old.stream]
            records[records.index(old)] = replace(old, body=body)

    async def keep_notes(self, table: str, notes: Notes) -> None:
        """Put a seat's notes in the place of those that it had, or raise Conflict."""
        kept = self._notes.get(table, {}).get(notes.seat)
        check_notes(table, notes, kept.version if kept else 0)
        self._notes[table][notes.seat] = notes

    async def notes(self, table: str) -> Sequence[Notes]:
        """Return the notes of a table's seats."""
        return [notes for _, notes in sorted(self._notes.get(table, {}).items())]

    async def keep_review(self, table: str, version: str, part: str, body: bytes) -> None:
        """Keep a part of a review in the place of what was kept of it."""
        self._reviews[table, part] = (version, body)

    async def review(self, table: str, version: str, part: str) -> bytes | None:
        """Return what was kept of a review under this version, or None."""
        kept, body = self._reviews.get((table, part), ("", b""))
        return body if kept == version else None

    async def keep_leaf(self, leaf: Leaf) -> None:
        """Put a leaf in the place of the version before, or raise Conflict."""
        kept = self._leaves.get((leaf.shelf, leaf.item, leaf.person))
        check_leaf(leaf, kept.version if kept else 0)
        self._leaves[leaf.shelf, leaf.item, leaf.person] = leaf

    async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
        """Return a leaf, or None."""
        return self._leaves.get((shelf, item, person))

    async def leaves(self, shelf: str, before: str = "", most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return the house's own leaves on a shelf, the last item first."""
        own = [leaf for leaf in self._leaves.values() if leaf.shelf == shelf and not leaf.person]
        found = sorted((leaf for leaf in own if not before or leaf.item < before), key=_by_name, reverse=True)
        return found[:most]

    async def leaves_of_item(self, shelf: str, item: str, most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return people's leaves of an item that are done."""
        return self._done(shelf, item)[:most]

    async def count_leaves(self, shelf: str, item: str) -> int:
        """Return how many people's leaves of an item are done."""
        return len(self._done(shelf, item))

    def _done(self, shelf: str, item: str) -> list[Leaf]:
        of_item = [leaf for leaf in self._leaves.values() if (leaf.shelf, leaf.item) == (shelf, item)]
        return sorted((leaf for leaf in of_item if leaf.person and leaf.done), key=_by_name)

    async def leaves_of_person(self, person: str) -> Sequence[Leaf]:
        """Return all leaves of a person."""
        return sorted((leaf for leaf in self._leaves.values() if leaf.person == person), key=_by_name)

    async def drop_leaves(self, person: str) -> int:
        """Drop all leaves of a person."""
        check_person(person)
        gone = await self.leaves_of_person(person)
        for leaf in gone:
            del self._leaves[leaf.shelf, leaf.item, leaf.person]
        return len(gone)

    async def scrub(self, traces: Sequence[bytes] = ()) -> bool:  # noqa: ARG002  (there are no files)
        """Do nothing: what was replaced is gone."""
        return True

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob, or None."""
        return self._blobs.get((table, id))

    async def drop_blobs(self, before: int) -> int:
        """Drop the blobs and reviews of some old tables."""
        over = {one.table for one in self._listings.values() if one.stage == "over" and one.at < before}
        old = sorted({table for table, _ in (*self._blobs, *self._reviews) if table in over})[:AT_ONCE]
        self._blobs = {key: blob for key, blob in self._blobs.items() if key[0] not in old}
        self._reviews = {key: kept for key, kept in self._reviews.items() if key[0] not in old}
        return len(old)

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        """Return the oldest games that still run, or those after one of them."""
        old = sorted((one.at, one.table) for one in self._listings.values() if one.stage == "playing")
        last = (-1, "") if after is None else (after.at, after.table)
        return [self._listings[table] for at, table in old if last < (at, table) and at < before][:AT_ONCE]

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        """Return the newest public tables that still gather players, or those after one of them."""
        found = _newest(one for one in self._listings.values() if one.public and one.stage == "gathering")
        places: Counter[str] = Counter()
        shown = []
        for one in found:
            places[whose := one.household or f"of {one.table}"] += 1
            if each is None or places[whose] <= each:
                shown.append(one)
        return [one for one in shown if after is None or _by_age(one) > _by_age(after)][:AT_ONCE]

    async def of_person(self, person: str) -> Sequence[Listing]:
        """Return a person's tables, the last changed first."""
        return _newest(one for one in self._listings.values() if person in one.people)

    async def opened_by(self, key: str) -> str | None:
        """Return the table that a key opens."""
        return min((one.table for one in self._listings.values() if key in one.keys), default=None)

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        """Return the tables that do something by themselves before then, and when."""
        found = sorted((one.due, one.table) for one in self._listings.values() if one.due is not None)
        return [one for one in found if after < one and one[0] < before][:AT_ONCE]

    async def newest(self) -> int | None:
        """Return when a table last changed."""
        return max((one.at for one in self._listings.values()), default=None)

    async def now(self) -> int | None:
        """Return None: memory has no clock."""
        return None

    async def close(self) -> None:
        """Do nothing: every append has ended before it returned."""


def _newest(listings: Iterable[Listing]) -> list[Listing]:
    return sorted(listings, key=_by_age)


def _by_name(leaf: Leaf) -> tuple[str, str, str]:
    return leaf.shelf, leaf.item, leaf.person


def _by_age(listing: Listing) -> tuple[int, str]:
    return -listing.at, listing.table


class MemoryBus:
    """Hands each signal to whoever listens in this process."""

    echoes = True

    def __init__(self) -> None:
        # Weakly: a listener that is dropped, even before its first value, needs no farewell.
        self._ears: dict[str, WeakSet[_Ear]] = {}

    async def publish(self, table: str, size: int) -> None:
        """Tell every listener of the table."""
        self.tell(table, size)

    def gap(self) -> None:
        """Tell everybody that something may have been missed."""
        for table in [*self._ears]:
            self.tell(table, GAP)

    def tell(self, table: str, size: int) -> None:
        """Tell every listener of the table, now."""
        for ear in self._ears.get(table, ()):
            ear.sizes.put_nowait(size)

    def listen(self, table: str) -> AsyncIterator[int]:
        """Yield what is published from now on: the ear is there before the first value is asked for."""
        ear = _Ear()
        finalize(ear, self._deafen, table).atexit = False  # before it is in the set: the last is called first
        self._ears.setdefault(table, WeakSet()).add(ear)
        return ear

    def _deafen(self, table: str) -> None:
        """Forget a table to which nobody listens any more: anybody may have asked for anything."""
        if not self._ears.get(table):
            self._ears.pop(table, None)


class _Ear:
    def __init__(self) -> None:
        self.sizes: asyncio.Queue[int] = asyncio.Queue()

    def __aiter__(self) -> "_Ear":
        return self

    async def __anext__(self) -> int:
        return await self.sizes.get()


class NoBus:
    """For a process that has no others to tell."""

    echoes = True

    async def publish(self, table: str, size: int) -> None:
        """Say nothing."""

    def listen(self, table: str) -> AsyncIterator[int]:  # noqa: ARG002  (a Bus's)
        """Hear nothing."""
        return _silence()


async def _silence() -> AsyncIterator[int]:
    nothing: tuple[int, ...] = ()
    for size in nothing:
        yield size
