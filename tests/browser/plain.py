"""Plays any game on the plain table by its controls alone, as somebody does who presses what can be pressed."""

import time
from random import Random
from typing import Final

from playwright.sync_api import Locator, Page

from tests.browser.hands import Hands, Mouse

PATIENCE_S: Final = 120.0
LOOK_MS: Final = 30
GUESSES: Final = 0.15
"""How often a guess is made where it can be left alone: questions and answers come before it."""


def is_over(page: Page) -> bool:
    """Say whether the page shows the end."""
    return page.locator("#verdict").count() > 0


def play_to_the_end(page: Page, seed: int = 1, hands: Hands | None = None) -> int:
    """Play until the case is closed, and return how many things were done."""
    chance, done, end = Random(f"{seed}"), 0, time.monotonic() + PATIENCE_S  # noqa: S311  (play)
    while not is_over(page):
        assert time.monotonic() < end, f"the game never ends; {done} things were done"
        done += step(page, chance, hands)
        page.wait_for_timeout(LOOK_MS)
    return done


def step(page: Page, chance: Random, hands: Hands | None = None) -> bool:
    """Do one of the things that are on offer, if any is; False while there is nothing to do."""
    hands = hands or Mouse()
    buttons = page.locator("section.now.lit .buttons").locator(".button:not([aria-busy])")
    found = [buttons.nth(place) for place in range(buttons.count())]
    guesses = [button for button in found if _wax(button)]
    if not found or is_over(page):
        return False
    if guesses and (len(guesses) == len(found) or chance.random() < GUESSES):
        turn_to(page, chance.choice(guesses), hands)
    choose(page, chance, hands)
    press(page, hands)
    return True


def turn_to(page: Page, way: Locator, hands: Hands | None = None) -> None:
    """Open what is to be chosen for this way, unless it lies there already."""
    if _wax(way) == "wax":
        (hands or Mouse()).press(way)
        page.wait_for_timeout(LOOK_MS)


def choose(page: Page, chance: Random, hands: Hands | None = None) -> None:
    """Fill every field of what is composed; an order stays as it is."""
    fields = page.locator("section.choose fieldset:has(.chips)")
    for place in range(fields.count()):
        chips = fields.nth(place).locator(".chips button")
        for number in chance.sample(range(chips.count()), chips.count()):
            chip = chips.nth(number)
            if chip.get_attribute("aria-pressed") == "false" and not chip.get_attribute("aria-disabled"):
                (hands or Mouse()).press(chip)
            if fields.nth(place).get_attribute("data-open") is None:
                break
    lists = page.locator("section.choose select")
    for place in range(lists.count()):
        values = lists.nth(place).locator("option:not([disabled])")
        lists.nth(place).select_option(index=1 + chance.randrange(values.count()))


def press(page: Page, hands: Hands | None = None) -> None:
    """Press the main button, and once more where the page asks whether it is meant."""
    main = page.locator("section.now .buttons > .main > .button:not(:disabled)")
    if main.count() and not page.locator("dialog[open]").count():
        (hands or Mouse()).press(main)
        page.wait_for_timeout(LOOK_MS)
    sure = page.locator("dialog[open] .wax-fill")
    if sure.count():
        (hands or Mouse()).press(sure)


def _wax(button: Locator) -> str:
    """Say whether a button opens or makes a guess."""
    kinds = (button.get_attribute("class") or "").split()
    return next((kind for kind in ("wax", "wax-fill") if kind in kinds), "")
