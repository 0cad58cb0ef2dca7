"""What the house does by the clock alone: it closes games that nobody plays on, and clears the hall.

Whether the clock is to be believed is not asked here: see clock_watch.py.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from whodunit.core.errors import NotStored
from whodunit.core.ports import AT_ONCE
from whodunit.host.host import Host
from whodunit.host.tasks import quietly
from whodunit.room import manners

LOG = logging.getLogger(__name__)


@contextmanager
def survived(step: str) -> Iterator[None]:
    """Let a sweep go on whatever becomes of one step of it: the next sweep tries it again."""
    try:
        yield
    except NotStored:
        LOG.warning("the sweep of %s found no database", step)
    except Exception:
        LOG.exception("the sweep of %s failed", step)


async def close_unfinished(host: Host, next_looks: dict[str, int]) -> None:
    """Announce that games in which nothing happens any more are going to be closed, and close them after the grace.

    Whoever could read such a table may see everything then. `next_looks` keeps when a table is worth reading again: one
    that has been announced is not read every hour for a week.
    """
    now = host.clock.now()
    before, kept = now - manners.UNFINISHED_MS + 1, dict(next_looks)
    next_looks.clear()
    listings = await host.store.unfinished(before)
    while listings:
        for listing in listings:
            look = kept.get(listing.table)
            if look is None or not look - manners.DAY_MS <= now < look:
                look = await _closed(host, listing.table, now)
            if look is not None:
                next_looks[listing.table] = look
        listings = await host.store.unfinished(before, listings[-1]) if len(listings) == AT_ONCE else ()


async def _closed(host: Host, table: str, now: int) -> int | None:
    """Announce or close one game, if it is time; return when to look again, None: when it is listed."""
    live = await host.look_up(table)
    if live is None:
        return None
    # Joint: a move through another node may come first, and then there is nothing to close.
    await quietly(host.writer.note(live, lambda room: manners.abandon(room, live.at, now), joint=True))
    told = manners.closing(live.room, live.at, now)
    return None if told is None else told.at + manners.DAY_MS


async def clear_hall(host: Host, next_looks: dict[str, int]) -> None:
    """Take tables out of the hall whose host has been gone for too long; they come back with the host.

    `next_looks` keeps when a table that is not in memory is worth reading again: else each would be read every minute.
    """
    now, kept = host.clock.now(), dict(next_looks)
    next_looks.clear()
    listings = await host.store.gathering()
    while listings:
        for listing in listings:
            look = kept.get(listing.table, 0)
            if listing.table in host.tables or not now < look <= now + manners.HOSTLESS_MS:
                look = await _withdrawn(host, listing.table, now)
            next_looks[listing.table] = look
        listings = await host.store.gathering(listings[-1]) if len(listings) == AT_ONCE else ()


async def _withdrawn(host: Host, table: str, now: int) -> int:
    """Take one table out of the hall, if it is time; return when to look again."""
    live = await host.look_up(table)
    if live is None or (live.room.host is not None and host.leases.there(live, live.room.host)):
        return now + manners.HOSTLESS_MS
    await quietly(host.writer.note(live, lambda room: manners.withdraw(room, now)))
    return manners.hostless_at(live.room)
