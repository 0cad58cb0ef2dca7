"""One page's socket: reads asks at a bounded rate and has them answered, and sends frames from a bounded queue."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from whodunit.core.errors import (
    BadOptions,
    Conflict,
    Illegal,
    NoProcess,
    NoTable,
    NotStored,
    Overtaken,
    Refusal,
    StillOpen,
)
from whodunit.core.wire import encode
from whodunit.host.live import Live
from whodunit.server import protocol
from whodunit.server.padding import padded
from whodunit.server.rate_limit import RateLimit

LOG = logging.getLogger(__name__)

FRAME_BYTES: Final = 16 * 1024
"""The longest frame a page may send."""
QUEUE_FRAMES: Final = 256
QUEUE_BYTES: Final = 4 * 1024 * 1024
"""How much may wait for a slow reader before it is thrown away and told anew."""
AT_ONCE_BYTES: Final = 64 * 1024
"""With less than this on its way a reader keeps up."""
SLOW_AGAIN_S: Final = 30.0
"""A reader that is too slow twice within this time is sent away."""
HEARTBEAT_S: Final = 25.0


class Lane(Enum):
    """When an ask is answered."""

    IN_TURN = auto()
    """Before the next ask is read."""
    ASIDE = auto()
    """Beside the rest, when it is ready: it takes thought."""
    LONG = auto()
    """The same, and it may take many seconds: what is aside does not wait for its places."""
    ASIDE_IF_SLOW = auto()
    """Beside the rest at a table whose game decides slowly, else in turn."""


# Read for every ask, and an Enum's members take longer to find.
_IN_TURN: Final = Lane.IN_TURN
_ASIDE_IF_SLOW: Final = Lane.ASIDE_IF_SLOW
ASIDE_AT_ONCE: Final = 4
LONG_AT_ONCE: Final = 16
"""So many asks of a page are answered beside the rest at once; before the next is, no more is read from it."""


class Writes(Enum):
    """What an ask writes down; the last of these gives way first when room, or somebody's share, runs short."""

    NOTHING = auto()
    MOVE = auto()
    """A running game goes on by it."""
    WORDS = auto()
    """What is said, noted or set."""
    TABLE = auto()
    """A new table; whoever lays it counts it."""


_NOTHING: Final = Writes.NOTHING


class AskHandler(NamedTuple):
    """Who answers an ask of some type, and when."""

    answer: "Callable[[Socket, Any], Awaitable[object]]"
    """Of the page and its ask: do it, and return what the reply carries."""
    lane: Lane
    writes: Writes


Asks: TypeAlias = Mapping[type[protocol.Ask], AskHandler]

_ASKS: Final = msgspec.json.Decoder(protocol.AnyAsk)
_UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises: not JSON or not ours, not text, nested too deeply."""


@lru_cache(maxsize=8192)
def _header(size: int) -> bytes:
    """Return the header of a text frame that is whole and unmasked, as a server's are (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2) if size < 65536 else b"\x81\x7f" + size.to_bytes(8)


class Reply(bytes):
    """A frame that nobody can be told anew: every ask gets one."""


