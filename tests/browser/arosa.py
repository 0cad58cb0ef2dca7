"""Somebody who plays Mord im Arosa in a browser: listens or looks, and presses what the page shows."""

import re
from collections import Counter
from typing import Any, Final

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hands, Mouse
from tests.browser.house import Draws, House
from tests.browser.visitor import Visitor
from tests.browser.words import game_word
from whodunit import games
from whodunit.core.rng import Result, StackedRng
from whodunit.games.arosa.facts import VICTIM, owner_of
from whodunit.games.arosa.model import State
from whodunit.tower import Landing, Script

WORDS: Final = games.texts("arosa")
LISTEN: Final = re.compile(f"^{game_word('arosa', 'now.prompt.listen').pattern}$")
SILENT: Final = game_word("arosa", "now.prompt.silent")
WARNED: Final = re.compile("all the same$")

EARS: Final = """
(() => {
    window.heard = { peak: 0, clips: [] }
    const connect = AudioNode.prototype.connect
    AudioNode.prototype.connect = function (to, ...rest) {
        // Cues end in a compressor, clips in a gain of their own.
        if (this instanceof GainNode && to instanceof AudioDestinationNode) {
            const analyser = this.context.createAnalyser()
            const samples = new Float32Array(analyser.fftSize)
            connect.call(this, analyser)
            setInterval(() => {
                analyser.getFloatTimeDomainData(samples)
                window.heard.peak = Math.max(window.heard.peak, ...samples.map(Math.abs))
            }, 15)
        }
        return connect.call(this, to, ...rest)
    }
    const start = AudioBufferSourceNode.prototype.start
    AudioBufferSourceNode.prototype.start = function (...when) {
        if (this.buffer.duration > 1.5) window.heard.clips.push(this.buffer.duration)
        return start.apply(this, when)
    }
})()
"""
"""Measures what the audio graph plays: the loudest sample of any clip, and how long each clip was."""


FULL: Final = """
(() => {
    const parse = JSON.parse
    JSON.parse = (text, reviver) => {
        const read = parse(text, reviver)
        if (read?.view?.sheet) {
            read.view.sheet = read.view.sheet.map((row) => row.map((_, seat) => 1 + (seat % 3)))
            read.view.victims = read.view.victims.map(() => 1)
        }
        return read
    }
})()
"""
"""A page that is told of clues of everybody and a victim on every floor of the sheet."""


DEAF: Final = """
(() => {
    delete window.AudioContext
    delete window.webkitAudioContext
    window.sounded = []
    for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
        const { start } = kind.prototype
        kind.prototype.start = function (...when) {
            window.sounded.push(this.constructor.name)
            return start.apply(this, when)
        }
    }
    HTMLMediaElement.prototype.play = function () {
        window.sounded.push(this.tagName)
        return Promise.resolve()
    }
    window.pictured = new Set()
    new MutationObserver(() => {
        for (const picture of document.querySelectorAll('section.now [role="img"] path:nth-of-type(2)'))
            window.pictured.add(picture.getAttribute('d'))
    }).observe(document, { childList: true, subtree: true })
})()
"""
"""A device that cannot make a sound: it notes if anything tries to, and which pictures NOW shows instead."""


def scripted(floors: list[int], draws: dict[str, Result] | None = None) -> Draws:
    """Return chance in which cubes fall where a test wants them, drop by drop; nothing is to be heard of it."""
    script = Script({nth: Landing(floor) for nth, floor in enumerate(floors)})
    return lambda seed, seq: StackedRng(seed, seq, draws or {}, script)


def truth(house: House, id: str) -> State:
    """Return what nobody at the table sees."""
    table = house.live(id).table
    assert table is not None
    state: State = table.state
    return state


class Guest:
    """A visitor at a table of Mord im Arosa."""

    def __init__(self, visitor: Visitor, hands: Hands | None = None) -> None:
        self.visitor = visitor
        self.hands: Hands = hands or Mouse()

    @property
    def me(self) -> int:
        seat: int = self.visitor.told.room["me"]
        return seat

    @property
    def table(self) -> str:
        id: str = self.visitor.told.room["table"]
        return id

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.hands.press(self.visitor.button(name, within).first)

    def caught_up(self) -> None:
        """Wait until everything that fell was played, and the server knows."""
        last = max((told["seq"] for told in self.visitor.told.events if told["event"]["type"] == "Dropped"), default=0)
        self.visitor.until(lambda told: told.room["heard"] >= last, "all drops are played")

    def may(self, *actions: str) -> str:
        """Wait until one of these is on offer and the page is done with playing, and return which."""
        self.visitor.until(
            lambda told: told.on_turn and any(action in self.visitor.offered for action in actions), f"may {actions}"
        )
        expect(self.visitor.page.locator("section.now.lit")).to_be_visible()
        return next(action for action in actions if action in self.visitor.offered)

    def floor(self, floor: int) -> None:
        self.hands.press(self.visitor.page.locator(f"[data-floor='{floor}']"))

    def inspect(self, floor: int) -> None:
        self.may("Inspect")
        self.floor(floor)
        self.go(re.compile("^Open "))

    def suspect(self, names: list[str], floor: int) -> None:
        self.may("Suspect")
        self.floor(floor)
        for name in names:
            self.press(name, self.visitor.now.get_by_role("group"))
        self.go(re.compile(r"^Suspect .*: open "))

    def cover(self, floor: int, *, arrange: bool = False) -> None:
        self.may("CoverTracks")
        self.press("Cover tracks instead")
        self.floor(floor)
        if arrange:
            self.hands.press(self.visitor.page.get_by_label("Let me choose the order"))
        self.go(re.compile("^Open "))

    def go(self, name: str | re.Pattern[str]) -> None:
        """Press what does it, once more where the page warns, and wait until it is done."""
        seq = self.visitor.told.seq
        self.press(name, self.visitor.now)
        if self.visitor.button(WARNED, self.visitor.now).is_visible():
            self.press(WARNED, self.visitor.now)
        self.visitor.until(lambda told: told.seq > seq, "it")

    def turn(self, house: House) -> str:
        """Play a turn as somebody who sees through walls: find the victims, then suspect whoever is really there."""
        action = self.may("Inspect", "Suspect", "TakeBack", "Arrange")
        inside = truth(house, self.table).tower
        assert inside is not None
        if action == "Inspect":
            self.inspect(next(rest.floor for rest in inside.resting if owner_of(rest.cube) == VICTIM))
        elif action == "Suspect":
            self.suspect(*self._guilty(inside))
        else:
            self.go(re.compile("^Take|^Close the hotel"))
        return action

    def _guilty(self, inside: Any) -> tuple[list[str], int]:
        there = Counter((rest.floor, owner_of(rest.cube)) for rest in inside.resting)
        grounded = there[0, self.me] > 0
        others = {
            (floor, owner): count
            for (floor, owner), count in there.items()
            if owner not in {VICTIM, self.me} and (floor or grounded)
        }
        floor = max(others, key=lambda place: others[place])[0] if others else 7
        seats = [owner for place, owner in others if place == floor] or [1 - min(self.me, 1)]
        return [self.visitor.told.room["chairs"][seat]["name"] for seat in sorted(seats)], floor
