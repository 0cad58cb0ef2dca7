"""Good sense at Clue: what is worth thinking about in a situation, and how good a situation is."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games.clue.evidence import ENVELOPE, Belief
from whodunit.games.clue.facts import (
    DOOR_SQUARES,
    DOORS,
    NEIGHBOURS,
    PASSAGES,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    Card,
    Place,
    Room,
    Square,
)
from whodunit.games.clue.model import (
    Accuse,
    AnyEvent,
    Arrived,
    CardShown,
    EndTurn,
    Move,
    Over,
    Show,
    State,
    StayAndSuggest,
    Suggest,
    Walking,
)
from whodunit.games.clue.rules import legal

GUESS_FROM: Final = 0.2
"""An accusation less likely to be right than this is not worth a thought."""
PACE: Final = 0.12
"""How likely a rival is to accuse rightly within a round, for one who is as sure of a trio as oneself."""
UNKNOWN_OF_A_KIND: Final = 4
"""So many cards of a kind are worth asking about, the likeliest ones."""

WON: Final = 20.0
A_QUESTION: Final = 1.2
"""What a question is worth, in bits, before one knows which."""
THE_ROOM: Final = 0.6
"""What it is worth more in the room of the crime: only there the room can be proved."""
OWN_ROOM: Final = 0.2
"""What it is worth more in a room whose card one holds: whatever is shown is then about the rest."""
A_STEP: Final = 0.12
"""What a step on the way to a question costs."""


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them."""
    found: list[Action] = []
    for offer in legal(view, seat):
        if offer.action is Accuse:
            found += _guess(view, seat, belief)
        elif offer.action in (Suggest, StayAndSuggest):
            found += _questions(offer, belief)
        elif offer.action is Move:
            found += _ends(offer)
        elif offer.action is Show:
            found += _cards(offer, view, belief)
        elif offer.action is not EndTurn or not isinstance(view.phase, Arrived) or not view.phase.may_suggest:
            found.append(offer.sample(rng))  # no choice, or one between things that look the same
    return found


def _guess(view: State, seat: Seat, belief: Belief) -> Iterator[Accuse]:
    """Yield the likeliest accusation, if it is better to make it now than to wait for another turn."""
    likely = belief.likely
    tops = (max(likely.mass(card, ENVELOPE) for card in kind) for kind in (SUSPECTS, WEAPONS, ROOMS))
    if min(tops) / likely.total < GUESS_FROM:  # as whole numbers: a weight may be too long for a float
        return  # no trio is likelier than its least likely part
    trio, chance = max(belief.solution().items(), key=lambda item: item[1])
    rivals = sum(not out for other, out in enumerate(view.out) if other != seat)
    if chance >= _waiting(chance, rivals):
        yield Accuse(trio.suspect, trio.weapon, trio.room)


def _waiting(chance: float, rivals: int) -> float:
    """Return the chance of winning a turn later: nobody else must have been right before, and one will know more.

    The others are taken to be about as close as oneself: all have seen the same number of answers.
    """
    return (1 - PACE * chance) ** rivals * (1 + chance) / 2


def _questions(offer: Offer, belief: Belief) -> Iterator[Action]:
    room = offer.choices["room"].at(0)
    for suspect in _named(SUSPECTS, belief):
        for weapon in _named(WEAPONS, belief):
            yield offer.action(suspect=suspect, weapon=weapon, room=room)


def _named(kind: Sequence[Card], belief: Belief) -> list[Card]:
    """Return the cards of a kind worth naming: those in question, and one to which the answer is known."""
    likely = belief.likely
    in_envelope = {card: likely.mass(card, ENVELOPE) for card in kind}
    open_ones = sorted((card for card in kind if 0 < in_envelope[card] < likely.total), key=lambda c: -in_envelope[c])
    own = [card for card in kind if card in belief.own]
    certain = [card for card in kind if in_envelope[card] == likely.total]
    return [*open_ones[:UNKNOWN_OF_A_KIND], *(own[:1] or certain or kind[: not open_ones])]


def _ends(offer: Offer) -> list[Action]:
    """Return the rooms within reach, and for every other room the square that leads best to it."""
    ends: list[Place] = list(offer.choices["to"])  # type: ignore[arg-type]
    squares = [end for end in ends if not isinstance(end, str)]
    rooms = [end for end in ends if isinstance(end, str)]
    best = {min(squares, key=lambda square: steps(square)[room]) for room in ROOMS if squares and room not in rooms}
    return [Move(end) for end in (*rooms, *sorted(best))]


def _cards(offer: Offer, view: State, belief: Belief) -> list[Action]:
    """Return the cards to choose from; one that the suggester has seen before tells him nothing new."""
    cards: list[Card] = list(offer.choices["card"])  # type: ignore[arg-type]
    seen = [card for card in cards if (view.on_turn, card) in belief.shown]
    return [Show(card) for card in seen[:1] or cards]


def habit(view: State, seat: Seat, seen: Iterable[AnyEvent], rng: Rng) -> Action:
    """Show the asker a card that he has seen already, else any."""
    shown = {
        event.card for event in seen if isinstance(event, CardShown) and (event.seat, event.to) == (seat, view.on_turn)
    }
    answers = [action for offer in legal(view, seat) for action in offer.actions()]
    again = [action for action in answers if isinstance(action, Show) and action.card in shown]
    return (again or answers)[rng.below("habit", len(again or answers))]


def worth(state: State, seat: Seat) -> float:
    """Return how good an imagined state is for a seat, in bits of information."""
    phase = state.phase
    if isinstance(phase, Over):
        return WON if phase.winner == seat else 0.0
    place = state.places[SUSPECTS.index(state.tokens[seat])]
    if state.on_turn == seat:
        if isinstance(phase, Arrived) and phase.may_suggest and isinstance(place, str):
            return _asking(state, seat, place)
        if isinstance(phase, Walking):
            far = steps(place)
            here = [_asking(state, seat, room) for room in ROOMS if far[room] <= phase.throw and room != place]
            return max(here, default=_ahead(state, seat, place, phase.throw))
    return _ahead(state, seat, place, 0)


def _asking(state: State, seat: Seat, room: Room) -> float:
    """Return the value of a question in this room, and of being there afterwards."""
    return _question(state, seat, room) + _ahead(state, seat, room, 0)


def _ahead(state: State, seat: Seat, place: Place, throw: int) -> float:
    """Return the value of the next question from here, less the way to it."""
    far = steps(place)
    return max(_question(state, seat, room) - A_STEP * max(0, far[room] - throw) for room in ROOMS if room != place)


def _question(state: State, seat: Seat, room: Room) -> float:
    value = A_QUESTION
    if state.envelope is not None and state.envelope.room == room:
        value += THE_ROOM
    if room in (state.hands[seat] or ()):
        value += OWN_ROOM
    return value


@cache
def steps(place: Place) -> dict[Room, int]:
    """Return how many steps it takes from a place into every room on an empty board; a passage takes none."""
    far: dict[Room, int] = {room: 0 for room in ROOMS if PASSAGES.get(place) == room} if isinstance(place, str) else {}
    frontier: list[Square] = list(DOOR_SQUARES[place]) if isinstance(place, str) else [place]
    seen = set(frontier)
    walked = 1 if isinstance(place, str) else 0
    while frontier:
        for square in frontier:
            if square in DOORS:
                far.setdefault(DOORS[square], walked + 1)
        frontier = sorted({near for square in frontier for near in NEIGHBOURS[square]} - seen)
        seen.update(frontier)
        walked += 1
    return far
