"""The states of a table of Crime Hotel, each as a way to come there."""

import re
from typing import Any, Final

from playwright.sync_api import expect

from tests.browser.house import House, Step, loaded
from tests.browser.places import LOG, Come, first_case, guided, rules_of, tab
from tests.browser.visitor import Visitor
from tests.browser.words import table_word
from tests.games.crime_hotel.staging import blindly, deck_of
from whodunit.core.rng import Result
from whodunit.games.crime_hotel.model import Exchange, Guess, LayLast, Look, Play, TakeDesk

PEOPLE: Final = ["Ada", "Benno", "Chloe", "Dag"]
TWINS: Final = {
    *("hotel-first-case", "rules-hotel", "hotel-seen", "hotel-list", "hotel-relocate", "hotel-guess"),
    *("hotel-exchange", "hotel-found", "hotel-wait", "hotel-beginner", "hotel-past", "hotel-why"),
}
HANDS: Final = ("13 17 21 33 34 39", "12 18 22 25 31 38", "14 16 23 27 32 36", "11 15 24 28 29 35")
MURDERER: Final = 37
DRAWS: Final[dict[str, Result]] = {
    "deck 1": deck_of(HANDS, MURDERER, 6),
    "exchange 1.1": blindly([33], (13, 17, 33, 34, 39)),
    "look 1.1": blindly([35], (11, 15, 24, 28, 35)),
    "exchange 1.2": blindly([12, 18], (12, 18, 31)),
}
LED: Final = (Step(3, Play(29)),)
PARKED: Final = (*LED, Step(0, Play(21)), Step(1, Play(22)), Step(2, Play(23)))
"""Dag, Chloe, Benno and Ada, from lot 1 on."""
EXCHANGED: Final = (*PARKED, Step(3, Guess("column 4")), Step(2, Exchange(0, (14,))))
ROUND: Final = (*EXCHANGED, Step(1, Look(3)), Step(0, Guess("column 8")))
VOID: Final = (*ROUND, Step(3, Play(28)))
"""Floor 2 is led, and Ada has none."""
SECOND: Final = (
    *(*VOID, Step(0, Play(39)), Step(1, Play(25)), Step(2, Play(27))),
    *(Step(0, Guess("floor 3")), Step(3, TakeDesk("BONUS")), Step(2, TakeDesk("DUPLICATE")), Step(1, Guess("room 24"))),
)
LAST_LOT: Final = (
    *(*SECOND, Step(0, Play(34)), Step(1, Play(38)), Step(2, Play(36)), Step(3, Play(35))),
    *(Step(1, Guess("floor 2")), Step(2, TakeDesk("BONUS")), Step(3, Exchange(1, (11, 15)))),
)
MIDDLE_LOT: Final = (
    *(*SECOND, Step(0, Play(34)), Step(1, Play(38)), Step(2, Play(32)), Step(3, Play(35))),
    *(Step(1, Guess("floor 2")), Step(3, TakeDesk("BONUS"))),
)
SHORT_HANDS: Final = ("13 21", "12 38", "14 27", "28 29")
SHORT: Final = (
    *(Step(3, Play(29)), Step(0, Play(21)), Step(1, Play(38)), Step(2, Play(27))),
    *(Step(1, Guess("room 37")), Step(3, TakeDesk("BONUS")), Step(2, TakeDesk("BONUS")), Step(0, Guess("column 7"))),
    *(Step(1, LayLast()), Step(2, LayLast()), Step(3, LayLast())),
)
"""A single round; Ada lays the last card."""
TIE: Final = (
    *(Step(3, Play(29)), Step(0, Play(21)), Step(1, Play(38)), Step(2, Play(27))),
    *(Step(1, Guess("floor 3")), Step(3, TakeDesk("BONUS")), Step(2, TakeDesk("BONUS")), Step(0, Guess("column 7"))),
    *(Step(1, Play(12)), Step(2, Play(18)), Step(3, Play(11)), Step(0, Play(13))),
    *(Step(2, Guess("room 14")), Step(0, TakeDesk("DUPLICATE")), Step(1, TakeDesk("DUPLICATE"))),
    *(Step(3, Guess("room 15")), Step(2, LayLast()), Step(3, LayLast()), Step(0, LayLast()), Step(1, LayLast())),
)
"""Two rounds; whom the car and the last investigation do not tell apart."""


def table(
    house: House, come: Come, *script: Step, seat: int = 0, draws: dict[str, Result] = DRAWS, **terms: Any
) -> Visitor:
    """Sit at a table that has come so far."""
    house.draws = loaded(draws)
    options = {"first_car": 3, **terms.pop("options", {})}
    terms = {"game": "crime_hotel", "assistance": "probabilities", "script": script, "options": options, **terms}
    laid = house.lay(PEOPLE, **terms)
    visitor = come(laid.cookies[seat]).goto(laid.path)
    visitor.until(lambda told: "room" in told.last and told.room["table"] == laid.id)
    expect(visitor.page.locator("section.now, .final").first).to_be_visible()
    return visitor


