"""The ports to storage and to other nodes; `infra` has their implementations, one contract suite tests them all."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from whodunit.core.types import Batch, Blob


class Store(Protocol):
    """Keeps the batches of every table in order; what it has acknowledged survives."""

    async def append(self, table: str, expected: int, batch: Batch, blobs: Sequence[Blob] = ()) -> None:
        """Store the batch and its blobs together after event `expected`, or raise Conflict and store nothing."""

    async def read(self, table: str, after: int = 0) -> Sequence[Batch]:
        """Return the table's batches that begin behind event `after`, oldest first."""

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob with its bytes, or None if this table has none of that id."""


class Bus(Protocol):
    """Tells the other nodes that a table has grown: never what happened, only how far."""

    async def publish(self, table: str, seq: int) -> None:
        """Say that the table's events up to `seq` are stored."""

    def listen(self, table: str) -> AsyncIterator[int]:
        """Yield the seqs published for the table from now on."""
