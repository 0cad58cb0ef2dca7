"""Who is looking at which table, and what each of them is told when it changes: encoded once for each viewer."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from whodunit.core.errors import NoProcess
from whodunit.core.types import NOBODY, TABLE, Batch, Seat
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.tasks import quietly
from whodunit.host.timers import Timer
from whodunit.room import chat, manners
from whodunit.room.entries import Abandoned, Muted, Private, QuestionPut, Said, Selected, are_asides
from whodunit.server import frames, protocol
from whodunit.server.padding import padded

LONG = 64
"""More events than these are told by another process, so that nobody else's move waits for them."""
GRACE_MS = 4000
"""How long a page may be gone, as it is while it loads anew, before its player counts as away."""


class Page(Protocol):
    """An open page, wherever its frames go."""

    person: str
    household: str
    """Who shares its internet connection."""
    watching: dict[str, Live]
    """By id: the tables of which it is to be told."""

    def send(self, frame: bytes | bytearray) -> None:
        """Send a frame, soon; never waits."""


class Feeds:
    """Tells every page what it watches, and the host who is there."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._pages: defaultdict[str, dict[Page, Seat]] = defaultdict(dict)
        """By table: who looks at it, and whose eyes each of them sees with."""
        self._looking: set[tuple[str, Page]] = set()
        """Which pages have which table before somebody's eyes."""
        self._averted: set[tuple[str, Page]] = set()
        """Which pages have said that nobody looks at them; of one that has said nothing it is not known."""
        self.lookers: list[Callable[[Live], None]] = []
        """Called with a table that somebody has begun to look at, or no longer does."""
        self.past: Callable[[Page, Live, Seat, int, int], Awaitable[bytes]] | None = None
        """Tells a page what a viewer saw behind one event up to another, in another process; None: nobody does."""
        self._leaving: dict[tuple[str, Seat], Timer] = {}
        self._patient: dict[tuple[str, Seat], Timer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        host.listeners.append(self._changed)
        host.visited.append(self._count)

    async def watch(self, page: Page, live: Live, after: int) -> None:
        """Tell the page where the table stands and what happened behind event `after`, and from now on everything."""
        after = after if 0 <= after <= _seq(live) else 0
        earlier, until = await self._long_past(page, live, after)
        batches = await self._read(live, until)
        if live.id not in page.watching:
            return  # it has left meanwhile, and would count as somebody who is there
        page.send(frames.told_of_room(live, page.person, self._host.clock.now()))
        if live.table is not None:
            clips = frames.clips(live, self._host.clock.now(), self._host.haste)
            page.send(frames.Telling(live, batches, after, clips, earlier).to(viewer_of(live, page)))
        if live.room.speakers and live.room.may_enter(page.person):
            page.send(padded(encode(frames.chat(live, page.person))))
        self._pages[live.id][page] = viewer_of(live, page)
        self._count(live)
        self._keep_open(page, live)

    async def _long_past(self, page: Page, live: Live, after: int) -> tuple[bytes, int]:
        """Return what the page is told behind event `after`, and up to which event, if that is long; else nothing.

        That is made in another process. Where none can be started, all of it is made here, as a little is.
        """
        eyes, until = (viewer_of(live, page), live.untimed), _seq(live)
        if until - after <= LONG or self.past is None:
            return b"", after
        with suppress(NoProcess):
            earlier = await self.past(page, live, eyes[0], after, until)
            if eyes == (viewer_of(live, page), live.untimed):  # else somebody has sat down or come meanwhile
                return earlier, until
        return b"", after

    async def _read(self, live: Live, after: int) -> list[Batch]:
        """Return what happened behind event `after`, as far as it is true when this returns.

        Without the table's lock, so that nobody learns by watching what the table is busy with. What is stored and not
        yet true is told when it is.
        """
        batches: list[Batch] = []
        while (read := batches[-1].last if batches else after) < _seq(live):
            batches += await self._host.batches(live, read)
        return [batch for batch in batches if batch.last <= _seq(live)]

    def noted(self, live: Live, seat: Seat) -> None:
        """Show the seat's pages at once what its player has chosen; it is stored later."""
        self._tell_seats(live, {seat: False}, self._pages.get(live.id, {}))

    def look(self, page: Page, live: Live, *, looking: bool) -> None:
        """Take in whether the page's player has the table before their eyes."""
        key, watches = (live.id, page), page in self._pages.get(live.id, ())
        (self._looking.add if looking and watches else self._looking.discard)(key)
        (self._averted.add if not looking and watches else self._averted.discard)(key)
        self._count(live)
        if looking and watches:
            self._keep_open(page, live)

    def _keep_open(self, page: Page, live: Live) -> None:
        """Take in that somebody opened the page or looks at it: if they play here, the game is not closed by its age.

        A page that only stays open says nothing of its player.
        """
        seat = live.room.seat_of(page.person)
        if seat is not None and manners.closing(live.room, live.at, self._host.clock.now()):
            self._spawn(self._back(live, seat))

    def leave(self, page: Page, live: Live) -> None:
        """Tell the page no more of this table."""
        self._looking.discard((live.id, page))
        self._averted.discard((live.id, page))
        pages = self._pages[live.id]
        pages.pop(page, None)
        if not pages:
            del self._pages[live.id]
        self._count(live)

    def sweep(self) -> None:
        """Forget the tables that nobody looks at; lists load them too."""
        busy = {id for id, _ in self._leaving} | self._pages.keys()
        for live in [*self._host.tables.values()]:
            if live.id not in busy:
                self._host.release(live)

    def _changed(self, change: Change) -> None:
        live = change.live
        pages = self._pages.get(live.id)
        if not pages:
            return
        everybody = _changes_the_room(change)
        if everybody:
            for page in pages:
                pages[page] = viewer_of(live, page)
            self._tell_room(live, pages)
        elif concerned := _concerned(change):
            self._tell_seats(live, concerned, pages)
        if change.batches or _ended(change):
            self._tell_table(change, pages)
        if live.room.speakers:
            self._tell_chat(change, pages)
        if everybody:
            self._count(live)

    def _tell_room(self, live: Live, pages: Iterable[Page]) -> None:
        now = self._host.clock.now()
        for page in pages:
            page.send(frames.told_of_room(live, page.person, now))

    def _tell_seats(self, live: Live, concerned: dict[Seat, bool], pages: dict[Page, Seat]) -> None:
        """Tell what concerns one seat to its pages alone."""
        now = self._host.clock.now()
        for page, seat in pages.items():
            if seat not in concerned:
                continue
            if concerned[seat]:
                page.send(frames.told_of_room(live, page.person, now))
            else:
                page.send(padded(encode(protocol.AnswerFrame(table=live.id, answer=frames.answer(live, seat, now)))))

    def _tell_table(self, change: Change, pages: dict[Page, Seat]) -> None:
        live = change.live
        assert live.table is not None
        first = change.batches[0].seq if change.batches else live.table.seq + 1
        clips = frames.clips(live, self._host.clock.now(), self._host.haste, first) if live.noises else ()
        telling = frames.Telling(live, change.batches, first - 1, clips)
        encoded: dict[Seat, bytearray] = {}
        for page, viewer in pages.items():
            if viewer not in encoded:
                encoded[viewer] = telling.to(viewer)
            page.send(encoded[viewer])

    def _tell_chat(self, change: Change, pages: Iterable[Page]) -> None:
        """Tell what was said to whoever is to hear it; at the game's end who played hears who watched."""
        live, anew = change.live, _ended(change)
        said = [entry for entry in change.entries if isinstance(entry, Said)]
        muters = {entry.person for entry in change.entries if isinstance(entry, Muted)}
        hearers = [page for page in pages if live.room.may_enter(page.person)] if anew or said or muters else []
        for page in hearers:
            if anew or chat.speaker_of(live.room, page.person) in muters:
                page.send(padded(encode(frames.chat(live, page.person))))
                continue
            for line in said:
                if chat.hears(live.room, page.person, live.stage, line):
                    page.send(padded(encode(frames.chat_line(live, page.person, line))))

    def _count(self, live: Live) -> None:
        """Take in who is there; whoever has gone counts as away after a while, whoever is back at once."""
        slept = not live.awake
        pages = self._pages.get(live.id, {})
        live.pages = Counter(viewer for viewer in pages.values() if viewer != TABLE)
        live.households = frozenset(page.household for page, viewer in pages.items() if viewer != TABLE)
        looked, averted = live.looking, not live.watched
        eyes = {viewer for page, viewer in pages.items() if (live.id, page) in self._looking and viewer != TABLE}
        live.looking = frozenset(eyes) if eyes else NOBODY
        self._host.attended(live)
        live.watched = bool(live.elsewhere) or any((live.id, page) not in self._averted for page in pages)
        if slept != (not live.awake):
            (self._host.wake if slept else self._host.rest)(live)
        elif averted and live.watched:
            self._host.stir(live)
        if looked != live.looking:
            for looker in self.lookers:
                looker(live)
        for seat, chair in enumerate(live.room.chairs):
            key = (live.id, seat)
            if live.pages[seat] or seat in live.elsewhere:
                if timer := self._leaving.pop(key, None):
                    timer.cancel()
                missed = (
                    chair.away or (chair.stand_in and chair.called) or (seat == live.room.host and live.room.withdrawn)
                )
                if live.pages[seat] and missed:
                    self._spawn(self._back(live, seat))
            elif chair.away:
                self._be_patient(live, seat, chair.away.at)
            elif chair.people and key not in self._leaving and self._host.leases.holds(live):
                wait = round(GRACE_MS * self._host.haste)
                told = live.table.seq if live.table else 0
                self._leaving[key] = self._host.clock.after(wait, partial(self._gone, live, seat, told))

    def _be_patient(self, live: Live, seat: Seat, since: int) -> None:
        """Tell everybody when they may call a stand-in: nothing else happens at that moment."""
        left = since + manners.PATIENCE_MS - self._host.clock.now()
        if left > 0 and (live.id, seat) not in self._patient:
            self._patient[live.id, seat] = self._host.clock.after(left, partial(self._enough, live.id, seat))

    def _enough(self, table: str, seat: Seat) -> None:
        del self._patient[table, seat]
        if live := self._host.tables.get(table):  # it may have been let go of meanwhile, and loaded anew
            self._tell_room(live, self._pages.get(live.id, ()))
            self._count(live)

    def _gone(self, live: Live, seat: Seat, told: int) -> None:
        del self._leaving[live.id, seat]
        if not live.pages[seat] and seat not in live.elsewhere:
            self._spawn(self._away(live, seat, told))

    async def _away(self, live: Live, seat: Seat, seq: int) -> None:
        now = self._host.clock.now()
        await self._host.writer.note(live, lambda room: manners.away(room, seat, seq, now), leased=True)
        self._count(live)

    async def _back(self, live: Live, seat: Seat) -> None:
        await self._host.writer.note(live, lambda room: manners.back(room, seat, live.at, self._host.clock.now()))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        # Who is there is counted again with the next change, so a disk that is full now does no harm.
        task = asyncio.get_running_loop().create_task(quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _seq(live: Live) -> int:
    return live.table.seq if live.table else 0


def viewer_of(live: Live, page: Page) -> Seat:
    """Return whose eyes the page sees with: its seat's, or a spectator's."""
    seat = live.room.seat_of(page.person)
    return TABLE if seat is None else seat


def _changes_the_room(change: Change) -> bool:
    """Say whether everybody must be told of the room anew: at the game's end everybody may do something else."""
    return not are_asides(change.entries) or _ended(change)


def _ended(change: Change) -> bool:
    """Say whether this was the game's last move, or its being given up."""
    table = change.live.table
    if table is None or not table.closed:
        return False
    return bool(change.batches) or any(isinstance(entry, Abandoned) for entry in change.entries)


def _concerned(change: Change) -> dict[Seat, bool]:
    """Return the seats that this concerns alone, and whether more than the answer that they owe has changed."""
    concerned: dict[Seat, bool] = {}
    answers = change.live.game.INFO.answers
    for batch in change.batches:
        if batch.cause is not None and type(batch.cause.action) in answers:
            concerned[batch.cause.seat] = False
    for entry in change.entries:
        if isinstance(entry, (QuestionPut, Selected)):
            concerned.setdefault(entry.seat, False)
        elif isinstance(entry, Private):
            concerned[entry.seat] = True
    return concerned
