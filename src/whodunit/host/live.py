"""A table in memory: its room, its game if it has begun, and who is looking."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, reduce
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.ports import NEVER, Listing, Record
from whodunit.core.types import NOBODY, TABLE, Action, Batch, Event, Game, Seat
from whodunit.core.wire import blobs_of, encode
from whodunit.host.timers import Timer
from whodunit.room import room as rooms
from whodunit.room.entries import AnyEntry
from whodunit.room.room import Room, Stage, grown, stage_of
from whodunit.table.table import Table

NOTHING: Final[Mapping[Seat, Action]] = MappingProxyType({})


class Noise(NamedTuple):
    """A clip that an event carries: when it was published, and as which of its batch's clips, counted from 0."""

    seq: int
    at: int
    nth: int
    batch: int
    """The first event of its batch."""


class NotedChoice:
    """What an asked seat's player has chosen, or its bot: noted, and stored with the next instant or the answer."""

    def __init__(self, since: int, action: Action) -> None:
        self.since = since
        self.action = action
        self.waiting: list[asyncio.Future[None]] = []
        """Who wants to know when it is stored; also whoever chose something else before."""

    def settle(self, error: Exception | None = None) -> None:
        """Tell them that it is, or why it will never be."""
        for stored in self.waiting:
            if not stored.done():
                stored.set_result(None) if error is None else stored.set_exception(error)
        self.waiting.clear()


class Ring(NamedTuple):
    """What rings when something of an asked seat's answer is to be stored or given."""

    since: int
    moment: int
    keeps: bool
    """Whether what is chosen is stored here, until the answer is given."""
    timer: Timer


