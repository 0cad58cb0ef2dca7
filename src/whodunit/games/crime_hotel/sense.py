"""Good sense at Crime Hotel: what is worth thinking about in a situation, and how good a situation is."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.crime_hotel.evidence import Belief
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS, Card, Place, rooms_of
from whodunit.games.crime_hotel.model import (
    AnyEvent,
    Assisting,
    Exchange,
    Guess,
    Guessing,
    Look,
    Options,
    Over,
    Relocate,
    State,
    TakeDesk,
)
from whodunit.games.crime_hotel.rules import BONUS, DUPLICATE, bonus_of, legal, points_of

AT_FIRST_SIGHT: Final = 6
"""So many places come to the mind of one who does not reckon."""
GUESS: Final = (2.6, 1.9, 1.5, 1.2, 1.0)
"""What a guess is worth in points: in the last round, in the one before, and so on."""
DESK: Final = (1.2, 1.1, 1.0, 0.9, 0.8)
"""What a desk is worth."""
RIGHT: Final = (0.35, 0.3, 0.25, 0.2, 0.2)
"""How likely a guess is to be right."""
SHARING: Final = 0.3
"""What it is worth to be let on occupied places, for each guess to come."""


# --- What is worth a thought -------------------------------------------------------------------------------------


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them."""
    found: list[Action] = []
    for offer in legal(view, seat):
        if offer.action is Guess:
            found += [Guess(place) for place in _places(offer, "place", view, seat, belief)]
        elif offer.action is Relocate:
            found += _relocations(offer, view, seat, belief)
        elif offer.action is Exchange:
            found += _exchanges(offer)
        elif offer.action is TakeDesk:
            found += [TakeDesk(name) for name in DEPARTMENTS if name in ("DUPLICATE", "BONUS") and offer.admits(TakeDesk(name))]
        else:
            found += offer.actions()
    return found or [offer.sample(rng) for offer in legal(view, seat)]


def _places(offer: Offer, field: str, view: State, seat: Seat, belief: Belief) -> list[Place]:
    """Return the places with the most points to expect; who only looks cannot tell the best ones apart."""
    rooms = belief.rooms()
    worth = {place: expected(view, seat, str(place), rooms) for place in offer.choices[field]}
    best = sorted(worth, key=lambda place: -worth[place])
    if belief.attention == "sight":
        return [str(place) for place in best[:AT_FIRST_SIGHT]]
    return [str(place) for place in best if worth[place] > worth[best[0]] - 1e-9]


def expected(view: State, seat: Seat, place: Place, rooms: dict[Card, float]) -> float:
    """Return the points to expect from a guess."""
    covered = rooms_of(place)
    return _points(view.options, len(covered), bonus_of(view, seat)) * sum(rooms.get(card, 0.0) for card in covered)


def _points(options: Options, rooms: int, bonus: int) -> int:
    return {9: options.floor_points, 3: options.column_points, 1: options.room_points}[rooms] + bonus


def _relocations(offer: Offer, view: State, seat: Seat, belief: Belief) -> list[Action]:
    """Return what the guess with the least to expect could become."""
    rooms = belief.rooms()
    origin = min((str(place) for place in offer.choices["origin"]), key=lambda place: expected(view, seat, place, rooms))
    return [Relocate(origin, to) for to in _places(offer, "to", view, seat, belief)[:AT_FIRST_SIGHT]]


def _exchanges(offer: Offer) -> list[Action]:
    """Return one exchange with each partner: the cards go that are of least use, those in the middle."""
    partners, cards = offer.choices["partner"], offer.choices["cards"]
    choice = min(cards, key=lambda chosen: sum(extreme(card, 4) for card in chosen))  # type: ignore[union-attr, arg-type]
    return [Exchange(partner, choice) for partner in partners]  # type: ignore[arg-type]


def habit(view: State, seat: Seat, _seen: Iterable[AnyEvent], rng: Rng) -> Action:
    """Do anything: nobody is ever asked in this game."""
    offers = legal(view, seat)
    return offers[rng.below("habit", len(offers))].sample(rng)


# --- How good it is ----------------------------------------------------------------------------------------------


def worth(state: State, seat: Seat) -> float:
    """Return how many points a seat may expect of this investigation, if everything lies as it does here."""
    if isinstance(state.phase, Over) or state.hidden is None:
        return 0.0
    options = state.options
    left = options.rounds - state.round
    value = float(points_of(state, seat, state.hidden))
    now = _role(state, seat)
    value += now * GUESS[min(left, 4)] + (_waits(state, seat) - now) * DESK[min(left, 4)]
    guesses = now + _later(state, seat, left)
    value += _hand(state, seat, left)
    value += bonus_of(state, seat) * guesses * RIGHT[min(left, 4)]
    if state.desks[DUPLICATE].count(seat):
        value += SHARING * guesses
    return value


def _waits(state: State, seat: Seat) -> int:
    """Say whether the player is still to guess or to take a desk in this round."""
    return int(seat in state.lots or any(card is not None for card in state.trick))


def _role(state: State, seat: Seat) -> float:
    """Return how likely the player is to guess in this round, if the others play anything they may."""
    if seat in state.lots:
        return float(state.lots[-1] == seat or len(state.lots) == len(state.hands))
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


def _later(state: State, seat: Seat, left: int) -> float:
    """Return how many guesses are to come in later rounds."""
    return sum(_chances(state, seat, left))


def _hand(state: State, seat: Seat, left: int) -> float:
    """Return what the cards left are worth: the later one guesses the better."""
    return sum(
        chance * GUESS[number] + (1 - chance) * DESK[number] for number, chance in enumerate(_chances(state, seat, left))
    )


def _chances(state: State, seat: Seat, left: int) -> list[float]:
    """Return how likely the player is to guess in the last round, in the one before, and so on."""
    chances = sorted((extreme(card, len(state.hands)) for card in state.hands[seat] or ()), reverse=True)
    return chances[:left]


@cache
def extreme(card: Card, seats: int) -> float:
    """Return how likely a card is to be the highest or the lowest of a round."""
    rank = CARDS.index(card) / (len(CARDS) - 1)
    return float(rank ** (seats - 1) + (1 - rank) ** (seats - 1))
