"""An event as it is told over a wire: to a page, to a bot on the site's socket, to a program in an arena's seat."""

from typing import Any

from msgspec import Struct

from whodunit.core.types import Event, Game, Message, Undone


class EventFrame(Struct, frozen=True):
    """One event as this viewer may see it, with its log line."""

    seq: int
    batch: int
    """The first event that came with it: what one action brings about is one batch."""
    at: int
    """The server's clock in milliseconds; 0 for what happened while another person played alone, and where is none."""
    event: Any
    line: Message


def line(game: Game, event: Event) -> Message:
    """Return the log line of an event."""
    return Message("undone") if isinstance(event, Undone) else game.tell(event)
