"""Perfect Alibi for the conformance suite: what is hidden, who may know it by section 4, and what always holds."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tests.games.perfect_alibi.staging import Deal
from tests.games.perfect_alibi.staging import stack as stacked
from whodunit.core.offer import Offer
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Game, Seat
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.facts import ASSISTANTS, COLOURS, HAND, PACK, Assistant, Card
from whodunit.games.perfect_alibi.model import (
    Announce,
    Answer,
    AnswerCorrected,
    Answered,
    AnyEvent,
    Ask,
    Asked,
    AskFreely,
    AssistantChanged,
    CardDrawn,
    CardShown,
    CardsOpened,
    ChipReplaced,
    ChipTaken,
    Correcting,
    Dealing,
    GameEnded,
    HandDealt,
    MissingSeen,
    Opened,
    Over,
    Picking,
    ReplacementTaken,
    Replacing,
    Revealed,
    RivalDealt,
    Show,
    Slam,
    Slammed,
    State,
    TakeChip,
    TreacheryClaimed,
    TurnBegan,
)

T = TypeVar("T")

World = Deal

# --- Settings and play -------------------------------------------------------------------------------------------

CHIPS: Final = ("wheel_chips", "clock_chips", "wheel_arrow_chips", "clock_arrow_chips")
DEFAULT_CHIPS: Final = (2, 2, 1, 1)


GOLDEN: Final = Path(__file__).parent / "golden"
ELSEWHERE: Final[frozenset[tuple[str, Any]]] = frozenset()


def adjusted(seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawn options with as little changed as makes them fit each other and this number of seats."""
    fitting = dict(options)
    if fitting.get("rival") and fitting.get("max_elements") == 4:
        del fitting["rival"]
    if fitting.get("unforgiving"):
        fitting["answer_mode"] = "by_hand"
    if options.get("colours") is not None:
        drawn = [*options["colours"], *(colour for colour in COLOURS if colour not in options["colours"])]
        fitting["colours"] = tuple(drawn[:seats])
    if any(name in options for name in CHIPS):
        left = 6
        for name in sorted(CHIPS, key=lambda name: name not in options):
            fitting[name] = min(left, options.get(name, DEFAULT_CHIPS[CHIPS.index(name)]))
            left -= fitting[name]
        fitting[next((name for name in CHIPS if name not in options), CHIPS[0])] += left
    least, most = fitting.get("bot_slam_delay_least_s", 4), fitting.get("bot_slam_delay_most_s", 9)
    if least > most:
        name = "bot_slam_delay_least_s" if "bot_slam_delay_least_s" not in options else "bot_slam_delay_most_s"
        fitting[name] = min(least, most) if name == "bot_slam_delay_least_s" else least
    return fitting


def lively(offers: Sequence[Offer]) -> Sequence[Offer]:
    """Keep of the offers what soonest leads to an answer."""
    talk = [offer for offer in offers if offer.action in (TakeChip, Ask, AskFreely, Show)]
    return talk or offers


def provable(_events: Sequence[AnyEvent]) -> bool:
    """Nothing happens here that nobody reckons with."""
    return True


def honest(state: State, seat: Seat, action: Action) -> bool:
    """Say whether the action keeps to what only the player can see to: a number counted by hand is right."""
    if not isinstance(action, Announce):
        return True
    question = state.log[-1]
    assert seat == question.answerer
    return action.number in permitted(state, world(state), len(state.log) - 1)


# --- Worlds ------------------------------------------------------------------------------------------------------


def world(state: State, _events: Sequence[AnyEvent] = ()) -> Deal:
    """Return everything that is hidden in this game."""
    assert state.missing is not None
    hands = tuple(hand for hand in state.hands if hand is not None)
    tiles = tuple(tile for tile in state.rivals if tile is not None)
    said = tuple(question.said for question in state.log if question.said is not None)
    return Deal(state.missing, hands, tiles, said)


def as_world(believed: Any) -> Deal:
    """Return a world of the game's own belief as one of ours."""
    return Deal(believed.missing, believed.hands, believed.rivals, believed.said)


def guess(deal: Deal) -> Slam:
    """Return the final guess that is right in this world."""
    return Slam(deal.missing)


def stack(deal: Deal, _opening: Batch) -> Mapping[str, Result]:
    """Return the draws with which the table is laid in this world."""
    return stacked(deal)


