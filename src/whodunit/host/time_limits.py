"""What time does if nobody acts before, to the game or to a player's seat: at rest while the table sleeps or pauses."""

from functools import partial
from typing import TYPE_CHECKING

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.types import TABLE, Batch
from whodunit.host import clip_release
from whodunit.host.live import Live
from whodunit.room import clocks, pace
from whodunit.room.entries import AnyEntry, Timed
from whodunit.room.room import Limit, Room
from whodunit.table.table import Table

if TYPE_CHECKING:
    from whodunit.host.host import Host

RETRY_MS = 1000
"""After how long time tries again what the disk would not take."""
SOON_MS = 150_000
"""A table that never sleeps sets no timer for what comes later: it is looked up in the store until then."""


class Limits:
    """Sets the timers of a host's tables, for what TABLE is offered and for whose time runs out, and acts for them."""

    def __init__(self, host: "Host") -> None:
        self._host = host

    def begun(self, live: Live, table: Table, batch: Batch, now: int) -> tuple[AnyEntry, ...]:
        """Return the limit that begins when the table has come so far, if another one does, and whose clocks run."""
        turned = clocks.turned(live, table, batch, now, self._host.haste)
        offer = pace.by_time(table)
        if offer is None or (live.room.limit is not None and live.room.limit.since == offer.since):
            return turned
        left = pace.limit(table, offer.action, live.room.laid.allowance, self._host.haste)
        running = live.awake and live.room.paused is None
        return (*turned, Timed(at=now, since=offer.since, left=left, running=running))

    def schedule(self, live: Live) -> None:
        """Set the timers anew, if anything is otherwise than it was."""
        if live.room.watch is not None:
            self._watch(live)
        elif live.limit is None and not (live.table and live.table.offers[TABLE]):
            return  # nearly always, in most games
        ends = self._ends(live)
        if live.limit is not None and live.limit[0] != ends:
            live.limit[1].cancel()
            live.limit = None
        if live.waking and self._host.charge.has(live):
            self._host.spawn(self._host.quietly(self.wake(live)))
        elif self._is_stopped(live) and self._host.charge.has(live):  # another node let it stand still
            self._host.spawn(self._host.quietly(self.wake(live, stopped=True)))
        if ends is not None and live.limit is None:
            wait = max(0, ends - self._host.clock.now())
            if wait <= SOON_MS or not live.tireless:
                live.limit = (ends, self._host.clock.after(wait, partial(self._ring, live, ends)))

    def _ends(self, live: Live) -> int | None:
        limit = standing(live)
        if limit is None or not self._runs(live):
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

        def on(room: Room) -> list[AnyEntry]:
            if not live.awake or live.stage != "playing" or room.paused is not None:
                return []
            if stopped and not self._is_stopped(live):
                return []
            heard = clip_release.heard(live, self._host.haste)
            return clocks.started(room, standing(live), self._host.clock.now(), heard)

        await self._host.note(live, on, leased=True)

    async def rest(self, live: Live, *, shut: bool = False) -> None:
        """Let time stand still: nobody who plays here is there. Shut: since the last thing the house wrote down."""
        live.waking = False
        if not self._host.charge.has(live):
            return

        def off(room: Room) -> list[AnyEntry]:
            at = max(room.at, live.moved) if shut else self._host.clock.now()
            return [] if live.awake else clocks.stilled(room, standing(live), at)

        await self._host.note(live, off, leased=True)

    def recover(self, live: Live) -> None:
        """Let stand still what ran when the house was shut, before whoever comes first has anything written down."""
        limit, watch = standing(live), live.room.watch
        runs = (limit is not None and limit.ends is not None) or (watch is not None and watch.at is not None)
        if runs and not live.awake and live.stage == "playing" and self._host.charge.has(live):
            self._host.spawn(self._host.quietly(self.rest(live, shut=True)))

    def _runs(self, live: Live) -> bool:
        return live.awake and live.room.paused is None and self._host.charge.has(live)

    def _is_stopped(self, live: Live) -> bool:
        """Say whether something stands still that should run."""
        if not live.awake or live.stage != "playing" or live.room.paused is not None:
            return False
        limit, watch = standing(live), live.room.watch
        return (limit is not None and limit.ends is None) or (watch is not None and watch.at is None)

    # --- Players' clocks ---

    def _watch(self, live: Live) -> None:
        """Set the timer for whose time runs out first."""
        ends = clocks.first_end(live.room) if self._runs(live) else None
        if live.flag is not None and live.flag[0] != ends:
            live.flag[1].cancel()
            live.flag = None
        if ends is None or live.flag is not None:
            return
        wait = max(0, ends - self._host.clock.now())
        if wait <= SOON_MS or not live.tireless:
            live.flag = (ends, self._host.clock.after(wait, partial(self._out, live, ends)))

    def _out(self, live: Live, ends: int) -> None:
        if not self._host.closing:
            self._host.spawn(self._run_out(live, ends))

    async def _run_out(self, live: Live, ends: int) -> None:
        """Do what the game offers TABLE for it, or let the stand-in make the move."""
        if live.flag is None or live.flag[0] != ends:
            return
        live.flag = None
        if not self._runs(live) or clocks.first_end(live.room) != ends:
            return
        try:
            if offer := pace.by_time(live.table) if live.table else None:
                await self._host.act(live, TABLE, offer.since, offer.at(0), leased=True)
            else:
                await self._host.note(live, lambda _: clocks.out_of_time(live, self._host.clock.now()), leased=True)
        except (Illegal, NotHeld):
            return  # somebody was faster, or it is another node's business
        except (NotStored, Conflict):
            pass
        if clocks.first_end(live.room) == ends and live.flag is None:  # a full disk, or a turn that is falling
            live.flag = (ends, self._host.clock.after(RETRY_MS, partial(self._out, live, ends)))


def standing(live: Live) -> Limit | None:
    """Return the limit that counts now, whether or not it runs."""
    return clocks.standing(live.room, live.table)
