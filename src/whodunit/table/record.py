"""A batch as it is written: in a store's record and as a line of a case file."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from whodunit.core.rng import Draw
from whodunit.core.types import Action, Batch, Blob, Cause, Game, Seat, Undone
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


@cache
def _decoder(union: Any) -> "msgspec.json.Decoder[Any]":
    # Made once: a decoder for a union of many structs takes far longer to make than to use.
    return msgspec.json.Decoder(union)


def read_action(raw: bytes | Raw, game: Game) -> Action:
    """Return an action again, or raise a msgspec error."""
    action: Action = _decoder(game.INFO.action).decode(raw)
    return action


def read(entry: BatchEntry, game: Game) -> Batch:
    """Return the batch again, or raise a msgspec error."""
    decode = _decoder(game.INFO.event | Undone).decode
    cause = None if entry.cause is None else Cause(entry.cause.seat, read_action(entry.cause.action, game))
    return Batch(seq=entry.seq, events=tuple(map(decode, entry.events)), cause=cause, draws=entry.draws, at=entry.at)


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
