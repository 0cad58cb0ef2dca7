"""Processes for what takes long, so that it never runs on the event loop; `thoughts` says what that is.

A table's thoughts always go to the same process, which remembers the table's bots, beliefs and past. A process is given
one thought at a time; the others wait here, where `fair_queue` says which is next.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

from whodunit.core.errors import NoProcess
from whodunit.deduce.native import leave_the_word_to_the_parent
from whodunit.server.fair_queue import Claim, FairQueue, Stake
from whodunit.server.thoughts import (
    Filed,
    LostMemory,
    Ponder,
    Retold,
    Think,
    check,
    decided,
    exercise,
    file_of,
    hinted,
    reckoned,
    retell,
    retried,
    think,
    warm,
)
from whodunit.table.verify import Statement

T = TypeVar("T")
LOG = logging.getLogger(__name__)
PATIENCE_S: Final = 5.0
"""How long a thought waits for a process that cannot be started before it is refused."""
FIRST_WAIT_S: Final = 0.1
MAKING_S: Final = 900.0
"""How long the making of a case may take: it is a search, and one that finds nothing must not go on for ever."""
LONGEST_WAIT_S: Final = 10.0
"""After how long a process that could not be started is tried again: at first, and at most."""
COSTS: Final[Mapping[Callable[..., Any], int]] = {
    hinted: 4,
    retried: 4,
    reckoned: 4,
    exercise: 8,
    file_of: 8,
    check: 64,
}
"""What a thought counts in its household's share, by its kind; all others count once."""


class Process:
    """One process, begun when it is first needed and anew when it has died, and who waits for it."""

    def __init__(self) -> None:
        self.fault: str | None = None
        """Why it cannot be started; it is tried again and again."""
        self._pool: ProcessPoolExecutor | None = None
        self._starting: asyncio.Task[ProcessPoolExecutor] | None = None
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue()
        self._taken: asyncio.AbstractEventLoop | None = None
        """Where somebody has the turn; None: nobody has."""
        self._thought: asyncio.Future[Any] | None = None
        """What it has been given: if nobody waits for that any more, it is thought to its end all the same."""
        self._load = 0
        """How many thoughts want it."""
        self._since = 0.0
        """Since when some do."""
        self._worked = 0.0

    @property
    def worked(self) -> float:
        """For how many seconds it has had something to think."""
        return self._worked + (time.monotonic() - self._since if self._load else 0.0)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count one more thought while it lasts."""
        if not self._load:
            self._since = time.monotonic()
        self._load += 1
        try:
            yield
        finally:
            self._load -= 1
            if not self._load:
                self._worked += time.monotonic() - self._since

    # --- Whose turn it is ---

    @asynccontextmanager
    async def turn(self, claim: Claim, cost: int) -> AsyncIterator[None]:
        """Wait until it may be given something, and let the next one have it afterwards."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._queue.put(claim, cost, mine)
        if self._taken is None or self._taken.is_closed():
            self._next()
        if not mine.done():
            self._lose_patience_later(loop, mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # its turn came at that very moment
                self._end_turn()
            raise
        try:
            yield
        finally:
            self._end_turn()

    def _next(self) -> None:
        self._taken = self._thought = None
        while self._queue:
            mine = self._queue.pop()
            if not mine.done():
                self._taken = mine.get_loop()
                mine.set_result(None)
                return

    def _end_turn(self) -> None:
        """Let the next one have it, as soon as it has thought to its end what it was given."""
        if self._thought is not None and not self._thought.done():
            self._thought.add_done_callback(lambda _: self._next())
        else:
            self._next()

    def _lose_patience_later(self, loop: asyncio.AbstractEventLoop, mine: "asyncio.Future[None]") -> None:
        def lose_patience() -> None:
            if mine.done():
                return
            if self.fault is None:  # others are before it, and it will be its turn
                self._lose_patience_later(loop, mine)
            else:
                mine.set_exception(NoProcess(self.fault))

        loop.call_later(PATIENCE_S, lose_patience)

    # --- What it is given ---

    async def think(self, work: Callable[[Any], Any], job: Any) -> Any:
        """Give it something, whoever's turn it is; return LostMemory if it dies meanwhile."""
        pool = await self._started()
        try:
            self._thought = asyncio.wrap_future(pool.submit(work, job))
            self._thought.add_done_callback(_seen)
            return await asyncio.shield(self._thought)
        except BrokenProcessPool:
            # Its memory is gone; the caller is told so, and tells everything again.
            if self._pool is pool:
                self._pool = None
                pool.shutdown(wait=False)
            return LostMemory()

    async def _started(self) -> ProcessPoolExecutor:
        if self._pool is not None:
            return self._pool
        if self._starting is None or self._starting.done() or self._starting.get_loop().is_closed():
            self._starting = asyncio.get_running_loop().create_task(self._start())
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(self._starting), PATIENCE_S)
            if self.fault is not None:
                raise NoProcess(self.fault)

    async def _start(self) -> ProcessPoolExecutor:
        """Start it, however often that must be tried: the machine may have no room for it, but not for ever."""
        for tried in count():
            pool = None
            try:
                pool = _pool()
                await asyncio.wrap_future(pool.submit(os.getpid))
            except (OSError, BrokenProcessPool, asyncio.CancelledError) as error:
                if pool is not None:
                    pool.shutdown(wait=False)
                if isinstance(error, asyncio.CancelledError):
                    raise
                if self.fault is None:
                    LOG.warning("a process that thinks cannot be started: %s", type(error).__name__)
                self.fault = type(error).__name__
                await asyncio.sleep(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tried))
            else:
                if self.fault is not None:
                    LOG.warning("a process that thinks could be started again")
                self.fault, self._pool = None, pool
                return pool
        raise AssertionError

    def close(self) -> None:
        """Stop the process, whatever it is thinking."""
        if self._starting is not None and not self._starting.get_loop().is_closed():
            self._starting.cancel()
        if self._pool is not None:
            for process in (self._pool._processes or {}).values():  # noqa: SLF001  (no public way before Python 3.14)
                process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)

    def rest(self) -> None:
        """End the process, whatever it is thinking, until it is needed again."""
        self.close()
        self._pool = self._starting = None


