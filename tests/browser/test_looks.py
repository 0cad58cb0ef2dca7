"""Language, light and movement, changed in place."""

import re

from playwright.sync_api import expect

from tests.browser.clue import SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.browser.measures import SPEAK, SPEAKS, moving, small_letters
from tests.browser.states import states
from tests.browser.visitor import Visitor
from whodunit.core.rng import Rng
from whodunit.games.clue.model import Roll

WINDOW = "() => document.documentElement.dataset.marked"


def test_the_language_changes_in_place(visit: Visit) -> None:
    me = visit().goto("/")
    me.sees("Four doors. Behind each, a murder.")
    me.page.evaluate("() => (document.documentElement.dataset.marked = 'the same page')")

    me.page.get_by_label("Language").select_option("de")

    expect(me.page.locator("html")).to_have_attribute("lang", "de")
    expect(me.page.get_by_role("heading", level=1)).not_to_have_text("Four doors. Behind each, a murder.")
    expect(me.button("Play now against bots")).to_have_count(0)
    assert me.page.evaluate(WINDOW) == "the same page"
    me.page.reload()
    expect(me.page.locator("html")).to_have_attribute("lang", "de")


def test_a_game_in_german_says_nothing_in_english(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada", "Benno"], ["rookie"], script=[Step(0, Roll())])
    me = visit(table.cookies[0], locale="de-DE").goto(table.path)

    expect(me.page.locator("html")).to_have_attribute("lang", "de")
    expect(me.now).to_contain_text("6")
    said = me.page.locator("body").inner_text()
    for word in ("Your turn", "Waiting", "Mrs.", "Library", "Notes", "throws", "Squares"):
        assert not re.search(rf"\b{word}\b", said), word


def test_every_state_has_its_own_title(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada", "Benno"])
    ada, benno = visit(table.cookies[0]).goto("/"), visit(table.cookies[1]).goto(table.path)
    expect(ada.page).to_have_title(re.compile("Whodunit"))
    front = ada.page.title()
    ada.goto(table.path)
    expect(ada.page).to_have_title("Your turn: Clue - Whodunit")
    expect(benno.page).to_have_title("Ada's turn: Clue - Whodunit")
    ada.goto("/about")
    expect(ada.page).to_have_title("About Whodunit - Whodunit")
    assert front not in {"Your turn: Clue - Whodunit", "About Whodunit - Whodunit"}


def test_the_lamp_is_lit_in_place_and_stays_lit(visit: Visit) -> None:
    me = visit().goto("/")
    page = me.page
    ground = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")

    me.button("Lamp light").click()

    expect(page.locator("html")).to_have_attribute("data-theme", "lamp")
    assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") != ground
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "lamp")
    me.button("Daylight").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "paper")


def test_the_device_decides_until_somebody_does(visit: Visit) -> None:
    me = visit(color_scheme="dark").goto("/")

    expect(me.page.locator("html")).to_have_attribute("data-theme", "lamp")
    expect(me.page.locator("html")).to_have_attribute("data-motion", "reduced")
    me.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    expect(me.page.locator("html")).to_have_attribute("data-theme", "paper")
    expect(me.page.locator("html")).to_have_attribute("data-motion", "full")


def test_the_browser_s_language_is_spoken_until_somebody_chooses(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], assistance="paper")
    me, again = (visit(table.cookies[0], locale=language).goto(table.path) for language in ("en", "de"))
    for visitor in (me, again):
        expect(visitor.now).to_be_visible()
    me.page.evaluate(SPEAK, "de")

    # Nothing is left of the other language: it says what it says to whoever came with this one.
    came = again.page.get_by_role("main").aria_snapshot()
    me.until(lambda _: me.page.get_by_role("main").aria_snapshot() == came, "the same page")
    me.goto("/")
    me.page.get_by_role("banner").get_by_role("combobox").select_option("fr")
    me.page.wait_for_function(SPEAKS, arg="fr")
    me.page.evaluate(SPEAK, "de")
    me.quiet(60)
    assert me.page.evaluate(SPEAKS, "fr")


def test_nothing_moves_where_movement_is_unwelcome(house: House, visit: Visit) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada"], ["rookie"])
    me = visit(table.cookies[0]).goto(table.path)
    player = Detective(me)
    found: list[str] = []
    for _ in range(2):
        player.step()
        found += moving(me.page)
    assert found == []


def test_no_word_on_a_phone_is_smaller_than_twelve_pixels(house: House, visit: Visit) -> None:
    """Where hands lie: the smallest cards of all. On a desk it is asked wherever axe looks."""
    found: list[str] = []

    def come(cookie: str | None = None) -> Visitor:
        return visit(cookie, phone=True, locale="de-DE")

    for state in states():
        if state.name in {"wait", "asked", "alibi-begin", "alibi-show"}:
            house.draws = Rng
            me = state.reach(house, come)
            me.quiet(60)
            found += [f"{state.name}: {word}" for word in small_letters(me.page)]

    assert found == []
