"""Positions of Crime Hotel from played games: what a seat or the spectators know while cards change hands."""

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from whodunit import arena
from whodunit.core.redact import redact
from whodunit.core.types import TABLE
from whodunit.deduce import Engine
from whodunit.deduce.flow import Flow
from whodunit.games.crime_hotel.evidence import belief
from whodunit.games.crime_hotel.model import Exchanged, Parked, RoundBegan

SEATS = 4


class Look(NamedTuple):
    """One flow to be measured, of a seat or of the spectators."""

    seat: bool
    flow: Flow[Any, Any]


def from_games(seed: str) -> Iterator[Look]:
    """Let players of no sense play, who exchange much; look in on a seat and on the spectators, again and again."""
    for number in count():
        case = arena.open_with_bots("crime_hotel", ["random"] * SEATS, {"investigations": 1}, f"{seed} {number}")
        events = arena.play_case(case, lambda *_: None).events
        for viewer in (number % SEATS, TABLE):
            known = belief(viewer)
            for event in events:
                known = known.learn(redact(event, viewer))
                if isinstance(event, RoundBegan | Parked | Exchanged) and known.inquiry is not None:
                    yield Look(viewer != TABLE, known.inquiry.flow)


def posterior(look: Look, engine: Engine) -> None:
    """Go the whole way from facts to the probability of every card with every holder."""
    flow = Flow(look.flow.elements, look.flow.holders, look.flow.facts, engine)
    likely = flow.posterior
    for element in flow.elements:
        for holder in flow.holders:
            likely.mass(element, holder) / likely.total
