"""Houses to test in: the real site on loopback, and one without sockets on a clock that only the test moves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self, cast

import msgspec
from aiohttp import ClientResponse, ClientSession, DummyCookieJar

from tests.server.client import Client, Refused, Stale, Told
from whodunit.core.ports import Bus, Leases, Store
from whodunit.core.rng import Rng
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.moves import Decider
from whodunit.host.timers import Clock, WallClock
from whodunit.host.wakeups import Wakeups
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.server import protocol
from whodunit.server.advice import Advice
from whodunit.server.app import Site
from whodunit.server.asks import House
from whodunit.server.bot_runner import Runner
from whodunit.server.cases import Cases
from whodunit.server.challenges import Challenges
from whodunit.server.clock_watch import ClockWatch, steady_ms
from whodunit.server.deals import Deals
from whodunit.server.duels import Duels
from whodunit.server.fair_queue import Claim
from whodunit.server.feeds import Feeds
from whodunit.server.gate import Gate
from whodunit.server.history import History
from whodunit.server.laying import Laying
from whodunit.server.limits import USUAL, Limits
from whodunit.server.lobby import Lobby
from whodunit.server.metrics import Metrics
from whodunit.server.network import Network
from whodunit.server.notices import Notices
from whodunit.server.people import COOKIE, People
from whodunit.server.quotas import Quotas
from whodunit.server.rate_limit import RateLimit
from whodunit.server.reviews import Reviews
from whodunit.server.sockets import Socket, settled
from whodunit.server.webhooks import Courier
from whodunit.server.workers import Process, Workers

SALT: Final = "0123456789abcdef" * 2
MIDNIGHT: Final = 1_700_000_000_000
ROOMY: Final = Limits(free_disk=0.0)
"""However full the disk is on which the tests run."""

# --- Time ----------------------------------------------------------------------------------------------------------


class Alarm:
    def __init__(self, at: int, ring: Callable[[], object]) -> None:
        self.at = at
        self.ring: Callable[[], object] | None = ring

    def cancel(self) -> None:
        self.ring = None


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, now: int = MIDNIGHT) -> None:
        self._now = now
        self._set = 0
        self._alarms: list[Alarm] = []

    def now(self) -> int:
        return self._now

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Alarm:
        self._alarms.append(alarm := Alarm(self._now + milliseconds, ring))
        return alarm

    def steady(self) -> int:
        """Return the time by a clock that nobody can set."""
        return self._now - self._set

    def set(self, by: int) -> None:
        """Set the clock ahead or back, though no time passes."""
        self._now += by
        self._set += by

    @property
    def next(self) -> int | None:
        """When the next alarm rings."""
        self._alarms = [alarm for alarm in self._alarms if alarm.ring]
        return min((alarm.at for alarm in self._alarms), default=None)

    def move(self, moment: int) -> None:
        """Ring what is due until then, in its order."""
        while (at := self.next) is not None and at <= moment:
            self._now = max(self._now, at)
            alarm = min(self._alarms, key=lambda alarm: alarm.at)
            ring, alarm.ring = alarm.ring, None
            assert ring is not None
            ring()
        self._now = max(self._now, moment)


async def settle() -> None:
    """Let everything happen that takes no time."""
    for _ in range(40):
        await asyncio.sleep(0)


async def pass_time(clock: FakeClock, milliseconds: int) -> None:
    """Let time pass, one alarm after another."""
    end = clock.now() + milliseconds
    await settle()
    while (at := clock.next) is not None and at <= end:
        clock.move(at)
        await settle()
    clock.move(end)
    await settle()


# --- Tables and play -----------------------------------------------------------------------------------------------


def dice(seed: object) -> Random:
    """Return chance that falls the same way every time."""
    return Random(f"{seed}")  # noqa: S311  (play)


def terms_of(**changes: Any) -> dict[str, Any]:
    """Return what a table is laid with."""
    terms = {"game": "clue", "options": {}, "chairs": [None, None, "random", "random"], "public": False}
    return {**terms, "assistance": "probabilities", "name": "Ada", "salt": SALT, **changes}


def of_interest(offers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return of the offers those that lead to questions, and no accusation while there is anything else."""
    offers = [offer for offer in offers if offer["action"] != "Accuse"] or list(offers)
    for kinds in ({"Suggest", "StayAndSuggest"}, {"TakePassage"}):
        if found := [offer for offer in offers if offer["action"] in kinds]:
            return found
    return list(offers)


