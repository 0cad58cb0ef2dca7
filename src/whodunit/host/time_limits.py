"""What time does if nobody acts before, to the game or to a player's seat: at rest while the table sleeps or pauses."""

from functools import partial

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.types import TABLE
from whodunit.host import clip_release
from whodunit.host.leases import TableLeases
from whodunit.host.live import Live
from whodunit.host.moves import Moves
from whodunit.host.tasks import Tasks, quietly
from whodunit.host.timers import RETRY_MS
from whodunit.host.writer import Writer
from whodunit.room import clocks, pace
from whodunit.room.entries import AnyEntry
from whodunit.room.room import Limit, Room

SOON_MS = 150_000
"""A table that never sleeps sets no timer for what comes later: it is looked up in the store until then."""


class TimeLimits:
    """Sets the timers of a host's tables, for what TABLE is offered and for whose time runs out, and acts for them."""

    def __init__(self, writer: Writer, moves: Moves, leases: TableLeases, tasks: Tasks) -> None:
        self._writer = writer
        self._moves = moves
        self._leases = leases
        self._tasks = tasks
        self._clock = writer.clock

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
        if live.waking and self._leases.holds(live):
            self._tasks.spawn(quietly(self.wake(live)))
        elif self._is_stopped(live) and self._leases.holds(live):  # another node let it stand still
            self._tasks.spawn(quietly(self.wake(live, stopped=True)))
        if ends is not None and live.limit is None:
            wait = max(0, ends - self._clock.now())
            if wait <= SOON_MS or not live.room.tireless:
                live.limit = (ends, self._clock.after(wait, partial(self._ring, live, ends)))

    def _ends(self, live: Live) -> int | None:
        limit = standing(live)
        if limit is None or not self._runs(live):
            return None
        assert live.table is not None
        # A bot thinks as long as it thinks: what it does must be its own.
        return None if any(map(live.bot_level, live.table.awaiting)) else limit.ends

    def _ring(self, live: Live, ends: int) -> None:
        if not self._tasks.closing:
            self._tasks.spawn(self._act_by_time(live, ends))

    async def _act_by_time(self, live: Live, ends: int) -> None:
        if live.limit is None or live.limit[0] != ends:
            return
        live.limit = None
        offer = pace.by_time(live.table) if live.table else None
        if offer is None or self._ends(live) != ends:
            return
        try:
            await self._moves.act(live, TABLE, offer.since, offer.at(0), leased=True)
        except (Illegal, NotHeld):
            return  # somebody was faster, or it is another node's business
        except (NotStored, Conflict):
            live.limit = (ends, self._clock.after(RETRY_MS, partial(self._ring, live, ends)))

    async def wake(self, live: Live, *, stopped: bool = False) -> None:
        """Let time run on; what ran when the house was shut has stood still since the last thing it wrote down."""
        live.waking = not self._leases.holds(live) and not stopped
        if not self._leases.holds(live):
            return

        def on(room: Room) -> list[AnyEntry]:
            if not live.awake or live.stage != "playing" or room.paused is not None:
                return []
            if stopped and not self._is_stopped(live):
                return []
            heard = clip_release.heard(live, self._writer.haste)
            return clocks.started(room, standing(live), self._clock.now(), heard)

        await self._writer.note(live, on, leased=True)

    async def rest(self, live: Live, *, shut: bool = False) -> None:
        """Let time stand still: nobody who plays here is there. Shut: since the last thing the house wrote down."""
        live.waking = False
        if not self._leases.holds(live):
            return

        def off(room: Room) -> list[AnyEntry]:
            at = max(room.at, live.moved) if shut else self._clock.now()
            return [] if live.awake else clocks.stilled(room, standing(live), at)

        await self._writer.note(live, off, leased=True)

    def recover(self, live: Live) -> None:
        """Let stand still what ran when the house was shut, before whoever comes first has anything written down."""
        limit, watch = standing(live), live.room.watch
        runs = (limit is not None and limit.ends is not None) or (watch is not None and watch.at is not None)
        if runs and not live.awake and live.stage == "playing" and self._leases.holds(live):
            self._tasks.spawn(quietly(self.rest(live, shut=True)))

    def _runs(self, live: Live) -> bool:
        return live.awake and live.room.paused is None and self._leases.holds(live)

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
        wait = max(0, ends - self._clock.now())
        if wait <= SOON_MS or not live.room.tireless:
            live.flag = (ends, self._clock.after(wait, partial(self._out, live, ends)))

    def _out(self, live: Live, ends: int) -> None:
        if not self._tasks.closing:
            self._tasks.spawn(self._run_out(live, ends))

    async def _run_out(self, live: Live, ends: int) -> None:
        """Do what the game offers TABLE for it, or let the stand-in make the move."""
        if live.flag is None or live.flag[0] != ends:
            return
        live.flag = None
        if not self._runs(live) or clocks.first_end(live.room) != ends:
            return
        try:
            if offer := pace.by_time(live.table) if live.table else None:
                await self._moves.act(live, TABLE, offer.since, offer.at(0), leased=True)
            else:
                await self._writer.note(live, lambda room: self._lapsed(live, room), leased=True)
        except (Illegal, NotHeld):
            return  # somebody was faster, or it is another node's business
        except (NotStored, Conflict):
            pass
        if clocks.first_end(live.room) == ends and live.flag is None:  # a full disk, or a move that is being decided
            live.flag = (ends, self._clock.after(RETRY_MS, partial(self._out, live, ends)))

    def _lapsed(self, live: Live, room: Room) -> list[AnyEntry]:
        return clocks.out_of_time(room, self._clock.now(), there=live.present, moving=live.deciding)


def standing(live: Live) -> Limit | None:
    """Return the limit that counts now, whether or not it runs."""
    return clocks.standing(live.room, live.table)
