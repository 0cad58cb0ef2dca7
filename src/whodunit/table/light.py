"""A light game for search and training: the same rules, draws and redaction as a case, with no seal, record or undo."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import fold, redact
from whodunit.core.rng import Rng, Unrecorded
from whodunit.core.types import TABLE, Action, Event, Frozen, Game, Outcome, S, Seat, Update
from whodunit.table.seal import Seal

Past: TypeAlias = "tuple[Past, Event] | None"
"""What has happened: what happened before, and the last event.

A step adds to it and copies nothing; games that have parted share what they have in common.
"""
Known: TypeAlias = tuple[Past, Any]
"""A view that was made, and what had happened then: from there it can be gone on with."""


class Light(Frozen, Struct, Generic[S], frozen=True, eq=False, gc=False):
    """A game in progress; a value: every step returns a new game, and the old one goes on being what it was.

    `light_game`, `light_of` and `resample` make one. Views and offers are made when somebody asks for them. Its offers
    bear no date: nobody comes too late here.
    """

    game: Game
    """The rules it is played by."""
    seats: int
    """How many play."""
    seed: bytes
    """What everything that is still to be drawn follows from: a secret, as the truth is."""
    seq: int
    """How many events there have been."""
    state: Any
    """The truth, secrets included."""
    past: Past
    """All events, the last one outermost; `events` lists them."""
    known: tuple[Known, ...]
    """By viewer, TABLE last: the last view that was made on the way here. Nothing but a memory of what can be made."""
    offered: dict[Seat, tuple[Offer, ...]]
    """What has been asked for of `legal`; a memory as well."""

    @property
    def options(self) -> Any:
        """The options it is played with."""
        return self.state.options

    @property
    def awaiting(self) -> tuple[Seat, ...]:
        """The seats that hold up the game, in order."""
        return _IN_ORDER[self.game.awaiting(self.state)]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return self.game.outcome(self.state)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, secrets included."""
        return tuple(_between(None, self.past))

    def legal(self, seat: Seat) -> tuple[Offer, ...]:
        """Return what the seat may do now; whoever is not at the table may do nothing."""
        offered = self.offered
        if seat in offered:
            return offered[seat]
        if not TABLE <= seat < self.seats:
            return ()
        # Of the truth and of the seat's view the rules make the same offers: the conformance suite proves it.
        offers = offered[seat] = tuple(self.game.legal(self.state, seat))
        return offers

    def step(self, seat: Seat, action: Action, rng: Rng | None = None) -> "Light[S]":
        """Return the game after the seat's action, or raise Illegal."""
        offered, kind = self.offered, type(action)
        for offer in offered[seat] if seat in offered else self.legal(seat):
            if offer.action is kind and offer.admits(action):
                game, seed, seq, state, past = self.game, self.seed, self.seq, self.state, self.past
                if rng is None:
                    rng = _blank(Unrecorded)  # as Unrecorded(seed, seq + 1), in half the time
                    rng.seed = seed
                    rng.seq = seq + 1
                evolve = game.evolve
                for event in game.decide(state, seat, action, rng):
                    state = evolve(state, event)
                    past = past, event
                    seq += 1
                return Light(game, self.seats, seed, seq, state, past, self.known, {})
        raise Illegal(seat, action, self.legal(seat))

    def view(self, seat: Seat = TABLE) -> Any:
        """Return the game as this seat knows it from what it has seen; as TABLE, what is public."""
        self._check(seat)
        past, view = self.known[seat]
        if past is self.past:
            return view
        news = [redact(event, seat) for event in _between(past, self.past)]
        if past is None:
            view = fold(self.game, news)
        else:
            evolve = self.game.evolve
            for event in news:
                view = evolve(view, event)
        place = seat % (self.seats + 1)
        force_setattr(self, "known", (*self.known[:place], (self.past, view), *self.known[place + 1 :]))
        return view

    def seen(self, seat: Seat) -> tuple[Event, ...]:
        """Return everything that happened as the seat saw it, oldest first."""
        return self.news(seat, 0)

    def news(self, seat: Seat, since: int) -> tuple[Event, ...]:
        """Return what happened after event number `since` as the seat saw it, oldest first."""
        self._check(seat)
        news: list[Event] = []
        past = self.past
        for _ in range(since, self.seq):
            assert past is not None
            past, event = past
            news.append(redact(event, seat))
        news.reverse()
        return tuple(news)

    def update(self, viewer: Seat, since: int) -> Update:
        """Return what a player of this seat is told who has been told everything until event number `since`."""
        return Update(
            seq=self.seq,
            events=self.news(viewer, since),
            view=self.view(viewer),
            offers=self.legal(viewer),
            awaiting=self.game.awaiting(self.state),
            outcome=self.outcome,
        )

    def _check(self, viewer: Seat) -> None:
        if not TABLE <= viewer < self.seats:
            raise ValueError(f"there is no seat {viewer} at a table of {self.seats}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Light):
            return NotImplemented
        return self is other or (
            (self.game.INFO.id, self.seats, self.seed, self.seq)
            == (other.game.INFO.id, other.seats, other.seed, other.seq)
            and (self.past is other.past or self.events == other.events)
        )

    def __hash__(self) -> int:
        return hash((self.game.INFO.id, self.seats, self.seed, self.seq))

    def __repr__(self) -> str:
        # Neither seed nor cards, as for the table.
        return f"Light({self.game.INFO.id!r}, seats={self.seats}, seq={self.seq})"

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        # Modules do not pickle; the registry knows the game by its id. A long chain would be too deep to pickle.
        return _restored, (self.game.INFO.id, self.seats, self.seed, self.state, self.events)


def open_light(id: str, seats: int, seed: int | str, options: Mapping[str, object]) -> Light:
    """Open a light game of this id; with the same seed and the same actions it goes as `new_game` does."""
    game = games.get(id)
    parsed = game.INFO.parse(seats, options)
    own = _seed(seed)
    return _of(game, seats, own, tuple(game.setup(seats, parsed, Unrecorded(own, 1))))


def light_of(game: Game | str, seats: int, seed: int | str, events: Sequence[Event]) -> Light:
    """Return the light game in which this has happened, secrets included; what is drawn from here on is the seed's."""
    return _of(games.get(game) if isinstance(game, str) else game, seats, _seed(seed), tuple(events))


_blank: Final = object.__new__


def _of(game: Game, seats: int, seed: bytes, events: tuple[Event, ...]) -> Light:
    return _restored_in(game, seats, seed, fold(game, events), events)


def _restored(id: str, *fields: Any) -> Light:
    return _restored_in(games.get(id), *fields)


def _restored_in(game: Game, seats: int, seed: bytes, state: Any, events: tuple[Event, ...]) -> Light:
    past: Past = None
    for event in events:
        past = past, event
    return Light(game, seats, seed, len(events), state, past, ((None, None),) * (seats + 1), {})


def _seed(seed: int | str) -> bytes:
    return Seal.from_seed(seed).seed(())


class _InOrder(dict[frozenset[Seat], tuple[Seat, ...]]):
    """Seats in their order: there are few sets of them, and one is asked for at every decision."""

    def __missing__(self, seats: frozenset[Seat]) -> tuple[Seat, ...]:
        ordered = self[seats] = tuple(sorted(seats))
        return ordered


_IN_ORDER: Final = _InOrder()


def _between(start: Past, end: Past) -> list[Event]:
    """Return what happened after one past up to a later one, oldest first."""
    events = []
    while end is not start:
        assert end is not None, "one is the other's past"
        end, event = end
        events.append(event)
    events.reverse()
    return events
