"""Somebody who plays by ear: finds everything by its role and name, and hears what a screen reader would say by itself.

That is what comes into live regions, and the name of whatever gets the focus. Nothing is found by selector or test id.
"""

import re
import time
from collections.abc import Mapping
from typing import Final

from playwright.sync_api import Locator

from tests.browser.house import House
from tests.browser.measures import moving
from tests.browser.visitor import PATIENCE_S, Visitor
from whodunit import games

Words = str | re.Pattern[str]

SAID: Final = """() => {
    window.said = []
    window.moved = []
    const LIVE = '[aria-live="polite"], [aria-live="assertive"], [role="alert"], [role="status"], [role="log"]'
    const say = (text) => text.trim() && window.said.push(text.trim().replace(/\\s+/g, ' '))
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
            const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE)
            if (!region) continue
            for (const node of type === 'childList' ? addedNodes : [target]) say(node.textContent)
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    const name = (node) => node.ariaLabel ?? (node.labels?.length ? node.labels[0].textContent : node.textContent)
    document.addEventListener('focusin', ({ target }) => say(name(target)))
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, how) {
        if ((how?.duration ?? how) > 1) window.moved.push(`${this.tagName}.${this.className}`)
        return animate.call(this, frames, how)
    }
}"""
"""Collects what is said, and what moves though this visitor wants nothing to move."""
FARTHEST: Final = 60


class Listener:
    """A visitor who does not look."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.moving: list[str] = []
        self._since = 0

    # --- Hearing and reading ---

    def said(self) -> list[str]:
        """Return what has been said since the last deed."""
        found: list[str] = self.page.evaluate("() => window.said")
        return found[self._since :]

    def hears(self, words: Words) -> str:
        """Wait until something like this is said by itself, and return it."""
        pattern = re.compile(re.escape(words)) if isinstance(words, str) else words
        end = time.monotonic() + PATIENCE_S
        while not (found := [line for line in self.said() if pattern.search(line)]):
            assert time.monotonic() < end, f"nobody says {pattern.pattern!r}, only {self.said()}"
            self.page.wait_for_timeout(20)
        return found[-1]

    def finds(self, role: str, name: Words, within: Locator | None = None) -> Locator:
        """Return the one thing of this role that is called so."""
        found = (within or self.page).get_by_role(role, name=name, exact=isinstance(name, str))  # type: ignore[arg-type]
        found.first.wait_for(state="attached")
        assert found.count() == 1, f"{found.count()} things are a {role} called {name}"
        return found

    def reads(self, role: str, name: Words) -> str:
        """Return what a reader reads out of a part of the page."""
        return self.finds(role, name).aria_snapshot()

    def items(self, role: str, name: Words) -> list[str]:
        """Return a list's entries as they are read out."""
        lines = (line.strip() for line in self.reads(role, name).splitlines())
        return [line.partition("listitem: ")[2].strip('"') for line in lines if line.startswith("- listitem: ")]

    # --- Doing: everything by keys, on what has been found ---

    def press(self, name: Words, within: Locator | None = None, role: str = "button") -> None:
        self.moving += [*self.page.evaluate("() => window.moved.splice(0)"), *moving(self.page)]
        target = self.finds(role, name, within)
        self._since += len(self.said())
        target.press("Enter")

    def goes_to(self, words: str) -> None:
        """Go on by Tab until this is said."""
        for _ in range(FARTHEST):
            self._since += len(self.said())
            self.page.keyboard.press("Tab")
            if any(line.startswith(words) for line in self.said()):
                return
        raise AssertionError(f"Tab never comes to {words!r}")

    def waits(self) -> None:
        """Listen to what others do from now on."""
        self._since += len(self.said())

    # --- From the front page to a table ---

    def lays(self, house: House, game: str, guests: list[str], options: Mapping[str, object]) -> str:
        """Lay a table for friends, let them sit down, begin, and return the table's id."""
        texts = games.texts(game)
        self.visitor.goto("/")
        self.page.get_by_role("main").wait_for()
        self.page.evaluate(SAID)
        self.press("Play with friends", self.finds("article", texts["name"]))
        dialog = self.finds("dialog", re.compile(texts["name"]))
        self.finds("textbox", "Your name", dialog).fill("Ada")
        self.finds("combobox", "Seats", dialog).select_option(str(1 + len(guests)))
        self._unfolds("Pace")
        self.finds("radio", re.compile("unhurried"), dialog).press(" ")
        self._chooses(dialog, game, options)
        self.press("Make the table", dialog)
        self.hears("Call your friends")
        id = self.visitor.page.url.rpartition("/")[2]
        for seat, name in enumerate(guests, 1):
            self.waits()
            house.sit(id, seat, name)
            self.hears(f"{name} sat down.")
        self.press("Start")
        return id

    def _unfolds(self, fold: str) -> None:
        self.goes_to(fold)
        self.page.keyboard.press("Enter")

    def _chooses(self, dialog: Locator, game: str, options: Mapping[str, object]) -> None:
        texts, described = games.texts(game), games.get(game).INFO.describe(people=True)
        for fold, variant in (("Variants", True), ("House rules", False)):
            wanted = [option for option in described if option.variant is variant and option.name in options]
            if not wanted:
                continue
            self._unfolds(fold)
            for option in wanted:
                value = options[option.name]
                name = texts[f"option.{option.name}"]
                if option.kind == "choice":
                    self.finds("combobox", name, dialog).select_option(label=str(value))
                elif option.optional:
                    self.press(name, dialog)
                    self.finds("spinbutton", name, dialog).fill(str(value))
                else:
                    self.finds("spinbutton", name, dialog).fill(str(value))
