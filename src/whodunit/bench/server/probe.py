"""One question, felt from all sides: by what is sent right behind it, and by what is asked while the answer is due.

Whoever attacks sits in the seat that asks, has a second page open there, looks on as a guest, and is in the hall. What
is sent behind a question goes out in one piece, in an order drawn anew, and the time of every reply is taken: by the
page that asks, or by one of the others as soon as it is told. Then the table is asked again and again, while the asked
player taps as the worst would: whoever can choose does so several times, late or never; whoever cannot does nothing.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Raw, Struct

from whodunit.bench.server.channels import Reading
from whodunit.bench.server.people import OfferSeen
from whodunit.bench.server.wire import PATIENCE_S, Pushed, Request, Wire
from whodunit.bench.server.worlds import ASKED, ASKER, THIRD, World, world_id
from whodunit.core.rng import Stream
from whodunit.core.wire import encode
from whodunit.room.pace import TEMPI, Pace

Manner: TypeAlias = Literal["seat", "second page", "guest"]
"""Who times the question: the page that asks it, by what it sends behind it, or another as soon as it is told."""
MANNERS: tuple[Manner, ...] = get_args(Manner)
SEAT: Manner = "seat"
SECOND: Manner = "second page"
GUEST: Manner = "guest"
HALL, REQUEST = "hall", "request"
FIXED = ("watch", "watch end", "act again", "jot", "act once more")
"""What the asking page sends first: one keeps the table busy, the next waits for whatever has come in between."""
SENT: Mapping[str, tuple[str, ...]] = {
    SEAT: ("select", "undo"),
    SECOND: ("watch end", "act again", "select", "undo", "say"),
    GUEST: ("watch", "watch end", "act again", "say"),
    HALL: ("lobby",),
}
"""What is answered one after another."""
PONDERED: Mapping[str, tuple[str, ...]] = {SECOND: ("notes", "why", "hint", "look"), GUEST: ("look",)}
"""What takes thought, and is answered beside the rest."""
TIMERS: Mapping[Manner, tuple[str, ...]] = {SEAT: (SEAT,), SECOND: (SECOND,), GUEST: (GUEST, HALL)}
"""Who sends something at the same moment."""
MANNER_OF: Mapping[str, Manner] = {SEAT: SEAT, SECOND: SECOND, REQUEST: SECOND, GUEST: GUEST, HALL: GUEST}
"""In which manner to ask so that a vantage has something to time."""
REQUESTS = {"health": "/health", "case": "/t/{table}/case", "me": "/api/me"}
POLLS = {GUEST: "watch end", SECOND: "act again"}
POLLED = 12
"""How often each polls."""
TAPS = 12
"""So often taps whoever cannot decide: if each were stored at once, polls that wait for the table would feel it."""
WINDOW = (0.4, 3.6)
"""When polls and taps come, in seconds after the question, times haste: before the soonest answer."""


class Shown(Struct):
    """What a page reads of a table's frame."""

    seq: int
    offers: tuple[OfferSeen, ...]


class Chosen(Struct):
    chosen: bool
    selected: Any


class Noted(Struct):
    """What a page reads of the answer that it will give."""

    answer: Chosen | None


_SHOWN = msgspec.json.Decoder(Shown)
_NOTED = msgspec.json.Decoder(Noted)
Readings: TypeAlias = dict[tuple[str, str], Reading]
"""By vantage and operation."""


