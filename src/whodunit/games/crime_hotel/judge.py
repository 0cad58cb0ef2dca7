"""How good a decision was, in points: guesses exactly, desks and cards by the rules of thumb of `sense`."""

from collections.abc import Collection, Iterator, Sequence
from math import sqrt
from typing import Final

import msgspec
from msgspec.structs import replace

from whodunit.core.judging import Choice, Measure, Prospect, Reply, gained, three_best
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Message, Seat
from whodunit.games.crime_hotel.evidence import Belief, World, imagine
from whodunit.games.crime_hotel.facts import Card, Department, Place, extreme, rooms_of
from whodunit.games.crime_hotel.model import (
    CardPlayed,
    DeskTaken,
    Exchange,
    Exchanged,
    Guess,
    Look,
    LotLeft,
    Play,
    Relocate,
    State,
    TakeDesk,
)
from whodunit.games.crime_hotel.rules import bonus_of, evolve, legal, points_of
from whodunit.games.crime_hotel.sense import worth

WORLDS: Final = 128
"""In so many worlds a card is tried."""
LISTED: Final = 27
"""Of more answers than so many none is listed: nobody reads them."""
SLIGHT: Final = 0.1
"""Where more points are lost by what is possible, motives are asked too."""
GUESSING: Final = Measure(loss=0.5, share=0.5, stroke=10.5)
"""Rookies' guesses are blunders in a fifth of all cases, random ones in two thirds, detectives' never."""
TRYING: Final = Measure(loss=1.0, share=0.5)
"""Rules of thumb are less sure: it takes a whole point, which detectives and masterminds lose at a desk in 300."""


def choice(view: State, seat: Seat, belief: Belief, action: Action) -> Choice | None:
    """Return what an action promises beside all else on offer; None where there is nothing to weigh.

    Who reads motives may know better than who only knows what is possible: a choice that loses less by that reading is
    weighed by it, and says so.
    """
    if belief.inquiry is None:
        return None
    plain = _weighed(view, seat, belief, action)
    if plain is None or (loss := _loss(plain)) <= SLIGHT:
        return plain
    read = _weighed(view, seat, belief.reading(), action)
    if read is None or _loss(read) >= loss:
        return plain
    return replace(read, assumes=(*read.assumes, Message("assumes.read", {"loss": f"{loss:.1f}"})))


def ahead(_view: State, _seat: Seat, _belief: Belief) -> tuple[Reply, ...]:
    """Look forward to nothing: in this game no guess ends it."""
    return ()


def _loss(choice: Choice) -> float:
    return choice.best[0].value - choice.taken.value


def _weighed(view: State, seat: Seat, belief: Belief, action: Action) -> Choice | None:
    match action:
        case Guess():
            return _chosen("guess", _Table(view, seat, belief).guesses(), action, belief)
        case Relocate():
            return _chosen("relocate", _Table(view, seat, belief).relocations(), action, belief)
        case TakeDesk() | Look() | Exchange():
            found = _chosen("desk", [*_Table(view, seat, belief).desks()], action, belief, Message("assumes.thumb"))
            replies = belief.replies(action)
            return found if found is None or len(replies) > LISTED else replace(found, replies=replies)
        case Play():
            tried = Message("assumes.sampled", {"count": WORLDS})
            found = _chosen("card", _cards(view, seat, belief, action), action, belief, tried)
            return None if found is None else replace(found, stake=found.spread)
        case _:
            return None


def _chosen(
    kind: str, prospects: Sequence[Prospect], action: Action, belief: Belief, thumb: Message | None = None
) -> Choice | None:
    """Set an action beside all that was on offer; `thumb` is what is taken for granted besides."""
    taken = next((prospect for prospect in prospects if prospect.action == action), None)
    if taken is None or len(prospects) < 2:
        return None
    values = [prospect.value for prospect in prospects]
    return Choice(
        kind=kind,
        unit="points",
        taken=taken,
        best=three_best(prospects, taken),
        spread=max(values) - min(values),
        typical=sum(values) / len(values),
        # Bits are no aim of their own here: only at whom one looks, or with whom one exchanges, is a matter of them.
        offered=max(prospect.gain for prospect in prospects if type(prospect.action) is type(action)),
        measure=GUESSING if thumb is None else TRYING,
        assumes=belief.assumes() if thumb is None else (*belief.assumes(), thumb),
    )


# --- Guesses and desks ---------------------------------------------------------------------------------------------


