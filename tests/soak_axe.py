"""Every state in every language, light and width: all of it, however long that takes.

A state is staged once for each width. Languages, lights and letters change in place, and what does not outlast that, or
looks otherwise in another language, is staged once more: that costs time and leaves nothing out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import cycle, product
from typing import Final, NamedTuple

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from tests.browser.house import House
from tests.browser.measures import AT_ONCE, SPEAK, SPEAKS, TWICE, axe, cut_texts, overlaps, sideways, small_letters
from tests.browser.porch import Porch
from tests.browser.shots import LIGHTS, WIDTHS
from tests.browser.states import State, states
from tests.browser.visitor import Visitor
from whodunit import games
from whodunit.core.rng import Rng

NARROW: Final = 360
"""The width at which letters of twice the size must still fit."""
ONCE: Final = "() => document.documentElement.style.removeProperty('font-size')"
PATIENCE_MS: Final = 5_000
BONES: Final = "() => [...document.body.querySelectorAll('*')].map((node) => node.tagName + node.className).join()"
"""What a state is made of, whatever it says."""
SHAPE: Final = """() => {
    const box = (node) => Object.values(node.getBoundingClientRect().toJSON()).map(Math.round)
    return document.body.innerHTML + [...document.body.querySelectorAll('*')].map(box).join()
}"""
"""All that axe goes by but colours."""
COLOURS: Final = ("color-contrast", "link-in-text-block")
BY_COLOUR: Final = "() => axe.getRules(['cat.color']).map(({ ruleId }) => ruleId)"
UNASKED: Final = "color-contrast-enhanced"
"""A rule for colours that is off by itself."""
NAMELESS: Final = "() => { document.querySelector('main').append(document.createElement('button')) }"
PALE: Final = """() => {
    const pale = document.createElement('p')
    pale.textContent = 'Hardly anybody can read this'
    pale.style.cssText = 'color: #888; background: #777'
    document.querySelector('main').append(pale)
}"""


class Place(NamedTuple):
    """Where a state is looked at, and the languages, beginning with that in which it is staged."""

    state: State
    width: int
    languages: tuple[str, ...]


def places() -> list[Place]:
    """Return the whole matrix; by turns each language is the one that nothing has been changed to."""
    spoken = tuple(games.LANGUAGES)
    turns = [spoken[turn:] + spoken[:turn] for turn in range(len(spoken))]
    looked = zip(product(states(), WIDTHS), cycle(turns), strict=False)
    return [Place(state, width, languages) for (state, width), languages in looked]


WHOLE: Final = len(games.LANGUAGES)
"""How many pages there are to a place."""


def axe_matrix(porch: Porch, house: House, todo: Iterable[Place], count: Counter[str]) -> Iterator[str]:
    """Look at all places that are left to take; a page that was not looked at is missed by whoever adds up."""
    yield from bites(porch, house)
    for place in todo:
        yield from Look(porch, house, place, count).faults()


def bites(porch: Porch, house: House) -> Iterator[str]:
    """Say so if axe does not find what is wrong on purpose, by all rules or by those for colours alone."""
    me = porch.come(house.address).goto("/about")
    expect(me.page.get_by_role("heading", level=2).first).to_be_visible()  # what waits for the page has none
    me.page.evaluate(AT_ONCE)
    me.page.evaluate(NAMELESS)
    me.page.evaluate(PALE)
    for scheme in LIGHTS.values():
        me.page.emulate_media(color_scheme=scheme)
        if not any(fault.startswith("button-name") for fault in axe(me.page)):
            yield f"axe finds no nameless button ({scheme})"
        if not any(fault.startswith("color-contrast") for fault in axe(me.page, *COLOURS)):
            yield f"axe finds no pale words ({scheme})"
    if {*me.page.evaluate(BY_COLOUR)} != {*COLOURS, UNASKED}:
        yield "axe has other rules for colours"
    porch.leave(me)


class Look:
    """One place, from its staging to its last language."""

    def __init__(self, porch: Porch, house: House, place: Place, count: Counter[str]) -> None:
        self.porch = porch
        self.house = house
        self.place = place
        self.count = count
        self.visitors: list[Visitor] = []

    def faults(self) -> Iterator[str]:
        state, width, languages = self.place
        me: Visitor | None = None
        bones = ""
        for language in languages:
            where = f"{state.name}, {language}, {width} px"
            try:
                if me is None or not self._speaks(me, language, bones):
                    yield from self._leave(where)
                    me = self._stage(language)
                    bones = me.page.evaluate(BONES)
                yield from (f"{where}{fault}" for fault in self._seen(me.page, width))
                self.count["pages"] += 1
            except (PlaywrightError, AssertionError) as error:
                yield f"{where}: {str(error).splitlines()[0]}"
                me = None
        yield from self._leave(f"{state.name}, {width} px")

    def _stage(self, language: str) -> Visitor:
        self.house.draws = Rng
        self.count["stagings"] += 1

        def come(cookie: str | None = None) -> Visitor:
            look = WIDTHS[self.place.width]
            self.visitors.append(self.porch.come(self.house.address, cookie, locale=language, **look))
            return self.visitors[-1]

        me = self.place.state.reach(self.house, come)
        me.quiet()
        me.page.evaluate(AT_ONCE)
        expect(me.page.locator("html")).to_have_attribute("lang", language)
        return me

    def _speaks(self, me: Visitor, language: str, bones: str) -> bool:
        """Change the language in place, and say whether the state has outlasted it."""
        me.page.evaluate(SPEAK, language)
        try:
            me.page.wait_for_function(SPEAKS, arg=language, timeout=PATIENCE_MS)
        except PlaywrightError:
            return False
        me.quiet(60)
        same: bool = me.page.evaluate(BONES) == bones
        return same

    def _seen(self, page: Page, width: int) -> Iterator[str]:
        shape = ""
        for light, scheme in LIGHTS.items():
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", light)
            before, shape = shape, page.evaluate(SHAPE)
            # Where the light has changed nothing but colours, the rules for these are all that can find more.
            found = axe(page, *(COLOURS if shape == before else ()))
            yield from (f", {light}: {fault}" for fault in [*found, *filter(None, [sideways(page)])])
            self.count["looks"] += 1
        yield from (f", too small: {word}" for word in small_letters(page))
        if width == NARROW:
            page.evaluate(TWICE)
            page.wait_for_timeout(100)
            wide = [*filter(None, [sideways(page)]), *cut_texts(page), *overlaps(page)]
            page.evaluate(ONCE)
            yield from (f", letters of twice the size: {fault}" for fault in wide)

    def _leave(self, where: str) -> Iterator[str]:
        for visitor in self.visitors:
            yield from (f"{where}: {fault}" for fault in visitor.wrong)
            self.porch.leave(visitor)
        self.visitors.clear()
