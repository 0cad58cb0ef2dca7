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
    Masks,
    bits,
    cells_of,
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

TRIED: Final = 2
"""Of so many inferences from the same number of lines the one is taken that rests on fewest marks."""


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


class NoProof(ValueError):
    """What is claimed does not follow."""


def explained(position: Known, claims: Sequence[Claim[Any, Any]]) -> tuple[Step, ...]:
    """Return a proof of the claims, no step of it to spare; NoProof, if they do not follow.

    The sources of the position are None for the rules, 0 for what is given, and from 1 on the lines.
    """
    deal = position.deal
    wanted = [Cell(deal.places[claim.holder], deal.bits[claim.element], claim.held) for claim in claims]
    proof = _Proof(Facts(position), position.engine)
    proof.find(wanted)
    return tuple(_named(deal, step) for step in proof.pruned(wanted))


class _Drawn(NamedTuple):
    """One inference that was drawn, with the marks that stood before it."""

    found: Found
    may: tuple[int, ...]
    must: tuple[int, ...]
    lines: tuple[int, ...]
    rests: tuple[Cell, ...]
    settles: tuple[Cell, ...]
    cases: bool = False
    is_narrow: bool = False
    """Whether it is known that all of its lines and marks are needed."""


class _Proof:
    """All that was inferred, in order, and from what each mark came."""

    def __init__(self, facts: Facts, engine: Engine) -> None:
        self.facts = facts
        self.engine = engine
        self.board = Board(facts.may, facts.must)
        self.start = facts.base.allowed, facts.base.required
        self.drawn: list[_Drawn] = []
        self.ages: dict[Cell, int] = {}
        """By mark, with which inference it came; what is given is older than all."""
        self.seen: dict[tuple[int, ...], list[Found]] = {}
        """By lines, what was found to follow from them."""
        self.barren: list[frozenset[int]] = []
        """Lines with which nothing new is certain, with whatever marks there are."""

    def find(self, wanted: Sequence[Cell]) -> None:
        """Draw one inference after the other until all that is wanted is marked."""
        for found in readings(self.facts, self.board):
            self._take(found)
        while not all(map(self.board.has, wanted)):
            ready = plainest(self.facts, self.board)
            for found in ready:
                self._take(found)
            if not ready:
                self._search()

    def _take(self, found: Found) -> None:
        changes = self.board.new(found.changes)
        if not changes:
            return
        may, must = tuple(self.board.may), tuple(self.board.must)
        settles = tuple(cell for change in changes for cell in cells_of(change))
        for cell in settles:
            for side in self._sides(cell):
                if not self.board.has(side):
                    self.ages[side] = len(self.drawn)
        self.board.settle(changes)
        self.drawn.append(_Drawn(found, may, must, found.lines, found.rests, settles))

    def _search(self) -> None:
        """Take what follows from fewest lines and then from fewest marks, where nothing plainer is left."""
        may, must = self.board.may, self.board.must
        every = [line for line in self.facts.lines if self.facts.is_open(line, may, must)]
        self.barren = [lines for lines in self.barren if not self._certain(sorted(lines), may, must)]
        for number in range(len(every) + 1):
            ready: list[Found] = []
            for lines in combinations(every, number):
                if any(barren.issuperset(lines) for barren in self.barren):
                    continue
                told = self._from(lines, TRIED - len(ready))
                ready += told
                if not told:
                    self.barren.append(self._grown(lines, every))
                if len(ready) >= TRIED:
                    break
            if ready:
                self._take(min(ready, key=lambda found: found.size))
                return
        raise NoProof("this does not follow from the lines")

    def _grown(self, lines: Sequence[int], every: Sequence[int]) -> frozenset[int]:
        """Return as many lines as there can be, these among them, with which nothing new is certain."""
        kept = set(lines)
        for line in every:
            if line not in kept and not self._certain(sorted({*kept, line}), self.board.may, self.board.must):
                kept.add(line)
        return frozenset(kept)

    def _from(self, lines: tuple[int, ...], most: int) -> list[Found]:
        """Return what is new and certain with these lines and all marks, so many inferences at most."""
        ready = [found for found in self.seen.get(lines, ()) if self.board.new(found.changes)]
        left = self._certain(lines, self.board.may, self.board.must)
        for found in ready:
            left = _without(left, found.changes)
        while left and len(ready) < most:
            holder, gone, come = left[0]
            bit = (gone or come) & -(gone or come)
            target = Cell(holder, bit, not gone)
            rests = self.rests(lines, self._marks(lines), [target])
            told = self.board.new(self._certain(lines, *self._drawn(lines, rests)))
            kind: Kind = "line" if len(lines) == 1 else "together"
            ready.append(Found(kind, lines, len(rests), told, rests=rests, target=target))
            left = _without(left, told)
        self.seen[lines] = ready
        return ready

    def _certain(self, lines: Sequence[int], may: Sequence[int], must: Sequence[int]) -> tuple[Change, ...]:
        """Return what is certain with these lines and marks, and not marked there."""
        try:
            total, masses = self.engine.solve(self.facts.joined(lines, may, must))
        except TooWide:
            return ()
        if not total:
            raise NoProof("the lines cannot all be true")
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
        come = sum(change.come for change in found)  # nobody else has it: that goes without saying
        plain = (change._replace(gone=change.gone & ~come) for change in found)
        return tuple(change for change in plain if change.gone or change.come)

    def _marks(self, lines: Sequence[int]) -> list[Cell]:
        """Return the marks on which more may rest with these lines, the oldest first.

        Of what somebody has it goes without saying that nobody else has it, and so of what rules and lines say.
        """
        may, must = self.board.may, self.board.must
        start = self._drawn(lines, ())
        placed = sum(must)
        marks = marked([(holder, -1) for holder in range(len(may))], may, must, start)
        plain = (cell for cell in marks if cell.held or not cell.bit & placed)
        return sorted(plain, key=self._age)

    def rests(self, lines: Sequence[int], marks: Sequence[Cell], wanted: Sequence[Cell]) -> tuple[Cell, ...]:
        """Return those of the marks from which this follows with these lines, none of them to spare."""
        start = self._drawn(lines, ())
        known = self.facts.joined(lines, *start)

        def refuted(chosen: Sequence[Cell]) -> bool:
            may, must = drawn(start, chosen)
            return not any(self._possible(known, *_denied(may, must, cell)) for cell in wanted)

        return tuple(sorted(irreducible(marks, refuted)))

    def _possible(self, known: Knowledge, may: Masks, must: Masks) -> bool:
        try:
            return self.engine.possible(Knowledge(known.capacities, tuple(may), tuple(must), known.atoms, known.judges))
        except TooWide:  # nobody can tell, so it may be
            return True

    def _drawn(self, lines: Sequence[int], cells: Sequence[Cell]) -> tuple[list[int], list[int]]:
        """Return the masks in which these marks stand, beside what rules and lines say by themselves."""
        may, must = drawn(self.start, cells)
        for line in lines:
            alone = self.facts.known[line]
            may = list(map(int.__and__, may, alone.allowed))
            must = list(map(int.__or__, must, alone.required))
        return may, must

    def _age(self, cell: Cell) -> int:
        return self.ages.get(cell, -1)

    def _sides(self, cell: Cell) -> Iterator[Cell]:
        """Yield a mark with what goes without saying: what somebody has is with nobody else."""
        yield cell
        if cell.held:
            yield from (Cell(other, cell.bit, False) for other in range(len(self.board.may)) if other != cell.holder)

    def pruned(self, wanted: Sequence[Cell]) -> list[_Drawn]:
        """Return what is needed for this, in order."""
        steps = self._needed(self.drawn, wanted)
        while (spare := self._spare(steps, wanted)) is not None:
            steps = self._needed([*steps[:spare], *steps[spare + 1 :]], wanted)
        return steps

    def _needed(self, steps: Sequence[_Drawn], wanted: Sequence[Cell]) -> list[_Drawn]:
        """Return the steps without what nothing rests on; what two of them tell is taken from the first."""
        first: dict[Cell, tuple[int, Cell]] = {}
        for number, step in enumerate(steps):
            for cell in step.settles:
                for side in self._sides(cell):
                    if side in self.ages:
                        first.setdefault(side, (number, cell))
        due: dict[int, set[Cell]] = {}

        def need(cells: Sequence[Cell]) -> None:
            for number, cell in (first[cell] for cell in cells if cell in first):
                due.setdefault(number, set()).add(cell)

        need(wanted)
        kept = []
        for number in range(len(steps) - 1, -1, -1):
            if number in due:
                step = self._narrowed(steps[number], tuple(sorted(due[number])))
                need(step.rests)
                kept.append(step)
        return kept[::-1]

    def _spare(self, steps: Sequence[_Drawn], wanted: Sequence[Cell]) -> int | None:
        """Return the last step without which all others and what is wanted still stand, if there is one."""
        for spare in range(len(steps) - 1, -1, -1):
            shown: set[Cell] = set()
            stands = True
            for number, step in enumerate(steps):
                if number != spare:
                    stands = stands and self._stand(step.rests, shown)
                    shown |= {side for cell in step.settles for side in self._sides(cell)}
            if stands and self._stand(wanted, shown):
                return spare
        return None

    def _stand(self, cells: Sequence[Cell], shown: set[Cell]) -> bool:
        return all(cell in shown or cell not in self.ages for cell in cells)

    def _narrowed(self, step: _Drawn, wanted: tuple[Cell, ...]) -> _Drawn:
        """Return the step with what is wanted of it alone, and with what that needs."""
        if step.is_narrow and step.settles == wanted:
            return step
        found = step.found
        if found.again is None:
            rests = step.rests if found.target in wanted else self.rests(step.lines, step.rests, wanted)
            cases = not self._follows(step.lines, rests, wanted)
            return step._replace(rests=rests, settles=wanted, cases=cases, is_narrow=True)
        may, must = drawn(self.start, step.rests) if step.is_narrow else (step.may, step.must)
        narrow = found._replace(lines=step.lines)
        lines, rests = needed(narrow, found.again, wanted, may, must, self.start, self._age)
        return step._replace(lines=lines, rests=rests, settles=wanted, is_narrow=True)

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


def _denied(may: Masks, must: Masks, cell: Cell) -> tuple[Masks, Masks]:
    """Return the masks if the mark were wrong."""
    if cell.held:
        return [mask & ~cell.bit if holder == cell.holder else mask for holder, mask in enumerate(may)], must
    return may, [mask | cell.bit if holder == cell.holder else mask for holder, mask in enumerate(must)]


def _named(deal: Deal[Any, Any], step: _Drawn) -> Step:
    marks = [
        tuple(
            Mark(str(deal.elements[cell.bit.bit_length() - 1]), str(deal.holders[cell.holder]), cell.held)
            for cell in cells
        )
        for cells in (step.rests, step.settles)
    ]
    return Step(step.found.kind, step.lines, marks[0], marks[1], step.cases)
