"""One seat on several devices, and nobody on anybody else's."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import Client, Refused, Told
from tests.server.sites import SALT, Open, Parlour, opened
from tests.server.test_create import stored
from tests.server.test_join import laid
from whodunit.infra.memory import MemoryStore

TWO = {"chairs": [None, None], "options": {"starter": 0}, "public": True}


async def two(house: Open) -> tuple[str, Client, Client]:
    table, ada = await laid(house, **TWO)
    bob = await house.page()
    await bob.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    return table, ada, bob


async def phone_of(house: Open, page: Client) -> Client:
    """Open the page's seat on another device by its secret link."""
    cookie = house.cookie()
    response = await house.post("/api/seat", {"key": page.told.room["seat_key"]}, cookie)
    assert response.status == 200
    phone = await house.page(cookie)
    await phone.ask("watch_table", **await response.json())
    return phone


def without_numbers(frames: list[bytes]) -> list[Any]:
    decoded = [msgspec.json.decode(frame) for frame in frames]
    return [frame for frame in decoded if frame["type"] in {"room", "table"}]


def test_a_second_device_takes_the_seat_over_and_both_play(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada, bob = await two(house)
            await ada.ask("start", table=table)
            phone = await phone_of(house, ada)
            assert (phone.told.room["me"], phone.told.room["seat_key"]) == (0, ada.told.room["seat_key"])
            assert phone.told.table["view"] == ada.told.table["view"]
            assert phone.told.table["offers"] == ada.told.table["offers"]
            mark = len(ada.told.frames), len(phone.told.frames)

            await phone.ask("act", table=table, since=ada.told.table["offers"][0]["since"], action={"type": "Roll"})
            await ada.until(lambda told: told.seq == phone.told.seq)
            (walk,) = ada.told.table["offers"]
            action = {"type": "Move", "to": walk["choices"]["to"]["of"][0]}
            await ada.ask("act", table=table, since=walk["since"], action=action)
            await phone.until(lambda told: told.seq == ada.told.seq)
            await phone.ask("mark", table=table, cell="Rope|1", mark="?")
            await ada.until(lambda told: told.room["marks"] == {"Rope|1": "?"})

            both = (ada.told.frames[mark[0] :], phone.told.frames[mark[1] :])
            assert without_numbers(both[0]) == without_numbers(both[1])  # both are told everything
            assert bob.told.room["me"] == 1
            assert not any(chair["away_ms"] is not None for chair in bob.told.room["chairs"])

            await ada.close()  # one device is enough to be there
            await asyncio.sleep(0.05)
            await bob.ask("watch_table", table=table)
            assert bob.told.chair(0)["away_ms"] is None

    asyncio.run(scene())


def test_a_key_opens_its_own_seat_and_no_other() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            table, ada, bob = await two(house)
            room = (await house.site.host.get(table)).room
            keys = [room.key(seat) or "" for seat in (0, 1)]
            assert [page.told.room["seat_key"] for page in (ada, bob)] == [*keys]
            before = stored(store)
            for key in (
                "",
                *room.laid.keys,
                keys[0][:-1],
                keys[0] + "a",
                keys[0].upper(),
                ada.told.room["code"],
                "x" * 65,
            ):
                response = await house.post("/api/seat", {"key": key}, house.cookie())
                assert response.status in {400, 409}
            response = await house.post("/api/join", {"code": keys[1]}, house.cookie())
            assert response.status == 409
            assert stored(store) == before

            phone = await phone_of(house, bob)
            assert phone.told.room["me"] == 1

    asyncio.run(scene())


def test_a_key_opens_no_chair_on_which_nobody_sits_and_no_second_seat() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await laid(house, **TWO)
            bob = house.cookie()
            page = await house.page(bob)
            await page.ask("watch_table", table=table)
            await page.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
            response = await house.post("/api/seat", {"key": ada.told.room["seat_key"]}, bob)
            assert (await response.json())["reason"] == "seated"
            response = await house.post("/api/seat", {"key": page.told.room["seat_key"]}, bob)  # his own: nothing to do
            assert response.status == 200
            assert ada.told.room["me"] == 0
            key = page.told.room["seat_key"]
            await page.ask("stand_up", table=table)
            response = await house.post("/api/seat", {"key": key}, house.cookie())
            assert (await response.json())["reason"] == "no_table"

    asyncio.run(scene())


def test_who_had_a_chair_before_has_no_key_to_who_has_it_now() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, _ = await laid(house, **TWO)
            mallory = await house.page()
            await mallory.ask("watch_table", table=table)
            await mallory.ask("sit_down", table=table, seat=1, name="Mallory", salt=SALT)
            noted = mallory.told.room["seat_key"]
            await mallory.ask("stand_up", table=table)
            bob = await house.page()
            await bob.ask("watch_table", table=table)
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)

            response = await house.post("/api/seat", {"key": noted}, house.cookie())

            assert (await response.json())["reason"] == "no_table"
            phone = await phone_of(house, bob)
            assert phone.told.room["me"] == 1

    asyncio.run(scene())


