"""The rules of Crime Hotel; the numbers in the comments are those of docs/rules/crime_hotel.md."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, assert_never

from msgspec.structs import replace

from whodunit.core.errors import BadOptions
from whodunit.core.info import Info
from whodunit.core.offer import Choice, Offer, One, Some
from whodunit.core.rng import Rng
from whodunit.core.types import Outcome, Seat
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS, PLACES, ROOM, Card, Department, Place, rooms_of
from whodunit.games.crime_hotel.model import (
    AnyAction,
    AnyEvent,
    Assisting,
    CardPlayed,
    Dealing,
    DeskTaken,
    Exchange,
    Exchanged,
    GameEnded,
    Guess,
    Guessed,
    Guessing,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    LayLast,
    Look,
    LookDeclined,
    Looked,
    LotLeft,
    MurdererFound,
    MurdererHidden,
    Opened,
    Options,
    Over,
    Parked,
    Phase,
    Play,
    Playing,
    Relocate,
    Relocated,
    Revealing,
    RoomsLit,
    RoundBegan,
    Scored,
    State,
    TakeDesk,
    Trade,
)

INFO: Final = Info(
    id="crime_hotel",
    rules=1,
    seats=(min(DESKS), max(DESKS)),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    undoable=(Guess, TakeDesk, Relocate),
    # Nobody is asked: no card plays itself, so when one is played tells as much as at a table, and no more.
)

RELOCATE, EXCHANGE, LOOK, DUPLICATE, BONUS = range(len(DEPARTMENTS))

# --- Setting up --------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, rng: Rng) -> Sequence[AnyEvent]:
    """Lay the table: HOTEL-1 to HOTEL-9."""
    car = options.first_car
    if car is None:
        car = rng.below("car", seats)  # HOTEL-5
    elif car >= seats:
        raise BadOptions(f"first_car {car} is no seat of a table of {seats}")
    opened = Opened(game="crime_hotel", rules=INFO.rules, seats=seats, options=options, car=car)
    return [opened, *_dealt(1, seats, options, car, rng)]


def _dealt(number: int, seats: int, options: Options, car: Seat, rng: Rng) -> Iterator[AnyEvent]:
    """Set up an investigation: HOTEL-6 to HOTEL-8, and the car holder leads (HOTEL-10, 45)."""
    deck = rng.shuffled(f"deck {number}", CARDS)
    size = options.hand_size
    yield InvestigationBegan(number=number)
    for seat in range(seats):
        cards = tuple(sorted(deck[seat * size : (seat + 1) * size]))
        yield HandDealt(seat=seat, size=size, cards=cards, known_to=frozenset({seat}))
    murderer, *rest = deck[seats * size :]
    yield MurdererHidden(card=murderer)
    yield RoomsLit(cards=tuple(sorted(rest)))
    yield RoundBegan(number=1, seat=car)


# Phases that say no more than their name are made once.
_DEALING: Final = Dealing()
_PLAYING: Final = Playing()
_GUESSING: Final = Guessing()
_ASSISTING: Final = Assisting()
_REVEALING: Final = Revealing()

# --- What happened -----------------------------------------------------------------------------------------------


def evolve(state: State | None, event: AnyEvent) -> State:
    """Fold one event into the table; a redacted event leaves None where it hides something."""
    if state is None:
        assert isinstance(event, Opened)
        return _opened(event)
    match event:
        case CardPlayed(seat=seat, card=card):
            return _laid_down(state, seat, card, trick=_put(state.trick, seat, card))
        case Parked(lots=lots):
            return _parked(state, lots)
        case RoundBegan(number=number, seat=seat):
            return replace(state, round=number, on_turn=seat, phase=_PLAYING)
        case Guessed(seat=seat, place=place):
            return _acted(state, seat, **_placed(state, seat, state.guesses[seat], place))
        case DeskTaken(seat=seat, department=department):
            number = DEPARTMENTS.index(department)
            sitting = (*state.desks[number], seat)
            return _acted(state, seat, desks=_put(state.desks, number, sitting))
        case Relocated(seat=seat, origin=origin, to=to):
            left = tuple(place for place in state.guesses[seat] if place != origin)
            return replace(state, **_placed(state, seat, left, to))
        case Exchanged():
            return _exchanged(state, event)
        case Looked() | LookDeclined():
            return state
        case LotLeft(seat=seat, back=back):
            return _acted(state, seat, unused=_put(state.unused, seat, state.unused[seat] + back))
        case LastCardLaid(seat=seat, card=card):
            return _laid_down(state, seat, card, lit=(*state.lit, card))
        case MurdererFound(card=found):
            return replace(state, hidden=found, phase=_DEALING)
        case Scored(points=points):
            return replace(state, points=(*state.points, points))
        case InvestigationBegan(number=number):
            return replace(state, investigation=number, **_cleared(len(state.hands), state.options))
        case HandDealt(seat=seat, size=size, cards=cards):
            return replace(state, sizes=_put(state.sizes, seat, size), hands=_put(state.hands, seat, cards))
        case MurdererHidden(card=hidden):
            return replace(state, hidden=hidden)
        case RoomsLit(cards=cards):
            return replace(state, lit=cards)
        case GameEnded(winners=winners, how=how):
            return replace(state, phase=Over(winners, how))
        case Opened():
            raise ValueError("a game is opened once")
        case _:
            assert_never(event)


def _opened(event: Opened) -> State:
    empty = _cleared(event.seats, event.options)
    return State(options=event.options, on_turn=event.car, car=event.car, **empty)


def _cleared(seats: int, options: Options) -> dict[str, Any]:
    """Return what an investigation begins with: no card dealt, no meeple on any board (HOTEL-9, 44)."""
    return {
        "phase": _DEALING,
        "round": 0,
        "hidden": None,
        "lit": (),
        "sizes": (0,) * seats,
        "hands": (None,) * seats,
        "trick": (None,) * seats,
        "lots": (),
        "unused": (options.rounds,) * seats,
        "guesses": ((),) * seats,
        "desks": ((),) * len(DEPARTMENTS),
        "shared": (0,) * seats,
        "trades": (),
    }


def _laid_down(state: State, seat: Seat, card: Card, **laid: Any) -> State:
    """Take a card from the hand, as far as the hand is known, and go on to the next player."""
    hands = state.hands
    if (hand := hands[seat]) is not None:
        hands = _put(hands, seat, tuple([held for held in hand if held != card]))
    sizes = _put(state.sizes, seat, state.sizes[seat] - 1)
    return replace(state, sizes=sizes, hands=hands, turn=state.turn + 1, on_turn=_left_of(state, seat), **laid)


def _parked(state: State, lots: tuple[Seat, ...]) -> State:
    return replace(
        state,
        lit=(*state.lit, *[card for seat in lots if (card := state.trick[seat]) is not None]),
        trick=(None,) * len(lots),
        unused=tuple([number - 1 for number in state.unused]),
        lots=lots,
        car=lots[0],  # HOTEL-17
        on_turn=lots[0],
        phase=_GUESSING,
    )


def _acted(state: State, seat: Seat, **changes: Any) -> State:
    """Clear the player's lot; who is next, and what for, follows from the lots that are left (HOTEL-19, 20)."""
    lots = tuple([other for other in state.lots if other != seat])
    phase: Phase
    if lots:
        on_turn, phase = lots[0], _GUESSING if len(lots) == 1 else _ASSISTING
    else:
        on_turn, phase = state.car, _REVEALING if state.round == state.options.rounds else _DEALING  # HOTEL-37
    return replace(state, turn=state.turn + 1, lots=lots, on_turn=on_turn, phase=phase, **changes)


