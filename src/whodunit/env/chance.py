"""Chance made explicit: the draws of a game as a tree of choices with few outcomes each, all equally likely.

A draw of a number is one choice; where it is from a wide range (a falling cube's is from 2**63), it is one for each
digit of the number, in a base in which the range comes out even. A shuffle is one choice for each place but the
first, from the last one down. An id that only has to be unguessable is no choice at all: it is made from its label.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Final

from whodunit.core.rng import Result, Rng

OUTCOMES: Final = 512
"""A choice has at most so many outcomes, unless the range of a draw has a prime factor above that."""


class Unsettled(Exception):
    """A draw for which not all choices have been made."""

    def __init__(self, label: str, outcomes: tuple[int, ...]) -> None:
        super().__init__(f"{label}: {outcomes} outcomes")
        self.label = label
        self.outcomes = outcomes
        """Of each choice that is left, how many outcomes it has."""


class Settled(Rng):
    """Draws that go by choices made before; Unsettled is raised where there are none left."""

    __slots__ = ("_choices",)

    def __init__(self, seq: int, choices: Iterator[int]) -> None:
        super().__init__(b"", seq)
        self._choices = choices

    def result(self, label: str, kind: str, bound: int) -> Result:
        """Return what the choices make of this draw."""
        if kind == "token":
            return sha256(f"{self.seq}|{label}".encode()).hexdigest()[:32]
        outcomes = radices(bound) if kind == "below" else tuple(range(bound, 1, -1))
        choices = tuple(islice(self._choices, len(outcomes)))
        if len(choices) < len(outcomes):
            raise Unsettled(label, outcomes[len(choices) :])
        if kind == "below":
            number = 0
            for radix, choice in zip(outcomes, choices, strict=True):
                number = number * radix + choice
            return number
        order = list(range(bound))
        for last, other in zip(range(bound - 1, 0, -1), choices, strict=True):
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def words(self, label: str) -> Iterator[int]:
        """Refuse: there is no end to what could be drawn from a stream."""
        raise TypeError(f"the draw {label!r} is from a stream, so it has no outcomes that could be listed")


@cache
def radices(bound: int) -> tuple[int, ...]:
    """Return few numbers, none above OUTCOMES if that can be, whose product is the bound: a base for what is below."""
    if bound <= OUTCOMES:
        return (bound,) if bound > 1 else ()
    factors: list[int] = []
    left, prime = bound, 2
    while prime * prime <= left:
        while left % prime == 0:
            factors.append(prime)
            left //= prime
        prime += 1
    radices: list[int] = []
    for factor in sorted([*factors, left], reverse=True):
        place = next((place for place, radix in enumerate(radices) if radix * factor <= OUTCOMES), None)
        if place is None:
            radices.append(factor)
        else:
            radices[place] *= factor
    return tuple(radix for radix in radices if radix > 1)
