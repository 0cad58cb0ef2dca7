"""A pause by consent: who must agree, what stands still, and that it survives a restart."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import FakeClock, Parlour, chosen, dice, settle
from tests.server.worlds import begun, to_question
from whodunit.infra.memory import MemoryStore
from whodunit.room import clocks
from whodunit.room.pace import Bank, Days

OPTIONS = {"starter": 0}


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def test_a_game_pauses_when_everybody_wants_it_and_goes_on_when_anybody_does() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob", "cleo"), allowance=Bank(60, 0))
            ada, bob, cleo = [await house.watching(person, live.id) for person in ("ada", "bob", "cleo")]
            await settle()
            await house.pass_time(10_000)
            await ada.ask("pause", table=live.id)
            await bob.ask("pause", table=live.id)
            await bob.ask("pause", table=live.id, wish=False)
            await cleo.ask("pause", table=live.id)
            assert [chair["wants_pause"] for chair in ada.told.room["chairs"]] == [True, False, True]
            assert not ada.told.room["paused"]
            await bob.ask("pause", table=live.id)
            assert (ada.told.room["paused"], ada.told.room["may"]) == (True, ["stand_up", "hand_over", "resume"])
            assert ada.told.chair(0)["time"] == {"left_ms": 50_000, "running": False}

            with pytest.raises(Refused, match="paused"):
                await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Roll"})
            with pytest.raises(Refused, match="paused"):
                await cleo.ask("pause", table=live.id)
            await house.pass_time(3_600_000)
            assert clocks.left(live.room, 0, house.clock.now()) == 50_000
            await cleo.ask("resume", table=live.id)
            with pytest.raises(Refused, match="not_paused"):
                await ada.ask("resume", table=live.id)
            await house.pass_time(1000)
            assert clocks.left(live.room, 0, house.clock.now()) == 49_000
            assert not any(chair["wants_pause"] for chair in ada.told.room["chairs"])
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Roll"})

    run(scene())


def test_alone_with_bots_one_pauses_at_once_and_no_bot_moves() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            table, (ada,) = await house.table("ada", bots=("rookie", "rookie"), options={"starter": 1})
            await ada.ask("pause", table=table)
            seq = ada.told.seq
            await house.pass_time(600_000)
            assert (ada.told.room["paused"], ada.told.seq) == (True, seq)
            await ada.ask("resume", table=table)
            await house.pass_time(10_000)
            assert ada.told.seq > seq

    run(scene())


def test_whoever_lets_a_bot_play_need_not_agree_and_whoever_watches_has_no_say() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            table, (ada, bob) = await house.table("ada", "bob", options=OPTIONS)
            eve = await house.watching("eve", table)
            await bob.ask("hand_over", table=table)
            for ask in ("pause", "resume"):
                with pytest.raises(Refused, match="no_seat"):
                    await eve.ask(ask, table=table)
            await ada.ask("pause", table=table)
            assert eve.told.room["paused"]
            assert eve.told.room["may"] == []

    run(scene())


def test_an_answer_that_was_due_comes_as_much_later_as_the_pause_was_long_also_over_a_restart() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        async with Parlour(store, clock=clock) as house:
            live = await begun(house.host, ("ada", "bob"))
            pages = [await house.watching(person, live.id) for person in ("ada", "bob")]
            seat = await to_question(house.host, live, dice(1))
            assert seat is not None
            due, asked = live.room.chairs[seat].due, clock.now()
            assert due is not None
            await house.pass_time(1000)
            for page in pages:
                await page.ask("pause", table=live.id)
            await house.pass_time(60_000)
            assert live.table is not None
            assert live.table.asked == (seat,)
        async with Parlour(store, clock=clock) as house:
            live = await house.host.get(live.id)
            (page, _) = [await house.watching(person, live.id) for person in ("ada", "bob")]
            await house.pass_time(60_000)
            assert live.table is not None
            assert live.table.asked == (seat,)
            await page.ask("resume", table=live.id)
            left = due.at - asked - 1000
            await house.pass_time(left - 1)
            assert live.table.asked == (seat,)
            await house.pass_time(1)
            assert not live.table.asked

    run(scene())


def test_a_paused_table_of_days_does_nothing_and_goes_on_with_what_was_left() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob"), allowance=Days(1))
            pages = [await house.watching(person, live.id) for person in ("ada", "bob")]
            await house.pass_time(3_600_000)
            for page in pages:
                await page.ask("pause", table=live.id)
            assert await house.host.store.due(2**60) == []
            await house.pass_time(10 * 86_400_000)
            assert live.bot_level(0) is None
            await pages[1].ask("resume", table=live.id)
            assert clocks.left(live.room, 0, house.clock.now()) == 23 * 3_600_000
            assert [table for _, table in await house.host.store.due(2**60)] == [live.id]

    run(scene())


@pytest.mark.parametrize("wish", ["act", "undo"])
def test_nothing_moves_in_a_pause_that_begins_while_it_waits(wish: str) -> None:
    async def scene() -> None:
        async with Parlour() as house:
            table, (ann, ben) = await house.table("ann", "ben", options={"starter": 0})
            live = await house.host.get(table)
            await ann.ask("pause", table=table)
            assert live.table is not None
            seq = live.table.seq
            fields = chosen(ann.told.table["offers"], dice(0)) if wish == "act" else {}
            async with live.lock:  # something is being stored
                paused = asyncio.create_task(ben.ask("pause", table=table))
                await settle()
                moved = asyncio.create_task(ann.ask(wish, table=table, **fields))
                await settle()
            await paused
            with pytest.raises(Refused, match="paused"):
                await moved
            assert live.room.paused is not None
            assert live.table.seq == seq

    asyncio.run(scene())


AFTERWARDS: dict[str, dict[str, Any]] = {
    "stand_up": {},
    "hand_over": {"level": "rookie"},
    "take_back": {},
    "call_stand_in": {"seat": 1},
    "agree": {"agreed": True},
    "pause": {},
    "resume": {},
}


@pytest.mark.parametrize("ask", AFTERWARDS)
def test_when_the_game_is_over_nobody_comes_or_goes(ask: str) -> None:
    async def scene() -> None:
        async with Parlour(haste=0) as house:
            table, (ann, ben) = await house.table("ann", "ben", options={"max_turns": 2})
            await house.play([ann, ben], table)
            live = await house.host.get(table)
            size = live.size
            with pytest.raises(Refused, match="over"):
                await ann.ask(ask, table=table, **AFTERWARDS[ask])
            assert live.size == size
            assert live.pages[0] == 1  # and still looks
            await ann.ask("leave_table", table=table)

    asyncio.run(scene())
