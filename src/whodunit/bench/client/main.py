"""What the pages cost: bytes of the first visit, script time on a slow machine, long tasks while reading, axe, how
long a move is under way to another screen, and what is not yet said in every language.

A real browser against the real site, started for it. CPU is slowed down fourfold by the browser itself; script time is
what the browser counts until the page stands still, the median of several visits, each with an empty cache.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from whodunit import games
from whodunit.bench import browser, report
from whodunit.bench.client import solo, tables
from whodunit.bench.client.log import TABLES, lay
from whodunit.bench.report import Bar
from whodunit.room.pace import TEMPI

ROOT: Final = Path(__file__).resolve().parents[4]
AXE: Final = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SLOWER: Final = 4
LONG_MS: Final = 50
COOKIE: Final = "whodunit"

BARS: Final = [
    Bar("js_kb_first_visit", "<=", 120),
    Bar("script_ms_front", "<=", 400),
    Bar("script_ms_table", "<=", 700),
    Bar("long_tasks", "<=", 0),
    Bar("axe_violations", "<=", 0),
    Bar("move_to_other_screen_ratio", "<=", 5),
    Bar("missing_translations", "<=", 0),
]
LABELS: Final = {
    "js_kb_first_visit": "kB of compressed JavaScript, front page and then a table, the heaviest game",
    **{f"js_kb_{game}": f"the same for {game}" for game in games.ids()},
    "js_kb_front": "kB of compressed JavaScript, front page",
    "script_ms_front": "ms of script until the front page stands, CPU 4x slower",
    "script_ms_table": "ms of script until a table stands, CPU 4x slower, the slowest game",
    **{f"script_ms_{game}": f"the same for {game}" for game in games.ids()},
    "script_ms_long_log": "the same with a long log",
    "long_tasks": f"tasks over {LONG_MS} ms while scrolling a log of {TABLES['longlog']} events",
    "axe_violations": "axe violations, front page and a table of every game",
    "server_ms_to_other": "ms of a move to another player's connection, median",
    "screen_ms_to_other": "ms of a move to the frame that shows it on another player's screen, median",
    "painted_ms_to_other": "ms until that frame is painted, without a graphics card, median",
    "move_to_other_screen_ratio": "the screen's over the connection's",
    "missing_translations": "texts that a language lacks",
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench client", description=__doc__)
    parser.add_argument("--visits", type=int, default=5, help="of how many visits the median is taken (default: 5)")
    parser.add_argument("--moves", type=int, default=40, help="how many are timed from screen to screen (default: 40)")
    parser.add_argument("--game", choices=games.ids(), action="append", help="tables of this one only (default: all)")
    parser.add_argument("--waits", type=int, default=9, help="of how many waits among bots the median is taken")
    parser.add_argument("--pace", choices=TEMPI, action="append", help="of this pace (default: brisk and at_once)")
    parser.add_argument("--only", choices=["solo"], help="only how long one person waits among bots")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    if args.only == "solo":
        return report.finish(args, _solo(args), solo.BARS, solo.LABELS)
    figures = {**_pages(args), **_solo(args), "missing_translations": len(missing())}
    return report.finish(args, figures, [*BARS, *solo.BARS], {**LABELS, **solo.LABELS})


def _solo(args: argparse.Namespace) -> dict[str, float]:
    """Measure how long one person waits among bots, in a house that takes its time."""
    played, paces = args.game or list(games.ids()), args.pace or list(solo.WAITS)
    with TemporaryDirectory(prefix="whodunit-solo-") as name, site(Path(name), haste=1) as address:
        return asyncio.run(solo.waits(address, played, paces, args.waits))


def _pages(args: argparse.Namespace) -> dict[str, float]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (a tool of the developers)

    with TemporaryDirectory(prefix="whodunit-client-") as name:
        cookies = lay(Path(name))
        with site(Path(name)) as address:
            report.progress("tables ...")
            laid = asyncio.run(tables.tables(address, cookies[0], args.game or list(games.ids())))
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(**browser.launch_arguments())  # type: ignore[arg-type]
                bench = Bench(chromium, address, cookies[0], laid)
                figures = {**bench.bytes(), **bench.scripts(args.visits), **bench.reading(), **bench.axe()}
                chromium.close()
            report.progress("from screen to screen ...")
            return figures | asyncio.run(tables.to_screens(address, cookies, "moves", args.moves))


@contextmanager
def site(folder: Path, haste: float = 0, *others: str) -> Iterator[str]:
    """Serve this folder's tables; yield the address. Cases of the day are not made, unless other options say so."""
    command = [sys.executable, "-m", "whodunit.cli", "serve", "--port", "0", "--haste", f"{haste}", "--no-browser"]
    command += ["--data", str(folder), *(others or ["--no-cases"])]
    served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        assert served.stdout is not None
        line = served.stdout.readline()
        found = re.search(r"http\S+", line)
        if found is None:
            raise RuntimeError(f"the site did not open: {line!r}")
        yield found[0]
    finally:
        served.terminate()
        served.wait(10)


