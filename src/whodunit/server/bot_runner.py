"""Lets every bot that is waited for act, through the same door as people and at moments that tell nothing."""

import asyncio
import hmac
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from whodunit.core.errors import Conflict, Illegal, NotHeld, NotStored
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE, Action, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.timers import RETRY_MS, Timer, until
from whodunit.room.answers import beats, doubling, is_chosen
from whodunit.room.pace import SOLO, TEMPI
from whodunit.server.fair_queue import claim_of
from whodunit.server.thoughts import Think, think
from whodunit.server.transcripts import told
from whodunit.server.workers import Workers
from whodunit.table.table import Table

T = TypeVar("T")
Urge: TypeAlias = tuple[Seat, Action]
"""Who would interrupt, and how."""
LOG = logging.getLogger(__name__)
URGE_MS = 64_000
"""Who thinks so much longer than people's start whether to interrupt is not waited for."""
SLOW_START_MS = (120_000, 600_000)
"""How long people get who could interrupt before a bot does, where a move may take days."""
SPARING_MS = 5_000
"""How long bots among themselves wait if those who let them play have had enough written down."""
LEFT_ALONE_MS = (60_000, 120_000)
"""How long a bot takes over a move where a move may take days and no person plays any more."""
LONGEST_RETRY_MS = 64_000
"""Bots that an error has stopped are tried again after a second, then after twice as long each time, up to this."""


