"""Events as a viewer is told them, each with its log line: on the event loop or, where there are many, in a worker."""

from collections.abc import Iterable

from whodunit.core.frames import EventFrame, line
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Batch, Event, Game, Seat


def event_frames(
    game: Game, events: Iterable[tuple[int, Batch, Event]], viewer: Seat, untimed: int
) -> tuple[EventFrame, ...]:
    """Return events, with their numbers and batches, as the viewer may see them.

    What happened before `untimed` one person played alone: when, is nobody else's business.
    """
    seen = [(seq, batch, redact(event, viewer)) for seq, batch, event in events]
    untimed = untimed if viewer == TABLE else 0
    return tuple(
        [
            EventFrame(seq, batch.seq, 0 if batch.at < untimed else batch.at, event, line(game, event))
            for seq, batch, event in seen
        ]
    )
