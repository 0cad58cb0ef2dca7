"""A batch as it is written: in a store's record and as a line of a case file."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from whodunit.core.redact import hidden
from whodunit.core.rng import Draw
from whodunit.core.types import Action, Batch, Blob, Cause, Game, Seat, Undone
from whodunit.core.wire import attach, detach, encode


class WrittenCause(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A cause whose action is still undecoded."""

    seat: Seat
    action: Raw
    bot: bool = False


class BatchEntry(Struct, frozen=True, tag="batch", forbid_unknown_fields=True):
    """One batch; a transcript has neither causes nor draws."""

    seq: int
    events: tuple[Raw, ...]
    cause: WrittenCause | None = None
    draws: tuple[Draw, ...] = ()
    at: int = 0


def written(batch: Batch) -> BatchEntry:
    """Return the batch as it is written."""
    cause = None
    if batch.cause is not None:
        cause = WrittenCause(batch.cause.seat, Raw(encode(batch.cause.action)), batch.cause.bot)
    return BatchEntry(batch.seq, tuple(Raw(encode(event)) for event in batch.events), cause, batch.draws, batch.at)


class _Decoders(NamedTuple):
    event: "msgspec.json.Decoder[Any]"
    action: "msgspec.json.Decoder[Any]"
    info: Any
    """Kept, so that its identity is nobody else's."""


_DECODERS: dict[int, _Decoders] = {}


def _decoders(game: Game) -> _Decoders:
    """Return a game's decoders; to make one for a union, or even to compare two unions, takes longer than to use it."""
    info = game.INFO
    found = _DECODERS.get(id(info))
    if found is None:
        found = _Decoders(msgspec.json.Decoder(info.event | Undone), msgspec.json.Decoder(info.action), info)
        _DECODERS[id(info)] = found
    return found


def read_action(raw: bytes | Raw, game: Game) -> Action:
    """Return an action again, or raise a msgspec error."""
    action: Action = _decoders(game).action.decode(raw)
    return action


def read(entry: BatchEntry, game: Game) -> Batch:
    """Return the batch again, or raise a msgspec error."""
    decode = _decoders(game).event.decode
    cause = None
    if entry.cause is not None:
        cause = Cause(entry.cause.seat, read_action(entry.cause.action, game), entry.cause.bot)
    return Batch(seq=entry.seq, events=tuple(map(decode, entry.events)), cause=cause, draws=entry.draws, at=entry.at)


def bare(batch: Batch) -> tuple[Batch, tuple[Blob, ...]]:
    """Return the batch as it is stored, and apart from it its blobs: a blob in it has its id alone."""
    blobs: list[Blob] = []
    events = []
    for event in batch.events:
        light, own = detach(event)
        events.append(light)
        blobs += own
    return (batch if not blobs else msgspec.structs.replace(batch, events=tuple(events))), tuple(blobs)


def whole(batch: Batch, data: Mapping[str, bytes]) -> Batch:
    """Return the batch with the bytes of its blobs, as far as they are there."""
    return msgspec.structs.replace(batch, events=tuple(attach(event, data) for event in batch.events))


def packed(batch: Batch) -> bytes:
    """Encode a batch for the store, as long as what everybody may know of it says: its secrets take up a fixed room."""
    body = encode(batch)
    events = [hidden(event) for event in batch.events]
    if all(closed is event for closed, event in zip(events, batch.events, strict=True)):
        return body
    public = len(encode(msgspec.structs.replace(batch, events=tuple(events), cause=None, draws=())))
    secret = max(SECRET_BYTES, 1 << (len(body) - public).bit_length())
    return body.ljust(public + secret)


SECRET_BYTES: Final = 256
"""How much room secrets get in a record at least; what needs more gets twice as much, and so on."""


def unpack(body: bytes, game: Game) -> Batch:
    """Decode a batch that was stored."""
    return read(_ENTRY.decode(body), game)


class StoredCause(NamedTuple):
    """What somebody did, as plain data."""

    seq: int
    at: int
    seat: Seat
    action: Any


def cause_of(body: bytes) -> StoredCause | None:
    """Return why a stored batch happened, without knowing its game; None if nobody did it."""
    entry = _ENTRY.decode(body)
    if entry.cause is None:
        return None
    return StoredCause(entry.seq, entry.at, entry.cause.seat, msgspec.json.decode(entry.cause.action))


_ENTRY = msgspec.json.Decoder(BatchEntry)
