"""Today's cases in a real browser: from the front page to the proof, in each game, on a desk and on a phone."""

import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.ears import Listener
from tests.browser.house import House
from tests.browser.measures import AT_ONCE, axe, sideways, small_letters
from tests.browser.porch import Porch
from tests.browser.visitor import DESK, Visitor
from tests.cases import kept
from tests.cases.kept import DAY
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Impossible, Unproved, rule
from whodunit.core.cutting import Entry
from whodunit.host.timers import WallClock
from whodunit.server.attempts import begins_at

NOON_MS: Final = 12 * 3_600_000
PROVABLE: Final = ("clue", "perfect_alibi", "crime_hotel")
GAMES: Final = (*PROVABLE, "arosa")
PHONE: Final = {"width": 390, "height": 844}
SIZES: Final = {390: PHONE, 1440: DESK}
FOLDER: Final = os.environ.get("WHODUNIT_SHOTS_TODAY")
"""Where pictures are put, if somebody wants to look at them."""


class OnThatDay(WallClock):
    """Runs as any clock does, from noon of that day on."""

    def __init__(self) -> None:
        self._ahead = begins_at(DAY) + NOON_MS - super().now()

    def now(self) -> int:
        return super().now() + self._ahead


@pytest.fixture(scope="module")
def desk(own_port: int) -> Iterator[House]:
    with House(OnThatDay(), port=own_port, case_games=GAMES, leaves=kept.leaves()) as house:
        until = time.monotonic() + 90
        while len(house.site.cases.shelf._facts) < len(GAMES) and time.monotonic() < until:
            time.sleep(0.1)
        yield house


def come(porch: Porch, desk: House, width: int, **more: Any) -> Visitor:
    return porch.come(desk.address, viewport=SIZES[width], **more)


def shot(page: Page, name: str) -> None:
    if FOLDER:
        page.evaluate(AT_ONCE)
        page.screenshot(path=Path(FOLDER) / f"{name}.png", full_page=True)


def seen(page: Page) -> None:
    """Find nothing wrong with what is to be seen."""
    assert axe(page) + small_letters(page) == []
    assert sideways(page) == ""


def part(page: Page, name: str, width: int) -> None:
    if width < DESK["width"]:
        page.get_by_role("navigation").get_by_role("button", name=name).click()


def turned_to(page: Page, number: int) -> None:
    while True:
        at = page.locator("li[id^='line-']").count()
        if at >= number:
            return
        page.get_by_role("button", name="Turn line").locator("visible=true").click()
        expect(page.locator("li[id^='line-']")).to_have_count(at + 1)


def claim(page: Page, puzzle: Puzzle, answer: tuple[Entry, ...], width: int) -> None:
    part(page, "Claim", width)
    for group, entries, entry in zip(
        page.locator("form.claim fieldset").all(), puzzle.posed.question.form, answer, strict=True
    ):
        radio = group.get_by_role("radio").nth(entries.index(entry))
        radio.focus()
        page.keyboard.press("Space")
        expect(radio).to_be_checked()
    page.get_by_role("button", name="Claim it at line").click()


