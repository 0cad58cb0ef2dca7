"""A proof step by step, as a person would find it: always the inference next that needs least."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from msgspec import Struct

from whodunit.cases.inference import (
    Board,
    Cell,
    Change,
    Facts,
    Found,
    Kind,
    bits,
    drawn,
    groups,
    hands,
    marked,
    needed,
    places,
    readings,
    singles,
)
from whodunit.cases.posed import Known
from whodunit.deduce import Claim, TooWide
from whodunit.deduce.compiled import Deal
from whodunit.deduce.engine import Engine
from whodunit.deduce.explain import irreducible
from whodunit.deduce.reduce import Knowledge, propagate

WIDEST: Final = 3
"""Every choice of so many lines is tried together; of more, only what proves a claim."""


class Mark(Struct, frozen=True):
    """An entry of the sheet: that this thing is with this holder, or that it is not."""

    row: str
    column: str
    held: bool


class Step(Struct, frozen=True):
    """One inference of a proof."""

    kind: Kind
    lines: tuple[int, ...]
    """The lines that it needs; what is given is always known."""
    rests: tuple[Mark, ...]
    """The marks that it needs: given, or settled by steps before it. What somebody has is with nobody else."""
    settles: tuple[Mark, ...]
    """What is new."""
    cases: bool
    """Whether the contrary has to be tried."""


class Unproved(ValueError):
    """What is claimed does not follow."""


def explained(position: Known, claims: Sequence[Claim[Any, Any]]) -> tuple[Step, ...]:
    """Return a proof of the claims, no step of it to spare; Unproved, if they do not follow.

    The sources of the position are None for the rules, 0 for what is given, and from 1 on the lines.
    """
    deal = position.deal
    wanted = [Cell(deal.places[claim.holder], deal.bits[claim.element], claim.held) for claim in claims]
    proof = _Proof(Facts(position), position.engine)
    proof.find(wanted)
    return tuple(_named(deal, taken) for taken in proof.pruned(wanted))


class _Taken(NamedTuple):
    """One inference that was drawn, with the marks that stood before it."""

    found: Found
    may: tuple[int, ...]
    must: tuple[int, ...]


class _Settled(NamedTuple):
    """One inference of which everything is needed."""

    kind: Kind
    lines: tuple[int, ...]
    rests: tuple[Cell, ...]
    settles: tuple[Cell, ...]
    cases: bool


class _Proof:
    """All that was inferred, in order, and from what each mark came."""

    def __init__(self, facts: Facts, engine: Engine) -> None:
        self.facts = facts
        self.engine = engine
        self.board = Board(facts.may, facts.must)
        self.start = facts.base.allowed, facts.base.required
        self.taken: list[_Taken] = []
        self.origins: dict[Cell, int] = {}

    def find(self, wanted: Sequence[Cell]) -> None:
        """Draw one inference after the other until all that is wanted is marked."""
        for found in readings(self.facts, self.board):
            self._take(found)
        while not all(map(self.board.has, wanted)):
            ready = plainest(self.facts, self.board)
            for found in ready:
                self._take(found)
            if not ready:
                self._search(wanted)

    def _take(self, found: Found) -> None:
        changes = self.board.new(found.changes)
        if not changes:
            return
        may, must = tuple(self.board.may), tuple(self.board.must)
        self.board.settle(changes)
        for holder, (was_may, was_must) in enumerate(zip(may, must, strict=True)):
            for mask, held in ((was_may & ~self.board.may[holder], False), (self.board.must[holder] & ~was_must, True)):
                for bit in bits(mask):
                    self.origins[Cell(holder, bit, held)] = len(self.taken)
        self.taken.append(_Taken(found._replace(changes=changes), may, must))

    def _search(self, wanted: Sequence[Cell]) -> None:
        """Take what follows from fewest lines and then from fewest marks, where nothing plainer is left."""
        open_lines = [line for line in self.facts.lines if self.facts.is_open(line, self.board.may, self.board.must)]
        for number in range(min(WIDEST, len(open_lines)) + 1):
            ready = [found for lines in combinations(open_lines, number) for found in self._from(lines)]
            if ready:
                self._take(min(ready, key=lambda found: found.size))
                return
        for cell in wanted:
            if not self.board.has(cell) and self._refuted(open_lines, self.board.may, self.board.must, [cell]):
                lines: list[Any] = irreducible(
                    open_lines,
                    lambda chosen: self._refuted(chosen, self.board.may, self.board.must, [cell]),  # type: ignore[arg-type]  # noqa: B023
                )
                self._take(next(self._from(tuple(sorted(lines)))))
                return
        raise Unproved("this does not follow from the lines")

    def _from(self, lines: tuple[int, ...]) -> Iterator[Found]:
        """Yield what is new and certain with these lines and all marks, by the marks that it takes."""
        changes = self._certain(lines, self.board.may, self.board.must)
        while changes:
            holder, gone, come = changes[0]
            bit = (gone or come) & -(gone or come)
            rests = self.rests(lines, self.board.may, self.board.must, [Cell(holder, bit, not gone)])
            told = self.board.new(self._certain(lines, *self._drawn(lines, rests)))
            yield Found("line" if len(lines) == 1 else "together", lines, len(rests), told)
            changes = _without(changes, told)

    def _certain(self, lines: Sequence[int], may: Sequence[int], must: Sequence[int]) -> tuple[Change, ...]:
        """Return what is certain with these lines and marks, and not marked there."""
        try:
            total, masses = self.engine.solve(self.facts.joined(lines, may, must))
        except TooWide:
            return ()
        if not total:
            raise Unproved("the lines cannot all be true")
        found = []
        for holder, open_ones in enumerate(map(int.__and__, may, map(int.__invert__, must))):
            gone = come = 0
            for bit in bits(open_ones):
                mass = masses[bit.bit_length() - 1][holder]
                if not mass:
                    gone |= bit
                elif mass == total:
                    come |= bit
            if gone or come:
                found.append(Change(holder, gone, come))
        return tuple(found)

    def rests(
        self, lines: Sequence[int], may: Sequence[int], must: Sequence[int], wanted: Sequence[Cell]
    ) -> tuple[Cell, ...]:
        """Return marks from which this follows with these lines, none of them to spare; older ones are preferred.

        Of what somebody has it goes without saying that nobody else has it.
        """
        start = self._drawn(lines, ())
        where = [(holder, -1) for holder in range(len(start[0]))]
        placed = 0
        for mask in must:
            placed |= mask
        marks = [cell for cell in marked(where, may, must, start) if cell.held or not cell.bit & placed]
        marks.sort(key=lambda cell: (self._age(cell), cell))
        found: list[Any] = irreducible(
            marks,
            lambda chosen: self._refuted(lines, *drawn(start, chosen), wanted),  # type: ignore[arg-type]
        )
        return tuple(sorted(found))

    def _drawn(self, lines: Sequence[int], cells: Sequence[Cell]) -> tuple[list[int], list[int]]:
        """Return the masks in which these marks stand, beside what rules and lines say by themselves."""
        may, must = drawn(self.start, cells)
        for line in lines:
            alone = self.facts.known[line]
            may = list(map(int.__and__, may, alone.allowed))
            must = list(map(int.__or__, must, alone.required))
        return may, must

    def _refuted(self, lines: Sequence[int], may: Sequence[int], must: Sequence[int], wanted: Sequence[Cell]) -> bool:
        """Say whether none of this can be otherwise, with these lines and marks."""
        known = self.facts.joined(lines, may, must)
        try:
            return not any(self.engine.possible(_denied(known, cell)) for cell in wanted)
        except TooWide:  # nobody can tell, so it proves nothing
            return False

    def _age(self, cell: Cell) -> int:
        return self.origins.get(cell, -1)

    def pruned(self, wanted: Sequence[Cell]) -> list[_Settled]:
        """Return what is needed for this, in order."""
        due: dict[int, set[Cell]] = {}

        def need(cells: Sequence[Cell]) -> None:
            for cell in cells:
                origin = self._age(cell)
                if origin >= 0:
                    due.setdefault(origin, set()).add(self._cause(cell, self.taken[origin].found.changes))

        need(wanted)
        steps = []
        for number in range(len(self.taken) - 1, -1, -1):
            if number in due:
                step = self._settled(self.taken[number], sorted(due[number]))
                need(step.rests)
                steps.append(step)
        return steps[::-1]

    def _cause(self, cell: Cell, changes: Sequence[Change]) -> Cell:
        """Return what was inferred: that it is not here, or that it is elsewhere."""
        if cell.held or any(change.holder == cell.holder and change.gone & cell.bit for change in changes):
            return cell
        return next(Cell(change.holder, cell.bit, True) for change in changes if change.come & cell.bit)

    def _settled(self, taken: _Taken, wanted: Sequence[Cell]) -> _Settled:
        found = taken.found
        if found.again is None:
            rests = self.rests(found.lines, taken.may, taken.must, wanted)
            cases = not self._follows(found.lines, rests, wanted)
            return _Settled(found.kind, found.lines, rests, tuple(wanted), cases)
        lines, rests = needed(found, found.again, wanted, taken.may, taken.must, self.start, self._age)
        return _Settled(found.kind, lines, rests, tuple(wanted), cases=False)

    def _follows(self, lines: Sequence[int], rests: Sequence[Cell], wanted: Sequence[Cell]) -> bool:
        """Say whether it follows without trying the contrary."""
        may, must = self._drawn(lines, rests)
        known = self.facts.joined(lines, may, must)
        if any(known.judges):
            return False
        propagate(known.capacities, may, must, known.atoms)
        return all(map(Board(may, must).has, wanted))


def plainest(facts: Facts, board: Board) -> list[Found]:
    """Return the inferences that need least of those that take no more than a look or a count.

    First what rests on fewest marks, then hands, then groups.
    """
    plain = [*places(board), *singles(facts, board)]
    if plain:
        least = min(found.size for found in plain)
        return [found for found in plain if found.size == least]
    return (
        [found for found in hands(facts, board) if not found.lines] or [*hands(facts, board)] or [*groups(facts, board)]
    )


def _without(changes: Sequence[Change], told: Sequence[Change]) -> tuple[Change, ...]:
    known = {change.holder: change for change in told}
    left = []
    for holder, gone, come in changes:
        _, less_gone, less_come = known.get(holder, (holder, 0, 0))
        if gone & ~less_gone or come & ~less_come:
            left.append(Change(holder, gone & ~less_gone, come & ~less_come))
    return tuple(left)


def _denied(known: Knowledge, cell: Cell) -> Knowledge:
    masks = list(known.allowed if cell.held else known.required)
    masks[cell.holder] = masks[cell.holder] & ~cell.bit if cell.held else masks[cell.holder] | cell.bit
    return known._replace(allowed=tuple(masks)) if cell.held else known._replace(required=tuple(masks))


def _named(deal: Deal[Any, Any], step: _Settled) -> Step:
    marks = [
        tuple(
            Mark(str(deal.elements[cell.bit.bit_length() - 1]), str(deal.holders[cell.holder]), cell.held)
            for cell in cells
        )
        for cells in (step.rests, step.settles)
    ]
    return Step(step.kind, step.lines, marks[0], marks[1], step.cases)
