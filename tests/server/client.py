"""A page without a browser: asks, and keeps what it is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from aiohttp import ClientWebSocketResponse, WSMsgType


class Refused(Exception):
    """An ask was refused, with this reason."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


class Stale(Refused):
    """An action was refused because it is not, or no longer, on offer."""


class Told:
    """Everything that a page has been told, as it came and as it stands."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.last: dict[str, dict[str, Any]] = {}
        """The last frame of each type."""
        self.events: list[dict[str, Any]] = []
        """Of the table that was told last; told twice or with a gap they fail the test."""

    @property
    def table(self) -> dict[str, Any]:
        return self.last["table"]

    @property
    def room(self) -> dict[str, Any]:
        return self.last["room"]

    @property
    def seq(self) -> int:
        """The last event told."""
        return self.last["table"]["seq"] if "table" in self.last else 0

    @property
    def over(self) -> bool:
        return "table" in self.last and self.table["outcome"] is not None

    @property
    def on_turn(self) -> bool:
        """Whether the table waits for this page's seat."""
        if "table" not in self.last or "room" not in self.last:
            return False
        return bool(self.table["offers"]) and self.room["me"] in self.table["awaiting"]

    def chair(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.room["chairs"][seat]
        return found

    def all(self) -> list[dict[str, Any]]:
        """Return everything that was told, in its order."""
        return [msgspec.json.decode(frame) for frame in self.frames]

    def told_of(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.all() if frame["type"] == kind]

    def take(self, data: bytes) -> dict[str, Any]:
        """Keep a frame and return what it says."""
        self.frames.append(data)
        frame: dict[str, Any] = msgspec.json.decode(data)
        kind = frame["type"]
        if kind == "table":
            if self.last.get("table", frame)["table"] != frame["table"]:
                self.events = []
            assert frame["after"] <= len(self.events), "a gap"
            self.events[frame["after"] :] = frame["events"]
            assert [event["seq"] for event in self.events] == [*range(1, frame["seq"] + 1)]
        self.last[kind] = frame
        if kind == "asked":
            self.last["room"] = {**self.room, "answer": frame["answer"]}
        return frame


class Client:
    """One page of one person, over a real socket."""

    def __init__(self, ws: ClientWebSocketResponse, address: str) -> None:
        self.told = Told()
        self.ws = ws
        self.address = address
        self._number = 0
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._reader = asyncio.get_running_loop().create_task(self._read())

    async def ask(self, kind: str, /, **fields: Any) -> Any:
        """Ask, and return what the reply carries; raise Refused with the reason."""
        return await asyncio.wait_for(await self.begin(kind, **fields), 20)

    async def begin(self, kind: str, /, **fields: Any) -> "asyncio.Future[Any]":
        """Ask, and return what will be the reply: to a choice it comes when that is stored."""
        self._number += 1
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._replies[self._number] = reply
        await self.send(msgspec.json.encode({"type": kind, "n": self._number, **fields}))
        return reply

    async def send(self, data: bytes) -> None:
        await self.ws.send_bytes(data)

    async def until(self, true: Callable[[Told], object]) -> None:
        """Wait until it is so."""

        async def wait() -> None:
            while not true(self.told):
                assert not self._reader.done(), f"the socket is closed: {self.ws.close_code}"
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), 20)

    async def close(self) -> None:
        await self.ws.close()
        await self._reader

    async def ended(self) -> int | None:
        """Wait until the server has closed the socket, and return its code."""
        await asyncio.wait_for(self._reader, 20)
        return self.ws.close_code

    async def _read(self) -> None:
        try:
            async for message in self.ws:
                assert message.type is WSMsgType.TEXT
                self._take(self.told.take(message.data.encode()))
                self._news.set()
        finally:
            self._news.set()

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["type"] not in {"done", "refused"}:
            return
        reply = self._replies.pop(frame["n"], None)
        if reply is None or reply.done():
            return
        if frame["type"] == "done":
            reply.set_result(frame["value"])
        else:
            kind = Stale if frame["reason"] == "illegal" else Refused
            reply.set_exception(kind(frame["reason"], frame["detail"]))
