"""Processes for what takes long, so that it never runs on the event loop; `thoughts` says what that is.

A table's thoughts always go to the same process, which remembers the table's bots and beliefs.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
import zlib
from collections.abc import Awaitable, Callable, Container, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from whodunit.deduce.native import leave_the_word_to_the_parent
from whodunit.server.thoughts import LostMemory, Ponder, Think, check, decided, think, warm
from whodunit.table.case import Case
from whodunit.table.verify import Statement

T = TypeVar("T")


class Process:
    """One process, begun when it is first needed and anew when it has died, and who waits for it."""

    def __init__(self) -> None:
        self.pool = _pool()
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By table, or by whose wish it is: one thought of each waits here, so all get their turn."""
        self._load = 0
        """How many thoughts it has been given."""
        self._since = 0.0
        """Since when it has had some."""
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

    def close(self) -> None:
        """Stop the process, whatever it is thinking."""
        for process in (self.pool._processes or {}).values():  # noqa: SLF001  (no public way before Python 3.14)
            process.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)


class Workers:
    """A few processes, and which of them knows what of which table."""

    def __init__(self, lanes: int) -> None:
        self._bots = [Process() for _ in range(lanes)]
        """Where bots think, and games decide whose decisions take long."""
        self._notes = [Process() for _ in range(lanes)]
        """Where all else is thought for people: behind a bot's thought it would tell how long that takes."""
        self._aside = Process()
        """Where closed cases are checked: to run a whole game again would hold up everything behind it."""
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
        return (*self._bots, *self._notes, self._aside)

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._processes)

    @property
    def worked(self) -> float:
        """For how many seconds processes have been at work, all together."""
        return sum(process.worked for process in self._processes)

    # --- Who thinks what where ---

    async def ask(
        self,
        work: Callable[[Any], Any],
        key: tuple[str, Hashable],
        job: Callable[[int], Awaitable[Think | Ponder]],
    ) -> Any:
        """Run the work where it is remembered; `job` makes it for what was told `after` some event.

        Of two thoughts for one seat the second waits: else both would tell it the same, and it had to begin anew.
        """
        async with self._minds.setdefault(key, asyncio.Lock()):
            for after in (self._told.get(key, 0), 0):
                made = await job(after)
                result = await self.run(key[0], work, made)
                if not isinstance(result, LostMemory):
                    self._told[key] = made.seen.seq
                    return result
        raise RuntimeError(f"a process forgets what it has just been told of {key[0]}")

    async def run(self, table: str, work: Callable[[Any], Any], job: Think | Ponder) -> Any:
        """Run a bot's work in the table's process, notes in theirs; return LostMemory if that has just died."""
        return await self._run(_led_to(self._bots if work is think else self._notes, table), table, work, job)

    async def decide(self, table: str, work: Callable[[], T]) -> T:
        """Decide something in the process of the table's bots."""
        return cast(T, await self._insist(_led_to(self._bots, table), table, decided, work))

    def warm(self, table: str, game: str) -> None:
        """Let the process of the table's bots get ready for what the game will need; nobody waits for it."""
        with suppress(BrokenProcessPool):
            _led_to(self._bots, table).pool.submit(warm, game)

    async def once(self, key: str, work: Callable[[Any], Any], job: Any) -> Any:
        """Run something that needs no memory in the process of the notes to which the key leads."""
        return await self._insist(_led_to(self._notes, key), key, work, job)

    async def check(self, case: Case) -> list[Statement]:
        """Check a closed case, aside from everything else."""
        return cast(list[Statement], await self._insist(self._aside, "", check, case))

    # --- How it gets there ---

    async def _insist(self, process: Process, key: str, work: Callable[[Any], Any], job: Any) -> Any:
        for _ in range(2):
            result = await self._run(process, key, work, job)
            if not isinstance(result, LostMemory):
                return result
        raise RuntimeError(f"the process that is to do {work.__name__} dies of it")

    async def _run(self, process: Process, key: str, work: Callable[[Any], Any], job: Any) -> Any:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.running += 1
        try:
            async with process.turns.setdefault(key, asyncio.Lock()):
                with process.at_work():
                    return await self._queued(process, work, job)
        finally:
            self.running -= 1
            self.finished += 1
            self.seconds += loop.time() - began

    async def _queued(self, process: Process, work: Callable[[Any], Any], job: Any) -> Any:
        pool = process.pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, job)
        except BrokenProcessPool:
            # Its memory is gone; the caller is told so, and tells everything again.
            if process.pool is pool:  # the first of all that waited for it
                pool.shutdown(wait=False)
                process.pool = _pool()
            return LostMemory()

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
