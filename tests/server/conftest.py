"""Pages to serve, and processes that think: both for as many tests as possible."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from whodunit.server import app, people
from whodunit.server.workers import Workers
from whodunit.table.seal import Seal

LONGEST = "test_two_nodes.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits for real processes: the other process does the rest meanwhile."""
    items.sort(key=lambda item: item.path.parent.name != "server" or item.path.name != LONGEST)


@pytest.fixture(scope="session")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text("<!doctype html><title>Whodunit</title>")
    (folder / "assets").mkdir()
    (folder / "assets" / "app.js").write_text("export {}")
    return folder


@pytest.fixture(autouse=True)
def _pages(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve two small files, whether or not the real ones are built."""
    monkeypatch.setattr(app, "STATIC", static)


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards whenever a test runs."""
    numbers = count()
    monkeypatch.setattr(people, "seal", lambda: Seal.from_seed(f"{request.node.name} {next(numbers)}"))


@pytest.fixture(scope="session")
def thinkers() -> Iterator[Workers]:
    """One process for all tables of all tests; their ids differ."""
    workers = Workers(1)
    yield workers
    workers.close()
