"""What only the SQLite store has: batches, a disk that refuses, versions, files that are none of ours."""

import asyncio
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from whodunit.core.errors import Conflict, NotStored
from whodunit.core.ports import Listing, Record
from whodunit.core.types import Blob
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_schema import APPLICATION, MIGRATIONS, BadDatabase, migrate

if sys.platform != "win32":
    import resource


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "whodunit.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    asyncio.run(store.close())


def case(seq: int, body: bytes = b"body") -> Record:
    return Record("case", seq, seq, body)


@contextmanager
def stalled(path: Path) -> Iterator[None]:
    """Let no commit pass meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def commits(path: Path) -> int:
    """Count the transactions in the write-ahead log: the last frame of each says how long the database is then."""
    log = path.with_name(f"{path.name}-wal").read_bytes()
    page = int.from_bytes(log[8:12], "big")
    return sum(log[start + 4 : start + 8] != bytes(4) for start in range(32, len(log), 24 + page))


def sound(store: SqliteStore) -> bool:
    return store._reads.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# --- Batches -------------------------------------------------------------------------------------------------------


def test_a_commit_is_on_the_disk_when_it_returns(store: SqliteStore) -> None:
    assert store._writes.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._writes.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_comes_during_a_commit_goes_into_the_next(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        before = commits(path)
        with stalled(path):
            given = [asyncio.ensure_future(store.append(f"t{number}", [case(1)])) for number in range(100)]
            done, _ = await asyncio.wait(given, timeout=0.03)
            assert not done  # acknowledged only after its commit
            assert list(await store.read("t0", "case")) == []  # and whoever reads need not wait
        await asyncio.gather(*given)

        assert commits(path) - before <= 2

    asyncio.run(scene())


def test_a_batch_is_stored_whole_whatever_else_it_does(store: SqliteStore, path: Path) -> None:
    bodies = {f"t{number}": f"body {number}".encode() for number in range(75)}  # no round number of statements

    async def scene() -> None:
        with stalled(path):
            given = [asyncio.ensure_future(store.append(table, [case(1, body)])) for table, body in bodies.items()]
            given.append(asyncio.ensure_future(store.rewrite("t74", [(case(1, b"body 74"), b"other")])))
            given.append(asyncio.ensure_future(store.append("t0", [case(2, b"more")])))
            await asyncio.sleep(0)
        await asyncio.gather(*given)

        found = {table: [record.body for record in await store.read(table, "case")] for table in bodies}
        expected = {table: [body] for table, body in bodies.items()}
        assert found == expected | {"t0": [b"body 0", b"more"], "t74": [b"other"]}

    asyncio.run(scene())


def test_every_append_of_a_batch_is_judged_alone(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        with stalled(path):
            tries = [
                store.append("a", [case(1)]),
                store.append("b", [case(1), case(3)], [Blob("sound", "audio/ogg", b"")]),
                store.append("a", [case(2)]),
                store.append("a", [case(2, b"late")]),
                store.append("c\ud800", [case(1)]),  # no text at all: a bug, and its own caller's
                store.append("d", [case(1)]),
            ]
            given = asyncio.gather(*tries, return_exceptions=True)
            await asyncio.sleep(0)
        ends = await given

        assert [type(end) for end in ends] == [
            *(type(None), Conflict, type(None), Conflict, UnicodeEncodeError, type(None))
        ]
        assert list(await store.read("a", "case")) == [case(1), case(2)]
        assert list(await store.read("b", "case")) == []
        assert list(await store.read("d", "case")) == [case(1)]

    asyncio.run(scene())


def test_a_caller_that_is_cancelled_disturbs_nobody(store: SqliteStore, path: Path) -> None:
    async def leaves() -> None:
        with stalled(path), pytest.raises(TimeoutError):
            await asyncio.wait_for(store.append("a", [case(1)]), 0.01)
        await store.append("b", [case(1)])

    async def is_cut_off() -> None:
        asyncio.ensure_future(store.append("c", [case(1)]))  # noqa: RUF006  (the loop ends before it does)
        await asyncio.sleep(0)

    async def stays() -> None:
        await store.append("d", [case(1)])
        assert list(await store.read("a", "case")) == list(await store.read("c", "case")) == [case(1)]

    asyncio.run(leaves())
    asyncio.run(is_cut_off())
    asyncio.run(stays())


def test_a_closed_store_takes_nothing_and_leaves_one_file_and_its_lock(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)])
        await store.close()
        with pytest.raises(NotStored, match="closed"):
            await store.append("a", [case(2)])

    asyncio.run(scene())

    assert sorted(file.name for file in path.parent.iterdir()) == ["whodunit.db", "whodunit.db.lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_nobody_else_on_the_machine_may_read_it(store: SqliteStore, path: Path) -> None:
    asyncio.run(store.append("a", [case(1)]))

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {f"whodunit.db{end}": 0o600 for end in ("", "-shm", "-wal", ".lock")}


# --- A disk that refuses -------------------------------------------------------------------------------------------


def test_a_full_disk_refuses_what_is_too_long_and_nothing_else(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)], (), Listing("a", "gathering", True, at=1))
        (pages,) = store._writes.execute("PRAGMA page_count").fetchone()
        store._writes.execute(f"PRAGMA max_page_count = {pages + 2}")
        long = Blob("long", "audio/ogg", bytes(100_000))
        with stalled(path):
            tries = [
                store.append("b", [case(1)]),
                store.append("a", [case(2), case(3)], [long], Listing("a", "over", True, at=2)),
                store.append("c", [case(1)]),
                store.append("a", [case(2, b"other")]),
                store.append("a", [case(4)]),
            ]
            given = asyncio.gather(*tries, return_exceptions=True)
            await asyncio.sleep(0)
        ends = await given

        assert [type(end) for end in ends] == [type(None), NotStored, type(None), type(None), Conflict]
        assert "full" in str(ends[1])
        assert list(await store.read("a", "case")) == [case(1), case(2, b"other")]
        assert await store.blob("a", "long") is None
        assert [listing.at for listing in await store.gathering()] == [1]
        assert sound(store)

        store._writes.execute("PRAGMA max_page_count = 1000000")
        await store.append("a", [case(3)], [long])
        assert await store.blob("a", "long") == long

    asyncio.run(scene())


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """Let the operating system refuse every write that would make a file longer."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_failing_write_is_told_and_forgotten(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)])
        log = path.with_name(f"{path.name}-wal")
        with files_at_most(log.stat().st_size + 10_000):
            for _ in range(3):
                with pytest.raises(NotStored, match="I/O"):
                    await store.append("a", [case(2, bytes(50_000))], [], Listing("a", "over", True))
            await store.append("b", [case(1)])

        assert list(await store.read("a", "case")) == [case(1)]
        assert list(await store.read("b", "case")) == [case(1)]
        assert sound(store)
        await store.append("a", [case(2, bytes(50_000))])

    asyncio.run(scene())


