"""The belief against brute force: real positions late in an investigation, with exchanges, from every seat."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from tests.games.crime_hotel import worlds
from tests.games.crime_hotel.staging import HOTEL
from tests.games.crime_hotel.worlds import Known
from tests.plugs import plug_of
from whodunit.conformance.play import play
from whodunit.conformance.settings import Setting
from whodunit.core.redact import redact, standing
from whodunit.core.types import Seat
from whodunit.games.crime_hotel.evidence import HIDDEN, Belief, Deal, Holder, World, belief, imagine
from whodunit.games.crime_hotel.model import CardPlayed, Exchanged, LastCardLaid, Looked, State

POSITIONS: Final = 300
MOST: Final = 3000  # worlds: so many are enumerated
TOLD: Final = (CardPlayed, LastCardLaid, Looked, Exchanged)


class Look(NamedTuple):
    """What a viewer believes and could know by the book at one moment, and what it sees."""

    viewer: Seat
    belief: Belief
    known: Known
    view: State


def looks() -> Iterator[Look]:
    """Play at random, and look in on every viewer after cards were played, seen or exchanged, from round 3 on."""
    seed = 0
    while True:
        seats = 3 + seed % 2
        played = play(HOTEL, plug_of("crime_hotel"), Setting(seats, {"investigations": 1}, seed))
        for viewer in played.viewers:
            if (viewer + seed) % 3 == 0:  # not always the same places at the table
                yield from looks_of(viewer, [redact(event, viewer) for event in standing(played.events)])
        seed += 1


def looks_of(viewer: Seat, seen: list[object]) -> Iterator[Look]:
    mine, book, view = belief(viewer), worlds.belief(viewer), None
    exchanged = False
    for event in seen:
        mine, book, view = mine.learn(event), book.learn(event), HOTEL.evolve(view, event)  # type: ignore[arg-type]
        exchanged |= isinstance(event, Exchanged)
        late = view.round >= 3
        if exchanged and late and isinstance(event, TOLD) and mine.logic.total <= MOST:
            yield Look(viewer, mine, book.known[-1], view)


def numbers(view: State, deals: list[Deal]) -> Counter[tuple[int, Holder]]:
    """Return in how many worlds a card is now with a holder."""
    found: Counter[tuple[int, Holder]] = Counter()
    for deal in deals:
        state = imagine(view, World((deal,)))
        found.update((card, seat) for seat, hand in enumerate(state.hands) for card in hand or ())
        found[deal.hidden, HIDDEN] += 1
    return found


def test_300_late_positions_with_exchanges_are_exact() -> None:
    several = spectators = 0
    for look in islice(looks(), POSITIONS):
        listed = list(look.known.deals())
        logic = look.belief.logic

        assert logic.total == len(listed) == len(set(listed))
        believed = [world.deals[-1] for world in look.belief.worlds()]
        assert len(believed) == len(listed)
        assert set(believed) == set(listed)
        expected = numbers(look.view, listed)
        unlit = [card for card in look.belief.inquiry.flow.elements if card not in dict(look.belief.inquiry.lit)]  # type: ignore[union-attr]
        for holder in (*range(len(look.view.hands)), HIDDEN):
            for card in unlit:
                assert logic.mass(card, holder) == expected[card, holder]
        several += len(listed) > 1
        spectators += look.viewer < 0
    assert several > POSITIONS / 2
    assert spectators > POSITIONS / 20