class Bench:
    """The visits, to the front page and to a table with a long log."""

    def __init__(self, chromium: Any, address: str, cookie: str, tables: Mapping[str, str]) -> None:
        self.chromium = chromium
        self.address = address
        self.tables = {game: f"{address}/t/{id}" for game, id in tables.items()}
        self.long = f"{address}/t/longlog"
        self.cookie = {"name": COOKIE, "value": cookie, "url": address}

    @contextmanager
    def visit(self, *, slower: int = 1) -> Iterator[Any]:
        """Open a page with nothing in its cache."""
        context = self.chromium.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([self.cookie])
        page = context.new_page()
        if slower > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        yield page
        context.close()

    def bytes(self) -> dict[str, float]:
        """Count what scripts weigh on the line: on the front page, and with what a first game adds."""
        sizes: dict[str, float] = {}
        for game, table in self.tables.items():
            report.progress(f"bytes, {game} ...")
            sizes["js_kb_front"], sizes[f"js_kb_{game}"] = self._weighed(self.address, table)
        return {**sizes, "js_kb_first_visit": max(sizes.values())}

    def _weighed(self, *addresses: str) -> Iterator[float]:
        with self.visit() as page:
            line = browser.Weighed(page)
            for address in addresses:
                page.goto(address)
                stand(page)
                yield line.kb("Script")

    def scripts(self, visits: int) -> dict[str, float]:
        """Measure script time until the page stands, as a machine a quarter as fast would need."""
        tables = {f"script_ms_{game}": table for game, table in self.tables.items()}
        pages = {"script_ms_front": self.address, "script_ms_long_log": self.long, **tables}
        found: dict[str, list[float]] = {name: [] for name in pages}
        for number in range(1, visits + 1):
            report.progress(f"visit {number} of {visits} ...")
            for name, address in pages.items():
                with self.visit(slower=SLOWER) as page:
                    session = page.context.new_cdp_session(page)
                    session.send("Performance.enable", {"timeDomain": "threadTicks"})
                    page.goto(address)
                    stand(page)
                    metrics = {it["name"]: it["value"] for it in session.send("Performance.getMetrics")["metrics"]}
                    found[name].append(1000 * metrics["ScriptDuration"])
        medians = {name: median(times) for name, times in found.items()}
        return {**medians, "script_ms_table": max(medians[name] for name in tables)}

    def reading(self) -> dict[str, float]:
        """Scroll the whole log, and count the tasks that would be felt."""
        report.progress("scrolling ...")
        with self.visit(slower=SLOWER) as page:
            page.goto(self.long)
            stand(page)
            page.evaluate(WATCH_TASKS)
            box = page.locator(".log-area ol, .log ol").first.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + min(box["height"], 400) / 2)
            for _ in range(60):
                page.mouse.wheel(0, 400)
                page.wait_for_timeout(30)
            return {"long_tasks": len(page.evaluate("() => window.tasks"))}

    def axe(self) -> dict[str, float]:
        """Count what axe finds on the front page and the tables."""
        report.progress("axe ...")
        count = 0
        for address in (self.address, *self.tables.values()):
            with self.visit() as page:
                page.goto(address)
                stand(page)
                page.evaluate(AXE.read_text("utf-8"))
                found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
                count += len(found["violations"])
                for violation in found["violations"]:
                    targets = [node["target"] for node in violation["nodes"]]
                    report.progress(f"axe: {violation['id']}: {json.dumps(targets)}")
        return {"axe_violations": count}


WATCH_TASKS: Final = f"""() => {{
    window.tasks = []
    new PerformanceObserver((list) => {{
        for (const task of list.getEntries()) if (task.duration > {LONG_MS}) window.tasks.push(task.duration)
    }}).observe({{ type: 'longtask' }})
}}"""


def stand(page: Any) -> None:
    """Wait until the page is interactive: it shows buttons, and nothing more is loaded."""
    page.locator("main button").first.wait_for()
    page.wait_for_load_state("networkidle")
    time.sleep(0.3)


def missing() -> list[str]:
    """Name every text that stands in English and not in another language, as `file: key`."""
    found = []
    inside = ROOT / "src" / "whodunit"
    for folder in (ROOT / "web" / "src", *(inside / name for name in ("cases", "games", "review", "server"))):
        for english in folder.rglob("*en.json"):
            words = json.loads(english.read_text("utf-8"))
            for language in games.LANGUAGES:
                other = english.with_name(english.name.replace("en.json", f"{language}.json"))
                there = json.loads(other.read_text("utf-8")) if other.exists() else {}
                found += [f"{other.relative_to(ROOT)}: {key}" for key in words if not there.get(key)]
    for text in found:
        report.progress(f"missing: {text}")
    return found
