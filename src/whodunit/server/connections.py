"""Who may hold how many connections, and for how long without saying anything.

aiohttp waits an hour for a request that is never finished, and takes any number of connections from one address.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

from aiohttp import web

from whodunit.server.network import household

HEAD_S: Final = 10.0
"""How long a connection may take until a request's head is whole, from its beginning or from its last answer on."""
BODY_S: Final = 10.0
"""How long the body of a post may take: it has a few kilobytes at most."""
LINGER_S: Final = 2.0
"""How long a body that nobody wants is still read, so that whoever sends it reads the answer."""
ANSWER_S: Final = 120.0
"""How long somebody may take to read an answer."""
OVER_SHARE: Final = 8
"""One connection too many is told so, as long as these are fewer than this part of the limit; then none is read."""


class Held:
    """How many of something everybody has at this moment."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __getitem__(self, key: str) -> int:
        return self._counts[key]

    def take(self, key: str) -> int:
        """Count one more, and return how many that makes."""
        self._counts[key] += 1
        return self._counts[key]

    def give_back(self, key: str) -> None:
        """Count one less; of whoever has none, nothing is kept."""
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]

    @contextmanager
    def one(self, key: str) -> Iterator[int]:
        """Count one for as long as this lasts."""
        try:
            yield self.take(key)
        finally:
            self.give_back(key)


class Connection(web.RequestHandler):
    """A connection that is cut off if it is far too many, or if nobody reads what was asked for."""

    __slots__ = ()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, if there is still a place."""
        assert isinstance(self._manager, Connections)
        if self._manager.admits(self, transport):
            super().connection_made(transport)
        else:
            cast(asyncio.Transport, transport).abort()  # uvloop's is one, though not by its class

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send the answer, within a bound."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await super().finish_response(request, resp, start_time)
        except TimeoutError:
            if self.transport is not None:
                self.transport.abort()  # closing would wait for the same reader
            return resp, True


class Connections(web.Server):
    """Every connection that is open, counted by household."""

    def __init__(self, *made: Any, most: int, counts: Callable[[str], bool], **more: Any) -> None:
        super().__init__(*made, **more)
        self._most = most
        self._counts = counts
        self._held = Held()
        self._households: dict[web.RequestHandler, str] = {}
        self._over: set[web.RequestHandler] = set()

    def __call__(self) -> Connection:
        """Return the protocol of a new connection."""
        return Connection(self, loop=self._loop, **self._kwargs)

    def admits(self, handler: web.RequestHandler, transport: asyncio.BaseTransport) -> bool:
        """Count a connection; of too many, the first are told so with their request, and the others are cut off."""
        address = _peer(transport)
        if not self._counts(address):
            return True
        key = self._households[handler] = household(address)
        held = self._held.take(key)
        if held > self._most:
            self._over.add(handler)
        return held <= self._most + max(1, self._most // OVER_SHARE)

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        """Give a connection back."""
        super().connection_lost(handler, exc)
        self._over.discard(handler)
        if (key := self._households.pop(handler, None)) is not None:
            self._held.give_back(key)

    def is_over(self, handler: web.RequestHandler) -> bool:
        """Say whether a connection is one too many of its household's."""
        return handler in self._over


class Runner(web.AppRunner):
    """Runs an application over connections that are counted, and dropped where nothing comes of them."""

    def __init__(self, app: web.Application, *, most: int, counts: Callable[[str], bool], **more: Any) -> None:
        # aiohttp's limit between requests also runs before the first, and is not put off by single bytes.
        super().__init__(app, keepalive_timeout=HEAD_S, lingering_time=LINGER_S, **more)
        self._most = most
        self._counts = counts

    @property
    def connections(self) -> Connections:
        """The connections, once this is set up."""
        assert isinstance(self.server, Connections)
        return self.server

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        return Connections(
            made.request_handler,
            request_factory=made.request_factory,
            loop=asyncio.get_running_loop(),
            most=self._most,
            counts=self._counts,
            **self._kwargs,
        )


def _peer(transport: asyncio.BaseTransport) -> str:
    peer = transport.get_extra_info("peername")
    return peer[0] if peer else ""
