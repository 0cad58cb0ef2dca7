"""More than a test run has time for:  ./run soak [minutes]   (python -m tests.soak, at the root)

First the tests that are marked `soak`: whole benchmarks that start servers and browsers of their own, mutants that are
tried, servers that are killed again and again (any of them alone: pytest -m soak tests/...). Then axe over every
language, light and width, and letters of twice the size on phones (soak_axe.py). All of that, however slow the machine
is. Then, for what is left of the time, whole games in the browser by random visible controls, what a house
does in worlds that a viewer cannot tell apart, and the conformance suite with many more examples; every setting is
begun and every check is played once in any case. Two hands share the work, and each takes what comes next when it is
done with the last. All of it runs, even after a failure.
"""

import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given
from hypothesis import settings as profile
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from tests.all import Part, run_pytest
from tests.browser.driven import NEEDED
from tests.browser.house import House
from tests.browser.porch import Porch
from tests.browser.wander import Wanderer, shown, variants
from tests.plugs import plug_of
from tests.soak_axe import WHOLE, axe_matrix, places
from tests.traces.cases import drawn
from tests.traces.stores import STORES
from whodunit import games
from whodunit.bench import browser as real
from whodunit.bench import peer_env
from whodunit.bench.database import postgres
from whodunit.conformance.checks import CHECKS
from whodunit.conformance.handovers import hand_overs
from whodunit.conformance.handovers import played as played_carelessly
from whodunit.conformance.levels import goes_on_at_every_level
from whodunit.conformance.play import Played, play
from whodunit.conformance.plug import Plug
from whodunit.conformance.settings import Setting, settings_of
from whodunit.conformance.support import KNOWLEDGE, Viewer
from whodunit.core.rng import Rng

T = TypeVar("T")
MINUTES: Final = 28
PARTS: Final = ("axe", "games", "traces", "conformance")
HANDS: Final = 2
"""Processes that share the work."""
LONG: Final = ("-m=soak", "--dist=worksteal", "-o=timeout=600", "-o=faulthandler_timeout=700")
# A process that has driven Chromium has an event loop for good, in which others cannot begin one of their own.
MARKED: Final = (
    Part("marked", 0, ("tests",), (*LONG, "--ignore=tests/browser")),
    Part("browser", 0, ("tests/browser",), LONG),
)
LEAST_S: Final = 180.0
"""For each part that plays at random, however little of the time is left."""
GAME_S: Final = 120.0
"""A game may go on and on: who is out looks on while a rookie asks for thousands of turns."""
MOST_PRESSES: Final = 4000
ROUNDS: Final = 20
COMPARED: Final = 20_000
"""Pairs of worlds for each game, if there is time."""
EXAMPLES: Final = 1000
"""Games for each check, if there is time."""
GRACE_S: Final = 10.0
"""How much longer a game may be checked that was begun in time."""
FIRST_S: Final = 120.0
"""How long a check's first game may take, whatever the time."""


class Tally(NamedTuple):
    """What came of a hand's share of a part."""

    part: str
    seconds: float
    counted: Counter[str]
    faults: list[str]


class Pile:
    """Work that several hands take from: whoever is done takes the next, so that none waits for another."""

    def __init__(self, taken: Any) -> None:
        self._taken = taken
        """How much has been taken, in memory that the hands share."""

    def take(self, todo: Sequence[T]) -> Iterator[T]:
        while (number := self._next()) < len(todo):
            yield todo[number]

    def _next(self) -> int:
        with self._taken.get_lock():
            self._taken.value += 1
            return int(self._taken.value) - 1


class Match(NamedTuple):
    """A game to be played in a browser."""

    number: int
    game: str
    seats: int
    options: dict[str, Any]
    phone: bool
    wanted: bool
    """Whether it is begun however late it is: the first of its setting."""


def matches() -> list[Match]:
    """List games of every variant, round after round: in each round, and each setting, on desks and phones by turns."""
    settings = [(game, *setting) for game in shown() for setting in variants(game)]
    return [
        Match(turn * len(settings) + place, *setting, phone=(turn + place) % 2 == 1, wanted=turn == 0)
        for turn in range(ROUNDS)
        for place, setting in enumerate(settings)
    ]


