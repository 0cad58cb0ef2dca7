"""The moment of an answer: drawn before anybody looks at a hand, kept whatever is chosen, and telling nothing."""

import asyncio
from collections import defaultdict
from functools import partial
from itertools import combinations

import pytest
from msgspec.structs import replace

from tests.server.sites import FakeClock, dice, pass_time, settle
from tests.server.worlds import PEOPLE, answered, begun, lively, to_question
from whodunit.core.errors import BadOptions, Illegal
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.clue.model import CannotShow, Show
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import answers, manners, pace
from whodunit.room.answers import Confided, drawn
from whodunit.room.entries import Jotted, QuestionPut
from whodunit.room.room import Room
from whodunit.server.serve import Settings, check
from whodunit.table.table import Table

QUESTIONS = 2000

# --- Timing tells nothing --------------------------------------------------------------------------------------------


def auc(one: list[int], other: list[int]) -> float:
    """Return how often a value of the one is greater than one of the other; a tie is half (Mann-Whitney)."""
    where: defaultdict[int, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(one + other), 1):
        where[value].append(place)
    ranks = sum(sum(where[value]) / len(where[value]) for value in one)
    return (ranks - len(one) * (len(one) + 1) / 2) / (len(one) * len(other))


def kind(live: Live, seat: Seat) -> str:
    """Return what only the asked seat may know."""
    assert live.table is not None
    (offer,) = live.table.offers[seat]
    return "pass" if offer.action is CannotShow else "one" if offer.count == 1 else "several"


async def releases() -> dict[str, list[int]]:
    """Put 2,000 questions, and return how long their answers took, by what the asked seat held."""
    took: dict[str, list[int]] = {"pass": [], "one": [], "several": []}
    seed = 0
    while sum(map(len, took.values())) < QUESTIONS:
        seed += 1
        clock, rng = FakeClock(), dice(seed)
        host = fair(clock)
        live = await begun(host, seed=seed)
        for _ in range(40):
            seat = await to_question(host, live, rng)
            assert seat is not None
            what, began, table = kind(live, seat), clock.now(), live.table
            if rng.random() < 0.5:  # some choose early or late, others not at all
                clock.move(began + rng.choice((0, 900, 3500)))
                assert live.table is not None
                host.answering.select(live, seat, *lively(live.table.offers[seat], rng))
            if live.table is table:  # not if it was chosen too late, and given at once
                await answered(live, clock)
            took[what].append(clock.now() - began)
        await host.close()
    return took


def fair(clock: FakeClock) -> Host:
    return Host(MemoryStore(), MemoryBus(), clock)


def at_once(room: Room, table: Table, confided: Confided, now: int, haste: float) -> tuple[QuestionPut, ...]:
    """Answer as good as at once where there is no choice: what must not be."""
    asked = drawn(room, table, confided, now, haste)
    return tuple(replace(entry, due=now + 1) if table.offers[entry.seat][0].count == 1 else entry for entry in asked)


def test_nobody_tells_a_pass_one_card_and_several_apart_by_the_time_they_take() -> None:
    took = asyncio.run(releases())

    assert sum(map(len, took.values())) >= QUESTIONS
    assert min(map(len, took.values())) >= 200
    for one, other in combinations(took, 2):
        assert 0.45 <= auc(took[one], took[other]) <= 0.55, (one, other)


def test_the_classifier_would_notice_if_answers_without_a_choice_came_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.room.test_pace.QUESTIONS", 300)
    monkeypatch.setattr(answers, "drawn", at_once)
    took = asyncio.run(releases())

    assert auc(took["pass"], took["several"]) < 0.1
    assert auc(took["one"], took["several"]) < 0.1


def test_the_classifier_counts_right() -> None:
    assert auc([3, 4], [1, 2]) == 1
    assert auc([1, 2], [3, 4]) == 0
    assert auc([1, 2, 3], [2]) == 0.5
    assert auc([1, 1], [1, 1, 1]) == 0.5