class Outbox:
    """Holds frames back until the loop's turn ends: whatever a socket is told in it goes out in one write."""

    def __init__(self) -> None:
        self._waiting: list[Socket] = []

    def add(self, socket: "Socket") -> None:
        """Empty this socket's queue when everything has been said that is said now."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._empty)
        self._waiting.append(socket)

    def _empty(self) -> None:
        waiting, self._waiting = self._waiting, []
        for socket in waiting:
            socket.flush()


def _unbounded(_page: "Socket", _writes: Writes, _length: int) -> str | None:
    """Refuse nothing."""
    return None


class Socket:
    """A page that is connected, for as long as it is."""

    def __init__(
        self,
        person: str,
        *,
        local: bool,
        limit: RateLimit,
        household: str = "",
        outbox: Outbox | None = None,
        transport: asyncio.Transport | None = None,
        quota: "Callable[[Socket, Writes, int], str | None]" = _unbounded,
    ) -> None:
        self.person = person
        self.local = local
        self.household = household
        """Who shares its internet connection: rate limits count them together."""
        self.watching: dict[str, Live] = {}
        self._limit = limit
        self._quota = quota
        self._outbox = outbox or Outbox()
        self._transport = transport
        self._writing = False
        self._queue: list[bytes | bytearray] = []  # nearly always empty, and then a tenth of a deque
        self._queued = 0
        self._ready = asyncio.Event()
        self._overflowed: float | None = None
        self._resync = False
        self._goodbye: protocol.Farewell | None = None
        self._is_deaf = False
        """Whether it must be told anew, or is sent away: what is told meanwhile is lost on it."""
        self._places = asyncio.Semaphore(ASIDE_AT_ONCE)
        self._long_places = asyncio.Semaphore(LONG_AT_ONCE)
        self._aside: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many frames wait for a slow reader."""
        return len(self._queue)

    def send(self, frame: bytes | bytearray) -> None:
        """Queue a frame; a reader that lets too many wait loses them, but for replies, and is told everything anew."""
        if self._is_deaf and (self._goodbye or not isinstance(frame, Reply)):
            return
        queue = self._queue
        if not queue:
            self._outbox.add(self)
        queue.append(frame)
        self._queued += len(frame)
        if self._queued > QUEUE_BYTES or len(queue) > QUEUE_FRAMES:
            self._overflow()

    def flush(self) -> None:
        """Send what is queued: past the writing task to a reader who keeps up, as waking one costs more than frames."""
        transport, queue = self._transport, self._queue
        if self._writing or not queue:
            return
        if transport is None or transport.is_closing() or transport.get_write_buffer_size() > AT_ONCE_BYTES:
            self._ready.set()
            return
        if len(queue) == 1:
            transport.write(_header(self._queued) + queue.pop())
        else:
            transport.write(b"".join([part for frame in queue for part in (_header(len(frame)), frame)]))
            queue.clear()
        self._queued = 0

    def _overflow(self) -> None:
        now = time.monotonic()
        self._queue[:] = [frame for frame in self._queue if isinstance(frame, Reply)]
        self._queued = sum(map(len, self._queue))
        is_full = self._queued > QUEUE_BYTES // 2 or len(self._queue) > QUEUE_FRAMES // 2
        if is_full or (self._overflowed is not None and now - self._overflowed < SLOW_AGAIN_S):
            self._queue.clear()
            self._queued = 0
            self.dismiss("too_slow")
        self._overflowed = now
        self._resync = self._is_deaf = True
        self._ready.set()

    def dismiss(self, reason: protocol.Farewell) -> None:
        """Say goodbye as soon as what is queued has gone out."""
        self._goodbye = self._goodbye or reason
        self._is_deaf = True
        self._ready.set()

    async def write(self, ws: web.WebSocketResponse, resync: Callable[[], Awaitable[None]]) -> None:
        """Send what is queued, until the goodbye."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            self._writing = True
            while self._queue:
                frame = self._queue.pop(0)
                self._queued -= len(frame)
                await ws.send_frame(bytes(frame), WSMsgType.TEXT)
            self._writing = False
            if self._goodbye:
                await ws.send_frame(encode(protocol.Goodbye(reason=self._goodbye)), WSMsgType.TEXT)
                await ws.close(code=WSCloseCode.GOING_AWAY, message=self._goodbye.encode())
                return
            if self._resync:
                self._resync = self._is_deaf = False
                await resync()

    async def read(self, ws: web.WebSocketResponse, asks: Asks) -> None:
        """Answer one ask after another, until the page leaves or misbehaves."""
        async for message in ws:
            if message.type not in {WSMsgType.TEXT, WSMsgType.BINARY}:
                break
            if not self._limit.admits():
                self.dismiss("too_many")
                continue
            try:
                ask = _ASKS.decode(message.data)
            except _UNREADABLE as error:
                self._send_reply(protocol.Refused(n=_number(message.data), reason="bad_ask", detail=str(error)))
                continue
            handler = asks[type(ask)]
            if handler.writes is not _NOTHING and (reason := self._quota(self, handler.writes, len(message.data))):
                self._send_reply(protocol.Refused(n=ask.n, reason=reason))
                continue
            lane = handler.lane
            if lane is _IN_TURN or (lane is _ASIDE_IF_SLOW and not self._is_slow(ask)):
                await self._answer(ask, handler)
            else:
                await self._answer_aside(ask, handler)

    async def _answer(self, ask: protocol.AnyAsk, handler: AskHandler) -> None:
        """Reply now, or to what is stored later, when it is: the page may ask something else meanwhile."""
        reply = await self._reply(ask, handler)
        if isinstance(reply, asyncio.Future):
            reply.add_done_callback(lambda stored: self._send_reply(settled(ask, stored)))
        else:
            self._send_reply(reply)

    def _is_slow(self, ask: Any) -> bool:
        """Say whether it takes time to decide what is asked: where something has to fall first."""
        live = self.watching.get(ask.table)
        return live is not None and live.game.INFO.sounds is not None

    async def _answer_aside(self, ask: protocol.AnyAsk, handler: AskHandler) -> None:
        """Answer what takes thought beside the rest, so that no move waits for it; a few at a time."""
        places = self._long_places if handler.lane is Lane.LONG else self._places
        await places.acquire()

        async def reply() -> None:
            try:
                await self._answer(ask, handler)
            except Exception:
                # A bug of ours, and nobody waits for this task: the page must not wait for ever either.
                self._send_reply(protocol.Refused(n=ask.n, reason="fault"))
                raise
            finally:
                places.release()

        task = asyncio.get_running_loop().create_task(reply())
        self._aside.add(task)
        task.add_done_callback(self._aside_ended)

    def _aside_ended(self, task: "asyncio.Task[None]") -> None:
        self._aside.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("a page's ask failed: %s", type(error).__name__, exc_info=error)

    def cancel_asks(self) -> None:
        """Stop thinking about what the page has asked: it has gone."""
        for task in self._aside:
            task.cancel()

    def _send_reply(self, reply: protocol.Done | protocol.Refused) -> None:
        self.send(Reply(padded(encode(reply))))

    async def _reply(
        self, ask: protocol.AnyAsk, handler: AskHandler
    ) -> "protocol.Done | protocol.Refused | asyncio.Future[None]":
        try:
            value = await handler.answer(self, ask)
        except Overtaken as overtaken:
            return protocol.Refused(n=ask.n, reason=overtaken.reason, now=overtaken.now)
        except Refusal as refusal:
            return protocol.Refused(n=ask.n, reason=refusal.reason, detail=refusal.detail)
        except Illegal:
            return _illegal(ask)
        except BadOptions as error:
            return protocol.Refused(n=ask.n, reason="bad_options", detail=str(error))
        except (NoTable, NotStored, StillOpen, Conflict) as error:
            return protocol.Refused(n=ask.n, reason=_REASONS[type(error)])
        except _UNREADABLE as error:
            return protocol.Refused(n=ask.n, reason="bad_ask", detail=str(error))
        return value if isinstance(value, asyncio.Future) else protocol.Done(n=ask.n, value=value)


def settled(ask: protocol.AnyAsk, stored: "asyncio.Future[None]") -> protocol.Done | protocol.Refused:
    """Return the reply to a choice that is stored now, or will never be: another answer was given."""
    return protocol.Done(n=ask.n) if not stored.cancelled() and stored.exception() is None else _illegal(ask)


def _illegal(ask: protocol.AnyAsk) -> protocol.Refused:
    # Not the error's text: that would repeat what was wished, in a frame that may be logged on its way.
    return protocol.Refused(n=ask.n, reason="illegal", detail="no offer of this `since` admits this action")


_REASONS: Final[dict[type[Exception], str]] = {
    NoTable: "no_table",
    NotStored: "not_stored",
    NoProcess: "overloaded",
    StillOpen: "still_open",
    Conflict: "busy",
}


class _Numbered(msgspec.Struct):
    n: int = 0


def _number(data: str | bytes) -> int:
    """Return the number of an ask that is otherwise not to be understood."""
    try:
        return msgspec.json.decode(data, type=_Numbered).n
    except _UNREADABLE:
        return 0
