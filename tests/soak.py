"""What takes too long for every day:  ./run soak [minutes]   (python -m tests.soak, at the root)

Whole games in the browser by random visible controls, axe over every language, light and width, letters of twice the
size on phones, and the conformance suite with many more examples. Not quite half an hour on two cores, half of
everything on each; all of it runs, even after a failure.
"""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, product
from multiprocessing import get_context
from typing import Final

from hypothesis import HealthCheck, Phase, Verbosity, given
from hypothesis import settings as profile
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

from tests.browser.house import House
from tests.browser.measures import AT_ONCE, TWICE, axe, cut_texts, overlaps, sideways
from tests.browser.porch import Porch
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

MINUTES: Final = 32
SHARES: Final = {"axe": 0.5, "games": 0.25, "conformance": 0.25}
"""Of the time."""
HANDS: Final = 2
"""Processes that share the work."""
NARROW: Final = 360
"""The width at which letters of twice the size must still fit."""
MOST_PRESSES: Final = 4000
EXAMPLES: Final = 1000
"""Games for each check, if there is time."""
GRACE_S: Final = 10.0
"""How much longer a game may be checked that was begun in time."""


def axe_matrix(porch: Porch, house: House, hand: int, end: float) -> Iterator[str]:
    """Look at every state in every language, light and width; what there was no time for is a fault."""
    todo = list(product(states(), games.LANGUAGES, WIDTHS))[hand::HANDS]
    for done, (state, language, width) in enumerate(todo):
        if time.monotonic() > end:
            yield f"axe: no time for {len(todo) - done} of {len(todo)} states"
            return
        yield from _axe(porch, house, state, language, width)
    print(f"axe: {len(todo)} states, each in {len(LIGHTS)} lights", flush=True)


def _axe(porch: Porch, house: House, state: State, language: str, width: int) -> Iterator[str]:
    where = f"{state.name}, {language}, {width} px"
    house.draws = Rng
    visitors: list[Visitor] = []

    def come(cookie: str | None = None) -> Visitor:
        visitors.append(porch.come(house.address, cookie, locale=language, **WIDTHS[width]))
        return visitors[-1]

    try:
        me = state.reach(house, come)
        me.quiet()
        me.page.evaluate(AT_ONCE)
        expect(me.page.locator("html")).to_have_attribute("lang", language)
        for light, scheme in LIGHTS.items():
            me.page.emulate_media(color_scheme=scheme)
            expect(me.page.locator("html")).to_have_attribute("data-theme", light)
            yield from (f"{where}, {light}: {fault}" for fault in [*axe(me.page), *filter(None, [sideways(me.page)])])
        if width == NARROW:
            me.page.evaluate(TWICE)
            me.quiet()
            wide = [*filter(None, [sideways(me.page)]), *cut_texts(me.page), *overlaps(me.page)]
            yield from (f"{where}, letters of twice the size: {fault}" for fault in wide)
        yield from (f"{where}: {fault}" for fault in me.wrong)
    except (PlaywrightError, AssertionError) as error:
        yield f"{where}: {str(error).splitlines()[0]}"
    for visitor in visitors:
        porch.leave(visitor)


def whole_games(porch: Porch, house: House, hand: int, end: float) -> Iterator[str]:
    """Play games of every variant to their end, one after another, on desks and phones, as long as there is time."""
    settings = [(game, *setting) for game in shown() for setting in variants(game)]
    house.draws = Rng
    for number in count(hand, HANDS):
        game, seats, options = settings[number % len(settings)]
        if time.monotonic() > end:
            print(f"games: {number // HANDS} played", flush=True)
            return
        table = house.lay(["Ada"], ["rookie"] * (seats - 1), game=game, options=options)
        me = porch.come(house.address, table.cookies[0], phone=on_phone(number, len(settings))).goto(table.path)
        try:
            me.until(lambda told: "table" in told.last)
            Wanderer(me, number).wander(lambda: time.monotonic() > end, MOST_PRESSES)
            yield from (f"game {number} of {game} {options}: {fault}" for fault in me.wrong)
        except (PlaywrightError, AssertionError) as error:
            yield f"game {number} of {game} {options}: {str(error)[:300]}"
        porch.leave(me)