# --- The moment ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quick", "normal", "steady", "unhurried"])
def test_moments_fill_their_range_evenly(name: pace.Pace) -> None:
    least, most = {"quick": (2000, 5000), "normal": (4000, 10_000), "steady": (15_000, 30_000)}.get(
        name, (4000, 10_000)
    )
    moments = sorted(pace.delay(pace.TEMPI[name], 1.0, Rng(b"seed", seq)) for seq in range(2000))

    assert least <= moments[0] < least + (most - least) / 100
    assert most - (most - least) / 100 < moments[-1] <= most
    assert abs(moments[1000] - (least + most) / 2) < (most - least) / 20


def test_haste_scales_the_moment() -> None:
    for seq in range(50):
        full = pace.delay(pace.TEMPI["normal"], 1.0, Rng(b"seed", seq))
        assert pace.delay(pace.TEMPI["normal"], 0.0, Rng(b"seed", seq)) == 0
        assert abs(pace.delay(pace.TEMPI["normal"], 0.25, Rng(b"seed", seq)) - full / 4) <= 1
        assert pace.delay(pace.TEMPI["normal"], 2.0, Rng(b"seed", seq)) == 2 * full


@pytest.mark.parametrize(
    "settings",
    [
        Settings(host="0.0.0.0", haste=0.0),  # noqa: S104
        Settings(host="192.168.1.7", haste=0.5),
        Settings(host="example.org", haste=2.0),
        Settings(host="127.0.0.1", haste=0.0, public_url="https://example.org"),
        Settings(haste=-1.0),
        Settings(public_url="example.org"),
    ],
)
def test_haste_is_for_this_machine_alone(settings: Settings) -> None:
    with pytest.raises(BadOptions):
        check(settings)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(haste=0.0),
        Settings(host="localhost", haste=0.5),
        Settings(host="::1", haste=0.5),
        Settings(host="0.0.0.0"),  # noqa: S104
        Settings(public_url="https://example.org"),
    ],
)
def test_settings_that_go_together_are_taken(settings: Settings) -> None:
    check(settings)


# --- What is answered, and when --------------------------------------------------------------------------------------


async def asked(host: Host, live: Live, what: str) -> Seat:
    """Play until a seat is asked that holds this much."""
    rng = dice(7)
    while True:
        seat = await to_question(host, live, rng)
        assert seat is not None
        if kind(live, seat) == what:
            return seat
        clock = host.clock
        assert isinstance(clock, FakeClock)
        await answered(live, clock)


def due_at(live: Live, seat: Seat) -> int:
    due = live.room.chairs[seat].due
    assert due is not None
    return due.at


def options(live: Live, seat: Seat) -> tuple[int, list[Action]]:
    assert live.table is not None
    (offer,) = live.table.offers[seat]
    return offer.since, [*offer.actions()]


async def given(host: Host, live: Live) -> tuple[int, Action]:
    """Return when the last answer was given, and what it was."""
    batch = (await host.batches(live))[-1]
    assert batch.cause is not None
    return batch.at, batch.cause.action


@pytest.mark.parametrize("what", ["pass", "one", "several"])
def test_an_answer_comes_at_its_moment_and_no_sooner_whoever_chooses_early(what: str) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host)
        seat = await asked(host, live, what)
        since, actions = options(live, seat)
        table, due = live.table, due_at(live, seat)
        host.answering.select(live, seat, since, actions[-1])
        clock.move(due - 1)
        await settle()
        assert live.table is table
        clock.move(due)
        await settle()

        assert await given(host, live) == (due, actions[-1])
        await host.close()

    asyncio.run(scene())


