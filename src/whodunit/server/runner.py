"""Bots at the table: they are told what their seat is told, and act through the same door as people."""

import asyncio
import hmac
import logging
from typing import Any

from whodunit.core.errors import Conflict, Illegal, NotStored
from whodunit.core.notes import Proof, Sheet
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Seat
from whodunit.server.workers import Ponder, Seen, Step, Think, Workers, ponder, think
from whodunit.table import pace
from whodunit.table.host import Host
from whodunit.table.live import Live
from whodunit.table.verify import Statement

LOG = logging.getLogger(__name__)
PAUSE_MS = (900, 2200)
"""How long a bot takes over a move of its own turn, whatever it holds."""


class Runner:
    """Sees to it that whoever is waited for and is a bot acts, one thought at a time for each table."""

    def __init__(self, host: Host, workers: Workers, seed: bytes) -> None:
        self._host = host
        self._workers = workers
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self._chance = Stream(seed)
        host.listeners.append(lambda change: self.poke(change.live))

    def poke(self, live: Live) -> None:
        """Look whether a bot is waited for."""
        if not self._closed and live.id not in self._busy and self._next(live) is not None:
            task = asyncio.get_running_loop().create_task(self._run(live))
            self._busy[live.id] = task
            live.thinking = True
            task.add_done_callback(lambda _: self._done(live, task))

    def _done(self, live: Live, task: "asyncio.Task[None]") -> None:
        del self._busy[live.id]
        live.thinking = False
        if task.cancelled():
            return
        if error := task.exception():
            LOG.error("the bots of %s stopped: %s", live.id, type(error).__name__, exc_info=error)
        else:
            self.poke(live)  # for what has changed since it last looked

    async def close(self) -> None:
        """Let no bot act any more."""
        self._closed = True
        for task in [*self._busy.values()]:
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)

    def _next(self, live: Live) -> Seat | None:
        """Return the seat whose bot should think now; a table where nobody is looking gives due answers, no more."""
        table = live.table
        if table is None or table.outcome:
            return None
        asked = pace.asked(table)
        for seat in asked:
            due = live.room.chairs[seat].due
            if live.plays(seat) and due is not None and not due.chosen:
                return seat
        if not live.awake:
            return None
        return next((seat for seat in sorted(table.awaiting) if seat not in asked and live.plays(seat)), None)

    async def _run(self, live: Live) -> None:
        while (seat := self._next(live)) is not None:
            await self._move(live, seat)

    async def _move(self, live: Live, seat: Seat) -> None:
        table, level = live.table, live.plays(seat)
        assert table is not None
        assert level is not None
        rested = asyncio.Event()
        # Drawn and begun before the bot looks at its cards: neither choice nor effort shows.
        self._host.clock.after(self._pause(), rested.set)
        action = await self._thought(live, seat, level)
        if seat not in pace.asked(table):
            await rested.wait()
        if live.table is not table or live.plays(seat) != level:
            return  # something else happened meanwhile: think again
        since = next(offer.since for offer in table.offers[seat] if offer.admits(action))
        try:
            if seat in pace.asked(table):
                await self._host.select(live, seat, since, action)
            else:
                await self._host.act(live, seat, since, action)
        except (Illegal, Conflict):
            return
        except NotStored:
            await asyncio.sleep(1)

    def _pause(self) -> int:
        least, most = PAUSE_MS
        return round(self._host.haste * (least + self._chance.below("pause", most - least)))

    async def _thought(self, live: Live, seat: Seat, level: str) -> Action:
        header = live.room.header
        assert header is not None
        certified = live.room.chairs[seat].level == level
        seed = live.room.laid.seal.bot_seed(header.salts, seat)
        if not certified:
            seed = hmac.digest(seed, b"stand-in", "sha256")

        async def job(after: int) -> Think:
            return Think(await self._seen(live, seat, after), level, seed, certified)

        action: Action = await self._workers.ask(think, (live.id, (seat, level)), job)
        return action

    async def notes(self, live: Live, seat: Seat, seq: int | None) -> Sheet:
        """Return what the seat's notes say by themselves, now or as of an event."""
        sheet: Sheet = await self._pondered(live, seat, seq, None)
        return sheet

    async def proof(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str]) -> Proof | None:
        """Return why an entry of the seat's notes is certain."""
        proof: Proof | None = await self._pondered(live, seat, seq, cell)
        return proof

    async def _pondered(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str] | None) -> Any:
        level = live.room.laid.assistance

        async def job(after: int) -> Ponder:
            return Ponder(await self._seen(live, seat, after, seq), level, cell, past=seq is not None)

        if seq is not None:
            return await self._workers.run(live.id, ponder, await job(0))
        return await self._workers.ask(ponder, (live.id, ("notes", seat)), job)

    async def checked(self, live: Live) -> list[Statement]:
        """Check the seal of a closed case, and that its bots were honest."""
        return await self._workers.check(await self._host.case(live))

    async def _seen(self, live: Live, seat: Seat, after: int, until: int | None = None) -> Seen:
        """Collect what the seat has been told behind an event."""
        steps = []
        for batch in await self._host.batches(live, after):
            events = tuple(redact(event, seat) for event in batch.events)
            events = events if until is None else events[: max(0, until - batch.seq + 1)]
            if events:
                steps.append(Step(events, batch.cause is not None and batch.cause.seat == seat))
        return Seen(live.id, live.game.INFO.id, seat, after, tuple(steps))
