"""What the house does by the clock alone: it closes games that nobody plays on, and clears the hall."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from whodunit.core.errors import NotStored
from whodunit.core.ports import AT_ONCE
from whodunit.host.host import Host
from whodunit.host.live import Live
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


async def close_unfinished(host: Host) -> None:
    """Close the games whose last move is too long ago; whoever could read such a table may now see everything."""
    for listing in await host.store.unfinished(host.clock.now() - manners.UNFINISHED_MS + 1):
        if live := await host.look_up(listing.table):
            await quietly(_closed(host, live))


async def _closed(host: Host, live: Live) -> None:
    # Joint: a move through another node may come first, and then there is nothing to close.
    await host.writer.note(live, lambda room: manners.abandon(room, live.moved, host.clock.now()), joint=True)


async def clear_hall(host: Host) -> None:
    """Take tables out of the hall whose host has been gone for too long; they come back with the host."""
    listings = await host.store.gathering()
    while listings:
        for listing in listings:
            live = await host.look_up(listing.table)
            if live and (live.room.host is None or not host.leases.there(live, live.room.host)):
                await quietly(host.writer.note(live, lambda room: manners.withdraw(room, host.clock.now())))
        listings = await host.store.gathering(listings[-1]) if len(listings) == AT_ONCE else ()
