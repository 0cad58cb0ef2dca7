"""The web application: pages, files, the socket, and what guards them."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args

import msgspec
from aiohttp import WSCloseCode, web

from whodunit import games
from whodunit.core.errors import Conflict, Damaged, NoProcess, NoTable, NotInstalled, NotStored, Refusal, StillOpen
from whodunit.core.ports import Bus, Leases, Store
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.timers import Clock
from whodunit.host.wakeups import Wakeups
from whodunit.server import clips, cookies, housekeeping, privacy, protocol
from whodunit.server.advice import Advice
from whodunit.server.asks import House
from whodunit.server.bot_runner import Runner
from whodunit.server.cases import Cases
from whodunit.server.challenges import Challenges
from whodunit.server.clock_watch import ClockWatch, steady_ms
from whodunit.server.connections import BODY_S, Held
from whodunit.server.connections import Runner as WebRunner
from whodunit.server.deals import Deals
from whodunit.server.disk import Disk
from whodunit.server.doors import Doors
from whodunit.server.duels import Duels
from whodunit.server.fair_queue import Claim, Stake, claim_of
from whodunit.server.feeds import Feeds
from whodunit.server.gate import Gate
from whodunit.server.health import Health
from whodunit.server.history import History
from whodunit.server.housekeeping import survived
from whodunit.server.laying import Laying
from whodunit.server.limits import USUAL, Limits
from whodunit.server.lobby import Lobby
from whodunit.server.metrics import METRICS_TYPE, Metrics
from whodunit.server.network import Network, Networks, household, is_within, sender
from whodunit.server.notices import Notices
from whodunit.server.people import People
from whodunit.server.quotas import Quotas
from whodunit.server.rate_limit import RateLimit
from whodunit.server.reviews import Reviews
from whodunit.server.sockets import FRAME_BYTES, HEARTBEAT_S, Outbox, Socket, Writes
from whodunit.server.webhooks import Courier
from whodunit.server.workers import Workers

T = TypeVar("T")
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
STATIC: Final = Path(__file__).with_name("static")
SWEEP_S: Final = 60.0
"""How often tables that nobody looks at are forgotten, and those loaded that soon do something by themselves."""
HOURLY: Final = 60
"""Every so many times also what is old is seen to: clips, and games that nobody plays on."""
HEALTH_S: Final = 2.0
"""How long the store may take to show that it is there."""
PAGES: Final = (
    *("/", "/join", "/seat", "/about", "/duel"),
    *(f"/{page}/{{game:[a-z][a-z0-9_]{{0,31}}}}" for page in ("practice", "rules")),
    "/t/{table:[a-z0-9]{1,32}}",
    *("/today", "/today/{day:[0-9-]{10}}", "/case/{case:[a-z0-9_.-]{1,64}}"),
)
"""Every address a page can have; what it shows is the client's business."""

