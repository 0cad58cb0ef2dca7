"""The bot of docs/bots.md, as printed there, plays whole games against the running site."""

import asyncio
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.sites import dice as chance
from tests.server.sites import opened, plays, terms_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
MOST_LINES = 40
PATIENCE_S = 120


def program() -> str:
    _, at_a_table = PAGE.read_text("utf-8").split("\n## At a table of the site\n")
    (found,) = re.findall(r"```python\n(.*?)```", at_a_table, re.DOTALL)
    return str(found)


async def run(file: Path, link: str) -> "asyncio.subprocess.Process":
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(sys.executable, str(file), link, stdout=pipe, stderr=pipe)


async def until(true: Callable[[], object]) -> None:
    """Wait until it is so; a program takes its time to begin."""

    async def wait() -> None:
        while not true():  # noqa: ASYNC110  (it is another process that does it)
            await asyncio.sleep(0.02)

    await asyncio.wait_for(wait(), PATIENCE_S)


async def said(bot: "asyncio.subprocess.Process") -> str:
    out, err = await asyncio.wait_for(bot.communicate(), PATIENCE_S)
    assert (bot.returncode, err) == (0, b"")
    return out.decode().strip()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "bot.py"
    file.write_text(program(), "utf-8")
    return file


def test_the_example_fits_on_a_screen() -> None:
    assert len([line for line in program().splitlines() if line]) <= MOST_LINES


@pytest.mark.parametrize(
    ("game", "options", "guests"),
    [
        ("clue", {"max_turns": 12}, 1),
        ("perfect_alibi", {}, 2),  # each calls its last question soon, and is out: rookies alone would play on for long
        ("crime_hotel", {}, 1),
    ],
)
def test_bots_that_are_invited_sit_down_and_play_to_the_end(
    bot: Path, game: str, options: dict[str, Any], guests: int
) -> None:
    async def scene() -> None:
        async with opened() as house:
            ada = await house.page()
            terms = terms_of(game=game, options=options, chairs=[None, *[None] * guests, *["rookie"] * (2 - guests)])
            table = (await ada.ask("create_table", **terms))["table"]
            await ada.ask("watch_table", table=table)

            def sits(seat: int) -> bool:
                return bool(ada.told.chair(seat)["kind"] == "person")

            invited, seats = [], range(1, 1 + guests)
            for seat in seats:
                invited.append(await run(bot, f"{house.address}/join#{ada.told.room['code']}"))
                await until(partial(sits, seat))
                assert ada.told.chair(seat)["name"] == f"Bot {seat + 1}"
            await ada.ask("start", table=table)
            await ada.ask("hand_over", table=table, level="rookie")
            await ada.until(lambda told: told.over)

            for guest in invited:
                assert await said(guest) == str(ada.told.table["outcome"])
            live = await house.site.host.get(table)
            causes = [batch.cause for batch in await house.site.host.batches(live)]
            assert sum(cause is not None and cause.seat in seats for cause in causes) > 3

    asyncio.run(scene())


def test_a_seats_own_link_lets_a_bot_play_beside_its_page(bot: Path) -> None:
    async def scene() -> None:
        async with opened() as house:
            ada, bob = await house.page(), await house.page()
            terms = terms_of(options={"max_turns": 8}, chairs=[None, None], public=True)
            table = (await ada.ask("create_table", **terms))["table"]
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt="0" * 32)
            for page in (ada, bob):
                await page.ask("watch_table", table=table)
            await ada.ask("start", table=table)
            helper = await run(bot, f"{house.address}/seat#{ada.told.room['seat_key']}")
            live = await house.site.host.get(table)
            await until(lambda: live.pages[0] == 2)
            await plays(bob, table, chance(3))
            await ada.until(lambda told: told.over)

            assert await said(helper) == str(ada.told.table["outcome"])
            assert ada.told.room["me"] == 0

    asyncio.run(scene())


def test_a_wrong_link_opens_nothing(bot: Path) -> None:
    async def scene() -> None:
        async with opened() as house:
            thief = await run(bot, f"{house.address}/seat#guessed")
            _, err = await asyncio.wait_for(thief.communicate(), PATIENCE_S)

            assert thief.returncode == 1
            assert b"409" in err

    asyncio.run(scene())