class Live:
    """The table as this process knows it; only the host changes it, one change at a time."""

    def __init__(self, id: str, room: Room, table: Table | None) -> None:
        self.id = id
        self.room = room
        self.table = table
        self.game: Game = games.get(room.laid.game)
        self.lock = asyncio.Lock()
        self.rings: dict[Seat, Ring] = {}
        """By asked seat: what rings next for its answer."""
        self.choices: dict[Seat, NotedChoice] = {}
        """By asked seat: what has been chosen and not stored yet."""
        self.limit: tuple[int, Timer] | None = None
        """When time does what TABLE is offered, and what rings then; None while no time runs."""
        self.flag: tuple[int, Timer] | None = None
        """When the first player's time runs out, and what rings then."""
        self.pages: Counter[Seat] = Counter()
        """How many pages hold each seat."""
        self.looking = NOBODY
        """The seats whose players have one of these pages before their eyes."""
        self.households: frozenset[str] = frozenset()
        """From where those who play have it open here."""
        self.watched = True
        """Whether somebody may have it before their eyes: there is no page that has not said that nobody does."""
        self.elsewhere = NOBODY
        """The seats with a page on another node."""
        self.waking = False
        """Whether somebody came to the sleeping table while another node had its clocks to run."""
        self.thinking = False
        """Whether a bot is about to act."""
        self.reminding = NOBODY
        """The seats whose players are being told that it is their turn."""
        self.noticed: dict[Seat, int] = {}
        """By seat: since which event its player knows that the table waits for them."""
        self._confided: list[Event] = []
        """The events with a secret that some seat shares; the rest is on disk."""
        self.deciding = NOBODY
        """The seats whose move is being decided aside, or waits for that; TABLE's is the beginning."""
        self.wished: int | None = None
        """When what is being decided was wished: from then on nobody's clock runs."""
        self.noises: dict[str, Noise] = {}
        """By id: every clip of the game, in the order of the events."""
        self.moved = 0
        """When the last move was made."""
        self.listed: Listing | None = None
        """How the table stands in the store's lists, as far as this process has written it."""

    @cached_property
    def turn(self) -> asyncio.Lock:
        """Held while a move is decided aside, and while one waits for the one before: nothing else needs this lock."""
        return asyncio.Lock()

    def confide(self, batch: Batch) -> None:
        """Keep in mind who shares which secret from now on, what can be heard, and when."""
        self.moved = batch.at
        secrets = [event for event in batch.events if event.known_to]
        self._confided += [replace(event, known_to=_one_of_its_kind(event.known_to)) for event in secrets]
        if self.game.INFO.sounds is not None:
            events = enumerate(batch.events, batch.seq)
            clips = [(seq, blob.id) for seq, event in events for blob in blobs_of(event).values()]
            self.noises |= {id: Noise(seq, batch.at, nth, batch.seq) for nth, (seq, id) in enumerate(clips)}

    @property
    def at(self) -> int:
        """When something last happened here that everybody may know of."""
        return max(self.moved, self.room.shown)

    def confided(self, seat: Seat, batch: Batch | None = None) -> list[Event]:
        """Return the events whose secrets the seat shares, oldest first, those of a batch not yet stored included."""
        events = chain(self._confided, () if batch is None else batch.events)
        return [event for event in events if seat in event.known_to]

    def choice(self, seat: Seat) -> NotedChoice | None:
        """Return what the seat has chosen to answer and is not stored yet."""
        choice, due = self.choices.get(seat), self.room.chairs[seat].due
        return choice if choice is not None and due is not None and due.since == choice.since else None

    @property
    def chosen(self) -> Mapping[Seat, Action]:
        """By asked seat: what has been chosen and is not stored yet."""
        if not self.choices:
            return NOTHING
        return {seat: choice.action for seat in self.choices if (choice := self.choice(seat)) is not None}

    def settle(self, batches: Sequence[Batch]) -> None:
        """Tell whoever chose an answer that it is stored, or that it came to nothing, if these batches say so.

        What a bot would rather do than answer may no longer be on offer: then it thinks again.
        """
        causes = [(batch.cause.seat, batch.cause.action) for batch in batches if batch.cause is not None]
        for seat, choice in [*self.choices.items()]:
            due, table = self.room.chairs[seat].due, self.table
            is_asked = table is not None and seat in table.asked and due is not None and due.since == choice.since
            stored = None if due is None or not due.chosen or due.action is None else bytes(due.action)
            if (seat, choice.action) in causes or (is_asked and stored == encode(choice.action)):
                choice.settle()
            elif not is_asked or (batches and not self._offers(seat, choice.action)):
                choice.settle(Illegal(seat, choice.action, ()))
            else:
                continue
            del self.choices[seat]

    def _offers(self, seat: Seat, action: Action) -> bool:
        return self.table is not None and any(offer.admits(action) for offer in self.table.offers[seat])

    @property
    def undoer(self) -> Seat | None:
        """Who may take the last action back: nobody while a bot is waited for, which has begun to think about it."""
        table = self.table
        if table is None or table.undoer is None or any(map(self.bot_level, table.awaiting)):
            return None
        return table.undoer

    @property
    def untimed(self) -> int:
        """Before which moment it is nobody else's business when something happened: one person played alone.

        Where nobody else could watch, that is so for good; others come, if at all, when the game is over.
        """
        if self.room.watched is not None:
            return self.room.watched
        return NEVER if self.table is not None and self.table.closed else 0

    @property
    def last_noise(self) -> Noise | None:
        """The clip that is released last."""
        return next(reversed(self.noises.values()), None)

    def take(self, entries: Sequence[AnyEntry], batches: Sequence[Batch]) -> Sequence[Batch]:
        """Take in what has been stored behind what is known, room and game at once; return the batches that can be.

        The room was read first: of a game that began in between it knows nothing yet, and will with the next notice.
        """
        room, table = reduce(rooms.evolve, entries, self.room), self.table
        if table is None and room.header is not None:
            table = Table(self.game, room.header.seats, room.laid.seal.seed(room.header.salts))
        known = () if table is None else batches
        for batch in known:
            assert table is not None
            table = table.grow(batch)
            self.confide(batch)
        self.room, self.table = grown(room, table, ())
        return known

    @property
    def size(self) -> int:
        """How many entries both streams have."""
        return self.room.size + (self.table.seq if self.table else 0)

    def end(self, stream: Literal["case", "room"]) -> Record:
        """Return a record that adds nothing: it says where a stream ends."""
        last = self.room.size if stream == "room" else self.table.seq if self.table else 0
        return Record(stream, last + 1, last, b"")

    @property
    def stage(self) -> Stage:
        return stage_of(self.table)

    @property
    def awake(self) -> bool:
        """Whether somebody who plays here is there: otherwise bots and clocks rest, unless the table is tireless."""
        return bool(self.elsewhere) or any(self.pages.values()) or self.room.tireless

    @property
    def present(self) -> frozenset[Seat]:
        """The seats with a page, here or on another node."""
        return self.elsewhere | {seat for seat, pages in self.pages.items() if pages}

    def silence(self) -> None:
        """Let no timer ring any more."""
        for ring in self.rings.values():
            ring.timer.cancel()
        for timed in (self.limit, self.flag):
            if timed is not None:
                timed[-1].cancel()

    def bot_level(self, seat: Seat) -> str | None:
        """Return the level of the bot that plays the seat now, or None if a person does, or time."""
        return None if seat == TABLE else self.room.chairs[seat].bot_level

    def __repr__(self) -> str:
        return f"Live({self.id!r}, {self.stage}, size={self.size})"


@cache
def _one_of_its_kind(seats: frozenset[Seat]) -> frozenset[Seat]:
    """Return the same set for equal ones: it would be the greatest part of an event kept in mind."""
    return seats


class Change(Struct, frozen=True):
    """What has just been stored, and is true from now on."""

    live: Live
    batches: tuple[Batch, ...] = ()
    entries: tuple[AnyEntry, ...] = ()
