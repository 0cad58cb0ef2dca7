"""What takes long runs in processes of its own, never on the event loop: bots' thoughts, notes, proofs.

A table's thoughts always go to the same process, which remembers the table's players and beliefs; a process that has
forgotten says so, and is told everything again.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Container, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import accumulate
from math import ceil
from time import thread_time
from typing import Any, Generic, TypeVar, cast
from weakref import WeakValueDictionary

from msgspec import Struct

from whodunit import arena, bots, games
from whodunit.core.notes import Assistance, Hint, Proof, Sheet, newest
from whodunit.core.redact import fold
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Belief, Event, Player, Seat, Undone, Update
from whodunit.core.wire import detach
from whodunit.table.case import Case
from whodunit.table.verify import Statement, verify

T = TypeVar("T")
SLICE_S = 0.01
"""An asked bot's thought takes whole slices of this length, as what it answers takes whole entries of one size."""
REMEMBERED = 256
"""How many players and beliefs a process keeps."""


class Step(Struct, frozen=True):
    """What one batch told a seat, and whether the seat itself was its cause."""

    events: tuple[Event, ...]
    mine: bool
    urgent: bool = False
    """Whether it was an interrupt."""


class Seen(Struct, frozen=True):
    """What a seat has been told behind event `after`; from 0 on, everything."""

    table: str
    game: str
    seat: Seat
    after: int
    steps: tuple[Step, ...]

    @property
    def seq(self) -> int:
        return self.after + sum(len(step.events) for step in self.steps)


class Think(Struct, frozen=True):
    """A bot is to move."""

    seen: Seen
    level: str
    seed: bytes
    certified: bool
    """Whether every move of the seat is this bot's: told everything again, it lives through its moves again."""
    urgent: bool = False
    """Whether it is only asked for an interrupt, as nobody waits for it."""


class Ponder(Struct, frozen=True):
    """A seat's notes are wanted; with a cell, why it is certain."""

    seen: Seen
    level: Assistance
    cell: tuple[str, str] | None = None
    past: bool = False
    """Whether this is how things stood once: not to be kept in mind."""


class Hinted(Struct, frozen=True):
    """A hint is wanted from all that a seat has been told, of none of these entries of its notes."""

    seen: Seen
    known: tuple[tuple[str, str], ...]


class Forgotten(Struct, frozen=True):
    """The process does not know what came before `after`."""


class _Memory(Generic[T]):
    """The last used ones of many."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, T] = OrderedDict()

    def get(self, key: Any) -> T | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Any, value: T) -> T:
        self._kept[key] = value
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return value


class _Bot:
    """A player in its seat, with what the seat has seen."""

    def __init__(self, job: Think) -> None:
        self.game = games.get(job.seen.game)
        self.seat = job.seen.seat
        self.player: Player = bots.seated(job.level, self.game, self.seat, job.seed)
        self.events: list[Event] = []
        self.view: Any = None
        self.may_act = self.is_asked = False
        self.chosen: Action | None = None

    def see(self, step: Step, *, relive: bool) -> None:
        if step.mine and relive and self.chosen is None and not (step.urgent and self.player.interrupt()):
            self.player.act()
        self.chosen = None
        self.events += _light(step.events)
        if any(isinstance(event, Undone) for event in step.events):
            self.view = fold(self.game, self.events)
        else:
            for event in step.events:
                self.view = self.game.evolve(self.view, event)
        offers = tuple(self.game.legal(self.view, self.seat))
        self.may_act = bool(offers)
        self.is_asked = any(offer.action in self.game.INFO.answers for offer in offers)
        self.player.see(
            Update(
                seq=len(self.events),
                events=step.events,
                view=self.view,
                offers=offers,
                awaiting=self.game.awaiting(self.view),
                outcome=self.game.outcome(self.view),
            )
        )

    def is_overtaken(self, steps: Sequence[Step]) -> bool:
        """Say whether others acted when it had chosen: its draws have moved on for a move that it never made."""
        return self.chosen is not None and bool(steps) and (not steps[0].mine or steps[0].urgent)

    def act(self) -> Action:
        # Asked twice in one position it gives one answer: its draws move on with every act.
        self.chosen = self.chosen or self.player.act()
        return self.chosen


class _Mind(Struct, frozen=True):
    belief: Belief
    seen: tuple[Event, ...] = ()


_BOTS: _Memory[_Bot] = _Memory()
_MINDS: _Memory[_Mind] = _Memory()


def think(job: Think) -> Action | Forgotten | None:
    """Return what the bot does now; nothing, where it only may interrupt and does not, or may do nothing any more."""
    begun = thread_time()
    key = (job.seen.table, job.seen.seat, job.level)
    bot = _BOTS.put(key, _Bot(job)) if job.seen.after == 0 else _BOTS.get(key)
    if bot is None or len(bot.events) != job.seen.after or bot.is_overtaken(job.seen.steps):
        return Forgotten()
    for step in job.seen.steps:
        if bot.chosen is not None and not step.mine and job.certified:
            return Forgotten()  # what it thought of came to nothing: it lives again, without the draws for that
        bot.see(step, relive=job.certified)
    if job.urgent:
        return bot.player.interrupt()
    if not bot.may_act:
        return None  # another node has let the table move on, and this one has not heard of it yet
    action = bot.act()
    if bot.is_asked:
        _fill_up(begun)
    return action


def _fill_up(begun: float) -> None:
    """Use the processor until whole slices of its time are over: what is left of it tells others how long this took."""
    ends = begun + SLICE_S * ceil((thread_time() - begun) / SLICE_S)
    while thread_time() < ends:
        pass


def ponder(job: Ponder) -> Sheet | Proof | Forgotten | None:
    """Return the seat's notes, or the proof of one of their entries."""
    key = (job.seen.table, job.seen.seat)
    fresh = _Mind(_belief(job.seen))
    mind = fresh if job.seen.after == 0 else _MINDS.get(key)
    if mind is None or len(mind.seen) != job.seen.after:
        return Forgotten()
    belief = mind.belief
    events = tuple(event for step in job.seen.steps for event in step.events)
    for event in events:
        belief = belief.learn(event)
    mind = _Mind(belief, mind.seen + _light(events))
    if not job.past:
        _MINDS.put(key, mind)
    return belief.sheet(job.level) if job.cell is None else belief.proof(*job.cell, mind.seen)


