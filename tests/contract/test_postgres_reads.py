"""Reads gather into statements, and none of them suffers for another."""

import asyncio
from typing import Any

import pytest

from tests.contract.houses import Run, postgres_store
from tests.contract.test_postgres import Crowded, case, room
from whodunit.core.errors import NotStored


def test_what_is_read_during_a_statement_is_read_by_the_next(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[int] = []

    async def scene() -> None:
        store = await postgres_store(database, "here")
        names = [f"t{number}" for number in range(120)]
        await asyncio.gather(*(store.append(name, [case(1), case(2, name.encode()), room(1)]) for name in names))
        asked = store._news._ask

        async def counted(query: str, *values: Any) -> list[Any]:
            statements.append(len(values[0]))
            return await asked(query, *values)

        monkeypatch.setattr(store._news, "_ask", counted)
        reads = [store.read(name, "case", 1) for name in names] + [
            store.read("t7", "room"),
            store.read("t8", "room", 1),
        ]
        found = await asyncio.gather(*reads)

        assert found == [*([case(2, name.encode())] for name in names), [room(1)], []]
        assert sum(statements) == len(reads)
        assert len(statements) <= 3
        monkeypatch.setattr(store, "_reads", Crowded())
        ends = await asyncio.gather(*(store.read(name, "case", 1) for name in names), return_exceptions=True)
        assert {type(end) for end in ends} == {NotStored}
        monkeypatch.undo()
        assert await store.read("t3", "case", 1) == [case(2, b"t3")]
        await store.close()

    run(scene())


def test_what_cannot_be_read_fails_alone(run: Run, database: str) -> None:
    async def scene() -> None:
        store = await postgres_store(database, "here")
        names = [f"t{number}" for number in range(90)]
        await asyncio.gather(*(store.append(name, [case(1, name.encode())]) for name in names))
        odd = [("a\0b", 0), ("\ud800", 0), ("t1", 2**70)]
        asked = [*((name, 0) for name in names[:50]), *odd[:2], *((name, 0) for name in names[50:]), odd[2]]
        first = asyncio.ensure_future(store.read("t0", "case"))
        await asyncio.sleep(0)  # while this statement runs the others gather
        reads = [store.read(name, "case", after) for name, after in asked]
        ends = await asyncio.gather(*reads, return_exceptions=True)

        assert await first == [case(1, b"t0")]
        for (name, after), end in zip(asked, ends, strict=True):
            if (name, after) in odd:
                assert isinstance(end, Exception)
            else:
                assert end == [case(1, name.encode())]
        assert await store.read("t7", "case") == [case(1, b"t7")]
        await store.close()

    run(scene())


def test_whoever_reads_when_the_store_closes_is_told_so(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store = await postgres_store(database, "here")

        async def slow(*_: Any) -> list[Any]:
            await asyncio.Event().wait()
            return []

        monkeypatch.setattr(store._news, "_ask", slow)
        under_way = asyncio.ensure_future(store.read("a", "case"))
        await asyncio.sleep(0.01)
        waiting = asyncio.ensure_future(store.read("b", "case"))
        await asyncio.sleep(0.01)
        await store.close()

        ends = await asyncio.wait_for(asyncio.gather(under_way, waiting, return_exceptions=True), 5)
        assert [type(end) for end in ends] == [NotStored, NotStored]

    run(scene())


def test_what_is_new_does_not_wait_for_many_whole_tables(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[tuple[int, ...]] = []

    async def scene() -> None:
        store = await postgres_store(database, "here")
        names = [f"t{number}" for number in range(30)]
        await asyncio.gather(*(store.append(name, [case(1), case(2, name.encode())]) for name in names))
        asked = store._news._ask

        async def noted(query: str, *values: Any) -> list[Any]:
            statements.append(values[2])
            return await asked(query, *values)

        monkeypatch.setattr(store._news, "_ask", noted)
        whole = [store.read(name, "case") for name in names]
        found = await asyncio.gather(*whole, store.read("t3", "case", 1), store.read("t4", "case", 1))

        assert found[:30] == [[case(1), case(2, name.encode())] for name in names]
        assert found[30:] == [[case(2, b"t3")], [case(2, b"t4")]]
        assert [(afters.count(0), afters.count(1)) for afters in statements] == [(8, 2), (8, 0), (8, 0), (6, 0)]
        monkeypatch.setattr(store, "_reads", Crowded())
        ends = await asyncio.gather(*(store.read(name, "case") for name in names), return_exceptions=True)
        assert {type(end) for end in ends} == {NotStored}
        assert len(statements) == 5  # nobody waits for a database that does not answer once more
        monkeypatch.undo()
        await store.close()

    run(scene())
