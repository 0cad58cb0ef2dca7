"""The host of all tables: lays them, keeps in memory those that somebody uses, and lets go of the rest.

What is done at a table is in its parts: `moves` (act, begin, undo), `answering` (what asked seats answer), `limits`
(what time does), `writer` (how anything becomes true), `leases` (which node sees to a table).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Final

from whodunit.core.errors import StillOpen
from whodunit.core.ports import GAP, NOTED, Bus, Leases, Record, Store
from whodunit.core.rng import Rng
from whodunit.core.types import Batch
from whodunit.core.wire import encode
from whodunit.host.answering import Answering
from whodunit.host.clip_release import with_clips
from whodunit.host.leases import SingleNode, TableLeases
from whodunit.host.live import Change, Live
from whodunit.host.loading import Loader
from whodunit.host.moves import Decider, Draws, Moves, here
from whodunit.host.tasks import Tasks, quietly
from whodunit.host.time_limits import TimeLimits
from whodunit.host.timers import Clock
from whodunit.host.writer import Writer
from whodunit.room import room as rooms
from whodunit.room.entries import AnyEntry, Laid
from whodunit.room.listing import listing_of
from whodunit.table.case import Case

LOG = logging.getLogger(__name__)
CLOSING_S: Final = 4.0
"""How long what has been begun may take to end when the house closes."""
TAKING: Final = 4
"""So many of a dead node's tables are read at once: whoever comes meanwhile does not wait for all of them."""


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
        self.bus = bus
        self.clock = clock
        self.haste = haste
        self.tables: dict[str, Live] = {}
        self.visited: list[Callable[[Live], None]] = []
        """Called with a table whose lease or visitors on other nodes have changed."""
        self.tasks = Tasks()
        self.writer = Writer(store, bus, clock, haste)
        self.nodes = leases or SingleNode()
        self.nodes.heard = self._lease_news
        self.leases = TableLeases(self.nodes, self.tasks)
        self.moves = Moves(self.writer, self.tasks, draws, decide)
        self.answering = Answering(self.writer, self.moves, self.leases, self.tasks)
        self.limits = TimeLimits(self.writer, self.moves, self.leases, self.tasks)
        self.writer.timer_setters += [self.limits.schedule, self.answering.schedule]
        self.writer.finish = self.answering.give_overdue
        self._loader = Loader(store, bus, self.adopt)
        self._ears: dict[str, asyncio.Task[None]] = {}
        """By table: what listens to the other nodes."""
        self._taking = asyncio.Semaphore(TAKING)

    @property
    def listeners(self) -> list[Callable[[Change], None]]:
        """Who is told of every change."""
        return self.writer.listeners

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
        self.adopt(live, self.bus.listen(id))
        self.writer.tell(Change(live, entries=(laid, *entries)))
        return live

    async def get(self, id: str) -> Live:
        """Return a table, from memory or from the store, or raise NoTable, NotInstalled or Damaged."""
        if id in self.tables:
            return self.tables[id]
        return await self._loader.read(id)

    async def look_up(self, id: str) -> Live | None:
        """Return one table of several, which shall not suffer for it: None if there is none, or none to be read."""
        return self.tables.get(id) or await self._loader.read_by_the_way(id)

    def shelved(self, id: str) -> str | None:
        """Return the game of a table that was asked for and is kept unopened, because that game is not installed."""
        return self._loader.shelved.get(id)

    def adopt(self, live: Live, ear: AsyncIterator[int]) -> None:
        """Keep a table that was laid or loaded, and listen to what other nodes do to it."""
        self.tables[live.id] = live
        self._ears[live.id] = self.tasks.spawn(self._listen(live, ear))
        self.leases.adopt(live)
        self._resume(live)

    def release(self, live: Live) -> None:
        """Forget a table that nobody looks at; answers that are due keep it, and a bot's thought."""
        rings = live.rings or live.limit or live.flag
        busy = live.thinking or live.lock.locked() or live.deciding or live.reminding or live.choices
        if not rings and not busy and self.tables.get(live.id) is live:
            del self.tables[live.id]
            self._ears.pop(live.id).cancel()
            self.leases.leave(live)

    async def batches(self, live: Live, after: int = 0) -> list[Batch]:
        """Return what has happened in the game since event `after`."""
        return await self.writer.batches(live, after)

    async def case(self, live: Live) -> Case:
        """Return the whole record of a game that is over; StillOpen before."""
        if live.table is None or live.room.header is None or not live.table.closed:
            raise StillOpen("this case is still open")
        batches = tuple(await with_clips(self.store, live.id, await self.batches(live)))
        case = Case(header=live.room.header, seal=live.room.laid.seal, table=live.table, batches=batches)
        return case.close()

    async def close(self) -> None:
        """Store what has been chosen, as at any instant, and finish what is being stored; begin nothing new."""
        self.tasks.closing = True
        self.moves.close()
        self.answering.close(self.tables.values())
        for ear in self._ears.values():
            ear.cancel()
        await self.tasks.end(CLOSING_S)
        await self.nodes.close()
        await self.store.close()

    # --- Who is there ---

    def attended(self, live: Live) -> None:
        """Take in who has a page here, and elsewhere: what they choose is stored by the node that has it."""
        live.elsewhere = self.leases.attended(live)
        if live.table is not None and live.table.asked:
            self.writer.set_timers(live)

    def wake(self, live: Live) -> None:
        """Say that somebody who plays here is there again, though nothing has changed."""
        self.writer.tell(Change(live))
        self.tasks.spawn(quietly(self.limits.wake(live)))

    def stir(self, live: Live) -> None:
        """Say that somebody may look at the table again: bots that play among themselves go on."""
        self.writer.tell(Change(live))

    def rest(self, live: Live) -> None:
        """Say that nobody who plays here is there any more."""
        self.tasks.spawn(quietly(self.limits.rest(live)))

    def reconsider(self, live: Live) -> None:
        """Take in that the table's lease, or who is there, has changed."""
        self._resume(live)
        self.writer.tell(Change(live))

    def _resume(self, live: Live) -> None:
        self.limits.recover(live)
        self.writer.set_timers(live)
        self.answering.resume(live)

    # --- Other nodes ---

    async def _listen(self, live: Live, ear: AsyncIterator[int]) -> None:
        async for size in ear:
            try:
                if size in {NOTED, GAP}:
                    async with live.lock:
                        await quietly(self.writer.catch_up_notes(live))
                if size != NOTED and (size > live.size or not self.bus.echoes):
                    async with live.lock:
                        await quietly(self.writer.catch_up(live))
                        await self.writer.finish(live)
            except Exception:  # the next news may be understood, and this table still hears them
                LOG.exception("the table %s could not take in what another node has stored", live.id)

    def _lease_news(self, table: str) -> None:
        """Take in that a table's lease, or who is there on other nodes, has changed."""
        live = self.tables.get(table)
        if live is not None:
            self._revisited(live)
        elif self.nodes.holds(table) and not self.tasks.closing:
            self.tasks.spawn(quietly(self._take_over(table)))

    def _revisited(self, live: Live) -> None:
        self.leases.consider(live)
        for listener in self.visited:
            listener(live)
        self.reconsider(live)

    async def _take_over(self, table: str) -> None:
        """Run on what a node that died has left, though nobody is here."""
        async with self._taking:
            live = await self.look_up(table)
        if live is None:
            self.nodes.drop(table)
        else:
            self._revisited(live)