class Strand:
    """One attacker with all pages, and the other players: one table after another is laid for them."""

    def __init__(
        self, port: int, haste: float, draws: Stream, spared: Sequence[str] = (), alone: Pace | None = None
    ) -> None:
        self.port = port
        self.alone = alone
        """At which pace the attacker plays among bots; None: with two others, and a guest looks on."""
        beat = TEMPI[alone].beat / 1000 if alone else 0.0
        self.window = tuple(haste * seconds for seconds in ((0.1 * beat, 0.9 * beat) if alone else WINDOW))
        self.draws = draws
        self.spared = spared
        """What is not sent."""
        self.noted: list[float] = []
        """How many milliseconds taps took until they were shown as noted."""
        self.pages: dict[str, Wire] = {}
        self.asked: Wire
        self._all: list[Wire] = []

    async def open(self, cookies: Sequence[str], stranger: str) -> "Strand":
        """Connect everybody: three who play, one who looks on, and one who has no table."""
        if self.alone:
            self._all = [await Wire().open(self.port, cookie) for cookie in (cookies[ASKER], cookies[ASKER], stranger)]
            seat, second, self.asked = self._all
            self.pages = {SEAT: seat, SECOND: second}
            return self
        places = (ASKER, ASKED, THIRD, ASKER, 3)
        self._all = [await Wire().open(self.port, cookie) for cookie in (*(cookies[at] for at in places), stranger)]
        seat, self.asked, _, second, guest, hall = self._all
        self.pages = {SEAT: seat, SECOND: second, GUEST: guest, HALL: hall}
        return self

    def close(self) -> None:
        """Hang up."""
        for page in self._all:
            page.close()

    async def probe(self, manner: Manner, dealt: World, number: int, guest: str, quiet: asyncio.Lock) -> Readings:
        """Ask the question of a world and return what was measured; guest: a cookie of somebody who may look on.

        Quiet: held while replies are timed, so that no other question is asked meanwhile.
        """
        table = world_id(number)
        for page in self._all:
            page.forget()
        *players, _ = self._all
        sent = [(page, page.send("watch_table", table=table)) for page in players]
        for page, ask in sent:
            await page.replied(ask)
        question = Question(self, dealt, table, number)
        requests = await question.requests(guest) if manner == SECOND else {}
        async with quiet:
            readings = await question.ask(manner, requests)
        return readings | await question.wait()


