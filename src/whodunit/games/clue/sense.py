"""How to play Clue well: which actions are worth thinking about, and how good a situation is."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Final

from msgspec import Struct

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.showing import discreet
from whodunit.core.types import Action, Seat, StandingOrder
from whodunit.deduce.bits import bits
from whodunit.games.clue.evidence import ENVELOPE, Belief, World
from whodunit.games.clue.facts import (
    DOOR_SQUARES,
    DOORS,
    NEIGHBOURS,
    PACK,
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
    Beginning,
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
from whodunit.games.clue.rules import FACES, legal

GUESS_FROM: Final = 0.2
"""An accusation less likely to be right than this is not worth a thought."""
PACE: Final = 0.12
"""How likely a rival is to accuse rightly within a round, for one who is as sure of a trio as oneself."""
UNKNOWN_OF_A_KIND: Final = 4
"""So many cards of a kind are worth asking about, the likeliest ones."""

PATIENCE: Final = 0.85
"""What a question a turn later is worth, beside one now: somebody else may have won by then."""

WON: Final = 20.0
A_QUESTION: Final = 1.2
"""What a question is worth, in bits, before one knows which."""
THE_ROOM: Final = 0.6
"""What it is worth more in the room of the crime: only there the room can be proved."""
OWN_ROOM: Final = 0.2
"""What it is worth more in a room whose card one holds: whatever is shown is then about the rest."""
A_STEP: Final = 0.12
"""What a step on the way to a question costs."""


# --- What is worth a thought ----------------------------------------------------------------------------------------


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


def urge(_view: State, _seat: Seat, _belief: Belief) -> Sequence[Action]:
    """Return nothing: in Clue nobody interrupts."""
    return ()


def habit(
    view: State, seat: Seat, confided: Iterable[AnyEvent], rng: Rng, order: StandingOrder | None = None
) -> Action:
    """Show the asker a card that he has seen already, else any: or that most others have seen, if that is the order."""
    shown = {(event.to, event.card) for event in confided if isinstance(event, CardShown) and event.seat == seat}
    answers = [action for offer in legal(view, seat) for action in offer.actions()]
    shows = [action for action in answers if isinstance(action, Show)]
    answers = [*discreet(shows, view.on_turn, shown, order)] if shows else answers
    return answers[rng.below("habit", len(answers))]


# --- Looking ahead: the way to the best questions -------------------------------------------------------------------


class Plan(Struct, frozen=True):
    """What there is to look forward to, in bits."""

    dice: int
    asking: dict[Room, float]
    """By room, what the best question there would tell."""
    beyond: dict[Room, float]
    """By room, what the questions after that one are worth, for one who is there."""

    def entering(self, room: Room) -> float:
        """Return the value of entering a room now, and of all that may come after it."""
        return self.asking[room] + self.beyond[room]

    def walking(self, place: Place, throw: int) -> float:
        """Return the value of standing at a place with so many steps to go this turn."""
        far = on_foot(place)
        return max(_patience(far[room] - throw, self.dice) * self.entering(room) for room in ROOMS if room != place)

    def patience(self, place: Place, room: Room) -> float:
        """Return what is left of a question in a room for one who has yet to go there; a passage takes one turn."""
        return _patience(max(1, steps(place)[room]), self.dice)


def planned(dice: int, asking: dict[Room, float], foresight: int) -> Plan:
    """Plan the way from room to room, so many questions ahead."""
    plan = Plan(dice, asking, dict.fromkeys(ROOMS, 0.0))
    for _ in range(foresight):
        plan = Plan(dice, asking, {room: _leaving(plan, room) for room in ROOMS})
    return plan


def _leaving(plan: Plan, room: Room) -> float:
    """Return the value of being in a room when the turn is over: one will walk on, or take the passage."""
    walking = plan.walking(room, 0)
    return max(walking, PATIENCE * plan.entering(PASSAGES[room])) if room in PASSAGES else walking


@cache
def _patience(steps_to_go: int, dice: int) -> float:
    """Return what is left of a value that waits behind so many steps, over all throws that may come."""
    if steps_to_go <= 0:
        return 1.0
    throws = [sum(thrown) for thrown in product(range(1, FACES + 1), repeat=dice)]
    return PATIENCE * sum(_patience(steps_to_go - throw, dice) for throw in throws) / len(throws)


def plan(view: State, seat: Seat, belief: Belief, worlds: Sequence[World], foresight: int) -> Plan | None:
    """Plan the way to the best questions, so many ahead; there is nothing to plan but where to go."""
    if view.on_turn != seat or not isinstance(view.phase, Beginning | Walking):
        return None
    asking = best_questions(worlds, seat, _named(SUSPECTS, belief), _named(WEAPONS, belief))
    return planned(view.options.dice_count, asking, foresight)


def worth(state: State, seat: Seat, plan: Plan | None = None) -> float:
    """Return how good an imagined state is for a seat, in bits of information; without a plan by rules of thumb."""
    phase = state.phase
    if isinstance(phase, Over):
        return WON if phase.winner == seat else 0.0
    place = state.places[SUSPECTS.index(state.tokens[seat])]
    if plan is not None:
        return _by_plan(state, seat, place, plan)
    if state.on_turn == seat:
        if isinstance(phase, Arrived) and phase.may_suggest and isinstance(place, str):
            return _asking(state, seat, place)
        if isinstance(phase, Walking):
            far = steps(place)
            here = [_asking(state, seat, room) for room in ROOMS if far[room] <= phase.throw and room != place]
            return max(here, default=_ahead(state, seat, place, phase.throw))
    return _ahead(state, seat, place, 0)


def _by_plan(state: State, seat: Seat, place: Place, plan: Plan) -> float:
    """Return what the plan promises from here; a question that has been asked counts no more."""
    if isinstance(place, str) and not isinstance(state.phase, Walking):
        asks = state.on_turn == seat and isinstance(state.phase, Arrived) and state.phase.may_suggest
        return plan.entering(place) if asks else plan.beyond[place]
    return plan.walking(place, state.phase.throw if isinstance(state.phase, Walking) else 0)


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


# --- What a question would tell ----------------------------------------------------------------------------------

_KINDS: Final = {card: kind for kind, cards in enumerate((SUSPECTS, WEAPONS, ROOMS)) for card in cards}
_NOBODY: Final = 1 << 10
_PREFERENCES: Final = tuple(permutations(range(3)))
"""Every order in which one may prefer to show a suspect, a weapon or a room: in turn, they make an even choice."""


def best_questions(
    worlds: Sequence[World], seat: Seat, suspects: Sequence[Card], weapons: Sequence[Card]
) -> dict[Room, float]:
    """Return by room how many bits the best question would tell that names one of these suspects and weapons."""
    answers = [world.envelope.cards for world in worlds]
    replies = dict(
        zip(PACK, zip(*(_replies(world, seat, n) for n, world in enumerate(worlds)), strict=True), strict=True)
    )

    def told(*question: Card) -> float:
        firsts = map(min, *(replies[card] for card in question))
        return bits([first // 9 * 3 + first % 3 for first in firsts], answers)

    return {room: max(told(suspect, weapon, room) for suspect in suspects for weapon in weapons) for room in ROOMS}


def _replies(world: World, seat: Seat, number: int) -> Iterator[int]:
    """Yield for every card of the pack the reply that shows it; of three replies the least is what happens.

    Whoever sits nearer to the left comes first (CLUE-40), then the kind that is preferred in this world.
    """
    seats = len(world.hands)
    left = {card: (other - seat) % seats for other, hand in enumerate(world.hands) if other != seat for card in hand}
    preferred = _PREFERENCES[number % len(_PREFERENCES)]
    for card in PACK:
        kind = _KINDS[card]
        yield left[card] * 9 + preferred[kind] * 3 + kind if card in left else _NOBODY


# --- The board ---------------------------------------------------------------------------------------------------


@cache
def on_foot(place: Place) -> dict[Room, int]:
    """Return how many steps it takes from a place into every room on an empty board, passages aside."""
    far: dict[Room, int] = {}
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


@cache
def steps(place: Place) -> dict[Room, int]:
    """Return how many steps it takes from a place into every room on an empty board; a passage takes none."""
    return on_foot(place) | {room: 0 for room in ROOMS if isinstance(place, str) and PASSAGES.get(place) == room}
