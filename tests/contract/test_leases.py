"""Who runs a table's clocks and bots: one node alone, and another when it goes, or dies."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from tests.contract.houses import Run, postgres_store
from whodunit.core.errors import Conflict, NotHeld
from whodunit.core.ports import NOTED, Leases, Notes, Record
from whodunit.host.leases import SingleNode
from whodunit.infra.switchboard import Switchboard

LEASE_S = 2.0


async def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""

    async def wait() -> None:
        while not true():  # noqa: ASYNC110  (what is waited for says nothing)
            await asyncio.sleep(0.005)

    await asyncio.wait_for(wait(), 20)


@asynccontextmanager
async def boards(database: str, *names: str) -> AsyncIterator[list[Switchboard]]:
    await (await postgres_store(database)).close()
    opened = [await Switchboard(database, name, LEASE_S).open() for name in names]
    try:
        yield opened
    finally:
        for board in opened:
            await board.close()


async def dies(board: Switchboard) -> None:
    """End without a word, as a process that is killed does."""
    await board._silence()
    await board._connection.close()


def test_a_node_alone_holds_every_lease() -> None:
    alone: Leases = SingleNode()
    alone.drop("a")
    alone.attend("a", frozenset({1}))

    assert alone.holds("a")
    assert alone.elsewhere("a") == alone.looking("a") == frozenset()


def test_of_two_that_seek_a_lease_one_holds_it_until_it_drops_it(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            assert not here.holds("a")
            here.seek("a")
            await until(lambda: here.holds("a"))
            there.seek("a")
            await asyncio.sleep(1.5 * LEASE_S)  # renewed, and not to be had by waiting
            assert (here.holds("a"), there.holds("a")) == (True, False)
            here.drop("a")
            await until(lambda: there.holds("a"))
            assert not here.holds("a")

    run(scene())


def test_what_a_dead_node_held_is_inherited_whole_though_nobody_sought_it(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            heard: list[str] = []
            for table in ("a", "b", "c"):
                here.seek(table)
            await until(lambda: here.holds("c"))
            here.attend("a", frozenset({2}))
            await until(lambda: there.elsewhere("a") == {2})
            there.heard = heard.append
            await dies(here)
            await until(lambda: there.holds("a"))

            assert [there.holds(table) for table in ("b", "c")] == [True, True]
            assert {*heard} == {"a", "b", "c"}
            assert there.elsewhere("a") == frozenset()

    run(scene())


def test_what_a_closed_node_held_is_inherited_at_once_or_by_whoever_comes(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here") as (here,):
            here.seek("a")
            await until(lambda: here.holds("a"))
        async with boards(database, "there") as (there,):
            assert there.holds("a")

    run(scene())


def test_a_task_without_the_lease_stores_nothing(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database, "here")
        await store.append("a", [Record("room", 1, 1, b"")])
        async with boards(database, "here", "there") as (here, there):
            there.seek("a")
            await until(lambda: there.holds("a"))
            with pytest.raises(NotHeld):
                await store.append("a", [Record("room", 2, 2, b"")], leased=True)
            assert len(await store.read("a", "room")) == 1
            there.drop("a")
            here.seek("a")
            await until(lambda: here.holds("a"))
            await store.append("a", [Record("room", 2, 2, b"")], leased=True)
            with pytest.raises(Conflict, match="otherwise"):
                await store.append("a", [Record("room", 2, 2, b"")], leased=True)
            assert len(await store.read("a", "room")) == 2
        await store.close()

    run(scene())


def test_a_node_that_was_thought_dead_has_lost_everything_and_begins_anew(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            here.seek("a")
            here.attend("b", frozenset({0, 3}))
            await until(lambda: here.holds("a") and there.elsewhere("b") == {0, 3})
            await here._silence()
            await until(lambda: there.holds("a") and not there.elsewhere("b"))
            await here._beat()

            assert not here.holds("a")
            await until(lambda: there.elsewhere("b") == {0, 3})

    run(scene())


def test_nodes_know_who_is_on_the_others(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            here.attend("a", frozenset({0}))
            there.attend("a", frozenset({1, 2}), frozenset({2}))
            await until(lambda: here.elsewhere("a") == {1, 2} and there.elsewhere("a") == {0})
            assert here.looking("a") == {2}
            assert there.looking("a") == frozenset()
            async with boards(database, "later") as (later,):
                assert later.elsewhere("a") == {0, 1, 2}
                assert later.looking("a") == {2}
            there.attend("a", frozenset({1, 2}))
            await until(lambda: here.looking("a") == frozenset())
            assert here.elsewhere("a") == {1, 2}
            there.attend("a", frozenset())
            await until(lambda: here.elsewhere("a") == frozenset())
            await here.close()
            await until(lambda: there.elsewhere("a") == frozenset())

    run(scene())


class Meddled:
    """A board's connection; something happens behind some of its statements."""

    def __init__(self, connection: Any, meddle: Callable[[str], Awaitable[None]]) -> None:
        self._connection = connection
        self._meddle = meddle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def fetchrow(self, query: str, *values: object) -> Any:
        row = await self._connection.fetchrow(query, *values)
        await self._meddle(query)
        return row


