"""Every ask of a page, with what it does and in which lane; the seat comes from who asks, never from the message."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Raw

from whodunit import games
from whodunit.core.errors import Refusal, StillOpen
from whodunit.core.notes import Hint, Proof, Sheet
from whodunit.core.types import TABLE, Action, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import chat, manners, own_notes, pauses
from whodunit.room.entries import AnyEntry, Phrase
from whodunit.server import frames, names, protocol
from whodunit.server.advice import Advice
from whodunit.server.cases import Cases
from whodunit.server.challenges import Challenges
from whodunit.server.duels import Duels
from whodunit.server.fair_queue import Claim, Stake
from whodunit.server.feeds import Feeds
from whodunit.server.gate import Gate
from whodunit.server.history import History
from whodunit.server.laying import Laying
from whodunit.server.lobby import Lobby
from whodunit.server.metrics import Metrics
from whodunit.server.network import Network
from whodunit.server.notices import Notices
from whodunit.server.reviews import Reviews
from whodunit.server.sockets import AskHandler, Lane, Socket, Writes
from whodunit.table.codec import read_action


class House:
    """Everything an ask may need, and the answers to all of them."""

    def __init__(
        self,
        host: Host,
        feeds: Feeds,
        lobby: Lobby,
        laying: Laying,
        advice: Advice,
        notices: Notices,
        network: Network,
        metrics: Metrics,
        history: History,
        reviews: Reviews,
        cases: Cases,
        gate: Gate,
        challenges: Challenges,
        duels: Duels,
    ) -> None:
        self.host = host
        self.feeds = feeds
        self.lobby = lobby
        self.laying = laying
        self.advice = advice
        self.notices = notices
        self.network = network
        self.metrics = metrics
        self.history = history
        self.reviews = reviews
        self.cases = cases
        self.gate = gate
        self.challenges = challenges
        self.duels = duels
        self.asks: Final = {row.ask: AskHandler(partial(row.answer, self), row.lane, row.writes) for row in ROWS}
        """By type of ask: who answers it, and in which lane."""

    @property
    def now(self) -> int:
        return self.host.clock.now()

    async def entered(self, person: str, table: str) -> Live:
        """Return the table, if the person may enter it."""
        live = await self.host.get(table)
        await self.gate.enter(live, person)
        return live

    # --- Moves ---

    def act(self, page: Socket, ask: protocol.Act) -> "Awaitable[asyncio.Future[None] | None]":
        """Make a move, and measure how long that takes from the ask to the reply."""
        return self.metrics.timed(self._act(page.person, ask))

    # Nearly always the table is in memory: then no coroutine is needed to find it, on the way that every move takes.

    async def _act(self, person: str, ask: protocol.Act) -> "asyncio.Future[None] | None":
        live = self.host.tables.get(ask.table) or await self.host.get(ask.table)
        seat = _playing(live, person)
        action = read_action(ask.action, live.game)
        if type(action) in live.game.INFO.answers:
            return self._selected(live, seat, ask.since, action)
        await self.host.moves.act(live, seat, ask.since, action)
        return None

    async def select(self, page: Socket, ask: protocol.Select) -> "asyncio.Future[None]":
        """Choose an answer; the reply comes when that is stored."""
        live = self.host.tables.get(ask.table) or await self.host.get(ask.table)
        return self._selected(live, _playing(live, page.person), ask.since, read_action(ask.action, live.game))

    def _selected(self, live: Live, seat: Seat, since: int, action: Action) -> "asyncio.Future[None]":
        stored = self.host.answering.select(live, seat, since, action)  # an answer has its own moment
        self.feeds.noted(live, seat)
        return stored

    async def undo(self, page: Socket, ask: protocol.Undo) -> None:
        """Take the last move back."""
        live = self.host.tables.get(ask.table) or await self.host.get(ask.table)
        await self.host.moves.undo(live, _playing(live, page.person))

    # --- Coming and going ---

    async def watch_lobby(self, page: Socket, _: protocol.WatchLobby) -> None:
        await self.lobby.enter(page)

    async def leave_lobby(self, page: Socket, _: protocol.LeaveLobby) -> None:
        self.lobby.leave(page)

    async def watch_table(self, page: Socket, live: Live, ask: protocol.WatchTable) -> None:
        page.watching[live.id] = live
        await self.feeds.watch(page, live, ask.after)

    async def leave_table(self, page: Socket, live: Live, _: protocol.LeaveTable) -> None:
        self._leave(page, live)

    async def look_at(self, page: Socket, live: Live, ask: protocol.Looking) -> None:
        self.feeds.look(page, live, looking=ask.looking)

    async def stand_up(self, page: Socket, live: Live, _: protocol.StandUp) -> None:
        person = page.person
        if not live.room.gathering:
            manners.seated(live.room, person)
            manners.refuse_if_over(live.stage)
            self._leave(page, live)  # whoever stays and looks has not left: the bot would give the seat back

        def entries() -> Sequence[AnyEntry]:
            manners.refuse_if_over(live.stage)
            return manners.stand_up(live.room, person, self.now)

        await self.host.writer.note(live, lambda _: entries())

    def _leave(self, page: Socket, live: Live) -> None:
        page.watching.pop(live.id, None)
        self.feeds.leave(page, live)

    async def since_away(self, page: Socket, live: Live, _: protocol.SinceAway) -> protocol.Digest:
        seat = manners.seated(live.room, page.person)
        after = live.room.chairs[seat].unread
        if after is None or live.table is None:
            raise Refusal("not_away")
        batches = await self.host.batches(live, after)
        mine = [batch for batch in batches if batch.cause is not None and batch.cause.seat == seat]
        events = frames.Telling(live, batches, after).told(seat)
        await self.host.writer.note(live, lambda room: manners.caught_up(room, seat, self.now))
        return protocol.Digest(after, events, tuple(batch.seq for batch in mine))

    async def open_network(self, page: Socket, ask: protocol.OpenNetwork) -> protocol.Addresses:
        if not page.local:
            raise Refusal("not_local")
        await (self.network.open() if ask.open else self.network.shut())
        return protocol.Addresses(self.network.address, self.network.shared)

    # --- Advice ---

    async def notes(self, page: Socket, live: Live, ask: protocol.GiveNotes) -> Sheet:
        if ask.eyes is not None and await self.gate.may_review(live, page.person):
            seq = _last_seen(live, ask.eyes, ask.seq)
            return await self.advice.notes(live, ask.eyes, seq, claim_of(page), "probabilities")
        _with_own(live, page.person, ask.eyes)
        return await self.advice.notes(live, _noting(live, page.person, ask.seq), ask.seq, claim_of(page))

    async def why(self, page: Socket, live: Live, ask: protocol.GiveProof) -> Proof:
        seq = ask.seq
        if ask.eyes is not None and await self.gate.may_review(live, page.person):
            seat, seq = ask.eyes, _last_seen(live, ask.eyes, ask.seq)
        else:
            _with_own(live, page.person, ask.eyes)
            seat = _helped(live, page.person, ask.seq)
        proof = await self.advice.proof(live, seat, seq, (ask.row, ask.column), claim_of(page))
        if proof is None:
            raise Refusal("not_certain")
        return proof

    async def give_hint(self, page: Socket, live: Live, ask: protocol.GiveHint) -> Hint:
        hint = await self.advice.hint(live, _helped(live, page.person, None), ask.known, claim_of(page))
        if hint is None:
            raise Refusal("no_hint")
        return hint if ask.grade == "fact" else Hint(hint.seq)

    async def give_advice(self, page: Socket, live: Live, _: protocol.GiveAdvice) -> protocol.Advised:
        seat, laid = _helped(live, page.person, None), live.room.laid
        if not laid.lesson:
            raise Refusal("no_help", "advice is for first cases")
        assert live.table is not None
        seq, open_choice = live.table.seq, sum(offer.count for offer in live.table.offers[seat]) > 1
        if games.lesson(laid.game).answer is None:  # advice would be a better ear than the learner's
            return protocol.Advised(seq, None, None)
        action = await self.advice.advise(live, seat, claim_of(page))
        line = live.game.tell_action(action) if action is not None and open_choice else None
        return protocol.Advised(seq, action, line)

    async def check_seal(self, page: Socket, live: Live, _: protocol.CheckSeal) -> protocol.Checked:
        if not await self.gate.may_review(live, page.person):
            raise StillOpen
        statements = await self.advice.checked(live, claim_of(page, Stake.SPARE))
        return protocol.Checked(
            tuple(
                protocol.StatementFrame(said.holds, said.about, said.count, said.seat, said.text) for said in statements
            )
        )

    async def practise(self, page: Socket, ask: protocol.Practise) -> object:
        if ask.game not in games.playable() or games.get(ask.game).INFO.sounds is None:
            raise Refusal("bad_options", f"nothing is to be heard in {ask.game!r}")
        games.get(ask.game).INFO.check_installed()
        claim = claim_of(page, Stake.SPARE)
        return await self.advice.practise(page.person, page.household, ask.game, ask.difficulty, ask.floor, claim)

    # --- The past ---

    async def look(self, page: Socket, live: Live, ask: protocol.Look) -> Raw:
        return await self.history.look(live, page.person, ask, claim_of(page))

    async def peek(self, page: Socket, live: Live, _: protocol.Peek) -> Raw:
        return await self.history.peek(live, page.person, claim_of(page))

    async def read_review(self, page: Socket, live: Live, ask: protocol.ReadReview) -> Raw:
        return await self.reviews.read(live, page.person, page.household, ask.viewer)

    async def retry(self, page: Socket, live: Live, ask: protocol.Retry) -> Raw:
        if not await self.gate.may_review(live, page.person):
            raise StillOpen
        if not 0 <= ask.seat < len(live.room.chairs):
            raise Refusal("no_seat")
        return await self.advice.retry(live, ask.seat, ask.seq, read_action(ask.action, live.game), claim_of(page))

    # --- Cases to solve ---

    async def read_today(self, page: Socket, _: protocol.ReadToday) -> protocol.Today:
        return await self.cases.today(page.person)

    async def read_archive(self, page: Socket, ask: protocol.ReadArchive) -> protocol.Archive:
        return await self.cases.archive(page.person, ask.before)

    async def open_case(self, page: Socket, ask: protocol.OpenCase) -> protocol.CaseFrame:
        return await self.cases.open(page.person, ask.case)

    async def turn_line(self, page: Socket, ask: protocol.TurnLine) -> protocol.CaseFrame:
        return await self.cases.turn(page.person, ask)

    async def claim_case(self, page: Socket, ask: protocol.ClaimCase) -> protocol.CaseFrame:
        return await self.cases.claim(page.person, ask, claim_of(page))

    async def check_mark(self, page: Socket, ask: protocol.CheckMark) -> protocol.CaseFrame:
        return await self.cases.check(page.person, ask, claim_of(page))

    async def give_up(self, page: Socket, ask: protocol.GiveUp) -> protocol.CaseFrame:
        return await self.cases.give_up(page.person, ask)


def claim_of(page: Socket, stake: Stake = Stake.PERSON) -> Claim:
    """Return on whose account something is thought that a page asks for."""
    return Claim(stake, frozenset({page.household}), page.person)


def _playing(live: Live, person: str) -> Seat:
    """Return the seat that the person may move for, or refuse."""
    seat = live.room.seat_of(person)
    if seat is None:
        raise Refusal("no_seat" if live.room.may_enter(person) else "private")
    if (chair := live.room.chairs[seat]).stand_in:
        raise Refusal("lapsed" if chair.lapsed else "stood_in")
    if live.room.paused is not None:
        raise Refusal("paused")
    return seat


def _noting(live: Live, person: str, seq: int | None) -> Seat:
    """Return the seat whose notes the person may have, now or as of an event, or refuse."""
    seat = manners.seated(live.room, person)
    if live.table is None or (seq is not None and not 1 <= seq <= live.table.seq):
        raise Refusal("no_event")
    return seat


def _with_own(live: Live, person: str, eyes: Seat | None) -> None:
    """Refuse to see with any eyes but one's own while the case is open; a spectator's are TABLE's."""
    seat = live.room.seat_of(person)
    if eyes is not None and eyes != (TABLE if seat is None else seat):
        raise StillOpen