def neighbour(deal: Deal, rng: Rng) -> Deal:
    """Return a world in which two cards or two tiles have changed places, or one number was another lie."""
    cards = [card for card in PACK if card == deal.missing or any(card in hand for hand in deal.hands)]
    kind = rng.below("kind", 4)
    if deal.rivals and kind == 0:
        one, other = rng.shuffled("tiles", ASSISTANTS)[:2]
        swapped: dict[Any, Any] = {one: other, other: one}
        return deal._replace(rivals=tuple(swapped.get(tile, tile) for tile in deal.rivals))
    if deal.said and kind == 1:
        place = rng.below("number", len(deal.said))
        number = deal.said[place] + (2 if rng.below("up", 2) else -2)
        return deal._replace(said=(*deal.said[:place], number, *deal.said[place + 1 :]))
    first, second = rng.shuffled("cards", cards)[:2]
    swapped = {first: second, second: first}
    hands = (tuple(sorted((swapped.get(c, c) for c in hand), key=PACK.index)) for hand in deal.hands)
    return deal._replace(missing=swapped.get(deal.missing, deal.missing), hands=tuple(hands))


def again(
    deal: Deal, state: State, recorded: Batch, seen: Sequence[AnyEvent]
) -> tuple[Action | None, Mapping[str, Result]]:
    """Return the answer that this world has for the question, and the card that the viewer saw the Cook draw."""
    answer = None if recorded.cause is None else _answer(deal, state, recorded.cause.action)
    for event in seen:
        if isinstance(event, CardDrawn) and event.card in (hand := state.hands[event.answerer] or ()):
            return answer, {"drawn card": hand.index(event.card)}
    return answer, {}


def comparable(_deal: Deal, _truth: Deal) -> bool:
    """Every world is a whole deal with everything that was said."""
    return True


def _answer(deal: Deal, state: State, action: Action) -> Action | None:
    """Return what this world has for the question; all other actions may have any hidden part."""
    if not isinstance(action, Answer | Announce):
        return None
    number = len(state.log) - 1
    said = type(action)(deal.said[number] if number < len(deal.said) else -1)
    return said if honest(state, state.log[-1].answerer, said) else type(action)(-1)


# --- Counting ----------------------------------------------------------------------------------------------------


def fits(card: Card, elements: Sequence[str]) -> bool:
    location, time = card.split("-")
    return location in elements or time in elements


def limits(seats: int, opened: Sequence[Card], elements: Sequence[str]) -> tuple[int, int]:
    """Return L and M of ALIBI-65."""
    fitting = sum(fits(card, elements) for card in PACK if card not in opened)
    others = sum(not fits(card, elements) for card in PACK if card not in opened)
    return max(0, HAND[seats] - others), min(HAND[seats], fitting)


def right(hand: Sequence[Card], elements: Sequence[str], *, lie: bool, least: int, most: int) -> set[int]:
    """Return what may rightly be said (ALIBI-27, 64, 65)."""
    true = sum(fits(card, elements) for card in hand)
    return {number for number in (true - 1, true + 1) if least <= number <= most} if lie else {true}


def permitted(state: State, deal: Deal, place: int) -> set[int]:
    question = state.log[place]
    seats = len(state.out)
    least, most = limits(seats, state.open, question.elements)
    if state.options.lie_bounds == "literal":
        least, most = 0, HAND[seats] + 1
    tile = deal.rivals[question.answerer] if deal.rivals else None
    lie = tile == question.holding[question.asker]
    return right(deal.hands[question.answerer], question.elements, lie=lie, least=least, most=most)


# --- What a viewer may know --------------------------------------------------------------------------------------


class Heard(Struct, frozen=True):
    """A question, and the numbers that its answer may have been by what the viewer saw and heard."""

    seat: Seat
    elements: tuple[str, ...]
    holding: tuple[Assistant, ...]
    asker: Seat
    numbers: frozenset[int] | None = None


