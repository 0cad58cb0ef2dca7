"""What one household writes to the disk of a house as fast as it can, and how it takes the places of the hall."""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from msgspec import Struct

from whodunit import games
from whodunit.bench.server.flood_house import (
    ATTACKER,
    BYSTANDER,
    NAME,
    SALT,
    THIRD,
    Visitors,
    house,
    people_of,
    stored_bytes,
    terms,
    visited,
)
from whodunit.bench.server.people import Lost, Page, Refused
from whodunit.bench.server.script import SEATS, table_id

SOCKETS = 10
"""Of one cookie."""
STILL_MB_PER_S = 0.02
"""A house that grows no faster than this has spent what it grants at first."""
BURST_S = 10.0
"""So long at most what is granted at first may last."""
LOOK_S = 1.0
REST_S = 0.3
NOTES = 4000
WORDS = 300
MB = 1e6
PUBLIC_TABLES = 30

Write = tuple[str, dict[str, Any]]


class Growth(Struct, frozen=True):
    """How a house grew while one household wrote."""

    burst_mb: float
    burst_s: float
    mb_per_s: float
    """After that."""
    granted: dict[str, int]
    refused: int
    others: bool
    """Whether somebody of another household could still write."""

    def __str__(self) -> str:
        most = ", ".join(f"{kind} {number}" for kind, number in Counter(self.granted).most_common(5))
        first = f"{self.burst_mb:.2f} MB in the first {self.burst_s:.0f} s, then {self.mb_per_s:.4f} MB/s"
        others = "others write" if self.others else "nobody else can write"
        return f"{first}; granted {most}; {self.refused:,} refused; {others}"


def poured(where: str, seconds: float) -> Growth:
    """Let one household write whatever a page can; return what became of the disk."""
    with house(where, groups=3, games=1) as server:
        return visited(server, lambda here: _poured(here, where, seconds))


