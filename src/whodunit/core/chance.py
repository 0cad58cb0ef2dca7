"""Chance made explicit: everything that may come of draws, each with its exact probability."""

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any, Final, TypeVar

from whodunit.core.errors import Illegal, TooMany
from whodunit.core.rng import Probe, Rng, Undrawn
from whodunit.core.types import Action, Event, Game, Seat

T = TypeVar("T", bound=Hashable)

MOST: Final = 10_000
"""In so many ways, unless somebody asks for more, draws may fall; a shuffled hand of eight is already too much."""


def chance(game: Game, state: Any, seat: Seat, action: Action, most: int = MOST) -> dict[tuple[Event, ...], Fraction]:
    """Return everything that an action may lead to, as its events, each with its exact probability.

    The state is a whole one: the truth, or a view filled in by `imagine`. Raise Illegal if the seat may not do this
    there, and TooMany if the draws may fall in more than `most` ways: as when a deck is shuffled, or a cube falls.
    """
    offers = tuple(game.legal(state, seat))
    if not any(offer.admits(action) for offer in offers):
        raise Illegal(seat, action, offers)
    return outcomes(lambda rng: tuple(game.decide(state, seat, action, rng)), most)


def outcomes(made: Callable[[Rng], T], most: int = MOST) -> dict[T, Fraction]:
    """Return everything that can be made with draws, each with its probability; these sum to one.

    What is made must follow from the draws alone. Raise TooMany if they may fall in more than `most` ways.
    """
    found: dict[T, Fraction] = {}
    for number, (result, share) in enumerate(_ways(made, (), Fraction(1), most)):
        if number == most:
            raise TooMany(f"the draws may fall in more than {most} ways")
        found[result] = found.get(result, Fraction(0)) + share
    return found


def _ways(made: Callable[[Rng], T], given: tuple[int, ...], share: Fraction, most: int) -> Iterator[tuple[T, Fraction]]:
    try:
        result = made(Probe(given, most))
    except Undrawn as draw:
        label, bound = draw.label, draw.bound
    else:
        yield result, share
        return
    if bound > most:
        raise TooMany(f"the draw {label!r} may fall in {bound} ways, which is more than {most}")
    for number in range(bound):
        yield from _ways(made, (*given, number), share / bound, most)
