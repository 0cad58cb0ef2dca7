"""What takes too long for every day:  ./run soak [minutes]   (python -m tests.soak, at the root)

Whole games in the browser by random visible controls, axe over every language, light and width, and the conformance
suite with many more examples. About twenty minutes; all of it runs, even after a failure.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, product
from typing import Final

from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.house import House
from tests.browser.measures import axe, sideways
from tests.browser.porch import arrive
from tests.browser.shots import LIGHTS, WIDTHS
from tests.browser.states import State, states
from tests.browser.visitor import Visitor
from tests.browser.wander import Wanderer, shown, variants
from tests.conformance.checks import CHECKS
from tests.conformance.play import Played, play
from tests.conformance.plug import Plug, plug_of
from tests.conformance.settings import Setting, settings_of
from tests.conformance.support import KNOWLEDGE, Viewer
from whodunit import games
from whodunit.bench import browser as real
from whodunit.core.rng import Rng

MINUTES: Final = 20
SHARES: Final = {"axe": 0.5, "games": 0.25, "conformance": 0.25}
"""Of the time."""
LANGUAGES: Final = ("en", "de")
MOST_PRESSES: Final = 4000
EXAMPLES: Final = 1000
"""Games for each check, if there is time."""


def axe_matrix(browser: Browser, house: House, end: float) -> Iterator[str]:
    """Look at every state in every language, light and width; what there was no time for is a fault."""
    todo = list(product(states(), LANGUAGES, LIGHTS, WIDTHS))
    for done, (state, language, light, width) in enumerate(todo):
        if time.monotonic() > end:
            yield f"axe: no time for {len(todo) - done} of {len(todo)} states"
            return
        yield from _axe(browser, house, state, language, light, width)
    print(f"axe: {len(todo)} states", flush=True)


def _axe(browser: Browser, house: House, state: State, language: str, light: str, width: int) -> Iterator[str]:
    where = f"{state.name}, {language}, {light}, {width} px"
    house.draws = Rng
    visitors: list[Visitor] = []

    def come(cookie: str | None = None) -> Visitor:
        look = {"color_scheme": LIGHTS[light], "locale": language, **WIDTHS[width]}
        visitors.append(arrive(browser, house.address, cookie, **look))
        return visitors[-1]

    try:
        me = state.reach(house, come)
        me.quiet()
        yield from (f"{where}: {fault}" for fault in [*axe(me.page), *filter(None, [sideways(me.page)]), *me.wrong])
    except (PlaywrightError, AssertionError) as error:
        yield f"{where}: {str(error).splitlines()[0]}"
    for visitor in visitors:
        visitor.context.close()


def whole_games(browser: Browser, house: House, end: float) -> Iterator[str]:
    """Play games of every variant to their end, one after another, on desks and phones, as long as there is time."""
    settings = [(game, *setting) for game in shown() for setting in variants(game)]
    house.draws = Rng
    for number in count():
        game, seats, options = settings[number % len(settings)]
        if time.monotonic() > end:
            print(f"games: {number} played", flush=True)
            return
        table = house.lay(["Ada"], ["rookie"] * (seats - 1), game=game, options=options)
        me = arrive(browser, house.address, table.cookies[0], phone=number % 2 == 1).goto(table.path)
        try:
            me.until(lambda told: "table" in told.last)
            Wanderer(me, number).wander(lambda: time.monotonic() > end, MOST_PRESSES)
            yield from (f"game {number} of {game} {options}: {fault}" for fault in me.wrong)
        except (PlaywrightError, AssertionError) as error:
            yield f"game {number} of {game} {options}: {str(error)[:300]}"
        me.context.close()


def conformance(end: float) -> Iterator[str]:
    """Check games of random play as the conformance suite does, with more of them, and others every time."""
    todo: list[tuple[str, str, Callable[[Played], None]]] = []
    for game in games.GAMES:
        plug = plug_of(game)
        todo += [(game, name, partial(_checked, check, plug)) for name, check in CHECKS.items()]
        todo += [(game, name, partial(_known, knows, plug)) for name, knows in KNOWLEDGE.items()]
    for done, (game, name, check) in enumerate(todo):
        now = time.monotonic()
        yield from _held(game, name, now + (end - now) / (len(todo) - done), check)


def _checked(check: Callable[[Played, Plug], None], plug: Plug, played: Played) -> None:
    check(played, plug)


def _known(knows: Callable[[Viewer], None], plug: Plug, played: Played) -> None:
    for seat in played.viewers if plug.provable(played.events) else ():
        knows(Viewer(played, plug, seat))


def _held(game: str, name: str, end: float, check: Callable[[Played], None]) -> Iterator[str]:
    rules, plug = games.get(game), plug_of(game)
    done = 0

    @profile(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(settings_of(rules.INFO, plug))
    def holds(setting: Setting) -> None:
        nonlocal done
        if time.monotonic() < end:
            check(play(rules, plug, setting))
            done += 1

    try:
        holds()
    except Exception as error:  # noqa: BLE001  (whatever it is, the rest is still to be looked at)
        yield f"{game}, {name}: {type(error).__name__}: {str(error)[:300]}"
    print(f"{game}, {name}: {done} games", flush=True)


def main(arguments: list[str]) -> int:
    seconds = 60 * float(arguments[0] if arguments else MINUTES)
    faults: list[str] = []

    def run(name: str, part: Callable[[float], Iterator[str]]) -> None:
        print(f"=== {name}", flush=True)
        for fault in part(time.monotonic() + seconds * SHARES[name]):
            print(f"    {fault}", flush=True)
            faults.append(fault)

    with sync_playwright() as playwright, House() as house:
        browser = playwright.chromium.launch(**real.launch_arguments())  # type: ignore[arg-type]  # a plain dict
        run("axe", lambda end: axe_matrix(browser, house, end))
        run("games", lambda end: whole_games(browser, house, end))
        browser.close()
    run("conformance", conformance)
    print(f"{len(faults)} faults" if faults else "ok")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
