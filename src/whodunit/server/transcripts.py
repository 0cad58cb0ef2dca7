"""What a seat has been told, for whoever thinks for it in another process."""

from collections.abc import Sequence

from msgspec.structs import replace

from whodunit.bots.reliving import seen_batch
from whodunit.core.ports import Record
from whodunit.core.types import Seat
from whodunit.host.clip_release import heard_until, with_clips
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.server.thoughts import Seen
from whodunit.table.codec import unpack


async def told(
    host: Host,
    live: Live,
    seat: Seat,
    after: int,
    until: int | None = None,
    *,
    records: Sequence[Record] | None = None,
) -> Seen:
    """Collect what the seat has been told behind an event; of a clip that is not yet released it hears nothing.

    A bot is told batches as wholes, from the case's `records`, so that it can be run again; notes go on with each clip.
    """
    # Notes may have come as far as a clip in the middle of a batch.
    begun = next((noise.batch - 1 for noise in live.noises.values() if noise.seq == after + 1), after)
    batchwise = records is not None
    if records is None:
        records = await host.store.read(live.id, "case", begun)
    batches = [unpack(record.body, live.game) for record in records if record.seq > begun]
    if live.game.INFO.sounds is not None:
        heard = heard_until(live, host.clock.now(), host.haste)
        if heard is not None:
            until = heard if until is None else min(heard, until)
            batches = [batch for batch in batches if (batch.last if batchwise else batch.seq) <= heard]
        batches = await with_clips(host.store, live.id, batches)
    steps = []
    for batch in batches:
        step = seen_batch(batch, live.game, seat)
        events = step.events[max(0, after - batch.seq + 1) :]
        events = events if until is None else events[: max(0, until - max(after, batch.seq - 1))]
        if events:
            steps.append(replace(step, events=events))
    return Seen(live.id, live.game.INFO.id, seat, after, tuple(steps))