def _last_seen(live: Live, eyes: Seat, seq: int | None) -> int:
    """Return up to which event a closed case is to be seen with these eyes, or refuse."""
    assert live.table is not None
    if eyes not in live.table.viewers:
        raise Refusal("no_seat")
    if seq is not None and not 1 <= seq <= live.table.seq:
        raise Refusal("no_event")
    return live.table.seq if seq is None else seq


def _helped(live: Live, person: str, seq: int | None) -> Seat:
    """Return the same, where the table's notes also give reasons."""
    seat = _noting(live, person, seq)
    if (level := live.room.laid.assistance) not in {"logic", "probabilities"}:
        raise Refusal("no_help", f"this table plays with {level}")
    return seat


# --- The table of asks ----------------------------------------------------------------------------------------------


class AskOfTable(Protocol):
    """An ask that names a table."""

    @property
    def table(self) -> str: ...


A = TypeVar("A")
T = TypeVar("T", bound=AskOfTable)
Entries: TypeAlias = Callable[[Live, str, T, int], Sequence[AnyEntry]]
"""Of the table, who asks, the ask and the time: what the room's record is to say."""


class Row(NamedTuple):
    """One ask: its type, who answers it, in which lane, and what it writes."""

    ask: type[Any]
    answer: Callable[[House, Socket, Any], Awaitable[object]]
    lane: Lane
    writes: Writes


