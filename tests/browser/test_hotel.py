"""Crime Hotel from the front page to the final screen: two people, one of them on a phone, and two bots."""

import re
from typing import Final

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.hands import Finger
from tests.browser.hotel import WORDS, Guest, term
from tests.browser.house import House, Step, loaded
from tests.browser.measures import SHOWN
from tests.browser.states_hotel import LED, PARKED, short, shot_hotel_tie, table
from tests.browser.test_phone import Check, checking, in_sight
from tests.browser.visitor import Visitor
from tests.games.crime_hotel.staging import deck_of
from whodunit.core.rng import Result
from whodunit.games.crime_hotel.model import Guess, LayLast, TakeDesk

DRAWS: Final[dict[str, Result]] = {
    "car": 0,
    # Ada leads, and the bots' cards are higher and lower than everybody's: she and Benno go to the police.
    "deck 1": deck_of(("24 25", "26 27", "38 39", "11 12"), 31, 2),
    # The other way round: the bots go to the police.
    "deck 2": deck_of(("38 39", "11 12", "24 25", "26 27"), 37, 2),
}


def invited(ada: Visitor, benno: Visitor) -> None:
    """Ada lays a table of two short investigations with two bots; Benno comes by the link and sits down."""
    ada.goto("/")
    ada.button("Play with friends", ada.door("Crime Hotel")).click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_label("Your name").fill("Ada")
    for seat in (3, 4):
        dialog.get_by_label(f"Seat {seat}").select_option(label="Bot: rookie")
    dialog.get_by_text("House rules", exact=True).click()
    for option, number in (("Investigations", "2"), ("Rounds", "1")):
        dialog.get_by_label(option, exact=True).fill(number)
    ada.button("Make the table").click()
    link = ada.page.get_by_text(re.compile("/join#")).inner_text()
    benno.goto(link)
    benno.page.get_by_label("Your name").fill("Benno")
    benno.button("Sit down as Benno").tap()
    benno.sees("You are sitting at the table")
    ada.button("Start").click()


def test_two_people_and_bots_from_the_front_page_to_the_final_screen(house: House, visit: Visit) -> None:
    house.draws = loaded(DRAWS)
    ada, benno = visit(), visit(phone=True)
    invited(ada, benno)
    check, faults = checking(benno)
    one, other = Guest(ada), Guest(benno, Finger())

    at_the_police(one, other, check)
    for visitor in (ada, benno):
        visitor.sees("The murderer was in room 31")
        expect(visitor.page.locator("section.found")).to_be_visible()
    check("found")
    one.press("To investigation 2")
    other.press("To investigation 2")
    on_guesses(one, other, check)

    ada.sees("You win")
    benno.sees("Ada wins")
    check("final")
    for visitor in (ada, benno):
        expect(visitor.page).to_have_title("Case closed: Crime Hotel - Whodunit")
        expect(visitor.page.get_by_text(f"The murderer was in {term('room 37')}", exact=True)).to_be_visible()
        second = visitor.page.get_by_role("row", name=re.compile("^Investigation 2"))
        expect(second.first.get_by_role("cell")).to_have_text(["10", "5", "0", "0"])
    assert faults == []


def test_an_open_tie_names_those_whom_nothing_tells_apart(house: House, visit: Visit) -> None:
    me = shot_hotel_tie(house, visit)

    me.sees(WORDS["ui.end.tie"])
    expect(me.page.get_by_text(WORDS["ui.end.tie.hint"].format(names="Ada and Benno"))).to_be_visible()


def at_the_police(one: Guest, other: Guest, check: Check) -> None:
    """Play the first investigation: Benno exchanges with Ada, and Ada looks at his cards."""
    ada, benno = one.visitor, other.visitor
    ada.sees("You lead: play any card")
    expect(ada.page).to_have_title("Your turn: Crime Hotel - Whodunit")
    benno.sees("Waiting for Ada to play a card")
    one.play(24)
    benno.sees("Follow with a card of floor 2")
    in_sight(benno)
    check("play")
    other.play(26)

    other.may("Exchange")
    in_sight(benno)
    check("desk")
    other.department("EXCHANGE")
    in_sight(benno)
    check("exchange")
    other.press("Back")
    other.exchange("Ada", [27])
    for visitor, partner, gave, got in ((ada, "Benno", 25, 27), (benno, "Ada", 27, 25)):
        visitor.sees(f"You and {partner} exchanged 1 card")
        sheet = visitor.page.locator("section.seen")
        expect(sheet.get_by_role("list").nth(0)).to_contain_text(str(gave))
        expect(sheet.get_by_role("list").nth(1)).to_contain_text(str(got))
        expect(sheet).to_contain_text(f"Only you and {partner} know which card.")
    check("seen")
    one.put_away()
    one.look("Benno")
    ada.sees("You see 1 card of Benno")
    benno.sees("Ada has seen 1 card of yours")
    one.put_away()
    other.put_away()
    last_cards(one, other)