class Known(Struct, frozen=True):
    """What a viewer can know by section 4 of the rules: never more than the book says, and never less.

    Whether a secret is learned is asked of the book, not of the event: one that the viewer may not see is not
    looked at, and one that is missing for a viewer who may see it is a fault.
    """

    me: Seat
    seats: int = 0
    rival: bool = False
    literal: bool = False
    opened: tuple[Card, ...] = ()
    held: frozenset[tuple[Seat, Card]] = frozenset()
    tiles: frozenset[tuple[Seat, Assistant]] = frozenset()
    missing: Card | None = None
    log: tuple[Heard, ...] = ()

    def learn(self, event: AnyEvent) -> "Known":
        match event:
            case Opened(seats=seats, options=options):
                literal = options.lie_bounds == "literal"
                return replace(self, seats=seats, rival=options.rival, literal=literal)
            case HandDealt(seat=seat, cards=cards) if seat == self.me:
                return self._holding(seat, self._told(cards, event))
            case CardsOpened(cards=cards):
                return replace(self, opened=cards)
            case RivalDealt(seat=seat, tile=tile) if seat == self.me:
                return replace(self, tiles=self.tiles | {(seat, self._told(tile, event))})
            case Asked(question=number, seat=seat, answerer=answerer, elements=elements, holding=holding):
                return replace(self, log=(*self.log[: number - 1], Heard(answerer, elements, holding, seat)))
            case Answered(question=number, said=said, due=due):
                return self._hearing(number, said, due=due, event=event)
            case AnswerCorrected():
                raise AssertionError("nobody is corrected in an honest game")
            case CardShown(question=number, seat=seat, to=to, card=card):
                holding = self.log[number - 1].holding
                if self.me in (seat, to) or (self.me >= 0 and holding[self.me] == "Captain"):
                    return self._holding(seat, (self._told(card, event),))
                return self
            case CardDrawn(seat=seat, answerer=answerer, card=card) if self.me in (seat, answerer):
                return self._holding(answerer, (self._told(card, event),))
            case MissingSeen(seat=seat, card=card) if seat == self.me:
                return replace(self, missing=self._told(card, event))
            case Revealed(missing=missing, hands=hands, rivals=rivals, said=said):
                known = replace(self, missing=missing, tiles=frozenset(enumerate(rivals)))
                for seat, hand in enumerate(hands):
                    known = known._holding(seat, hand)
                log = [replace(one, numbers=frozenset({n})) for one, n in zip(self.log, said, strict=False)]
                return replace(known, log=(*log, *self.log[len(log) :]))
            case _:
                return self

    def _hearing(self, number: int, said: int | None, *, due: bool, event: AnyEvent) -> "Known":
        """ALIBI-30, 47, 48."""
        one = self.log[number - 1]
        if self.me in (one.asker, one.seat) or one.holding[one.asker] != "Priest":
            numbers = frozenset({self._told(said, event)})
        elif one.holding[one.seat] == "Psychiatrist":
            numbers = frozenset(range(8))
        else:
            numbers = frozenset(range(2, 8)) if due else frozenset({0, 1})
        return replace(self, log=(*self.log[: number - 1], replace(one, numbers=numbers), *self.log[number:]))

    def _holding(self, seat: Seat, cards: Sequence[Card]) -> "Known":
        return replace(self, held=self.held | {(seat, card) for card in cards})

    def _told(self, secret: T | None, event: AnyEvent) -> T:
        assert secret is not None, f"by the book viewer {self.me} sees all of {event}"
        return secret

    @property
    def _answered(self) -> list[Heard]:
        return [one for one in self.log if one.numbers is not None]

    def _may_say(self, one: Heard, hand: Sequence[Card], tile: Assistant | None) -> set[int]:
        assert one.numbers is not None
        least, most = limits(self.seats, self.opened, one.elements)
        if self.literal:
            least, most = 0, HAND[self.seats] + 1
        lie = tile == one.holding[one.asker]
        return right(hand, one.elements, lie=lie, least=least, most=most) & one.numbers

    def allows(self, deal: Deal) -> bool:
        """Say whether this can be so; numbers said later than all the viewer has heard do not matter."""
        answered = self._answered
        if self.missing not in (None, deal.missing) or len(deal.said) < len(answered):
            return False
        hidden = {deal.missing, *(card for hand in deal.hands for card in hand)}
        if hidden & set(self.opened):
            return False
        return (
            all(card in deal.hands[seat] for seat, card in self.held)
            and all(deal.rivals[seat] == tile for seat, tile in self.tiles)
            and all(
                number in self._may_say(one, deal.hands[one.seat], deal.rivals[one.seat] if deal.rivals else None)
                for one, number in zip(answered, deal.said, strict=False)
            )
        )

    def worlds(self) -> Iterator[Deal]:
        """Deal cards and tiles in every way that fits: seat by seat, those with the fewest possible hands first."""
        by_seat = [self._hands(seat) for seat in range(self.seats)]
        order = sorted(range(self.seats), key=lambda seat: len(by_seat[seat]))
        found: list[tuple[int, Assistant | None]] = [(0, None)] * self.seats
        hidden = sum(BIT[card] for card in PACK if card not in self.opened)

        def dealt(at: int, left: int, tiles: frozenset[Assistant | None]) -> Iterator[None]:
            if at == self.seats:
                yield None
                return
            for hand, tile in by_seat[order[at]]:
                if hand & left == hand and tile not in tiles:
                    found[order[at]] = hand, tile
                    yield from dealt(at + 1, left & ~hand, tiles | {tile} if tile else tiles)

        for _ in dealt(0, hidden, frozenset()):
            yield from self._said(found, hidden)

    def _said(self, found: Sequence[tuple[int, Assistant | None]], hidden: int) -> Iterator[Deal]:
        (missing,) = _named(hidden & ~sum(hand for hand, _ in found))
        if self.missing in (None, missing):
            hands = tuple(_named(hand) for hand, _ in found)
            tiles = tuple(tile for _, tile in found if tile)
            said = (sorted(self._may_say(one, hands[one.seat], found[one.seat][1])) for one in self._answered)
            yield from (Deal(missing, hands, tiles, numbers) for numbers in product(*said))

    def _hands(self, seat: Seat) -> list[tuple[int, Assistant | None]]:
        """Return every hand and tile of one seat that fits what is known of that seat."""
        log = tuple(one for one in self._answered if one.seat == seat)
        own = sum(BIT[card] for owner, card in self.held if owner == seat)
        others = sum(BIT[card] for owner, card in self.held if owner != seat)
        others |= BIT[self.missing] if self.missing else 0
        known = {tile for owner, tile in self.tiles if owner == seat}
        taken = {tile for owner, tile in self.tiles if owner != seat}
        return [
            (hand, tile)
            for hand, tile in _fitting(replace(self, me=0, held=frozenset(), tiles=frozenset(), missing=None, log=log))
            if hand & own == own and not hand & others and (not known or tile in known) and tile not in taken
        ]