class _Table:
    """What guesses and desks are worth to a seat, by how likely the murderer is in each room."""

    def __init__(self, view: State, seat: Seat, belief: Belief) -> None:
        self.view = view
        self.seat = seat
        self.belief = belief
        self.rooms = belief.rooms()
        self.now = self._points(view.guesses[seat], bonus_of(view, seat))

    def guesses(self) -> list[Prospect]:
        """Return how many points each guess may be expected to add, exactly."""
        mine, bonus = self.view.guesses[self.seat], bonus_of(self.view, self.seat)
        return [
            Prospect(Guess(place), self._points((*mine, place), bonus) - self.now)
            for offer in legal(self.view, self.seat)
            if offer.action is Guess
            for place in map(str, offer.choices["place"])
        ]

    def relocations(self) -> list[Prospect]:
        """Return how many points each move of a guess may be expected to add, exactly."""
        mine, bonus = self.view.guesses[self.seat], bonus_of(self.view, self.seat)
        found = []
        for offer in legal(self.view, self.seat):
            for origin in map(str, offer.choices["origin"]) if offer.action is Relocate else ():
                rest = [place for place in mine if place != origin]
                found += [
                    Prospect(Relocate(origin, to), self._points((*rest, to), bonus) - self.now)
                    for to in map(str, offer.choices["to"])
                ]
        return found

    def desks(self) -> Iterator[Prospect]:
        """Yield how many points each desk may be expected to add: at once, and in later rounds by rule of thumb.

        Of all moves of a guess the best one stands for its desk.
        """
        if moves := self.relocations():
            best = max(moves, key=lambda move: move.value)
            yield replace(best, value=best.value + self._adds(self._at_desk("RELOCATE")))
        for offer in legal(self.view, self.seat):
            if offer.action is TakeDesk:
                for action in offer.actions():
                    assert isinstance(action, TakeDesk)
                    yield Prospect(action, self._adds(self._at_desk(action.department)))
            elif offer.action is Look:
                value = self._adds(self._at_desk("LOOK"))
                for action in offer.actions():
                    assert isinstance(action, Look)
                    yield Prospect(action, value, self.belief.gain(action))
            elif offer.action is Exchange:
                yield from self._exchanges(list(offer.actions()))

    def _exchanges(self, actions: Sequence[Action]) -> Iterator[Prospect]:
        """Yield what exchanges may be expected to add, over all cards that may be drawn."""
        after, hand = self._at_desk("EXCHANGE"), self.view.hands[self.seat] or ()
        seats, before = len(self.view.hands), self.belief.entropy()
        drawn: dict[Seat, tuple[list[tuple[tuple[Card, ...], float]], float]] = {}
        values: dict[tuple[float, ...], float] = {}
        for action in actions:
            assert isinstance(action, Exchange)
            if action.partner not in drawn:
                replies = self.belief.replies(action)
                drawn[action.partner] = [(_drawn(reply), reply.chance) for reply in replies], gained(before, replies)
            draws, gain = drawn[action.partner]
            kept = [card for card in hand if card not in action.cards]
            value = 0.0
            for cards, chance in draws:
                use = tuple(sorted(extreme(card, seats) for card in (*kept, *cards)))
                if use not in values:
                    hands = [*after.hands]
                    hands[self.seat] = (*kept, *cards)
                    values[use] = self._adds(replace(after, hands=tuple(hands)))
                value += chance * values[use]
            yield Prospect(action, value, gain)

    def _at_desk(self, department: Department) -> State:
        return evolve(self.view, DeskTaken(seat=self.seat, department=department, desk=1))

    def _adds(self, after: State) -> float:
        """Return what a situation promises more than to leave the lot without effect."""
        points = self._points(after.guesses[self.seat], bonus_of(after, self.seat)) - self.now
        return points + self._later(after) - self._later(evolve(self.view, LotLeft(seat=self.seat, back=False)))

    def _later(self, after: State) -> float:
        """Return what later rounds promise by rule of thumb: where the murderer is makes no difference to that."""
        anywhere = next(iter(self.rooms))
        return worth(replace(after, hidden=anywhere), self.seat) - points_of(after, self.seat, anywhere)

    def _points(self, guesses: Sequence[Place], bonus: int) -> float:
        """Return how many points guesses may be expected to score."""
        options = self.view.options
        worths = {9: options.floor_points, 3: options.column_points, 1: options.room_points}
        covered = [rooms_of(place) for place in guesses]
        points = sum(worths[len(rooms)] * self._chance(rooms) for rooms in covered)
        if not bonus:
            return points
        if options.bonus_per_correct_guess:
            return points + bonus * sum(map(self._chance, covered))
        return points + bonus * self._chance(dict.fromkeys(room for rooms in covered for room in rooms))

    def _chance(self, rooms: Collection[Card]) -> float:
        return sum([self.rooms.get(room, 0.0) for room in rooms])


def _drawn(reply: Reply) -> tuple[Card, ...]:
    (event,) = reply.events
    assert isinstance(event, Exchanged)
    return event.drawn or ()


# --- Cards -------------------------------------------------------------------------------------------------------


def _cards(view: State, seat: Seat, belief: Belief, taken: Play) -> list[Prospect]:
    """Return what each card promises on average, in the same worlds for all, drawn by what the seat has seen.

    The error is that of what lies between a card and the one that was played: in a world that is good for one card
    all are good.
    """
    lead = view.trick[view.car]
    cards = [action.card for offer in legal(view, seat) for action in offer.actions() if isinstance(action, Play)]
    if len(cards) < 2:
        return []
    assert belief.inquiry is not None
    deals = belief.inquiry.sample(Stream(msgspec.json.encode(view)), "cards", WORLDS)
    states = [imagine(view, World((deal,) * view.investigation)) for deal in deals]
    values: dict[Card, list[float]] = {}
    for card in cards:
        lacks = None if lead is None or card // 10 == lead // 10 else lead // 10
        played = CardPlayed(seat=seat, card=card, lacks=lacks)
        values[card] = [worth(evolve(state, played), seat) for state in states]
    now = sum(points_of(state, seat, state.hidden or 0) for state in states) / WORLDS
    found = []
    for card, each in values.items():
        apart = [one - other for one, other in zip(each, values[taken.card], strict=True)]
        mean = sum(apart) / WORLDS
        error = sqrt(sum((one - mean) ** 2 for one in apart) / (WORLDS - 1) / WORLDS)
        found.append(Prospect(Play(card), sum(each) / WORLDS - now, error=error))
    return found
