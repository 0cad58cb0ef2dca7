"""The site as something one installs: its manifest and icons, and what it says when there is no way to it."""

import base64
import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Error, expect

from tests.browser.clue import SIX
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.browser.icons import ICONS, PUBLIC, drawn
from tests.browser.measures import axe, cut_texts, sideways
from tests.browser.porch import arrive
from tests.browser.visitor import Visitor
from whodunit.games.clue.model import Roll

KEPT: Final = ["/favicon.svg", "/offline.css", "/offline.html", "/offline.js"]
CACHED: Final = """async () => {
    const found = []
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys())
        found.push(new URL(url).pathname)
    return found.sort()
}"""
PICTURES: Final = """async (files) => {
    const drawn = async (file) => {
        const image = new Image()
        image.src = file
        await image.decode()
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
        const context = canvas.getContext('2d')
        context.drawImage(image, 0, 0)
        return context.getImageData(0, 0, canvas.width, canvas.height)
    }
    const [one, other] = await Promise.all(files.map(drawn))
    const { width, height, data } = one
    let [apart, clear, far] = [0, 0, 0]
    for (let at = 0; at < data.length; at += 4) {
        const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)]
        const off = (place) => data[at + place] !== data[place]
        for (const place of [0, 1, 2, 3]) apart += Math.abs(data[at + place] - other.data[at + place])
        clear += data[at + 3] < 255
        far += Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) > 0.4 * width && [0, 1, 2].some(off)
    }
    return { sizes: [width, height, other.width, other.height], apart: apart / data.length, clear, far }
}"""
"""How far two pictures are apart by mean; of the first, what shines through, and what differs from its corner outside
the circle that every device shows."""
NO_WAY: Final = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_NETWORK|socket|WebSocket"


@pytest.fixture
def guest(house: House, browser: Browser) -> Iterator[Visitor]:
    """Somebody whose browser lets the site help when it cannot be reached."""
    visitor = arrive(browser, house.address, service_workers="allow")
    yield visitor
    visitor.context.close()


def helped(visitor: Visitor) -> None:
    """Wait until the page has its helper."""
    visitor.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")


def compared(me: Visitor, browser: Browser, name: str) -> dict[str, Any]:
    """Compare an icon with what it is drawn from."""
    files = [(PUBLIC / name).read_bytes(), drawn(browser, ICONS[name])]
    urls = [f"data:image/png;base64,{base64.b64encode(file).decode()}" for file in files]
    found: dict[str, Any] = me.goto("/about").page.evaluate(PICTURES, urls)
    return found


# --- Manifest and icons ---


def test_a_browser_finds_nothing_against_installing_it(guest: Visitor) -> None:
    guest.goto("/")
    helped(guest)
    browser = guest.context.new_cdp_session(guest.page)

    manifest = browser.send("Page.getAppManifest")
    against = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]

    assert manifest["errors"] == []
    # A browser of a test keeps nothing, and so installs nothing.
    assert [error["errorId"] for error in against if error["errorId"] != "in-incognito"] == []


def test_the_icons_are_as_large_as_the_manifest_says(visit: Visit) -> None:
    me = visit().goto("/")
    named = json.loads((PUBLIC / "manifest.webmanifest").read_text("utf-8"))["icons"]
    assert {"any", "maskable"} == {icon["purpose"] for icon in named}
    for icon in named:
        size = me.page.evaluate(
            """async (src) => {
                const image = new Image()
                image.src = src
                await image.decode()
                return `${image.naturalWidth}x${image.naturalHeight}`
            }""",
            icon["src"],
        )
        assert icon["sizes"] in {"any", size}, icon["src"]


@pytest.mark.parametrize("name", ICONS)
def test_the_icon_is_drawn_from_the_sign(name: str, browser: Browser, visit: Visit) -> None:
    found = compared(visit(), browser, name)

    assert found["sizes"] == [ICONS[name].size] * 4
    assert found["apart"] < 1, "draw them anew: python -m tests.browser.icons"
    if ICONS[name].sign is not None:
        assert found["clear"] == 0, "whatever shape a device cuts out of it, nothing shines through"
    if "maskable" in name:
        assert found["far"] == 0, "every device shows the whole sign"


# --- Without a way to the house ---


def test_a_device_without_a_line_is_told_so_and_comes_back_by_itself(house: House, guest: Visitor) -> None:
    house.draws = loaded(SIX)
    table = house.lay(["Ada"], ["rookie"], script=[Step(0, Roll())])
    guest.come(table.cookies[0])
    guest.goto("/")
    helped(guest)
    guest.goto(table.path)
    expect(guest.now).to_contain_text("6")
    assert guest.page.evaluate(CACHED) == KEPT, "nothing of a game is kept"

    guest.allow(NO_WAY)
    guest.context.set_offline(True)
    guest.goto(table.path)
    guest.sees("This device has no connection")
    expect(guest.page).to_have_title("This device has no connection - Whodunit")
    expect(guest.page.get_by_role("link", name="Try again now")).to_be_visible()
    assert axe(guest.page) == []

    guest.context.set_offline(False)
    expect(guest.now).to_contain_text("6")
    assert guest.page.evaluate(CACHED) == KEPT


def test_when_the_house_is_gone_its_guests_are_told_so_in_their_language(browser: Browser) -> None:
    with House() as house:
        guest = arrive(
            browser, house.address, service_workers="allow", locale="nb-NO", color_scheme="dark", phone=True
        ).goto("/")
        helped(guest)
    guest.allow(NO_WAY)
    guest.goto("/t/anything")

    guest.sees("Huset svarer ikke")
    expect(guest.page.locator("html")).to_have_attribute("lang", "nb")
    assert sideways(guest.page) == ""
    assert cut_texts(guest.page) == axe(guest.page) == []
    guest.context.close()


def test_a_case_is_saved_whole_or_not_at_all(guest: Visitor) -> None:
    """What is saved as a file is never the page that says what is wrong."""
    guest.goto("/")
    helped(guest)
    guest.allow(NO_WAY)
    guest.context.set_offline(True)

    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        guest.goto("/t/anything/case")
