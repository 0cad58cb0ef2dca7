"""Carries a few words to an address that somebody gave us: over https, and to no machine of ours or our neighbours'."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import socket
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit
from weakref import WeakValueDictionary

import aiohttp
from aiohttp.abc import AbstractResolver
from msgspec import json

from whodunit.core.errors import Refusal

Address: TypeAlias = IPv4Address | IPv6Address
Fate: TypeAlias = Literal["delivered", "refused", "failed"]
"""What became of a letter; only what has failed is worth another try."""

HTTPS: Final = 443
LONGEST: Final = 500
"""Characters of an address; Discord's and Slack's have some 120."""
PATIENCE_S: Final = 5.0
PLACES: Final = 32
"""How many letters are under way at once, one to each host; and as many trials, which strangers may send anywhere."""
NAT64: Final = IPv6Network("64:ff9b::/96")
LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
"""Each network's own (RFC 8215): where in it an address is wrapped, nobody outside knows."""
DISCORD: Final = ("discord.com", "discordapp.com")


def is_public(address: Address) -> bool:
    """Say whether an address belongs to the open internet, also where it is wrapped into another."""
    if isinstance(address, IPv6Address):
        if address in LOCAL_NAT64:
            return False
        if address in NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


class Forbidden(OSError):
    """A name has led to an address at which nobody is told anything."""


class Round:
    """Letters of one kind: so many at once, and one to each host, so that a slow machine holds up its own alone."""

    def __init__(self, opened: Callable[[], aiohttp.ClientSession]) -> None:
        self._opened = opened
        self._session: aiohttp.ClientSession | None = None
        self._places = asyncio.Semaphore(PLACES)
        self._hosts: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, host: str) -> AsyncIterator[aiohttp.ClientSession]:
        """Wait for a place, which is no part of anybody's patience."""
        async with self._hosts.setdefault(host, asyncio.Lock()), self._places:
            self._session = self._session or self._opened()
            yield self._session

    async def close(self) -> None:
        """Let go of what is under way."""
        if self._session is not None:
            await self._session.close()


class Courier:
    """Posts JSON. Every connection is made to the very address that was judged: names are looked up once.

    All arguments are there for tests: who looks names up, which addresses will do, whom TLS trusts, the only port.
    """

    def __init__(
        self,
        resolver: AbstractResolver | None = None,
        permits: Callable[[Address], bool] = is_public,
        tls: ssl.SSLContext | None = None,
        port: int = HTTPS,
    ) -> None:
        self._resolver = resolver
        self._permits = permits
        self._tls = tls
        self._port = port
        self._rounds = {trial: Round(self._opened) for trial in (False, True)}

    def checked(self, url: str) -> str:
        """Return an address as it may be kept, or refuse what could never be posted to."""
        parts = _split(url.strip())
        odd = parts is None or parts.scheme != "https" or not parts.hostname or "@" in parts.netloc
        if parts is None or odd or (parts.port or HTTPS) != self._port or len(url) > LONGEST or not url.isascii():
            raise Refusal("bad_hook", "an address that begins with https:// is wanted")
        return parts._replace(fragment="").geturl()

    async def send(self, url: str, words: str, *, trial: bool = False) -> Fate:
        """Post the words; whatever is answered, nothing of it is read but whether it went well."""
        try:
            async with (
                self._rounds[trial].place(urlsplit(url).hostname or "") as session,
                session.post(url, data=_letter(url, words), allow_redirects=False) as response,
            ):
                return _fate(response.status)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return "refused"
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            return "refused" if _is_forbidden(error) else "failed"

    async def close(self) -> None:
        """Let go of what is under way."""
        for each in self._rounds.values():
            await each.close()

    def _opened(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            resolver=self._resolver or aiohttp.ThreadedResolver(),
            ssl=self._tls or True,
            socket_factory=self._socket,
            use_dns_cache=False,
            force_close=True,
            limit=0,  # a round has so many places
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=PATIENCE_S),
            headers={"Content-Type": "application/json", "User-Agent": "Whodunit"},
            auto_decompress=False,
        )

    def _socket(self, found: Any) -> socket:
        """Open a socket for an address that a connection is about to be made to, and to no other."""
        family, kind, protocol, _, target = found
        if not self._permits(ip_address(str(target[0]).partition("%")[0])):
            raise Forbidden("this address is nobody's to be told at")
        opened = socket(family, kind, protocol)
        opened.setblocking(False)
        return opened


def _split(url: str) -> SplitResult | None:
    with suppress(ValueError):
        parts = urlsplit(url)
        parts.port  # noqa: B018  (raises where it is no number)
        return parts
    return None


def _letter(url: str, words: str) -> bytes:
    """Return the words as the receiver takes them: Discord calls them content, all others text, as Slack does."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_discord = any(host == name or host.endswith(f".{name}") for name in DISCORD)
    return json.encode({"content" if is_discord and not parts.path.endswith("/slack") else "text": words})


def _fate(status: int) -> Fate:
    if 200 <= status < 300:
        return "delivered"
    return "failed" if status >= 500 or status in {408, 425, 429} else "refused"


def _is_forbidden(error: BaseException | None) -> bool:
    """Look for our own veto among what a connection has failed of."""
    while error is not None:
        if isinstance(error, Forbidden):
            return True
        error = error.__cause__ or error.__context__
    return False
