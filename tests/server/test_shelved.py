"""A table whose game is not installed is kept and listed as such; it breaks no list, no sweep and no node."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import SALT, Open, Parlour, dice, opened, plays, settle, terms_of
from whodunit import games
from whodunit.core.errors import BadCase, NotInstalled
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.server import housekeeping, privacy, protocol
from whodunit.table import case_file

OPTIONS = {"starter": 0, "max_turns": 4}


@contextmanager
def without(game: str) -> Iterator[None]:
    """Let a house run in which this game is not installed."""
    there = games.registered()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "registered", lambda: {id: entry for id, entry in there.items() if id != game})
        yield


async def evening(store: MemoryStore, bus: MemoryBus) -> dict[str, str]:
    """Let Ada and Bob play one game to its end, begin another, and wait for somebody at a third."""
    async with Parlour(store, bus) as parlour:
        over, pages = await parlour.table("ada", "bob", options=OPTIONS)
        await parlour.play(pages, over)
        begun, (_, bob) = await parlour.table("ada", "bob", options=OPTIONS)
        await bob.ask("say", table=begun, text="good evening")
        ada = parlour.page("ada")
        waiting = (await ada.ask("create_table", **terms_of(public=True)))["table"]
        return {"over": over, "begun": begun, "waiting": waiting}


def test_it_is_listed_as_such_and_takes_no_other_tables_place() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        tables = await evening(store, bus)
        with without("clue"):
            async with Parlour(store, bus) as parlour:
                hotel, _ = await parlour.table("ada", game="crime_hotel", bots=("random", "random"))
                lobby = await parlour.lobby._shown("ada", await parlour.lobby._open())

                assert [listed.table for listed in lobby.mine] == [hotel]
                assert {*lobby.shelved} == {protocol.Shelved(table, "clue") for table in tables.values()}
                assert lobby.open == ()
                stranger = await parlour.lobby._shown("eve", [])
                assert stranger.shelved == ()

    asyncio.run(scene())


def test_nobody_can_open_it_and_no_sweep_touches_it(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        tables = await evening(store, bus)
        before = [list(await store.read(table, "room")) for table in tables.values()]
        with without("clue"):
            async with Parlour(store, bus) as parlour:
                eve = parlour.page("eve")
                for table in tables.values():
                    with pytest.raises(Refused, match="not_installed"):
                        await eve.ask("watch_table", table=table)
                    with pytest.raises(NotInstalled):
                        await parlour.host.get(table)
                await parlour.pass_time(manners.UNFINISHED_MS + 1)
                await housekeeping.close_unfinished(parlour.host, {})
                await housekeeping.clear_hall(parlour.host, {})
                await parlour.wakeups.wake_due()
                await settle()
                assert parlour.host.tables == {}
        assert [list(await store.read(table, "room")) for table in tables.values()] == before
        async with Parlour(store, bus) as parlour:  # the game is back, and so are they
            live = await parlour.host.get(tables["begun"])
            assert (live.stage, live.room.laid.game) == ("playing", "clue")

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())
    told = [record.getMessage() for record in caplog.records]
    assert len([line for line in told if "is kept and cannot be opened: there is no game 'clue'" in line]) == 3


def test_a_person_still_gets_and_can_still_remove_what_is_theirs() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        tables = await evening(store, bus)
        async with Parlour(store, bus) as parlour:
            there = await privacy.handed_out(parlour.host, "bob")
        with without("clue"):
            async with Parlour(store, bus) as parlour:
                assert (await privacy.handed_out(parlour.host, "bob")).tables == there.tables
                await privacy.forget(parlour.host, "bob")
                assert list(await store.of_person("bob")) == []
        bodies = [record.body for table in tables.values() for record in await store.read(table, "room")]
        assert not any(b"good evening" in body for body in bodies)
        async with Parlour(store, bus) as parlour:
            chair = (await parlour.host.get(tables["begun"])).room.chairs[1]
            assert (chair.name, chair.gone) == ("", True)

    asyncio.run(scene())


def test_its_files_are_refused_by_name_over_http_and_elsewhere() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, cookie = await over(house)
            body = await (await house.get(f"/t/{table}/case", cookie)).read()
            live = house.site.host.tables[table]
            with without("clue"):
                house.site.host.release(live)
                assert table not in house.site.host.tables
                answer = await house.get(f"/t/{table}/case", cookie)
                assert answer.status == 409
                assert await answer.text() == "The game of this table is not installed here."
                with pytest.raises(BadCase, match="line 1: there is no game 'clue'; there is: arosa"):
                    case_file.parse(body)
            assert case_file.parse(body).outcome is not None

    async def over(house: Open) -> tuple[str, str]:
        cookie = house.cookie()
        ada = await house.page(cookie)
        terms: dict[str, Any] = terms_of(chairs=[None, "random"], options={"max_turns": 2}, salt=SALT)
        table = (await ada.ask("create_table", **terms))["table"]
        await ada.ask("watch_table", table=table)
        await ada.ask("start", table=table)
        await plays(ada, table, dice(0))
        await ada.close()
        return table, cookie

    asyncio.run(scene())