def test_what_is_selected_at_the_moment_is_played() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host)
        seat = await asked(host, live, "several")
        since, actions = options(live, seat)
        for action in (*actions, actions[0]):
            host.answering.select(live, seat, since, action)
        with pytest.raises(Illegal):
            host.answering.select(live, seat, since, CannotShow())
        with pytest.raises(Illegal):
            host.answering.select(live, seat, since - 1, actions[-1])
        with pytest.raises(Illegal):
            host.answering.select(live, (seat + 1) % 4, since, actions[-1])
        await answered(live, clock)

        assert (await given(host, live))[1] == actions[0]
        await host.close()

    asyncio.run(scene())


def test_who_chooses_nothing_shows_again_what_the_asker_has_seen() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host, people=("ada", "bob"))
        shown: set[tuple[Seat, Seat, object]] = set()
        rng, again = dice(1), 0
        while again < 8:
            seat = await to_question(host, live, rng)
            assert seat is not None
            assert live.table is not None
            what, asker, (_, actions) = kind(live, seat), live.table.state.on_turn, options(live, seat)
            await answered(live, clock)
            _, action = await given(host, live)
            if isinstance(action, Show):
                cards = {show.card for show in actions if isinstance(show, Show)}
                known = cards & {card for by, to, card in shown if (by, to) == (seat, asker)}
                if what == "several" and known and known != cards:
                    again += 1
                    assert action.card in known
                shown.add((seat, asker, action.card))
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("what", ["pass", "one", "several"])
def test_unhurried_waits_for_everybody_who_is_asked_whether_or_not_they_can_choose(what: str) -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host, pace="unhurried")
        seat = await asked_only(host, live, clock, what)
        table, (since, actions) = live.table, options(live, seat)
        await pass_time(clock, 3_600_000)
        assert live.table is table
        host.answering.select(live, seat, since, actions[0])
        await settle()

        assert await given(host, live) == (clock.now(), actions[0])
        await host.close()

    asyncio.run(scene())


def test_a_standing_order_answers_at_the_drawn_moment_also_where_choosers_are_waited_for() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host, pace="unhurried")
        for seat, person in enumerate(PEOPLE):
            order = partial(manners.order, person=person, orders=live.game.INFO.orders, wanted="least", at=0)
            await host.writer.note(live, order)
            assert live.room.chairs[seat].order == "least"
        seat = await asked_only(host, live, clock, "several")
        due, (_, actions) = due_at(live, seat), options(live, seat)
        await answered(live, clock)

        assert clock.now() == due
        assert (await given(host, live))[1] in actions
        await host.close()

    asyncio.run(scene())


async def asked_only(host: Host, live: Live, clock: FakeClock, what: str) -> Seat:
    rng = dice(7)
    while True:
        seat = await to_question(host, live, rng)
        assert seat is not None
        if kind(live, seat) == what:
            return seat
        since, actions = options(live, seat)
        host.answering.select(live, seat, since, actions[0])
        await answered(live, clock)


def test_a_bots_late_thought_is_waited_for_and_given_at_the_next_beat() -> None:
    async def scene() -> None:
        clock = FakeClock()
        host = fair(clock)
        live = await begun(host, people=("ada",), seats=2, levels=(None, "detective"))
        rng = dice(1)
        seat = await to_question(host, live, rng)
        while seat != 1:
            assert live.table is not None
            (seat,) = live.table.awaiting
            await host.moves.act(live, seat, *lively(live.table.offers[seat], rng))
            seat = await to_question(host, live, rng)
        table, (since, actions) = live.table, options(live, 1)
        due = due_at(live, 1)
        await pass_time(clock, due + 20_300 - clock.now())
        assert live.table is table  # also where it has no choice: the bot's answer comes from the bot
        host.answering.select(live, 1, since, actions[0], leased=True)
        await settle()
        assert live.table is table
        await host.writer.note(live, lambda _: [Jotted(at=0, seat=0, seq=0, text="is it done?")])
        await settle()
        assert live.table is table  # whatever else happens does not bring it forth
        await pass_time(clock, 2000)

        assert await given(host, live) == (due + 21_000, actions[0])
        await host.close()

    asyncio.run(scene())