def anywhere(
    ask: type[A],
    answer: Callable[[House, Socket, A], Awaitable[object]],
    lane: Lane = Lane.IN_TURN,
    writes: Writes = Writes.NOTHING,
) -> Row:
    """An ask that is answered as it comes."""
    return Row(ask, answer, lane, writes)


def at_table(
    ask: type[T],
    answer: Callable[[House, Socket, Live, T], Awaitable[object]],
    lane: Lane = Lane.IN_TURN,
    writes: Writes = Writes.NOTHING,
) -> Row:
    """An ask that is answered at its table, if the person may enter that."""

    async def entered(house: House, page: Socket, wish: T) -> object:
        live = await house.entered(page.person, wish.table)
        if writes is not Writes.NOTHING and not live.room.may_enter(page.person):
            raise Refusal("private")  # whoever comes to look at a deal that they have played, too, leaves nothing there
        return await answer(house, page, live, wish)

    return Row(ask, entered, lane, writes)


def adds(ask: type[T], entries: Entries[T], writes: Writes = Writes.WORDS) -> Row:
    """An ask at a table that only adds entries to its room."""

    async def added(house: House, page: Socket, live: Live, wish: T) -> None:
        await house.host.writer.note(live, lambda _: entries(live, page.person, wish, house.now))

    return at_table(ask, added, writes=writes)


