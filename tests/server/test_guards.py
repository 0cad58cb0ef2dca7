"""What guards the doors: names, origins, cookies and headers."""

import asyncio
import logging
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Literal

import pytest
from aiohttp import ClientSession, DummyCookieJar, WSServerHandshakeError
from aiohttp.hdrs import METH_GET, METH_POST, METH_PUT
from aiohttp.http_exceptions import BadHttpMessage

from tests.server.client import Refused
from tests.server.sites import Open, opened
from whodunit.core.errors import NoTable
from whodunit.core.ports import Record
from whodunit.host.host import Host
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.server import app
from whodunit.server.network import Network, is_loopback, networks
from whodunit.server.people import COOKIE
from whodunit.server.serve import Discreet, OwnFaults

ANYTHING = [
    (METH_GET, "/", 200),
    (METH_GET, "/join", 200),
    (METH_GET, "/t/abc", 200),
    (METH_GET, "/assets/app.js", 200),
    (METH_GET, "/api/games", 200),
    (METH_GET, "/nothing", 404),
    (METH_GET, "/assets/nothing.js", 404),
    (METH_GET, "/t/UPPER", 404),
    (METH_GET, "/t/abc/case", 404),
    (METH_GET, "/../../etc/passwd", 404),
    (METH_GET, "/%2e%2e/conftest.py", 404),
    (METH_GET, "/..%2fconftest.py", 404),
    (METH_GET, "/ws", 403),
    (METH_PUT, "/", 405),
    (METH_POST, "/api/join", 403),
    (METH_POST, "/api/nothing", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), ANYTHING)
def test_every_response_bears_the_headers(method: str, path: str, status: int) -> None:
    async def scene() -> None:
        async with opened() as house:
            response = await house.request(method, path)
            assert response.status == status
            for name, value in app.HEADERS.items():
                assert response.headers.getall(name) == [value]

    asyncio.run(scene())


def test_an_error_of_our_own_bears_the_headers_and_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened() as house:

            async def fails(_: object) -> None:
                raise RuntimeError("the envelope holds the Rope")

            monkeypatch.setattr(house.site.host, "get", fails)
            response = await house.get("/t/abc/case", house.cookie())
            assert response.status == 500
            assert "Rope" not in await response.text()
            assert response.headers["Content-Security-Policy"] == app.HEADERS["Content-Security-Policy"]

    asyncio.run(scene())


def test_the_policy_allows_our_own_files_and_no_inline_script() -> None:
    policy = dict(part.strip().split(" ", 1) for part in app.HEADERS["Content-Security-Policy"].split(";"))

    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy  # as the default
    assert not re.search("unsafe|http:|https:|\\*", app.HEADERS["Content-Security-Policy"])
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"


@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}"]
)
def test_a_foreign_name_does_not_lead_here(name: str) -> None:
    async def scene() -> None:
        async with opened() as house:
            port = house.address.rpartition(":")[2]
            host = name.format(port=port)
            response = await house.get("/", Host=host)
            assert response.status == 421
            assert response.headers["X-Frame-Options"] == "DENY"
            assert "Set-Cookie" not in response.headers
            join = await house.post("/api/join", {"code": "X"}, house.cookie(), Host=host, Origin=f"http://{host}")
            assert join.status == 421
            assert (await house.get("/", Host=f"localhost:{port}")).status == 200

    asyncio.run(scene())


async def connects(house: Open, cookie: str | None, origin: str | None, **more: str) -> bool:
    headers = more | ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {})
    headers |= {"Origin": origin} if origin else {}
    async with ClientSession(cookie_jar=DummyCookieJar()) as session:
        with suppress(WSServerHandshakeError):
            async with session.ws_connect(f"{house.address}/ws", headers=headers) as ws:
                await ws.receive()
                return True
    return False


def test_a_socket_needs_our_page_and_our_cookie() -> None:
    async def scene() -> None:
        async with opened() as house:
            cookie = house.cookie()
            person, _, signature = cookie.partition(".")
            assert await connects(house, cookie, house.address)
            ours = house.address.removeprefix("http://")
            foreign = ("http://evil.example", f"{house.address}.evil.example", "http://127.0.0.1", f"ftp://{ours}")
            for origin in (None, "null", ours, *foreign):
                assert not await connects(house, cookie, origin)
            for forged in (None, "x", f"{person}.", f"{person}x.{signature}", f"{person}.{signature[:-1]}0x", "." * 9):
                assert not await connects(house, forged, house.address)
            assert not house.site.sockets

    asyncio.run(scene())


