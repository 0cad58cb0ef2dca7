"""Everything round a game: who sits where, who stands in, what is noted, which answers are due. A fold, like the game.

Entries are facts in the order in which they were stored. A person is named by the secret of a cookie, so an entry
leaves the server in no form; what a viewer may know of a room is built from the fold.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from whodunit.core.notes import Assistance
from whodunit.core.types import Seat
from whodunit.table.case import Header
from whodunit.table.pace import Pace
from whodunit.table.seal import Seal

Stage: TypeAlias = Literal["gathering", "playing", "over"]

# --- Entries --------------------------------------------------------------------------------------------------------


class Entry(Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    at: int
    """The server's clock in milliseconds."""


class Private(Entry, frozen=True):
    """What concerns one seat alone."""

    seat: Seat


class Laid(Entry, frozen=True):
    """The table is laid: what is played, and on which terms."""

    game: str
    options: dict[str, Any]
    levels: tuple[str | None, ...]
    """By seat: a bot of this level, or free."""
    public: bool
    assistance: Assistance
    pace: Pace
    code: str
    """What an invitation says."""
    keys: tuple[str, ...]
    """By seat, what opens it on another device."""
    seal: Seal


class Entered(Entry, frozen=True):
    """A person came by invitation, and may watch and sit down."""

    person: str


class Sat(Entry, frozen=True):
    """A person sat down; sitting down again where one sits changes name and salt."""

    seat: Seat
    person: str
    name: str
    salt: str


class Held(Entry, frozen=True):
    """Another device opened the seat by its key."""

    seat: Seat
    person: str


class ChairSet(Entry, frozen=True):
    """The chair is a bot's now, or free."""

    seat: Seat
    level: str | None


class Began(Entry, frozen=True):
    """Nobody sits down any more; the cards are dealt."""

    header: Header


class HandedOver(Entry, frozen=True):
    """A bot plays for the person: until it is taken back, or, if others called it, until the person is there again."""

    seat: Seat
    level: str
    called: bool


class TookBack(Entry, frozen=True):
    seat: Seat


class WentAway(Entry, frozen=True):
    """No page holds the seat any more; the last event that one was told is `seq`."""

    seat: Seat
    seq: int


class CameBack(Entry, frozen=True):
    seat: Seat


class CaughtUp(Private, frozen=True):
    """The person has read what happened meanwhile."""


class Asked(Private, frozen=True):
    """The seat will answer at this moment, drawn whatever it holds; `action` is what it answers if it has no choice."""

    since: int
    due: int
    action: Raw
    """JSON's null where it has a choice; msgspec cannot read `Raw | None`."""
    until: int | None = None
    """Of an answer that is typed: how long its player is waited for."""

    @property
    def forced(self) -> Raw | None:
        """The only answer there is, or None where the seat has a choice."""
        return None if bytes(self.action) == b"null" else self.action

    @property
    def is_choice(self) -> bool:
        """Whether something is chosen for the seat at once; not what is typed: who counts is not shown the number."""
        return self.forced is None and self.until is None


class Selected(Private, frozen=True):
    """What the asked seat will answer: chosen by its player, or by habit as long as the player chooses nothing."""

    since: int
    action: Raw
    chosen: bool


class Marked(Private, frozen=True):
    """A mark in the seat's own notes, made after event `seq`; an empty one removes it."""

    seq: int
    cell: str
    mark: str


class Jotted(Private, frozen=True):
    """The free text of the seat's notes, as it stood after event `seq`."""

    seq: int
    text: str


class Heard(Private, frozen=True):
    """The seat's player has been played every clip up to event `seq`."""

    seq: int


class Relaid(Entry, frozen=True):
    """The same people play again, at this table."""

    table: str


class Timed(Entry, frozen=True):
    """Time will do what TABLE is offered since then, when so many milliseconds are over in which somebody is there."""

    since: int
    left: int
    running: bool


AnyEntry: TypeAlias = (
    Laid
    | Entered
    | Sat
    | Held
    | ChairSet
    | Began
    | HandedOver
    | TookBack
    | WentAway
    | CameBack
    | CaughtUp
    | Asked
    | Selected
    | Marked
    | Jotted
    | Heard
    | Relaid
    | Timed
)

_DECODER = msgspec.json.Decoder(tuple[AnyEntry, ...])


def decode(body: bytes) -> tuple[AnyEntry, ...]:
    """Return the entries of a record."""
    return _DECODER.decode(body)


def are_private(entries: Sequence[AnyEntry]) -> bool:
    """Say whether all of these concern one seat alone each."""
    for entry in entries:  # noqa: SIM110  (a generator would double the cost of a hot path)
        if not isinstance(entry, Private):
            return False
    return True


# --- The room as it stands --------------------------------------------------------------------------------------------


class Due(Struct, frozen=True):
    """An answer that will be given."""

    since: int
    at: int
    action: Raw | None
    chosen: bool = False
    until: int | None = None
    """How long its player is waited for; None: it is given at its moment, whatever is chosen then."""

    @property
    def moment(self) -> int:
        """When it is given, as things stand."""
        return self.at if self.chosen or self.until is None else self.until


