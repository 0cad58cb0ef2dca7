"""Cases to solve for tests: real ones of Clue, found quickly, and others that differ in what is secret alone."""

from functools import cache

from msgspec.structs import replace

from whodunit.cases.mining import mine
from whodunit.cases.puzzle import Made, Puzzle, puzzle_of
from whodunit.core.cutting import Entry

GAME = "clue"


@cache
def clue(day: str, number: int = 0) -> Puzzle:
    """Return a case of a day, with at least one line before its par and one after it."""
    made = Made(f"test {day}", 1, 1)
    for found in mine(GAME, f"{day} {number}", ["trio"]):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if puzzle is not None and 2 < puzzle.par < puzzle.posed.total:
            return puzzle
    raise AssertionError("mining has no end")


def with_other_secrets(puzzle: Puzzle, turned: int) -> Puzzle:
    """Return the same case with everything else that is not told when so many lines are turned."""
    other = clue("2026-11-02", 1)
    lines = puzzle.posed.lines
    swapped = lines[:turned] + lines[turned:][::-1]
    assert swapped != lines or turned >= len(lines) - 1
    return Puzzle(
        replace(puzzle.posed, lines=swapped),
        wrong(puzzle),
        puzzle.posed.total,
        other.steps,
        puzzle.effort + 1234,
        Made(f"{puzzle.made.seed} another", 7, 7, 7),
    )


def wrong(puzzle: Puzzle) -> tuple[Entry, ...]:
    """Return an answer to the question that is not the right one."""
    return tuple(
        next(entry for entry in group if entry != right)
        for group, right in zip(puzzle.posed.question.form, puzzle.answer, strict=True)
    )
