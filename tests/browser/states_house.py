"""What surrounds a game: clocks, pauses, dialogs, coming back, first cases, each as a way to come there."""

from typing import Any, Final

from playwright.sync_api import expect

from tests.browser.clue import SIX
from tests.browser.house import House, Set, Step, loaded
from tests.browser.places import Come, tab
from tests.browser.visitor import Visitor
from tests.browser.words import shell_word, table_word
from tests.games.clue.staging import deal_of, stack
from whodunit.core.types import Seat
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll, Show, Suggest
from whodunit.room import manners, pauses
from whodunit.room.entries import Agreed
from whodunit.room.pace import Bank, Days
from whodunit.server.rate_limit import RateLimit
from whodunit.server.sockets import Socket

DEAL: Final = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])
PEOPLE: Final = ["Ada", "Benno", "Chloe"]
TWINS: Final = {
    *(
        "pace-wished",
        "watchers",
        "hint",
        "clock-low",
        "clock-days",
        "pause-asked",
        "paused",
        "forget",
        "stand-in",
        "no-line",
    )
}
SHOWN: Final = (
    *(Step(0, Roll()), Step(0, Move("Lounge"))),
    *(Step(0, Suggest("Mustard", "Wrench", "Lounge")), Step(1, Show("Wrench"))),
    # Chloe must show the Dining Room: Ada, who holds the other two, can know it.
    *(Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Scarlet", "Knife", "DiningRoom"))),
)
LOW: Final = Bank(25, 5)
NO_LINE: Final = """
window.WebSocket = class extends WebSocket {
    constructor(url, ...rest) { super(window.cut ? '/nowhere' : url, ...rest) }
}
"""
"""Once it is cut, no new line can be opened: a browser that is called offline still opens them."""


def laid(house: House, *script: Step, **terms: Any) -> Set:
    house.draws = loaded({**stack(DEAL), **SIX})
    terms = {"options": {"dice_count": 2}, "assistance": "logic", "script": script, **terms}
    return house.lay(PEOPLE, **terms)


def entered(come: Come, table: Set, seat: Seat | None = 0) -> Visitor:
    me = come(None if seat is None else table.cookies[seat]).goto(table.path)
    me.until(lambda told: "table" in told.last)
    expect(me.now).to_be_visible()
    return me


def from_menu(me: Visitor, word: str) -> Visitor:
    """Open one of the menu's dialogs."""
    me.page.get_by_role("banner").get_by_role("button").last.click()
    me.page.get_by_role("dialog").get_by_role("button", name=shell_word(word)).click()
    expect(me.page.get_by_role("dialog")).to_have_count(1)
    return me


# --- Beginning, and beginning again ---


def at_play(_: House, come: Come) -> Visitor:
    me = come().goto("/")
    me.until(lambda told: "lobby" in told.last)
    me.page.get_by_role("article").first.get_by_role("button").first.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    for fold in me.page.locator("dialog summary").all():
        fold.click()
    return me


def closed(house: House, **terms: Any) -> Set:
    return laid(house, Step(0, Accuse("White", "Rope", "Study")), **terms)


def at_called(house: House, come: Come) -> Visitor:
    table = closed(house)
    me = come(table.cookies[1]).goto(table.path)
    expect(me.page.locator(".final")).to_be_visible()
    house.call(rematch(house, table))
    expect(me.page.locator(".next.lit")).to_be_visible()
    return me


async def rematch(house: House, table: Set) -> None:
    """Let the first player wish for one."""
    live = await house.site.host.get(table.id)
    page = Socket(f"{table.id}-0", local=True, limit=RateLimit(1, 1))
    await house.site.laying.rematch(page, live, "0" * 32)


def at_rematch(house: House, come: Come) -> Visitor:
    table = closed(house)
    me = come(table.cookies[0]).goto(table.path)
    me.page.locator(".next .main").click()
    expect(me.page.locator("#chairs")).to_be_visible()
    return me


def at_picture(house: House, come: Come) -> Visitor:
    table = closed(house)
    me = come(table.cookies[0]).goto(table.path)
    me.page.get_by_role("button", name=table_word("final.picture")).click()
    me.page.get_by_role("dialog").get_by_role("checkbox").check()
    me.page.wait_for_function(
        "() => document.querySelector('dialog canvas').getContext('2d').getImageData(9, 9, 1, 1).data[3] > 0"
    )
    return me


# --- Time ---


def at_pace_wished(house: House, come: Come) -> Visitor:
    table = laid(house, *SHOWN[:2], pace="normal")

    async def wish() -> None:
        host = house.site.host
        at = host.clock.now()
        await host.writer.note(
            await host.get(table.id), lambda room: manners.wish_pace(room, f"{table.id}-1", "steady", at)
        )

    house.call(wish())
    me = entered(come, table)
    expect(me.page.locator(".wish")).to_be_visible()
    return me


def at_clock_low(house: House, come: Come) -> Visitor:
    return entered(come, laid(house, allowance=LOW))


def at_clock_days(house: House, come: Come) -> Visitor:
    return entered(come, laid(house, *SHOWN[:2], allowance=Days(3)))


def wished(house: House, table: Set, *seats: Seat) -> None:
    async def wish(seat: Seat) -> None:
        host = house.site.host
        live = await host.get(table.id)
        person = f"{table.id}-{seat}"
        await host.writer.note(live, lambda room: pauses.wish(room, live.table, person, host.clock.now(), wanted=True))

    for seat in seats:
        house.call(wish(seat))


def at_pause_asked(house: House, come: Come) -> Visitor:
    table = laid(house, *SHOWN[:2], allowance=Bank(600, 10))
    wished(house, table, 1)
    return entered(come, table)


def at_paused(house: House, come: Come) -> Visitor:
    table = laid(house, *SHOWN[:2], allowance=Bank(600, 10))
    wished(house, table, 0, 1, 2)
    return entered(come, table)


# --- The menu's dialogs ---


def at_settings(house: House, come: Come) -> Visitor:
    return from_menu(entered(come, laid(house)), "settings")


def at_forget(house: House, come: Come) -> Visitor:
    me = at_settings(house, come)
    me.page.get_by_role("dialog").get_by_role("button").last.click()
    expect(me.page.locator(".sure")).to_be_visible()
    me.page.locator(".sure").scroll_into_view_if_needed()
    return me


def at_notices(house: House, come: Come) -> Visitor:
    me = from_menu(entered(come, laid(house)), "menu.notices")
    me.page.get_by_role("dialog").get_by_role("button").last.click()
    return me


def agreed(house: House, table: Set, *seats: Seat) -> None:
    async def agree() -> None:
        host = house.site.host
        at = host.clock.now()
        await host.writer.note(
            await host.get(table.id), lambda _: [Agreed(at=at, seat=seat, agreed=True) for seat in seats]
        )

    house.call(agree())


def at_watchers(house: House, come: Come) -> Visitor:
    table = laid(house)
    agreed(house, table, 1)
    return from_menu(entered(come, table), "menu.watchers")


def at_late_look(house: House, come: Come) -> Visitor:
    table = laid(house, *SHOWN, public=True)
    agreed(house, table, 0, 1, 2)
    me = from_menu(entered(come, table, None), "menu.watchers")
    me.page.get_by_role("dialog").get_by_role("button").last.click()
    expect(me.page.get_by_role("dialog").get_by_role("heading", level=3)).to_have_count(3)
    return me


# --- Away and back ---


def at_digest(house: House, come: Come) -> Visitor:
    table = laid(house, Step(0, Roll()), Step(0, Move("Lounge")), Step(0, EndTurn()))
    me = entered(come, table).goto("/")
    me.until(lambda told: "lobby" in told.last and told.last["lobby"]["mine"])
    for step in (Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Scarlet", "Rope", "DiningRoom"))):
        house.act(table.id, step)
    me.goto(table.path)
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_stand_in(house: House, come: Come) -> Visitor:
    me = entered(come, laid(house, *SHOWN))
    me.page.get_by_role("banner").get_by_role("button").last.click()
    me.page.get_by_role("dialog").get_by_role("button", name=table_word("menu.hand_over")).click()
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    return me


async def cut_off(house: House) -> None:
    """Close every line."""
    for page in [*house.site.sockets]:
        page.dismiss("restarting")


def at_no_line(house: House, come: Come) -> Visitor:
    table = laid(house, *SHOWN)
    me = come(table.cookies[0])
    me.prepare(NO_LINE)
    me.allow("WebSocket|socket")
    me.goto(table.path)
    expect(me.now).to_be_visible()
    me.page.evaluate("() => { window.cut = true }")
    house.call(cut_off(house))
    expect(me.page.locator("section.now.offline")).to_be_visible()
    return me


def shot_offline(_: House, come: Come) -> Visitor:
    return come().goto("/offline.html")


# --- Learning ---


def at_hint(house: House, come: Come) -> Visitor:
    me = entered(come, laid(house, *SHOWN))
    tab(me, 1)
    me.page.get_by_role("button", name=table_word("notes.hint")).click()
    expect(me.page.locator("section.hinted")).to_be_visible()
    return me
