"""What is not as it was stored is found out and named, loses its own table alone, and is made anew where it can be."""

import asyncio
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tests.contract.flips import furnish, survey, tables_of, told
from tests.contract.houses import Run, postgres_store
from whodunit import cli
from whodunit.core.errors import Damaged
from whodunit.core.ports import NEVER, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra import postgres_check, postgres_schema, sqlite_upgrade
from whodunit.infra.checks import record_crc, row_crc, whole
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_schema import MIGRATIONS, BadDatabase, migrate

OLD: Final = Path(__file__).parent / "old" / "0.1.0.sqlite"
UNCHECKED: Final = MIGRATIONS.index(sqlite_upgrade.give_checks) - 1
"""How many scripts a database of 0.1.0 has been through."""
FLIPS: Final = (60, pytest.param(600, marks=pytest.mark.soak))


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "whodunit.sqlite"
    asyncio.run(furnish(path))
    return path


@pytest.fixture
def path(furnished: Path, tmp_path: Path) -> Path:
    path = tmp_path / "whodunit.sqlite"
    shutil.copy(furnished, path)
    return path


def changed(path: Path, *statements: str) -> None:
    """Change the file behind the store's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def one(path: Path, query: str) -> Any:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchone()[0]


# --- Found out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flips", FLIPS)
def test_no_bit_that_is_turned_goes_unnoticed(path: Path, flips: int) -> None:
    fates, silent = survey(path, flips, seed=23)

    assert silent == []
    assert fates["named"] > flips / 4
    assert fates["same"] > flips / 10


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE record SET body = x'00' WHERE number = {number}",
        "UPDATE record SET last = last + 1 WHERE number = {number}",
        "UPDATE record SET crc = crc + 1 WHERE number = {number}",
        "UPDATE record SET table_id = 'another' WHERE number = {number}",
        "DELETE FROM record WHERE number = {number}",
        "DELETE FROM place WHERE number = {number}",
        "UPDATE place SET number = number + 1 WHERE number = {number}",
        "DELETE FROM stream_end WHERE table_id = '{table}' AND stream = 'room'",
        "UPDATE stream_end SET last = last + 1 WHERE table_id = '{table}' AND stream = 'room'",
        "UPDATE record SET number = number + 1000000 WHERE number = {number}",
        "DELETE FROM place WHERE table_id = '{table}' AND stream = 'room'",
    ],
)
@pytest.mark.parametrize("end", ["ASC", "DESC"], ids=["first", "last"])
def test_what_is_not_what_was_stored_loses_its_table_and_no_other(path: Path, damage: str, end: str) -> None:
    tables = tables_of(path)
    table, other = tables[3], tables[4]
    query = f"SELECT number FROM record WHERE table_id = '{table}' AND stream = 'room' ORDER BY seq {end}"  # noqa: S608
    changed(path, damage.format(table=table, number=one(path, query)))

    async def scene() -> None:
        store = SqliteStore(path)
        with pytest.raises(Damaged, match=table) as refused:
            await store.read(table, "room")
        assert refused.value.reason == "damaged"
        assert await store.read(other, "room")
        assert await store.read(other, "case")
        await store.append(other, [Record("room", len(await store.read(other, "room")) + 1, 99, b"more")])
        await store.close()

    asyncio.run(scene())


def test_every_check_is_equally_long_on_disk() -> None:
    """Else the sizes of commits would depend on cards."""
    checks = [row_crc("a", b"%d" % number) for number in range(1000)]
    checks += [record_crc("a", "case", number, number, b"body") for number in range(1000)]

    assert {len(str(check)) for check in checks} == {10}
    assert {check.bit_length() for check in checks} == {33}


def test_only_the_whole_stream_tells_what_is_missing_in_the_middle_of_a_record() -> None:
    assert whole("a", "case", 0, [], 0) == []
    assert whole("a", "case", 3, [], 4) is None
    with pytest.raises(Damaged, match="ends with entry 0, and 4 were stored"):
        whole("a", "case", 0, [], 4)


@pytest.mark.parametrize("store", ["sqlite", "postgres"], indirect=True)
def test_a_reader_may_begin_in_the_middle_of_a_record(store: Any, run: Run) -> None:
    records = [Record("case", 1, 3, b"three"), Record("case", 4, 6, b"more")]

    async def scene() -> None:
        await store.append("a", records)
        assert [await store.read("a", "case", after) for after in range(7)] == [
            records, *[records[1:]] * 3, *[[]] * 3
        ]  # fmt: skip

    run(scene())


def test_a_blob_that_is_damaged_or_missing_is_named(path: Path) -> None:
    table = one(path, "SELECT table_id FROM blob")
    ids = ["blob0", "blob1"]

    async def read() -> list[object]:
        store = SqliteStore(path)
        found = await asyncio.gather(*(store.blob(table, id) for id in [*ids, "none"]), return_exceptions=True)
        await store.close()
        return [type(each) for each in found]

    assert asyncio.run(read()) == [Blob, Blob, type(None)]
    changed(path, f"UPDATE blob SET media = 'audio/ogg' WHERE table_id = '{table}' AND id = 'blob0'")  # noqa: S608
    assert asyncio.run(read()) == [Damaged, Blob, type(None)]
    changed(path, f"DELETE FROM blob WHERE table_id = '{table}' AND id = 'blob1'")  # noqa: S608
    assert asyncio.run(read()) == [Damaged, Damaged, Damaged]


def test_a_damaged_listing_is_left_out_named_and_fails_whoever_must_have_all(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = one(path, "SELECT table_id FROM listing WHERE stage = 'gathering' AND public")
    person = one(path, f"SELECT person FROM person WHERE table_id = '{table}'")  # noqa: S608
    key = one(path, f"SELECT key FROM key WHERE table_id = '{table}'")  # noqa: S608

    async def scene() -> tuple[Any, ...]:
        store = SqliteStore(path)
        try:
            return await store.gathering(), await store.of_person(person), await store.opened_by(key)
        finally:
            await store.close()

    gathering, mine, opened = asyncio.run(scene())
    assert opened == table
    changed(path, f"UPDATE listing SET body = replace(body, 'at', 'ta') WHERE table_id = '{table}'")  # noqa: S608

    async def again() -> None:
        store = SqliteStore(path)
        assert await store.gathering() == [listing for listing in gathering if listing.table != table]
        with pytest.raises(Damaged, match=table) as refused:
            await store.of_person(person)
        assert refused.value.rest == [listing for listing in mine if listing.table != table]
        with pytest.raises(Damaged, match=table):
            await store.opened_by(key)
        await store.append(table, [], (), Listing(table, "over", True, (person,), (key,)))  # and is mended by the next
        assert table in {listing.table for listing in await store.of_person(person)}
        await store.close()

    asyncio.run(again())
    assert f"the table {table} is damaged" in caplog.text
    assert person not in caplog.text


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM person WHERE person = 'person03'",
        "INSERT INTO person SELECT 'person03', table_id FROM listing WHERE true ON CONFLICT DO NOTHING",
        "UPDATE key SET key = 'other' WHERE key = 'key7'",
        "UPDATE listing SET due = due + 1, at = at - 1, stage = 'over' WHERE stage = 'playing'",
        "UPDATE listing SET public = NOT public",
        "UPDATE placed SET number = number - 40",
    ],
)
def test_what_follows_from_something_else_is_made_anew_when_the_house_opens(path: Path, damage: str) -> None:
    tables = tables_of(path)
    before = asyncio.run(told(path, tables))
    changed(path, damage)

    assert asyncio.run(told(path, tables)) == before


def test_new_records_never_take_the_numbers_of_lost_ones(path: Path) -> None:
    changed(path, "DELETE FROM record WHERE number > (SELECT max(number) - 20 FROM record)")
    with pytest.raises(BadDatabase, match=r"check-data --repair"):
        SqliteStore(path)


def test_a_layout_in_other_words_is_refused(path: Path) -> None:
    changed(path, "DROP INDEX listing_playing", "CREATE INDEX listing_playing ON listing (at) WHERE stage = 'over'")
    with pytest.raises(BadDatabase, match="layout is damaged: listing_playing"):
        SqliteStore(path)


def test_words_of_the_layout_that_are_none_are_refused_in_one_sentence(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE stream_end", b"CREATE TABLE\xce stream_en", 1))
    with pytest.raises(BadDatabase, match="cannot open the database"):
        SqliteStore(path)
    assert check(path) == 2
    assert "cannot open the database" in capsys.readouterr().err


# --- whodunit check-data ---------------------------------------------------------------------------------------------


def check(path: Path, *options: str) -> int:
    return cli.main(["check-data", "--data", str(path.parent), *options])


def test_check_data_says_that_nothing_is_damaged(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = path.read_bytes()

    assert check(path) == 0
    assert capsys.readouterr().out == "nothing is damaged\n"
    assert path.read_bytes() == before


def test_check_data_names_each_damage_and_repair_leaves_records_alone(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = tables_of(path)
    before = asyncio.run(told(path, tables))
    assert isinstance(before, dict)
    changed(
        path,
        f"UPDATE record SET body = x'00' WHERE table_id = '{tables[2]}' AND stream = 'case' AND seq = 1",  # noqa: S608
        f"DELETE FROM place WHERE table_id = '{tables[5]}'",  # noqa: S608
        f"DELETE FROM stream_end WHERE table_id = '{tables[6]}'",  # noqa: S608
        f"UPDATE listing SET stage = 'over' WHERE table_id = '{tables[7]}'",  # noqa: S608
        "DELETE FROM person WHERE person = 'person03'",
    )
    assert check(path) == 1
    lines = capsys.readouterr().out
    for number in (2, 6):
        assert tables[number] in lines
    assert "places" in lines
    assert "lists" in lines

    assert check(path, "--repair") == 1
    lines = capsys.readouterr().out
    number = one(path, "SELECT number FROM record WHERE length(body) = 1")
    assert [line.partition(" is damaged: ")[2] for line in lines.splitlines() if f"{tables[2]} is damaged" in line] == [
        f"a record of its case, number {number} of all, is not what was stored",
        "entry 1 of its case is missing",
    ]
    assert lines.count("is damaged") == 2
    after = asyncio.run(told(path, tables))
    assert isinstance(after, dict)
    assert {what for what in before if after[what] != before[what]} == {f"case of {tables[2]}"}
    assert path.with_name("whodunit.sqlite.damaged").exists()
    assert check(path, "--repair") == 2  # the file that was damaged is not written over


@pytest.mark.parametrize("column", ["body", "version", "part", "crc"])
def test_a_damaged_review_is_nothing_to_its_reader_and_gone_after_a_repair(
    path: Path, capsys: pytest.CaptureFixture[str], column: str
) -> None:
    table = one(path, "SELECT table_id FROM review WHERE part = '0'")
    changed(path, f"UPDATE review SET {column} = '0x' WHERE table_id = '{table}' AND part = '0'")  # noqa: S608

    async def scene() -> None:
        store = SqliteStore(path)
        assert await store.review(table, "version", "0") is None
        await store.read(table, "case")
        await store.close()

    asyncio.run(scene())
    assert check(path) == 1
    assert f"{table} is damaged: its review is not what was stored" in capsys.readouterr().out
    check(path, "--repair")
    assert check(path) == 0


def test_what_is_lost_stays_known_to_be_lost_after_a_repair(path: Path) -> None:
    table = tables_of(path)[-1]
    changed(path, f"DELETE FROM record WHERE number = (SELECT max(number) FROM record WHERE table_id = '{table}')")  # noqa: S608
    assert check(path, "--repair") == 1

    async def scene() -> None:
        store = SqliteStore(path)
        with pytest.raises(Damaged, match="were stored"):
            await store.read(table, "room")
        await store.close()

    asyncio.run(scene())


def test_check_data_refuses_a_house_that_is_open_and_one_that_is_none(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = SqliteStore(path)
    assert check(path) == 2
    assert "another server already runs" in capsys.readouterr().err
    asyncio.run(store.close())
    assert cli.main(["check-data", "--data", str(path.parent / "nowhere")]) == 2
    assert not (path.parent / "nowhere").exists()
    shutil.copy(OLD, path)
    assert check(path) == 2
    assert "earlier version" in capsys.readouterr().err
    path.write_text("prose " * 1000)
    assert check(path) == 2
    assert cli.main(["check-data", "--database", "mysql://nowhere"]) == 2


def test_check_data_goes_on_behind_pages_that_cannot_be_read(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Overwritten pages: SQLite itself gives up at the first."""
    data = bytearray(path.read_bytes())
    pages = [at for at in range(4096, len(data), 4096) if data[at] == 0x0D][5:8]  # leaves of tables
    for at in pages:
        data[at : at + 4096] = random.Random(at).randbytes(4096)  # noqa: S311  (the same each time)
    path.write_bytes(data)

    assert check(path) == 1
    out = capsys.readouterr().out
    assert "the file is damaged" in out
    assert check(path, "--repair") == 1
    asyncio.run(SqliteStore(path).close())


