"""Crime Hotel by keys alone, in letters of twice the size on a phone, and by whoever will not wait for what moves."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.hands import Keys
from tests.browser.hotel import Guest
from tests.browser.house import House, Step, loaded
from tests.browser.measures import TWICE
from tests.browser.places import tab
from tests.browser.states_hotel import DRAWS, MIDDLE_LOT, PARKED, PEOPLE, SHORT, department, table
from tests.browser.test_phone import checking
from tests.browser.words import game_word
from tests.games.crime_hotel.staging import deck_of
from whodunit.games.crime_hotel.model import Guess, Play, TakeDesk

FOCUSED = "() => document.activeElement !== document.body"
HELD = """() => {
    const { animate } = Element.prototype
    window.moving = []
    Element.prototype.animate = function (...given) {
        const movement = animate.apply(this, given)
        if (given[1].duration > 0) {
            movement.pause() // however busy the machine is, it will not have ended by itself
            window.moving.push(movement)
        }
        return movement
    }
}"""


def test_an_investigation_by_keys_alone(house: House, visit: Visit) -> None:
    house.draws = loaded({"deck 1": deck_of(("13 21", "12 38", "14 27", "28 29"), 37, 2)})
    options = {"first_car": 3, "rounds": 1, "investigations": 1}
    laid = house.lay(["Ada", "Benno", "Chloe", "Dag"], game="crime_hotel", options=options, script=[Step(3, Play(29))])
    me = visit(laid.cookies[0]).goto(laid.path)
    keys = Keys(me.page)
    guest = Guest(me, keys)

    guest.play(21)
    for step in (Step(1, Play(38)), Step(2, Play(27)), Step(1, Guess("room 37"))):
        house.act(laid.id, step)
    for step in (Step(3, TakeDesk("BONUS")), Step(2, TakeDesk("BONUS"))):
        house.act(laid.id, step)
    guest.may("Guess")
    assert me.page.evaluate(FOCUSED), "lost the focus while others played"
    places = me.page.get_by_role("group", name="Where you may guess")
    assert places.locator("[tabindex='0']").count() == 1
    keys.reach(places.locator("[tabindex='0']"))
    floor, column = map(int, me.page.evaluate("() => document.activeElement.dataset.place")[-2:])  # "room 12"
    for arrow in ["ArrowRight"] * (7 - column) + ["ArrowUp"] * (4 - floor):
        me.page.keyboard.press(arrow)
    expect(me.page.locator("[data-place='column 7']")).to_be_focused()
    me.page.keyboard.press("Enter")
    keys.press(me.button("Guess column 7"))
    for step in SHORT[-3:]:
        house.act(laid.id, step)
    guest.lay()
    me.sees("Benno wins")
    me.quiet(60)
    assert me.page.evaluate(FOCUSED), "lost the focus at the end"
    assert keys.faults == []


def test_the_notes_are_one_stop_with_arrows_between_the_rooms(house: House, visit: Visit) -> None:
    me = table(house, visit, assistance="paper")
    sheet = me.page.get_by_role("grid", name="My notes")
    keys = Keys(me.page)
    keys.reach(sheet.locator("[tabindex='0']"))
    for key in ("ArrowDown", "ArrowRight", "y"):
        me.page.keyboard.press(key)
    expect(sheet.get_by_role("button", name=re.compile("^room 22: open. My mark: yes."))).to_be_focused()
    me.button(re.compile("^Benno: ")).click()
    expect(sheet.get_by_role("button", name=re.compile("^room 22: .* My mark: yes, Benno."))).to_be_visible()


def test_text_of_twice_the_size_on_a_phone(house: House, visit: Visit) -> None:
    me = table(house, lambda cookie: visit(cookie, phone=True, locale="de"), *MIDDLE_LOT)
    check, faults = checking(me, large=True)
    me.page.evaluate(TWICE)
    check("desk")
    department(me, 1)
    check("exchange")
    me.button(game_word("crime_hotel", "now.back")).tap()
    department(me, 0)
    check("relocate")
    for place in (1, 2, 3):
        tab(me, place)
        check(f"tab {place}")

    assert faults == []


def test_a_tap_ends_the_movement_of_a_trick(house: House, visit: Visit) -> None:
    house.draws = loaded(DRAWS)
    *before, last = PARKED
    laid = house.lay(PEOPLE, game="crime_hotel", options={"first_car": 3}, script=before)
    me = visit(laid.cookies[0], reduced_motion="no-preference").goto(laid.path)
    me.sees("Waiting for Chloe")
    me.page.evaluate(HELD)
    house.act(laid.id, last)
    me.page.wait_for_function("() => window.moving.length > 0")
    assert me.page.evaluate("() => window.moving.every(({ playState }) => playState === 'paused')")

    me.page.get_by_role("heading", name="This round").click()

    me.page.wait_for_function("() => window.moving.every(({ playState }) => playState !== 'paused')")
