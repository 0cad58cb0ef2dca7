"""How many places of a house one household holds without asking for anything, and how often it may guess a code."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from aiohttp import ClientError, ClientWebSocketResponse, WSServerHandshakeError
from msgspec import Struct, structs

from whodunit.bench.server.flood_house import ATTACKER, BYSTANDER, Visitors, house, people_of, visited
from whodunit.bench.server.script import SEATS
from whodunit.server.limits import USUAL
from whodunit.server.rate_limit import RateLimits

HALF_SENT = 300
HELD_S = 20.0
"""After so long nothing that was half sent may still hold a place: 20 s, and a moment to hang up."""
IDLE = 1000
"""Sockets that ask for nothing, each of another cookie: a new one is only a page away."""
GETS_IN_S = 5.0
AT_ONCE = 50

TRIES = (0.5, 20)
"""How many codes a household may try: so many a second, after so many at once."""
ADDRESSES = 10_001
"""More than a limit remembers."""
ROUNDS = 60


class Places(Struct, frozen=True):
    """What holds places, and who gets in all the same."""

    half_sent: dict[str, int]
    """By how they were sent: how many are still held."""
    idle: int
    """How many sockets of one household were admitted."""
    others_ms: float | None
    """How long somebody else needed to get in meanwhile; None: they did not."""

    @property
    def held(self) -> int:
        return sum(self.half_sent.values())

    def __str__(self) -> str:
        held = ", ".join(f"{kind} {number}" for kind, number in self.half_sent.items())
        others = (
            "nobody else gets in" if self.others_ms is None else f"somebody else gets in after {self.others_ms:.0f} ms"
        )
        limits = {name: value for name, value in structs.asdict(USUAL).items() if "socket" in name}
        told = f"limits {limits}" if limits else "there is no limit"
        half = f"{HALF_SENT} half sent, held after {HELD_S:.0f} s: {held}"
        return f"{half}; {self.idle} of {IDLE} idle sockets ({told}); {others}"


def held(where: str) -> Places:
    """Send half of many requests, and open many sockets; return what is left of them, and who gets in."""
    with house(where, groups=1 + IDLE // SEATS, games=0) as server:
        return visited(server, _held)


async def _held(here: Visitors) -> Places:
    cookie, honest, *many = people_of(here.server)
    begun = time.monotonic()
    kinds = _half_sent(here, cookie)
    halves = [
        asyncio.ensure_future(_stays(here.server.port, *kinds[kind]))
        for kind in kinds
        for _ in range(HALF_SENT // len(kinds))
    ]
    names = [kind for kind in kinds for _ in range(HALF_SENT // len(kinds))]
    await asyncio.sleep(1)
    sockets = await _idle(here, many[:IDLE])
    got_in: float | None = None
    start = time.perf_counter()
    with suppress(TimeoutError):
        page = await asyncio.wait_for(here.page(honest, BYSTANDER), GETS_IN_S)
        await asyncio.wait_for(page.surely("watch_lobby"), GETS_IN_S)
        got_in = 1000 * (time.perf_counter() - start)
    open_still = sum(not socket.closed for socket in sockets)
    await asyncio.sleep(max(0.0, begun + HELD_S - time.monotonic()))
    left = Counter(dict.fromkeys(kinds, 0))
    for name, half in zip(names, halves, strict=True):
        left[name] += not half.done()
        half.cancel()
    await asyncio.gather(*halves, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket in sockets), return_exceptions=True)
    return Places(dict(left), open_still, got_in)


def _half_sent(here: Visitors, cookie: str) -> dict[str, tuple[bytes, bytes]]:
    """Return by kind how a request begins, and what drips afterwards, a byte a second."""
    host = here.address.removeprefix("http://")
    head = f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {ATTACKER}\r\n"
    post = head.replace("GET /", "POST /api/join", 1) + f"Origin: {here.address}\r\nCookie: whodunit={cookie}\r\n"
    return {
        "silent": (b"", b""),
        "half a head": (f"{head}X-Half: ".encode(), b""),
        "a head that drips": (f"{head}X-Drip: ".encode(), b"x"),
        "a body that drips": (f'{post}Content-Length: 4000\r\n\r\n{{"code":"'.encode(), b"X"),
    }


async def _stays(port: int, begun: bytes, drip: bytes) -> None:
    """Hold a connection until the server lets go of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def drop() -> None:
        while drip:
            writer.write(drip)
            await asyncio.sleep(1)

    writer.write(begun)
    dripping = asyncio.ensure_future(drop())
    try:
        with suppress(OSError):
            while await reader.read(4096):
                pass
    finally:
        dripping.cancel()
        writer.transport.abort()


