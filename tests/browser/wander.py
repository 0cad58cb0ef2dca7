"""Somebody who knows no game and presses whatever the table shows; and tables at which any action can be met."""

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, get_args

from playwright.sync_api import Error as PlaywrightError

from tests.browser.house import Step
from tests.browser.visitor import Visitor
from whodunit import games
from whodunit.core.errors import BadOptions
from whodunit.core.offer import Offer
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import Action, Seat
from whodunit.table.table import Table

PAGES: Final = Path(__file__).resolve().parents[2] / "web" / "src" / "games"

# --- Pressing ------------------------------------------------------------------------------------------------------

CONTROLS: Final = """() => {
    const dialog = document.querySelector('dialog[open]')
    const shell = 'section.notes, section.log, .talk, section.players, section.replay, nav, header, [data-live]'
    const found = [...(dialog ?? document.querySelector('main') ?? document).querySelectorAll('button, select, input')]
        .filter((node) => dialog || !node.closest(shell))
        .filter((node) => !node.disabled && node.ariaDisabled !== 'true')
        .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    const label = (node) => node.labels?.[0]?.textContent ?? node.textContent.trim()
    window.controls = found
    return found.map((node) => node.getAttribute('aria-label') ?? label(node))
}"""
"""The names of what may be pressed; what they belong to is kept on the page."""
SPOT: Final = """(index) => {
    const node = window.controls[index]
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return { gone: true }
    if (node.tagName === 'SELECT') return { options: [...node.options].map((option) => option.value) }
    const middle = () => {
        const { x, y, width, height } = node.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
    }
    const reached = ([x, y]) => {
        const top = document.elementFromPoint(x, y)
        return node.contains(top) || top?.closest('label')?.control === node
    }
    if (!reached(middle())) node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const [x, y] = middle()
    const frame = reached([x, y]) ? null : node.closest('.zoomed')?.getBoundingClientRect()
    const hold = frame && [frame.x + frame.width / 2, frame.y + frame.height / 2]
    return { x, y, reached: reached([x, y]), hold }
}"""
"""Where one of them is pressed, scrolled to if need be, and whether it is what lies there, or what has to be dragged
for it, by its middle; or what it offers.
"""
UNDO: Final = "Take back"
PATIENCE_S: Final = 4.0
WAY: Final = 100.0
"""In px: how far a hand drags at once."""


def stem(name: str) -> str:
    """Return what a control is called whatever its state: "Floor 1" of "Floor 1, perhaps"."""
    return re.split("[,:]", name)[0]


