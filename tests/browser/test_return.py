"""Coming back: on another device, after a reload, after having been away."""

import re

from playwright.sync_api import expect

from tests.browser.clue import SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import EndTurn, Move, Roll, Suggest

TWO_DICE = {"dice_count": 2}
THREE = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])


def test_the_seat_s_own_link_opens_it_on_a_second_device(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada"], ["rookie", "rookie"])
    desk = visit(table.cookies[0]).goto(table.path)
    Detective(desk).step()

    desk.button("Menu").click()
    link = desk.page.get_by_text(re.compile("/seat#")).inner_text()
    desk.button("Close").click()
    phone = visit(phone=True).goto(link)
    phone.sees("You threw 6. Where to?")
    assert phone.told.table["view"]["hands"] == desk.told.table["view"]["hands"]
    assert "seat#" not in phone.page.url  # the secret does not stay in the address

    Detective(phone, phone=True).step()
    desk.sees("You have moved")
    desk.button("End my turn").click()
    phone.until(lambda told: told.seq == desk.told.seq)


def test_a_reload_in_mid_game_loses_nothing(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada"], ["rookie", "rookie"])
    ada = visit(table.cookies[0]).goto(table.path)
    Detective(ada).step()
    before = ada.told.table

    ada.page.reload()

    ada.sees("You threw 6. Where to?")
    assert ada.told.table["view"] == before["view"]
    assert ada.told.table["offers"] == before["offers"]
    assert len(ada.told.events) == before["seq"]


def test_a_table_that_does_not_arrive_says_so_and_comes_when_asked_again(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie", "rookie"])
    ada = visit(table.cookies[0])
    ada.allow("TablePage")
    ada.page.route("**/TablePage-*.js", lambda request: request.abort("failed"))
    ada.goto(table.path)

    expect(ada.page.get_by_role("heading", name="This page did not arrive")).to_be_visible()
    ada.page.unroute_all()
    ada.button("Load it again").click()
    expect(ada.now).to_be_visible()


def test_while_you_were_away(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(THREE), **SIX})
    table = house.lay(
        ["Ada", "Benno", "Chloe"],
        options=TWO_DICE,
        script=[Step(0, Roll()), Step(0, Move("Lounge")), Step(0, EndTurn())],
    )
    ada = visit(table.cookies[0]).goto(table.path)
    ada.sees("Waiting for Benno")
    ada.page.get_by_role("link", name="Whodunit, front page").click()
    ada.sees("Four doors")

    for step in (Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Scarlet", "Rope", "DiningRoom"))):
        house.act(table.id, step)
    ada.until(lambda told: "lobby" in told.last and told.last["lobby"]["mine"])
    ada.page.get_by_role("link", name="Go on").click()

    away = ada.page.get_by_role("dialog", name="While you were away")
    expect(away).to_contain_text("Benno suggests: Miss Scarlet, with the Rope, in the Dining Room.")
    ada.button("To the table").click()
    expect(away).not_to_be_visible()
    ada.page.reload()
    ada.sees(re.compile("Waiting for"))
    expect(away).not_to_be_visible()  # told once


def test_a_bot_stands_in_and_hands_back(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada", "Benno"], ["rookie"])
    ada = visit(table.cookies[0]).goto(table.path)
    ada.sees("Your turn: throw the die")

    ada.button("Menu").click()
    ada.button("Hand my seat to a bot").click()
    ada.sees("A bot plays your seat")
    ada.until(lambda told: any(event["line"]["key"] == "dice_thrown" for event in told.events))
    ada.button("Play my seat again").click()
    expect(ada.page.get_by_role("heading", name="A bot plays your seat")).not_to_be_visible()
    assert ada.told.chair(0)["stand_in"] is None


def test_a_page_that_watches_is_told_everything_anew_when_it_is_given_a_seat(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno", "Chloe"], public=True)
    ada = visit(table.cookies[0]).goto(table.path)
    phone = visit().goto(table.path)
    phone.sees("Waiting for Ada")

    phone.page.context.new_page().goto(f"/seat#{ada.told.room['seat_key']}")

    phone.sees("Your turn: throw the die")
    expect(phone.page.get_by_role("region", name="My hand")).to_be_visible()
    assert phone.told.table["view"] == ada.told.table["view"]