def whole_games(porch: Porch, house: House, pile: Pile, end: float, count: Counter[str]) -> Iterator[str]:
    """Play games to their end, one after another, as long as there is time."""
    house.draws = Rng
    for match in pile.take(matches()):
        begun = time.monotonic()
        if begun > end and not match.wanted:
            return
        where = f"game {match.number} of {match.game} {match.options}"
        table = house.lay(["Ada"], ["rookie"] * (match.seats - 1), game=match.game, options=match.options)
        me = porch.come(house.address, table.cookies[0], phone=match.phone).goto(table.path)
        wanderer = Wanderer(me, match.number)
        try:
            me.until(lambda told: "table" in told.last)
            wanderer.wander(partial(_late, begun + GAME_S), MOST_PRESSES)
        except (PlaywrightError, AssertionError) as error:
            yield f"{where}: {str(error)[:300]}"
        how = "played to the end" if me.told.over else "left"
        count[how] += 1
        print(f"{where}: {how} after {wanderer.pressed.total()} presses, {time.monotonic() - begun:.0f} s", flush=True)
        yield from (f"{where}: {fault}" for fault in me.wrong)
        porch.leave(me)


def _late(end: float) -> bool:
    return time.monotonic() > end


def conformance(pile: Pile, end: float, count: Counter[str]) -> Iterator[str]:
    """Check games of random play as the conformance suite does, with more of them, and others every time."""
    todo: list[tuple[str, str, Callable[[Played], None]]] = []
    for game in games.ids():
        plug = plug_of(game)
        todo += [(game, name, partial(_checked, check, plug)) for name, check in CHECKS.items()]
        todo += [(game, name, partial(_known, knows, plug)) for name, knows in KNOWLEDGE.items()]
        todo.append((game, goes_on_at_every_level.__name__, partial(_handed_over, plug)))
    for place, (game, name, check) in pile.take([*enumerate(todo)]):
        now = time.monotonic()
        yield from held(game, name, now + HANDS * (end - now) / (len(todo) - place + HANDS - 1), check, count)
        count["checks"] += 1


def traces(pile: Pile, end: float, count: Counter[str]) -> Iterator[str]:
    """Compare what the house does in worlds that a viewer cannot tell apart: others every time, of all there are."""
    todo = [(number, game) for number in range(COMPARED) for game in games.ids()]
    begun = time.time()  # never the same sample twice
    with postgres(durable=False) as cluster:
        for number, game in pile.take(todo):
            if _late(end):
                return
            seed = f"soak {begun} {number}"
            case = drawn(game, seed, STORES[number % len(STORES)])
            if case is None:
                continue
            try:
                case.check(cluster)
            except AssertionError as error:
                yield f"{seed}: {str(error)[:2000]}"
            count["pairs of worlds"] += 1


def _checked(check: Callable[[Played, Plug], None], plug: Plug, played: Played) -> None:
    check(played, plug)


def _known(knows: Callable[[Viewer], None], plug: Plug, played: Played) -> None:
    for seat in played.viewers if plug.provable(played.events) else ():
        knows(Viewer(played, plug, seat))


def _handed_over(plug: Plug, played: Played) -> None:
    """Let every level take over at every event, also of a game in which nobody keeps to his honour."""
    goes_on_at_every_level(played, plug)
    faults = hand_overs(played_carelessly(played.game, played.last.seed)).faults
    assert not faults, "\n".join(faults)


class TimeUp(BaseException):
    """A check has had its time, perhaps in a position whose worlds nobody lists in a lifetime; no fault of a game's."""


def _ring(*_: object) -> None:
    raise TimeUp


def held(
    game: str, name: str, end: float, check: Callable[[Played], None], count: Counter[str] | None = None
) -> Iterator[str]:
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
        if done and _late(end):
            raise TimeUp  # not a shorter example: that would look as if it depended on something unseen
        try:
            check(play(rules, plug, setting))
        except Exception as error:
            faults.append(f"{type(error).__name__}: {str(error)[:300]}\n    {setting}")
            raise
        done += 1
        if done == 1:
            signal.setitimer(signal.ITIMER_REAL, max(0.0, end - time.monotonic()) + GRACE_S)

    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, max(FIRST_S, end - time.monotonic()))
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
    if count is not None:
        count["games"] += done


