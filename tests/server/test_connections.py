"""Who may hold connections and sockets, how many, and for how long: with real ones, from several addresses."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, DummyCookieJar, TCPConnector, WSServerHandshakeError

from tests.server.sites import Open, opened
from whodunit.server import app, connections, serve
from whodunit.server.connections import Connections, Held
from whodunit.server.limits import USUAL, Limits
from whodunit.server.network import networks
from whodunit.server.people import COOKIE

PUBLIC = "http://whodunit.example"  # with a public address nobody is the host, and everybody counts
HEAD = b"GET /health HTTP/1.1\r\nHost: whodunit.example\r\nX-Padding: aaaa"
SOON = 20


@pytest.fixture(autouse=True, params=[asyncio.SelectorEventLoop, serve._loop_factory()], ids=["plain", "served"])
def _loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run on Python's own loop, and on the one that the site takes: their connections are not of one kind."""

    def run(scene: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(scene)

    monkeypatch.setattr(asyncio, "run", run)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a moment for what may take seconds."""
    for name in ("HEAD_S", "LINGER_S"):
        monkeypatch.setattr(connections, name, 0.2)
    monkeypatch.setattr(app, "BODY_S", 0.2)


class Line:
    """A connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ended(self) -> bytes:
        """Wait until the other side hangs up, and return what it said."""
        try:
            return await asyncio.wait_for(self.reader.read(), SOON)
        except ConnectionError:
            return b""
        finally:
            self.writer.close()


async def line(house: Open, sent: bytes = b"", host: str = "127.0.0.1") -> Line:
    port = int(house.address.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
    writer.write(sent)
    return Line(reader, writer)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON):
        while not true():  # noqa: ASYNC110  (a number, not an event)
            await asyncio.sleep(0.005)


def held(house: Open) -> list[object]:
    return [*house.site.web_runner.connections.connections]


class Household:
    """Whoever shares an address."""

    def __init__(self, house: Open, host: str, forwarded: str | None) -> None:
        self._house = house
        self._pages: list[ClientWebSocketResponse] = []
        self._session = ClientSession(
            cookie_jar=DummyCookieJar(), connector=TCPConnector(local_addr=(host, 0), limit=0)
        )
        self._headers = {"Origin": house.address} | ({"X-Forwarded-For": forwarded} if forwarded else {})

    async def page(self, cookie: str | None = None) -> ClientWebSocketResponse:
        headers = self._headers | {"Cookie": f"{COOKIE}={cookie or self._house.cookie()}"}
        page = await self._session.ws_connect(f"{self._house.address}/ws", headers=headers)
        self._pages.append(page)  # what nobody holds would be closed
        return page

    async def asked(self, path: str, cookie: str = "") -> tuple[int, str]:
        headers = self._headers | {"Cookie": f"{COOKIE}={cookie}"}
        async with self._session.get(f"{self._house.address}{path}", headers=headers) as response:
            return response.status, await response.text()

    async def close(self) -> None:
        for page in self._pages:
            await page.close()
        await self._session.close()


async def at(house: Open, stack: AsyncExitStack, host: str, forwarded: str | None = None) -> Household:
    found = Household(house, host, forwarded)
    stack.push_async_callback(found.close)
    return found


async def turned_away(home: Household, cookie: str | None = None) -> int:
    with pytest.raises(WSServerHandshakeError) as refused:
        await home.page(cookie)
    return refused.value.status


# --- Time ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "sent", [b"", b"G", HEAD, HEAD + b"\r\n"], ids=["nothing", "a letter", "half", "all but the end"]
)
def test_a_head_that_does_not_end_is_not_waited_for(sent: bytes) -> None:
    async def scene() -> None:
        async with opened() as house:
            lines = [await line(house, sent) for _ in range(40)]
            assert [await each.ended() for each in lines] == [b""] * len(lines)
            await until(lambda: not held(house))

    asyncio.run(scene())