def test_a_page_gives_a_cookie_once_that_no_script_reads() -> None:
    async def scene() -> None:
        async with opened() as house:
            response = await house.get("/")
            cookie = SimpleCookie(response.headers["Set-Cookie"])[COOKIE]

            assert cookie["httponly"]
            assert (cookie["samesite"], cookie["path"]) == ("Lax", "/")
            assert int(cookie["max-age"]) > 300 * 24 * 3600
            assert not cookie["secure"]  # this address is none that encrypts
            assert house.site.people.known(cookie.value)
            assert "Set-Cookie" not in (await house.get("/", cookie.value)).headers
            assert "Set-Cookie" in (await house.get("/", f"{cookie.value}x")).headers
            assert "Set-Cookie" not in (await house.get("/api/games")).headers
            assert response.headers["Cache-Control"] == "no-cache"

    asyncio.run(scene())


def test_behind_tls_the_cookie_travels_over_tls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened() as house:
            monkeypatch.setattr(house.site.network, "_public_url", "https://whodunit.example")
            response = await house.get("/", Host="whodunit.example")  # as the proxy asks

            assert response.status == 200
            assert SimpleCookie(response.headers["Set-Cookie"])[COOKIE]["secure"]
            assert await connects(house, house.cookie(), "https://whodunit.example", Host="whodunit.example")
            assert not await connects(house, house.cookie(), "http://whodunit.example.evil", Host="whodunit.example")

    asyncio.run(scene())


def test_behind_tls_a_page_that_came_without_it_is_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened() as house:
            monkeypatch.setattr(house.site.network, "_public_url", "https://whodunit.example/")
            cookie, public = house.cookie(), {"Host": "whodunit.example"}

            assert await connects(house, cookie, "https://whodunit.example", **public)
            assert not await connects(house, cookie, "http://whodunit.example", **public)
            post = await house.post("/api/join", {"code": "X"}, cookie, Origin="http://whodunit.example", **public)
            assert post.status == 403
            assert await connects(house, cookie, house.address)  # on the machine itself, past the proxy

    asyncio.run(scene())


def test_a_proxy_that_is_believed_says_whether_a_page_came_over_tls() -> None:
    async def scene() -> None:
        async with opened() as house:
            encrypted, cookie = house.address.replace("http", "https"), house.cookie()
            over_tls = {"X-Forwarded-Proto": "https"}
            assert await connects(house, cookie, house.address, **over_tls)  # anybody can say so

            house.site._proxies = networks(["127.0.0.1"])
            assert await connects(house, cookie, encrypted, **over_tls)
            assert not await connects(house, cookie, house.address, **over_tls)
            assert await connects(house, cookie, house.address, **{"X-Forwarded-Proto": "http"})
            given = (await house.get("/", **over_tls)).headers["Set-Cookie"]
            assert SimpleCookie(given)[COOKIE]["secure"]

    asyncio.run(scene())


def test_games_describe_themselves() -> None:
    async def scene() -> None:
        async with opened() as house:
            clue, *_ = await (await house.get("/api/games")).json()
            assert (clue["id"], clue["seats"]) == ("clue", [2, 6])
            assert "dice_count" in {option["name"] for option in clue["options"]}

    asyncio.run(scene())


def test_without_its_pages_the_site_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STATIC", tmp_path)

    async def scene() -> None:
        async with opened() as house:
            response = await house.get("/")
            assert response.status == 503
            assert "./run" in await response.text()

    asyncio.run(scene())


# --- The network -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *(("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True)),
        *(("0.0.0.0", False), ("192.168.0.1", False), ("::", False), ("localhost.evil.example", False), ("", False)),  # noqa: S104
    ],
)
def test_what_is_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) == loopback


def test_a_site_in_haste_is_not_opened_to_the_network() -> None:
    async def scene() -> None:
        async with opened(haste=0.0) as house:
            page = await house.page()
            with pytest.raises(Refused, match="haste"):
                await page.ask("open_network", open=True)
            assert await page.ask("open_network", open=False) == {"address": house.address, "shared": False}

    asyncio.run(scene())


