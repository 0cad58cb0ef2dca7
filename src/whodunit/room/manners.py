"""Who may do what round a game: each function returns the entries that a wish adds to the room, or refuses it."""

from collections.abc import Callable, Collection
from operator import eq

from whodunit.core.errors import Refusal
from whodunit.core.types import Seat, StandingOrder
from whodunit.room.entries import (
    Abandoned,
    Agreed,
    AnyEntry,
    CameBack,
    CaughtUp,
    ChairSet,
    ClipsHeard,
    ClosingAnnounced,
    Entered,
    HandedOver,
    Held,
    Hooked,
    How,
    Jotted,
    Language,
    Marked,
    Ordered,
    PaceSet,
    Reclaimed,
    Rung,
    Sat,
    WentAway,
    WishedPace,
    Withdrawn,
)
from whodunit.room.pace import SOLO, TEMPI, Days, Pace
from whodunit.room.room import Chair, Closing, Room, Stage
from whodunit.table.case import Bot, Header

PATIENCE_MS = 120_000
"""After so long the others may call a stand-in for somebody who is away."""
STAND_IN = "detective"
DAY_MS = 24 * 60 * 60 * 1000
UNFINISHED_MS = 30 * DAY_MS
"""So long after anything happened at it, a game that has no end is announced to be closed."""
GRACE_DAYS = 7
"""On so many days it is announced; a day later the case is closed, and everything may be seen."""
LATE_MS = 10 * 60 * 1000
"""How old what whoever watches may see of all hands is, where everybody has agreed to it."""
HOSTLESS_MS = 30 * 60 * 1000
"""So long without anybody who could begin a table stands among the open ones."""


def enter(room: Room, person: str, at: int) -> list[AnyEntry]:
    """Come in by invitation; to a staged deal nobody is invited."""
    if room.laid.staged:
        raise Refusal("private")
    return [] if person in room.people else [Entered(at=at, person=person)]


def hold(room: Room, seat: Seat, person: str, at: int) -> list[AnyEntry]:
    """Open one's seat on another device; a deal that others play, too, is one device's: its seat has one try at it."""
    if room.laid.deal is not None:
        raise Refusal("private")
    if not room.chairs[seat].people or room.chairs[seat].gone:
        raise Refusal("no_seat", "nobody sits there")
    if (sits := room.seat_of(person)) == seat:
        return []
    if sits is not None:
        raise Refusal("seated", "this device already has another seat here")
    return [Held(at=at, seat=seat, person=person)]


def sit(
    room: Room,
    seat: Seat,
    person: str,
    name: str,
    salt: str,
    at: int,
    *,
    alike: Callable[[str, str], bool] = eq,
) -> list[AnyEntry]:
    """Sit down, or change one's name; from one chair to another while the table gathers.

    No two names are `alike`. A bot gives way, and so does whoever only speaks here, with the next thing they say.
    """
    if not room.gathering:
        raise Refusal("begun")
    chair = _chair(room, seat)
    if person not in chair.people and not chair.free:
        raise Refusal("taken")
    if any(alike(other.name, name) for other in room.chairs if other.name and person not in other.people):
        raise Refusal("name_taken")
    old = room.seat_of(person)
    moved: list[AnyEntry] = [] if old in {None, seat} else [ChairSet(at=at, seat=_seat(old), level=None)]
    return [*moved, Sat(at=at, seat=seat, person=person, name=name, salt=salt)]


def stand_up(room: Room, person: str, at: int) -> list[AnyEntry]:
    """Leave: the chair is free again, or once the game has begun a bot plays on until one returns."""
    seat = seated(room, person)
    if room.gathering:
        return [*_still_admitted(room, seat, at), ChairSet(at=at, seat=seat, level=None)]
    if room.chairs[seat].stand_in and not room.chairs[seat].lapsed:
        return []
    return [HandedOver(at=at, seat=seat, level=STAND_IN, called=True)]


def refuse_if_over(stage: Stage) -> None:
    """Refuse what no longer means anything when the game is over."""
    if stage == "over":
        raise Refusal("over")


