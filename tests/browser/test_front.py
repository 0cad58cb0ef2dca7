"""The front page, and what one click on it does."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit


def test_one_click_begins_a_game_against_bots(visit: Visit) -> None:
    me = visit().goto("/")
    # The sign that waits for the page is in it before any script, and gone once the page has come.
    assert 'id="waiting"' in me.page.request.get(me.page.url).text()
    expect(me.page.locator("#waiting")).to_have_count(0)

    me.button("Play now against bots", me.door("Clue")).click()

    me.sees("Your turn: throw the die")
    assert [chair["kind"] for chair in me.told.room["chairs"]] == ["person", "bot", "bot", "bot"]
    expect(me.page).to_have_title("Your turn: Clue - Whodunit")


def test_on_a_phone_the_way_to_the_table_that_waits_is_at_the_thumb(visit: Visit) -> None:
    me = visit(phone=True).goto("/")
    me.button("Play now against bots", me.door("Clue")).click()
    me.sees("Your turn: throw the die")
    me.goto("/")

    link = me.page.get_by_role("link", name="Clue · Your turn")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()

    me.sees("Your turn: throw the die")