def clashing(puzzle: Puzzle) -> tuple[int, tuple[Entry, ...]]:
    """Return after how many lines, but the last, which answer is impossible."""
    for turned in range(min(puzzle.par, puzzle.posed.total - 1), 0, -1):
        for place, group in enumerate(puzzle.posed.question.form):
            for entry in group:
                answer = (*puzzle.answer[:place], entry, *puzzle.answer[place + 1 :])
                if isinstance(rule(puzzle.at(turned), answer), Impossible):
                    return turned, answer
    raise AssertionError("some answer is impossible before the end")


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("game", PROVABLE)
def test_a_case_is_solved_unproved_refuted_and_explained(game: str, width: int, desk: House, porch: Porch) -> None:
    puzzle, me = kept.puzzle(game), come(porch, desk, width)
    page, name = me.goto("/").page, f"{game}-{width}"
    way = page.get_by_role("link", name="Today's cases")
    expect(way).to_be_in_viewport()
    way.click()
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    page.locator(f"a[href='/case/{DAY}.{game}']").click()
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    seen(page)

    early = next(
        turned for turned in range(1, puzzle.par) if isinstance(rule(puzzle.at(turned), puzzle.answer), Unproved)
    )
    turned_to(page, early)
    claim(page, puzzle, puzzle.answer, width)
    said = page.get_by_role("region", name="This does not follow yet.")
    expect(said).to_be_visible()
    expect(said.get_by_role("heading", name="This does not follow yet.")).to_be_focused()
    expect(said.get_by_text("lies here").first).to_be_visible()
    seen(page)
    shot(page, f"{name}-unproved")

    late, wrong = clashing(puzzle)
    part(page, "Lines", width)
    turned_to(page, late)
    claim(page, puzzle, wrong, width)
    expect(page.get_by_role("region", name="This cannot be.")).to_be_visible()
    seen(page)
    shot(page, f"{name}-refuted")

    part(page, "Lines", width)
    turned_to(page, puzzle.par)
    claim(page, puzzle, puzzle.answer, width)
    expect(page.get_by_role("heading", name=f"Solved at line {puzzle.par}, par {puzzle.par}")).to_be_visible()
    expect(page.get_by_text(f"Whodunit {DAY}")).to_contain_text(f"solved at {puzzle.par} · 2 guesses")
    seen(page)
    shot(page, f"{name}-solved")

    page.get_by_role("button", name="Show me how").click()
    for step in range(1, len(puzzle.steps) + 1):
        stepper = page.get_by_role("group", name="How it is proved").locator("visible=true")
        expect(stepper.get_by_text(f"Step {step} of {len(puzzle.steps)}")).to_be_visible()
        if step == 2:
            seen(page)
            shot(page, f"{name}-proof")
        stepper.get_by_role("button", name="Next step").focus()
        page.keyboard.press("ArrowRight")
    porch.leave(me)


@pytest.mark.parametrize("width", SIZES)
def test_the_best_ear_is_set_beside_the_trained_one(width: int, desk: House, porch: Porch) -> None:
    puzzle, me = kept.puzzle("arosa"), come(porch, desk, width)
    page = me.goto(f"/case/{DAY}.arosa").page
    expect(page.get_by_role("heading", level=2).first).to_contain_text("On which floor")
    page.get_by_role("radio", name="in silence").check(force=True)
    turned_to(page, 3)
    seen(page)
    shot(page, f"arosa-{width}-lines")
    claim(page, puzzle, puzzle.answer, width)
    expect(page.get_by_role("main").get_by_text("The trained ear says")).to_be_visible()
    expect(page.locator("section.ended")).not_to_contain_text("roved")
    seen(page)
    shot(page, f"arosa-{width}-heard")
    porch.leave(me)


@pytest.mark.parametrize(
    ("width", "scheme", "language"), [(390, "dark", "de"), (1440, "dark", "fr"), (390, "light", "nb")]
)
def test_the_pages_are_sound_in_other_lights_and_languages(
    width: int, scheme: str, language: str, desk: House, porch: Porch
) -> None:
    me = come(porch, desk, width, color_scheme=scheme, locale=language)
    page = me.goto("/today").page
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    seen(page)
    shot(page, f"today-{width}-{scheme}-{language}")
    for game in GAMES:
        me.goto(f"/case/{DAY}.{game}")
        expect(page.locator("#line-1")).to_be_visible()
        for tab in page.locator(".dock nav button").locator("visible=true").all():
            tab.click()
            seen(page)
            assert page.locator("main").inner_text().count("{") == 0
    porch.leave(me)


