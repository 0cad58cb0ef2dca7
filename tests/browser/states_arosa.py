"""The states of a table of Mord im Arosa and of its practice room, each as a way to come there."""

import re
from typing import Any, Final

from playwright.sync_api import expect

from tests.browser.arosa import LISTEN, SILENT, scripted, truth
from tests.browser.house import House, Step
from tests.browser.places import LOG, Come, first_case, guided, rules_of, tab
from tests.browser.visitor import Visitor
from whodunit.games.arosa.model import CoverTracks, Inspect, Over, Suspect, TakeBack

PEOPLE: Final = ["Ada", "Benno", "Chloe", "Dag"]
TWINS: Final = {
    *("arosa-first-case", "rules-arosa", "arosa-search", "arosa-cover", "arosa-wait", "arosa-take-back"),
    *("arosa-order", "arosa-past", "arosa-spectator"),
}
FALLS: Final = [
    *(5, 3),  # victims
    *(5, 2, 3, 6, 5, 5, 3, 1),  # two of everybody
    *(5, 5, 2, 5),  # back from floor 5: Ada, Chloe twice, and later
    *(4, 6, 5, 5, 5, 3, 2, 5, 5, 6, 1, 0),
]
SEARCHED: Final = (Step(1, Inspect(5)), Step(2, Inspect(3)))
ACCUSED: Final = (*SEARCHED, Step(3, Suspect((0, 1), 2)))
SLOW: Final = """
(() => {
    const parse = JSON.parse
    JSON.parse = (text, reviver) => {
        const read = parse(text, reviver)
        if (read?.type === 'welcome') read.haste = 1
        return read
    }
})()
"""
"""The site is in haste; this page takes the time to show each drop."""


def table(
    house: House, come: Come, *script: Step, seat: int = 0, ear: re.Pattern[str] | None = SILENT, **terms: Any
) -> Visitor:
    """Sit at a table that has come so far, and say how to listen."""
    house.draws = scripted(FALLS)
    options = {"victim_dropper": 0, "first_investigator": 1, "tower": "scripted", **terms.pop("options", {})}
    terms = {"game": "arosa", "assistance": "probabilities", "script": script, "options": options, **terms}
    laid = house.lay(PEOPLE, **terms)
    visitor = come(laid.cookies[seat]).goto(laid.path)
    visitor.until(lambda told: "room" in told.last and told.room["table"] == laid.id)
    if ear:
        visitor.button(ear).click()
    expect(visitor.now).to_be_visible()
    return visitor


def mine(me: Visitor) -> Visitor:
    expect(me.page.locator("section.now.lit")).to_be_visible()
    return me


def at_arosa_prompt(house: House, come: Come) -> Visitor:
    return table(house, come, ear=None)


def at_arosa_search(house: House, come: Come) -> Visitor:
    me = mine(table(house, come, seat=1))
    me.page.locator("[data-floor='3']").click()
    return me


def at_arosa_wait(house: House, come: Come) -> Visitor:
    me = table(house, come, *SEARCHED)
    me.page.locator("[data-floor='5']").click()
    return me


def at_arosa_falling(house: House, come: Come) -> Visitor:
    """Real drops, seen one after another."""
    me = come(None)
    me.prepare(SLOW)
    house.call(house.site.workers.warm("warm", "arosa"))
    house.draws = scripted(FALLS)
    laid = house.lay(PEOPLE, game="arosa", options={"victim_dropper": 0, "first_investigator": 1})
    me.context.add_cookies([{"name": "whodunit", "value": laid.cookies[0], "url": house.address, "httpOnly": True}])
    me.goto(laid.path)
    me.button(SILENT).click()
    expect(me.now.get_by_role("img")).to_be_visible()
    me.page.locator("[data-guess='4']").click()
    return me


def at_arosa_suspect(house: House, come: Come) -> Visitor:
    me = mine(table(house, come, *ACCUSED))
    me.page.locator("[data-floor='0']").click()
    for name in ("Benno", "Dag"):
        me.button(name, me.now).click()
    return me


def at_arosa_cover(house: House, come: Come) -> Visitor:
    me = mine(table(house, come, *ACCUSED))
    me.page.locator(".now .buttons .button").last.click()
    return me


def at_arosa_take_back(house: House, come: Come) -> Visitor:
    return mine(table(house, come, *ACCUSED, Step(0, CoverTracks(5, arrange=True))))


def at_arosa_order(house: House, come: Come) -> Visitor:
    return mine(table(house, come, *ACCUSED, Step(0, CoverTracks(5, arrange=True)), Step(0, TakeBack(1))))


def at_arosa_ear(house: House, come: Come) -> Visitor:
    me = table(house, come, *SEARCHED, ear=LISTEN)
    me.page.locator(".board .tools .button").first.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_arosa_notes(house: House, come: Come) -> Visitor:
    me = table(house, come, *ACCUSED)
    tab(me, 1)
    me.page.locator("[data-cell='blue/4']").click()
    return me


def at_arosa_past(house: House, come: Come) -> Visitor:
    me = table(house, come, *ACCUSED)
    tab(me, LOG)
    me.page.locator(".log-area li button.head").last.click()
    expect(me.page.locator("section.now.back")).to_be_visible()
    return me


def at_arosa_spectator(house: House, come: Come) -> Visitor:
    me = table(house, come, *ACCUSED, public=True, ear=None)
    me.context.clear_cookies()
    me.page.reload()
    me.button(SILENT).click()
    return me


def at_arosa_final(house: House, come: Come) -> Visitor:
    """A real tower, so that cubes lie as they fell."""
    house.call(house.site.workers.warm("warm", "arosa"))
    options = {"tower": "physics", "clues": 3, "victim_dropper": 0, "first_investigator": 1}
    me = table(house, come, options=options)
    id = me.told.room["table"]
    while not isinstance((state := truth(house, id)).phase, Over):
        other = (state.on_turn + 1) % len(PEOPLE)
        house.act(id, Step(state.on_turn, Inspect(7) if state.act == 1 else Suspect((other,), 7)))
    expect(me.page.locator(".final")).to_be_visible()
    return me


def at_practice(_: House, come: Come) -> Visitor:
    me = come(None).goto("/practice/arosa")
    me.page.get_by_role("radio").last.check()
    me.page.locator(".trial .button").first.click()
    expect(me.page.get_by_role("img")).to_be_visible()
    me.page.locator(".floors button").nth(4).click()
    return me


def at_arosa_first_case(_: House, come: Come) -> Visitor:
    me = first_case(come, "arosa")
    me.now.locator(".buttons").get_by_role("button").nth(1).click()  # in silence
    return guided(me)


def at_rules_arosa(_: House, come: Come) -> Visitor:
    return rules_of(come, "arosa")
