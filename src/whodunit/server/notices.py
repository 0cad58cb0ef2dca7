"""Tells players who do not look that it is their turn: that, the game and the table's address, and nothing else."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache
from typing import Any, Final

from whodunit import games
from whodunit.core.errors import Conflict, NotHeld, NotStored, Refusal
from whodunit.core.types import Seat
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.timers import until
from whodunit.room import manners, reminders
from whodunit.room.entries import How, Language
from whodunit.room.room import Hook
from whodunit.server.feeds import GRACE_MS
from whodunit.server.rate_limit import RateLimits
from whodunit.server.webhooks import Courier, Fate
from whodunit.server.words import own_words

SPACING_MS: Final = 30_000
"""No address is told more often than this: what is due meanwhile waits, and is told once."""
TRIES_MS: Final = (0, 5_000, 60_000)
"""After how long a notice that has failed is tried again."""
TRIALS: Final = (0.05, 3)
"""How often a second a person may have an address tried, after so many at once."""


class Notices:
    """Watches who is waited for; what it sends goes out beside the game, and no move waits for it."""

    def __init__(self, host: Host, courier: Courier, address: Callable[[], str]) -> None:
        self._host = host
        self._courier = courier
        self._address = address
        self._trials = RateLimits(*TRIALS)
        self._tasks: set[asyncio.Task[None]] = set()
        host.listeners.append(self._changed)

    async def set(self, live: Live, person: str, url: str | None, language: Language) -> None:
        """Be told there from now on, if a first word arrives; None: nowhere."""
        seat = manners.seated(live.room, person)
        if url is not None:
            url = self._courier.checked(url)
            if not self._trials.admits(person):
                raise Refusal("too_fast")
            if await self._courier.send(url, self._words(live, "notice.hello", language), trial=True) != "delivered":
                raise Refusal("hook_failed")
        now = self._host.clock.now
        await self._host.writer.note(live, lambda room: manners.hook(room, person, url, language, now()))
        if (
            since := reminders.waited_since(live.room, live.table, seat, now())
        ) is not None:  # whoever sets it has seen as much
            await self._host.writer.note(live, lambda room: manners.rung(room, seat, since, "seen", now()))

    def looked(self, live: Live) -> None:
        """Take in that somebody has begun to look at the table, or no longer does."""
        for seat, chair in enumerate(live.room.chairs):
            if chair.hook is None:
                continue
            if self._host.leases.is_looking(live, seat):
                self._see(live, seat)
            elif (
                live.noticed.get(seat)
                == reminders.waited_since(live.room, live.table, seat, self._host.clock.now())
                is not None
            ):
                self._spawn(self._remember(live, seat, live.noticed[seat]))  # the next who asks may be another process

    def sweep(self) -> None:
        """Look once more at every table in memory: the house may have been shut when somebody was to be told."""
        for live in [*self._host.tables.values()]:
            self._consider(live)

    async def close(self) -> None:
        """Tell nobody any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._courier.close()

    def _changed(self, change: Change) -> None:
        live = change.live
        if not [chair for chair in live.room.chairs if chair.hook]:
            return  # as at most tables
        for batch in change.batches:
            # Who has just done something knows what comes next; an answer may be the house's doing.
            if batch.cause is not None and type(batch.cause.action) not in live.game.INFO.answers:
                self._see(live, batch.cause.seat)
        self._consider(live)

    def _see(self, live: Live, seat: Seat) -> None:
        since = reminders.waited_since(live.room, live.table, seat, self._host.clock.now()) if seat >= 0 else None
        if since is not None and live.room.chairs[seat].hook is not None:
            live.noticed[seat] = since

    def _consider(self, live: Live) -> None:
        for seat, chair in enumerate(live.room.chairs):
            if chair.hook is None or seat in live.reminding or self._due(live, seat) is None:
                continue
            if self._host.leases.is_looking(live, seat):
                self._see(live, seat)
            elif self._host.leases.holds(live):
                live.reminding |= {seat}
                self._spawn(self._call(live, seat))

    def _due(self, live: Live, seat: Seat) -> tuple[int, Hook] | None:
        """Return of what the seat's player should be told, and where."""
        hook = live.room.chairs[seat].hook
        since = reminders.waited_since(live.room, live.table, seat, self._host.clock.now())
        if hook is None or since is None or since <= max(hook.since, live.noticed.get(seat, 0)):
            return None
        return since, hook

    async def _call(self, live: Live, seat: Seat) -> None:
        before = 0
        try:
            while (due := self._due(live, seat)) is not None and due[0] > before and self._is_ours(live, seat):
                before, hook = due
                # Whoever looks again soon, as after loading the page anew, is told nothing.
                await self._rest(max(GRACE_MS, hook.at + SPACING_MS - self._host.clock.now()))
                if fate := await self._told(live, seat, before):
                    await self._remember(live, seat, before, "sent" if fate == "delivered" else "failed")
        finally:
            live.reminding -= {seat}

    def _is_ours(self, live: Live, seat: Seat) -> bool:
        """Say whether the player does not look, and it is this node's business to tell them."""
        return not self._host.leases.is_looking(live, seat) and self._host.leases.holds(live)

    async def _told(self, live: Live, seat: Seat, since: int) -> Fate | None:
        """Tell it, as often as it fails and is still true; None: it no longer is."""
        fate: Fate | None = None
        for wait in TRIES_MS:
            await self._rest(wait)
            due = self._due(live, seat)
            if due is None or due[0] != since or not self._is_ours(live, seat):
                return None
            fate = await self._courier.send(due[1].url, self._words(live, "notice.your_turn", due[1].language))
            if fate != "failed":
                break
        return fate

    async def _rest(self, milliseconds: int) -> None:
        await until(self._host.clock, self._host.clock.now() + round(self._host.haste * milliseconds))

    async def _remember(self, live: Live, seat: Seat, since: int, how: How = "seen") -> None:
        now = self._host.clock.now()
        with suppress(NotStored, Conflict, NotHeld):  # then it is told once more
            await self._host.writer.note(live, lambda room: manners.rung(room, seat, since, how, now))

    def _words(self, live: Live, key: str, language: Language) -> str:
        link = f"{self._address()}/t/{live.id}"
        return own_words(language)[key].format(game=_name(live.room.laid.game, language), link=link)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@cache
def _name(game: str, language: Language) -> str:
    return games.texts(game, language)["name"]
