"""The pace over the socket: what a new table gets, who may change it, and what is told of it."""

import asyncio
from typing import Any

import pytest

from tests.server.client import Client, Refused
from tests.server.sites import SALT, Open, opened, play, terms_of
from tests.server.test_join import laid
from whodunit.room.entries import Abandoned
from whodunit.room.pace import SOLO, TEMPI

BOTS = [None, "random", "random"]


async def alone(house: Open, **changes: Any) -> tuple[str, Client]:
    page = await house.page()
    terms = terms_of(**{"chairs": BOTS, "options": {"starter": 0}, "start": True, "public": False, **changes})
    table = (await page.ask("create_table", **terms))["table"]
    await page.ask("watch_table", table=table)
    return table, page


async def reason_of(ask: Any) -> str:
    with pytest.raises(Refused) as refused:
        await ask
    return refused.value.reason


@pytest.mark.parametrize(
    ("changes", "pace"),
    [
        ({}, "brisk"),
        ({"pace": None}, "brisk"),
        ({"pace": "at_once"}, "at_once"),
        ({"pace": "steady"}, "steady"),
        ({"public": True}, "normal"),
        ({"chairs": [None, None, "random"], "start": False}, "normal"),
    ],
)
def test_a_new_table_is_brisk_for_whoever_plays_alone(changes: dict[str, Any], pace: str) -> None:
    async def scene() -> None:
        async with opened() as house:
            _, page = await alone(house, **changes)
            assert page.told.room["pace"] == pace
            is_alone = "public" not in changes and "chairs" not in changes
            assert page.told.room["paces"] == [one for one in TEMPI if is_alone or one not in SOLO]

    asyncio.run(scene())


@pytest.mark.parametrize("changes", [{"public": True}, {"chairs": [None, None, "random"], "start": False}])
def test_bots_are_not_hurried_where_others_can_watch_or_sit(changes: dict[str, Any]) -> None:
    async def scene() -> None:
        async with opened() as house:
            assert await reason_of(alone(house, pace="brisk", **changes)) == "bad_options"

    asyncio.run(scene())


def test_alone_one_changes_the_pace_and_an_invitation_restores_the_old_one() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await alone(house)
            await ada.ask("set_pace", table=table, pace="at_once")
            await ada.until(lambda told: told.room["pace"] == "at_once")
            eve = house.cookie()
            await house.post("/api/join", {"code": ada.told.room["code"]}, eve)
            await ada.until(lambda told: told.room["pace"] == "normal")
            assert await reason_of(ada.ask("set_pace", table=table, pace="brisk")) == "not_alone"
            watching = await house.page(eve)
            await watching.ask("watch_table", table=table)
            assert watching.told.room["paces"] == []
            assert {told["at"] for told in watching.told.events} == {0}
            assert await reason_of(watching.ask("set_pace", table=table, pace="slow")) == "no_seat"

    asyncio.run(scene())


def test_two_people_must_agree() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await laid(house, chairs=[None, None], options={"starter": 0}, public=True)
            bob = await house.page()
            await bob.ask("watch_table", table=table)
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
            await ada.ask("set_pace", table=table, pace="steady")
            await bob.until(lambda told: told.room["chairs"][0]["wants_pace"] == "steady")
            assert bob.told.room["pace"] == "normal"
            await bob.ask("set_pace", table=table, pace="steady")
            await ada.until(lambda told: told.room["pace"] == "steady")
            assert [chair["wants_pace"] for chair in ada.told.room["chairs"]] == [None, None]

    asyncio.run(scene())


def test_my_games_say_how_each_ended() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await alone(house, options={"starter": 0, "max_turns": 1})
            await ada.ask("watch_lobby")
            await ada.until(lambda told: "lobby" in told.last)
            assert [row["outcome"] for row in ada.told.last["lobby"]["mine"]] == [None]
            await play([ada], table)
            await ada.until(lambda told: told.last["lobby"]["mine"][0]["outcome"])
            row = ada.told.last["lobby"]["mine"][0]
            assert (row["stage"], row["outcome"]) == ("over", ada.told.table["outcome"])

    asyncio.run(scene())


def test_at_a_rematch_one_sees_who_has_come() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, ada = await laid(house, chairs=[None, None], options={"starter": 0, "max_turns": 1}, public=True)
            bob = await house.page()
            await bob.ask("watch_table", table=table)
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
            await ada.ask("start", table=table)
            live = house.site.host.tables[table]
            await house.site.host.writer.note(live, lambda _: [Abandoned(at=0)])
            await ada.until(lambda told: told.room["stage"] == "over")
            again = (await ada.ask("rematch", table=table, salt=SALT))["table"]
            await bob.until(lambda told: told.room["rematch"] == again)
            await ada.ask("watch_table", table=again)
            assert [chair["called"] for chair in ada.told.room["chairs"]] == [False, True]
            await bob.ask("watch_table", table=again)
            await bob.ask("sit_down", table=again, seat=1, name="Bob", salt=SALT)
            await ada.until(lambda told: [chair["called"] for chair in told.room["chairs"]] == [False, False])

    asyncio.run(scene())