class Wanderer:
    """Presses by turns what has just appeared and what it has pressed least, by chance where that is several things.

    What it has learned to `avoid` it leaves alone, and what is called as what it `seeks` it presses first.
    """

    def __init__(self, visitor: Visitor, seed: int = 0, avoid: Collection[str] = (), seeks: str = "") -> None:
        self.visitor = visitor
        self.chance = Random(seed)  # noqa: S311  (no secret)
        self.pressed = Counter[str]()
        """By what stays of a name when its state changes."""
        self.avoid = avoid
        self.seeks = seeks
        self.before: list[str] = []
        self.tried: set[str] = set()
        self.last = ""

    def wander(self, until: Callable[[], object], most: int = 400) -> None:
        """Go on until it is so, or the game is over."""
        for _ in range(most):
            if until() or self.visitor.told.over:
                return
            self.give_way()
            self.press()
        raise AssertionError(f"after {most} presses it has come to no more than {Counter(self.visitor.done)}")

    def give_way(self) -> None:
        """Let the others move, if it is their turn: for a moment, since something may be pressed at any time."""
        for _ in range(15):
            if self.visitor.told.on_turn or self.visitor.told.over:
                return
            self.visitor.page.wait_for_timeout(10)

    def press(self) -> None:
        """Press one thing and see what comes of it; if there is nothing, wait for others."""
        frames, sent = len(self.visitor.told.frames), len(self.visitor.sent)
        page = self.visitor.page
        shown: list[str] = page.evaluate(CONTROLS)
        names = [name for name in shown if name not in self.avoid]
        if not names:
            page.wait_for_timeout(20)
            return
        name = self.last = self._chosen(names)
        self.before = names
        self.tried.add(name)
        self.pressed[stem(name)] += 1
        self._use(shown.index(name), name)
        page.wait_for_timeout(10)
        for _ in range(20):
            if len(self.visitor.sent) == sent or len(self.visitor.told.frames) > frames:
                return
            page.wait_for_timeout(10)

    def _chosen(self, names: list[str]) -> str:
        if called := [name for name in names if self.seeks and name.startswith(self.seeks) and name not in self.tried]:
            return self.chance.choice(called)
        known = {*map(stem, self.before)}
        fresh = [name for name in names if stem(name) not in known and UNDO not in name]
        return self.chance.choice(fresh if fresh and self.chance.random() < 0.7 else self._least(names))

    def _least(self, names: list[str]) -> list[str]:
        weights = {name: self.pressed[stem(name)] + 3 * (UNDO in name) for name in names}
        return [name for name, weight in weights.items() if weight == min(weights.values())]

    def _use(self, index: int, name: str) -> None:
        """Press it where it is, with a real pointer; the table may have moved on, and taken it away."""
        page, end = self.visitor.page, time.monotonic() + PATIENCE_S
        while not (spot := page.evaluate(SPOT, index)).get("gone"):
            if "options" in spot:
                element = page.evaluate_handle("(index) => window.controls[index]", index).as_element()
                assert element is not None
                try:
                    element.select_option(self.chance.choice(spot["options"]))
                except PlaywrightError:
                    if element.evaluate("(node) => node.isConnected"):
                        raise
                return
            if spot["reached"]:
                page.mouse.click(spot["x"], spot["y"])
                return
            if spot["hold"]:
                self._drag(spot["hold"], (spot["x"], spot["y"]))
            assert time.monotonic() < end, f"{name!r} is shown and cannot be pressed"
            page.wait_for_timeout(20)

    def _drag(self, hold: tuple[float, float], wanted: tuple[float, float]) -> None:
        """Bring what is wanted to where a picture is held, as far as one hand's way goes without leaving it."""
        mouse, (x, y) = self.visitor.page.mouse, hold
        across, down = (max(-WAY, min(WAY, middle - spot)) for middle, spot in zip(hold, wanted, strict=True))
        mouse.move(x - across / 2, y - down / 2)
        mouse.down()
        mouse.move(x + across / 2, y + down / 2, steps=3)
        mouse.up()


# --- Where an action can be met ------------------------------------------------------------------------------------


class Situation(NamedTuple):
    """A game that has come to where a seat may do something."""

    seed: bytes
    seats: int
    options: Mapping[str, Any]
    script: tuple[Step, ...]
    """Without the answers that leave no choice: they are given by themselves."""
    seat: Seat

    def draws(self, _: bytes, seq: int) -> Rng:
        return Rng(self.seed, seq)


RARE: Final = {("clue", "NoMove"): (324, 3)}
"""Games in which something is met that hardly ever happens: their number and seats. Searching finds it as well."""
ONLY: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("perfect_alibi", "DrawCard"): {"cook_optional": True},
    ("perfect_alibi", "LetShow"): {"cook_optional": True},
    ("perfect_alibi", "Correct"): {"answer_mode": "by_hand", "rival": True},
}
"""What is met only under a house rule, or several variants at once."""
AFTER: Final = {("perfect_alibi", "Name"): "AskLast"}
"""What comes only after something final that is otherwise not played."""
BY_TIME: Final = {("perfect_alibi", name) for name in ("RunOut", "Hurry", "GoOn")}
"""What only the clock does."""
DEPTH: Final = 60


