"""What a bot of one's own is told and what it answers: a JSON object in a line, on a pipe or as the body of a POST.

The lines have the form of the frames `room` and `table`, which a bot on the site's socket gets. Each ends with `asks`,
what is to be answered, and with `example`, an answer that is right. Nothing else leaves the house for a seat.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.frames import EventFrame
from whodunit.core.offer import Offer
from whodunit.core.types import Action, Outcome, Seat


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot answers its first line."""

    interrupts: bool = False
    """Whether it wants to be asked, whenever it might act without being waited for, if it does."""


class RoomLine(Struct, frozen=True, kw_only=True, tag="room"):
    """The first line: which seat of which game; from here on the bot is told everything from the first event."""

    table: str
    """Names this seat in this game, and nothing else."""
    game: str
    me: Seat
    seed: str
    """In hexadecimal, fixed by the seed of the arena: who draws from it alone plays the same game again."""
    move_ms: int
    """How long the bot may take for a decision."""
    asks: Literal["hello"] = "hello"
    example: Hello = Hello()


Asks: TypeAlias = Literal["act", "interrupt"]
"""What an action is asked for: the seat is waited for; or it might do something at once, and null is an answer, too."""


class TableLine(Struct, frozen=True, kw_only=True, tag="table"):
    """What has happened behind event `after` and where it has led, as this seat may see it."""

    table: str
    after: int
    seq: int
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None
    closed: bool
    """Whether the game is over, or put aside without an outcome."""
    events: tuple[EventFrame, ...]
    view: Any
    offers: tuple[Offer, ...]
    asks: Asks | None
    """None: the game is over, and nothing is to be answered."""
    example: Action | None
    """An action on offer, which the house does for a bot that fails."""
