"""A tour of the house in a browser that is not Chromium, by real clicks on what the page shows.

One text for all browsers. What is on offer is read from the house, since nobody listens in on these browsers' lines;
what is done about it is done on the page, and what comes of it is looked for on the page.
"""

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.browser.clue import SIX
from tests.browser.driven import ELEMENT, Driven, Loudspeaker, Refused
from tests.browser.house import House, loaded
from tests.browser.measures import cut_texts, overlaps, sideways
from tests.browser.visitor import DESK
from tests.games.clue.staging import deal_of, stack
from whodunit import games
from whodunit.core.types import Action

PATIENCE_S: Final = 120.0
"""Others take their time at a table, and these browsers are slow where a machine is busy."""
FOR_ME: Final = 1
WINDOWS: Final = {"wide": DESK, "narrow": {"width": 500, "height": 844}}
"""Neither browser's window can be narrower, but the pages are a phone's there."""
FRAME: Final = 100
"""A window takes less of its width for itself."""
DEAL: Final = deal_of(
    "White Rope Study",
    ["Scarlet Knife Hall", "Plum Candlestick", "Mustard Wrench Library Kitchen", "Green LeadPipe"],
    starter=FOR_ME,
)
"""Whoever sits behind me holds two of what I ask for, and is a bot."""
SEED: Final = b"tour"
ENTER: Final = "\ue007"
PASSING: Final = {"element click intercepted", "element not interactable", "stale element reference"}
"""What may be otherwise in a moment."""
PRESSED: Final = "button, a[href], summary, label, [role=button]"
FIND: Final = """({ css, name, within }) => {
    const said = (node) => {
        const copy = node.cloneNode(true)
        for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
        return copy.textContent
    }
    const label = (node) => node.getAttribute('aria-label') ?? (node.labels?.[0] ? said(node.labels[0]) : said(node))
    const root = within ? document.querySelector(within) : document
    return [...(root?.querySelectorAll(css) ?? [])].find((node) =>
        node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1
            && new RegExp(name).test(label(node).replace(/\\s+/g, ' ').trim())) ?? null
}"""
"""The first that can be seen and is called so."""
WATCH: Final = """() => {
    if (window.faults) return
    const faults = (window.faults = [])
    addEventListener('error', (event) => faults.push(`error: ${event.message ?? event.target?.src}`), true)
    addEventListener('unhandledrejection', ({ reason }) => faults.push(`rejected: ${reason}`))
    addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective}`))
    for (const kind of ['error', 'warn']) {
        const say = console[kind]
        console[kind] = (...words) => (faults.push(`console ${kind}: ${words.join(' ')}`), say.apply(console, words))
    }
}"""
"""Notes what goes wrong from now on; a page that is opened anew has to be watched anew."""
SETTLING: Final = "ResizeObserver loop completed with undelivered notifications"
"""What browsers say when a window was resized and what follows from it is drawn one frame later."""
TABLE: Final = "() => location.pathname.match(/^\\/t\\/([^/]+)/)?.[1]"
TEXT: Final = "() => document.body.innerText.replace(/\\s+/g, ' ')"


class Fault(NamedTuple):
    where: str
    what: str


