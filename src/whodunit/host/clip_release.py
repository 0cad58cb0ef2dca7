"""When a move that is heard is published, and which of its clips may be heard when and by whom.

Its moments follow from what is stored and from public facts, so waiting tells nothing and a restart changes nothing.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from whodunit.core.ports import Store
from whodunit.core.types import TABLE, Batch, Seat
from whodunit.core.wire import blobs_of
from whodunit.host.live import Live, Noise
from whodunit.room.pace import SOLO, TEMPI
from whodunit.table.codec import whole

Verdict: TypeAlias = Literal["open", "early", "gone", "unknown"]
"""Whether a viewer may fetch a clip: now, not yet, not any more, never."""


def lasts(live: Live, batch: Batch, haste: float) -> int:
    """Return how many milliseconds the clips of a batch take, one after another."""
    if live.game.INFO.sounds is None:
        return 0
    return round(1000 * _clip_s(live) * haste * sum(len(blobs_of(event)) for event in batch.events))


def published(live: Live, batch: Batch, wished: int, now: int, haste: float) -> int:
    """Return the moment at which a move that is decided by now may be made known: it tells nothing of how it fell."""
    sounds, pace = live.game.INFO.sounds, live.room.pace
    if sounds is None or haste <= 0:
        return wished
    clips = sum(len(blobs_of(event)) for event in batch.events)
    beat = TEMPI[pace].beat / 1000 if pace in SOLO else None
    return wished + round(1000 * haste * sounds.published(clips, (now - wished) / 1000 / haste, beat))


def released(live: Live, noise: Noise, haste: float) -> int:
    """Return the moment from which on a clip may be heard: one after another, from the publication on."""
    return noise.at + round(1000 * _clip_s(live) * noise.nth * haste)


def _clip_s(live: Live) -> float:
    sounds = live.game.INFO.sounds
    assert sounds is not None
    return 0.0 if live.room.pace == "at_once" else sounds.clip_s  # there, drops are seen and not heard


def ends(live: Live, haste: float) -> int:
    """Return the moment at which the last clip of the table is released; 0 if there is none."""
    return released(live, last, haste) if (last := live.last_noise) else 0


def heard(live: Live, haste: float) -> int:
    """Return the moment at which everybody who listened has heard the last clip; 0 if there is none."""
    return ends(live, haste) + round(1000 * _clip_s(live) * haste) if live.noises else 0


def heard_until(live: Live, now: int, haste: float) -> int | None:
    """Return the last event before the first clip that nobody has heard yet; None if there is no such clip."""
    if now >= ends(live, haste):
        return None
    return min(noise.seq for noise in live.noises.values() if released(live, noise, haste) > now) - 1


def verdict(live: Live, viewer: Seat, id: str, now: int, haste: float) -> Verdict:
    """Say whether a viewer may fetch a clip: each seat has a first hearing, the view says what else."""
    noise, table, sounds = live.noises.get(id), live.table, live.game.INFO.sounds
    if noise is None or table is None or sounds is None:
        return "unknown"
    if now < released(live, noise, haste):
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