def shown() -> list[str]:
    """Return the games that the page can show: those with a folder of their own in web/."""
    return [game for game in games.ids() if (PAGES / game / "index.ts").exists()]


def actions(game: str) -> list[type[Action]]:
    """Return what a page can be asked to do; an answer without anything to choose gives itself in a script."""
    info = games.get(game).INFO
    return [
        kind
        for kind in get_args(info.action)
        if (kind not in info.answers or kind.__struct_fields__) and (game, kind.__name__) not in BY_TIME
    ]


def variants(game: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the game by the book and every value of every variant, each with the fewest seats that it is for."""
    yield from _seated(game, {})
    for option in games.get(game).INFO.describe():
        values = (True, False) if option.kind == "switch" else option.values
        for value in values if option.variant else ():
            if value != option.default:
                yield from _possible(game, {option.name: value})


def _possible(game: str, options: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield a setting, or if it needs another variant the first one with that."""
    others = [option for option in games.get(game).INFO.describe() if option.variant and option.name not in options]
    more = [{other.name: value} for other in others for value in (other.values or (True,)) if value != other.default]
    for with_it in ({}, *more):
        found = list(_seated(game, options | with_it))
        if found:
            yield from found
            return


def _seated(game: str, options: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    rules = games.get(game)
    for seats in range(rules.INFO.seats[0], rules.INFO.seats[1] + 1):
        try:
            rules.setup(seats, rules.INFO.parse(seats, {**rules.INFO.bulk, **options}), Rng(b"", 1))
        except BadOptions:
            continue
        yield seats, options
        return


@cache
def situation(game: str, action: type[Action]) -> Situation:
    """Find a game in which a seat may do this, with a choice if it is an answer."""
    only = ONLY.get((game, action.__name__))
    settings = list(variants(game) if only is None else _seated(game, dict(only)))
    if known := RARE.get((game, action.__name__)):
        seed, seats = known
        found = _met(game, seed, seats, {}, action)
        assert found is not None, f"the game known for {action.__name__} no longer leads there: search for another"
        return found
    for seed in count():
        assert seed < 400, f"no game of {game} comes to {action.__name__}"
        seats, options = settings[seed % len(settings)]
        # What is simulated takes long, and the controls are the same.
        if found := _met(game, seed, seats, {**games.get(game).INFO.bulk, **options}, action):
            return found
    raise AssertionError


def _met(game: str, number: int, seats: int, options: Mapping[str, Any], action: type[Action]) -> Situation | None:
    rules, seed = games.get(game), b"%d" % number
    chance = Stream(b"w%d %d" % (number, seats))
    table, _ = Table.open(rules, seats, rules.INFO.parse(seats, options), seed)
    script: list[Step] = []
    for _ in range(DEPTH):
        for seat in sorted(table.awaiting):
            free = [offer for offer in table.offers[seat] if not _forced(offer, rules.INFO.answers)]
            if any(offer.action is action for offer in free):
                return Situation(seed, seats, options, tuple(script), seat)
        if not table.awaiting:
            return None
        seat = min(table.awaiting)
        final = [kind for kind in rules.INFO.final if kind.__name__ != AFTER.get((game, action.__name__))]
        offer = _chosen(table.offers[seat], final, chance)
        done = offer.sample(chance)
        if not _forced(offer, rules.INFO.answers):
            script.append(Step(seat, done))
        table, _ = table.act(seat, offer.since, done)
    return None


def _forced(offer: Offer, answers: tuple[type[Action], ...]) -> bool:
    """Say whether this is an answer that leaves no choice."""
    return offer.action in answers and offer.count == 1


def _chosen(offers: tuple[Offer, ...], final: Sequence[type[Action]], chance: Stream) -> Offer:
    quiet = [offer for offer in offers if offer.action not in final] or list(offers)
    return quiet[chance.below("offer", len(quiet))]
