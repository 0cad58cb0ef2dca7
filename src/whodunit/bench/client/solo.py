"""How long one person waits among three bots: from the end of their turn until their page shows the next decision.

The decisions go through the person's own socket, by chance and at once; when each is there, is seen on a real page.
"""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import Any, Final

import msgspec
from aiohttp import ClientSession

from whodunit import games
from whodunit.bench import browser, report
from whodunit.bench.report import Bar
from whodunit.bench.server.people import OfferSeen, Page, Refused
from whodunit.core.rng import Stream
from whodunit.room.pace import TEMPI, Pace

BOTS: Final = 3
LEVEL: Final = "detective"
DROP_S: Final = 2.3
"""Each drop is heard for so long: where there are any, the wait is what lies beyond them."""
LONGEST_S: Final = 300.0
"""No wait of one person is longer than this, or something is broken."""
WAITS: Final[dict[Pace, dict[str, float]]] = {
    "brisk": {"clue": 6.0, "perfect_alibi": 6.0, "crime_hotel": 4.0, "arosa": 3.0},
    "at_once": {"clue": 1.5, "perfect_alibi": 1.5, "crime_hotel": 1.5, "arosa": 1.5},
}
"""By pace and game: how many seconds may lie between the end of a turn and the next decision, in the median."""
BARS: Final = [Bar(f"solo_wait_s_{pace}.{game}", "<=", most) for pace in WAITS for game, most in WAITS[pace].items()]
LABELS: Final = {
    f"solo_wait_s_{pace}.{game}": f"s to my next decision in {game}, three bots, {pace}"
    + (f", beyond {DROP_S} s for each drop" if (pace, game) == ("brisk", "arosa") else "")
    for pace in TEMPI
    for game in games.ids()
}
LIT: Final = """() => {
    const lit = () => document.querySelector('section.now')?.classList.contains('lit') ?? false
    const now = () => (performance.timeOrigin + performance.now()) / 1000
    window.lit = lit() ? now() : null
    new MutationObserver(() => {
        if (!lit()) window.lit = null
        else window.lit ??= now()
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })
}"""
"""Notes since when the page shows that it is my turn, or that I am asked; null while it does not."""

PUT_AWAY: Final = """() => {
    const buttons = [...document.querySelectorAll('section.now button')]
    buttons.find((button) => /^(Put it |To investigation )/.test(button.textContent.trim()))?.click()
}"""
"""Puts away what was shown to me, a card or the end of an investigation, as whoever has seen it does."""


async def waits(address: str, played: Sequence[str], paces: Sequence[Pace], number: int) -> dict[str, float]:
    """Play every game at every pace until there are so many waits, and return their medians."""
    from playwright.async_api import async_playwright  # noqa: PLC0415  (a tool of the developers)

    figures: dict[str, float] = {}
    async with ClientSession() as session, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(**browser.launch_arguments())  # type: ignore[arg-type]
        for pace in paces:
            for game in played:
                context = await chromium.new_context(viewport={"width": 390, "height": 844})
                # Drops are looked at: a headless browser has no ears. A picture takes as long as a clip.
                await context.add_init_script("localStorage.setItem('whodunit.arosa.ear', '\"silent\"')")
                screen = await context.new_page()
                await screen.goto(address)
                cookie = next(each["value"] for each in await context.cookies() if each["name"] == "whodunit")
                player = Player(Page(session, address, cookie), screen, address, game, pace)
                found = await player.waits(number)
                key = f"solo_wait_s_{pace}.{game}"
                figures[key] = median(found)
                told = " ".join(f"{wait:.1f}" for wait in sorted(found))
                report.progress(f"{key}: {figures[key]:.2f} s, the median of {told}")
                await player.page.close()
                await context.close()
        await chromium.close()
    return figures


class Player:
    """One person among bots, on one page."""

    def __init__(self, page: Page, screen: Any, address: str, game: str, pace: Pace) -> None:
        self.page = page
        self._screen = screen
        self._address = address
        self._game = game
        self._pace = pace
        info = games.get(game).INFO
        self._risky = {kind.__name__ for kind in (*info.final, *info.interrupts)}
        self._draws = Stream(f"solo {game} {pace}".encode())
        self._drops = 0
        """How many there were since my last move, with which my turn has ended: its own drops are heard, too."""
        page.on_table = self._count

    def _count(self, frame: dict[str, Any]) -> None:
        self._drops += sum(told["event"]["type"] == "Dropped" for told in frame["events"])

    async def waits(self, number: int) -> list[float]:
        """Play until there are so many waits, one game after the other; return them in seconds."""
        found: list[float] = []
        while len(found) < number:
            table = await self._sit_down()
            while len(found) < number and not self._now["outcome"]:
                wait = await self._turn(table)
                if wait is not None:
                    found.append(wait)
            await self.page.surely("leave_table", table=table)
        return found

    @property
    def _now(self) -> dict[str, Any]:
        assert self.page.table is not None
        return self.page.table

    async def _sit_down(self) -> str:
        while not self.page.connected:
            self.page.news.clear()
            await self.page.news.wait()
        made = await self.page.surely(
            "create_table",
            game=self._game,
            options={},
            chairs=[None, *[LEVEL] * BOTS],
            public=False,
            assistance="facts",
            name="Ann",
            salt="0" * 32,
            pace=self._pace,
            start=True,
        )
        table: str = made["table"]
        self.page.table, self.page.watching = None, table
        await self.page.surely("watch_table", table=table)
        await self._screen.goto(f"{self._address}/t/{table}")
        await self._screen.locator("section.now").wait_for()
        await self._screen.evaluate(LIT)
        return table

    async def _turn(self, table: str) -> float | None:
        """Do what there is to do; return how long the next decision took to come if that has ended my turn."""
        await self._shown()
        if self._now["outcome"]:
            return None
        offers = msgspec.convert(self._now["offers"], list[OfferSeen])
        calm = [offer for offer in offers if offer.action not in self._risky]
        if 0 not in self._now["awaiting"] or not calm:
            await asyncio.sleep(0.02)  # the page knows already, and this socket will in a moment
            return None
        mine, before, self._drops = self._now["view"]["on_turn"] == 0, self._now["seq"], 0
        offer = calm[self._draws.below("offer", len(calm))]
        try:
            await self.page.ask("act", table=table, since=offer.since, action=offer.drawn(self._draws))
        except Refused:
            return None
        await self._told(before)
        if not mine or self._now["outcome"] or 0 in self._now["awaiting"] or self._now["view"]["on_turn"] == 0:
            return None
        ended = time.time()
        lit = await self._shown(after=ended)
        if lit is None:
            return None
        return lit - ended - (DROP_S * self._drops if self._pace == "brisk" else 0.0)

    async def _told(self, seq: int) -> None:
        """Wait until the socket has told of something behind this event."""
        async with asyncio.timeout(LONGEST_S):
            while self._now["seq"] == seq:
                self.page.news.clear()
                await self.page.news.wait()

    async def _shown(self, after: float = 0.0) -> float | None:
        """Wait until the page shows my next decision; return since when, or None if the game is over."""
        async with asyncio.timeout(LONGEST_S):
            while not self._now["outcome"]:
                await self._screen.evaluate(PUT_AWAY)
                lit: float | None = await self._screen.evaluate("() => window.lit")
                if lit is not None and lit >= after:
                    return lit
                await asyncio.sleep(0.02)
        return None
