"""Lays tables, starts them, and lets in whoever has the code of an invitation or the key of a seat."""

import asyncio
import hmac
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from whodunit import bots, games
from whodunit.core.errors import Refusal
from whodunit.core.notes import Assistance
from whodunit.core.rng import Rng
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.host.tasks import quietly
from whodunit.room import manners
from whodunit.room.entries import AnyEntry, Laid, Relaid, Sat, SharedDeal
from whodunit.room.listing import digest
from whodunit.room.pace import SOLO
from whodunit.room.room import GONE
from whodunit.server import names, people, protocol
from whodunit.server.quotas import Quotas
from whodunit.server.sockets import Socket
from whodunit.server.workers import Workers
from whodunit.table.seal import Seal


class DealTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """On which terms a deal that several people play is laid for each of them."""

    game: str
    options: dict[str, Any]
    levels: tuple[str | None, ...]
    """By seat: a bot of this level; None: the one where the person sits."""
    assistance: Assistance
    seal: Seal
    salt: str = ""
    """The person's: nobody adds one of their own."""


class Laying:
    """Where tables come from, and how people come to them."""

    def __init__(self, host: Host, workers: Workers, known: people.People, quotas: Quotas) -> None:
        self._host = host
        self._workers = workers
        self._people = known
        self._allowances = quotas
        self._relaying = asyncio.Lock()

    @property
    def _now(self) -> int:
        return self._host.clock.now()

    # --- By code and key ---

    async def join(self, person: str, code: str) -> str:
        """Let a person in who has the code of an invitation; returns the table."""
        live = await self._opened_by(people.typed_code(code))
        if not hmac.compare_digest(live.room.laid.code.encode(), people.typed_code(code).encode()):
            raise Refusal("no_table")
        await self._host.writer.note(live, lambda room: manners.enter(room, person, self._now))
        return live.id

    async def take_seat(self, person: str, key: str) -> str:
        """Give a seat to another device that has its key; returns the table."""
        live = await self._opened_by(key)
        keys = [live.room.key(seat) or "" for seat in range(len(live.room.chairs))]
        seat = next((seat for seat, own in enumerate(keys) if hmac.compare_digest(own.encode(), key.encode())), None)
        if seat is None:
            raise Refusal("no_table")
        await self._host.writer.note(live, lambda room: manners.hold(room, seat, person, self._now))
        return live.id

    async def _opened_by(self, key: str) -> Live:
        table = await self._host.store.opened_by(digest(key))
        if table is None:
            raise Refusal("no_table")
        return await self._host.get(table)

    async def _code(self) -> str:
        """Return a code that opens no other table."""
        while await self._host.store.opened_by(digest(code := people.invitation())) is not None:
            pass
        return code

    # --- New tables ---

    async def create(self, page: Socket, ask: protocol.CreateTable) -> protocol.Made:
        """Lay a table as a page wishes it, and start it if that is wished, too."""
        self.few_tables(page)
        if ask.game not in games.playable():
            raise Refusal("bad_options", f"there is no game {ask.game!r}")
        if ask.chairs[0] is not None:
            raise Refusal("bad_options", "the first chair is the maker's own")
        if ask.start and None in ask.chairs[1:]:
            raise Refusal("bad_options", "to begin at once every other chair needs a bot")
        alone = not ask.public and None not in ask.chairs[1:]
        if ask.pace in SOLO and not alone:
            raise Refusal("bad_options", f"{ask.pace} is for one person among bots, whom nobody can watch")
        rules = games.get(ask.game)
        rules.INFO.check_installed()
        options = rules.INFO.parse(len(ask.chairs), ask.options, people=True)
        quick = replace(options, **rules.INFO.bulk)  # nothing need be simulated for this
        rules.setup(len(ask.chairs), quick, Rng(b"", 1))  # refuses options that do not fit each other
        laid = Laid(
            at=self._now,
            code=await self._code(),
            keys=tuple(people.seat_key() for _ in ask.chairs),
            seal=people.seal(),
            game=ask.game,
            options=ask.options,
            levels=ask.chairs,
            public=ask.public,
            assistance=ask.assistance,
            pace=ask.pace or ("brisk" if alone else "normal"),
            allowance=ask.allowance,
            household=self._household(page, public=ask.public),
        )
        sat = Sat(at=laid.at, seat=0, person=page.person, name=names.clean_name(ask.name), salt=ask.salt)
        live = await self._lay(laid, sat)
        if ask.start:
            await self.start(page.person, live, "detective")
        return protocol.Made(live.id)

    async def first_case(self, page: Socket, ask: protocol.FirstCase) -> protocol.Made:
        """Lay a game's guided first case for one person, and start it."""
        self.few_tables(page)
        try:
            lesson = games.lesson(ask.game)
        except LookupError as error:
            raise Refusal("bad_options", str(error)) from error
        chairs = (None, *lesson.bots)
        laid = Laid(
            at=self._now,
            code=await self._code(),
            keys=tuple(people.seat_key() for _ in chairs),
            seal=Seal.from_seed(lesson.seed),
            game=ask.game,
            options=lesson.options,
            levels=chairs,
            public=False,
            assistance=lesson.assistance,
            pace="brisk",
            lesson=True,
        )
        # Without a salt of the learner's own: what is staged is the same for everybody.
        sat = Sat(at=laid.at, seat=0, person=page.person, name=names.clean_name(ask.name), salt="")
        live = await self._lay(laid, sat)
        await self.start(page.person, live, "detective")
        return protocol.Made(live.id)

    async def lay_shared(self, table: str, person: str, deal: SharedDeal, terms: DealTerms, name: str) -> Live:
        """Lay a deal that others play, too, for one person; Conflict if that table has been laid before."""
        laid = Laid(
            at=self._now,
            code=await self._code(),
            keys=tuple(people.seat_key() for _ in terms.levels),
            seal=terms.seal,
            game=terms.game,
            options=terms.options,
            levels=terms.levels,
            public=False,
            assistance=terms.assistance,
            pace="brisk",
            deal=deal,
        )
        seat = terms.levels.index(None)
        sat = Sat(at=laid.at, seat=seat, person=person, name=names.clean_name(name), salt=terms.salt)
        return await self._lay(laid, sat, table)

    async def _lay(self, laid: Laid, sat: Sat, table: str | None = None) -> Live:
        """Lay a table, and let a process get ready for its game if the first moves would wait for that."""
        live = await self._host.lay(table or people.table_id(), laid, sat)
        if live.game.INFO.sounds is not None:
            self._host.tasks.spawn(quietly(self._workers.warm(live.id, live.game.INFO.id)))
        return live

    def _household(self, page: Socket, *, public: bool) -> str:
        """Return whose place among the open tables the page's table takes; on one's own machine each has its own."""
        return "" if page.local or not public else self._people.of_household(page.household)

    def few_tables(self, page: Socket) -> None:
        """Refuse whoever lays table after table; on one's own machine everybody may."""
        if not page.local:
            self._allowances.admit_table(page.person, page.household)

    async def start(self, person: str, live: Live, fill: str) -> None:
        """Let the game begin, with bots of this level in free chairs."""
        info = live.game.INFO
        info.check_installed()
        await self._host.moves.begin(
            live, lambda room: manners.start(room, person, fill, info.rules, bots.VERSION, self._now)
        )

    # --- The same table again ---

    async def rematch(self, page: Socket, live: Live, salt: str) -> protocol.Made:
        """Lay the table again for the same people, and start it if nobody has to come back to it first."""
        person = page.person
        if live.room.rematch is None:
            self.few_tables(page)
        async with self._relaying:  # two may want it at once, and there is to be one table
            new = await self._relay(page, live, salt)
        if new is not None and all(chair.level for chair in new.room.chairs if person not in chair.people):
            await self.start(person, new, "detective")
        assert live.room.rematch is not None
        return protocol.Made(live.room.rematch)

    async def _relay(self, page: Socket, live: Live, salt: str) -> Live | None:
        """Lay the table of a rematch; None: there is one already."""
        if live.stage != "over":
            raise Refusal("not_over")
        old, seat = live.room, manners.seated(live.room, page.person)
        if old.rematch is not None:
            return None
        keys = tuple(people.seat_key() for _ in old.chairs)
        levels = tuple(chair.level for chair in old.chairs)
        info = live.game.INFO
        changed = info.again(info.parse(len(old.chairs), old.laid.options), len(old.chairs))
        laid = replace(
            old.laid,
            at=self._now,
            code=await self._code(),
            keys=keys,
            seal=people.seal(),
            levels=levels,
            pace="brisk" if old.laid.staged else old.chosen_pace,
            lesson=False,  # after the first case comes a real one
            deal=None,  # and after a deal that others play one of its own
            options={**old.laid.options, **changed},
        )
        sitting = [person for person in old.sat if old.seat_of(person) is not None and not person.startswith(GONE)]
        if sitting[:1] != [*old.sat[:1]]:  # its maker is not here any more: whoever wants it again makes this one
            sitting.sort(key=lambda person: person != page.person)
            laid = replace(laid, household=self._household(page, public=laid.public))
        # The others' chairs are kept for them: they sit there already, and add their salt when they come.
        called = _distinct([chair.name for chair in old.chairs])
        sits: list[AnyEntry] = [
            Sat(at=laid.at, seat=number, person=person, name=called[number], salt=salt if number == seat else "")
            for person in sitting
            for number in [manners.seated(old, person)]
        ]
        new = await self._host.lay(people.table_id(), laid, *sits)
        await self._host.writer.note(live, lambda room: [] if room.rematch else [Relaid(at=self._now, table=new.id)])
        if live.room.rematch == new.id:
            return new
        await self._host.writer.note(new, lambda room: manners.disband(room, self._now))  # another node was faster
        return None


def _distinct(given: list[str]) -> list[str]:
    """Return the names with a number behind each that looks like one before: earlier versions let that pass."""
    found: list[str] = []
    for name in given:
        number = 2
        new = name
        while name and any(names.alike(new, other) for other in found):
            new = f"{name[: names.NAME_LENGTH - 2]} {number}"
            number += 1
        found.append(new)
    return found
