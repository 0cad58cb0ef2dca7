"""What a viewer has seen of a game of Crime Hotel, with its secrets as a world of the viewer's belief has them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from whodunit.core.offer import Some
from whodunit.core.resampling import ONLY_LOOKS
from whodunit.core.rng import Rng
from whodunit.games.crime_hotel.facts import Card
from whodunit.games.crime_hotel.model import (
    AnyEvent,
    CardPlayed,
    Exchanged,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    Looked,
    MurdererHidden,
)

if TYPE_CHECKING:
    from whodunit.games.crime_hotel.evidence import Belief, World


def unredact(belief: "Belief", world: "World", seen: Sequence[Any], rng: Rng) -> tuple[AnyEvent, ...]:
    """Return the events with all that the viewer was not told; which cards were looked at unseen is drawn."""
    if belief.attention == "sight":
        raise ValueError(ONLY_LOOKS)
    return tuple(_lived(world, seen, rng))


def _lived(world: "World", seen: Sequence[Any], rng: Rng) -> Iterator[AnyEvent]:
    deals = iter(world.deals)
    for place, event in enumerate(seen):
        match event:
            case InvestigationBegan():
                deal = next(deals)
                hands = [set(hand) for hand in deal.hands]
                trades = iter(deal.trades)
                yield event
            case HandDealt(seat=seat, cards=None):
                yield replace(event, cards=deal.hands[seat])
            case MurdererHidden(card=None):
                yield replace(event, card=deal.hidden)
            case CardPlayed(seat=seat, card=card) | LastCardLaid(seat=seat, card=card):
                hands[seat].remove(card)
                yield event
            case Exchanged(seat=seat, partner=partner):
                given, drawn = next(trades)
                hands[seat] = hands[seat].difference(given).union(drawn)
                hands[partner] = hands[partner].difference(drawn).union(given)
                yield replace(event, given=given, drawn=drawn) if event.given is None else event
            case Looked(target=target, count=count, cards=None):
                yield replace(event, cards=_drawn(hands[target], count, rng, f"looked at {place}"))
            case _:
                yield event


def _drawn(hand: set[Card], count: int, rng: Rng, label: str) -> tuple[Card, ...]:
    """Draw which cards were taken up (HOTEL-32), each choice of so many as likely as any other."""
    blind = Some(tuple(sorted(hand)), count, count)
    return blind.at(rng.below(label, blind.count))  # type: ignore[return-value]  # of cards
