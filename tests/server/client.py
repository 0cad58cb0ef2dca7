"""A page without a browser: asks, and keeps what it is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType


class Refused(Exception):
    """An ask was refused, with this reason."""


class Client:
    """One page of one person; frames are kept as they came."""

    def __init__(self, session: ClientSession, ws: ClientWebSocketResponse) -> None:
        self.session = session
        self.frames: list[bytes] = []
        self.last: dict[str, dict[str, Any]] = {}
        """The last frame of each type."""
        self.events: list[dict[str, Any]] = []
        self._ws = ws
        self._number = 0
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._reader = asyncio.get_running_loop().create_task(self._read())

    async def ask(self, type: str, **fields: Any) -> Any:
        """Ask, and return what the reply carries; raise Refused with the reason."""
        self._number += 1
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._replies[self._number] = reply
        await self._ws.send_bytes(msgspec.json.encode({"type": type, "n": self._number, **fields}))
        return await asyncio.wait_for(reply, 20)

    async def until(self, true: Callable[["Client"], object], seconds: float = 20) -> None:
        """Wait until it is so."""

        async def wait() -> None:
            while not true(self):
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), seconds)

    @property
    def table(self) -> dict[str, Any]:
        return self.last["table"]

    @property
    def room(self) -> dict[str, Any]:
        return self.last["room"]

    async def send(self, data: bytes) -> None:
        await self._ws.send_bytes(data)

    async def close(self) -> None:
        await self._ws.close()
        await self._reader

    async def _read(self) -> None:
        async for message in self._ws:
            assert message.type is WSMsgType.TEXT
            self.frames.append(message.data.encode())
            self._take(msgspec.json.decode(message.data))
            self._news.set()
        self._news.set()

    def _take(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind in {"done", "refused"}:
            reply = self._replies.pop(frame["n"], None)
            if reply is None or reply.done():
                self.last[kind] = frame
            elif kind == "done":
                reply.set_result(frame["value"])
            else:
                reply.set_exception(Refused(frame["reason"], frame["detail"]))
            return
        self.last[kind] = frame
        if kind == "table":
            assert frame["after"] <= len(self.events), "a gap"
            self.events[frame["after"] :] = frame["events"]
            assert [event["seq"] for event in self.events] == [*range(1, len(self.events) + 1)]
