"""A case's past, to be looked at again and again: what was folded once is gone on from."""

from bisect import bisect_left, bisect_right
from itertools import islice, takewhile
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from whodunit.core.offer import Offer
from whodunit.core.redact import redact, standing_by_seq
from whodunit.core.types import Batch, Event, Game, Seat

Eyes: TypeAlias = Seat | Literal["all"]
"""Whose eyes the past is seen with: a seat's, TABLE's, or those of whoever may know everything."""
SPACING: Final = 16
"""After so many events what was folded is kept."""


class Replay:
    """What has happened so far, and how things stood in between, as each of those saw it who have looked."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._events: list[Event] = []
        self._batches: list[Batch] = []
        self._states: dict[tuple[Eyes, int], Any] = {}
        """By eyes and event: what was folded up to there. What stands before an event never changes."""

    @property
    def seq(self) -> int:
        """How many events there have been."""
        return len(self._events)

    def grow(self, batch: Batch) -> None:
        """Take in what happened next."""
        self._events += batch.events
        self._batches.append(batch)

    def view(self, eyes: Eyes, seq: int) -> Any:
        """Return the table as it stood after an event: the fold of what these eyes have seen, as `redact.fold` says."""
        stood = standing_by_seq(islice(self._events, seq))
        places = range(len(stood) - 1, -1, -1)
        known = next((place for place in places if (eyes, stood[place][0]) in self._states), None)
        state = None if known is None else self._states[eyes, stood[known][0]]
        for place in range(0 if known is None else known + 1, len(stood)):
            number, event = stood[place]
            state = self._game.evolve(state, event if eyes == "all" else redact(event, eyes))
            if place % SPACING == 0:
                self._states[eyes, number] = state
        return state

    def offers(self, seat: Seat, seq: int) -> tuple[Offer, ...]:
        """Return what was on offer to a seat after an event, dated by it; in the middle of a batch nothing was."""
        place = bisect_left(self._batches, seq, key=attrgetter("last"))
        if place == len(self._batches) or self._batches[place].last != seq:
            return ()
        return tuple([replace(offer, since=seq) for offer in self._game.legal(self.view(seat, seq), seat)])

    def seen(self, seat: Seat, seq: int) -> list[Event]:
        """Return the events up to one of them as a seat has seen them."""
        return [redact(event, seat) for event in islice(self._events, seq)]

    def open_until(self, late: int) -> int:
        """Return the last event that was stored by then; 0: there is none."""
        return next((batch.last for batch in reversed(self._batches) if batch.at <= late), 0)

    def numbered(self, after: int, until: int) -> list[tuple[int, Batch, Event]]:
        """Return the events behind one up to another, each with its number and its batch."""
        first = bisect_right(self._batches, after, key=attrgetter("last"))
        return [
            (seq, batch, event)
            for batch in takewhile(lambda batch: batch.seq <= until, islice(self._batches, first, None))
            for seq, event in enumerate(batch.events, batch.seq)
            if after < seq <= until
        ]
