"""Tables of Mord im Arosa on the real site: the tower does as a test's script says, time passes when the test says."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.server.client import Client, Told
from tests.server.sites import MIDNIGHT, FakeClock, Here, Open, opened
from tests.server.worlds import laid
from whodunit.core.rng import Rng, StackedRng
from whodunit.host.live import Live
from whodunit.server.workers import Workers
from whodunit.table.table import Decision
from whodunit.tower import Landing, Script

T = TypeVar("T")
TERMS: Final = {"tower": "scripted", "victim_dropper": 0, "first_investigator": 0}
PROLOGUE_MS: Final = 500 + 250 * 6
"""Two victims and two clues of each of two players fall: so long after the start they are published."""
RELEASE_MS: Final = 2300


def script(*floors: int) -> Callable[[bytes, int], Rng]:
    """Return chance in which the drops of the game come to lie on these floors, and what falls later anywhere."""
    falls = Script({nth: Landing(floor) for nth, floor in enumerate(floors)})
    return lambda seed, seq: StackedRng(seed, seq, {}, falls)


class Hand:
    """Decides in this process, when the test lets it."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.free.set()
        self.asked = 0

    async def __call__(self, _: str, work: Callable[[], Decision]) -> Decision:
        self.asked += 1
        await self.free.wait()
        return work()


class Hotel:
    """The open site and one table, whose people have a page each; eve looks on."""

    def __init__(self, house: Open, clock: FakeClock, hand: Hand, live: Live) -> None:
        self.house = house
        self.clock = clock
        self.hand = hand
        self.live = live

    def cookie(self, person: str) -> str:
        return f"{person}.{self.house.site.people._signed(person)}"

    async def page(self, person: str, after: int = 0) -> Client:
        """Open a page of the person's that watches the table."""
        page = await self.house.page(self.cookie(person))
        await page.ask("watch_table", table=self.live.id, after=after)
        return page

    async def begun(self, *people: str) -> list[Client]:
        """Begin, and return the people's pages when the prologue has been published."""
        pages = [await self.page(person) for person in people]
        start = asyncio.create_task(pages[0].ask("start", table=self.live.id, fill="random"))
        await self.due(MIDNIGHT + PROLOGUE_MS)
        self.clock.move(MIDNIGHT + PROLOGUE_MS)
        await start
        for page in pages:
            await page.until(lambda told: told.seq)
        return pages

    async def due(self, moment: int) -> None:
        """Wait until something is due exactly then; whatever is due before has been forgotten."""
        await within(lambda: any(alarm.ring and alarm.at == moment for alarm in self.clock._alarms))

    async def calm(self) -> None:
        """Let time pass until every clip is released."""
        self.clock.move(self.clock.now() + RELEASE_MS * 12)
        await asyncio.sleep(0)

    def act(self, page: Client, kind: str, **fields: Any) -> "asyncio.Task[Any]":
        """Send an action, and return what will be the reply."""
        since = page.told.table["offers"][0]["since"]
        wish = page.ask("act", table=self.live.id, since=since, action={"type": kind, **fields})
        return asyncio.create_task(wish)

    async def get(self, person: str | None, clip: str) -> tuple[int, bytes]:
        """Fetch a clip."""
        cookie = None if person is None else self.cookie(person)
        response = await self.house.get(f"/t/{self.live.id}/clip/{clip}", cookie)
        return response.status, await response.read()


async def within(true: Callable[[], object]) -> None:
    """Wait until it is so."""
    for _ in range(20_000):
        if true():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never was")


def drops(told: Told) -> list[dict[str, Any]]:
    """Return the drops that a page has been told of."""
    return [line["event"] for line in told.events if line["event"]["type"] == "Dropped"]


def clips(told: Told) -> list[str]:
    return [drop["clip"]["id"] for drop in drops(told)]


@asynccontextmanager
async def hotel(
    *people: str,
    levels: tuple[str, ...] = (),
    folder: Path | None = None,
    draws: Callable[[bytes, int], Rng] = Rng,
    haste: float = 1.0,
    public: bool = True,
    workers: Workers | None = None,
    **options: Any,
) -> AsyncIterator[Hotel]:
    """Open a site with a table at which these people sit, then bots of these levels."""
    clock, hand = FakeClock(), Hand()
    workers = workers or Here()
    async with opened(folder, clock=clock, decide=hand, workers=workers, haste=haste, draws=draws) as house:
        chairs = (*(None for _ in people), *levels)
        terms: dict[str, Any] = {"game": "arosa", "options": {**TERMS, **options}, "public": public}
        live = await laid(house.site.host, people, seats=len(chairs), levels=chairs, **terms)
        yield Hotel(house, clock, hand, live)


def scene(play: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(play())
