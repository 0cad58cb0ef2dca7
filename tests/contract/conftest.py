import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.houses import Run, postgres_store
from whodunit.core.ports import Store
from whodunit.infra.memory import MemoryStore
from whodunit.infra.sqlite import SqliteStore


@pytest.fixture
def run() -> Iterator[Run]:
    with asyncio.Runner() as runner:
        yield runner.run


async def memory(_: Path, __: str) -> Store:
    return MemoryStore()


async def sqlite(folder: Path, _: str) -> Store:
    return SqliteStore(folder / "whodunit.db")


async def postgres(_: Path, database: str) -> Store:
    return await postgres_store(database)


STORES: dict[str, Callable[[Path, str], Coroutine[Any, Any, Store]]] = {
    "memory": memory,
    "sqlite": sqlite,
    "postgres": postgres,
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, run: Run, tmp_path: Path) -> Iterator[Store]:
    database = request.getfixturevalue("database") if request.param == "postgres" else ""
    store = run(STORES[request.param](tmp_path, database))
    yield store
    run(store.close())
