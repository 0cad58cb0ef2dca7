"""Hands that change: elements pass unseen between two hands, and what is known of a hand is known of it at a moment.

A hand after an exchange is what was kept and what came: holders of their own, *lanes*, so that what was known of the
hand before still counts. How many of an exchange's elements come from which lane of a hand may be open; each way that
is possible is a *branch*, a position with other sizes, and all of them together are what is possible.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, product
from typing import Any, Generic, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from whodunit.core.rng import Rng, below
from whodunit.core.types import Frozen
from whodunit.deduce.engine import Engine, best
from whodunit.deduce.evidence import Claim, E, Evidence, H, Source, has, lacks
from whodunit.deduce.explain import irreducible
from whodunit.deduce.grade import graded
from whodunit.deduce.position import Position
from whodunit.deduce.posterior import Posterior

# --- What is learned, in the order in which it happens ----------------------------------------------------------------


class Held(Struct, Generic[E, H], frozen=True):
    """The holder has all of these elements now."""

    holder: H
    elements: tuple[E, ...]
    source: Source


class Lacked(Struct, Generic[E, H], frozen=True):
    """The holder has none of these elements now."""

    holder: H
    elements: tuple[E, ...]
    source: Source


class Doubted(Struct, Generic[E, H], frozen=True):
    """What was seen is half as likely for each of these elements that the holder has now, so many times over.

    Halves, so that many doubts together stay numbers of few bits, and exact.
    """

    holder: H
    elements: tuple[E, ...]
    halvings: int
    source: Source


class Left(Struct, Generic[E, H], frozen=True):
    """These elements stay where they are from now on: no exchange moves them."""

    elements: tuple[E, ...]
    source: Source


class Swapped(Struct, Generic[E, H], frozen=True):
    """Two holders have exchanged so many elements; which ones, where that is known."""

    one: H
    other: H
    number: int
    source: Source
    given: tuple[E, ...] | None = None
    """What went from the one to the other."""
    drawn: tuple[E, ...] | None = None
    """What went from the other to the one."""


Fact: TypeAlias = Held[E, H] | Lacked[E, H] | Doubted[E, H] | Left[E, H] | Swapped[E, H]

# --- Lanes and branches -----------------------------------------------------------------------------------------------


class Lane(NamedTuple):
    """The elements that began with `origin` and have changed hands in these exchanges; now they are with `where`."""

    origin: Hashable
    moves: tuple[int, ...]
    where: Hashable
    size: int

    @property
    def id(self) -> "LaneId":
        return self.origin, self.moves


LaneId: TypeAlias = tuple[Hashable, tuple[int, ...]]


class Note(NamedTuple):
    """What is known of some lanes together: all these elements are in them, none is, or each halves the likelihood."""

    kind: Literal["in", "out", "doubt"]
    lanes: tuple[LaneId, ...]
    elements: tuple[Hashable, ...]
    source: Source
    halvings: int = 0


class Branch(NamedTuple):
    """One way in which the sizes of the lanes may be."""

    lanes: tuple[Lane, ...]
    notes: tuple[Note, ...] = ()
    left: tuple[tuple[Hashable, Source], ...] = ()
    """What no later exchange moves, and from where that is known."""
    swaps: int = 0

    def at(self, holder: Hashable) -> tuple[LaneId, ...]:
        """Return the lanes that are now with the holder."""
        return tuple(lane.id for lane in self.lanes if lane.where == holder)

    def noting(self, *notes: Note) -> "Branch":
        return self._replace(notes=self.notes + notes)


def after(branch: Branch, fact: Fact[E, H]) -> Iterator[Branch]:
    """Yield what the branch becomes with a fact: itself with a note more, or several after an exchange."""
    match fact:
        case Held():
            yield branch.noting(Note("in", branch.at(fact.holder), fact.elements, fact.source))
        case Lacked():
            yield branch.noting(Note("out", branch.at(fact.holder), fact.elements, fact.source))
        case Doubted():
            yield branch.noting(Note("doubt", branch.at(fact.holder), fact.elements, fact.source, fact.halvings))
        case Left():
            yield branch._replace(left=branch.left + tuple((element, fact.source) for element in fact.elements))
        case Swapped():
            yield from _swapped(branch, fact)


def _swapped(branch: Branch, fact: Swapped[E, H]) -> Iterator[Branch]:
    """Split the lanes of both hands into what stays and what goes, in every way that makes up the number."""
    ways = [
        list(_splits([lane.size for lane in branch.lanes if lane.where == who], fact.number)) for who in _both(fact)
    ]
    for gone_by_lane in product(*ways):
        counts = {who: iter(numbers) for who, numbers in zip(_both(fact), gone_by_lane, strict=True)}
        lanes: list[Lane] = []
        heirs: dict[LaneId, tuple[LaneId, ...]] = {}
        moved: dict[Hashable, list[LaneId]] = {who: [] for who in counts}
        for lane in branch.lanes:
            gone = next(counts[lane.where]) if lane.where in counts else 0
            to = fact.other if lane.where == fact.one else fact.one
            split = [
                lane._replace(size=lane.size - gone),
                lane._replace(moves=(*lane.moves, branch.swaps), where=to, size=gone),
            ]
            kept = [part for part in split if part.size]
            lanes += kept
            heirs[lane.id] = tuple(part.id for part in kept)
            if gone:
                moved[lane.where].append(kept[-1].id)
        notes = [
            note._replace(lanes=tuple(chain.from_iterable(heirs[lane] for lane in note.lanes))) for note in branch.notes
        ]
        going = tuple(chain.from_iterable(moved.values()))
        notes += [Note("out", going, (element,), source) for element, source in branch.left]
        for who, elements in ((fact.one, fact.given), (fact.other, fact.drawn)):
            if elements is not None:
                notes.append(Note("in", tuple(moved[who]), elements, fact.source))
        yield Branch(tuple(lanes), tuple(notes), branch.left, branch.swaps + 1)


def _both(fact: Swapped[E, H]) -> tuple[H, H]:
    return fact.one, fact.other


def _splits(sizes: Sequence[int], number: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take so many from lanes of these sizes."""
    if not sizes:
        if not number:
            yield ()
        return
    for first in range(min(sizes[0], number) + 1):
        for rest in _splits(sizes[1:], number - first):
            yield first, *rest


