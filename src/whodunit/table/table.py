"""A running game as a value: what is true, what each viewer sees, and what each seat may do."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import hidden, redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Cause, Event, Frozen, Game, Outcome, Seat, Undone, Update


class Table(Frozen, Struct, frozen=True):
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
    awaiting: frozenset[Seat] = frozenset()
    """Who holds up the table."""
    asked: tuple[Seat, ...] = ()
    """Who of them owes an answer; the same in every world, as the offered types are."""
    outcome: Outcome | None = None
    """How the game ended, or None."""
    abandoned: bool = False
    """Whether the case was closed though the game has no end: nobody is awaited any more."""
    undo_point: "tuple[Seat, Table] | None" = None
    """Who did the last action, if it can be taken back, and the table before it; see `undoer`."""
    undated: tuple[Sequence[Offer], ...] = ()
    """The offers as the rules made them: where these are the very same again, so are their dates."""

    @classmethod
    def open(cls, game: Game, seats: int, options: Any, seed: bytes, rng: Rng | None = None) -> "Decision":
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
    def closed(self) -> bool:
        """Whether everything may be seen: the game is over, or given up."""
        return self.outcome is not None or self.abandoned

    def abandon(self) -> "Table":
        """Return the table as it is left: nobody may do anything any more."""
        nothing: tuple[tuple[Offer, ...], ...] = ((),) * (self.seats + 1)
        return replace(
            self, abandoned=True, offers=nothing, undated=nothing, awaiting=frozenset(), asked=(), undo_point=None
        )

    def act(self, seat: Seat, since: int, action: Action, rng: Rng | None = None, *, bot: bool = False) -> "Decision":
        """Do what the seat wishes, or a bot for it, if an offer of `since` stands and admits it, else raise Illegal."""
        if not self.admits(seat, since, action):
            raise Illegal(seat, action, self.offers_of(seat))
        return self.decide(seat, action, rng or Rng(self.seed, self.seq + 1), bot=bot)

    def decide(self, seat: Seat, action: Action, rng: Rng, *, bot: bool = False) -> "Decision":
        """Do what an offer has admitted."""
        events = tuple(self.game.decide(self.state, seat, action, rng))
        batch = Batch(seq=self.seq + 1, events=events, cause=Cause(seat, action, bot), draws=tuple(rng.draws))
        return self.grow(batch), batch

    def admits(self, seat: Seat, since: int, action: Action) -> bool:
        """Say whether an offer of `since` still stands for the seat and admits the action."""
        for offer in self.offers_of(seat):  # noqa: SIM110  (a generator would double the cost of a hot path)
            if offer.since == since and offer.admits(action):
                return True
        return False

    def since(self, seat: Seat, action: Action) -> int:
        """Return the date of the seat's offer that admits the action, or raise Illegal."""
        for offer in self.offers_of(seat):
            if offer.admits(action):
                return offer.since
        raise Illegal(seat, action, self.offers_of(seat))

    @property
    def undoer(self) -> Seat | None:
        """Who may take the last action back: nobody once somebody is asked, whose pause may have been read."""
        return None if self.undo_point is None or self.asked else self.undo_point[0]

    def undo(self, seat: Seat) -> "Decision":
        """Take the seat's last action back, if nobody could have learned from it or acted on it."""
        if self.undo_point is None or self.undoer != seat:
            raise Illegal(seat, "undo", self.offers_of(seat))
        batch = Batch(seq=self.seq + 1, events=(Undone(back_to=self.undo_point[1].seq),))
        return self.grow(batch), batch

    def grow(self, batch: Batch) -> "Table":
        """Return the table after a batch, decided here or read from a store; each view learns its own events only."""
        if batch.seq != self.seq + 1:
            raise ValueError(f"a batch that begins with event {batch.seq} does not follow event {self.seq}")
        if Undone in map(type, batch.events):
            return self._undone(batch)
        game, last = self.game, batch.last
        evolve, info = game.evolve, game.INFO
        state: Any = self.state
        views = list(self.views) or [None] * (self.seats + 1)
        for event in batch.events:
            state = evolve(state, event)
            closed = hidden(event)
            if closed is event:
                views = [evolve(view, event) for view in views]
            else:
                known_to = event.known_to
                views = [evolve(views[who], event if who in known_to else closed) for who in self.viewers]
        awaiting = game.awaiting(state)
        acting = self.viewers if info.interrupts else {*awaiting, TABLE}  # of whoever is not, no rule need be asked
        offers: list[tuple[Offer, ...]] = [()] * (self.seats + 1)
        undated: list[Sequence[Offer]] = [()] * (self.seats + 1)
        for who in acting:
            undated[who] = made = game.legal(views[who], who)
            offers[who] = self._dated(who, made, batch.cause, last)
        return replace(
            self,
            seq=last,
            state=state,
            views=tuple(views),
            offers=tuple(offers),
            awaiting=awaiting,
            asked=tuple([seat for seat in sorted(awaiting) if _is_asked(offers[seat], info.answers)]),
            outcome=game.outcome(state),
            undo_point=self._undo_point(batch),
            undated=tuple(undated),
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
        return self.offers[seat] if TABLE <= seat < self.seats else ()

    def _dated(self, viewer: Seat, offers: Sequence[Offer], cause: Cause | None, now: int) -> tuple[Offer, ...]:
        """Date the viewer's offers: one that stood before keeps its date, unless the viewer has just acted.

        Interrupts neither age nor make anything else old: whatever a seat does meanwhile, its slam is never stale.
        """
        if not offers:
            return ()
        interrupts = self.game.INFO.interrupts
        lasting = () if cause is None else self.offers[viewer]
        if cause is not None and cause.seat == viewer and type(cause.action) not in interrupts:
            lasting = tuple([old for old in lasting if old.action in interrupts])
        elif cause is not None and offers is self.undated[viewer]:
            return lasting
        found = {id(old.choices): old for old in lasting}  # rules make most offers once: then this is the same one
        return tuple(
            [
                same
                if (same := found.get(id(new.choices))) is not None and same.action is new.action
                else _dated(new, lasting, now)
                for new in offers
            ]
        )

    def _undo_point(self, batch: Batch) -> "tuple[Seat, Table] | None":
        if batch.cause is None or batch.draws or type(batch.cause.action) not in self.game.INFO.undoable:
            return None
        if batch.cause.bot:
            return None
        before = self if self.undo_point and self.undo_point[0] == batch.cause.seat else replace(self, undo_point=None)
        return batch.cause.seat, before

    def _undone(self, batch: Batch) -> "Table":
        if self.undo_point is None:
            raise ValueError(f"event {batch.seq} takes back what cannot be taken back")
        before = self.undo_point[1]
        *seats, by_time = before.offers  # time does not begin anew
        offers = (*(tuple(replace(offer, since=batch.last) for offer in own) for own in seats), by_time)
        return replace(before, seq=batch.last, offers=offers)

    def __repr__(self) -> str:
        # Neither seed nor cards: a table may be named in a log or a traceback.
        return f"Table({self.game.INFO.id!r}, seats={self.seats}, seq={self.seq})"

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        # Modules do not pickle; the registry knows the game by its id.
        fields = tuple(getattr(self, name) for name in self.__struct_fields__[1:])
        return _restored, (self.game.INFO.id, *fields)


Decision: TypeAlias = tuple[Table, Batch]
"""The table after something was decided, and what is added to its record."""


def _dated(new: Offer, stood: tuple[Offer, ...], now: int) -> Offer:
    """Date one offer: also one that has only grown keeps its date, so that what was composed from it still counts."""
    alike = [old for old in stood if old.action is new.action]
    if not alike:  # nearly always
        return Offer(new.action, new.choices, now)
    for old in alike:
        if old.choices == new.choices:
            return old
    grown = alike if new.count > 1 else ()  # what admits one action has not grown out of another
    return replace(new, since=max((old.since for old in grown if new.includes(old)), default=now))


def _is_asked(offers: tuple[Offer, ...], answers: tuple[type[Action], ...]) -> bool:
    """Say whether a seat with these offers owes an answer, whatever interrupts stand beside it."""
    for offer in offers:  # noqa: SIM110  (a generator would double the cost of a hot path)
        if offer.action in answers:
            return True
    return False


def _restored(game: str, *fields: Any) -> Table:
    return Table(games.get(game), *fields)
