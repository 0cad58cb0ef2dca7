"""The front page, and what one click on it does."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.browser.measures import axe
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Accuse

HANDS = ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"]
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 180 300'><path d='M40 300V60h100v240z'/></svg>"
BOXES = """(nodes) => nodes.map((node) => {
    const { x, y, right } = node.getBoundingClientRect()
    return [x, y, right].map(Math.round)
})"""


def test_two_clicks_begin_a_game_against_bots(visit: Visit) -> None:
    me = visit().goto("/")
    # The sign that waits for the page is in it before any script, and gone once the page has come.
    assert 'id="waiting"' in me.page.request.get(me.page.url).text()
    expect(me.page.locator("#waiting")).to_have_count(0)

    me.play_now("Clue")

    me.sees("Your turn: throw the die")
    assert me.told.room["pace"] == "brisk"
    assert [chair["kind"] for chair in me.told.room["chairs"]] == ["person", "bot", "bot", "bot"]
    expect(me.page).to_have_title("Your turn: Clue - Whodunit")


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1440, "height": 900}])
def test_a_running_game_stands_on_the_first_screen(size: ViewportSize, house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], ["rookie"])
    me = visit(table.cookies[0])
    me.page.set_viewport_size(size)
    me.goto("/")

    where = me.page.get_by_role("region", name="Where you were")
    expect(where.get_by_role("heading", name="Your turn: Clue")).to_be_in_viewport(ratio=1)
    expect(where).to_contain_text("with Benno and Ida")
    link = where.get_by_role("link", name="Go on: Your turn: Clue")
    expect(link).to_be_in_viewport(ratio=1)
    assert axe(me.page) == []
    link.click()

    me.sees("Your turn: throw the die")
    other = visit(table.cookies[1]).goto("/")
    expect(other.page.get_by_role("heading", name="Clue goes on")).to_be_visible()


def test_my_games_say_how_they_ended_and_when(house: House, visit: Visit) -> None:
    deal = deal_of("White Rope Study", HANDS)
    house.draws = loaded(stack(deal))
    table = house.lay(["Ada", "Benno", "Chloe"], script=[Step(0, Accuse("White", "Rope", "Study"))])
    for cookie, ended in zip(
        table.cookies, ("You won · just now", "Ada won · just now", "Ada won · just now"), strict=True
    ):
        me = visit(cookie).goto("/")
        expect(me.page.get_by_role("region", name="My games").get_by_role("listitem")).to_contain_text(ended)
        expect(me.page.get_by_role("region", name="Where you were")).to_have_count(0)


def test_the_sheet_asks_for_what_was_played_last(visit: Visit) -> None:
    me = visit().goto("/")
    me.button("Play now against bots", me.door("Clue")).click()
    sheet = me.page.get_by_role("dialog", name="Clue against bots")
    for choice in ("2", "rookie", "logic", "at once"):
        sheet.get_by_role("radio", name=choice).check()
    for fold in ("Variants", "House rules"):
        sheet.get_by_text(fold).click()
    sheet.get_by_label("Dice", exact=True).select_option("2")
    me.button("Start the game").click()
    me.sees(re.compile("^Your turn"))
    me.goto("/")

    me.play_now("Clue")

    me.until(lambda told: "room" in told.last and told.room["stage"] == "playing")
    room = me.told.room
    assert [chair["level"] for chair in room["chairs"]] == [None, "rookie", "rookie"]
    assert (room["assistance"], room["pace"], room["options"]) == ("logic", "at_once", {"dice_count": 2})


def test_an_option_that_there_is_no_longer_is_not_wanted_again(visit: Visit) -> None:
    me = visit().goto("/")
    me.page.evaluate("localStorage.setItem('whodunit.play.clue', JSON.stringify({ options: { gone: 7, starter: 3 } }))")
    me.button("Play now against bots", me.door("Clue")).click()
    sheet = me.page.get_by_role("dialog", name="Clue against bots")
    expect(sheet.get_by_text("House rules")).to_be_visible()
    sheet.get_by_role("radio", name="2").check()

    me.button("Start the game").click()

    me.until(lambda told: "room" in told.last and told.room["stage"] == "playing")
    assert me.told.room["options"] == {}


@pytest.mark.parametrize("path", ["/practice/arosa", "/rules/clue"])
def test_pages_without_a_menu_have_a_way_home_on_a_phone(path: str, visit: Visit) -> None:
    me = visit(phone=True).goto(path)

    home = me.page.get_by_role("banner").get_by_role("link", name="To the front page")
    expect(home).to_be_in_viewport(ratio=1)
    home.tap()

    me.sees("Behind each, a murder")


@pytest.mark.parametrize("count", [5, 6, 7])
def test_the_wall_has_room_for_the_games_of_others(count: int, visit: Visit) -> None:
    """Doors stand in rows, the last in the middle, none outside the page; the buttons of a row stand in line."""
    me = visit()
    me.prepared = True  # nobody else is to meet these doors

    def more(route: Route) -> None:
        ours = route.fetch().json()
        other = {**ours[0], "text": "Short.", "lesson": False, "rules": False}
        others = [{**other, "id": f"other_{number}", "name": f"Other {number}"} for number in range(count - len(ours))]
        route.fulfill(json=[*ours, *others[:-1], {**others[-1], "art": "/api/games/last/door.svg"}])

    me.page.route("**/api/doors/*", more)
    me.page.route("**/door.svg", lambda route: route.fulfill(body=PICTURE, content_type="image/svg+xml"))
    me.goto("/")

    doors, play = me.page.get_by_role("article"), me.page.get_by_role("button", name="Play now against bots")
    expect(doors).to_have_count(count)
    expect(doors.last.locator("image")).to_have_count(1)
    for width, row in {390: 1, 768: 2, 1440: {5: 5, 6: 3, 7: 4}[count]}.items():
        me.page.set_viewport_size({"width": width, "height": 900})
        rows = list(_rows(doors.evaluate_all(BOXES)))
        assert [len(each) for each in rows] == [row] * (count // row) + [count % row] * (count % row > 0)
        for each in rows:
            assert abs(each[0][0] - (width - each[-1][2])) <= 2
            assert all(left[2] < right[0] for left, right in pairwise(each))
        assert [len(each) for each in _rows(play.evaluate_all(BOXES))] == [len(each) for each in rows]
        assert me.page.evaluate("document.documentElement.scrollWidth") == width
    assert axe(me.page) == []


def _rows(boxes: list[list[int]]) -> Iterator[list[list[int]]]:
    """Take together what stands at the same height."""
    for top in dict.fromkeys(y for _, y, _ in boxes):
        yield [box for box in boxes if box[1] == top]
