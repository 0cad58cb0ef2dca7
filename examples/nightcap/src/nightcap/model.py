"""The guests, the actions, the events and the state of Nightcap."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from whodunit.core.info import Options as Base
from whodunit.core.info import house_rule
from whodunit.core.types import Action, BySeat, Event, Seat, Secret

Guest = Literal["Actress", "Banker", "Colonel", "Doctor", "Gardener", "Singer", "Vicar"]
GUESTS: Final[tuple[Guest, ...]] = get_args(Guest)
Pair: TypeAlias = tuple[Guest, Guest]


class Options(Base, frozen=True):
    """Each option with the rule that it changes; a lobby shows them by the texts `option.<name>`."""

    midnight: Annotated[Annotated[int, Meta(ge=1, le=99)] | None, house_rule("NIGHT-9")] = None
    """After so many turns nobody wins; None: the night is long."""


# --- Actions: what a player wishes. Each field is a choice of the offer. ---------------------------------------------


class Ask(Action, frozen=True):
    to: Seat
    guests: Pair


class Show(Action, frozen=True):
    guest: Guest


class ShowNothing(Action, frozen=True):
    pass


class Accuse(Action, frozen=True):
    guest: Guest


AnyAction: TypeAlias = Ask | Show | ShowNothing | Accuse

# --- Events: what has happened. Who may see the Secret fields stands in `known_to`. ----------------------------------


class Opened(Event, frozen=True):
    game: Literal["nightcap"]
    rules: int
    seats: int
    options: Options


class CulpritHidden(Event, frozen=True):
    guest: Secret[Guest]


class HandDealt(Event, frozen=True):
    seat: Seat
    size: int
    guests: Secret[tuple[Guest, ...]]


class TurnBegan(Event, frozen=True):
    seat: Seat


class Asked(Event, frozen=True):
    seat: Seat
    to: Seat
    guests: Pair


class GuestShown(Event, frozen=True):
    seat: Seat
    to: Seat
    guests: Pair
    """What was asked for: everybody heard it."""
    guest: Secret[Guest]


class NothingShown(Event, frozen=True):
    seat: Seat
    to: Seat
    guests: Pair


class Accused(Event, frozen=True):
    seat: Seat
    guest: Guest
    right: bool


class NightEnded(Event, frozen=True):
    seat: Seat | None
    """Who has won, if anybody."""
    how: Literal["solved", "all_out", "midnight"]
    guest: Guest
    """Who it was."""


AnyEvent: TypeAlias = (
    Opened | CulpritHidden | HandDealt | TurnBegan | Asked | GuestShown | NothingShown | Accused | NightEnded
)

# --- The state, which is also the view: there, None stands for whatever the viewer does not know. --------------------


class Dealing(Struct, frozen=True, tag=True):
    pass


class Asking(Struct, frozen=True, tag=True):
    """The player on turn asks or accuses."""


class Answering(Struct, frozen=True, tag=True):
    """`asked` answers. It is the same phase whatever the player holds, so that waiting tells nobody anything."""

    asked: Seat
    guests: Pair


class Over(Struct, frozen=True, tag=True):
    winner: Seat | None
    how: str


class State(Struct, frozen=True, kw_only=True):
    options: Options
    turn: int = 0
    on_turn: Seat = 0
    phase: Dealing | Asking | Answering | Over = Dealing()
    culprit: Guest | None = None
    sizes: BySeat[int]
    hands: BySeat[tuple[Guest, ...] | None]
    out: BySeat[bool]
    """Who has accused wrongly."""
