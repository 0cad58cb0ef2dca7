"""The record of one game: what a researcher plays with, and what is sealed, closed, saved and checked."""

from collections.abc import Sequence
from typing import Generic, Literal

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Batch, Event, Frozen, Outcome, S, Seat
from whodunit.table.growing import Growing
from whodunit.table.seal import Seal
from whodunit.table.table import Table


class Bot(Frozen, Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays a seat, if it is a bot; its seed follows from the seal."""

    seat: Seat
    level: str
    version: int


class Header(Frozen, Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a game before its first event."""

    game: str
    rules: int
    seats: int
    commitment: str
    salts: tuple[str, ...] = ()
    bots: tuple[Bot, ...] = ()
    staged: bool = False
    """Whether the deal was chosen to learn from, so that nothing was promised about it."""


class Case(Frozen, Struct, Generic[S], frozen=True):
    """A game and its record; a value: every step returns a new case, and copying one costs nothing.

    To a type checker it is a case of a type of state, where its game is known.
    """

    header: Header
    """What was known before the first event: the game, its rules' version, the seats, the commitment."""
    seal: Seal
    """What all draws follow from: secret until the case is closed."""
    table: Table
    """The game as it stands: truth, views and offers."""
    batches: Sequence[Batch]
    """Its record, an entry for each action: events, cause, draws."""
    closed: Literal["ended", "abandoned"] | None = None
    """Why its secrets are open to everyone, or None while they are not."""

    @property
    def awaiting(self) -> tuple[Seat, ...]:
        """The seats that hold up the game, in order."""
        return tuple(sorted(self.table.awaiting))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return self.table.outcome

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, secrets included."""
        return tuple(event for batch in self.batches for event in batch.events)

    def seen(self, viewer: Seat) -> tuple[Event, ...]:
        """Return everything that happened as the viewer may see it: all of it once the case is closed."""
        return self.events if self.closed else tuple(redact(event, viewer) for event in self.events)

    def legal(self, seat: Seat) -> tuple[Offer, ...]:
        """Return what the seat may do now."""
        return () if self.closed else self.table.offers_of(seat)

    def step(self, seat: Seat, action: Action, rng: Rng | None = None) -> "Case[S]":
        """Return the case after the seat's action, or raise Illegal; the game's end closes the case."""
        for offer in self.legal(seat):
            if offer.admits(action):
                return self._grown(*self.table.act(seat, offer.since, action, rng))
        raise Illegal(seat, action, self.legal(seat))

    def undo(self, seat: Seat) -> "Case[S]":
        """Return the case after the seat has taken its last action back, or raise Illegal."""
        if self.closed:
            raise Illegal(seat, "undo", ())
        return self._grown(*self.table.undo(seat))

    def close(self) -> "Case[S]":
        """Open the case's secrets: as its end does, or because the game is abandoned."""
        return self if self.closed else replace(self, closed="ended" if self.outcome else "abandoned")

    def __repr__(self) -> str:
        # As for the table: its record is full of secrets.
        return f"Case({self.header.game!r}, seats={self.header.seats}, seq={self.table.seq}, closed={self.closed!r})"

    def _grown(self, table: Table, batch: Batch) -> "Case[S]":
        grown = replace(self, table=table, batches=Growing.of(self.batches).and_then(batch))
        return grown.close() if table.outcome else grown


def open_case(
    game: str,
    seats: int,
    options: dict[str, object],
    seal: Seal,
    salts: tuple[str, ...] = (),
    bots: tuple[Bot, ...] = (),
    rng: Rng | None = None,
) -> Case:
    """Open a case of the game with this id; bad options and seats are refused with BadOptions."""
    rules = games.get(game)
    parsed = rules.INFO.parse(seats, options)
    header = Header(game, rules.INFO.rules, seats, seal.commitment, salts, bots)
    table, batch = Table.open(rules, seats, parsed, seal.seed(salts), rng)
    return Case(header=header, seal=seal, table=table, batches=Growing.of((batch,)))
