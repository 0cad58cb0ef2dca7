"""The actions, the events and the state of Clue."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from whodunit.core.describing import NUMBERED, by
from whodunit.core.info import Options as Base
from whodunit.core.info import house_rule, one_of, variant
from whodunit.core.types import Action, BySeat, Event, Seat, Secret
from whodunit.games.clue.facts import SUSPECTS, WEAPONS, Card, Place, Room, Square, Suspect, Weapon


class Options(Base, frozen=True):
    """The rule constants of section 2; lower case, same meaning, same defaults."""

    dice_count: Annotated[Literal[1, 2], variant("CLUE-V1")] = 1
    suggestion_mandatory: Annotated[bool, variant("CLUE-V2")] = False
    accuse_after_disproof: Annotated[bool, variant("CLUE-V3")] = False
    last_active_wins: Annotated[bool, variant("CLUE-V4")] = False
    two_player_side_cards: Annotated[Literal[0, 4], variant("CLUE-V5")] = 0
    exact_roll: Annotated[bool, variant("CLUE-V6")] = True
    room_entry_cost: Annotated[Literal[0, 1], variant("CLUE-V7")] = 1
    min_players: Annotated[int, Meta(ge=2, le=6), house_rule("CLUE-1")] = 2
    max_players: Annotated[int, Meta(ge=2, le=6), house_rule("CLUE-1")] = 6
    tokens: Annotated[tuple[Suspect, ...] | None, house_rule("CLUE-2")] = None
    """The token of each seat, clockwise; None = the first ones in the order of CLUE-4."""
    weapon_rooms: Annotated[tuple[Room, ...] | None, house_rule("CLUE-5")] = None
    """Where the weapons start; None = drawn."""
    starter: Annotated[Annotated[int, one_of(6)] | None, house_rule("CLUE-10")] = None
    max_turns: Annotated[Annotated[int, Meta(ge=1)] | None, house_rule("CLUE-A17")] = None


class Trio(Struct, frozen=True, gc=False):
    """A suspect, a weapon and a room: what is hidden, suggested or accused."""

    suspect: Suspect
    weapon: Weapon
    room: Room

    def __contains__(self, card: object) -> bool:
        return card in (self.suspect, self.weapon, self.room)

    @property
    def cards(self) -> tuple[Card, Card, Card]:
        return self.suspect, self.weapon, self.room


# --- Actions -----------------------------------------------------------------------------------------------------


class Roll(Action, frozen=True):
    """Throw the die (CLUE-14 a)."""


class Move(Action, frozen=True):
    """Walk to a place that the throw allows."""

    to: Place


class TakePassage(Action, frozen=True):
    """Take the secret passage (CLUE-14 b)."""


class StayAndSuggest(Action, frozen=True):
    """Stay where a suggestion has brought you, and suggest there: one choice (CLUE-14 c)."""

    suspect: Suspect
    weapon: Weapon
    room: Room


class NoMove(Action, frozen=True):
    """Make no move, having none (CLUE-14 d)."""


class Suggest(Action, frozen=True):
    suspect: Suspect
    weapon: Weapon
    room: Room


class Show(Action, frozen=True):
    card: Card


class CannotShow(Action, frozen=True):
    """Hold none of the three (CLUE-42)."""


class LookAside(Action, frozen=True):
    """Look at one of the side cards, by its place in the row, 1 to 4 (CLUE-V5)."""

    position: int


class Accuse(Action, frozen=True):
    suspect: Suspect
    weapon: Weapon
    room: Room


class EndTurn(Action, frozen=True):
    pass


AnyAction: TypeAlias = (
    Roll | Move | TakePassage | StayAndSuggest | NoMove | Suggest | Show | CannotShow | LookAside | Accuse | EndTurn
)

# --- Events ------------------------------------------------------------------------------------------------------


class Opened(Event, frozen=True):
    game: Literal["clue"]
    rules: int
    seats: int
    options: Options
    tokens: tuple[Suspect, ...]
    starter: Seat


class WeaponsPlaced(Event, frozen=True):
    rooms: tuple[Room, ...]
    """By weapon."""


class EnvelopeFilled(Event, frozen=True):
    trio: Secret[Trio]


class HandDealt(Event, frozen=True):
    seat: Seat
    size: int
    cards: Secret[tuple[Card, ...]]


class SideCardsLaid(Event, frozen=True):
    count: int
    cards: Secret[tuple[Card, ...]]


class TurnBegan(Event, frozen=True):
    seat: Seat


class DiceThrown(Event, frozen=True):
    seat: Seat
    dice: tuple[int, ...]


class Moved(Event, frozen=True):
    seat: Seat
    path: tuple[Square, ...]
    """The squares walked over, without the one where the walk began; the last is `to` unless a room is entered."""
    to: Place


class PassageTaken(Event, frozen=True):
    seat: Seat
    to: Room


class Stayed(Event, frozen=True):
    seat: Seat


class NotMoved(Event, frozen=True):
    seat: Seat


class Suggested(Event, frozen=True):
    seat: Seat
    trio: Trio


class CouldNotShow(Event, frozen=True):
    seat: Seat


class CardShown(Event, frozen=True):
    seat: Seat
    to: Seat
    card: Secret[Card]


class SideCardSeen(Event, frozen=True):
    seat: Seat
    position: int
    card: Secret[Card]


class Accused(Event, frozen=True):
    seat: Seat
    trio: Trio
    right: bool


class EnvelopeSeen(Event, frozen=True):
    """The accuser alone has looked (CLUE-49)."""

    seat: Seat
    trio: Secret[Trio]


class TokenStoodAside(Event, frozen=True):
    """An out player's token made way for the door behind it (CLUE-52)."""

    seat: Seat
    room: Room


