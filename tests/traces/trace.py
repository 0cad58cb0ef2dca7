"""What a house does, entry by entry: when, with what, how often, and how much; and where two houses differ.

A viewer who may ask anything at any time can feel each of these as time. So in worlds that the viewer cannot tell apart
they must be the same until something is told that the viewer may know.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, zip_longest
from typing import Any, Final, Literal, NamedTuple

from tests.server.sites import Alarm, FakeClock
from whodunit.core.ports import AT_ONCE, HALL, Bus, Leaf, Listing, Notes, Record, Store
from whodunit.core.types import Blob
from whodunit.core.wire import encode
from whodunit.server.webhooks import Courier, Fate

UNKNOWN: Final = -1
"""A count that nobody has come to know: equal to every other."""
ROUND: Final = 3
"""How many entries are shown on either side of a difference."""


class Entry(NamedTuple):
    """One piece of work; sizes are those of what is stored, with its padding."""

    at: int
    """Milliseconds since the recording began."""
    resource: str
    kind: str
    count: int = 1  # type: ignore[assignment]  # a tuple counts otherwise
    size: int = 0

    def __str__(self) -> str:
        return f"{self.at / 1000:8.3f} s  {self.resource:8} {self.kind:22} {self.count:6} {self.size:6} B"


class Trace:
    """Records one house, on whatever number of nodes."""

    def __init__(self, clock: FakeClock) -> None:
        self.entries: list[Entry] = []
        self.noticed = 0
        """Rises with everything that happens, recorded or not: while it rises, the house is not at rest."""
        self.in_flight = 0
        """How much has been begun in threads or elsewhere and has not ended."""
        self._clock = clock
        self._since: int | None = None

    def begin(self) -> None:
        """Record from now on."""
        self._since = self._clock.now()

    @property
    def recording(self) -> bool:
        return self._since is not None

    @property
    def now(self) -> int:
        """Milliseconds since the recording began."""
        return self._clock.now() - (self._clock.now() if self._since is None else self._since)

    def add(self, resource: str, kind: str, count: int = 1, size: int = 0) -> int:
        """Record one entry, and return its place."""
        self.noticed += 1
        if self._since is None:
            return UNKNOWN
        self.entries.append(Entry(self.now, resource, kind, count, size))
        return len(self.entries) - 1

    def count(self, place: int, count: int) -> None:
        """Say how much an entry came to."""
        if place != UNKNOWN:
            self.entries[place] = self.entries[place]._replace(count=count)

    @contextmanager
    def flight(self) -> Iterator[None]:
        """Do something that takes no virtual time, and some real one."""
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1
            self.noticed += 1


# --- What is recorded ------------------------------------------------------------------------------------------------


class NotedClock(FakeClock):
    """Records which timers are set, for when, and which of them ring; a cancelled one was set all the same."""

    trace: Trace

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Alarm:
        def noted() -> None:
            self.trace.add("timer", "rung")
            ring()

        self.trace.add("timer", "set", milliseconds)
        return super().after(milliseconds, noted)

    def ring(self) -> bool:
        """Ring one alarm that is due now, and say whether there was one: what two nodes do at once is no race then."""
        due = [alarm for alarm in self._alarms if alarm.ring and alarm.at <= self._now]
        if not due:
            return False
        alarm = min(due, key=lambda alarm: alarm.at)
        ring, alarm.ring = alarm.ring, None
        assert ring is not None
        ring()
        return True

    def advance(self, moment: int) -> None:
        """Go on, and ring nothing yet."""
        self._now = max(self._now, moment)

    async def rest(self, milliseconds: int) -> None:
        """Let so much time pass for something that is no part of the house."""
        rested = asyncio.Event()
        super().after(milliseconds, rested.set)
        await rested.wait()


class NotedLock(asyncio.Lock):
    """A table's lock."""

    def __init__(self, trace: Trace, node: str) -> None:
        super().__init__()
        self._trace = trace
        self._node = node

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        self._trace.add(f"lock{self._node}", "taken")
        return True