def on_phone(number: int, settings: int) -> bool:
    """Say where a game is played: each hand changes from game to game, and each setting from round to round."""
    turn, place = divmod(number, settings)
    return (turn + place // HANDS) % 2 == 1


def conformance(hand: int, end: float) -> Iterator[str]:
    """Check games of random play as the conformance suite does, with more of them, and others every time."""
    todo: list[tuple[str, str, Callable[[Played], None]]] = []
    for game in games.GAMES:
        plug = plug_of(game)
        todo += [(game, name, partial(_checked, check, plug)) for name, check in CHECKS.items()]
        todo += [(game, name, partial(_known, knows, plug)) for name, knows in KNOWLEDGE.items()]
    todo = todo[hand::HANDS]
    for done, (game, name, check) in enumerate(todo):
        now = time.monotonic()
        yield from held(game, name, now + (end - now) / (len(todo) - done), check)


def _checked(check: Callable[[Played, Plug], None], plug: Plug, played: Played) -> None:
    check(played, plug)


def _known(knows: Callable[[Viewer], None], plug: Plug, played: Played) -> None:
    for seat in played.viewers if plug.provable(played.events) else ():
        knows(Viewer(played, plug, seat))


class TimeUp(BaseException):
    """A check has had its time, perhaps in a position whose worlds nobody lists in a lifetime; no fault of a game's."""


def _ring(*_: object) -> None:
    raise TimeUp


def held(game: str, name: str, end: float, check: Callable[[Played], None]) -> Iterator[str]:
    rules, plug = games.get(game), plug_of(game)
    done = 0
    faults: list[str] = []

    # Neither searched for a shorter example, which could outlast the time, nor told by Hypothesis, which would call the
    # end of the time a failure.
    @profile(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
    )
    @given(settings_of(rules.INFO, plug))
    def holds(setting: Setting) -> None:
        nonlocal done
        if time.monotonic() > end:
            raise TimeUp  # not a shorter example: that would look as if it depended on something unseen
        try:
            check(play(rules, plug, setting))
        except Exception as error:
            faults.append(f"{type(error).__name__}: {str(error)[:300]}\n    {setting}")
            raise
        done += 1

    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.0, end - time.monotonic()) + GRACE_S)
    try:
        holds()
    except TimeUp:
        faults += [] if done else ["no time for a single game"]
    except Exception as error:  # noqa: BLE001  (whatever it is, the rest is still to be looked at)
        faults.append(str(error))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    yield from (f"{game}, {name}: {fault}" for fault in faults[:1])
    print(f"{game}, {name}: {done} games", flush=True)


def one_hand(hand: int, minutes: float) -> int:
    """Do this hand's part of everything, and return how many faults it found."""
    faults = 0

    def run(name: str, part: Callable[[float], Iterator[str]]) -> None:
        nonlocal faults
        print(f"=== {name}, hand {hand + 1}", flush=True)
        for fault in part(time.monotonic() + 60 * minutes * SHARES[name]):
            print(f"    {fault}", flush=True)
            faults += 1

    with sync_playwright() as playwright, House() as house:
        browser = playwright.chromium.launch(**real.launch_arguments())  # type: ignore[arg-type]  # a plain dict
        porch = Porch(browser)
        run("axe", lambda end: axe_matrix(porch, house, hand, end))
        run("games", lambda end: whole_games(porch, house, hand, end))
        browser.close()
    run("conformance", lambda end: conformance(hand, end))
    return faults


def main(arguments: list[str]) -> int:
    minutes = float(arguments[0] if arguments else MINUTES)
    start = time.monotonic()
    with ProcessPoolExecutor(HANDS, mp_context=get_context("spawn")) as hands:
        faults = sum(hands.map(partial(one_hand, minutes=minutes), range(HANDS)))
    print(f"{faults} faults" if faults else "ok", f"after {(time.monotonic() - start) / 60:.1f} minutes")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
