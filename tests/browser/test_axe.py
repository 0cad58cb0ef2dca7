"""No fault that axe can find, on any page or table state; soak looks at every language, light and width."""

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.measures import axe
from tests.browser.states import State, states


@pytest.mark.parametrize("state", states(), ids=lambda state: state.name)
def test_axe_finds_nothing(state: State, house: House, visit: Visit) -> None:
    me = state.reach(house, visit)
    me.quiet()

    assert axe(me.page) == []


def test_axe_would_find_something(visit: Visit) -> None:
    me = visit().goto("/about")
    me.sees("About Whodunit")
    me.page.evaluate("() => { document.querySelector('main').append(document.createElement('button')) }")

    assert any(fault.startswith("button-name") for fault in axe(me.page))
