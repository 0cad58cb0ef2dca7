"""What a viewer is told, built from what that viewer may know: rooms, tables, lists."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from whodunit.core.frames import EventFrame
from whodunit.core.types import TABLE, Batch, Seat
from whodunit.core.wire import encode, encode_into
from whodunit.host.clip_release import released
from whodunit.host.live import Live
from whodunit.room import answers, clocks, manners
from whodunit.room import chat as talk
from whodunit.room.entries import Said
from whodunit.room.room import Hook, Room
from whodunit.server import protocol
from whodunit.server.event_frames import event_frames
from whodunit.server.names import alike
from whodunit.server.padding import STEP, STEP_OF_EVENT, STEP_OF_VIEW, missing

NAMES = ("Ida", "Otto", "Vera", "Emil", "Nora", "Hugo", "Alma", "Kurt")
"""The bots', one after another."""


def name_of(room: Room, seat: Seat) -> str:
    """Return what a chair's player is called."""
    chair = room.chairs[seat]
    if chair.level is None:
        return chair.name
    taken = [other.name for other in room.chairs if other.name]
    free = [name for name in NAMES if not any(alike(name, other) for other in taken)]
    return free[sum(other.level is not None for other in room.chairs[:seat])]


_UNTOLD: Final = b'[],"view":null,"offers":[],"may_undo":false}'
"""How a `protocol.TableFrame` ends that tells nobody anything yet."""


class Telling:
    """Some batches for every viewer: what viewers are told alike is made and encoded once."""

    def __init__(
        self,
        live: Live,
        batches: Iterable[Batch],
        after: int,
        clips: tuple[protocol.Clip, ...] = (),
        earlier: bytes = b"",
    ) -> None:
        """Prepare what has happened behind event `after`; what came before these batches may be encoded already."""
        assert live.table is not None
        self._earlier = earlier
        self._game = live.game
        self._now = now = live.table
        self._events = [
            (seq, batch, event) for batch in batches for seq, event in enumerate(batch.events, batch.seq) if seq > after
        ]
        self._audiences = [event.known_to for _, _, event in self._events if event.known_to]
        self._offers = (*now.offers[:TABLE], ())  # what time may do is told to nobody
        self._same: dict[tuple[bool, ...], bytearray] = {}
        """By who is in which audience: the frame's beginning, up to the view, for all of those."""
        self._untimed = live.untimed
        self._private = any(batch.at < self._untimed for _, batch, _ in self._events)
        """Whether some of it happened while one person played alone."""
        untold = protocol.TableFrame(
            table=live.id,
            after=after,
            seq=now.seq,
            awaiting=tuple(sorted(now.awaiting - {TABLE})),
            outcome=now.outcome,
            informed=tuple(sorted(informed(live))),
            closed=now.closed,
            clips=clips,
            events=(),
            view=None,
            offers=(),
            may_undo=False,
        )
        self._head = encode(untold)[: -len(_UNTOLD)]
        self._undoer = live.undoer
        self._step = STEP_OF_VIEW + STEP_OF_EVENT * len(self._events)
        self._public: bytearray | None = None
        """The frame for spectators, up to its offers: what it says, everybody knows."""

    def told(self, viewer: Seat) -> tuple[EventFrame, ...]:
        """Return the events as the viewer may see them, each with its log line."""
        return event_frames(self._game, self._events, viewer, self._untimed)

    def to(self, viewer: Seat) -> bytearray:
        """Return the frame for a viewer, a `protocol.TableFrame`: what has happened, and where that has led.

        A player's is as long as it would be whatever they hold (`padding.py`): by steps longer than a spectator's.
        """
        public = self._public
        if public is None:
            public = self._public = self._seen_by(TABLE)
        frame = public[:] if viewer == TABLE else self._seen_by(viewer)
        known = len(frame)
        more = 0 if viewer == TABLE else missing(known, len(public), self._step)
        offers = self._offers[viewer]  # written as protocol.OfferNow says
        if offers or viewer == self._undoer:
            frame += b',"offers":'
            encode_into(offers, frame, -1)
            frame += b',"may_undo":true}' if viewer == self._undoer else b',"may_undo":false}'
            if offers:
                more += (known - len(frame)) % STEP
        else:
            frame += b',"offers":[],"may_undo":false}'
        if more:
            frame += b" " * more
        return frame

    def _seen_by(self, viewer: Seat) -> bytearray:
        """Return the frame's beginning, up to the viewer's view."""
        knows = tuple([viewer in audience for audience in self._audiences]) if self._audiences else ()
        if self._private:
            knows += (viewer == TABLE,)
        same = self._same.get(knows)
        if same is None:
            same = self._same[knows] = bytearray(self._head)
            encode_into(self.told(viewer), same, -1)
            if self._earlier:
                begun = len(self._head) + 1
                same[begun:begun] = self._earlier + (b"," if self._events else b"")
            same += b',"view":'
        frame = same[:]
        encode_into(self._now.views[viewer], frame, -1)
        return frame


