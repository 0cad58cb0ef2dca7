"""Duels: "beat my 9 turns". A link under which others play the deal of a game that somebody has played alone.

The link leads to no case until its reader has finished the same deal. Then both see how the other did, also where the
table was private: whoever makes a duel is told so. The challenge of a day is no duel: it is compared with everybody in
the house as it is, and one deal has one gate.
"""

import asyncio
import secrets
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from whodunit import bots
from whodunit.core.errors import Refusal
from whodunit.core.ports import Leaf
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.room.entries import Dueled, SharedDeal
from whodunit.server import protocol, tries
from whodunit.server.deals import Deals
from whodunit.server.laying import DealTerms
from whodunit.server.sockets import Socket
from whodunit.server.tries import Tried

SHELF: Final = "duel"
MOST: Final = 300
"""So many duels may one person have made and played."""


class Duel(Struct, frozen=True, forbid_unknown_fields=True):
    """What is needed to lay the same deal again."""

    table: str
    """Where its maker played it."""
    terms: DealTerms
    rules: int
    version: int
    """Of the bots: others would play otherwise."""


_DUEL: Final = msgspec.json.Decoder(Duel)


class Duels:
    """Makes duels, tells of them, and lets people play."""

    def __init__(self, host: Host, deals: Deals) -> None:
        self._host = host
        self._deals = deals
        self._making = asyncio.Lock()

    async def make(self, page: Socket, live: Live, _: protocol.MakeDuel) -> protocol.DuelMade:
        """Make a duel of a game that the person has played alone; of a duel that is played it is that one."""
        person = page.person
        seat = manners.seated(live.room, person)
        if not live.room.gathering and live.stage != "over":
            raise Refusal("not_over")
        deal = live.room.deal
        if deal is not None and deal.kind == SHELF:
            return protocol.DuelMade(deal.item)
        header, table = live.room.header, live.table
        if header is None or header.staged or not live.room.alone or table is None or table.outcome is None:
            raise Refusal("no_such_duel", "a duel is of a game that one person has played to its end among bots")
        await self._few(person)
        levels: list[str | None] = [None] * header.seats
        for bot in header.bots:
            levels[bot.seat] = bot.level
        laid = live.room.laid
        terms = DealTerms(laid.game, laid.options, tuple(levels), laid.assistance, laid.seal, header.salts[seat])
        async with self._making:  # two tabs may want it at once
            return protocol.DuelMade(live.room.duel or await self._made(live, person, seat, terms))

    async def _made(self, live: Live, person: str, seat: Seat, terms: DealTerms) -> str:
        """Keep what the duel needs, then how its maker did, and at last that there is one."""
        header, deal = live.room.header, SharedDeal(SHELF, secrets.token_urlsafe(16))
        assert header is not None
        result = await self._deals.result(live, seat, deal)
        with suppress(Refusal, RuntimeError):  # a review that cannot be made leaves luck and skill unknown
            result = await self._deals.weighed(live, person, seat, result)
        duel = Duel(live.id, terms, header.rules, header.bots[0].version)
        await self._host.store.keep_leaf(Leaf(SHELF, deal.item, body=encode(duel)))
        await self._host.store.keep_leaf(tries.leaf_of(deal, person, 1, Tried(live.id, result)))
        at = self._host.clock.now()
        await self._host.writer.note(live, lambda room: [] if room.duel else [Dueled(at=at, duel=deal.item)])
        return live.room.duel or deal.item  # another node may have been faster

    async def read(self, page: Socket, ask: protocol.ReadDuel) -> protocol.DuelFrame:
        """Return a duel as far as the person may know it."""
        duel, deal, person = await self._duel(ask.duel), SharedDeal(SHELF, ask.duel), page.person
        made = await self._host.look_up(duel.table)
        maker = next(iter(made.room.sat), None) if made is not None else None
        boast = await self._deals.tried(deal, maker) if maker is not None else None
        tried = await self._deals.tried(deal, person)
        return protocol.DuelFrame(
            duel=ask.duel,
            game=duel.terms.game,
            levels=duel.terms.levels,
            assistance=duel.terms.assistance,
            state=self._state(duel, made, person, tried),
            table=None if tried is None else tried.table,
            maker=None if boast is None or boast.result is None else _boast(boast.result),
            results=await self._deals.ranking(deal, person) if await self._deals.gate.knows(deal, person) else (),
        )

    async def begin(self, page: Socket, ask: protocol.BeginDuel) -> protocol.Made:
        """Let the person play the deal of a duel, or return to the table where they do."""
        duel, deal = await self._duel(ask.duel), SharedDeal(SHELF, ask.duel)
        made = await self._host.look_up(duel.table)
        tried = await self._deals.tried(deal, page.person)
        match self._state(duel, made, page.person, tried):
            case "mine":
                raise Refusal("own_duel")
            case "outdated":
                raise Refusal("duel_outdated")
            case "new":
                await self._few(page.person)
        return await self._deals.begin(page, deal, duel.terms, ask.name)

    async def _few(self, person: str) -> None:
        """Refuse whoever has very many duels already."""
        leaves = await self._host.store.leaves_of_person(person)
        if sum(leaf.shelf == SHELF for leaf in leaves) >= MOST:
            raise Refusal("too_many_duels")

    async def _duel(self, id: str) -> Duel:
        leaf = await self._host.store.leaf(SHELF, id)
        if leaf is None:
            raise Refusal("no_duel")
        return _DUEL.decode(leaf.body)

    def _state(self, duel: Duel, made: Live | None, person: str, tried: Tried | None) -> protocol.DuelState:
        if made is not None and made.room.seat_of(person) is not None:  # on whichever device
            return "mine"
        if tried is not None:
            return "begun" if tried.result is None else "done"
        comparable = made is not None and (duel.rules, duel.version) == (made.game.INFO.rules, bots.VERSION)
        return "new" if comparable else "outdated"


def _boast(result: tries.Result) -> protocol.Boast:
    return protocol.Boast(result.name, result.figures.won, result.figures.turns)
