"""Time in the browser: chosen with the table, shown beside each player, low by more than colour, paused together."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from whodunit.room.pace import Bank, Days


def test_banks_run_low_are_said_once_and_stand_still_in_a_pause(house: House, visit: Visit) -> None:
    table = house.lay(("Ada", "Benno"), options={"starter": 0}, allowance=Bank(32, 0))
    ada, benno = visit(table.cookies[0]).goto(table.path), visit(table.cookies[1]).goto(table.path)
    mine = ada.page.get_by_role("timer").filter(has_text="Ada")
    theirs = benno.page.get_by_role("timer").filter(has_text="Benno")
    expect(theirs).to_contain_text("0:32")
    expect(mine.locator("svg")).to_have_count(1)  # it runs low, and has a mark
    said = ada.page.locator("[aria-live=assertive]")
    expect(said).to_contain_text("You have 30 seconds left.")

    ada.button("Menu").click()
    ada.button("Ask for a pause").click()
    expect(ada.page.get_by_role("main").get_by_text("Still to agree: Benno")).to_be_visible()
    benno.button("Agree", benno.page.get_by_role("main")).click()
    expect(ada.page.get_by_role("heading", name="The game is paused")).to_be_visible()
    left = mine.inner_text()
    ada.page.wait_for_timeout(1200)
    assert mine.inner_text() == left
    expect(ada.button("Roll")).to_have_count(0)
    benno.button("Go on").click()
    expect(ada.page.get_by_role("heading", name="The game is paused")).to_have_count(0)
    expect(mine).not_to_have_text(left)


def test_days_are_chosen_with_the_table_and_shown_in_words(house: House, visit: Visit) -> None:
    me = visit().goto("/")
    me.button("Play with friends", me.door("Clue")).click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_text("Clock", exact=True).click()
    dialog.get_by_text("For days").click()
    dialog.get_by_label("Time for each move").select_option("3")
    me.button("Make the table", dialog).click()
    expect(me.page.get_by_text("Clock: 3 days for each move")).to_be_visible()
    expect(me.page.get_by_text("Pace: slow")).to_be_visible()

    table = house.lay(("Ada", "Benno"), options={"starter": 0}, allowance=Days(2))
    ada = visit(table.cookies[0]).goto(table.path)
    expect(ada.page.get_by_role("timer").filter(has_text="Ada: 2 days left")).to_be_visible()
