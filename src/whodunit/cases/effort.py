"""How hard a proof is to find, in whole thousandths, and what shape it has."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import isqrt
from typing import Any, Final

from whodunit.cases.inference import Board, Cell, Change, Facts, groups, hands, places, readings, singles
from whodunit.cases.posed import GIVEN, Known
from whodunit.cases.steps import Mark, Step, explained
from whodunit.deduce import Claim, Position

READING: Final = 300
COUNTING: Final = 4000
"""What a hand or a group costs that is counted, however many marks that takes."""


def effort(steps: Sequence[Step], position: Known, total: int) -> int:
    """Return how hard the proof is in a case of so many lines: what its steps cost, and how far one has to look."""
    facts = Facts(position)
    board = Board(facts.may, facts.must)
    names = _Names(position)
    found = 0
    for step in steps:
        found += cost(step) + _looking(max(total, 1), _available(facts, board, max(1, len(step.lines))))
        board.settle([names.change(mark) for mark in step.settles])
    return found


def cost(step: Step) -> int:
    """Return what a step costs by itself."""
    if step.kind == "read":
        return READING
    if step.kind in ("hand", "group"):
        return COUNTING
    plain = 1000 + isqrt(len(step.rests) * 1_000_000)
    for _ in step.lines[1:]:
        plain *= 3
    return plain * 3 // 2 if step.cases else plain


def _looking(total: int, available: int) -> int:
    """Return half of the bits that it takes to find one of what is available among the lines; never less than none."""
    return max(0, (total**1000).bit_length() - (available**1000).bit_length()) // 2


def _available(facts: Facts, board: Board, most: int) -> int:
    """Return how many inferences from so many lines at most are at hand; one at least."""
    ready = chain(
        readings(facts, board),
        places(board),
        singles(facts, board),
        hands(facts, board),
        groups(facts, board) if most > 1 else (),
    )
    return max(1, sum(1 for _ in ready))


def signature(steps: Sequence[Step]) -> str:
    """Return the shape of a proof: of each step its kind, lines, and marks before and after; sorted."""
    return " ".join(sorted(map(_shape, steps)))


def _shape(step: Step) -> str:
    return f"{step.kind}{len(step.lines)}.{len(step.rests)}.{len(step.settles)}{'!' * step.cases}"


def inferences(steps: Sequence[Step]) -> int:
    """Return how many steps are more than reading."""
    return sum(step.kind != "read" for step in steps)


def parts(position: Known, steps: Sequence[Step]) -> Iterator[tuple[Known, tuple[Claim[Any, Any], ...], int]]:
    """Yield cases whose proofs this one contains, each with what it asks and how many lines it has.

    Each asks what a step on the way settles: once with all lines, and once with those alone that lead to it.
    """
    names = _Names(position)
    every = {item.source for item in position.evidence if isinstance(item.source, int) and item.source != GIVEN}
    for number, step in enumerate(steps[:-1]):
        if step.kind == "read":
            continue
        claims = tuple(map(names.claim, step.settles))
        used = {line for one in leading(steps, number) for line in one.lines}
        yield position, claims, len(every)
        if used != every:
            kept = [item for item in position.evidence if item.source in (None, GIVEN, *used)]
            sizes = dict(zip(position.deal.holders, position.deal.capacities, strict=True))
            yield Position(position.deal.elements, sizes, kept, position.engine), claims, len(used)


def leading(steps: Sequence[Step], number: int) -> list[Step]:
    """Return the steps that lead to one of them, with itself."""
    due = {number}
    for later in range(number, -1, -1):
        if later in due:
            due |= {
                earlier
                for earlier in range(later)
                if any(_says(settled, mark) for settled in steps[earlier].settles for mark in steps[later].rests)
            }
    return [steps[one] for one in sorted(due)]


def _says(settled: Mark, mark: Mark) -> bool:
    """Say whether a mark stands with the other: what somebody has is with nobody else."""
    return settled == mark or (settled.row == mark.row and settled.held and not mark.held)


def harder_parts(position: Known, steps: Sequence[Step]) -> tuple[int, int]:
    """Return how many cases whose proofs this one contains are graded harder, and how many there are."""
    total = len({item.source for item in position.evidence} - {None, GIVEN})
    whole = effort(steps, position, total)
    harder = pairs = 0
    for part, claims, lines in parts(position, steps):
        proof = explained(part, claims)
        pairs += 1
        harder += effort(proof, part, lines) > whole
    return harder, pairs


class _Names:
    """What the sheet calls elements and holders."""

    def __init__(self, position: Known) -> None:
        deal = position.deal
        self.elements = {str(element): element for element in deal.elements}
        self.holders = {str(holder): holder for holder in deal.holders}
        self.deal = deal

    def claim(self, mark: Mark) -> Claim[Any, Any]:
        return Claim(self.elements[mark.row], self.holders[mark.column], mark.held)

    def cell(self, mark: Mark) -> Cell:
        claim = self.claim(mark)
        return Cell(self.deal.places[claim.holder], self.deal.bits[claim.element], claim.held)

    def change(self, mark: Mark) -> Change:
        holder, bit, held = self.cell(mark)
        return Change(holder, 0, bit) if held else Change(holder, bit, 0)
