"""Turns that fall: decided elsewhere, published at a moment that tells nothing, heard one clip after another.

What a turn comes to takes seconds to compute, so no lock is held meanwhile: the room goes on, other acts wait. If the
house stops in between, nothing was acknowledged and the offer still stands.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from whodunit import games
from whodunit.core.errors import BadOptions, Conflict, Illegal, NotHeld, NotStored, Refusal
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Seat
from whodunit.core.wire import blobs_of
from whodunit.host import clip_release
from whodunit.host.live import Live
from whodunit.host.timers import until
from whodunit.room import pauses
from whodunit.room.entries import AnyEntry, Began
from whodunit.room.room import Room
from whodunit.table.case import Header
from whodunit.table.table import Table
from whodunit.tower.schedule import publication

if TYPE_CHECKING:
    from whodunit.host.host import Host

LOG = logging.getLogger(__name__)
TRIES: Final = 8
"""How often a turn falls again because the table has changed meanwhile."""

EXPECTED: Final = (BadOptions, Conflict, Illegal, NotHeld, NotStored, Refusal)

Draws: TypeAlias = Callable[[bytes, int], Rng]
"""Makes the chance of a batch, from the table's seed and the number of its first event."""
Decision: TypeAlias = tuple[Table, Batch]
Decider: TypeAlias = Callable[[str, Callable[[], Decision]], Awaitable[Decision]]
"""Runs a decision for a table, wherever it likes: both what it is given and what it returns can be pickled."""


async def here(_: str, work: Callable[[], Decision]) -> Decision:
    """Decide at once, in this process: for whoever has nobody waiting."""
    return work()


class Falls:
    """Sees the turns of a host's tables through, one at a time for each table."""

    def __init__(
        self,
        host: "Host",
        decide: Decider,
        store: Callable[..., Awaitable[None]],
        catch_up: Callable[[Live], Awaitable[None]],
    ) -> None:
        self._host = host
        self._decide = decide
        self._store = store
        self._catch_up = catch_up
        self._waiting: set[asyncio.Task[None]] = set()
        """What may be given up when the house closes: nothing of it is being stored."""

    async def act(self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False) -> None:
        """Do what the seat wishes when the last clip has been released; what is not on offer is refused at once."""
        _admitted(live, seat, since, action, leased=leased)
        await self._see_through(live, seat, self._act(live, seat, since, action, leased=leased))

    async def begin(self, live: Live, decide: Callable[[Room], tuple[Header, Sequence[AnyEntry]]]) -> None:
        """Deal, if the room still says the same when everything has fallen."""
        decide(live.room)
        await self._see_through(live, TABLE, self._begin(live, decide))

    async def calm(self, live: Live) -> None:
        """Wait until nothing falls at the table and everything that fell may be heard."""
        async with live.turn:
            await until(self._host.clock, clip_release.ends(live, self._host.haste))

    def close(self) -> None:
        """Give up what has not come to an end."""
        for task in self._waiting:
            task.cancel()

    async def _see_through(self, live: Live, seat: Seat, work: Coroutine[Any, Any, None]) -> None:
        """Let it fall, whether or not whoever wished it stays; one wish of each seat at a time."""
        if seat in live.falling:
            work.close()
            raise Conflict(f"seat {seat} of {live.id} has an action that waits")
        live.falling |= {seat}
        task = self._host.spawn(self._alone(live, seat, work))
        self._waiting.add(task)
        task.add_done_callback(self._ended)
        await asyncio.shield(task)

    async def _alone(self, live: Live, seat: Seat, work: Coroutine[Any, Any, None]) -> None:
        try:
            async with live.turn:
                await work
        finally:
            work.close()
            live.falling -= {seat}
            live.wished = None

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._waiting.discard(task)
        if task.cancelled() or isinstance(task.exception(), EXPECTED):
            return
        if error := task.exception():  # whoever wished it may have gone
            LOG.error("a turn did not come to an end: %s", type(error).__name__, exc_info=error)

    async def _act(self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool) -> None:
        asked = live.wished = max(self._host.clock.now(), clip_release.ends(live, self._host.haste))
        await until(self._host.clock, asked)
        for _ in range(TRIES):
            table = _admitted(live, seat, since, action, leased=leased)
            rng = self._host.draws(table.seed, table.seq + 1)
            acting = partial(Table.act, table, seat, since, action, rng, bot=leased and seat != TABLE)
            grown, batch = await self._decide(live.id, acting)
            await self._due(asked, batch)
            async with self._storing(live):
                # There may be a pause by now, which leaves the table as it was.
                is_same = _admitted(live, seat, since, action, leased=leased) is table
                if is_same and await self._stored(live, grown, batch, leased=leased):
                    return
        raise Conflict(f"{live.id} changes faster than a turn falls")

    async def _begin(self, live: Live, decide: Callable[[Room], tuple[Header, Sequence[AnyEntry]]]) -> None:
        asked = self._host.clock.now()
        for _ in range(TRIES):
            header, _entries = decide(live.room)
            laid = live.room.laid
            seed = laid.seal.seed(header.salts)
            options = live.game.INFO.parse(header.seats, laid.options)
            rng = self._host.draws(seed, 1)
            opening = partial(_opened, live.game.INFO.id, header.seats, options, seed, rng)
            table, batch = await self._decide(live.id, opening)
            await self._due(asked, batch)
            async with self._storing(live):
                again, entries = decide(live.room)  # somebody may have sat down, and brought a salt
                began = Began(at=self._host.clock.now(), header=header)
                if again == header and await self._stored(live, table, batch, (*entries, began)):
                    return
        raise Conflict(f"{live.id} changes faster than a turn falls")

    async def _due(self, asked: int, batch: Batch) -> None:
        """Wait for the moment at which this may be published: it depends on what everybody will see, and on no fall."""
        haste, now = self._host.haste, self._host.clock.now()
        drops = sum(len(blobs_of(event)) for event in batch.events)
        if haste > 0:
            seconds = haste * publication(drops, (now - asked) / 1000 / haste)
            await until(self._host.clock, asked + round(1000 * seconds))

    def _storing(self, live: Live) -> asyncio.Lock:
        task = asyncio.current_task()
        assert task is not None
        self._waiting.discard(task)
        return live.lock

    async def _stored(
        self, live: Live, table: Table, batch: Batch, entries: tuple[AnyEntry, ...] = (), *, leased: bool = False
    ) -> bool:
        try:
            await self._store(live, table, batch, entries, leased=leased)
        except Conflict:
            await self._catch_up(live)
            return False
        return True


def _admitted(live: Live, seat: Seat, since: int, action: Action, *, leased: bool) -> Table:
    """Return the table if it goes on and an offer of `since` admits the action, else raise Illegal."""
    table = pauses.played(live, seat, action, leased=leased)
    if not table.admits(seat, since, action):
        raise Illegal(seat, action, table.offers_of(seat))
    return table


def _opened(game: str, seats: int, options: Any, seed: bytes, rng: Rng) -> Decision:
    return Table.open(games.get(game), seats, options, seed, rng)