class Question:
    """A question that is asked, and felt."""

    def __init__(self, strand: Strand, dealt: World, table: str, number: int) -> None:
        self._strand = strand
        self._pages = strand.pages
        self._draws = strand.draws
        self._dealt = dealt
        self._table = table
        self._number = number
        shown = _SHOWN.decode(self._told(SEAT)[-1].body)
        self._seq = shown.seq
        name = type(dealt.question).__name__
        self._since = next(offer.since for offer in shown.offers if offer.action == name)
        self._action = Raw(encode(dealt.question))
        self._began: dict[str, float] = {}
        """By vantage: when it knew that the question was there."""
        self._sent: dict[str, dict[str, int]] = {}
        """By vantage: the number of each ask that is timed, in their order."""
        told = [vantage for vantage in (SEAT, SECOND, GUEST) if vantage in self._pages]
        self._before = {vantage: len(self._pages[vantage].pushed) for vantage in told}
        self._offers: tuple[OfferSeen, ...] = ()
        self._manner: Manner = SEAT
        self._answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def _told(self, vantage: str) -> list[Pushed]:
        frames = self._pages[vantage].pushed
        return [each for each in frames if each.frame.type == "table" and each.frame.table == self._table]

    # --- Right behind it ---

    async def requests(self, guest: str) -> dict[str, Request]:
        """Connect for each request, from an address of this table's own: few are admitted from each."""
        source = f"127.{1 + self._number // 40_000 % 200}.{1 + self._number // 200 % 200}.{1 + self._number % 200}"
        paths = {name: path.format(table=self._table) for name, path in REQUESTS.items()}
        return {name: await Request(self._strand.port, path, guest).open(source) for name, path in paths.items()}

    async def ask(self, manner: Manner, requests: Mapping[str, Request]) -> Readings:
        """Ask, and time everything that is sent behind the question."""
        self._manner = manner
        seat = self._pages[SEAT]
        number, frame = seat.framed("act", table=self._table, since=self._since, action=self._action)
        bursts = {vantage: self._burst(vantage) for vantage in TIMERS[manner]}
        for vantage in [vantage for vantage in (SECOND, GUEST) if vantage in self._pages]:
            self._pages[vantage].heard = self._on_question(vantage, bursts, requests)
        seat.heard = self._on_answer
        self._strand.asked.heard = self._on_being_asked
        begun = perf_counter()
        seat.write(frame + bursts.get(SEAT, b""))
        self._began[SEAT] = await seat.replied(number)
        if seat.replies[number][1].type != "done":
            raise RuntimeError(f"the question was refused: {seat.replies[number][1]}")
        readings: Readings = {(SEAT, "act"): Reading(1000 * (self._began[SEAT] - begun))}
        for timer in TIMERS[manner]:
            for ask in self._sent[timer].values():
                await self._pages[timer].replied(ask)
            readings |= {(timer, operation): reading for operation, reading in self._timed(timer)}
        for name, request in requests.items():
            readings[REQUEST, name] = Reading(1000 * await asyncio.wait_for(request.took, PATIENCE_S))
        return readings

    def _burst(self, vantage: str) -> bytes:
        """Return everything that a vantage sends in one piece."""
        order = self._draws.shuffled("order", [each for each in SENT[vantage] if each not in self._strand.spared])
        pondered = self._draws.shuffled("pondered", PONDERED.get(vantage, ()))
        data = b""
        self._sent[vantage] = {}
        for operation in (*pondered, *(FIXED if vantage == SEAT else ()), *order):
            kind, fields = self._asking(operation)
            self._sent[vantage][operation], frame = self._pages[vantage].framed(kind, **fields)
            data += frame
        if vantage == HALL:  # whoever stays is told of every table that changes
            data += self._pages[vantage].framed("leave_lobby")[1]
        return data

    def _asking(self, operation: str) -> tuple[str, dict[str, Any]]:
        """Return an operation as an ask says it."""
        at = {"table": self._table}
        again = {**at, "since": self._since, "action": self._action}
        text = f"{self._number} {self._draws.below('text', 10**6):06}"
        match operation:
            case "watch" | "watch end":
                return "watch_table", {**at, "after": self._seq + (operation == "watch end")}
            case "act again" | "act once more" | "select":
                return operation.partition(" ")[0], again
            case "undo" | "notes":
                return operation, at
            case "jot" | "say":
                return operation, {**at, "text": text}
            case "lobby":
                return "watch_lobby", {}
            case "look":
                return "look", {**at, "seq": self._seq}
            case "why":
                return "why", {**at, "row": "Hall", "column": "0"}
            case "hint":
                return "give_hint", {**at, "grade": "fact"}
        raise ValueError(operation)

    def _on_question(
        self, vantage: str, bursts: Mapping[str, bytes], requests: Mapping[str, Request]
    ) -> Callable[[Pushed], None]:
        """Return what a page does as soon as it is told of the question."""

        def heard(pushed: Pushed) -> None:
            if not self._is_news(pushed, self._seq):
                return
            self._pages[vantage].heard = None
            self._began[vantage] = pushed.at
            if vantage in bursts:
                self._pages[vantage].write(bursts[vantage])
            if vantage == GUEST and HALL in bursts:
                self._began[HALL] = pushed.at
                self._pages[HALL].write(bursts[HALL])
            for request in requests.values() if vantage == SECOND else ():
                request.send()

        return heard

    def _is_news(self, pushed: Pushed, seq: int) -> bool:
        frame = pushed.frame
        return frame.type == "table" and frame.table == self._table and frame.seq > seq

    def _timed(self, vantage: str) -> Iterator[tuple[str, Reading]]:
        """Yield how long each reply took: behind the one before it, or beside the rest since the question."""
        replies, pondered = self._pages[vantage].replies, PONDERED.get(vantage, ())
        before = began = self._began[vantage]
        place = 0
        for operation, number in self._sent[vantage].items():
            at = replies[number][0]
            if operation in pondered:
                yield operation, Reading(1000 * (at - began))
                continue
            took, place, before = 1000 * (at - before), place + 1, at
            yield operation, Reading(took, str(place))
            if vantage not in {SEAT, HALL}:  # where the order is always the same, it would be told twice
                yield f"number {place}", Reading(took, operation)
        if place > 1:
            yield "everything", Reading(1000 * (before - began))

    # --- While the answer is due ---

    def _on_answer(self, pushed: Pushed) -> None:
        if self._is_news(pushed, self._seq + 1) and not self._answered.done():
            self._answered.set_result(pushed.at)

    def _on_being_asked(self, pushed: Pushed) -> None:
        """Let the asked player look, in every world: so whoever measures has the same work."""
        if self._is_news(pushed, self._seq) and not self._offers:
            self._offers = _SHOWN.decode(pushed.body).offers

    async def wait(self) -> Readings:
        """Poll and tap until the answer comes; return what was felt meanwhile."""
        vantages = [vantage for vantage in POLLS if vantage in self._pages]
        polls = [self._poll(vantage, POLLS[vantage]) for vantage in vantages]
        *polled, _ = await asyncio.gather(*polls, self._tap())
        readings: Readings = {}
        for vantage, took in zip(vantages, polled, strict=True):
            assert took is not None
            readings[vantage, "longest poll"] = Reading(max(took))
            readings[vantage, "all polls"] = Reading(sum(took))
        answered = await asyncio.wait_for(self._answered, PATIENCE_S)
        readings[SEAT, "answer"] = Reading(1000 * (answered - self._began[SEAT]))
        for vantage, before in self._before.items():
            told = self._pages[vantage].pushed[before:]
            mine = [each for each in told if each.frame.table == self._table and each.frame.seq <= self._seq + 1]
            readings[vantage, "frames"] = Reading(len(mine), self._manner)
            readings[vantage, "bytes"] = Reading(sum(len(each.body) for each in mine), self._manner)
        return readings

    def _moments(self, count: int) -> list[float]:
        least, most = self._strand.window
        drawn = [self._draws.below("moment", 10**6) / 10**6 for _ in range(count)]
        return sorted(self._began[SEAT] + least + (most - least) * share for share in drawn)

    async def _poll(self, vantage: str, operation: str) -> list[float]:
        """Ask the same again and again; return how many milliseconds each reply took."""
        page, took = self._pages[vantage], []
        for moment in self._moments(POLLED):
            await asyncio.sleep(max(0, moment - perf_counter()))
            kind, fields = self._asking(operation)
            begun = perf_counter()
            took.append(1000 * (await page.replied(page.send(kind, **fields)) - begun))
        return took

    async def _tap(self) -> None:
        """Let the asked player choose: several times, late or never; whoever cannot waits as long."""
        moments = self._moments(TAPS)
        how = self._draws.below("how", 5)
        for tap, moment in enumerate([] if how == 0 else moments[-1:] if how == 1 else moments):
            await asyncio.sleep(max(0, moment - perf_counter()))
            if self._dealt.choice and self._dealt.levels[ASKED] is None:
                offer = next(offer for offer in self._offers if offer.since == self._seq + 1)
                ((field, choice),) = offer.choices.items()
                action = {"type": offer.action, field: choice.at(tap % choice.count)}
                took = await noted(self._strand.asked, self._table, offer.since, action)
                self._strand.noted += [] if took is None else [took]


async def noted(page: Wire, table: str, since: int, action: dict[str, Any]) -> float | None:
    """Choose an answer; return how many milliseconds it took until the page was told that it is noted.

    None: it came too late. The reply to a choice may come much later than that: when the choice is stored.
    """
    shown: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def heard(pushed: Pushed) -> None:
        if pushed.frame.type != "asked" or pushed.frame.table != table or shown.done():
            return
        answer = _NOTED.decode(pushed.body).answer
        if answer is not None and answer.chosen and answer.selected == action:
            shown.set_result(pushed.at)

    page.heard = heard
    begun = perf_counter()
    number = page.send("select", table=table, since=since, action=action)
    replied = asyncio.ensure_future(page.replied(number))
    await asyncio.wait({shown, replied}, return_when=asyncio.FIRST_COMPLETED)
    replied.cancel()
    if not shown.done() and page.replies[number][1].type == "refused":
        return None
    return 1000 * (await asyncio.wait_for(shown, PATIENCE_S) - begun)
