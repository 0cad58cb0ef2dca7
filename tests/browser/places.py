"""What all states of tables share: how somebody comes to the house, and turns to a panel."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

Come = Callable[..., Visitor]
"""Open a context with this cookie, in the look that is wanted."""


LOG, CHAT = -2, -1
"""The last tabs of every game."""


def tab(me: Visitor, place: int) -> None:
    """Turn to a panel, where not all of them show."""
    tabs = me.page.get_by_role("navigation").get_by_role("button")
    if tabs.count() and tabs.nth(place).is_visible():
        tabs.nth(place).click()


def first_case(come: Come, game: str) -> Visitor:
    """Begin a game's guided first case from its door."""
    me = come().goto("/")
    me.until(lambda told: "lobby" in told.last)
    door = me.page.get_by_role("article").filter(has=me.page.locator(f"a[href='/rules/{game}']"))
    door.get_by_role("button").nth(2).click()
    return me


def guided(me: Visitor) -> Visitor:
    expect(me.page.locator("section.guide")).to_be_visible()
    return me


def rules_of(come: Come, game: str) -> Visitor:
    """Read a game's rules."""
    me = come().goto(f"/rules/{game}")
    expect(me.page.locator("figure").last).to_be_visible()
    return me
