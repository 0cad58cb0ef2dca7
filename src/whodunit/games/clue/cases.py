"""How cases to solve are cut from games of Clue: a line is a suggestion with all its answers."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from whodunit.core.cutting import Cuts, Line, Question, Record, Setting
from whodunit.core.redact import entitled
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.deduce import Position
from whodunit.games.clue.evidence import ENVELOPE, Belief, Holder
from whodunit.games.clue.facts import NEAREST_DOOR, PACK, ROOMS, SUSPECTS, WEAPONS, Card
from whodunit.games.clue.model import (
    Accuse,
    AnyAction,
    AnyEvent,
    CardShown,
    CouldNotShow,
    HandDealt,
    Move,
    Opened,
    State,
    StayAndSuggest,
    Suggest,
    Suggested,
    WeaponsPlaced,
)
from whodunit.games.clue.rules import legal

ASKS_OWN: Final = 4
"""One suggestion in so many may name a card of the suggester's own."""


def play(state: State, seat: Seat, rng: Rng) -> AnyAction:
    """Walk to rooms and ask there, mostly about what one does not hold; show any card; never accuse."""
    offers = {offer.action: offer for offer in legal(state, seat) if offer.action is not Accuse}
    for wish in (StayAndSuggest, Suggest):
        if wish in offers:
            (room,) = offers[wish].choices["room"]
            return wish(_asked(state, seat, SUSPECTS, rng), _asked(state, seat, WEAPONS, rng), room)  # type: ignore[arg-type]
    if Move in offers:
        return Move(_nearest([*offers[Move].choices["to"]], rng))
    open_ones = [*offers.values()]  # ways to move, cards to show, or the end of the turn
    offer = open_ones[rng.below("offer", len(open_ones))]
    return offer.at(rng.below("choice", offer.count))  # type: ignore[return-value]  # one of Clue's


def _asked(state: State, seat: Seat, kind: Sequence[Card], rng: Rng) -> Any:
    own = state.hands[seat] or ()
    foreign = [card for card in kind if card not in own]
    wide = not foreign or not rng.below("own", ASKS_OWN)
    among = kind if wide else foreign
    return among[rng.below("asked", len(among))]


def _nearest(places: Sequence[Any], rng: Rng) -> Any:
    rooms = [place for place in places if isinstance(place, str)]
    if rooms:
        return rooms[rng.below("room", len(rooms))]
    return min(places, key=lambda square: (NEAREST_DOOR[square][1], square))


def records(seen: Sequence[AnyEvent], _seat: Seat) -> Iterator[Record]:
    """Return the whole game: who sits there, where the weapons lie, the hand, and every suggestion."""
    given = tuple(event for event in seen if isinstance(event, Opened | WeaponsPlaced | HandDealt))
    lines: list[list[AnyEvent]] = []
    for event in seen:
        if isinstance(event, Suggested):
            lines.append([event])
        elif isinstance(event, CouldNotShow | CardShown):
            lines[-1].append(event)
    yield Record(given, tuple(tuple(line) for line in lines))


def sighted(line: Line, seat: Seat) -> Line:
    """Return the card that was shown to the seat, if one was."""
    last = line[-1]
    return (last,) if isinstance(last, CardShown) and last.to == seat else ()


def position(belief: Belief) -> Position[Card, Holder]:
    """Return what is known of the deal."""
    return entitled(belief.position)


def questions(known: Position[Card, Holder], kinds: Sequence[str]) -> Iterator[Question]:
    """Ask for the envelope, or who has a card."""
    if "trio" in kinds:
        trio = tuple(tuple((card, ENVELOPE) for card in kind) for kind in (SUSPECTS, WEAPONS, ROOMS))
        yield Question("trio", trio)
    if "holder" in kinds:
        holders = tuple(map(str, known.deal.holders))
        yield from (Question("holder", (tuple((card, holder) for holder in holders),), card) for card in PACK)


def kinds(line: Line, seat: Seat) -> frozenset[str]:
    """Say what a line tells: that some could not show, or that one of three cards was shown."""
    found = set()
    for event in line:
        if isinstance(event, CouldNotShow) and event.seat != seat:
            found.add("pass")
        elif isinstance(event, CardShown) and event.card is None:
            found.add("shown")
    return frozenset(found)


def _settings() -> Iterator[Setting]:
    for seats in (3, 4, 5):
        yield Setting(seats, _TWO_DICE, ("holder",), (1, 2, 4))
        yield Setting(seats, _TWO_DICE, ("trio",), (3, 5, 6, 7))


_TWO_DICE: Final = {"dice_count": 2}
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
)
