"""Coming to a table: by code, by key, by the lobby; chairs, names, and who may set them."""

import asyncio
from pathlib import Path

import pytest

from tests.server.client import Client, Refused
from tests.server.sites import SALT, Open, opened, terms_of
from tests.server.test_create import stored
from whodunit.infra.memory import MemoryStore


async def laid(house: Open, **terms: object) -> tuple[str, Client]:
    ada = await house.page()
    table = (await ada.ask("create_table", **terms_of(**terms)))["table"]
    await ada.ask("watch_table", table=table)
    return table, ada


async def refuses(reason: str, page: Client, ask: str, **fields: object) -> None:
    with pytest.raises(Refused) as refused:
        await page.ask(ask, **fields)
    assert refused.value.reason == reason


# --- By code ---------------------------------------------------------------------------------------------------------


def test_a_friend_joins_by_the_code_however_it_is_typed() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await laid(house)
            code = ada.told.room["code"]
            bob = house.cookie()
            response = await house.post("/api/join", {"code": f" {code[:4].lower()}-{code[4:]}"}, bob)

            assert (response.status, await response.json()) == (200, {"table": table})
            page = await house.page(bob)
            await page.ask("watch_table", table=table)
            assert page.told.room["me"] is None  # he has no seat yet
            assert page.told.room["code"] == code  # and may bring others
            assert page.told.room["seat_key"] is None
            await page.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
            await ada.until(lambda told: told.chair(1)["name"] == "Bob")

    asyncio.run(scene())


def test_a_private_table_is_closed_to_strangers() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await laid(house)
            eve, cookie = await house.page(), house.cookie()
            for ask in ("watch_table", "start", "stand_up", "undo", "take_back", "check_seal", "since_away"):
                await refuses("private", eve, ask, table=table)
            await refuses("private", eve, "sit_down", table=table, seat=1, name="Eve", salt=SALT)
            await refuses("private", eve, "rematch", table=table, salt=SALT)
            await refuses("private", eve, "look", table=table, seq=1)
            await refuses("private", eve, "jot", table=table, text="x")
            await eve.ask("watch_lobby")

            assert eve.told.last["lobby"] == {"type": "lobby", "open": [], "mine": [], "shelved": []}
            assert (await house.get(f"/t/{table}/case", cookie)).status == 403
            assert "room" not in eve.told.last
            assert [chair["kind"] for chair in ada.told.room["chairs"]] == ["person", "open", "bot", "bot"]

    asyncio.run(scene())


def test_a_wrong_code_opens_nothing_and_few_may_be_tried() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            await laid(house)
            before, eve = stored(store), house.cookie()
            seen = []
            for number in range(30):
                body = {"code": f"AAAAAA{number % 8 + 2}A"} if number % 2 else {"code": "!"}
                response = await house.post("/api/join", body, eve)
                seen.append(response.status)
                if response.status == 409:
                    assert (await response.json())["reason"] == "no_table"

            assert seen[:20] == [409] * 20
            assert set(seen[22:]) == {429}
            assert stored(store) == before

    asyncio.run(scene())


def test_a_post_needs_our_page_and_our_cookie() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            _, ada = await laid(house)
            before, bob = stored(store), house.cookie()
            for path, body in (
                ("/api/join", {"code": ada.told.room["code"]}),
                ("/api/seat", {"key": ada.told.room["seat_key"]}),
            ):
                assert (await house.post(path, body, bob, Origin="http://evil.example")).status == 403
                assert (await house.post(path, body, bob, Origin="null")).status == 403
                assert (await house.post(path, body, bob, Origin=f"{house.address}.evil.example")).status == 403
                assert (await house.post(path, body)).status == 403
                assert (await house.post(path, body, "nobody.0000")).status == 403
                for junk in (b"", b"{}", b"[]", b'{"code":7}', b'{"code":"","key":""}', b'{"code":"\xff"}', b"\xff"):
                    assert (await house.post(path, junk, bob)).status == 400

            assert stored(store) == before

    asyncio.run(scene())


def test_a_preview_takes_no_seat() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            table, ada = await laid(house)
            code, key = ada.told.room["code"], ada.told.room["seat_key"]
            before = stored(store)
            for path in ("/", "/join", f"/join?code={code}", "/seat", f"/seat?key={key}", f"/t/{table}", "/about"):
                assert (await house.get(path)).status == 200
            for path in ("/api/join", "/api/seat"):
                assert (await house.get(path)).status == 405

            assert stored(store) == before

    asyncio.run(scene())


# --- Chairs and names ------------------------------------------------------------------------------------------------


async def three(house: Open) -> tuple[str, Client, Client, Client]:
    table, ada = await laid(house, chairs=[None, None, None, "rookie"], public=True)
    bob, cleo = await house.page(), await house.page()
    for page in (bob, cleo):
        await page.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    return table, ada, bob, cleo


