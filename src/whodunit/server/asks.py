"""What each ask of a page does. The seat comes from who asks, never from the message."""

import asyncio
import hmac
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from whodunit import bots, games, tower
from whodunit.core.errors import Refusal
from whodunit.core.info import Info
from whodunit.core.notes import Hint
from whodunit.core.rng import Rng
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import chat, manners, pauses
from whodunit.room.entries import AnyEntry, Laid, Phrase, Relaid, Sat
from whodunit.room.listing import digest
from whodunit.server import frames, history, people, protocol
from whodunit.server.bot_runner import Runner
from whodunit.server.feeds import Feeds
from whodunit.server.lobby import Lobby
from whodunit.server.network import Network
from whodunit.server.notices import Notices
from whodunit.server.protocol import AnyAsk
from whodunit.server.rate_limit import Tries
from whodunit.server.sockets import Socket
from whodunit.table.codec import read_action
from whodunit.table.seal import Seal

OF_A_GAME: Final = (
    *(protocol.StandUp, protocol.HandOver, protocol.TakeBack, protocol.CallStandIn),
    *(protocol.Pause, protocol.Resume, protocol.Agree),
)
"""What is refused when the game is over."""
OWN_TABLES: Final = (1 / 60, 20)
"""How many tables a second a person may lay, after so many at once."""
THEIR_TABLES: Final = (5 / 60, 100)
"""And all who share a line: a new person is only a cookie away, and a school has one line."""


