"""Every benchmark of the house, each started by its name: `whodunit bench <name>`."""

import argparse
from collections.abc import Sequence
from importlib import import_module

BENCHMARKS = {  # loaded when asked: one benchmark never pays for the imports of another
    "arosa": "whodunit.bench.arosa",
    "cases": "whodunit.bench.cases",
    "client": "whodunit.bench.client.main",
    "deduction": "whodunit.bench.deduction.main",
    "engine": "whodunit.bench.engine",
    "env": "whodunit.bench.env",
    "mutants": "whodunit.bench.mutants.main",
    "review": "whodunit.bench.review",
    "server": "whodunit.bench.server.main",
    "sights": "whodunit.bench.sights",
    "tower": "whodunit.bench.tower.main",
}


def main(argv: Sequence[str]) -> int:
    """Run the benchmark that the first argument names with the rest of the arguments; return the exit code."""
    parser = argparse.ArgumentParser(prog="whodunit bench", description=__doc__)
    parser.add_argument("name", choices=BENCHMARKS, help="`whodunit bench <name> --help` lists what it takes")
    name: str = parser.parse_args(argv[:1]).name
    code: int = import_module(BENCHMARKS[name]).main(argv[1:])
    return code
