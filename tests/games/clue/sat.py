"""Clue as clauses: a second, independent reading of what a viewer may know, for what is certain and what is not."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from pysat.card import CardEnc, EncType  # type: ignore[import-untyped]
from pysat.solvers import Solver  # type: ignore[import-untyped]

from whodunit.core.types import Seat
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS
from whodunit.games.clue.model import (
    Accused,
    CardShown,
    CouldNotShow,
    EnvelopeOpened,
    EnvelopeSeen,
    HandDealt,
    Suggested,
)

ENVELOPE = "envelope"


class SatModel:
    """One boolean for every card and holder; games without side cards only."""

    def __init__(self, viewer: Seat, seen: Iterable[Any]) -> None:
        self.solver = Solver("cadical153")
        self.variables: dict[tuple[str, Seat | str], int] = {}
        self.top = 0
        named: Sequence[str] = ()
        sizes: dict[Seat | str, int] = {}
        hand: tuple[str, ...] = ()
        told: list[Any] = []
        for event in seen:
            if isinstance(event, HandDealt):
                sizes[event.seat] = event.size
                if event.seat == viewer:
                    hand = event.cards or ()
            told.append(event)
        self._deal({**sizes, ENVELOPE: 3})
        for card in hand:
            self._add(self.at(card, viewer))
        for event in told:
            match event:
                case Suggested(trio=trio):
                    named = trio.cards
                case CouldNotShow(seat=seat):
                    for card in named:
                        self._add(-self.at(card, seat))
                case CardShown(seat=seat, to=to) if viewer in (seat, to):
                    self._add(self.at(str(event.card), seat))
                case CardShown(seat=seat):
                    self._add(*(self.at(card, seat) for card in named))
                case Accused(trio=trio, right=False):
                    self._add(*(-self.at(card, ENVELOPE) for card in trio.cards))
                case EnvelopeSeen(seat=seat, trio=trio) if seat == viewer and trio is not None:
                    for card in trio.cards:
                        self._add(self.at(card, ENVELOPE))
                case EnvelopeOpened(trio=trio):
                    for card in trio.cards:
                        self._add(self.at(card, ENVELOPE))

    def at(self, card: str, holder: Seat | str) -> int:
        return self.variables[card, holder]

    def _add(self, *clause: int) -> None:
        self.solver.add_clause(list(clause))

    def _deal(self, sizes: dict[Seat | str, int]) -> None:
        for card in PACK:
            for holder in sizes:
                self.top += 1
                self.variables[card, holder] = self.top
        for card in PACK:
            places = [self.at(card, holder) for holder in sizes]
            self._add(*places)
            for one, other in combinations(places, 2):
                self._add(-one, -other)
        for kind in (SUSPECTS, WEAPONS, ROOMS):
            for one_card, other_card in combinations(kind, 2):
                self._add(-self.at(one_card, ENVELOPE), -self.at(other_card, ENVELOPE))
            self._add(*(self.at(card, ENVELOPE) for card in kind))
        for holder, size in sizes.items():
            cards = [self.at(card, holder) for card in PACK]
            clauses = CardEnc.equals(lits=cards, bound=size, top_id=self.top, encoding=EncType.seqcounter)
            self.top = max(self.top, clauses.nv)
            for clause in clauses.clauses:
                self.solver.add_clause(clause)

    def possible(self) -> dict[tuple[str, Seat | str], bool]:
        """Say of every card and holder whether it can be there; one model answers for many."""
        answers: dict[tuple[str, Seat | str], bool] = {}
        for key, variable in self.variables.items():
            if key in answers:
                continue
            answers[key] = self.solver.solve(assumptions=[variable])
            if answers[key]:
                model = self.solver.get_model()
                answers |= {other: True for other, number in self.variables.items() if model[number - 1] > 0}
        self.solver.delete()
        return answers
