"""Alone among bots: on to my next decision, and in short what was passed over; the envelope opens card by card."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.browser.clue import FOUR, SIX, Detective, envelope
from tests.browser.house import House, loaded
from tests.browser.measures import axe
from tests.browser.porch import Porch
from tests.browser.visitor import Visitor
from tests.games.clue.staging import stack

ON = "On to your next decision"
PASSED = "What you passed over"
MOST = 60
NOTE = """() => {
    window.noted = new Set()
    new MutationObserver(() => {
        const now = document.querySelector('#now-headline')?.textContent
        if (now) window.noted.add(`${now} ${document.documentElement.dataset.motion}`)
        if (document.querySelector('.unread')) window.noted.add('sealed')
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
}"""
"""Keep what NOW says and how much may move, however short a while."""


@pytest.fixture
def slow(own_port: int) -> Iterator[House]:
    """A house in which bots take their time, as they do for people."""
    with House(haste=1.0, port=own_port) as house:
        house.draws = loaded({**stack(FOUR), **SIX})
        yield house


def sit(house: House, porch: Porch, **look: object) -> Visitor:
    table = house.lay(["Ada"], ["rookie"] * 3, pace="brisk", options={"dice_count": 2, "starter": 0})
    me = porch.come(house.address, table.cookies[0], reduced_motion="no-preference", **look).goto(table.path)
    me.until(lambda told: told.on_turn, "my turn")
    me.page.evaluate(f"({NOTE})()")
    return me


def noted(me: Visitor) -> set[str]:
    return set(me.page.evaluate("() => [...window.noted]"))


def test_a_button_the_space_bar_or_a_tap_brings_me_to_my_next_decision(slow: House, porch: Porch) -> None:
    me = sit(slow, porch)
    player, digest = Detective(me), me.page.get_by_role("dialog", name=PASSED)
    ways: list[Callable[[], None]] = [
        lambda: me.button(ON).click(timeout=400),
        lambda: me.page.keyboard.press("Space"),
        lambda: me.page.locator(".board").click(position={"x": 5, "y": 5}, timeout=400),
    ]
    for _, way in zip(range(MOST), cycle(ways), strict=False):
        if digest.is_visible():
            break
        if me.told.on_turn:
            player.step()
        player.put_back()
        if me.button(ON).is_visible():
            way()
            me.until(lambda told: told.on_turn or told.over, "my decision")
            me.page.wait_for_timeout(100)
    expect(digest).to_be_visible()
    # While I hurried nothing moved; before and after it does.
    assert f"{ON} reduced" in noted(me)
    expect(me.page.locator("html")).to_have_attribute("data-motion", "brisk")
    assert axe(me.page) == []
    told = digest.get_by_role("listitem").first.inner_text()
    assert "suggest" in told
    me.button("To the table", digest).click()
    expect(digest).to_have_count(0)
    assert told.split(":")[0] in me.page.locator("section.log").inner_text()
    porch.leave(me)


def test_the_header_says_who_is_asked(slow: House, porch: Porch) -> None:
    me = sit(slow, porch)
    player = Detective(me)
    while "Suggest" not in me.offered:
        player.step()
    me.page.evaluate(
        """() => new MutationObserver(() => window.noted.add(document.title))
            .observe(document.querySelector('title'), { childList: true })"""
    )
    player.step(suspect="Mustard", weapon="Wrench")
    me.until(lambda told: told.table["view"]["phase"]["type"] != "Answering", "the answer")
    me.quiet()
    assert [title for title in noted(me) if " is asked" in title], noted(me)
    porch.leave(me)


def test_the_envelope_opens_before_my_eyes_once(slow: House, porch: Porch) -> None:
    me = sit(slow, porch)
    Detective(me).accuse(envelope(FOUR))
    me.page.keyboard.press("Escape")
    sentence = me.page.get_by_text("It was Mrs. White with the Rope in the Study")
    expect(sentence.first).to_be_visible()
    assert "sealed" in noted(me)

    me.page.reload()
    expect(sentence.first).to_be_visible()
    expect(me.page.locator(".inside")).to_have_count(0)
    porch.leave(me)