class Tourist:
    """Somebody with such a browser, who has come to see everything."""

    def __init__(self, house: House, browser: Driven, pictures: Path | None = None) -> None:
        self.house = house
        self.browser = browser
        self.pictures = pictures
        self.faults: list[Fault] = []

    # --- Looking ---

    def until(self, true: Callable[[], Any], what: str) -> Any:
        end = time.monotonic() + PATIENCE_S
        while not (found := true()):
            if time.monotonic() > end:
                self._keep(f"lost-{what}")
                raise AssertionError(f"{self.browser.name}: {what} never comes; {self.says()[:2000]}")
            time.sleep(0.05)
        return found

    def says(self) -> str:
        found: str = self.browser.evaluate(TEXT)
        return found

    def find(self, css: str, name: str | re.Pattern[str] = "", within: str = "") -> str | None:
        """Return what stands for an element, by its name, whole or a pattern of it."""
        pattern = name.pattern if isinstance(name, re.Pattern) else f"^{re.escape(name)}$" if name else ""
        found: dict[str, str] | None = self.browser.evaluate(FIND, {"css": css, "name": pattern, "within": within})
        return found[ELEMENT] if found else None

    def sees(self, words: str | re.Pattern[str]) -> None:
        pattern = words if isinstance(words, re.Pattern) else re.compile(re.escape(words))
        self.until(lambda: pattern.search(self.says()), pattern.pattern)

    def looks(self, name: str) -> None:
        """Look at the page in a wide and in a narrow window: whether it fits, and what went wrong; keep pictures."""
        for size, window in WINDOWS.items():
            self._resize(window)
            time.sleep(0.5)  # what has just changed is outlined for a moment
            for measure in (sideways, cut_texts, overlaps):
                if found := measure(self.browser):
                    self.faults.append(Fault(f"{name} {size}", f"{measure.__name__}: {found}"))
            self._keep(f"{name}-{size}")
        self._resize(DESK)
        wrong: list[str] = self.browser.evaluate("() => window.faults.splice(0)")
        self.faults += [Fault(name, what) for what in wrong if SETTLING not in what]

    def _resize(self, window: Mapping[str, int]) -> None:
        """Make the window so large: a busy machine's may miss that it was told to be."""

        def resized() -> bool:
            self.browser.tell("SetWindowRect", x=0, y=0, **window)
            wide: int = self.browser.evaluate("() => innerWidth")
            return abs(wide - window["width"]) < FRAME

        self.until(resized, f"a window of {window}")

    def _keep(self, name: str) -> None:
        if self.pictures is not None:
            self.pictures.mkdir(parents=True, exist_ok=True)
            kind = self.browser.name.split()[0].lower()
            self.browser.picture(self.pictures / f"{kind}-{re.sub('[^a-z]+', '-', name.lower())}.png")

    # --- Doing ---

    def goes(self, path: str) -> None:
        self.browser.tell("Navigate", url=self.house.address + path)
        self.browser.evaluate(WATCH)

    def press(self, name: str | re.Pattern[str], within: str = "", css: str = PRESSED) -> None:
        """Press something as a mouse does: where something else lies over it, only when that is gone."""
        words = name.pattern if isinstance(name, re.Pattern) else name

        def pressed() -> bool:
            found = self.find(css, name, within)
            if found is None:
                return False
            try:
                self.browser.tell("ElementClick", id=found)
            except Refused as refused:
                if refused.error not in PASSING:
                    raise
                return False
            return True

        self.until(pressed, f"{words or css} to be pressed")

    def writes(self, label: str, text: str) -> None:
        found = self.until(lambda: self.find("input, textarea", label), label)
        self.browser.tell("ElementClear", id=found)
        self.browser.tell("ElementSendKeys", id=found, text=text)

    # --- At a table ---

    @property
    def table(self) -> str:
        """The table at which I sit, by the page's address."""
        found: str = self.until(lambda: self.browser.evaluate(TABLE), "a table")
        return found

    @property
    def seat(self) -> int:
        """Mine: at all these tables I am the last person."""
        chairs = self.house.live(self.table).room.chairs
        return max(seat for seat, chair in enumerate(chairs) if chair.level is None)

    def offered(self) -> Mapping[str, Action]:
        """Return what I may do, and of each kind the first that there is."""
        table = self.house.live(self.table).table
        assert table is not None
        return {offer.action.__name__: offer.at(0) for offer in table.offers[self.seat]}

    def may(self, *kinds: str) -> tuple[str, Any]:
        """Wait until one of these is on offer and the page is done with what went before; return it with an example."""

        def one() -> tuple[str, Action] | None:
            offered = self.offered()
            found = next(((kind, offered[kind]) for kind in kinds if kind in offered), None)
            return found if found and self.find("section.now.lit") else None

        found: tuple[str, Any] = self.until(one, f"may {kinds}")
        return found

    def does(self, what: Callable[[], None]) -> None:
        """Do something, and wait until the table has moved on."""
        seq = self._seq()
        what()
        self.until(lambda: self._seq() > seq, "the table to move on")

    def _seq(self) -> int:
        table = self.house.live(self.table).table
        assert table is not None
        return table.seq


