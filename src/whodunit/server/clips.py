"""A clip over HTTP: the same bytes for everybody, and for nobody before its moment."""

from contextlib import suppress
from math import ceil
from typing import Final

from aiohttp import web

from whodunit.core.errors import NotStored
from whodunit.core.types import Seat
from whodunit.host import clip_release
from whodunit.host.host import Host
from whodunit.host.live import Live

HEADERS: Final = {"Cache-Control": "private, max-age=3600"}
KEPT_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long after a game's end its clips can be heard."""


async def drop_old(host: Host) -> None:
    """Drop the clips of games that have long been over; what was in them stays."""
    with suppress(NotStored):
        await host.store.drop_blobs(host.clock.now() - KEPT_MS)


async def fetched(host: Host, live: Live, viewer: Seat, id: str) -> web.Response:
    """Answer a viewer who fetches a clip."""
    now = host.clock.now()
    match clip_release.verdict(live, viewer, id, now, host.haste):
        case "unknown":
            return web.Response(status=404, text="There is no such clip.")
        case "early":
            left = clip_release.released(live, live.noises[id], host.haste) - now
            wait = {"Retry-After": str(ceil(left / 1000)), "Cache-Control": "no-store"}
            return web.Response(status=425, text="This has not fallen yet.", headers=wait)
        case "open" if blob := await host.store.blob(live.id, id):
            return web.Response(body=blob.data, content_type=blob.media, headers=HEADERS)
        case _:
            return web.Response(status=410, text="This is not to be heard any more.")
