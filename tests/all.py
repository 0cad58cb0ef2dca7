"""Every test, part by part:  ./run test [part ...]"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from whodunit import games

ROOT = Path(__file__).resolve().parents[1]


class Part(NamedTuple):
    name: str
    budget: int  # seconds on two cores; more is told, not punished
    folders: tuple[str, ...]  # each must hold tests
    options: tuple[str, ...] = ()
    hands: int = 2  # processes; where tests wait for clocks, servers and other processes, one more than there are cores


def of_game(id: str) -> Part:
    """A game's own tests, and the conformance suite over it."""
    return Part(id, 30, (f"tests/games/{id}",), (f"--whodunit-game={id}",))


CHECKS = Part("checks", 45, ())
APART = (
    "games",
    "conformance",
    "deduce",
    "tower",
    "server",
    "traces",
    "browser",
    "packaging",
    "examples",
)  # have parts
OURS = tuple(id for id, entry in games.registered().items() if entry.is_ours)
PARTS = (
    CHECKS,
    Part("house", 75, ("tests",), ("--dist=worksteal", *(f"--ignore=tests/{folder}" for folder in APART)), 3),
    Part("deduction", 25, ("tests/deduce",)),
    Part("tower", 8, ("tests/tower",)),
    *map(of_game, OURS),
    Part("conformance", 42, ("tests/conformance",), ("--dist=worksteal",)),
    # Whoever is done takes over from the other.
    Part("server", 55, ("tests/server",), ("--dist=worksteal",), 3),
    Part("traces", 45, ("tests/traces",), ("--dist=worksteal",), 3),
    Part("packaging", 17, ("tests/packaging",)),
    Part("examples", 38, ("tests/examples",), ("--dist=worksteal",)),
    Part("browser", 220, ("tests/browser",), ("--dist=worksteal",)),
)


class Result(NamedTuple):
    part: Part
    took: float
    faults: list[str]
    tests: dict[str, float]  # seconds


def run(part: Part) -> Result:
    print(f"\n=== {part.name}", flush=True)
    start = time.perf_counter()
    faults, tests = run_checks() if part is CHECKS else run_pytest(part)
    return Result(part, time.perf_counter() - start, faults, tests)


def run_checks() -> tuple[list[str], dict[str, float]]:
    code = subprocess.run([sys.executable, ROOT / "scripts" / "check"], cwd=ROOT, check=False).returncode
    return ["scripts/check failed"] if code else [], {}


def run_pytest(part: Part) -> tuple[list[str], dict[str, float]]:
    if part.name in {"browser", "examples"}:  # once, before two processes would install it at the same time
        subprocess.run([sys.executable, "-m", "whodunit.bench.browser"], cwd=ROOT, check=False)
    command = [sys.executable, "-m", "pytest", "-q", f"-n{part.hands}", *part.options, *part.folders]
    with TemporaryDirectory() as folder:
        path = Path(folder, "record.json")
        environment = {**os.environ, "WHODUNIT_TEST_RECORD": str(path)}
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        record = json.loads(path.read_text("utf-8")) if path.exists() else {"seconds": {}, "skipped": []}
    tests: dict[str, float] = record["seconds"]
    faults = [f"pytest exited with {code}"] if code else []
    faults += [f"no tests in {where}" for where in part.folders if not any(t.startswith(f"{where}/") for t in tests)]
    faults += [f"skipped: {test}" for test in record["skipped"]]  # what is not run is not known to work
    return faults, tests


def report(results: list[Result]) -> None:
    print("\n=== the slowest tests")
    every = [(seconds, test) for result in results for test, seconds in result.tests.items()]
    for seconds, test in sorted(every, reverse=True)[:10]:
        print(f"{seconds:7.2f} s  {test}")

    print("\n=== parts")
    for part, took, faults, tests in results:
        verdict = "FAILED" if faults else "OVER BUDGET" if took > part.budget else "ok"
        print(f"{part.name:14} {took:6.1f} of {part.budget:3} s  {len(tests):5} tests  {verdict}")
        for fault in faults:
            print(f"    {fault}")

    failed = [result.part.name for result in results if result.faults]
    verdict = f"FAILED: {', '.join(failed)}" if failed else "ok"
    print(f"\n{len(every)} tests in {sum(result.took for result in results):.1f} s: {verdict}")


def main(names: list[str]) -> int:
    if unknown := set(names).difference(part.name for part in PARTS):
        print(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(part.name for part in PARTS)}")
        return 2
    results = [run(part) for part in PARTS if not names or part.name in names]
    report(results)
    return int(any(result.faults for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
