"""The real site for real browsers: in a thread of its own, with chance and tables as a test wants them."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple, Self, TypeVar

from aiohttp import web

from whodunit import bots as levels
from whodunit.core.errors import Illegal
from whodunit.core.ports import Leaf
from whodunit.core.rng import Result, Rng, StackedRng
from whodunit.core.types import Action, Seat
from whodunit.host.live import Change, Live
from whodunit.host.timers import Clock, WallClock
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners, pace
from whodunit.room.entries import Laid, Sat
from whodunit.room.pace import Allowance, Pace, Untimed
from whodunit.server.app import Site
from whodunit.table.seal import Seal

T = TypeVar("T")
KEY: Final = b"k" * 32
PATIENCE_S: Final = 20
BLANK: Final = "/tests/blank"
"""An empty page of the site's own: from a foreign one a browser comes back into a process that is cold."""
UNTIMED: Final = Untimed()
NAMES: Final = ("Ada", "Benno", "Chloe", "Dag", "Edda", "Finn")

Draws = Callable[[bytes, int], Rng]


class Step(NamedTuple):
    """Somebody's move."""

    seat: Seat
    action: Action


def loaded(stack: Mapping[str, Result], seed: bytes | None = None) -> Draws:
    """Return chance in which these draws come out so, every time; the rest come from the seed, or the table's own."""
    return lambda own, seq: StackedRng(seed or own, seq, stack)


class Set(NamedTuple):
    """A table that the house has laid."""

    id: str
    code: str
    keys: tuple[str, ...]
    cookies: tuple[str, ...]
    """Of the people, by seat."""

    @property
    def path(self) -> str:
        return f"/t/{self.id}"


