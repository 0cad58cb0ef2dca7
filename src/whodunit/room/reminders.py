"""Whose turn it is to do something, so that it is worth telling a player who does not look."""

from typing import Final

from whodunit.core.types import Seat
from whodunit.host.live import Live
from whodunit.room import answers, pace

WORTH_MS: Final = 60_000
"""An answer that the house gives within this time is not worth a notice: nobody would come in time to choose."""


def called(live: Live, seat: Seat, now: int) -> int | None:
    """Return since when the table waits for the seat's player; None: it does not, or a bot plays for them."""
    table = live.table
    if table is None or seat not in table.awaiting or live.plays(seat) is not None:
        return None
    if seat in table.asked and not _has_time(live, seat, now):
        return None
    return pace.waited(table, seat)


def _has_time(live: Live, seat: Seat, now: int) -> bool:
    """Say whether an asked player has time to come and answer: whether there is a choice must not be told by a post."""
    due = live.room.chairs[seat].due
    return due is not None and max(due.at, answers.patience(live, seat) or 0) - now >= WORTH_MS
