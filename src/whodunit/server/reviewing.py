"""What the process for reviews does: it reads closed cases with one viewer's eyes after another, a little at a time.

It keeps the cases that it has read last, each as far as it has come. Of one that it does not know it is told all.
"""

import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.types import TABLE, Seat
from whodunit.review import SeatReview
from whodunit.review.review import reading, whole
from whodunit.review.verdict import ReviewPart, encoded
from whodunit.server.thoughts import Filed, Memory, unfiled
from whodunit.table.case import Case

AT_A_TIME: Final = 4
"""So many batches are read before others have their turn: a fixed number, since how long they take depends on hands."""
CASES: Final = 32
"""How many cases the process keeps, each as far as it has been read."""
PartName: TypeAlias = Seat | Literal["whole"]
"""A viewer's part of a review, or what all of them together say."""


class Opened(Struct, frozen=True):
    """A closed case that is to be reviewed."""

    table: str
    filed: Filed


class Wanted(Struct, frozen=True):
    """A part of a case's review is wanted."""

    table: str
    part: PartName


class Unknown(Struct, frozen=True):
    """In place of a result: the process does not know this case, or no longer."""


class _Reading:
    """One case, as far as it has been read."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._readings: dict[Seat, Iterator[SeatReview | None]] = {}
        self._parts: dict[Seat, SeatReview] = {}
        """Those that are ready, until all are."""
        self._packed: dict[PartName, bytes] = {}
        """The same for good: a hundredth of the memory."""

    def read_on(self, part: PartName) -> bytes | None:
        """Read some batches on; return the part, packed, when it is ready."""
        case, viewers = self._case, [*range(self._case.header.seats), TABLE]
        if part not in self._packed:
            wanted = viewers if part == "whole" else [part]
            if unread := [viewer for viewer in wanted if viewer not in self._parts]:
                self._read(unread[0])
            if part == "whole" and len(self._parts) == len(viewers):
                parts = [self._parts[viewer] for viewer in viewers]
                self._packed["whole"] = packed(whole(case.table.game, case.header, case.batches, parts))
                self._parts.clear()
        return self._packed.get(part)

    def _read(self, viewer: Seat) -> None:
        """Read some batches with a viewer's eyes; where that fails, whoever tries again begins anew."""
        case, steps = self._case, self._readings.pop(viewer, None)
        if steps is None:
            steps = reading(case.table.game, case.header, case.batches, viewer)
        part = next(filter(None, islice(steps, AT_A_TIME)), None)
        if part is None:
            self._readings[viewer] = steps
        else:
            self._parts[viewer] = part
            self._packed[viewer] = packed(part)


_CASES: Memory[_Reading] = Memory(CASES)


def open_case(job: Opened) -> None:
    """Take in a case that is to be reviewed."""
    _CASES.put(job.table, _Reading(unfiled(job.filed)))


def read_on(job: Wanted) -> bytes | Unknown | None:
    """Read on for a part of a review; return it, packed, when it is ready, and nothing before."""
    case = _CASES.get(job.table)
    return Unknown() if case is None else case.read_on(job.part)


def packed(part: ReviewPart) -> bytes:
    """Return a part as it is kept: its JSON, compressed to a tenth."""
    return zlib.compress(encoded(part))


def unpacked(body: bytes) -> bytes:
    """Return the JSON of a part that was kept."""
    return zlib.decompress(body)
