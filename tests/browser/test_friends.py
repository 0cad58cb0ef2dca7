"""Two people in two browsers and two bots, from the front page to the final screen and on."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.clue import FOUR, SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.house import House, loaded
from tests.browser.visitor import Visitor
from tests.games.clue.staging import stack


def invited(ada: Visitor, benno: Visitor) -> None:
    """Ada lays a table for four with two bots; Benno comes by the link and sits down."""
    ada.goto("/")
    ada.button("Play with friends", ada.door("Clue")).click()
    ada.page.get_by_label("Your name").fill("Ada")
    for seat in (3, 4):
        ada.page.get_by_label(f"Seat {seat}").select_option(label="Bot: rookie")
    ada.page.get_by_text("Pace", exact=True).click()
    ada.page.get_by_role("radio", name="unhurried").check()
    ada.button("Make the table").click()
    ada.sees("Call your friends")
    link = ada.page.get_by_text(re.compile("/join#")).inner_text()

    benno.goto(link)
    benno.page.get_by_label("Your name").fill("Benno")
    benno.page.get_by_role("radio").check()
    benno.button("Sit down as Benno").click()
    benno.sees("You are sitting at the table")


def play_on(ada: Detective, benno: Detective, until: Callable[[], object], most: int = 400) -> None:
    """Let whoever is waited for do the next thing, until it is so."""
    for _ in range(most):
        if until():
            return
        if ada.on_turn:
            ada.step(suspect="Mustard", weapon="Wrench")  # Benno holds both
        elif benno.on_turn:
            benno.step(suspect="White", weapon="Rope", towards="DiningRoom")  # nobody does
        ada.visitor.page.wait_for_timeout(5)
        benno.visitor.page.wait_for_timeout(5)
    raise AssertionError(f"it never comes to that: {ada.visitor.done}, {benno.visitor.done}")


def test_two_people_and_bots_play_from_the_front_page_to_the_final_screen(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(FOUR), **SIX})
    ada, benno = visit(), visit()
    invited(ada, benno)

    ada.button("Start").click()
    ada.sees("Your turn: throw the die")
    benno.sees("Waiting for Ada")
    expect(benno.page).to_have_title("Ada's turn: Clue - Whodunit")
    one, other = Detective(ada), Detective(benno)

    play_on(one, other, lambda: "Show" in benno.done)
    ada.sees("Benno shows you")
    expect(ada.page.get_by_text("Only you and Benno know which card.")).to_be_visible()
    play_on(one, other, lambda: "Suggest" in benno.done)
    play_on(one, other, lambda: one.on_turn and "Accuse" in ada.offered)
    one.accuse(FOUR.envelope)

    ada.sees("You solved the case")
    benno.sees("Ada solved the case")
    for visitor in (ada, benno):
        expect(visitor.page).to_have_title("Case closed: Clue - Whodunit")
        expect(visitor.page.get_by_role("list", name="The cards of Benno").get_by_role("listitem")).to_have_count(5)

    ada.button("Play again, same people").click()
    ada.sees("Once more, same people")
    chairs = ada.page.get_by_role("region", name="Who plays")
    expect(chairs.get_by_text("called over, not here yet")).to_have_count(1)
    expect(ada.page.get_by_role("img", name="Square code")).to_have_count(0)
    expect(benno.page).to_have_title("Rematch: Clue - Whodunit")
    expect(benno.page.get_by_text("A rematch is on: your seat is kept").first).to_be_in_viewport()
    benno.page.get_by_role("link", name="Join the rematch").click()
    benno.sees("You are sitting at the table")
    expect(chairs.get_by_text("called over, not here yet")).to_have_count(0)
    expect(ada.page.get_by_text("Benno has come.").first).to_be_visible()
    ada.sees("Everybody is here")
    ada.button("Start").click()
    benno.sees("Your turn: throw the die")  # the next one begins
    ada.sees("Waiting for Benno")