class House:
    """One site for many tests; each sets `draws` before it plays."""

    def __init__(
        self,
        clock: Clock | None = None,
        haste: float = 0.0,
        port: int = 0,
        case_games: Sequence[str] = (),
        leaves: Sequence[Leaf] = (),
    ) -> None:
        self.draws: Draws = Rng
        self._clock = clock or WallClock()
        self._haste = haste
        self._port = port
        self._case_games = case_games
        self._leaves = leaves
        """What is kept before it opens."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="house", daemon=True)
        self._laid = 0
        self._giving: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self.site = self.call(self._made())
        network = self.call(self.site.start("127.0.0.1", self._port, None))
        self.address, self._bound = network.address, network.port
        return self

    def __exit__(self, *error: object) -> None:
        self.call(self.site.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the site's own loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    async def _made(self) -> Site:
        store = MemoryStore()
        for leaf in self._leaves:
            await store.keep_leaf(leaf)
        site = Site(
            store,
            MemoryBus(),
            self._clock,
            KEY,
            haste=self._haste,
            lanes=1,
            rate=1e6,
            draws=lambda seed, seq: self.draws(seed, seq),  # noqa: PLW0108  (a test changes it)
            case_games=lambda: self._case_games,
        )
        site.app.router.add_get(BLANK, _blank)
        site.host.listeners.append(self._changed)
        return site

    def _changed(self, change: Change) -> None:
        """Let people whom no browser plays give the answers that leave no choice: an unhurried table waits for them."""
        for seat, since, only in _only(change.live):
            if not change.live.pages[seat]:
                task = self._loop.create_task(self._give(change.live, seat, since, only))
                self._giving.add(task)
                task.add_done_callback(self._giving.discard)

    async def _give(self, live: Live, seat: Seat, since: int, only: Action) -> None:
        with suppress(Illegal):  # somebody was quicker
            await self.site.host.answering.select(live, seat, since, only)

    def person(self, name: str) -> str:
        """Return the cookie of a person that the test names: the same name, the same person."""
        return f"{name}.{self.site.people._signed(name)}"

    def lay(
        self,
        people: Sequence[str] = NAMES[:1],
        bots: Sequence[str] = (),
        *,
        free: int = 0,
        game: str = "clue",
        id: str | None = None,
        options: Mapping[str, Any] | None = None,
        assistance: Any = "facts",
        pace: Pace = "unhurried",
        allowance: Allowance = UNTIMED,
        public: bool = False,
        begin: bool = True,
        script: Sequence[Step] = (),
    ) -> Set:
        """Lay a table, let people sit down and, behind free seats, bots, begin, and play the script."""
        self._laid += 1
        id = id or f"table{self._laid}"
        seats = len(people) + free + len(bots)
        laid = Laid(
            at=self._clock.now(),
            game=game,
            options=dict(options or {}),
            levels=(*(None for _ in range(len(people) + free)), *bots),
            public=public,
            assistance=assistance,
            pace=pace,
            allowance=allowance,
            code=_code(id),
            keys=tuple(f"{id}-key-{seat}" for seat in range(seats)),
            seal=Seal.from_seed(id),
        )
        persons = [f"{id}-{seat}" for seat in range(len(people))]
        sat = [
            Sat(at=laid.at, seat=seat, person=person, name=people[seat], salt=f"{seat:032x}")
            for seat, person in enumerate(persons)
        ]
        self.call(self._lay(id, laid, sat, begin=begin))
        for step in script:
            self.act(id, step)
        room = self.live(id).room
        keys = tuple(room.key(seat) or "" for seat in range(seats))
        return Set(id, laid.code, keys, tuple(map(self.person, persons)))

    async def _lay(self, id: str, laid: Laid, sat: Sequence[Sat], *, begin: bool) -> None:
        live = await self.site.host.lay(id, laid, *sat)
        if begin:
            await self._begin(live)

    def begin(self, id: str) -> None:
        """Let the host begin, whom no browser plays."""
        self.call(self._begin(self.live(id)))

    async def _begin(self, live: Live) -> None:
        (host, *_), rules, now = live.room.chairs[0].people, live.game.INFO.rules, self._clock.now()
        await self.site.host.moves.begin(
            live, lambda room: manners.start(room, host, "rookie", rules, levels.VERSION, now)
        )

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Let all lines break, and no new one come about, as long as this lasts."""
        self.call(self._cut())
        try:
            yield
        finally:
            self.call(web.TCPSite(self.site.web_runner, "127.0.0.1", self._bound).start())

    async def _cut(self) -> None:
        for door in [*self.site.web_runner.sites]:
            await door.stop()
        for page in [*self.site.sockets]:
            if page._transport is not None:
                page._transport.abort()

    def sit(self, id: str, seat: Seat, name: str) -> None:
        """Let somebody whom no browser plays sit down at a table that gathers."""
        self.call(self._sit(id, seat, name))

    async def _sit(self, id: str, seat: Seat, name: str) -> None:
        live, salt, now = await self.site.host.get(id), f"{seat:032x}", self._clock.now()
        await self.site.host.writer.note(live, lambda room: manners.sit(room, seat, f"{id}-{seat}", name, salt, now))

    def miss(self, id: str, *seats: Seat) -> None:
        """Know before anybody comes that nobody holds these seats: else it is noticed between their first frames."""
        self.call(self._miss(id, seats))

    async def _miss(self, id: str, seats: Sequence[Seat]) -> None:
        live = await self.site.host.get(id)
        for seat in seats:
            await self.site.host.writer.note(live, partial(manners.away, seat=seat, seq=0, at=self._clock.now()))

    def act(self, id: str, step: Step) -> None:
        """Let a seat that no browser plays do something; an answer is given, whether or not the house would wait."""
        self.call(self._act(id, step))

    async def _act(self, id: str, step: Step) -> None:
        live = await self.site.host.get(id)
        since = await self._offered(live, step)
        assert live.table is not None
        seq = live.table.seq
        if type(step.action) not in live.game.INFO.answers:
            await self.site.host.moves.act(live, step.seat, since, step.action)
            return
        await self.site.host.answering.select(live, step.seat, since, step.action)
        for _ in range(5000):
            if live.table.seq > seq:
                return
            await asyncio.sleep(0.001)

    async def _offered(self, live: Live, step: Step) -> int:
        """Wait until the seat may do this; answers that leave no choice are given, also for who sits at a browser."""
        for _ in range(2000):
            waiting = [*_only(live)]
            for offer in live.table.offers[step.seat] if live.table and not waiting else ():
                if offer.admits(step.action):
                    return offer.since
            for seat, since, only in waiting:
                await self._give(live, seat, since, only)
            await asyncio.sleep(0.005)
        raise AssertionError(f"seat {step.seat} never may {step.action}")

    def live(self, id: str) -> Live:
        """Return the table as the house has it."""
        return self.call(self.site.host.get(id))


async def _blank(_: web.Request) -> web.Response:
    return web.Response(text='<!doctype html><link rel="icon" href="data:,">', content_type="text/html")


def _only(live: Live) -> Iterator[tuple[Seat, int, Action]]:
    """Yield the people who are asked and can answer one thing only, since when, and what."""
    for seat in live.table.asked if live.table else ():
        assert live.table is not None
        offers, due = pace.answer_offers(live.game, live.table.offers[seat]), live.room.chairs[seat].due
        if len(offers) == offers[0].count == 1 and due is not None and live.bot_level(seat) is None:
            yield seat, due.since, offers[0].at(0)


def _code(id: str) -> str:
    """Return a code of the table's own, in letters that people can tell apart."""
    letters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
    return "".join(letters[byte % len(letters)] for byte in sha256(id.encode()).digest()[:8])
