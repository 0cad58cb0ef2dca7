"""What guards the doors: names, origins, cookies and headers."""

import asyncio
import logging
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Literal

import pytest
from aiohttp import ClientSession, DummyCookieJar, WSServerHandshakeError
from aiohttp.hdrs import METH_GET, METH_POST, METH_PUT
from aiohttp.http_exceptions import BadHttpMessage

from tests.server.client import Refused
from tests.server.sites import Open, opened
from whodunit.core.errors import BadOptions, NoTable
from whodunit.core.ports import Record
from whodunit.host.host import Host
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.server import app
from whodunit.server.cookies import HOST_COOKIE
from whodunit.server.network import Network, is_loopback, networks
from whodunit.server.people import COOKIE
from whodunit.server.serve import Discreet, OwnFaults, Settings, check

HTTPS = "https://whodunit.example"
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
    (METH_GET, "/ws", 204),
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
            assert SimpleCookie(response.headers["Set-Cookie"])[HOST_COOKIE]["secure"]
            assert await connects(house, house.cookie(), "https://whodunit.example", Host="whodunit.example")
            assert not await connects(house, house.cookie(), "http://whodunit.example.evil", Host="whodunit.example")

    asyncio.run(scene())


async def page_cookies(house: Open, sent: dict[str, str]) -> "SimpleCookie":
    """Load a page over https with these cookies, and return what it sets."""
    cookie = "; ".join(f"{name}={value}" for name, value in sent.items())
    response = await house.get("/", Host="whodunit.example", **({"Cookie": cookie} if cookie else {}))
    assert response.status == 200
    given = SimpleCookie()
    for line in response.headers.getall("Set-Cookie", ()):
        given.load(line)
    return given


def test_behind_tls_an_older_cookie_is_replaced_and_its_person_stays() -> None:
    async def scene() -> None:
        async with opened(public_url=HTTPS) as house:
            known = house.site.people.known
            old, new, forged = house.cookie(), house.cookie(), "me.0"
            given = await page_cookies(house, {})
            assert set(given) == {HOST_COOKIE}
            assert given[HOST_COOKIE]["secure"]
            assert (given[HOST_COOKIE]["path"], given[HOST_COOKIE]["domain"]) == ("/", "")

            given = await page_cookies(house, {COOKIE: old})
            assert known(given[HOST_COOKIE].value) == known(old)
            assert given[COOKIE]["max-age"] == "0"

            assert not await page_cookies(house, {HOST_COOKIE: new})
            given = await page_cookies(house, {HOST_COOKIE: new, COOKIE: old})  # the one that no other host can set
            assert set(given) == {COOKIE}
            assert given[COOKIE]["max-age"] == "0"
            given = await page_cookies(house, {HOST_COOKIE: forged, COOKIE: old})
            assert known(given[HOST_COOKIE].value) == known(old)
            given = await page_cookies(house, {HOST_COOKIE: new, COOKIE: forged})
            assert set(given) == {COOKIE}
            given = await page_cookies(house, {HOST_COOKIE: forged, COOKIE: forged})
            assert known(given[HOST_COOKIE].value) not in {None, known(old), known(new)}

    asyncio.run(scene())


@pytest.mark.parametrize("names", [(HOST_COOKIE, COOKIE), (COOKIE, HOST_COOKIE)])
def test_behind_tls_the_cookie_that_only_we_can_set_says_who_asks(names: tuple[str, str]) -> None:
    async def scene() -> None:
        async with opened(public_url=HTTPS) as house:
            people = {HOST_COOKIE: house.cookie(), COOKIE: house.cookie()}
            cookie = "; ".join(f"{name}={people[name]}" for name in names)
            ours = {"Origin": HTTPS, "Host": "whodunit.example", "Cookie": cookie}
            assert await connects(house, None, HTTPS, Host="whodunit.example", Cookie=f"{COOKIE}={people[COOKIE]}")
            async with (
                ClientSession(cookie_jar=DummyCookieJar()) as session,
                session.ws_connect(f"{house.address}/ws", headers=ours),
            ):
                (page,) = house.site.sockets
                assert page.person == house.site.people.known(people[HOST_COOKIE])
            forgotten = await house.post("/api/forget", {"sure": True}, **ours)
            assert forgotten.status == 204
            gone = [SimpleCookie(line) for line in forgotten.headers.getall("Set-Cookie")]
            assert {name for each in gone for name in each} == {HOST_COOKIE, COOKIE}
            assert all(each[HOST_COOKIE]["secure"] for each in gone if HOST_COOKIE in each)

    asyncio.run(scene())


def test_without_tls_the_prefix_says_nothing() -> None:
    async def scene() -> None:
        async with opened() as house:
            sent = {"Cookie": f"{HOST_COOKIE}={house.cookie()}"}
            assert COOKIE in SimpleCookie((await house.get("/", **sent)).headers["Set-Cookie"])
            assert not await connects(house, None, house.address, **sent)

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
            assert SimpleCookie(given)[HOST_COOKIE]["secure"]

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