def test_the_switch_binds_another_address_and_lets_go_of_it() -> None:
    async def scene() -> None:
        async with opened(haste=1.0) as house:
            network = house.site.network
            assert network is not None
            network._look_up = lambda: "127.0.0.2"  # stands for this machine's address in the local network
            page, cookie = await house.page(), house.cookie()
            assert page.told.last["welcome"]["local"]
            opened_ = await page.ask("open_network", open=True)
            assert opened_ == {"address": f"http://127.0.0.2:{network.port}", "shared": True}
            other = Open(house.site, opened_["address"])
            assert (await other.get("/", cookie)).status == 200
            friend = await other.page(cookie)
            assert friend.told.last["welcome"]["address"] == opened_["address"]
            await page.ask("open_network", open=False)
            assert (await house.get("/", Host=f"127.0.0.2:{network.port}")).status == 421
            await other.close()

    asyncio.run(scene())


def test_only_this_machine_has_the_switch() -> None:
    async def scene() -> None:
        async with opened(haste=1.0) as house:
            page = await house.page()
            (socket,) = house.site.sockets
            socket.local = False
            with pytest.raises(Refused, match="not_local"):
                await page.ask("open_network", open=True)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("host", "public", "admitted", "refused"),
    [
        ("127.0.0.1", None, ["127.0.0.1:80", "localhost:80", "[::1]:80"], ["example.org", "10.0.0.5:80", "127.0.0.1"]),
        ("10.0.0.5", None, ["10.0.0.5:80", "anything:80"], []),
        ("127.0.0.1", "https://play.example.org/", ["play.example.org", "127.0.0.1:80"], ["example.org"]),
        ("0.0.0.0", "https://play.example.org", ["play.example.org"], ["example.org", "play.example.org.evil"]),  # noqa: S104
    ],
)
def test_which_names_lead_here(host: str, public: str | None, admitted: list[str], refused: list[str]) -> None:
    network = Network(None, host, 80, public, hurried=False, look_up=lambda: "10.0.0.5")  # type: ignore[arg-type]

    assert [name for name in admitted if not network.admits(name)] == []
    assert [name for name in refused if network.admits(name)] == []


def fails(card: str) -> None:
    try:
        dict[str, str]()[card]
    except KeyError as error:
        raise ValueError(f"what is {card}?") from error


def test_the_log_of_a_bug_names_no_card() -> None:
    try:
        fails("Rope")
    except ValueError:
        record = logging.LogRecord("house", logging.ERROR, __file__, 1, "it failed", None, sys.exc_info())
    told = Discreet("%(message)s").format(record)
    assert told.startswith("it failed\n")
    assert "in fails" in told
    assert "KeyError" in told
    assert told.endswith("ValueError")
    assert told.count("Rope") == 1  # in the test's own line of code


@pytest.mark.parametrize(
    ("error", "told"), [(BadHttpMessage("no"), False), (ConnectionResetError(), False), (KeyError("a card"), True)]
)
def test_the_log_has_our_faults_and_not_those_of_clients(error: Exception, *, told: bool) -> None:
    record = logging.makeLogRecord({"msg": "a request failed", "exc_info": (type(error), error, None)})

    assert OwnFaults().filter(record) is told
    assert OwnFaults().filter(logging.makeLogRecord({"msg": "the disk is full"}))


def test_a_cookie_that_is_no_text_is_nobodys() -> None:
    async def scene() -> None:
        async with opened() as house:
            host, port = house.address.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET /api/me HTTP/1.1\r\nHost: {host}:{port}\r\n".encode())
            writer.write(f"Cookie: {COOKIE}=".encode() + b"\xff.x\r\n\r\n")
            assert (await reader.readline()).split()[1] == b"403"
            writer.close()

    asyncio.run(scene())


@pytest.mark.parametrize("name", ["a\0", "\udcff", "a\nb"])
def test_a_name_that_no_table_can_have_asks_no_store(name: str) -> None:
    class Strict(MemoryStore):
        async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
            assert table.isprintable()  # PostgreSQL takes no NUL, SQLite no half of a character
            return await super().read(table, stream, after)

    async def scene() -> None:
        with pytest.raises(NoTable):
            await Host(Strict(), MemoryBus(), WallClock()).get(name)

    asyncio.run(scene())
