"""The table as it stood: as one saw it, when the case is closed through any eyes, and late where all have agreed.

Who may look is decided here. What they see is folded and encoded in another process, once for all who look at one
moment with the same eyes, and counts as a thought of whoever asks.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Raw

from whodunit.core.errors import Refusal, StillOpen
from whodunit.core.types import TABLE, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.server import protocol
from whodunit.server.fair_queue import Claim, Stake
from whodunit.server.feeds import Page
from whodunit.server.gate import Gate
from whodunit.server.thoughts import Chronicle, Filed, Glance, Late, Retold, chronicle, glance, open_until
from whodunit.server.workers import Workers
from whodunit.table.replay import Eyes

PART: Final = 64
"""So many records or events are told at once: whoever has something else to ask waits no longer than for these."""
KEPT_BYTES: Final = 4 * 1024 * 1024
"""How much of what was shown is kept for others who look at the same moment."""
Wish: TypeAlias = Glance | Chronicle
"""What is seen of a table's past: it never changes."""


class _Folding(NamedTuple):
    """What is being folded, and who waits for it."""

    task: "asyncio.Task[bytes]"
    waiting: set[object]


class History:
    """Shows tables as they stood."""

    def __init__(self, host: Host, workers: Workers, gate: Gate) -> None:
        self._gate = gate
        self._host = host
        self._workers = workers
        self._shown: OrderedDict[Wish, bytes] = OrderedDict()
        self._size = 0
        self._folding: dict[Wish, _Folding] = {}

    async def look(self, live: Live, person: str, ask: protocol.Look, claim: Claim) -> Raw:
        """Show the table after an event, through one's own eyes or, if that is open, through others."""
        table = live.table
        if table is None or not 1 <= ask.seq <= table.seq:
            raise Refusal("no_event")
        seat = live.room.seat_of(person)
        own = TABLE if seat is None else seat
        eyes = own if ask.eyes is None else ask.eyes
        is_closed = await self._gate.may_review(live, person)
        is_open = is_closed or (eyes == "all" and ask.seq <= await self._open_until(live, person, claim))
        if eyes != own and not is_open:
            raise StillOpen
        if eyes != "all" and eyes not in table.viewers:
            raise Refusal("no_seat")
        return await self._glance(live, eyes, ask.seq, claim, closed=is_closed)

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

    async def told(self, page: Page, live: Live, viewer: Seat, after: int, until: int) -> bytes:
        """Return what a viewer is told of the events behind one up to another, encoded, with commas in between.

        In parts that begin at the same events for everybody: those are shared, and nobody waits long behind one.
        """
        claim = Claim(Stake.PERSON, frozenset({page.household}), page.person)
        cuts = [after, *range(after - after % PART + PART, until, PART), until]
        game, untimed = live.game.INFO.id, live.untimed
        parts = [Chronicle(live.id, game, viewer, first, last, untimed) for first, last in pairwise(cuts)]
        return b",".join(await asyncio.gather(*(self._shared(live, part.until, part, claim) for part in parts)))

    async def _glance(self, live: Live, eyes: Eyes, seq: int, claim: Claim, *, closed: bool = False) -> Raw:
        return Raw(await self._shared(live, seq, Glance(live.id, seq, eyes, closed), claim))

    async def _shared(self, live: Live, seq: int, wish: Wish, claim: Claim) -> bytes:
        """Return what was made before, or make it; whoever wants the same meanwhile waits for that."""
        if (shown := self._shown.get(wish)) is not None:
            self._shown.move_to_end(wish)
            return shown
        folding = self._folding.get(wish)
        if folding is None:
            work = glance if isinstance(wish, Glance) else chronicle
            making = recalled(self._host, self._workers, live, seq, work, wish, claim)
            folding = self._folding[wish] = _Folding(asyncio.get_running_loop().create_task(making), set())
            folding.task.add_done_callback(lambda task: self._made(wish, task))
        me = object()
        folding.waiting.add(me)
        try:
            return await asyncio.shield(folding.task)
        finally:
            folding.waiting.discard(me)
            if not folding.waiting and self._folding.get(wish) is folding:
                del self._folding[wish]
                folding.task.cancel()

    def _made(self, wish: Wish, task: "asyncio.Task[bytes]") -> None:
        if task.cancelled() or task.exception() is not None or wish in self._shown:
            return
        self._shown[wish] = task.result()
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


async def filed(host: Host, live: Live, untimed: int = 0) -> Filed:
    """Return the whole record of a game that is over, as it is stored; StillOpen before.

    What happened before `untimed` is to be told without its time.
    """
    if live.table is None or live.room.header is None or not live.table.closed:
        raise StillOpen("this case is still open")
    records = await host.store.read(live.id, "case")
    blobs = [await host.store.blob(live.id, id) for id in live.noises]
    clips = {blob.id: blob.data for blob in blobs if blob is not None}
    return Filed(live.room.header, live.room.laid.seal, tuple(record.body for record in records), clips, untimed)
