"""Everything round a game: who sits where, who stands in, what is noted or said, which answers are due. A fold too."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Any, Final, Literal, TypeAlias, assert_never

from msgspec import Raw, Struct
from msgspec.structs import replace

from whodunit.core.types import Seat, StandingOrder
from whodunit.room.entries import (
    Abandoned,
    Agreed,
    AnyEntry,
    Aside,
    Began,
    CameBack,
    CaughtUp,
    ChairSet,
    ClipsHeard,
    ClosingAnnounced,
    Dueled,
    Entered,
    HandedOver,
    Held,
    Hooked,
    How,
    Jotted,
    Laid,
    Language,
    Marked,
    Muted,
    Ordered,
    PaceSet,
    Paused,
    PersonForgotten,
    QuestionPut,
    Reclaimed,
    Relaid,
    Resumed,
    Rung,
    Said,
    Sat,
    Selected,
    SharedDeal,
    Timed,
    Turned,
    WentAway,
    WishedPace,
    WishedPause,
    Withdrawn,
)
from whodunit.room.pace import SOLO, TEMPI, Days, Pace, Tempo
from whodunit.table.case import Header
from whodunit.table.table import Table

Stage: TypeAlias = Literal["gathering", "playing", "over"]
GONE: Final = "gone-"
"""How people are called who want nothing to be stored about them; no cookie says so."""
FORGOTTEN: Final = "forgotten"
"""The household of whoever wants nothing to be stored about them; no digest says so."""
KEPT = 60
"""So many of the last things said are kept at hand; the rest is on disk."""


class Due(Struct, frozen=True):
    """An answer that will be given."""

    since: int
    at: int
    action: Raw | None
    chosen: bool = False
    until: int | None = None
    """Until when its player is waited for; None: it is given at its moment, whatever is chosen then."""
    latest: int | None = None
    """As `until`, of any answer where the table has an answer clock."""
    patient: bool = False
    """Whether its player is waited for until then, or where no clock runs without end."""
    asked: int = 0
    """When the question was put: from it follows when choices are stored."""

    @property
    def last(self) -> int:
        """When it is given at the latest, unless its player is waited for without end."""
        return self.until or self.latest or self.at

    def later(self, by: int) -> "Due":
        """Return the same answer, put off by so many milliseconds."""
        until, latest = (None if moment is None else moment + by for moment in (self.until, self.latest))
        return replace(self, at=self.at + by, until=until, latest=latest, asked=self.asked + by)


class Limit(Struct, frozen=True):
    """How much time is left until time does what TABLE is offered."""

    since: int
    left: int
    at: int | None
    """From when on it runs; None: the table sleeps."""

    @property
    def ends(self) -> int | None:
        return None if self.at is None else self.at + self.left


class Watch(Struct, frozen=True):
    """The players' clocks."""

    left: tuple[int, ...]
    """By seat, how many milliseconds there were at `at`, or are while the clocks stand still."""
    turn: tuple[Seat, ...] = ()
    """Whose move it is."""
    at: int | None = None
    """From when on their clocks run; None: they stand still."""
    before: tuple[int, ...] = ()
    """What was left before the last move was credited."""


class Away(Struct, frozen=True):
    at: int
    seq: int


class Closing(Struct, frozen=True):
    """That the case is going to be closed, as it was last announced."""

    since: int
    """Since when nothing had happened: if anything has since, it counts no more."""
    day: int
    """On how many days it has been announced."""
    at: int


