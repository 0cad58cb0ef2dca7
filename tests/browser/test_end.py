"""After the end: what comes next is at hand, and what happened can be shown to others."""

from pathlib import Path
from struct import unpack

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.house import House, Set, Step, loaded
from tests.browser.measures import axe
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Accuse

HANDS = ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"]
SIZES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 1440, "height": 900}]
PNG = b"\x89PNG\r\n\x1a\n"


def solved(house: House) -> Set:
    """Return a table at which Ada has just been right."""
    house.draws = loaded(stack(deal_of("White Rope Study", HANDS)))
    return house.lay(["Ada", "Benno", "Chloe"], script=[Step(0, Accuse("White", "Rope", "Study"))])


@pytest.mark.parametrize("size", SIZES)
def test_what_comes_next_is_in_sight_without_scrolling(size: ViewportSize, house: House, visit: Visit) -> None:
    table = solved(house)
    me = visit(table.cookies[0])
    me.page.set_viewport_size(size)
    me.goto(table.path)
    me.sees("You solved the case")

    expect(me.button("Play again, same people")).to_be_in_viewport(ratio=1)
    expect(me.page.get_by_role("link", name="To the front page")).to_be_in_viewport(ratio=1)
    assert axe(me.page) == []


def test_everybody_who_played_is_called_to_a_rematch_and_whoever_watched_is_not(house: House, visit: Visit) -> None:
    table = solved(house)
    ada, benno = (visit(cookie).goto(table.path) for cookie in table.cookies[:2])
    friend = visit().goto(f"/join#{table.code}")
    friend.sees("Ada solved the case")
    benno.sees("Ada solved the case")
    expect(benno.page).to_have_title("Case closed: Clue - Whodunit")

    ada.button("Play again, same people").click()

    expect(benno.page).to_have_title("Rematch: Clue - Whodunit")
    expect(benno.page.get_by_role("link", name="Join the rematch")).to_be_in_viewport(ratio=1)
    friend.until(lambda told: told.room["rematch"] is not None)
    expect(friend.page).to_have_title("Case closed: Clue - Whodunit")
    expect(friend.page.get_by_role("link", name="Join the rematch")).to_have_count(0)
    # Whoever comes back to it later is not called a second time.
    benno.page.reload()
    expect(benno.page.get_by_role("link", name="Join the rematch")).to_be_visible()
    expect(benno.page).to_have_title("Case closed: Clue - Whodunit")


def test_the_link_of_a_finished_game_opens_it_for_others(house: House, visit: Visit) -> None:
    table = solved(house)
    me = visit(table.cookies[0])
    me.context.grant_permissions(["clipboard-read", "clipboard-write"])
    me.prepared = True  # nobody else is to have these rights
    me.goto(table.path)

    me.button("Copy the link").click()
    expect(me.page.get_by_text("Copied.").first).to_be_visible()

    other = visit().goto(me.page.evaluate("navigator.clipboard.readText()"))
    other.sees("Ada solved the case")


def saved(me: Visitor, folder: Path) -> bytes:
    with me.page.expect_download() as download:
        me.button("Save the picture").click()
    assert download.value.suggested_filename == "whodunit-clue.png"
    download.value.save_as(folder / "picture.png")
    return (folder / "picture.png").read_bytes()


def test_a_picture_is_drawn_and_saved_and_the_solution_is_in_it_only_by_choice(
    house: House, visit: Visit, tmp_path: Path
) -> None:
    table = solved(house)
    me = visit(table.cookies[0]).goto(table.path)
    me.button("A picture to share").click()
    dialog = me.page.get_by_role("dialog", name="A picture to share")
    expect(dialog.get_by_role("img", name="Clue · Case closed: Ada wins")).to_be_visible()
    painted = "() => document.querySelector('dialog canvas').getContext('2d').getImageData(9, 9, 1, 1).data[3] > 0"
    me.page.wait_for_function(painted)
    assert axe(me.page) == []

    without = saved(me, tmp_path)
    dialog.get_by_role("checkbox", name="With the solution").check()
    height = unpack(">I", without[20:24])[0]
    me.page.wait_for_function(f"() => document.querySelector('dialog canvas').height > {height}")
    whole = saved(me, tmp_path)

    assert without[:8] == whole[:8] == PNG
    assert unpack(">I", whole[16:20])[0] == 1080