def on_guesses(one: Guest, other: Guest, check: Check) -> None:
    """Play the second investigation: Ada and Benno guess, and a place that is taken says by whom."""
    benno = other.visitor
    one.play(39)
    other.play(11)
    one.guess("room 37")
    other.may("Guess")
    in_sight(benno)
    benno.page.locator("[data-place='room 37']").tap()
    expect(benno.now).to_contain_text("Room 37 is taken by Ada.")
    check("guess")
    other.guess("column 7")
    last_cards(one, other)


def last_cards(one: Guest, other: Guest) -> None:
    """Let both lay their last card, whoever is first."""
    waiting = [one, other]
    while waiting:
        for guest in [guest for guest in waiting if "LayLast" in guest.visitor.offered]:
            guest.lay()
            waiting.remove(guest)
        one.visitor.page.wait_for_timeout(5)
        other.visitor.page.wait_for_timeout(5)


def test_cards_that_a_phone_hides_behind_the_station_go_nowhere(house: House, visit: Visit) -> None:
    """They change places while the station stands before them: nothing is measured there, and no way leads there."""
    chloe = table(house, lambda cookie: visit(cookie, phone=True, reduced_motion="no-preference"), *LED, seat=2)
    id = chloe.told.room["table"]
    for step in (*PARKED[1:], Step(3, Guess("column 4"))):
        house.act(id, step)
    expect(chloe.page.locator(".board.station")).to_be_visible()
    expect(chloe.page.locator(".trick")).to_be_hidden()
    house.act(id, Step(2, TakeDesk("BONUS")))
    expect(chloe.page.locator(".trick")).to_be_visible()
    chloe.page.wait_for_function("() => document.getAnimations().every(({ playState }) => playState !== 'running')")

    assert chloe.wrong == []


def test_my_marks_belong_to_the_investigation_they_were_made_in(house: House, visit: Visit) -> None:
    ada = short(house, visit, 2)
    mark = ada.page.locator("[data-cell='11/hidden'] i")
    ada.page.locator("[data-cell='11/hidden']").focus()
    ada.page.keyboard.press("y")
    expect(mark).to_have_text("✓")

    house.act(ada.told.room["table"], Step(0, LayLast()))
    ada.button("To investigation 2").click()
    expect(mark).to_be_hidden()
    ada.page.locator("[data-cell='11/hidden']").focus()
    ada.page.keyboard.press("?")
    expect(mark).to_have_text("?")

    ada.page.reload()
    expect(mark).to_have_text("?")
    ada.button(re.compile("^No. 5 ")).click()
    ada.sees("You see No. 5")
    expect(mark).to_have_text("✓")


def test_the_last_window_opens_before_the_final_screen(house: House, visit: Visit) -> None:
    for motion in ("no-preference", "reduce"):
        ada = short(house, lambda cookie, motion=motion: visit(cookie, reduced_motion=motion), 1)
        ada.page.evaluate(SHOWN, ".before svg")
        house.act(ada.told.room["table"], Step(0, LayLast()))
        ada.sees("Benno wins")
        expect(ada.page.locator(".before")).to_be_hidden()
        assert (ada.page.evaluate("() => window.shown") > 0) is (motion != "reduce")


def test_a_tap_ends_the_moment_in_which_the_window_opens(house: House, visit: Visit) -> None:
    ada = short(house, lambda cookie: visit(cookie, reduced_motion="no-preference"), 2)
    house.act(ada.told.room["table"], Step(0, LayLast()))
    expect(ada.page.locator("section.found")).to_be_visible()
    ada.page.mouse.click(700, 300)
    ada.sees("The murderer was in room 37")
    expect(ada.page.locator("section.found g.found")).to_be_visible()
