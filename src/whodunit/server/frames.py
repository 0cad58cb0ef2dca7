"""What a viewer is told, built from what that viewer may know: rooms, tables, lists."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Batch, Event, Game, Message, Seat, Undone
from whodunit.server import protocol
from whodunit.table import manners
from whodunit.table.live import Live
from whodunit.table.room import Chair, Room

NAMES = ("Ida", "Otto", "Vera", "Emil", "Nora", "Hugo", "Alma", "Kurt")
"""The bots', one after another."""


def name_of(room: Room, seat: Seat) -> str:
    """Return what a chair's player is called."""
    chair = room.chairs[seat]
    if chair.level is None:
        return chair.name
    taken = {other.name for other in room.chairs}
    free = [name for name in NAMES if name not in taken]
    return free[sum(other.level is not None for other in room.chairs[:seat])]


def told(game: Game, batches: Iterable[Batch], viewer: Seat, *, after: int = 0) -> tuple[protocol.Told, ...]:
    """Return events as the viewer may see them, each with its log line."""
    return tuple(
        protocol.Told(seq, batch.at, seen := redact(event, viewer), line(game, seen))
        for batch in batches
        for seq, event in enumerate(batch.events, batch.seq)
        if seq > after
    )


def line(game: Game, event: Event) -> Message:
    """Return the log line of an event."""
    return Message("undone") if isinstance(event, Undone) else game.tell(event)


def table(live: Live, viewer: Seat, batches: Sequence[Batch], after: int) -> protocol.Table:
    """Return the table as the viewer sees it when these batches have brought it to where it is."""
    now = live.table
    assert now is not None
    return protocol.Table(
        table=live.id,
        after=after,
        seq=now.seq,
        events=told(live.game, batches, viewer, after=after),
        view=now.views[viewer],
        offers=tuple(map(_offer, now.offers[viewer])) if viewer != TABLE else (),
        awaiting=tuple(sorted(now.awaiting)),
        may_undo=now.takeback is not None and now.takeback[0] == viewer,
        outcome=now.outcome,
        closed=now.outcome is not None,
    )


def _offer(offer: Offer) -> protocol.OfferNow:
    return protocol.OfferNow(offer.action.__name__, offer.choices, offer.since)


def room(live: Live, person: str, now: int) -> protocol.Room:
    """Return everything round the game that the person may know."""
    known = live.room
    laid = known.laid
    me = known.seat_of(person)
    own = None if me is None else known.chairs[me]
    return protocol.Room(
        table=live.id,
        game=laid.game,
        options=laid.options,
        public=laid.public,
        assistance=laid.assistance,
        pace=laid.pace,
        stage=live.stage,
        me=me,
        host=known.host,
        chairs=tuple(_chair(live, seat, person, now) for seat in range(len(known.chairs))),
        may=tuple(manners.powers(known, person, live.stage)),  # type: ignore[arg-type]
        code=laid.code if known.may_enter(person) and (me is not None or person in known.entered) else None,
        seat_key=None if me is None else laid.keys[me],
        commitment=laid.seal.commitment,
        answer=None if own is None else _answer(live, me, own, now),
        marks=own.marks if own else {},
        jotting=own.jotting if own else "",
        away_from=own.unread if own else None,
        rematch=known.rematch,
    )


def _chair(live: Live, seat: Seat, person: str, now: int) -> protocol.Chair:
    chair = live.room.chairs[seat]
    return protocol.Chair(
        seat=seat,
        kind="bot" if chair.level else "person" if chair.people else "open",
        name=name_of(live.room, seat),
        level=chair.level,
        away_ms=None if chair.away is None else max(0, now - chair.away.at),
        stand_in=chair.stand_in,
        may=tuple(manners.chair_powers(live.room, person, seat, now)),  # type: ignore[arg-type]
    )


def _answer(live: Live, seat: Seat | None, chair: Chair, now: int) -> protocol.Answer | None:
    due = chair.due
    if due is None or due.action is None or seat is None or live.table is None or chair.player is not None:
        return None
    if not any(offer.since == due.since for offer in live.table.offers[seat]):
        return None
    return protocol.Answer(due.since, max(0, due.at - now), _plain(due.action), due.chosen)


def _plain(raw: msgspec.Raw) -> Any:
    return msgspec.json.decode(raw)


def listed(live: Live, person: str) -> protocol.Listed:
    """Return the table as it stands in a list of this person's."""
    known = live.room
    me = known.seat_of(person)
    kinds = [_chair(live, seat, person, 0) for seat in range(len(known.chairs))]
    return protocol.Listed(
        table=live.id,
        game=known.laid.game,
        stage=live.stage,
        assistance=known.laid.assistance,
        chairs=tuple(protocol.Sitter(chair.name, chair.kind) for chair in kinds),
        at=known.at,
        me=me,
        my_turn=live.table is not None and me is not None and me in live.table.awaiting and not live.table.outcome,
    )
