"""No fault that axe can find, and no tiny word, on any page, each in another language and light; soak sees them all."""

from itertools import cycle, product

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.measures import AT_ONCE, axe, small_letters
from tests.browser.shots import LIGHTS
from tests.browser.states import State, states, twins
from tests.browser.visitor import Visitor
from whodunit import games

LOOKS = list(product(LIGHTS, games.LANGUAGES))
TWINS = twins()


@pytest.mark.parametrize(
    ("state", "light", "language"),
    [
        pytest.param(state, *look, id="-".join((state.name, *look)))
        for state, look in zip((state for state in states() if state.name not in TWINS), cycle(LOOKS), strict=False)
    ],
)
def test_axe_finds_nothing(state: State, light: str, language: str, house: House, visit: Visit) -> None:
    def come(cookie: str | None = None) -> Visitor:
        return visit(cookie, **({} if language == "en" else {"locale": language}))

    me = state.reach(house, come)
    me.page.evaluate(AT_ONCE)
    me.page.emulate_media(color_scheme=LIGHTS[light])
    expect(me.page.locator("html")).to_have_attribute("data-theme", light)
    me.quiet(60)

    assert axe(me.page) + small_letters(me.page) == []


def test_twins_are_states() -> None:
    assert {state.name for state in states()} >= TWINS


def test_axe_would_find_something(visit: Visit) -> None:
    me = visit().goto("/about")
    me.sees("About Whodunit")
    me.page.evaluate("() => { document.querySelector('main').append(document.createElement('button')) }")

    assert any(fault.startswith("button-name") for fault in axe(me.page))
