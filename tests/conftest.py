"""The plugs of our games for the conformance suite, and a record of every test's time for tests/all.py."""

import asyncio
import json
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from hypothesis import settings

from tests.plugs import worlds_of
from whodunit.bench.database import postgres
from whodunit.games import registered

settings.register_profile("house", deadline=None)  # a busy machine is no counterexample
settings.load_profile("house")

# A shell starts its background jobs deaf to Ctrl-C, and all that they start: tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_whodunit_plug(game: str) -> object | None:
    """Give the suite what we wrote from the rules files of our own games."""
    return worlds_of(game) if registered()[game].is_ours else None


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A PostgreSQL that runs as long as there are tests; what it stores need not survive the machine's fall."""
    with postgres(durable=False) as address:
        yield address


SCHEMAS = count(1)


@pytest.fixture
def database(cluster: str) -> str:
    """The address of an empty schema in it."""
    name = f"house{next(SCHEMAS)}"

    async def make() -> None:
        connection = await asyncpg.connect(cluster)
        await connection.execute(f"CREATE SCHEMA {name}")
        await connection.close()

    asyncio.run(make())
    return f"{cluster}&search_path={name}"


class Record:
    """What each test took, and what was not run, as JSON."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = defaultdict[str, float](float)
        self.skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.path.write_text(json.dumps({"seconds": self.seconds, "skipped": self.skipped}), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    path = os.environ.get("WHODUNIT_TEST_RECORD")
    if path and not hasattr(config, "workerinput"):  # xdist's workers report to the process that started them
        config.pluginmanager.register(Record(Path(path)))
