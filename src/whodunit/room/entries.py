"""What happens round a game, entry by entry: the second of a table's two streams.

Entries are facts in the order in which they were stored. A person is named by the secret of a cookie, so an entry
leaves the server in no form; what a viewer may know of a room is built from the fold (room.py).
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from whodunit.core.notes import Assistance
from whodunit.core.types import Seat, StandingOrder
from whodunit.core.wire import encode
from whodunit.room.pace import Allowance, Pace, Untimed
from whodunit.table.case import Header
from whodunit.table.seal import Seal

Phrase: TypeAlias = Literal[
    "hello", "good_luck", "your_turn", "one_moment", "thinking", "sorry", "thanks", "nice", "well_played", "again"
]
"""What can be said with one tap, in every language."""
Language: TypeAlias = Literal["en", "de", "fr", "nb"]
"""What the house itself speaks, where no page puts it into words."""
How: TypeAlias = Literal["seen", "sent", "failed"]
"""How a player knows that it is their turn, or why not."""


class Entry(Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    at: int
    """The server's clock in milliseconds."""


class Aside(Entry, frozen=True):
    """What changes neither chairs nor lists: whom it concerns is told of it alone."""


class Private(Aside, frozen=True):
    """What concerns one seat alone."""

    seat: Seat


class SharedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal that several people play, each at a table of their own: who has not finished it learns nothing of it."""

    kind: Literal["challenge", "duel"]
    item: str
    """Which one: the day of a challenge, the id of a duel."""


class Laid(Entry, frozen=True):
    """The table is laid: what is played, and on which terms."""

    game: str
    options: dict[str, Any]
    levels: tuple[str | None, ...]
    """By seat: a bot of this level, or free."""
    public: bool
    assistance: Assistance
    pace: Pace
    code: str
    """What an invitation says."""
    keys: tuple[str, ...]
    """By seat, what opens it on another device."""
    seal: Seal
    lesson: bool = False
    """Whether it is a guided first case, on a staged deal, for one person."""
    allowance: Allowance = Untimed()
    """How much time there is for moves."""
    household: str = ""
    """Of a public table: a keyed digest of its maker's household; empty where nobody counts them."""
    deal: SharedDeal | None = None
    """Whether its deal is one that others play, too; then one person plays it alone."""

    @property
    def staged(self) -> bool:
        """Whether the deal was chosen before anybody sat down: nothing was promised about it, and nobody is invited."""
        return self.lesson or self.deal is not None


class Entered(Entry, frozen=True):
    """A person came by invitation, and may watch and sit down."""

    person: str


class Sat(Entry, frozen=True):
    """A person sat down; sitting down again where one sits changes name and salt."""

    seat: Seat
    person: str
    name: str
    salt: str


class Held(Entry, frozen=True):
    """Another device opened the seat by its key."""

    seat: Seat
    person: str


class ChairSet(Entry, frozen=True):
    """The chair is a bot's now, or free."""

    seat: Seat
    level: str | None


class Began(Entry, frozen=True):
    """Nobody sits down any more; the cards are dealt."""

    header: Header


class HandedOver(Entry, frozen=True):
    """A bot plays for the person: until it is taken back, or, if others called it, until the person is there again."""

    seat: Seat
    level: str
    called: bool
    lapsed: bool = False
    """The person is there, but has run out of time: until this move is made."""


class Reclaimed(Entry, frozen=True, tag="TookBack"):
    seat: Seat


class WentAway(Entry, frozen=True):
    """No page holds the seat any more; the last event that one was told is `seq`."""

    seat: Seat
    seq: int


class CameBack(Entry, frozen=True):
    seat: Seat


class CaughtUp(Private, frozen=True):
    """The person has read what happened meanwhile."""


class QuestionPut(Private, frozen=True, tag="Asked"):
    """The seat will answer at this moment, drawn whatever it holds; `action` is what it answers if it chooses nothing.

    Entries of earlier versions have null where the seat had a choice, and a `Selected` of its own behind them.
    """

    since: int
    due: int
    action: Raw
    """JSON's null where the answer is typed: who counts is not shown the number. msgspec cannot read `Raw | None`."""
    until: int | None = None
    """Of an answer that is typed: until when its player is waited for."""
    latest: int | None = None
    """Where the table's own answer clock runs: until when the seat's player is waited for, also without hurry."""
    patient: bool | None = None
    """Whether the player is waited for until then, or without end; None in entries of earlier versions: where the table
    is unhurried."""
    pad: str = ""
    """See `padded`."""


class Selected(Private, frozen=True):
    """What the asked seat will answer: chosen by its player, or by habit as long as the player chooses nothing."""

    since: int
    action: Raw
    chosen: bool
    pad: str = ""
    """See `padded`."""


class Ordered(Private, frozen=True):
    """By which standing order the seat answers from now on, if its player chooses nothing."""

    order: StandingOrder | None


class Hooked(Private, frozen=True):
    """Where the seat's player wants to be told that it is their turn, or nowhere."""

    url: str | None
    language: Language = "en"