def leave(room: Room, person: str, stage: Stage, at: int) -> list[AnyEntry]:
    """Leave for good: as standing up, but nobody comes back for whom a bot would give the seat back."""
    seat = room.seat_of(person)
    if seat is None or stage == "over":
        return []
    if stage == "gathering":
        return stand_up(room, person, at)
    alone = len(room.chairs[seat].people) == 1 and not room.chairs[seat].stand_in
    return [HandedOver(at=at, seat=seat, level=STAND_IN, called=False)] if alone else []


def set_chair(room: Room, person: str, seat: Seat, level: str | None, at: int) -> list[AnyEntry]:
    """Put a bot into a chair, or free it: the host's right before the start."""
    _host(room, person)
    if person in _chair(room, seat).people:
        raise Refusal("own_chair")
    return [*_still_admitted(room, seat, at), ChairSet(at=at, seat=seat, level=level)]


def start(room: Room, person: str, fill: str, rules: int, version: int, at: int) -> tuple[Header, list[AnyEntry]]:
    """Begin the game: free chairs become bots."""
    _host(room, person)
    filled: list[AnyEntry] = [
        ChairSet(at=at, seat=seat, level=fill) for seat, chair in enumerate(room.chairs) if chair.free
    ]
    levels = [fill if chair.free else chair.level for chair in room.chairs]
    header = Header(
        game=room.laid.game,
        rules=rules,
        seats=len(room.chairs),
        commitment=room.laid.seal.commitment,
        salts=tuple(chair.salt for chair in room.chairs),
        bots=tuple(Bot(seat, level, version) for seat, level in enumerate(levels) if level is not None),
        staged=room.laid.staged,
    )
    return header, filled


def hand_over(room: Room, person: str, level: str, at: int) -> list[AnyEntry]:
    """Let a bot play one's seat until one takes it back."""
    seat = playing(room, person)
    if room.chairs[seat].lapsed:
        raise Refusal("lapsed")
    return [HandedOver(at=at, seat=seat, level=level, called=False)]


def reclaim(room: Room, person: str, at: int) -> list[AnyEntry]:
    """Play one's seat again."""
    seat = playing(room, person)
    if room.chairs[seat].lapsed:
        raise Refusal("lapsed")
    return [Reclaimed(at=at, seat=seat)] if room.chairs[seat].stand_in else []


def call_stand_in(room: Room, person: str, seat: Seat, at: int) -> list[AnyEntry]:
    """Let a bot play for somebody who has been away too long; it hands back when they return."""
    if not may_call(room, person, seat, at):
        raise Refusal("not_away")
    return [HandedOver(at=at, seat=seat, level=STAND_IN, called=True)]


def may_call(room: Room, person: str, seat: Seat, at: int) -> bool:
    """Say whether the person may call a stand-in for the seat now: left alone with bots at once, else after a while."""
    chair = _chair(room, seat)
    if room.gathering or chair.away is None or chair.stand_in or isinstance(room.laid.allowance, Days):
        return False  # where a move may take days nobody is missed before they are over
    mine = room.seat_of(person)
    if mine in {None, seat}:
        return False
    there = [other for number, other in enumerate(room.chairs) if number != mine and other.people and not other.away]
    return not there or at - chair.away.at >= PATIENCE_MS


def away(room: Room, seat: Seat, seq: int, at: int) -> list[AnyEntry]:
    """Nobody holds the seat any more."""
    chair = room.chairs[seat]
    return [WentAway(at=at, seat=seat, seq=seq)] if chair.people and chair.away is None else []


def back(room: Room, seat: Seat, since: int, at: int) -> list[AnyEntry]:
    """Somebody holds the seat again, where nothing has happened since then.

    A stand-in that others called gives it back, and a case that was going to be closed stays open.
    """
    chair = room.chairs[seat]
    missed = chair.away or (room.withdrawn and seat == room.host) or closing(room, since, at)
    returned: list[AnyEntry] = [CameBack(at=at, seat=seat)] if missed else []
    if chair.stand_in and chair.called:
        returned.append(Reclaimed(at=at, seat=seat))
    return returned