class EnvelopeOpened(Event, frozen=True):
    trio: Trio


class GameEnded(Event, frozen=True):
    winner: Seat | None
    how: Literal["solved", "last_active", "all_out", "no_result"]


AnyEvent: TypeAlias = (
    Opened
    | WeaponsPlaced
    | EnvelopeFilled
    | HandDealt
    | SideCardsLaid
    | TurnBegan
    | DiceThrown
    | Moved
    | PassageTaken
    | Stayed
    | NotMoved
    | Suggested
    | CouldNotShow
    | CardShown
    | SideCardSeen
    | Accused
    | EnvelopeSeen
    | TokenStoodAside
    | EnvelopeOpened
    | GameEnded
)

# --- Phases and state --------------------------------------------------------------------------------------------


class Dealing(Struct, frozen=True, tag=True, gc=False):
    """The table is being laid."""


class Beginning(Struct, frozen=True, tag=True, gc=False):
    """The player on turn has the movement choice, or accuses."""


class Walking(Struct, frozen=True, tag=True, gc=False):
    """The die is thrown; the token must move."""

    throw: int


class Arrived(Struct, frozen=True, tag=True, gc=False):
    """The movement choice is made; `may_suggest` if it led into a room."""

    may_suggest: bool


class Answering(Struct, frozen=True, tag=True, gc=False):
    """`asked` answers the suggestion of the player on turn; what `asked` holds makes no difference here."""

    trio: Trio
    asked: Seat


class LookingAside(Struct, frozen=True, tag=True, gc=False):
    """Nobody could show; the suggester looks at a side card (CLUE-V5)."""


class Concluding(Struct, frozen=True, tag=True, gc=False):
    """The suggestion is answered; the player on turn may still accuse."""


class Over(Struct, frozen=True, tag=True, gc=False):
    winner: Seat | None
    how: str


Phase: TypeAlias = Dealing | Beginning | Walking | Arrived | Answering | LookingAside | Concluding | Over


class State(Struct, frozen=True, kw_only=True, gc=False):
    """The table; as a view it is the same with None for whatever that viewer does not know."""

    options: Options
    tokens: BySeat[Suspect]
    turn: int = 0
    on_turn: Seat
    phase: Phase
    places: Annotated[tuple[Place, ...], by(SUSPECTS)]
    """Where the tokens stand."""
    weapons: Annotated[tuple[Room, ...], by(WEAPONS)] = ()
    """Where the weapons lie."""
    envelope: Trio | None = None
    sizes: BySeat[int]
    """How many cards."""
    hands: BySeat[tuple[Card, ...] | None]
    side: Annotated[tuple[Card | None, ...], NUMBERED] = ()
    """The row of side cards (CLUE-V5)."""
    looked: BySeat[tuple[int, ...]]
    """Which positions of that row the player has looked at."""
    summoned: BySeat[Room | None]
    """The room for which the player's token carries the mark of CLUE-34."""
    out: BySeat[bool]
    """Who has accused wrongly."""
