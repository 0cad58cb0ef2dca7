"""Real processes on one SQLite database: one at a time, and killed without losing what was acknowledged."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.appender import TABLES
from whodunit.core.errors import InUse
from whodunit.core.ports import Record
from whodunit.infra.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows neither forks nor kills")

ROUNDS = 20
APPENDER = Path(__file__).with_name("appender.py")
HOLDER = """
import os, sys, time
from pathlib import Path
from whodunit.infra.sqlite import SqliteStore

store = SqliteStore(Path(sys.argv[1]))
if not os.fork():
    print(os.getpid(), flush=True)  # the worker of a server
time.sleep(60)
"""


SEIZES = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], timeout=0)
other.execute("PRAGMA locking_mode = EXCLUSIVE")
other.execute("BEGIN EXCLUSIVE")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "whodunit.db"


@pytest.fixture
def appender(path: Path) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, str(APPENDER), str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.communicate(timeout=10)


def killed_after(appender: "subprocess.Popen[str]", lines: int, seconds: float) -> dict[str, int]:
    """Let it append, kill it some time after so many acknowledgements, and return the last of each table."""
    assert appender.stdin
    assert appender.stdout
    appender.stdin.write("go\n")
    appender.stdin.flush()
    acknowledged: dict[str, int] = {}
    heard, child = 0, 0
    for line in appender.stdout:
        word, number = line.split()
        if word == "pid":
            child = int(number)
        elif word == "dead":
            assert not child, "it ended by itself"
            return acknowledged
        else:
            acknowledged[word] = int(number)
            heard += 1
        if child and heard >= lines:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
            child = 0
    pytest.fail("the appender is gone")


async def found(path: Path) -> dict[str, int]:
    """Return how far each table has come, all its parts alike."""
    store = SqliteStore(path)
    assert store._reads.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    reached = dict.fromkeys(TABLES, 0) | {listing.table: listing.at for listing in await store.of_person("Ann")}
    for table, last in reached.items():
        case, room = await store.read(table, "case"), await store.read(table, "room")
        blobs = [await store.blob(table, str(seq)) for seq in range(1, last + 2)]

        assert [record.seq for record in case] == list(range(1, last + 1))
        assert [(record.seq, record.body) for record in case] == [(record.seq, record.body) for record in room]
        assert [blob and blob.data for blob in blobs] == [*(record.body for record in case), None]
        kept = await store.leaf("try", table, "Ann")  # kept after each append, before both are acknowledged
        reached[table] = [b"", *(record.body for record in case)].index(kept.body) if kept else 0
    await store.close()
    return reached


def test_what_was_acknowledged_survives_a_kill_whole(appender: "subprocess.Popen[str]", path: Path) -> None:
    before: dict[str, int] = {}
    for number in range(ROUNDS):
        acknowledged = killed_after(appender, lines=number % 7 + 1, seconds=number * 0.0007)
        after = asyncio.run(found(path))

        assert all(after[table] >= seq for table, seq in (before | acknowledged).items())
        before = after


def test_a_second_server_is_refused_until_the_first_has_ended(path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        worker = int(holder.stdout.readline())
        try:
            with pytest.raises(InUse, match=f"already runs on this database: process {holder.pid} holds .*db.lock"):
                SqliteStore(path)
            holder.kill()
            holder.wait()
            asyncio.run(SqliteStore(path).close())  # although its worker lives on
        finally:
            holder.kill()
            os.kill(worker, signal.SIGKILL)


def test_a_second_store_in_one_process_is_refused_by_whatever_name(path: Path) -> None:
    store = SqliteStore(path)
    alias = path.with_name("alias.db")
    alias.symlink_to(path)
    for name in (path, alias):
        with pytest.raises(InUse):
            SqliteStore(name)
    asyncio.run(store.close())
    asyncio.run(SqliteStore(alias).close())


def test_a_second_name_of_the_file_evades_no_lock(path: Path) -> None:
    store = SqliteStore(path)
    asyncio.run(store.append("a", [Record("case", 1, 1, b"body")]))
    link = path.with_name("link.db")
    os.link(path, link)
    with pytest.raises(InUse, match="another name"):
        SqliteStore(link)
    assert store._reads.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    asyncio.run(store.close())
    link.unlink()
    asyncio.run(SqliteStore(path).close())


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere SQLite's locks and this one would be in each other's way"
)
def test_a_file_that_was_renamed_while_a_server_runs_is_refused_to_another(path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        worker = int(holder.stdout.readline())
        try:
            moved = path.rename(path.with_name("moved.db"))
            with pytest.raises(InUse, match="by another name"):
                SqliteStore(moved)
        finally:
            holder.kill()
            os.kill(worker, signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="as above")
def test_sqlites_own_locks_hold_while_the_file_is_searched(path: Path) -> None:
    """Whoever closes any descriptor of the file would drop them; another process then takes it for its own."""

    async def scene() -> None:
        store = SqliteStore(path)
        await store.append("a", [Record("case", 1, 1, b"body")])
        assert await store.scrub([b"nowhere"])
        command = [sys.executable, "-c", SEIZES, str(path)]
        other = await asyncio.to_thread(subprocess.run, command, capture_output=True, check=False)
        assert b"locked" in other.stderr
        await store.close()

    asyncio.run(scene())
