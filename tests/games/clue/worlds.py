"""Clue for the conformance suite: what is hidden, who may know it by section 5 of the rules, and what always holds."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise, permutations, product
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tests.games.clue.staging import Deal
from tests.games.clue.staging import stack as stacked
from whodunit.core.offer import Offer, One
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Game, Seat
from whodunit.games import clue
from whodunit.games.clue.facts import DOORS, NEIGHBOURS, PACK, ROOMS, SQUARES, SUSPECTS, WEAPONS, Card
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    AnyEvent,
    CardShown,
    CouldNotShow,
    Dealing,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    HandDealt,
    Move,
    Moved,
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
    Walking,
)

T = TypeVar("T")

World = Deal

KINDS: Final[tuple[tuple[Card, ...], ...]] = (SUSPECTS, WEAPONS, ROOMS)
KIND: Final = {card: number for number, kind in enumerate(KINDS) for card in kind}

# --- Settings and play -------------------------------------------------------------------------------------------


GOLDEN: Final = Path(__file__).parent / "golden"
ELSEWHERE: Final[frozenset[tuple[str, Any]]] = frozenset()


def adjusted(seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawn options with as little changed as makes them fit each other and this number of seats."""
    fitting = dict(options)
    if "min_players" in options:
        fitting["min_players"] = min(options["min_players"], seats)
    if "max_players" in options:
        fitting["max_players"] = max(options["max_players"], seats)
    if seats != 2:
        fitting.pop("two_player_side_cards", None)
    if options.get("starter") is not None:
        fitting["starter"] = options["starter"] % seats
    for name, of, count in (("tokens", SUSPECTS, seats), ("weapon_rooms", ROOMS, len(WEAPONS))):
        if options.get(name) is not None:
            drawn = [*options[name], *(value for value in of if value not in options[name])]
            fitting[name] = tuple(drawn[:count])
    if fitting.get("tokens") is not None:
        fitting["tokens"] = tuple(sorted(fitting["tokens"], key=SUSPECTS.index))
    return fitting


def lively(offers: Sequence[Offer]) -> Sequence[Offer]:
    """Keep of the offers what soonest leads to a suggestion: cards are shown only then."""
    talk = [offer for offer in offers if offer.action in (Suggest, StayAndSuggest, TakePassage)]
    if talk:
        return talk
    walks = [offer.choices["to"] for offer in offers if offer.action is Move]
    rooms = tuple(end for walk in walks if isinstance(walk, One) for end in walk.of if end in ROOMS)
    return [Offer(Move, {"to": One(rooms)})] if rooms else offers


def provable(_events: Sequence[AnyEvent]) -> bool:
    """Nothing happens here that nobody reckons with."""
    return True


def honest(_state: State, _seat: Seat, _action: Action) -> bool:
    """In Clue nothing is left to a player's honour: whoever holds none of the cards can show none."""
    return True


# --- Worlds ------------------------------------------------------------------------------------------------------


def world(state: State, _events: Sequence[Any] = ()) -> Deal:
    """Return everything that is hidden in this game."""
    assert state.envelope is not None
    hands = tuple(hand for hand in state.hands if hand is not None)
    return Deal(state.envelope, hands, tuple(card for card in state.side if card is not None))


def as_world(believed: Any) -> Deal:
    """Return a world of the game's own belief as one of ours."""
    return Deal(believed.envelope, believed.hands, believed.side)


def guess(deal: Deal) -> Accuse:
    """Return the final guess that is right in this world."""
    return Accuse(deal.envelope.suspect, deal.envelope.weapon, deal.envelope.room)


def stack(deal: Deal, opening: Batch) -> Mapping[str, Result]:
    """Return the draws with which the table is laid in this world."""
    return stacked(deal, starter=opening.events[0].starter)  # type: ignore[attr-defined]  # Opened


def again(_deal: Deal, _state: State, _recorded: Batch, _seen: Sequence[AnyEvent]) -> tuple[None, dict[str, Result]]:
    """Which card is shown changes nothing, so no world says it."""
    return None, {}


def comparable(_deal: Deal, _truth: Deal) -> bool:
    """Every world is a whole deal."""
    return True