BIT: Final = {card: 1 << place for place, card in enumerate(PACK)}


def _named(mask: int) -> tuple[Card, ...]:
    return tuple(card for card in PACK if BIT[card] & mask)


@lru_cache(maxsize=5000)
def _fitting(known: Known) -> list[tuple[int, Assistant | None]]:
    """Return the hands and tiles that fit the answers of one seat, answer by answer."""
    if not known.log:
        closed = [card for card in PACK if card not in known.opened]
        tiles: Sequence[Assistant | None] = ASSISTANTS if known.rival else [None]
        hands = combinations(closed, HAND[known.seats])
        return [(sum(BIT[card] for card in hand), tile) for hand in hands for tile in tiles]
    last = known.log[-1]
    before = _fitting(replace(known, log=known.log[:-1]))
    mask = sum(BIT[card] for card in PACK if fits(card, last.elements))
    may = {
        (true, tile): bool(known._may_say(last, [card for card in PACK if BIT[card] & mask][:true], tile))
        for true in range(HAND[known.seats] + 1)
        for tile in (*ASSISTANTS, None)
    }
    return [(hand, tile) for hand, tile in before if may[(hand & mask).bit_count(), tile]]


def belief(viewer: Seat) -> Known:
    return Known(viewer)


# --- What always holds -------------------------------------------------------------------------------------------


def invariants(before: State | None, event: AnyEvent, after: State) -> None:
    """Raise AssertionError if what happened, or where it led, cannot be."""
    if before is None or isinstance(after.phase, Dealing):
        return
    _check_cards(after)
    _check_table(after)
    if not isinstance(before.phase, Dealing):
        fixed = before.missing, before.hands, before.rivals, before.open, before.options
        assert fixed == (after.missing, after.hands, after.rivals, after.open, after.options), "ALIBI-33, 62"
    _check_event(before, event, after)


