"""What all states of tables share: how somebody comes to the house, and turns to a panel."""

from collections.abc import Callable

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
