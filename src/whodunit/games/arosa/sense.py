"""Good sense at Mord im Arosa: what is worth thinking about in a situation, and how good a situation is."""

from collections.abc import Iterable, Sequence
from math import exp
from typing import Final

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.arosa.evidence import Belief, World
from whodunit.games.arosa.facts import FLOORS, Floor
from whodunit.games.arosa.model import (
    Accusing,
    AnyEvent,
    CoverTracks,
    Inspect,
    Over,
    Searching,
    State,
    Suspect,
    TakeBack,
    TakingBack,
)
from whodunit.games.arosa.rules import GROUND, legal, prices, totals_of

EVEN: Final = 1e-9
AT_FIRST_SIGHT: Final = 3
"""So many floors come to the mind of one who does not reckon."""
ACCUSATIONS: Final = 4
COVERS: Final = 2
"""So many of each are thought through, the most promising first."""
PENALTY: Final = 0.7
"""What it costs to have one more clue in the hotel, in points."""
WIN: Final = 8.0
"""What it is worth to have won, in points."""


# --- What is worth a thought -------------------------------------------------------------------------------------


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them."""
    phase = view.phase
    if isinstance(phase, TakingBack):
        return [TakeBack(phase.most)]
    if not isinstance(phase, Searching | Accusing):
        return [offer.sample(rng) for offer in legal(view, seat)]
    floors: Sequence[Floor] = FLOORS
    if belief.attention == "sight":
        floors = rng.shuffled("at first sight", FLOORS)[:AT_FIRST_SIGHT]
    if isinstance(phase, Searching):
        return [Inspect(floor) for floor in floors]
    accusations = sorted((_accusation(view, seat, belief, floor) for floor in floors), key=lambda pair: -pair[0])
    found: list[Action] = [action for _, action in accusations[:ACCUSATIONS]]
    if len(legal(view, seat)) > 1:
        covers = sorted(((_cover(view, seat, belief, floor), floor) for floor in floors), reverse=True)
        found += [CoverTracks(floor) for gain, floor in covers[:COVERS] if gain > 0]
    return found


def _accusation(view: State, seat: Seat, belief: Belief, floor: Floor) -> tuple[float, Suspect]:
    """Return the best accusation on a floor, and what it may be expected to bring."""
    price = prices(view)[floor]
    # AROSA-49, 50: on the ground floor nothing counts without a clue of one's own there, and everything costs.
    counts = belief.some(seat, floor) if floor == GROUND else 1.0
    gains = {}
    for other in range(len(view.supplies)):
        if other != seat:
            some = belief.some(other, floor)
            gains[other] = counts * belief.expected(other, floor) * price - (1 - counts * some) * PENALTY
    named = [other for other, gain in gains.items() if gain > 0] or [max(gains, key=lambda other: gains[other])]
    return sum(gains[other] for other in named), Suspect(tuple(named), floor)


def _cover(view: State, seat: Seat, belief: Belief, floor: Floor) -> float:
    """Return what covering tracks on a floor may be expected to bring."""
    back = min(belief.expected(seat, floor), view.sheet[floor][seat])
    return back * prices(view)[floor] - (1 - belief.some(seat, floor)) * PENALTY


def urge(_view: State, _seat: Seat, _belief: Belief) -> Sequence[Action]:
    """Return nothing: in Mord im Arosa nobody interrupts."""
    return ()


def habit(view: State, seat: Seat, _seen: Iterable[AnyEvent], rng: Rng) -> Action:
    """Do anything: nobody is ever asked in this game."""
    offers = legal(view, seat)
    return offers[rng.below("habit", len(offers))].sample(rng)


# --- How good it is ----------------------------------------------------------------------------------------------


def plan(_view: State, _seat: Seat, _belief: Belief, _worlds: Sequence[World], foresight: int) -> int:
    """Return how far ahead to think: whoever does weighs who may still win, not points alone."""
    return foresight


def worth(state: State, seat: Seat, plan: int | None = None) -> float:
    """Return how good the table is for a seat: by points to come, or with a plan by the chance to win."""
    if isinstance(state.phase, Over):
        winners = state.phase.winners
        return WIN / len(winners) if seat in winners else 0.0
    risk = [total + PENALTY * inside for total, inside in zip(totals_of(state), state.inside, strict=False)]
    if plan is None:
        others = [value for other, value in enumerate(risk) if other != seat]
        return sum(others) / len(others) - risk[seat]
    chances = [exp(-value / 4) for value in risk]
    return WIN * chances[seat] / sum(chances)
