"""One person among bots, whom nobody watches: bots come at whole beats, and the person is waited for."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec import Raw

from tests.room.test_manners import after, gathering, playing
from tests.room.test_pace import due_at, fair, given, kind, options
from tests.server.sites import MIDNIGHT, FakeClock, dice, pass_time, settle
from tests.server.worlds import answered, begun, lively, terms, to_question
from whodunit.core.errors import Refusal
from whodunit.core.types import TABLE, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.room import room as rooms
from whodunit.room.entries import ChairSet, Entered, Held, Ordered, PaceSet, QuestionPut, Sat, WishedPace, padded
from whodunit.room.pace import SOLO, TEMPI, Pace
from whodunit.room.room import Room
from whodunit.server import frames

ADA = Sat(at=MIDNIGHT, seat=0, person="ada", name="Ada", salt="")
PACES = sorted(SOLO)


def alone(pace: Pace = "brisk", **changes: Any) -> Room:
    """Ada among two bots, at a table of her own."""
    laid = terms(3, **{"levels": (None, "rookie", "rookie"), "public": False, "pace": pace, **changes})
    return after(rooms.evolve(None, laid), [ADA])


# --- Who is alone ----------------------------------------------------------------------------------------------------


def test_every_pace_has_its_moments() -> None:
    assert set(TEMPI) == set(get_args(Pace))
    for pace in SOLO:
        beat, answer, turn = TEMPI[pace]
        assert [moment % beat for moment in (*answer, *turn)] == [0, 0, 0, 0]


def test_whoever_comes_by_invitation_ends_the_hurry_of_bots() -> None:
    room = alone()
    assert (room.alone, room.pace) == (True, "brisk")

    watched = after(room, [Entered(at=MIDNIGHT + 5, person="eve")])

    assert (watched.alone, watched.pace, watched.chosen_pace) == (False, "normal", "brisk")
    assert watched.watched == MIDNIGHT + 5
    assert after(watched, [Entered(at=MIDNIGHT + 9, person="bob")]).watched == MIDNIGHT + 5


@pytest.mark.parametrize(
    "changes", [{"public": True}, {"levels": (None, "rookie", None)}], ids=["an open table", "a free chair"]
)
def test_where_others_can_watch_or_sit_bots_take_their_time(changes: dict[str, Any]) -> None:
    assert alone(**changes).pace == "normal"


def test_whose_friends_never_came_is_alone_when_bots_have_filled_their_chairs() -> None:
    room = alone(levels=(None, "rookie", None))
    assert after(room, [ChairSet(at=1, seat=2, level="rookie")]).alone
    assert after(room, [ChairSet(at=1, seat=2, level="rookie"), ChairSet(at=2, seat=2, level=None)]).watched == 2


def test_another_device_is_the_same_player() -> None:
    assert after(alone(), [Held(at=1, seat=0, person="ada's phone")]).alone


# --- Another pace ----------------------------------------------------------------------------------------------------


def test_alone_one_changes_the_pace_at_once() -> None:
    room = alone()
    assert manners.paces(room) == tuple(TEMPI)
    assert manners.wish_pace(room, "ada", "at_once", 7) == [PaceSet(at=7, pace="at_once")]
    assert manners.wish_pace(room, "ada", "brisk", 7) == []
    assert after(room, [PaceSet(at=7, pace="at_once")]).pace == "at_once"


def test_with_others_everybody_must_wish_for_it() -> None:
    room = playing()
    wished = after(room, manners.wish_pace(room, "ada", "steady", 1))
    assert [chair.wants_pace for chair in wished.chairs] == ["steady", None, None, None, None]
    assert manners.wish_pace(wished, "ada", "steady", 2) == []
    two = after(wished, manners.wish_pace(wished, "bob", "steady", 2))
    assert two.pace == "normal"

    assert manners.wish_pace(two, "cleo", "slow", 3) == [WishedPace(at=3, seat=2, pace="slow")]
    (changed,) = manners.wish_pace(two, "cleo", "steady", 3)

    assert changed == PaceSet(at=3, pace="steady")
    assert after(two, [changed]).pace == "steady"
    assert not any(chair.wants_pace for chair in after(two, [changed]).chairs)


def test_who_wants_it_as_it_is_ends_the_asking() -> None:
    wished = after(playing(), manners.wish_pace(playing(), "ada", "steady", 1))
    assert manners.wish_pace(wished, "bob", "normal", 2) == [PaceSet(at=2, pace="normal")]


def test_nobody_hurries_bots_before_others_and_nobody_who_watches_has_a_say() -> None:
    for pace in SOLO:
        assert pace not in manners.paces(gathering())
        with pytest.raises(Refusal, match="not_alone"):
            manners.wish_pace(gathering(), "ada", pace, 1)
    with pytest.raises(Refusal, match="no_seat"):
        manners.wish_pace(gathering(), "eve", "steady", 1)


# --- At the table ----------------------------------------------------------------------------------------------------


async def solo(host: Host, pace: Pace, seed: int = 0) -> Live:
    return await begun(host, ("ada",), seed, seats=3, levels=(None, "rookie", "rookie"), public=False, pace=pace)


async def asked(host: Host, live: Live, clock: FakeClock, is_wanted: Callable[[Seat], bool]) -> Seat:
    """Play on until a seat is asked that is wanted; everybody else answers anything."""
    rng = dice(3)
    while True:
        seat = await to_question(host, live, rng)
        assert seat is not None
        if is_wanted(seat):
            return seat
        since, actions = options(live, seat)
        host.answering.select(live, seat, since, actions[0], leased=seat != 0)
        if seat:
            await answered(live, clock)
        await settle()


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("what", ["pass", "one", "several"])
def test_my_answer_waits_for_my_tap_and_goes_at_once(pace: Pace, what: str) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await solo(host, pace)
        await asked(host, live, clock, lambda seat: seat == 0 and kind(live, seat) == what)
        answer = frames.answer(live, 0, clock.now())
        assert answer is not None
        assert (answer.left_ms, answer.chosen) == (None, False)
        table, (since, actions) = live.table, options(live, 0)
        assert 0 not in live.rings  # nothing would come of waiting
        await pass_time(clock, 3_600_000)
        assert live.table is table
        stored = host.answering.select(live, 0, since, actions[-1])
        await settle()

        assert stored.done()
        assert await given(host, live) == (clock.now(), actions[-1])
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("what", ["pass", "one", "several"])
def test_a_bot_answers_a_beat_later_or_whole_beats_more(pace: Pace, what: str) -> None:
    async def scene(late: int) -> None:
        beat = TEMPI[pace].beat
        clock = FakeClock()
        host = fair(clock)
        live = await solo(host, pace)
        seat = await asked(host, live, clock, lambda seat: seat != 0 and kind(live, seat) == what)
        began, (since, actions) = clock.now(), options(live, seat)
        assert due_at(live, seat) == began + beat
        await pass_time(clock, late)
        host.answering.select(live, seat, since, actions[0], leased=True)
        await pass_time(clock, 3 * beat)

        assert await given(host, live) == (began + max(1, -(-late // beat)) * beat, actions[0])
        await host.close()

    for late in (0, TEMPI[pace].beat // 2, TEMPI[pace].beat * 5 // 2):
        asyncio.run(scene(late))


def test_an_order_answers_for_whoever_has_given_one() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await solo(host, "brisk")
        await host.writer.note(live, lambda _: [Ordered(at=clock.now(), seat=0, order="least")])
        rng = dice(5)
        for _ in range(200):
            assert live.table is not None
            assert 0 not in live.table.asked
            (seat,) = live.table.awaiting
            if seat in live.table.asked:
                since, actions = options(live, seat)
                host.answering.select(live, seat, since, actions[0], leased=True)
                await answered(live, clock)
            else:
                await host.moves.act(live, seat, *lively(live.table.offers[seat], rng))
        batches = await host.batches(live)
        mine = [batch for batch in batches if batch.cause and batch.cause.seat == 0]
        assert any(type(batch.cause.action) in live.game.INFO.answers for batch in mine if batch.cause)
        await host.close()

    asyncio.run(scene())


def test_an_order_that_is_given_later_does_not_answer_what_is_asked_already() -> None:
    room = alone("unhurried")
    put = padded(QuestionPut(at=1, seat=0, since=3, due=9, action=Raw(b"{}"), patient=True))
    due = after(room, [put, Ordered(at=2, seat=0, order="seen")]).chairs[0].due
    assert due is not None
    assert due.patient
    due = after(room, [Ordered(at=1, seat=0, order="seen"), put]).chairs[0].due
    assert due is not None
    assert not due.patient


def test_a_question_of_an_earlier_version_waits_where_the_table_is_unhurried() -> None:
    put = QuestionPut(at=1, seat=0, since=3, due=9, action=Raw(b"{}"))
    for pace in ("unhurried", "normal"):
        due = after(alone(pace), [put]).chairs[0].due
        assert due is not None
        assert due.patient == (pace == "unhurried")


def test_from_the_next_question_on_bots_take_their_time_when_somebody_has_come() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await solo(host, "brisk")
        seat = await asked(host, live, clock, lambda seat: seat != 0)
        began, due = clock.now(), due_at(live, seat)
        await host.writer.note(live, lambda room: manners.enter(room, "eve", clock.now()))
        assert due_at(live, seat) == due == began + 500
        since, actions = options(live, seat)
        host.answering.select(live, seat, since, actions[0], leased=True)
        await answered(live, clock)
        assert clock.now() == due

        least, most = TEMPI["normal"].answer
        for _ in range(6):
            seat = await asked(host, live, clock, lambda _: True)
            assert least <= due_at(live, seat) - clock.now() <= most
            since, actions = options(live, seat)
            host.answering.select(live, seat, since, actions[0], leased=seat != 0)
            await answered(live, clock)
        await host.close()

    asyncio.run(scene())


def test_whoever_comes_later_is_told_what_happened_before_but_not_when() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await solo(host, "brisk")
        await asked(host, live, clock, lambda seat: seat == 0)
        await pass_time(clock, 10_000)
        await host.writer.note(live, lambda room: manners.enter(room, "eve", clock.now()))
        before = live.table
        assert before is not None
        await pass_time(clock, 1)
        since, actions = options(live, 0)
        host.answering.select(live, 0, since, actions[0])
        await settle()
        telling = frames.Telling(live, await host.batches(live), 0)

        assert live.table is not None
        times = {viewer: [told["at"] for told in json.loads(telling.to(viewer))["events"]] for viewer in (0, TABLE)}
        assert times[0] == [batch.at for batch in await host.batches(live) for _ in batch.events]
        assert times[TABLE] == [0] * before.seq + times[0][before.seq :]
        assert times[TABLE][before.seq] == clock.now()
        await host.close()

    asyncio.run(scene())
