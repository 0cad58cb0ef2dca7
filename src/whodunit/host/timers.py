"""The server's clock and its timers, as an argument: so that waiting can be tested without waiting."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

RETRY_MS: Final = 1000
"""After how long something is tried again that the disk would not take."""


class Timer(Protocol):
    def cancel(self) -> None:
        """Forget it; harmless when it has rung."""


class Clock(Protocol):
    def now(self) -> int:
        """Return the time in milliseconds since 1970."""

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Timer:
        """Call `ring` on the event loop when so much time has passed."""


class WallClock:
    """The real one."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_later(milliseconds / 1000, ring)


async def until(clock: Clock, moment: int) -> None:
    """Wait until the clock says so."""
    wait = moment - clock.now()
    if wait <= 0:
        return
    rung = asyncio.Event()
    timer = clock.after(wait, rung.set)
    try:
        await rung.wait()
    finally:
        timer.cancel()
