"""Somebody who plays by ear: finds everything by its role and name, and hears what a screen reader would say by itself.

That is what comes into live regions, and the name of whatever gets the focus. Nothing is found by selector or test id.
"""

import re
import time
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

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
    const RUDE = '[aria-live="assertive"], [role="alert"]'
    const say = (how, text) => text?.trim() && window.said.push([how, text.trim().replace(/\\s+/g, ' ')])
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
            const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE)
            if (!region) continue
            const how = region.matches(RUDE) ? 'cuts in' : 'waits'
            for (const node of type === 'childList' ? addedNodes : [target]) say(how, node.textContent)
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    const words = (node) => {
        const copy = node.cloneNode(true)
        for (const silent of copy.querySelectorAll?.('[aria-hidden="true"]') ?? []) silent.remove()
        return copy.textContent
    }
    const name = (node) => {
        const labels = node.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id))
        const by = labels ?? [...(node.labels ?? [])]
        return node.ariaLabel ?? (by.length ? by.map((label) => label && words(label)).join(' ') : words(node))
    }
    document.addEventListener('focusin', ({ target }) => say('moves', name(target)))
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, how) {
        if ((how?.duration ?? how) > 1) window.moved.push(`${this.tagName}.${this.className}`)
        return animate.call(this, frames, how)
    }
}"""
"""Collects what is said and how, and what moves though this visitor wants nothing to move."""


class Saying(NamedTuple):
    """Something that a reader says by itself."""

    how: Literal["waits", "cuts in", "moves"]
    """It waits for what is being said, cuts it off, or comes with the focus, which cuts it off as well."""
    words: str


FARTHEST: Final = 60


class Listener:
    """A visitor who does not look."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.moving: list[str] = []
        self._since = 0

    def opens(self, path: str) -> None:
        """Come to a page, and listen from now on."""
        self.visitor.goto(path)
        self.page.get_by_role("main").wait_for()
        self.page.evaluate(SAID)

    # --- Hearing and reading ---

    def everything(self) -> list[Saying]:
        """Return all that was said on this page, and how."""
        return [Saying(*each) for each in self.page.evaluate("() => window.said")]

    def said(self) -> list[str]:
        """Return what has been said since the last deed."""
        return [words for _, words in self.everything()[self._since :]]

    def drowned(self) -> list[str]:
        """Return what has cut off something said since the last deed: whoever listens slowly has missed that."""
        after = self.everything()[self._since :]
        first = next((place for place, (how, _) in enumerate(after) if how == "waits"), len(after))
        return [words for how, words in after[first:] if how != "waits"]

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

    def names(self, role: str, within: Locator) -> list[str]:
        """Return what everything of this role is called there."""
        return re.findall(rf'- {role} "([^"]+)"', within.aria_snapshot())

    # --- Doing: everything by keys, on what has been found ---

    def press(self, name: Words, within: Locator | None = None, role: str = "button", key: str = "Enter") -> None:
        self.moving += [*self.page.evaluate("() => window.moved.splice(0)"), *moving(self.page)]
        target = self.finds(role, name, within)
        self.waits()
        target.press(key)

    def types(self, key: str) -> None:
        """Press a key wherever the focus is."""
        self.waits()
        self.page.keyboard.press(key)

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
        self.opens("/")
        self.press("Play with friends", self.finds("article", texts["name"]))
        dialog = self.finds("dialog", re.compile(texts["name"]))
        self.finds("textbox", "Your name", dialog).fill("Ada")
        self.finds("combobox", "Seats", dialog).select_option(str(1 + len(guests)))
        self._unfolds("Pace")
        self.finds("radio", re.compile("unhurried"), dialog).press(" ")
        self.chooses(dialog, game, options)
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

    def chooses(self, dialog: Locator, game: str, options: Mapping[str, object]) -> None:
        """Choose variants where a table is made."""
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
