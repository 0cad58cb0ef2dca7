"""Whose turn it is to do something, so that a player who does not look should be reminded."""

from typing import Final

from whodunit.core.types import Seat
from whodunit.room import answers, pace
from whodunit.room.room import Room
from whodunit.table.table import Table

WORTH_MS: Final = 60_000
"""An answer that the house gives within this time is not worth a notice: nobody would come in time to choose."""


def waited_since(room: Room, table: Table | None, seat: Seat, now: int) -> int | None:
    """Return since which event the table waits for the seat's player; None: it does not, or a bot plays for them."""
    if table is None or seat not in table.awaiting or room.chairs[seat].bot_level is not None:
        return None
    if seat in table.asked and not _has_time(room, seat, now):
        return None
    return pace.waited_since(table, seat)


def _has_time(room: Room, seat: Seat, now: int) -> bool:
    """Say whether an asked player has time to come and answer: whether there is a choice must not be told by a post."""
    due = room.chairs[seat].due
    return due is not None and max(due.at, answers.patience(room, seat) or 0) - now >= WORTH_MS
