"""The work that the house has begun in the background, and waits for when it closes."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from whodunit.core.errors import Conflict, NotHeld, NotStored

T = TypeVar("T")


class Tasks:
    """Every task in the background; once `closing` is set, nobody begins anything new."""

    def __init__(self) -> None:
        self.closing = False
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin something that the house waits for when it closes."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def end(self, seconds: float) -> None:
        """Wait for all of them, but no longer than this; cancel the rest."""
        # One answer may lead to the next; with time standing still for the timers, this ends.
        deadline = asyncio.get_running_loop().time() + seconds
        while self._running and (left := deadline - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait([*self._running], timeout=left)
        for task in self._running:
            task.cancel()


async def quietly(work: Coroutine[Any, Any, None]) -> None:
    """Do something that may fail now, because it is done again when it matters."""
    with suppress(NotStored, Conflict, NotHeld):
        await work