def one_hand(hand: int, minutes: float) -> list[Tally]:
    """Do this hand's part of everything."""
    start = time.monotonic()
    tallies: list[Tally] = []
    piles = dict(zip(PARTS, _SHARED, strict=True))

    def run(name: str, part: Callable[[Counter[str]], Iterator[str]]) -> None:
        print(f"=== {name}, hand {hand + 1}", flush=True)
        begun, count, faults = time.monotonic(), Counter[str](), list[str]()
        for fault in part(count):
            print(f"    {fault}", flush=True)
            faults.append(fault)
        tallies.append(Tally(name, time.monotonic() - begun, count, faults))

    def end(share: float) -> float:
        """Return when a part is over that has this share of what is left of the time."""
        now = time.monotonic()
        return now + max(LEAST_S, share * (start + 60 * minutes - now))

    with sync_playwright() as playwright, House() as house:
        browser = playwright.chromium.launch(**real.launch_arguments())  # type: ignore[arg-type]  # a plain dict
        porch = Porch(browser)
        run("axe", lambda count: axe_matrix(porch, house, piles["axe"].take(places()), count))
        run("games", lambda count: whole_games(porch, house, piles["games"], end(1 / 2), count))
        browser.close()
    run("traces", lambda count: traces(piles["traces"], end(1 / 4), count))
    run("conformance", lambda count: conformance(piles["conformance"], end(1), count))
    return tallies


_SHARED: list[Pile] = []
"""What this process, one of the hands, takes from: one pile for each part."""


def _share(*taken: Any) -> None:
    _SHARED[:] = map(Pile, taken)


def marked() -> Tally:
    """Run the tests that nothing else runs."""
    print("=== marked", flush=True)
    with suppress(real.NoBrowser):  # a test will say so; here, before two processes would install at the same time
        for program, package in NEEDED.items():
            real.of_debian(program, package)
    peer_env.with_whodunit()  # likewise
    begun = time.monotonic()
    runs = [run_pytest(part) for part in MARKED]
    faults = [fault for found, _ in runs for fault in found]
    return Tally("marked", time.monotonic() - begun, Counter(tests=sum(len(tests) for _, tests in runs)), faults)


def summary(tallies: Sequence[Tally]) -> list[str]:
    """Print what every part came to, and return all faults; to have left out a page is one."""
    faults = [fault for tally in tallies for fault in tally.faults]
    print("\n=== soak")
    for part in ("marked", *PARTS):
        of_it = [tally for tally in tallies if tally.part == part]
        count = sum((tally.counted for tally in of_it), Counter[str]())
        missed = WHOLE * len(places()) - count["pages"] if part == "axe" else 0
        if missed:
            faults.append(f"axe: {missed} of {WHOLE * len(places())} pages were not looked at")
        verdict = "FAILED" if missed or any(tally.faults for tally in of_it) else "ok"
        came_to = ", ".join(f"{number} {what}" for what, number in count.items())
        took = " and ".join(f"{tally.seconds / 60:.1f}" for tally in of_it)
        print(f"{part:12} {verdict:7} {took} min  {came_to}")
    for fault in faults:
        print(f"    {fault}")
    return faults


def main(arguments: list[str]) -> int:
    minutes = float(arguments[0] if arguments else MINUTES)
    start, spawn = time.monotonic(), get_context("spawn")
    tallies = [marked()]
    left = minutes - (time.monotonic() - start) / 60
    taken = tuple(spawn.Value("i", 0) for _ in PARTS)
    with ProcessPoolExecutor(HANDS, spawn, _share, taken) as hands:
        tallies += [tally for some in hands.map(partial(one_hand, minutes=left), range(HANDS)) for tally in some]
    faults = summary(tallies)
    code = int(bool(faults))
    verdict = f"FAILED, {len(faults)} faults" if faults else "ok"
    print(f"soak: {verdict} after {(time.monotonic() - start) / 60:.1f} minutes, exit code {code}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
