"""Reviews of closed cases: a part at a time, made once for all who read it and kept for those who come later.

They are made in a process of their own, some batches at a time. Households take turns there, as everywhere; what was
asked for last within a household comes first, and of a case the seat of whoever asks. Of a game that is still played
there is nothing: it is refused before anything is looked up, so that neither time nor size nor the store can tell.
"""

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple

from msgspec import Raw

from whodunit.core.errors import NotStored, Refusal, StillOpen
from whodunit.core.types import TABLE, Game
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.review import VERSION
from whodunit.review.fitted import FITTED
from whodunit.server.fair_queue import Claim, Stake
from whodunit.server.gate import Gate
from whodunit.server.history import filed
from whodunit.server.reviewing import CASES, Opened, PartName, Unknown, Wanted, open_case, read_on, unpacked
from whodunit.server.thoughts import LostMemory
from whodunit.server.workers import Workers

LOG = logging.getLogger(__name__)
KEPT_BYTES: Final = 4 * 1024 * 1024
"""How much of what was made is kept here: for whoever reads it next, and where the disk will not take it."""
AT_ONCE: Final = CASES // 2
"""So many households' reviews are read side by side: the process must not forget one while it reads the others."""
DEATHS: Final = 3
"""A part of which the process dies so often is given up."""


_FITTED: Final = sha256(encode(FITTED)).hexdigest()[:16]


def version_of(game: Game) -> str:
    """Return what a review depends on besides its case: what is kept under another version is made again."""
    return f"{VERSION}/{game.INFO.rules}/{_FITTED}"


class _Key(NamedTuple):
    table: str
    part: str


class _Reader(NamedTuple):
    """Somebody who waits for a part."""

    number: int
    household: str


class _Making:
    """A part that is being made, and who waits for it."""

    def __init__(self, live: Live, part: PartName, number: int) -> None:
        self.live = live
        self.part = part
        self.number = number
        self.is_own = False
        """Whether somebody waits for it whose own game it is about."""
        self.readers: list[_Reader] = []
        self.done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.deaths = 0

    @property
    def household(self) -> str:
        """On whose account it is made: of whoever asked last."""
        return max(self.readers).household


class Reviews:
    """Has reviews made, and keeps them."""

    def __init__(self, host: Host, workers: Workers, gate: Gate) -> None:
        self._gate = gate
        self._host = host
        self._workers = workers
        self._made: OrderedDict[_Key, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[_Key, _Making] = {}
        self._asked: dict[str, int] = {}
        """By table of which something is being made: when somebody last asked for it."""
        self._numbers = count()
        self._desks: dict[str, asyncio.Task[None]] = {}
        """By household: what makes its parts, one after the other."""
        self._places = asyncio.Semaphore(AT_ONCE)

    async def read(self, live: Live, person: str, household: str, part: PartName) -> Raw:
        """Return a part of the review of a closed case, when it is ready."""
        if not await self._gate.may_review(live, person):
            raise StillOpen
        assert live.table is not None
        if part != "whole" and part not in live.table.viewers:
            raise Refusal("no_seat")
        key = _Key(live.id, str(part))
        body = self._made.get(key) or await self._kept(live, key)
        if body is None:
            seat = live.room.seat_of(person)
            body = await self._wait(live, part, household, is_own=part == (TABLE if seat is None else seat))
        return Raw(unpacked(body))

    async def _kept(self, live: Live, key: _Key) -> bytes | None:
        with suppress(NotStored):
            return await self._host.store.review(live.id, version_of(live.game), key.part)
        return None

    async def _wait(self, live: Live, part: PartName, household: str, *, is_own: bool) -> bytes:
        """Wait for a part with all others who do; if nobody does any more, it is not made."""
        key, number = _Key(live.id, str(part)), next(self._numbers)
        if (made := self._made.get(key)) is not None:  # while the store was asked
            return made
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = _Making(live, part, number)
        making.is_own |= is_own
        self._asked[live.id] = number
        me = _Reader(number, household)
        making.readers.append(me)
        self._see_to(making.household)
        try:
            return await asyncio.shield(making.done)
        finally:
            making.readers.remove(me)
            if not making.readers:
                self._forget(key, making)
            elif not making.done.done():
                self._see_to(making.household)

    def _forget(self, key: _Key, making: _Making) -> None:
        if self._making.get(key) is making:
            del self._making[key]
            making.done.cancel()
            if not any(other.table == key.table for other in self._making):
                del self._asked[key.table]

    # --- In which order ---

    def _see_to(self, household: str) -> None:
        if household not in self._desks:
            self._desks[household] = asyncio.get_running_loop().create_task(self._serve(household))

    async def _serve(self, household: str) -> None:
        """Make what a household waits for, as long as it does."""
        try:
            while self._next(household) is not None:
                async with self._places:
                    while (making := self._next(household)) is not None and not await self._read_on(making, household):
                        pass
        finally:
            del self._desks[household]

    def _next(self, household: str) -> _Making | None:
        """Return what comes first: of the case that was asked for last the asker's own part, then the others."""
        mine = [making for making in self._making.values() if making.readers and making.household == household]
        return max(mine, key=self._rank, default=None)

    def _rank(self, making: _Making) -> tuple[int, bool, int]:
        return self._asked[making.live.id], making.is_own, -making.number

    # --- How it is made ---

    async def _read_on(self, making: _Making, household: str) -> bool:
        """Have some batches read on for a part; say whether that has come to an end, good or bad."""
        live, claim = making.live, Claim(Stake.SPARE, frozenset({household}), making.live.id)
        try:
            body = await self._workers.review(read_on, Wanted(live.id, making.part), claim)
            if isinstance(body, Unknown):
                body = await self._workers.review(open_case, Opened(live.id, await filed(self._host, live)), claim)
            if isinstance(body, LostMemory):
                making.deaths += 1
                if making.deaths == DEATHS:
                    raise RuntimeError(f"the process for reviews dies of {live.id}")  # noqa: TRY301  (as any other fault)
        except Exception as error:  # noqa: BLE001  (whoever waits for it is told, and the next one has its turn)
            self._end(making, error)
            return True
        if not isinstance(body, bytes):
            return False
        self._end(making, body)
        try:
            await self._host.store.keep_review(live.id, version_of(live.game), str(making.part), body)
        except NotStored:
            pass  # it stays here as long as there is room
        except Exception:
            LOG.exception("a review was not kept")  # a bug, and what else the household waits for is made all the same
        return True

    def _end(self, making: _Making, fate: bytes | Exception) -> None:
        key = _Key(making.live.id, str(making.part))
        if isinstance(fate, bytes):
            self._keep(key, fate)
        if making.done.done():
            return
        if isinstance(fate, bytes):
            making.done.set_result(fate)
        else:
            making.done.set_exception(fate)
            making.done.exception()  # all who waited may be gone
        self._forget(key, making)

    def _keep(self, key: _Key, body: bytes) -> None:
        self._size += len(body) - len(self._made.pop(key, b""))
        self._made[key] = body
        while self._size > KEPT_BYTES:
            _, oldest = self._made.popitem(last=False)
            self._size -= len(oldest)

    async def close(self) -> None:
        """Make nothing more."""
        tasks = [*self._desks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
