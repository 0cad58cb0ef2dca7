"""People who play by chance through a site's sockets, and remember what they were promised."""

import asyncio
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Any

import msgspec
from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType
from msgspec import Struct

from whodunit.core.offer import Choice
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Game
from whodunit.table.codec import read_action

ASKING = {"Suggest", "StayAndSuggest", "TakePassage", "Ask"}
ENDING = {"Accuse", "AskLast", "Slam"}
RASH = 4
"""One move in so many may end the game."""
RACE = 4
"""One move in so many is sent through all pages at once."""
LEFT = 4
"""One answer in so many is left to the house, and one is chosen twice."""


class OfferSeen(Struct):
    """An offer as a page is told it."""

    action: str
    since: int
    choices: dict[str, Choice]

    def drawn(self, draws: Stream) -> dict[str, Any]:
        """Return one of the actions on offer, as an ask says it."""
        values = {field: choice.at(draws.below(field, choice.count)) for field, choice in self.choices.items()}
        return {"type": self.action, **values}


class Lost(Exception):
    """The connection broke before the answer came: what was asked may have happened or not."""


class Refused(Exception):
    """The server said no."""


class Page:
    """A person's page on one node; it comes back when the node does."""

    def __init__(self, session: ClientSession, address: str, cookie: str, household: str = "") -> None:
        self._session = session
        self._from = {"X-Forwarded-For": household} if household else {}
        """Where a proxy says that it comes from; without one it is on the server's own machine."""
        self._address = address
        self._cookie = cookie
        self._ws: ClientWebSocketResponse | None = None
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self.table: dict[str, Any] | None = None
        self.on_table: Callable[[dict[str, Any]], None] = lambda _: None
        """Called with every frame of the game."""
        self.on_frame: Callable[[dict[str, Any], int], None] = lambda _frame, _size: None
        """Called with every frame, and how long it was on its way."""
        self.hall: dict[str, Any] = {}
        self.room: dict[str, Any] = {}
        self.news = asyncio.Event()
        self.watching: str | None = None
        self._life = asyncio.get_running_loop().create_task(self._live())

    @property
    def connected(self) -> bool:
        return self._ws is not None

    @property
    def seq(self) -> int:
        return self.table["seq"] if self.table else 0

    async def close(self) -> None:
        self._life.cancel()
        await asyncio.gather(self._life, return_exceptions=True)
        if self._ws is not None:
            await self._ws.close()

    async def _live(self) -> None:
        headers = {"Origin": self._address, "Cookie": f"whodunit={self._cookie}", **self._from}
        while True:
            try:
                self._ws = await self._session.ws_connect(f"{self._address}/ws", headers=headers, max_msg_size=0)
                if self.watching:
                    await self._send("watch_table", table=self.watching)
                self.news.set()
                await self._read(self._ws)
            except (ClientError, OSError):
                pass
            self._ws = None
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(Lost())
            self._replies.clear()
            await asyncio.sleep(0.1)

    async def _read(self, ws: ClientWebSocketResponse) -> None:
        async for message in ws:
            if message.type is not WSMsgType.TEXT:
                return
            frame = msgspec.json.decode(message.data)
            kind = frame["type"]
            self.on_frame(frame, len(message.data))
            if kind in {"done", "refused"}:
                reply = self._replies.pop(frame["n"], None)
                if reply is not None and not reply.done():
                    if kind == "done":
                        reply.set_result(frame["value"])
                    else:
                        reply.set_exception(Refused(frame["reason"]))
            elif kind == "table":
                self.table = frame
                self.on_table(frame)
            elif kind == "room":
                self.room = frame
            elif kind == "lobby":
                self.hall = frame
            elif kind == "asked":
                self.room["answer"] = frame["answer"]
            self.news.set()

    async def _send(self, kind: str, **fields: Any) -> "asyncio.Future[Any]":
        if self._ws is None:
            raise Lost
        self._number += 1
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._replies[self._number] = reply
        reply.add_done_callback(lambda each: each.cancelled() or each.exception())  # not always waited for
        try:
            await self._ws.send_bytes(msgspec.json.encode({"type": kind, "n": self._number, **fields}))
        except (ClientError, OSError) as error:
            raise Lost from error
        return reply

    async def ask(self, kind: str, **fields: Any) -> Any:
        """Ask and return what the reply carries, or raise Refused or Lost."""
        return await (await self._send(kind, **fields))

    async def watch(self, table: str) -> None:
        """Watch a table, also after the connection was lost."""
        self.watching = table
        await self.surely("watch_table", table=table)

    async def told(self, seq: int) -> None:
        """Wait until the page has been told of an event."""
        while self.seq < seq:
            self.news.clear()
            await self.news.wait()

    async def surely(self, kind: str, **fields: Any) -> Any:
        """Ask until it is answered: for what may be said twice."""
        while True:
            try:
                return await self.ask(kind, **fields)
            except Lost:
                await asyncio.sleep(0.1)