@pytest.mark.usefixtures("_impatient")
def test_a_head_that_drips_is_not_waited_for() -> None:
    async def scene() -> None:
        async with opened() as house:
            slow = await line(house, HEAD)

            async def drip() -> None:
                while True:
                    slow.writer.write(b"a")
                    await asyncio.sleep(0.01)

            dripping = asyncio.ensure_future(drip())
            assert await slow.ended() == b""
            await until(lambda: not held(house))
            dripping.cancel()

    asyncio.run(scene())


@pytest.mark.usefixtures("_impatient")
def test_the_next_request_on_a_connection_has_no_more_time() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            slow = await line(house, HEAD + b"\r\n\r\n" + HEAD)
            assert (await slow.ended()).startswith(b"HTTP/1.1 200 OK")
            await until(lambda: not held(house))

    asyncio.run(scene())


POST = b"POST /api/join HTTP/1.1\r\nHost: whodunit.example\r\nOrigin: http://whodunit.example\r\nContent-Length: 15\r\n"


@pytest.mark.usefixtures("_impatient")
def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            posted = POST + f"Cookie: {COOKIE}={house.cookie()}\r\n\r\n".encode()
            slow, unread = await line(house, posted + b'{"code'), await line(house, POST + b"\r\n{")
            assert (await slow.ended()).startswith(b"HTTP/1.1 408")
            assert (await unread.ended()).startswith(b"HTTP/1.1 403")
            await until(lambda: not held(house))

    asyncio.run(scene())


def test_a_slow_request_within_the_bounds_is_answered() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            slow = await line(house)
            posted = (
                POST + f"Cookie: {COOKIE}={house.cookie()}\r\nConnection: close\r\n\r\n".encode() + b'{"code": "ABC"}'
            )
            for letter in posted:
                slow.writer.write(bytes([letter]))
                await asyncio.sleep(0.001)
            said = await slow.ended()
            assert said.startswith(b"HTTP/1.1 409")
            assert b"no_invitation" in said or b"reason" in said

    asyncio.run(scene())


@pytest.mark.usefixtures("_impatient")
def test_a_page_may_be_silent_for_longer_than_a_head() -> None:
    async def scene() -> None:
        async with opened() as house:
            page = await house.page()
            lines = [await line(house, HEAD) for _ in range(3)]
            for each in lines:
                await each.ended()
            await page.ask("leave_lobby")
            assert len(held(house)) == 1

    asyncio.run(scene())


def test_an_answer_that_nobody_reads_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_S", 0.2)

    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house:
            big = app.STATIC / "assets" / "big.js"
            big.write_bytes(b" " * 32_000_000)
            try:
                deaf = await line(house, HEAD.replace(b"/health", b"/assets/big.js") + b"\r\n\r\n")
                await until(lambda: held(house))
                await until(lambda: not held(house))
                deaf.writer.close()
            finally:
                big.unlink()

    asyncio.run(scene())


# --- Numbers ---------------------------------------------------------------------------------------------------------

FEW = Limits(sockets_household=6, sockets_person=4, connections_household=10)


def test_one_page_too_many_of_a_household_is_refused_and_another_household_comes_in() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            home, other = await at(house, stack, "127.0.0.2"), await at(house, stack, "127.0.0.3")
            pages = [await home.page() for _ in range(FEW.sockets_household)]
            assert await turned_away(home) == 429
            status, why = await home.asked("/ws")  # as a page asks that was refused
            assert (status, why) == (429, "Too many pages are open where you are; close some, or wait a little.")
            assert len(house.site.sockets) == FEW.sockets_household
            await other.page()
            for page in pages:  # they go on
                await page.send_str('{"type":"leave_lobby","n":1}')
                assert '"welcome"' in (await page.receive_str())
                assert '"done"' in (await page.receive_str())
            await pages[0].close()
            await home.page()
            assert await turned_away(home) == 429

    asyncio.run(scene())


def test_a_person_may_have_some_pages_and_not_more() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            homes = [await at(house, stack, f"127.0.0.{number}") for number in (2, 3, 4)]
            cookie = house.cookie()
            pages = [await homes[number % 2].page(cookie) for number in range(FEW.sockets_person)]
            assert await turned_away(homes[2], cookie) == 429
            assert (await homes[2].asked("/ws", cookie)) == (429, "You have too many pages open; close some.")
            assert (await homes[2].asked("/ws"))[0] == 204
            await homes[2].page()
            await pages[0].close()
            await homes[2].page(cookie)

    asyncio.run(scene())


