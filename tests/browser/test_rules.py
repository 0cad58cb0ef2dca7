"""The rules pages: one for each game, in every language, and a link to the right place from every action."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.measures import axe
from whodunit import games

TITLES = {"en": "The suggestion", "de": "Die Vermutung", "fr": "L\u2019hypothèse", "nb": "Mistanken"}


def test_an_action_leads_to_its_rule_and_the_table_stays(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], ["rookie"])
    me = visit(table.cookies[0]).goto(table.path)
    me.now.get_by_role("button", name="Rule").click()
    dialog = me.page.get_by_role("dialog")
    accusing = dialog.get_by_role("link").and_(dialog.locator("[href$='#Accuse']"))

    with me.page.context.expect_page() as opened:
        accusing.click()

    rules = opened.value
    expect(rules).to_have_title("The rules of Clue - Whodunit")
    expect(rules.get_by_role("heading", name="The accusation")).to_be_focused()
    expect(rules.get_by_role("heading", name="The accusation")).to_be_in_viewport()
    expect(dialog).to_be_visible()


def test_the_rules_change_their_language_in_place(visit: Visit) -> None:
    me = visit().goto("/rules/clue#Suggest")
    field = me.page.get_by_role("combobox")
    for language in games.LANGUAGES:
        field.select_option(language)
        expect(me.page.locator("html")).to_have_attribute("lang", language)
        expect(me.page.get_by_role("heading", name=TITLES[language])).to_be_visible()


@pytest.mark.parametrize("game", games.ids())
def test_every_game_is_explained_on_a_phone(game: str, visit: Visit) -> None:
    me = visit(phone=True).goto("/")
    me.page.locator(f"a[href='/rules/{game}']").tap()
    expect(me.page).to_have_url(re.compile(f"/rules/{game}$"))
    for link in me.page.get_by_role("navigation").get_by_role("link").all():
        link.tap()
        expect(me.page.get_by_role("heading", name=link.inner_text(), exact=True)).to_be_focused()

    assert axe(me.page) == []


def test_what_is_no_game_has_no_rules(visit: Visit) -> None:
    me = visit().goto("/rules/nonsense")
    me.sees("Nothing here")