# --- The tour ---


def tour(me: Tourist, speaker: Loudspeaker) -> None:
    """See everything once."""
    me.house.draws = loaded({**stack(DEAL, starter=FOR_ME), **SIX}, SEED)
    front(me)
    join(me)
    clue(me)
    notes(me)
    chat(me)
    reconnect(me)
    end(me)
    review(me)
    me.house.draws = loaded({}, SEED)
    alibi(me)
    hotel(me)
    arosa(me, speaker)


def front(me: Tourist) -> None:
    me.goes("/")
    me.sees("Four doors. Behind each, a murder.")
    me.looks("front")


def join(me: Tourist) -> None:
    """Come by the link of somebody who has laid a table, and sit down."""
    options = {"dice_count": 2, "starter": FOR_ME}
    bots = ["rookie", "rookie"]
    table = me.house.lay(["Ada"], bots, free=1, options=options, assistance="logic", pace="brisk", begin=False)
    me.goes(f"/join#{table.code}")
    me.writes("Your name", "Benno")
    me.looks("join")
    me.press("Sit down as Benno")
    me.sees("You are sitting at the table")
    me.until(lambda: me.browser.evaluate("() => scrollY === 0"), "the head of the page")
    me.looks("gather")
    me.house.begin(table.id)
    me.sees("Your turn: throw the dice")


def clue(me: Tourist) -> None:
    """Throw, walk, suggest, and be shown a card."""
    me.looks("clue-throw")
    me.does(lambda: me.press("Throw the dice"))
    me.may("Move")
    me.looks("clue-walk")
    me.does(lambda: me.press(re.compile("^Enter "), "section.now"))
    me.may("Suggest")
    for card in ("Col. Mustard", "Wrench"):
        me.press(re.compile(f"^{re.escape(card)}( |$)"), "section.choose")
    me.looks("clue-suggest")
    me.does(lambda: me.press("Suggest this"))
    me.sees("shows you")
    me.looks("clue-shown")


def notes(me: Tourist) -> None:
    """Mark a cell, and find the mark again after a reload."""
    cell = re.compile("^Mrs. White, envelope: ")
    me.press(cell, "[role=grid]", "button")
    marked = re.compile("^Mrs. White, envelope: .*My mark: yes.")
    me.until(lambda: me.find("button", marked, "[role=grid]"), "the mark")
    me.looks("notes")
    me.browser.tell("Refresh")
    me.browser.evaluate(WATCH)
    me.until(lambda: me.find("button", marked, "[role=grid]"), "the mark after a reload")


def chat(me: Tourist) -> None:
    me.press(re.compile("^Show the chat"))
    me.press("Good luck")
    me.writes("Say something", f"hello there{ENTER}")
    me.until(lambda: me.find("li", re.compile("Benno.*hello there")), "what I have said")
    me.until(lambda: me.find("li", re.compile("Benno.*Good luck")), "what I have said with one tap")
    me.looks("chat")


def reconnect(me: Tourist) -> None:
    """Lose the line to the house, be told so, and be back without doing anything."""
    with me.house.cut_off():
        me.sees("No connection. Trying again. Nothing is lost.")
        me.looks("no-line")
    me.sees("Connected again. Nothing was lost.")
    me.until(lambda: not me.find("section.now.offline"), "the table")


def end(me: Tourist) -> None:
    """Let a bot stand in for my host, who is away, and when it is my turn again accuse, and be right."""
    words = games.texts("clue")
    me.press("Call a stand-in for Ada")
    if me.find("button", "Put it back"):
        me.press("Put it back")
    me.may("Accuse")
    me.press(words["action.Accuse.open"])
    for card in DEAL.envelope.cards:
        me.press(re.compile(f"^{re.escape(words[f'term.{card}'])}( |$)"), "section.choose")
    me.press("Accuse")
    me.looks("clue-accuse")
    me.does(lambda: me.press(re.compile("^Yes, I accuse ")))
    me.sees("You solved the case")
    me.looks("clue-end")