def agree(room: Room, person: str, at: int, *, agreed: bool) -> list[AnyEntry]:
    """Let whoever watches see all hands, late, if everybody else does; or no longer."""
    seat = seated(room, person)
    return [Agreed(at=at, seat=seat, agreed=agreed)] if room.chairs[seat].agrees != agreed else []


def paces(room: Room) -> tuple[Pace, ...]:
    """Return the paces that can be wished for: those for one person alone only where nobody else can watch or sit."""
    return tuple(pace for pace in TEMPI if room.alone or pace not in SOLO)


def wish_pace(room: Room, person: str, pace: Pace, at: int) -> list[AnyEntry]:
    """Wish for a pace; the table plays at it when everybody wishes for it who plays."""
    seat = seated(room, person)
    if pace not in paces(room):
        raise Refusal("not_alone", f"{pace} is for one person among bots, whom nobody can watch")
    if pace == room.chosen_pace:
        return [PaceSet(at=at, pace=pace)] if any(chair.wants_pace for chair in room.chairs) else []
    others = [chair for number, chair in enumerate(room.chairs) if number != seat and chair.people and not chair.gone]
    if all(chair.wants_pace == pace or (chair.stand_in and not chair.lapsed) for chair in others):
        return [PaceSet(at=at, pace=pace)]
    return [] if room.chairs[seat].wants_pace == pace else [WishedPace(at=at, seat=seat, pace=pace)]


def closing(room: Room, since: int, at: int) -> Closing | None:
    """Return the announcement that the case is going to be closed, if it counts: nothing has happened since then.

    A clock that was set back unsays what was announced ahead of time.
    """
    told = room.closing
    if told is None or room.abandoned or at - since < UNFINISHED_MS:
        return None
    return told if told.since == since and told.at <= at else None


def closes(told: Closing) -> int:
    """Return when the case is closed at the earliest."""
    return told.at + (1 + GRACE_DAYS - told.day) * DAY_MS


def abandon(room: Room, since: int, at: int) -> list[AnyEntry]:
    """Announce day by day that a game in which nothing has happened is going to be closed, and close it in the end.

    Days are counted as they are announced, so a clock that leaps ahead takes one of them, and not the whole grace.
    """
    if room.abandoned or at - since < UNFINISHED_MS:
        return []
    told = closing(room, since, at)
    if told is None:
        return [ClosingAnnounced(at=at, since=since, day=1)]
    if at - told.at < DAY_MS:
        return []
    return [Abandoned(at=at)] if told.day == GRACE_DAYS else [ClosingAnnounced(at=at, since=since, day=told.day + 1)]


def withdraw(room: Room, at: int) -> list[AnyEntry]:
    """Keep from the open tables one whose host, who is not there, has been away for too long."""
    if room.withdrawn or not room.gathering:
        return []
    return [Withdrawn(at=at)] if at >= hostless_at(room) else []


def hostless_at(room: Room) -> int:
    """Return when a table has been without anybody who could begin for too long, if nobody comes until then."""
    gone = None if room.host is None else room.chairs[room.host].away
    # A house that was shut has not seen when the host went.
    return (gone.at if gone else room.at) + HOSTLESS_MS


def disband(room: Room, at: int) -> list[AnyEntry]:
    """Send everybody away from a table that was laid in vain: it stands in nobody's list any more."""
    seats = [seat for seat, chair in enumerate(room.chairs) if chair.people]
    return [Withdrawn(at=at), *(ChairSet(at=at, seat=seat, level=None) for seat in seats)]


def caught_up(room: Room, seat: Seat, at: int) -> list[AnyEntry]:
    """The person has read what happened meanwhile."""
    return [CaughtUp(at=at, seat=seat)] if room.chairs[seat].unread is not None else []


def mark(room: Room, person: str, seq: int, cell: str, made: str, at: int) -> list[Marked | Jotted]:
    """Mark a cell of one's own notes."""
    seat = seated(room, person)
    if len(room.chairs[seat].marks) >= MARKS and cell not in room.chairs[seat].marks:
        raise Refusal("too_many_marks")
    if room.chairs[seat].marks.get(cell, "") == made:
        return []
    return [Marked(at=at, seat=seat, seq=seq, cell=cell, mark=made)]


