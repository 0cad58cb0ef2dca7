"""People at the tables of `bench client`, through the site's own socket: they lay tables, play on, and look how long a
move is under way, to another connection and to another screen.
"""

import asyncio
import time
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, Final

import msgspec
from aiohttp import ClientSession

from whodunit import games
from whodunit.bench import browser
from whodunit.bench.server.people import OfferSeen, Page
from whodunit.core.rng import Stream

LAID: Final = {"clue": "middle"}
"""Stands already, in the middle of a game."""
BOTS: Final = 3
MOVES: Final = 8
"""Of the person's own: enough for pieces, marks and a log to have appeared."""
PATIENCE_S: Final = 30.0
STILL_S: Final = 0.4
"""How long nothing comes before the next move is sent: every change on the screen then belongs to the last one."""

WATCH_SCREEN: Final = """() => {
    const now = () => performance.timeOrigin + performance.now()
    window.shown = window.painted = null
    new MutationObserver(() => {
        if (window.shown !== null) return
        window.shown = 0
        requestAnimationFrame(() => {
            window.shown = now()
            const channel = new MessageChannel()
            channel.port1.onmessage = () => { window.painted = now() }
            channel.port2.postMessage(null)
        })
    }).observe(document.querySelector('main'), {
        subtree: true, childList: true, characterData: true, attributes: true,
    })
}"""
"""Notes when the frame begins that shows the first change: all that the page does is done then. And when that frame has
been painted, which here is done without a graphics card: a message posted in a frame is read after it has been drawn.
"""


async def tables(address: str, cookie: str, played: Sequence[str]) -> dict[str, str]:
    """Lay a table of each game against bots and play a little; return the tables by game."""
    async with ClientSession() as session:
        page = Page(session, address, cookie)
        found = {}
        for game in played:
            if game in LAID:
                found[game] = LAID[game]
                continue
            await _connected(page)
            made = await page.surely(
                "create_table",
                game=game,
                options={},
                chairs=[None, *["random"] * BOTS],
                public=False,
                assistance="probabilities",
                name="Ann",
                salt="0" * 32,
                start=True,
            )
            found[game] = made["table"]
            page.table, page.watching = None, made["table"]
            await page.surely("watch_table", table=made["table"])
            await _play(page, game, made["table"])
            await page.surely("leave_table", table=made["table"])
        await page.close()
    return found


async def _play(page: Page, game: str, table: str) -> None:
    info = games.get(game).INFO
    final, answers = ({kind.__name__ for kind in kinds} for kinds in (info.final, info.answers))
    draws = Stream(f"bench client {game}".encode())
    for _ in range(MOVES):
        offers = [offer for offer in await _offered(page, answers) if offer.action not in final]
        if not offers:
            return
        offer = offers[draws.below("offer", len(offers))]
        moved = partial(_is_past, page, page.seq)
        await page.ask("act", table=table, since=offer.since, action=offer.drawn(draws))
        await _until(page, moved)


async def _offered(page: Page, answers: Container[str]) -> Sequence[OfferSeen]:
    """Wait until the person is waited for with something that is not an answer, and return what may be done."""
    await _until(page, lambda: page.table and (page.table["outcome"] or _is_free(page.table, answers)))
    assert page.table is not None
    return msgspec.convert(page.table["offers"], list[OfferSeen])


def _is_past(page: Page, seq: int) -> bool:
    return page.seq > seq


def _is_free(table: Mapping[str, Any], answers: Container[str]) -> bool:
    # An answer is the house's to give, and may have been given by now.
    return 0 in table["awaiting"] and not any(offer["action"] in answers for offer in table["offers"])


async def _until(page: Page, holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        page.news.clear()
        await asyncio.wait_for(page.news.wait(), max(0.0, end - time.monotonic()))


async def _connected(page: Page) -> None:
    await _until(page, lambda: page.connected)


# --- From screen to screen ----------------------------------------------------------------------------------------


async def to_screens(address: str, cookies: Sequence[str], table: str, moves: int) -> dict[str, float]:
    """Let the table's people move, and measure until the first one's connection and the first one's screen show it."""
    from playwright.async_api import async_playwright  # noqa: PLC0415  (a tool of the developers)

    async with ClientSession() as session, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(**browser.launch_arguments())  # type: ignore[arg-type]
        context = await chromium.new_context(viewport={"width": 1440, "height": 900})
        await context.add_cookies([{"name": "whodunit", "value": cookies[0], "url": address}])
        screen = await context.new_page()
        await screen.goto(f"{address}/t/{table}")
        await screen.locator("main button").first.wait_for()
        people = [Page(session, address, cookie) for cookie in cookies]
        for page in people:
            await _connected(page)
            await page.watch(table)
        draws = Stream(b"to screens")
        ends: list[tuple[float, float, float]] = []
        while len(ends) < moves:
            if (end := await _one_move(people, screen, table, draws)) is not None:
                ends.append(end)
        for page in people:
            await page.close()
        await chromium.close()
    told, shown, painted = map(median, zip(*ends, strict=True))
    return {
        "server_ms_to_other": told,
        "screen_ms_to_other": shown,
        "painted_ms_to_other": painted,
        "move_to_other_screen_ratio": shown / told,
    }


async def _one_move(
    people: Sequence[Page], screen: Any, table: str, draws: Stream
) -> tuple[float, float, float] | None:
    """Make a move of whoever's turn it is, and return how many ms it took: to be told, shown and painted.

    None: it was a move of the one who looks, which is not measured.
    """
    await asyncio.sleep(STILL_S)
    listener = people[0]
    now = listener.table
    assert now is not None
    (seat,) = now["awaiting"]
    mover = people[seat]
    await _until(mover, lambda: mover.seq >= listener.seq and mover.table and mover.table["offers"])
    assert mover.table is not None
    offers = msgspec.convert(mover.table["offers"], list[OfferSeen])
    quiet = [offer for offer in offers if offer.action != "Accuse"]
    offer = quiet[draws.below("offer", len(quiet))]
    await screen.evaluate(WATCH_SCREEN)
    before, began = listener.seq, time.time()
    listener.news.clear()
    asked = asyncio.ensure_future(mover.ask("act", table=table, since=offer.since, action=offer.drawn(draws)))
    while listener.seq == before:
        await listener.news.wait()
        listener.news.clear()
    told = time.time() - began
    await asked
    await screen.wait_for_function("() => window.painted > 0")
    shown, painted = await screen.evaluate("() => [window.shown, window.painted]")
    return (1000 * told, shown - 1000 * began, painted - 1000 * began) if seat != 0 else None
