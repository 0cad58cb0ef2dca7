"""Everything by keys: Tab, arrows, Enter, Escape."""

import re

from playwright.sync_api import expect

from tests.browser.clue import FOUR, SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.hands import Keys
from tests.browser.house import House, loaded
from tests.games.clue.staging import stack


def test_a_whole_game_by_keys_alone(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(FOUR), **SIX})
    me = visit().goto("/")
    keys = Keys(me.page)
    keys.press(me.button("Play now against bots", me.door("Clue")))
    expect(me.button("Start the game")).to_be_focused()
    me.page.keyboard.press("Enter")
    me.sees("Your turn: throw the die")

    player = Detective(me, keys, phone=True)  # squares from the list
    while "Suggest" not in me.done:
        player.step()
        me.quiet(60)
        assert me.page.evaluate("() => document.activeElement !== document.body"), f"lost the focus after {me.done}"
    me.until(lambda told: told.on_turn and "Accuse" in me.offered, "my turn")
    me.quiet(60)
    assert me.page.evaluate("() => document.activeElement !== document.body"), "lost the focus while others played"
    player.accuse(FOUR.envelope)
    me.sees("You solved the case")
    me.quiet(60)
    assert me.page.evaluate("() => document.activeElement !== document.body"), "lost the focus at the end"

    assert keys.faults == []


def test_dialogs_close_by_escape_and_give_the_focus_back(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie"])
    me = visit(table.cookies[0]).goto(table.path)
    keys = Keys(me.page)
    me.sees("Your turn: throw the die")
    for opener in (me.button("Rule"), me.button("Menu")):
        keys.press(opener)
        expect(me.page.get_by_role("dialog")).to_be_visible()
        me.page.keyboard.press("Escape")
        expect(me.page.get_by_role("dialog")).not_to_be_visible()
        expect(opener).to_be_focused()


def test_the_board_is_one_stop_with_arrows_between_the_lit_places(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada"], ["rookie"])
    me = visit(table.cookies[0]).goto(table.path)
    me.button("Throw the die").click()
    lit = me.page.get_by_role("group", name="Where you may walk")
    expect(lit.get_by_role("button").first).to_be_visible()
    assert lit.locator("[tabindex='0']").count() == 1

    keys = Keys(me.page)
    keys.reach(lit.locator("[tabindex='0']"))
    places = set()
    for arrow in ("ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        me.page.keyboard.press(arrow)
        places.add(me.page.evaluate("() => document.activeElement.getAttribute('aria-label')"))
    assert len(places) > 1
    me.page.keyboard.press("Enter")
    me.sees("You have moved")


def test_the_notes_are_one_stop_with_arrows_between_the_cells(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie"], assistance="paper")
    me = visit(table.cookies[0]).goto(table.path)
    sheet = me.page.get_by_role("grid", name="My notes")
    keys = Keys(me.page)
    keys.reach(sheet.locator("[tabindex='0']"))
    me.page.keyboard.press("ArrowDown")
    me.page.keyboard.press("ArrowRight")
    me.page.keyboard.press("y")
    expect(sheet.get_by_role("button", name=re.compile("^Col. Mustard, Ida: open. My mark: yes."))).to_be_focused()
    me.page.keyboard.press("Tab")
    assert sheet.locator(":focus").count() == 0