async def _poured(here: Visitors, where: str, seconds: float) -> Growth:
    own, others, honest = here.server.told["cookies"]
    strangers = here.server.told["strangers"]
    granted: Counter[str] = Counter()
    ended = asyncio.Event()
    pens: list[tuple[str, Callable[[int], Iterator[Write]], int]] = [
        (own[0], lambda number: notes(table_id(0), number), SOCKETS // 2),
        (own[0], lambda number: anything(table_id(0), number), SOCKETS - SOCKETS // 2),
        *((cookie, lambda number: anything(table_id(0), number), 2) for cookie in own[1:]),
        *((cookie, lambda number: anything(table_id(1), number), 2) for cookie in others),
        *((cookie, lambda _: tables(), 1) for cookie in strangers),
    ]
    begun = await stored_bytes(where)
    start = time.monotonic()
    numbers = count()
    pouring = [
        asyncio.ensure_future(_pour(await here.page(cookie, ATTACKER), writes(next(numbers)), granted, ended))
        for cookie, writes, sockets in pens
        for _ in range(sockets)
    ]
    size, grown = await stored_bytes(where), STILL_MB_PER_S
    while grown >= STILL_MB_PER_S and time.monotonic() - start < BURST_S:
        await asyncio.sleep(LOOK_S)
        before, size = size, await stored_bytes(where)
        grown = (size - before) / MB / LOOK_S
    burst_s, then = time.monotonic() - start, time.monotonic()
    await asyncio.sleep(seconds)
    after = await stored_bytes(where)
    took = time.monotonic() - then
    page = await here.page(honest[0], BYSTANDER)
    still = await _granted(page, "jot", table=table_id(2), text="mine")
    ended.set()
    await asyncio.gather(*pouring)
    return Growth(
        burst_mb=(size - begun) / MB,
        burst_s=burst_s,
        mb_per_s=(after - size) / MB / took,
        granted={kind: number for kind, number in granted.items() if kind != REFUSED},
        refused=granted[REFUSED],
        others=still,
    )


REFUSED = "refused"


async def _pour(page: Page, writes: Iterator[Write], granted: Counter[str], ended: asyncio.Event) -> None:
    """Write one thing after another; what is refused is left for a moment, and whoever is sent away comes back."""
    made: dict[str, str] = {}
    rests: dict[str, float] = {}
    for kind, fields in writes:
        if ended.is_set():
            return
        if rests.get(kind, 0.0) > time.monotonic():
            await asyncio.sleep(0.001)
            continue
        try:
            value = await page.ask(
                kind, **{name: made[OWN] if text == OWN and made else text for name, text in fields.items()}
            )
            granted[kind] += 1
            if kind == "create_table":
                made[OWN] = value["table"]
        except Refused:
            granted[REFUSED] += 1
            rests[kind] = time.monotonic() + REST_S
        except Lost:
            await asyncio.sleep(0.02)


async def _granted(page: Page, kind: str, **fields: Any) -> bool:
    try:
        await asyncio.wait_for(page.surely(kind, **fields), BURST_S)
    except (Refused, TimeoutError):
        return False
    return True


OWN = "the table that was laid last"
"""Stands for its id."""


def notes(table: str, number: int) -> Iterator[Write]:
    """Write notes, as long as they may be and always others."""
    for turn in count():
        yield "jot", {"table": table, "text": noise(f"{number} {turn}", NOTES)}


def anything(table: str, number: int) -> Iterator[Write]:
    """Write everything that whoever sits at a running table can, and at one that still gathers."""
    orders = (None, *games.get("clue").INFO.orders)
    yield "create_table", terms(name=f"{NAME} {number}")
    for turn in count():
        odd = bool(turn % 2)
        for kind, fields in (
            ("jot", {"text": noise(f"{number} {turn}", NOTES)}),
            ("mark", {"cell": f"{noise(f'{turn % 900}', 70)}", "mark": noise(f"{number} {turn}", 16)}),
            ("say", {"text": noise(f"words {number} {turn}", WORDS)}),
            ("say_phrase", {"phrase": "thanks"}),
            ("set_order", {"order": orders[turn % len(orders)]}),
            ("set_pace", {"pace": "slow" if odd else "steady"}),
            ("pause", {"wish": odd}),
            ("agree", {"agreed": odd}),
            ("mute", {"speaker": number % SEATS, "muted": odd}),
            ("watch_table" if odd else "leave_table", {}),
            ("looking", {"looking": odd}),
            ("set_hook", {"url": f"https://hooks.invalid/{number}/{turn}"}),
            ("heard", {"seq": turn}),
        ):
            yield kind, {"table": table, **fields}
        name = noise(f"{number} {turn}", 24)
        yield "sit_down", {"table": OWN, "seat": turn % 3, "name": name, "salt": SALT}
        yield "set_chair", {"table": OWN, "seat": (turn + 1) % 3, "level": "random" if odd else None}
        yield "jot", {"table": OWN, "text": noise(f"own {number} {turn}", NOTES)}


def tables() -> Iterator[Write]:
    """Lay tables, and begin games that nobody plays on."""
    for turn in count():
        yield "create_table", terms(name=NAME, public=bool(turn % 2))
        yield "first_case", {"game": "clue", "name": NAME}


def noise(seed: str, length: int) -> str:
    """Return text that no database can pack: the same for the same seed."""
    return hashlib.shake_128(seed.encode()).hexdigest(length // 2)


# --- The hall --------------------------------------------------------------------------------------------------------


class Hall(Struct, frozen=True):
    """What somebody sees in the hall when one household has laid many tables."""

    laid: int
    shown: int
    theirs: int
    others: bool
    """Whether the table of another household can be seen, though it is older."""

    def __str__(self) -> str:
        seen = "is shown" if self.others else "is not shown"
        return f"{self.theirs} of {self.shown} places for {self.laid} tables, another household's table {seen}"


def crowded(where: str) -> Hall:
    """Let one household lay public tables; return what the hall shows to somebody else."""
    with house(where, groups=2, games=0) as server:
        return visited(server, _crowded)


async def _crowded(here: Visitors) -> Hall:
    honest, guest, *many = people_of(here.server)
    table = (await (await here.page(honest, BYSTANDER)).ask("create_table", **terms(public=True, name="Ann")))["table"]
    theirs: set[str] = set()
    for cookie in many:
        page = await here.page(cookie, ATTACKER)
        with suppress(Refused):
            for _ in range(PUBLIC_TABLES // 3):
                made = await page.ask("create_table", **terms(public=True))
                theirs.add(made["table"])
                if len(theirs) == PUBLIC_TABLES:
                    break
        if len(theirs) == PUBLIC_TABLES:
            break
    looks = await here.page(guest, THIRD)
    await looks.ask("watch_lobby")
    while not looks.hall:
        looks.news.clear()
        await looks.news.wait()
    shown: Sequence[str] = [each["table"] for each in looks.hall["open"]]
    return Hall(len(theirs), len(shown), len(theirs & {*shown}), table in shown)
