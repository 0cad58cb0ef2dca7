"""Gives the answers of asked seats at their moments, and stores what was chosen at instants that tell nothing.

What is answered, and when, is decided in `room/answers.py`; here the timers ring and the store is written.
"""

import asyncio
from collections.abc import Collection
from functools import partial

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.types import Action, Seat
from whodunit.host.leases import TableLeases
from whodunit.host.live import Live, NotedChoice, Ring
from whodunit.host.moves import Moves
from whodunit.host.tasks import Tasks, quietly
from whodunit.host.timers import RETRY_MS
from whodunit.host.writer import Writer
from whodunit.room import answers, pauses


class Answering:
    """Answers for every asked seat of a host's tables."""

    def __init__(self, writer: Writer, moves: Moves, leases: TableLeases, tasks: Tasks) -> None:
        self._writer = writer
        self._moves = moves
        self._leases = leases
        self._tasks = tasks
        self._clock = writer.clock
        self._haste = writer.haste

    def select(
        self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        """Choose the answer that an asked seat will give at its moment, or raise Illegal; done when that is stored.

        It is noted here and now, and nothing else happens: no lock, no commit, no timer tells anybody that somebody has
        chosen. Only where the table waits for a person is it given at once; a bot's late answer waits for a beat.
        """
        table = pauses.played(live.room, live.table, seat, action, leased=leased)
        due = live.room.chairs[seat].due
        # A bot that is asked may interrupt instead: that has its moment too, and an offer of another date.
        offered = table.since(seat, action) if leased else since
        if due is None or due.since != since or not table.admits(seat, offered, action):
            raise Illegal(seat, action, table.offers_of(seat))
        choice = NotedChoice(since, action)
        if (before := live.choice(seat)) is not None:
            choice.waiting = before.waiting
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        stored.add_done_callback(_heard_of)
        choice.waiting.append(stored)
        live.choices[seat] = choice
        if due.at <= self._clock.now() and (not leased or not self._haste):
            self._answer(live, seat, since)
        return stored

    def resume(self, live: Live) -> None:
        """Give what is overdue at a table that has just been loaded, or is this node's now."""
        if late := answers.overdue(live.room, live.table, live.chosen, self._clock.now(), self._haste):
            self._answer(live, *late)

    def close(self, tables: Collection[Live]) -> None:
        """Let no timer ring any more, and store what has been chosen, as at any instant."""
        rings = [(live, seat, ring) for live in tables for seat, ring in live.rings.items()]
        for live in tables:
            live.silence()
        for live, seat, ring in rings:
            if ring.keeps:
                keep = partial(self._keep, live, seat, ring.since)
                self._tasks.spawn(quietly(self._writer.change(live, keep)))

    def schedule(self, live: Live) -> None:
        """Set a timer for what comes next of every asked seat's answer, and forget those that nobody waits for."""
        going = live.table is not None and not live.table.closed and live.room.paused is None
        asked = live.table.asked if live.table and going and not self._tasks.closing else ()
        if not asked and not live.rings:
            return
        for seat in [*live.rings]:
            if seat not in asked:
                live.rings.pop(seat).timer.cancel()
        gives, now = self._leases.holds(live), self._clock.now()
        for seat in asked:
            due, old = live.room.chairs[seat].due, live.rings.get(seat)
            since = -1 if due is None else due.since
            keeps = self._leases.keeps(live, seat) or (old is not None and old.since == since and old.keeps)
            if old is not None and old.since == since and old.moment <= now:
                continue  # it is about to ring
            moment = answers.rings(live.room, seat, now, self._haste, gives=gives, keeps=keeps)
            if old is not None and (old.since, old.moment, old.keeps) != (since, moment, keeps):
                live.rings.pop(seat).timer.cancel()
            if moment is not None and seat not in live.rings:
                timer = self._clock.after(moment - now, partial(self._ring, live, seat, since))
                live.rings[seat] = Ring(since, moment, keeps, timer)

    def _ring(self, live: Live, seat: Seat, since: int) -> None:
        ring = live.rings.pop(seat, None)
        if ring is not None and (early := ring.moment - self._clock.now()) > 0:  # the loop's clock is another one
            timer = self._clock.after(early, partial(self._ring, live, seat, since))
            live.rings[seat] = ring._replace(timer=timer)
        else:
            self._answer(live, seat, since, ring)

    def _answer(self, live: Live, seat: Seat, since: int, ring: Ring | None = None) -> None:
        if not self._tasks.closing:
            self._tasks.spawn(quietly(self._due(live, seat, since, ring)))

    async def _due(self, live: Live, seat: Seat, since: int, ring: Ring | None = None) -> None:
        """Give the answer whose moment has come; until then, or if it waits, store what is chosen, if anything."""
        async with live.lock:
            try:
                await self._give(live, seat, since)
                due = live.room.chairs[seat].due
                # Behind its moment nothing is stored but what somebody chose whom the table waits for.
                chosen = ring is None and live.choice(seat) is not None
                if chosen or (ring is not None and ring.keeps and due is not None and ring.moment <= due.at):
                    await self._writer.change_locked(live, partial(self._keep, live, seat, since))
                await self.give_overdue(live)
            finally:
                self._writer.set_timers(live)  # also where the disk would not take it now

    async def _keep(self, live: Live, seat: Seat, since: int) -> None:
        """Store what an asked seat will answer, chosen or not: one entry of one size in every world."""
        if entry := answers.kept(live.room, live.table, seat, since, live.chosen, self._clock.now()):
            await self._writer.append(live, None, None, (entry,), joint=True)

    async def give_overdue(self, live: Live) -> None:
        """Give the answers whose moment has come by now: in a house without pauses every one, and no timer runs."""
        before = None
        while (table := live.table) is not None and table.asked and table is not before and self._leases.holds(live):
            before = table
            if late := answers.overdue(live.room, table, live.chosen, self._clock.now(), self._haste):
                await self._give(live, *late)

    async def _give(self, live: Live, seat: Seat, since: int) -> None:
        async def change() -> None:
            now = self._clock.now()
            action = answers.given(live.room, live.table, seat, since, live.chosen, live.confided, now)
            if live.table is None or action is None or not self._leases.holds(live):
                return
            interrupts = type(action) in live.game.INFO.interrupts
            try:
                offered = live.table.since(seat, action) if interrupts else since
                move = self._moves.plan(live.table, seat, offered, action, bot=interrupts)
            except Illegal:
                return  # taken back, or answered through another node
            await self._moves.decide_and_store(live, move, leased=True, joint=True)

        try:
            await self._writer.change_locked(live, change)
        except NotHeld:
            return  # whose business it is now does it
        except (NotStored, Conflict):
            self._clock.after(RETRY_MS, partial(self._answer, live, seat, since))


def _heard_of(stored: "asyncio.Future[None]") -> None:
    """Take in what became of a choice: whoever made it may have gone."""
    if not stored.cancelled():
        stored.exception()
