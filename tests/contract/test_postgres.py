"""What only PostgreSQL has: several nodes on one database, connections that break, versions, databases of others."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest

from tests.contract.houses import Run, postgres_store
from whodunit.core.errors import Conflict, NotStored
from whodunit.core.ports import GAP, HALL, Listing, Record
from whodunit.infra import postgres
from whodunit.infra.postgres_schema import MIGRATIONS, named, prepared
from whodunit.infra.sqlite_schema import BadDatabase
from whodunit.infra.switchboard import Switchboard


def case(seq: int, body: bytes = b"body") -> Record:
    return Record("case", seq, seq, body)


def room(seq: int, body: bytes = b"body") -> Record:
    return Record("room", seq, seq, body)


async def cut(database: str, whose: Any) -> None:
    """Let the server end a connection, as it does when it restarts."""
    connection = await asyncpg.connect(database)
    await connection.execute("SELECT pg_terminate_backend($1, 5000)", whose.get_server_pid())
    await connection.close()


class Crowded:
    """Readers whom the server does not let in."""

    async def fetch(self, *_: object) -> None:
        raise asyncpg.TooManyConnectionsError("sorry, too many clients already")


# --- Several nodes -------------------------------------------------------------------------------------------------


def test_of_two_nodes_that_follow_the_same_entry_one_wins_whatever_else_they_bring(run: Run, database: str) -> None:
    async def scene() -> None:
        nodes = [await postgres_store(database, name) for name in ("here", "there")]
        await nodes[0].append("a", [room(1)])
        for turn in range(1, 40):
            tries = [
                nodes[0].append("a", [case(turn, b"0"), room(turn + 1, b"0")]),
                nodes[1].append("a", [room(turn + 1, b"1")] if turn % 2 else [case(turn, b"1"), room(turn + 1, b"1")]),
            ]
            ends = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(type(end).__name__ for end in ends) == ["Conflict", "NoneType"]
            stored = [await nodes[0].read("a", stream) for stream in ("case", "room")]
            assert stored[1][-1].body == b"%d" % ends.index(None)
            assert len(stored[1]) == turn + 1
            if len(stored[0]) < turn:  # the other one had a room entry alone; nothing of the loser's is there
                await nodes[1].append("a", [case(turn)])
        for node in nodes:
            await node.close()

    run(scene())


def test_nodes_that_race_for_many_tables_never_wait_for_each_other_in_a_circle(run: Run, database: str) -> None:
    async def scene() -> None:
        nodes = [await postgres_store(database, name) for name in ("here", "there")]
        names = [f"t{number}" for number in range(100)]
        won = [0, 0]
        for turn in range(1, 16):
            tries = [
                node.append(name, [case(turn)])
                for node, order in zip(nodes, (names, names[::-1]), strict=True)
                for name in order
            ]
            ends = await asyncio.wait_for(asyncio.gather(*tries, return_exceptions=True), 20)
            assert {type(end) for end in ends} <= {type(None), Conflict}
            wins = [sum(end is None for end in half) for half in (ends[:100], ends[100:])]
            assert sum(wins) == 100
            won = [mine + more for mine, more in zip(won, wins, strict=True)]
        assert [len(await nodes[0].read(name, "case")) for name in names] == [15] * 100
        for node in nodes:
            await node.close()

    run(scene())


def test_many_tables_that_grow_at_once_are_told_in_notices_that_are_not_too_long(run: Run, database: str) -> None:
    async def scene() -> None:
        here, there = await postgres_store(database), await Switchboard(database, "there").open()
        names = [f"{number:03}" + "ß🔪" * 40 for number in range(400)]
        ears = [there.listen(name) for name in names]
        await asyncio.gather(*(here.append(name, [case(1)]) for name in names))

        assert [await anext(ear) for ear in ears] == [1] * 400
        await here.close()
        await there.close()

    run(scene())


def test_a_node_hears_nothing_of_its_own_and_of_lists_only_when_they_change(run: Run, database: str) -> None:
    async def scene() -> None:
        here, there = await postgres_store(database, "here"), await postgres_store(database, "there")
        board = await Switchboard(database, "here").open()
        table, hall = board.listen("a"), board.listen(HALL)
        await here.append("a", [room(1)], (), Listing("a", "gathering", True))
        await there.append("a", [room(2)])
        await there.append("b", [room(1)], (), Listing("b", "gathering", True))
        await there.append("a", [room(3)])

        assert [await anext(table), await anext(table)] == [2, 3]
        assert await anext(hall) == 1
        for each in (here, there, board):
            await each.close()

    run(scene())


# --- Connections that break ------------------------------------------------------------------------------------------


def test_a_broken_connection_is_made_anew(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        await store.append("a", [case(1)])
        await cut(database, store._writes)
        await store.append("a", [case(2)])

        assert list(await store.read("a", "case")) == [case(1), case(2)]
        await store.close()

    run(scene())


def test_an_append_whose_answer_was_lost_is_found_stored(run: Run, database: str) -> None:
    class Deaf:
        """Stores, and loses the connection before it says so."""

        def __init__(self, connection: asyncpg.Connection) -> None:
            self._connection = connection

        def is_closed(self) -> bool:
            return bool(self._connection.is_closed())

        async def fetch(self, *query: object) -> None:
            await self._connection.fetch(*query)
            await self._connection.close()
            raise ConnectionResetError

    async def scene() -> None:
        store, other = await postgres_store(database), await postgres_store(database, "there")
        store._writes = Deaf(store._writes)
        await store.append("a", [case(1), room(1)])
        assert list(await store.read("a", "case")) == [case(1)]

        await other.append("a", [case(2, b"theirs")])
        store._writes = Deaf(store._writes)
        with pytest.raises(Conflict):
            await store.append("a", [case(2, b"ours")])
        for each in (store, other):
            await each.close()

    run(scene())


def test_a_database_that_is_gone_stores_nothing_and_says_so(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        await store.append("a", [case(1)])
        monkeypatch.setattr(postgres, "PATIENCE_S", 0.1)
        address, store._address = store._address, f"{database}&host=/nowhere"
        await store._writes.close()
        with pytest.raises(NotStored, match="does not answer"):
            await store.append("a", [case(2)])
        store._address = address
        await store.append("a", [case(2)])

        assert list(await store.read("a", "case")) == [case(1), case(2)]
        await store.close()

    run(scene())


def test_a_read_that_the_server_has_no_room_for_is_told(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        reads, store._reads = store._reads, Crowded()
        for asked in (store.read("a", "case"), store.gathering(), store.drop_blobs(1)):
            with pytest.raises(NotStored, match="too many"):
                await asked
        store._reads = reads
        with pytest.raises(asyncpg.UndefinedColumnError):  # and a bug stays one
            await store._ask("SELECT nothing")
        await store.close()

    run(scene())


def test_what_was_stored_is_well_though_nobody_can_say_why_the_rest_was_not(run: Run, database: str) -> None:
    async def scene(broken: object, fate: type[Exception]) -> None:
        store = await postgres_store(database)
        table = fate.__name__
        await store.append(f"{table} old", [case(1)])
        reads, store._reads = store._reads, broken
        tries = [store.append(f"{table} {name}", [case(1)], leased=name == "old") for name in ("new", "old")]
        ends = await asyncio.gather(*tries, return_exceptions=True)
        store._reads = reads

        assert [type(end) for end in ends] == [type(None), fate]
        assert list(await store.read(f"{table} new", "case")) == [case(1)]
        await store.close()

    run(scene(Crowded(), NotStored))
    run(scene(None, AttributeError))


def test_a_listener_whose_connection_broke_is_told_that_it_may_have_missed_something(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database, "there")
        board = await Switchboard(database, "here").open()
        ear = board.listen("a")
        await cut(database, board._connection)
        await store.append("a", [case(1)])
        heard = [await asyncio.wait_for(anext(ear), 10)]
        await store.append("a", [case(2)])
        heard.append(await asyncio.wait_for(anext(ear), 10))

        assert heard == [GAP, 2]
        await board.close()
        await store.close()

    run(scene())


# --- Versions --------------------------------------------------------------------------------------------------------


def test_nodes_that_start_at_once_migrate_once_and_agree_on_the_key(run: Run, database: str) -> None:
    async def scene() -> None:
        keys = await asyncio.gather(*(prepared(database, b"%d" % number) for number in range(4)))

        assert len({*keys}) == 1
        assert await prepared(database, b"later") == keys[0]

    run(scene())


def test_a_migration_keeps_what_is_stored_and_leaves_no_trace_if_it_fails(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database)
        await store.append("a", [case(1)])
        scripts = ["CREATE TABLE later (x int)", "INSERT INTO missing VALUES (3)"]
        with pytest.raises(BadDatabase, match="missing"):
            await prepared(database, b"", (*MIGRATIONS, *scripts))
        await prepared(database, b"", (*MIGRATIONS, "CREATE TABLE later (x int)"))

        assert list(await store.read("a", "case")) == [case(1)]
        with pytest.raises(BadDatabase, match=f"version {len(MIGRATIONS) + 1}, this program knows up to"):
            await prepared(database, b"")
        await store.close()

    run(scene())


# --- Databases that are none of ours ---------------------------------------------------------------------------------


async def foreign(database: str) -> str:
    connection = await asyncpg.connect(database)
    await connection.execute("CREATE TABLE record (x int)")
    await connection.close()
    return database


async def nameless(database: str) -> str:
    return database.replace("/postgres?", "/nowhere?")


async def unreachable(database: str) -> str:
    return f"{database}&host=/nowhere"


async def schemaless(database: str) -> str:
    return f"{database}x"


async def unparsed(_: str) -> str:
    return "postgresql://ann:secret@127.0.0.1:port/house"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (foreign, "another program"),
        (nameless, 'database "nowhere" does not exist'),
        (unreachable, "No such file"),
        (schemaless, "no schema that exists"),
        (unparsed, "could not cast|port"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused(
    run: Run, database: str, make: Callable[[str], Awaitable[str]], why: str
) -> None:
    async def scene() -> None:
        address = await make(database)
        with pytest.raises(BadDatabase, match=why) as refused:
            await prepared(address, b"")

        assert "cannot open the database" in str(refused.value)
        assert "secret" not in str(refused.value)

    run(scene())


def test_a_missing_driver_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(BadDatabase, match=r"install whodunit-games\[postgres\]"):
        run(prepared("postgresql://host/house", b""))


def test_an_address_is_told_without_its_password() -> None:
    assert named("postgresql://ann:secret@db.example:5432/house") == "db.example/house"
