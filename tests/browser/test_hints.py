"""Hints, press by press, and where there are none."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.test_notes import table_of


def test_a_nudge_then_the_fact_then_the_proof(house: House, visit: Visit) -> None:
    table = table_of(house, "logic")
    me = visit(table.cookies[0]).goto(table.path)

    me.button("hint").click()
    hint = me.page.get_by_role("region", name="A hint")
    expect(hint).to_contain_text("Chloe shows Benno a card.")
    expect(hint).not_to_contain_text("Dining Room")
    me.button("What follows from it?", hint).click()
    expect(hint).to_contain_text("Why does Chloe hold this: Dining Room?")
    me.button("Prove it", hint).click()
    why = me.page.get_by_role("dialog", name="Why does Chloe hold this: Dining Room?")
    expect(why.get_by_role("listitem").filter(has_text="Chloe shows Benno a card.")).to_be_visible()


def test_nothing_to_hint_at_is_said_where_the_hint_would_stand(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno", "Chloe"], assistance="logic")
    me = visit(table.cookies[0]).goto(table.path)

    me.button("hint").click()

    hint = me.page.get_by_role("region", name="A hint")
    expect(hint).to_contain_text("There is nothing to hint at")
    expect(me.page.locator(".toast")).to_have_count(0)
    me.button("Put the hint away", hint).click()
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("assistance", ["paper", "facts"])
def test_there_is_no_button_where_the_table_chose_no_help(assistance: str, house: House, visit: Visit) -> None:
    table = table_of(house, assistance)
    me = visit(table.cookies[0]).goto(table.path)

    expect(me.page.get_by_role("grid", name="My notes")).to_be_visible()
    expect(me.button("undo")).to_be_visible()
    assert me.button(re.compile("^hint")).count() == 0
