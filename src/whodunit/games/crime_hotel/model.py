"""The actions, the events and the state of Crime Hotel."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from whodunit.core.describing import NUMBERED, by
from whodunit.core.info import Options as Base
from whodunit.core.info import house_rule, one_of, variant
from whodunit.core.types import Action, BySeat, Event, Seat, Secret
from whodunit.games.crime_hotel.facts import (
    COLUMN_POINTS,
    DEPARTMENTS,
    FLOOR_POINTS,
    INVESTIGATIONS,
    ROOM_POINTS,
    ROUNDS,
    Card,
    Department,
    Floor,
    Place,
)

Points: TypeAlias = Annotated[int, Meta(ge=0, le=50)]


class Options(Base, frozen=True):
    """The rule constants of section 2; lower case, same meaning, same defaults."""

    beginner: Annotated[bool, variant("HOTEL-V1")] = False
    bonus_per_correct_guess: Annotated[bool, variant("HOTEL-V2")] = True
    guess_on_lit_room: Annotated[bool, house_rule("HOTEL-26")] = True
    duplicate_uses: Annotated[Annotated[int, Meta(ge=0, le=5)] | None, house_rule("HOTEL-33")] = None
    """How often each DUPLICATE desk lets its player share a place; None = without limit."""
    first_car: Annotated[Annotated[int, one_of(4)] | None, house_rule("HOTEL-5")] = None
    """Who holds the police car first; None = drawn."""
    investigations: Annotated[int, Meta(ge=1, le=INVESTIGATIONS), house_rule("HOTEL-46")] = INVESTIGATIONS
    rounds: Annotated[int, Meta(ge=1, le=ROUNDS), house_rule("HOTEL-35")] = ROUNDS
    """A hand has one card more than there are rounds, and a player as many meeples; the other cards lie open."""
    floor_points: Annotated[Points, house_rule("HOTEL-39")] = FLOOR_POINTS
    column_points: Annotated[Points, house_rule("HOTEL-39")] = COLUMN_POINTS
    room_points: Annotated[Points, house_rule("HOTEL-39")] = ROOM_POINTS

    @property
    def hand_size(self) -> int:
        return self.rounds + 1


# --- Actions -----------------------------------------------------------------------------------------------------


class Play(Action, frozen=True):
    card: Card


class Guess(Action, frozen=True):
    place: Place


class TakeDesk(Action, frozen=True):
    """Take a desk with which nothing is to be chosen: one looks at nobody, or has no guess that could move."""

    department: Department


class Relocate(Action, frozen=True):
    """Take a desk of RELOCATE and move one of your guesses."""

    origin: Place
    to: Place


class Exchange(Action, frozen=True):
    """Take a desk of EXCHANGE and give these cards for as many drawn from the partner's hand."""

    partner: Seat
    cards: tuple[Card, ...]


class Look(Action, frozen=True):
    """Take a desk of LOOK and see some cards of this player."""

    target: Seat


class LayLast(Action, frozen=True):
    """Lay the last card open on its room (HOTEL-37)."""


AnyAction: TypeAlias = Play | Guess | TakeDesk | Relocate | Exchange | Look | LayLast

# --- Events ------------------------------------------------------------------------------------------------------


class Opened(Event, frozen=True):
    game: Literal["crime_hotel"]
    rules: int
    seats: int
    options: Options
    car: Seat


class InvestigationBegan(Event, frozen=True):
    number: int


class HandDealt(Event, frozen=True):
    seat: Seat
    size: int
    cards: Secret[tuple[Card, ...]]


class MurdererHidden(Event, frozen=True):
    card: Secret[Card]


class RoomsLit(Event, frozen=True):
    """The cards that are left over lie open from the start (HOTEL-8)."""

    cards: tuple[Card, ...]


class RoundBegan(Event, frozen=True):
    number: int
    seat: Seat


class CardPlayed(Event, frozen=True):
    seat: Seat
    card: Card
    lacks: Floor | None = None
    """The floor of the round, if the player had no card of it (HOTEL-13)."""


class Parked(Event, frozen=True):
    """The cards lie on their rooms, a meeple stands on every lot, and the first of them has the car."""

    lots: tuple[Seat, ...]


class Guessed(Event, frozen=True):
    seat: Seat
    place: Place