def short(house: House, come: Come, investigations: int) -> Visitor:
    """Sit down where the last card of a short investigation is to be laid."""
    draws: dict[str, Result] = {"deck 1": deck_of(SHORT_HANDS, MURDERER, 2)}
    return table(house, come, *SHORT, draws=draws, options={"rounds": 1, "investigations": investigations})


def at_hotel_play(house: House, come: Come) -> Visitor:
    me = table(house, come, *VOID)
    me.now.get_by_role("group").get_by_role("button").first.click()
    return me


def at_hotel_guess(house: House, come: Come) -> Visitor:
    me = table(house, come, *LAST_LOT)
    me.page.locator("[data-place='room 37']").click()
    return me


def at_hotel_list(house: House, come: Come) -> Visitor:
    me = table(house, come, *LAST_LOT)
    me.now.get_by_role("button", name=re.compile("list|Liste")).click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_hotel_desk(house: House, come: Come) -> Visitor:
    return table(house, come, *MIDDLE_LOT)


def department(me: Visitor, number: int) -> Visitor:
    """Choose a department where the page shows them: in NOW, or at the station in the hotel's place."""
    me.page.locator("button.row:visible").nth(number).click()
    return me


def at_hotel_relocate(house: House, come: Come) -> Visitor:
    me = department(table(house, come, *MIDDLE_LOT), 0)
    me.page.locator("[data-place='room 37']").click()
    return me


def at_hotel_exchange(house: House, come: Come) -> Visitor:
    me = department(table(house, come, *MIDDLE_LOT), 1)
    for group in me.now.get_by_role("group").all():
        group.get_by_role("button").first.click()
    return me


def at_hotel_seen(house: House, come: Come) -> Visitor:
    me = table(house, come, *EXCHANGED[:-1])
    house.act(me.told.room["table"], EXCHANGED[-1])
    expect(me.page.locator("section.seen")).to_be_visible()
    return me


def at_hotel_wait(house: House, come: Come) -> Visitor:
    return table(house, come, *SECOND, Step(0, Play(34)))


def at_hotel_found(house: House, come: Come) -> Visitor:
    me = short(house, come, 2)
    house.act(me.told.room["table"], Step(0, LayLast()))
    expect(me.page.locator("section.found")).to_be_visible()
    return me


def at_hotel_final(house: House, come: Come) -> Visitor:
    me = short(house, come, 1)
    house.act(me.told.room["table"], Step(0, LayLast()))
    expect(me.page.locator(".final")).to_be_visible()
    return me


def shot_hotel_tie(house: House, come: Come) -> Visitor:
    """Ada and Benno lead with five points each, and Chloe has the car."""
    draws: dict[str, Result] = {"deck 1": deck_of(("13 21 33", "12 34 38", "18 27 35", "11 29 36"), MURDERER, 3)}
    options = {"rounds": 2, "investigations": 1, "floor_points": 5}
    me = table(house, come, *TIE, draws=draws, options=options)
    expect(me.page.locator(".final")).to_be_visible()
    return me


def at_hotel_notes(house: House, come: Come) -> Visitor:
    me = table(house, come, *LAST_LOT)
    tab(me, 1)
    me.page.locator("[data-cell='16/hidden']").click()
    return me


def at_hotel_why(house: House, come: Come) -> Visitor:
    me = table(house, come, *VOID)
    tab(me, 1)
    known = me.page.locator("[data-cell='33/hidden']")
    expect(known).to_have_accessible_name(table_word("notes.why"))
    known.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_hotel_past(house: House, come: Come) -> Visitor:
    me = table(house, come, *LAST_LOT)
    tab(me, LOG)
    me.page.locator(".log-area li button").nth(6).click()
    expect(me.page.locator("section.now.back")).to_be_visible()
    return me


def at_hotel_station(house: House, come: Come) -> Visitor:
    """The station as a sheet, for whoever has no room for it beside the hotel."""
    me = table(house, come, *MIDDLE_LOT, seat=2, public=True)
    more = me.page.locator(".trick .more button")
    if more.is_visible():
        more.click()
        expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_hotel_beginner(house: House, come: Come) -> Visitor:
    return table(house, come, *LED, options={"beginner": True})


def at_hotel_first_case(_: House, come: Come) -> Visitor:
    return guided(first_case(come, "crime_hotel"))


def at_rules_hotel(_: House, come: Come) -> Visitor:
    return rules_of(come, "crime_hotel")