async def _idle(here: Visitors, cookies: Sequence[str]) -> list[ClientWebSocketResponse]:
    """Open a socket for each that does nothing, and return those that were let in and may stay."""
    places = asyncio.Semaphore(AT_ONCE)

    async def opened(cookie: str) -> ClientWebSocketResponse | None:
        headers = {"Origin": here.address, "Cookie": f"whodunit={cookie}", "X-Forwarded-For": ATTACKER}
        async with places:
            try:
                socket = await here.session.ws_connect(f"{here.address}/ws", headers=headers, max_msg_size=0)
                frame = await socket.receive_json(timeout=GETS_IN_S)
            except (WSServerHandshakeError, ClientError, TimeoutError, TypeError, OSError):
                return None  # it was let in and sent away, or not let in
        return socket if frame["type"] == "welcome" else None

    found = await asyncio.gather(*map(opened, cookies))
    sockets = [socket for socket in found if socket is not None]
    await asyncio.sleep(1)
    for socket in sockets:  # whoever was sent away has been told by now
        with suppress(TimeoutError):
            await socket.receive(timeout=0.0001)
    return sockets


# --- Codes -----------------------------------------------------------------------------------------------------------


class Tries(Struct, frozen=True):
    """How many codes could be tried, and how many may be."""

    admitted: int
    limit: float
    told: str

    @property
    def over(self) -> float:
        """How many more than allowed."""
        return max(0.0, self.admitted - self.limit)

    def __str__(self) -> str:
        return f"{self.admitted:,} tries admitted, {self.limit:,.0f} allowed ({self.told})"


def rotated() -> Tries:
    """Try codes from so many addresses, one after another and again and again, by the limit itself."""
    rate, burst = TRIES
    limits = RateLimits(rate, burst)
    begun, admitted = time.monotonic(), 0
    for _ in range(ROUNDS):
        admitted += sum(limits.admits(f"2001:db8:{number:x}::/64") for number in range(ADDRESSES))
    took = time.monotonic() - begun
    return Tries(
        admitted, ADDRESSES * (burst + rate * took), f"{ADDRESSES * ROUNDS:,} tries by {ADDRESSES:,} addresses"
    )


def rotated_at_the_door(where: str) -> Tries:
    """Use one household's tries up, try once from each of many others, and then again from the first."""
    with house(where, groups=1, games=0) as server:
        return visited(server, _rotated)


async def _rotated(here: Visitors) -> Tries:
    rate, burst = TRIES
    (cookie, *_) = people_of(here.server)
    places = asyncio.Semaphore(AT_ONCE)

    async def tried(address: str) -> bool:
        async with places:
            return await here.post("/api/join", cookie, address, {"code": "AAAAAAAA"}) != TOO_MANY

    async def of_one() -> int:
        return sum([await tried(ATTACKER) for _ in range(2 * burst)])

    begun = time.monotonic()
    first = await of_one()
    others = sum(await asyncio.gather(*(tried(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}") for n in range(ADDRESSES))))
    again = await of_one()
    took = time.monotonic() - begun
    told = f"over HTTP, of one household: {first}, then {others:,} of others, then {again} of the first"
    return Tries(first + again, burst + rate * took, told)


TOO_MANY = 429