def test_what_was_refused_is_not_counted() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            home = await at(house, stack, "127.0.0.2")
            for _ in range(3 * FEW.sockets_household):
                assert (await home.asked("/ws"))[0] == 204
            assert await turned_away(home, "nobody.0") == 403
            for _ in range(FEW.sockets_household):
                await home.page()

    asyncio.run(scene())


def test_a_page_whose_line_breaks_is_given_back() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            for _ in range(3):
                async with AsyncExitStack() as broken:
                    home = await at(house, broken, "127.0.0.2")
                    pages = [await home.page() for _ in range(FEW.sockets_household)]
                    for page in pages:
                        transport = page._writer.transport
                        assert transport is not None
                        transport.abort()
                    await until(lambda: not house.site.sockets and not held(house))
            home = await at(house, stack, "127.0.0.2")
            await home.page()

    asyncio.run(scene())


def test_households_behind_a_proxy_are_told_apart() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            house.site._proxies = networks(["127.0.0.9"])
            home, other = [await at(house, stack, "127.0.0.9", who) for who in ("192.0.2.1", "192.0.2.2")]
            for _ in range(FEW.sockets_household):
                await home.page()
            assert await turned_away(home) == 429
            for _ in range(FEW.sockets_household):  # and so the proxy has more connections than one household may
                await other.page()
            forged = await at(house, stack, "127.0.0.2", "192.0.2.1")  # counts by its own address
            await forged.page()

    asyncio.run(scene())


def test_the_host_has_no_such_limit() -> None:
    async def scene() -> None:
        async with opened(limits=FEW) as house:
            cookie = house.cookie()
            for _ in range(2 * FEW.connections_household):
                await house.page(cookie)

    asyncio.run(scene())


def test_one_connection_too_many_is_told_so_and_many_more_are_cut_off() -> None:
    async def scene() -> None:
        async with opened(public_url=PUBLIC, limits=FEW) as house, AsyncExitStack() as stack:
            idle = [await line(house, host="127.0.0.2") for _ in range(FEW.connections_household)]
            await until(lambda: len(held(house)) == FEW.connections_household)
            said = await (await line(house, HEAD + b"\r\n\r\n", "127.0.0.2")).ended()
            assert said.startswith(b"HTTP/1.1 429")
            assert said.endswith(b"Too many connections from where you are; wait a little.")
            await until(lambda: len(held(house)) == FEW.connections_household)
            over = [await line(house, host="127.0.0.2") for _ in range(50)]
            ended = [asyncio.ensure_future(each.ended()) for each in over]
            await until(lambda: sum(each.done() for each in ended) == len(over) - 1)
            assert len(held(house)) == FEW.connections_household + 1
            other = await at(house, stack, "127.0.0.3")
            await other.page()
            for each in (*idle, *over):
                each.writer.close()
            await until(lambda: len(held(house)) == 1)
            home = await at(house, stack, "127.0.0.2")
            await home.page()
            await asyncio.gather(*ended)

    asyncio.run(scene())


def test_of_whoever_has_nothing_nothing_is_kept() -> None:
    counted = Held()
    with counted.one("home") as first, counted.one("home") as second:
        assert (first, second, counted["home"]) == (1, 2, 2)
    assert not counted._counts

    async def scene() -> None:
        async with opened(public_url=PUBLIC) as house, AsyncExitStack() as stack:
            home = await at(house, stack, "127.0.0.2")
            page = await home.page()
            server = house.site.web_runner.connections
            assert isinstance(server, Connections)
            assert server._held["127.0.0.2"] == 1
            await page.close()
            await home.close()
            await until(lambda: not held(house))
            assert not server._held._counts
            assert not server._households
            assert not house.site._held_by_households._counts
            assert not house.site._held_by_people._counts

    asyncio.run(scene())


def test_the_usual_limits_leave_room_for_a_school() -> None:
    assert USUAL.sockets_person < USUAL.sockets_household < USUAL.connections_household