class Rung(Private, frozen=True):
    """The seat's player knows that they are waited for since then: they saw it, or were told; or that failed."""

    since: int
    how: How


class Marked(Private, frozen=True):
    """A mark in the seat's own notes, made after event `seq`; an empty one removes it.

    Notes are kept apart from the stream (`own_notes`); only rooms of earlier versions have them in it.
    """

    seq: int
    cell: str
    mark: str


class Jotted(Private, frozen=True):
    """The free text of the seat's notes, as it stood after event `seq`; kept as marks are."""

    seq: int
    text: str


class ClipsHeard(Private, frozen=True, tag="Heard"):
    """The seat's player has been played every clip up to event `seq`."""

    seq: int


class Agreed(Entry, frozen=True):
    """The seat's player agrees that whoever watches sees all hands, late; or no longer does."""

    seat: Seat
    agreed: bool


class ClosingAnnounced(Entry, frozen=True):
    """Nothing has happened since then, and the case is going to be closed: said once a day, for so many days now."""

    since: int
    day: int


class Abandoned(Entry, frozen=True):
    """Nobody has moved for so long that the case is closed as it stands, and everything may be seen."""


class Withdrawn(Entry, frozen=True):
    """Nobody who could begin has been there for a while: the table stands among the open ones no more."""


class Relaid(Entry, frozen=True):
    """The same people play again, at this table."""

    table: str


class Dueled(Aside, frozen=True):
    """Whoever played alone here has made a duel of the game: its deal is one that others play now."""

    duel: str


class Timed(Entry, frozen=True):
    """Time will do what TABLE is offered since then, when so many milliseconds are over in which somebody is there."""

    since: int
    left: int
    running: bool


class Turned(Entry, frozen=True):
    """Whose move it is, how much time everybody has, and from when on it runs for those who move."""

    turn: tuple[Seat, ...]
    left: tuple[int, ...]
    """By seat, in milliseconds; a bot's is never counted."""
    runs: int | None
    """None: the clocks stand still."""
    before: tuple[int, ...]
    """What was left before the last move was credited, in case it is taken back."""


class WishedPace(Entry, frozen=True):
    """The person wants the table to play at this pace; it does when everybody who plays wants it."""

    seat: Seat
    pace: Pace


class PaceSet(Entry, frozen=True):
    """From the next question on the table plays at this pace."""

    pace: Pace


class WishedPause(Entry, frozen=True):
    """The person wants the game to pause, or no longer; it does when everybody who plays wants it."""

    seat: Seat
    wish: bool


class Paused(Entry, frozen=True):
    """Nobody moves, no clock runs and no answer is due, until somebody wants to go on."""


class Resumed(Entry, frozen=True):
    """The game goes on; answers that were due come as much later as the pause was long."""


class Said(Aside, frozen=True):
    """Somebody said something: in words of their own, or a phrase that every language has."""

    person: str
    seat: Seat | None
    """Where they sit; None: they watch."""
    name: str
    text: str
    phrase: Phrase | None = None
    apart: bool = False
    """Said among those who watch, while others play."""


class PersonForgotten(Entry, frozen=True, tag="Forgotten"):
    """Somebody wants nothing to be stored about them any more: from now on they are called so, and have no name."""

    alias: str


class Muted(Aside, frozen=True):
    """The person wants to hear this speaker no more, or again."""

    person: str
    speaker: str
    muted: bool


AnyEntry: TypeAlias = (
    Laid
    | Entered
    | Sat
    | Held
    | ChairSet
    | Began
    | HandedOver
    | Reclaimed
    | WentAway
    | CameBack
    | CaughtUp
    | QuestionPut
    | Selected
    | Ordered
    | Hooked
    | Rung
    | Marked
    | Jotted
    | ClipsHeard
    | Agreed
    | ClosingAnnounced
    | Abandoned
    | Withdrawn
    | Relaid
    | Dueled
    | Timed
    | Turned
    | WishedPace
    | PaceSet
    | WishedPause
    | Paused
    | Resumed
    | Said
    | PersonForgotten
    | Muted
)

_DECODER = msgspec.json.Decoder(tuple[AnyEntry, ...])
ENTRY_BYTES: Final = 256
"""How long an entry about an answer is, whatever the answer."""
AnswerEntry = TypeVar("AnswerEntry", QuestionPut, Selected)


def padded(entry: AnswerEntry) -> AnswerEntry:
    """Return the entry in the one size that all of its kind have: what is written must not tell what it says."""
    return replace(entry, pad=" " * (-len(encode(entry)) % ENTRY_BYTES))


def decode(body: bytes) -> tuple[AnyEntry, ...]:
    """Return the entries of a record."""
    return _DECODER.decode(body)


def are_asides(entries: Sequence[AnyEntry]) -> bool:
    """Say whether none of these changes chairs or lists."""
    for entry in entries:  # noqa: SIM110  (a generator would double the cost of a hot path)
        if not isinstance(entry, Aside):
            return False
    return True