def chosen(offers: Sequence[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """Choose an action, as an ask says it."""
    offer = rng.choice(of_interest(offers))
    action = {"type": offer["action"]}
    for field, choice in offer["choices"].items():
        rooms = [value for value in choice["of"] if field == "to" and isinstance(value, str)]
        match choice["type"]:
            case "one":
                action[field] = rng.choice(rooms or choice["of"])
            case "some":
                action[field] = choice["of"][: choice["least"]]
            case "order":
                action[field] = choice["of"]
    return {"since": offer["since"], "action": action}


def over(told: Told) -> bool:
    return told.over


def beyond(seq: int) -> Callable[[Told], bool]:
    """Say whether something has happened after this event, or nothing more will."""
    return lambda told: told.over or told.seq > seq


# --- Without sockets -----------------------------------------------------------------------------------------------


class Here(Workers):
    """Thinks in this process, at once."""

    def __init__(self) -> None:
        super().__init__(0)

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:  # noqa: ARG002  (as in Workers)
        return work(job)

    async def _insist(
        self,
        process: Process,  # noqa: ARG002  (as in Workers)
        key: str,  # noqa: ARG002
        work: Callable[[Any], Any],
        job: Any,
        claim: Claim | None,  # noqa: ARG002
    ) -> Any:
        return work(job)

    async def once(self, key: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:  # noqa: ARG002  (as in Workers)
        return work(job)

    async def review(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:  # noqa: ARG002  (as in Workers)
        await asyncio.sleep(0)
        return work(job)

    async def warm(self, table: str, game: str) -> None:
        """Get ready when it is needed."""


class Page(Socket):
    """A page whose frames go no further; asks are encoded, decoded and judged as on a socket."""

    def __init__(self, parlour: "Parlour", person: str, household: str = "") -> None:
        super().__init__(person, local=not household, limit=RateLimit(1e9, 10**9), household=household)
        self.told = Told()
        self._parlour = parlour

    def send(self, frame: bytes | bytearray) -> None:
        self.told.take(bytes(frame))

    async def ask(self, kind: str, /, **fields: Any) -> Any:
        ask = msgspec.json.decode(msgspec.json.encode({"type": kind, "n": 1, **fields}), type=protocol.AnyAsk)
        reply = await self._reply(ask, self._parlour.house.asks[type(ask)])
        if isinstance(reply, asyncio.Future):  # noted: the reply comes when it is stored
            reply.add_done_callback(lambda stored: self.told.take(encode(settled(ask, stored))))
            return None
        frame = self.told.take(encode(reply))
        if isinstance(reply, protocol.Refused):
            raise Refused(reply.reason, reply.detail)
        return frame["value"]

    def close(self) -> None:
        """Lose the connection."""
        self._parlour.lobby.leave(self)
        for live in self.watching.values():
            self._parlour.feeds.leave(self, live)


class Parlour:
    """A house in memory; several over one store and bus are the nodes of one site."""

    def __init__(
        self,
        store: Store | None = None,
        bus: Bus | None = None,
        clock: FakeClock | None = None,
        haste: float = 1.0,
        workers: Workers | None = None,
        courier: Courier | None = None,
        leases: Leases | None = None,
        case_games: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.clock = clock or FakeClock()
        self.host = Host(store or MemoryStore(), bus or MemoryBus(), self.clock, haste, leases=leases)
        self.feeds = Feeds(self.host)
        self.lobby = Lobby(self.host)
        self.wakeups = Wakeups(self.host)
        workers = workers or Here()
        self.runner = Runner(self.host, workers, b"chance")
        self.notices = Notices(self.host, courier or Courier(), lambda: "https://house.test")
        self.feeds.lookers.append(self.notices.looked)
        quotas = Quotas(b"k" * 32, USUAL, self.host.nodes)
        people = People(b"k" * 32)
        self.laying = Laying(self.host, workers, people, quotas)
        advice, metrics = Advice(self.host, workers, quotas), Metrics(self.host, workers, set())
        self.clock_watch = ClockWatch(self.host.store, self.clock, self.clock.steady)
        self.cases = Cases(self.host.store, workers, lambda: self.clock_watch.believed, case_games)
        self.gate = Gate(self.host)
        history = History(self.host, workers, self.gate)
        self.reviews = Reviews(self.host, workers, self.gate)
        self.feeds.past = history.told
        deals = Deals(self.host, workers, self.laying, self.reviews, self.gate)
        self.house = House(
            self.host,
            self.feeds,
            self.lobby,
            self.laying,
            advice,
            self.notices,
            cast(Network, None),
            metrics,
            history,
            self.reviews,
            self.cases,
            self.gate,
            Challenges(self.host, people, deals),
            Duels(self.host, deals),
        )

    def page(self, person: str, household: str = "") -> Page:
        """Open a page of the person: on this machine, or in some household."""
        return Page(self, person, household)

    async def watching(self, person: str, table: str, after: int = 0) -> Page:
        """Return a page of the person that watches the table."""
        page = self.page(person)
        await page.ask("watch_table", table=table, after=after)
        return page

    async def table(self, *people: str, **terms: Any) -> tuple[str, list[Page]]:
        """Lay a table at which these people sit in this order, and start it; return it and their pages."""
        pages = [self.page(person) for person in people]
        bots = terms.pop("bots", ())
        chairs = [*(None for _ in people), *bots]
        terms = {"public": True, "chairs": chairs, "name": people[0], **terms}
        table = (await pages[0].ask("create_table", **terms_of(**terms)))["table"]
        for seat, page in enumerate(pages):
            if seat:
                await page.ask("sit_down", table=table, seat=seat, name=page.person, salt=SALT)
            await page.ask("watch_table", table=table)
        await pages[0].ask("start", table=table)
        await settle()
        return table, pages

    async def pass_time(self, milliseconds: int) -> None:
        await pass_time(self.clock, milliseconds)

    async def play(
        self, pages: Sequence[Page], table: str, until: Callable[[Told], object] = over, seed: int = 0
    ) -> None:
        """Play these pages' seats until the first of them sees it; time passes only when none of them can move."""
        rng = dice(seed)
        moved = 0
        while not until(pages[0].told):
            assert not pages[0].told.over, "the game is over"
            mover = next((page for page in pages if page.told.on_turn and page.told.seq > moved), None)
            if mover is None or mover.told.chair(mover.told.room["me"])["stand_in"]:
                assert self.clock.next is not None, "nobody moves, and nothing is due"
                await pass_time(self.clock, self.clock.next - self.clock.now())
            else:
                moved = mover.told.seq
                await mover.ask("act", table=table, **chosen(mover.told.table["offers"], rng))
                await settle()

    async def close(self) -> None:
        await self.runner.close()
        await self.cases.shelf.close()
        await self.reviews.close()
        await self.notices.close()
        await self.lobby.close()
        await self.host.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


# --- On loopback ---------------------------------------------------------------------------------------------------


class Open:
    """A site that is open."""

    def __init__(self, site: Site, address: str) -> None:
        self.site = site
        self.address = address
        self._clients: list[Client] = []
        self._sessions: list[ClientSession] = []

    def cookie(self) -> str:
        """Return a new person's."""
        return self.site.people.new()

    async def page(self, cookie: str | None = None, **headers: str) -> Client:
        """Open a page's socket."""
        ws = await self._session(cookie or self.cookie()).ws_connect(
            f"{self.address}/ws", headers={"Origin": self.address, **headers}, max_msg_size=0
        )
        client = Client(ws, self.address)
        self._clients.append(client)
        await client.until(lambda told: "welcome" in told.last)
        return client

    async def get(self, path: str, cookie: str | None = None, **headers: str) -> ClientResponse:
        return await self._fetched("GET", path, cookie, None, headers)

    async def post(self, path: str, body: object, cookie: str | None = None, **headers: str) -> ClientResponse:
        data = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return await self._fetched("POST", path, cookie, data, {"Origin": self.address, **headers})

    async def request(self, method: str, path: str) -> ClientResponse:
        return await self._fetched(method, path, None, None, {})

    async def _fetched(
        self, method: str, path: str, cookie: str | None, data: bytes | None, headers: dict[str, str]
    ) -> ClientResponse:
        response = await self._session(cookie).request(method, f"{self.address}{path}", data=data, headers=headers)
        await response.read()
        return response

    def _session(self, cookie: str | None) -> ClientSession:
        headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        session = ClientSession(cookie_jar=DummyCookieJar(), headers=headers)
        self._sessions.append(session)
        return session

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
        for session in self._sessions:
            await session.close()


@asynccontextmanager
async def opened(
    folder: Path | None = None,
    *,
    store: Store | None = None,
    bus: Bus | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
    decide: Decider | None = None,
    haste: float = 0.0,
    rate: float = 1e6,
    draws: Callable[[bytes, int], Rng] = Rng,
    courier: Courier | None = None,
    limits: Limits = ROOMY,
    leases: Leases | None = None,
    steady: Callable[[], int] = steady_ms,
    public_url: str | None = None,
    case_games: Callable[[], Sequence[str]] = tuple,
    sweep_s: float | None = None,
) -> AsyncIterator[Open]:
    store = store or (SqliteStore(folder / "whodunit.sqlite") if folder else MemoryStore())
    bus, clock = bus or MemoryBus(), clock or WallClock()
    site = Site(
        store,
        bus,
        clock,
        b"k" * 32,
        haste=haste,
        lanes=1,
        rate=rate,
        draws=draws,
        courier=courier,
        limits=limits,
        leases=leases,
        folder=folder,
        steady=steady,
        case_games=case_games,
        sweep_s=sweep_s,
    )
    if workers is not None:
        for part in (site.runner, site.advice, site.history, site.laying, site.cases, site.cases.shelf):
            part._workers = workers
    if decide is not None:
        site.host.moves._decide = decide
    network = await site.start("127.0.0.1", 0, public_url)
    house = Open(site, f"http://127.0.0.1:{network.port}")
    try:
        yield house
    finally:
        await house.close()
        await site.stop()


async def plays(page: Client, table: str, rng: Random, until: Callable[[Told], object] = over) -> None:
    """Play a seat through what is on offer, until the game is over or whatever is said."""
    told = page.told
    while True:
        await page.until(lambda told: until(told) or told.on_turn)
        if until(told):
            return
        if not told.on_turn:
            continue  # the answer was given before this had woken up
        seq = told.seq
        with suppress(Stale):  # its answer was given at that very moment
            await page.ask("act", table=table, **chosen(told.table["offers"], rng))
        await page.until(beyond(seq))


async def play(pages: Iterable[Client], table: str, seed: int = 0, until: Callable[[Told], object] = over) -> None:
    """Let everybody play at once."""
    await asyncio.gather(*(plays(page, table, dice(f"{seed} {n}"), until) for n, page in enumerate(pages)))
