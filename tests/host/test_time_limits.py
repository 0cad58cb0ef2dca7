"""What time does if nobody acts before: at its moment, once, whoever holds the table then; and not while it sleeps."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.host.test_host import Full
from tests.server.sites import FakeClock, Parlour, dice, pass_time, settle
from tests.server.worlds import begun
from whodunit.core.types import TABLE, Action, Seat
from whodunit.games.perfect_alibi.model import (
    AskFreely,
    AskLast,
    GoOn,
    Hurry,
    Name,
    PickAssistant,
    RunOut,
    Slam,
    TakeChip,
)
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.time_limits import standing
from whodunit.host.timers import RETRY_MS
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import pace
from whodunit.room.entries import Timed

PEOPLE = ("ada", "bob", "cleo")


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


async def awake(host: Host, seed: int = 0, **options: Any) -> Live:
    """Return a game of three in which everybody is there and has an assistant; the first on turn has the Journalist."""
    more = {name: options.pop(name) for name in ("levels", "seats", "pace") if name in options}
    live = await begun(host, options.pop("people", PEOPLE), seed, game="perfect_alibi", options=options, **more)
    live.pages.update(range(3))
    host.wake(live)
    for assistant in ("Captain", "Priest", "Journalist"):
        await host.moves.act(live, *wish(live, PickAssistant(assistant)))
    return live


def wish(live: Live, action: Action, seat: Seat | None = None) -> tuple[Seat, int, Action]:
    """Return the action as whoever may do it wishes for it."""
    assert live.table is not None
    seats = range(live.table.seats) if seat is None else [seat]
    for who in seats:
        for offer in live.table.offers[who]:
            if offer.admits(action):
                return who, offer.since, action
    raise AssertionError(f"{action} is not on offer")


async def last(host: Host, live: Live) -> tuple[int, Seat, Action]:
    """Return when somebody acted last, who, and how."""
    batch = (await host.batches(live))[-1]
    assert batch.cause is not None
    return batch.at, batch.cause.seat, batch.cause.action


def wrong(live: Live, seat: Seat) -> Slam:
    """Return a slam with one of the seat's own cards."""
    assert live.table is not None
    return Slam(live.table.state.hands[seat][0])


def ticks(live: Live) -> bool:
    return live.limit is not None


def on_turn(live: Live) -> Seat:
    assert live.table is not None
    seat: Seat = live.table.state.on_turn
    return seat


async def asked(host: Host, live: Live, kind: type[AskFreely | AskLast] = AskFreely, *, bot: bool = False) -> Seat:
    """Let the player on turn, who has the Journalist, ask the next (bot); return who is asked."""
    seats = [(on_turn(live) + more) % 3 for more in (1, 2)]
    seat = next(seat for seat in seats if not bot or live.bot_level(seat))
    await host.moves.act(live, *wish(live, kind(seat, ("Bar",)), on_turn(live)))
    await settle()
    return seat


def fresh(clock: FakeClock, haste: float = 1.0, store: MemoryStore | None = None, bus: MemoryBus | None = None) -> Host:
    return Host(store or MemoryStore(), bus or MemoryBus(), clock, haste)


# --- At its moment ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haste", [1.0, 0.1])
def test_a_turn_that_takes_too_long_is_drawn(haste: float) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock, haste)
        live = await awake(host, turn_limit_s=30)
        seat, began = on_turn(live), clock.now()
        await pass_time(clock, round(30_000 * haste) - 1)
        assert on_turn(live) == seat
        assert live.table is not None
        assert not live.table.state.log
        await pass_time(clock, 1)

        assert await last(host, live) == (began + round(30_000 * haste), TABLE, Hurry(seat))
        assert len(live.table.state.log) == 1
        await host.close()

    run(scene())


def test_a_turns_time_runs_on_through_its_steps_and_through_what_is_taken_back() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        no_arrows = {"wheel_chips": 6, "clock_chips": 0, "wheel_arrow_chips": 0, "clock_arrow_chips": 0}
        live = await awake(host, turn_limit_s=30, **no_arrows)
        seat, began = on_turn(live), clock.now()
        for _ in range(3):
            await pass_time(clock, 5000)
            assert live.table is not None
            offer = next(offer for offer in live.table.offers[seat] if offer.action is TakeChip)
            await host.moves.act(live, seat, offer.since, offer.at(0))
            await pass_time(clock, 2000)
            await host.moves.undo(live, seat)
        await pass_time(clock, 10_000)

        assert await last(host, live) == (began + 30_000, TABLE, Hurry(seat))
        await host.close()

    run(scene())


