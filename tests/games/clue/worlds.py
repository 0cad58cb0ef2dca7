"""Clue for the conformance suite: what is hidden, who may know it by section 5 of the rules, and what always holds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tests.games.clue.staging import Deal
from tests.games.clue.staging import stack as stacked
from whodunit.core.offer import Offer, One
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Event, Seat
from whodunit.games.clue.facts import DOORS, NEIGHBOURS, PACK, ROOMS, SQUARES, SUSPECTS, WEAPONS, Card
from whodunit.games.clue.model import (
    Accused,
    Beginning,
    CardShown,
    CouldNotShow,
    Dealing,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    HandDealt,
    Move,
    Moved,
    Opened,
    SideCardSeen,
    SideCardsLaid,
    State,
    StayAndSuggest,
    Suggest,
    Suggested,
    TakePassage,
    TokenStoodAside,
    Trio,
    TurnBegan,
)

World = Deal


def world(state: State) -> Deal:
    """Return everything that is hidden in this game."""
    assert state.envelope is not None
    return Deal(state.envelope, tuple(hand or () for hand in state.hands), tuple(card for card in state.side if card))


def stack(deal: Deal, opened: Opened) -> Mapping[str, Result]:
    """Return the draws with which the table is laid in this world."""
    return stacked(deal, starter=opened.starter)


def neighbour(deal: Deal, rng: Rng) -> Deal:
    """Return the world in which two cards have changed places."""
    places = [*([card] for card in deal.envelope.cards), *map(list, deal.hands), *([card] for card in deal.side)]
    for attempt in range(1000):
        one, other = (places[rng.below(f"{which} {attempt}", len(places))] for which in ("one", "other"))
        here, there = (rng.below(f"card of {which} {attempt}", len(cards)) for which, cards in
                       (("one", one), ("other", other)))
        kinds = {_kind(one[here]), _kind(other[there])}
        if one is other or (len(kinds) > 1 and (one in places[:3] or other in places[:3])):
            continue
        one[here], other[there] = other[there], one[here]
        suspect, weapon, room = (cards[0] for cards in places[:3])
        seats = len(deal.hands)
        hands = tuple(tuple(sorted(cards, key=PACK.index)) for cards in places[3 : 3 + seats])
        return Deal(Trio(suspect, weapon, room), hands, tuple(cards[0] for cards in places[3 + seats :]))  # type: ignore[arg-type]  # cards of these kinds
    raise AssertionError("no two cards could change places")


def _kind(card: Card) -> int:
    return next(number for number, kind in enumerate((SUSPECTS, WEAPONS, ROOMS)) if card in kind)
