"""How a question may be answered, and what each answer would tell: all questions to a seat from one count, exactly."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from math import log2
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from whodunit.core.types import Seat
from whodunit.deduce import Position, has
from whodunit.games.perfect_alibi.facts import PACK, WITH, Card, Element
from whodunit.games.perfect_alibi.rules import lies

Comes: TypeAlias = Literal["shown", "drawn"]
"""A fitting card that its holder chooses, or any card of his."""
PARTS: Final = 120
"""Into so many equal parts a weight is cut: between two lies, then between one and five cards, none is left over."""
_CARDS: Final = (1 << len(PACK)) - 1
"""Of a hand, the cards; tiles come behind them."""
_BIT: Final = {card: 1 << place for place, card in enumerate(PACK)}
_MASK: Final = {element: sum(_BIT[card] for card in cards) for element, cards in WITH.items()}


class Inquiry(NamedTuple):
    """A question, and what its asker will get to see of the answer."""

    elements: tuple[Element, ...]
    tile: str | None
    """Whoever holds this rival tile lies; None without the Rival variant."""
    least: int
    most: int
    """Between these a lie must be."""
    due: bool
    """Whether a card is due for a number of 2 or more."""
    comes: Comes | None
    """Which card comes then; None: that is still to be decided."""
    first: int = 0
    """The cards that are shown first because the asker has seen them."""
    answered: bool = False
    """Whether the number is given already, and only the card is to come."""


class Promise(NamedTuple):
    """What a question may be expected to tell, in bits."""

    deal: float
    """About who holds what."""
    case: float
    """About the missing alibi."""
    top: float
    """How likely the likeliest one is then, on average: no bits, a chance."""


class Hands:
    """Every hand that a seat may have, with every card that may be missing: one count that serves all questions.

    The weights of a hand are one whole number with a field for each card that may be missing, and a first field for
    all of them together. So hands are added up by adding numbers: quickly, and exactly, however large weights grow.
    """

    def __init__(self, position: Position[Any, Any], seat: Seat, missing: str) -> None:
        cards, _ = position.hands(missing)
        self.total = sum(cards.values())
        self.fields = len(cards)
        self._width = (self.total * PARTS).bit_length()
        self._field = (1 << self._width) - 1
        self._told: dict[str | None, tuple[dict[int, int], dict[int, int]]] = {}
        self._weights: dict[str | None, defaultdict[int, int]] = {}
        """By rival tile, then by cards."""
        everything = 0
        for place, card in enumerate(sorted(cards), 1):
            known = position.learn(has(missing, position.deal.named(card), None))
            unit = 1 + (1 << place * self._width)
            for tile in position.deal.elements[len(PACK) :] or (None,):  # one at a time: so the hands are not too many
                weights = self._weights.setdefault(tile, defaultdict(int))
                with_tile = known if tile is None else known.learn(has(seat, [tile], None))
                for hand, weight in with_tile.hands(seat)[0].items():
                    weights[hand & _CARDS] += weight * unit
            everything += cards[card] * unit
        self.left = self._missing(everything)[0]

    def promise(self, inquiry: Inquiry) -> Promise:
        """Return what the answer may be expected to tell."""
        found: defaultdict[tuple[int | None, int], int] = defaultdict(int)
        whole, noise = self.total * PARTS, 0.0
        for (said, bit, share), weight in self._answers(inquiry).items():
            found[said, bit] += weight * (PARTS // share)
            noise += (weight & self._field) / (self.total * share) * log2(share)
        spread = left = top = 0.0
        for weight in found.values():
            chance = (weight & self._field) / whole
            missing, likeliest = self._missing(weight)
            spread -= chance * log2(chance)
            left += chance * missing
            top += chance * likeliest
        return Promise(spread - noise, self.left - left, top)

    def _answers(self, inquiry: Inquiry) -> dict[tuple[int | None, int, int], int]:
        """Return the weight of all worlds with an answer: number, card, one of how many.

        One of so many equally likely answers of the same world, that is: the weight is still that of the world.
        """
        found: defaultdict[tuple[int | None, int, int], int] = defaultdict(int)
        mask = 0
        for element in inquiry.elements:
            mask |= _MASK[element]
        for lying, hands in enumerate(self._honest_and_lying(inquiry.tile)):
            if inquiry.comes != "drawn":
                hands = _by_fitting(hands, mask)  # noqa: PLW2901  (a card that does not fit makes no difference)
            for hand, weight in hands.items():
                fitting = hand & mask
                for said, due, share in _numbers(inquiry, fitting.bit_count(), bool(lying)):
                    if not due or inquiry.comes is None:
                        found[said, 0, share] += weight
                        continue
                    cards = hand if inquiry.comes == "drawn" else fitting & inquiry.first or fitting
                    bits = _bits_of(cards)
                    for bit in bits:
                        found[said, bit, share * len(bits)] += weight
        return found

    def _honest_and_lying(self, tile: str | None) -> tuple[dict[int, int], dict[int, int]]:
        """Return the weights of all hands of cards, if the seat has another tile and if it has this one."""
        if tile not in self._told:
            honest: defaultdict[int, int] = defaultdict(int)
            for other, weights in self._weights.items():
                if tile is None or other != tile:
                    for cards, weight in weights.items():
                        honest[cards] += weight
            self._told[tile] = honest, {} if tile is None else self._weights[tile]
        return self._told[tile]

    def _missing(self, weight: int) -> tuple[float, float]:
        """Return how many bits are missing where the missing cards have these weights, and the largest share."""
        total = weight & self._field
        whole, left, most = log2(total), 0.0, 0
        for _ in range(self.fields):
            weight >>= self._width
            if mass := weight & self._field:
                left += mass / total * (whole - log2(mass))
                most = max(most, mass)
        return left, most / total


def _by_fitting(hands: Mapping[int, int], mask: int) -> dict[int, int]:
    """Add up the hands that have the same cards of the mask."""
    found: defaultdict[int, int] = defaultdict(int)
    for hand, weight in hands.items():
        found[hand & mask] += weight
    return found


@lru_cache(maxsize=4096)
def _numbers(inquiry: Inquiry, true: int, lying: bool) -> tuple[tuple[int | None, bool, int], ...]:  # noqa: FBT001  (a key)
    """Return what may be said if so many cards fit: the number, whether a card is due, one of how many."""
    if inquiry.answered:
        return ((None, True, 1),)
    numbers = lies(true, inquiry.least, inquiry.most) if lying else (true,)
    return tuple((number, inquiry.due and number > 1, len(numbers)) for number in numbers)


@lru_cache(maxsize=1 << 16)
def _bits_of(cards: int) -> tuple[int, ...]:
    found = []
    while cards:
        found.append(cards & -cards)
        cards &= cards - 1
    return tuple(found)


def mask_of(cards: list[Card]) -> int:
    """Return cards as bits."""
    return sum(_BIT[card] for card in cards)
