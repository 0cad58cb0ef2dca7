"""Good sense at Crime Hotel: what is worth thinking about in a situation, and how good a situation is."""

from collections.abc import Iterable, Sequence
from typing import Any

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.crime_hotel.evidence import Belief
from whodunit.games.crime_hotel.model import AnyEvent, State
from whodunit.games.crime_hotel.rules import legal


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them."""
    return [action for offer in legal(view, seat) for action in offer.actions()]


def habit(view: State, seat: Seat, seen: Iterable[AnyEvent], rng: Rng) -> Action:
    """Do anything: nobody is ever asked in this game."""
    offers = legal(view, seat)
    return offers[rng.below("habit", len(offers))].sample(rng)


def worth(state: State, seat: Seat) -> float:
    return 0.0
