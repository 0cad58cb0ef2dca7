"""Leaves: what every Store must do with them, what becomes of damaged ones, and that they are found quickly."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from tests.contract.houses import Run, postgres_store
from whodunit import cli
from whodunit.core.errors import Conflict, Damaged, DamagedLeaf
from whodunit.core.ports import AT_ONCE, Leaf, Listing, Notes, Record, Store
from whodunit.infra import postgres_leaves, postgres_schema, sqlite_leaves, sqlite_schema
from whodunit.infra.checks import row_crc
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_schema import connected, migrate

DAY: Final = "2026-11-18.clue"
BEFORE: Final = Path(__file__).parent / "old" / "before_leaves.sqlite"
"""A file that the last version without leaves has written."""
OF_SQLITE: Final = 10
"""How many scripts a file has been through that knows no leaves."""
OF_POSTGRES: Final = 8


def leaf(item: str, person: str = "", body: bytes = b"body", *, shelf: str = "try", done: bool = True) -> Leaf:
    return Leaf(shelf, item, person, 1, done, body)


def test_a_leaf_takes_the_place_of_the_version_before_and_of_no_other(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert await store.leaf("try", DAY, "Ann") is None
        others = [
            leaf(DAY),
            leaf(DAY, "Ann", b"of another shelf", shelf="person"),
            leaf(DAY, "Bob", b"of somebody else"),
            leaf("2026-11-19.clue", "Ann", b"of another item"),
        ]
        first = leaf(DAY, "Ann", b"first", done=False)
        second = replace(first, version=2, done=True, body=b"second, and longer" * 400)
        for each in (*others, first, second):
            await store.keep_leaf(each)

        assert await store.leaf("try", DAY, "Ann") == second
        for each in others:
            assert await store.leaf(each.shelf, each.item, each.person) == each
        assert [await store.leaf("try", DAY, name) for name in ("ann", "Ann ", "Anna")] == [None] * 3

    run(scene())


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_a_leaf_that_does_not_follow_is_a_conflict(run: Run, store: Store, version: int) -> None:
    async def scene() -> None:
        first = leaf(DAY, "Ann", b"first", done=False)
        second = replace(first, version=2)
        for each in (first, second):
            await store.keep_leaf(each)
        with pytest.raises(Conflict):
            await store.keep_leaf(replace(first, version=version, done=True, body=b"too late"))
        for nothing_there in (leaf(DAY, "Bob"), leaf(DAY), leaf("other", "Ann")):
            with pytest.raises(Conflict):
                await store.keep_leaf(replace(nothing_there, version=2))

        assert await store.leaf("try", DAY, "Ann") == second
        assert list(await store.leaves_of_person("Ann")) == [second]
        assert list(await store.leaves_of_person("Bob")) == list(await store.leaves("try")) == []

    run(scene())


def test_of_several_leaves_at_once_one_wins(run: Run, store: Store) -> None:
    async def scene() -> None:
        for version in (1, 2):
            bodies = [b"%d" % number for number in range(8)]
            tries = [store.keep_leaf(Leaf("try", DAY, "Ann", version, done=True, body=body)) for body in bodies]
            ends = await asyncio.gather(*tries, return_exceptions=True)

            assert sorted(type(end).__name__ for end in ends) == ["Conflict"] * 7 + ["NoneType"]
            kept = await store.leaf("try", DAY, "Ann")
            assert kept == Leaf("try", DAY, "Ann", version, done=True, body=bodies[ends.index(None)])
        assert await store.count_leaves("try", DAY) == 1

    run(scene())


def test_the_houses_own_leaves_are_found_a_part_at_a_time_the_last_item_first(run: Run, store: Store) -> None:
    async def scene() -> None:
        own = [leaf(f"2026-{number:03}.clue", body=b"%d" % number, shelf="case") for number in range(AT_ONCE + 5)]
        for each in own:
            await store.keep_leaf(each)
        for other in (leaf("2026-999.clue", "Ann", shelf="case"), leaf("2026-999.clue", shelf="cases"), leaf("z")):
            await store.keep_leaf(other)
        own.reverse()

        assert list(await store.leaves("case")) == own[:AT_ONCE]
        assert list(await store.leaves("case", own[AT_ONCE - 1].item)) == own[AT_ONCE:]
        assert list(await store.leaves("case", "2026-003", 2)) == own[-3:-1]  # whether or not there is one of this name
        assert list(await store.leaves("case", "2026-000.clue")) == list(await store.leaves("nothing")) == []
        assert list(await store.leaves("case", most=3)) == own[:3]

    run(scene())


def test_peoples_leaves_of_an_item_are_found_and_counted_when_they_are_done(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert await store.count_leaves("try", DAY) == 0
        kept = [leaf(DAY, f"p{number:03}", b"%d" % number, done=number % 3 > 0) for number in range(30)]
        for each in reversed(kept):
            await store.keep_leaf(each)
        for other in (leaf(DAY), leaf(DAY, "p000", shelf="person"), leaf(f"{DAY}2", "p000")):
            await store.keep_leaf(other)
        done = [each for each in kept if each.done]

        assert list(await store.leaves_of_item("try", DAY)) == done
        assert list(await store.leaves_of_item("try", DAY, 4)) == done[:4]
        assert await store.count_leaves("try", DAY) == 20
        first = replace(kept[0], version=2, done=True)
        await store.keep_leaf(first)
        await store.keep_leaf(replace(kept[1], version=2, done=False))
        assert list(await store.leaves_of_item("try", DAY)) == [first, *done[1:]]
        assert await store.count_leaves("try", DAY) == 20
        await store.drop_leaves("p000")
        assert await store.count_leaves("try", DAY) == 19

    run(scene())


def test_of_one_item_no_more_leaves_are_found_at_once_than_are_asked_for(run: Run, store: Store) -> None:
    async def scene() -> None:
        await asyncio.gather(*(store.keep_leaf(leaf(DAY, f"p{number:03}")) for number in range(AT_ONCE + 1)))

        assert len(await store.leaves_of_item("try", DAY)) == AT_ONCE
        assert len(await store.leaves_of_item("try", DAY, AT_ONCE + 7)) == AT_ONCE + 1
        assert await store.count_leaves("try", DAY) == AT_ONCE + 1

    run(scene())


def test_all_leaves_of_a_person_are_found_and_forgotten_and_nobody_elses(run: Run, store: Store) -> None:
    async def scene() -> None:
        anns = [
            leaf("2026-11-18.clue", "Ann", shelf="duel", done=False),
            leaf("", "Ann", shelf="person"),
            leaf("2026-11-18.clue", "Ann"),
            leaf("2026-11-19.arosa", "Ann"),
            leaf("2026-11-19.clue", "Ann"),
        ]
        others = [leaf("2026-11-18.clue"), leaf("2026-11-18.clue", "Anne"), leaf("Ann", "Bob")]
        for each in (*reversed(anns), *others):
            await store.keep_leaf(each)

        assert list(await store.leaves_of_person("Ann")) == anns
        assert list(await store.leaves_of_person("nobody")) == []
        assert [await store.drop_leaves("Ann") for _ in range(2)] == [len(anns), 0]
        assert await store.scrub([b"Ann,"])
        assert list(await store.leaves_of_person("Ann")) == []
        assert await store.leaf("try", "2026-11-18.clue", "Ann") is None
        for each in others:
            assert await store.leaf(each.shelf, each.item, each.person) == each
        await store.keep_leaf(anns[2])  # and begins anew
        assert list(await store.leaves_of_person("Ann")) == [anns[2]]

    run(scene())


def test_the_houses_own_leaves_are_nobodys_to_drop(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.keep_leaf(leaf(DAY))
        with pytest.raises(AssertionError):
            await store.drop_leaves("")

        assert await store.leaf("try", DAY) == leaf(DAY)

    run(scene())


def test_every_text_and_every_byte_of_a_leaf_comes_back(run: Run, store: Store) -> None:
    async def scene() -> None:
        text, every = "Frau Weiß 🔪 \N{COMBINING ACUTE ACCENT}' \";--%_\\", bytes(range(256)) * 90
        odd = Leaf(text, text, text, 1, done=True, body=every)
        own = [Leaf(text, item, body=b"") for item in ("🔪", "\uffff", "z", "Z", "")]  # in the order of their bytes
        for each in (odd, *own):
            await store.keep_leaf(each)

        assert await store.leaf(text, text, text) == odd
        assert list(await store.leaves_of_item(text, text)) == list(await store.leaves_of_person(text)) == [odd]
        assert list(await store.leaves(text)) == own
        assert list(await store.leaves(text, "\uffff")) == own[2:]

    run(scene())


def test_leaves_are_kept_in_a_file_of_the_version_before(run: Run, tmp_path: Path) -> None:
    async def scene() -> None:
        path = tmp_path / "whodunit.db"
        with connected(path) as connection:
            migrate(connection, sqlite_schema.MIGRATIONS[:OF_SQLITE])
            review = ("a", "0", "1", b"body")
            connection.execute("INSERT INTO review VALUES (?, ?, ?, ?, ?)", (*review, row_crc(*review)))
            connection.execute("INSERT INTO note VALUES ('a', 0, 1, x'00', ?)", (row_crc("a", 0, 1, b"\0"),))
            connection.execute("INSERT INTO stream_end VALUES ('a', 'note', 1)")
        store = SqliteStore(path)
        assert await store.leaf("try", DAY, "Ann") is None
        await store.keep_leaf(leaf(DAY, "Ann"))
        await store.close()
        store = SqliteStore(path)
        assert list(await store.leaves_of_person("Ann")) == [leaf(DAY, "Ann")]
        assert list(await store.notes("a")) == [Notes(0, 1, b"\0")]
        assert await store.review("a", "1", "0") == b"body"
        await store.close()

    run(scene())


def test_what_the_version_before_wrote_is_all_there_and_leaves_come_to_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "whodunit.sqlite"
    shutil.copy(BEFORE, path)

    async def scene() -> None:
        store = SqliteStore(path)
        await store.keep_leaf(leaf(DAY, "Ann"))
        for table, stage in (("green", "playing"), ("red", "over")):
            bodies = [f"{table} {seq}".encode() for seq in range(1, 6)]
            for stream in ("case", "room"):
                assert [record.body for record in await store.read(table, stream)] == bodies
            assert [blob and blob.data for blob in [await store.blob(table, f"{seq}") for seq in range(1, 6)]] == bodies
            assert list(await store.notes(table)) == [Notes(0, 5, bodies[-1])]
            assert await store.opened_by(f"key of {table}") == table
            assert Listing(table, stage, True, ("Ann", "Bob"), (f"key of {table}",), 5) in await store.of_person("Bob")  # type: ignore[arg-type]
        assert await store.review("red", "1", "0") == b"a review"
        await store.close()
        store = SqliteStore(path)
        assert list(await store.leaves_of_person("Ann")) == [leaf(DAY, "Ann")]
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--data", str(tmp_path)]) == 0


def test_leaves_are_kept_in_a_database_of_the_version_before(run: Run, database: str) -> None:
    async def scene() -> None:
        await postgres_schema.prepared(database, b"k" * 32, postgres_schema.MIGRATIONS[:OF_POSTGRES])
        async with postgres_schema.usable(database) as connection:
            review = ("a", "0", "1", b"body")
            await connection.execute("INSERT INTO review VALUES ($1, $2, $3, $4, $5)", *review, row_crc(*review))
        store = await postgres_store(database)
        await store.keep_leaf(leaf(DAY, "Ann"))
        assert list(await store.leaves_of_person("Ann")) == [leaf(DAY, "Ann")]
        assert await store.review("a", "1", "0") == b"body"
        await store.close()

    run(scene())


# --- Several nodes ---------------------------------------------------------------------------------------------------


def test_of_nodes_that_follow_the_same_version_one_wins_and_all_see_its_leaf_at_once(run: Run, database: str) -> None:
    async def scene() -> None:
        nodes = [await postgres_store(database, f"node {number}") for number in range(4)]
        for version in range(1, 25):
            tries = [
                node.keep_leaf(Leaf("try", DAY, "Ann", version, body=b"%d" % number))
                for number, node in enumerate(nodes)
            ]
            ends = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(type(end).__name__ for end in ends) == ["Conflict"] * 3 + ["NoneType"]
            winner = Leaf("try", DAY, "Ann", version, body=b"%d" % ends.index(None))
            assert [await node.leaf("try", DAY, "Ann") for node in nodes] == [winner] * 4
        for node in nodes:
            await node.close()

    run(scene())


def test_a_leaf_that_follows_one_that_is_forgotten_meanwhile_is_a_conflict(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        here, there = await postgres_store(database, "here"), await postgres_store(database, "there")
        await here.keep_leaf(leaf(DAY, "Ann"))
        one = here._leaves.one

        async def then_forgotten(*of: str) -> Leaf | None:
            found = await one(*of)
            await there.drop_leaves("Ann")
            return found

        monkeypatch.setattr(here._leaves, "one", then_forgotten)
        with pytest.raises(Conflict):
            await here.keep_leaf(replace(leaf(DAY, "Ann"), version=2))
        assert list(await there.leaves_of_person("Ann")) == []
        for node in (here, there):
            await node.close()

    run(scene())


# --- Damage ----------------------------------------------------------------------------------------------------------


DAMAGES: Final = ("body = 'other'", "version = version + 1", "crc = crc + 1")
KEPT: Final = [leaf(DAY, name, name.encode()) for name in ("Ann", "Bob", "Cid")]
OWN: Final = [leaf(item, shelf="case") for item in ("3", "2", "1")]


async def furnished(store: Store) -> None:
    for each in (*KEPT, *OWN, leaf("other", "Bob")):
        await store.keep_leaf(each)


async def behaves(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """See that Bob's leaf of the day and the house's own of item 2, and no others, are lost."""
    bob = KEPT[1]
    for lost, named in ((bob, f"try/{DAY}"), (OWN[1], "case/2")):
        with pytest.raises(DamagedLeaf, match=f"the leaf {named} is damaged") as refused:
            await store.leaf(lost.shelf, lost.item, lost.person)
        assert "Bob" not in str(refused.value)
        for version in (1, 2, 3):  # nor is it mended by the next
            with pytest.raises(Damaged):
                await store.keep_leaf(replace(lost, version=version))
    assert await store.leaf("try", DAY, "Ann") == KEPT[0]
    assert await store.leaf("case", "1") == OWN[2]
    assert list(await store.leaves_of_item("try", DAY)) == [KEPT[0], KEPT[2]]
    assert list(await store.leaves_of_item("try", DAY, 2)) == [KEPT[0], KEPT[2]]  # it takes no place
    assert list(await store.leaves("case")) == list(await store.leaves("case", most=2)) == [OWN[0], OWN[2]]
    assert caplog.text.count("the leaf case/2 is damaged") == 1
    assert "Bob" not in caplog.text
    with pytest.raises(Damaged) as of_bob:
        await store.leaves_of_person("Bob")
    assert list(of_bob.value.rest) == [leaf("other", "Bob")]
    assert await store.drop_leaves("Bob") == 2  # whoever wants to be forgotten is
    assert list(await store.leaves_of_person("Bob")) == []


DAMAGED: Final = "UPDATE leaf SET {} WHERE person = 'Bob' AND shelf = 'try' AND item <> 'other' OR item = '2'"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_leaf_is_lost_alone_and_named(
    run: Run, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "whodunit.sqlite"

    async def scene(work: Any) -> None:
        store = SqliteStore(path)
        await work(store)
        await store.close()

    run(scene(furnished))
    changed(path, DAMAGED.format(damage))
    for options in ((), ("--repair",), ()):
        assert cli.main(["check-data", "--data", str(tmp_path), *options]) == 1
        out = capsys.readouterr().out
        assert f"the leaf try/{DAY} is damaged: it is not what was stored, number 2 of all" in out
        assert "the leaf case/2 is damaged" in out
        assert "Bob" not in out
        assert out.count("damaged:") == 2
    run(scene(lambda store: behaves(store, caplog)))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_leaf_in_postgresql_is_lost_alone_and_named(
    run: Run, database: str, damage: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene(work: Any) -> None:
        store = await postgres_store(database)
        await work(store)
        await store.close()

    async def damages() -> None:
        async with postgres_schema.usable(database) as connection:
            await connection.execute(DAMAGED.format(damage))

    run(scene(furnished))
    run(damages())
    for options in ((), ("--repair",), ()):
        assert cli.main(["check-data", "--database", database, *options]) == 1
        out = capsys.readouterr().out
        assert sorted(out.splitlines()[:2]) == [
            "the leaf case/2 is damaged: it is not what was stored",
            f"the leaf try/{DAY} is damaged: it is not what was stored",
        ]
    run(scene(lambda store: behaves(store, caplog)))


def changed(path: Path, *statements: str) -> None:
    """Change the file behind the store's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM leaf WHERE person = 'Bob'",
        "UPDATE stream_end SET last = last + 1 WHERE stream = 'leaf'",
        "DELETE FROM stream_end WHERE stream = 'leaf'",
    ],
)
def test_leaves_that_are_missing_are_named_and_none_is_read_until_a_repair(
    run: Run, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "whodunit.sqlite"

    async def begins() -> None:
        store = SqliteStore(path)
        await furnished(store)
        await store.append("a", [Record("case", 1, 1, b"body")])
        await store.close()

    async def refuses() -> None:
        store = SqliteStore(path)
        for asked in (
            store.leaf("try", DAY, "Bob"),
            store.leaf("try", DAY, "Ann"),
            store.leaves("case"),
            store.leaves_of_item("try", DAY),
            store.count_leaves("try", DAY),
            store.leaves_of_person("Ann"),
            store.keep_leaf(leaf(DAY, "Dora")),
            store.drop_leaves("Ann"),
        ):
            with pytest.raises(DamagedLeaf, match="were stored"):
                await asked
        assert await store.read("a", "case")  # games go on
        await store.append("a", [Record("case", 2, 2, b"body")])
        await store.close()

    async def goes_on() -> None:
        store = SqliteStore(path)
        assert await store.leaf("try", DAY, "Ann") == KEPT[0]
        await store.keep_leaf(leaf(DAY, "Dora"))
        await store.close()
        await SqliteStore(path).close()

    run(begins())
    changed(path, damage)
    run(refuses())
    assert "the leaves are damaged" in caplog.text
    assert cli.main(["check-data", "--data", str(tmp_path)]) == 1
    assert "the leaves are damaged: there are" in capsys.readouterr().out
    cli.main(["check-data", "--data", str(tmp_path), "--repair"])
    assert cli.main(["check-data", "--data", str(tmp_path)]) == 0
    run(goes_on())


@pytest.mark.parametrize("index", ["leaf_person", "leaf_done", "sqlite_autoindex_leaf_1"])
def test_an_index_that_has_lost_a_leaf_is_found_out(run: Run, tmp_path: Path, index: str) -> None:
    """Else somebody would be told that they have done nothing, and begin anew."""
    path = tmp_path / "whodunit.sqlite"

    async def begins() -> None:
        store = SqliteStore(path)
        await furnished(store)
        await store.close()

    async def refuses() -> None:
        store = SqliteStore(path)
        for asked in (store.leaf("try", DAY, "Bob"), store.leaves_of_person("Bob"), store.count_leaves("try", DAY)):
            with pytest.raises(DamagedLeaf, match="out of order"):
                await asked
        await store.close()

    run(begins())
    with closing(sqlite3.connect(path)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,))
        ((size,),) = connection.execute("PRAGMA page_size")
    data = bytearray(path.read_bytes())
    entries = data[(page - 1) * size : page * size]
    assert entries.count(b"Bob") >= 1
    data[(page - 1) * size : page * size] = entries.replace(b"Bob", b"Bod")
    path.write_bytes(data)
    run(refuses())