def _placed(state: State, seat: Seat, before: tuple[Place, ...], place: Place) -> dict[str, Any]:
    """Return what changes when a meeple is put on a place, beside those that stood before."""
    guesses = _put(state.guesses, seat, (*before, place))
    for places in state.guesses:
        if place in places:
            return {"guesses": guesses, "shared": _put(state.shared, seat, state.shared[seat] + 1)}
    return {"guesses": guesses}


def _exchanged(state: State, event: Exchanged) -> State:
    trades = (*state.trades, Trade(event.seat, event.partner, event.count))
    hands = state.hands
    if event.given is not None and event.drawn is not None:
        hands = _swapped(hands, event.seat, event.given, event.drawn)
        hands = _swapped(hands, event.partner, event.drawn, event.given)
    return replace(state, trades=trades, hands=hands)


def _swapped(
    hands: tuple[tuple[Card, ...] | None, ...], seat: Seat, out: tuple[Card, ...], new: tuple[Card, ...]
) -> tuple[tuple[Card, ...] | None, ...]:
    hand = hands[seat]
    if hand is None:
        return hands
    return _put(hands, seat, tuple(sorted([*(card for card in hand if card not in out), *new])))


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _left_of(state: State, seat: Seat) -> Seat:
    return (seat + 1) % len(state.hands)


