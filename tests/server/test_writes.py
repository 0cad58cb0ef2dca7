"""How much a household can have written down, and what gives way when room runs short."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Refused
from tests.server.sites import Open, opened, terms_of
from tests.server.test_create import alone
from whodunit.infra.sqlite import SqliteStore
from whodunit.server.limits import Limits, read_limits
from whodunit.server.network import networks

TIGHT = Limits(free_disk=0.0, written_person=100, written_household=200)


async def visitor(house: Open, cookie: str, address: str) -> Client:
    """Open a page of somebody who is not on this machine."""
    house.site._proxies = networks(["127.0.0.1"])
    return await house.page(cookie, **{"X-Forwarded-For": address})


async def reasons(page: Client, times: int, **ask: Any) -> list[str | None]:
    """Ask the same again and again; return why it was refused, or None."""
    told: list[str | None] = []
    for number in range(times):
        filled = {name: value.format(number) if isinstance(value, str) else value for name, value in ask.items()}
        try:
            await page.ask(filled.pop("type"), **filled)
        except Refused as refused:
            told.append(refused.reason)
        else:
            told.append(None)
    return told


def test_ten_sockets_of_one_cookie_write_no_more_than_one(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path, limits=TIGHT) as house:
            cookie = house.cookie()
            table = (await (await house.page(cookie)).ask("create_table", **terms_of(public=True)))["table"]
            pages = [await visitor(house, cookie, "192.0.2.7") for _ in range(10)]
            jots = {"type": "jot", "table": table, "text": "{}" + "x" * 3000}
            told = await asyncio.gather(*(reasons(page, 5, **jots) for page in pages))

            # Three quarters of five minutes' worth at once: the rest is kept for moves.
            assert sum(reason is None for each in told for reason in each) * 3300 <= 0.75 * 300 * 100 + 3300
            assert {reason for each in told for reason in each} == {None, "too_fast"}
            roll = await reasons(pages[0], 1, type="stand_up", table=table)
            assert roll == [None]

            bob = await visitor(house, house.cookie(), "192.0.2.8")
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt="0" * 32)

    asyncio.run(scene())


def test_a_page_of_notes_takes_its_room_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            store = house.site.host.store
            assert isinstance(store, SqliteStore)

            def pages() -> int:
                (count,) = store._writes.execute("PRAGMA page_count").fetchone()
                return int(count)

            await reasons(ada, 3, type="jot", table=table, text="{}" + "x" * 3900)
            before = pages()
            assert set(await reasons(ada, 200, type="jot", table=table, text="{}" + "x" * 3900)) == {None}
            assert pages() <= before + 3

    asyncio.run(scene())


def test_near_the_end_of_the_disk_moves_go_on_and_nothing_else_does(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            house.site.disk._least = 1.0  # as much as no disk has
            house.site.disk._looked = -10.0

            assert await reasons(ada, 1, type="jot", table=table, text="hm") == ["no_room"]
            assert await reasons(ada, 1, type="say", table=table, text="hm") == ["no_room"]
            with pytest.raises(Refused, match="no_room"):
                await ada.ask("create_table", **terms_of())
            health = await house.get("/health")
            assert (health.status, "of the disk is free" in await health.text()) == (503, True)
            await ada.ask("act", table=table, since=ada.told.seq, action={"type": "Roll"})

            house.site.disk._least = 0.0
            assert await reasons(ada, 1, type="jot", table=table, text="hm") == [None]
            assert (await house.get("/health")).status == 200

    asyncio.run(scene())


def test_health_says_when_nothing_can_be_written_and_when_it_can_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            store = house.site.host.store
            assert isinstance(store, SqliteStore)
            store._writes.execute("PRAGMA query_only = 1")
            assert await reasons(ada, 1, type="jot", table=table, text="hm") == ["not_stored"]
            health = await house.get("/health")
            assert (health.status, "nothing can be written" in await health.text()) == (503, True)

            store._writes.execute("PRAGMA query_only = 0")
            assert (await house.get("/health")).status == 200  # it tries whether it can be done again

    asyncio.run(scene())


@pytest.mark.parametrize("wrong", [{"no_such": 1}, {"free_disk": 2}, {"free_disk": "much"}, {"written_person": 0}])
def test_a_wrong_limit_is_named(wrong: dict[str, object]) -> None:
    with pytest.raises(Exception, match=next(iter(wrong))):
        read_limits(wrong)
