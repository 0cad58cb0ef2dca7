"""What every event of Clue proves to a seat: by what the book lets it know, not by what a field happens to hold."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.judging import Reply, Showing, Weighing, gained
from whodunit.core.notes import Assistance, Proof, Sheet
from whodunit.core.redact import entitled
from whodunit.core.resampling import resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event, Frozen, Message, Seat, Undone
from whodunit.deduce import (
    Claim,
    Evidence,
    Explanation,
    Position,
    Posterior,
    TooWide,
    asking,
    count,
    has,
    lacks,
    not_all,
    notebook,
    shows,
    some,
)
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS, Card
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    AnyEvent,
    CardShown,
    CouldNotShow,
    EnvelopeOpened,
    EnvelopeSeen,
    HandDealt,
    LookAside,
    Opened,
    SideCardSeen,
    SideCardsLaid,
    State,
    StayAndSuggest,
    Suggest,
    Suggested,
    Trio,
    TurnBegan,
)
from whodunit.games.clue.tell import tell
from whodunit.games.clue.unredact import unredact

ENVELOPE: Final = "envelope"
HAND: Final = "hand"
"""The source of what a player knows from his own cards."""
Holder: TypeAlias = Seat | str
"""A seat, the envelope, or a position in the row of side cards."""


def side(position: int) -> str:
    """Name a position in the row of side cards, 1 to 4."""
    return f"side {position}"


class World(Frozen, Struct, frozen=True, gc=False):
    """One way everything hidden may be: the envelope, the hands by seat, the side cards by position."""

    envelope: Trio
    hands: tuple[tuple[Card, ...], ...]
    side: tuple[Card, ...] = ()


class Belief(Frozen, Struct, frozen=True):
    """What one viewer may conclude from what it has seen so far."""

    seat: Seat
    attention: Attention
    seq: int = 0
    """How many events it has learned."""
    seats: int = 0
    side_cards: int = 0
    sizes: tuple[int, ...] = ()
    own: tuple[Card, ...] = ()
    shown: tuple[tuple[Seat, Card], ...] = ()
    """To whom it has shown which of its own cards."""
    asked: tuple[Seat, ...] = ()
    """Which rivals have made suggestions, in order."""
    saw: tuple[tuple[Seat, Seat, tuple[Card, ...]], ...] = ()
    """Which rival was shown a card by which other, and which cards it may have been."""
    position: Position[Card, Holder] | None = None
    """None until the cards are dealt."""
    on_turn: Seat = 0
    trio: Trio | None = None
    """The suggestion that is being answered, or that nobody could disprove."""
    passes: int = 0
    """How many have already said that they cannot show."""
    let_pass: Evidence[Card, Holder] | None = None
    """What it tells that somebody has not accused, once he can no longer take the end of his turn back."""
    showing: Showing = "even"
    """What it takes for granted of whoever chooses among cards to show."""

    def learn(self, event: Any) -> "Belief":
        """Return the belief after one more event, as this viewer saw it."""
        now = replace(self, seq=self.seq + 1, let_pass=None)
        if self.let_pass is not None and not isinstance(event, Undone):
            now = _knowing(now, self.let_pass)
        return _learn(now, event)

    @property
    def logic(self) -> Posterior[Card, Holder]:
        """What is possible, no behaviour assumed."""
        return self._dealt.logic

    @property
    def likely(self) -> Posterior[Card, Holder]:
        """What is likely, under what `assumes` says."""
        return self._dealt.posterior

    @property
    def _dealt(self) -> Position[Card, Holder]:
        if self.position is None:
            raise ValueError("nothing can be concluded before the cards are dealt")
        return self.position

    def worlds(self) -> Iterator[World]:
        """Yield every world this viewer cannot rule out."""
        return (self._named(masks) for masks in self.logic.worlds())

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently, each as likely as it is."""
        return [self._named(masks) for masks in self.likely.sample(rng, label, number)]

    def answer(self, world: World) -> tuple[Card, Card, Card]:
        """Return what the case is about in this world, part by part."""
        return world.envelope.cards

    def solution(self) -> dict[Trio, float]:
        """Return the probability of every trio that may be in the envelope."""
        likely = self.likely
        return {Trio(*cards): mass / likely.total for cards, mass in likely.joint(ENVELOPE).items()}  # type: ignore[arg-type]

    def chance(self, guess: Accuse) -> float:
        """Return how likely this accusation is to be right."""
        return self.solution().get(Trio(guess.suspect, guess.weapon, guess.room), 0.0)

    def forget(self, rng: Rng) -> "Belief":
        """Return the belief without one of the things it was told, drawn at random.

        Side cards that the player has looked at lie open in the view, and no second look would bring one back.
        """
        known = self._dealt
        open_ones = [side(position) for position in range(1, self.side_cards + 1)]
        told = [item for item in known.evidence if isinstance(item.source, int) and item.holder not in open_ones]
        return replace(self, position=notebook.forget(known, told, rng))

    def entropy(self, by: Weighing = "likely") -> float:
        """Return how many bits are missing to know the envelope."""
        if self.position is None:
            return 0.0
        return asking.outlook(self.position, ENVELOPE).left if by == "likely" else asking.entropy(self._possible())

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return the entries that say what the envelope holds, if that is certain."""
        if self.position is None:
            return ()
        if asking.outlook(self.position, ENVELOPE).left:  # however unlikely they are, others are possible
            return ()
        return tuple((card, ENVELOPE) for card in self.logic.hand(ENVELOPE))

    def _possible(self) -> Iterable[int]:
        """Return in how many worlds each trio is in the envelope; no behaviour assumed."""
        known = self._dealt
        try:
            return known.engine.joint(known.known, known.deal.places[ENVELOPE]).values()
        except TooWide:
            return self.logic.joint(ENVELOPE).values()

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        """Return every way in which an action may be answered, as this viewer would see it."""
        if self.position is None:
            return ()
        asker = self.seat if by is None else by
        match action:
            case Suggest(suspect, weapon, room) | StayAndSuggest(suspect, weapon, room):
                return self._weighed(self._answers(Trio(suspect, weapon, room), asker))
            case LookAside(position) if asker == self.seat:
                return self._weighed(self._faces(position))
            case _:
                return ()

    def gain(self, action: Any, by: Seat | None = None) -> float:
        """Return how many bits the answer to an action may be expected to tell this viewer."""
        return gained(self.entropy(), self.replies(action, by))

    def _weighed(self, ways: "Iterator[_Way]") -> tuple[Reply, ...]:
        total = asking.outlook(self._dealt, ENVELOPE).weight
        found = []
        for events, share, position in ways:
            then = asking.outlook(position, ENVELOPE)
            if then.weight:
                line = None if isinstance(events[-1], CardShown | SideCardSeen) else Message("reply.nobody")
                found.append(Reply(events, float(share * then.weight / total), then.left, then.top, line))
        return tuple(found)

    def _answers(self, trio: Trio, asker: Seat) -> "Iterator[_Way]":
        """Yield how a suggestion may be answered: one after the other is asked, until a card is shown (CLUE-40)."""
        known, likely = self._dealt, self.likely
        passed: tuple[AnyEvent, ...] = ()
        for seat in ((asker + step) % self.seats for step in range(1, self.seats)):
            held = [card for card in trio.cards if likely.mass(card, seat)]
            for card, share, proved in self._shown_by(seat, asker, trio, held):
                shown = CardShown(seat=seat, to=asker, card=card, known_to=frozenset({seat, asker}))
                yield (*passed, shown), share, known.learn(*proved)
            if any(likely.mass(card, seat) == likely.total for card in held):
                return
            passed = (*passed, CouldNotShow(seat=seat))
            known = known.learn(lacks(seat, held, self.seq)) if held else known
        yield passed, _SURELY, known

    def _shown_by(
        self, seat: Seat, asker: Seat, trio: Trio, held: Sequence[Card]
    ) -> "Iterator[tuple[Card | None, Fraction, tuple[Evidence[Card, Holder], ...]]]":
        """Yield which card a seat may show of those it may hold, how likely of those it has, and what that proves."""
        if not held:
            return
        if self.seat not in (seat, asker):
            yield None, _SURELY, (some(seat, trio.cards, self.seq),)
            return
        again, likely = self._again(seat, asker, held), self.likely
        if again or all(likely.mass(card, seat) == likely.total for card in held):
            among = again or held  # of these it is known that the seat has them, so its choice tells nothing
            yield from ((card, Fraction(1, len(among)), ()) for card in among)
            return
        for card in held:
            yield card, _SURELY, (shows(seat, card, trio.cards, self.seq),)

    def _again(self, seat: Seat, asker: Seat, cards: Sequence[Card]) -> list[Card]:
        """Return which of these cards one of two, of whom this viewer is one, shows again rather than others."""
        if self.showing == "even":
            return []
        seen = self.seen
        return [card for card in cards if (asker, card) in self.shown or seen.get(card) == seat]

    @property
    def seen(self) -> dict[Card, Holder]:
        """Who has shown this viewer which card, as far as it remembers."""
        return {item.given: item.holder for item in self.evidence if item.given is not None}

    @property
    def evidence(self) -> tuple[Evidence[Card, Holder], ...]:
        """All that it goes by."""
        return self._dealt.evidence  # type: ignore[return-value]  # nothing here weighs whole hands

    def has_looked_at(self, position: int) -> bool:
        """Say whether it has seen this side card."""
        return any(item.holder == side(position) for item in self.evidence)

    def _faces(self, position: int) -> "Iterator[_Way]":
        """Yield which card a side card may be."""
        for card in PACK:
            if self.likely.mass(card, side(position)):
                seen = SideCardSeen(seat=self.seat, position=position, card=card, known_to=frozenset({self.seat}))
                yield (seen,), _SURELY, self._dealt.learn(has(side(position), [card], self.seq))

    def explain(self, card: Card, holder: Holder, *, held: bool = True) -> Explanation[Card, Holder] | None:
        """Return why this is certain, or None if it is not."""
        return self._dealt.explain(Claim(card, holder, held))

    def clash(self) -> tuple[Any, ...]:
        """Return the log entries that cannot all be right; none, if they can."""
        return self._dealt.clash()

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: what was seen, what follows, how likely the rest is."""
        if level == "paper" or self.position is None:
            return Sheet(self.seq)
        deal, seen = self.position.deal, notebook.seen_in(self.position)
        sheet = notebook.sheet(self.position, deal.elements, deal.holders, seen, level, self.seq)
        if sheet.worlds is None:
            return sheet
        return replace(sheet, solutions=len(self.logic.joint(ENVELOPE)), bits=self.entropy(), assumes=self.assumes())

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        if self.position is None:
            return None
        entry = notebook.entry(self.position.deal.elements, self.position.deal.holders, row, column)
        return None if entry is None else notebook.proof(self.position, *entry, seen, tell)

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume about the players."""
        return _CHOICE[self.showing], *(_MOTIVES if self.attention == "motives" else ())

    unredact = unredact
    resample = resampled

    def _named(self, masks: tuple[int, ...]) -> World:
        deal = self._dealt.deal
        hands = [deal.named(mask) for mask in masks]
        rows = [hand[0] for hand in hands[self.seats + 1 :]]
        return World(Trio(*hands[self.seats]), tuple(hands[: self.seats]), tuple(rows))  # type: ignore[arg-type]


def belief(seat: Seat, attention: Attention = "logic", showing: Showing = "even") -> Belief:
    """Return what a viewer knows before anything was seen."""
    return Belief(seat, attention, showing=showing)


_Way: TypeAlias = tuple[tuple[AnyEvent, ...], Fraction, Position[Card, Holder]]
"""What may be seen, how likely it is chosen where it can be, and what is known then."""
_SURELY: Final = Fraction(1)
_CHOICE: Final[dict[Showing, Message]] = {
    "even": Message("assumes.even_choice"),
    "seen_first": Message("assumes.seen_first"),
}
_MOTIVES: Final = (
    Message("assumes.accuses_when_sure"),
    Message("assumes.asks_unknown"),
    Message("assumes.asks_once"),
)

LET_PASS: Final = (1, 50, 50, 50)
"""How likely a player is, by how many of its cards he holds, not to accuse of what nobody could disprove."""
NAMED_OWN: Final = ((3, (4, 1, 1)), (6, (1, 1, 4)), (9, (1, 4, 16)))
"""How likely a suggestion is that names none, one or two of the suggester's own cards, beside chance.

