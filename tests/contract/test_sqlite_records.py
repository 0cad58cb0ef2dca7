"""Where SQLite keeps records: those that have a place and those that have none yet are found alike."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.contract.test_sqlite import case, filled, path, sound
from whodunit.core.errors import Conflict
from whodunit.core.ports import Record
from whodunit.infra import sqlite
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_records import Records, place
from whodunit.infra.sqlite_schema import MIGRATIONS, migrate

__all__ = ["path"]


def unplaced(store: SqliteStore) -> int:
    ((count,),) = store._reads.execute("SELECT count(*) FROM record WHERE number > (SELECT number FROM placed)")
    return int(count)


def test_records_are_found_with_and_without_a_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "UNPLACED", 10)
    tables = [f"t{number}" for number in range(3)]

    async def scene() -> None:
        store = SqliteStore(path)
        left = []
        for seq in range(1, 9):
            await asyncio.gather(*(store.append(table, [case(seq, b"%d" % seq)]) for table in tables))
            for table in tables:
                assert [record.seq for record in await store.read(table, "case")] == [*range(1, seq + 1)]
                assert [record.seq for record in await store.read(table, "case", seq - 1)] == [seq]
            left.append(unplaced(store))
        assert 0 < max(left) < 10 + len(tables)
        assert left != sorted(left)  # now and then all of them got their places
        await store.rewrite("t1", [(case(1, b"1"), b"old"), (case(8, b"8"), b"new")])
        with pytest.raises(Conflict):
            await store.rewrite("t1", [(case(9, b"9"), b"none")])

        assert [record.body for record in await store.read("t1", "case")] == [
            b"old", *(b"%d" % seq for seq in range(2, 8)), b"new"
        ]  # fmt: skip
        assert sound(store)
        await store.close()

    asyncio.run(scene())


def test_after_a_start_every_record_has_its_place(path: Path) -> None:
    filled(path)
    store = SqliteStore(path)

    assert unplaced(store) == 0
    assert [record.seq for record in asyncio.run(store.read("a", "case"))] == [1, 2]
    asyncio.run(store.close())


def test_records_of_the_first_version_are_found_in_todays(path: Path) -> None:
    rows = [("b", "case", 1, 3, b"three"), ("a", "room", 1, 1, b"one"), ("b", "case", 4, 4, b"four")]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:3])
        connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)

    async def scene() -> None:
        store = SqliteStore(path)
        await store.append("b", [case(5)])
        with pytest.raises(Conflict):
            await store.append("b", [case(5)])

        assert list(await store.read("b", "case")) == [Record("case", *row[2:]) for row in (rows[0], rows[2])] + [
            case(5)
        ]
        assert list(await store.read("a", "room")) == [Record("room", 1, 1, b"one")]
        assert sound(store)
        await store.close()

    asyncio.run(scene())


def test_the_copy_that_a_migration_frees_is_overwritten(path: Path) -> None:
    name = b"Ada, who will ask to be forgotten"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:3])
        connection.execute("INSERT INTO record VALUES ('a', 'room', 1, 1, ?)", (name * 300,))  # pages of its own

    async def scene() -> None:
        store = SqliteStore(path)
        await store.rewrite("a", [(Record("room", 1, 1, name * 300), b"nobody")])
        await store.close()

    asyncio.run(scene())

    assert name not in path.read_bytes()


def test_where_a_stream_ends_is_found_as_fast_however_long_it_is(path: Path) -> None:
    rows = [(table, "case", seq, seq, b"body") for table, size in (("long", 5000), ("short", 2)) for seq in range(size)]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection)
        columns = "table_id, stream, seq, last, body, crc"
        connection.execute("BEGIN")  # one commit for all of them
        connection.executemany(f"INSERT INTO record ({columns}) VALUES (?, ?, ?, ?, ?, 0)", rows)  # noqa: S608  (ours)
        connection.execute("COMMIT")
        place(connection)
        steps: Counter[str] = Counter()
        records = Records(connection)
        ends = []
        for table in ("long", "short", "new"):
            connection.set_progress_handler(lambda: steps.update([table]), 1)  # noqa: B023  (it is another one's then)
            ends.append(records.last(table, "case"))

    assert ends == [4999, 1, 0]
    assert steps["long"] == steps["short"]
