"""Somebody who plays Crime Hotel in a browser: reads what is on offer, and presses what the page shows for it."""

import re
from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hands, Mouse
from tests.browser.visitor import Visitor
from whodunit import games

WORDS: Final = games.texts("crime_hotel")


def term(word: object) -> str:
    return WORDS[f"term.{word}"]


class Guest:
    """A visitor at a table of Crime Hotel."""

    def __init__(self, visitor: Visitor, hands: Hands | None = None) -> None:
        self.visitor = visitor
        self.hands: Hands = hands or Mouse()

    @property
    def hand(self) -> list[int]:
        view = self.visitor.told.table["view"]
        found: list[int] = view["hands"][self.visitor.told.room["me"]]
        return found

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.hands.press(self.visitor.button(name, within).first)

    def may(self, action: str) -> None:
        """Wait until this is on offer, and put away what lies open before me alone."""
        self.visitor.until(lambda told: told.on_turn and action in self.visitor.offered, f"may {action}")
        expect(self.visitor.page.locator("section.now.lit")).to_be_visible()
        if self.visitor.page.locator("section.seen").is_visible():
            self.put_away()

    def choices(self, action: str, field: str) -> list[Any]:
        found: list[Any] = self.visitor.offered[action]["choices"][field]["of"]
        return found

    def play(self, card: int | None = None) -> int:
        """Play a card, the first that may be played if none is named; nothing happens before the button is pressed."""
        self.may("Play")
        card = card or self.choices("Play", "card")[0]
        self.press(re.compile(f"^{card}, "), self.visitor.now)
        self._go(re.compile(f"^Play {card}"))
        return card

    def guess(self, place: str) -> None:
        self.may("Guess")
        self.hands.press(self.visitor.page.locator(f"[data-place='{place}']"))
        self._go(f"Guess {term(place)}")

    def department(self, name: str) -> None:
        """Choose a department at the station: above NOW on a phone, beside it else."""
        self.hands.press(self.visitor.page.locator("button.row:visible").filter(has_text=term(name)))

    def exchange(self, partner: str, cards: Sequence[int]) -> None:
        self.may("Exchange")
        self.department("EXCHANGE")
        for card in cards:
            self.press(re.compile(f"^{card}, "), self.visitor.now)
        self.press(re.compile(f"^{partner}"), self.visitor.now)
        self._go(re.compile(f"^Exchange .* with {partner}"))

    def look(self, target: str) -> None:
        self.may("Look")
        self.department("LOOK")
        self.press(re.compile(f"^{target}"), self.visitor.now)
        self._go(f"Look into the hand of {target}")

    def lay(self) -> None:
        self.may("LayLast")
        self._go(re.compile("^Lay .* open"))

    def put_away(self) -> None:
        self.press("Put it away")

    def _go(self, name: str | re.Pattern[str]) -> None:
        seq = self.visitor.told.seq
        self.press(name, self.visitor.now)
        self.visitor.until(lambda told: told.seq > seq, "it")
