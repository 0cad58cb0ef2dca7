"""Sums over all worlds that fit the evidence: totals, marginals, one holder's hands, samples."""

from collections.abc import Iterator
from fractions import Fraction
from math import log2
from typing import Generic

from whodunit.core.rng import Rng, below
from whodunit.core.types import Frozen
from whodunit.deduce.compiled import Deal
from whodunit.deduce.engine import Engine
from whodunit.deduce.evidence import Claim, E, H, Source
from whodunit.deduce.reduce import Knowledge, weight
from whodunit.deduce.worlds import World

TRIES = 64
"""How many worlds are drawn for one sample where each may be refused."""
BLOCK = 1024
"""How many worlds are listed at a time."""


class Posterior(Frozen, Generic[E, H]):
    """The weight of all worlds together, and of those in which an element is with a holder: whole numbers, so exact.

    A weight divided by `scale` is what the evidence says; where only possibility counts, a weight is a number of
    worlds and `scale` is 1. If the position was too wide, the evidence from `left_out` was not used: then what is
    impossible here is impossible, and certain here is certain, but more may be, and the weights are approximate.
    Samples are exact all the same, because those that the evidence left out forbids are refused.
    """

    __slots__ = ("_deal", "_engine", "_known", "_refused", "_solution", "left_out", "scale", "total")

    def __init__(
        self,
        deal: Deal[E, H],
        engine: Engine,
        known: Knowledge,
        scale: int = 1,
        *,
        refused: Knowledge | None = None,
        left_out: tuple[Source, ...] = (),
    ) -> None:
        self._deal = deal
        self._engine = engine
        self._known = known
        self._refused = refused
        self._solution = engine.solve(known)
        self.total = self._solution.total
        self.scale = scale
        self.left_out = left_out

    @property
    def exact(self) -> bool:
        """Whether all evidence was used."""
        return self._refused is None

    def mass(self, element: E, holder: H) -> int:
        """Return the weight of the worlds in which the element is with the holder."""
        deal = self._deal
        return self._solution.masses[deal.bits[element].bit_length() - 1][deal.places[holder]]

    def marginal(self, element: E, holder: H) -> Fraction:
        """Return the probability that the element is with the holder."""
        return Fraction(self.mass(element, holder), self._any())

    def marginals(self, element: E) -> dict[H, float]:
        """Return the probability of every holder of the element."""
        masses = self._solution.masses[self._deal.bits[element].bit_length() - 1]
        total = self._any()
        return {holder: mass / total for holder, mass in zip(self._deal.holders, masses, strict=True)}

    def holders(self, element: E) -> tuple[H, ...]:
        """Return those who may have the element; if there is only one, it is certain."""
        masses = self._solution.masses[self._deal.bits[element].bit_length() - 1]
        return tuple(holder for holder, mass in zip(self._deal.holders, masses, strict=True) if mass)

    def certain(self, claim: Claim[E, H]) -> bool:
        """Say whether the claim holds in every world."""
        mass = self.mass(claim.element, claim.holder)
        return mass == self._any() if claim.held else not mass

    def hand(self, holder: H) -> tuple[E, ...]:
        """Return what the holder certainly has."""
        total = self._any()
        place = self._deal.places[holder]
        pairs = zip(self._deal.elements, self._solution.masses, strict=True)
        return tuple(element for element, masses in pairs if masses[place] == total)

    def joint(self, holder: H) -> dict[tuple[E, ...], int]:
        """Return the weight of every hand that the holder may have, the elements of each in the order dealt."""
        deal = self._deal
        hands = self._engine.joint(self._known, deal.places[holder])
        return {deal.named(mask): mass for mask, mass in sorted(hands.items())}

    def entropy(self, holder: H) -> float:
        """Return how many bits are missing to know the holder's hand."""
        total = self._any()
        hands = self._engine.joint(self._known, self._deal.places[holder])
        return sum(mass / total * (log2(total) - log2(mass)) for _, mass in sorted(hands.items()))

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently and each with the probability that it has.

        Where evidence was left out, worlds against it are refused, and there may come fewer than asked for.
        """
        words = rng.words(label)
        if self._refused is None:
            return self._engine.worlds(self._known, [below(words, self._any()) for _ in range(number)])
        found: list[World] = []
        most = _most(self._refused)
        for _ in range(TRIES):
            ranks = [below(words, self._any()) for _ in range(number)]
            drawn = self._engine.worlds(self._known, ranks)
            found += [world for world in drawn if below(words, most) < weight(self._refused, world)]
            if len(found) >= number:
                break
        return found[:number]

    def worlds(self) -> Iterator[World]:
        """Yield every world once, if weights are numbers of worlds; else as often as it has weight."""
        for start in range(0, self.total, BLOCK):
            block = range(start, min(start + BLOCK, self.total))
            for world in self._engine.worlds(self._known, block):
                if self._refused is None or weight(self._refused, world):
                    yield world

    def _any(self) -> int:
        if not self.total:
            raise ValueError("no world fits the evidence: ask the position what clashes")
        return self.total


def _most(known: Knowledge) -> int:
    """Return the most weight that any world can have by these atoms; judges give at most 1 here."""
    most = 1
    for atoms in known.atoms:
        for atom in atoms:
            most *= max(*atom.on, *atom.off)
    return most