def neighbour(deal: Deal, rng: Rng) -> Deal:
    """Return a world in which two cards have changed places."""
    piles = [*((card,) for card in deal.envelope.cards), *deal.hands, *((card,) for card in deal.side)]
    pile_of = {card: number for number, pile in enumerate(piles) for card in pile}
    swaps = [
        (one, other)
        for one, other in permutations(PACK, 2)
        if pile_of[one] < pile_of[other] and (pile_of[one] >= len(KINDS) or KIND[one] == KIND[other])
    ]
    one, other = swaps[rng.below("swap", len(swaps))]
    swapped = {one: other, other: one}
    return _deal([[swapped.get(card, card) for card in pile] for pile in piles], len(deal.hands))


def _deal(piles: Sequence[Sequence[Card]], seats: int) -> Deal:
    """Return the deal of these piles: three of one card for the envelope, the hands, and one for each side card."""
    ((suspect,), (weapon,), (room,)), hands, side = piles[:3], piles[3 : 3 + seats], piles[3 + seats :]
    trio = Trio(suspect, weapon, room)  # type: ignore[arg-type]  # each pile has a card of its kind
    return Deal(trio, tuple(tuple(sorted(hand, key=PACK.index)) for hand in hands), tuple(card for (card,) in side))


# --- What a viewer may know --------------------------------------------------------------------------------------


class Known(Struct, frozen=True):
    """What a viewer can know by the table of section 5: never more than the book says, and never less.

    Whether a secret is learned is asked of the book, not of the event: one that the viewer may not see is not
    looked at, and one that is missing for a viewer who may see it is a fault.
    """

    me: Seat
    sizes: tuple[int, ...] = ()
    side_count: int = 0
    suggestion: tuple[Card, ...] = ()
    held: frozenset[tuple[Seat, Card]] = frozenset()
    lacked: frozenset[tuple[Seat, Card]] = frozenset()
    held_one_of: frozenset[tuple[Seat, tuple[Card, ...]]] = frozenset()
    side: frozenset[tuple[int, Card]] = frozenset()
    envelope: Trio | None = None
    not_envelope: frozenset[Trio] = frozenset()

    def learn(self, event: AnyEvent) -> "Known":
        match event:
            case HandDealt(seat=seat, size=size, cards=cards):
                assert seat == len(self.sizes), "hands are announced seat by seat"
                known = replace(self, sizes=(*self.sizes, size))
                return known._with_held(seat, self._told(cards, event)) if seat == self.me else known
            case SideCardsLaid(count=count):
                return replace(self, side_count=count)
            case Suggested(trio=trio):
                return replace(self, suggestion=trio.cards)
            case CouldNotShow(seat=seat):
                return replace(self, lacked=self.lacked | {(seat, card) for card in self.suggestion})
            case CardShown(seat=seat, to=to, card=card):
                if self.me in (seat, to):
                    return self._with_held(seat, (self._told(card, event),))
                return replace(self, held_one_of=self.held_one_of | {(seat, self.suggestion)})
            case SideCardSeen(seat=seat, position=position, card=card) if seat == self.me:
                return replace(self, side=self.side | {(position, self._told(card, event))})
            case Accused(trio=trio, right=False):
                return replace(self, not_envelope=self.not_envelope | {self._told(trio, event)})
            case Accused(trio=trio, right=True) | EnvelopeOpened(trio=trio):
                return replace(self, envelope=self._told(trio, event))
            case EnvelopeSeen(seat=seat, trio=seen) if seat == self.me:
                return replace(self, envelope=self._told(seen, event))
            case _:
                return self

    def _with_held(self, seat: Seat, cards: Sequence[Card]) -> "Known":
        return replace(self, held=self.held | {(seat, card) for card in cards})

    def _told(self, secret: T | None, event: AnyEvent) -> T:
        assert secret is not None, f"by the book viewer {self.me} sees all of {event}"
        return secret

    def allows(self, deal: Deal) -> bool:
        return (
            tuple(map(len, deal.hands)) == self.sizes
            and len(deal.side) == self.side_count
            and self._allows_envelope(deal.envelope)
            and all(card in deal.hands[seat] for seat, card in self.held)
            and not any(card in deal.hands[seat] for seat, card in self.lacked)
            and all(any(card in deal.hands[seat] for card in cards) for seat, cards in self.held_one_of)
            and all(deal.side[position - 1] == card for position, card in self.side)
        )

    def _allows_envelope(self, trio: Trio) -> bool:
        return trio not in self.not_envelope and self.envelope in (None, trio)

    def worlds(self) -> Iterator[Deal]:
        """Deal the pack in every way that fits."""
        for cards in product(SUSPECTS, WEAPONS, ROOMS):
            if self._allows_envelope(Trio(*cards)):
                yield from self._deals(cards)

    def _deals(self, envelope: tuple[Card, ...]) -> Iterator[Deal]:
        if any(card in envelope for _, card in (*self.held, *self.side)):
            return
        piles_of = {card: self._piles_of(card) for card in PACK if card not in envelope}
        sizes = [*self.sizes, *(1,) * self.side_count]
        pile_of: dict[Card, int] = {}

        def dealt(
            rest: Sequence[Card], room: Sequence[int], shown: Sequence[tuple[Seat, Sequence[Card]]]
        ) -> Iterator[Deal]:
            """Deal the rest; `shown` are the seats that must still get one of some cards."""
            if not rest:
                piles = [[card for card in piles_of if pile_of[card] == pile] for pile in range(len(sizes))]
                yield _deal([*([card] for card in envelope), *piles], len(self.sizes))
                return
            choices = {card: [pile for pile in piles_of[card] if room[pile]] for card in rest}
            if any(sum(pile in piles for piles in choices.values()) < left for pile, left in enumerate(room)):
                return
            card = min(rest, key=lambda card: len(choices[card]))
            if (
                shown and len(choices[card]) > 1
            ):  # what must be in one of few hands is dealt before what may be anywhere
                _, cards = min(shown, key=lambda one: len(one[1]))
                card = cards[0]
            for pile in choices[card]:
                pile_of[card] = pile
                left = [n - (at == pile) for at, n in enumerate(room)]
                still = [
                    (seat, [c for c in cards if c != card and left[seat]])
                    for seat, cards in shown
                    if seat != pile or card not in cards
                ]
                if all(cards for _, cards in still):
                    yield from dealt([c for c in rest if c != card], left, still)

        cards_shown = [
            (seat, [card for card in cards if seat in piles_of.get(card, ())])
            for seat, cards in sorted(self.held_one_of)
            if not any((seat, card) in self.held for card in cards)
        ]
        if all(cards for _, cards in cards_shown):
            yield from dealt(list(piles_of), sizes, cards_shown)

    def _piles_of(self, card: Card) -> list[int]:
        """Return where the card can lie if it is not in the envelope: a hand, or a place in the row of side cards."""
        hands = [seat for seat in range(len(self.sizes)) if (seat, card) in self.held]
        places = [len(self.sizes) + position - 1 for position, seen in self.side if seen == card]
        if hands or places:
            return hands + places
        seen = {position for position, _ in self.side}
        hands = [seat for seat in range(len(self.sizes)) if (seat, card) not in self.lacked]
        unseen = (position for position in range(1, self.side_count + 1) if position not in seen)
        return [*hands, *(len(self.sizes) + position - 1 for position in unseen)]


