"""Cases to solve: how many can be cut, whether each has one answer, how hard they are, and what a day's page weighs."""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from whodunit import arena, games
from whodunit.bench import browser, report
from whodunit.bench.cases_check import answers
from whodunit.bench.cases_days import ALONE, COMPILED, in_a_process
from whodunit.bench.report import Bar
from whodunit.cases.effort import harder_parts
from whodunit.cases.posed import Posed, claims_of, cuts_of, known
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Impossible, Unproved, rule
from whodunit.cases.solvers import Solver, counting, exact, marks_only
from whodunit.cases.steps import explained
from whodunit.cases.supply import supplied
from whodunit.core.cutting import Cuts, Entry
from whodunit.infra.progress import Progress

PARTS: Final = ("cases", "days", "page")
SOLVERS: Final[dict[str, Solver]] = {"marks": marks_only, "counting": counting, "exact": exact}
ENOUGH: Final = 300
"""So many cases of each game are looked at."""
FIRST: Final = date(2026, 11, 2)
DAYS: Final = 28
CLAIMS: Final = 3
"""So many claims are made at each line of a case."""
SPREAD: Final = 0.3
"""By so much fewer of the harder half the counting solver must solve, where that can be seen: in Perfect Alibi."""
PURE_MINUTES: Final = 8.0
HASH_SEEDS: Final = (1, 2)
"""Under these the compiled kernel makes the days; Python alone makes them under 0."""
MADE_WITHIN_S: Final = 300
"""So long a new house may take for its first cases."""


def games_of_days() -> tuple[str, ...]:
    """Return the games that have a case every day."""
    return tuple(id for id in games.playable() if hasattr(games.get(id), "CUTS"))


def provable_games() -> tuple[str, ...]:
    """Return the games of which cases can be cut and proved."""
    return tuple(id for id in games_of_days() if isinstance(cuts_of(id), Cuts))


def bars(ids: Sequence[str], only: Sequence[str], count: int = ENOUGH, days: int = DAYS) -> list[Bar]:
    """Return the bars of what is measured."""
    found = []
    if "cases" in only:
        found += [Bar(f"good_per_minute.{id}", ">=", 20) for id in ids]
        found += [
            Bar("unique_checked", ">=", count),
            Bar("not_unique", "<=", 0),
            Bar("counter_deal_ms_p95", "<=", 10),
            Bar("steps_ms_p95", "<=", 20),
            Bar("part_harder_than_whole", "<=", 0.05),
        ]
        found += [Bar(f"solvers_easy_hard.{id}", ">=", SPREAD) for id in ids if id == "perfect_alibi"]
    if "days" in only:
        found.append(Bar("same_bytes_days", ">=", days))
    if "page" in only:
        found.append(Bar("today_first_visit_kb", "<=", 120))
    return found