class Hook(Struct, frozen=True):
    """Where a seat's player is told that it is their turn."""

    url: str
    language: Language
    since: int = 0
    """They know, or were told, of being waited for since then."""
    at: int = 0
    """When something was last sent there."""
    failed: bool = False
    """Whether the last notice did not arrive."""


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
    lapsed: bool = False
    """Whether the stand-in makes but one move, because time ran out."""
    wants_pause: bool = False
    wants_pace: Pace | None = None
    """At which pace its player would like to play, until everybody does."""
    due: Due | None = None
    order: StandingOrder | None = None
    """By what it answers if its player chooses nothing."""
    hook: Hook | None = None
    agrees: bool = False
    """Whether its player lets whoever watches see all hands, late."""
    marks: dict[str, str] = {}
    jotting: str = ""
    noted: int = 0
    """Which version of its players' own notes this is; 0: none has been kept."""
    heard: int = 0
    """The event up to which the player has been played every clip."""

    @property
    def free(self) -> bool:
        return self.level is None and not self.people

    @property
    def gone(self) -> bool:
        """Whether nobody holds the seat any more who could come back."""
        return bool(self.people) and all(person.startswith(GONE) for person in self.people)

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays this seat now, or None if a person does."""
        return self.level or self.stand_in


class Speaker(Struct, frozen=True):
    """Somebody who has said something, by the name they last had."""

    person: str
    seat: Seat | None
    name: str


class Room(Struct, frozen=True):
    """A room as it stands after `size` entries."""

    size: int
    laid: Laid
    chairs: tuple[Chair, ...]
    entered: tuple[str, ...] = ()
    header: Header | None = None
    """None while the table still gathers players."""
    rematch: str | None = None
    duel: str | None = None
    """The duel that was made of the game, by its id."""
    sat: tuple[str, ...] = ()
    """Everybody who ever sat down here, in the order in which they first did: the maker first."""
    closing: Closing | None = None
    """The last announcement, whether or not it still counts: see `manners.closing`."""
    abandoned: bool = False
    """Whether the case was closed though the game has no end."""
    withdrawn: bool = False
    """Whether it is kept from the open tables until somebody is there who could begin."""
    limit: Limit | None = None
    """The last one that was set; it counts while TABLE's offer is as old."""
    watch: Watch | None = None
    """None: nobody's moves are timed."""
    chosen_pace: Pace = "normal"
    """The pace that was agreed on; see `pace`."""
    watched: int | None = None
    """Since when others than the one person who plays can watch or sit down; None: nobody can."""
    paused: int | None = None
    """Since when nobody may move."""
    at: int = 0
    shown: int = 0
    """When something last happened here that everybody may know of: asides pass unnoticed."""
    said: tuple[Said, ...] = ()
    """The last things said, oldest first."""
    speakers: tuple[Speaker, ...] = ()
    """In the order in which they first spoke."""
    muted: dict[str, tuple[str, ...]] = {}
    """By person, whom they do not want to hear."""

    @property
    def gathering(self) -> bool:
        return self.header is None

    @property
    def tireless(self) -> bool:
        """Whether bots, answers and clocks go on with nobody there: a move may take days."""
        return isinstance(self.laid.allowance, Days)

    @property
    def alone(self) -> bool:
        """Whether one person plays among bots, and nobody else can watch or sit down."""
        return self.watched is None

    @property
    def pace(self) -> Pace:
        """How fast the table plays: where others can watch, never faster than people would."""
        return "normal" if self.chosen_pace in SOLO and not self.alone else self.chosen_pace

    @property
    def tempo(self) -> Tempo:
        """The moments of that pace."""
        return TEMPI[self.pace]

    @property
    def host(self) -> Seat | None:
        """Where whoever may start sits: the maker, on whatever chair; without the maker, who has been here longest."""
        sits = (self.seat_of(person) for person in self.sat if not person.startswith(GONE))
        return next((seat for seat in sits if seat is not None), None)

    @property
    def people(self) -> tuple[str, ...]:
        """Everyone who finds this table among their own."""
        seated = (person for chair in self.chairs for person in chair.people)
        return tuple(person for person in dict.fromkeys([*seated, *self.entered]) if not person.startswith(GONE))

    @property
    def open_hands(self) -> bool:
        """Whether everybody who plays here lets whoever watches see all hands, late."""
        people = [chair for chair in self.chairs if chair.people and not chair.gone]
        return bool(people) and all(chair.agrees for chair in people)

    def seat_of(self, person: str) -> Seat | None:
        """Return where the person sits."""
        for seat, chair in enumerate(self.chairs):
            if person in chair.people:
                return seat
        return None

    @property
    def deal(self) -> SharedDeal | None:
        """The deal that others play, too; None: it is this table's alone."""
        return SharedDeal("duel", self.duel) if self.duel is not None else self.laid.deal

    def may_enter(self, person: str) -> bool:
        """Say whether the person may see this table at all."""
        return self.laid.public or self.seat_of(person) is not None or person in self.entered

    def key(self, seat: Seat) -> str | None:
        """Return what opens the seat on another device: its player's own, so whoever sat there before knows it not."""
        people = self.chairs[seat].people
        return _key(self.laid.keys[seat], people[0]) if people else None

    def alias(self, person: str) -> str:
        """Return what somebody is called here who wants to be forgotten: a different name at each table."""
        return GONE + hashlib.sha256(f"{self.laid.seal.commitment} {person}".encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        # A room is full of secrets, and may be named in a log.
        return f"Room({self.laid.game!r}, size={self.size})"


@lru_cache(maxsize=4096)
def _key(secret: str, person: str) -> str:
    return hashlib.sha256(f"{secret} {person}".encode()).hexdigest()[:32]


def evolve(room: Room | None, entry: AnyEntry) -> Room:
    """Return the room after one more entry."""
    if room is None:
        assert isinstance(entry, Laid)
        return _first(entry)
    changes: dict[str, Any]
    match entry:
        case Laid():
            raise ValueError("a table is laid once")
        case Entered(person=person):
            entered = (*room.entered, person)
            changes = {
                "entered": entered,
                "watched": _watched(room.watched, room.laid, room.chairs, entered, entry.at),
            }
        case Began(header=header):
            changes = {"header": header}
        case ClosingAnnounced(since=since, day=day):
            changes = {"closing": Closing(since, day, entry.at)}
        case Abandoned():
            changes = {"abandoned": True}
        case Withdrawn():
            changes = {"withdrawn": True}
        case Relaid() | Dueled():
            changes = {"rematch": entry.table} if isinstance(entry, Relaid) else {"duel": entry.duel}
        case Timed(since=since, left=left, running=running):
            changes = {"limit": Limit(since, left, entry.at if running else None)}
        case Turned(turn=turn, left=left, runs=runs, before=before):
            changes = {"watch": Watch(left, turn, runs, before)}
        case PaceSet(pace=pace):
            chairs = tuple(replace(chair, wants_pace=None) for chair in room.chairs)
            changes = {"chosen_pace": pace, "chairs": chairs}
        case Paused():
            changes = {"paused": entry.at, "chairs": tuple(replace(chair, wants_pause=False) for chair in room.chairs)}
        case Resumed():
            changes = {"paused": None, "chairs": tuple(_put_off(chair, entry.at, room.paused) for chair in room.chairs)}
        case Said():
            changes = {"said": (*room.said, entry)[-KEPT:], "speakers": _with_speaker(room.speakers, entry)}
        case PersonForgotten(alias=alias):
            changes = _forgotten(room, alias)
        case Muted():
            changes = {"muted": _muted(room, entry)}
        case _:
            if isinstance(entry, QuestionPut) and entry.patient is None:
                entry = replace(entry, patient=room.laid.pace == "unhurried")
            chair = _changed(room.chairs[entry.seat], entry)
            chairs = (*room.chairs[: entry.seat], chair, *room.chairs[entry.seat + 1 :])
            changes = {"chairs": chairs}
            if isinstance(entry, ChairSet):
                changes["watched"] = _watched(room.watched, room.laid, chairs, room.entered, entry.at)
            elif isinstance(entry, (Sat, Held)):
                changes["sat"] = _with_sitter(room, entry)
    shown = room.shown if isinstance(entry, (Aside, ClosingAnnounced)) else entry.at
    new = replace(room, size=room.size + 1, at=entry.at, shown=shown, **changes)
    if new.withdrawn and isinstance(entry, (Sat, CameBack)) and entry.seat == new.host:
        return replace(new, withdrawn=False)
    return new


def _first(laid: Laid) -> Room:
    chairs = tuple(Chair(level=level) for level in laid.levels)
    watched = _watched(None, laid, chairs, (), laid.at)
    return Room(size=1, laid=laid, chairs=chairs, chosen_pace=laid.pace, watched=watched, at=laid.at, shown=laid.at)


def _with_sitter(room: Room, entry: Sat | Held) -> tuple[str, ...]:
    """Return who ever sat here, with one more: another device of a seat comes right after whose it is."""
    if entry.person in room.sat:
        return room.sat
    owner = room.chairs[entry.seat].people[:1] if isinstance(entry, Held) else ()
    at = room.sat.index(owner[0]) + 1 if owner and owner[0] in room.sat else len(room.sat)
    return (*room.sat[:at], entry.person, *room.sat[at:])


def _watched(since: int | None, laid: Laid, chairs: Sequence[Chair], entered: Sequence[str], at: int) -> int | None:
    """Return since when others can watch or sit down than the one person among bots; None: nobody can."""
    if laid.public or entered or sum(chair.level is None for chair in chairs) > 1:
        return at if since is None else since
    return None


def stage_of(table: Table | None) -> Stage:
    """Return how far a table has come."""
    if table is None:
        return "gathering"
    return "over" if table.closed else "playing"


def grown(room: Room, table: Table | None, entries: Sequence[AnyEntry]) -> tuple[Room, Table | None]:
    """Return room and game after some more entries of the room."""
    room = reduce(evolve, entries, room)
    return room, table.abandon() if room.abandoned and table is not None else table


def _forgotten(room: Room, alias: str) -> dict[str, Any]:
    """Return the room without what somebody is known by; whose seat it was had also its notes and its orders."""

    def named(person: str) -> str:
        return alias if room.alias(person) == alias else person

    sat = tuple(map(named, room.sat))

    def emptied(chair: Chair) -> Chair:
        people = tuple(map(named, chair.people))
        if people[:1] != (alias,):
            return replace(chair, people=people)
        return replace(chair, people=people, name="", order=None, hook=None, marks={}, jotting="")

    def silent(said: Said) -> Said:
        return replace(said, person=alias, name="", text="", phrase=None) if named(said.person) == alias else said

    return {
        "laid": without_household(room.laid) if sat[:1] == (alias,) else room.laid,
        "sat": sat,
        "chairs": tuple(map(emptied, room.chairs)),
        "entered": tuple(map(named, room.entered)),
        "said": tuple(map(silent, room.said)),
        "speakers": tuple(Speaker(alias, who.seat, "") if named(who.person) == alias else who for who in room.speakers),
        "muted": {named(who): tuple(map(named, whom)) for who, whom in room.muted.items()},
    }


def without_household(laid: Laid) -> Laid:
    """Return the terms without what is known of their maker's household: all such tables count as one household's."""
    return replace(laid, household=FORGOTTEN) if laid.household else laid


def _with_speaker(speakers: tuple[Speaker, ...], said: Said) -> tuple[Speaker, ...]:
    new = Speaker(said.person, said.seat, said.name)
    if all(old.person != new.person for old in speakers):
        return (*speakers, new)
    return tuple(new if old.person == new.person else old for old in speakers)


def _muted(room: Room, entry: Muted) -> dict[str, tuple[str, ...]]:
    others = tuple(each for each in room.muted.get(entry.person, ()) if each != entry.speaker)
    return room.muted | {entry.person: (*others, entry.speaker) if entry.muted else others}


def _rung(hook: Hook, since: int, how: How, at: int) -> Hook:
    if how == "seen":
        return replace(hook, since=since)
    return replace(hook, since=since, at=at, failed=how == "failed")


def _put_off(chair: Chair, now: int, paused: int | None) -> Chair:
    if chair.due is None or paused is None or chair.due.last < paused:
        return chair
    return replace(chair, due=chair.due.later(now - paused))


def _own(action: Raw) -> Raw | None:
    """Return an answer, or None, in bytes of its own: a piece of a record would keep all of it in mind."""
    return None if bytes(action) == b"null" else action.copy()


def with_notes(chair: Chair, entry: Marked | Jotted) -> Chair:
    """Return the chair with something written down, in a new version of its players' own notes."""
    return replace(_changed(chair, entry), noted=chair.noted + 1)


def _changed(chair: Chair, entry: AnyEntry) -> Chair:
    match entry:
        case QuestionPut(since=since, due=due, until=until, latest=latest, patient=patient):
            by_order = chair.order is not None and until is None  # what is typed no order can say
            asked = Due(
                since,
                due,
                _own(entry.action),
                until=until,
                latest=None if by_order else latest,
                patient=bool(patient) and not by_order,
                asked=entry.at,
            )
            return replace(chair, due=asked)
        case Selected(since=since, action=action, chosen=chosen):
            due_now = chair.due
            if due_now is None or due_now.since != since:
                return chair
            return replace(chair, due=replace(due_now, action=_own(action), chosen=chosen))
        case Ordered(order=order):
            return replace(chair, order=order)
        case Agreed(agreed=agreed):
            return replace(chair, agrees=agreed)
        case Hooked(url=url, language=language):
            return replace(chair, hook=Hook(url, language) if url else None)
        case Rung(since=since, how=how):
            return replace(chair, hook=_rung(chair.hook, since, how, entry.at) if chair.hook else None)
        case Sat(person=person, name=name, salt=salt):
            people = chair.people if person in chair.people else (*chair.people, person)
            return replace(chair, people=people, name=name, salt=salt)
        case Held(person=person):
            return replace(chair, people=(*chair.people, person))
        case ChairSet(level=level):
            return Chair(level=level)
        case HandedOver(level=level, called=called, lapsed=lapsed):
            return replace(chair, stand_in=level, called=called, lapsed=lapsed)
        case Reclaimed():
            return replace(chair, stand_in=None, called=False, lapsed=False)
        case WishedPace(pace=pace):
            return replace(chair, wants_pace=pace)
        case WishedPause(wish=wish):
            return replace(chair, wants_pause=wish)
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
        case ClipsHeard(seq=seq):
            return replace(chair, heard=max(chair.heard, seq))
        case Laid() | Entered() | Began() | Abandoned() | Withdrawn() | Relaid() | Dueled():
            raise TypeError(f"{type(entry).__name__} is no chair's")
        case Said() | PersonForgotten() | Muted():
            raise TypeError(f"{type(entry).__name__} is no chair's")
        case Timed() | Turned() | PaceSet() | Paused() | Resumed() | ClosingAnnounced():
            raise TypeError(f"{type(entry).__name__} is no chair's")
        case _:
            assert_never(entry)
