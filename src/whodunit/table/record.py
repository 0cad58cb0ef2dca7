"""A batch as it is written: in a store's record and as a line of a case file."""

import msgspec
from msgspec import Raw, Struct

from whodunit.core.rng import Draw
from whodunit.core.types import Batch, Blob, Cause, Game, Seat, Undone
from whodunit.core.wire import detach, encode


class WrittenCause(Struct, frozen=True, forbid_unknown_fields=True):
    """A cause whose action is still undecoded."""

    seat: Seat
    action: Raw


class BatchEntry(Struct, frozen=True, tag="batch", forbid_unknown_fields=True):
    """One batch; a transcript has neither causes nor draws."""

    seq: int
    events: tuple[Raw, ...]
    cause: WrittenCause | None = None
    draws: tuple[Draw, ...] = ()
    at: int = 0


def written(batch: Batch) -> BatchEntry:
    """Return the batch as it is written."""
    cause = None if batch.cause is None else WrittenCause(batch.cause.seat, Raw(encode(batch.cause.action)))
    return BatchEntry(batch.seq, tuple(Raw(encode(event)) for event in batch.events), cause, batch.draws, batch.at)


def read(entry: BatchEntry, game: Game) -> Batch:
    """Return the batch again, or raise a msgspec error."""
    events = tuple(msgspec.json.decode(event, type=game.INFO.event | Undone) for event in entry.events)
    cause: Cause | None = None
    if entry.cause is not None:
        cause = Cause(entry.cause.seat, msgspec.json.decode(entry.cause.action, type=game.INFO.action))
    return Batch(seq=entry.seq, events=events, cause=cause, draws=entry.draws, at=entry.at)


def pack(batch: Batch) -> tuple[bytes, tuple[Blob, ...]]:
    """Encode a batch for a store, its blobs apart."""
    blobs: list[Blob] = []
    events = []
    for event in batch.events:
        bare, own = detach(event)
        events.append(bare)
        blobs += own
    body = batch if not blobs else msgspec.structs.replace(batch, events=tuple(events))
    return encode(body), tuple(blobs)


def unpack(body: bytes, game: Game) -> Batch:
    """Decode what `pack` has encoded; a blob has its id alone."""
    return read(_ENTRY.decode(body), game)


_ENTRY = msgspec.json.Decoder(BatchEntry)
