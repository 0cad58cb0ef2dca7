"""What is known at one moment, as a value: learning gives a new position and leaves the old one as it was."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias

from whodunit.core.types import Frozen
from whodunit.deduce.compiled import Compiled, Deal, nothing_known, with_evidence
from whodunit.deduce.engine import Engine, best
from whodunit.deduce.evidence import AnyEvidence, Claim, E, H, HandEvidence, Source
from whodunit.deduce.explain import Explanation, clash, explained
from whodunit.deduce.posterior import Posterior
from whodunit.deduce.reduce import Knowledge, TooWide


class Position(Frozen, Generic[E, H]):
    """A deal of elements to holders, and the evidence on it."""

    __slots__ = ("_compiled", "_logic", "_posterior", "deal", "engine", "evidence", "outlooks")

    deal: Deal[E, H]
    evidence: tuple[AnyEvidence[E, H], ...]
    engine: Engine
    _compiled: Compiled
    _logic: Posterior[E, H] | None
    _posterior: Posterior[E, H] | None
    outlooks: dict[H, Any]
    """What `asking.outlook` has found here: it is asked for the same again and again, and is small."""

    def __init__(
        self,
        elements: Sequence[E],
        holders: Mapping[H, int],
        rules: Iterable[AnyEvidence[E, H]] = (),
        engine: Engine | None = None,
    ) -> None:
        """Start with nothing known but how many elements each holder has, and the rules (evidence without source)."""
        self.deal = Deal(elements, holders)
        self.engine = engine or best()
        self.evidence = tuple(rules)
        self._compiled = with_evidence(nothing_known(self.deal), self.deal, self.evidence)
        self._logic = self._posterior = None
        self.outlooks = {}

    def learn(self, *evidence: AnyEvidence[E, H]) -> "Position[E, H]":
        """Return the position with more evidence."""
        new = object.__new__(type(self))
        new.deal, new.engine = self.deal, self.engine
        new.evidence = self.evidence + evidence
        new._compiled = with_evidence(self._compiled, self.deal, evidence)
        new._logic = self._logic if new._compiled.logic == self._compiled.logic else None
        same = new._compiled == self._compiled
        new._posterior = self._posterior if same else None
        new.outlooks = self.outlooks if same else {}
        return new

    def without(self, *evidence: AnyEvidence[E, H]) -> "Position[E, H]":
        """Return the position without these items of its evidence; another that says the same stays."""
        kept = [item for item in self.evidence if all(item is not lost for lost in evidence)]
        return Position(self.deal.elements, self._sizes(), kept, self.engine)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.evidence == other.evidence and self.deal == other.deal

    def __hash__(self) -> int:
        return hash((self.deal, self.evidence))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel without engine and answers: whoever unpacks it may have another engine, and finds the same."""
        return Position, (self.deal.elements, self._sizes(), self.evidence)

    def _sizes(self) -> dict[H, int]:
        return dict(zip(self.deal.holders, self.deal.capacities, strict=True))

    @property
    def logic(self) -> Posterior[E, H]:
        """What is possible: every world that no evidence rules out counts once, whatever its likelihood."""
        if self._logic is None:
            self._logic = self._solved(_logic)
        return self._logic

    @property
    def posterior(self) -> Posterior[E, H]:
        """What is likely: every world counts with the likelihood of all evidence."""
        if self._compiled.logic is self._compiled.mass:
            return self.logic
        if self._posterior is None:
            self._posterior = self._solved(_mass)
        return self._posterior

    @property
    def known(self) -> Knowledge:
        """What is possible, as masks and tables by holder: for those who count in another way."""
        return self._compiled.logic

    def hands(self, holder: H) -> tuple[dict[int, int], int]:
        """Return the weight of every hand that the holder may have, as masks, and the scale of the weights.

        Counted without anything else: what `posterior` has besides takes many times as long.
        """
        try:
            return self.engine.joint(self._compiled.mass, self.deal.places[holder]), self._compiled.scale
        except TooWide:
            wide = self.posterior
            return {self.deal.mask(hand): mass for hand, mass in wide.joint(holder).items()}, wide.scale

    def _solved(self, pick: "_Pick") -> Posterior[E, H]:
        try:
            return Posterior(self.deal, self.engine, *pick(self._compiled))
        except TooWide:
            return self._without_the_widest(pick)

    def _without_the_widest(self, pick: "_Pick") -> Posterior[E, H]:
        """Leave out evidence until the rest can be counted: what is then impossible is so all the more with it."""
        widest = sorted(
            (number for number, item in enumerate(self.evidence) if item.source is not None and _width(item)),
            key=lambda number: -_width(self.evidence[number]),
        )
        start = nothing_known(self.deal)
        for share in (8, 4, 2, 1):
            out = set(widest[: -(-len(widest) // share)])
            used = [item for number, item in enumerate(self.evidence) if number not in out]
            unused = [item for number, item in enumerate(self.evidence) if number in out]
            refused, _ = pick(rest := with_evidence(start, self.deal, unused))
            try:
                return Posterior(
                    self.deal,
                    self.engine,
                    *pick(with_evidence(start, self.deal, used)),
                    refused=refused._replace(judges=rest.logic.judges),
                    left_out=tuple(dict.fromkeys(item.source for item in unused)),
                )
            except TooWide:
                continue
        raise TooWide("not even the rules alone can be counted")

    def explain(self, claim: Claim[E, H]) -> Explanation[E, H] | None:
        """Return why the claim is certain, or None if it is not, or if nothing is because the evidence clashes."""
        return explained(self.deal, self.engine, self.evidence, claim)

    def clash(self) -> tuple[Source, ...]:
        """Return sources that cannot all be right, none of them to spare; nothing if all can."""
        return clash(self.deal, self.engine, self.evidence)


_Pick: TypeAlias = Callable[[Compiled], tuple[Knowledge, int]]


def _logic(compiled: Compiled) -> tuple[Knowledge, int]:
    return compiled.logic, 1


def _mass(compiled: Compiled) -> tuple[Knowledge, int]:
    return compiled.mass, compiled.scale


def _width(item: AnyEvidence[E, H]) -> int:
    """Return how much the evidence widens a count; nothing if it only says who has an element or has it not."""
    if isinstance(item, HandEvidence):
        return 1000
    if item.given is None and (not any(item.weights[1:]) or not any(item.weights[:-1])):
        return 0
    numbers = len({weight for weight in item.weights if weight})
    return len(item.elements) * (numbers + (item.given is not None))
