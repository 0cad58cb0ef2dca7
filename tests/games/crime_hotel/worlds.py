"""Crime Hotel for the conformance suite: what is hidden, who may know it by section 4, and what always holds."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tests.games.crime_hotel.invariants import check
from tests.games.crime_hotel.staging import blindly, first
from whodunit.core.offer import Offer
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Game, Seat
from whodunit.games import crime_hotel
from whodunit.games.crime_hotel.evidence import Deal, World
from whodunit.games.crime_hotel.facts import CARDS, Card
from whodunit.games.crime_hotel.model import (
    AnyEvent,
    CardPlayed,
    Exchange,
    Exchanged,
    Guess,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    Look,
    Looked,
    MurdererFound,
    MurdererHidden,
    RoomsLit,
    State,
)

T = TypeVar("T")
Hands = tuple[frozenset[Card], ...]

# --- Settings and play -------------------------------------------------------------------------------------------


GOLDEN: Final = Path(__file__).parent / "golden"
ELSEWHERE: Final[frozenset[tuple[str, Any]]] = frozenset()


def adjusted(seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawn options with as little changed as makes them fit this number of seats."""
    fitting = dict(options)
    if options.get("first_car") is not None:
        fitting["first_car"] = options["first_car"] % seats
    return fitting


def lively(offers: Sequence[Offer]) -> Sequence[Offer]:
    """Keep of the offers what moves or shows cards."""
    return [offer for offer in offers if offer.action in (Exchange, Look)] or offers


def provable(_events: Sequence[AnyEvent]) -> bool:
    """Nothing happens here that nobody reckons with."""
    return True


def honest(_state: State, _seat: Seat, _action: Action) -> bool:
    """Nothing is left to honour: the house sees to everything."""
    return True


# --- Worlds ------------------------------------------------------------------------------------------------------


def world(_state: State, events: Sequence[AnyEvent]) -> World:
    """Return everything that was hidden in this game."""
    deals: list[Deal] = []
    for event in events:
        match event:
            case InvestigationBegan():
                deals.append(Deal(0, ()))
            case HandDealt(cards=cards):
                deals[-1] = replace(deals[-1], hands=(*deals[-1].hands, _all(cards)))
            case MurdererHidden(card=card):
                deals[-1] = replace(deals[-1], hidden=_all(card))
            case Exchanged(given=given, drawn=drawn):
                deals[-1] = replace(deals[-1], trades=(*deals[-1].trades, (_all(given), _all(drawn))))
            case _:
                pass
    return World(tuple(deals))


def _all(secret: T | None) -> T:
    assert secret is not None
    return secret


def as_world(believed: World) -> World:
    return believed


def guess(world: World) -> Guess:
    """Return a guess that is right in this world."""
    return Guess(f"room {world.deals[-1].hidden}")


def stack(world: World, _opening: Batch) -> Mapping[str, Result]:
    """Return the deck of the first investigation."""
    return {"deck 1": _deck(world.deals[0])}


def _deck(deal: Deal) -> tuple[int, ...]:
    return first([*(card for hand in deal.hands for card in hand), deal.hidden])


def again(
    world: World, state: State, recorded: Batch, _seen: Sequence[AnyEvent]
) -> tuple[Action | None, Mapping[str, Result]]:
    """Return the exchange of this world, a look at the cards recorded if they are there, and the next deck."""
    for label, _, numbers in (draw.label.partition(" ") for draw in recorded.draws):
        if label == "deck":
            return None, {f"deck {numbers}": _deck(world.deals[int(numbers) - 1])}
        for event in recorded.events:
            if isinstance(event, Looked):
                return None, {f"look {numbers}": _drawn(_all(event.cards), _all(state.hands[event.target]))}
            if isinstance(event, Exchanged):
                number, desk = map(int, numbers.split("."))
                given, drawn = world.deals[number - 1].trades[desk - 1]
                hand = _all(state.hands[event.partner])
                could = set(drawn) <= set(hand)  # else it cannot be
                return Exchange(event.partner, given if could else ()), {f"exchange {numbers}": _drawn(drawn, hand)}
    return None, {}


def _drawn(cards: Sequence[Card], hand: Sequence[Card]) -> int:
    """Return what draws these cards of the hand, or any if they are not there."""
    return blindly(cards, hand) if set(cards) <= set(hand) else 0


def comparable(world: World, truth: World) -> bool:
    """Say whether the world knows as many deals and exchanges."""
    return [len(deal.trades) for deal in world.deals] == [len(deal.trades) for deal in truth.deals]


