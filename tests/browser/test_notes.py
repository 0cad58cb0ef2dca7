"""The notes: own marks, and what writes itself at each level of assistance."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clue import SIX
from tests.browser.conftest import Visit
from tests.browser.house import House, Set, Step, loaded
from tests.browser.places import tab
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Move, Roll, Show, Suggest

SCRIPT = (
    Step(0, Roll()),
    Step(0, Move("Lounge")),
    Step(0, Suggest("Mustard", "Wrench", "Lounge")),
    Step(1, Show("Wrench")),
    # Chloe must show the Dining Room: Ada, who holds the other two, knows it for certain and has not seen it.
    Step(1, Roll()),
    Step(1, Move("DiningRoom")),
    Step(1, Suggest("Scarlet", "Knife", "DiningRoom")),
)


def table_of(house: House, assistance: str) -> Set:
    deal = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])
    house.draws = loaded({**stack(deal), **SIX})
    options = {"dice_count": 2}
    return house.lay(["Ada", "Benno", "Chloe"], assistance=assistance, options=options, script=SCRIPT)


def cell(me: Visitor, card: str, column: str) -> Locator:
    sheet = me.page.get_by_role("grid", name="My notes")
    return sheet.get_by_role("button", name=re.compile(rf"^{re.escape(card)}, {column}:"))


def test_own_marks_survive_a_reload_and_can_be_taken_back(house: House, visit: Visit) -> None:
    table = table_of(house, "paper")
    me = visit(table.cookies[0]).goto(table.path)
    white = cell(me, "Mrs. White", "envelope")
    white.click()
    expect(white).to_have_accessible_name("Mrs. White, envelope: open. My mark: yes.")
    cell(me, "Rope", "Benno").click()
    me.button("maybe", me.page.get_by_role("group", name="My mark for the chosen cell")).click()
    expect(cell(me, "Rope", "Benno")).to_have_accessible_name("Rope, Benno: open. My mark: maybe.")
    me.page.get_by_label("Free notes").fill("Benno smiles")
    me.page.get_by_label("Free notes").blur()
    me.until(lambda told: told.room["jotting"] == "Benno smiles")

    me.page.reload()

    expect(white).to_have_accessible_name("Mrs. White, envelope: open. My mark: yes.")
    expect(cell(me, "Rope", "Benno")).to_have_accessible_name("Rope, Benno: open. My mark: maybe.")
    expect(me.page.get_by_label("Free notes")).to_have_value("Benno smiles")
    cell(me, "Rope", "Chloe").click()
    me.button("undo").click()
    expect(cell(me, "Rope", "Chloe")).to_have_accessible_name("Rope, Chloe: open.")
    other = visit(table.cookies[1]).goto(table.path)
    expect(cell(other, "Mrs. White", "envelope")).to_have_accessible_name("Mrs. White, envelope: open.")


@pytest.mark.parametrize(
    ("assistance", "own", "shown", "follows"),
    [
        ("paper", "open.", "open.", "open."),
        ("facts", "yes, you saw it.", "yes, you saw it.", "open."),
        ("logic", "yes, you saw it. Why?", "yes, you saw it. Why?", "certain. Why?"),
        ("probabilities", "yes, you saw it. Why?", "yes, you saw it. Why?", "certain. Why?"),
    ],
)
def test_what_writes_itself(assistance: str, own: str, shown: str, follows: str, house: House, visit: Visit) -> None:
    table = table_of(house, assistance)
    me = visit(table.cookies[0]).goto(table.path)

    expect(cell(me, "Knife", "Ada")).to_have_accessible_name(f"Knife, Ada: {own}")
    expect(cell(me, "Wrench", "Benno")).to_have_accessible_name(f"Wrench, Benno: {shown}")
    expect(cell(me, "Dining Room", "Chloe")).to_have_accessible_name(f"Dining Room, Chloe: {follows}")
    shares = me.page.get_by_role("grid", name="My notes").get_by_role("button", name=re.compile("per cent"))
    if assistance == "probabilities":
        expect(shares.first).to_be_visible()
    else:
        assert shares.count() == 0


def test_why_names_the_lines_it_rests_on(house: House, visit: Visit) -> None:
    table = table_of(house, "logic")
    me = visit(table.cookies[0]).goto(table.path)
    expect(cell(me, "Dining Room", "Chloe")).to_have_accessible_name(re.compile("Why"))

    cell(me, "Dining Room", "Chloe").click()

    why = me.page.get_by_role("dialog", name="Why does Chloe hold this: Dining Room?")
    expect(why.get_by_role("listitem").filter(has_text="Chloe shows Benno a card.")).to_be_visible()
    me.button("Show it on the board", why).last.click()
    expect(me.now).to_contain_text("You see No. 2")
    me.button("Back to now").click()
    expect(me.now).not_to_contain_text("You see No. 2")


def test_a_tap_counts_though_the_bar_of_marks_comes_up_under_the_finger(house: House, visit: Visit) -> None:
    table = table_of(house, "logic")
    me = visit(table.cookies[0], phone=True).goto(table.path)
    expect(me.now).to_be_visible()
    tab(me, 1)
    known = cell(me, "Wrench", "Benno")
    expect(known).to_have_accessible_name(re.compile("Why"))
    known.evaluate("(cell) => cell.scrollIntoView({ block: 'end' })")

    known.click()

    expect(me.page.get_by_role("dialog")).to_be_visible()
