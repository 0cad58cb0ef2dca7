"""JSON for the wire, the store and files: one encoder for everything, the same bytes for equal values."""

from collections.abc import Mapping
from typing import Any

import msgspec

from whodunit.core.types import Blob


def encode(value: object) -> bytes:
    """Encode a value; sets and maps come out sorted, structs as they are declared: equal values give equal bytes."""
    return _ENCODER.encode(value)


def _named(value: object) -> str:
    # An offer's action type travels as its tag; everything else is a bug.
    if isinstance(value, type):
        return value.__name__
    raise TypeError(f"{type(value).__name__} does not go on the wire")


_ENCODER = msgspec.json.Encoder(enc_hook=_named, order="deterministic")


def blobs_of(value: Any) -> dict[str, Blob]:
    """Return an event's blobs by the name of their field."""
    fields = {name: getattr(value, name) for name in value.__struct_fields__}
    return {name: field for name, field in fields.items() if isinstance(field, Blob)}


def detach(value: Any) -> tuple[Any, tuple[Blob, ...]]:
    """Return an event without the bytes of its blobs, and the blobs: events travel with ids alone."""
    changes: dict[str, Blob] = {}
    blobs: list[Blob] = []
    for name in value.__struct_fields__:
        field = getattr(value, name)
        if isinstance(field, Blob) and field.data:
            blobs.append(field)
            changes[name] = msgspec.structs.replace(field, data=b"")
    return (msgspec.structs.replace(value, **changes) if changes else value), tuple(blobs)


def attach(value: Any, data: Mapping[str, bytes]) -> Any:
    """Return an event with the bytes that its blobs lack, as far as they are there: by id."""
    found = {name: blob for name, blob in blobs_of(value).items() if not blob.data and blob.id in data}
    whole = {name: msgspec.structs.replace(blob, data=data[blob.id]) for name, blob in found.items()}
    return msgspec.structs.replace(value, **whole) if whole else value