def _position(branch: Branch, elements: Sequence[E], engine: Engine) -> "tuple[Position[E, LaneId], int]":
    """Return the position of a branch, and how many times all its weights are doubled beside what the doubts say."""
    evidence: list[Evidence[E, LaneId]] = []
    doubts: dict[E, Counter[LaneId]] = {}
    every = [lane.id for lane in branch.lanes]
    for note in branch.notes:
        named: tuple[E, ...] = note.elements  # type: ignore[assignment]  # the caller's own
        match note.kind:
            case "in" if len(note.lanes) == 1:
                evidence.append(has(note.lanes[0], named, note.source))
            case "in":
                evidence += [lacks(lane, named, note.source) for lane in every if lane not in note.lanes]
            case "out":
                evidence += [lacks(lane, named, note.source) for lane in note.lanes]
            case "doubt":
                for lane, element in product(note.lanes, named):
                    doubts.setdefault(element, Counter())[lane] += note.halvings
    bits = 0
    for element, halvings in doubts.items():
        most = max(halvings.values())
        bits += most
        evidence += [
            Evidence(lane, (element,), (1, 1 << most - halvings[lane])) for lane in every if halvings[lane] < most
        ]
    return Position(elements, {lane.id: lane.size for lane in branch.lanes}, engine=engine).learn(*evidence), bits


# --- What follows -----------------------------------------------------------------------------------------------------

Course: TypeAlias = tuple[tuple[Lane, tuple[E, ...]], ...]
"""One way everything may be: every lane with its elements."""


