"""A detective's notes as data: who may hold what, how that is known, and why it is certain."""

from collections.abc import Callable, Collection, Iterable, Sequence
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


class Hint(Struct, frozen=True):
    """Something certain that was not simply seen: where to look, and if more was wanted what is to be found there."""

    seq: int | None
    """The newest event that it follows from; None: it follows from the seat's own hand."""
    row: str | None = None
    column: str | None = None
    mark: Literal["yes", "no"] | None = None


def newest(sheets: Sequence[Callable[[], Sheet]], known: Collection[tuple[str, str]]) -> Cell | None:
    """Return the entry that became certain last without having been seen, but for those known; None if there is none.

    `sheets` are a seat's notes event by event. What is simply the other side of something certain is no news.
    """
    news = [cell for cell in sheets[-1]().cells if cell.source == "follows" and (cell.row, cell.column) not in known]
    placed = {cell.row for cell in sheets[-1]().cells if cell.mark == "yes"}
    found = [cell for cell in news if cell.mark == "yes"] or [cell for cell in news if cell.row not in placed]
    if not found:
        return None

    def missing(number: int) -> list[Cell]:
        marks = {(cell.row, cell.column, cell.mark) for cell in sheets[number]().cells}
        return [cell for cell in found if (cell.row, cell.column, cell.mark) not in marks]

    # What is certain stays so, so the last moment at which something was missing can be found by halves.
    least, most = 0, len(sheets) - 1
    while least < most:
        middle = (least + most) // 2
        least, most = (middle + 1, most) if missing(middle) else (least, middle)
    fresh = missing(least - 1) if least else found
    # Who plays has a number; any other column is what is looked for.
    return min(fresh, key=lambda cell: (cell.column.isdigit(), cell.row, cell.column))


def proven(grade: int, sources: Iterable[object], seen: Sequence[Event], tell: Callable[[Any], Message]) -> Proof:
    """Return a proof as the log lines that make it up; a source that is no event is the seat's own hand."""
    return Proof(
        grade,
        tuple(
            Reason(tell(seen[source - 1]), source) if isinstance(source, int) else Reason(Message("why.hand"))
            for source in sources
        ),
    )
