"""The cases of two days as a house keeps them, so that nobody who tests its pages waits until they are made.

`python -m tests.cases.kept` makes them anew.
"""

from pathlib import Path
from typing import Final

from whodunit.cases.days import case_of
from whodunit.cases.puzzle import Puzzle, read, written
from whodunit.core.ports import Leaf
from whodunit.server.case_shelf import SHELF, games_with_cases

DAY: Final = "2026-11-18"
NEXT: Final = "2026-11-19"
"""A house sees to tomorrow's cases as well."""
FOLDER: Final = Path(__file__).with_name("kept")


def names() -> list[str]:
    return [f"{day}.{game}" for day in (DAY, NEXT) for game in games_with_cases()]


def body(case: str) -> bytes:
    return (FOLDER / f"{case}.json").read_bytes()


def puzzle(game: str) -> Puzzle:
    """Return the day's case of a game."""
    return read(body(f"{DAY}.{game}"))


def leaves() -> list[Leaf]:
    """Return them as they stand in a store."""
    return [Leaf(SHELF, case, body=body(case)) for case in names()]


if __name__ == "__main__":
    for case in names():
        (FOLDER / f"{case}.json").write_bytes(written(case_of(*case.split("."))))