def _seen(thought: "asyncio.Future[Any]") -> None:
    """Whoever waited for it may be gone: then nobody need know how it ended."""
    if not thought.cancelled():
        thought.exception()


class Workers:
    """A few processes, and which of them knows what of which table."""

    def __init__(self, lanes: int) -> None:
        self._bots = [Process() for _ in range(lanes)]
        """Where bots think, and games decide whose decisions take long."""
        self._notes = [Process() for _ in range(lanes)]
        """Where all else is thought for people: behind a bot's thought it would tell how long that takes."""
        self._aside = Process()
        """Where closed cases are checked: to run a whole game again would hold up everything behind it."""
        self._spare = Process()
        """Where falls to practise with are made, and files of closed cases: nobody who plays waits for that."""
        self._reviews = Process()
        """Where closed cases are reviewed: each takes seconds, and people wait for its parts."""
        self._cases = Process()
        """Where cases to solve are made: each is a search of many seconds, a few a day, and nobody waits for it."""
        self._told: dict[tuple[str, Hashable], int] = {}
        """By table and who remembers: up to which event they were told."""
        self._minds: WeakValueDictionary[tuple[str, Hashable], asyncio.Lock] = WeakValueDictionary()
        """By whoever remembers: one thought of each at a time."""
        self.running = 0
        """How many thoughts are queued or being thought."""
        self.finished = 0
        self.seconds = 0.0
        """How long all that are finished took, queue included."""

    @property
    def _processes(self) -> tuple[Process, ...]:
        return (*self._bots, *self._notes, self._aside, self._spare, self._reviews, self._cases)

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._processes)

    @property
    def worked(self) -> float:
        """For how many seconds processes have been at work, all together."""
        return sum(process.worked for process in self._processes)

    def fault(self) -> str | None:
        """Say that a process cannot be started, while that is so."""
        faults = [process.fault for process in self._processes if process.fault is not None]
        return f"a process that thinks cannot be started: {faults[0]}" if faults else None

    # --- Who thinks what where ---

    async def ask(
        self,
        work: Callable[[Any], Any],
        key: tuple[str, Hashable],
        job: Callable[[int], Awaitable[Think | Ponder]],
        claim: Claim | None = None,
    ) -> Any:
        """Run the work where it is remembered; `job` makes it for what was told `after` some event.

        Of two thoughts for one seat the second waits: else both would tell it the same, and it had to begin anew.
        """
        async with self._minds.setdefault(key, asyncio.Lock()):
            for after in (self._told.get(key, 0), 0):
                made = await job(after)
                result = await self.run(key[0], work, made, claim)
                if not isinstance(result, LostMemory):
                    self._told[key] = made.seen.seq
                    return result
        raise RuntimeError(f"a process forgets what it has just been told of {key[0]}")

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        """Run a bot's work in the table's process, all else in that of its notes; LostMemory if that has just died."""
        return await self._run(_led_to(self._bots if work is think else self._notes, table), table, work, job, claim)

    async def recall(
        self,
        table: str,
        seq: int,
        tell: Callable[[int], Awaitable[Sequence[Retold]]],
        work: Callable[[Any], Any],
        job: Any,
        claim: Claim,
    ) -> Any:
        """Do a work about a table's past up to an event where it is remembered; `tell` has what came `after` another.

        It is told once for all who ask, a part at a time: others have their turn in between.
        """
        key = (table, "past")
        teller = Claim(claim.stake, claim.households, table)
        for _ in range(3):
            if self._told.get(key, 0) < seq:
                async with self._minds.setdefault(key, asyncio.Lock()):
                    await self._retell(key, seq, tell, teller)
            result = await self.run(table, work, job, claim)
            if not isinstance(result, LostMemory):
                return result
            self._told.pop(key, None)
        raise RuntimeError(f"a process forgets what it has just been told of {table}")

    async def _retell(
        self, key: tuple[str, str], seq: int, tell: Callable[[int], Awaitable[Sequence[Retold]]], claim: Claim
    ) -> None:
        if (after := self._told.get(key, 0)) >= seq:
            return  # somebody else has let it be told meanwhile
        for part in await tell(after):
            if isinstance(await self.run(key[0], retell, part, claim), LostMemory):
                self._told.pop(key, None)
                return
            self._told[key] = part.last

    async def decide(self, table: str, work: Callable[[], T], claim: Claim | None = None) -> T:
        """Decide something in the process of the table's bots."""
        return cast(T, await self._insist(_led_to(self._bots, table), table, decided, work, claim))

    async def warm(self, table: str, game: str) -> None:
        """Let the process of the table's bots get ready for what the game will need; nobody need wait for it."""
        await self._run(_led_to(self._bots, table), table, warm, game, Claim(Stake.SPARE))

    async def once(self, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        """Run something that needs no memory in the process of the notes to which the key leads."""
        return await self._insist(_led_to(self._notes, key), key, work, job, claim)

    async def practise(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:
        """Run something to train on, aside from every game."""
        return await self._insist(self._spare, "", work, job, claim)

    async def check(self, case: Filed, claim: Claim | None = None) -> list[Statement]:
        """Check a closed case, aside from everything else."""
        return cast(list[Statement], await self._insist(self._aside, "", check, case, claim))

    async def file(self, case: Filed, claim: Claim | None = None) -> bytes:
        """Write down a closed case as a file."""
        return cast(bytes, await self._insist(self._spare, "", file_of, case, claim))

    async def review(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:
        """Go on with a review where reviews are made; LostMemory if that has just died."""
        return await self._run(self._reviews, "", work, job, claim)

    async def make_case(self, work: Callable[[Any], T], job: Any) -> T:
        """Make a case to solve, in a process that ends when it is done: for the rest of the day nobody needs it."""
        try:
            async with asyncio.timeout(MAKING_S):
                return cast(T, await self._insist(self._cases, "", work, job, Claim(Stake.SPARE)))
        finally:
            self._cases.rest()

    async def prove_case(self, work: Callable[[Any], T], job: Any) -> T:
        """Prove a case to solve again that was kept, where closed cases are checked."""
        return cast(T, await self._insist(self._aside, "", work, job, Claim(Stake.SPARE)))

    # --- How it gets there ---

    async def _insist(
        self, process: Process, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None
    ) -> Any:
        for _ in range(2):
            result = await self._run(process, key, work, job, claim)
            if not isinstance(result, LostMemory):
                return result
        raise RuntimeError(f"the process that is to do {work.__name__} dies of it")

    async def _run(self, process: Process, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None) -> Any:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.running += 1
        try:
            with process.at_work():
                async with process.turn(claim or Claim(who=key), COSTS.get(work, 1)):
                    return await self._queued(process, work, job)
        finally:
            self.running -= 1
            self.finished += 1
            self.seconds += loop.time() - began

    async def _queued(self, process: Process, work: Callable[[Any], Any], job: Any) -> Any:
        return await process.think(work, job)

    def keep(self, tables: Container[str]) -> None:
        """Forget how far the processes were told of all other tables; of one that comes back they hear all again."""
        self._told = {key: seq for key, seq in self._told.items() if key[0] in tables}

    def close(self) -> None:
        """Stop the processes, whatever they are thinking."""
        for process in self._processes:
            process.close()


def _led_to(processes: Sequence[Process], key: str) -> Process:
    """Return the process to which a key always leads."""
    return processes[zlib.crc32(key.encode()) % len(processes)]


def _pool() -> ProcessPoolExecutor:
    # Spawned, not forked: a worker begins clean, whatever sockets and threads the server has.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=_begin_work)


def _begin_work() -> None:
    """Leave signals to the parent, and what it has said, and do not outlive it."""
    leave_the_word_to_the_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    """A server that is killed tells nobody: its workers would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
