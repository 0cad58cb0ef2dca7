"""A running game as a value: what is true, what each viewer sees, and what each seat may do."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Cause, Event, Game, Outcome, Seat, Undone, Update


class Table(Struct, frozen=True):
    """One game in progress; every change returns a new table and leaves this one as it was."""

    game: Game
    seats: int
    seed: bytes
    seq: int = 0
    """How many events there have been."""
    state: Any = None
    views: tuple[Any, ...] = ()
    """By seat, and last the public view, so that TABLE = -1 finds it."""
    offers: tuple[tuple[Offer, ...], ...] = ()
    """By viewer, like the views."""
    takeback: "tuple[Seat, Table] | None" = None
    """Who may take the last action back, and the table before it."""

    @classmethod
    def open(cls, game: Game, seats: int, options: Any, seed: bytes, rng: Rng | None = None) -> "tuple[Table, Batch]":
        """Lay the table; `rng` is given where draws are stacked."""
        rng = rng or Rng(seed, 1)
        events = tuple(game.setup(seats, options, rng))
        batch = Batch(seq=1, events=events, draws=tuple(rng.draws))
        return cls(game=game, seats=seats, seed=seed).grow(batch), batch

    @property
    def viewers(self) -> tuple[Seat, ...]:
        """Every seat, and TABLE."""
        return (*range(self.seats), TABLE)

    @property
    def awaiting(self) -> frozenset[Seat]:
        """Who holds up the table."""
        return self.game.awaiting(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.game.outcome(self.state)

    def act(self, seat: Seat, since: int, action: Action, rng: Rng | None = None) -> "tuple[Table, Batch]":
        """Do what the seat wishes if an offer of `since` still stands and admits it, else raise Illegal."""
        offers = self.offers_of(seat)
        if not any(offer.since == since and offer.admits(action) for offer in offers):
            raise Illegal(seat, action, offers)
        rng = rng or Rng(self.seed, self.seq + 1)
        events = tuple(self.game.decide(self.state, seat, action, rng))
        batch = Batch(seq=self.seq + 1, events=events, cause=Cause(seat, action), draws=tuple(rng.draws))
        return self.grow(batch), batch

    def undo(self, seat: Seat) -> "tuple[Table, Batch]":
        """Take the seat's last action back, if nobody could have learned from it or acted on it."""
        if self.takeback is None or self.takeback[0] != seat:
            raise Illegal(seat, "undo", self.offers_of(seat))
        batch = Batch(seq=self.seq + 1, events=(Undone(back_to=self.takeback[1].seq),))
        return self.grow(batch), batch

    def grow(self, batch: Batch) -> "Table":
        """Return the table after a batch, decided here or read from a store; each view learns its own events only."""
        if batch.seq != self.seq + 1:
            raise ValueError(f"a batch that begins with event {batch.seq} does not follow event {self.seq}")
        if any(isinstance(event, Undone) for event in batch.events):
            return self._undone(batch)
        before = self.views or (None,) * (self.seats + 1)
        views = tuple([self._evolved(before[who], self.seen(who, batch.events)) for who in self.viewers])
        return replace(
            self,
            seq=batch.last,
            state=self._evolved(self.state, batch.events),
            views=views,
            offers=tuple([self._dated(who, views[who], batch) for who in self.viewers]),
            takeback=self._takeback(batch),
        )

    def seen(self, viewer: Seat, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return events as the viewer sees them."""
        return tuple([redact(event, viewer) for event in events])

    def update(self, viewer: Seat, events: Iterable[Event]) -> Update:
        """Return what the viewer is told when these events have brought the table to where it is."""
        return Update(
            seq=self.seq,
            events=self.seen(viewer, events),
            view=self.views[viewer],
            offers=self.offers[viewer],
            awaiting=self.awaiting,
            outcome=self.outcome,
        )

    def offers_of(self, seat: Seat) -> tuple[Offer, ...]:
        """Return what the seat may do now; whoever is not at the table may do nothing."""
        return self.offers[seat] if seat in self.viewers else ()

    def _evolved(self, state: Any, events: Iterable[Event]) -> Any:
        for event in events:
            state = self.game.evolve(state, event)
        return state

    def _dated(self, viewer: Seat, view: Any, batch: Batch) -> tuple[Offer, ...]:
        """Date the viewer's offers: one that stood before keeps its date, unless the viewer has just acted."""
        acted = batch.cause is None or batch.cause.seat == viewer
        stood = () if acted else self.offers[viewer]
        return tuple(_dated(new, stood, batch.last) for new in self.game.legal(view, viewer))

    def _takeback(self, batch: Batch) -> "tuple[Seat, Table] | None":
        if batch.cause is None or batch.draws or type(batch.cause.action) not in self.game.INFO.undoable:
            return None
        before = self if self.takeback and self.takeback[0] == batch.cause.seat else replace(self, takeback=None)
        return batch.cause.seat, before

    def _undone(self, batch: Batch) -> "Table":
        if self.takeback is None:
            raise ValueError(f"event {batch.seq} takes back what cannot be taken back")
        before = self.takeback[1]
        offers = tuple(tuple(replace(offer, since=batch.last) for offer in offers) for offers in before.offers)
        return replace(before, seq=batch.last, offers=offers)

    def __repr__(self) -> str:
        # Neither seed nor cards: a table may be named in a log or a traceback.
        return f"Table({self.game.INFO.id!r}, seats={self.seats}, seq={self.seq})"

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        # Modules do not pickle; the registry knows the game by its id.
        fields = tuple(getattr(self, name) for name in self.__struct_fields__[1:])
        return _restored, (self.game.INFO.id, *fields)


def _dated(new: Offer, stood: tuple[Offer, ...], now: int) -> Offer:
    """Date one offer: also one that has only grown keeps its date, so that what was composed from it still counts."""
    for old in stood:
        if old.action is new.action and old.choices == new.choices:
            return old
    since = max((old.since for old in stood if new.includes(old)), default=now)
    return replace(new, since=since)


def _restored(game: str, *fields: Any) -> Table:
    return Table(games.get(game), *fields)
