"""The cases of 28 days as they were made once.

`python -m tests.cases.days` makes those that are not in the file; without the file it makes all of them.
"""

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from whodunit.bench.cases import DAYS, FIRST, provable_games
from whodunit.cases.days import case_of
from whodunit.cases.puzzle import shape, written
from whodunit.infra.progress import Progress

FILE: Final = Path(__file__).with_name("days.json")


class Made(NamedTuple):
    """What the case of a day was."""

    digest: str
    shape: str
    effort: int


def days() -> list[str]:
    return [(FIRST + timedelta(number)).isoformat() for number in range(DAYS)]


def stored() -> dict[str, Made]:
    """Return what is stored, by the case's id, such as 2026-11-18.clue."""
    if not FILE.exists():
        return {}
    return {case: Made(*made) for case, made in json.loads(FILE.read_text("utf-8")).items()}


def store(found: Mapping[str, Made]) -> None:
    lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(found[case])}" for case in sorted(found))
    FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def made(case: str) -> Made:
    """Make the case of a day and a game."""
    puzzle = case_of(*case.split("."))
    return Made(hashlib.sha256(written(puzzle)).hexdigest(), shape(puzzle), puzzle.effort)


def weekday(case: str) -> int:
    """Return which day of the week it is, from Monday as 1."""
    return date.fromisoformat(case.partition(".")[0]).isoweekday()


def main() -> None:
    found = stored()
    missing = [case for game in provable_games() for day in days() if (case := f"{day}.{game}") not in found]
    progress = Progress(len(missing), "days")
    with ProcessPoolExecutor() as pool:
        for case, what in zip(missing, pool.map(made, missing), strict=True):
            found[case] = what
            store(found)
            progress.step()


if __name__ == "__main__":
    main()