def belief(viewer: Seat) -> Known:
    return Known(viewer)


# --- What always holds -------------------------------------------------------------------------------------------

HAND_SIZES: Final = {2: (9, 9), 3: (6, 6, 6), 4: (5, 5, 4, 4), 5: (4, 4, 4, 3, 3), 6: (3,) * 6}
"""In turn order (CLUE-8)."""


def invariants(before: State | None, event: AnyEvent, after: State) -> None:
    """Raise AssertionError if what happened, or where it led, cannot be."""
    if before is None or isinstance(after.phase, Dealing):
        return
    _check_cards(after)
    _check_board(after)
    if not isinstance(before.phase, Dealing):
        hidden = before.envelope, before.hands, before.side, before.tokens, before.options
        assert hidden == (after.envelope, after.hands, after.side, after.tokens, after.options), "the deal stands"
    _check_event(before, event, after)


def _check_cards(state: State) -> None:
    deal, seats = world(state), len(state.tokens)
    lying = [*deal.envelope.cards, *chain(*deal.hands), *deal.side]
    assert sorted(lying) == sorted(PACK), "CLUE-T21: envelope, hands and side cards make up the pack"
    sizes = (7, 7) if deal.side else HAND_SIZES[seats]
    first = state.options.starter or 0
    assert [len(deal.hands[(first + turn) % seats]) for turn in range(seats)] == list(sizes), "CLUE-8"
    assert state.sizes == tuple(map(len, deal.hands)), "CLUE-7: hand sizes are public"


