"""Three solvers as a yardstick of how hard a case is: each says whether it gets there."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from whodunit.cases.inference import Board, Cell, Facts, Found, groups, hands, places, readings, singles
from whodunit.cases.posed import Known
from whodunit.cases.ruling import certain
from whodunit.deduce import Claim

Solver: TypeAlias = Callable[[Known, Sequence[Claim[Any, Any]]], bool]


def marks_only(position: Known, claims: Sequence[Claim[Any, Any]]) -> bool:
    """Read lines, and put one line and marks together; count nothing."""
    return _closed(position, claims, lambda facts, board: [*places(board), *singles(facts, board)])


def counting(position: Known, claims: Sequence[Claim[Any, Any]]) -> bool:
    """Count hands and groups as well."""
    return _closed(
        position,
        claims,
        lambda facts, board: [*places(board), *singles(facts, board), *hands(facts, board), *groups(facts, board)],
    )


def exact(position: Known, claims: Sequence[Claim[Any, Any]]) -> bool:
    """Try every deal."""
    return certain(position, claims)


def _closed(
    position: Known, claims: Sequence[Claim[Any, Any]], ready: Callable[[Facts, Board], Iterable[Found]]
) -> bool:
    """Say whether the claims are marked once nothing new can be inferred, in whatever order."""
    facts = Facts(position)
    board = Board(facts.may, facts.must)
    for found in readings(facts, board):
        board.settle(found.changes)
    while True:
        before = tuple(board.may), tuple(board.must)
        for found in ready(facts, board):
            board.settle(found.changes)
        if before == (tuple(board.may), tuple(board.must)):
            break
    deal = position.deal
    return all(board.has(Cell(deal.places[one.holder], deal.bits[one.element], one.held)) for one in claims)
