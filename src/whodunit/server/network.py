"""Where the site can be reached: on this machine alone, or also from the local network while the switch is on."""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias
from urllib.parse import urlsplit

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


_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:@/\s]+)(:(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
"""What a request may say of the host that it is for: a name or an address, and perhaps a port."""
_PORTS: Final = {"http": 80, "https": 443}
"""The ports that browsers do not mention."""


def read_host(told: str) -> tuple[str, int | None] | None:
    """Return name and port of a host as a request or a setting names it, or None if it is none."""
    found = _HOST.fullmatch(told)
    return found and (found["name"].strip("[]").lower(), int(found["port"]) if found["port"] else None)


def names(allowed: Sequence[str]) -> tuple[str, ...]:
    """Check names such as whodunit.lan or whodunit.lan:8080, or raise BadOptions."""
    for name in allowed:
        if read_host(name) is None:
            raise BadOptions(f"{name!r} is no host name: one such as whodunit.lan or whodunit.lan:8080 is wanted")
    return tuple(allowed)


def own_names() -> frozenset[str]:
    """Return what the local network may call this machine."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"})


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


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
        local_networks: Networks = (),
        allowed: Sequence[str] = (),
        look_up: Callable[[], str | None] = local_address,
    ) -> None:
        self._runner = runner
        self._host = host
        self.port = port
        self._public_url = public_url
        self._hurried = hurried
        self._local_networks = local_networks
        self._allowed = [read_host(name) for name in allowed]
        self._own_names = own_names()
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

    def is_local(self, address: str, *, is_proxy: bool) -> bool:
        """Say whether whoever asks from this address may do what only the host may.

        A proxy on this machine may not say for whom it asks. So where there can be one, this machine is no more than
        anybody else, unless the host says so.
        """
        trusted = is_loopback(address) and self._public_url is None and not is_proxy
        return trusted or is_within(address, self._local_networks)

    @property
    def is_encrypted(self) -> bool:
        """Whether the address to give to others is one that encrypts."""
        return self.address.startswith("https://")

    def admits(self, host: str) -> bool:
        """Say whether a request may name this host: our own names only, so that no foreign name leads here.

        Any name can be made to lead to this machine, and the page that did it would count as ours. An address cannot.
        """
        if (told := read_host(host)) is None:
            return False
        name, port = told
        if self._public_url and _same_host(self._public_url, name, port):
            return True
        plain = _PORTS["http"] if port is None else port
        if (name, port) in self._allowed or ((name, None) in self._allowed and port in {None, self.port}):
            return True
        if plain != self.port:
            return False
        if name in {"localhost", "127.0.0.1", "::1", self._host.lower(), self._local}:
            return True
        if is_loopback(self._host) and self._local is None:
            return False
        return _is_address(name) or (self._public_url is None and name in self._own_names)

    def is_own(self, origin: str | None, host: str, scheme: str) -> bool:
        """Say whether a page of this origin is ours, by the host that it asks and how the request came.

        Where pages are encrypted, one that is not is another site's: whoever is on the line may have written it.
        """
        told = read_host(host)
        encrypted = scheme == "https" or bool(told and self.is_encrypted and _same_host(self.address, *told))
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


def _same_host(url: str, name: str, port: int | None) -> bool:
    """Say whether an address of ours has this name and port; the usual port is the same as none."""
    known = urlsplit(url)
    usual = _PORTS.get(known.scheme)
    return known.hostname == name and (known.port or usual) == (port or usual)