def test_one_sits_on_a_free_chair_and_may_change_it() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada, bob, cleo = await three(house)
            await refuses("taken", cleo, "sit_down", table=table, seat=1, name="Cleo", salt=SALT)
            await refuses("taken", cleo, "sit_down", table=table, seat=3, name="Cleo", salt=SALT)
            await refuses("no_seat", cleo, "sit_down", table=table, seat=4, name="Cleo", salt=SALT)
            await bob.ask("sit_down", table=table, seat=2, name="Bob", salt=SALT)
            await cleo.ask("sit_down", table=table, seat=1, name="Cleo", salt=SALT)
            await ada.until(lambda told: told.chair(1)["name"] == "Cleo")

            assert [chair["name"] for chair in ada.told.room["chairs"]][:3] == ["Ada", "Cleo", "Bob"]
            assert (bob.told.room["me"], cleo.told.room["me"]) == (2, 1)

    asyncio.run(scene())


def test_a_name_is_cleaned_and_nobody_has_anothers() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada, bob, cleo = await three(house)
            await refuses("name_taken", cleo, "sit_down", table=table, seat=2, name=" Bo\u200bb", salt=SALT)
            await refuses("bad_name", cleo, "sit_down", table=table, seat=2, name="x" * 25, salt=SALT)
            await bob.ask("sit_down", table=table, seat=1, name="\u202eBobby", salt=SALT)
            await cleo.ask("sit_down", table=table, seat=2, name="Bob", salt=SALT)
            await ada.until(lambda told: told.chair(2)["name"] == "Bob")

            assert ada.told.chair(1)["name"] == "Bobby"

    asyncio.run(scene())


def test_bots_have_names_of_their_own() -> None:
    async def scene() -> None:
        async with opened() as house:
            for name in ("Ida", "Otto", "Vera", "Ada"):
                _, ada = await laid(house, chairs=[None, *["rookie"] * 5], name=name)
                names = [chair["name"] for chair in ada.told.room["chairs"]]

                assert len({*names}) == 6
                assert names[0] == name

    asyncio.run(scene())


def test_only_the_host_sets_chairs_and_starts_and_only_before_the_start() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada, bob, cleo = await three(house)
            for page, reason in ((bob, "not_host"), (cleo, "no_seat")):
                await refuses(reason, page, "set_chair", table=table, seat=3, level=None)
                await refuses(reason, page, "start", table=table)
            await refuses("own_chair", ada, "set_chair", table=table, seat=0, level="rookie")
            await refuses("not_begun", ada, "hand_over", table=table)

            await ada.ask("set_chair", table=table, seat=1, level=None)  # Bob is sent away
            await bob.until(lambda told: told.room["me"] is None)
            assert ada.told.chair(1)["kind"] == "open"
            await ada.ask("set_chair", table=table, seat=1, level="mastermind")
            await ada.ask("start", table=table, fill="rookie")
            await cleo.until(lambda told: told.room["stage"] == "playing")

            kinds = [(chair["kind"], chair["level"]) for chair in cleo.told.room["chairs"]]
            assert kinds == [("person", None), ("bot", "mastermind"), ("bot", "rookie"), ("bot", "rookie")]
            await refuses("begun", ada, "set_chair", table=table, seat=1, level=None)
            await refuses("begun", ada, "start", table=table)
            await refuses("begun", cleo, "sit_down", table=table, seat=1, name="Cleo", salt=SALT)

    asyncio.run(scene())


def test_when_the_host_leaves_the_next_one_is_host() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada, bob, _ = await three(house)
            await ada.ask("stand_up", table=table)
            await bob.until(lambda told: told.room["host"] == 1)

            assert bob.told.chair(0)["kind"] == "open"
            assert "start" in bob.told.room["may"]

    asyncio.run(scene())


# --- The lobby -------------------------------------------------------------------------------------------------------


def test_the_lobby_shows_open_tables_and_my_own_as_they_change(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            eve = await house.page()
            for _ in range(2):  # twice is once
                await eve.ask("watch_lobby")
            assert eve.told.last["lobby"]["open"] == []
            table, ada = await laid(house, public=True)
            await ada.ask("watch_lobby")
            await eve.until(lambda told: told.last["lobby"]["open"])
            (listed,) = eve.told.last["lobby"]["open"]

            assert (listed["table"], listed["stage"], listed["me"]) == (table, "gathering", None)
            assert [chair["kind"] for chair in listed["chairs"]] == ["person", "open", "bot", "bot"]
            assert [mine["table"] for mine in ada.told.last["lobby"]["mine"]] == [table]
            assert ada.told.last["lobby"]["open"] == []

            await ada.ask("start", table=table)
            await eve.until(lambda told: not told.last["lobby"]["open"])
            await ada.until(lambda told: told.last["lobby"]["mine"][0]["stage"] == "playing")
            await eve.ask("leave_lobby")
            assert len(house.site.lobby._pages) == 1

    asyncio.run(scene())
