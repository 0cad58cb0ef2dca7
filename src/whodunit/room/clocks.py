"""The players' clocks: computed from what is stored, so that a restart changes nothing.

They run for whoever has a move to make, by public facts alone; whoever is asked has an answer clock instead (pace.py).
"""

from collections.abc import Container
from typing import Final

from whodunit.core.types import TABLE, Batch, Seat, Undone
from whodunit.room import pace
from whodunit.room.entries import AnyEntry, HandedOver, Reclaimed, Timed, Turned
from whodunit.room.manners import STAND_IN
from whodunit.room.pace import Untimed
from whodunit.room.room import Chair, Limit, Room, Watch
from whodunit.table.table import Table

LONG_AGO: Final = 0
"""A moment that has always passed."""


def left(room: Room, seat: Seat, now: int) -> int | None:
    """Return how many milliseconds a person has left; None where none are counted."""
    if room.watch is None or not room.chairs[seat].people:
        return None
    return _settled(room.watch, now)[seat]


def ends(room: Room, seat: Seat) -> int | None:
    """Return when a person's time runs out; None while it does not run, or a bot makes the move anyway."""
    watch, chair = room.watch, room.chairs[seat]
    if watch is None or watch.at is None or seat not in watch.turn or not chair.people or chair.stand_in:
        return None
    return watch.at + watch.left[seat]


def first_end(room: Room) -> int | None:
    """Return when the first person's time runs out."""
    moments = [moment for seat in (room.watch.turn if room.watch else ()) if (moment := ends(room, seat)) is not None]
    return min(moments, default=None)


def is_timed(room: Room, table: Table) -> bool:
    """Say whether time counts for anybody at this table: nearly nowhere does it."""
    return bool(table.offers[TABLE]) or not isinstance(room.laid.allowance, Untimed)


def begun(
    room: Room, table: Table, batch: Batch, now: int, haste: float, *, stopped: int, runs: int | None
) -> tuple[AnyEntry, ...]:
    """Return whose clocks run after a move, and the limit that begins with it if time itself will act.

    `stopped` is when the clock of whoever moved stopped: when the move was wished. From `runs` on the clocks run;
    None: the table sleeps.
    """
    entries = _turned_to(room, table, batch, now, stopped=stopped, runs=runs)
    offer = pace.by_time(table)
    if offer is None or (room.limit is not None and room.limit.since == offer.since):
        return entries
    left = pace.limit(table, offer.action, room.laid.allowance, haste)
    return (*entries, Timed(at=now, since=offer.since, left=left, running=runs is not None))


def _turned_to(
    room: Room, table: Table, batch: Batch, now: int, *, stopped: int, runs: int | None
) -> tuple[AnyEntry, ...]:
    """Return whose clocks run when the table has come so far, if that is otherwise than before."""
    allowance = room.laid.allowance
    if isinstance(allowance, Untimed):
        return ()
    old = room.watch or Watch((allowance.whole,) * table.seats)
    turn = () if table.closed else tuple(sorted(table.awaiting - {TABLE, *table.asked}))
    if room.watch is not None and turn == old.turn:
        return ()
    spent = _settled(old, stopped)
    if any(isinstance(event, Undone) for event in batch.events):
        new = before = _taken_back(old, turn, now)
    else:
        moved = {seat for seat in old.turn if seat not in turn and batch.cause and batch.cause.seat in {seat, TABLE}}
        before = spent
        new = tuple(allowance.after_move(time) if seat in moved else time for seat, time in enumerate(spent))
    done = [seat for seat, chair in enumerate(room.chairs) if chair.lapsed and seat not in turn]
    returned = tuple(Reclaimed(at=now, seat=seat) for seat in done)
    return (Turned(at=now, turn=turn, left=new, runs=runs, before=before), *returned)


def _taken_back(old: Watch, turn: tuple[Seat, ...], now: int) -> tuple[int, ...]:
    """Return what everybody has when a move is taken back: as before it, less what its player took to think twice."""
    took = 0 if old.at is None else max(0, now - old.at)
    return tuple(max(0, time - took) if seat in turn else time for seat, time in enumerate(old.before))


def _settled(watch: Watch, now: int) -> tuple[int, ...]:
    took = 0 if watch.at is None else max(0, now - watch.at)
    return tuple(max(0, time - took) if seat in watch.turn else time for seat, time in enumerate(watch.left))


def out_of_time(room: Room, now: int, *, there: Container[Seat], moving: Container[Seat]) -> list[AnyEntry]:
    """Let the stand-in play for whoever has run out of time: for this move, or if they are not there until they are.

    Whoever is `moving` has made their move; it is only not decided yet.
    """
    entries: list[AnyEntry] = []
    for seat in range(len(room.chairs)):
        moment = ends(room, seat)
        if moment is not None and moment <= now and seat not in moving:
            here = seat in there
            entries.append(HandedOver(at=now, seat=seat, level=STAND_IN, called=not here, lapsed=here))
    return entries


# --- Standing still --------------------------------------------------------------------------------------------------


def stilled(room: Room, limit: Limit | None, now: int) -> list[AnyEntry]:
    """Let the limit and the players' clocks stand still."""
    entries: list[AnyEntry] = []
    if limit is not None and limit.ends is not None:
        entries.append(Timed(at=now, since=limit.since, left=max(0, limit.ends - now), running=False))
    if room.watch is not None and room.watch.at is not None:
        entries.append(_turned(room.watch, now, _settled(room.watch, now), None))
    return entries


def started(room: Room, limit: Limit | None, now: int, heard: int = LONG_AGO) -> list[AnyEntry]:
    """Let them run on, the players' when everything has been heard.

    What ran when the house was shut has stood still since the last thing it wrote down.
    """
    entries: list[AnyEntry] = []
    if limit is not None:
        left = limit.left if limit.ends is None else max(0, limit.ends - room.at)
        entries.append(Timed(at=now, since=limit.since, left=left, running=True))
    if room.watch is not None:
        entries.append(_turned(room.watch, now, _settled(room.watch, room.at), max(now, heard)))
    return entries


def _turned(watch: Watch, now: int, left: tuple[int, ...], runs: int | None) -> Turned:
    return Turned(at=now, turn=watch.turn, left=left, runs=runs, before=watch.before)


# --- By itself -------------------------------------------------------------------------------------------------------


def standing(room: Room, table: Table | None) -> Limit | None:
    """Return the limit that counts now, whether or not it runs."""
    offer = pace.by_time(table) if table else None
    return room.limit if offer is not None and room.limit is not None and room.limit.since == offer.since else None


def next_act(room: Room, table: Table | None, now: int) -> int | None:
    """Return when a table that never sleeps next does something by itself; None: never, or it sleeps.

    It follows from what everybody may know: whether an answer has been chosen, or could be, plays no part.
    """
    if table is None or table.closed or room.paused is not None or not isinstance(room.laid.allowance, pace.Days):
        return None
    limit = standing(room, table)
    moments = [first_end(room), limit.ends if limit else None]
    for seat in table.awaiting - {TABLE}:
        chair = room.chairs[seat]
        if chair.bot_level is not None or _is_owed(table, seat, chair):
            moments.append(LONG_AGO)
        elif seat in table.asked and chair.due is not None:
            moments.append(chair.due.at if chair.due.at > now else chair.due.last)
    return min((moment for moment in moments if moment is not None), default=None)


def _is_owed(table: Table, seat: Seat, chair: Chair) -> bool:
    """Say whether a player who wants to be told of being waited for has not been: the house may be shut before."""
    since = pace.waited_since(table, seat)
    return chair.hook is not None and since is not None and since > chair.hook.since
