"""What a viewer is told, built from what that viewer may know: rooms, tables, lists."""

from collections.abc import Iterable
from typing import Final, cast

import msgspec
from msgspec import Raw

from whodunit.core.offer import Offer
from whodunit.core.redact import redact, secrets
from whodunit.core.types import TABLE, Batch, Event, Game, Message, Seat, Undone
from whodunit.core.wire import encode
from whodunit.server import protocol
from whodunit.table import manners
from whodunit.table.live import Live
from whodunit.table.room import Room

NOBODY: Final[Seat] = -2
"""A viewer that is in no audience."""
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


def line(game: Game, event: Event) -> Message:
    """Return the log line of an event."""
    return Message("undone") if isinstance(event, Undone) else game.tell(event)


class Telling:
    """Some batches for every viewer: an event has two forms, open and hidden, and each is made and encoded once."""

    def __init__(self, live: Live, batches: Iterable[Batch], after: int) -> None:
        assert live.table is not None
        self._live = live
        self._now = live.table
        self._after = after
        self._awaiting = tuple(sorted(live.table.awaiting))
        self._outcome = live.table.outcome
        self._events = [
            (seq, batch.at, event, secrets(type(event)))
            for batch in batches
            for seq, event in enumerate(batch.events, batch.seq)
            if seq > after
        ]
        self._encoded: dict[tuple[int, bool], Raw] = {}

    def told(self, viewer: Seat) -> tuple[protocol.Told, ...]:
        """Return the events as the viewer may see them, each with its log line; encoded already, as Raw."""
        forms = tuple(
            self._form(seq, at, event, hidden=bool(hides) and viewer not in event.known_to)
            for seq, at, event, hides in self._events
        )
        return cast(tuple[protocol.Told, ...], forms)

    def _form(self, seq: int, at: int, event: Event, *, hidden: bool) -> Raw:
        form = self._encoded.get((seq, hidden))
        if form is None:
            seen = redact(event, NOBODY) if hidden else event
            form = Raw(encode(protocol.Told(seq, at, seen, line(self._live.game, seen))))
            self._encoded[seq, hidden] = form
        return form

    def to(self, viewer: Seat) -> bytes:
        """Return the frame for a viewer: what has happened, and where that has led."""
        now = self._now
        return encode(
            protocol.Table(
                table=self._live.id,
                after=self._after,
                seq=now.seq,
                events=self.told(viewer),
                view=now.views[viewer],
                offers=tuple(map(_offer, now.offers[viewer])) if viewer != TABLE else (),
                awaiting=self._awaiting,
                may_undo=now.takeback is not None and now.takeback[0] == viewer,
                outcome=self._outcome,
                closed=self._outcome is not None,
            )
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
        answer=answer(live, me, now),
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


def answer(live: Live, seat: Seat | None, now: int) -> protocol.Answer | None:
    """Return what a seat is asked, and what it will answer; None if it is not, or a bot plays it."""
    if seat is None or live.table is None:
        return None
    chair = live.room.chairs[seat]
    due = chair.due
    if due is None or due.action is None or chair.player is not None:
        return None
    if not any(offer.since == due.since for offer in live.table.offers[seat]):
        return None
    return protocol.Answer(due.since, max(0, due.at - now), msgspec.json.decode(due.action), due.chosen)


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
