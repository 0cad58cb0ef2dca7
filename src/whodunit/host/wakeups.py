"""Loads tables that go on with nobody there (a move may take days) before they have something to do."""

from whodunit.core.ports import AT_ONCE
from whodunit.host.host import Host
from whodunit.host.time_limits import SOON_MS


class Wakeups:
    """Wakes the tables of a host's store in time."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def wake_due(self) -> None:
        """Load every table that does something soon, and let it; to be called more often than what is soon lasts."""
        before = self._host.clock.now() + SOON_MS
        soon = await self._host.store.due(before)
        while soon:
            for _, table in soon:
                if live := await self._host.look_up(table):
                    self._host.leases.consider(live)
                    self._host.reconsider(live)
            soon = await self._host.store.due(before, soon[-1]) if len(soon) == AT_ONCE else ()
