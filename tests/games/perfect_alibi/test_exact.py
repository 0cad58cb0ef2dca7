"""The belief against brute force: every deal and every tile weighed one by one, in games played at random."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

import pytest

from tests.games.perfect_alibi.worlds import BIT, fits
from tests.games.perfect_alibi.worlds import limits as limits_of
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Seat
from whodunit.games import get
from whodunit.games.perfect_alibi.evidence import MISSING, Belief, rival
from whodunit.games.perfect_alibi.facts import ASSISTANTS, HAND, PACK, Assistant
from whodunit.games.perfect_alibi.model import (
    Answered,
    Asked,
    AskLast,
    CardDrawn,
    CardShown,
    CardsOpened,
    Confirm,
    HandDealt,
    MissingSeen,
    RivalDealt,
    Slam,
)
from whodunit.table.table import Table

ALIBI: Final = get("perfect_alibi")
POSITIONS: Final = 300
WORLDS: Final = 1_500
"""More worlds than this are too many to be weighed one by one here."""


limits = lru_cache(limits_of)


def played(number: int, seats: int, *, lies: bool) -> Iterator[tuple[Table, list[Any]]]:
    """Play at random; yield the table and all events after every move."""
    options = ALIBI.INFO.parse(seats, {"rival": lies})
    table, batch = Table.open(ALIBI, seats, options, number.to_bytes(4, "big"))
    events = list(batch.events)
    for move in range(90):
        (seat,) = table.awaiting
        rng = Rng(b"exact%d" % number, move)
        offers = [offer for offer in table.offers[seat] if offer.action not in (Slam, AskLast, Confirm)]
        offer = offers[rng.below("offer", len(offers))]
        slammer = [o for o in table.offers[(seat + 1) % seats] if o.action is Slam]
        if slammer and table.state.out.count(True) == 0 and rng.below("slam", 25) == 0:
            seat, offer = (seat + 1) % seats, slammer[0]
        table, batch = table.act(seat, offer.since, offer.sample(rng))
        events += batch.events
        if table.outcome is not None:
            return
        yield table, events


@lru_cache
def fitting(elements: tuple[Any, ...]) -> int:
    return sum(BIT[card] for card in PACK if fits(card, elements))


def _likely(heard: set[int], numbers: list[int]) -> int:
    """Return twice the chance that one of the numbers heard was said, if these could be and are equally likely."""
    return 2 * len(heard & set(numbers)) // len(numbers) if numbers else 0


class Weighed:
    """What a viewer knows of one game, and the weight of every world in it, by plain enumeration."""

    def __init__(self, viewer: Seat, events: list[Any], seats: int, *, lies: bool) -> None:
        self.viewer, self.seats, self.lies = viewer, seats, lies
        self.opened: tuple[Any, ...] = ()
        self.holders: dict[int, Seat] = {}
        self.missing: int | None = None
        self.tile: Assistant | None = None
        asked: dict[int, Asked] = {}
        self.factors: defaultdict[Seat, list[tuple[Any, ...]]] = defaultdict(list)
        for event in (redact(event, viewer) for event in events):
            match event:
                case HandDealt(seat=seat, cards=cards) if seat == viewer:
                    self.holders |= {BIT[card]: seat for card in cards or ()}
                case CardsOpened(cards=cards):
                    self.opened = cards
                case RivalDealt(seat=seat, tile=tile) if seat == viewer:
                    self.tile = tile
                case Asked(question=question):
                    asked[question] = event
                case Answered(question=question, said=said, due=due):
                    self._answered(asked[question], said, due=due)
                case CardShown(question=question, seat=seat, card=card) if card is not None:
                    self.holders[BIT[card]] = seat
                    self.factors[seat].append(("even", asked[question].elements))
                case CardDrawn(answerer=answerer, card=card) if card is not None:
                    self.holders[BIT[card]] = answerer
                case MissingSeen(card=card) if card is not None:
                    self.missing = BIT[card]
                case _:
                    pass

    def _answered(self, asked: Asked, said: int | None, *, due: bool) -> None:
        if said is not None:
            heard = {said}
        elif asked.holding[asked.answerer] == "Psychiatrist":
            return
        else:
            heard = set(range(2, 9)) if due else {0, 1}
        self.factors[asked.answerer].append(("number", asked.elements, asked.holding[asked.seat], heard))

    def tables(self, seat: Seat) -> list[tuple[int, Assistant | None, list[int], list[int]]]:
        """Return for all that this seat did how likely it is by the number of fitting cards: as a liar, and not."""
        tables: list[tuple[int, Assistant | None, list[int], list[int]]] = []
        for kind, elements, *more in self.factors[seat]:
            counts = range(HAND[self.seats] + 1)
            if kind == "even":
                even = [60 // max(1, true) for true in counts]
                tables.append((fitting(elements), None, even, even))
                continue
            assistant, heard = more
            least, most = limits(self.seats, self.opened, elements)
            liar = [_likely(heard, [n for n in (true - 1, true + 1) if least <= n <= most]) for true in counts]
            tables.append((fitting(elements), assistant, liar, [_likely(heard, [true]) for true in counts]))
        return tables

    def hands(self, seat: Seat) -> list[tuple[int, Assistant | None, int]]:
        """Return every hand and tile that the seat may have, with how likely what it did is then, in one unit."""
        own = [BIT[card] for card in PACK if self.holders.get(BIT[card]) == seat]
        free = [
            BIT[card]
            for card in PACK
            if BIT[card] not in self.holders and card not in self.opened and BIT[card] != self.missing
        ]
        tiles: list[Assistant | None] = [None]
        if self.lies:
            tiles = [self.tile] if seat == self.viewer else [tile for tile in ASSISTANTS if tile != self.tile]
        tables = self.tables(seat)
        found: list[tuple[int, Assistant | None, int]] = []
        for more in combinations(free, HAND[self.seats] - len(own)):
            hand = sum(own) + sum(more)
            for tile in tiles:
                weight = 1
                for mask, assistant, liar, honest in tables:
                    weight *= (liar if tile is not None and tile == assistant else honest)[(hand & mask).bit_count()]
                    if not weight:
                        break
                else:
                    found.append((hand, tile, weight))
        return found

    def masses(self) -> dict[tuple[Any, Any], Fraction] | None:
        """Return the weight of every card and tile with every holder, or None if there are too many worlds."""
        by_seat = [self.hands(seat) for seat in range(self.seats)]
        order = sorted(range(self.seats), key=lambda seat: len(by_seat[seat]))
        size = 1
        for hands in by_seat:
            size *= max(1, len(hands))
        if size > 200 * WORLDS:
            return None
        closed = sum(BIT[card] for card in PACK if card not in self.opened)
        masses: defaultdict[tuple[Any, Any], int] = defaultdict(int)
        total = counted = 0

        def dealt(at: int, left: int, weight: int, chosen: dict[Seat, tuple[int, Any]]) -> bool:
            nonlocal total, counted
            if at == self.seats:
                if self.missing not in (None, left):
                    return True
                counted += 1
                total += weight
                masses[left, MISSING] += weight
                for seat, (hand, tile) in chosen.items():
                    masses[tile, seat] += weight
                    for card in PACK:
                        if BIT[card] & hand:
                            masses[BIT[card], seat] += weight
                return counted <= WORLDS
            for hand, tile, more in by_seat[order[at]]:
                if hand & left != hand or (tile and any(tile == other for _, other in chosen.values())):
                    continue
                chosen[order[at]] = hand, tile
                if not dealt(at + 1, left & ~hand, weight * more, chosen):
                    return False
                del chosen[order[at]]
            return True

        if not dealt(0, closed, 1, {}):
            return None
        return {key: Fraction(mass, total) for key, mass in masses.items()}


def agrees(belief: Belief, shares: dict[tuple[Any, Any], Fraction], seats: int) -> None:
    likely, logic = belief.likely, belief.logic
    for card in PACK:
        for holder in (*range(seats), MISSING):
            share = shares.get((BIT[card], holder), Fraction(0))
            assert likely.marginal(card, holder) == share, f"{card} with {holder}"
            assert (logic.mass(card, holder) == 0) == (share == 0)
    if belief.options.rival:
        for tile in ASSISTANTS:
            for seat in range(seats):
                assert likely.marginal(rival(tile), seat) == shares.get((tile, seat), Fraction(0))


@pytest.mark.parametrize("lies", [False, True], ids=["truth", "lies"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_belief_is_exact(seats: int, lies: bool) -> None:
    """Section 4: 300 positions for each number of players, with and without lies, all marginals equal."""
    checked = number = 0
    while checked < POSITIONS:
        number += 1
        tables = list(played(number, seats, lies=lies))
        for _, events in tables[-1:]:
            every = list(events)
            answers = [place + 1 for place, event in enumerate(every) if isinstance(event, Answered | CardShown)]
            for viewer in (*range(seats), TABLE):
                belief = ALIBI.belief(viewer)
                for end, event in enumerate(every, 1):
                    belief = belief.learn(redact(event, viewer))
                    assert isinstance(belief, Belief)
                    if end not in answers or (end + viewer) % 3 or belief.logic.total > WORLDS:
                        continue
                    shares = Weighed(viewer, every[:end], seats, lies=lies).masses()
                    if shares is not None:
                        agrees(belief, shares, seats)
                        checked += 1
