"""No fault that axe can find, on any page; soak looks at every state of a table in every language, light and width."""

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.measures import axe
from tests.browser.states import State, states

TWINS = {
    *("clock-low", "clock-days", "pause-asked", "paused", "forget", "stand-in", "no-line"),
    *("alibi-first-case", "hotel-first-case", "arosa-first-case"),
    *("rules-alibi", "rules-hotel", "rules-arosa", "passage", "squares", "sure", "wait", "wrong", "out", "paper"),
    *("alibi-seen", "alibi-change", "alibi-last", "alibi-show", "alibi-players", "alibi-treachery"),
    *("hotel-seen", "hotel-list", "hotel-relocate", "hotel-found", "hotel-wait"),
    *("hotel-beginner", "hotel-past", "hotel-why"),
    *("arosa-wait", "arosa-take-back", "arosa-order", "arosa-past", "arosa-spectator"),
}
"""What is made of the same parts as a state that is looked at here; soak looks at these too."""


@pytest.mark.parametrize(
    "state", [state for state in states() if state.name not in TWINS], ids=lambda state: state.name
)
def test_axe_finds_nothing(state: State, house: House, visit: Visit) -> None:
    me = state.reach(house, visit)
    me.quiet(60)

    assert axe(me.page) == []


def test_twins_are_states() -> None:
    assert {state.name for state in states()} >= TWINS


def test_axe_would_find_something(visit: Visit) -> None:
    me = visit().goto("/about")
    me.sees("About Whodunit")
    me.page.evaluate("() => { document.querySelector('main').append(document.createElement('button')) }")

    assert any(fault.startswith("button-name") for fault in axe(me.page))
