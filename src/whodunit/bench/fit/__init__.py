"""What is fitted on games of bots, each started by its name: `whodunit fit <name>`."""

import argparse
from collections.abc import Sequence
from importlib import import_module

FITS = {"ear": "whodunit.bench.fit.ear", "review": "whodunit.bench.fit.review"}


def main(argv: Sequence[str]) -> int:
    """Fit what the first argument names with the rest of the arguments; return the exit code."""
    parser = argparse.ArgumentParser(prog="whodunit fit", description=__doc__)
    parser.add_argument("name", choices=FITS, help="`whodunit fit <name> --help` lists what it takes")
    name: str = parser.parse_args(argv[:1]).name
    code: int = import_module(FITS[name]).main(argv[1:])
    return code
