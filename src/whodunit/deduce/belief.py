"""A belief ready made, for a game whose only hidden thing is a deal of cards that stay where they are.

The game says how the cards are dealt and what each event proves (`Reading`). Worlds, samples, chances, notes, proofs
and forgetting follow from that. A game in which more is hidden writes a belief of its own over a Position.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from whodunit.core.judging import Reply, Weighing, gained
from whodunit.core.notes import Assistance, Proof, Sheet
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event, Frozen, Message, Seat
from whodunit.deduce import asking, notebook
from whodunit.deduce.evidence import Evidence, has
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

    def _named(self, masks: tuple[int, ...]) -> DealtWorld:
        deal = self._dealt.deal
        held = dict(zip(deal.holders, map(deal.named, masks), strict=True))
        solution = held.pop(SOLUTION)
        seats = sorted(holder for holder in held if isinstance(holder, int))
        others = tuple(hand for holder, hand in held.items() if holder not in seats)
        return DealtWorld(tuple(held[seat] for seat in seats), solution, others)


def _at_sight(item: Evidence[Any, Any]) -> Evidence[Any, Any] | None:
    """Return what somebody takes in who only looks: a card that was seen, and nothing that has to be thought."""
    if item.given is not None:
        return has(item.holder, [item.given], item.source)
    return item if not any(item.weights[:-1]) else None
