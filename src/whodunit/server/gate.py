"""Who may see a table, and all of a case that is closed: the one place that decides it.

A deal that several people play (`room.deal`) is closed to everybody who has not finished it, at whatever table and
whatever they ask. They are refused alike, from who they are and what they have done themselves: nothing of the table is
looked up. A challenge is open to all when its day is over; a duel never is.
"""

from collections.abc import Callable

from whodunit.core.errors import Refusal
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room.entries import SharedDeal
from whodunit.server.tries import ends, tried_on


class Gate:
    """Lets people in."""

    def __init__(self, host: Host, is_suspect: Callable[[], bool] = lambda: False) -> None:
        """Take whether the clock is not to be believed: then no day is over."""
        self._host = host
        self._is_suspect = is_suspect

    async def enter(self, live: Live, person: str) -> None:
        """Refuse whoever may not see the table at all."""
        if live.room.seat_of(person) is not None:
            return
        deal = live.room.deal
        if deal is None:
            if not live.room.may_enter(person):
                raise Refusal("private")
            return
        knows = await self.knows(deal, person)
        if not (knows and _is_closed(live)):  # whoever plays alone is watched by nobody
            raise Refusal("still_played")

    async def may_review(self, live: Live, person: str) -> bool:
        """Say whether somebody who may enter the table may read what came of it."""
        await self.enter(live, person)
        return _is_closed(live)

    async def knows(self, deal: SharedDeal, person: str) -> bool:
        """Say whether the person may know everything of a deal: they have finished it, or it is nobody's any more."""
        if deal.kind == "challenge" and self.is_over(deal.item):
            return True
        leaf = await self._host.store.leaf(deal.kind, deal.item, person)
        if leaf is None or leaf.done:
            return leaf is not None
        own = await self._host.look_up(tried_on(leaf).table)  # it may have ended a moment ago
        return own is not None and _is_closed(own)

    def is_over(self, day: str) -> bool:
        """Say whether the day of a challenge is over."""
        return self._host.clock.now() >= ends(day) and not self._is_suspect()


def _is_closed(live: Live) -> bool:
    return live.table is not None and live.table.closed