# --- Databases of 0.1.0 ----------------------------------------------------------------------------------------------


def older(path: Path, tables: int, size: int) -> dict[str, list[Any]]:
    """Write a database as 0.1.0 did, and return what stands in it."""
    dice = random.Random(3)  # noqa: S311  (the same each time)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:UNCHECKED])
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN")
        for number in range(tables):
            for seq in range(1, 21):
                row = (f"t{number}", "case", seq, seq, dice.randbytes(dice.randrange(size)))
                connection.execute("INSERT INTO record (table_id, stream, seq, last, body) VALUES (?, ?, ?, ?, ?)", row)
            connection.execute(
                "INSERT INTO blob VALUES (?, 'sound', 'audio/ogg', ?)", (f"t{number}", dice.randbytes(size))
            )
            body = (
                f'{{"table": "t{number}", "stage": "over", "public": true, "people": ["Ann"], "keys": ["k{number}"]}}'
            )
            connection.execute("INSERT INTO listing VALUES (?, 'over', 1, 0, ?, NULL)", (f"t{number}", body))
        connection.execute("COMMIT")
        return {
            name: connection.execute(f"SELECT {columns} FROM {name} ORDER BY 1, 2, 3").fetchall()  # noqa: S608
            for name, columns in (
                ("record", "table_id, stream, seq, last, body"),
                ("blob", "table_id, id, media, data"),
            )
        }