def test_who_names_no_card_in_time_is_out() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, guess_limit_s=20)
        seat = on_turn(live)
        await asked(host, live, AskLast)
        while live.table is not None and pace.by_time(live.table) is None:
            assert clock.next is not None
            await pass_time(clock, clock.next - clock.now())
        named = clock.now()
        await pass_time(clock, 19_999)
        assert live.table is not None
        assert not live.table.state.out[seat]
        await pass_time(clock, 1)

        assert await last(host, live) == (named + 20_000, TABLE, RunOut())
        assert live.table.state.out[seat]
        await host.close()

    run(scene())


def test_who_names_a_card_in_time_stops_the_clock() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, guess_limit_s=20)
        seat = on_turn(live)
        await asked(host, live, AskLast)
        await pass_time(clock, 25_000)
        assert ticks(live)
        await host.moves.act(live, *wish(live, Name(wrong(live, seat).card), seat))
        assert not ticks(live)
        table = live.table
        await pass_time(clock, 60_000)
        assert live.table is table
        await host.close()

    run(scene())


@pytest.mark.parametrize("haste", [1.0, 0.0])
def test_after_an_answer_there_is_time_to_slam(haste: float) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock, haste)
        live = await awake(host, slam_window_s=7)
        seat = on_turn(live)
        await asked(host, live)
        while live.table is not None and live.table.awaiting != {TABLE} and on_turn(live) == seat:
            assert clock.next is not None
            await pass_time(clock, clock.next - clock.now())
        answered = clock.now()
        if haste:
            await pass_time(clock, 3000)
            await host.moves.act(live, *wish(live, wrong(live, seat), seat))  # a slam does not lengthen the pause
            await pass_time(clock, 3999)
            assert live.table is not None
            assert live.table.awaiting == {TABLE}
        await pass_time(clock, 1)

        assert await last(host, live) == (answered + round(7000 * haste), TABLE, GoOn())
        assert on_turn(live) != seat
        await host.close()

    run(scene())


# --- Stored before ---------------------------------------------------------------------------------------------------


def test_a_limit_is_stored_with_the_move_that_begins_it() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        told: list[tuple[Timed, int]] = []
        host.listeners.append(lambda c: told.extend((e, len(c.batches)) for e in c.entries if isinstance(e, Timed)))
        live = await awake(host, turn_limit_s=30)

        ((timed, batches),) = told
        assert batches == 1  # one append: there is no turn without its limit
        assert (timed.left, timed.running, timed.at) == (30_000, True, clock.now())
        assert standing(live) is not None
        await host.close()

    run(scene())


def test_a_limit_survives_a_restart_and_does_not_count_the_time_the_house_was_shut() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        first = fresh(clock, store=store)
        live = await awake(first, turn_limit_s=30)
        seat = on_turn(live)
        await pass_time(clock, 12_000)
        assert live.room.limit is not None
        timed = Timed(at=clock.now(), since=live.room.limit.since, left=18_000, running=True)
        await first.writer.note(live, lambda _: [timed])
        await first.close()
        await pass_time(clock, 3_600_000)
        second = fresh(clock, store=store)
        again = await second.get(live.id)
        assert again.limit is None
        again.pages.update([seat])
        second.wake(again)
        await settle()
        await pass_time(clock, 17_999)
        assert again.table is not None
        assert not again.table.state.log
        await pass_time(clock, 1)

        assert (await last(second, again))[1:] == (TABLE, Hurry(seat))
        await second.close()

    run(scene())


def test_a_full_disk_delays_what_time_does_and_loses_nothing() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), Full()
        host = fresh(clock, store=store)
        live = await awake(host, turn_limit_s=30)
        seat, table = on_turn(live), live.table
        store.full = True
        await pass_time(clock, 40_000)
        assert live.table is table
        store.full = False
        await pass_time(clock, RETRY_MS)

        assert (await last(host, live))[1:] == (TABLE, Hurry(seat))
        await host.close()

    run(scene())


