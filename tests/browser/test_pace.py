"""How fast a table plays: wished for, agreed on, and slower again where somebody can watch."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House


def test_people_agree_on_another_pace(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], ["rookie"], pace="normal")
    ada, benno = (visit(cookie).goto(table.path) for cookie in table.cookies)
    ada.sees("Your turn")

    benno.button("Menu").click()
    menu = benno.page.get_by_role("dialog", name="Menu")
    expect(menu.get_by_role("heading", name="Pace: at the table")).to_be_visible()
    expect(benno.button("brisk", menu)).to_have_count(0)
    benno.button("steady", menu).click()
    expect(benno.page.get_by_text("You would like: steady. Still to agree: Ada").first).to_be_attached()
    expect(ada.page.locator(".wish")).to_contain_text("Benno would like: steady")
    ada.button("Agree: steady").click()

    expect(menu.get_by_role("heading", name="Pace: steady")).to_be_visible()
    expect(ada.page.get_by_text("The pace is now: steady").first).to_be_visible()
    expect(ada.page.locator(".wish")).to_have_count(0)
    assert ada.told.room["pace"] == "steady"


def test_a_wish_is_taken_back(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], ["rookie"], pace="normal")
    ada, benno = (visit(cookie).goto(table.path) for cookie in table.cookies)
    ada.button("Menu").click()
    ada.button("slow", ada.page.get_by_role("dialog")).click()
    ada.page.keyboard.press("Escape")
    expect(benno.page.locator(".wish")).to_contain_text("Ada would like: slow")

    ada.button("Leave it: at the table").click()

    expect(ada.page.locator(".wish")).to_have_count(0)
    expect(benno.page.locator(".wish")).to_have_count(0)
    assert benno.told.room["pace"] == "normal"


def test_alone_the_pace_changes_at_once_and_somebody_who_can_watch_ends_it(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie", "rookie"], pace="brisk")
    ada = visit(table.cookies[0]).goto(table.path)
    ada.sees("Your turn")
    ada.button("Menu").click()
    menu = ada.page.get_by_role("dialog", name="Menu")
    ada.button("at once", menu).click()
    expect(menu.get_by_role("heading", name="Pace: at once")).to_be_visible()

    friend = visit().goto(f"/join#{table.code}")
    friend.sees("Waiting for Ada")

    expect(
        ada.page.get_by_text("Somebody else can watch now, so the bots take their time again.").first
    ).to_be_visible()
    expect(menu.get_by_role("heading", name="Pace: at the table")).to_be_visible()
    expect(ada.button("at once", menu)).to_have_count(0)


def test_a_table_for_one_among_bots_is_laid_brisk(visit: Visit) -> None:
    me = visit().goto("/")
    me.button("Play with friends", me.door("Clue")).click()
    dialog = me.page.get_by_role("dialog")
    paces = dialog.get_by_text("Pace", exact=True)
    paces.click()
    expect(dialog.get_by_role("radio", name="at the table")).to_be_checked()
    expect(dialog.get_by_role("radio", name="brisk")).to_have_count(0)
    for seat in (2, 3, 4):
        dialog.get_by_label(f"Seat {seat}").select_option(label="Bot: rookie")
    expect(dialog.get_by_role("radio", name="brisk")).to_be_checked()
    dialog.get_by_role("radio", name="at once").check()
    dialog.get_by_role("radio", name="Everybody: show it among the open tables").check()

    me.button("Make the table").click()

    expect(me.page.get_by_text("Pace: at the table")).to_be_visible()
