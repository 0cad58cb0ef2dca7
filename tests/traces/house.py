"""One world played in a house of its own, on a clock that only the test moves, with everything recorded."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tests.server.client import Refused
from tests.server.sites import MIDNIGHT, Page, Parlour
from tests.traces.pairs import Pair
from tests.traces.stores import Kept, Node, Site, opened
from tests.traces.trace import UNKNOWN, Entry, NotedBus, NotedClock, NotedCourier, NotedLock, NotedStore, Trace
from whodunit import bots
from whodunit.core.ports import Record
from whodunit.core.types import TABLE, Action, Batch, Blob, Seat
from whodunit.core.wire import encode
from whodunit.games import get
from whodunit.host.live import Live
from whodunit.room import pace
from whodunit.room import room as rooms
from whodunit.room.entries import AnyEntry, Began, HandedOver, Hooked, Laid, Sat, Turned
from whodunit.room.listing import listing_of
from whodunit.room.pace import SOLO, Allowance, Pace, Untimed
from whodunit.server import lobby, protocol, thoughts, workers
from whodunit.server.fair_queue import Claim
from whodunit.server.sockets import settled
from whodunit.table.case import Bot, Header
from whodunit.table.codec import bare, packed
from whodunit.table.seal import Seal
from whodunit.table.table import Table

TABLE_ID: Final = "traced"
HOOK: Final = "https://hooks.slack.com/services/T0/B0/"
LONG_AGO: Final = MIDNIGHT - 3_600_000
PUT: Final = 500
"""When the question is put, in milliseconds."""
LASTS: Final = 40_000
"""How long time passes behind the moment at which an answer is due, or a bot comes to move."""
TURNS: Final = 40
"""So many turns of the loop without anything new, and the house is at rest."""
RESTLESS: Final = 500
"""So often something new may happen at one moment."""

LOOKS: Final = ("watch_table", "look", "notes", "why", "watch_lobby", "read_review", "retry")
"""What the viewer asks that changes nothing."""
CLOSED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("read_review", {"viewer": 0}),
    ("read_review", {"viewer": TABLE}),
    ("read_review", {"viewer": "whole"}),
    ("retry", {"seat": 1, "seq": 2, "action": {"type": "Nothing"}}),
    ("notes", {"eyes": 8}),
    ("notes", {"eyes": 8, "seq": 2}),
    ("why", {"row": "Rope", "column": "1", "eyes": 8}),
    ("look", {"seq": 2, "eyes": 8}),
)
"""What the viewer asks that only a closed case answers."""
PROGRAMME: Final[tuple[tuple[int, str, dict[str, Any]], ...]] = (
    (501, "watch_table", {}),
    (502, "watch_table", {"after": 1}),
    (503, "notes", {}),
    (641, "jot", {"text": "hm"}),
    (743, "look", {"seq": 1}),
    (877, "watch_lobby", {}),
    (1_237, "undo", {}),
    (1_741, "say", {"name": "", "text": "well?"}),
    (2_153, "watch_table", {"after": 2}),
    (2_771, "notes", {}),
    (3_347, "mark", {"cell": "Rope|1", "mark": "x"}),
    (3_767, "look", {"seq": 2}),
    (4_873, "leave_lobby", {}),
    (5_119, "notes", {"seq": 3}),
    (6_133, "watch_table", {}),
    (8_219, "jot", {"text": "hm, hm"}),
    (9_439, "watch_lobby", {}),
    (12_473, "notes", {}),
    (14_551, "say_phrase", {"name": "", "phrase": "one_moment"}),
    (17_393, "watch_table", {}),
    (21_577, "look", {"seq": 3}),
    (27_611, "jot", {"text": "no"}),
    (33_617, "watch_table", {}),
    *((701 + 2 * place, *ask) for place, ask in enumerate(CLOSED)),
    *((11_701 + 2 * place, *ask) for place, ask in enumerate(CLOSED)),
)
"""What the viewer asks, and when: at moments of its own, so that what it finds is what it caused."""
ROUNDS: Final = range(7_321, 60_000, 10_000)
"""When the house looks after itself."""


class Terms(NamedTuple):
    """What is the same in both worlds."""

    pace: Pace = "normal"
    allowance: Allowance = Untimed()
    bots: tuple[Seat, ...] = ()
    level: str = "rookie"
    kept: Kept = "memory"
    away: tuple[Seat, ...] = ()
    """Who has no page."""
    apart: int = 0
    """Over two nodes: on which of them the viewer is; all others are on the other one."""
    later: bool = False
    """Whether the viewer comes last, so that the others' node runs the table."""


