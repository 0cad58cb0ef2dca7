"""Today's cases in a real browser: from the front page to the proof, in each game, on a desk and on a phone."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

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


def test_a_case_is_solved_by_keys_alone(desk: House, porch: Porch) -> None:
    me = come(porch, desk, 1440)
    page = me.goto(f"/case/{DAY}.clue").page
    turn = page.get_by_role("button", name="Turn line").locator("visible=true")
    turn.focus()
    page.keyboard.press("Enter")
    expect(page.locator("li[id^='line-']")).to_have_count(2)
    expect(page.locator("[data-live='polite']")).to_contain_text("Line 2 of")
    first = page.locator("form.claim fieldset").first.get_by_role("radio").first
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("form.claim fieldset").first.get_by_role("radio").nth(1)).to_be_checked()
    cell = page.get_by_role("grid").get_by_role("button").first
    cell.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Check this mark")).not_to_be_disabled()
    porch.leave(me)
