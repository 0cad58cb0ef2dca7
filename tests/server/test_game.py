"""A whole game of two people and two bots over the real server, and what becomes of it afterwards."""

import asyncio
from pathlib import Path

from tests.server.client import Client
from tests.server.sites import SALT, Open, opened, play, terms_of
from whodunit.server.workers import Workers


async def gathered(house: Open, **terms: object) -> tuple[str, Client, Client]:
    """Let Ada lay a table and Bob join by its code."""
    ada, cookie = await house.page(), house.cookie()
    table = (await ada.ask("create_table", **terms_of(**terms)))["table"]
    await ada.ask("watch_table", table=table)
    joined = await house.post("/api/join", {"code": ada.told.room["code"]}, cookie)
    assert await joined.json() == {"table": table}
    bob = await house.page(cookie)
    await bob.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    return table, ada, bob


def test_two_people_and_two_bots_play_to_the_end(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(tmp_path, workers=thinkers) as house:
            table, ada, bob = await gathered(house, chairs=[None, None, "detective", "rookie"], options={"max_turns": 12})
            await ada.ask("start", table=table)
            await play([ada, bob], table)
            print(ada.told.table["outcome"], len(ada.told.events))
            assert (await ada.ask("check_seal", table=table))["statements"]

    asyncio.run(scene())
