"""Explains why something is certain: a smallest set of sources that proves it, and how hard that is to see."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from whodunit.deduce.compiled import Deal, nothing_known, with_evidence
from whodunit.deduce.engine import Engine
from whodunit.deduce.evidence import AnyEvidence, Claim, E, Evidence, H, Source
from whodunit.deduce.grade import graded
from whodunit.deduce.reduce import Knowledge, TooWide, joined, propagate

T = TypeVar("T")


class ProofStep(Struct, Generic[E, H], frozen=True):
    """One source of a proof: what it says, and what is settled with it and those before it."""

    source: Source
    evidence: tuple[AnyEvidence[E, H], ...]
    settles: tuple[Claim[E, H], ...]


class Explanation(Struct, Generic[E, H], frozen=True):
    """A proof: its steps in the order of the evidence, and its grade.

    1: seen directly. 2: follows at once. 3: follows in several rounds. 4: hands must be counted, or the contrary be
    tried. 5: several cases must be tried.
    """

    claim: Claim[E, H]
    steps: tuple[ProofStep[E, H], ...]
    grade: int

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources that prove the claim."""
        return tuple(step.source for step in self.steps)


class Log(Generic[E, H]):
    """The evidence by source, and whether what some of them say can be true together."""

    def __init__(self, deal: Deal[E, H], engine: Engine, evidence: Sequence[AnyEvidence[E, H]]) -> None:
        self.deal = deal
        self.engine = engine
        self.by_source: dict[Source, list[AnyEvidence[E, H]]] = {}
        for item in evidence:
            self.by_source.setdefault(item.source, []).append(item)
        rules = self.by_source.pop(None, [])
        start = nothing_known(deal)
        self.rules = with_evidence(start, deal, rules).logic
        self.alone = {source: with_evidence(start, deal, items).logic for source, items in self.by_source.items()}

    def known(self, sources: Sequence[Source]) -> Knowledge:
        return joined([self.rules, *(self.alone[source] for source in sources)])

    def refutes(self, sources: Sequence[Source], claim: Claim[E, H] | None) -> bool:
        """Say whether these sources leave no world in which the claim is false; without a claim, no world at all."""
        known = self.known(sources)
        try:
            return not self.engine.possible(_against(known, self.deal, claim) if claim else known)
        except TooWide:  # nobody can tell, so it proves nothing
            return False

    def supposing(self, known: Knowledge, claim: Claim[E, H]) -> Knowledge:
        """Return what would be known with the claim."""
        return _against(known, self.deal, Claim(claim.element, claim.holder, not claim.held))


def _against(known: Knowledge, deal: Deal[E, H], claim: Claim[E, H]) -> Knowledge:
    """Return what would be known if the claim were false."""
    bit, holder = deal.bits[claim.element], deal.places[claim.holder]
    masks = list(known.allowed if claim.held else known.required)
    masks[holder] = masks[holder] & ~bit if claim.held else masks[holder] | bit
    return known._replace(allowed=tuple(masks)) if claim.held else known._replace(required=tuple(masks))


def explained(
    deal: Deal[E, H], engine: Engine, evidence: Sequence[AnyEvidence[E, H]], claim: Claim[E, H]
) -> Explanation[E, H] | None:
    """Return a proof of the claim, or None if it is not certain or if the evidence clashes."""
    log = Log(deal, engine, evidence)
    every = list(log.by_source)
    if not log.refutes(every, claim) or log.refutes(every, None):
        return None
    newest = every[::-1]
    plain = sorted(newest, key=lambda source: not all(map(_is_direct, log.by_source[source])))
    proofs = [irreducible(order, lambda chosen: log.refutes(chosen, claim)) for order in (newest, plain)]
    core = min(proofs, key=len)
    sources = [source for source in every if source in core]
    steps = tuple(_steps(log, sources, claim))
    known = log.known(sources)
    grade = graded(known, _against(known, deal, claim), deal.bits[claim.element], deal.places[claim.holder])
    return Explanation(claim, steps, grade)


def clash(deal: Deal[E, H], engine: Engine, evidence: Sequence[AnyEvidence[E, H]]) -> tuple[Source, ...]:
    """Return sources that cannot all be right, none of them to spare: nothing if all can, None if the rules cannot."""
    log = Log(deal, engine, evidence)
    every = list(log.by_source)
    if not log.refutes(every, None):
        return ()
    core = irreducible(every[::-1], lambda chosen: log.refutes(chosen, None))
    return tuple(source for source in every if source in core) or (None,)


def irreducible(sources: Sequence[T], refute: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return what of this refutes, sources or marks, none to spare; what stands first is preferred (QuickXplain)."""

    def needed(base: list[T], added: Sequence[T], rest: Sequence[T]) -> list[T]:
        if added and refute(base):
            return []
        if len(rest) == 1:
            return list(rest)
        half = len(rest) // 2
        first, second = rest[:half], rest[half:]
        late = needed([*base, *first], first, second)
        early = needed([*base, *late], late, first)
        return early + late

    return [] if refute([]) else needed([], [], sources)


def _is_direct(item: AnyEvidence[E, H]) -> bool:
    """Say whether the evidence puts elements with a holder, or keeps them away, without alternative."""
    if not isinstance(item, Evidence) or item.given is not None:
        return False
    return not any(item.weights[1:]) or not any(item.weights[:-1])


def _steps(log: Log[E, H], sources: Sequence[Source], claim: Claim[E, H]) -> list[ProofStep[E, H]]:
    deal = log.deal
    steps = []
    before = _settled(log.known([]), deal, claim)
    for number, source in enumerate(sources, 1):
        after = _settled(log.known(sources[:number]), deal, claim)
        new = tuple(fact for fact in after if fact not in before)
        steps.append(ProofStep(source, tuple(log.by_source[source]), new))
        before = after
    return steps


def _settled(known: Knowledge, deal: Deal[E, H], claim: Claim[E, H]) -> dict[Claim[E, H], None]:
    """Return what follows without search: who has what, and who has not the element in question."""
    allowed, required = list(known.allowed), list(known.required)
    propagate(known.capacities, allowed, required, known.atoms)
    facts: dict[Claim[E, H], None] = {}
    for holder, may, must in zip(deal.holders, allowed, required, strict=True):
        for element in deal.named(must):
            facts[Claim(element, holder)] = None
        if not may & deal.bits[claim.element]:
            facts[Claim(claim.element, holder, held=False)] = None
    return facts