_CLOSED: Final = {
    "private": "This table is private.",
    "still_played": "Others still play this deal: it is open to whoever has finished it.",
}
"""Why somebody may not enter a table."""

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Site:
    """One process of the site, over a store and a bus."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        key: bytes,
        *,
        haste: float,
        lanes: int,
        rate: float = 20.0,
        draws: Callable[[bytes, int], Rng] = Rng,
        leases: Leases | None = None,
        proxies: Networks = (),
        monitors: Networks = (),
        local_networks: Networks = (),
        names: Sequence[str] = (),
        courier: Courier | None = None,
        limits: Limits = USUAL,
        folder: Path | None = None,
        steady: Callable[[], int] = steady_ms,
        sweep_s: float | None = None,
        case_games: Callable[[], Sequence[str]] = tuple,
        past_cases: int = 0,
    ) -> None:
        self.limits = limits
        self.health = Health()
        self.clock_watch = ClockWatch(store, clock, steady)
        self.health.add("clock", self.clock_watch.fault)
        self.workers = Workers(lanes)
        self.health.add("workers", self.workers.fault)
        self.host = Host(store, bus, clock, haste, draws, self._decide, leases)
        self.people = People(key)
        self.feeds = Feeds(self.host)
        self.lobby = Lobby(self.host, limits)
        self.wakeups = Wakeups(self.host)
        self.quotas = Quotas(key, limits, self.host.nodes)
        self.runner = Runner(self.host, self.workers, secrets.token_bytes(32), self.quotas.admits_bots)
        self.disk = Disk(folder, limits.free_disk)
        self.health.add("disk", lambda: self.disk.fault)
        self.health.add("store", lambda: store.fault and f"nothing can be written: {store.fault}")
        self.advice = Advice(self.host, self.workers, self.quotas)
        self.cases = Cases(store, self.workers, lambda: self.clock_watch.believed, case_games, past_cases)
        self.health.add("cases", self.cases.shelf.fault)
        self.gate = Gate(self.host, lambda: self.clock_watch.is_suspect)
        self.history = History(self.host, self.workers, self.gate)
        self.reviews = Reviews(self.host, self.workers, self.gate)
        self.feeds.past = self.history.told
        self.laying = Laying(self.host, self.workers, self.people, self.quotas)
        self.deals = Deals(self.host, self.workers, self.laying, self.reviews, self.gate)
        self.notices = Notices(self.host, courier or Courier(), lambda: self.network.address if self.network else "")
        self.feeds.lookers.append(self.notices.looked)
        self.sockets: set[Socket] = set()
        self.metrics = Metrics(self.host, self.workers, self.sockets)
        self._proxies = proxies
        self._monitors = monitors
        self._local_networks = local_networks
        self._names = names
        self._rate = rate
        self._haste = haste
        self._sweep_s = SWEEP_S if sweep_s is None else sweep_s
        self._outbox = Outbox()
        self.app = web.Application(client_max_size=FRAME_BYTES, middlewares=[self._guard])
        self.app.on_response_prepare.append(_guarded)
        self.app.add_routes(
            [
                *(web.get(path, self._page) for path in PAGES),
                web.get("/ws", self._socket),
                web.get("/health", self._health),
                web.get("/metrics", self._metrics),
                web.get("/api/games", self._games),
                *Doors(self.advice).routes,
                web.post("/api/join", self._join),
                web.post("/api/seat", self._seat),
                web.get("/api/me", self._me),
                web.post("/api/forget", self._forget),
                web.get("/t/{table}/case", self._case),
                web.get("/t/{table}/clip/{clip}", self._clip),
                web.get("/case/{case}/clip/{clip}", self._case_clip),
                *([web.static("/assets", STATIC / "assets")] if (STATIC / "assets").is_dir() else []),
                web.get("/{name:[a-z0-9.-]+}", self._file),
            ]
        )
        self.web_runner = WebRunner(
            self.app, most=limits.connections_household, counts=self._counts, access_log=None, shutdown_timeout=1.0
        )
        self._held_by_households, self._held_by_people = Held(), Held()
        self.network: Network | None = None
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int, public_url: str | None) -> Network:
        """Bind the address; port 0 takes a free one."""
        await self.clock_watch.begin()  # before anybody can come in and something is stored
        await self.web_runner.setup()
        site = web.TCPSite(self.web_runner, host, port)
        await site.start()
        bound = self.web_runner.addresses[0][1]
        self.network = Network(
            self.web_runner,
            host,
            bound,
            public_url,
            hurried=self._haste != 1.0,
            local_networks=self._local_networks,
            allowed=self._names,
        )
        self._house = House(
            self.host,
            self.feeds,
            self.lobby,
            self.laying,
            self.advice,
            self.notices,
            self.network,
            self.metrics,
            self.history,
            self.reviews,
            self.cases,
            self.gate,
            Challenges(self.host, self.people, self.deals),
            Duels(self.host, self.deals),
        )
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())
        return self.network

    async def _decide(self, table: str, work: Callable[[], T]) -> T:
        """Let a move be decided that takes long, on the account of whoever plays at the table."""
        live = self.host.tables.get(table)
        return await self.workers.decide(table, work, None if live is None else claim_of(live))

    async def _sweep(self) -> None:
        next_looks: dict[str, int] = {}
        hall_looks: dict[str, int] = {}
        for number in count():
            with survived("wakeups"):
                await self.wakeups.wake_due()
            with survived("cases"):
                self.cases.shelf.see_to_days()
            await asyncio.sleep(self._sweep_s)
            with survived("feeds"):
                self.feeds.sweep()
            with survived("notices"):
                self.notices.sweep()
            with survived("workers"):
                self.workers.keep(self.host.tables)
            with survived("clock"):
                await self.clock_watch.look()
            with survived("health"):
                self.health.faults()  # they are logged though nobody asks for /health
            if not self.clock_watch.is_suspect:
                with survived("hall"):
                    await housekeeping.clear_hall(self.host, hall_looks)
            if number % HOURLY == 0 and self.clock_watch.is_vouched:
                with survived("clips"):
                    await clips.drop_old(self.host)
                with survived("unfinished games"):
                    await housekeeping.close_unfinished(self.host, next_looks)

    async def stop(self) -> None:
        """Finish commits, tell the sockets, and go."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self.runner.close()
        for page in [*self.sockets]:
            page.dismiss("restarting")
        for _ in range(20):
            if not self.sockets:
                break
            await asyncio.sleep(0.05)
        await self.cases.shelf.close()
        await self.reviews.close()
        await self.notices.close()
        await self.lobby.close()
        await self.web_runner.cleanup()
        await self.host.close()
        self.workers.close()

    # --- Guards ---

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        assert self.network is not None
        if not self.network.admits(request.headers.get("Host", "")):
            return web.Response(status=421, text="This name does not lead here.")
        if self.web_runner.connections.is_over(request.protocol):
            raise _too_many("Too many connections from where you are; wait a little.")
        if self._proxies:
            nearest, told = request.remote or "", request.headers
            remote = sender(nearest, told.getall("X-Forwarded-For", ()), self._proxies)
            encrypted = is_within(nearest, self._proxies) and told.get("X-Forwarded-Proto") == "https"
            request = request.clone(remote=remote, scheme="https" if encrypted else request.scheme)
        return await handler(request)

    def _counts(self, address: str) -> bool:
        """Say whether connections from this address count as its household's: a proxy's are many people's."""
        return not is_within(address, self._proxies) and not self._is_host(address)

    def _is_host(self, address: str) -> bool:
        if self.network is None:  # somebody was quicker than the house opens
            return False
        return self.network.is_local(address, is_proxy=is_within(address, self._proxies))

    def _is_local(self, request: web.Request) -> bool:
        """Say whether the host asks, and not through a proxy for somebody else."""
        return "X-Forwarded-For" not in request.headers and self._is_host(request.remote or "")

    def _is_encrypted(self, request: web.Request) -> bool:
        assert self.network is not None
        return request.scheme == "https" or self.network.is_encrypted

    def _person(self, request: web.Request) -> str | None:
        return cookies.person_of(request.cookies, self.people, encrypted=self._is_encrypted(request))

    def _same_origin(self, request: web.Request) -> None:
        """Refuse what another site's page sends: browsers always say where a socket or a post comes from."""
        assert self.network is not None
        if not self.network.is_own(request.headers.get("Origin"), request.host, request.scheme):
            raise web.HTTPForbidden(text="This must come from our own page.")

    # --- For whoever watches over the site ---

    async def _health(self, _: web.Request) -> web.Response:
        """Say whether this node can serve: it is not closing, its database answers, and nothing else is wrong."""
        store, answers = self.host.store, True
        try:
            # Whether a disk that was full has room again shows only in writing.
            await asyncio.wait_for(store.probe() if store.fault else store.opened_by(""), HEALTH_S)
        except (NotStored, TimeoutError):
            answers = store.fault is not None
        faults = self.health.faults()
        if not answers:
            faults.append("the database does not answer")
        if self.host.tasks.closing:
            faults.append("closing")
        return web.Response(status=503 if faults else 200, text="".join(f"{fault}\n" for fault in faults or ["ok"]))

    async def _metrics(self, request: web.Request) -> web.Response:
        if not self._is_local(request) and not is_within(request.remote or "", self._monitors):
            raise web.HTTPNotFound(text="There is no such page.")
        return web.Response(text=self.metrics.text(), headers={"Content-Type": METRICS_TYPE})

    # --- Pages and files ---

    async def _page(self, request: web.Request) -> web.StreamResponse:
        index = STATIC / "index.html"
        if not index.exists():
            raise web.HTTPServiceUnavailable(text="The pages are not built yet: start the site with ./run")
        response = web.FileResponse(index, headers={"Cache-Control": "no-cache"})
        cookies.give(response, request.cookies, self.people, encrypted=self._is_encrypted(request))
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        path = STATIC / request.match_info["name"]
        if path.parent != STATIC or not path.is_file():
            raise web.HTTPNotFound(text="There is no such page.")
        # Their names stay when they change, unlike those of the assets.
        return web.FileResponse(path, headers={"Cache-Control": "no-cache"})

    async def _games(self, _: web.Request) -> web.Response:
        described = [
            {"id": id, "seats": info.seats, "options": info.describe(people=True)}
            for id in games.playable()
            for info in [games.get(id).INFO]
        ]
        return _json(described)

    async def _entered(self, request: web.Request) -> tuple[Live, str]:
        """Return the table that a request names, and who asks, if they may enter it."""
        person = self._person(request)
        try:
            live = await self.host.get(request.match_info["table"])
        except NoTable as error:
            raise web.HTTPNotFound(text="There is no such table.") from error
        except NotInstalled as error:
            raise web.HTTPConflict(text="The game of this table is not installed here.") from error
        except Damaged as error:
            raise web.HTTPConflict(text="What is stored of this table is damaged.") from error
        if person is None:
            raise web.HTTPForbidden(text="This table is private.")
        try:
            await self.gate.enter(live, person)
        except Refusal as refusal:
            raise web.HTTPForbidden(text=_CLOSED[refusal.reason]) from refusal
        return live, person

    async def _clip(self, request: web.Request) -> web.Response:
        live, person = await self._entered(request)
        seat = live.room.seat_of(person)
        return await clips.fetched(self.host, live, TABLE if seat is None else seat, request.match_info["clip"])

    async def _case_clip(self, request: web.Request) -> web.Response:
        """Hand out a sound of a case to solve; of a line that is not turned it is as if there were none."""
        person, told = self._person(request), request.match_info
        found = None if person is None else await self.cases.clip(person, told["case"], told["clip"])
        if found is None:
            raise web.HTTPNotFound(text="There is no such clip.")
        media, data = found
        return web.Response(body=data, content_type=media, headers=clips.HEADERS)

    async def _case(self, request: web.Request) -> web.Response:
        live, person = await self._entered(request)
        line = household(request.remote or "")
        if not self._is_local(request) and not self.quotas.admits("cases", line):
            raise web.HTTPTooManyRequests(text="Too many files; wait a little.")
        try:
            body = await self.advice.file(live, person, Claim(Stake.SPARE, frozenset({line}), person))
        except StillOpen as error:
            raise web.HTTPConflict(text="This case is still open.") from error
        except NoProcess as error:
            raise web.HTTPServiceUnavailable(text="This cannot be written down now; try again soon.") from error
        name = f'attachment; filename="{live.room.laid.game}-{live.id}.case"'
        return web.Response(body=body, content_type="application/octet-stream", headers={"Content-Disposition": name})

    # --- Posts ---

    async def _join(self, request: web.Request) -> web.Response:
        person = self._posting(request)
        return await self._posted(self.laying.join(person, (await _body(request, protocol.Join)).code))

    async def _seat(self, request: web.Request) -> web.Response:
        person = self._posting(request)
        return await self._posted(self.laying.take_seat(person, (await _body(request, protocol.TakeSeat)).key))

    async def _me(self, request: web.Request) -> web.Response:
        """Hand out what is stored about whoever asks."""
        person = self._few(request)
        headers = {"Content-Disposition": 'attachment; filename="whodunit-me.json"', "Cache-Control": "no-store"}
        body = msgspec.json.format(encode(await privacy.handed_out(self.host, person)))
        return web.Response(body=body, content_type="application/json", headers=headers)

    async def _forget(self, request: web.Request) -> web.Response:
        """Forget whoever asks, and who they are."""
        person = self._posting(request)
        await _body(request, protocol.Forget)
        try:
            await privacy.forget(self.host, person)
        except Damaged:
            return _json(protocol.Refused(n=0, reason="damaged"), status=409)
        except (NotStored, Conflict):
            return _json(protocol.Refused(n=0, reason="not_stored"), status=503)
        for page in [page for page in self.sockets if page.person == person]:
            page.dismiss("forgotten")
        response = web.Response(status=204)
        cookies.take(response, encrypted=self._is_encrypted(request))
        return response

    def _posting(self, request: web.Request) -> str:
        """Return who posts."""
        self._same_origin(request)
        return self._few(request)

    def _few(self, request: web.Request) -> str:
        """Return who asks, at a low rate: a short code could be guessed, and what is stored about somebody is long."""
        person = self._person(request)
        if person is None:
            raise web.HTTPForbidden(text="Open the page first.")
        if not self.quotas.admits("tries", household(request.remote or "")):
            raise web.HTTPTooManyRequests(text="Too many tries; wait a little.")
        return person

    async def _posted(self, work: Coroutine[Any, Any, str]) -> web.Response:
        try:
            table = await work
        except Refusal as refusal:
            return _json(protocol.Refused(n=0, reason=refusal.reason, detail=refusal.detail), status=409)
        except NotStored:
            return _json(protocol.Refused(n=0, reason="not_stored"), status=503)
        return _json(protocol.Joined(table))

    # --- The socket ---

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        person, line, local = self._person(request), household(request.remote or ""), self._is_local(request)
        if local:
            return await self._connected(request, person, line, local=True)
        # Before all else: a page cannot read why its socket was refused, and asks here once more without one.
        with self._held_by_households.one(line) as there, self._held_by_people.one(person or "") as theirs:
            if there > self.limits.sockets_household:
                raise _too_many("Too many pages are open where you are; close some, or wait a little.")
            if person is not None and theirs > self.limits.sockets_person:
                raise _too_many("You have too many pages open; close some.")
            return await self._connected(request, person, line, local=False)

    async def _connected(
        self, request: web.Request, person: str | None, line: str, *, local: bool
    ) -> web.StreamResponse:
        if "Upgrade" not in request.headers:
            return web.Response(status=204)  # there would be a place: the line broke for another reason
        self._same_origin(request)
        if person is None:
            raise web.HTTPForbidden(text="Open the page first.")
        ws = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=FRAME_BYTES, compress=False, decode_text=False)
        await ws.prepare(request)
        limit = RateLimit(self._rate, 3 * int(self._rate))
        transport = cast(asyncio.Transport, request.transport)
        page = Socket(
            person,
            local=local,
            limit=limit,
            household="" if local else line,
            outbox=self._outbox,
            transport=transport,
            quota=self._refused,
        )
        page.send(encode(self._welcome(page)))
        self.sockets.add(page)
        writer = asyncio.get_running_loop().create_task(page.write(ws, lambda: self._resync(page)))
        try:
            await page.read(ws, self._house.asks)
        finally:
            writer.cancel()
            page.cancel_asks()
            self.sockets.discard(page)
            self.lobby.leave(page)
            for live in page.watching.values():
                self.feeds.leave(page, live)
            if not ws.closed:
                await ws.close(code=WSCloseCode.GOING_AWAY)
            # Else its next heartbeat keeps it for half a minute, with everything that it sent and nobody read.
            ws._heartbeat = None  # noqa: SLF001  (closing stops no heartbeat, and aiohttp has no other way)
            ws._cancel_heartbeat()  # noqa: SLF001
        return ws

    def _refused(self, page: Socket, writes: Writes, length: int) -> str | None:
        """Return why a page's ask is not to be written down; None: it is. On one's own machine nobody is counted."""
        if writes is Writes.MOVE:
            admitted = page.local or self.quotas.admits_move(page.person, page.household)
            return None if admitted else "too_fast"
        if self.disk.is_short:  # moves of running games go on as long as anything can be written
            return "no_room"
        if page.local or writes is Writes.TABLE:
            return None
        return None if self.quotas.admits_words(page.person, page.household, length) else "too_fast"

    def _welcome(self, page: Socket) -> protocol.Welcome:
        assert self.network is not None
        return protocol.Welcome(
            version=protocol.VERSION,
            games=games.playable(),
            levels=get_args(protocol.Level),
            local=page.local,
            address=self.network.address,
            shared=self.network.shared,
            haste=self._haste,
        )

    async def _resync(self, page: Socket) -> None:
        for live in [*page.watching.values()]:
            await self.feeds.watch(page, live, 0)
        await self.lobby.show_again(page)


def _too_many(why: str) -> web.HTTPTooManyRequests:
    error = web.HTTPTooManyRequests(text=why)
    error.force_close()
    return error


async def _guarded(request: web.Request, response: web.StreamResponse) -> None:
    """Send the headers with every response, also where an error made it; a stricter policy of its own stays."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.path.startswith("/assets/") and response.status == 200:  # named by its content, so never stale
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"


async def _body(request: web.Request, kind: type[T]) -> T:
    try:
        async with asyncio.timeout(BODY_S):
            body = await request.read()
    except TimeoutError as error:
        raise web.HTTPRequestTimeout(text="This took too long.") from error
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise web.HTTPBadRequest(text=str(error)) from error


def _json(value: object, status: int = 200) -> web.Response:
    return web.Response(body=encode(value), status=status, content_type="application/json")
