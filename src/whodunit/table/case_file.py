"""A closed case as one JSON-lines file: header, batches (events, cause, draws), seal; each line guards the next.

The bytes of a batch's blobs, such as clips, follow it in base64, each in a line of its own; a file may lack them.
"""

import hashlib
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from whodunit import games
from whodunit.core.errors import BadCase, StillOpen
from whodunit.core.types import Batch, Game, Seat
from whodunit.core.wire import encode
from whodunit.table.case import Case, Header
from whodunit.table.codec import BatchEntry, bare, read, whole, written
from whodunit.table.seal import Seal
from whodunit.table.table import Table


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One line: an entry, and a check over it and all lines before it."""

    check: str
    entry: Raw


class CaseEntry(Struct, frozen=True, tag="whodunit.case/1", forbid_unknown_fields=True):
    """The first line of a case."""

    header: Header


class TranscriptEntry(Struct, frozen=True, tag="whodunit.transcript/1", forbid_unknown_fields=True):
    """The first line of a viewer's transcript: the same game, without what the viewer may not know."""

    header: Header
    viewer: Seat


class BlobEntry(Struct, frozen=True, tag="blob", forbid_unknown_fields=True):
    """The bytes of a blob in the batch before it."""

    id: str
    data: bytes


class EndEntry(Struct, frozen=True, tag="end", forbid_unknown_fields=True):
    """The last line; a transcript has no seal to open."""

    closed: Literal["ended", "abandoned"] | None
    seal: Seal | None


def content(case: Case, seat: Seat | None = None) -> bytes:
    """Return the file of a closed case, or of any case the transcript of one seat (TABLE: the public one)."""
    return b"".join(_lines(_case_entries(case) if seat is None else _transcript_entries(case, seat)))


def parse(content: bytes) -> Case:
    """Return the case that a file holds, or say which line of it is wrong."""
    lines = content.split(b"\n")
    entries = list(_checked(lines))
    head = entries[0] if entries else None
    if isinstance(head, TranscriptEntry):
        raise BadCase("line 1: this is the transcript of one viewer, not a whole case")
    if not isinstance(head, CaseEntry):
        raise BadCase("line 1: a case begins with its header")
    end = entries[-1]
    if not isinstance(end, EndEntry) or end.seal is None or lines[-1] != b"":
        raise BadCase(f"line {len(entries) + 1}: the file ends before the case does; it has been cut off")
    game = _game(head.header)
    table = Table(game, head.header.seats, end.seal.seed(head.header.salts))
    batches: list[Batch] = []
    for number, entry in enumerate(entries[1:-1], 2):
        if isinstance(entry, BlobEntry) and batches:
            batches[-1] = _filled(number, batches[-1], entry)
        elif isinstance(entry, BatchEntry):
            batches.append(_batch(number, entry, game))
            table = _grown(number, table, batches[-1])
        else:
            raise BadCase(f"line {number}: between header and end a case has batches and their blobs only")
    case = Case(header=head.header, seal=end.seal, table=table, batches=tuple(batches), closed=end.closed)
    if not batches or (case.outcome is not None) != (end.closed == "ended"):
        raise BadCase(f"line {len(entries)}: the case is called {end.closed}, but its events say otherwise")
    return case


def _case_entries(case: Case) -> Iterator[Struct]:
    if case.closed is None:
        raise StillOpen("this case is still open: play it to its end, close it, or save one seat's transcript")
    yield CaseEntry(case.header)
    for batch in case.batches:
        yield from _with_blobs(batch)
    yield EndEntry(case.closed, case.seal)


def _with_blobs(batch: Batch) -> Iterator[Struct]:
    light, blobs = bare(batch)
    yield written(light)
    for blob in blobs:
        yield BlobEntry(blob.id, blob.data)


def _transcript_entries(case: Case, viewer: Seat) -> Iterator[Struct]:
    if viewer not in case.table.viewers:
        raise ValueError(f"there is no seat {viewer} at a table of {case.header.seats}")
    yield TranscriptEntry(case.header, viewer)
    for batch in case.batches:
        yield from _with_blobs(Batch(batch.seq, case.table.seen(viewer, batch.events), at=batch.at))
    yield EndEntry(case.closed, None)


def _lines(entries: Iterator[Struct]) -> Iterator[bytes]:
    check = ""
    for entry in entries:
        body = encode(entry)
        check = _check(check, body)
        yield encode(Line(check, Raw(body))) + b"\n"


def _check(before: str, body: bytes) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()[:32]


_ENTRY = msgspec.json.Decoder(CaseEntry | TranscriptEntry | BatchEntry | BlobEntry | EndEntry)
_LINE = msgspec.json.Decoder(Line)


def _checked(lines: list[bytes]) -> Iterator[Struct]:
    check = ""
    for number, text in enumerate(lines, 1):
        if text == b"" and number == len(lines):
            return
        try:
            line = _LINE.decode(text)
            check = _check(check, bytes(line.entry))
            entry = _ENTRY.decode(line.entry)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadCase(f"line {number}: {error}") from error
        if line.check != check:
            raise BadCase(f"line {number}: this line, or the one before it, has been altered: its check does not fit")
        yield entry


def _game(header: Header) -> Game:
    try:
        return games.get(header.game)
    except LookupError as error:
        raise BadCase(f"line 1: {error}") from error


def _batch(number: int, entry: BatchEntry, game: Game) -> Batch:
    try:
        return read(entry, game)
    except msgspec.MsgspecError as error:
        raise BadCase(f"line {number}: {error}") from error


def _filled(number: int, batch: Batch, entry: BlobEntry) -> Batch:
    full = whole(batch, {entry.id: entry.data})
    if full == batch:
        raise BadCase(f"line {number}: the batch before has no blob {entry.id!r} without its bytes")
    return full


def _grown(number: int, table: Table, batch: Batch) -> Table:
    try:
        return table.grow(batch)
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise BadCase(f"line {number}: these events cannot follow what stands before them ({error})") from error
