"""Whatever goes wrong on a page fails the test, unless it was declared; and nothing does while things move."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.visitor import Visitor
from tests.browser.wander import Wanderer, shown

PRESSES = 60


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        (lambda me: me.page.evaluate("() => console.warn('careful')"), "console warning: careful"),
        (lambda me: me.page.evaluate("() => console.error('oh')"), "console error: oh"),
        (lambda me: me.page.evaluate("() => void setTimeout(() => { throw new Error('lost') })"), "page error: .*lost"),
        (lambda me: me.page.evaluate("() => fetch('/nowhere/at/all.json')"), "404: .*/nowhere/at/all.json"),
        (
            lambda me: me.page.evaluate("() => fetch('http://127.0.0.1:9/').catch(() => 0)"),
            "failed request|Refused|violates",
        ),
        (
            lambda me: me.page.evaluate("() => void open('/tests/blank').console.warn('aside')"),
            "console warning: aside",
        ),
    ],
    ids=["warning", "error", "throws", "missing", "refused", "another page"],
)
def test_it_is_a_fault(does: Callable[[Visitor], object], fault: str, visit: Visit) -> None:
    me = visit().goto("/")
    does(me)
    me.until(lambda _: me.wrong, fault)

    me.allow(fault)
    me.allow("Failed to load resource|ERR_|9/|about:blank")
    assert me.faults
    assert me.wrong == []


@pytest.mark.parametrize("game", sorted(shown()))
def test_nothing_goes_wrong_on_a_phone_where_things_move(game: str, house: House, visit: Visit) -> None:
    options = {"tower": "surrogate"} if game == "arosa" else {}
    table = house.lay(["Ada"], ["rookie"] * 2, game=game, options=options, pace="brisk")
    me = visit(table.cookies[0], phone=True, reduced_motion="no-preference").goto(table.path)
    me.until(lambda told: "table" in told.last, "the table")
    wanderer = Wanderer(me, 3, avoid={"Take back"})
    for _ in range(PRESSES):
        if me.told.over:
            break
        wanderer.give_way()
        wanderer.press()
