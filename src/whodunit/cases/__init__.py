"""Cases to solve: cut from games, proved, and judged by what is known so far."""

from whodunit.cases.days import NoDay, case_of
from whodunit.cases.posed import NoCuts, Posed
from whodunit.cases.puzzle import BadPuzzle, Puzzle, read, verify, written
from whodunit.cases.ruling import BadClaim, Heard, Held, Impossible, Proved, Unproved, rule, rule_mark
from whodunit.cases.steps import Mark, Step
from whodunit.cases.supply import supplied

__all__ = [
    "BadClaim",
    "BadPuzzle",
    "Heard",
    "Held",
    "Impossible",
    "Mark",
    "NoCuts",
    "NoDay",
    "Posed",
    "Proved",
    "Puzzle",
    "Step",
    "Unproved",
    "case_of",
    "read",
    "rule",
    "rule_mark",
    "supplied",
    "verify",
    "written",
]
