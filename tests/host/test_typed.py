"""Answers that are typed: their player is waited for, up to a clock, and then a permitted one is given."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.host.test_time_limits import asked, awake, fresh, last, run, wish
from tests.server.sites import FakeClock, pass_time, settle
from whodunit.core.errors import Illegal
from whodunit.core.types import Batch
from whodunit.games.perfect_alibi.model import Announce, Slam
from whodunit.games.perfect_alibi.rules import right_answers
from whodunit.infra.memory import MemoryStore
from whodunit.room import answers, pace

BY_HAND: dict[str, Any] = {"answer_mode": "by_hand"}


def test_a_typed_answer_is_waited_for_and_no_longer_than_its_clock() -> None:
    async def scene() -> None:
        for haste in (1.0, 0.5):
            clock = FakeClock()
            host = fresh(clock, haste)
            live = await awake(host, answer_limit_s=40, **BY_HAND)
            seat, began = await asked(host, live), clock.now()
            due = live.room.chairs[seat].due
            assert due is not None
            assert due.action is None  # nobody who counts is shown a number
            assert due.until == began + round(40_000 * haste)
            table = live.table
            await pass_time(clock, round(40_000 * haste) - 1)
            assert live.table is table
            await pass_time(clock, 1)

            at, who, action = await last(host, live)
            assert (at, who) == (due.until, seat)
            assert table is not None
            assert isinstance(action, Announce)
            assert action.number in right_answers(table.state, table.state.log[-1])
            await host.close()

    run(scene())


@pytest.mark.parametrize("after", [0, 3000, 20_000])
def test_what_is_typed_is_given_when_it_is_typed_and_never_before_its_moment(after: int) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, **BY_HAND)
        seat = await asked(host, live)
        due = live.room.chairs[seat].due
        assert due is not None
        await pass_time(clock, after)
        typed = clock.now()
        host.answering.select(live, *wish(live, Announce(1), seat))
        await settle()
        assert live.table is not None
        if typed < due.at:
            assert not live.table.state.log[-1].answered
            await pass_time(clock, due.at - typed)

        assert await last(host, live) == (max(typed, due.at), seat, Announce(1))
        await host.close()

    run(scene())


def test_a_typed_answer_is_still_waited_for_after_a_restart() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), MemoryStore()
        first = fresh(clock, store=store)
        live = await awake(first, **BY_HAND)
        seat = await asked(first, live)
        due = live.room.chairs[seat].due
        await first.close()
        second = fresh(clock, store=store)
        again = await second.get(live.id)
        assert due is not None
        assert again.room.chairs[seat].due == due
        await pass_time(clock, 59_999)
        assert again.table == live.table
        await pass_time(clock, 1)
        assert (await last(second, again))[:2] == (due.until, seat)
        await second.close()

    run(scene())


def test_a_bots_count_comes_at_its_moment() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, people=("ada",), seats=3, levels=(None, "rookie", "rookie"), **BY_HAND)
        seat = await asked(host, live, bot=True)
        due = live.room.chairs[seat].due
        assert due is not None
        host.answering.select(live, *wish(live, Announce(1), seat))
        await pass_time(clock, due.at - clock.now())
        assert await last(host, live) == (due.at, seat, Announce(1))
        await host.close()

    run(scene())


def test_truth_and_lie_are_asked_for_alike() -> None:
    """ALIBI-67: the moment, the waiting and what others are told are the same, whatever the seat must say."""

    async def scene() -> None:
        moments: dict[bool, set[tuple[int, int | None]]] = {False: set(), True: set()}
        for options in ({}, BY_HAND):
            for seed in range(40):
                clock = FakeClock()
                host = fresh(clock)
                live = await awake(host, seed, rival=True, **options)
                seat, began = await asked(host, live), clock.now()
                due = live.room.chairs[seat].due
                assert due is not None
                assert live.table is not None
                lies = live.table.state.rivals[seat] == "Journalist"
                drawn = pace.delay(pace.TEMPI["normal"], 1.0, pace.chance(live.table, seat))
                assert due.at == began + drawn
                moments[lies].add((due.since, due.until and due.until - began))
                assert (due.until is None) == (options == {})
                await host.close()
        assert moments[True] == moments[False]  # both come up, and nothing else tells them apart

    run(scene())


def test_a_bot_that_is_asked_may_slam_instead_at_its_moment_and_nothing_of_it_is_kept_before() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, people=("ada",), seats=3, levels=(None, "rookie", "rookie"))
        seat = await asked(host, live, bot=True)
        due = live.room.chairs[seat].due
        assert due is not None
        assert live.table is not None
        slam = next(offer for offer in live.table.offers[seat] if offer.action is Slam).at(0)
        done = host.answering.select(live, seat, due.since, slam, leased=True)
        await pass_time(clock, 1000)
        kept = live.room.chairs[seat].due
        assert kept is not None
        assert not kept.chosen
        await pass_time(clock, due.at - clock.now())

        assert await last(host, live) == (due.at, seat, slam)
        assert done.result() is None
        await host.close()

    run(scene())


def test_what_a_bot_would_rather_do_is_dropped_when_it_is_no_longer_on_offer() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fresh(clock)
        live = await awake(host, people=("ada",), seats=3, levels=(None, "rookie", "rookie"))
        seat = await asked(host, live, bot=True)
        due = live.room.chairs[seat].due
        assert due is not None
        assert live.table is not None
        slam = next(offer for offer in live.table.offers[seat] if offer.action is Slam).at(0)
        done = host.answering.select(live, seat, due.since, slam, leased=True)
        others = tuple(offer for offer in live.table.offers[seat] if offer.action is not Slam)
        live.table = replace(live.table, offers=(*live.table.offers[:seat], others, *live.table.offers[seat + 1 :]))
        live.settle([Batch(seq=1, events=())])

        assert not answers.is_chosen(live.room, seat, live.chosen)
        with pytest.raises(Illegal):
            done.result()
        await host.close()

    run(scene())