class ByEar:
    """Somebody who solves a case of Clue by what is read out and said: counts who cannot have what."""

    def __init__(self, ear: Listener) -> None:
        self.ear = ear
        seats = ear.items("list", "Who plays, in the order in which they sit")
        self.others = {seat.split()[0] for seat in seats if "(you)" not in seat}
        shown = ear.finds("region", "What you know").get_by_text("this card:").all_inner_texts()
        hand = ear.items("list", "Your hand")
        self.elsewhere = {*hand, *(line.rpartition(": ")[2].rstrip(".") for line in shown)}
        """What cannot be in the envelope."""
        self.without: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Who of the others cannot have a card, and since which line."""

    def turn(self) -> tuple[tuple[str, ...], set[str]]:
        """Turn a line, and return what was suggested and which of the others could not show a card."""
        self.ear.press(re.compile("^Turn line"))
        said = self.ear.hears(re.compile("^Line [0-9]+ of"))
        suggested = re.search(r"suggests: (.+), with the (.+), in the (.+?)\. ", said)
        assert suggested
        passed = self.others.intersection(re.findall(r"(\w+) cannot show", said))
        for card in suggested.groups():
            for name in passed:
                self.without[card].setdefault(name, int(said.split()[1]))
        return suggested.groups(), passed

    def nobodys(self, card: str) -> bool:
        return card not in self.elsewhere and self.without[card].keys() == self.others

    def claims(self, cards: Sequence[str]) -> str:
        """Claim an answer, and return the heading that is read out for what is said of it."""
        form = self.ear.finds("form", "Make your claim")
        for card in cards:
            self.ear.press(card, form, role="radio", key=" ")
        self.ear.press(re.compile("^Claim it at line"), form)
        return self.ear.hears(re.compile("^(This|Solved) "))

    def hears(self, words: str | re.Pattern[str]) -> str:
        """Hear something out: nothing of what was said before it was cut off."""
        heard = self.ear.hears(words)
        assert self.ear.drowned() == []
        return heard


def test_a_case_is_solved_by_ear(desk: House, porch: Porch) -> None:
    ear = Listener(porch.come(desk.address))
    ear.opens("/")
    ear.press(re.compile("^Today's cases"), role="link")
    ear.hears("Today's cases")
    ear.press("Open the case: Clue", role="link")
    ear.hears("Who did it, with what, and where?")
    case = ByEar(ear)

    # All others pass: that looks like the answer. But it may be the suggester's own hand, and a deal says so.
    cards, passed = case.turn()
    while len(passed) < len(case.others) - 1:
        cards, passed = case.turn()
    (asker,) = case.others - passed
    assert case.claims(cards) == "This does not follow yet."
    case.hears("here is another way the cards could lie.")
    deal = ear.finds("region", "This does not follow yet.")
    assert any(f"{card} lies here" in ear.items("list", asker) for card in cards)
    ear.press("Put it away", deal)

    # A mark that a line has told is proved, for a hint.
    ear.press(re.compile(f"^{cards[1]}, {min(passed)}: open"), ear.finds("grid", "My notes"), key="n")
    ear.press("Check this mark")
    ear.hears("It follows.")
    case.hears("These lines prove it.")

    while not all(map(case.nobodys, cards)):
        case.turn()
    # It can be nobody else: whoever says so anyway hears which lines speak against it.
    suspects = ear.names("radio", ear.finds("group", "Who?"))
    other = next(name for name in suspects if name != cards[0] and name not in case.elsewhere)
    assert case.claims((other, *cards[1:])) == "This cannot be."
    against = set(map(int, re.findall("[0-9]+", case.hears(re.compile("^Then line")))))
    assert against <= set(case.without[cards[0]].values())
    assert case.claims(cards).startswith("Solved at line ")
    case.hears("Earlier it could not be proved by anybody.")
    assert "2 guesses · 1 hint" in ear.reads("region", re.compile("^Solved at line"))

    # The proof, by the arrow keys: each step once, and in the end everything that was claimed.
    ear.press("Show me how")
    ear.hears("How it is proved")
    steps = [case.hears("Step 1 of ")]
    for number in range(2, int(steps[0].split()[3].rstrip(".")) + 1):
        ear.types("ArrowRight")
        steps.append(case.hears(f"Step {number} of "))
    assert all(any(f"{card}: envelope" in step for step in steps) for card in cards)
    for key in ("ArrowRight", "ArrowLeft"):
        ear.types(key)
    assert ear.hears("Step ") == steps[-2]
    ear.press("Leave the proof")
    assert ear.hears(re.compile("proved$")) == "How it is proved"
    porch.leave(ear.visitor)
