"""How cases to solve are cut from games of Crime Hotel: a line is one card that is played, and what comes with it.

A game of fewer rounds has smaller hands and more open rooms, so that it begins where a larger one stands later. Every
line says how the table stands for the next, and none can be left out. What happens from an exchange on makes no case:
until then every hand is as it was dealt, but for the cards that were played.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from whodunit.core.cutting import Cuts, Line, Question, Record, Setting
from whodunit.core.redact import entitled
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.deduce import Position, has, lacks
from whodunit.deduce.evidence import Evidence
from whodunit.deduce.flow import Held, Lacked
from whodunit.games.crime_hotel.evidence import HIDDEN, Belief, Holder
from whodunit.games.crime_hotel.facts import CARDS, Card
from whodunit.games.crime_hotel.model import (
    AnyAction,
    AnyEvent,
    CardPlayed,
    Exchange,
    Exchanged,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    Look,
    Looked,
    Opened,
    Parked,
    Play,
    Playing,
    RoomsLit,
    RoundBegan,
    State,
)
from whodunit.games.crime_hotel.rules import legal

DARK: Final = 4
"""So many rooms must still be dark to the seat, and not its own: else one only has to strike off the others."""
MIDDLE: Final = 25
"""The card in the middle of the pack: whoever plays near it will stand between the others, and get to a desk."""


def play(state: State, seat: Seat, rng: Rng) -> AnyAction:
    """Let one seat play cards of the middle and look at hands, the others high and low ones; never exchange.

    Nothing is known of the murderer's room but that no hand has its card. So a proof ends when nobody else can have
    it, and is longest where some could not follow, and of others every card was seen: by one who looks twice.
    """
    offers = [offer for offer in legal(state, seat) if offer.action is not Exchange]
    looks = seat == _looking(state)
    if isinstance(state.phase, Playing):
        cards: list[Card] = [*offers[0].choices["card"]]
        return Play((min if looks else max)(cards, key=lambda card: (abs(card - MIDDLE), card)))
    offers = [offer for offer in offers if (offer.action is Look) == looks] or offers
    offer = offers[rng.below("offer", len(offers))]
    return offer.at(rng.below("choice", offer.count))  # type: ignore[return-value]  # one of Crime Hotel's


def _looking(state: State) -> Seat:
    """Return which seat it is that looks: it follows from the rooms that were open from the start."""
    seats = len(state.hands)
    return sum(state.lit[: len(CARDS) - 1 - seats * state.options.hand_size]) % seats


def records(seen: Sequence[AnyEvent], seat: Seat) -> Iterator[Record]:
    """Return the first investigation, if it may settle anything: the deal, and all cards until an exchange."""
    before = [*takewhile(lambda event: not isinstance(event, Exchanged | LastCardLaid), seen)]
    given = tuple(event for event in before if isinstance(event, _GIVEN))
    lines: list[list[AnyEvent]] = []
    ahead: list[AnyEvent] = []
    for event in before:
        if isinstance(event, RoundBegan):
            ahead = [event]
        elif isinstance(event, CardPlayed):
            lines.append([*ahead, event])
            ahead = []
        elif isinstance(event, Parked) or (isinstance(event, Looked) and event.seat == seat):
            lines[-1].append(event)
    if _may_settle(before, seat):
        yield Record(given, tuple(map(tuple, lines)), is_whole=True)


def _may_settle(seen: Sequence[AnyEvent], seat: Seat) -> bool:
    """Say whether each of the others could not follow once, or was looked at: else his hand may hold anything."""
    others = {event.seat for event in seen if isinstance(event, HandDealt)} - {seat}
    lacking = {event.seat for event in seen if isinstance(event, CardPlayed) and event.lacks is not None}
    looked_at = {event.target for event in seen if isinstance(event, Looked) and event.seat == seat}
    return others <= lacking | looked_at


_GIVEN: Final = (Opened, InvestigationBegan, HandDealt, RoomsLit)


def sighted(_line: Line, _seat: Seat) -> Line:
    """Return nothing: no line is left out."""
    return ()


def position(belief: Belief) -> Position[Card, Holder]:
    """Return what is known of the hands as they were dealt."""
    flow = belief.dealt.flow
    known: list[Evidence[Card, Holder]] = []
    for fact in flow.facts:
        if isinstance(fact, Held):
            known.append(has(fact.holder, fact.elements, fact.source))
        elif isinstance(fact, Lacked):
            known.append(lacks(fact.holder, fact.elements, fact.source))
    return Position(flow.elements, flow.holders, known, flow.engine)


def questions(known: Position[Card, Holder], kinds: Sequence[str]) -> Iterator[Question]:
    """Ask for the murderer's room."""
    if "room" in kinds:
        yield Question("room", (tuple((str(card), HIDDEN) for card in known.deal.elements),))


def kinds(line: Line, seat: Seat) -> frozenset[str]:
    """Say what a line tells: where a card was, or that somebody could not follow."""
    (played,) = (event for event in line if isinstance(event, CardPlayed))
    if played.seat == seat:
        return frozenset()
    return frozenset({"laid" if played.lacks is None else "lacks"})


def worthy(given: Line, lines: Sequence[Line], seat: Seat) -> bool:
    """Say whether so many rooms are still dark, and not the seat's own, that one cannot just strike off the others."""
    known: set[Card] = set()
    for event in (*given, *(event for line in lines for event in line)):
        if isinstance(event, RoomsLit):
            known.update(event.cards)
        elif isinstance(event, HandDealt) and event.seat == seat:
            known.update(entitled(event.cards))
        elif isinstance(event, CardPlayed):
            known.add(event.card)
    return len(CARDS) - len(known) >= DARK


def _settings() -> Iterator[Setting]:
    for seats, rounds in ((3, 3), (3, 4), (4, 3)):
        yield Setting(seats, {"investigations": 1, "rounds": rounds}, ("room",), (1, 2, 3, 4))
    for rounds in (2, 3, 3):  # with three seats there are too few hands to count; larger hands are proved too late
        yield Setting(4, {"investigations": 1, "rounds": rounds}, ("room",), (5, 6, 7))


CUTS: Final = Cuts(
    version=1,
    settings=tuple(_settings()),
    lines=(5, 10),
    play=play,
    records=records,
    sighted=sighted,
    position=position,
    questions=questions,
    kinds=kinds,
    worthy=worthy,
    inferences=2,  # a hand and a place: all else that is inferred here is who cannot have what, and that a line says
)
