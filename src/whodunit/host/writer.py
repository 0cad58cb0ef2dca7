"""Writes what was decided to the store, makes it true in memory, and tells whoever listens.

Every change of a table goes through here, and so does what other nodes have changed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from whodunit.core.errors import Conflict
from whodunit.core.ports import HALL, NOTED, Bus, Record, Store
from whodunit.core.types import Batch
from whodunit.core.wire import encode
from whodunit.host import clip_release
from whodunit.host.live import Change, Live
from whodunit.host.timers import Clock
from whodunit.room import answers, clocks, own_notes
from whodunit.room.entries import AnyEntry, ClosingAnnounced, Jotted, are_asides, decode
from whodunit.room.listing import DATED_MS, newly_listed
from whodunit.room.room import Room, grown
from whodunit.table.codec import bare, packed, unpack
from whodunit.table.table import Table

TRIES = 8
"""How often a change is decided again when another node was faster."""


async def _nothing(_: Live) -> None:
    pass


class Writer:
    """The one way into the store; only what has been stored is true, and is told."""

    def __init__(self, store: Store, bus: Bus, clock: Clock, haste: float) -> None:
        self.store = store
        self.bus = bus
        self.clock = clock
        self.haste = haste
        self.listeners: list[Callable[[Change], None]] = []
        """Told of every change when it is true."""
        self.timer_setters: list[Callable[[Live], None]] = []
        """Set a table's timers anew, before anybody is told."""
        self.finish: Callable[[Live], Awaitable[None]] = _nothing
        """Ends every change where somebody is asked, while the table is still locked: gives what is due by then."""

    async def note(
        self, live: Live, decide: Callable[[Room], Sequence[AnyEntry]], *, leased: bool = False, joint: bool = False
    ) -> None:
        """Add to the room what `decide` makes of it, or refuses by raising. Leased and joint: see `append`."""

        async def change() -> None:
            if entries := tuple(decide(live.room)):
                await self.append(live, None, None, entries, leased=leased, joint=joint)

        await self.change(live, change)

    async def keep_notes(self, live: Live, decide: Callable[[Room], Sequence[own_notes.Written]]) -> None:
        """Put a new page in the place of a seat's own notes, or refuse by raising."""

        async def change() -> None:
            for entry in decide(live.room):
                room, notes = own_notes.write(live.room, entry)
                try:
                    await self.store.keep_notes(live.id, notes)
                except Conflict:
                    await self.catch_up_notes(live)  # through another node, or by whoever sat here before
                    raise
                live.room = room
                self.tell(Change(live, entries=(entry,)))
                await self.bus.publish(live.id, NOTED)

        await self.change(live, change)

    async def change(self, live: Live, change: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Make a change to a table, alone.

        Whoever is cancelled meanwhile may leave it stored and not told: then the next change meets a Conflict, and
        catches up.
        """
        async with live.lock:
            await self.change_locked(live, change)
            if live.table is not None and live.table.asked:
                await self.finish(live)

    async def change_locked(self, live: Live, change: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Make a change while the table is locked; decide it again if another node was faster."""
        for _ in range(TRIES):
            try:
                return await change()
            except Conflict:
                await self.catch_up(live)
        raise Conflict(f"{live.id} changes faster than this can be decided")

    async def append(
        self,
        live: Live,
        table: Table | None,
        batch: Batch | None,
        entries: tuple[AnyEntry, ...] = (),
        *,
        leased: bool = False,
        joint: bool = False,
    ) -> None:
        """Store what was decided while the table is locked, and when that is safe make it true and say so.

        Leased: only if this node holds the table's lease. Joint: only if neither room nor game has moved on.
        """
        now = self.clock.now()
        records: list[Record] = []
        blobs: tuple[Any, ...] = ()
        if batch is not None:
            assert table is not None
            batch, blobs = bare(replace(batch, at=now))
            records.append(Record("case", batch.seq, table.seq, packed(batch)))
            entries += self._following(live, table, batch, now)
        room, table, listing = live.room, table or live.table, None
        if entries:
            room, table = grown(room, table, entries)
            records.append(Record("room", live.room.size + 1, room.size, encode(entries)))
        if joint and len(records) == 1:
            records.append(live.end("case" if batch is None else "room"))
        asides = are_asides(entries)
        # Asides (notes, choices, chat) move nothing in any list, nor does what is said of a game that nobody plays on.
        shown = batch is not None or not (asides or isinstance(entries[0], ClosingAnnounced))
        is_fresh = live.listed is not None and now - live.listed.at < DATED_MS
        has_ended = table is not None and table.closed
        if room.tireless or (shown and (has_ended or not (is_fresh and asides))):
            listing = newly_listed(live.listed, live.id, room, table, now if shown else live.at, now)
        await self.store.append(live.id, records, blobs, listing, leased=leased)
        live.listed = listing or live.listed
        live.room, live.table = room, table
        if batch is not None:
            live.confide(batch)
        batches = (batch,) if batch else ()
        if live.choices:
            live.settle(batches)
        self.set_timers(live)
        self.tell(Change(live, batches, entries))
        await self.bus.publish(live.id, live.size)
        if listing and shown:
            await self.bus.publish(HALL, live.size)

    def _following(self, live: Live, table: Table, batch: Batch, now: int) -> tuple[AnyEntry, ...]:
        """Return what is written down with a move: the moments of answers, and whose time runs."""
        asked: tuple[AnyEntry, ...] = ()
        if table.asked:
            asked = answers.drawn(live.room, table, lambda seat: live.confided(seat, batch), now, self.haste)
        if not clocks.is_timed(live.room, table):
            return asked
        runs = live.awake and live.room.paused is None
        timed = clocks.begun(
            live.room,
            table,
            batch,
            now,
            self.haste,
            stopped=now if live.wished is None else live.wished,
            runs=now + clip_release.lasts(live, batch, self.haste) if runs else None,
        )
        return asked + timed

    async def catch_up(self, live: Live) -> None:
        """Read what another node has stored meanwhile; the room first, or both at once: see `Live.take`."""
        news = self.store.read(live.id, "room", live.room.size)
        records, batches = await asyncio.gather(news, self.batches(live, live.table.seq if live.table else 0))
        entries = [entry for record in records for entry in decode(record.body)]
        batches = [*live.take(entries, batches)]
        live.settle(batches)
        self.set_timers(live)
        if entries or batches:
            self.tell(Change(live, tuple(batches), tuple(entries)))

    async def catch_up_notes(self, live: Live) -> None:
        """Read the notes that another node has kept meanwhile, and show them to their own seats."""
        before, live.room = live.room.chairs, own_notes.read(live.room, await self.store.notes(live.id))
        for seat, (old, new) in enumerate(zip(before, live.room.chairs, strict=True)):
            if (old.marks, old.jotting) != (new.marks, new.jotting):
                told = Jotted(at=live.room.at, seat=seat, seq=0, text=new.jotting)
                self.tell(Change(live, entries=(told,)))

    async def batches(self, live: Live, after: int = 0) -> list[Batch]:
        """Return what has happened in the game since event `after`."""
        return [unpack(record.body, live.game) for record in await self.store.read(live.id, "case", after)]

    def set_timers(self, live: Live) -> None:
        """Set the table's timers anew."""
        for setter in self.timer_setters:
            setter(live)

    def tell(self, change: Change) -> None:
        """Tell everybody who listens."""
        for listener in self.listeners:
            listener(change)