class Habits(NamedTuple):
    """What is each world's own."""

    tap: int | None = None
    """How long after they are asked people tap; None: never."""
    thought: int = 0
    """How long a bot thinks."""
    taste: int = 0
    """Which of the answers on offer is tapped."""


class Run(NamedTuple):
    """What came of a world."""

    trace: tuple[Entry, ...]
    frames: tuple[tuple[int, bytes], ...]
    """What the viewer was told, and when."""
    due: tuple[int, ...]
    """When those who were asked first are to answer."""
    batches: tuple[tuple[int, Batch], ...]
    """What happened from the move on, and when."""
    ended: int


class Thinking(workers.Workers):
    """Thinks in this process, each thought as long as it is told; who waits for whom is as in real lanes."""

    def __init__(self, trace: Trace, clock: NotedClock, thought: int, node: str) -> None:
        super().__init__(1)
        self._trace = trace
        self._clock = clock
        self._thought = thought
        self._node = node
        self._places: dict[int, int] = {}
        """By job: its entry in the trace."""

    async def ask(
        self,
        work: Callable[[Any], Any],
        key: Any,
        job: Callable[[int], Awaitable[Any]],
        claim: Claim | None = None,
    ) -> Any:
        place = self._trace.add(f"worker{self._node}", work.__name__, UNKNOWN)

        async def made(after: int) -> Any:
            wanted = await job(after)
            self._places[id(wanted)] = place
            return wanted

        return await super().ask(work, key, made, claim)

    async def once(self, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        self._trace.add(f"worker{self._node}", work.__name__)
        return await super().once(key, work, job, claim)

    async def decide(self, table: str, work: Callable[[], Any], claim: Claim | None = None) -> Any:
        self._trace.add(f"worker{self._node}", "decide")
        return await super().decide(table, work, claim)

    async def _queued(self, process: workers.Process, work: Callable[[Any], Any], job: Any) -> Any:  # noqa: ARG002  (as in Workers)
        if isinstance(job, thoughts.Retold):
            self._trace.add(f"worker{self._node}", work.__name__, len(job.bodies), sum(map(len, job.bodies)))
        elif isinstance(job, thoughts.Glance):
            self._trace.add(f"worker{self._node}", work.__name__, job.seq)
        elif isinstance(getattr(job, "seen", None), thoughts.Remembered):
            self._trace.add(f"worker{self._node}", work.__name__, job.seen.seq)
        result = work(job)
        self._trace.count(self._places.pop(id(job), UNKNOWN), _imagined(job, result))
        if isinstance(job, thoughts.Think) or work is thoughts.decided:
            await self._clock.rest(self._thought)
        return result

    async def warm(self, table: str, game: str) -> None:
        """Get ready when it is needed."""

    def close(self) -> None:
        """Nothing was begun."""


def _imagined(job: Any, result: object) -> int:
    """Return how much a bot that was asked has imagined: its lane is busy for so long. Of all else nothing is told."""
    if not isinstance(job, thoughts.Think) or type(result) not in get(job.seen.game).INFO.answers:
        return 0
    bot = thoughts._BOTS.get((job.seen.table, job.seen.seat, job.level))
    assert bot is not None
    return getattr(bot.player, "imagined", 0)  # a player that imagines nothing has no such number


class Eye(Page):
    """A page that notes when it is told what."""

    def __init__(self, parlour: Parlour, person: str, trace: Trace) -> None:
        super().__init__(parlour, person)
        self.seen: list[tuple[int, bytes]] = []
        self._trace = trace

    def send(self, frame: bytes | bytearray) -> None:
        self._trace.noticed += 1
        if self._trace.recording:
            self.seen.append((self._trace.now, bytes(frame)))

    async def ask(self, kind: str, /, **fields: Any) -> Any:
        ask = msgspec.json.decode(msgspec.json.encode({"type": kind, "n": 1, **fields}), type=protocol.AnyAsk)
        reply = await self._reply(ask, self._parlour.house.asks[type(ask)])
        if isinstance(reply, asyncio.Future):  # noted: the reply comes when it is stored
            reply.add_done_callback(lambda stored: self.send(encode(settled(ask, stored))))
            return None
        self.send(encode(reply))
        if isinstance(reply, protocol.Refused):
            raise Refused(reply.reason, reply.detail)
        return reply.value


# --- The past --------------------------------------------------------------------------------------------------------


def person(seat: Seat) -> str:
    return "spectator" if seat == TABLE else f"person{seat}"


def entered(pair: Pair, terms: Terms, turn: tuple[Seat, ...]) -> list[AnyEntry]:
    """Return the room's past: the same in every world."""
    seats, at = pair.setting.seats, LONG_AGO
    info, seal = get(pair.game).INFO, Seal.from_seed(f"{pair.game} {pair.setting.seed}")
    alone = terms.pace in SOLO  # the viewer among bots, whom nobody watches
    levels = tuple(terms.level if alone and seat != pair.viewer else None for seat in range(seats))
    laid = Laid(
        at=at,
        game=pair.game,
        options=dict(pair.setting.options),
        levels=levels,
        public=not alone,
        assistance="logic",
        pace=terms.pace,
        code="TRACED",
        keys=tuple(f"key {seat}" for seat in range(seats)),
        seal=seal,
        allowance=terms.allowance,
    )
    salts = tuple(f"{seat:032}" for seat in range(seats))
    made = tuple(Bot(seat, level, bots.VERSION) for seat, level in enumerate(levels) if level is not None)
    header = Header(game=pair.game, rules=info.rules, seats=seats, commitment=seal.commitment, salts=salts, bots=made)
    people = [seat for seat in range(seats) if levels[seat] is None]
    sat = [Sat(at=at, seat=seat, person=person(seat), name=person(seat), salt=salts[seat]) for seat in people]
    hooked = [Hooked(at=at, seat=seat, url=f"{HOOK}{seat}") for seat in people]
    stood_in = [] if alone else terms.bots
    handed = [HandedOver(at=at, seat=seat, level=terms.level, called=False) for seat in stood_in]
    clocks: list[AnyEntry] = []
    if not isinstance(terms.allowance, Untimed):
        whole = (terms.allowance.whole,) * seats
        clocks = [Turned(at=at, turn=turn, left=whole, runs=None, before=whole)]
    return [laid, *sat, Began(at=at, header=header), *hooked, *handed, *clocks]


async def store(pair: Pair, terms: Terms, past: Sequence[Batch], node: Node) -> None:
    """Put a world's past into the store."""
    table = Table(get(pair.game), pair.setting.seats, b"")
    records, blobs = list[Record](), list[Blob]()
    for batch in past:
        light, own = bare(replace(batch, at=LONG_AGO))
        table = table.grow(light)
        records.append(Record("case", light.seq, light.last, packed(light)))
        blobs += own
    room, entries = None, entered(pair, terms, tuple(sorted(table.awaiting - {TABLE, *table.asked})))
    for entry in entries:
        room = rooms.evolve(room, entry)
    assert room is not None
    records.insert(0, Record("room", 1, room.size, encode(entries)))
    await node.store.append(TABLE_ID, records, blobs, listing_of(TABLE_ID, room, table, LONG_AGO, LONG_AGO))


# --- The play --------------------------------------------------------------------------------------------------------


class Scene:
    """One world while it is played."""

    def __init__(self, pair: Pair, terms: Terms, habits: Habits, site: Site, trace: Trace, clock: NotedClock) -> None:
        self._pair = pair
        self._terms = terms
        self._habits = habits
        self._site = site
        self._trace = trace
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._wrong: list[BaseException] = []
        self._tapped: set[tuple[Seat, int]] = set()
        self._todo: list[tuple[int, int, Callable[[], Coroutine[Any, Any, Any]]]] = []
        self.nodes: list[Parlour] = []
        self.lives: list[Live] = []
        self.eyes: dict[Seat, Eye] = {}
        self.due: tuple[int, ...] = ()
        self.last = 0

    async def play(self) -> None:
        """Let everybody come, put the question, and let time pass."""
        await self._open()
        pair, viewer = self._pair, self._pair.viewer
        if not self._site.leased:
            self._trace.begin()
        for seat in self._coming():
            await self._come(seat)
            await self._gather()
        if self._site.leased:
            self._trace.begin()
            for live in self.lives:
                live.listed = None  # which of the nodes has listed it by now is chance
        ends = LASTS
        if pair.move is not None:
            self._at(PUT, self._put)
        for at, kind, fields in PROGRAMME:
            self._at(at, partial(self._ask, viewer, kind, fields))
        for at in ROUNDS:
            self._at(at, self._look_after)
        while self._trace.now < ends:
            await self._step(ends)
            if pair.move is not None and not self.due and self._trace.now >= PUT:
                self.due = self._moments()
                ends = max((ends, *(due + LASTS for due in self.due)))
        self.last = ends

    def told(self) -> tuple[tuple[int, bytes], ...]:
        return tuple(self.eyes[self._pair.viewer].seen)

    async def happened(self) -> tuple[tuple[int, Batch], ...]:
        """Return what was stored since the beginning, and when."""
        began = self._clock.now() - self._trace.now
        after = self._pair.pasts[0][-1].last
        found = await self.nodes[0].host.batches(self.lives[0], after)
        return tuple((batch.at - began, batch) for batch in found)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for parlour in self.nodes:
            await parlour.close()

    async def _open(self) -> None:
        for node in self._site.nodes:
            courier = NotedCourier(self._trace)
            minds = Thinking(self._trace, self._clock, self._habits.thought, node.name)
            noted = NotedStore(node.store, self._trace, node.name)
            bus = NotedBus(node.bus, self._trace, node.name)
            parlour = Parlour(noted, bus, self._clock, 1.0, minds, courier, node.leases)
            parlour.host.moves._decide = minds.decide
            self.nodes.append(parlour)
            live = await parlour.host.get(TABLE_ID)
            live.lock = NotedLock(self._trace, node.name)
            self.lives.append(live)
        await self._rest()

    def _coming(self) -> list[Seat]:
        if self._terms.pace in SOLO:
            return [self._pair.viewer]
        others = [seat for seat in range(self._pair.setting.seats) if seat not in self._terms.away]
        others = [seat for seat in others if seat != self._pair.viewer]
        return [*others, self._pair.viewer] if self._terms.later else [self._pair.viewer, *others]

    async def _come(self, seat: Seat) -> None:
        first = self._terms.apart % len(self.nodes)
        node = first if seat == self._pair.viewer else (first + 1) % len(self.nodes)
        self.eyes[seat] = Eye(self.nodes[node], person(seat), self._trace)
        await self.eyes[seat].ask("watch_table", table=TABLE_ID)
        await self._rest()

    async def _gather(self) -> None:
        """Wait until the nodes know who is where, and one of them runs the table: in real time, and only here."""
        if not self._site.leased:
            return
        for _ in range(400):
            await asyncio.sleep(0.02)
            await self._rest()
            known = [{*live.pages} | {*live.elsewhere} for live in self.lives]
            seats = {seat for seat in self.eyes if seat != TABLE}
            if all(some >= seats for some in known) and (not seats or any(map(self._has, self.nodes))):
                return
        raise AssertionError("the nodes do not hear of one another")

    def _has(self, parlour: Parlour) -> bool:
        return parlour.host.leases.holds(parlour.host.tables[TABLE_ID])

    def _at(self, at: int, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        self._todo.append((max(at, self._trace.now), len(self._todo), work))

    async def _step(self, ends: int) -> None:
        """Go on to the next moment at which something happens, and let it happen."""
        began = self._clock.now() - self._trace.now
        moments = [at + began for at, _, _ in self._todo]
        if self._clock.next is not None:
            moments.append(self._clock.next)
        self._clock.advance(min([*moments, began + ends]))
        while self._clock.ring():
            await self._rest()
        while mine := sorted(todo for todo in self._todo if todo[0] <= self._trace.now):
            self._todo.remove(mine[0])
            self._spawn(mine[0][2]())
            await self._rest()
        await self._rest()
        if self._wrong:
            raise self._wrong[0]
        self._tap()

    async def _rest(self) -> None:
        """Wait until everything has happened that takes no time."""
        for _ in range(RESTLESS):
            before = self._trace.noticed
            for _ in range(TURNS):
                await asyncio.sleep(0)
            while self._trace.in_flight:  # noqa: ASYNC110  (it ends in another thread)
                await asyncio.sleep(0.0002)
            await self._site.hear()
            if before == self._trace.noticed:
                return
        raise AssertionError(f"at {self._trace.now} ms the house does not come to rest: {self._trace.entries[-4:]}")

    # --- Who does what ---

    async def _put(self) -> None:
        assert self._pair.move is not None
        seat, action = self._pair.move
        await self._wish(seat, action)

    async def _wish(self, seat: Seat, action: Action) -> None:
        table = self.lives[0].table
        assert table is not None
        since = next((offer.since for offer in table.offers[seat] if offer.admits(action)), table.seq)
        await self._ask(seat, "act", {"since": since, "action": msgspec.json.decode(encode(action))})

    async def _ask(self, seat: Seat, kind: str, fields: dict[str, Any]) -> None:
        table = self.lives[0].table
        if (kind, fields) in CLOSED and table is not None and table.closed:
            return  # the worlds have parted, and nothing is hidden any more
        place = {} if kind.endswith("lobby") else {"table": TABLE_ID}
        with suppress(Refused):
            await self.eyes[seat].ask(kind, **place, **fields)

    async def _look_after(self) -> None:
        for parlour in self.nodes:
            await parlour.wakeups.wake_due()
            parlour.feeds.sweep()
            parlour.notices.sweep()

    def _tap(self) -> None:
        """Let everybody tap who has been asked meanwhile, is there and is no bot."""
        live = self.lives[0]
        for seat in live.table.asked if live.table else ():
            assert live.table is not None
            answers = pace.answer_offers(live.table.game, live.table.offers[seat])
            key = (seat, max(offer.since for offer in answers))
            if self._habits.tap is None or live.bot_level(seat) or seat not in self.eyes or key in self._tapped:
                continue
            if seat == self._pair.viewer:  # who asks the same things in both worlds, and does nothing else
                continue
            self._tapped.add(key)
            every = [action for offer in answers for action in offer.actions()]
            action = every[self._habits.taste % len(every)]
            self._at(self._trace.now + self._habits.tap, partial(self._wish, seat, action))

    def _moments(self) -> tuple[int, ...]:
        began = self._clock.now() - self._trace.now
        chairs = [self.lives[0].room.chairs[seat] for seat in self._pair.awaited]
        return tuple(chair.due.at - began for chair in chairs if chair.due is not None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._wrong.append(error)


async def played(pair: Pair, world: int, terms: Terms, habits: Habits, cluster: str = "") -> Run:
    """Play one of a pair's worlds."""
    clock = NotedClock()
    clock.trace = trace = Trace(clock)
    thoughts._BOTS._kept.clear()  # the other world's players have the same names
    thoughts._MINDS._kept.clear()
    thoughts._PASTS._kept.clear()
    lobby.ROUND_S = 0  # the hall's rounds go by the real clock
    async with opened(terms.kept, trace, cluster) as site:
        await store(pair, terms, pair.pasts[world], site.nodes[0])
        scene = Scene(pair, terms, habits, site, trace, clock)
        try:
            await scene.play()
            entries = tuple(trace.entries)
            return Run(entries, scene.told(), scene.due, await scene.happened(), scene.last)
        finally:
            await scene.close()


def run(pair: Pair, terms: Terms, habits: tuple[Habits, Habits], cluster: str = "") -> tuple[Run, Run]:
    """Play both worlds, one after the other."""

    async def both() -> tuple[Run, Run]:
        first = await played(pair, 0, terms, habits[0], cluster)
        return first, await played(pair, 1, terms, habits[1], cluster)

    return asyncio.run(both())
