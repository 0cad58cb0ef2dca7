"""Whether the moment of an answer tells what it will be: many questions, put through a Host on a simulated clock.

The players behave as the worst of them would: who must pass or has one card says so at once, who can choose takes long,
often longer than the answer has time; one chair is a bot's, which thinks the longer the more it can choose.
"""

import asyncio
import heapq
from collections.abc import Callable, Sequence
from itertools import combinations, count
from typing import Literal, TypeAlias

from whodunit.bench.server.script import SEATS, choose, lay
from whodunit.core.errors import Illegal
from whodunit.core.rng import Stream
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room.entries import ChairSet

Kind: TypeAlias = Literal["pass", "one card", "several cards"]
THINKS_MS: dict[Kind, tuple[int, int]] = {"pass": (200, 900), "one card": (400, 2500), "several cards": (2000, 14_000)}
BOT = SEATS - 1
ANSWERS_A_TABLE = 60
TURNS_OF_THE_LOOP = 60


class _Timer:
    def __init__(self) -> None:
        self.off = False

    def cancel(self) -> None:
        self.off = True


class SimulatedClock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self._now = 0
        self._number = count()
        self._timers: list[tuple[int, int, _Timer, Callable[[], object]]] = []

    def now(self) -> int:
        return self._now

    def after(self, milliseconds: int, ring: Callable[[], object]) -> _Timer:
        """Ring when so much time has been let pass."""
        timer = _Timer()
        heapq.heappush(self._timers, (self._now + milliseconds, next(self._number), timer, ring))
        return timer

    def forward(self) -> None:
        """Let time pass until the next timer rings."""
        while self._timers:
            at, _, timer, ring = heapq.heappop(self._timers)
            if not timer.off:
                self._now = at
                ring()
                return
        raise AssertionError("nothing is due any more")


def auc(high: Sequence[float], low: Sequence[float]) -> float:
    """Return how likely one of `high` is greater than one of `low`; a tie counts half (the Mann-Whitney statistic)."""
    ranks = sorted([(value, 1) for value in high] + [(value, 0) for value in low])
    total = 0.0
    start = 0
    while start < len(ranks):
        end = start
        while end < len(ranks) and ranks[end][0] == ranks[start][0]:
            end += 1
        total += (start + end + 1) / 2 * sum(mine for _, mine in ranks[start:end])  # the ranks of equals are shared
        start = end
    return (total - len(high) * (len(high) + 1) / 2) / (len(high) * len(low))


def worst(delays: dict[Kind, list[int]]) -> float:
    """Return the AUC of the two kinds that are told apart best; a classifier may be read either way round."""
    found = [auc(delays[one], delays[other]) for one, other in combinations(sorted(delays), 2)]
    return max(max(each, 1 - each) for each in found)


def measured(questions: int) -> dict[Kind, list[int]]:
    """Return how long each answer took to come, by kind, for so many questions."""
    return asyncio.run(_measured(questions))


async def _measured(questions: int) -> dict[Kind, list[int]]:
    delays: dict[Kind, list[int]] = {"pass": [], "one card": [], "several cards": []}
    for deal in count():
        await _play(deal, delays, min(ANSWERS_A_TABLE, questions - sum(map(len, delays.values()))))
        if sum(map(len, delays.values())) >= questions:
            return delays
    raise AssertionError


async def _play(deal: int, delays: dict[Kind, list[int]], most: int) -> None:
    clock = SimulatedClock()
    host = Host(MemoryStore(), MemoryBus(), clock)
    live = await lay(host, deal, 2 * (1000 + deal), [f"person {seat}" for seat in range(SEATS)])
    await host.writer.note(live, lambda _: [ChairSet(at=0, seat=BOT, level="random")])
    draws = Stream(b"timing %d" % deal)
    given = 0
    while given < most:
        assert live.table is not None
        (seat,) = live.table.awaiting
        if seat not in live.table.asked:
            offers = live.table.offers[seat]
            action = choose(live.game, offers, draws)
            clock.after(300 + draws.below("own turn", 4000), lambda: None)
            clock.forward()
            await host.moves.act(live, seat, next(offer.since for offer in offers if offer.admits(action)), action)
            continue
        kind = kind_of(live, seat)
        asked_at = clock.now()
        await _answered(host, live, clock, seat, kind, draws)
        delays[kind].append(clock.now() - asked_at)
        given += 1
    await host.close()


def kind_of(live: Live, seat: int) -> Kind:
    """Return what the asked seat can do, which is what its delay must not tell."""
    assert live.table is not None
    (offer,) = live.table.offers[seat]
    if not offer.choices:
        return "pass"
    return "one card" if offer.count == 1 else "several cards"


async def _answered(host: Host, live: Live, clock: SimulatedClock, seat: int, kind: Kind, draws: Stream) -> None:
    """Let the asked player think and choose, and time pass, until the answer is there."""
    table = live.table
    assert table is not None
    (offer,) = table.offers[seat]
    least, most = THINKS_MS[kind]
    thinks = (least + draws.below("thinks", most - least)) // (10 if seat == BOT else 1)
    wishes: list[asyncio.Task[None]] = []

    async def wish() -> None:
        try:
            await host.answering.select(live, seat, offer.since, offer.sample(draws))
        except Illegal:
            assert live.table is not table  # too late: answered by habit

    if seat == BOT or draws.below("attends", 4):  # one in four does not choose
        clock.after(thinks, lambda: wishes.append(asyncio.ensure_future(wish())))
    for _ in range(100):
        for _ in range(TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)
            if live.table is not table:
                return
        clock.forward()
    raise AssertionError("the answer never came")
