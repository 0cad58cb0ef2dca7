"""Games of Crime Hotel staged for tests: the cards lie where a test wants them, and drawn is what it says."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from msgspec.structs import replace

from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Result, StackedRng
from whodunit.core.types import TABLE, Action, Event, Game, Outcome, Seat
from whodunit.games import get
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, PLACES, Card, Department, Place
from whodunit.games.crime_hotel.model import Guess, LayLast, Options, Play, State, TakeDesk

HOTEL: Final[Game] = get("crime_hotel")

NO_HANDS: Final = ("", "", "")
FOUR: Final = ("", "", "", "")


def first(cards: Iterable[Card]) -> tuple[int, ...]:
    """Return the shuffle of the pack that brings these cards first, the rest in their order."""
    named = list(cards)
    return tuple(CARDS.index(card) for card in (*named, *(card for card in CARDS if card not in named)))


def blindly(cards: Sequence[Card], hand: Sequence[Card]) -> int:
    """Return what is drawn when exactly these cards of a hand are."""
    return list(combinations(hand, len(cards))).index(tuple(cards))


def deck_of(hands: Sequence[str], hidden: Card, size: int) -> tuple[int, ...]:
    """Return the shuffle that deals these hands and hides this card; hands are filled up from the rest, in order."""
    named = [[int(card) for card in words.split()] for words in hands]
    rest = [card for card in CARDS if card != hidden and not any(card in cards for cards in named)]
    deck: list[Card] = []
    for cards in named:
        missing = size - len(cards)
        deck += [*cards, *rest[:missing]]
        del rest[:missing]
    return first([*deck, hidden])


class Staged:
    """A game under way: the state, what every seat and the TABLE see of it, and everything that has happened."""

    def __init__(self, seats: int, options: Options, draws: Mapping[str, Result]) -> None:
        self.events: list[Any] = []
        self.state: Any = None
        self.views: dict[Seat, Any] = dict.fromkeys((*range(seats), TABLE))
        self.draws: dict[str, Result] = dict(draws)
        self.last: list[Any] = []
        self._happen(HOTEL.setup(seats, options, StackedRng(b"staged", 1, self.draws)))

    def play(self, seat: Seat, action: Action) -> "Staged":
        """Do this if the seat's own view offers it."""
        offers = tuple(HOTEL.legal(self.views[seat], seat))
        if not any(offer.admits(action) for offer in offers):
            raise Illegal(seat, action, offers)
        self._happen(HOTEL.decide(self.state, seat, action, StackedRng(b"staged", len(self.events) + 1, self.draws)))
        return self

    def cards(self, *cards: Card) -> "Staged":
        """Play these cards, from the player on turn clockwise."""
        for card in cards:
            self.play(self.state.on_turn, Play(card))
        return self

    def guess(self, seat: Seat, place: Place) -> "Staged":
        return self.play(seat, Guess(place))

    def desk(self, seat: Seat, department: Department) -> "Staged":
        return self.play(seat, TakeDesk(department))

    def anything(self) -> "Staged":
        """Let the player on turn do the first thing that is on offer, but nothing that moves a card."""
        seat = self.state.on_turn
        return self.play(seat, self.offers(seat)[-1].at(0))

    def finish_round(self) -> "Staged":
        """Let all who stand on lots do anything."""
        while self.state.lots:
            self.anything()
        return self

    def finish(self) -> "Staged":
        """Play the investigation, or the game if it is the last, to its end by doing anything."""
        investigation = self.state.investigation
        while self.outcome() is None and self.state.investigation == investigation:
            self.anything()
        return self

    def lay_all(self) -> "Staged":
        """Lay all last cards open."""
        for _ in self.state.hands:
            self.play(self.state.on_turn, LayLast())
        return self

    def change(self, **changes: Any) -> "Staged":
        """Set the table as no opening gives it, for everybody alike."""
        self.state = replace(self.state, **changes)
        self.views = {viewer: replace(view, **changes) for viewer, view in self.views.items()}
        return self

    def draw(self, label: str, seat: Seat, *cards: Card) -> "Staged":
        """Let these cards be drawn blindly of the seat's hand, as it is now."""
        self.draws[label] = blindly(cards, self.state.hands[seat])
        return self

    def _happen(self, events: Iterable[Event]) -> None:
        self.last = list(events)
        self.events.extend(self.last)
        for event in self.last:
            self.state = HOTEL.evolve(self.state, event)
            for viewer, view in self.views.items():
                self.views[viewer] = HOTEL.evolve(view, redact(event, viewer))

    def offers(self, seat: Seat) -> list[Offer]:
        return list(HOTEL.legal(self.views[seat], seat))

    def can(self, seat: Seat, action: Action) -> bool:
        return any(offer.admits(action) for offer in self.offers(seat))

    def playable(self, seat: Seat) -> list[Card]:
        return [card for card in CARDS if self.can(seat, Play(card))]

    def places(self, seat: Seat) -> set[Place]:
        return {place for place in PLACES if self.can(seat, Guess(place))}

    def seen(self, viewer: Seat) -> list[Any]:
        """Return everything that has happened, as this viewer sees it."""
        return [redact(event, viewer) for event in self.events]

    def told(self, viewer: Seat) -> list[Any]:
        """Return what the last action led to, as this viewer sees it."""
        return [redact(event, viewer) for event in self.last]

    def view(self, viewer: Seat) -> State:
        view: State = self.views[viewer]
        return view

    def sitting(self, department: Department) -> tuple[Seat, ...]:
        """Return who sits in a department, from the left."""
        desks: tuple[Seat, ...] = self.state.desks[DEPARTMENTS.index(department)]
        return desks

    def awaiting(self) -> frozenset[Seat]:
        (answer,) = {HOTEL.awaiting(view) for view in (self.state, *self.views.values())}  # the same to everybody
        return answer

    def outcome(self) -> Outcome | None:
        outcomes = [HOTEL.outcome(view) for view in (self.state, *self.views.values())]
        assert all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0]


def stage(hands: Sequence[str] = NO_HANDS, hidden: Card = 39, *, car: Seat = 0, **options: object) -> Staged:
    """Open a game with these cards in the first investigation; `car` leads."""
    given: Options = HOTEL.INFO.parse(len(hands), {"first_car": car, **options})
    return Staged(len(hands), given, {"deck 1": deck_of(hands, hidden, given.hand_size)})


def parked(seats: int = 3, hidden: Card = 39, **options: Any) -> Staged:
    """Stage a game after the cards of the first round: seat 2 (24) is on lot 1, seat 0 (11) on the last.

    The hands are 11-16, 17-23, 24-29 and of four players 31-36, which puts seat 3 (31) on lot 1 before seat 2.
    """
    return stage(("",) * seats, hidden, **options).cards(*(11, 17, 24, 31)[:seats])


def refused(game: Staged, seat: Seat, action: Action) -> bool:
    """Say whether the game refuses this and nothing at all has changed by asking."""
    before = game.state, dict(game.views), list(game.events)
    try:
        game.play(seat, action)
    except Illegal:
        return before == (game.state, game.views, game.events)
    return False