MARKS = 1000
"""More marks than any sheet has cells."""


def jot(room: Room, person: str, seq: int, text: str, at: int) -> list[Marked | Jotted]:
    """Write down one's free notes."""
    seat = seated(room, person)
    return [Jotted(at=at, seat=seat, seq=seq, text=text)] if room.chairs[seat].jotting != text else []


def heard(room: Room, person: str, seq: int, last: int, at: int) -> list[AnyEntry]:
    """Say that one has been played every clip up to event `seq` of `last`; that only grows."""
    seat = seated(room, person)
    if seq > last:
        raise Refusal("no_event")
    return [ClipsHeard(at=at, seat=seat, seq=seq)] if seq > room.chairs[seat].heard else []


def order(
    room: Room, person: str, orders: Collection[StandingOrder], wanted: StandingOrder | None, at: int
) -> list[AnyEntry]:
    """Give a standing order for one's answers, or take it back; it counts from the next question on."""
    seat = seated(room, person)
    if wanted is not None and wanted not in orders:
        raise Refusal("no_order")
    return [] if room.chairs[seat].order == wanted else [Ordered(at=at, seat=seat, order=wanted)]


def hook(room: Room, person: str, url: str | None, language: Language, at: int) -> list[AnyEntry]:
    """Be told somewhere else that it is one's turn, or no longer."""
    seat = seated(room, person)
    if url is None and room.chairs[seat].hook is None:
        return []
    return [Hooked(at=at, seat=seat, url=url, language=language)]


def rung(room: Room, seat: Seat, since: int, how: How, at: int) -> list[AnyEntry]:
    """The player knows of being waited for since then, or could not be told."""
    known = room.chairs[seat].hook
    return [Rung(at=at, seat=seat, since=since, how=how)] if known is not None and known.since < since else []


def powers(room: Room, person: str, stage: Stage) -> list[str]:
    """Return what the person may do about the table as a whole."""
    seat = room.seat_of(person)
    if seat is None:
        return []
    if stage == "gathering":
        return ["stand_up", *(["start"] if seat == room.host else [])]
    if stage == "over":
        return ["rematch"]
    chair = room.chairs[seat]
    mine = [] if chair.lapsed else ["take_back" if chair.stand_in else "hand_over"]
    return ["stand_up", *mine, "pause" if room.paused is None else "resume"]


def chair_powers(room: Room, person: str, seat: Seat, at: int) -> list[str]:
    """Return what the person may do about one chair."""
    chair = room.chairs[seat]
    if not room.gathering:
        return ["call_stand_in"] if may_call(room, person, seat, at) else []
    mine = room.seat_of(person)
    may = ["sit"] if chair.free else []
    return [*may, "set"] if mine is not None and mine == room.host and mine != seat else may


def _still_admitted(room: Room, seat: Seat, at: int) -> list[AnyEntry]:
    """Whoever loses a chair may still watch, and sit down again."""
    return [Entered(at=at, person=person) for person in room.chairs[seat].people if person not in room.entered]


def seated(room: Room, person: str) -> Seat:
    """Return where the person sits, or refuse."""
    seat = room.seat_of(person)
    if seat is None:
        raise Refusal("no_seat")
    return seat


def _seat(seat: Seat | None) -> Seat:
    assert seat is not None
    return seat


def _chair(room: Room, seat: Seat) -> Chair:
    if not 0 <= seat < len(room.chairs):
        raise Refusal("no_seat", f"there is no seat {seat}")
    return room.chairs[seat]


def _host(room: Room, person: str) -> None:
    if not room.gathering:
        raise Refusal("begun")
    if seated(room, person) != room.host:
        raise Refusal("not_host")


def playing(room: Room, person: str) -> Seat:
    """Return where the person plays, or refuse."""
    if room.gathering:
        raise Refusal("not_begun")
    return seated(room, person)
