"""How long somebody waits at another table while one household lets the house think: past events, falls, bots."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import cycle
from typing import Any

from msgspec import Struct

from whodunit.bench.server.flood_house import (
    ATTACKER,
    BYSTANDER,
    Visitors,
    Waits,
    house,
    people_of,
    stored_bytes,
    terms,
    until,
    visited,
    waited,
)
from whodunit.bench.server.people import Lost, Page, Refused
from whodunit.bench.server.script import CLUE, SEATS, table_id
from whodunit.core.rng import Stream

LOOKERS = 20
"""Sockets of one cookie."""
ASIDE = 4
"""So many looks a page may have under way."""
LONG = 1350
"""So many moves of Clue are some 1,600 events."""
PRACTISING = 20
"""Cookies of one address."""
BOT_TABLES = 60
TABLES_EACH = 15
"""So many of them are laid by one cookie."""
BOT = "mastermind"
WARM_S = 3.0
"""By then the attack is under way, and processes have loaded what they need."""
PAUSE_S = 0.06
"""Between a bystander's asks: fewer than a page may send."""


class Compared(Struct, frozen=True):
    """What a bystander waits before and during an attack."""

    idle: Waits
    under: Waits
    did: str
    """What the attackers got."""

    @property
    def ms(self) -> float:
        return self.under.median

    def __str__(self) -> str:
        return f"idle {self.idle}; under attack {self.under}; {self.did}"


def looked(where: str, seconds: float) -> Compared:
    """Let 20 sockets of one cookie look at any event of a long case; a bystander watches another table."""
    # Of two tables of every age the first has just begun, and the second has half of all moves behind it.
    with house(where, groups=2, games=1, deals=CLUE[:1], played=2 * LONG, spread=True) as server:

        async def scene(here: Visitors) -> Compared:
            (honest, *_), (cookie, *_) = server.told["cookies"]
            page = await here.page(honest, BYSTANDER)
            idle = await _watches(page, seconds)
            first = await here.page(cookie, ATTACKER)
            await first.watch(table_id(1))
            events, got = first.seq, _Got()
            pages = [await here.page(cookie, ATTACKER) for _ in range(LOOKERS)]
            crowd = [_look(each, n, events, got) for n, each in enumerate(pages * ASIDE)]
            under = await _during(crowd, lambda: _watches(page, seconds))
            return Compared(idle, under, f"{got} looks at {events:,} events")

        return visited(server, scene)


async def _watches(page: Page, seconds: float) -> Waits:
    return await waited(page, seconds, PAUSE_S, "watch_table", table=table_id(0))


class _Got:
    """What attackers were granted, and what not."""

    def __init__(self) -> None:
        self.granted = 0
        self.refused = 0

    def __str__(self) -> str:
        return f"{self.granted:,} granted, {self.refused:,} refused"


async def _during(crowd: "Sequence[Coroutine[Any, Any, None]]", measure: Callable[[], Awaitable[Waits]]) -> Waits:
    """Measure while all of these are at it."""
    tasks = [asyncio.ensure_future(each) for each in crowd]
    await asyncio.sleep(WARM_S)
    waits = await measure()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return waits


async def _look(page: Page, number: int, events: int, got: _Got) -> None:
    draws = Stream(b"look %d" % number)
    while True:
        await _tried(page, got, "look", table=table_id(1), seq=1 + draws.below("seq", events))


async def _tried(page: Page, got: _Got, kind: str, **fields: Any) -> bool:
    """Ask for something; say whether it was granted."""
    try:
        await page.ask(kind, **fields)
        got.granted += 1
    except Refused:
        got.refused += 1
        await asyncio.sleep(0.01)  # whoever is told no tries again, but leaves the bench some time
        return False
    except Lost:
        await asyncio.sleep(0.05)
        return False
    return True


# --- What is thought in other processes ---------------------------------------------------------------------------


def practised(where: str, seconds: float) -> Compared:
    """Let 20 cookies of one address practise without pause; a bystander asks for notes."""

    async def scene(here: Visitors, page: Page) -> Compared:
        idle = await _notes(page, seconds)
        cookies = people_of(here.server)[SEATS : SEATS + PRACTISING]
        got = _Got()
        crowd = [_practise(here, cookie, got) for cookie in cookies]
        return Compared(idle, await _during(crowd, lambda: _notes(page, seconds)), f"{got} falls")

    return _thinking(where, scene)


def played_by_bots(where: str, seconds: float) -> Compared:
    """Let bots alone play at 60 tables, each with an open page at which nobody need sit; a bystander asks for notes."""

    async def scene(here: Visitors, page: Page) -> Compared:
        idle = await _notes(page, seconds)
        got = _Got()
        cookies = people_of(here.server)[SEATS:]
        pages = [await here.page(cookie, ATTACKER) for cookie in cookies[: BOT_TABLES // TABLES_EACH]]
        for own, _ in zip(cycle(pages), range(BOT_TABLES), strict=False):
            await _left_to_bots(own, got)
        before = await stored_bytes(where)
        waits = await _during([], lambda: _notes(page, seconds))
        written = (await stored_bytes(where) - before) / seconds
        return Compared(idle, waits, f"{got} tables of bots, which write {written / 1e6:.4f} MB/s")

    return _thinking(where, scene)


def _thinking(where: str, scene: Callable[[Visitors, Page], Awaitable[Compared]]) -> Compared:
    groups = 1 + PRACTISING // SEATS
    with house(where, groups=groups, seated=1, games=1, deals=CLUE[:1], played=60, assisted=1) as server:

        async def whole(here: Visitors) -> Compared:
            page = await here.page(server.told["cookies"][0][0], BYSTANDER)
            await page.watch(table_id(0))
            await page.ask("notes", table=table_id(0))  # the first one reads the whole game
            return await scene(here, page)

        return visited(server, whole)


async def _notes(page: Page, seconds: float) -> Waits:
    return await waited(page, seconds, PAUSE_S, "notes", table=table_id(0))


async def _practise(here: Visitors, cookie: str, got: _Got) -> None:
    """Let one thing fall after another; whoever is told to wait opens another page, where the count begins anew."""
    while True:
        page = await here.page(cookie, ATTACKER)
        while await _tried(page, got, "practise", game="arosa", difficulty="normal"):
            pass
        await page.close()


async def _left_to_bots(page: Page, got: _Got) -> None:
    """Lay a table with bots, and let one more play in the place of whoever laid it."""
    for _ in until(WARM_S):
        try:
            made = await page.ask("create_table", **terms(chairs=[None, BOT, BOT, BOT], pace="at_once", start=True))
            await page.ask("watch_table", table=made["table"])
            await page.ask("hand_over", table=made["table"], level=BOT)
        except Refused:
            got.refused += 1
            return
        except Lost:
            await asyncio.sleep(0.05)
            continue
        got.granted += 1
        return