def hinted(job: Hinted) -> Hint | None:
    """Return what became certain to the seat last without having been seen: from its own notes, event by event."""
    events = tuple(event for step in job.seen.steps for event in step.events)
    beliefs = [*accumulate(events, lambda belief, event: belief.learn(event), initial=_belief(job.seen))][1:]
    cell = newest([partial(cache(belief.sheet), "logic") for belief in beliefs], frozenset(job.known))
    if cell is None:
        return None
    proof = beliefs[-1].proof(cell.row, cell.column, _light(events))
    after = max((reason.seq or 0 for reason in proof.reasons), default=0) if proof else 0
    return Hint(after or None, cell.row, cell.column, cell.mark)


def _belief(seen: Seen) -> Belief:
    return games.get(seen.game).belief(seen.seat)


def _light(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return events to be kept in mind: what was heard is in the belief, and clips are long."""
    return tuple([detach(event)[0] for event in events])


def check(case: Case) -> list[Statement]:
    """Say whether a closed case's chance, moves and bots are what they say."""
    return [*verify(case), *arena.certify(case)]


class Practise(Struct, frozen=True):
    """Something is wanted to train the ear on."""

    game: str
    difficulty: str
    floor: int | None
    seed: bytes


def practise(job: Practise) -> Any:
    """Let something fall that counts for nothing."""
    sounds = games.get(job.game).INFO.sounds
    assert sounds is not None
    return sounds.practise(job.difficulty, job.floor, Rng(job.seed, 1))


def warm(game: str) -> None:
    """Load what the game's first sound needs."""
    if sounds := games.get(game).INFO.sounds:
        sounds.warm()


def decided(work: Callable[[], T]) -> T:
    """Decide something that was packed up for this process."""
    return work()


def _begin_work() -> None:
    """Leave signals to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    """A server that is killed tells nobody: its workers would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Workers:
    """A few processes, and which of them knows what of which table."""

    def __init__(self, lanes: int) -> None:
        # Notes have processes of their own: behind a bot's thought they would tell how long it takes. And one more is
        # for what nobody waits for: re-running a whole game would hold up everything behind it. None starts unused.
        self._lanes = [_lane() for _ in range(2 * lanes + 1)]
        self._told: dict[tuple[str, Hashable], int] = {}
        self._turns: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()
        """By table, or by whose wish it is, and process: one thought of each waits there, so all get their turn."""
        self._minds: WeakValueDictionary[tuple[str, Hashable], asyncio.Lock] = WeakValueDictionary()
        """By whoever remembers: one thought of each at a time."""
        self.running = 0
        """How many thoughts are queued or being thought."""
        self.finished = 0
        self.seconds = 0.0
        """How long all that are finished took, queue included."""
        self._loads = [0] * len(self._lanes)
        """How many thoughts each process has been given."""
        self._since = [0.0] * len(self._lanes)
        """Since when each has had some."""
        self._worked = 0.0

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._lanes)

    @property
    def worked(self) -> float:
        """For how many seconds processes have been at work, all together."""
        now = time.monotonic()
        return self._worked + sum(now - since for load, since in zip(self._loads, self._since, strict=True) if load)

    @contextmanager
    def _at_work(self, number: int) -> Iterator[None]:
        if not self._loads[number]:
            self._since[number] = time.monotonic()
        self._loads[number] += 1
        try:
            yield
        finally:
            self._loads[number] -= 1
            if not self._loads[number]:
                self._worked += time.monotonic() - self._since[number]

    async def ask(
        self,
        work: Callable[[Any], Any],
        key: tuple[str, Hashable],
        job: Callable[[int], Awaitable[Think | Ponder]],
    ) -> Any:
        """Run the work where it is remembered; `job` makes it for what was told `after` some event.

        Of two thoughts for one seat the second waits: else both would tell it the same, and it had to begin anew.
        """
        async with self._minds.setdefault(key, asyncio.Lock()):
            for after in (self._told.get(key, 0), 0):
                made = await job(after)
                result = await self.run(key[0], work, made)
                if not isinstance(result, Forgotten):
                    self._told[key] = made.seen.seq
                    return result
        raise RuntimeError(f"a process forgets what it has just been told of {key[0]}")

    async def run(self, table: str, work: Callable[[Any], Any], job: Think | Ponder) -> Any:
        """Run a bot's work in the table's process, notes in theirs; return Forgotten if that has just died."""
        return await self._run(table, self._lane(table, notes=work is not think), work, job)

    async def decide(self, table: str, work: Callable[[], T]) -> T:
        """Decide something in the table's process."""
        return cast(T, await self._insist(table, self._lane(table), decided, work))

    async def once(self, key: str, work: Callable[[Any], Any], job: Any) -> Any:
        """Run something that needs no memory in the process of the notes to which the key leads."""
        return await self._insist(key, self._lane(key, notes=True), work, job)

    def warm(self, table: str, game: str) -> None:
        """Let the table's process get ready for what the game will need; nobody waits for it."""
        with suppress(BrokenProcessPool):
            self._lanes[self._lane(table)].submit(warm, game)

    async def check(self, case: Case) -> list[Statement]:
        """Check a closed case, aside from everything else."""
        return cast(list[Statement], await self._insist("", -1, check, case))

    async def _insist(self, key: str, number: int, work: Callable[[Any], Any], job: Any) -> Any:
        for _ in range(2):
            result = await self._run(key, number, work, job)
            if not isinstance(result, Forgotten):
                return result
        raise RuntimeError(f"the process that is to do {work.__name__} dies of it")

    def _lane(self, key: str, *, notes: bool = False) -> int:
        lanes = len(self._lanes) // 2
        return zlib.crc32(key.encode()) % lanes + (lanes if notes else 0)

    async def _run(self, key: str, number: int, work: Callable[[Any], Any], job: Any) -> Any:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.running += 1
        turn = self._turns.setdefault((key, number), asyncio.Lock())
        try:
            async with turn:
                with self._at_work(number):
                    return await self._queued(number, work, job)
        finally:
            self.running -= 1
            self.finished += 1
            self.seconds += loop.time() - began

    async def _queued(self, number: int, work: Callable[[Any], Any], job: Any) -> Any:
        lane = self._lanes[number]
        try:
            return await asyncio.get_running_loop().run_in_executor(lane, work, job)
        except BrokenProcessPool:
            # Its memory is gone; the caller is told so, and tells everything again.
            if self._lanes[number] is lane:  # the first of all that waited for it
                lane.shutdown(wait=False)
                self._lanes[number] = _lane()
            return Forgotten()

    def keep(self, tables: Container[str]) -> None:
        """Drop the notes on all other tables; whoever comes back to one is told everything again."""
        self._told = {key: seq for key, seq in self._told.items() if key[0] in tables}

    def close(self) -> None:
        """Stop the processes, whatever they are thinking."""
        for lane in self._lanes:
            for process in (lane._processes or {}).values():  # noqa: SLF001  (no public way before Python 3.14)
                process.kill()
            lane.shutdown(wait=True, cancel_futures=True)


def _lane() -> ProcessPoolExecutor:
    # Spawned, not forked: a worker begins clean, whatever sockets and threads the server has.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=_begin_work)
