"""A belief ready made, for a game whose only hidden thing is a deal of cards that stay where they are.

The game says how the cards are dealt and what each event proves (`Reading`). Worlds, samples, chances, notes, proofs
and forgetting follow from that. A game in which more is hidden writes a belief of its own over a Position.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import lcm, prod
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from whodunit.core.judging import Reply, Weighing, gained
from whodunit.core.notes import Assistance, Proof, Sheet
from whodunit.core.redact import secrets
from whodunit.core.resampling import ONLY_LOOKS, resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event, Frozen, Message, Seat
from whodunit.deduce import asking, notebook
from whodunit.deduce.evidence import Evidence, has, weight_of
from whodunit.deduce.position import Position

HAND: Final = "hand"
"""The source of what a player knows from its own cards: no event, so a proof calls it the player's hand."""
SOLUTION: Final = "solution"
"""The holder of what the case is about: a column of the notes."""


class Reading(NamedTuple):
    """How a game reads its events as evidence about the deal."""

    deal: Callable[[Any], Position[Any, Any] | None]
    """Of an event: the deal that it begins, with a holder for each seat, the SOLUTION, perhaps more; else None."""
    proves: Callable[[Any, Seat, int], Iterable[Evidence[Any, Any]]]
    """Of an event, a viewer and the event's number: what it proves to that viewer by the rules of the game.

    It must ask whether the viewer is entitled to a secret, as the rules say. It must never ask whether the field is
    None or who is in `known_to`: then a leak would be believed, and nobody would notice.
    """
    tell: Callable[[Any], Message]
    """The game's log lines: proofs are told in them."""
    assumes: tuple[Message, ...] = ()
    """What the probabilities assume about the players."""
    answers: Callable[[Any, Seat, Seat], Sequence[Event]] = lambda _action, _by, _viewer: ()
    """Of an action, who does it and a viewer: every event that may answer it, as the viewer would see that event.

    One of them must happen and they exclude each other. With it a game has reviews: nothing else is needed.
    """


class DealtWorld(Frozen, Struct, frozen=True, gc=False):
    """One way the cards may be dealt; each hand is in the order in which the Position lists its elements."""

    hands: tuple[tuple[Any, ...], ...]
    """By seat."""
    solution: tuple[Any, ...]
    others: tuple[tuple[Any, ...], ...] = ()
    """What lies with further holders, such as open cards, in the order in which the Position lists them."""