def room(live: Live, person: str, now: int) -> protocol.RoomFrame:
    """Return everything round the game that the person may know."""
    known = live.room
    laid = known.laid
    me = known.seat_of(person)
    own = None if me is None else known.chairs[me]
    return protocol.RoomFrame(
        table=live.id,
        game=laid.game,
        options=laid.options,
        public=laid.public and not known.withdrawn,
        assistance=laid.assistance,
        pace=known.pace,
        paces=() if me is None or live.stage == "over" else manners.paces(known),
        allowance=laid.allowance,
        stage=live.stage,
        me=me,
        host=known.host,
        chairs=tuple(_chair(live, seat, person, now) for seat in range(len(known.chairs))),
        may=tuple(manners.powers(known, person, live.stage)),  # type: ignore[arg-type]
        code=laid.code if _invites(known, person) else None,
        seat_key=None if me is None or laid.deal else known.key(me),
        commitment="" if laid.staged else laid.seal.commitment,
        answer=answer(live, me, now),
        orders=live.game.INFO.orders,
        order=own.order if own else None,
        hook=_hook(own.hook) if own and own.hook else None,
        open_hands=known.open_hands,
        late_ms=manners.LATE_MS,
        limit_ms=_limit(live, now),
        closes_ms=_closes(live, now),
        paused=known.paused is not None,
        marks=own.marks if own else {},
        jotting=own.jotting if own else "",
        away_from=own.unread if own else None,
        rematch=known.rematch,
        heard=own.heard if own else 0,
        lesson=laid.lesson,
        deal=laid.deal,
        duel=known.duel if me is not None else None,
    )


def told_of_room(live: Live, person: str, now: int) -> bytes:
    """Return the frame of the room for a page: of its player's own notes and choices the size tells only steps."""
    frame = room(live, person, now)
    own = encode((frame.answer, frame.marks, frame.jotting, frame.order, frame.hook, frame.heard, frame.away_from))
    return encode(frame) + b" " * (-len(own) % STEP)


def _invites(known: Room, person: str) -> bool:
    return not known.laid.staged and (known.seat_of(person) is not None or person in known.entered)


def clips(live: Live, now: int, haste: float, new: int | None = None) -> tuple[protocol.Clip, ...]:
    """Return the clips that nobody could have fetched yet, and those of the events from `new` on."""
    if not live.noises:
        return ()
    left = {id: released(live, noise, haste) - now for id, noise in live.noises.items()}
    told = [id for id, noise in live.noises.items() if left[id] > 0 or (new is not None and noise.seq >= new)]
    return tuple(protocol.Clip(id, max(0, left[id])) for id in told)


def _hook(known: Hook) -> protocol.HookFrame:
    return protocol.HookFrame(urlsplit(known.url).hostname or "", known.failed)