def test_a_database_that_cannot_be_written_is_told(store: SqliteStore) -> None:
    async def scene() -> None:
        store._writes.execute("PRAGMA query_only = 1")
        with pytest.raises(NotStored, match="readonly"):
            await store.append("a", [case(1)])
        assert list(await store.read("a", "case")) == []

        store._writes.execute("PRAGMA query_only = 0")
        await store.append("a", [case(1)])

    asyncio.run(scene())


def test_a_database_that_something_else_keeps_locked_is_told(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        store._writes.execute("PRAGMA busy_timeout = 1")
        with stalled(path), pytest.raises(NotStored, match="locked"):
            await store.append("a", [case(1)])

        await store.append("a", [case(1)])

    asyncio.run(scene())


def test_a_file_that_can_no_longer_be_read_is_told(store: SqliteStore, path: Path) -> None:
    async def scene() -> None:
        with pytest.raises(NotStored, match="malformed") as told:
            await store.read("a", "case")
        assert isinstance(told.value.__cause__, sqlite3.DatabaseError)
        with pytest.raises(sqlite3.Error, match="syntax"):  # and a bug stays one
            await store._ask("SELECT nothing")

    asyncio.run(store.append("a", [case(1, bytes(50_000))]))
    store._writes.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    asyncio.run(scene())


# --- Versions ------------------------------------------------------------------------------------------------------


def rows(connection: sqlite3.Connection) -> dict[str, list[object]]:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}  # noqa: S608  (our names)


def filled(path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(path)
        listing = Listing("a", "gathering", True, ("Ann",), ("key",), 1)
        await store.append("a", [case(1), case(2)], [Blob("sound", "audio/ogg", bytes(50_000))], listing)
        await store.close()

    asyncio.run(scene())


def test_a_migration_keeps_what_is_stored(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        before = rows(connection)
        migrate(connection, (*MIGRATIONS, "CREATE TABLE later (x)", "INSERT INTO later VALUES (1)"))

        assert {name: len(found) for name, found in before.items()} == {
            "record": 2, "place": 2, "placed": 1, "stream_end": 2, "blob": 1, "listing": 1, "person": 1, "key": 1,
            "note": 0, "review": 0, "leaf": 0,
        }  # fmt: skip
        assert rows(connection) == before | {"later": [(1,)]}
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 2,)


def test_a_migration_runs_once_or_leaves_no_trace() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        scripts = ["CREATE TABLE one (x)", "INSERT INTO one VALUES (1)"]
        migrate(connection, scripts)
        migrate(connection, scripts)
        with pytest.raises(sqlite3.OperationalError, match="missing"):
            migrate(connection, [*scripts, "INSERT INTO one VALUES (2); INSERT INTO missing VALUES (3)"])

        assert rows(connection) == {"one": [(1,)]}
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        migrate(connection, [*scripts, "INSERT INTO one VALUES (4)"])
        assert rows(connection) == {"one": [(1,), (4,)]}


def test_a_new_database_is_marked_as_ours(store: SqliteStore) -> None:
    assert store._reads.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert store._reads.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


# --- Files that are none of ours -----------------------------------------------------------------------------------


def newer(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, (*MIGRATIONS, "CREATE TABLE later (x)"))


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE record (x)")


def truncated(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def headless(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[100:])


def stub(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:80])


def prose(path: Path) -> None:
    path.write_text("It was a dark and stormy night. " * 99, "utf-8")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (newer, f"version {len(MIGRATIONS) + 1}, this program knows up to {len(MIGRATIONS)}: update"),
        (foreign, "another program"),
        (truncated, "malformed"),
        (stub, "malformed"),
        (headless, "not a database"),
        (prose, "not a database"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_is(
    path: Path, make: Callable[[Path], None], why: str
) -> None:
    make(path)
    before = path.read_bytes()
    for _ in range(2):  # the lock is given back each time
        with pytest.raises(BadDatabase, match=why) as refused:
            SqliteStore(path)

        assert str(path) in str(refused.value)
        assert path.read_bytes() == before
