"""What processes do for cases to solve: one makes those of a day, others prove again what is kept, and rule on claims.

What is ruled on is posed: neither the answer nor a line that is not turned ever comes here with a claim.
"""

import os
from contextlib import suppress
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from whodunit.cases.days import case_of
from whodunit.cases.posed import NoCuts, Posed, cuts_of, known, view
from whodunit.cases.puzzle import BadPuzzle, Puzzle, read, written
from whodunit.cases.ruling import BadClaim, Heard, Ruling, rule, rule_mark
from whodunit.core.cutting import Entry, Weighed
from whodunit.core.errors import NoGame

LEAST_URGENT = 10
"""By how much whatever else the machine does comes before the making of cases."""


class Ordered(Struct, frozen=True):
    """The case of a day and a game is wanted."""

    day: str
    game: str


class Kept(Struct, frozen=True):
    """What is kept of the case of a day and a game is to be read."""

    day: str
    game: str
    body: bytes


class Sheet(Struct, frozen=True):
    """What the sheet of a case has: the same whatever is turned."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]


class Proven(Struct, frozen=True):
    """A case that was kept, and is what it says."""

    puzzle: Puzzle
    sheet: Sheet


class Rejected(Struct, frozen=True):
    """In place of a result: why not, in words that may stand in a log."""

    why: str


def make(job: Ordered) -> bytes:
    """Make a case, as it is kept."""
    _give_way()
    return written(case_of(job.day, job.game))


@cache
def _give_way() -> None:
    """Let whatever else wants to run come first, from now on; Windows has no such thing."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(LEAST_URGENT)


def prove(job: Kept) -> Proven | Rejected:
    """Read a case that was kept, and prove all of it again."""
    try:
        puzzle = read(job.body)
        if puzzle.posed.game != job.game or job.day not in puzzle.made.seed.split():
            raise BadPuzzle("it is another day's or another game's")  # noqa: TRY301  (refused as the others)
        try:
            for turned in range(puzzle.posed.total + 1):
                view(puzzle.at(turned))
            sheet = sheet_of(puzzle.at(0))
        except (LookupError, TypeError, AttributeError, AssertionError, ValueError) as error:
            raise BadPuzzle(f"its events do not follow one another: {type(error).__name__}") from error
    except (BadPuzzle, NoCuts, NoGame) as error:
        return Rejected(str(error))
    return Proven(puzzle, sheet)


def sheet_of(posed: Posed) -> Sheet:
    """Return the sheet of a case; where it is not told which rows belong together, all do."""
    form = posed.question.form
    if isinstance(cuts_of(posed.game), Weighed):
        rows, columns = _names(form, 0), _names(form, 1)
    else:
        deal = known(posed).deal
        rows, columns = tuple(map(str, deal.elements)), tuple(map(str, deal.holders))
    groups = tuple(_names((group,), 0) for group in form)
    whole = len(groups) > 1 and sorted(row for group in groups for row in group) == sorted(rows)
    return Sheet(rows, columns, groups if whole else (rows,))


def _names(form: tuple[tuple[Entry, ...], ...], place: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry[place] for group in form for entry in group))


class Claimed(Struct, frozen=True):
    """Something is said to be the answer."""

    posed: Posed
    claim: tuple[Entry, ...]


class Marked(Struct, frozen=True):
    """A mark on the sheet is to be checked."""

    posed: Posed
    row: str
    column: str
    held: bool


Question: TypeAlias = Claimed | Marked


def ruled(job: Question) -> Ruling | Heard | Rejected:
    """Return the ruling on a claim or a mark, or why there is none."""
    try:
        if isinstance(job, Claimed):
            return rule(job.posed, job.claim)
        return rule_mark(job.posed, job.row, job.column, held=job.held)
    except BadClaim as error:
        return Rejected(str(error))
