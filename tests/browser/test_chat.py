"""People talk at a table: each in their own language, on a desk and on a phone."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.visitor import Visitor


def said(visitor: Visitor) -> list[str]:
    return visitor.page.get_by_role("list", name="What was said").get_by_role("listitem").all_inner_texts()


def test_two_players_talk_each_in_their_own_language(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], ["rookie"], options={"starter": 0})
    ada = visit(table.cookies[0]).goto(table.path)
    benno = visit(table.cookies[1], phone=True, locale="de-DE").goto(table.path)
    for visitor in (ada, benno):
        visitor.until(lambda told: "table" in told.last)

    ada.button("Show the chat").click()
    ada.button("Good luck").click()
    ada.page.get_by_role("textbox", name="Say something").fill("hello there")
    ada.page.keyboard.press("Enter")
    tab = benno.page.get_by_role("navigation").get_by_role("button", name="Chat")
    expect(tab).to_contain_text("2 neu")
    tab.click()
    panel = benno.page.get_by_role("region", name="Chat")
    expect(panel).to_contain_text("Ada Viel Glück")
    expect(panel).to_contain_text("Ada hello there")
    expect(tab).not_to_contain_text("neu")
    expect(benno.page.locator("[data-live=polite]")).to_contain_text("Ada: Viel Glück")
    assert benno.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    benno.button("Danke").click()
    expect(ada.page.get_by_role("region", name="Chat")).to_contain_text("Benno Thank you")
    assert said(ada)[-1].split() == ["Benno", "Thank", "you"]


def test_the_chat_is_reached_by_a_letter_and_muting_by_keyboard(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], options={"starter": 0})
    ada, benno = (visit(cookie).goto(table.path) for cookie in table.cookies)
    for visitor in (ada, benno):
        visitor.until(lambda told: "table" in told.last)
        visitor.page.get_by_role("heading", name="Log").wait_for()
    benno.button("Show the chat").click()
    benno.button("Hello", benno.page.get_by_role("region", name="Chat")).click()
    expect(ada.button("Show the chat 1 new")).to_be_visible()

    ada.page.keyboard.press("c")
    expect(ada.page.get_by_role("textbox", name="Say something")).to_be_focused()
    expect(ada.page.get_by_role("region", name="Chat")).to_contain_text("Benno Hello")
    ada.button("Whom to hear").press("Enter")
    ada.button("Mute Benno").press("Enter")
    expect(ada.page.get_by_role("region", name="Chat")).to_contain_text("Nobody has said anything yet.")
    benno.button("Sorry").click()
    expect(benno.page.get_by_role("region", name="Chat")).to_contain_text("Benno Sorry")
    expect(ada.button("Hear Benno again")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("region", name="Chat")).to_contain_text("Benno Sorry")