def keeps(ask: type[T], written: "Callable[[Live, str, T, int], Sequence[own_notes.Written]]") -> Row:
    """An ask at a table that changes the asker's own notes."""

    async def kept(house: House, page: Socket, live: Live, wish: T) -> None:
        await house.host.writer.keep_notes(live, lambda _: written(live, page.person, wish, house.now))

    return at_table(ask, kept, writes=Writes.WORDS)


def adds_until_over(ask: type[T], entries: Entries[T]) -> Row:
    """The same, but refused when the game is over: it goes on by it."""

    def until_over(live: Live, person: str, wish: T, now: int) -> Sequence[AnyEntry]:
        manners.refuse_if_over(live.stage)
        return entries(live, person, wish, now)

    return adds(ask, until_over, Writes.MOVE)


def _seq(live: Live) -> int:
    return live.table.seq if live.table else 0


def _said(
    live: Live, person: str, name: str, now: int, text: str = "", phrase: Phrase | None = None
) -> Sequence[AnyEntry]:
    room, name = live.room, names.clean_name(name) if name else ""
    shown = [frames.name_of(room, seat) for seat in range(len(room.chairs))]
    informed = frames.informed(live)
    return chat.say(room, person, live.stage, informed, name, text, now, phrase, names=shown, alike=names.alike)


def _sat(live: Live, person: str, ask: protocol.SitDown, now: int) -> Sequence[AnyEntry]:
    name = names.clean_name(ask.name)
    return manners.sit(live.room, ask.seat, person, name, ask.salt, now, alike=names.alike)