def neighbour(world: World, rng: Rng) -> World:
    """Return a world in which two cards of a deal have changed places, in the exchanges too or there alone."""
    at = rng.below("deal", len(world.deals))
    deal = world.deals[at]
    near = deal.trades and rng.below("near an exchange", 2)
    one, other = _near_an_exchange(deal, rng) if near else rng.shuffled("swap", _dealt(deal))[:2]
    both = {one: other, other: one}

    def swapped(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(sorted(both.get(card, card) for card in cards))

    trades = tuple((swapped(given), swapped(drawn)) for given, drawn in deal.trades)
    if not near and rng.below("in the exchanges alone", 2):
        new = replace(deal, trades=trades)
    else:
        moved = trades if near or rng.below("and the exchanges", 2) else deal.trades
        new = Deal(both.get(deal.hidden, deal.hidden), tuple(map(swapped, deal.hands)), moved)
    return World((*world.deals[:at], new, *world.deals[at + 1 :]))


def _dealt(deal: Deal) -> list[Card]:
    return [*(card for hand in deal.hands for card in hand), deal.hidden]


def _near_an_exchange(deal: Deal, rng: Rng) -> tuple[Card, Card]:
    """Return a card that changed hands, and one of the hand it came to: swapped, they may look the same to others."""
    sides = deal.trades[rng.below("exchange", len(deal.trades))]
    way = rng.below("way", 2)
    moved, back = sides[way], sides[1 - way]
    hand = next((hand for hand in deal.hands if back[0] in hand), deal.hands[0])
    return moved[rng.below("moved", len(moved))], hand[rng.below("kept", len(hand))]


# --- What a viewer may know --------------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """Something that happened to the hands, as far as a viewer may know it."""

    kind: Literal["play", "swap", "look"]
    seat: Seat
    partner: Seat = -1
    number: int = 1
    cards: tuple[Card, ...] | None = None
    """Played, given or seen."""
    drawn: tuple[Card, ...] | None = None
    lacks: int | None = None


class Known(Struct, frozen=True):
    """What a viewer can know of one investigation by the table of section 4: never more, and never less."""

    me: Seat
    sizes: tuple[int, ...] = ()
    own: tuple[Card, ...] | None = None
    lit: tuple[Card, ...] | None = None
    """Open from the start."""
    steps: tuple[Step, ...] = ()
    hidden: Card | None = None

    def learn(self, event: AnyEvent) -> "Known":
        match event:
            case HandDealt(seat=seat, size=size, cards=cards):
                known = replace(self, sizes=(*self.sizes, size))
                return replace(known, own=self._told(cards, event)) if seat == self.me else known
            case RoomsLit(cards=cards):
                return replace(self, lit=cards)
            case CardPlayed(seat=seat, card=card):
                return self._with(Step("play", seat, cards=(card,), lacks=self._lacked(card)))
            case LastCardLaid(seat=seat, card=card):
                return self._with(Step("play", seat, cards=(card,)))
            case Exchanged(seat=seat, partner=partner, count=count):
                step = Step("swap", seat, partner, count)
                if self.me in (seat, partner):
                    step = replace(step, cards=self._told(event.given, event), drawn=self._told(event.drawn, event))
                return self._with(step)
            case Looked(seat=seat, target=target, count=count, cards=cards) if self.me in (seat, target):
                return self._with(Step("look", seat, target, count, self._told(cards, event)))
            case MurdererFound(card=card):
                return replace(self, hidden=card)
            case _:
                return self

    def _lacked(self, card: Card) -> int | None:
        """Return the floor that was led, if this card is not of it (HOTEL-13)."""
        played = [step for step in self.steps if step.kind == "play"]
        place = len(played) % len(self.sizes)
        if place == 0:
            return None
        lead = _all(played[len(played) - place].cards)[0] // 10
        return None if card // 10 == lead else lead

    def _with(self, step: Step) -> "Known":
        return replace(self, steps=(*self.steps, step))

    def _told(self, secret: T | None, event: AnyEvent) -> T:
        assert secret is not None, f"by the book viewer {self.me} sees all of {event}"
        return secret

    def allows(self, deal: Deal) -> bool:
        """Let the hands of this deal do what happened."""
        if tuple(map(len, deal.hands)) != self.sizes or self.hidden not in (None, deal.hidden):
            return False
        if self.own is not None and deal.hands[self.me] != self.own:
            return False
        if sorted([deal.hidden, *(card for hand in deal.hands for card in hand), *_all(self.lit)]) != list(CARDS):
            return False
        hands = [set(hand) for hand in deal.hands]
        trades = iter(deal.trades)
        for step in self.steps:
            match step.kind:
                case "play":
                    (card,) = _all(step.cards)
                    if card not in hands[step.seat] or any(held // 10 == step.lacks for held in hands[step.seat]):
                        return False
                    hands[step.seat].remove(card)
                case "look":
                    if not set(_all(step.cards)) <= hands[step.partner]:
                        return False
                case "swap":
                    given, drawn = next(trades)
                    if step.cards is not None and (step.cards, step.drawn) != (given, drawn):
                        return False
                    if {len(set(given)), len(set(drawn))} != {step.number}:
                        return False
                    if not (set(given) <= hands[step.seat] and set(drawn) <= hands[step.partner]):
                        return False
                    hands[step.seat] = hands[step.seat] - set(given) | set(drawn)
                    hands[step.partner] = hands[step.partner] - set(drawn) | set(given)
        return True

    def deals(self) -> Iterator[Deal]:
        """Go back from every way the cards may lie now to how they must have been dealt."""
        if self.lit is None:
            return
        out = {*self.lit, *(card for step in self.steps if step.kind == "play" for card in _all(step.cards))}
        left = [card for card in CARDS if card not in out]
        plays = [step.seat for step in self.steps if step.kind == "play"]
        sizes = [size - plays.count(seat) for seat, size in enumerate(self.sizes)]
        own = self._own_now()
        for hidden in left:
            if hidden not in own and self.hidden in (None, hidden):
                rest = [card for card in left if card != hidden and card not in own]
                for hands in self._hands(rest, sizes, 0, own):
                    for dealt, trades in self._back(hands, len(self.steps), ()):
                        if self.own is None or dealt[self.me] == frozenset(self.own):
                            yield Deal(hidden, tuple(tuple(sorted(hand)) for hand in dealt), trades)

    def _own_now(self) -> set[Card]:
        hand = set(self.own or ())
        for step in self.steps if self.own is not None else ():
            match step:
                case Step(kind="play", seat=self.me, cards=cards):
                    hand -= set(_all(cards))
                case Step(kind="swap", seat=self.me, cards=given, drawn=drawn):
                    hand = hand - set(_all(given)) | set(_all(drawn))
                case Step(kind="swap", partner=self.me, cards=given, drawn=drawn):
                    hand = hand - set(_all(drawn)) | set(_all(given))
                case _:
                    pass
        return hand

    def _hands(self, rest: Sequence[Card], sizes: Sequence[int], seat: Seat, own: set[Card]) -> Iterator[Hands]:
        if seat == len(sizes):
            yield ()
            return
        if seat == self.me:
            yield from ((frozenset(own), *others) for others in self._hands(rest, sizes, seat + 1, own))
            return
        for hand in combinations(rest, sizes[seat]):
            left = [card for card in rest if card not in hand]
            for others in self._hands(left, sizes, seat + 1, own):
                yield frozenset(hand), *others

    def _back(self, hands: Hands, until: int, trades: tuple[Any, ...]) -> Iterator[tuple[Hands, tuple[Any, ...]]]:
        """Take the steps back, one by one; yield how it was before all of them."""
        if until == 0:
            yield hands, trades
            return
        step = self.steps[until - 1]
        one = hands[step.seat]
        if step.kind == "play":
            before = one | set(_all(step.cards))
            if not any(card // 10 == step.lacks for card in before):
                yield from self._back(_put(hands, step.seat, before), until - 1, trades)
        elif step.kind == "look":
            if set(_all(step.cards)) <= hands[step.partner]:
                yield from self._back(hands, until - 1, trades)
        else:
            other = hands[step.partner]
            for drawn in _choices(one, step.number, step.drawn):
                for given in _choices(other, step.number, step.cards):
                    earlier = _put(hands, step.seat, one - set(drawn) | set(given))
                    earlier = _put(earlier, step.partner, other - set(given) | set(drawn))
                    yield from self._back(earlier, until - 1, ((given, drawn), *trades))


def _choices(hand: frozenset[Card], number: int, known: tuple[Card, ...] | None) -> Iterator[tuple[Card, ...]]:
    if known is None:
        yield from combinations(sorted(hand), number)
    elif set(known) <= hand:
        yield known


def _put(hands: Hands, seat: Seat, hand: frozenset[Card]) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


@lru_cache(maxsize=20000)
def _fits(known: Known, deal: Deal) -> bool:
    return known.allows(deal)


class Case(Struct, frozen=True):
    """What a viewer can know of all investigations."""

    me: Seat
    known: tuple[Known, ...] = ()

    def learn(self, event: AnyEvent) -> "Case":
        if isinstance(event, InvestigationBegan):
            return replace(self, known=(*self.known, Known(self.me)))
        if not self.known:
            return self
        return replace(self, known=(*self.known[:-1], self.known[-1].learn(event)))

    def allows(self, world: World) -> bool:
        return all(_fits(known, deal) for known, deal in zip(self.known, world.deals, strict=False))

    def worlds(self) -> Iterator[World]:
        """List what every investigation may have been, the ended ones first: they leave few ways open."""
        return map(World, _combined(self.known))


def _combined(known: tuple[Known, ...]) -> Iterator[tuple[Deal, ...]]:
    if not known:
        yield ()
        return
    for deal in known[0].deals():
        for rest in _combined(known[1:]):
            yield deal, *rest


def belief(viewer: Seat) -> Case:
    return Case(viewer)


def invariants(before: State | None, event: AnyEvent, after: State) -> None:
    """Raise AssertionError if what happened, or where it led, cannot be."""
    if before is not None:
        check(before, event, after)


CHECKED: Final[Game] = crime_hotel  # mypy says what the module lacks
