"""Connections that note the moment at which each thing arrives: as little as possible lies between it and the clock."""

import asyncio
import base64
from collections.abc import Callable
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

KEY = base64.b64encode(bytes(16)).decode()
"""Of a handshake: whose reply nobody checks, as the server is ours."""
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
PATIENCE_S = 20.0


class Frame(Struct):
    """What is read of a frame that the server sent."""

    type: str
    n: int = 0
    table: str = ""
    seq: int = 0
    reason: str = ""


class Pushed(Struct):
    """A frame that answers no ask, and when it came."""

    at: float
    frame: Frame
    body: bytes


def framed(body: bytes, code: int = TEXT) -> bytes:
    """Return a frame as clients send it: masked (RFC 6455, 5.3), with zeros, which change nothing."""
    size = len(body)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes((0x80 | code,)) + length + bytes(4) + body


def parted(data: bytearray) -> list[tuple[int, bytes]]:
    """Take the frames that are whole out of what has arrived: each one's kind and content."""
    frames = []
    while len(data) >= 2:
        size, start = data[1] & 0x7F, 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start])
        if len(data) < start + size:
            break
        frames.append((data[0] & 0x0F, bytes(data[start : start + size])))
        del data[: start + size]
    return frames


_FRAMES = msgspec.json.Decoder(Frame)


class Wire(asyncio.Protocol):
    """A page without a page: one socket of one person."""

    def __init__(self) -> None:
        self.replies: dict[int, tuple[float, Frame]] = {}
        """By the number of the ask: when the reply came, and what it was."""
        self.pushed: list[Pushed] = []
        self.heard: Callable[[Pushed], None] | None = None
        """Called with every frame that answers no ask, at the moment it comes."""
        self.last = 0
        """The number of the last ask."""
        self._data = bytearray()
        self._is_open = False
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    async def open(self, port: int, cookie: str) -> "Wire":
        """Connect as the person who has this cookie."""
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)
        self.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Cookie: whodunit={cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await asyncio.wait_for(self._opened, PATIENCE_S)
        return self

    # --- Out ---

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self._transport is not None
        self._transport.write(data)

    def framed(self, kind: str, **fields: Any) -> tuple[int, bytes]:
        """Return the number of a new ask, and its frame: several frames can be sent in one piece."""
        self.last += 1
        return self.last, framed(msgspec.json.encode({"type": kind, "n": self.last, **fields}))

    def send(self, kind: str, **fields: Any) -> int:
        """Send an ask; return its number."""
        number, frame = self.framed(kind, **fields)
        self.write(frame)
        return number

    async def replied(self, number: int) -> float:
        """Wait for the reply to an ask; return when it came."""
        if number not in self.replies:
            future = self._waiting[number] = asyncio.get_running_loop().create_future()
            await asyncio.wait_for(future, PATIENCE_S)
        return self.replies[number][0]

    async def ask(self, kind: str, **fields: Any) -> Frame:
        """Send an ask and wait for what becomes of it."""
        number = self.send(kind, **fields)
        await self.replied(number)
        return self.replies[number][1]

    def forget(self) -> None:
        """Drop what has come so far."""
        self.replies.clear()
        self.pushed.clear()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    # --- In ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        self._data += data
        if not self._is_open:
            head, blank, rest = bytes(self._data).partition(b"\r\n\r\n")
            if not blank:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self._opened.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._data = bytearray(rest)
            self._is_open = True
            self._opened.set_result(None)
        for code, body in parted(self._data):
            if code == PING:
                self.write(framed(body, PONG))
            elif code == TEXT:
                self._take(now, body)

    def _take(self, now: float, body: bytes) -> None:
        frame = _FRAMES.decode(body)
        if frame.type in {"done", "refused"}:
            self.replies[frame.n] = (now, frame)
            if (waiting := self._waiting.pop(frame.n, None)) and not waiting.done():
                waiting.set_result(None)
            return
        pushed = Pushed(now, frame, body)
        self.pushed.append(pushed)
        if self.heard is not None:
            self.heard(pushed)


class Request(asyncio.Protocol):
    """One request over a connection of its own, which is made beforehand."""

    def __init__(self, port: int, path: str, cookie: str) -> None:
        self.took: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        """How long its answer took to begin, in seconds."""
        self.status = 0
        self._port = port
        self._head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: whodunit={cookie}\r\n"
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None

    async def open(self, source: str) -> "Request":
        """Connect from this address of the machine's own: the site counts the requests of each."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", self._port, local_addr=(source, 0))
        return self

    def send(self) -> None:
        """Send it."""
        assert self._transport is not None
        self._sent = perf_counter()
        self._transport.write(f"{self._head}Connection: close\r\n\r\n".encode())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self.took.done():
            self.status = int(data.split(b" ", 2)[1])
            self.took.set_result(perf_counter() - self._sent)

    def connection_lost(self, _: Exception | None) -> None:
        if not self.took.done():
            self.took.set_exception(ConnectionError("a request was not answered"))
