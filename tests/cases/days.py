"""The cases of 28 days as they were made once: `python -m tests.cases.days` writes them anew, for a new generation."""

import hashlib
import json
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
    return {case: Made(*made) for case, made in json.loads(FILE.read_text("utf-8")).items()}


def made(case: str) -> Made:
    """Make the case of a day and a game."""
    puzzle = case_of(*case.split("."))
    return Made(hashlib.sha256(written(puzzle)).hexdigest(), shape(puzzle), puzzle.effort)


def weekday(case: str) -> int:
    """Return which day of the week it is, from Monday as 1."""
    return date.fromisoformat(case.partition(".")[0]).isoweekday()


def main() -> None:
    cases = [f"{day}.{game}" for game in provable_games() for day in days()]
    progress = Progress(len(cases), "days")
    found = {}
    with ProcessPoolExecutor() as pool:
        for case, what in zip(cases, pool.map(made, cases), strict=True):
            found[case] = what
            progress.step()
    lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(what)}" for case, what in found.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