class House:
    """Everything an ask may need."""

    def __init__(
        self, host: Host, feeds: Feeds, lobby: Lobby, runner: Runner, notices: Notices, network: Network
    ) -> None:
        self.host = host
        self.feeds = feeds
        self.lobby = lobby
        self.runner = runner
        self.notices = notices
        self.network = network
        self._laid = Tries(*OWN_TABLES)
        self._laid_there = Tries(*THEIR_TABLES)
        self._relaying = asyncio.Lock()

    @property
    def now(self) -> int:
        return self.host.clock.now()

    # --- By code and key ---

    async def join(self, person: str, code: str) -> str:
        """Let a person in who has the code of an invitation; returns the table."""
        live = await self._opened_by(people.typed_code(code))
        if not hmac.compare_digest(live.room.laid.code.encode(), people.typed_code(code).encode()):
            raise Refusal("no_table")
        await self.host.writer.note(live, lambda room: manners.enter(room, person, self.now))
        return live.id

    async def take_seat(self, person: str, key: str) -> str:
        """Give a seat to another device that has its key; returns the table."""
        live = await self._opened_by(key)
        keys = [live.room.key(seat) or "" for seat in range(len(live.room.chairs))]
        seat = next((seat for seat, own in enumerate(keys) if hmac.compare_digest(own.encode(), key.encode())), None)
        if seat is None:
            raise Refusal("no_table")
        await self.host.writer.note(live, lambda room: manners.hold(room, seat, person, self.now))
        return live.id

    async def _opened_by(self, key: str) -> Live:
        table = await self.host.store.opened_by(digest(key))
        if table is None:
            raise Refusal("no_table")
        return await self.host.get(table)

    # --- Asks ---

    async def answer(self, page: Socket, ask: AnyAsk) -> object:
        """Do what the page asks, and return what the reply carries."""
        match ask:
            case protocol.Act() | protocol.Undo() | protocol.Select():
                return await self._play(page.person, ask)
            case protocol.WatchLobby():
                await self.lobby.enter(page)
            case protocol.LeaveLobby():
                self.lobby.leave(page)
            case protocol.CreateTable():
                self._few_tables(page)
                return await self._create(page.person, ask)
            case protocol.FirstCase():
                self._few_tables(page)
                return await self._first_case(page.person, ask)
            case protocol.Practise():
                return await self._practise(page, ask)
            case protocol.OpenNetwork(open=wanted):
                return await self._open_network(page, wanted=wanted)
            case _:
                return await self._at_table(page, await self._live(page.person, ask.table), ask)
        return None

    async def _at_table(self, page: Socket, live: Live, ask: AnyAsk) -> object:
        match ask:
            case protocol.WatchTable(after=after):
                page.watching[live.id] = live
                await self.feeds.watch(page, live, after)
            case protocol.LeaveTable():
                self._leave(page, live)
            case protocol.StandUp() if not live.room.gathering:
                manners.seated(live.room, page.person)
                manners.still(live.stage)
                self._leave(page, live)  # whoever stays and looks has not left: the bot would give the seat back
                await self.host.writer.note(live, lambda _: self._manners(page.person, live, ask))
            case protocol.Start(fill=fill):
                await self._start(page.person, live, fill)
            case protocol.SetHook(url=url, language=language):
                await self.notices.set(live, page.person, url, language)
            case protocol.Looking(looking=looking):
                self.feeds.look(page, live, looking=looking)
            case protocol.Look():
                return await history.look(self.host, live, page.person, ask)
            case protocol.Peek():
                return await history.peek(self.host, live, page.person)
            case protocol.Notes() | protocol.Why() | protocol.GiveHint():
                return await self._notes(page.person, live, ask)
            case protocol.SinceAway():
                return await self._since_away(page.person, live)
            case protocol.CheckSeal():
                return await self._check(live)
            case protocol.Rematch(salt=salt):
                return await self._rematch(page.person, live, salt)
            case _:
                await self.host.writer.note(live, lambda _: self._manners(page.person, live, ask))
        return None

    def _leave(self, page: Socket, live: Live) -> None:
        page.watching.pop(live.id, None)
        self.feeds.leave(page, live)

    def _manners(self, person: str, live: Live, ask: AnyAsk) -> Sequence[AnyEntry]:
        room, now = live.room, self.now
        if isinstance(ask, OF_A_GAME):
            manners.still(live.stage)
        seq = live.table.seq if live.table else 0
        match ask:
            case protocol.SitDown(seat=seat, name=name, salt=salt):
                return manners.sit(room, seat, person, people.clean_name(name), salt, now)
            case protocol.StandUp():
                return manners.stand_up(room, person, now)
            case protocol.SetChair(seat=seat, level=level):
                return manners.set_chair(room, person, seat, level, now)
            case protocol.HandOver(level=level):
                return manners.hand_over(room, person, level, now)
            case protocol.TakeBack():
                return manners.take_back(room, person, now)
            case protocol.CallStandIn(seat=seat):
                return manners.call_stand_in(room, person, seat, now)
            case protocol.Pause(wish=wish):
                return pauses.wish(room, live.table, person, now, wanted=wish)
            case protocol.Resume():
                return pauses.resume(room, live.table, person, now)
            case protocol.Agree(agreed=agreed):
                return manners.agree(room, person, now, agreed=agreed)
            case protocol.SetOrder(order=order):
                return manners.order(room, person, live.game.INFO.orders, order, now)
            case protocol.Mark(cell=cell, mark=mark):
                return manners.mark(room, person, seq, cell, mark, now)
            case protocol.Jot(text=text):
                return manners.jot(room, person, seq, text, now)
            case protocol.Heard(seq=heard):
                return manners.heard(room, person, heard, seq, now)
            case protocol.Say(text=text):
                return self._said(person, live, ask.name, people.clean_words(text))
            case protocol.SayPhrase(phrase=phrase):
                return self._said(person, live, ask.name, "", phrase)
            case protocol.Mute(speaker=speaker, muted=muted):
                return chat.mute(room, person, speaker, now, muted=muted)
            case _:
                raise AssertionError(f"{type(ask).__name__} has been forgotten")

    def _said(self, person: str, live: Live, name: str, text: str, phrase: Phrase | None = None) -> Sequence[AnyEntry]:
        name = people.clean_name(name) if name else ""
        return chat.say(live.room, person, live.stage, frames.informed(live), name, text, self.now, phrase)

    def _few_tables(self, page: Socket) -> None:
        """Refuse whoever lays table after table; on one's own machine everybody may."""
        if not page.local and not (self._laid.admits(page.person) and self._laid_there.admits(page.household)):
            raise Refusal("too_many_tables")

    async def _live(self, person: str, table: str) -> Live:
        live = await self.host.get(table)
        if not live.room.may_enter(person):
            raise Refusal("private")
        return live

    async def _create(self, person: str, ask: protocol.CreateTable) -> protocol.Made:
        if ask.game not in games.GAMES:
            raise Refusal("bad_options", f"there is no game {ask.game!r}")
        if ask.chairs[0] is not None:
            raise Refusal("bad_options", "the first chair is the maker's own")
        if ask.start and None in ask.chairs[1:]:
            raise Refusal("bad_options", "to begin at once every other chair needs a bot")
        rules = games.get(ask.game)
        _check_tower(rules.INFO)
        options = rules.INFO.parse(len(ask.chairs), ask.options, people=True)
        quick = replace(options, **rules.INFO.bulk)  # nothing need be simulated for this
        rules.setup(len(ask.chairs), quick, Rng(b"", 1))  # refuses options that do not fit each other
        laid = Laid(
            at=self.now,
            code=await self._code(),
            keys=tuple(people.seat_key() for _ in ask.chairs),
            seal=people.seal(),
            game=ask.game,
            options=ask.options,
            levels=ask.chairs,
            public=ask.public,
            assistance=ask.assistance,
            pace=ask.pace,
            allowance=ask.allowance,
        )
        sat = Sat(at=laid.at, seat=0, person=person, name=people.clean_name(ask.name), salt=ask.salt)
        live = await self.host.lay(people.table_id(), laid, sat)
        self.runner.warm(live)
        if ask.start:
            await self._start(person, live, "detective")
        return protocol.Made(live.id)

    async def _first_case(self, person: str, ask: protocol.FirstCase) -> protocol.Made:
        try:
            lesson = games.lesson(ask.game)
        except LookupError as error:
            raise Refusal("bad_options", str(error)) from error
        chairs = (None, *lesson.bots)
        laid = Laid(
            at=self.now,
            code=await self._code(),
            keys=tuple(people.seat_key() for _ in chairs),
            seal=Seal.from_seed(lesson.seed),
            game=ask.game,
            options=lesson.options,
            levels=chairs,
            public=False,
            assistance=lesson.assistance,
            pace="unhurried",
            lesson=True,
        )
        # Without a salt of the learner's own: what is staged is the same for everybody.
        sat = Sat(at=laid.at, seat=0, person=person, name=people.clean_name(ask.name), salt="")
        live = await self.host.lay(people.table_id(), laid, sat)
        self.runner.warm(live)
        await self._start(person, live, "detective")
        return protocol.Made(live.id)

    async def _code(self) -> str:
        """Return a code that opens no other table."""
        while await self.host.store.opened_by(digest(code := people.invitation())) is not None:
            pass
        return code

    async def _start(self, person: str, live: Live, fill: str) -> None:
        _check_tower(live.game.INFO)
        rules = live.game.INFO.rules
        await self.host.moves.begin(live, lambda room: manners.start(room, person, fill, rules, bots.VERSION, self.now))

    async def _rematch(self, person: str, live: Live, salt: str) -> protocol.Made:
        async with self._relaying:  # two may want it at once, and there is to be one table
            new = await self._relay(person, live, salt)
        if new is not None and all(chair.level for chair in new.room.chairs if person not in chair.people):
            await self._start(person, new, "detective")
        assert live.room.rematch is not None
        return protocol.Made(live.room.rematch)

    async def _relay(self, person: str, live: Live, salt: str) -> Live | None:
        """Lay the table of a rematch; None: there is one already."""
        if live.stage != "over":
            raise Refusal("not_over")
        old, seat = live.room, manners.seated(live.room, person)
        if old.rematch is not None:
            return None
        keys = tuple(people.seat_key() for _ in old.chairs)
        levels = tuple(chair.level for chair in old.chairs)
        info = live.game.INFO
        changed = info.again(info.parse(len(old.chairs), old.laid.options), len(old.chairs))
        laid = replace(
            old.laid,
            at=self.now,
            code=await self._code(),
            keys=keys,
            seal=people.seal(),
            levels=levels,
            lesson=False,  # after the first case comes a real one
            options={**old.laid.options, **changed},
        )
        # The others' chairs are kept for them: they sit there already, and add their salt when they come.
        sits: list[AnyEntry] = [
            Sat(at=laid.at, seat=number, person=other, name=chair.name, salt=salt if number == seat else "")
            for number, chair in enumerate(old.chairs)
            for other in chair.people
            if not chair.gone
        ]
        new = await self.host.lay(people.table_id(), laid, *sits)
        await self.host.writer.note(live, lambda room: [] if room.rematch else [Relaid(at=self.now, table=new.id)])
        if live.room.rematch == new.id:
            return new
        await self.host.writer.note(new, lambda room: manners.disband(room, self.now))  # another node was faster
        return None

    async def _play(
        self, person: str, ask: protocol.Act | protocol.Undo | protocol.Select
    ) -> "asyncio.Future[None] | None":
        # Nearly always in memory: then no coroutine is needed to find it, on the way that every move takes.
        live = self.host.tables.get(ask.table) or await self.host.get(ask.table)
        seat = live.room.seat_of(person)
        if seat is None:
            raise Refusal("no_seat" if live.room.may_enter(person) else "private")
        if (chair := live.room.chairs[seat]).stand_in:
            raise Refusal("lapsed" if chair.lapsed else "stood_in")
        if live.room.paused is not None:
            raise Refusal("paused")
        match ask:
            case protocol.Undo():
                await self.host.moves.undo(live, seat)
            case protocol.Act(since=since) | protocol.Select(since=since):
                action = read_action(ask.action, live.game)
                if isinstance(ask, protocol.Select) or type(action) in live.game.INFO.answers:
                    stored = self.host.answering.select(live, seat, since, action)  # an answer has its own moment
                    self.feeds.noted(live, seat)
                    return stored
                await self.host.moves.act(live, seat, since, action)
        return None

    async def _notes(self, person: str, live: Live, ask: protocol.Notes | protocol.Why | protocol.GiveHint) -> object:
        seat = manners.seated(live.room, person)
        level = live.room.laid.assistance
        seq = None if isinstance(ask, protocol.GiveHint) else ask.seq
        if live.table is None or (seq is not None and not 1 <= seq <= live.table.seq):
            raise Refusal("no_event")
        if isinstance(ask, protocol.Notes):
            return await self.runner.notes(live, seat, ask.seq)
        if level not in {"logic", "probabilities"}:
            raise Refusal("no_help", f"this table plays with {level}")
        if isinstance(ask, protocol.GiveHint):
            hint = await self.runner.hint(live, seat, ask.known)
            if hint is None:
                raise Refusal("no_hint")
            return hint if ask.grade == "fact" else Hint(hint.seq)
        proof = await self.runner.proof(live, seat, ask.seq, (ask.row, ask.column))
        if proof is None:
            raise Refusal("not_certain")
        return proof

    async def _since_away(self, person: str, live: Live) -> protocol.Digest:
        seat = manners.seated(live.room, person)
        after = live.room.chairs[seat].unread
        if after is None or live.table is None:
            raise Refusal("not_away")
        batches = [batch for batch in await self.host.batches(live) if batch.last > after]
        mine = [batch for batch in batches if batch.cause is not None and batch.cause.seat == seat]
        events = frames.Telling(live, batches, after).told(seat)
        await self.host.writer.note(live, lambda room: manners.caught_up(room, seat, self.now))
        return protocol.Digest(after, events, tuple(batch.seq for batch in mine))

    async def _check(self, live: Live) -> protocol.Checked:
        statements = await self.runner.checked(live)
        return protocol.Checked(
            tuple(protocol.Statement(said.holds, said.about, said.count, said.seat, said.text) for said in statements)
        )

    async def _practise(self, page: Socket, ask: protocol.Practise) -> protocol.Practice:
        if ask.game not in games.GAMES or games.get(ask.game).INFO.sounds is None:
            raise Refusal("bad_options", f"nothing is to be heard in {ask.game!r}")
        _check_tower(games.get(ask.game).INFO)
        async with page.practising():
            fall = await self.runner.practise(page.person, ask.game, ask.difficulty, ask.floor)
        pose = b64encode(fall.pose).decode()
        return protocol.Practice(b64encode(fall.sound).decode(), fall.floor, fall.resting, pose, fall.ear)

    async def _open_network(self, page: Socket, *, wanted: bool) -> protocol.Addresses:
        if not page.local:
            raise Refusal("not_local")
        await (self.network.open() if wanted else self.network.shut())
        return protocol.Addresses(self.network.address, self.network.shared)


def _check_tower(info: Info) -> None:
    if info.sounds is not None and not tower.is_installed():
        raise Refusal("no_tower", "real cubes need what whodunit[tower] installs")
