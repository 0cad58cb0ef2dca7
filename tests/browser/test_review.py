"""The review of a closed case: what decided it, every moment with the eyes of who decided, and second tries."""

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.clue import SIX
from tests.browser.conftest import Visit
from tests.browser.house import House, Set, Step, loaded
from tests.browser.measures import axe
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Accuse, Move, Roll, Suggest

DEAL = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])
ASKS = Suggest("Scarlet", "Knife", "Lounge")
SCRIPT = (
    Step(0, Roll()),
    Step(0, Move("Lounge")),
    Step(0, ASKS),
    Step(1, Roll()),
    Step(1, Move("DiningRoom")),
    Step(1, Suggest("Mustard", "Wrench", "DiningRoom")),
    Step(2, Accuse("White", "Rope", "Study")),
)
SIZES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 1440, "height": 900}]


def closed(house: House) -> Set:
    """Return a case at which Ada has asked for her own cards, and Chloe was right."""
    house.draws = loaded({**stack(DEAL), **SIX})
    return house.lay(["Ada", "Benno", "Chloe"], options={"dice_count": 2}, script=SCRIPT)


def reviewed(me: Visitor, table: Set, place: str = "review") -> Visitor:
    me.goto(f"{table.path}#{place}")
    expect(me.page.get_by_role("heading", name="Moments")).to_be_visible()
    expect(me.page.get_by_text("Still reading")).to_have_count(0)
    return me


@pytest.mark.parametrize("size", SIZES)
def test_the_end_says_what_decided_it_and_leads_to_the_review_and_back(
    size: ViewportSize, house: House, visit: Visit
) -> None:
    table = closed(house)
    me = visit(table.cookies[0])
    me.page.set_viewport_size(size)
    me.goto(table.path)
    expect(me.page.get_by_text("You asked for")).to_be_visible()

    me.page.get_by_role("link", name="Open the whole review").click()
    expect(me.page.get_by_role("heading", name="What was still unknown")).to_be_visible()
    expect(me.page.get_by_text("Still reading")).to_have_count(0)
    assert axe(me.page) == []
    assert me.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    me.page.go_back()
    expect(me.page.get_by_role("link", name="Open the whole review")).to_be_visible()


def test_a_link_opens_a_moment_with_the_board_and_notes_of_who_decided(house: House, visit: Visit) -> None:
    table = closed(house)
    friend = visit().goto(f"/join#{table.code}")
    friend.sees("Chloe solved the case")
    asked = next(each["seq"] for each in friend.told.events if each["event"]["type"] == "Suggested")

    reviewed(friend, table, f"review.0.{asked}")

    expect(friend.page.get_by_role("button", name="Ada", pressed=True)).to_be_visible()
    expect(friend.page.get_by_role("figure")).to_have_accessible_name(re.compile("Miss Scarlet: Lounge"))
    notes = friend.page.get_by_role("region", name="Notes of Ada")
    # Before the answers: Ada knows her own cards, and nobody else's.
    expect(notes.get_by_role("button", name=re.compile("^Knife, Ada: yes"))).to_be_visible()
    expect(notes.get_by_role("button", name=re.compile("^Wrench, Benno: (yes|no)"))).to_have_count(0)
    friend.page.keyboard.press("ArrowRight")
    expect(friend.page).not_to_have_url(re.compile(rf"\.{asked}$"))


def test_a_second_try_is_made_on_the_real_controls_and_changes_nothing(house: House, visit: Visit) -> None:
    table = closed(house)
    me = visit(table.cookies[0]).goto(table.path)
    me.sees("Chloe solved the case")
    went = next(each["seq"] for each in me.told.events if each["event"]["type"] == "Moved")
    reviewed(me, table, f"review.0.{went}")
    before = me.told.events[-1]["seq"]

    me.button("Find it on the table").click()
    for key in ("ArrowDown", "ArrowUp"):  # whoever looks round tries nothing
        me.page.keyboard.press(key)
    me.button(re.compile("Lounge"), me.now).click()
    expect(me.page.get_by_role("main").get_by_text(re.compile("^Not yet"))).to_be_visible()
    me.button("Show it").click()
    expect(me.page.get_by_role("heading", name="The best three")).to_be_visible()
    closed_table = house.live(table.id).table
    assert closed_table is not None
    assert closed_table.seq == before


def test_a_running_game_has_no_review(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(DEAL), **SIX})
    table = house.lay(["Ada", "Benno", "Chloe"], options={"dice_count": 2}, script=SCRIPT[:3])
    me = visit(table.cookies[0]).goto(f"{table.path}#review")
    expect(me.now).to_be_visible()
    expect(me.page.get_by_role("heading", name="Review")).to_have_count(0)