class Courses(Generic[E, H]):
    """The weight of all courses together, and of those in which an element is now with a holder: whole numbers."""

    def __init__(self, parts: Sequence[tuple[Branch, Position[E, LaneId], Posterior[E, LaneId], int]]) -> None:
        found = [part for part in parts if part[2].total]
        most = max((bits for *_, bits in found), default=0)
        self.scale = 1 << most
        """A weight divided by it is what the doubts say."""
        self._parts = [(branch, position, posterior, 1 << most - bits) for branch, position, posterior, bits in found]
        self.total = sum(posterior.total * factor for _, _, posterior, factor in self._parts)
        self._at: dict[H, list[tuple[Posterior[E, LaneId], LaneId, int]]] = {}

    def mass(self, element: E, holder: H) -> int:
        """Return the weight of the courses in which the element is now with the holder."""
        if holder not in self._at:
            parts = ((posterior, branch.at(holder), factor) for branch, _, posterior, factor in self._parts)
            self._at[holder] = [(posterior, lane, factor) for posterior, lanes, factor in parts for lane in lanes]
        mass = 0
        for posterior, lane, factor in self._at[holder]:
            mass += factor * posterior.mass(element, lane)
        return mass

    def marginal(self, element: E, holder: H) -> Fraction:
        """Return the probability that the element is now with the holder."""
        return Fraction(self.mass(element, holder), self._any())

    def sample(self, rng: Rng, label: str, number: int) -> "list[Course[E]]":
        """Draw courses, independently and each with the probability that it has."""
        if len(self._parts) == 1:
            return self._drawn(0, rng, label, number)
        words = rng.words(f"{label} branch")
        ends = list(accumulate(posterior.total * factor for _, _, posterior, factor in self._parts))
        picks = [bisect_right(ends, below(words, self._any())) for _ in range(number)]
        drawn = [iter(self._drawn(n, rng, f"{label} {n}", picks.count(n))) for n in range(len(self._parts))]
        return [next(drawn[place]) for place in picks]

    def courses(self) -> "Iterator[Course[E]]":
        """Yield every course once, if weights are numbers of courses."""
        for branch, position, posterior, _ in self._parts:
            for world in posterior.worlds():
                yield _course(branch, position, world)

    def _drawn(self, place: int, rng: Rng, label: str, number: int) -> "list[Course[E]]":
        branch, position, posterior, _ = self._parts[place]
        return [_course(branch, position, world) for world in posterior.sample(rng, label, number)]

    def _any(self) -> int:
        if not self.total:
            raise ValueError("nothing fits what was learned: ask what clashes")
        return self.total


def _course(branch: Branch, position: Position[E, LaneId], world: Sequence[int]) -> "Course[E]":
    hands = (position.deal.named(mask) for mask in world)
    return tuple(zip(branch.lanes, hands, strict=True))


class Why(Struct, frozen=True):
    """A proof: the sources that it rests on, none of them to spare, and how hard it is to see, from 1 to 5."""

    sources: tuple[Source, ...]
    grade: int