def _limit(live: Live, now: int) -> int | None:
    limit = clocks.standing(live.room, live.table)
    return None if limit is None or limit.ends is None else max(0, limit.ends - now)


def _closes(live: Live, now: int) -> int | None:
    told = manners.closing(live.room, live.at, now)
    return None if told is None else max(0, manners.closes(told) - now)


def _time(live: Live, seat: Seat, now: int) -> protocol.Time | None:
    left, ends = clocks.left(live.room, seat, now), clocks.ends(live.room, seat)
    if left is None or live.stage != "playing":
        return None
    return protocol.Time(left if ends is None else max(0, ends - now), running=ends is not None)


def _chair(live: Live, seat: Seat, person: str, now: int) -> protocol.ChairFrame:
    chair = live.room.chairs[seat]
    return protocol.ChairFrame(
        seat=seat,
        kind="bot" if chair.level else "person" if chair.people else "open",
        name=name_of(live.room, seat),
        level=chair.level,
        away_ms=None if chair.away is None else max(0, now - chair.away.at),
        stand_in=chair.stand_in,
        lapsed=chair.lapsed,
        time=_time(live, seat, now),
        wants_pause=chair.wants_pause,
        wants_pace=chair.wants_pace,
        agrees=chair.agrees,
        called=live.stage == "gathering" and bool(chair.people) and not chair.salt,
        may=tuple(manners.chair_powers(live.room, person, seat, now)),  # type: ignore[arg-type]
    )


def answer(live: Live, seat: Seat | None, now: int) -> protocol.Answer | None:
    """Return what a seat is asked, and what it will answer; None if it is not, or a bot plays it."""
    if seat is None or live.table is None:
        return None
    chair = live.room.chairs[seat]
    due, choice = chair.due, live.choice(seat)
    if due is None or (due.action is None and due.until is None) or chair.bot_level is not None:
        return None
    if due.since not in [offer.since for offer in live.table.offers[seat]]:
        return None
    moment = answers.expected(live.room, seat, due, live.chosen)
    return protocol.Answer(
        since=due.since,
        left_ms=None if moment is None else max(0, moment - now),
        selected=due.action if choice is None else choice.action,
        chosen=answers.is_chosen(live.room, seat, live.chosen),
        kept=choice is None,
    )


def informed(live: Live) -> frozenset[Seat]:
    """Return who is out and knows what the others still look for."""
    table = live.table
    return frozenset() if table is None or table.closed else table.game.informed(table.views[TABLE])


def chat(live: Live, person: str) -> protocol.Chat:
    """Return everything that was said, as far as the person is to hear it."""
    lines = tuple(_line(live.room, said) for said in talk.heard(live.room, person, live.stage))
    return _chat(live, person, lines, whole=True)


def chat_line(live: Live, person: str, said: Said) -> protocol.Chat:
    """Return one thing more that was said."""
    return _chat(live, person, (_line(live.room, said),), whole=False)


def _chat(live: Live, person: str, lines: tuple[protocol.LineFrame, ...], *, whole: bool) -> protocol.Chat:
    muted = tuple(protocol.Silenced(number, speaker.name) for number, speaker in talk.muted(live.room, person))
    me = talk.number_of(live.room, person)
    return protocol.Chat(table=live.id, whole=whole, lines=lines, me=me, muted=muted)


def _line(room: Room, said: Said) -> protocol.LineFrame:
    speaker = next(number for number, other in enumerate(room.speakers) if other.person == said.person)
    return protocol.LineFrame(said.at, speaker, said.seat, said.name, said.text, said.phrase, said.apart)


def listed(live: Live, person: str, now: int) -> protocol.Listed:
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
        at=live.at,
        me=me,
        my_turn=live.table is not None and me is not None and me in live.table.awaiting and not live.table.closed,
        outcome=live.table.outcome if live.table else None,
        closes_ms=_closes(live, now),
    )
