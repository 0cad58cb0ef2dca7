"""Watches the machine's clock: what is done by age alone waits until a second witness says that time has passed."""

import logging
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from whodunit.core.errors import NotStored
from whodunit.core.ports import Store
from whodunit.host.timers import Clock
from whodunit.room.listing import DATED_MS
from whodunit.room.manners import DAY_MS, UNFINISHED_MS

LOG = logging.getLogger(__name__)
APART_MS: Final = 5 * 60 * 1000
"""Two clocks that are further apart do not agree: no machine that sets its clock by others is so wrong."""
TOLD_MS: Final = 60 * 60 * 1000
"""How long it is said that the clock may be wrong. Whoever watches over the house has heard it by then."""
RECENT_MS: Final = DAY_MS + DATED_MS
"""What was stored so long before the start shows that the clock stands about where it stood: lists are not exact."""


class Witnesses(Struct, frozen=True):
    """What speaks for the machine's clock at one moment, all in milliseconds."""

    now: int
    """What it says."""
    lived: int
    """For how long it has run in step with a clock that nobody can set, in this process."""
    database: int | None = None
    """What the clock of the database's machine says; None: that is this machine, or it cannot be asked."""
    newest: int | None = None
    """The newest time that was stored before this process wrote any; None: nothing, or the clock has leapt since."""


def vouched(seen: Witnesses) -> bool:
    """Say whether time has really come to where the machine's clock says it is.

    The clock of another machine decides, where there is one. Otherwise a day of running does, in which somebody would
    have noticed; or what was stored until shortly before the start, by a process that had lived through that time.
    """
    if seen.database is not None:
        return abs(seen.now - seen.database) <= APART_MS
    if seen.lived >= DAY_MS:
        return True
    return seen.newest is not None and -APART_MS <= seen.now - seen.lived - seen.newest <= RECENT_MS


def leapt(wall: int, steady: int) -> int:
    """Return by how much the clock has been set between two looks, of what it says has passed and what really has.

    0: by nothing worth a word.
    """
    return wall - steady if abs(wall - steady) > APART_MS else 0


def steady_ms() -> int:
    """Return the time by a clock that nobody can set, and that goes on while the machine sleeps, where it has one."""
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        if (id := getattr(time, name, None)) is not None:
            return time.clock_gettime_ns(id) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class ClockWatch:
    """Looks at the clock again and again, and says what to think of it."""

    def __init__(self, store: Store, clock: Clock, steady: Callable[[], int] = steady_ms) -> None:
        self._store = store
        self._clock = clock
        self._steady = steady
        self._since = self._looked = (clock.now(), steady())
        """When the clock began to run in step, and when it was last looked at: by it, and by the steady one."""
        self._newest: int | None = None
        self._believed = self._since
        """A moment at which the clock was believed, by it and by the steady one."""
        self._database: int | None = None
        self._asked = self._since[1]
        """When the database was last asked, by the steady clock."""
        self._fault: tuple[int, str] | None = None
        """When something seemed wrong, by the steady clock, and what."""
        self._differs = False

    async def begin(self) -> None:
        """Take in what is stored, before this process stores anything."""
        now = self._clock.now()
        try:
            self._newest = await self._store.newest()
        except NotStored:
            return  # then there is one witness less
        ahead = 0 if self._newest is None else now - self._newest
        if ahead < -APART_MS:
            self._suspect(f"what is stored is {_span(-ahead)} ahead of this machine's clock")
        elif ahead > UNFINISHED_MS:  # as after a holiday: no fault, but the only sign of a clock that is months ahead
            LOG.warning("nothing was stored for %s; what is done by age waits for a day of running", _span(ahead))
        await self.look()

    async def look(self) -> None:
        """Compare the clocks."""
        self._compare()
        try:
            self._database = await self._store.now()
        except NotStored:
            self._database = None
            return
        self._asked = self._steady()
        apart = 0 if self._database is None else self._clock.now() - self._database
        differs = abs(apart) > APART_MS
        if differs and not self._differs:
            way = "ahead of" if apart > 0 else "behind"
            self._suspect(f"this machine's clock is {_span(abs(apart))} {way} the database's")
        self._differs = differs

    def _compare(self) -> None:
        """See whether the clock was set since the last look."""
        now = (self._clock.now(), self._steady())
        before, self._looked = self._looked, now
        if leap := leapt(now[0] - before[0], now[1] - before[1]):
            self._since, self._newest = now, None
            self._suspect(f"this machine's clock was set {'ahead' if leap > 0 else 'back'} by {_span(abs(leap))}")

    @property
    def is_suspect(self) -> bool:
        """Whether the clock may be wrong, at this very moment: then nothing is done by age alone."""
        self._compare()
        return self._differs or self.fault() is not None

    @property
    def is_vouched(self) -> bool:
        """Whether a second witness says that the clock is right: then also what cannot be undone is done by age."""
        if self.is_suspect:
            return False
        now, steady = self._looked
        return vouched(Witnesses(now, steady - self._since[1], self._database, self._newest))

    @property
    def believed(self) -> int:
        """The time by which days begin: what has not come yet stays closed, however the clock is set.

        It is the clock's while that agrees with the database's, or was not set ahead; else what a steady clock makes of
        the time that was believed last, until a day of running vouches for the new one.
        """
        self._compare()
        now, steady = self._looked
        if self._differs and self._database is not None:
            self._believed = (self._database + steady - self._asked, steady)
        told = self._believed[0] + steady - self._believed[1]
        seen = Witnesses(now, steady - self._since[1], self._database, self._newest)
        if not self._differs and (now - told <= APART_MS or vouched(seen)):
            self._believed = (now, steady)
        return self._believed[0] + steady - self._believed[1]

    def fault(self) -> str | None:
        """Say what seemed wrong with the clock lately."""
        if self._fault is None or self._steady() - self._fault[0] >= TOLD_MS:
            return None
        return self._fault[1]

    def _suspect(self, fault: str) -> None:
        self._fault = (self._steady(), f"{fault}: nothing is closed or dropped by age until that is clear")


def _span(milliseconds: int) -> str:
    """Return a length of time in words."""
    minutes = milliseconds // 60_000
    hours, days = minutes // 60, minutes // (24 * 60)
    return f"{days} days" if days > 1 else f"{hours} hours" if hours > 1 else f"{minutes} minutes"
