"""JSON for the wire, the store and files: one encoder for everything, the same bytes for equal values."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from whodunit.core.types import Blob, Event

# An offer's action type travels as its tag; everything else is a bug, and a TypeError. No function of ours: offers are
# many, and a call would take half of their time.
_NAME_OF_TYPE: Final[Callable[[object], str]] = vars(type)["__name__"].__get__
_ENCODER: Final = msgspec.json.Encoder(enc_hook=_NAME_OF_TYPE, order="deterministic")
encode: Final[Callable[[object], bytes]] = _ENCODER.encode
"""Encode a value; sets and maps come out sorted, structs as they are declared: equal values give equal bytes."""
encode_into: Final[Callable[[object, bytearray, int], None]] = _ENCODER.encode_into
"""Encode a value into a buffer from a place on; -1: behind what stands there."""


def blobs_of(value: Event) -> dict[str, Blob]:
    """Return an event's blobs by the name of their field."""
    fields = {name: getattr(value, name) for name in _blob_fields(type(value))}
    return {name: blob for name, blob in fields.items() if blob is not None}


def detach(value: Event) -> tuple[Any, tuple[Blob, ...]]:
    """Return an event without the bytes of its blobs, and the blobs: events travel with ids alone."""
    if not _blob_fields(type(value)):
        return value, ()
    blobs = {name: blob for name, blob in blobs_of(value).items() if blob.data}
    changes = {name: msgspec.structs.replace(blob, data=b"") for name, blob in blobs.items()}
    return (msgspec.structs.replace(value, **changes) if changes else value), tuple(blobs.values())


def attach(value: Event, data: Mapping[str, bytes]) -> Any:
    """Return an event with the bytes that its blobs lack, as far as they are there: by id."""
    found = {name: blob for name, blob in blobs_of(value).items() if not blob.data and blob.id in data}
    whole = {name: msgspec.structs.replace(blob, data=data[blob.id]) for name, blob in found.items()}
    return msgspec.structs.replace(value, **whole) if whole else value


@cache
def _blob_fields(kind: type[Event]) -> tuple[str, ...]:
    """Return which fields of an event type hold blobs: of most, none."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return tuple(field.name for field in info.fields if _is_blob(field.type))


def _is_blob(kind: msgspec.inspect.Type) -> bool:
    if isinstance(kind, msgspec.inspect.Metadata):
        return _is_blob(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        return any(map(_is_blob, kind.types))
    return isinstance(kind, msgspec.inspect.StructType) and kind.cls is Blob
