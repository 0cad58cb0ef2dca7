"""What a viewer has seen of a game of Clue, with its secrets as a world of the viewer's belief has them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from whodunit.core.redact import entitled
from whodunit.core.resampling import ONLY_LOOKS
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.games.clue.facts import Card
from whodunit.games.clue.model import (
    AnyEvent,
    CardShown,
    EnvelopeFilled,
    EnvelopeSeen,
    HandDealt,
    SideCardSeen,
    SideCardsLaid,
    Suggested,
    Trio,
)

if TYPE_CHECKING:
    from whodunit.games.clue.evidence import Belief, World

_SECRETS: Final = frozenset({EnvelopeFilled, HandDealt, SideCardsLaid, SideCardSeen, EnvelopeSeen})


def unredact(belief: "Belief", world: "World", seen: Sequence[Any], rng: Rng) -> tuple[AnyEvent, ...]:
    """Return the events with all that the viewer was not told; which card was shown unseen is drawn."""
    if belief.attention == "sight":
        raise ValueError(ONLY_LOOKS)
    return tuple(_lived(belief, world, seen, rng))


def _lived(belief: "Belief", world: "World", seen: Sequence[Any], rng: Rng) -> Iterator[AnyEvent]:
    trio: Trio | None = None
    unseen = iter(belief.saw)
    shown: set[tuple[Seat, Seat, Card]] = set()
    for place, event in enumerate(seen):
        kind = type(event)
        if kind is Suggested:
            trio = event.trio
        elif kind is CardShown:
            if event.card is None:
                _, _, cards = next(unseen)
                held = _showable(belief, world, event, entitled(trio), cards, shown)
                card = held[rng.below(f"shown {place}", len(held))]
                event = replace(event, card=card)  # noqa: PLW2901  (the same event, told in full)
            shown.add((event.to, event.seat, event.card))
        elif kind in _SECRETS:
            event = _told(event, world)  # noqa: PLW2901
        yield event


def _told(event: AnyEvent, world: "World") -> AnyEvent:
    """Return an event whose secret the world says."""
    match event:
        case EnvelopeFilled(trio=None) | EnvelopeSeen(trio=None):
            return replace(event, trio=world.envelope)
        case HandDealt(seat=seat, cards=None):
            return replace(event, cards=world.hands[seat])
        case SideCardsLaid(cards=None):
            return replace(event, cards=world.side)
        case SideCardSeen(position=position, card=None):
            return replace(event, card=world.side[position - 1])
        case _:
            return event


def _showable(
    belief: "Belief",
    world: "World",
    event: CardShown,
    trio: Trio,
    left: Sequence[Card],
    shown: set[tuple[Seat, Seat, Card]],
) -> list[Card]:
    """Return the cards of which one was shown, each as likely as any other, as the belief takes it."""
    held = [card for card in trio.cards if card in world.hands[event.seat]]
    if not held:
        raise ValueError(f"in this world seat {event.seat} could have shown none of {trio}: something was forgotten")
    if belief.showing == "seen_first":
        held = [card for card in held if (event.to, event.seat, card) in shown] or held
    # Who reads motives has left of the three what the asker has not named again.
    return [card for card in held if card in left] or held