class Runner:
    """Sees to it that whoever is waited for and is a bot acts, one thought at a time for each table."""

    def __init__(
        self,
        host: Host,
        workers: Workers,
        seed: bytes,
        may_go_on: Callable[[Collection[str]], bool] = lambda _: True,
    ) -> None:
        """Let bots act; where no person plays, only if the households that have the table open `may_go_on`."""
        self._host = host
        self._workers = workers
        self._may_go_on = may_go_on
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self._watching: dict[str, asyncio.Task[None]] = {}
        """By table: who asks its bots whether they interrupt."""
        self._polled: dict[str, asyncio.Event] = {}
        """By table that is watched so: set when all have been asked how things stand now."""
        self._thoughts: set[asyncio.Task[Any]] = set()
        self._calm: WeakKeyDictionary[Live, tuple[int, Sequence[str | None]]] = WeakKeyDictionary()
        """By table: after which event no bot wanted to interrupt, and who played then; they are not asked again."""
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """By table: what wakes whoever waits there for a thought, a moment or an event."""
        self._failures: dict[tuple[str, bool], tuple[int, Timer]] = {}
        """By table, and whether its bots move or interrupt: how often in a row that failed, and what tries again."""
        self._chance = Stream(seed)
        host.listeners.append(lambda change: self.poke(change.live))

    def poke(self, live: Live) -> None:
        """Look whether a bot is waited for, or could interrupt."""
        self._wake(live)
        if self._closed or not [chair for chair in live.room.chairs if chair.bot_level]:
            return
        if live.id not in self._busy and self._next(live) is not None:
            live.thinking = True
            self._begin(live, self._busy, self._run(live))
        if live.id not in self._watching and self._urging(live):
            live.thinking = True
            self._begin(live, self._watching, self._watch(live))

    def _begin(self, live: Live, tasks: "dict[str, asyncio.Task[None]]", work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        tasks[live.id] = task
        task.add_done_callback(lambda _: self._done(live, tasks, task))

    def _done(self, live: Live, tasks: "dict[str, asyncio.Task[None]]", task: "asyncio.Task[None]") -> None:
        if tasks.get(live.id) is task:
            del tasks[live.id]
        live.thinking = live.id in self._busy or live.id in self._watching
        if task.cancelled():
            return
        if error := task.exception():
            self._failed(live, error, moving=tasks is self._busy)
        elif tasks is self._busy:
            self.poke(live)  # for what has changed since it last looked
        else:
            self._succeeded(live, moving=False)

    def _failed(self, live: Live, error: BaseException, *, moving: bool) -> None:
        """Try again later, whatever it was: nobody else would let these bots go on. It is logged once."""
        tried, timer = self._failures.get((live.id, moving), (0, None))
        if timer is None:
            LOG.error("the bots of %s stopped: %s", live.id, type(error).__name__, exc_info=error)
        else:
            timer.cancel()
        wait = min(LONGEST_RETRY_MS, RETRY_MS * 2**tried)
        self._failures[live.id, moving] = tried + 1, self._host.clock.after(wait, lambda: self._retry(live))

    def _succeeded(self, live: Live, *, moving: bool) -> None:
        if failure := self._failures.pop((live.id, moving), None):
            failure[1].cancel()

    def _retry(self, live: Live) -> None:
        if self._host.tables.get(live.id) is live:
            self.poke(live)
        else:  # it was let go of, and is looked at when it is loaded
            self._succeeded(live, moving=True)
            self._succeeded(live, moving=False)

    async def close(self) -> None:
        """Let no bot act any more."""
        self._closed = True
        for _, timer in self._failures.values():
            timer.cancel()
        tasks = [*self._busy.values(), *self._watching.values(), *self._thoughts]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _next(self, live: Live) -> Seat | None:
        """Return the seat whose bot should think now; a table where nobody is looking gives due answers, no more."""
        table = live.table
        if table is None or table.outcome or not any(map(live.bot_level, table.awaiting)):
            return None
        if live.room.paused is not None or not self._host.leases.holds(live):
            return None
        for seat in table.asked:
            due = live.room.chairs[seat].due
            if live.bot_level(seat) and due is not None and not is_chosen(live.room, seat, live.chosen):
                return seat
        if not live.awake or _rests(live):
            return None
        return next((seat for seat in sorted(table.awaiting) if live.bot_level(seat) and seat not in table.asked), None)

    async def _run(self, live: Live) -> None:
        while (seat := self._next(live)) is not None:
            if not _plays(live) and not _is_asked(live, seat) and not self._may_go_on(live.households):
                await until(self._host.clock, self._host.clock.now() + SPARING_MS)
                continue
            try:
                await self._move(live, seat)
            except NotStored:  # what it was to be told could not be read, or its move not stored
                await until(self._host.clock, self._host.clock.now() + RETRY_MS)
            else:
                self._succeeded(live, moving=True)

    async def _move(self, live: Live, seat: Seat) -> None:
        table, level = live.table, live.bot_level(seat)
        assert table is not None
        assert level is not None
        if live.game.INFO.sounds is not None:
            await self._host.moves.calm(live)  # it hears each clip when everybody does, and then begins to think
            if live.table is not table:
                return
        thought = self._begun(live, self._thought(live, seat, level))
        if seat in table.asked:
            await self._until(live, table, thought.done)
        else:
            # Drawn and begun before the bot looks at its cards: neither choice nor effort shows.
            rested = self._host.clock.now() + self._pause(live)
            await self._beats(live, table, rested, lambda: thought.done() and self._all_polled(live))
        if not thought.done() or not self._stands(live, table) or live.bot_level(seat) != level:
            return  # something else happened meanwhile: think again
        action = thought.result()
        if action is None:  # more is stored than is known here: it will be soon
            await self._rung(live, table, self._host.clock.now() + RETRY_MS)
            return
        with suppress(Illegal, Conflict, NotHeld):
            due = live.room.chairs[seat].due
            if seat in table.asked and due is not None:  # it waits there for its moment, as a person's choice does
                self._host.answering.select(live, seat, due.since, action, leased=True)
            else:
                await self._host.moves.act(live, seat, table.since(seat, action), action, leased=True)

    # --- Thought ---

    async def _thought(self, live: Live, seat: Seat, level: str, *, urgent: bool = False) -> Action | None:
        header = live.room.header
        assert header is not None
        certified = live.room.chairs[seat].level == level
        seed = live.room.laid.seal.bot_seed(header.salts, seat)
        if not certified:
            seed = hmac.digest(seed, b"stand-in", "sha256")

        # All of it, though most was told before: how much is read must not tell whether its last thought has ended.
        records = await self._host.store.read(live.id, "case")

        async def job(after: int) -> Think:
            return Think(await told(self._host, live, seat, after, records=records), level, seed, certified, urgent)

        action: Action | None = await self._workers.ask(think, (live.id, (seat, level)), job, claim_of(live))
        return action

    # --- Time ---
    #
    # What a bot does is made known at moments that were fixed before it began to think: when a drawn pause is over, or
    # whole beats later. However long it thinks, no timer, lock or commit tells it. Only what happens at the table,
    # which everybody sees, ends a round of thoughts before its time; what nobody waits for any more ends unheard.

    def _begun(self, live: Live, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Let a thought begin; whoever does not wait for its end need not know how it ends."""
        thought = asyncio.get_running_loop().create_task(work)
        self._thoughts.add(thought)
        thought.add_done_callback(lambda _: self._ended(live, thought))
        return thought

    def _ended(self, live: Live, thought: "asyncio.Task[Any]") -> None:
        self._thoughts.discard(thought)
        if not thought.cancelled():
            thought.exception()
        self._wake(live)

    def _stands(self, live: Live, table: Table) -> bool:
        """Say whether the table still stands as it did when a thought began."""
        return live.table is table and live.room.paused is None and self._host.leases.holds(live)

    def _pause(self, live: Live) -> int:
        """Return how long a bot takes over a move of its own turn, whatever it holds; where no person plays, longer."""
        tempi = (live.room.tempo,) if _plays(live) else (live.room.tempo, TEMPI["quick"])
        least, most = max(tempo.turn for tempo in tempi)
        if live.room.tireless and not _plays(live):  # it goes on with nobody there, and nobody waits for it
            least, most = LEFT_ALONE_MS
        return round(self._host.haste * (least + self._chance.below("pause", most - least + 1)))

    async def _beats(self, live: Live, table: Table, start: int, ready: Callable[[], bool]) -> None:
        """Wait until it is ready at a start, or at a whole beat behind it; or until something happens at the table.

        In a house without pauses, no longer than until it is ready.
        """
        if not self._host.haste:
            await self._until(live, table, ready)
            return
        for moment in beats(start, live.room.tempo, self._host.haste):
            await self._rung(live, table, moment)
            if not self._stands(live, table) or ready():
                return

    async def _rung(self, live: Live, table: Table, moment: int) -> None:
        """Wait for a moment, or until something happens at the table."""
        rung = asyncio.Event()
        timer = self._host.clock.after(max(0, moment - self._host.clock.now()), partial(self._ring, live, rung))
        await self._until(live, table, rung.is_set)
        timer.cancel()

    def _ring(self, live: Live, rung: asyncio.Event) -> None:
        rung.set()
        self._wake(live)

    async def _until(self, live: Live, table: Table, ready: Callable[[], bool]) -> None:
        """Wait until it is ready, or something happens at the table."""
        news = asyncio.Event()
        self._waiting[live.id].add(news)
        while self._stands(live, table) and not ready():
            await news.wait()
            news.clear()
        self._waiting[live.id].discard(news)
        if not self._waiting[live.id]:
            del self._waiting[live.id]

    def _wake(self, live: Live) -> None:
        """Let everybody who waits at the table look again."""
        for news in self._waiting.get(live.id, ()):
            news.set()

    # --- Interrupts ---

    def _urging(self, live: Live) -> list[Seat]:
        """Return the bots that could interrupt now; who comes first moves on with every event."""
        table, kinds = live.table, live.game.INFO.interrupts
        if not kinds or table is None or table.outcome or not self._host.leases.holds(live):
            return []
        if not live.awake or _rests(live):
            return []
        if live.room.paused is not None or self._calm.get(live) == (table.seq, _players(live)):
            return []
        seats = ((table.seq + place) % table.seats for place in range(table.seats))
        return [seat for seat in seats if live.bot_level(seat) and _offers(table, seat, kinds)]

    def _all_polled(self, live: Live) -> bool:
        """Say whether all bots have been asked if they interrupt: else those that move on would always be quicker."""
        polled = self._polled.get(live.id)
        return polled is None or polled.is_set()

    async def _watch(self, live: Live) -> None:
        """Ask the bots after every event whether they interrupt; where people could still win they get a start."""
        self._polled[live.id] = asyncio.Event()
        try:
            await self._interrupted(live, self._polled[live.id])
        finally:
            self._polled.pop(live.id).set()
            self._watching.pop(live.id, None)  # at once: what happens from here on is looked at anew
            self._wake(live)

    async def _interrupted(self, live: Live, polled: asyncio.Event) -> None:
        waiting: dict[Seat, int] = {}
        while seats := self._urging(live):
            table, began = live.table, self._host.clock.now()
            assert table is not None
            polled.clear()
            urges = self._begun(live, self._urges(live, table, seats))
            start = began + max(self._start_for_people(live, table), round(self._host.haste * live.room.tempo.beat))
            if live.room.pace not in SOLO:  # people had from one event to the next, which is long enough
                waiting = dict.fromkeys(waiting, began)
            urge = await self._urge_in_time(live, table, urges, start, waiting, self._moments(live, began, start))
            if not self._stands(live, table):
                continue
            if urge is None:
                self._calm[live] = (table.seq, _players(live))
                return
            seat, action = urge
            waiting.pop(seat, None)
            with suppress(Illegal, Conflict, NotHeld, NotStored):
                await self._host.moves.act(live, seat, table.since(seat, action), action, leased=True)

    def _moments(self, live: Live, began: int, start: int) -> Iterator[int]:
        """Yield when it is looked whether somebody interrupts: the same, whatever anybody thinks or wants."""
        tempo, haste = live.room.tempo, self._host.haste
        yield from doubling(began, start, tempo, haste)
        yield start
        yield from doubling(start, start + round(haste * URGE_MS), tempo, haste)

    async def _urge_in_time(
        self,
        live: Live,
        table: Table,
        urges: "asyncio.Task[Sequence[Urge]]",
        start: int,
        waiting: dict[Seat, int],
        moments: Iterator[int],
    ) -> "Urge | None":
        """Return who interrupts when people have had their start; None: nobody does.

        `waiting` has by seat when it may, of all that want to since this event or an earlier one. Nothing ends sooner
        where nobody wants to: else the timers that are not set would tell that somebody does.
        """
        while self._stands(live, table):
            if not self._host.haste:
                await self._until(live, table, urges.done)
            elif (moment := next(moments, None)) is not None:
                await self._rung(live, table, moment)
            else:
                return None
            if not urges.done() or not self._stands(live, table):
                continue
            self._polled[live.id].set()
            self._wake(live)
            for seat, action in urges.result():
                if self._host.clock.now() >= waiting.setdefault(seat, start):
                    return seat, action
            if not urges.result() and not self._host.haste:
                return None
        return None

    async def _urges(self, live: Live, table: Table, seats: Sequence[Seat]) -> Sequence[Urge]:
        """Ask all of them at once whether they interrupt; return those that do."""
        while self._stands(live, table):
            try:
                actions = await asyncio.gather(*(self._urge(live, seat) for seat in seats))
            except NotStored:
                await until(self._host.clock, self._host.clock.now() + RETRY_MS)
            else:
                found = zip(seats, actions, strict=True)
                return [(seat, action) for seat, action in found if action is not None]
        return ()

    def _start_for_people(self, live: Live, table: Table) -> int:
        """Return how long people get who could act before a bot: drawn anew whatever anybody holds or wants."""
        names = live.game.INFO.interrupt_delay
        kinds = live.game.INFO.interrupts
        people = [seat for seat in range(table.seats) if not live.bot_level(seat) and _offers(table, seat, kinds)]
        if names is None or not people:
            return 0
        least, most = (1000 * int(getattr(table.views[TABLE].options, name)) for name in names)
        if live.room.tireless:  # nobody need sit there waiting for the bots to be quicker
            least, most = SLOW_START_MS
        return round(self._host.haste * (least + self._chance.below("start", most - least + 1)))

    async def _urge(self, live: Live, seat: Seat) -> Action | None:
        level = live.bot_level(seat)
        return None if level is None else await self._thought(live, seat, level, urgent=True)


def _rests(live: Live) -> bool:
    """Say whether bots among themselves wait until somebody looks: nobody plays, and every page has looked away."""
    return not _plays(live) and not live.watched and not live.room.tireless


def _is_asked(live: Live, seat: Seat) -> bool:
    return live.table is not None and seat in live.table.asked


def _plays(live: Live) -> bool:
    """Say whether a person plays a seat, and no bot for them."""
    return any(not chair.bot_level for chair in live.room.chairs)


def _players(live: Live) -> Sequence[str | None]:
    return [chair.bot_level for chair in live.room.chairs]


def _offers(table: Table, seat: Seat, kinds: tuple[type[Action], ...]) -> bool:
    return any(offer.action in kinds for offer in table.offers[seat])
