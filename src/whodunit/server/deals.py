"""Deals that several people play, each alone at a table of their own: one try a person, and what came of it.

The leaf is written before the table is laid, so two tabs cannot try twice; what was cut short in between is laid when
the person comes back. When the game is over the result is kept: at once what the table says, then luck and skill, which
take a review. Whatever fails of it is done when its person next asks.
"""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.errors import Conflict, NoTable, Refusal
from whodunit.core.ports import Leaf
from whodunit.core.types import Seat
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.tasks import quietly
from whodunit.review.figures import Figures
from whodunit.room.entries import Abandoned, HandedOver, SharedDeal, decode
from whodunit.room.room import GONE
from whodunit.server import names, people, protocol, tries
from whodunit.server.fair_queue import Claim, Stake
from whodunit.server.gate import Gate
from whodunit.server.history import filed
from whodunit.server.laying import DealTerms, Laying
from whodunit.server.reviews import Reviews
from whodunit.server.sockets import Socket
from whodunit.server.thoughts import Reckoned, reckoned
from whodunit.server.tries import Ranked, Result, Tried
from whodunit.server.workers import Workers

READ: Final = 1000
"""So many tries at one deal are ranked."""
TOLD: Final = 100
"""So many of them are told, besides one's own."""


class _Account(Struct):
    answer_luck: float = 0.0
    gift_luck: float = 0.0


class _Review(Struct):
    """What is read of a seat's review."""

    account: _Account
    asked: float = 0.0
    offered: float = 0.0


