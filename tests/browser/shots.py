"""Every page and table state at two widths in both lights, as pictures:  ./run shots [folder [state ...]]

One table page comes once more as people with other eyes see it. Nothing is judged here: look at them.
"""

import sys
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.house import House
from tests.browser.porch import arrive
from tests.browser.states import State, states
from tests.browser.visitor import DESK, Visitor
from whodunit.bench import browser as real

WIDTHS: Final[dict[int, dict[str, Any]]] = {360: {"phone": True}, 1440: {"viewport": DESK}}
LIGHTS: Final[dict[str, Literal["light", "dark"]]] = {"paper": "light", "lamp": "dark"}
EYES: Final = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
SEEN_SO: Final = "passage"
"""The state that is shown to other eyes: many tokens, notes and lit things at once."""


def shoot(browser: Browser, house: House, state: State, width: int, light: str, folder: Path) -> str:
    """Take the pictures; if the state cannot be reached, one of where it was given up, and say so."""
    visitors: list[Visitor] = []

    def come(cookie: str | None = None) -> Visitor:
        visitors.append(arrive(browser, house.address, cookie, color_scheme=LIGHTS[light], **WIDTHS[width]))
        return visitors[-1]

    try:
        return _shot(state.reach(house, come), f"{state.name}-{width}-{light}", folder)
    except (PlaywrightError, AssertionError) as error:
        visitors[-1].page.screenshot(path=folder / f"{state.name}-{width}-{light}-NOT-REACHED.png")
        return f"{state.name} at {width} px is not reached: {str(error).splitlines()[0]}"
    finally:
        for visitor in visitors:
            visitor.context.close()


def _shot(me: Visitor, name: str, folder: Path) -> str:
    me.quiet(250)
    me.page.wait_for_timeout(500)  # what has just changed is outlined for a moment
    # A table or a dialog fills the screen and no more; other pages are longer.
    fills = "table" in me.told.last or me.page.get_by_role("dialog").count() > 0
    me.page.screenshot(path=folder / f"{name}.png", full_page=not fills)
    if name.startswith(SEEN_SO) and name.endswith("paper"):
        session = me.context.new_cdp_session(me.page)
        for eyes in EYES:
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
            me.page.screenshot(path=folder / f"{name}-{eyes}.png")
    return ""


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "shots")
    only = arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, House() as house:
        browser = playwright.chromium.launch(**real.launch_arguments())  # type: ignore[arg-type]  # a plain dict
        faults = []
        for state in states("at", "shot"):
            if only and state.name not in only:
                continue
            print(state.name, flush=True)
            faults += [shoot(browser, house, state, width, light, folder) for width in WIDTHS for light in LIGHTS]
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}", *filter(None, faults), sep="\n")
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
