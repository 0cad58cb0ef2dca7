"""Perfect Alibi staged for browsers, and somebody who plays it there."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from playwright.sync_api import Locator

from tests.browser.hands import Hands, Mouse
from tests.browser.house import House, Step
from tests.browser.visitor import Visitor
from tests.games.perfect_alibi.staging import Deal, deal_of, stack
from whodunit import games
from whodunit.core.rng import Result
from whodunit.games.perfect_alibi.facts import COLOURS, PARTS, Assistant, Card
from whodunit.games.perfect_alibi.model import Announce, Beginning, Options, PickAssistant
from whodunit.games.perfect_alibi.rules import _chips, right_answers

WORDS: Final = games.texts("perfect_alibi")
FOUR: Final = deal_of(
    [
        "Bar-3 Library-6 SunDeck-12",
        "Library-3 Bar-9 Restaurant-6",
        "SunDeck-3 Library-9 Bar-12",
        "Restaurant-3 SunDeck-6 Restaurant-12",
    ],
    missing="SunDeck-9",
    opened="Bar-6 Restaurant-9 Library-12",
)
ROW: Final = ("red clock", "blue clock", "green wheel+", "yellow wheel")
"""Red first: the fourth seat picks first, and the first seat takes the first turn."""
PICKED: Final = ("Priest", "Captain", "Journalist", "Cook")
"""By seat; the Psychiatrist stays beside the board."""


def laid(deal: Deal = FOUR, row: Sequence[str] = ROW) -> dict[str, Result]:
    """Return the draws with which these cards are dealt and these chips turned up."""
    seats = len(deal.hands)
    left = [f"{c.colour} {c.symbol}{'+' if c.arrows else ''}" for c in _chips(COLOURS[:seats], Options())]
    draws: dict[str, Result] = dict(stack(deal))
    for place, chip in enumerate(row, 1):
        draws[f"chip {place}"] = left.index(chip)
        left.remove(chip)
    return draws


def picked(assistants: Sequence[Assistant] = PICKED) -> list[Step]:
    """Let everybody pick, from the last seat down to the first."""
    return [Step(seat, PickAssistant(assistant)) for seat, assistant in reversed([*enumerate(assistants)])]


def asked_on(house: House, id: str, questions: int) -> None:
    """Let people whom no browser plays go on, counting rightly, until so many questions are asked and answered."""
    live, info = house.live(id), games.get("perfect_alibi").INFO
    for _ in range(40 * questions):
        table = live.table
        assert table is not None
        if len(table.state.log) == questions and isinstance(table.state.phase, Beginning):
            return
        (seat,) = table.awaiting
        offer = next(offer for offer in table.offers[seat] if offer.action not in (*info.final, *info.interrupts))
        if offer.action is Announce:
            house.act(id, Step(seat, Announce(right_answers(table.state, table.state.log[-1])[0])))
        elif offer.action in info.answers and offer.count == 1:
            time.sleep(0.005)  # the house gives it
        else:
            house.act(id, Step(seat, offer.at(len(table.state.log) % offer.count)))
    raise AssertionError(f"it never comes to {questions} questions")


def term(word: str) -> str:
    return WORDS[f"term.{word}"]


class Passenger:
    """A visitor at a table of Perfect Alibi: reads what is on offer, and presses what the page shows for it."""

    def __init__(self, visitor: Visitor, hands: Hands | None = None, *, phone: bool = False) -> None:
        self.visitor = visitor
        self.hands: Hands = hands or Mouse()
        self.phone = phone

    @property
    def on_turn(self) -> bool:
        return self.visitor.told.on_turn

    @property
    def view(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.visitor.told.table["view"]
        return found

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.hands.press(self.visitor.button(name, within).first)

    def region(self, name: str) -> Locator:
        return self.visitor.page.get_by_role("region", name=name)

    def moved(self, what: str, seq: int) -> None:
        self.visitor.until(lambda told: told.seq > seq, what)

    def choices(self, action: str, field: str) -> list[Any]:
        found: list[Any] = self.visitor.offered[action]["choices"][field]["of"]
        return found

    # --- One thing at a time; each waits until the table has moved on ---

    def step(self) -> None:
        """Do the next thing of my turn, whatever it is, or give the answer I am asked for."""
        offered = self.visitor.offered
        if "Answer" in offered and len(self.choices("Answer", "number")) > 1:
            self.say(self.choices("Answer", "number")[0])
        elif "Show" in offered and len(self.choices("Show", "card")) > 1:
            self.show(self.choices("Show", "card")[0])
        elif "Answer" in offered or "Show" in offered:
            self.give()
        elif "PickAssistant" in offered:
            self.pick(self.choices("PickAssistant", "assistant")[0])
        elif "TakeReplacement" in offered:
            self.pick(self.choices("TakeReplacement", "assistant")[0])
        elif "ChangeAssistant" in offered:
            self.pick(self.choices("ChangeAssistant", "assistant")[0])
        elif "Ask" in offered:
            self.ask(self.choices("Ask", "elements")[0])
        elif "TakeChip" in offered:
            self.put_back()
            self.take(".")

    def give(self) -> None:
        """Give the only answer there is, where the table waits for it; elsewhere the house does."""
        seq = self.visitor.told.seq
        if self.visitor.told.room["pace"] in ("unhurried", "brisk", "at_once"):
            self.press(re.compile(r"^(Say \d|Show )"), self.visitor.now)
        self.moved("the only answer", seq)

    def pick(self, assistant: Assistant) -> None:
        seq = self.visitor.told.seq
        self.press(re.compile(rf"^{term(assistant)}\b"))
        self.moved(assistant, seq)

    def take(self, chip: str) -> None:
        """Take a chip by its words, such as "Benno times"."""
        seq = self.visitor.told.seq
        self.press(re.compile(chip), self.region(WORDS["ui.chips"]))
        self.moved(chip, seq)

    def ask(self, *elements: str) -> None:
        seq = self.visitor.told.seq
        for element in elements:
            self.press(re.compile(rf"^{element if element.isdigit() else term(element)}\b"), self.visitor.now)
        self.press(re.compile(r"^Ask \w+"), self.visitor.now)
        self.moved("the question", seq)

    def say(self, number: int) -> None:
        seq = self.visitor.told.seq
        self.press(str(number), self.visitor.now)
        self.press(f"Say {number}", self.visitor.now)
        self.moved("the answer", seq)

    def show(self, card: Card) -> None:
        """Show a card: a tap picks it, the button shows it."""
        seq = self.visitor.told.seq
        self.press(re.compile(rf"^{re.escape(term(card))}\b"), self.region(WORDS["ui.asked.which"]))
        self.press(re.compile(rf"^Show .*{re.escape(term(card))}$"), self.visitor.now)
        self.moved("the card", seq)

    def put_back(self) -> None:
        """Put a card back that lies open before me."""
        back = self.visitor.button("Put it back")
        if back.is_visible():
            self.hands.press(back)

    def mark(self, card: Card) -> None:
        location, time = PARTS[card]
        grid = self.visitor.page.get_by_role("grid", name=re.compile("missing alibi"))
        self.press(re.compile(rf"^{term(location)}, {time} o'clock"), grid)

    def slam(self, card: Card) -> None:
        """Slam: the first press opens, the last one means it."""
        seq = self.visitor.told.seq
        self.press("Slam" if self.phone else "Slam…")
        self.mark(card)
        self.press(re.compile("^Slam: "), self.visitor.now)
        self.moved("the slam", seq)