def _check_board(state: State) -> None:
    squares = [place for place in state.places if not isinstance(place, str)]
    assert len(state.places) == len(SUSPECTS), "CLUE-3"
    assert all(square in SQUARES for square in squares), "CLUE-24"
    assert len(set(squares)) == len(squares), "CLUE-20: one token on a square"
    assert len(state.weapons) == len(WEAPONS), "CLUE-5"
    assert all(room in ROOMS for room in (*state.weapons, *(p for p in state.places if isinstance(p, str))))
    for seat, room in enumerate(state.summoned):
        assert room in (None, _place(state, seat)), "CLUE-34: the mark is for the room where the token is"


def _place(state: State, seat: Seat) -> Any:
    return state.places[SUSPECTS.index(state.tokens[seat])]


def _check_event(before: State, event: AnyEvent, after: State) -> None:
    seats = len(before.tokens)
    match event:
        case TurnBegan(seat=seat):
            assert not after.out[seat], "CLUE-12: who is out has no turn"
            if before.turn:
                left = [(before.on_turn + step) % seats for step in range(1, seats + 1)]
                assert seat == next(other for other in left if not after.out[other]), "CLUE-12: to the left"
        case Moved(seat=seat, path=path, to=to):
            assert isinstance(before.phase, Walking)
            _check_walk(before, _place(before, seat), path, to)
        case Suggested(seat=seat, trio=trio):
            assert trio.room == _place(before, seat), "CLUE-36: the room where the token stands"
            assert after.places[SUSPECTS.index(trio.suspect)] == trio.room, "CLUE-38"
            assert after.weapons[WEAPONS.index(trio.weapon)] == trio.room, "CLUE-38"
        case CouldNotShow(seat=seat):
            assert not set(_asked(before)) & set(before.hands[seat] or ()), "CLUE-42: says so only who holds none"
        case CardShown(seat=seat, to=to, card=card):
            assert card in _asked(before), "CLUE-41: one of the three"
            assert card in (before.hands[seat] or ()), "CLUE-41: from the own hand"
            assert to == before.on_turn != seat, "CLUE-41: to the suggester"
        case SideCardSeen(seat=seat, position=position, card=card):
            assert position not in before.looked[seat], "CLUE-V5: one not yet seen"
            assert before.side[position - 1] == card, "CLUE-V5"
        case Accused(seat=seat, trio=trio, right=right):
            assert seat == before.on_turn, "CLUE-46: on the own turn"
            assert not before.out[seat], "CLUE-54: one accusation a game"
            assert right == (trio == before.envelope), "CLUE-50, CLUE-51"
            assert after.out[seat] != right, "CLUE-51"
        case EnvelopeSeen(trio=seen) | EnvelopeOpened(trio=seen):
            assert seen == before.envelope, "CLUE-49"
        case TokenStoodAside(seat=seat, room=room):
            assert DOORS[_place(before, seat)] == room == _place(after, seat), "CLUE-52"
        case GameEnded(winner=winner, how=how):
            _check_end(before, winner, how)
        case _:
            pass


def _asked(state: State) -> tuple[Card, ...]:
    trio: Trio = state.phase.trio  # type: ignore[union-attr]  # only an Answering player is asked
    return trio.cards


def _check_walk(state: State, start: Any, path: tuple[int, ...], to: Any) -> None:
    assert isinstance(state.phase, Walking)
    walked = path if isinstance(start, str) else (start, *path)
    assert len(set(walked)) == len(walked), "CLUE-19: no square twice"
    assert all(there in NEIGHBOURS[here] for here, there in pairwise(walked)), "CLUE-18"
    assert not set(path) & set(state.places), "CLUE-20: nobody is walked over"
    if isinstance(start, str):
        assert DOORS[path[0]] == start, "CLUE-29: out by an own door"
    if isinstance(to, str):
        assert DOORS[walked[-1]] == to != start, "CLUE-26, CLUE-30"
        assert len(path) + state.options.room_entry_cost <= state.phase.throw, "CLUE-26"
    else:
        assert path[-1] == to, "the path leads there"
        assert len(path) <= state.phase.throw, "CLUE-21"


def _check_end(state: State, winner: Seat | None, how: str) -> None:
    active = [seat for seat, is_out in enumerate(state.out) if not is_out]
    match how:
        case "solved":
            assert winner == state.on_turn in active, "CLUE-50"
        case "all_out":
            assert (winner, active) == (None, []), "CLUE-57"
        case "last_active":
            assert (state.options.last_active_wins, active) == (True, [winner]), "CLUE-V4"
        case _:
            assert (how, winner, state.turn) == ("no_result", None, state.options.max_turns), "A17"


CHECKED: Final[Game] = clue  # mypy says what the module lacks
