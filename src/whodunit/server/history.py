"""The table as it stood: as one saw it, when the case is closed through any eyes, and late where all have agreed."""

from collections.abc import Sequence
from typing import Any

from whodunit.core.errors import Refusal, StillOpen
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE, Batch
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.server import protocol


async def look(host: Host, live: Live, person: str, ask: protocol.Look) -> protocol.Looked:
    """Show the table after an event, through one's own eyes or, if that is open, through others."""
    table = live.table
    if table is None or not 1 <= ask.seq <= table.seq:
        raise Refusal("no_event")
    seat = live.room.seat_of(person)
    own = TABLE if seat is None else seat
    eyes = own if ask.eyes is None else ask.eyes
    batches = await host.batches(live)
    is_open = table.closed or (eyes == "all" and ask.seq <= _open_until(host, live, person, batches))
    if eyes != own and not is_open:
        raise StillOpen
    if eyes != "all" and eyes not in table.viewers:
        raise Refusal("no_seat")
    events = _events(batches)[: ask.seq]
    seen = events if eyes == "all" else [redact(event, eyes) for event in events]
    return protocol.Looked(ask.seq, fold(live.game, seen))


async def peek(host: Host, live: Live, person: str) -> protocol.Looked:
    """Show who watches everything as it stood a while ago: nothing of what has happened since is in it."""
    batches = await host.batches(live)
    seq = _open_until(host, live, person, batches)
    if not seq:
        raise Refusal("no_event" if _may_peek(live, person) else "not_agreed")
    return protocol.Looked(seq, fold(live.game, _events(batches)[:seq]))


def _open_until(host: Host, live: Live, person: str, batches: Sequence[Batch]) -> int:
    """Return up to which event somebody who watches may see all hands; 0: nothing."""
    late = host.clock.now() - round(host.haste * manners.LATE_MS)
    old = [batch.last for batch in batches if batch.at <= late]
    return old[-1] if old and _may_peek(live, person) else 0


def _may_peek(live: Live, person: str) -> bool:
    return live.room.open_hands and live.room.seat_of(person) is None


def _events(batches: Sequence[Batch]) -> list[Any]:
    return [event for batch in batches for event in batch.events]
