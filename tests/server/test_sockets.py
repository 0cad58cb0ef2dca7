"""Pages that ask too much or read too slowly are told so and sent away; what waits for them has a limit."""

import asyncio
import time
from typing import Any, cast

import msgspec
import pytest
from aiohttp import WSCloseCode, WSMsgType, web

from tests.server.sites import opened, terms_of
from tests.server.test_create import stored
from whodunit.core.wire import encode
from whodunit.infra.memory import MemoryStore
from whodunit.server import protocol, sockets
from whodunit.server.padding import padded
from whodunit.server.rate_limit import RateLimit
from whodunit.server.sockets import QUEUE_BYTES, QUEUE_FRAMES, Socket


def test_a_page_that_asks_too_much_is_sent_away() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store, rate=20) as house:
            page = await house.page()
            for number in range(200):
                await page.send(msgspec.json.encode({"type": "create_table", "n": number, **terms_of()}))

            assert await page.ended() == WSCloseCode.GOING_AWAY
            assert page.told.last["goodbye"]["reason"] == "too_many"
            assert 60 <= stored(store) / 2 <= 120  # a burst of 60, and some while they were answered
            other = await house.page()
            await other.ask("watch_lobby")  # nobody else minds

    asyncio.run(scene())


def test_a_limit_fills_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    limit = RateLimit(rate=2, burst=3)
    assert [limit.admits() for _ in range(5)] == [True] * 3 + [False] * 2
    now += 1
    assert [limit.admits() for _ in range(3)] == [True, True, False]
    now += 3600
    assert [limit.admits() for _ in range(5)] == [True] * 3 + [False] * 2


class Stuck:
    """A reader behind which nothing moves until it is let go."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.sent: list[bytes] = []
        self.code: int | None = None

    async def send_frame(self, frame: bytes, kind: WSMsgType) -> None:
        assert kind is WSMsgType.TEXT
        await self.gate.wait()
        self.sent.append(frame)

    async def close(self, *, code: int, message: bytes) -> None:
        del message
        self.code = code


class Reading:
    """A socket with its writer, and what it was resynced with."""

    def __init__(self) -> None:
        self.ws = Stuck()
        self.page = Socket("ada", local=True, limit=RateLimit(1, 1))
        self.writer = asyncio.ensure_future(self.page.write(cast(web.WebSocketResponse, self.ws), self.resync))

    async def resync(self) -> None:
        self.page.send(b"everything anew")

    async def end(self) -> list[Any]:
        self.ws.gate.set()
        await asyncio.wait_for(self.writer, 5)
        return self.ws.sent


def test_a_reader_that_falls_behind_is_told_everything_anew() -> None:
    async def scene() -> None:
        reading = Reading()
        for number in range(QUEUE_FRAMES + 50):
            reading.page.send(b"%d" % number)
            await asyncio.sleep(0)
        reading.ws.gate.set()
        await asyncio.sleep(0.01)
        assert reading.ws.sent[-1] == b"everything anew"
        assert len(reading.ws.sent) <= 3  # nothing of what it has missed
        reading.page.send(b"news")
        await asyncio.sleep(0.01)
        assert reading.ws.sent[-1] == b"news"
        reading.writer.cancel()

    asyncio.run(scene())


def test_a_reader_that_falls_behind_loses_no_reply() -> None:
    async def scene() -> None:
        reading = Reading()
        reading.page.send(b"news")  # is on its way, and stuck
        await asyncio.sleep(0.01)
        reading.page._send_reply(protocol.Done(n=41))
        for _ in range(QUEUE_FRAMES + 50):
            reading.page.send(b"news")
        reading.page._send_reply(protocol.Done(n=42))
        reading.ws.gate.set()
        await asyncio.sleep(0.01)
        replies = [padded(encode(protocol.Done(n=n))) for n in (41, 42)]
        assert reading.ws.sent == [b"news", *replies, b"everything anew"]
        reading.writer.cancel()

    asyncio.run(scene())


def test_a_reader_that_lets_replies_wait_without_end_is_sent_away() -> None:
    async def scene() -> None:
        reading = Reading()
        for number in range(QUEUE_FRAMES + 50):
            reading.page._send_reply(protocol.Done(n=number))
        assert reading.page.waiting == 0
        sent = await reading.end()
        assert msgspec.json.decode(sent[-1]) == {"type": "goodbye", "reason": "too_slow"}

    asyncio.run(scene())


def test_a_reader_that_falls_behind_again_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        reading = Reading()
        for _ in range(2):
            for _ in range(QUEUE_FRAMES + 2):
                reading.page.send(b"news")
            reading.ws.gate.set()
            await asyncio.sleep(0.01)
            reading.ws.gate.clear()
        sent = await reading.end()

        assert msgspec.json.decode(sent[-1]) == {"type": "goodbye", "reason": "too_slow"}
        assert reading.ws.code == WSCloseCode.GOING_AWAY

    asyncio.run(scene())
    monkeypatch.setattr(sockets, "SLOW_AGAIN_S", 0.0)

    async def later() -> None:
        reading = Reading()
        for _ in range(3):
            for _ in range(QUEUE_FRAMES + 2):
                reading.page.send(b"news")
            reading.ws.gate.set()
            await asyncio.sleep(0.01)
            reading.ws.gate.clear()
        reading.ws.gate.set()
        assert reading.ws.code is None  # being slow now and then is no crime
        reading.writer.cancel()

    asyncio.run(later())


@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_what_waits_for_a_slow_reader_is_bounded(size: int) -> None:
    async def scene() -> None:
        reading = Reading()
        frame = bytes(size)
        for number in range(2000):
            reading.page.send(frame)
            assert len(reading.page._queue) <= QUEUE_FRAMES
            assert sum(map(len, reading.page._queue)) == reading.page._queued <= QUEUE_BYTES
            if number % 100 == 0:
                await asyncio.sleep(0)
        reading.writer.cancel()

    asyncio.run(scene())


def test_a_page_that_never_reads_holds_nobody_up() -> None:
    async def scene() -> None:
        async with opened() as house:
            ada, eve = await house.page(), await house.page()
            terms = terms_of(chairs=[None, None], public=True)
            table = (await ada.ask("create_table", **terms))["table"]
            await eve.ask("watch_table", table=table)
            assert eve.ws._response.connection is not None
            transport = eve.ws._response.connection.transport
            assert transport is not None
            transport.pause_reading()
            text = "x" * 3900
            await ada.ask("watch_table", table=table)
            began = time.monotonic()
            for number in range(300):
                await ada.ask("jot", table=table, text=f"{number}{text}")
                await eve.ws.send_json({"type": "watch_table", "n": number, "table": table})
            (slow,) = [page for page in house.site.sockets if page.person != live_person(house.site, table)]

            assert time.monotonic() - began < 10
            assert slow._queued <= QUEUE_BYTES
            assert len(slow._queue) <= QUEUE_FRAMES
            transport.resume_reading()

    def live_person(site: Any, table: str) -> str:
        person: str = site.host.tables[table].room.chairs[0].people[0]
        return person

    asyncio.run(scene())


def test_a_page_in_the_hall_that_missed_something_is_shown_the_hall_anew() -> None:
    async def scene() -> None:
        async with opened() as house:
            hall, table = (Socket(person, local=True, limit=RateLimit(1, 1)) for person in ("ada", "bob"))
            await house.site.lobby.enter(hall)
            for page in (hall, table):
                page._queue.clear()
                await house.site._resync(page)

            assert [msgspec.json.decode(frame)["type"] for frame in hall._queue] == ["lobby"]
            assert table._queue == []

    asyncio.run(scene())