ROWS: Final = (
    anywhere(protocol.Act, House.act, Lane.ASIDE_IF_SLOW, Writes.MOVE),
    anywhere(protocol.Undo, House.undo, writes=Writes.MOVE),
    anywhere(protocol.Select, House.select, writes=Writes.MOVE),
    # The lobby, and what leads from it to a table.
    anywhere(protocol.WatchLobby, House.watch_lobby),
    anywhere(protocol.LeaveLobby, House.leave_lobby),
    anywhere(protocol.CreateTable, lambda house, page, ask: house.laying.create(page, ask), writes=Writes.TABLE),
    anywhere(protocol.FirstCase, lambda house, page, ask: house.laying.first_case(page, ask), writes=Writes.TABLE),
    anywhere(protocol.OpenNetwork, House.open_network),
    anywhere(protocol.Practise, House.practise, Lane.ASIDE),
    # A table, from outside.
    at_table(protocol.WatchTable, House.watch_table),
    at_table(protocol.LeaveTable, House.leave_table),
    at_table(protocol.Looking, House.look_at),
    at_table(
        protocol.SetHook,
        lambda house, page, live, ask: house.notices.set(live, page.person, ask.url, ask.language),
        Lane.ASIDE,
        Writes.WORDS,
    ),
    # Who plays.
    adds(protocol.SitDown, _sat),
    adds(protocol.SetChair, lambda live, me, ask, now: manners.set_chair(live.room, me, ask.seat, ask.level, now)),
    at_table(
        protocol.Start,
        lambda house, page, live, ask: house.laying.start(page.person, live, ask.fill),
        Lane.ASIDE_IF_SLOW,
        Writes.MOVE,
    ),
    at_table(
        protocol.StandUp, House.stand_up, writes=Writes.MOVE
    ),  # refused when the game is over, as the next ones are
    adds_until_over(protocol.HandOver, lambda live, me, ask, now: manners.hand_over(live.room, me, ask.level, now)),
    adds_until_over(protocol.ReclaimSeat, lambda live, me, _, now: manners.reclaim(live.room, me, now)),
    adds_until_over(
        protocol.CallStandIn, lambda live, me, ask, now: manners.call_stand_in(live.room, me, ask.seat, now)
    ),
    adds_until_over(
        protocol.Pause, lambda live, me, ask, now: pauses.wish(live.room, live.table, me, now, wanted=ask.wish)
    ),
    adds_until_over(protocol.Resume, lambda live, me, _, now: pauses.resume(live.room, live.table, me, now)),
    adds_until_over(protocol.SetPace, lambda live, me, ask, now: manners.wish_pace(live.room, me, ask.pace, now)),
    adds_until_over(protocol.Agree, lambda live, me, ask, now: manners.agree(live.room, me, now, agreed=ask.agreed)),
    at_table(
        protocol.Rematch,
        lambda house, page, live, ask: house.laying.rematch(page, live, ask.salt),
        writes=Writes.TABLE,
    ),
    # What a player keeps and has read.
    adds(
        protocol.SetOrder,
        lambda live, me, ask, now: manners.order(live.room, me, live.game.INFO.orders, ask.order, now),
    ),
    keeps(protocol.Mark, lambda live, me, ask, now: manners.mark(live.room, me, _seq(live), ask.cell, ask.mark, now)),
    keeps(protocol.Jot, lambda live, me, ask, now: manners.jot(live.room, me, _seq(live), ask.text, now)),
    adds(
        protocol.HeardClips,
        lambda live, me, ask, now: manners.heard(live.room, me, ask.seq, _seq(live), now),
        Writes.MOVE,
    ),
    at_table(protocol.SinceAway, House.since_away, writes=Writes.MOVE),
    # What is said.
    adds(protocol.Say, lambda live, me, ask, now: _said(live, me, ask.name, now, text=names.clean_words(ask.text))),
    adds(protocol.SayPhrase, lambda live, me, ask, now: _said(live, me, ask.name, now, phrase=ask.phrase)),
    adds(protocol.Mute, lambda live, me, ask, now: chat.mute(live.room, me, ask.speaker, now, muted=ask.muted)),
    # What takes thought.
    at_table(protocol.GiveNotes, House.notes, Lane.ASIDE),
    at_table(protocol.GiveProof, House.why, Lane.ASIDE),
    at_table(protocol.GiveHint, House.give_hint, Lane.ASIDE),
    at_table(protocol.GiveAdvice, House.give_advice, Lane.ASIDE),
    at_table(protocol.CheckSeal, House.check_seal, Lane.ASIDE),
    at_table(protocol.Look, House.look, Lane.ASIDE),
    at_table(protocol.Peek, House.peek, Lane.ASIDE),
    at_table(protocol.ReadReview, House.read_review, Lane.LONG),
    at_table(protocol.Retry, House.retry, Lane.ASIDE),
    # Cases to solve: each step counts as a move, of which all are as long for whoever counts.
    anywhere(protocol.ReadToday, House.read_today),
    anywhere(protocol.ReadArchive, House.read_archive, Lane.LONG),
    anywhere(protocol.OpenCase, House.open_case, Lane.ASIDE, Writes.MOVE),
    anywhere(protocol.TurnLine, House.turn_line, Lane.ASIDE, Writes.MOVE),
    anywhere(protocol.ClaimCase, House.claim_case, Lane.ASIDE, Writes.MOVE),
    anywhere(protocol.CheckMark, House.check_mark, Lane.ASIDE, Writes.MOVE),
    anywhere(protocol.GiveUp, House.give_up, Lane.ASIDE, Writes.MOVE),
    # Deals that others play, too.
    anywhere(protocol.ReadChallenge, lambda house, page, ask: house.challenges.read(page, ask), Lane.ASIDE),
    anywhere(protocol.BeginChallenge, lambda house, page, ask: house.challenges.begin(page, ask), writes=Writes.TABLE),
    at_table(
        protocol.MakeDuel,
        lambda house, page, live, ask: house.duels.make(page, live, ask),
        Lane.LONG,
        Writes.WORDS,
    ),
    anywhere(protocol.ReadDuel, lambda house, page, ask: house.duels.read(page, ask), Lane.ASIDE),
    anywhere(protocol.BeginDuel, lambda house, page, ask: house.duels.begin(page, ask), writes=Writes.TABLE),
)
"""Every ask of the protocol, once."""