def test_nobody_acts_for_another_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada, bob = await two(house)
            await ada.ask("start", table=table)
            await bob.until(lambda told: told.seq > 0)
            (since,) = {offer["since"] for offer in ada.told.table["offers"]}
            for number in range(bob.told.seq + 2):
                with pytest.raises(Refused, match="illegal"):
                    await bob.ask("act", table=table, since=number, action={"type": "Roll"})
            with pytest.raises(Refused, match="bad_ask"):
                await bob.ask("act", table=table, since=since, action={"type": "Roll"}, seat=0)
            with pytest.raises(Refused, match="illegal"):
                await bob.ask("undo", table=table)

            await ada.ask("watch_table", table=table)
            assert ada.told.seq == bob.told.seq == since

    asyncio.run(scene())


# --- Moves sent twice, and late --------------------------------------------------------------------------------------


def test_a_move_sent_again_is_refused_and_harmless(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada, _ = await two(house)
            await ada.ask("start", table=table)
            await ada.until(lambda told: told.on_turn)
            roll = {"table": table, "since": ada.told.table["offers"][0]["since"], "action": {"type": "Roll"}}
            replies = await asyncio.gather(*(ada.ask("act", **roll) for _ in range(5)), return_exceptions=True)

            assert replies[0] is None
            assert [reply.reason for reply in replies[1:] if isinstance(reply, Refused)] == ["illegal"] * 4
            thrown = [event for event in ada.told.events if event["event"]["type"] == "DiceThrown"]
            assert len(thrown) == 1

    asyncio.run(scene())


def test_a_composed_question_survives_what_others_do_meanwhile(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada, bob = await two(house)
            await ada.ask("start", table=table)
            await ada.until(lambda told: told.on_turn)
            composed = {"since": ada.told.table["offers"][0]["since"], "action": {"type": "Roll"}}
            await bob.ask("jot", table=table, text="hm")
            await bob.ask("hand_over", table=table, level="rookie")
            await bob.ask("take_back", table=table)
            phone = await phone_of(house, bob)
            await bob.close()
            await phone.close()
            await asyncio.sleep(0.05)  # he goes away, and the room says so
            await ada.until(lambda told: told.chair(1)["away_ms"] is not None)

            await ada.ask("act", table=table, **composed)

    asyncio.run(scene())


def test_a_move_that_comes_a_round_late_is_refused_though_its_like_is_on_offer() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options={"starter": 0})
            late = {"table": table, "since": ada.told.seq, "action": {"type": "Roll"}}
            await parlour.play(
                [ada, bob], table, until=lambda told: told.seq > 20 and "Roll" in [o["action"] for o in offers(told)]
            )
            with pytest.raises(Refused, match="illegal"):
                await ada.ask("act", **late)
            await ada.ask("act", **{**late, "since": ada.told.seq})

    def offers(told: Told) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = told.table["offers"]
        return found

    asyncio.run(scene())
