"""The hall: open tables for everybody, and each person's own, kept up to date on every page that shows them."""

import asyncio
import logging
from collections.abc import Sequence

from whodunit.core.errors import Damaged, NotStored
from whodunit.core.ports import HALL, Listing
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.room import manners
from whodunit.room.entries import Aside
from whodunit.server import frames, protocol
from whodunit.server.feeds import Page
from whodunit.server.limits import USUAL, Limits

LOG = logging.getLogger(__name__)
SHOWN = 24
"""How many tables a list shows."""
ROUND_S = 0.25
"""How long everybody who has been told is left alone."""
DEAF_S = 1.0
"""After how long a hall that no longer hears other nodes listens again."""


class Lobby:
    """Tells the pages in the hall what can be joined and where they are expected."""

    def __init__(self, host: Host, limits: Limits = USUAL) -> None:
        self._host = host
        self._places = limits.hall_places
        self._pages: list[Page] = []
        self._stale = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        host.listeners.append(self._changed)

    async def enter(self, page: Page) -> None:
        """Show the page the hall, and from now on every change in it."""
        if page not in self._pages:
            self._pages.append(page)
        page.send(encode(await self._shown(page.person, await self._open())))
        if not self._tasks:
            loop = asyncio.get_running_loop()
            self._tasks = [loop.create_task(self._keep_up()), loop.create_task(self._listen())]

    async def show_again(self, page: Page) -> None:
        """Show the page the hall anew, if it is there: it has missed something."""
        if page in self._pages:
            await self.enter(page)

    def leave(self, page: Page) -> None:
        """The page shows something else now."""
        if page in self._pages:
            self._pages.remove(page)

    async def close(self) -> None:
        """Stop telling."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _changed(self, change: Change) -> None:
        live = change.live
        if not self._pages or not (change.batches or any(not isinstance(e, Aside) for e in change.entries)):
            return
        mine = any(page.person in live.room.people for page in self._pages)
        if mine or live.room.gathering or any(batch.seq == 1 for batch in change.batches):
            self._stale.set()

    async def _listen(self) -> None:
        """Hear of tables that stand otherwise in lists because of another node; whatever happens, listen again."""
        while True:
            try:
                async for _ in self._host.bus.listen(HALL):
                    self._stale.set()
            except Exception:
                LOG.exception("the hall hears no other node")
                await asyncio.sleep(DEAF_S)
                self._stale.set()  # something may have been missed
            else:
                return  # there is no other node

    async def _keep_up(self) -> None:
        """Tell everybody, at most a few times a second however much happens."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                await self._tell()
            except NotStored:
                self._stale.set()
                await asyncio.sleep(ROUND_S)
            except Exception:
                LOG.exception("a round through the hall failed")
            await asyncio.sleep(ROUND_S * min(1.0, self._host.haste))

    async def _tell(self) -> None:
        everybody = await self._open()
        for page in [*self._pages]:
            page.send(encode(await self._shown(page.person, everybody)))

    async def _open(self) -> list[Live]:
        return await self._lives(await self._host.store.gathering(each=self._places))

    async def _shown(self, person: str, everybody: list[Live]) -> protocol.LobbyFrame:
        try:
            listings = await self._host.store.of_person(person)
        except Damaged as damage:
            listings = damage.rest
        mine = await self._lives(listings)
        now = self._host.clock.now()
        old = now - manners.UNFINISHED_MS
        seated = [live for live in mine if live.room.seat_of(person) is not None and (live.table or live.at > old)]
        joinable = [live for live in everybody if any(chair.free for chair in live.room.chairs)]
        return protocol.LobbyFrame(
            open=tuple(frames.listed(live, person, now) for live in joinable if live not in seated),
            mine=tuple(frames.listed(live, person, now) for live in seated),
            shelved=self._shelved(listings),
        )

    async def _lives(self, listings: Sequence[Listing]) -> list[Live]:
        """Return the first tables that can be shown: what cannot be read takes nobody's place."""
        lives: list[Live] = []
        for listing in listings:
            if len(lives) == SHOWN:
                break
            if live := await self._host.look_up(listing.table):
                lives.append(live)
        return lives

    def _shelved(self, listings: Sequence[Listing]) -> tuple[protocol.Shelved, ...]:
        games = [(listing.table, self._host.shelved(listing.table)) for listing in listings]
        return tuple(protocol.Shelved(table, game) for table, game in games if game is not None)[:SHOWN]
