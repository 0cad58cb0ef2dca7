"""The table as it stood: as one saw it, when the case is closed through any eyes, and late where all have agreed.

Who may look is decided here. What they see is folded and encoded in another process, once for all who look at one
moment with the same eyes, and counts as a thought of whoever asks.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Raw

from whodunit.core.errors import Refusal, StillOpen
from whodunit.core.types import TABLE
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.server import protocol
from whodunit.server.fair_queue import Claim
from whodunit.server.thoughts import Filed, Glance, Late, Retold, glance, open_until
from whodunit.server.workers import Workers
from whodunit.table.replay import Eyes

PART: Final = 64
"""So many records of a case are told at once: whoever has something else to ask waits no longer than for these."""
KEPT_BYTES: Final = 4 * 1024 * 1024
"""How much of what was shown is kept for others who look at the same moment."""
Moment: TypeAlias = tuple[str, Eyes, int]
"""A table, through whose eyes, and after which event: what is seen there never changes."""


class _Folding(NamedTuple):
    """What is being folded, and who waits for it."""

    task: "asyncio.Task[bytes]"
    waiting: set[object]


class History:
    """Shows tables as they stood."""

    def __init__(self, host: Host, workers: Workers) -> None:
        self._host = host
        self._workers = workers
        self._shown: OrderedDict[Moment, bytes] = OrderedDict()
        self._size = 0
        self._folding: dict[Moment, _Folding] = {}

    async def look(self, live: Live, person: str, ask: protocol.Look, claim: Claim) -> Raw:
        """Show the table after an event, through one's own eyes or, if that is open, through others."""
        table = live.table
        if table is None or not 1 <= ask.seq <= table.seq:
            raise Refusal("no_event")
        seat = live.room.seat_of(person)
        own = TABLE if seat is None else seat
        eyes = own if ask.eyes is None else ask.eyes
        is_open = table.closed or (eyes == "all" and ask.seq <= await self._open_until(live, person, claim))
        if eyes != own and not is_open:
            raise StillOpen
        if eyes != "all" and eyes not in table.viewers:
            raise Refusal("no_seat")
        return await self._glance(live, eyes, ask.seq, claim)

    async def peek(self, live: Live, person: str, claim: Claim) -> Raw:
        """Show who watches everything as it stood a while ago: nothing of what has happened since is in it."""
        seq = await self._open_until(live, person, claim)
        if not seq:
            raise Refusal("no_event" if _may_peek(live, person) else "not_agreed")
        return await self._glance(live, "all", seq, claim)

    async def _open_until(self, live: Live, person: str, claim: Claim) -> int:
        """Return up to which event somebody who watches may see all hands; 0: nothing."""
        if live.table is None or not _may_peek(live, person):
            return 0
        late = self._host.clock.now() - round(self._host.haste * manners.LATE_MS)
        job, last = Late(live.id, late), live.table.seq
        seq: int = await recalled(self._host, self._workers, live, last, open_until, job, claim)
        return seq if _may_peek(live, person) else 0  # somebody may have withdrawn meanwhile

    async def _glance(self, live: Live, eyes: Eyes, seq: int, claim: Claim) -> Raw:
        """Return what was shown before, or fold it; whoever wants the same meanwhile waits for that."""
        moment = (live.id, eyes, seq)
        if (shown := self._shown.get(moment)) is not None:
            self._shown.move_to_end(moment)
            return Raw(shown)
        folding = self._folding.get(moment)
        if folding is None:
            job = Glance(live.id, seq, eyes)
            work = recalled(self._host, self._workers, live, seq, glance, job, claim)
            folding = self._folding[moment] = _Folding(asyncio.get_running_loop().create_task(work), set())
            folding.task.add_done_callback(lambda task: self._folded(moment, task))
        me = object()
        folding.waiting.add(me)
        try:
            return Raw(await asyncio.shield(folding.task))
        finally:
            folding.waiting.discard(me)
            if not folding.waiting and self._folding.get(moment) is folding:
                del self._folding[moment]
                folding.task.cancel()

    def _folded(self, moment: Moment, task: "asyncio.Task[bytes]") -> None:
        if task.cancelled() or task.exception() is not None or moment in self._shown:
            return
        self._shown[moment] = task.result()
        self._size += len(task.result())
        while self._size > KEPT_BYTES:
            _, oldest = self._shown.popitem(last=False)
            self._size -= len(oldest)


async def recalled(
    host: Host, workers: Workers, live: Live, seq: int, work: Callable[[Any], Any], job: Any, claim: Claim
) -> Any:
    """Do a work about the past up to an event; where that is done, only what is not known there is read and told."""

    async def tell(after: int) -> Sequence[Retold]:
        records = await host.store.read(live.id, "case", after)
        parts = [records[first : first + PART] for first in range(0, len(records), PART)]
        begins = [after, *(part[-1].last for part in parts)]
        return [
            Retold(live.id, live.game.INFO.id, begin, part[-1].last, tuple(record.body for record in part))
            for begin, part in zip(begins, parts, strict=False)
        ]

    return await workers.recall(live.id, seq, tell, work, job, claim)


def _may_peek(live: Live, person: str) -> bool:
    return live.room.open_hands and live.room.seat_of(person) is None


async def filed(host: Host, live: Live) -> Filed:
    """Return the whole record of a game that is over, as it is stored; StillOpen before."""
    if live.table is None or live.room.header is None or not live.table.closed:
        raise StillOpen("this case is still open")
    records = await host.store.read(live.id, "case")
    blobs = [await host.store.blob(live.id, id) for id in live.noises]
    clips = {blob.id: blob.data for blob in blobs if blob is not None}
    return Filed(live.room.header, live.room.laid.seal, tuple(record.body for record in records), clips)
