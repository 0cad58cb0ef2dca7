"""Where the site can be reached: on this machine alone, or also from the local network while the switch is on."""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import TypeAlias

from aiohttp import web

from whodunit.core.errors import BadOptions, Refusal


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


Networks: TypeAlias = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]


def networks(named: Sequence[str]) -> Networks:
    """Read addresses and networks such as 10.0.0.0/8, or raise BadOptions."""
    try:
        return tuple(ipaddress.ip_network(each) for each in named)
    except ValueError as error:
        raise BadOptions(f"{error}: an address or a network such as 10.0.0.0/8 is wanted") from error


def is_within(address: str, known: Networks) -> bool:
    """Say whether an address belongs to one of these networks."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in known)


def sender(remote: str, forwarded: Sequence[str], proxies: Networks) -> str:
    """Return who sent a request: the last address in its way that is none of our proxies.

    The way may be told in several lines: each proxy adds to the end, and only the end is worth believing.
    """
    address = remote
    for hop in reversed(",".join(forwarded).split(",")):
        if not is_within(address, proxies) or not hop.strip():
            break
        address = hop.strip()
    return address


def household(address: str) -> str:
    """Return by what those who share a line are counted: IPv6 gives each of them 2**64 addresses."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped is not None:
        return str(found if found.version == 4 else found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def local_address() -> str | None:
    """Return the address under which the local network knows this machine, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent, only the way is looked up
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_loopback(address) else address


class Network:
    """The site's addresses; the local network's is bound only while somebody wants it."""

    def __init__(
        self,
        runner: web.AppRunner,
        host: str,
        port: int,
        public_url: str | None,
        *,
        hurried: bool,
        look_up: Callable[[], str | None] = local_address,
    ) -> None:
        self._runner = runner
        self._host = host
        self.port = port
        self._public_url = public_url
        self._hurried = hurried
        self._look_up = look_up
        self._site: web.TCPSite | None = None
        self._local: str | None = None

    @property
    def shared(self) -> bool:
        """Whether others can reach the site."""
        return bool(self._public_url or self._site) or not is_loopback(self._host)

    @property
    def address(self) -> str:
        """The address to give to others."""
        if self._public_url:
            return self._public_url.rstrip("/")
        host = self._local or (self._host if self._host not in {"0.0.0.0", "::"} else self._look_up() or "localhost")  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def admits(self, host: str) -> bool:
        """Say whether a request may name this host: our own names only, so that no foreign name leads here."""
        names = {f"{name}:{self.port}" for name in ("localhost", "127.0.0.1", "[::1]", self._host, self._local) if name}
        if self._public_url:
            names.add(self._public_url.rstrip("/").split("://", 1)[-1])
        return host in names or (not is_loopback(self._host) and self._public_url is None)

    def is_own(self, origin: str | None, host: str, scheme: str) -> bool:
        """Say whether a page of this origin is ours, by the host that it asks and how the request came.

        Where pages are encrypted, one that is not is another site's: whoever is on the line may have written it.
        """
        public = (self._public_url or "").rstrip("/")
        encrypted = scheme == "https" or public == f"https://{host}"
        return origin == f"https://{host}" or (origin == f"http://{host}" and not encrypted)

    async def open(self) -> None:
        """Bind the local network's address as well."""
        if self.shared:
            return
        if self._hurried:
            raise Refusal("haste", "a site in haste stays on this machine")
        address = self._look_up()
        if address is None:
            raise Refusal("no_network")
        site = web.TCPSite(self._runner, address, self.port)
        try:
            await site.start()
        except OSError as error:
            raise Refusal("no_network", error.strerror or "") from error
        self._site, self._local = site, address

    async def shut(self) -> None:
        """Leave the local network; whoever is connected stays until they go."""
        if self._site is not None:
            await self._site.stop()
            self._site, self._local = None, None