HERE = ["127.0.0.1:80", "localhost:80", "LOCALHOST:80", "[::1]:80", "127.0.0.1"]
NOWHERE = [
    "",
    ":80",
    "example.org",
    "example.org:80",
    "a@127.0.0.1:80",
    "127.0.0.1:80:80",
    "127.0.0.1:",
    "[::1",
    "0x7f.1",
]


@pytest.mark.parametrize(
    ("host", "public", "admitted", "refused"),
    [
        ("127.0.0.1", None, HERE, [*NOWHERE, "10.0.0.5:80", "attic:80", "127.0.0.1:81"]),
        ("10.0.0.5", None, [*HERE, "10.0.0.5:80", "192.168.7.7:80", "[fd00::5]:80"], [*NOWHERE, "10.0.0.5:81"]),
        ("0.0.0.0", None, [*HERE, "10.0.0.5", "attic:80", "attic.local", "Attic.Local"], [*NOWHERE, "attic.evil"]),  # noqa: S104
        ("127.0.0.1", "https://play.example.org/", [*HERE, "play.example.org", "play.example.org:443"], NOWHERE),
        ("127.0.0.1", "https://play.example.org:443", ["play.example.org"], [*NOWHERE, "play.example.org:80"]),
        ("127.0.0.1", "http://play.example.org:81", ["play.example.org:81"], [*NOWHERE, "play.example.org"]),
        ("0.0.0.0", "https://play.example.org", ["play.example.org", "10.0.0.5:80"], NOWHERE),  # noqa: S104
        ("0.0.0.0", "https://play.example.org", [], ["attic:80", "attic.local"]),  # noqa: S104
    ],
)
def test_which_names_lead_here(
    host: str, public: str | None, admitted: list[str], refused: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Attic")
    network = Network(None, host, 80, public, hurried=False, look_up=lambda: "10.0.0.5")  # type: ignore[arg-type]

    assert [name for name in admitted if not network.admits(name)] == []
    assert [name for name in refused if network.admits(name)] == []


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104
def test_a_host_may_allow_more_names(host: str) -> None:
    allowed = ["whodunit.lan", "Games.Example:8443"]
    network = Network(None, host, 8080, None, hurried=False, allowed=allowed)  # type: ignore[arg-type]

    for name in ("whodunit.lan", "whodunit.lan:8080", "WHODUNIT.lan", "games.example:8443"):
        assert network.admits(name)
    for name in ("whodunit.lan:81", "games.example", "games.example:8080", "lan", "evil.whodunit.lan"):
        assert not network.admits(name)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"names": ("a/b",)}, "'a/b' is no host name"),
        ({"local": ("nowhere",)}, "an address or a network"),
        ({"public_url": "https://"}, "names no host"),
        ({"public_url": "https://a:b:c"}, "names no host"),
    ],
)
def test_settings_that_name_nothing_are_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadOptions, match=told):
        check(Settings(**changes))


def test_a_name_that_was_turned_to_an_open_site_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened() as house:
            monkeypatch.setattr(house.site.network, "_host", "0.0.0.0")  # noqa: S104
            cookie, port = house.cookie(), house.address.rpartition(":")[2]
            evil = f"evil.example:{port}"
            assert not await connects(house, cookie, f"http://{evil}", Host=evil)
            assert (await house.get("/", Host=evil)).status == 421
            assert await connects(house, cookie, f"http://10.0.0.5:{port}", Host=f"10.0.0.5:{port}")

    asyncio.run(scene())


# --- Who counts as the host ------------------------------------------------------------------------------------------

PUBLIC = "http://whodunit.example"


def test_behind_a_proxy_that_says_for_nobody_whom_it_asks_nobody_is_the_host() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            assert (await house.get("/metrics", Host="whodunit.example")).status == 404
            page = await house.page()
            assert not page.told.last["welcome"]["local"]
            with pytest.raises(Refused, match="not_local"):
                await page.ask("open_network", open=True)

    asyncio.run(scene())


def test_the_host_says_who_else_counts_as_the_host() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            assert house.site.network is not None
            house.site.network._local_networks = networks(["127.0.0.1"])
            assert (await house.get("/metrics")).status == 200
            assert (await house.get("/metrics", **{"X-Forwarded-For": "127.0.0.1"})).status == 404
            assert (await house.page()).told.last["welcome"]["local"]

    asyncio.run(scene())


def test_monitors_read_the_metrics_of_a_public_site() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            house.site._monitors = networks(["127.0.0.1"])
            assert (await house.get("/metrics")).status == 200

    asyncio.run(scene())


def test_who_comes_from_a_proxy_s_own_address_is_not_the_host() -> None:
    async def scene() -> None:
        async with opened() as house:
            assert (await house.page()).told.last["welcome"]["local"]
            house.site._proxies = networks(["127.0.0.1"])
            assert not (await house.page()).told.last["welcome"]["local"]

    asyncio.run(scene())


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
