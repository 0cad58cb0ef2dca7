"""What time does if nobody acts before: stored with the move that begins it, and at rest while the table sleeps."""

from functools import partial
from typing import TYPE_CHECKING

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.types import TABLE
from whodunit.table import pace
from whodunit.table.entries import Timed
from whodunit.table.live import Live
from whodunit.table.room import Limit, Room
from whodunit.table.table import Table

if TYPE_CHECKING:
    from whodunit.table.host import Host

RETRY_MS = 1000
"""After how long time tries again what the disk would not take."""


class Limits:
    """Sets the timers of a host's tables for what TABLE is offered, and acts as TABLE when they ring."""

    def __init__(self, host: "Host") -> None:
        self._host = host

    def begun(self, live: Live, table: Table, now: int) -> tuple[Timed, ...]:
        """Return the limit that begins when the table has come so far, if another one does."""
        offer = pace.by_time(table)
        if offer is None or (live.room.limit is not None and live.room.limit.since == offer.since):
            return ()
        left = pace.limit(table, offer.action, self._host.haste)
        return (Timed(at=now, since=offer.since, left=left, running=live.awake),)

    def schedule(self, live: Live) -> None:
        """Set the timer anew, if anything is otherwise than it was."""
        if live.limit is None and not (live.table and live.table.offers[TABLE]):
            return  # nearly always, in most games
        ends = self._ends(live)
        if live.limit is not None and live.limit[0] != ends:
            live.limit[1].cancel()
            live.limit = None
        limit = standing(live)
        if live.waking and self._host.charge.has(live):
            self._host.spawn(self._host.quietly(self.wake(live)))
        elif limit is not None and limit.ends is None and live.awake:  # another node let it stand still
            self._host.spawn(self._host.quietly(self.wake(live, stopped=True)))
        if ends is not None and live.limit is None:
            wait = max(0, ends - self._host.clock.now())
            live.limit = (ends, self._host.clock.after(wait, partial(self._ring, live, ends)))

    def _ends(self, live: Live) -> int | None:
        limit = standing(live)
        if limit is None or not live.awake or not self._host.charge.has(live):
            return None
        assert live.table is not None
        # A bot thinks as long as it thinks: what it does must be its own.
        return None if any(map(live.plays, live.table.awaiting)) else limit.ends

    def _ring(self, live: Live, ends: int) -> None:
        if not self._host.closing:
            self._host.spawn(self._pass(live, ends))

    async def _pass(self, live: Live, ends: int) -> None:
        if live.limit is None or live.limit[0] != ends:
            return
        live.limit = None
        offer = pace.by_time(live.table) if live.table else None
        if offer is None or self._ends(live) != ends:
            return
        try:
            await self._host.act(live, TABLE, offer.since, offer.at(0), leased=True)
        except (Illegal, NotHeld):
            return  # somebody was faster, or it is another node's business
        except (NotStored, Conflict):
            live.limit = (ends, self._host.clock.after(RETRY_MS, partial(self._ring, live, ends)))

    async def wake(self, live: Live, *, stopped: bool = False) -> None:
        """Let time run on; what ran when the house was shut has stood still since the last thing it wrote down."""
        live.waking = not self._host.charge.has(live) and not stopped
        if not self._host.charge.has(live):
            return

        def on(room: Room) -> list[Timed]:
            limit = standing(live)
            if limit is None or not live.awake or (stopped and limit.ends is not None):
                return []
            left = limit.left if limit.ends is None else max(0, limit.ends - room.at)
            return [Timed(at=self._host.clock.now(), since=limit.since, left=left, running=True)]

        await self._host.note(live, on, leased=True)

    async def rest(self, live: Live) -> None:
        """Let time stand still: nobody who plays here is there."""
        live.waking = False
        if not self._host.charge.has(live):
            return

        def off(_: Room) -> list[Timed]:
            limit = standing(live)
            if limit is None or limit.ends is None or live.awake:
                return []
            now = self._host.clock.now()
            return [Timed(at=now, since=limit.since, left=max(0, limit.ends - now), running=False)]

        await self._host.note(live, off, leased=True)


def standing(live: Live) -> Limit | None:
    """Return the limit that counts now, whether or not it runs."""
    offer = pace.by_time(live.table) if live.table else None
    limit = live.room.limit
    return limit if offer is not None and limit is not None and limit.since == offer.since else None