At first people ask about what they do not hold; once they nearly know suspect and weapon, they name their own cards
and ask about the rooms. The first number says below which of a player's suggestions a row holds; the rows are rounded
from 60 games of four detectives. Later suggestions tell little more and are not weighed.
"""
SEEN_BEFORE: Final = (1, 50, 50)
"""How likely a player is to name again one of three cards, if that was the only one he can have been shown then.

In 300 games of four detectives it never happened.
"""


def _learn(now: Belief, event: AnyEvent | Undone) -> Belief:
    match event:
        case Opened(seats=seats):
            return replace(now, seats=seats)
        case SideCardsLaid(count=number):
            return replace(now, side_cards=number)
        case HandDealt():
            return _hand_dealt(now, event)
        case TurnBegan(seat=seat):
            return replace(now, let_pass=_let_pass(now), on_turn=seat, trio=None)
        case Suggested(seat=seat, trio=trio):
            return replace(now, on_turn=seat, trio=trio, passes=0)  # a turn that was ended may have been taken back
        case CouldNotShow(seat=seat):
            now = _asked(now)
            return _could_not_show(replace(now, passes=now.passes + 1), seat)
        case CardShown():
            return replace(_card_shown(_asked(now), event), trio=None)
        case SideCardSeen(seat=seat, position=position, card=card) if seat == now.seat:
            return _knowing(now, has(side(position), [entitled(card)], now.seq))
        case Accused(trio=trio, right=False):
            now = replace(now, trio=None)
            return now if now.attention == "sight" else _knowing(now, not_all(ENVELOPE, trio.cards, now.seq))
        case EnvelopeSeen(seat=seat, trio=seen) if seat == now.seat:
            return _knowing(now, has(ENVELOPE, entitled(seen).cards, now.seq))
        case EnvelopeOpened(trio=trio):
            return _knowing(now, has(ENVELOPE, trio.cards, now.seq))
        case _:
            # Undone too: what may be taken back has told nobody anything (see INFO.undoable).
            return now


def _hand_dealt(now: Belief, event: HandDealt) -> Belief:
    now = replace(now, sizes=(*now.sizes, event.size))
    if event.seat == now.seat:
        now = replace(now, own=entitled(event.cards))
    if len(now.sizes) < now.seats:
        return now
    holders: dict[Holder, int] = {**dict(enumerate(now.sizes)), ENVELOPE: 3}
    holders |= {side(position): 1 for position in range(1, now.side_cards + 1)}
    kinds: tuple[tuple[Card, ...], ...] = (SUSPECTS, WEAPONS, ROOMS)
    rules = [count(ENVELOPE, kind, 1, None) for kind in kinds]
    now = replace(now, position=Position(PACK, holders, rules))
    return _knowing(now, has(now.seat, now.own, HAND)) if now.own else now


def _could_not_show(now: Belief, seat: Seat) -> Belief:
    trio = entitled(now.trio)
    if now.attention != "sight":
        return _knowing(now, lacks(seat, trio.cards, now.seq))
    if now.on_turn == now.seat and now.passes == now.seats - 1 and not now.side_cards:
        return _knowing(now, has(ENVELOPE, [card for card in trio.cards if card not in now.own], now.seq))
    return now


def _card_shown(now: Belief, event: CardShown) -> Belief:
    if now.trio is None:  # of a suggestion that was left out, as where a case is cut from a game: the card was seen
        return _knowing(now, has(event.seat, [entitled(event.card)], now.seq))
    trio = now.trio
    if now.seat == event.seat:
        return replace(now, shown=(*now.shown, (event.to, entitled(event.card))))
    if now.seat != event.to:
        now = replace(now, saw=(*now.saw, (event.to, event.seat, trio.cards)))
        return now if now.attention == "sight" else _knowing(now, some(event.seat, trio.cards, now.seq))
    card: Card = entitled(event.card)
    if now.attention == "sight":
        return _knowing(now, has(event.seat, [card], now.seq))
    if now.showing == "seen_first" and now.seen.get(card) == event.seat:
        return now  # taken for granted: so it tells nothing of the others
    return _knowing(now, shows(event.seat, card, trio.cards, now.seq))


def _asked(now: Belief) -> Belief:
    """Weigh what the suggester chose to name, with the first answer: then he can no longer take it back."""
    if now.attention != "motives" or now.on_turn == now.seat or now.passes:
        return now
    trio = entitled(now.trio)
    now = _asked_again(replace(now, asked=(*now.asked, now.on_turn)), trio)
    number = now.asked.count(now.on_turn)
    for until, weights in NAMED_OWN:
        if number < until:  # the room was not his to choose
            return _knowing(now, Evidence(now.on_turn, (trio.suspect, trio.weapon), weights, now.seq))
    return now


def _asked_again(now: Belief, trio: Trio) -> Belief:
    """Weigh that nobody asks again about a card he has been shown: what he was shown then was another one."""
    saw = []
    for asker, shower, cards in now.saw:
        left = tuple(card for card in cards if asker != now.on_turn or card not in (trio.suspect, trio.weapon))
        if left and left != cards:
            now = _knowing(now, Evidence(shower, left, SEEN_BEFORE[: len(left) + 1], now.seq))
        saw.append((asker, shower, left or cards))
    return replace(now, saw=tuple(saw))


def _let_pass(now: Belief) -> Evidence[Card, Holder] | None:
    """Weigh that the player on turn did not accuse of what nobody could disprove."""
    if now.attention != "motives" or now.trio is None or now.passes < now.seats - 1 or now.side_cards:
        return None
    return None if now.on_turn == now.seat else Evidence(now.on_turn, now.trio.cards, LET_PASS, now.seq)


def _knowing(now: Belief, evidence: Evidence[Card, Holder]) -> Belief:
    return replace(now, position=entitled(now.position).learn(evidence))


def imagine(view: State, world: World) -> State:
    """Fill in what the view leaves open, as this world has it."""
    return replace(view, envelope=world.envelope, hands=world.hands, side=world.side)
