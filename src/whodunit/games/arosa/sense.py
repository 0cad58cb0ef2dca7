"""Good sense at Mord im Arosa: what is worth thinking about in a situation, and how good a situation is."""

from collections.abc import Iterable, Sequence
from math import exp
from typing import Final, NamedTuple

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.arosa.evidence import Belief, World
from whodunit.games.arosa.facts import FLOORS, VICTIM, Floor
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

AT_FIRST_SIGHT: Final = 3
"""So many floors come to the mind of one who does not reckon."""
CLOSE: Final = 2
"""From so many clues before the end on, what ends the game is thought through, in so many actions."""
PENALTY: Final = 0.6
"""What one more clue in the hotel costs, in points, by rule of thumb."""
RISK: Final = 1.5
"""What it costs for whoever looks ahead, at the beginning; the nearer the end, the less."""
SPREAD: Final = 5.0
"""By how many points a lead is about as good as none, at the beginning."""
WIN: Final = 30.0
"""What it is worth to have won, in points."""


class Aim(NamedTuple):
    """What a player goes by: what a point of each rival is worth to him, and what a clue in the hotel costs."""

    rivals: tuple[float, ...]
    """By seat; one's own is 0."""
    penalty: float


def aim(view: State, seat: Seat, *, ahead: bool) -> Aim:
    """Return what to go by: all rivals alike, or looking ahead those who are likeliest to win."""
    seats = len(view.supplies)
    if not ahead:
        return Aim(tuple(float(other != seat) / (seats - 1) for other in range(seats)), PENALTY)
    left = _left(view)
    chances = _chances(view, left)
    others = sum(chances) - chances[seat]
    rivals = tuple(0.0 if other == seat else chance / others for other, chance in enumerate(chances))
    return Aim(rivals, RISK * left)


def _left(view: State) -> float:
    """Return how much of the game is left, from 1 down to 0."""
    limit = view.options.sheet_limit
    full = max(map(sum, zip(*view.sheet, strict=True)))
    return min((limit - full) / limit, min(view.supplies) / view.options.clues)


def _chances(view: State, left: float) -> list[float]:
    """Return weights for who may win: few points, and few clues in the hotel that may turn into some."""
    spread = 1.0 + SPREAD * left
    totals = totals_of(view)
    least = min(totals)
    return [
        exp(-(total - least + RISK * left * inside) / spread)
        for total, inside in zip(totals, view.inside, strict=False)
    ]


# --- What is worth a thought -------------------------------------------------------------------------------------


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the most promising action; near the end the few most promising ones, never none."""
    phase = view.phase
    if isinstance(phase, TakingBack):
        return [TakeBack(phase.most)]
    if not isinstance(phase, Searching | Accusing):
        return [offer.sample(rng) for offer in legal(view, seat)]
    floors: Sequence[Floor] = FLOORS
    if belief.attention == "sight":
        floors = rng.shuffled("at first sight", FLOORS)[:AT_FIRST_SIGHT]
    goal = aim(view, seat, ahead=belief.attention == "motives")
    found = _looks(view, belief, goal, floors) if isinstance(phase, Searching) else []
    if isinstance(phase, Accusing):
        found = [_accusation(view, seat, belief, goal, floor) for floor in floors]
        if len(legal(view, seat)) > 1:
            found += [_cover(view, seat, belief, goal, floor) for floor in floors]
    found.sort(key=lambda gain: -gain[0])
    return [action for _, action in found[: 1 + CLOSE if _is_close(view) else 1]]


def _is_close(view: State) -> bool:
    """Say whether this turn may be the last."""
    full = max(map(sum, zip(*view.sheet, strict=True)))
    return full + CLOSE >= view.options.sheet_limit or view.supplies[view.on_turn] <= CLOSE


def _looks(view: State, belief: Belief, goal: Aim, floors: Sequence[Floor]) -> list[tuple[float, Action]]:
    """Weigh where to look for victims: rivals whose clues lie there too must show them."""
    price = view.options.scene_points
    found: list[tuple[float, Action]] = []
    for floor in floors:
        victim = belief.some(VICTIM, floor)
        traces = sum(weight * belief.expected(other, floor) for other, weight in enumerate(goal.rivals))
        found.append((victim * traces * price - (1 - victim) * goal.penalty, Inspect(floor)))
    return found


def _accusation(view: State, seat: Seat, belief: Belief, goal: Aim, floor: Floor) -> tuple[float, Action]:
    """Return the best accusation on a floor, and what it may be expected to bring."""
    price = prices(view)[floor]
    # AROSA-49, 50: on the ground floor nothing counts without a clue of one's own there, and every name costs.
    counts = belief.some(seat, floor) if floor == GROUND else 1.0
    gains = {
        other: counts * belief.expected(other, floor) * price * weight
        - (1 - counts * belief.some(other, floor)) * goal.penalty
        for other, weight in enumerate(goal.rivals)
        if other != seat
    }
    named = [other for other, gain in gains.items() if gain > 0] or [max(gains, key=lambda other: gains[other])]
    return sum(gains[other] for other in named), Suspect(tuple(named), floor)


def _cover(view: State, seat: Seat, belief: Belief, goal: Aim, floor: Floor) -> tuple[float, Action]:
    """Return what covering tracks on a floor may be expected to bring."""
    back = min(belief.expected(seat, floor), view.sheet[floor][seat])
    return back * prices(view)[floor] - (1 - belief.some(seat, floor)) * goal.penalty, CoverTracks(floor)


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
    """Return how good the table is for a seat: by points, or with a plan by the chance to win; a win is best of all."""
    if isinstance(state.phase, Over):
        winners = state.phase.winners
        return WIN / len(winners) if seat in winners else 0.0
    if plan:
        chances = _chances(state, _left(state))
        return WIN * chances[seat] / sum(chances)
    totals = [total + PENALTY * inside for total, inside in zip(totals_of(state), state.inside, strict=False)]
    return WIN / len(totals) + (sum(totals) - totals[seat]) / (len(totals) - 1) - totals[seat]
