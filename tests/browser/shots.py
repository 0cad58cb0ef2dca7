"""Every page and table state as pictures:  ./run shots [folder [language ...] [state ...]]

At two widths, in both lights, in English and German unless other languages are named. One table page comes once more
as people with other eyes see it. Nothing is judged here: look at them.
"""

import sys
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from tests.browser.house import House
from tests.browser.measures import AT_ONCE
from tests.browser.porch import Porch
from tests.browser.states import State, states
from tests.browser.visitor import DESK, Visitor
from whodunit import games
from whodunit.bench import browser as real
from whodunit.core.rng import Rng

WIDTHS: Final[dict[int, dict[str, Any]]] = {360: {"phone": True}, 1440: {"viewport": DESK}}
LIGHTS: Final[dict[str, Literal["light", "dark"]]] = {"paper": "light", "lamp": "dark"}
LANGUAGES: Final = ("en", "de")
LIT: Final = "(light) => [undefined, light].includes(document.documentElement.dataset.theme)"
"""The page has noticed its light; one that needs no script for that bears no name of it."""
WHOLE: Final = """() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
}"""
"""A picture is longer than a screen: what is out of sight is drawn as well."""
EYES: Final = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
SEEN_SO: Final = "passage"
"""The state that is shown to other eyes: many tokens, notes and lit things at once."""


def shoot(porch: Porch, house: House, state: State, width: int, language: str, folder: Path) -> str:
    """Take the pictures; if the state cannot be reached, one of where it was given up, and say so."""
    house.draws = Rng
    visitors: list[Visitor] = []
    name = f"{state.name}-{width}-{language}"

    def come(cookie: str | None = None) -> Visitor:
        visitors.append(porch.come(house.address, cookie, locale=language, **WIDTHS[width]))
        return visitors[-1]

    try:
        _shot(state.reach(house, come), name, folder)
    except (PlaywrightError, AssertionError) as error:
        for visitor in visitors[-1:]:
            visitor.page.screenshot(path=folder / f"{name}-NOT-REACHED.png")
        return f"{name} is not reached: {str(error).splitlines()[0]}"
    finally:
        for visitor in visitors:
            porch.leave(visitor)
    return ""


def _shot(me: Visitor, name: str, folder: Path) -> None:
    me.quiet(250)
    me.page.wait_for_timeout(500)  # what has just changed is outlined for a moment
    # A table or a dialog fills the screen and no more; other pages are longer.
    fills = me.page.locator("section.now").count() > 0 or me.page.get_by_role("dialog").count() > 0
    me.page.evaluate(AT_ONCE)
    me.page.evaluate(WHOLE)
    for light, scheme in LIGHTS.items():
        me.page.emulate_media(color_scheme=scheme)
        me.page.wait_for_function(LIT, arg=light)
        me.page.screenshot(path=folder / f"{name}-{light}.png", full_page=not fills)
    if name.startswith(SEEN_SO):
        me.page.emulate_media(color_scheme="light")
        session = me.context.new_cdp_session(me.page)
        for eyes in EYES:
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
            me.page.screenshot(path=folder / f"{name}-{eyes}.png")
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})


def main(arguments: list[str]) -> int:
    if any(word.startswith("-") for word in arguments):
        print(__doc__)
        return 0
    folder = Path(arguments[0] if arguments else "shots")
    languages = [word for word in arguments[1:] if word in games.LANGUAGES] or LANGUAGES
    only = [word for word in arguments[1:] if word not in games.LANGUAGES]
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, House() as house:
        browser = playwright.chromium.launch(**real.launch_arguments())  # type: ignore[arg-type]  # a plain dict
        porch = Porch(browser)
        faults = []
        for state in states("at", "shot"):
            if only and state.name not in only:
                continue
            print(state.name, flush=True)
            faults += [shoot(porch, house, state, width, each, folder) for width in WIDTHS for each in languages]
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}", *filter(None, faults), sep="\n")
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
