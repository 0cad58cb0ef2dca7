"""Time for moves: banks, what happens when they run out, and that all of it survives a restart."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import FakeClock, Page, Parlour, dice, settle
from tests.server.worlds import answered, begun, lively
from whodunit.core.types import TABLE, Seat
from whodunit.games.clue.model import EndTurn, Roll
from whodunit.games.perfect_alibi.model import Hurry, PickAssistant
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryStore
from whodunit.room import clocks
from whodunit.room.pace import Bank

BANK = Bank(60, 5)
SHORT: dict[str, dict[str, Any]] = {
    "clue": {"max_turns": 8},
    "perfect_alibi": {},
    "crime_hotel": {"investigations": 1},
    "arosa": {"tower": "surrogate", "clues": 4, "sheet_limit": 3},
}
"""Options that make a game short; cubes fall by tables, as bots among themselves let them."""


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def mover(live: Live) -> Seat:
    """Return the one whose clock runs."""
    assert live.room.watch is not None
    (seat,) = live.room.watch.turn
    return seat


async def dealt(house: Parlour, people: Sequence[str], **terms: Any) -> Live:
    """Return a game that has begun, and whose opening has been heard."""
    beginning = asyncio.ensure_future(begun(house.host, people, **terms))
    while not beginning.done():
        await house.pass_time(500)
    return beginning.result()


async def sitting(house: Parlour, live: Live, *people: str) -> list[Page]:
    """Let these people look at the table."""
    pages = [await house.watching(person, live.id) for person in people]
    await settle()
    return pages


async def on(house: Parlour, until: Callable[[], object]) -> None:
    """Let time pass from alarm to alarm until something is so; what is far off is looked up in the store."""
    for _ in range(3000):
        await house.wakeups.wake_due()
        await settle()
        if until():
            return
        moment = house.clock.next or await later(house)
        assert moment is not None, "nothing is due"
        await house.pass_time(max(0, moment - house.clock.now()))
    raise AssertionError("it never comes to that")


async def later(house: Parlour) -> int | None:
    """Return when the next look finds a table."""
    if not await house.host.store.due(2**60):
        return None
    low, high = 0, 2**45
    while high - low > 1000:
        middle = (low + high) // 2
        low, high = (low, middle) if await house.host.store.due(middle) else (middle, high)
    return high


# --- A bank ----------------------------------------------------------------------------------------------------------


def test_time_is_taken_from_whoever_moves_and_a_move_brings_some_back() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob"), allowance=BANK)
            ada, bob = await sitting(house, live, "ada", "bob")
            await house.pass_time(7000)
            assert ada.told.chair(1)["time"] == {"left_ms": 60_000, "running": False}
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Roll"})
            await house.pass_time(3000)
            to = next(place for place in ada.told.table["offers"][0]["choices"]["to"]["of"] if isinstance(place, int))
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Move", "to": to})
            await settle()
            assert mover(live) == 0
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "EndTurn"})
            await house.pass_time(4000)

            assert mover(live) == 1
            again = await house.watching("bob", live.id)
            times = [again.told.chair(seat)["time"] for seat in range(2)]
            assert times == [{"left_ms": 55_000, "running": False}, {"left_ms": 56_000, "running": True}]
            assert bob.told.room["allowance"] == {"type": "bank", "bank_s": 60, "increment_s": 5, "answer_s": 60}

    run(scene())


def test_while_others_answer_nobodys_bank_runs() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            table, pages = await house.table("ada", "bob", "cleo", options={"starter": 0}, allowance=BANK_ASK)
            live = house.host.tables[table]
            await house.play(pages, table, lambda _: live.table is not None and bool(live.table.asked))
            before = [clocks.left(live.room, seat, house.clock.now()) for seat in range(3)]
            assert live.room.watch is not None
            assert live.room.watch.turn == ()
            await house.pass_time(2000)
            assert [clocks.left(live.room, seat, house.clock.now()) for seat in range(3)] == before

    run(scene())


BANK_ASK = {"type": "bank", "bank_s": 600, "increment_s": 0}


def test_taking_a_move_back_brings_no_time() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob"), allowance=BANK)
            await sitting(house, live, "ada", "bob")
            await rolled_and_moved(house, live)
            began = house.clock.now()
            for _ in range(4):
                await house.host.moves.act(live, 0, *offered(live, 0, EndTurn))
                await house.pass_time(1000)
                await house.host.moves.undo(live, 0)
                await house.pass_time(1000)

            assert clocks.left(live.room, 0, house.clock.now()) == 60_000 - (house.clock.now() - began)
            assert clocks.left(live.room, 1, house.clock.now()) == 60_000

    run(scene())


def offered(live: Live, seat: Seat, kind: type) -> tuple[int, Any]:
    assert live.table is not None
    offer = next(offer for offer in live.table.offers[seat] if offer.action is kind)
    return offer.since, offer.at(offer.count - 1)


async def rolled_and_moved(house: Parlour, live: Live) -> None:
    await house.host.moves.act(live, 0, *offered(live, 0, Roll))
    assert live.table is not None
    offer = next(offer for offer in live.table.offers[0] if offer.action.__name__ == "Move")
    to = next(action for action in offer.actions() if isinstance(action.to, int))  # type: ignore[attr-defined]
    await house.host.moves.act(live, 0, offer.since, to)


def test_a_sleeping_table_stops_the_banks_and_so_does_a_house_that_was_shut() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        async with Parlour(store, clock=clock) as house:
            live = await begun(house.host, ("ada", "bob"), allowance=BANK)
            (ada,) = await sitting(house, live, "ada")
            await house.pass_time(10_000)
            ada.close()
            await house.pass_time(3_600_000)
            assert clocks.left(live.room, 0, clock.now()) == 50_000
            (ada,) = await sitting(house, live, "ada")
            await house.pass_time(5000)
            assert clocks.left(live.room, 0, clock.now()) == 45_000
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Roll"})
            await ada.ask("jot", table=live.id, text="the last thing that is written down")
        clock.move(clock.now() + 86_400_000)
        async with Parlour(store, clock=clock) as house:
            live = await house.host.get(live.id)
            await sitting(house, live, "ada")
            await house.pass_time(1000)
            assert clocks.left(live.room, 0, clock.now()) == 44_000
            await house.pass_time(43_999)
            assert live.bot_level(0) is None
            await house.pass_time(1)
            assert live.bot_level(0) is not None

    run(scene())


def test_whoever_comes_first_after_a_crash_only_to_watch_costs_nobody_time() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        async with Parlour(store, clock=clock) as house:
            live = await begun(house.host, ("ada", "bob"), allowance=BANK)
            (ada,) = await sitting(house, live, "ada")
            await house.pass_time(10_000)
            await ada.ask("act", table=live.id, since=ada.told.seq, action={"type": "Roll"})
            await house.pass_time(7000)  # of which nothing tells
        clock.move(clock.now() + 3_600_000)
        async with Parlour(store, clock=clock) as house:
            live = await house.host.get(live.id)
            (zoe,) = await sitting(house, live, "zoe")
            await zoe.ask("say", table=live.id, name="Zoe", text="Where is everybody?")
            assert zoe.told.room["chairs"][0]["time"] == {"left_ms": 50_000, "running": False}
            await house.pass_time(600_000)
            assert live.room.chairs[0].away is not None
            await sitting(house, live, "ada")
            await house.pass_time(1000)

            assert clocks.left(live.room, 0, clock.now()) == 49_000

    run(scene())


# --- Out of time -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SHORT)
def test_whoever_runs_out_of_time_has_that_move_made_by_the_stand_in(game: str) -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await dealt(house, ("ada", "bob", "cleo"), game=game, options=SHORT[game], allowance=BANK)
            pages = await sitting(house, live, "ada", "bob", "cleo")
            assert live.room.watch is not None
            seat, seq, began = mover(live), pages[0].told.seq, live.room.watch.at
            assert began is not None
            await house.pass_time(began + 60_000 - house.clock.now() - 1)
            assert pages[seat].told.seq == seq
            await house.pass_time(1)
            assert [chair.lapsed for chair in live.room.chairs] == [who == seat for who in range(3)]
            assert pages[seat].told.room["may"] == ["stand_up", "pause"]
            with pytest.raises(Refused, match="lapsed"):
                await pages[seat].ask("act", table=live.id, since=seq, action={"type": "Nothing"})
            await on(house, lambda: not live.room.chairs[seat].lapsed)

            batch = [batch for batch in await house.host.batches(live) if batch.cause is not None][-1]
            assert batch.cause is not None
            assert (batch.cause.seat, batch.cause.bot) == (seat, True)
            assert clocks.left(live.room, seat, 0) == 5000
            assert live.bot_level(seat) is None
            assert not pages[seat].told.table["may_undo"]

    run(scene())


def test_what_the_game_offers_to_time_comes_before_the_stand_in() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            options = {"turn_limit_s": 600}
            people = ("ada", "bob", "cleo")
            live = await begun(house.host, people, game="perfect_alibi", options=options, allowance=Bank(30, 5))
            await sitting(house, live, *people)
            for assistant in ("Captain", "Priest", "Journalist"):
                picker = mover(live)
                since, _ = offered(live, picker, PickAssistant)
                await house.host.moves.act(live, picker, since, PickAssistant(assistant))
            seat, before = mover(live), len(await house.host.batches(live))
            await house.pass_time(30_000)

            batch = (await house.host.batches(live))[before]
            assert batch.cause is not None
            assert (batch.cause.seat, batch.cause.action) == (TABLE, Hurry(seat))
            assert live.bot_level(seat) is None

    run(scene())


def test_for_whoever_is_gone_the_stand_in_plays_on_until_they_return() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await begun(house.host, ("ada", "bob"), allowance=BANK)
            (bob,) = await sitting(house, live, "bob")
            await house.pass_time(60_000)
            assert (live.room.chairs[0].called, live.room.chairs[0].lapsed) == (True, False)
            await on(house, lambda: mover(live) == 1)
            assert live.bot_level(0) == "detective"
            await sitting(house, live, "ada")
            assert live.bot_level(0) is None
            assert bob.told.chair(0)["stand_in"] is None

    run(scene())


def test_a_fall_is_not_charged_to_whoever_wished_it_and_the_next_hears_it_first() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            live = await dealt(house, ("ada", "bob"), game="arosa", options=SHORT["arosa"], allowance=BANK)
            pages = await sitting(house, live, "ada", "bob")
            assert live.room.watch is not None
            assert live.room.watch.at is not None
            assert live.room.watch.at > house.clock.now()  # the prologue falls, and is heard
            await house.pass_time(live.room.watch.at - house.clock.now() + 4000)
            seat = mover(live)
            left = clocks.left(live.room, seat, house.clock.now())
            offer = next(iter(pages[seat].told.table["offers"]))
            action = {"type": offer["action"], **{name: of["of"][0] for name, of in offer["choices"].items()}}
            asking = asyncio.ensure_future(pages[seat].ask("act", table=live.id, since=offer["since"], action=action))
            await house.pass_time(20_000)
            await asking
            assert left == 56_000
            assert live.room.watch.before[seat] == 56_000

    run(scene())


@pytest.mark.parametrize("game", ["clue", "perfect_alibi"])
def test_whoever_must_answer_is_waited_for_as_long_as_the_answer_clock_says(game: str) -> None:
    """Of an unhurried answer in Clue, choice or none, and of a count that is typed in Perfect Alibi."""

    async def scene() -> None:
        async with Parlour() as house:
            options = {"answer_mode": "by_hand"} if game == "perfect_alibi" else {}
            terms: dict[str, Any] = {"options": options, "allowance": Bank(600, 0, 40), "pace": "unhurried"}
            live = await begun(house.host, ("ada", "bob", "cleo"), game=game, **terms)
            rng, kinds = dice(2), set[bool]()
            for _ in range(60):
                table = live.table
                assert table is not None
                if table.asked:
                    kinds.add(table.offers[table.asked[0]][0].count > 1)
                    assert await answered(live, house.clock) == 40_000
                else:
                    (seat,) = table.awaiting
                    offers = [offer for offer in table.offers[seat] if offer.action not in table.game.INFO.final]
                    await house.host.moves.act(live, seat, *lively(offers, rng))
            assert kinds == ({True} if game == "perfect_alibi" else {True, False})  # a count is always a choice

    run(scene())