MIGRATES: Final = """
import sys
from pathlib import Path
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra import sqlite_upgrade

sqlite_upgrade.AT_A_TIME = {"record": 20, "blob": 5, "listing": 5}
put = sqlite_upgrade.Progress.step
def step(self, count=1):
    put(self, count)
    print("step", flush=True)
sqlite_upgrade.Progress.step = step
SqliteStore(Path(sys.argv[1]))
print("done", flush=True)
"""


def killed_after(path: Path, steps: int) -> bool:
    """Open the database in a process that is killed when it has made so many steps; say whether it was done before."""
    with subprocess.Popen([sys.executable, "-c", MIGRATES, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for number, line in enumerate(process.stdout):
            if line == "done\n" or number >= steps:
                process.send_signal(signal.SIGKILL)
                process.wait()
                return line == "done\n"
    pytest.fail("it ended by itself")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not kill")
def test_a_migration_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "whodunit.sqlite"
    before = older(path, tables=60, size=900)
    kills = 0
    while not killed_after(path, steps=11 + kills):
        kills += 1
    assert kills > 2

    async def scene() -> None:
        store = SqliteStore(path)
        for table, stream, seq, last, body in before["record"]:
            assert (await store.read(table, stream, seq - 1))[0] == Record(stream, seq, last, body)
        for table, id, media, data in before["blob"]:
            assert await store.blob(table, id) == Blob(id, media, data)
        assert len(await store.of_person("Ann")) == 60
        assert await store.opened_by("k7") == "t7"
        await store.close()

    asyncio.run(scene())
    assert check(path) == 0
    assert one(path, "SELECT count(*) FROM sqlite_master WHERE name LIKE '%unchecked%'") == 0


def test_what_an_earlier_version_freed_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "whodunit.sqlite"
    older(path, tables=5, size=9000)
    name = b"Ada, who asked to be forgotten"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO blob VALUES ('gone', 'sound', '', ?)", (name * 1000,))
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM blob WHERE table_id = 'gone'")
    assert name in path.read_bytes()
    asyncio.run(SqliteStore(path).close())

    assert name not in path.read_bytes()


@pytest.fixture
def old_nodes(database: str, run: Run) -> str:
    """Return a database as a node of 0.1.0 left it."""

    async def scene() -> None:
        await postgres_schema.prepared(database, b"k" * 32, postgres_schema.MIGRATIONS[:4])
        async with postgres_schema.usable(database) as connection:
            for number in range(30):
                table = f"t{number}"
                await connection.execute("INSERT INTO head VALUES ($1, 40, 0)", table)
                rows = [(table, "case", seq, seq, b"body %d" % seq) for seq in range(1, 41)]
                await connection.executemany("INSERT INTO record VALUES ($1, $2, $3, $4, $5)", rows)
                await connection.execute("INSERT INTO blob VALUES ($1, 'sound', 'audio/ogg', $2)", table, b"sound")
                listing = "INSERT INTO listing VALUES ($1, 'over', true, '{Ann}', '{key}', 5, NULL)"
                await connection.execute(listing, table)

    run(scene())
    return database


def test_rows_of_earlier_nodes_get_their_checks_in_steps_that_can_be_interrupted(
    old_nodes: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_check, "STEP", dict.fromkeys(postgres_check.KEYS, 7) | {"record": 100})
    filled: list[str] = []
    fill = postgres_check.fill

    async def fails(connection: Any, name: str, *rest: Any) -> None:
        filled.append(name)
        if len(filled) in {3, 9, 18}:
            raise OSError("the node was killed")
        await fill(connection, name, *rest)

    async def scene() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(postgres_check, "fill", fails)
            for _ in range(3):
                with pytest.raises(BadDatabase, match="killed"):
                    await postgres_schema.prepared(old_nodes, b"k" * 32)
        store = await postgres_store(old_nodes)
        assert [len(await store.read(f"t{number}", "case")) for number in range(30)] == [40] * 30
        assert len(await store.of_person("Ann")) == 30
        async with postgres_schema.usable(old_nodes) as connection:
            for name in postgres_check.KEYS:
                assert await connection.fetchval(f"SELECT count(*) FROM {name} WHERE crc IS NULL") == 0  # noqa: S608
            assert await connection.fetchval("SELECT count(*) FROM unchecked") == 0
        await store.close()

    run(scene())
    assert len(filled) == 18
    assert cli.main(["check-data", "--database", old_nodes]) == 0


def test_a_node_of_an_earlier_version_may_still_run(old_nodes: str, run: Run) -> None:
    async def scene() -> None:
        store = await postgres_store(old_nodes)
        async with postgres_schema.usable(old_nodes) as connection:
            await connection.execute("INSERT INTO record VALUES ('t1', 'case', 41, 41, 'more')")
            await connection.execute("UPDATE head SET case_last = 41 WHERE table_id = 't1'")
            await connection.execute("UPDATE record SET body = 'other' WHERE table_id = 't2' AND seq = 5")
            await connection.execute("UPDATE listing SET at = 6 WHERE table_id = 't3'")
        assert (await store.read("t1", "case", 40))[0].body == b"more"
        assert (await store.read("t2", "case"))[4].body == b"other"
        assert (await store.of_person("Ann"))[0].table == "t3"
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--database", old_nodes]) == 1
    assert cli.main(["check-data", "--database", old_nodes, "--repair"]) == 0
    assert cli.main(["check-data", "--database", old_nodes]) == 0


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE record SET body = 'x', crc = crc + 1 WHERE table_id = 'a' AND seq = 2",
        "DELETE FROM record WHERE table_id = 'a' AND seq = 2",
        "DELETE FROM record WHERE table_id = 'a' AND seq = 3",
        "UPDATE head SET case_last = 4 WHERE table_id = 'a'",
        "DELETE FROM head WHERE table_id = 'a'",
    ],
)
def test_postgresql_too_loses_the_damaged_table_alone(
    run: Run, database: str, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        for table in ("a", "b"):
            await store.append(table, [Record("case", seq, seq, b"%d" % seq) for seq in (1, 2, 3)])
        async with postgres_schema.usable(database) as connection:
            await connection.execute(damage)
        found = await asyncio.gather(*(store.read(table, "case") for table in ("a", "b")), return_exceptions=True)
        assert isinstance(found[0], Damaged)
        assert [record.body for record in found[1]] == [b"1", b"2", b"3"]  # type: ignore[union-attr]
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--database", database]) == 1
    assert "the table a" in capsys.readouterr().out
    cli.main(["check-data", "--database", database, "--repair"])
    mended = "head" in damage and "DELETE" in damage
    assert cli.main(["check-data", "--database", database]) == (0 if mended else 1)


def test_a_damaged_review_in_postgresql_is_nothing_to_its_reader_and_gone_after_a_repair(
    run: Run, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        await store.keep_review("a", "1", "0", b"body")
        async with postgres_schema.usable(database) as connection:
            await connection.execute("UPDATE review SET body = 'other'")
        assert await store.review("a", "1", "0") is None
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--database", database]) == 1
    assert "its review is not what was stored" in capsys.readouterr().out
    cli.main(["check-data", "--database", database, "--repair"])
    assert cli.main(["check-data", "--database", database]) == 0


def test_postgresql_too_leaves_damaged_listings_out(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        for table in ("a", "b"):
            listing = Listing(table, "gathering", True, ("Ann",), (f"key of {table}",), 5, 7)
            await store.append(table, [Record("case", 1, 1, b"1")], [Blob("s", "audio/ogg", b"1")], listing)
        async with postgres_schema.usable(database) as connection:
            await connection.execute("UPDATE listing SET at = 6, crc = crc + 1 WHERE table_id = 'a'")
            await connection.execute("UPDATE blob SET data = '2' WHERE table_id = 'a'")
        assert [listing.table for listing in await store.gathering()] == ["b"]
        assert [table for _, table in await store.due(NEVER)] == ["b"]
        with pytest.raises(Damaged, match="the table a"):
            await store.opened_by("key of a")
        with pytest.raises(Damaged, match="the table a"):
            await store.blob("a", "s")
        with pytest.raises(Damaged) as refused:
            await store.of_person("Ann")
        assert [listing.table for listing in refused.value.rest] == ["b"]
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--database", database]) == 1


# --- Nothing is left behind ------------------------------------------------------------------------------------------


def files(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir() if file.name.startswith(path.name))


def test_people_who_go_one_after_the_other_are_nowhere_in_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where rows move from page to page their old copies may stay: lists are made anew when somebody is found there."""
    monkeypatch.setattr("whodunit.infra.sqlite.ANEW_SHARE", 0)
    path = tmp_path / "whodunit.db"
    dice = random.Random(1)  # noqa: S311  (the same each time)
    people = [dice.randbytes(12).hex() for _ in range(60)]
    at: dict[str, list[str]] = {}

    async def listed(store: SqliteStore, table: str) -> None:
        listing = Listing(table, "over", True, tuple(at[table]), (dice.randbytes(16).hex(),), dice.randrange(10**9))
        await store.append(table, [], (), listing)

    async def scene() -> None:
        store = SqliteStore(path)
        for _ in range(500):
            table = dice.randbytes(6).hex()
            at[table] = dice.sample(people, dice.randrange(1, 6))
            await listed(store, table)
        for person in dice.sample(people, 30):
            mine = [listing.table for listing in await store.of_person(person)]
            for table in mine:
                at[table].remove(person)
            await asyncio.gather(*(listed(store, table) for table in mine))
            assert person.encode() in files(path)
            assert await store.scrub([person.encode()])
            assert person.encode() not in files(path)
        await store.close()

    asyncio.run(scene())


def test_a_log_that_another_program_reads_is_emptied_when_it_has_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("whodunit.infra.sqlite.SCRUB_S", 0.2)
    path = tmp_path / "whodunit.db"
    secret = Record("room", 1, 1, b"the secret")

    async def scene() -> None:
        store = SqliteStore(path)
        await store.append("a", [secret])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM record").fetchall()
            await store.rewrite("a", [(secret, b"nothing at")])
            assert not await store.scrub([secret.body])
            await store.append("b", [secret])  # and moves go on
            await store.rewrite("b", [(secret, b"nothing at")])
        deadline = time.monotonic() + 20
        while secret.body in files(path) and time.monotonic() < deadline:  # noqa: ASYNC110  (a thread works)
            await asyncio.sleep(0.05)
        assert secret.body not in files(path)
        await store.close()

    asyncio.run(scene())
    assert "not gone from the disk yet" in caplog.text


def test_notes_that_are_forgotten_are_nowhere_in_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are replaced again and again by longer and shorter ones, so rows move from page to page."""
    monkeypatch.setattr("whodunit.infra.sqlite.ANEW_SHARE", 0)
    path = tmp_path / "whodunit.db"
    dice = random.Random(8)  # noqa: S311  (the same each time)
    written: dict[str, list[bytes]] = {}

    async def scene() -> None:
        store = SqliteStore(path)
        for _ in range(600):
            table = f"noted{dice.randrange(40):03}"
            thoughts = written.setdefault(table, [])
            thoughts.append(dice.randbytes(16).hex().encode())
            await store.keep_notes(table, Notes(0, len(thoughts), thoughts[-1] * dice.randrange(1, 60)))
        gone = sorted(written)[::3]
        for table in gone:
            await store.keep_notes(table, Notes(0, len(written[table]) + 1, b""))
            assert await store.scrub(written[table][-1:])
            assert written[table][-1] not in files(path)
        for table in written.keys() - {*gone}:
            (notes,) = await store.notes(table)
            assert notes.body.startswith(written[table][-1])
        await store.close()

    asyncio.run(scene())
