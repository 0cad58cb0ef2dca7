"""How much the possible answers to a question would tell, exactly: each is learned, and what is left is counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import log2
from typing import Any, NamedTuple

from whodunit.core.judging import Reply
from whodunit.core.types import Event
from whodunit.deduce.evidence import AnyEvidence, E, H
from whodunit.deduce.position import Position


class Outlook(NamedTuple):
    """What is known of one holder's hand: of the solution, if that is a holder."""

    weight: Fraction
    """The weight of all worlds together: of two positions their quotient says how likely the one is after the other."""
    left: float
    """How many bits are missing to know the hand."""
    top: float
    """How likely the likeliest hand is."""


NOTHING = Outlook(Fraction(0), 0.0, 0.0)


def outlook(position: Position[E, H], holder: H) -> Outlook:
    """Return what a position says of a holder's hand, in one count over all worlds."""
    found: Outlook | None = position.outlooks.get(holder)
    if found is None:
        masses, scale = position.hands(holder)
        total = sum(masses.values())
        most = max(masses.values(), default=0)
        found = Outlook(Fraction(total, scale), entropy(masses.values()), most / total) if total else NOTHING
        position.outlooks[holder] = found
    return found


def entropy(masses: Iterable[int]) -> float:
    """Return how many bits are missing to know which it is, if each is as likely as it has weight."""
    # Many weigh the same, and a logarithm takes its time.
    numbers = sorted(Counter(masses).items())
    total = sum(mass * number for mass, number in numbers)
    return sum(number * mass / total * (log2(total) - log2(mass)) for mass, number in numbers if mass)


def replies(
    position: Position[E, H],
    holder: H,
    ways: Iterable[tuple[tuple[Event, ...], Sequence[AnyEvidence[Any, Any]]]],
) -> tuple[Reply, ...]:
    """Return each way that is possible with its chance: what is seen then, and what that proves.

    The ways must exclude each other, and one of them must happen: then the chances sum to one.
    """
    now = outlook(position, holder)
    found = [(events, outlook(position.learn(*proved), holder)) for events, proved in ways]
    return tuple(
        Reply(events, float(then.weight / now.weight), then.left, then.top) for events, then in found if then.weight
    )