def review(me: Tourist) -> None:
    me.press("Open the whole review")
    me.sees("The arrow keys go from moment to moment.")
    me.until(lambda: "Still reading" not in me.says(), "the review")
    me.looks("review")


def play_now(me: Tourist, game: str) -> None:
    """Begin a game against bots at its door, as the sheet has it."""
    me.press("Whodunit, front page", css="a")
    me.sees("Four doors")
    me.press("Play now against bots", f"article:has(a[href='/rules/{game}'])")
    me.looks(f"{game}-sheet")
    me.press("Start the game")


def alibi(me: Tourist) -> None:
    """Pick an assistant, take a chip, and ask; if somebody takes the assistant from me, pick another."""
    words = games.texts("perfect_alibi")
    play_now(me, "perfect_alibi")
    asked, picks = "", ("PickAssistant", "TakeReplacement", "ChangeAssistant")
    while asked != "Ask":
        asked, action = me.may(*picks, "Ask", "TakeChip", "Answer", "Show")
        me.looks(f"alibi-{asked}")
        if asked in {"Answer", "Show"}:
            chosen = str(action.number) if asked == "Answer" else words[f"term.{action.card}"]
            me.does(lambda: answer(me, chosen))  # noqa: B023  (done at once)
        elif asked == "TakeChip":
            me.does(lambda: me.press(re.compile("."), "section.chips", "button"))
        elif asked == "Ask":
            for element in action.elements:
                word = element if element.isdigit() else words[f"term.{element}"]
                me.press(re.compile(rf"^{re.escape(word)}\b"), "section.now")
            me.does(lambda: me.press(re.compile(r"^Ask \w+"), "section.now"))
        else:
            word = words[f"term.{action.assistant}"]
            me.does(lambda: me.press(re.compile(rf"^{re.escape(word)}\b")))  # noqa: B023  (done at once)
    me.looks("alibi-asked")


def answer(me: Tourist, chosen: str) -> None:
    """Give the only answer there is, or choose one of several before."""
    give = re.compile(r"^(Say \d|Show )")
    if not me.find("button", give, "section.now"):
        me.press(re.compile(f"^{re.escape(chosen)}"), css="button")
    me.press(give, "section.now")


def hotel(me: Tourist) -> None:
    """Play a card, and guess or take whatever the round brings."""
    play_now(me, "crime_hotel")
    _, play = me.may("Play")
    me.looks("hotel-hand")
    me.press(re.compile(f"^{play.card}, "), "section.now")
    me.does(lambda: me.press(re.compile(f"^Play {play.card}"), "section.now"))
    me.looks("hotel-played")


def arosa(me: Tourist, speaker: Loudspeaker) -> None:
    """Let the house sound, hear real cubes fall, and look for the victims."""
    play_now(me, "arosa")
    me.sees("Headphones on?")
    me.looks("arosa-headphones")
    speaker.peak()
    me.press("Listen")
    me.sees("Listen: where does it come to rest?")
    me.looks("arosa-listen")
    me.may("Inspect")
    assert speaker.peak() > 0.01, f"{me.browser.name}: nothing was heard of the cubes"
    me.looks("arosa-search")
    me.press("", "[role=group]:has([data-floor])", "[data-floor='3']")
    me.does(lambda: me.press(re.compile("^Open ")))
    me.looks("arosa-opened")


def mute(me: Tourist) -> None:
    """Want to listen where there is no loudspeaker, be told so, and play by pictures."""
    me.goes("/")
    play_now(me, "arosa")
    me.press("Listen")
    me.sees("No sound comes")
    me.looks("arosa-mute")
    me.press("Play in silence, with pictures")
    me.sees("Look: where does it come to rest?")