class Deals:
    """Begins tries, and keeps what came of them."""

    def __init__(self, host: Host, workers: Workers, laying: Laying, reviews: Reviews, gate: Gate) -> None:
        self._host = host
        self._workers = workers
        self._laying = laying
        self._reviews = reviews
        self.gate = gate
        self._beginning = asyncio.Lock()
        host.listeners.append(self._changed)

    # --- Beginning ---

    async def begin(self, page: Socket, deal: SharedDeal, terms: DealTerms, name: str) -> protocol.Made:
        """Let the person play the deal, or return to the table where they do."""
        name = names.clean_name(name)
        async with self._beginning:  # two tabs may want it at once, and there is to be one table
            tried = await self._own(page, deal)
            try:
                live = await self._host.get(tried.table)
            except NoTable:
                try:
                    live = await self._laying.lay_shared(tried.table, page.person, deal, terms, name)
                except Conflict:  # another node was faster
                    live = await self._host.get(tried.table)
            if live.room.gathering:
                await self._laying.start(page.person, live, "detective")
        return protocol.Made(live.id)

    async def _own(self, page: Socket, deal: SharedDeal) -> Tried:
        """Return the person's try; write down that there is one before anything else."""
        leaf = await self._host.store.leaf(deal.kind, deal.item, page.person)
        if leaf is None:
            self._laying.few_tables(page)
            leaf = tries.leaf_of(deal, page.person, 1, Tried(people.table_id()))
            try:
                await self._host.store.keep_leaf(leaf)
            except Conflict:  # another node was faster
                leaf = await self._host.store.leaf(deal.kind, deal.item, page.person)
                if leaf is None:
                    raise
        return tries.tried_on(leaf)

    # --- What came of it ---

    def _changed(self, change: Change) -> None:
        live = change.live
        if live.room.laid.deal is None or live.table is None or not live.table.closed or self._host.tasks.closing:
            return
        if change.batches or any(isinstance(entry, Abandoned) for entry in change.entries):
            self._host.tasks.spawn(quietly(self._settle(live)))

    async def _settle(self, live: Live) -> None:
        """Keep what came of a game that is over: first the figures, then luck and skill."""
        leaf = await self._settle_figures(live)
        if leaf is not None:
            await self._weigh(live, leaf)

    async def _settle_figures(self, live: Live) -> Leaf | None:
        """Keep how whoever plays at a table that is over did; return the leaf, None: they want nothing to be kept."""
        deal, person = live.room.laid.deal, next(iter(live.room.sat), GONE)
        leaf = None if deal is None else await self._host.store.leaf(deal.kind, deal.item, person)
        if deal is None or leaf is None:
            return None
        tried, seat = tries.tried_on(leaf), live.room.seat_of(person)
        if tried.result is not None or tried.table != live.id or seat is None:
            return leaf
        tried = replace(tried, result=await self.result(live, seat, deal))
        leaf = tries.leaf_of(deal, person, leaf.version + 1, tried)
        await self._host.store.keep_leaf(leaf)
        return leaf

    async def _weigh(self, live: Live, leaf: Leaf) -> None:
        """Add luck and skill to a result that has none."""
        tried, seat = tries.tried_on(leaf), live.room.seat_of(leaf.person)
        deal = live.room.deal
        if deal is None or seat is None or tried.result is None or tried.result.luck is not None:
            return
        with suppress(Refusal, RuntimeError):  # a review that cannot be made leaves them unknown
            tried = replace(tried, result=await self.weighed(live, leaf.person, seat, tried.result))
            await self._host.store.keep_leaf(tries.leaf_of(deal, leaf.person, leaf.version + 1, tried))

    async def result(self, live: Live, seat: Seat, deal: SharedDeal | None) -> Result:
        """Return how a seat did in a game that is over, but for luck and skill."""
        claim = Claim(Stake.SPARE, frozenset(), live.id)
        case = await filed(self._host, live)
        figures: Figures = await self._workers.once(live.id, reckoned, Reckoned(case, seat), claim)
        records = await self._host.store.read(live.id, "room")
        left = any(
            isinstance(entry, HandedOver) and entry.seat == seat and not entry.lapsed
            for record in records
            for entry in decode(record.body)
        )
        if left:  # whatever the bot made of it
            figures = replace(figures, won=False)
        late = deal is not None and deal.kind == "challenge" and live.moved >= tries.ends(deal.item)
        return Result(live.room.chairs[seat].name, figures, left, late)

    async def weighed(self, live: Live, person: str, seat: Seat, result: Result) -> Result:
        """Return the result with luck and skill, as the review of the game says them."""
        part = await self._reviews.read(live, person, "", seat)
        review = msgspec.json.decode(part, type=_Review)
        luck = review.account.answer_luck + review.account.gift_luck
        skill = round(review.asked / review.offered, 3) if review.offered else None
        return replace(result, luck=round(luck, 3), skill=skill)

    # --- Reading ---

    async def tried(self, deal: SharedDeal, person: str) -> Tried | None:
        """Return the person's try; one that has ended since, with what came of it."""
        leaf = await self._host.store.leaf(deal.kind, deal.item, person)
        if leaf is None:
            return None
        tried = tries.tried_on(leaf)
        if tried.result is not None and tried.result.luck is not None:
            return tried
        live = await self._host.look_up(tried.table)
        if live is None or live.table is None or not live.table.closed:
            return tried
        if tried.result is None:
            with suppress(Conflict):  # it has just been kept
                await self._settle_figures(live)
            leaf = await self._host.store.leaf(deal.kind, deal.item, person) or leaf
        self._host.tasks.spawn(quietly(self._weigh(live, leaf)))
        return tries.tried_on(leaf)

    async def ranking(self, deal: SharedDeal, person: str) -> tuple[protocol.ResultFrame, ...]:
        """Return everybody's results, for somebody who may know everything of the deal."""
        leaves = await self._host.store.leaves_of_item(deal.kind, deal.item, READ)
        shown = [one for one in tries.ranked(leaves) if not one.result.late or one.leaf.person == person]
        told = shown[:TOLD] + [one for one in shown[TOLD:] if one.leaf.person == person]
        return tuple(map(partial(_frame, person=person), told))


def _frame(one: Ranked, person: str) -> protocol.ResultFrame:
    result = one.result
    return protocol.ResultFrame(
        place=one.place,
        name=result.name,
        me=one.leaf.person == person,
        won=result.figures.won,
        left=result.left,
        late=result.late,
        turns=result.figures.turns,
        chance=result.figures.chance,
        points=result.figures.points,
        luck=result.luck,
        skill=result.skill,
        table=one.tried.table,
    )