class Promises:
    """What one seat was told that it will answer, by the question it is asked (`since`)."""

    def __init__(self) -> None:
        self.chosen = 0
        """How many choices were acknowledged."""
        self._told: dict[int, set[bytes]] = {}
        self._perhaps: dict[int, set[bytes]] = {}

    def shown(self, since: int, action: object) -> None:
        """Take in what the house has chosen: it counts as long as the player chooses nothing."""
        self._told.setdefault(since, {msgspec.json.encode(action)})

    def chose(self, since: int, ends: Sequence[tuple[object, object]]) -> None:
        """Take in what became of choices sent at the same time: nobody knows which of them came last."""
        sure = {msgspec.json.encode(action) for action, end in ends if not isinstance(end, BaseException)}
        perhaps = {msgspec.json.encode(action) for action, end in ends if isinstance(end, Lost)}
        if sure:  # what was chosen before is over
            self.chosen += 1
            self._told[since], self._perhaps[since] = sure, perhaps
        else:
            self._perhaps.setdefault(since, set()).update(perhaps)

    def broken(self, given: Sequence[tuple[int, Action]], rules: Game, waited: int) -> list[str]:
        """Compare with what stands in the record: the number of the event that each answer of the seat became.

        Waited: the last event that was no interrupt's. What was asked then may stay without an answer: somebody has
        ended the game before it was due.
        """
        faults = []
        for since, told in sorted(self._told.items()):
            allowed = [read_action(body, rules) for body in sorted(told | self._perhaps.get(since, set()))]
            stands = next((action for seq, action in given if seq > since), None)
            if stands not in allowed and (stands is not None or since < waited):
                faults.append(f"asked at {since}, {allowed} was promised, and {stands} stands there")
        return faults


class Person:
    """Plays one seat through two pages."""

    def __init__(self, pages: Sequence[Page], seat: int, draws: Stream, answers: Container[str]) -> None:
        self.pages = pages
        self.seat = seat
        self._answers = answers
        """What somebody who is asked does: it may be chosen, and comes by itself at its moment."""
        self.promises = Promises()
        self._settled: set[int] = set()
        self._draws = draws
        self.acknowledged: Counter[bytes] = Counter()
        self.unknown: Counter[bytes] = Counter()

    @property
    def page(self) -> Page:
        """The one that knows most."""
        return max(self.pages, key=lambda page: page.seq)

    @property
    def over(self) -> bool:
        return all(page.table is not None and page.table["outcome"] is not None for page in self.pages)

    async def play(self, table: str) -> None:
        """Play until both pages show the end."""
        tried = -1
        while not self.over:
            page = self.page
            now = page.table
            if await self._answer(table, page):
                continue
            mine = now is not None and self.seat in now["awaiting"] and now["offers"] and not self._is_served(page)
            if now is not None and mine and now["outcome"] is None and now["seq"] > tried:
                tried = now["seq"] if await self._move(table, page) else tried
            else:
                await self._hear()

    def _is_served(self, page: Page) -> bool:
        """Say whether the answer comes by itself, or a bot plays the seat."""
        chairs = page.room.get("chairs")
        return bool(page.room.get("answer") or (chairs and chairs[self.seat]["stand_in"]))

    async def _answer(self, table: str, page: Page) -> bool:
        """Choose an answer, now and then through both pages at once, or twice; say whether there was anything to do."""
        answer = page.room.get("answer")
        if not answer or page.table is None or answer["since"] in self._settled:
            return False
        since, selected = answer["since"], answer["selected"]
        told = msgspec.convert(page.table["offers"], list[OfferSeen])
        offers = [each for each in told if each.action in self._answers and each.since == since]
        if not offers:
            return False  # the table's frame is still to come
        if selected is not None and not answer["chosen"]:
            self.promises.shown(since, selected)
        self._settled.add(since)
        if not self._draws.below("left", LEFT):
            return True
        for _ in range(1 if self._draws.below("twice", LEFT) else 2):
            through = self.pages if not self._draws.below("race", RACE) else [page]
            actions = [offers[self._draws.below("answer", len(offers))].drawn(self._draws) for _ in through]
            asks = [
                each.ask("act", table=table, since=since, action=action)
                for each, action in zip(through, actions, strict=True)
            ]
            ends = await asyncio.gather(*asks, return_exceptions=True)
            _raise_odd(ends)
            self.promises.chose(since, [*zip(actions, ends, strict=True)])
        return True

    async def _move(self, table: str, page: Page) -> bool:
        """Make a move, now and then through both pages at once; say whether it happened."""
        assert page.table is not None
        told = msgspec.convert(page.table["offers"], list[OfferSeen])
        offers = [each for each in told if each.action not in self._answers]
        if not offers:
            await asyncio.sleep(0.02)
            return False
        offer = self._chosen(offers)
        action = offer.drawn(self._draws)
        through = self.pages if not self._draws.below("race", RACE) else [page]
        asks = (each.ask("act", table=table, since=offer.since, action=action) for each in through)
        ends = await asyncio.gather(*asks, return_exceptions=True)
        made = msgspec.json.encode(action, order="sorted")
        self.acknowledged[made] += sum(not isinstance(end, BaseException) for end in ends)
        self.unknown[made] += sum(isinstance(end, Lost) for end in ends)
        _raise_odd(ends)
        if all(isinstance(end, BaseException) for end in ends):
            await asyncio.sleep(0.02)
            return False
        return True

    def _chosen(self, offers: list[OfferSeen]) -> OfferSeen:
        """Choose by chance, but ask where that is possible, and seldom do what ends the game."""
        rash = not self._draws.below("rash", RASH)
        wanted = [offer for offer in offers if offer.action in ASKING] or [
            offer for offer in offers if rash or offer.action not in ENDING
        ]
        return (wanted or offers)[self._draws.below("offer", len(wanted or offers))]

    async def _hear(self) -> None:
        waits = [asyncio.ensure_future(page.news.wait()) for page in self.pages]
        await asyncio.wait(waits, timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
        for page, wait in zip(self.pages, waits, strict=True):
            wait.cancel()
            page.news.clear()


def _raise_odd(ends: Sequence[object]) -> None:
    """Raise what is neither a loss nor a refusal."""
    for end in ends:
        if isinstance(end, BaseException) and not isinstance(end, Lost | Refused):
            raise end