class NotedStore:
    """A store whose calls are recorded, with how many rows and bytes go in or come out."""

    def __init__(self, store: Store, trace: Trace, node: str) -> None:
        self._store = store
        self._trace = trace
        self._node = node

    @property
    def waiting(self) -> int:
        return self._store.waiting

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,
    ) -> None:
        for record in records:
            self._add(f"append {record.stream}", record.last - record.seq + 1, len(record.body))
        if blobs:
            self._add("append blobs", len(blobs), sum(len(blob.data) for blob in blobs))
        if listing is not None:
            self._trace.add(f"list{self._node}", "put", 1, len(encode(listing)))
        with self._trace.flight():
            await self._store.append(table, records, blobs, listing, leased=leased)

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        place = self._trace.add(f"store{self._node}", f"read {stream}")
        with self._trace.flight():
            found = await self._store.read(table, stream, after)
        self._measure(place, len(found), sum(len(record.body) for record in found))
        return found

    async def rewrite(self, table: str, changes: Sequence[tuple[Record, bytes]]) -> None:
        self._add("rewrite", len(changes))
        with self._trace.flight():
            await self._store.rewrite(table, changes)

    @property
    def fault(self) -> str | None:
        return self._store.fault

    async def probe(self) -> None:
        self._add("probe")
        with self._trace.flight():
            await self._store.probe()

    async def keep_notes(self, table: str, notes: Notes) -> None:
        self._add("keep notes", 1, len(notes.body))
        with self._trace.flight():
            await self._store.keep_notes(table, notes)

    async def notes(self, table: str) -> Sequence[Notes]:
        place = self._trace.add(f"store{self._node}", "read notes")
        with self._trace.flight():
            found = await self._store.notes(table)
        self._measure(place, len(found), sum(len(notes.body) for notes in found))
        return found

    async def keep_review(self, table: str, version: str, part: str, body: bytes) -> None:
        self._add("keep review", 1, len(body))
        with self._trace.flight():
            await self._store.keep_review(table, version, part, body)

    async def review(self, table: str, version: str, part: str) -> bytes | None:
        self._add("read review")
        with self._trace.flight():
            return await self._store.review(table, version, part)

    async def keep_leaf(self, leaf: Leaf) -> None:
        self._add(f"keep leaf {leaf.shelf}", 1, len(leaf.body))
        with self._trace.flight():
            await self._store.keep_leaf(leaf)

    async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
        place = self._trace.add(f"store{self._node}", f"read leaf {shelf}")
        with self._trace.flight():
            found = await self._store.leaf(shelf, item, person)
        self._measure(place, int(found is not None), len(found.body) if found else 0)
        return found

    async def leaves(self, shelf: str, before: str = "", most: int = AT_ONCE) -> Sequence[Leaf]:
        found: Sequence[Leaf] = await self._listed(f"leaves {shelf}", self._store.leaves(shelf, before, most))
        return found

    async def leaves_of_item(self, shelf: str, item: str, most: int = AT_ONCE) -> Sequence[Leaf]:
        work = self._store.leaves_of_item(shelf, item, most)
        found: Sequence[Leaf] = await self._listed(f"leaves of {shelf}", work)
        return found

    async def count_leaves(self, shelf: str, item: str) -> int:
        self._add(f"count leaves {shelf}")
        with self._trace.flight():
            return await self._store.count_leaves(shelf, item)

    async def leaves_of_person(self, person: str) -> Sequence[Leaf]:
        found: Sequence[Leaf] = await self._listed("leaves of person", self._store.leaves_of_person(person))
        return found

    async def drop_leaves(self, person: str) -> int:
        self._add("drop leaves")
        with self._trace.flight():
            return await self._store.drop_leaves(person)

    async def scrub(self, traces: Sequence[bytes] = ()) -> bool:
        self._add("scrub", len(traces))
        with self._trace.flight():
            return await self._store.scrub(traces)

    async def blob(self, table: str, id: str) -> Blob | None:
        self._add("read blob")
        with self._trace.flight():
            return await self._store.blob(table, id)

    async def drop_blobs(self, before: int) -> int:
        with self._trace.flight():
            return await self._store.drop_blobs(before)

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        found: Sequence[Listing] = await self._listed("unfinished", self._store.unfinished(before, after))
        return found

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        found: Sequence[Listing] = await self._listed("gathering", self._store.gathering(after, each))
        return found

    async def of_person(self, person: str) -> Sequence[Listing]:
        found: Sequence[Listing] = await self._listed("of person", self._store.of_person(person))
        return found

    async def opened_by(self, key: str) -> str | None:
        self._trace.add(f"list{self._node}", "opened by")
        with self._trace.flight():
            return await self._store.opened_by(key)

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        found: Sequence[tuple[int, str]] = await self._listed("due", self._store.due(before, after))
        return found

    async def newest(self) -> int | None:
        return await self._store.newest()

    async def now(self) -> int | None:
        return await self._store.now()

    async def close(self) -> None:
        await self._store.close()

    async def _listed(self, kind: str, work: Any) -> Any:
        place = self._trace.add(f"list{self._node}", kind)
        with self._trace.flight():
            found = await work
        self._measure(place, len(found), len(encode(found)))
        return found

    def _add(self, kind: str, count: int = 1, size: int = 0) -> None:
        self._trace.add(f"store{self._node}", kind, count, size)

    def _measure(self, place: int, count: int, size: int) -> None:
        if place != UNKNOWN:
            self._trace.entries[place] = self._trace.entries[place]._replace(count=count, size=size)


