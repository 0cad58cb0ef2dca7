"""A detective's notes on a deal: the sheet at each level of assistance, the proof of an entry, and forgetting.

What is known is a position, or a flow where hands change. A game says what the rows of its sheet are (elements), what
the columns are (holders), and what was simply seen.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias, TypeVar

from whodunit.core.notes import Assistance, Cell, Proof, Sheet, proven
from whodunit.core.rng import Rng
from whodunit.core.types import Event, Message
from whodunit.deduce.evidence import Claim, E, H, HandEvidence
from whodunit.deduce.flow import Courses, Flow
from whodunit.deduce.position import Position
from whodunit.deduce.posterior import Posterior

Known: TypeAlias = Position[E, H] | Flow[E, H]
Masses: TypeAlias = Posterior[E, H] | Courses[E, H]
YesNo: TypeAlias = Literal["yes", "no"]
"""Whether a holder has an element, as a sheet marks it."""
Seen: TypeAlias = Mapping[tuple[E, H], YesNo]
"""What is certain without thinking, in the order in which the level `facts` lists it."""
K = TypeVar("K", Position[Any, Any], Flow[Any, Any])


def sheet(
    known: Known[E, H], rows: Iterable[E], columns: Iterable[H], seen: Seen[E, H], level: Assistance, seq: int
) -> Sheet:
    """Return what writes itself at a level above paper: what was seen, what follows, how likely the rest is.

    Where it counts the worlds, the game adds what it tells of the solution and what the shares assume.
    """
    logic = known.logic
    if not logic.total:
        return Sheet(seq, clash=tuple(source for source in known.clash() if isinstance(source, int)))
    if level == "facts":
        return Sheet(seq, tuple(Cell(str(row), str(column), mark, "seen") for (row, column), mark in seen.items()))
    likely = known.posterior if level == "probabilities" else None
    cells = tuple(_cell(*pair, seen.get(pair), logic, likely) for pair in product(rows, columns))
    return Sheet(seq, cells, worlds=None if likely is None else str(logic.total))


def _cell(row: E, column: H, seen: YesNo | None, logic: Masses[E, H], likely: Masses[E, H] | None) -> Cell:
    if seen is not None:
        return Cell(str(row), str(column), seen, "seen", None if likely is None else float(seen == "yes"))
    mark = certain(logic, row, column)
    share = None if likely is None else float(likely.marginal(row, column))
    return Cell(str(row), str(column), mark, None if mark is None else "follows", share)


def certain(logic: Masses[E, H], element: E, holder: H) -> YesNo | None:
    """Return whether the element is with the holder, or None if that is open."""
    possible = logic.mass(element, holder)
    return "no" if not possible else "yes" if possible == logic.total else None


def seen_in(position: Position[E, H], conditions: Collection[E] = ()) -> dict[tuple[E, H], YesNo]:
    """Return what single items of evidence say by themselves; an element that was seen is nowhere else.

    An item that holds only `given` one of the conditions says nothing by itself.
    """
    seen: dict[tuple[E, H], YesNo] = {}
    for item in position.evidence:
        if isinstance(item, HandEvidence) or item.source is None or item.given in conditions:
            continue
        elements = item.elements if item.given is None else (item.given,)
        if not isinstance(item.source, int):  # no event: the viewer's own hand, all of it
            seen |= dict.fromkeys(product(position.deal.elements, [item.holder]), "no")
        if item.given is not None or not any(item.weights[:-1]):
            for element, holder in product(elements, position.deal.holders):
                seen[element, holder] = "yes" if holder == item.holder else "no"
        elif not any(item.weights[1:]):
            seen |= dict.fromkeys(product(elements, [item.holder]), "no")
    pairs = product(sorted(position.deal.elements, key=repr), sorted(position.deal.holders, key=repr))
    return {pair: seen[pair] for pair in pairs if pair in seen}


def proof(
    known: Known[E, H], element: E, holder: H, seen: Sequence[Event], tell: Callable[[Any], Message]
) -> Proof | None:
    """Return why it is certain that the holder has the element, or has it not; None if neither is."""
    why = known.explain(Claim(element, holder)) or known.explain(Claim(element, holder, held=False))
    return None if why is None else proven(why.grade, why.sources, seen, tell)


def entry(rows: Iterable[E], columns: Iterable[H], row: str, column: str) -> tuple[E, H] | None:
    """Return the element and the holder of an entry as the sheet names it, or None if it has no such entry."""
    return next((pair for pair in product(rows, columns) if (str(pair[0]), str(pair[1])) == (row, column)), None)


def forget(known: K, told: Sequence[Any], rng: Rng) -> K:
    """Return what is known without one of the things told, drawn at random; all of it, if nothing was told."""
    return known.without(told[rng.below("forgotten", len(told))]) if told else known
