"""A bot in its seat: it is told what the seat is told, and told everything again it makes its own moves again."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from whodunit.core.redact import fold, redact
from whodunit.core.types import Action, Batch, Event, Game, Player, Seat, Undone, Update
from whodunit.core.wire import detach


class SeenBatch(Struct, frozen=True):
    """What one batch told a seat, and whether the seat itself was its cause."""

    events: tuple[Event, ...]
    mine: bool
    urgent: bool = False
    """Whether it was an interrupt."""


def seen_batch(batch: Batch, game: Game, seat: Seat) -> SeenBatch:
    """Return what a batch tells a seat."""
    mine = batch.cause is not None and batch.cause.seat == seat
    urgent = mine and batch.cause is not None and type(batch.cause.action) in game.INFO.interrupts
    return SeenBatch(tuple([redact(event, seat) for event in batch.events]), mine, urgent)


def light(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events to be kept in mind: what was heard is in the belief, and clips are long."""
    return tuple([detach(event)[0] for event in events])


class SeatedBot:
    """A player with what its seat has seen; the view is folded here, as at the table."""

    def __init__(self, player: Player, game: Game, seat: Seat) -> None:
        self.game = game
        self.seat = seat
        self.player = player
        self.events: list[Event] = []
        self.view: Any = None
        self.may_act = self.is_asked = False
        self.chosen: Action | None = None
        """What it has decided to do as things stand; None: it has not been asked yet."""

    def see(self, step: SeenBatch) -> None:
        """Take in what one batch has told the seat."""
        self.chosen = None
        self.events += light(step.events)
        if any(isinstance(event, Undone) for event in step.events):
            self.view = fold(self.game, self.events)
        else:
            for event in step.events:
                self.view = self.game.evolve(self.view, event)
        offers = tuple(self.game.legal(self.view, self.seat))
        self.may_act = bool(offers)
        self.is_asked = any(offer.action in self.game.INFO.answers for offer in offers)
        self.player.see(
            Update(
                seq=len(self.events),
                events=step.events,
                view=self.view,
                offers=offers,
                awaiting=self.game.awaiting(self.view),
                outcome=self.game.outcome(self.view),
            )
        )

    def act(self) -> Action:
        """Return what it does now; asked twice in one position it gives one answer, as its draws move on each time."""
        self.chosen = self.chosen or self.player.act()
        return self.chosen

    def relive(self, step: SeenBatch) -> Action:
        """Make its own move of a step that it has not seen yet: what it has chosen, or chooses now for the first time.

        A player that is seated anew comes so to the same draws and beliefs as the one that made the move.
        """
        return self.chosen or (self.player.interrupt() if step.urgent else None) or self.player.act()

    def is_overtaken(self, steps: Sequence[SeenBatch]) -> bool:
        """Say whether others acted when it had chosen: its draws have moved on for a move that it never made."""
        return self.chosen is not None and bool(steps) and (not steps[0].mine or steps[0].urgent)
