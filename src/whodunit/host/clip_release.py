"""Which clip may be heard when and by whom. Its moment follows from what is stored, so a restart changes nothing."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from whodunit.core.ports import Store
from whodunit.core.types import TABLE, Batch, Seat
from whodunit.core.wire import blobs_of
from whodunit.host.live import Live, Noise
from whodunit.table.codec import whole
from whodunit.tower.schedule import RELEASED

Verdict: TypeAlias = Literal["open", "early", "gone", "unknown"]
"""Whether a viewer may fetch a clip: now, not yet, not any more, never."""


def released(noise: Noise, haste: float) -> int:
    """Return the moment from which on a clip may be heard: one after another, from the publication on."""
    return noise.at + round(1000 * RELEASED * noise.nth * haste)


def ends(live: Live, haste: float) -> int:
    """Return the moment at which the last clip of the table is released; 0 if there is none."""
    return released(last, haste) if (last := live.last_noise) else 0


def heard(live: Live, haste: float) -> int:
    """Return the moment at which everybody who listened has heard the last clip; 0 if there is none."""
    return ends(live, haste) + round(1000 * RELEASED * haste) if live.noises else 0


def heard_until(live: Live, now: int, haste: float) -> int | None:
    """Return the last event before the first clip that nobody has heard yet; None if there is no such clip."""
    if now >= ends(live, haste):
        return None
    return min(noise.seq for noise in live.noises.values() if released(noise, haste) > now) - 1


def verdict(live: Live, viewer: Seat, id: str, now: int, haste: float) -> Verdict:
    """Say whether a viewer may fetch a clip: AROSA-R24 gives each seat a first hearing, the view says what else."""
    noise, table, sounds = live.noises.get(id), live.table, live.game.INFO.sounds
    if noise is None or table is None or sounds is None:
        return "unknown"
    if now < released(noise, haste):
        return "early"
    if table.closed or id in sounds.again(table.views[viewer]):
        return "open"
    if viewer != TABLE:
        return "open" if noise.seq > live.room.chairs[viewer].heard else "gone"
    # Nobody counts what spectators have heard: they get what fell last.
    return "open" if live.last_noise and noise.at == live.last_noise.at else "gone"


async def with_clips(store: Store, table: str, batches: Iterable[Batch]) -> list[Batch]:
    """Return batches with the bytes of their clips, as far as the store still has them."""
    found = []
    for batch in batches:
        ids = [blob.id for event in batch.events for blob in blobs_of(event).values()]
        blobs = [await store.blob(table, id) for id in ids]
        data = {blob.id: blob.data for blob in blobs if blob is not None}
        found.append(whole(batch, data) if data else batch)
    return found
