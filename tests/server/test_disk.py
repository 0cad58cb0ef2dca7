"""A disk that is full: the move is refused, the table stays as it was, and later everything goes on."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.contract.test_sqlite import stalled
from tests.server.client import Refused
from tests.server.sites import Open, opened, terms_of
from tests.server.test_create import alone
from whodunit.core.errors import NotStored
from whodunit.infra.sqlite import SqliteStore
from whodunit.room.entries import Said


@contextmanager
def full(house: Open) -> Iterator[None]:
    """Let the database grow no further."""
    store = house.site.host.store
    assert isinstance(store, SqliteStore)
    (pages,) = store._writes.execute("PRAGMA page_count").fetchone()
    store._writes.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        store._writes.execute("PRAGMA max_page_count = 1000000")


async def filled(house: Open, table: str) -> None:
    """Write until the disk takes no more."""
    live = await house.site.host.get(table)

    async def said(length: int) -> None:
        line = Said(at=0, person="eve", seat=None, name="", text="x" * length)
        for _ in range(100):
            await house.site.host.writer.note(live, lambda _: [line])

    for length in (3000, 10):
        with pytest.raises(NotStored):
            await said(length)


def test_a_full_disk_refuses_moves_and_loses_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            await ada.ask("jot", table=table, text="before")
            with full(house):
                await filled(house, table)
                seq, jotted = ada.told.seq, ada.told.room["jotting"]
                roll = {"table": table, "since": seq, "action": {"type": "Roll"}}
                for _ in range(2):
                    with pytest.raises(Refused, match="not_stored"):
                        await ada.ask("act", **roll)
                with pytest.raises(Refused, match="not_stored"):
                    await ada.ask("create_table", **terms_of())
                response = await house.post("/api/join", {"code": ada.told.room["code"]}, house.cookie())
                assert (response.status, (await response.json())["reason"]) == (503, "not_stored")
                await ada.ask("watch_table", table=table)

                assert (ada.told.seq, ada.told.room["jotting"]) == (seq, jotted)
                assert ada.told.table["offers"][0]["since"] == seq
                assert len((await house.site.host.get(table)).room.entered) == 0

            await ada.ask("act", **roll)  # the same wish, when there is room again
            await ada.until(lambda told: told.seq > seq)

        async with opened(tmp_path) as house:
            live = await house.site.host.get(table)
            assert live.table is not None
            assert live.table.seq == ada.told.seq
            assert live.room.chairs[0].jotting == jotted

    asyncio.run(scene())


def test_a_move_of_somebody_who_leaves_at_that_very_moment_reaches_the_others(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            eve = await house.page()
            await eve.ask("watch_table", table=table)
            before = eve.told.seq
            with stalled(tmp_path / "whodunit.sqlite"):
                roll = {"type": "act", "n": 99, "table": table, "since": before, "action": {"type": "Roll"}}
                await ada.ws.send_json(roll)
                live = await house.site.host.get(table)
                while not live.lock.locked():  # noqa: ASYNC110  (until the move is on its way to the disk)
                    await asyncio.sleep(0.001)
                connection = ada.ws._response.connection
                assert connection is not None
                assert connection.transport is not None
                connection.transport.abort()
                await asyncio.sleep(0.05)  # the server has noticed
            await eve.until(lambda told: told.seq > before)

    asyncio.run(scene())
