"""What is known of a deal, item by item: how likely an observation is if a holder has so many of some elements."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

E = TypeVar("E", bound=Hashable)
"""What is dealt: a card, a tile."""
H = TypeVar("H", bound=Hashable)
"""Who holds what is dealt: a player, the solution, the open cards."""

Weight: TypeAlias = int | Fraction
Source: TypeAlias = Hashable
"""What an item is known from, such as the number of a log entry; None stands for the rules of the game."""


class Evidence(Struct, Generic[E, H], frozen=True):
    """The likelihood of one observation: `weights[n]` if the holder has n of the elements.

    If `given` is an element, these weights count where the holder has it, and `otherwise` where the holder has not.
    """

    holder: H
    elements: tuple[E, ...]
    weights: tuple[Weight, ...]
    source: Source = None
    given: E | None = None
    otherwise: tuple[Weight, ...] = ()


class HandEvidence(Struct, Generic[E, H], frozen=True):
    """The likelihood of one observation as any function of the whole hand, in whole numbers of the caller's unit.

    Every possible hand is weighed, so it is for small hands, and for what no table by numbers can say.
    """

    holder: H
    weigh: Callable[[tuple[E, ...]], int]
    source: Source = None


AnyEvidence: TypeAlias = Evidence[E, H] | HandEvidence[E, H]


class Claim(Struct, Generic[E, H], frozen=True):
    """That the holder has the element, or that the holder has it not."""

    element: E
    holder: H
    held: bool = True


def has(holder: H, elements: Sequence[E], source: Source) -> Evidence[E, H]:
    """All of these elements are with the holder."""
    return Evidence(holder, tuple(elements), (0,) * len(elements) + (1,), source)


def lacks(holder: H, elements: Sequence[E], source: Source) -> Evidence[E, H]:
    """None of these elements is with the holder."""
    return Evidence(holder, tuple(elements), (1,) + (0,) * len(elements), source)


def some(holder: H, elements: Sequence[E], source: Source) -> Evidence[E, H]:
    """At least one of these elements is with the holder."""
    return Evidence(holder, tuple(elements), (0,) + (1,) * len(elements), source)


def not_all(holder: H, elements: Sequence[E], source: Source) -> Evidence[E, H]:
    """At least one of these elements is not with the holder."""
    return Evidence(holder, tuple(elements), (1,) * len(elements) + (0,), source)


def count(holder: H, elements: Sequence[E], number: int, source: Source) -> Evidence[E, H]:
    """Exactly so many of these elements are with the holder."""
    return Evidence(holder, tuple(elements), tuple(int(n == number) for n in range(len(elements) + 1)), source)


def shows(holder: H, element: E, among: Sequence[E], source: Source) -> Evidence[E, H]:
    """The holder has the element, one of `among`, and showed it rather than others of these by an even choice."""
    others = tuple(other for other in among if other != element)
    even = tuple(Fraction(int(element in among), more + 1) for more in range(len(others) + 1))
    return Evidence(holder, others, even, source, given=element, otherwise=(0,) * len(even))


def weight_of(item: AnyEvidence[E, H], hand: Sequence[E]) -> Weight:
    """Return how likely an observation is if this is the whole hand of its holder."""
    if isinstance(item, HandEvidence):
        return item.weigh(tuple(hand))
    weights = item.weights if item.given is None or item.given in hand else item.otherwise
    return weights[sum(element in hand for element in item.elements)]
