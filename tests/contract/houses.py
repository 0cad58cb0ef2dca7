"""What the contract suite runs on: one event loop for a test, and a PostgreSQL with an empty schema for each."""

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from whodunit.infra.postgres import PostgresStore
from whodunit.infra.postgres_schema import prepared

T = TypeVar("T")


class Run(Protocol):
    """Runs a scene on the test's loop, on which the store was opened."""

    def __call__(self, coro: Coroutine[Any, Any, T], /) -> T: ...


async def postgres_store(database: str, node: str = "here") -> PostgresStore:
    await prepared(database, b"k" * 32)
    return await PostgresStore(database, node).open()