def test_all_leases_of_a_full_house_are_dropped_at_once_and_others_hear_of_each(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            names = [f"table{number:07}" for number in range(1500)]
            for name in names:
                here.seek(name)
            await until(lambda: all(map(here.holds, names)))
            heard: list[int] = []
            for name in names:
                there.seek(name)
            await there._connection.add_listener("whodunit", lambda *notice: heard.append(len(notice[-1])))
            await asyncio.sleep(LEASE_S / 2)  # it has asked for them, in vain
            for name in names:
                here.drop(name)
            await until(lambda: all(map(there.holds, names)))
            assert not any(map(here.holds, names))
            assert max(heard) < 8000

    run(scene())


def test_a_node_that_is_buried_between_two_statements_lives_on(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here") as (here,):
            other = await asyncpg.connect(database)

            async def bury(query: str) -> None:
                if "INTO node" in query:
                    here._connection = here._connection._connection
                    await other.execute("DELETE FROM node WHERE id = 'here'")

            here._connection = Meddled(here._connection, bury)
            here.attend("b", frozenset({1}))
            here.seek("a")
            await until(lambda: here.holds("a"))
            async with boards(database, "there") as (there,):
                await until(lambda: there.elsewhere("b") == {1})
            await other.close()

    run(scene())


def test_who_comes_while_the_connection_breaks_is_told_of(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):

            async def cut(query: str) -> None:
                if "INTO attendance" in query:
                    here._connection = here._connection._connection
                    here.attend("a", frozenset({0, 1}))
                    raise ConnectionResetError

            here._connection = Meddled(here._connection, cut)
            here.attend("a", frozenset({0}))
            await until(lambda: there.elsewhere("a") == {0, 1})

    run(scene())


def test_what_people_use_on_one_node_is_told_to_the_others(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (here, there):
            used = {"tries": {f"{number:016}": number + 0.5 for number in range(400)}, "cases": {"a": 1.0}}
            heard: dict[str, dict[str, float]] = {}
            mine: list[object] = []

            def hear(told: Mapping[str, Mapping[str, float]]) -> None:
                for what, amounts in told.items():
                    heard.setdefault(what, {}).update(amounts)

            there.hear_used, here.hear_used = hear, mine.append
            left = [used]
            here.take_used = lambda: left.pop() if left else {}
            await until(lambda: heard == used)
            assert mine == []

    run(scene())


def test_notes_on_one_node_are_told_to_the_others(run: Run, database: str) -> None:
    async def scene() -> None:
        async with boards(database, "here", "there") as (_, there):
            ear = there.listen("a")
            store = await postgres_store(database)
            await store.keep_notes("a", Notes(0, 1, b"mine"))
            assert await asyncio.wait_for(anext(ear), 20) == NOTED
            await store.close()

    run(scene())
