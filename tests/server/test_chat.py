"""Chat over the socket: what is told to whom, what is kept, and what is refused."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import Page, Parlour, opened, settle, terms_of
from whodunit.infra.memory import MemoryBus, MemoryStore

OPTIONS = {"starter": 0}


def lines(page: Page) -> list[str]:
    """Return what a page has been told that was said, as it stands."""
    shown: list[str] = []
    for frame in page.told.told_of("chat"):
        new = [line["phrase"] or line["text"] for line in frame["lines"]]
        shown = new if frame["whole"] else shown + new
    return shown


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


def test_what_is_said_reaches_everybody_at_once_and_whoever_comes_later() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            eve = await parlour.watching("eve", table)
            await ada.ask("say", table=table, text="  Good\n evening \u202e ")
            await bob.ask("say_phrase", table=table, phrase="good_luck")
            late = await parlour.watching("late", table)

            assert [lines(page) for page in (ada, bob, eve, late)] == [["Good evening", "good_luck"]] * 4
            (line,) = bob.told.told_of("chat")[0]["lines"]
            assert line == {
                "at": parlour.clock.now(),
                "speaker": 0,
                "seat": 0,
                "name": "ada",
                "text": "Good evening",
                "phrase": None,
                "apart": False,
            }
            assert (ada.told.last["chat"]["me"], bob.told.last["chat"]["me"]) == (0, 1)
            assert eve.told.last["chat"]["me"] is None

    asyncio.run(scene())


def test_chat_tells_nobody_the_room_or_the_table_anew() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            before = len(bob.told.frames)
            await ada.ask("say", table=table, text="hello")

            assert [frame["type"] for frame in bob.told.all()[before:]] == ["chat"]

    asyncio.run(scene())


def test_players_read_what_was_said_among_spectators_when_the_case_is_closed() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options={"max_turns": 4})
            eve = await parlour.watching("eve", table)
            await eve.ask("say", table=table, text="Bob is bluffing", name="Eve")
            await ada.ask("say", table=table, text="hm")
            assert (lines(ada), lines(eve)) == (["hm"], ["Bob is bluffing", "hm"])
            assert not any(b"bluffing" in frame for page in (ada, bob) for frame in page.told.frames)

            await parlour.play([ada, bob], table)

            assert lines(ada) == lines(bob) == ["Bob is bluffing", "hm"]
            await parlour.pass_time(60_000)
            await eve.ask("say_phrase", table=table, phrase="well_played")
            assert lines(ada)[-1] == "well_played"

    asyncio.run(scene())


def test_a_wrong_accuser_has_seen_the_envelope_and_is_silent_until_the_end() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob, cleo) = await parlour.table("ada", "bob", "cleo", options=OPTIONS | {"max_turns": 6})
            assert ada.told.table["informed"] == []
            offer = next(offer for offer in ada.told.table["offers"] if offer["action"] == "Accuse")
            mine = ada.told.table["view"]["hands"][0]
            suspect = next(card for card in offer["choices"]["suspect"]["of"] if card in mine)
            action = {"type": "Accuse"} | {name: choice["of"][0] for name, choice in offer["choices"].items()}
            await ada.ask("act", table=table, since=offer["since"], action=action | {"suspect": suspect})
            await settle()

            assert [page.told.table["informed"] for page in (ada, bob)] == [[0], [0]]
            assert await refusal(ada, "say", table=table, text="it was...") == "informed"
            assert await refusal(ada, "say_phrase", table=table, phrase="nice") == "informed"
            await bob.ask("say", table=table, text="poor Ada")
            assert lines(cleo) == lines(ada) == ["poor Ada"]

            await parlour.play([bob, cleo, ada], table, until=lambda told: told.over)
            assert ada.told.table["informed"] == []
            await parlour.pass_time(60_000)
            await ada.ask("say", table=table, text="now I may")
            assert lines(bob)[-1] == "now I may"

    asyncio.run(scene())


def test_whoever_is_muted_is_not_even_sent() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            await bob.ask("say", table=table, text="nasty")
            await ada.ask("mute", table=table, speaker=0, muted=True)
            assert lines(ada) == []
            assert ada.told.last["chat"]["muted"] == [{"speaker": 0, "name": "bob"}]
            before = len(ada.told.frames)
            await bob.ask("say", table=table, text="nastier")
            assert len(ada.told.frames) == before
            assert lines(bob) == ["nasty", "nastier"]  # who is muted is not told

            await ada.ask("mute", table=table, speaker=0, muted=False)
            assert lines(ada) == ["nasty", "nastier"]
            assert await refusal(ada, "mute", table=table, speaker=7, muted=True) == "no_speaker"

    asyncio.run(scene())


@pytest.mark.parametrize("text", ["   ", "\u200b\u202e", "x" * 301])
def test_what_cannot_be_read_is_not_said(text: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)

            assert await refusal(ada, "say", table=table, text=text) == "bad_words"
            assert lines(bob) == []

    asyncio.run(scene())


def test_at_a_private_table_nobody_from_outside_says_anything() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await parlour.table("ada", bots=("random",), options=OPTIONS, public=False)

            assert await refusal(parlour.page("eve"), "say", table=table, text="hello") == "private"

    asyncio.run(scene())


def test_another_node_tells_it_too_and_a_restart_forgets_nothing() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as one, Parlour(store, bus, one.clock) as two:
            table, (ada, _) = await one.table("ada", "bob", options=OPTIONS)
            bob = await two.watching("bob", table)
            await ada.ask("say", table=table, text="hello")
            await settle()
            assert lines(bob) == ["hello"]
        async with Parlour(store, MemoryBus()) as again:
            assert lines(await again.watching("bob", table)) == ["hello"]

    asyncio.run(scene())


def test_no_log_says_what_was_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            ada = await house.page()
            table = (await ada.ask("create_table", **terms_of()))["table"]
            await ada.ask("watch_table", table=table)
            await ada.ask("say", table=table, text="between us")
            with pytest.raises(Refused):
                await ada.ask("say", table=table, text="between us" * 60)
            with pytest.raises(Refused):
                await ada.ask("say", table=table, text="between us", volume="loud")
            await ada.until(lambda told: "chat" in told.last)

    with caplog.at_level(logging.DEBUG):
        asyncio.run(scene())

    assert "between us" not in caplog.text
