"""The judge of every table: takes wishes, stores what comes of them, and only then says what has happened."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored, StillOpen
from whodunit.core.ports import HALL, Bus, Leases, Record, Store
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Seat
from whodunit.core.wire import encode
from whodunit.host.clip_release import with_clips
from whodunit.host.falls import Decider, Draws, Falls, here
from whodunit.host.leases import Alone, Charge
from whodunit.host.live import DATED_MS, Change, Choice, Live, Ring, grown, listing_of, newly_listed
from whodunit.host.loading import Reading
from whodunit.host.time_limits import RETRY_MS, Limits
from whodunit.host.timers import Clock
from whodunit.room import answers, pauses
from whodunit.room import room as rooms
from whodunit.room.entries import AnyEntry, Began, Laid, are_asides, decode
from whodunit.room.room import Room
from whodunit.table.case import Case, Header
from whodunit.table.codec import bare, packed, unpack
from whodunit.table.table import Table

T = TypeVar("T")
CLOSING_S = 4.0
"""How long what has been begun may take to end when the house closes."""
TRIES = 8
"""How often a change is decided again when another node was faster."""


class Host:
    """Keeps the tables that somebody uses in memory; store and bus are the truth, and another node's way in.

    `draws` makes the chance of a batch; tests stack it. `decide` runs what takes long to decide.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        haste: float = 1.0,
        draws: Draws = Rng,
        decide: Decider = here,
        leases: Leases | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.haste = haste
        self.draws = draws
        self.closing = False
        self.listeners: list[Callable[[Change], None]] = []
        self.bus = bus
        self.tables: dict[str, Live] = {}
        self._reading = Reading(self, self._adopt)
        self._ears: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._limits = Limits(self)
        self.falls = Falls(self, decide, self._store, self._catch_up)
        self.charge = Charge(self, leases or Alone())

    # --- Tables ---

    async def lay(self, id: str, laid: Laid, *entries: AnyEntry) -> Live:
        """Lay a new table; the entries are its first."""
        room = rooms.evolve(None, laid)
        for entry in entries:
            room = rooms.evolve(room, entry)
        live = Live(id, room, None)
        live.listed = listing_of(id, room, None, self.clock.now(), self.clock.now())
        record = Record("room", 1, room.size, encode((laid, *entries)))
        await self.store.append(id, [record], (), live.listed)
        self._adopt(live, self.bus.listen(id))
        self._tell(Change(live, entries=(laid, *entries)))
        return live

    async def get(self, id: str) -> Live:
        """Return a table, from memory or from the store, or raise NoTable."""
        if id in self.tables:
            return self.tables[id]
        return await self._reading.read(id)

    async def look_up(self, id: str) -> Live | None:
        """Return one table of several, which shall not suffer for it: None if there is none, or none to be read."""
        return self.tables.get(id) or await self._reading.read_by_the_way(id)

    def _adopt(self, live: Live, ear: AsyncIterator[int]) -> None:
        self.tables[live.id] = live
        self._ears[live.id] = self.spawn(self._listen(live, ear))
        self.charge.adopt(live)
        self._resume(live)

    def _resume(self, live: Live) -> None:
        self._limits.recover(live)
        self._schedule(live)
        if late := answers.overdue(live, self.clock.now(), self.haste):
            self._answer(live, *late)

    async def _listen(self, live: Live, ear: AsyncIterator[int]) -> None:
        async for size in ear:
            if size > live.size or not self.bus.echoes:
                async with live.lock:
                    await self.quietly(self._catch_up(live))
                    await self._give_overdue(live)

    def reconsider(self, live: Live) -> None:
        """Take in that the table's lease, or who is there, has changed."""
        self._resume(live)
        self._tell(Change(live))

    def attended(self, live: Live) -> None:
        """Take in who has a page here, and elsewhere: what they choose is stored by the node that has it."""
        live.elsewhere = self.charge.attended(live)
        if live.table is not None and live.table.asked:
            self._schedule(live)

    def wake(self, live: Live) -> None:
        """Say that somebody who plays here is there again, though nothing has changed."""
        self._tell(Change(live))
        self.spawn(self.quietly(self._limits.wake(live)))

    def rest(self, live: Live) -> None:
        """Say that nobody who plays here is there any more."""
        self.spawn(self.quietly(self._limits.rest(live)))

    def release(self, live: Live) -> None:
        """Forget a table that nobody looks at; answers that are due keep it, and a bot's thought."""
        rings = live.timers or live.limit or live.flag
        busy = live.thinking or live.lock.locked() or live.falling or live.calling or live.choices
        if not rings and not busy and self.tables.get(live.id) is live:
            del self.tables[live.id]
            self._ears.pop(live.id).cancel()
            self.charge.leave(live)

    async def close(self) -> None:
        """Store what has been chosen, as at any instant, and finish what is being stored; begin nothing new."""
        rings = [(live, seat, ring) for live in self.tables.values() for seat, ring in live.timers.items()]
        self.closing = True
        self.falls.close()
        for live in self.tables.values():
            live.silence()
        for live, seat, ring in rings:
            if ring.keeps:
                self.spawn(self.quietly(self._change(live, partial(self._keep, live, seat, ring.since))))
        for ear in self._ears.values():
            ear.cancel()
        # One answer may lead to the next; with time standing still for the timers, this ends.
        deadline = asyncio.get_running_loop().time() + CLOSING_S
        while self._tasks and (left := deadline - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait([*self._tasks], timeout=left)
        for task in self._tasks:
            task.cancel()
        await self.charge.close()
        await self.store.close()

    # --- Changes ---

    async def note(
        self, live: Live, decide: Callable[[Room], Sequence[AnyEntry]], *, leased: bool = False, joint: bool = False
    ) -> None:
        """Add to the room what `decide` makes of it, or refuses by raising. Leased: see `append`; joint: `_store`."""

        async def change() -> None:
            if entries := tuple(decide(live.room)):
                await self._store(live, None, None, entries, leased=leased, joint=joint)

        await self._change(live, change)

    async def begin(self, live: Live, decide: Callable[[Room], tuple[Header, Sequence[AnyEntry]]]) -> None:
        """Close the doors and deal; `decide` may refuse by raising, and may set chairs first."""
        if live.game.INFO.sounds is not None:
            await self.falls.begin(live, decide)
            return

        async def change() -> None:
            header, entries = decide(live.room)
            laid = live.room.laid
            options = live.game.INFO.parse(header.seats, laid.options)
            seed = laid.seal.seed(header.salts)
            table, batch = Table.open(live.game, header.seats, options, seed, self.draws(seed, 1))
            began = Began(at=self.clock.now(), header=header)
            await self._store(live, table, batch, (*entries, began))

        await self._change(live, change)

    async def act(self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False) -> None:
        """Do what the seat wishes, or a bot for it (leased), if an offer of `since` admits it, else raise Illegal."""
        if live.game.INFO.sounds is not None:
            await self.falls.act(live, seat, since, action, leased=leased)
            return

        async def change() -> None:
            going = pauses.played(live, seat, action, leased=leased)
            table, batch = self._acted(going, seat, since, action, bot=leased and seat != TABLE)
            await self._store(live, table, batch, leased=leased)

        await self._change(live, change)

    def _acted(self, table: Table, seat: Seat, since: int, action: Action, *, bot: bool = False) -> tuple[Table, Batch]:
        return table.act(seat, since, action, self.draws(table.seed, table.seq + 1), bot=bot)

    async def undo(self, live: Live, seat: Seat) -> None:
        """Take the seat's last action back, or raise Illegal."""

        async def change() -> None:
            table = pauses.played(live, seat, "undo")
            if live.undoer != seat:
                raise Illegal(seat, "undo", table.offers_of(seat))
            await self._store(live, *table.undo(seat))

        await self._change(live, change)

    def select(
        self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        """Choose the answer that an asked seat will give at its moment, or raise Illegal; done when that is stored.

        It is noted here and now, and nothing else happens: no lock, no commit, no timer tells anybody that somebody has
        chosen. Only where the table waits for a person is it given at once; a bot's late answer waits for a beat.
        """
        table, due = pauses.played(live, seat, action, leased=leased), live.room.chairs[seat].due
        # A bot that is asked may interrupt instead: that has its moment too.
        admitted = any(offer.admits(action) for offer in table.offers_of(seat) if leased or offer.since == since)
        if due is None or due.since != since or not admitted:
            raise Illegal(seat, action, table.offers_of(seat))
        choice = Choice(since, action)
        if (before := live.choice(seat)) is not None:
            choice.waiting = before.waiting
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        stored.add_done_callback(_heard_of)
        choice.waiting.append(stored)
        live.choices[seat] = choice
        if due.at <= self.clock.now() and (not leased or not self.haste):
            self._answer(live, seat, since)
        return stored

    async def case(self, live: Live) -> Case:
        """Return the whole record of a game that is over; StillOpen before."""
        if live.table is None or live.room.header is None or not live.table.closed:
            raise StillOpen("this case is still open")
        batches = tuple(await with_clips(self.store, live.id, await self.batches(live)))
        case = Case(header=live.room.header, seal=live.room.laid.seal, table=live.table, batches=batches)
        return case.close()

    async def batches(self, live: Live, after: int = 0) -> list[Batch]:
        """Return what has happened in the game since event `after`."""
        return [unpack(record.body, live.game) for record in await self.store.read(live.id, "case", after)]

    async def _change(self, live: Live, change: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Make a change to a table, alone, and give the answers that are due by then.

        Whoever is cancelled meanwhile may leave it stored and not told: then the next change meets a Conflict, and
        catches up.
        """
        async with live.lock:
            await self._tried(live, change)
            await self._give_overdue(live)

    async def _tried(self, live: Live, change: Callable[[], Coroutine[Any, Any, None]]) -> None:
        for _ in range(TRIES):
            try:
                return await change()
            except Conflict:
                await self._catch_up(live)
        raise Conflict(f"{live.id} changes faster than this can be decided")

    async def _store(
        self,
        live: Live,
        table: Table | None,
        batch: Batch | None,
        entries: tuple[AnyEntry, ...] = (),
        *,
        leased: bool = False,
        joint: bool = False,
    ) -> None:
        """Store what was decided (joint: by room and game), and when that is safe make it true and say so."""
        now = self.clock.now()
        records: list[Record] = []
        blobs: tuple[Any, ...] = ()
        if batch is not None:
            assert table is not None
            batch, blobs = bare(replace(batch, at=now))
            records.append(Record("case", batch.seq, table.seq, packed(batch)))
            if table.asked:
                entries += answers.drawn(live, table, batch, now, self.haste)
            entries += self._limits.begun(live, table, batch, now)
        room, table, listing = live.room, table or live.table, None
        if entries:
            room, table = grown(room, table, entries)
            records.append(Record("room", live.room.size + 1, room.size, encode(entries)))
        if joint and len(records) == 1:  # neither may have moved on meanwhile
            records.append(live.end("case" if batch is None else "room"))
        asides = are_asides(entries)
        shown = batch is not None or not asides  # what concerns one seat alone moves nothing in any list
        dated = live.listed is not None and now - live.listed.at < DATED_MS
        if live.tireless or (shown and (not (dated and asides) or (table and table.closed))):
            listing = newly_listed(live, room, table, now if shown else live.at, now)
        await self.store.append(live.id, records, blobs, listing, leased=leased)
        live.listed = listing or live.listed
        live.room, live.table = room, table
        if batch is not None:
            live.confide(batch)
        batches = (batch,) if batch else ()
        if live.choices:
            live.settle(batches)
        self._schedule(live)
        self._tell(Change(live, batches, entries))
        await self.bus.publish(live.id, live.size)
        if listing and shown:
            await self.bus.publish(HALL, live.size)

    async def _catch_up(self, live: Live) -> None:
        """Read what another node has stored meanwhile; the room first, or both at once: see `Live.take`."""
        news = self.store.read(live.id, "room", live.room.size)
        records, batches = await asyncio.gather(news, self.batches(live, live.table.seq if live.table else 0))
        entries = [entry for record in records for entry in decode(record.body)]
        batches = [*live.take(entries, batches)]
        live.settle(batches)
        self._schedule(live)
        if entries or batches:
            self._tell(Change(live, tuple(batches), tuple(entries)))

    def _tell(self, change: Change) -> None:
        for listener in self.listeners:
            listener(change)

    # --- Answers ---

    def _schedule(self, live: Live) -> None:
        """Set a timer for what comes next of every asked seat's answer, and forget those that nobody waits for."""
        self._limits.schedule(live)
        going = live.table is not None and not live.table.closed and live.room.paused is None and not self.closing
        asked = live.table.asked if live.table and going else ()
        if not asked and not live.timers:
            return
        for seat in [*live.timers]:
            if seat not in asked:
                live.timers.pop(seat).timer.cancel()
        gives, now = self.charge.has(live), self.clock.now()
        for seat in asked:
            due, old = live.room.chairs[seat].due, live.timers.get(seat)
            since = -1 if due is None else due.since
            keeps = self.charge.keeps(live, seat) or (old is not None and old.since == since and old.keeps)
            if old is not None and old.since == since and old.moment <= now:
                continue  # it is about to ring
            moment = answers.rings(live, seat, now, self.haste, gives=gives, keeps=keeps)
            if old is not None and (old.since, old.moment, old.keeps) != (since, moment, keeps):
                live.timers.pop(seat).timer.cancel()
            if moment is not None and seat not in live.timers:
                timer = self.clock.after(moment - now, partial(self._ring, live, seat, since))
                live.timers[seat] = Ring(since, moment, keeps, timer)

    def _ring(self, live: Live, seat: Seat, since: int) -> None:
        ring = live.timers.pop(seat, None)
        if ring is not None and (early := ring.moment - self.clock.now()) > 0:  # the loop's clock is another one
            timer = self.clock.after(early, partial(self._ring, live, seat, since))
            live.timers[seat] = ring._replace(timer=timer)
        else:
            self._answer(live, seat, since, ring)

    def _answer(self, live: Live, seat: Seat, since: int, ring: Ring | None = None) -> None:
        if not self.closing:
            self.spawn(self.quietly(self._due(live, seat, since, ring)))

    async def _due(self, live: Live, seat: Seat, since: int, ring: Ring | None = None) -> None:
        """Give the answer whose moment has come; until then, or if it waits, store what is chosen, if anything."""
        async with live.lock:
            try:
                await self._give(live, seat, since)
                due = live.room.chairs[seat].due
                # Behind its moment nothing is stored but what somebody chose whom the table waits for.
                chosen = ring is None and live.choice(seat) is not None
                if chosen or (ring is not None and ring.keeps and due is not None and ring.moment <= due.at):
                    await self._tried(live, partial(self._keep, live, seat, since))
                await self._give_overdue(live)
            finally:
                self._schedule(live)  # also where the disk would not take it now

    async def _keep(self, live: Live, seat: Seat, since: int) -> None:
        """Store what an asked seat will answer, chosen or not: one entry of one size in every world."""
        if entry := answers.kept(live, seat, since, self.clock.now()):
            await self._store(live, None, None, (entry,), joint=True)

    async def _give_overdue(self, live: Live) -> None:
        """Give the answers whose moment has come by now: in a house without pauses every one, and no timer runs."""
        before = None
        while (table := live.table) is not None and table.asked and table is not before and self.charge.has(live):
            before = table
            if late := answers.overdue(live, self.clock.now(), self.haste):
                await self._give(live, *late)

    async def _give(self, live: Live, seat: Seat, since: int) -> None:
        async def change() -> None:
            action = answers.given(live, seat, since, self.clock.now())
            if live.table is None or action is None or not self.charge.has(live):
                return
            interrupts = type(action) in live.game.INFO.interrupts
            try:
                offered = live.table.since(seat, action) if interrupts else since
                table, batch = self._acted(live.table, seat, offered, action, bot=interrupts)
            except Illegal:
                return  # taken back, or answered through another node
            await self._store(live, table, batch, leased=True, joint=True)

        try:
            await self._tried(live, change)
        except NotHeld:
            return  # whose business it is now does it
        except (NotStored, Conflict):
            self.clock.after(RETRY_MS, partial(self._answer, live, seat, since))

    async def quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that may fail now, because it is done again when it matters."""
        with suppress(NotStored, Conflict, NotHeld):
            await work

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin something that the house waits for when it closes."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _heard_of(stored: "asyncio.Future[None]") -> None:
    """Take in what became of a choice: whoever made it may have gone."""
    if not stored.cancelled():
        stored.exception()