class Flow(Frozen, Generic[E, H]):
    """A deal whose hands change: a value, like a position."""

    def __init__(
        self,
        elements: Sequence[E],
        holders: Mapping[H, int],
        facts: "Sequence[Fact[E, H]]" = (),
        engine: Engine | None = None,
    ) -> None:
        """Deal so many elements to each holder; then learn these facts."""
        self.elements = tuple(elements)
        self.holders = dict(holders)
        self.engine = engine or best()
        self.facts: tuple[Fact[E, H], ...] = ()
        # Every way in which the sizes of the lanes may be.
        self.branches: tuple[Branch, ...] = (
            Branch(tuple(Lane(holder, (), holder, size) for holder, size in holders.items())),
        )
        for fact in facts:
            self._add(fact)

    def learn(self, *facts: "Fact[E, H]") -> "Flow[E, H]":
        """Return the flow with more facts, later than all before."""
        new = object.__new__(type(self))
        new.elements, new.holders, new.engine = self.elements, self.holders, self.engine
        new.facts, new.branches = self.facts, self.branches
        for fact in facts:
            new._add(fact)
        return new

    def without(self, lost: "Fact[E, H]") -> "Flow[E, H]":
        """Return the flow without one of its facts; another that says the same stays."""
        return Flow(self.elements, self.holders, [fact for fact in self.facts if fact is not lost], self.engine)

    def _add(self, fact: "Fact[E, H]") -> None:
        self.facts += (fact,)
        self.branches = tuple(chain.from_iterable(after(branch, fact) for branch in self.branches))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flow):
            return NotImplemented
        return (self.elements, self.holders, self.facts) == (other.elements, other.holders, other.facts)

    def __hash__(self) -> int:
        return hash((self.elements, self.facts))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel without engine and answers, as a position does."""
        return Flow, (self.elements, self.holders, self.facts)

    @cached_property
    def counted(self) -> "dict[Hashable, Any]":
        """What `tally` has counted already."""
        return {}

    @cached_property
    def positions(self) -> "list[tuple[Branch, Position[E, LaneId], int]]":
        """Every branch with the position that it makes, and how many times its weights are doubled."""
        return [(branch, *_position(branch, self.elements, self.engine)) for branch in self.branches]

    @cached_property
    def logic(self) -> Courses[E, H]:
        """What is possible: every course that nothing rules out counts once."""
        return Courses([(branch, position, position.logic, 0) for branch, position, _ in self.positions])

    @cached_property
    def posterior(self) -> Courses[E, H]:
        """What is likely: every course counts with all its doubts."""
        return Courses([(branch, position, position.posterior, bits) for branch, position, bits in self.positions])

    def explain(self, claim: Claim[E, H]) -> Why | None:
        """Return why the claim about this moment is certain, or None if it is not, or if nothing is."""
        every = self._sources()
        if not self._refutes(every, claim) or self._refutes(every, None):
            return None
        found = irreducible(every[::-1], lambda chosen: self._refutes(chosen, claim))
        sources = tuple(source for source in every if source in found)
        return Why(sources, max(self._grades(sources, claim)))

    def clash(self) -> tuple[Source, ...]:
        """Return sources that cannot all be right, none of them to spare; nothing if all can."""
        every = self._sources()
        if not self._refutes(every, None):
            return ()
        found = irreducible(every[::-1], lambda chosen: self._refutes(chosen, None))
        return tuple(source for source in every if source in found)

    def _sources(self) -> list[Source]:
        return list(dict.fromkeys(fact.source for fact in self.facts))

    def _known(self, sources: Sequence[Source]) -> "Flow[E, H]":
        """Return the flow with what these sources say; that there was an exchange is always known."""
        chosen = set(sources)
        facts: list[Fact[E, H]] = []
        for fact in self.facts:
            if fact.source in chosen:
                facts.append(fact)
            elif isinstance(fact, Swapped):
                facts.append(Swapped(fact.one, fact.other, fact.number, fact.source))
        return Flow(self.elements, self.holders, facts, self.engine)

    def _refutes(self, sources: Sequence[Source], claim: Claim[E, H] | None) -> bool:
        known = self._known(sources)
        if claim is not None:
            known = known.learn(_denied(claim))
        return not any(known.engine.possible(position.known) for _, position, _ in known.positions)

    def _grades(self, sources: Sequence[Source], claim: Claim[E, H]) -> Iterator[int]:
        known = self._known(sources)
        for (branch, position, _), (_, against, _) in zip(
            known.positions, known.learn(_denied(claim)).positions, strict=True
        ):
            deal = position.deal
            bit = deal.bits[claim.element]
            lanes = [deal.places[lane] for lane in branch.at(claim.holder)]
            yield min((graded(position.known, against.known, bit, lane) for lane in lanes), default=1)


def _denied(claim: Claim[E, H]) -> "Fact[E, H]":
    deny: Callable[..., Fact[E, H]] = Lacked if claim.held else Held
    return deny(claim.holder, (claim.element,), None)