# --- Nothing is left behind ------------------------------------------------------------------------------------------


def test_leaves_that_are_forgotten_are_nowhere_in_the_files(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are replaced again and again by longer and shorter ones, so rows move from page to page."""
    monkeypatch.setattr("whodunit.infra.sqlite.ANEW_SHARE", 0)
    path = tmp_path / "whodunit.db"
    dice = random.Random(8)  # noqa: S311  (the same each time)
    written: dict[tuple[str, str], list[bytes]] = {}

    def found(trace: bytes) -> bool:
        return any(trace in file.read_bytes() for file in path.parent.iterdir())

    async def scene() -> None:
        store = SqliteStore(path)
        people = [dice.randbytes(12).hex() for _ in range(40)]
        for _ in range(800):
            key = (f"2026-11-{dice.randrange(1, 31):02}.clue", dice.choice(people))
            bodies = written.setdefault(key, [])
            bodies.append(dice.randbytes(16).hex().encode())
            body = bodies[-1] * dice.randrange(1, 60)
            await store.keep_leaf(Leaf("try", *key, len(bodies), done=dice.random() < 0.5, body=body))
        for person in people[::4]:
            traces = [person.encode(), *(bodies[-1] for (_, whose), bodies in written.items() if whose == person)]
            assert found(traces[0])
            assert await store.drop_leaves(person) == len(traces) - 1
            assert await store.scrub(traces)
            assert [trace for trace in traces if found(trace)] == []
        for (item, person), bodies in written.items():
            kept = await store.leaf("try", item, person)
            assert (kept is None) == (person in people[::4])
            assert kept is None or (kept.body.startswith(bodies[-1]) and kept.version == len(bodies))
        await store.close()
        await SqliteStore(path).close()

    run(scene())
    assert cli.main(["check-data", "--data", str(path.rename(tmp_path / "whodunit.sqlite").parent)]) == 0


def test_what_stays_in_the_pages_of_leaves_is_made_away_with_and_all_others_are_as_they_were(
    tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "whodunit.sqlite"
    kept = [leaf(f"i{number:03}", f"p{number % 7}", b"%d," % number * 40) for number in range(500)]

    async def scene() -> None:
        store = SqliteStore(path)
        for each in kept:
            await store.keep_leaf(each)
        for number in range(0, 500, 50):
            await store.keep_leaf(leaf(f"i{number:03}", "somebody who was here", b"and wrote this"))
        store._writes.execute("PRAGMA secure_delete = OFF")
        assert await store.drop_leaves("somebody who was here") == 10
        store._writes.execute("PRAGMA secure_delete = ON")
        await store._emptied(None)
        assert all(trace in path.read_bytes() for trace in TRACES)
        await store._emptied("lists")
        assert all(trace in path.read_bytes() for trace in TRACES)
        assert await store.scrub(TRACES)
        assert not any(trace in path.read_bytes() for trace in TRACES)
        for each in kept:
            assert await store.leaf(each.shelf, each.item, each.person) == each
        await store.keep_leaf(leaf("i000", "new"))
        await store.close()

    run(scene())
    assert cli.main(["check-data", "--data", str(tmp_path)]) == 0


TRACES: Final = [b"somebody who was here", b"and wrote this"]


def test_what_is_out_of_order_is_not_made_anew_without_a_word(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whodunit.infra.sqlite.ANEW_SHARE", 0)
    path = tmp_path / "whodunit.db"

    async def scene() -> None:
        store = SqliteStore(path)
        await furnished(store)
        await store.close()
        changed(path, "DELETE FROM leaf WHERE person = 'Bob'")
        store = SqliteStore(path)
        assert not await store.scrub([b"Ann"])  # she has leaves still
        await store.close()
        store = SqliteStore(path)
        with pytest.raises(DamagedLeaf):
            await store.leaf("try", DAY, "Bob")
        await store.close()

    run(scene())


def test_the_size_of_a_commit_depends_on_nothing_but_the_length_of_its_leaf(tmp_path: Path, run: Run) -> None:
    async def written(name: str, bodies: list[bytes], *, done: bool) -> list[int]:
        path = tmp_path / name
        store = SqliteStore(path)
        log, sizes = path.with_name(f"{name}-wal"), []
        for version, body in enumerate(bodies, 1):
            await store.keep_leaf(Leaf("try", DAY, "Ann", version, done, body))
            sizes.append(log.stat().st_size)
        await store.close()
        return sizes

    async def scene() -> None:
        lengths = [dice.randrange(9000) for _ in range(40)]
        worlds = [[dice.randbytes(length) for length in lengths], [bytes(length) for length in lengths]]
        one, other = [await written(f"{number}.db", world, done=False) for number, world in enumerate(worlds)]
        assert one == other
        assert one != sorted({*one})[:1] * len(one)

    dice = random.Random(3)  # noqa: S311  (the same each time)
    run(scene())


# --- Quickly ---------------------------------------------------------------------------------------------------------


def test_sqlite_looks_up_every_leaf_in_an_index(tmp_path: Path, run: Run) -> None:
    asked = {
        sqlite_leaves.ONE: "(shelf=? AND item=? AND person=?)",
        sqlite_leaves.LAST: "leaf_person (person=? AND shelf=?)",
        sqlite_leaves.BEFORE: "leaf_person (person=? AND shelf=? AND item<?)",
        sqlite_leaves.OF_ITEM: "leaf_done (shelf=? AND item=?",
        sqlite_leaves.COUNT: "COVERING INDEX leaf_done (shelf=? AND item=?",
        sqlite_leaves.OF_PERSON: "leaf_person (person=?)",
        sqlite_leaves.DROP: "leaf_person (person=?)",
    }
    store = SqliteStore(tmp_path / "whodunit.db")
    for query, how in asked.items():
        plan = store._reads.execute(f"EXPLAIN QUERY PLAN {query}", ("",) * query.count("?")).fetchall()
        assert [how in row[-1] for row in plan] == [True], (query, plan)
    run(store.close())


def test_postgresql_looks_up_every_leaf_in_an_index(run: Run, database: str) -> None:
    asked: dict[str, tuple[Any, ...]] = {
        postgres_leaves.ONE: ("leaf_p", "try", DAY, "p7"),
        postgres_leaves.LAST: ("leaf_person", "case", 100),
        postgres_leaves.BEFORE: ("leaf_person", "case", 100, "400"),
        postgres_leaves.OF_ITEM: ("leaf_done", "try", "i7", "", 100),
        postgres_leaves.COUNT: ("Index Only Scan using leaf_done", "try", "i7"),
        postgres_leaves.OF_PERSON: ("leaf_person", "p7"),
    }

    async def scene() -> None:
        store = await postgres_store(database)
        async with postgres_schema.usable(database) as connection:
            await connection.execute("""
                INSERT INTO leaf SELECT 'try', 'i' || n % 50, 'p' || n, 1, n % 3 = 0, 'body', 0
                FROM generate_series(1, 5000) AS n
            """)
            await connection.execute(
                "INSERT INTO leaf SELECT 'case', n, '', 1, true, 'body', 0 FROM generate_series(1, 500) AS n"
            )
            await connection.execute("VACUUM ANALYZE leaf")
        for query, (index, *values) in asked.items():
            plan = "\n".join(row[0] for row in await store._ask(f"EXPLAIN {query}", *values))
            assert index in plan, plan
            assert "Seq Scan" not in plan, plan
        await store.close()

    run(scene())
