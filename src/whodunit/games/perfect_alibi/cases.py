"""How cases to solve are cut from games of Perfect Alibi: a line is a question with its number, and with its card.

No chip of these games has arrows, so whoever picks an assistant keeps it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from whodunit.core.cutting import Cuts, Line, Question, Record, Setting
from whodunit.core.redact import entitled
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.deduce import Position
from whodunit.games.perfect_alibi.evidence import MISSING, OPEN, TILES, Belief, Holder, Thing
from whodunit.games.perfect_alibi.facts import LOCATIONS, OF, PACK, WITH, Element
from whodunit.games.perfect_alibi.model import (
    Answered,
    AnyAction,
    AnyEvent,
    Ask,
    Asked,
    Asking,
    AssistantPicked,
    CardDrawn,
    CardShown,
    CardsOpened,
    HandDealt,
    Opened,
    RivalDealt,
    RowLaid,
    State,
    TakeChip,
)
from whodunit.games.perfect_alibi.rules import legal

SETS_OUT: Final = 3
"""One question in so many is new; the others are what somebody else has been asked, so that numbers can be added up."""
WIDEST: Final = 3
"""At most so many places or times are asked about at once."""
NO_ARROWS: Final = {"wheel_chips": 3, "clock_chips": 3, "wheel_arrow_chips": 0, "clock_arrow_chips": 0}


def play(state: State, seat: Seat, rng: Rng) -> AnyAction:
    """Take any chip, mostly ask what others have been asked, show any card, tell any lie that is due; never slam."""
    offers = legal(state, seat)
    if isinstance(state.phase, Asking):
        return Ask(_asked(state, seat, state.phase.answerer, rng))
    offers = [offer for offer in offers if offer.action is TakeChip] or offers[:1]  # interrupts stand last
    offer = offers[rng.below("offer", len(offers))]
    return offer.at(rng.below("choice", offer.count))  # type: ignore[return-value]  # one of Perfect Alibi's


def _asked(state: State, seat: Seat, answerer: Seat, rng: Rng) -> tuple[Element, ...]:
    symbol = state.row[entitled(state.taken) - 1].symbol
    told = {question.elements for question in state.log if question.answerer == answerer}
    others = dict.fromkeys(question.elements for question in state.log if question.elements[0] in OF[symbol])
    again = [elements for elements in others if elements not in told]
    if again and rng.below("again", SETS_OUT):
        return again[rng.below("of others", len(again))]
    seen = (*(state.hands[seat] or ()), *state.open)
    among = [element for element in OF[symbol] if any(card not in seen for card in WITH[element])]
    chosen = rng.shuffled("elements", among)[: 1 + rng.below("width", WIDEST)]
    return tuple(element for element in OF[symbol] if element in chosen)


def records(seen: Sequence[AnyEvent], seat: Seat) -> Iterator[Record]:
    """Return the whole game: what is dealt and picked, and every question but those that the seat itself answers."""
    given = tuple(event for event in seen if isinstance(event, _GIVEN))
    lines: list[list[AnyEvent]] = []
    for event in seen:
        if isinstance(event, Asked):
            lines.append([event])
        elif isinstance(event, Answered | CardShown | CardDrawn):
            lines[-1].append(event)
    others = (tuple(line) for line in lines if len(line) > 1 and line[0].answerer != seat)  # type: ignore[union-attr]
    yield Record(given, tuple(renumbered(line, place) for place, line in enumerate(others, 1)))


_GIVEN: Final = (Opened, HandDealt, CardsOpened, RivalDealt, RowLaid, AssistantPicked)


def renumbered(line: Line, place: int) -> Line:
    """Return the line as the question of this number, counted from 1."""
    return tuple(replace(event, question=place) for event in line)


def sighted(line: Line, seat: Seat) -> Line:
    """Return the card that the seat has seen, if it has seen one: of a question that is no longer told."""
    last = line[-1]
    if isinstance(last, CardShown | CardDrawn) and seat in last.known_to:
        return (replace(last, question=0),)
    return ()


def position(belief: Belief) -> Position[Thing, Holder]:
    """Return what is known of the deal."""
    return entitled(belief.position)


def questions(known: Position[Thing, Holder], kinds: Sequence[str]) -> Iterator[Question]:
    """Ask for the missing alibi, or who lies to whom."""
    if "missing" in kinds:
        yield Question("missing", (tuple((card, MISSING) for card in PACK),))
    if "liar" in kinds:
        holders = [str(holder) for holder in known.deal.holders if holder not in (MISSING, OPEN)]
        yield from (Question("liar", (tuple((tile, holder) for holder in holders),), tile) for tile in TILES)


def kinds(line: Line, seat: Seat) -> frozenset[str]:
    """Say what a line tells: how many cards of some places, or of some times; none; or only whether a card is due."""
    asked, answered, *_ = line
    assert isinstance(asked, Asked)
    assert isinstance(answered, Answered)
    if asked.answerer == seat:
        return frozenset()
    if answered.said is None:
        return frozenset({"unheard"})
    if not answered.said:
        return frozenset({"none"})
    return frozenset({"places" if asked.elements[0] in LOCATIONS else "times"})


def _settings() -> Iterator[Setting]:
    for seats in (3, 4, 5):
        yield Setting(seats, NO_ARROWS, ("missing",), (1, 2, 3, 4, 5, 6))
        yield Setting(seats, {**NO_ARROWS, "rival": True}, ("liar", "missing"), (7,))


CUTS: Final = Cuts(
    version=1,
    settings=tuple(_settings()),
    lines=(4, 8),
    play=play,
    records=records,
    sighted=sighted,
    position=position,
    questions=questions,
    kinds=kinds,
    renumbered=renumbered,
    longest=150,
)
