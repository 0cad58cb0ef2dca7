"""Places in the hall are by household: whoever lays many tables takes three of them, and no address is stored."""

import asyncio
from pathlib import Path

import pytest

from tests.server.sites import SALT, FakeClock, Page, Parlour, settle, terms_of
from whodunit.core.ports import Store
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.room.room import FORGOTTEN
from whodunit.server import privacy
from whodunit.server.limits import USUAL, read_limits
from whodunit.server.lobby import Lobby
from whodunit.table.table import Table

ADDRESS = "203.0.113.7"


def in_hall(page: Page) -> list[str]:
    return [listed["table"] for listed in page.told.last["lobby"]["open"]]


async def hall(parlour: Parlour) -> list[str]:
    page = parlour.page("visitor")
    await page.ask("watch_lobby")
    return in_hall(page)


async def lay(page: Page) -> str:
    made = await page.ask("create_table", **terms_of(public=True, chairs=[None, None, None]))
    return str(made["table"])


async def stored(store: Store, table: str) -> bytes:
    return b"".join([record.body for record in await store.read(table, "room")])


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_thirty_tables_of_one_household_leave_the_others_their_places(kind: str, tmp_path: Path) -> None:
    async def scene() -> None:
        store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "whodunit.sqlite")
        async with Parlour(store) as parlour:
            theirs = [await lay(parlour.page(f"friend {number}", f"198.51.100.{number}")) for number in range(4)]
            crowd = []
            for number in range(30):
                parlour.clock.move(parlour.clock.now() + 1000)
                crowd.append(await lay(parlour.page(f"mallory {number}", ADDRESS)))
            found = await hall(parlour)
            assert found[:3] == crowd[: -1 - USUAL.hall_places : -1]
            assert {*found[3:]} == {*theirs}
            assert ADDRESS.encode() not in await stored(store, crowd[0])
            assert await parlour.page("bob").ask("watch_table", table=crowd[0]) is None  # whoever has the link finds it

            parlour.lobby = Lobby(parlour.host, read_limits({"hall_places": 5}))
            parlour.house.lobby = parlour.lobby
            assert len(await hall(parlour)) == 5 + len(theirs)

    asyncio.run(scene())


def test_on_ones_own_machine_and_of_private_tables_nothing_is_counted_or_stored() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            own = [await lay(parlour.page("ada")) for _ in range(5)]
            assert {*await hall(parlour)} == {*own}
            private = (await parlour.page("bob", ADDRESS).ask("create_table", **terms_of()))["table"]
            for table in (own[0], private):
                assert (await parlour.host.get(table)).room.laid.household == ""

    asyncio.run(scene())


def test_two_nodes_with_one_key_know_a_household_by_the_same_name_and_a_game_that_runs_forgets_it() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as one, Parlour(store, bus, one.clock) as two:
            tables = [await lay(node.page(f"{number}", ADDRESS)) for node in (one, two) for number in range(3)]
            assert len(await hall(one)) == len(await hall(two)) == USUAL.hall_places
            households = {listing.household for listing in await store.gathering()}
            assert len(households) == 1
            assert "" not in households
            await one.page("0", ADDRESS).ask("start", table=tables[0])
            (mine,) = [listing for listing in await store.of_person("0") if listing.stage == "playing"]
            assert mine.household == ""

    asyncio.run(scene())


def test_whoever_is_forgotten_takes_the_household_along_and_gains_no_place() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with Parlour(store) as parlour:
            tables = []
            for number in range(6):
                ada, bob = parlour.page(f"ada {number}", ADDRESS), parlour.page(f"bob {number}", ADDRESS)
                tables.append(table := await lay(ada))
                await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
                digest = (await parlour.host.get(table)).room.laid.household
                kept = (await privacy.handed_out(parlour.host, ada.person)).tables[0].entries
                assert kept[0]["household"] == digest
                assert "household" not in (await privacy.handed_out(parlour.host, bob.person)).tables[0].entries[0]
                await privacy.forget(parlour.host, bob.person if number == 0 else ada.person)
                live = await parlour.host.get(table)
                assert (live.room.laid.household == digest) == (number == 0)
                assert (digest.encode() in await stored(store, table)) == (number == 0)
            again = await Parlour(store, clock=parlour.clock).host.get(tables[1])
            assert again.room == (await parlour.host.get(tables[1])).room
            assert again.room.laid.household == FORGOTTEN
            await settle()
            assert len(await hall(parlour)) == USUAL.hall_places + 1

    asyncio.run(scene())


def abandoned(table: Table | None) -> Table:
    assert table is not None
    return table.abandon()


@pytest.mark.parametrize("leaves", [False, True])
def test_in_a_rematch_the_maker_stays_host_and_if_there_is_none_whoever_asks_becomes_it(leaves: bool) -> None:
    async def scene() -> None:
        async with Parlour(clock=FakeClock()) as parlour:
            ada, bob, cleo = (parlour.page(who, f"198.51.100.{n}") for n, who in enumerate(("ada", "bob", "cleo")))
            table = await lay(ada)
            await cleo.ask("sit_down", table=table, seat=1, name="Cleo", salt=SALT)
            await bob.ask("sit_down", table=table, seat=2, name="Bob", salt=SALT)
            if leaves:
                await ada.ask("stand_up", table=table)
                await cleo.ask("start", table=table)
            else:
                await ada.ask("start", table=table)
            live = await parlour.host.get(table)
            live.table = abandoned(live.table)
            new = await parlour.host.get((await bob.ask("rematch", table=table, salt=SALT))["table"])
            maker = bob if leaves else ada
            assert new.room.sat[0] == maker.person
            assert new.room.host == new.room.seat_of(maker.person)
            assert new.room.laid.household == parlour.laying._household(maker, public=True)
            assert [chair.salt for chair in new.room.chairs if "bob" in chair.people] == [SALT]

    asyncio.run(scene())
