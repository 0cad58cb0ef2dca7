"""A case as it is posed: what whoever solves it may know by now. What is said of a claim follows from this alone."""

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.cutting import Cuts, Entry, Line, Question, Weighed
from whodunit.core.types import Seat
from whodunit.deduce import Claim, Position, notebook

Known: TypeAlias = Position[Any, Any]
"""What is known of a case. Its sources are None for the rules, 0 for what is given, and from 1 on the lines."""
GIVEN = 0


class Posed(Struct, frozen=True):
    """A case, as far as its lines are turned."""

    game: str
    seat: Seat
    """Through whose eyes it is seen."""
    seats: int
    question: Question
    given: Line
    """What is known from the start: the hand, what lies open, what has been shown."""
    lines: tuple[Line, ...]
    """Those that are turned."""
    total: int
    """How many there are."""


class NoCuts(LookupError):
    """No cases can be cut from this game."""


def cuts_of(game: str) -> Cuts | Weighed:
    """Return how cases of a game are made; NoCuts, if it does not say."""
    cuts: Cuts | Weighed | None = getattr(games.get(game), "CUTS", None)
    if cuts is None:
        raise NoCuts(f"there are no cases of {game}")
    return cuts


def provable(game: str) -> Cuts:
    """Return how cases are cut from a game in which answers can be proved; NoCuts, if this is none."""
    cuts = cuts_of(game)
    if isinstance(cuts, Weighed):
        raise NoCuts(f"nothing can be proved in {game}")
    return cuts


def known(posed: Posed, sources: Mapping[int, int] = MappingProxyType({})) -> Known:
    """Return what is known of a case by now; some of its events, by number, may have sources of their own."""
    return _known(posed.game, posed.seat, posed.given, posed.lines, tuple(sources.items()))


@lru_cache(maxsize=64)  # it is asked for again with every claim
def _known(game: str, seat: Seat, given: Line, lines: tuple[Line, ...], sources: tuple[tuple[int, int], ...]) -> Known:
    belief = games.get(game).belief(seat)
    places: dict[Hashable, int] = {}
    seq = 0
    for place, events in enumerate((given, *lines)):
        for event in events:
            belief = belief.learn(event)
            seq += 1
            places[seq] = place
    return numbered(provable(game).position(belief), places | dict(sources))


def numbered(position: Known, places: Mapping[Hashable, int]) -> Known:
    """Return a position with the place of each line as the source of what it says; all that is no line's is given."""
    evidence = [
        item if item.source is None else replace(item, source=places.get(item.source, GIVEN))
        for item in position.evidence
    ]
    sizes = dict(zip(position.deal.holders, position.deal.capacities, strict=True))
    return Position(position.deal.elements, sizes, evidence, position.engine)


def claims_of(position: Known, entries: Sequence[Entry]) -> tuple[Claim[Any, Any], ...]:
    """Return entries as claims about the deal; LookupError, if the sheet has no such entry."""
    return tuple(claim_of(position, *entry) for entry in entries)


def claim_of(position: Known, row: str, column: str, *, held: bool = True) -> Claim[Any, Any]:
    """Return an entry of the sheet as a claim about the deal."""
    found = notebook.entry(position.deal.elements, position.deal.holders, row, column)
    if found is None:
        raise LookupError(f"the sheet has no entry {row!r}, {column!r}")
    return Claim(*found, held)