class Limit(Struct, frozen=True):
    """How much time is left until time does what TABLE is offered."""

    since: int
    left: int
    at: int | None
    """From when on it runs; None: the table sleeps."""

    @property
    def ends(self) -> int | None:
        return None if self.at is None else self.at + self.left


class Away(Struct, frozen=True):
    at: int
    seq: int


class Chair(Struct, frozen=True):
    """One seat: a bot's, a person's (who may hold it on several devices), or free."""

    level: str | None = None
    people: tuple[str, ...] = ()
    name: str = ""
    salt: str = ""
    away: Away | None = None
    unread: int | None = None
    """The event after which the person was away, until they have caught up."""
    stand_in: str | None = None
    called: bool = False
    due: Due | None = None
    marks: dict[str, str] = {}
    jotting: str = ""
    heard: int = 0
    """The event up to which the player has been played every clip."""

    @property
    def free(self) -> bool:
        return self.level is None and not self.people

    @property
    def player(self) -> str | None:
        """The level of the bot that plays this seat now, or None if a person does."""
        return self.level or self.stand_in


class Room(Struct, frozen=True):
    """A room as it stands after `size` entries."""

    size: int
    laid: Laid
    chairs: tuple[Chair, ...]
    entered: tuple[str, ...] = ()
    header: Header | None = None
    """None while the table still gathers players."""
    rematch: str | None = None
    limit: Limit | None = None
    """The last one that was set; it counts while TABLE's offer is as old."""
    at: int = 0

    @property
    def gathering(self) -> bool:
        return self.header is None

    @property
    def host(self) -> Seat | None:
        """Who may start: the first of those who sit here."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.people), None)

    @property
    def people(self) -> tuple[str, ...]:
        """Everyone who finds this table among their own."""
        seated = (person for chair in self.chairs for person in chair.people)
        return tuple(dict.fromkeys([*seated, *self.entered]))

    def seat_of(self, person: str) -> Seat | None:
        """Return where the person sits."""
        for seat, chair in enumerate(self.chairs):
            if person in chair.people:
                return seat
        return None

    def may_enter(self, person: str) -> bool:
        """Say whether the person may see this table at all."""
        return self.laid.public or self.seat_of(person) is not None or person in self.entered

    def __repr__(self) -> str:
        # A room is full of secrets, and may be named in a log.
        return f"Room({self.laid.game!r}, size={self.size})"


def evolve(room: Room | None, entry: AnyEntry) -> Room:
    """Return the room after one more entry."""
    if room is None:
        assert isinstance(entry, Laid)
        return Room(size=1, laid=entry, chairs=tuple(Chair(level=level) for level in entry.levels), at=entry.at)
    changes: dict[str, Any]
    match entry:
        case Laid():
            raise ValueError("a table is laid once")
        case Entered(person=person):
            changes = {"entered": (*room.entered, person)}
        case Began(header=header):
            changes = {"header": header}
        case Relaid(table=table):
            changes = {"rematch": table}
        case Timed(since=since, left=left, running=running):
            changes = {"limit": Limit(since, left, entry.at if running else None)}
        case _:
            chair = _changed(room.chairs[entry.seat], entry)
            changes = {"chairs": (*room.chairs[: entry.seat], chair, *room.chairs[entry.seat + 1 :])}
    return replace(room, size=room.size + 1, at=entry.at, **changes)


def _changed(chair: Chair, entry: AnyEntry) -> Chair:
    match entry:
        case Asked(since=since, due=due, until=until):
            return replace(chair, due=Due(since, due, entry.forced, until=until))
        case Selected(since=since, action=action, chosen=chosen):
            due_now = chair.due
            if due_now is None or due_now.since != since:
                return chair
            return replace(chair, due=replace(due_now, action=action, chosen=chosen))
        case Sat(person=person, name=name, salt=salt):
            people = chair.people if person in chair.people else (*chair.people, person)
            return replace(chair, people=people, name=name, salt=salt)
        case Held(person=person):
            return replace(chair, people=(*chair.people, person))
        case ChairSet(level=level):
            return Chair(level=level)
        case HandedOver(level=level, called=called):
            return replace(chair, stand_in=level, called=called)
        case TookBack():
            return replace(chair, stand_in=None, called=False)
        case WentAway(at=at, seq=seq):
            return replace(chair, away=Away(at, seq))
        case CameBack():
            unread = chair.unread if chair.away is None else (chair.unread or chair.away.seq or None)
            return replace(chair, away=None, unread=unread)
        case CaughtUp():
            return replace(chair, unread=None)
        case Marked(cell=cell, mark=mark):
            marks = {name: old for name, old in chair.marks.items() if name != cell}
            return replace(chair, marks=marks | {cell: mark} if mark else marks)
        case Jotted(text=text):
            return replace(chair, jotting=text)
        case Heard(seq=seq):
            return replace(chair, heard=max(chair.heard, seq))
        case Laid() | Entered() | Began() | Relaid() | Timed():
            raise TypeError(f"{type(entry).__name__} is no chair's")
        case _:
            assert_never(entry)
