"""Somebody who plays Clue in a browser: reads what is on offer, and presses what the page shows for it."""

import re
from collections import deque
from collections.abc import Collection
from functools import cache
from typing import Any, Final

from playwright.sync_api import Locator

from tests.browser.hands import Hands, Mouse
from tests.browser.visitor import WAITS, Visitor
from tests.games.clue.staging import Deal, deal_of
from whodunit import games
from whodunit.games.clue.facts import DOOR_SQUARES, NEIGHBOURS, Place, Room, Square
from whodunit.games.clue.model import Trio

WORDS: Final = games.texts("clue")
SIX: Final = {"die 1": 5, "die 2": 5}
"""Every throw a six."""
FOUR: Final = deal_of(
    "White Rope Study",
    ["Scarlet Knife Hall Lounge", "Mustard Wrench Library Kitchen", "Green LeadPipe", "Peacock Candlestick"],
)
"""Ada and Benno hold what bots like to ask for; the Rope, Mrs. White and the Study are nobody's."""


def term(word: str) -> str:
    return WORDS[f"term.{word}"]


class Detective:
    """A visitor at a table of Clue."""

    def __init__(self, visitor: Visitor, hands: Hands | None = None, *, phone: bool = False) -> None:
        self.visitor = visitor
        self.hands: Hands = hands or Mouse()
        self.phone = phone
        """Where the board shows in part, squares are taken from the list."""

    @property
    def on_turn(self) -> bool:
        return self.visitor.told.on_turn

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.visitor.told.table["view"]
        return found

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.hands.press(self.visitor.button(name, within).first)

    def choices(self, action: str, field: str) -> list[Any]:
        found: list[Any] = self.visitor.offered[action]["choices"][field]["of"]
        return found

    # --- One thing at a time ---

    def step(self, *, suspect: str = "White", weapon: str = "Rope", towards: Room = "Lounge") -> None:
        """Do the next thing of my turn, or give the answer I am asked for; then wait until the table has moved on."""
        self.visitor.until(lambda told: told.on_turn, "my turn")
        seq, offered = self.visitor.told.seq, self.visitor.offered
        if "CannotShow" in offered or ("Show" in offered and len(self.choices("Show", "card")) == 1):
            self.give()
        elif "Show" in offered:
            self.show(self.choices("Show", "card")[-1])
        else:
            self.put_back()
            self._move(offered, suspect, weapon, towards)
        self.visitor.until(lambda told: told.seq > seq, f"anything after {[*offered]}")

    def _move(self, offered: Collection[str], suspect: str, weapon: str, towards: Room) -> None:
        if "Suggest" in offered:
            self.suggest(suspect, weapon)
        elif "Move" in offered:
            self.walk(towards)
        elif "TakePassage" in offered:
            self.press("Take the secret passage")
        elif "Roll" in offered:
            self.press(re.compile("^Throw the di(e|ce)$"))
        elif "NoMove" in offered:
            self.press("Stay where I am")
        elif "LookAside" in offered:
            self.press(re.compile("^Side card"))
        else:
            self.press("End my turn")

    def put_back(self) -> None:
        """Put a card back that lies open before me."""
        back = self.visitor.button("Put it back")
        if back.is_visible():
            self.hands.press(back)

    def show(self, card: str) -> None:
        self.press(
            re.compile(rf"^{re.escape(term(card))}\b"), self.visitor.page.get_by_role("region", name="Which card")
        )

    def give(self) -> None:
        """Give the only answer there is, where the table waits for it; elsewhere the house does."""
        if self.visitor.told.room["pace"] in WAITS:
            self.press(re.compile("^(Show .* to |I have none of them$)"), self.visitor.now)

    def suggest(self, suspect: str, weapon: str) -> None:
        if not self.chooser("Your suggestion").is_visible():
            self.press("Make a suggestion")
        self.pick("Your suggestion", suspect, weapon)
        self.press("Suggest this")

    def accuse(self, trio: Trio) -> None:
        """Accuse, with the question whether it is meant."""
        seq = self.visitor.told.seq
        self.put_back()
        self.press(WORDS["action.Accuse.open"])
        self.pick("Your accusation", *trio.cards)
        self.press("Accuse")
        self.press(f"Yes, I accuse {term(trio.suspect)}")
        self.visitor.until(lambda told: told.seq > seq, "the accusation")

    def chooser(self, title: str) -> Locator:
        return self.visitor.page.get_by_role("region", name=title)

    def pick(self, title: str, *cards: str) -> None:
        for card in cards:
            self.press(re.compile(rf"^{re.escape(term(card))}( |$)"), self.chooser(title))

    def walk(self, towards: Room) -> None:
        goals: list[Place] = self.choices("Move", "to")
        goal = min(goals, key=lambda goal: (towards != goal, not isinstance(goal, str), distance(goal, towards)))
        if isinstance(goal, str):
            self.press(f"Enter {WORDS[f'form.into.{goal}']}", self.visitor.now)
        elif self.phone:
            self.press("Squares as a list")
            rooms = [goal for goal in goals if isinstance(goal, str)]
            squares = [goal for goal in goals if not isinstance(goal, str)]
            listed = self.visitor.page.get_by_role("dialog").get_by_role("listitem").get_by_role("button")
            self.hands.press(listed.nth(len(rooms) + squares.index(goal)))
        else:
            lit = self.visitor.page.get_by_role("group", name="Where you may walk").get_by_role("button")
            self.hands.press(lit.nth(goals.index(goal)))


@cache
def _distances(room: Room) -> dict[Square, int]:
    found = dict.fromkeys(DOOR_SQUARES[room], 0)
    todo = deque(found)
    while todo:
        square = todo.popleft()
        for near in NEIGHBOURS[square]:
            if near not in found:
                found[near] = found[square] + 1
                todo.append(near)
    return found


def distance(place: Place, room: Room) -> int:
    """Return how far it is to a door of the room, over an empty board."""
    return 0 if isinstance(place, str) else _distances(room)[place]


def envelope(deal: Deal) -> Trio:
    return deal.envelope