# --- What may be done --------------------------------------------------------------------------------------------

_LAY_LAST: Final = Offer(LayLast)


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what the seat may do now, from what it can see."""
    if seat != view.on_turn:
        return ()
    phase = view.phase
    match phase:
        case Playing():
            return (Offer(Play, {"card": One(_playable(view, seat))}),)
        case Guessing():
            return (_guesses(_closed(view, seat)),)
        case Assisting():
            return tuple(_assistance(view, seat))
        case Revealing():
            return (_LAY_LAST,)
        case Dealing() | Over():
            return ()
        case _:
            assert_never(phase)


def _playable(view: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that may be played: of the floor of the first one, if there are any (HOTEL-11 to 13)."""
    hand = view.hands[seat] or ()
    lead = view.trick[view.car]
    if lead is None:
        return hand
    return tuple([card for card in hand if card // 10 == lead // 10]) or hand


def _closed(view: State, seat: Seat) -> frozenset[Place]:
    """Return the places where the player may put no meeple (HOTEL-24, 26, 33)."""
    own = view.guesses[seat]
    taken = own if may_share(view, seat) else tuple([place for places in view.guesses for place in places])
    if view.options.guess_on_lit_room:
        return frozenset(taken)
    return frozenset([*taken, *[ROOM[card] for card in view.lit]])


def may_share(view: State, seat: Seat) -> bool:
    """Say whether a meeple of DUPLICATE still opens occupied places to the player (HOTEL-33)."""
    desks = view.desks[DUPLICATE].count(seat)
    uses = view.options.duplicate_uses
    return desks > 0 if uses is None else view.shared[seat] < uses * desks


@lru_cache(maxsize=4096)
def _free(closed: frozenset[Place]) -> One:
    return One(tuple([place for place in PLACES if place not in closed]))


@lru_cache(maxsize=4096)
def _guesses(closed: frozenset[Place]) -> Offer:
    return Offer(Guess, {"place": _free(closed)})


def _assistance(view: State, seat: Seat) -> Iterator[Offer]:
    """Offer every department with a free desk, and what it does (HOTEL-27 to 34)."""
    idle: list[Department] = []
    for department, taken in zip(DEPARTMENTS, view.desks, strict=True):
        desks = DESKS[len(view.hands)][department]
        if len(taken) == len(desks):
            continue
        match department:
            case "RELOCATE" if view.guesses[seat]:
                choices: dict[str, Choice] = {"origin": One(view.guesses[seat]), "to": _free(_closed(view, seat))}
                yield Offer(Relocate, choices)
            case "EXCHANGE":
                number = _figure(view, department)
                yield _exchange(len(view.hands), seat, view.hands[seat] or (), number)
            case "LOOK":
                yield _look(len(view.hands), seat)
                idle.append(department)  # HOTEL-32: he "may" look
            case _:
                idle.append(department)
    if idle:
        yield _take_desk(tuple(idle))


@cache
def _others(seats: int, seat: Seat) -> One:
    return One(tuple(other for other in range(seats) if other != seat))


@cache
def _look(seats: int, seat: Seat) -> Offer:
    return Offer(Look, {"target": _others(seats, seat)})


@lru_cache(maxsize=4096)
def _exchange(seats: int, seat: Seat, hand: tuple[Card, ...], number: int) -> Offer:
    return Offer(Exchange, {"partner": _others(seats, seat), "cards": Some(hand, number, number)})


@cache
def _take_desk(departments: tuple[Department, ...]) -> Offer:
    return Offer(TakeDesk, {"department": One(departments)})


def _figure(view: State, department: Department) -> int:
    """Return how many cards the next desk is for: its figure, or all that a hand has (HOTEL-31)."""
    taken = view.desks[DEPARTMENTS.index(department)]
    figure = DESKS[len(view.hands)][department][len(taken)]
    assert figure is not None
    return min(figure, view.sizes[view.on_turn])


# --- What happens ------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    match action:
        case Play(card=card):
            return _played(state, seat, card)
        case Guess(place=place):
            return [Guessed(seat=seat, place=place), *_rest_of_round(state)]
        case TakeDesk(department=department):
            declined = [LookDeclined(seat=seat)] if department == "LOOK" else []
            return [*_at_desk(state, seat, department), *declined, *_rest_of_round(state, department)]
        case Relocate(origin=origin, to=to):
            relocated = Relocated(seat=seat, origin=origin, to=to)
            return [*_at_desk(state, seat, "RELOCATE"), relocated, *_rest_of_round(state, "RELOCATE")]
        case Exchange(partner=partner, cards=given):
            drawn = _blindly(state, partner, "EXCHANGE", rng)
            known = frozenset({seat, partner})
            exchanged = Exchanged(
                seat=seat, partner=partner, count=len(given), given=given, drawn=drawn, known_to=known
            )
            return [*_at_desk(state, seat, "EXCHANGE"), exchanged, *_rest_of_round(state, "EXCHANGE")]
        case Look(target=target):
            cards = _blindly(state, target, "LOOK", rng)
            known = frozenset({seat, target})  # HOTEL-32: he sees which of his cards are taken up
            looked = Looked(seat=seat, target=target, count=len(cards), cards=cards, known_to=known)
            return [*_at_desk(state, seat, "LOOK"), looked, *_rest_of_round(state, "LOOK")]
        case LayLast():
            return _laid(state, seat, rng)
        case _:
            assert_never(action)


def _played(state: State, seat: Seat, card: Card) -> list[AnyEvent]:
    lead = state.trick[state.car]
    lacks = None if lead is None or card // 10 == lead // 10 else lead // 10
    events: list[AnyEvent] = [CardPlayed(seat=seat, card=card, lacks=lacks)]
    cards = _put(state.trick, seat, card)
    if None not in cards:
        highest_first = sorted(range(len(cards)), key=lambda other: -cards[other])  # HOTEL-14 to 16
        events.append(Parked(lots=tuple(highest_first)))
    return events


def _at_desk(state: State, seat: Seat, department: Department) -> Iterator[AnyEvent]:
    desk = len(state.desks[DEPARTMENTS.index(department)]) + 1  # HOTEL-28: the left-most free one
    yield DeskTaken(seat=seat, department=department, desk=desk)


def _blindly(state: State, seat: Seat, department: Department, rng: Rng) -> tuple[Card, ...]:
    """Draw as many cards of a hand as the desk is for; the whole pack is shuffled, so the draw names no place in it."""
    hand = state.hands[seat] or ()
    number = len(state.desks[DEPARTMENTS.index(department)]) + 1
    order = rng.shuffled(f"{department.lower()} {state.investigation}.{number}", CARDS)
    return tuple(sorted([card for card in order if card in hand][: _figure(state, department)]))


def _rest_of_round(state: State, taken: Department | None = None) -> list[AnyEvent]:
    """Return what follows by itself when the player on turn has acted: lots that are left, and the next round."""
    _, *lots = state.lots
    events: list[AnyEvent] = []
    while len(lots) > 1 and (state.options.beginner or _is_full(state, taken)):
        events.append(LotLeft(seat=lots.pop(0), back=state.options.beginner))  # HOTEL-V1, HOTEL-29
    if not lots and state.round < state.options.rounds:
        events.append(RoundBegan(number=state.round + 1, seat=state.car))  # HOTEL-35
    return events


def _is_full(state: State, taken: Department | None) -> bool:
    """Say whether no desk is free, once the next one of this department is taken."""
    desks = sum(len(figures) for figures in DESKS[len(state.hands)].values())
    return sum(map(len, state.desks)) + (taken is not None) == desks


# --- The end of an investigation, and of the game ----------------------------------------------------------------


def _laid(state: State, seat: Seat, rng: Rng) -> list[AnyEvent]:
    hand = state.hands[seat]
    assert hand is not None
    assert state.hidden is not None
    events: list[AnyEvent] = [LastCardLaid(seat=seat, card=hand[0])]
    if _left_of(state, seat) != state.car:
        return events
    seats, options = len(state.hands), state.options
    points = tuple(points_of(state, other, state.hidden) for other in range(seats))
    events += [MurdererFound(card=state.hidden), Scored(points=points)]
    if state.investigation < options.investigations:
        return [*events, *_dealt(state.investigation + 1, seats, options, state.car, rng)]  # HOTEL-44, 45
    return [*events, _ended((*state.points, points), state.car)]


def points_of(state: State, seat: Seat, murderer: Card) -> int:
    """Count a player's points if this is the murderer's room: HOTEL-39 to HOTEL-42."""
    options = state.options
    worth = {9: options.floor_points, 3: options.column_points, 1: options.room_points}  # by how many rooms it covers
    right = [worth[len(rooms)] for place in state.guesses[seat] if murderer in (rooms := rooms_of(place))]
    if not right:
        return 0  # HOTEL-42
    times = len(right) if options.bonus_per_correct_guess else 1  # HOTEL-V2
    return sum(right) + times * bonus_of(state, seat)


def bonus_of(state: State, seat: Seat) -> int:
    """Return the highest figure among the player's bonus desks (HOTEL-41)."""
    sitting = state.desks[BONUS]
    if seat not in sitting:
        return 0
    figures = DESKS[len(state.hands)]["BONUS"]
    return max(figure or 0 for figure, sits in zip(figures, sitting, strict=False) if sits == seat)


def _ended(points: tuple[tuple[int, ...], ...], car: Seat) -> GameEnded:
    """Name the winners: HOTEL-46 to HOTEL-49."""
    totals = [sum(column) for column in zip(*points, strict=True)]
    leaders = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(leaders) == 1:
        return GameEnded(winners=tuple(leaders), how="points")
    if car in leaders:
        return GameEnded(winners=(car,), how="car")
    for late in reversed(points):
        leaders = [seat for seat in leaders if late[seat] == max(late[other] for other in leaders)]
    return GameEnded(winners=tuple(leaders), how="late_points" if len(leaders) == 1 else "tie")


# --- Who is waited for, and how it ended -------------------------------------------------------------------------

_NOBODY: Final[frozenset[Seat]] = frozenset()
_ALONE: Final = tuple(frozenset({seat}) for seat in range(INFO.seats[1]))


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for."""
    kind = type(view.phase)
    return _NOBODY if kind is Dealing or kind is Over else _ALONE[view.on_turn]


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    match view.phase:
        case Over(winners=winners, how=how):
            return Outcome(winners=winners, how=how, points=tuple(map(sum, zip(*view.points, strict=True))))
        case _:
            return None