def _check_cards(state: State) -> None:
    deal = world(state)
    seats = len(state.out)
    lying = [deal.missing, *(card for hand in deal.hands for card in hand), *state.open]
    assert sorted(lying) == sorted(PACK), "ALIBI-2, 5 to 7"
    assert state.sizes == tuple(map(len, deal.hands)) == (HAND[seats],) * seats, "ALIBI-6"
    assert len(set(deal.rivals)) == (seats if state.options.rival else 0), "ALIBI-11"


def _check_table(state: State) -> None:
    seats = len(state.out)
    held = [assistant for assistant in state.assistants if assistant is not None]
    assert sorted([*held, *state.pool]) == sorted(ASSISTANTS), "ALIBI-4"
    between = isinstance(state.phase, Picking | Over) or isinstance(_turn_phase(state), Replacing)
    assert between or len(held) == seats, "ALIBI-41"
    assert len(state.row) == 4, "ALIBI-10, 22"
    assert len([*state.row, *state.stack, *state.discard]) == 6 * seats, "ALIBI-3"
    assert state.stack, "ALIBI-22: the stack is never empty"
    assert state.out.count(False) >= 1, "ALIBI-56"
    if not isinstance(state.phase, Over | Picking):
        assert state.out.count(False) >= 2 or _is_ending(state), "ALIBI-56"


def _turn_phase(state: State) -> Any:
    return state.phase.then if isinstance(state.phase, Correcting) else state.phase


def _is_ending(state: State) -> bool:
    return state.out.count(False) == 1


def _check_event(before: State, event: AnyEvent, after: State) -> None:
    seats = len(before.out)
    match event:
        case TurnBegan(seat=seat):
            assert not after.out[seat], "ALIBI-15: who is out has no turn"
            if before.turn:
                left = [(before.on_turn + step) % seats for step in range(1, seats + 1)]
                assert seat == next(other for other in left if not after.out[other]), "ALIBI-15: clockwise"
            assert after.taken is None, "ALIBI-21"
        case ChipTaken(seat=seat, chip=chip, answerer=answerer):
            owner = before.colours.index(chip.colour)
            assert seat != answerer, "ALIBI-29"
            own = all(one.colour == before.colours[seat] for one in before.row)
            assert owner == (seat if own else answerer), "ALIBI-17, 18"
        case AssistantChanged(gave=gave, took=took):
            assert gave != took, "ALIBI-36"
        case ReplacementTaken(assistant=assistant):
            assert assistant in before.pool, "ALIBI-37"
        case Asked(seat=seat, answerer=answerer, elements=elements):
            assert seat != answerer, "ALIBI-29"
            assert 1 <= len(set(elements)) == len(elements) <= before.options.max_elements, "ALIBI-26"
            assert len({element.isalpha() for element in elements}) == 1, "ALIBI-25"
        case Answered(seat=seat, said=said, due=due):
            asked = before.log[-1]
            if before.options.answer_mode == "enforced":
                assert said in permitted(before, world(before), len(before.log) - 1), "ALIBI-30, 63 to 65"
            assert due == ((said or 0) >= 2 and asked.holding[seat] != "Psychiatrist"), "ALIBI-31, 32, 46"
        case CardShown(question=number, seat=seat, card=card):
            assert card is not None
            assert card in (before.hands[seat] or ()), "ALIBI-32: from the own hand"
            assert fits(card, before.log[number - 1].elements), "ALIBI-32: a matching one"
        case CardDrawn(answerer=answerer, card=card):
            assert card in (before.hands[answerer] or ()), "ALIBI-49"
        case ChipReplaced(reshuffled=reshuffled):
            assert reshuffled == (len(before.stack) == 1), "ALIBI-22"
        case Slammed(seat=seat, card=card, right=is_right):
            assert not before.out[seat], "ALIBI-55"
            assert is_right == (card == before.missing), "ALIBI-53, 54"
            assert after.out[seat] != is_right, "ALIBI-54"
        case TreacheryClaimed(seat=seat, questions=questions, right=is_right):
            assert before.options.unforgiving, "ALIBI-70"
            wrong = [n for n in questions if before.log[n - 1].said not in permitted(before, world(before), n - 1)]
            assert is_right == bool(wrong), "ALIBI-71 to 73"
        case GameEnded(winner=winner, how=how):
            assert not before.out[winner], "ALIBI-53, 56, 71"
            assert how != "last_left" or before.out.count(False) == 1, "ALIBI-56"
        case _:
            pass


CHECKED: Final[Game] = perfect_alibi  # mypy says what the module lacks