LABELS: Final = {
    "unique_checked": "cases of each game whose answers were found a second time, by other means",
    "not_unique": "of those, cases with another answer or none",
    "counter_deal_ms_p95": "ms for a ruling with a counter-deal, p95, the slowest game",
    "clash_ms_p95": "ms for a ruling with a clash, p95, the slowest game",
    "steps_ms_p95": "ms for a proof step by step, p95, the slowest game",
    "part_harder_than_whole": "share of parts of proofs that are graded harder than the whole",
    "parts": "parts of proofs that were graded",
    "same_bytes_days": "days whose cases are the same bytes under several hash seeds, and by Python alone",
    "pure_days": "so many of those were made by Python alone",
    "today_first_visit_kb": "kB until today's cases stand: all but clips, and but the fonts that every page has",
    "today_js_kb": "of those, kB of JavaScript",
    "today_fonts_kb": "kB of fonts",
    **{f"good_per_minute.{id}": f"good cases a minute on one core, {id}" for id in games.ids()},
    **{f"solvers_easy_hard.{id}": f"by how much less counting solves of the harder half, {id}" for id in games.ids()},
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench cases", description=__doc__)
    ids = provable_games()
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part; may be given several times")
    parser.add_argument("--game", action="append", choices=ids, help="only this game; may be given several times")
    parser.add_argument("--count", type=int, default=ENOUGH, help=f"cases of each game (default: {ENOUGH})")
    parser.add_argument("--days", type=int, default=DAYS, help=f"of so many days in a row (default: {DAYS})")
    parser.add_argument("--seed", default="bench")
    parser.add_argument(
        "--pure-minutes",
        type=float,
        default=PURE_MINUTES,
        help=f"for so long days are made by Python alone (default: {PURE_MINUTES:.0f})",
    )
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    only, chosen = tuple(args.only or PARTS), tuple(args.game or ids)
    figures: dict[str, float] = {}
    if "cases" in only:
        figures |= of_cases(chosen, args.count, args.seed)
    if "days" in only:
        figures |= same_bytes(args.game or games_of_days(), args.days, args.pure_minutes)
    if "page" in only:
        figures |= weighed()
    return report.finish(args, figures, bars(chosen, only, args.count, args.days), LABELS)


# --- Cases of each game ----------------------------------------------------------------------------------------------


class Timed(NamedTuple):
    """How long each ruling of a kind took, and each proof, in ms."""

    counter_deal: list[float]
    clash: list[float]
    steps: list[float]


def of_cases(ids: Sequence[str], count: int, seed: str) -> dict[str, float]:
    """Cut cases of each game, and look at each of them."""
    figures: dict[str, float] = {}
    pairs = harder = wrong = 0
    timed: list[Timed] = []
    checked: list[int] = []
    for id in ids:
        began = time.process_time()
        progress = Progress(count, f"cases of {id}")
        found: list[Puzzle] = []
        for puzzle in islice(supplied(id, seed), count):
            found.append(puzzle)
            progress.step()
        figures[f"good_per_minute.{id}"] = 60 * count / (time.process_time() - began)
        bad = [puzzle for puzzle in found if answers(puzzle.posed) != [puzzle.answer]]
        checked.append(len(found))
        wrong += len(bad)
        timed.append(clocked(found))
        figures |= {f"{key}_ms_p95.{id}": _p95(values) for key, values in timed[-1]._asdict().items()}
        figures |= {f"{key}.{id}": value for key, value in solved(found).items()}
        figures |= {f"{key}.{id}": value for key, value in described(found).items()}
        for puzzle in found:
            more, of = harder_parts(known(puzzle.posed), puzzle.steps)
            harder, pairs = harder + more, pairs + of
        report.progress(f"{id}: {len(found)} cases, {len(bad)} not unique; of {pairs} parts so far {harder} harder")
    return figures | {
        "unique_checked": min(checked),
        "not_unique": wrong,
        **{f"{key}_ms_p95": max(_p95(getattr(one, key)) for one in timed) for key in Timed._fields},
        "part_harder_than_whole": harder / pairs if pairs else 0.0,
        "parts": pairs,
    }


def clocked(found: Sequence[Puzzle]) -> Timed:
    """Time rulings and proofs, each of a case of which nothing is remembered."""
    timed = Timed([], [], [])
    for puzzle in found:
        for turned in range(puzzle.posed.total):
            posed = puzzle.at(turned)
            for claim in _claims(posed):
                began = time.process_time()
                ruling = rule(posed, claim)
                took = 1000 * (time.process_time() - began)
                if isinstance(ruling, Unproved):
                    timed.counter_deal.append(took)
                elif isinstance(ruling, Impossible):
                    timed.clash.append(took)
        position = known(puzzle.posed)
        began = time.process_time()
        explained(position, claims_of(position, puzzle.answer))
        timed.steps.append(1000 * (time.process_time() - began))
    return timed


def _claims(posed: Posed) -> Iterator[tuple[Entry, ...]]:
    """Yield some claims: the first of each group, the second, and so on."""
    yield from islice(zip(*posed.question.form, strict=False), CLAIMS)


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else max(values, default=0.0)


def solved(found: Sequence[Puzzle]) -> dict[str, float]:
    """Return what share each solver solves of the easier and of the harder half."""
    by_effort = sorted(found, key=lambda puzzle: puzzle.effort)
    middle = len(by_effort) // 2
    halves = {"easy": by_effort[:middle], "hard": by_effort[middle:]}
    figures = {
        f"solver_{name}_{half}": statistics.mean(_solves(solver, puzzle) for puzzle in puzzles)
        for name, solver in SOLVERS.items()
        for half, puzzles in halves.items()
        if puzzles
    }
    if len(found) > 1:
        figures["solvers_easy_hard"] = figures["solver_counting_easy"] - figures["solver_counting_hard"]
    return figures


def _solves(solver: Solver, puzzle: Puzzle) -> bool:
    position = known(puzzle.posed)
    return solver(position, claims_of(position, puzzle.answer))


def described(found: Sequence[Puzzle]) -> dict[str, float]:
    """Return what cases are like."""
    return {
        "lines_mean": statistics.mean(puzzle.posed.total for puzzle in found),
        "par_mean": statistics.mean(puzzle.par for puzzle in found),
        "steps_mean": statistics.mean(len(puzzle.steps) for puzzle in found),
        "effort_median": statistics.median(puzzle.effort for puzzle in found) / 1000,
    }


# --- The cases of days -----------------------------------------------------------------------------------------------


def same_bytes(ids: Sequence[str], days: int, pure_minutes: float) -> dict[str, float]:
    """Make the cases of days in several processes, and count the days on which all of them are the same to the byte."""
    dates = [(FIRST + timedelta(number)).isoformat() for number in range(days)]

    def made(kernel: str, hash_seed: int, day: str) -> list[str]:
        digests = in_a_process([f"{day}.{id}" for id in ids], kernel, hash_seed)
        report.progress(f"{day}: made by the {kernel} kernel under hash seed {hash_seed}")
        return digests

    def made_in_time(day: str) -> list[str] | None:
        return made(ALONE, 0, day) if time.monotonic() < until else None

    with ThreadPoolExecutor(arena.cores()) as pool:
        compiled = [pool.map(partial(made, COMPILED, hash_seed), dates) for hash_seed in HASH_SEEDS]
        first, *others = [[*digests] for digests in compiled]
        until = time.monotonic() + 60 * pure_minutes
        pure = [*pool.map(made_in_time, dates)]
    others.append([mine or theirs for mine, theirs in zip(pure, first, strict=True)])
    different = [day for place, day in enumerate(dates) if any(one[place] != first[place] for one in others)]
    for day in different:
        report.progress(f"{day}: not the same bytes")
    return {"same_bytes_days": days - len(different), "pure_days": sum(one is not None for one in pure)}


# --- The page --------------------------------------------------------------------------------------------------------


def weighed() -> dict[str, float]:
    """Open today's page in a real browser with nothing in its cache, and weigh what comes."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (a tool of the developers)

    from whodunit.bench.client.main import site, stand  # noqa: PLC0415

    folder = TemporaryDirectory(prefix="whodunit-today-")
    with folder as name, site(Path(name), 1, "--monitor", "127.0.0.1") as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**browser.launch_arguments())  # type: ignore[arg-type]
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        line = browser.Weighed(page)
        page.goto(f"{address}/today")
        page.locator("main article").first.wait_for(timeout=1000 * MADE_WITHIN_S)
        stand(page)
        every, fonts, clips = line.kb(), line.kb("Font"), line.kb("Media")
        chromium.close()
    return {
        "today_first_visit_kb": every - fonts - clips,
        "today_js_kb": line.kb("Script"),
        "today_fonts_kb": fonts,
    }
