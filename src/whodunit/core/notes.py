"""A detective's notes as data: who may hold what, how that is known, and why it is certain."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.types import Event, Message

Assistance: TypeAlias = Literal["paper", "facts", "logic", "probabilities"]
"""How much of the notes writes itself: nothing, what was seen, what follows for certain, how likely the rest is."""


class Cell(Struct, frozen=True, gc=False):
    """One entry of a sheet: what is known of a thing (row) and a holder (column)."""

    row: str
    column: str
    mark: Literal["yes", "no"] | None = None
    """Certain, or None."""
    source: Literal["seen", "follows"] | None = None
    """Whether a mark was seen at the table or follows from all that was seen."""
    share: float | None = None
    """How likely it is, where the level says so; 0 and 1 stand only beside a mark."""


class Sheet(Struct, frozen=True):
    """Everything that writes itself at one level of assistance, as of one event."""

    seq: int
    cells: tuple[Cell, ...] = ()
    solutions: int | None = None
    """How many solutions are still possible."""
    worlds: str | None = None
    """How many deals are still possible, in decimal figures: the number may be too long for a browser's."""
    bits: float | None = None
    """How much is missing to know the solution."""
    assumes: tuple[Message, ...] = ()
    clash: tuple[int, ...] = ()
    """The events that cannot all be right; none, if they can."""


class Reason(Struct, frozen=True):
    """One step of a proof: what was seen, and at which event, unless it is the seat's own hand."""

    message: Message
    seq: int | None = None


class Proof(Struct, frozen=True):
    """Why an entry is certain, and how hard it is to see, from 1 to 5."""

    grade: int
    reasons: tuple[Reason, ...]


def proven(grade: int, sources: Iterable[object], seen: Sequence[Event], tell: Callable[[Any], Message]) -> Proof:
    """Return a proof as the log lines that make it up; a source that is no event is the seat's own hand."""
    return Proof(
        grade,
        tuple(
            Reason(tell(seen[source - 1]), source) if isinstance(source, int) else Reason(Message("why.hand"))
            for source in sources
        ),
    )
