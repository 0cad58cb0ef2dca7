"""A store and a bus for one process that forgets: tests, the arena, a trial."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence

from whodunit.core.errors import Conflict
from whodunit.core.types import Batch, Blob


class MemoryStore:
    """Keeps everything in dictionaries."""

    def __init__(self) -> None:
        self._batches: defaultdict[str, list[Batch]] = defaultdict(list)
        self._blobs: dict[tuple[str, str], Blob] = {}

    async def append(self, table: str, expected: int, batch: Batch, blobs: Sequence[Blob] = ()) -> None:
        """Store the batch after event `expected`, or raise Conflict."""
        stored = self._batches[table]
        last = stored[-1].last if stored else 0
        if not last == expected == batch.seq - 1:
            raise Conflict(f"{table} has {last} events, not {expected}")
        stored.append(batch)
        self._blobs.update({(table, blob.id): blob for blob in blobs})

    async def read(self, table: str, after: int = 0) -> Sequence[Batch]:
        """Return the batches behind event `after`."""
        return [batch for batch in self._batches[table] if batch.seq > after]

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob, or None."""
        return self._blobs.get((table, id))


class MemoryBus:
    """Hands each signal to whoever listens in this process."""

    def __init__(self) -> None:
        self._ears: defaultdict[str, list[asyncio.Queue[int]]] = defaultdict(list)

    async def publish(self, table: str, seq: int) -> None:
        """Tell every listener of the table."""
        for ear in self._ears[table]:
            ear.put_nowait(seq)

    def listen(self, table: str) -> AsyncIterator[int]:
        """Yield what is published from now on: the ear is there before the first value is asked for."""
        ear: asyncio.Queue[int] = asyncio.Queue()
        self._ears[table].append(ear)
        return self._heard(table, ear)

    async def _heard(self, table: str, ear: "asyncio.Queue[int]") -> AsyncIterator[int]:
        try:
            while True:
                yield await ear.get()
        finally:
            self._ears[table].remove(ear)