class NotedBus:
    """A bus whose signals are recorded."""

    def __init__(self, bus: Bus, trace: Trace, node: str) -> None:
        self.echoes = bus.echoes
        self._bus = bus
        self._trace = trace
        self._node = node

    async def publish(self, table: str, size: int) -> None:
        self._trace.add(f"bus{self._node}", "hall" if table == HALL else "table", size)
        await self._bus.publish(table, size)

    def listen(self, table: str) -> AsyncIterator[int]:
        return self._bus.listen(table)


class NotedCourier(Courier):
    """Carries everything nowhere."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    async def send(self, url: str, words: str, *, trial: bool = False) -> Fate:  # noqa: ARG002  (a Courier's)
        self._trace.add("notice", "trial" if trial else "post", 1, len(words))
        return "delivered"


# --- Where two differ ------------------------------------------------------------------------------------------------


def at_rest(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries of each moment in an order of their own: threads and databases are heard in any.

    What one statement does, or two, depends on when the first was answered; so each kind of work is summed up.
    """
    whole: list[Entry] = []
    # What the hall reads is recorded where it asks the store; its statements come when they come.
    entries = [entry for entry in entries if entry.kind not in {"SELECT listing", "SELECT person"}]
    for at, moment in groupby(entries, lambda entry: entry.at):
        for (resource, kind), alike in groupby(sorted(moment, key=_kind), _kind):
            some = sorted(alike)
            if "list" in f"{resource} {kind}":  # the hall goes round in real time
                some = [*dict.fromkeys(some)]
            if resource.startswith("sql") or kind.startswith("read"):
                whole.append(Entry(at, resource, kind, sum(e.count for e in some), sum(e.size for e in some)))
            else:
                whole += some
    return whole


def _kind(entry: Entry) -> tuple[str, str]:
    return entry.resource, entry.kind


def first_difference(one: Sequence[Entry], other: Sequence[Entry]) -> int | None:
    """Return the place of the first entry that is another, or missing.

    Of several thoughts that begin at one moment, some may not have come to their end: then none of them is counted.
    """
    unknown = {_when(entry) for entry in (*one, *other) if entry.count == UNKNOWN}
    for place, (here, there) in enumerate(zip_longest(_counted(one, unknown), _counted(other, unknown))):
        if here != there:
            return place
    return None


def _when(entry: Entry) -> tuple[object, ...]:
    return (entry.at, entry.resource, entry.kind)


def _counted(trace: Sequence[Entry], unknown: Container[object]) -> list[Entry]:
    return [entry._replace(count=UNKNOWN) if _when(entry) in unknown else entry for entry in trace]


def side_by_side(one: Sequence[Entry], other: Sequence[Entry]) -> str:
    """Show both traces round the first difference; a `#` marks the lines that differ."""
    place = first_difference(one, other)
    if place is None:
        return "the same"
    lines = []
    for number in range(max(0, place - ROUND), place + ROUND + 1):
        here, there = ("" if number >= len(trace) else str(trace[number]) for trace in (one, other))
        if here or there:
            lines.append(f"{'#' if here != there else ' '} {here:62} | {there}")
    return "\n".join(lines)
