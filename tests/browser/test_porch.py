"""A browser that is used again is as good as a new one."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.porch import Porch


def test_whoever_comes_next_finds_nothing_of_whom_came_before(house: House, porch: Porch, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"])
    before = porch.come(house.address, table.cookies[0], locale="en-IE").goto("/")
    before.page.get_by_label("Language").select_option("de")
    expect(before.page.locator("html")).to_have_attribute("lang", "de")
    before.button("Lampenlicht").click()
    before.page.emulate_media(color_scheme="dark", reduced_motion="no-preference")
    before.goto(table.path)
    before.until(lambda told: told.on_turn)
    porch.leave(before)

    me = visit(locale="en-IE").goto("/")
    me.until(lambda told: "lobby" in told.last)

    assert me is before
    assert me.told.last["lobby"]["mine"] == []
    page = me.page.locator("html")
    for attribute, value in (("lang", "en"), ("data-theme", "paper"), ("data-motion", "reduced")):
        expect(page).to_have_attribute(attribute, value)


def test_a_browser_that_was_prepared_or_failed_is_not_used_again(house: House, porch: Porch) -> None:
    prepared, failed = (porch.come(house.address, locale="en-IE") for _ in range(2))
    prepared.prepare("window.prepared = true")
    failed.faults.append("something")
    porch.leave(prepared)
    porch.leave(failed)

    following = [porch.come(house.address, locale="en-IE") for _ in range(2)]
    assert not {prepared, failed} & {*following}
    for visitor in following:
        porch.leave(visitor)
    failed.faults.clear()