def test_two_nodes_let_time_act_once() -> None:
    async def scene() -> None:
        clock, store, bus = FakeClock(), MemoryStore(), MemoryBus()
        first, second = fresh(clock, store=store, bus=bus), fresh(clock, store=store, bus=bus)
        live = await awake(first, turn_limit_s=30)
        other = await second.get(live.id)
        other.pages.update([0])
        second.wake(other)
        await pass_time(clock, 30_000)

        batches = await first.batches(live)
        assert sum(batch.cause is not None and batch.cause.seat == TABLE for batch in batches) == 1
        assert other.table == live.table
        await first.close()
        await second.close()

    run(scene())


# --- Asleep ----------------------------------------------------------------------------------------------------------


def test_a_sleeping_table_stops_its_clock() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, turn_limit_s=30)
        seat, table = on_turn(live), live.table
        for _ in range(2):
            await pass_time(clock, 10_000)
            live.pages.clear()
            host.rest(live)
            await settle()
            await pass_time(clock, 3_600_000)
            assert live.table is table
            live.pages.update([0])
            host.wake(live)
            await settle()
        await pass_time(clock, 9_999)
        assert live.table is table
        await pass_time(clock, 1)

        assert (await last(host, live))[1:] == (TABLE, Hurry(seat))
        await host.close()

    run(scene())


def test_a_sleeping_table_gives_due_answers_and_then_waits() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, slam_window_s=7, turn_limit_s=30)
        await asked(host, live)
        live.pages.clear()
        host.rest(live)
        await pass_time(clock, 3_600_000)
        assert live.table is not None
        assert live.table.awaiting == {TABLE}  # answered, and if that was due shown; the pause has not begun to run
        assert live.room.limit is not None
        assert live.room.limit.ends is None
        live.pages.update([0])
        host.wake(live)
        await settle()
        await pass_time(clock, 7000)
        assert live.table.awaiting != {TABLE}
        await host.close()

    run(scene())


def test_a_page_that_leaves_lets_the_table_sleep_and_one_that_comes_is_told_the_time_left() -> None:
    async def scene() -> None:
        async with Parlour() as house:
            options = {"turn_limit_s": 30}
            table, (ada,) = await house.table("ada", bots=("rookie", "rookie"), game="perfect_alibi", options=options)
            rng = dice(1)
            while ada.told.table["view"]["phase"]["type"] != "Beginning" or not ada.told.on_turn:
                if ada.told.on_turn and ada.told.table["view"]["phase"]["type"] in {"Picking", "Replacing"}:
                    offer = ada.told.table["offers"][0]
                    fields = {field: rng.choice(choice["of"]) for field, choice in offer["choices"].items()}
                    action = {"type": offer["action"], **fields}
                    await ada.ask("act", table=table, since=offer["since"], action=action)
                    await settle()
                    continue
                assert house.clock.next is not None
                await house.pass_time(house.clock.next - house.clock.now())
            assert 0 < ada.told.room["limit_ms"] <= 30_000
            await house.pass_time(2000)
            ada.close()
            await settle()
            seq = house.host.tables[table].table.seq  # type: ignore[union-attr]
            await house.pass_time(600_000)
            assert house.host.tables[table].table.seq == seq  # type: ignore[union-attr]
            again = await house.watching("ada", table)
            await settle()
            left = again.told.room["limit_ms"]
            assert 0 < left <= 28_000
            await house.pass_time(left)
            assert {event["event"]["type"] for event in again.told.events if event["seq"] > seq} >= {"TurnHurried"}

    run(scene())


def test_a_bot_is_given_the_time_it_takes() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, people=("ada",), seats=3, levels=(None, "rookie", "rookie"), turn_limit_s=30)
        assert live.table is not None
        while live.bot_level(on_turn(live)) is None:
            await pass_time(clock, 30_000)
            while live.table.asked or live.table.awaiting == {TABLE}:
                seat = live.table.asked[0]
                offer = live.table.offers[seat][0]
                host.answering.select(live, seat, offer.since, offer.at(0))
                await pass_time(clock, 10_000)
        table = live.table
        await pass_time(clock, 600_000)
        assert live.table is table
        await host.close()

    run(scene())
