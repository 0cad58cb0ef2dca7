"""How to play Crime Hotel well: which actions are worth thinking about, and how good a situation is."""

from collections.abc import Iterable, Sequence
from typing import Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat, StandingOrder
from whodunit.games.crime_hotel.evidence import Belief, World
from whodunit.games.crime_hotel.facts import DEPARTMENTS, DESKS, Card, Place, extreme, rooms_of
from whodunit.games.crime_hotel.model import (
    AnyEvent,
    Exchange,
    Guess,
    Options,
    Over,
    Relocate,
    State,
    TakeDesk,
)
from whodunit.games.crime_hotel.rules import DUPLICATE, EXCHANGE, LOOK, bonus_of, legal, points_of

EVEN: Final = 1e-9
AT_FIRST_SIGHT: Final = 3
"""So many things come to the mind of one who does not reckon."""

# By how many rounds are left, in points; rounded from 40 games of three and four detectives.
GUESS: Final = (2.3, 2.1, 1.6, 1.2, 1.0)
"""What a guess is worth."""
DESK: Final = (1.2, 1.2, 1.1, 1.0, 0.9)
"""What a desk is worth."""
RIGHT: Final = (0.32, 0.28, 0.25, 0.24, 0.25)
"""How likely a guess is to be right."""
SHARING: Final = (1.2, 0.9, 0.5, 0.2, 0.1)
"""What it is worth to a guess that occupied places are open to it: the good ones are taken in the end."""
INSIGHT: Final = 0.12
"""What it is worth to a later guess to have seen a card."""


# --- What is worth a thought -------------------------------------------------------------------------------------


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them."""
    found: list[Action] = []
    for offer in legal(view, seat):
        if offer.action is Guess:
            found += [Guess(place) for place in _places(offer, "place", view, seat, belief, rng)]
        elif offer.action is Relocate:
            found += _relocations(offer, view, seat, belief, rng)
        elif offer.action is Exchange:
            found += _exchanges(offer)
        elif offer.action is TakeDesk:
            found += [
                TakeDesk(name)
                for name in DEPARTMENTS
                if name in ("DUPLICATE", "BONUS") and offer.admits(TakeDesk(name))
            ]
        else:
            found += offer.actions()
    if not found:  # every desk that does something is taken
        found = [offer.sample(rng) for offer in legal(view, seat)]
    return rng.shuffled("at first sight", found)[:AT_FIRST_SIGHT] if belief.attention == "sight" else found


def _places(offer: Offer, field: str, view: State, seat: Seat, belief: Belief, rng: Rng) -> list[Place]:
    """Return the places with the most points to expect; who does not reckon takes what comes to mind."""
    rooms = belief.rooms()
    worth = {str(place): expected(view, seat, str(place), rooms) for place in offer.choices[field]}
    if belief.attention == "sight":
        return [place for place in worth if worth[place]] or list(worth)
    top = max(worth.values())
    best = [place for place in worth if worth[place] > top - EVEN]
    return [best[rng.below("best", len(best))]]


def expected(view: State, seat: Seat, place: Place, rooms: dict[Card, float]) -> float:
    """Return the points to expect from a guess."""
    covered = rooms_of(place)
    return _points(view.options, len(covered), bonus_of(view, seat)) * sum(rooms.get(card, 0.0) for card in covered)


def _points(options: Options, rooms: int, bonus: int) -> int:
    return {9: options.floor_points, 3: options.column_points, 1: options.room_points}[rooms] + bonus


def _relocations(offer: Offer, view: State, seat: Seat, belief: Belief, rng: Rng) -> list[Action]:
    """Return what the guess with the least to expect could become."""
    rooms = belief.rooms()
    origin = min(
        (str(place) for place in offer.choices["origin"]), key=lambda place: expected(view, seat, place, rooms)
    )
    return [Relocate(origin, to) for to in _places(offer, "to", view, seat, belief, rng)]


def _exchanges(offer: Offer) -> list[Action]:
    """Return one exchange with each partner: the cards go that are of least use, those in the middle."""
    partners, cards = offer.choices["partner"], offer.choices["cards"]
    choice = min(cards, key=lambda chosen: sum(extreme(card, 4) for card in chosen))
    return [Exchange(partner, choice) for partner in partners]  # type: ignore[arg-type]


def urge(_view: State, _seat: Seat, _belief: Belief) -> Sequence[Action]:
    """Return nothing: in Crime Hotel nobody interrupts."""
    return ()


def habit(
    view: State, seat: Seat, _confided: Iterable[AnyEvent], rng: Rng, _order: StandingOrder | None = None
) -> Action:
    """Do anything: nobody is ever asked in this game."""
    offers = legal(view, seat)
    return offers[rng.below("habit", len(offers))].sample(rng)


# --- How good it is ----------------------------------------------------------------------------------------------


def plan(_view: State, _seat: Seat, _belief: Belief, _worlds: Sequence[World], _foresight: int) -> None:
    """Plan nothing: what a hand is good for in later rounds is in `worth`."""


def worth(state: State, seat: Seat, _plan: None = None) -> float:
    """Return how many points a seat may expect of this investigation, if everything lies as it does here."""
    if isinstance(state.phase, Over) or state.hidden is None:
        return 0.0
    left = state.options.rounds - state.round
    now = min(left, len(GUESS) - 1)
    role = chance_to_guess(state, seat)
    value = points_of(state, seat, state.hidden) + role * GUESS[now] + (_waits(state, seat) - role) * DESK[now]
    guesses = [(now, role), *enumerate(_chances(state, seat, left))]
    value += sum(chance * GUESS[late] + (1 - chance) * DESK[late] for late, chance in guesses[1:])
    bonus = bonus_of(state, seat)
    shares = seat in state.desks[DUPLICATE]
    for late, chance in guesses:
        value += chance * (bonus * RIGHT[late] + shares * SHARING[late])
    return value + INSIGHT * _insight(state, seat) * sum(chance for _, chance in guesses)


def _insight(state: State, seat: Seat) -> int:
    """Return how many cards of others the player has seen at the police station."""
    figures = DESKS[len(state.hands)]
    return sum(
        figure or 0
        for number in (EXCHANGE, LOOK)
        for figure, sits in zip(figures[DEPARTMENTS[number]], state.desks[number], strict=False)
        if sits == seat
    )


def _waits(state: State, seat: Seat) -> int:
    """Say whether the player is still to guess or to take a desk in this round."""
    return int(seat in state.lots or any(card is not None for card in state.trick))


def chance_to_guess(state: State, seat: Seat) -> float:
    """Return how likely the player is to guess in this round, if the others play anything they may."""
    if seat in state.lots:
        first = len(state.lots) == len(state.hands) and state.lots[0] == seat
        return float(first or state.lots[-1] == seat)
    mine = state.trick[seat]
    if mine is None:
        return 0.0
    lead = state.trick[state.car]
    high = low = 1.0
    for other, card in enumerate(state.trick):
        if other == seat:
            continue
        if card is not None:
            high *= card < mine
            low *= card > mine
            continue
        hand = state.hands[other] or ()
        cards = [held for held in hand if lead is not None and held // 10 == lead // 10] or hand
        below = sum(held < mine for held in cards) / max(1, len(cards))
        high *= below
        low *= 1 - below
    return high + low


def _chances(state: State, seat: Seat, left: int) -> list[float]:
    """Return how likely the player is to guess in the last round, in the one before, and so on."""
    chances = sorted((extreme(card, len(state.hands)) for card in state.hands[seat] or ()), reverse=True)
    return chances[:left]
