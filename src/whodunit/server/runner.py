"""Bots at the table: they are told what their seat is told, and act through the same door as people."""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.notes import Hint, Proof, Sheet
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE, Action, Batch, Seat
from whodunit.server.workers import (
    Hinted,
    Ponder,
    Practise,
    Seen,
    Step,
    Think,
    Workers,
    hinted,
    ponder,
    practise,
    think,
)
from whodunit.table.hearing import heard_until, with_clips
from whodunit.table.host import Host
from whodunit.table.live import Live
from whodunit.table.pace import SECONDS
from whodunit.table.table import Table
from whodunit.table.verify import Statement

LOG = logging.getLogger(__name__)
RETRY_MS = 1000
PAUSE_MS = (900, 2200)
"""How long a bot takes over a move of its own turn, whatever it holds."""


class Runner:
    """Sees to it that whoever is waited for and is a bot acts, one thought at a time for each table."""

    def __init__(self, host: Host, workers: Workers, seed: bytes) -> None:
        self._host = host
        self._workers = workers
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self._watching: dict[str, asyncio.Task[None]] = {}
        """By table: who asks its bots whether they interrupt."""
        self._asked: dict[str, asyncio.Event] = {}
        """By table that is watched so: set when all have been asked how things stand now."""
        self._chance = Stream(seed)
        host.listeners.append(lambda change: self.poke(change.live))

    def poke(self, live: Live) -> None:
        """Look whether a bot is waited for, or could interrupt."""
        if self._closed or not [chair for chair in live.room.chairs if chair.player]:
            return
        if live.id not in self._busy and self._next(live) is not None:
            live.thinking = True
            self._begin(live, self._busy, self._run(live))
        if live.id not in self._watching and self._urging(live):
            live.thinking = True
            self._begin(live, self._watching, self._watch(live))

    def _begin(self, live: Live, tasks: "dict[str, asyncio.Task[None]]", work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        tasks[live.id] = task
        task.add_done_callback(lambda _: self._done(live, tasks, task))

    def _done(self, live: Live, tasks: "dict[str, asyncio.Task[None]]", task: "asyncio.Task[None]") -> None:
        if tasks.get(live.id) is task:
            del tasks[live.id]
        live.thinking = live.id in self._busy or live.id in self._watching
        if task.cancelled():
            return
        if error := task.exception():
            LOG.error("the bots of %s stopped: %s", live.id, type(error).__name__, exc_info=error)
        elif tasks is self._busy:
            self.poke(live)  # for what has changed since it last looked

    async def close(self) -> None:
        """Let no bot act any more."""
        self._closed = True
        tasks = [*self._busy.values(), *self._watching.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _next(self, live: Live) -> Seat | None:
        """Return the seat whose bot should think now; a table where nobody is looking gives due answers, no more."""
        table = live.table
        if table is None or table.outcome or not any(map(live.plays, table.awaiting)):
            return None
        if live.room.paused is not None or not self._host.charge.has(live):
            return None
        for seat in table.asked:
            due = live.room.chairs[seat].due
            if live.plays(seat) and due is not None and not due.chosen:
                return seat
        if not live.awake:
            return None
        return next((seat for seat in sorted(table.awaiting) if live.plays(seat) and seat not in table.asked), None)

    async def _run(self, live: Live) -> None:
        while (seat := self._next(live)) is not None:
            try:
                await self._move(live, seat)
            except NotStored:  # what it was to be told could not be read, or its move not stored
                await self._wait(RETRY_MS)

    async def _move(self, live: Live, seat: Seat) -> None:
        table, level = live.table, live.plays(seat)
        assert table is not None
        assert level is not None
        if live.game.INFO.sounds is not None:
            await self._host.falls.calm(live)  # it hears each clip when everybody does, and then begins to think
            if live.table is not table:
                return
        rested = asyncio.Event()
        # Drawn and begun before the bot looks at its cards: neither choice nor effort shows.
        self._host.clock.after(self._pause(), rested.set)
        action = await self._thought(live, seat, level)
        assert action is not None
        if type(action) not in live.game.INFO.answers:
            await rested.wait()
        if (asked := self._asked.get(live.id)) is not None:
            await asked.wait()  # a bot that thinks longer would never come to interrupt those that move on
        if live.table is not table or live.plays(seat) != level or live.room.paused is not None:
            return  # something else happened meanwhile: think again
        since = next(offer.since for offer in table.offers[seat] if offer.admits(action))
        try:
            if type(action) in live.game.INFO.answers:  # whoever is asked may interrupt instead
                await self._host.select(live, seat, since, action, leased=True)
            else:
                await self._host.act(live, seat, since, action, leased=True)
        except (Illegal, Conflict, NotHeld):
            return

    # --- Interrupts ---

    def _urging(self, live: Live) -> list[Seat]:
        """Return the bots that could interrupt now; who is asked first moves on with every event."""
        table, kinds = live.table, live.game.INFO.interrupts
        if not kinds or table is None or table.outcome or not live.awake or not self._host.charge.has(live):
            return []
        if live.room.paused is not None:
            return []
        seats = ((table.seq + place) % table.seats for place in range(table.seats))
        return [seat for seat in seats if live.plays(seat) and _offers(table, seat, kinds)]

    async def _watch(self, live: Live) -> None:
        """Ask the bots after every event whether they interrupt; where people could still win they get a start."""
        self._asked[live.id] = asyncio.Event()
        try:
            await self._interrupted(live, self._asked[live.id])
        finally:
            self._asked.pop(live.id).set()
            self._watching.pop(live.id, None)  # at once: what happens from here on is looked at anew

    async def _interrupted(self, live: Live, asked: asyncio.Event) -> None:
        waited: set[Seat] = set()
        while seats := self._urging(live):
            table = live.table
            assert table is not None
            asked.clear()
            try:
                found = [(seat, action) for seat in seats if (action := await self._urge(live, seat))][:1]
            except NotStored:
                await self._wait(RETRY_MS)
                continue
            if live.table is not table:
                continue
            asked.set()
            if not found:
                break
            ((seat, action),) = found
            if seat not in waited:
                waited.add(seat)
                await self._start_for_people(live, table)
                if live.table is not table or live.room.paused is not None:
                    continue
            waited.discard(seat)
            since = next(offer.since for offer in table.offers[seat] if offer.admits(action))
            with suppress(Illegal, Conflict, NotHeld, NotStored):
                await self._host.act(live, seat, since, action, leased=True)

    async def _start_for_people(self, live: Live, table: Table) -> None:
        """Wait as long as the game says, drawn anew and whatever anybody holds, if a person could act as the bot."""
        names = live.game.INFO.interrupt_delay
        kinds = live.game.INFO.interrupts
        people = [seat for seat in range(table.seats) if not live.plays(seat) and _offers(table, seat, kinds)]
        if names is None or not people:
            return
        least, most = (1000 * getattr(table.views[TABLE].options, name) for name in names)
        if live.tireless:  # nobody need sit there waiting for the bots to be quicker
            least, most = (1000 * seconds for seconds in SECONDS["slow"])
        wait = least + self._chance.below("start", most - least + 1)
        await self._wait(round(self._host.haste * wait))

    async def _wait(self, milliseconds: int) -> None:
        rested = asyncio.Event()
        self._host.clock.after(milliseconds, rested.set)
        await rested.wait()

    async def _urge(self, live: Live, seat: Seat) -> Action | None:
        level = live.plays(seat)
        return None if level is None else await self._thought(live, seat, level, urgent=True)

    def _pause(self) -> int:
        least, most = PAUSE_MS
        return round(self._host.haste * (least + self._chance.below("pause", most - least)))

    async def _thought(self, live: Live, seat: Seat, level: str, *, urgent: bool = False) -> Action | None:
        header = live.room.header
        assert header is not None
        certified = live.room.chairs[seat].level == level
        seed = live.room.laid.seal.bot_seed(header.salts, seat)
        if not certified:
            seed = hmac.digest(seed, b"stand-in", "sha256")

        async def job(after: int) -> Think:
            return Think(await self._seen(live, seat, after, batchwise=True), level, seed, certified, urgent)

        action: Action | None = await self._workers.ask(think, (live.id, (seat, level)), job)
        return action

    async def notes(self, live: Live, seat: Seat, seq: int | None) -> Sheet:
        """Return what the seat's notes say by themselves, now or as of an event."""
        sheet: Sheet = await self._pondered(live, seat, seq, None)
        return sheet

    async def proof(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str]) -> Proof | None:
        """Return why an entry of the seat's notes is certain."""
        proof: Proof | None = await self._pondered(live, seat, seq, cell)
        return proof

    async def hint(self, live: Live, seat: Seat, known: tuple[tuple[str, str], ...]) -> Hint | None:
        """Return what became certain to the seat last without having been seen, but for what it needs no hint for."""
        found: Hint | None = await self._workers.once(live.id, hinted, Hinted(await self._seen(live, seat, 0), known))
        return found

    async def _pondered(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str] | None) -> Any:
        level = live.room.laid.assistance

        async def job(after: int) -> Ponder:
            return Ponder(await self._seen(live, seat, after, seq), level, cell, past=seq is not None)

        if seq is not None:
            return await self._workers.once(live.id, ponder, await job(0))
        return await self._workers.ask(ponder, (live.id, ("notes", seat)), job)

    def warm(self, live: Live) -> None:
        """Get ready for a table's game."""
        if live.game.INFO.sounds is not None:
            self._workers.warm(live.id, live.game.INFO.id)

    async def practise(self, person: str, game: str, difficulty: str, floor: int | None) -> Any:
        """Return a fall for a person's ear alone."""
        job = Practise(game, difficulty, floor, secrets.token_bytes(16))
        return await self._workers.once(person, practise, job)

    async def checked(self, live: Live) -> list[Statement]:
        """Check the seal of a closed case, and that its bots were honest."""
        return await self._workers.check(await self._host.case(live))

    async def _seen(
        self, live: Live, seat: Seat, after: int, until: int | None = None, *, batchwise: bool = False
    ) -> Seen:
        """Collect what the seat has been told behind an event; of a clip that is not yet released it hears nothing.

        A bot is told batches as wholes, so that it can be run again; notes go on with each clip.
        """
        # Notes may have come as far as a clip in the middle of a batch.
        begun = next((noise.batch - 1 for noise in live.noises.values() if noise.seq == after + 1), after)
        batches = await self._host.batches(live, begun)
        if live.game.INFO.sounds is not None:
            heard = heard_until(live, self._host.clock.now(), self._host.haste)
            if heard is not None:
                until = heard if until is None else min(heard, until)
                batches = [batch for batch in batches if (batch.last if batchwise else batch.seq) <= heard]
            batches = await with_clips(self._host.store, live.id, batches)
        steps = []
        for batch in batches:
            events = tuple(redact(event, seat) for event in batch.events[max(0, after - batch.seq + 1) :])
            events = events if until is None else events[: max(0, until - max(after, batch.seq - 1))]
            if events:
                mine = batch.cause is not None and batch.cause.seat == seat
                steps.append(Step(events, mine, mine and _is_urgent(live, batch)))
        return Seen(live.id, live.game.INFO.id, seat, after, tuple(steps))


def _offers(table: Table, seat: Seat, kinds: tuple[type[Action], ...]) -> bool:
    return any(offer.action in kinds for offer in table.offers[seat])


def _is_urgent(live: Live, batch: Batch) -> bool:
    return batch.cause is not None and type(batch.cause.action) in live.game.INFO.interrupts