class DealBelief(Frozen, Struct, frozen=True):
    """What one viewer may conclude about the deal from what it has seen so far."""

    seat: Seat
    attention: Attention
    reading: Reading
    seq: int = 0
    """How many events it has learned."""
    position: Position[Any, Any] | None = None
    """None until the cards are dealt."""

    def learn(self, event: Any) -> "DealBelief":
        """Return the belief after one more event, as this viewer saw it."""
        now = replace(self, seq=self.seq + 1)
        if self.position is None:
            return replace(now, position=self.reading.deal(event))
        proved = self.reading.proves(event, self.seat, now.seq)
        if self.attention == "sight":
            proved = [seen for item in proved if (seen := _at_sight(item)) is not None]
        return replace(now, position=self.position.learn(*proved))

    @property
    def _dealt(self) -> Position[Any, Any]:
        if self.position is None:
            raise ValueError("nothing can be concluded before the cards are dealt")
        return self.position

    def worlds(self) -> Iterator[DealtWorld]:
        """Yield every world that this viewer cannot rule out."""
        return map(self._named, self._dealt.logic.worlds())

    def sample(self, rng: Rng, label: str, number: int) -> list[DealtWorld]:
        """Draw worlds, independently, each as likely as it is."""
        return [self._named(masks) for masks in self._dealt.posterior.sample(rng, label, number)]

    def answer(self, world: DealtWorld) -> tuple[Any, ...]:
        """Return what the case is about in this world."""
        return world.solution

    def chance(self, guess: Any) -> float:
        """Return how likely a final guess is to be right: its fields are the cards that it names."""
        likely, named = self._dealt.posterior, set(astuple(guess))
        return sum(mass for cards, mass in likely.joint(SOLUTION).items() if {*cards} == named) / likely.total

    def forget(self, rng: Rng) -> "DealBelief":
        """Return the belief without one of the things it was told, drawn at random; nobody forgets its own hand."""
        told = [item for item in self._dealt.evidence if isinstance(item.source, int)]
        return replace(self, position=notebook.forget(self._dealt, told, rng))

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume about the players."""
        return self.reading.assumes

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: what was seen, what follows, how likely the rest is."""
        if level == "paper" or self.position is None:
            return Sheet(self.seq)
        deal, seen = self.position.deal, notebook.seen_in(self.position)
        sheet = notebook.sheet(self.position, deal.elements, deal.holders, seen, level, self.seq)
        if sheet.worlds is None:
            return sheet
        solutions, bits = len(self.position.logic.joint(SOLUTION)), self.position.posterior.entropy(SOLUTION)
        return replace(sheet, solutions=solutions, bits=bits, assumes=self.assumes())

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        if self.position is None:
            return None
        entry = notebook.entry(self.position.deal.elements, self.position.deal.holders, row, column)
        return None if entry is None else notebook.proof(self.position, *entry, seen, self.reading.tell)

    def entropy(self, by: Weighing = "likely") -> float:
        """Return how many bits are missing to know the solution."""
        if self.position is None:
            return 0.0
        return (self.position.posterior if by == "likely" else self.position.logic).entropy(SOLUTION)

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return the entries that say what the solution is, if that is certain."""
        if self.position is None:
            return ()
        deal, cards = self.position.deal, self.position.logic.hand(SOLUTION)
        known = len(cards) == deal.capacities[deal.places[SOLUTION]]
        return tuple((str(card), SOLUTION) for card in cards) if known else ()

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        """Return every way in which an action may be answered, as this viewer would see it."""
        asker = self.seat if by is None else by
        seq = self.seq + 1
        ways = [
            ((event,), [*self.reading.proves(event, self.seat, seq)])
            for event in self.reading.answers(action, asker, self.seat)
        ]
        return asking.replies(self._dealt, SOLUTION, ways)

    def gain(self, action: Any, by: Seat | None = None) -> float:
        """Return how many bits the answer to an action may be expected to tell this viewer."""
        return gained(self.entropy(), self.replies(action, by))

    def unredact(self, world: DealtWorld, seen: Sequence[Any], rng: Rng) -> tuple[Event, ...]:
        """Return what was seen with all that this viewer was not told, as this world has it.

        What somebody else may see is drawn from whatever proves to them what is so in this world, as likely as that is.
        What nobody may see is the solution, or else what lies with the further holders, in their order.
        """
        if self.attention == "sight":
            raise ValueError(ONLY_LOOKS)
        buried = iter((world.solution, *world.others))
        return tuple(self._told(event, seq, world, buried, rng) for seq, event in enumerate(seen, 1))

    def _told(self, event: Event, seq: int, world: DealtWorld, buried: Iterator[tuple[Any, ...]], rng: Rng) -> Event:
        kind = type(event)
        names = [name for name in secrets(kind) if getattr(event, name) is None]
        if not names:
            return event
        if not event.known_to:
            told = {name: next(buried, ()) for name in names}
            return replace(event, **{name: hand if _is_hand(kind, name) else hand[0] for name, hand in told.items()})
        hands = [*world.hands, world.solution, *world.others]
        values = [hands if _is_hand(kind, name) else self._dealt.deal.elements for name in names]
        ways = [replace(event, **dict(zip(names, way, strict=True))) for way in product(*values)]
        weights = [min(self._weight(way, seat, seq, world) for seat in event.known_to) for way in ways]
        if not any(weights):
            raise ValueError(f"event {seq} ({kind.__name__}) cannot have been in this world: something was forgotten")
        if len(ways) > 1 and set(weights) == {1}:
            raise ValueError(
                f"event {seq} ({kind.__name__}) proves nothing of {', '.join(names)} to {sorted(event.known_to)}, who "
                "may see it, so no world says what it was: write a belief with an `unredact` of its own"
            )
        return ways[_drawn(weights, rng, f"unseen {seq}")]

    def _weight(self, event: Any, viewer: Seat, seq: int, world: DealtWorld) -> Fraction:
        """Return how likely an event is in a world, by what it proves to somebody who may see all of it."""
        deal = self._dealt.deal
        held = dict(zip(deal.holders, self._hands(world), strict=True))
        proved = self.reading.proves(event, viewer, seq)
        return prod([Fraction(weight_of(item, held[item.holder])) for item in proved], start=Fraction(1))

    resample = resampled

    def _hands(self, world: DealtWorld) -> list[tuple[Any, ...]]:
        """Return what every holder has, in the order of the deal."""
        others = iter(world.others)
        return [
            world.hands[holder] if isinstance(holder, int) else world.solution if holder == SOLUTION else next(others)
            for holder in self._dealt.deal.holders
        ]

    def _named(self, masks: tuple[int, ...]) -> DealtWorld:
        deal = self._dealt.deal
        held = dict(zip(deal.holders, map(deal.named, masks), strict=True))
        solution = held.pop(SOLUTION)
        seats = sorted(holder for holder in held if isinstance(holder, int))
        others = tuple(hand for holder, hand in held.items() if holder not in seats)
        return DealtWorld(tuple(held[seat] for seat in seats), solution, others)


@cache
def _is_hand(kind: type[Event], name: str) -> bool:
    """Say whether a secret is several cards, or one."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    (told,) = [field.type for field in info.fields if field.name == name]
    assert isinstance(told, msgspec.inspect.Metadata)
    union = told.type
    parts = union.types if isinstance(union, msgspec.inspect.UnionType) else (union,)
    return any(isinstance(part, msgspec.inspect.VarTupleType | msgspec.inspect.TupleType) for part in parts)


def _drawn(weights: Sequence[Fraction], rng: Rng, label: str) -> int:
    """Draw a place in proportion to its weight."""
    unit = lcm(*(weight.denominator for weight in weights))
    until = [*accumulate(int(weight * unit) for weight in weights)]
    return bisect_right(until, rng.below(label, until[-1]))


def _at_sight(item: Evidence[Any, Any]) -> Evidence[Any, Any] | None:
    """Return what somebody takes in who only looks: a card that was seen, and nothing that has to be thought."""
    if item.given is not None:
        return has(item.holder, [item.given], item.source)
    return item if not any(item.weights[:-1]) else None