class DeskTaken(Event, frozen=True):
    seat: Seat
    department: Department
    desk: int
    """Counted from 1, from the left."""


class Relocated(Event, frozen=True):
    seat: Seat
    origin: Place
    to: Place


class Exchanged(Event, frozen=True):
    seat: Seat
    partner: Seat
    count: int
    given: Secret[tuple[Card, ...]]
    drawn: Secret[tuple[Card, ...]]


class Looked(Event, frozen=True):
    seat: Seat
    target: Seat
    count: int
    cards: Secret[tuple[Card, ...]]


class LookDeclined(Event, frozen=True):
    seat: Seat


class LotLeft(Event, frozen=True):
    """A meeple leaves its lot without effect: `back` to its owner (HOTEL-V1) or out of play (HOTEL-29)."""

    seat: Seat
    back: bool


class LastCardLaid(Event, frozen=True):
    seat: Seat
    card: Card


class MurdererFound(Event, frozen=True):
    card: Card


class Scored(Event, frozen=True):
    points: tuple[int, ...]
    """Of this investigation, by seat."""


class GameEnded(Event, frozen=True):
    winners: tuple[Seat, ...]
    how: Literal["points", "car", "late_points", "tie"]


AnyEvent: TypeAlias = (
    Opened
    | InvestigationBegan
    | HandDealt
    | MurdererHidden
    | RoomsLit
    | RoundBegan
    | CardPlayed
    | Parked
    | Guessed
    | DeskTaken
    | Relocated
    | Exchanged
    | Looked
    | LookDeclined
    | LotLeft
    | LastCardLaid
    | MurdererFound
    | Scored
    | GameEnded
)

# --- Phases and state --------------------------------------------------------------------------------------------


class Dealing(Struct, frozen=True, tag=True, gc=False):
    """The table is being laid, or something is being counted."""


class Playing(Struct, frozen=True, tag=True, gc=False):
    """The player on turn plays a card; how many he may choose from makes no difference here."""


class Guessing(Struct, frozen=True, tag=True, gc=False):
    """The player on turn, on the first or the last lot, guesses."""


class Assisting(Struct, frozen=True, tag=True, gc=False):
    """The player on turn, on a lot between, takes a desk."""


class Revealing(Struct, frozen=True, tag=True, gc=False):
    """The player on turn lays his last card open."""


class Over(Struct, frozen=True, tag=True, gc=False):
    winners: tuple[Seat, ...]
    how: str


Phase: TypeAlias = Dealing | Playing | Guessing | Assisting | Revealing | Over


class Trade(Struct, frozen=True, gc=False):
    """What everybody knows of an exchange."""

    seat: Seat
    partner: Seat
    count: int


class State(Struct, frozen=True, kw_only=True, gc=False):
    """The table; as a view it is the same with None for whatever that viewer does not know."""

    options: Options
    investigation: int = 0
    round: int = 0
    turn: int = 0
    """How many times somebody has acted, in the whole game."""
    on_turn: Seat
    phase: Phase
    car: Seat
    hidden: Card | None = None
    """The murderer's room."""
    lit: tuple[Card, ...] = ()
    """The open rooms, in the order in which they were lit."""
    sizes: BySeat[int]
    """How many cards."""
    hands: BySeat[tuple[Card, ...] | None]
    trick: BySeat[Card | None]
    """The card played in this round, until it lies on its room."""
    lots: tuple[Seat, ...] = ()
    """Who stands on a lot and has not acted yet, in the order of the lots."""
    unused: BySeat[int]
    """How many meeples."""
    guesses: BySeat[tuple[Place, ...]]
    """Where on the hotel board the player's meeples stand."""
    figures: Annotated[tuple[tuple[int | None, ...], ...], by(DEPARTMENTS)]
    """The figures on its desks, from the left; None = a desk without one."""
    desks: Annotated[tuple[tuple[Seat, ...], ...], by(DEPARTMENTS)]
    """Who sits at its desks, from the left."""
    shared: BySeat[int]
    """How often the player has put a meeple on an occupied place."""
    trades: tuple[Trade, ...] = ()
    """The exchanges of this investigation."""
    points: Annotated[tuple[BySeat[int], ...], NUMBERED] = ()
    """By investigation."""
