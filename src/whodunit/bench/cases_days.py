"""Digests of the cases of days, made by a process of its own.

    python -m whodunit.bench.cases_days compiled 2026-11-18.clue

Whoever starts it chooses the hash seed, and whether the compiled kernel counts or Python alone.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence

from whodunit.cases.days import case_of
from whodunit.cases.puzzle import written
from whodunit.deduce import PURE, best, native

COMPILED, ALONE = "compiled", "pure"


def digest(case: str) -> str:
    """Return a hash of all that is kept of the case of a day, such as 2026-11-18.clue."""
    day, game = case.split(".")
    return hashlib.sha256(written(case_of(day, game))).hexdigest()


def in_a_process(cases: Sequence[str], kernel: str, hash_seed: int) -> list[str]:
    """Return the digests of these cases, made by another process."""
    command = [sys.executable, "-m", __name__, kernel, *cases]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    told = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return told.stdout.split()


def main(kernel: str, *cases: str) -> None:
    """Print a digest a line."""
    if kernel == ALONE:
        native.load = lambda: None  # type: ignore[assignment]  # as where there is none
    if (best() is PURE) != (kernel == ALONE):
        sys.exit(f"the kernel {kernel!r} is not there")
    for case in cases:
        print(digest(case), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
