"""The rules of Crime Hotel; the numbers in the comments are those of docs/rules/crime_hotel.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, get_args

from msgspec.structs import replace

from whodunit.core.errors import BadOptions
from whodunit.core.info import Info, left_of_last
from whodunit.core.offer import Offer, One, Some
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
    rules=2,
    seats=(min(DESKS), max(DESKS)),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    colour="#33264f",
    place=3,
    undoable=(Guess, TakeDesk, Relocate),
    begins=(InvestigationBegan,),
    again=lambda options, seats: left_of_last(seats, first_car=options.first_car),
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
    return _FOLDS[type(event)](state, event)


def _opened(event: Opened) -> State:
    empty = _cleared(event.seats, event.options)
    figures = tuple(DESKS[event.seats][department] for department in DEPARTMENTS)  # HOTEL-2
    return State(options=event.options, on_turn=event.car, car=event.car, figures=figures, **empty)


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


def _opened_again(_state: State, _event: Opened) -> State:
    raise ValueError("a game is opened once")


def _investigation_began(state: State, event: InvestigationBegan) -> State:
    return replace(state, investigation=event.number, **_cleared(len(state.hands), state.options))


def _hand_dealt(state: State, event: HandDealt) -> State:
    sizes = _put(state.sizes, event.seat, event.size)
    return replace(state, sizes=sizes, hands=_put(state.hands, event.seat, event.cards))


def _murderer_hidden(state: State, event: MurdererHidden) -> State:
    return replace(state, hidden=event.card)


def _rooms_lit(state: State, event: RoomsLit) -> State:
    return replace(state, lit=event.cards)


def _round_began(state: State, event: RoundBegan) -> State:
    return replace(state, round=event.number, on_turn=event.seat, phase=_PLAYING)


def _card_played(state: State, event: CardPlayed) -> State:
    trick = [*state.trick]
    trick[event.seat] = event.card
    return _laid_down(state, event.seat, event.card, tuple(trick), state.lit)


def _last_card_laid(state: State, event: LastCardLaid) -> State:
    return _laid_down(state, event.seat, event.card, state.trick, (*state.lit, event.card))


def _laid_down(state: State, seat: Seat, card: Card, trick: tuple[Card | None, ...], lit: tuple[Card, ...]) -> State:
    """Take a card from the hand, as far as the hand is known, and go on to the next player."""
    sizes, hands = [*state.sizes], state.hands
    sizes[seat] -= 1
    if (hand := hands[seat]) is not None:
        place = hand.index(card)
        hands = _put(hands, seat, hand[:place] + hand[place + 1 :])
    on_turn = (seat + 1) % len(sizes)
    return replace(state, sizes=tuple(sizes), hands=hands, trick=trick, lit=lit, turn=state.turn + 1, on_turn=on_turn)


def _parked(state: State, event: Parked) -> State:
    lots = event.lots
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


def _guessed(state: State, event: Guessed) -> State:
    return _acted(_placed(state, event.seat, state.guesses[event.seat], event.place))


def _desk_taken(state: State, event: DeskTaken) -> State:
    desks = [*state.desks]
    desks[DEPARTMENTS.index(event.department)] += (event.seat,)
    return _acted(replace(state, desks=tuple(desks)))


def _lot_left(state: State, event: LotLeft) -> State:
    return _acted(replace(state, unused=_put(state.unused, event.seat, state.unused[event.seat] + event.back)))


def _acted(state: State) -> State:
    """Clear the lot of the player on turn; who is next, and what for, follows from those left (HOTEL-19, 20)."""
    lots = state.lots[1:]
    phase: Phase
    if lots:
        on_turn, phase = lots[0], _GUESSING if len(lots) == 1 else _ASSISTING
    else:
        on_turn, phase = state.car, _REVEALING if state.round == state.options.rounds else _DEALING  # HOTEL-37
    return replace(state, turn=state.turn + 1, lots=lots, on_turn=on_turn, phase=phase)


def _relocated(state: State, event: Relocated) -> State:
    left = tuple([place for place in state.guesses[event.seat] if place != event.origin])
    return _placed(state, event.seat, left, event.to)


def _placed(state: State, seat: Seat, before: tuple[Place, ...], place: Place) -> State:
    """Put a meeple on a place, beside those that stood before."""
    guesses = _put(state.guesses, seat, (*before, place))
    for places in state.guesses:
        if place in places:
            return replace(state, guesses=guesses, shared=_put(state.shared, seat, state.shared[seat] + 1))
    return replace(state, guesses=guesses)


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


def _nothing_moved(state: State, _event: Looked | LookDeclined) -> State:
    return state


def _murderer_found(state: State, event: MurdererFound) -> State:
    return replace(state, hidden=event.card, phase=_DEALING)


def _scored(state: State, event: Scored) -> State:
    return replace(state, points=(*state.points, event.points))


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=Over(event.winners, event.how))


# A table, not a `match`: every seat folds every event, and trying 19 classes one after another cost more than folding.
_FOLDS: Final[Mapping[type[AnyEvent], Callable[[State, Any], State]]] = {
    Opened: _opened_again,
    InvestigationBegan: _investigation_began,
    HandDealt: _hand_dealt,
    MurdererHidden: _murderer_hidden,
    RoomsLit: _rooms_lit,
    RoundBegan: _round_began,
    CardPlayed: _card_played,
    Parked: _parked,
    Guessed: _guessed,
    DeskTaken: _desk_taken,
    Relocated: _relocated,
    Exchanged: _exchanged,
    Looked: _nothing_moved,
    LookDeclined: _nothing_moved,
    LotLeft: _lot_left,
    LastCardLaid: _last_card_laid,
    MurdererFound: _murderer_found,
    Scored: _scored,
    GameEnded: _game_ended,
}
assert _FOLDS.keys() == set(get_args(AnyEvent)), "no event may be forgotten"


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


# --- What may be done --------------------------------------------------------------------------------------------

_LAY_LAST: Final = Offer(LayLast)
_EVERYWHERE: Final = dict.fromkeys(PLACES)
"""The places as keys: an ordered set, from which those that are closed are quickly taken out."""


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what the seat may do now, from what it can see."""
    if seat != view.on_turn:
        return ()
    phase = type(view.phase)
    if phase is Playing:
        return (Offer(Play, {"card": One(_playable(view, seat))}),)
    if phase is Guessing:
        return (Offer(Guess, {"place": _free(view, seat)}),)
    if phase is Assisting:
        return tuple(_assistance(view, seat))
    return (_LAY_LAST,) if phase is Revealing else ()


def _playable(view: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that may be played: of the floor of the first one, if there are any (HOTEL-11 to 13)."""
    hand = view.hands[seat] or ()
    lead = view.trick[view.car]
    if lead is None:
        return hand
    floor = lead // 10
    return tuple([card for card in hand if card // 10 == floor]) or hand


def _free(view: State, seat: Seat) -> One:
    """Return the places where the player may put a meeple (HOTEL-24, 26, 33)."""
    free = _EVERYWHERE.copy()
    for places in (view.guesses[seat],) if may_share(view, seat) else view.guesses:
        for place in places:
            free.pop(place, None)
    if not view.options.guess_on_lit_room:
        for card in view.lit:
            free.pop(ROOM[card], None)
    return One(tuple(free))


def may_share(view: State, seat: Seat) -> bool:
    """Say whether a meeple of DUPLICATE still opens occupied places to the player (HOTEL-33)."""
    uses, sitting = view.options.duplicate_uses, view.desks[DUPLICATE]
    return seat in sitting if uses is None else view.shared[seat] < uses * sitting.count(seat)


def _assistance(view: State, seat: Seat) -> list[Offer]:
    """Offer every department with a free desk, and what it does (HOTEL-27 to 34)."""
    seats, guesses = len(view.hands), view.guesses[seat]
    offers: list[Offer] = []
    idle: list[Department] = []
    for department, taken in enumerate(view.desks):
        if len(taken) == len(view.figures[department]):
            continue
        if department == EXCHANGE:
            number = _figure(view, department)
            cards = Some(view.hands[seat] or (), number, number)
            offers.append(Offer(Exchange, {"partner": _others(seats, seat), "cards": cards}))
            continue
        if department == RELOCATE and guesses:
            offers.append(Offer(Relocate, {"origin": One(guesses), "to": _free(view, seat)}))
            continue
        if department == LOOK:
            offers.append(_look(seats, seat))  # HOTEL-32: he "may" look
        idle.append(DEPARTMENTS[department])
    if idle:
        offers.append(_take_desk(tuple(idle)))
    return offers


@cache
def _others(seats: int, seat: Seat) -> One:
    return One(tuple(other for other in range(seats) if other != seat))


@cache
def _look(seats: int, seat: Seat) -> Offer:
    return Offer(Look, {"target": _others(seats, seat)})


@cache
def _take_desk(departments: tuple[Department, ...]) -> Offer:
    return Offer(TakeDesk, {"department": One(departments)})


def _figure(view: State, department: int) -> int:
    """Return how many cards the next desk is for: its figure, or all that a hand has (HOTEL-31)."""
    figure = view.figures[department][len(view.desks[department])]
    assert figure is not None
    return min(figure, view.sizes[view.on_turn])


# --- What happens ------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    return _DEEDS[type(action)](state, seat, action, rng)


def _guess(state: State, seat: Seat, action: Guess, _rng: Rng) -> list[AnyEvent]:
    return [Guessed(seat=seat, place=action.place), *_rest_of_round(state)]


def _take(state: State, seat: Seat, action: TakeDesk, _rng: Rng) -> list[AnyEvent]:
    department = action.department
    declined = [LookDeclined(seat=seat)] if department == "LOOK" else []
    return [_at_desk(state, seat, department), *declined, *_rest_of_round(state, department)]


def _relocate(state: State, seat: Seat, action: Relocate, _rng: Rng) -> list[AnyEvent]:
    relocated = Relocated(seat=seat, origin=action.origin, to=action.to)
    return [_at_desk(state, seat, "RELOCATE"), relocated, *_rest_of_round(state, "RELOCATE")]


def _exchange(state: State, seat: Seat, action: Exchange, rng: Rng) -> list[AnyEvent]:
    partner, given = action.partner, action.cards
    drawn = _blindly(state, partner, EXCHANGE, rng)
    known = frozenset({seat, partner})
    exchanged = Exchanged(seat=seat, partner=partner, count=len(given), given=given, drawn=drawn, known_to=known)
    return [_at_desk(state, seat, "EXCHANGE"), exchanged, *_rest_of_round(state, "EXCHANGE")]


def _look_at(state: State, seat: Seat, action: Look, rng: Rng) -> list[AnyEvent]:
    target = action.target
    cards = _blindly(state, target, LOOK, rng)
    known = frozenset({seat, target})  # HOTEL-32: he sees which of his cards are taken up
    looked = Looked(seat=seat, target=target, count=len(cards), cards=cards, known_to=known)
    return [_at_desk(state, seat, "LOOK"), looked, *_rest_of_round(state, "LOOK")]


def _play(state: State, seat: Seat, action: Play, _rng: Rng) -> list[AnyEvent]:
    card, lead = action.card, state.trick[state.car]
    lacks = None if lead is None or card // 10 == lead // 10 else lead // 10
    events: list[AnyEvent] = [CardPlayed(seat=seat, card=card, lacks=lacks)]
    if state.trick.count(None) == 1:  # this was the last
        cards = _put(state.trick, seat, card)
        highest_first = sorted(range(len(cards)), key=cards.__getitem__, reverse=True)  # HOTEL-14 to 16
        events.append(Parked(lots=tuple(highest_first)))
    return events


def _at_desk(state: State, seat: Seat, department: Department) -> DeskTaken:
    desk = len(state.desks[DEPARTMENTS.index(department)]) + 1  # HOTEL-28: the left-most free one
    return DeskTaken(seat=seat, department=department, desk=desk)


def _blindly(state: State, seat: Seat, department: int, rng: Rng) -> tuple[Card, ...]:
    """Draw as many cards of a hand as the desk is for, each choice of so many as likely as any other."""
    number = _figure(state, department)
    blind = Some(state.hands[seat] or (), number, number)
    label = f"{DEPARTMENTS[department].lower()} {state.investigation}.{len(state.desks[department]) + 1}"
    return blind.at(rng.below(label, blind.count))  # type: ignore[return-value]  # of cards


def _rest_of_round(state: State, taken: Department | None = None) -> list[AnyEvent]:
    """Return what follows by itself when the player on turn has acted: lots that are left, and the next round."""
    lots = state.lots[1:]
    events: list[AnyEvent] = []
    if len(lots) > 1 and (state.options.beginner or _is_full(state, taken)):
        events += [LotLeft(seat=seat, back=state.options.beginner) for seat in lots[:-1]]  # HOTEL-V1, HOTEL-29
    if not lots and state.round < state.options.rounds:
        events.append(RoundBegan(number=state.round + 1, seat=state.car))  # HOTEL-35
    return events


def _is_full(state: State, taken: Department | None) -> bool:
    """Say whether no desk is free, once the next one of this department is taken."""
    return sum(map(len, state.desks)) + (taken is not None) == _all_desks(state.figures)


@lru_cache(maxsize=16)
def _all_desks(figures: tuple[tuple[int | None, ...], ...]) -> int:
    return sum(map(len, figures))


# --- The end of an investigation, and of the game ----------------------------------------------------------------


def _lay_last(state: State, seat: Seat, _action: LayLast, rng: Rng) -> list[AnyEvent]:
    hand = state.hands[seat]
    assert hand is not None
    assert state.hidden is not None
    events: list[AnyEvent] = [LastCardLaid(seat=seat, card=hand[0])]
    if (seat + 1) % len(state.hands) != state.car:
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
    return max(figure or 0 for figure, sits in zip(state.figures[BONUS], sitting, strict=False) if sits == seat)


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


# A table, as for what happened: what is done seldom would be tried last.
_DEEDS: Final[Mapping[type[AnyAction], Callable[[State, Seat, Any, Rng], list[AnyEvent]]]] = {
    Play: _play,
    Guess: _guess,
    TakeDesk: _take,
    Relocate: _relocate,
    Exchange: _exchange,
    Look: _look_at,
    LayLast: _lay_last,
}
assert _DEEDS.keys() == set(get_args(AnyAction)), "no action may be forgotten"


# --- Who is waited for, and how it ended -------------------------------------------------------------------------

_NOBODY: Final[frozenset[Seat]] = frozenset()
_ALONE: Final = tuple(frozenset({seat}) for seat in range(INFO.seats[1]))


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for."""
    kind = type(view.phase)
    return _NOBODY if kind is Dealing or kind is Over else _ALONE[view.on_turn]


def informed(_view: State) -> frozenset[Seat]:
    """Return nobody: in this game everybody plays to the end."""
    return _NOBODY


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    phase = view.phase
    if type(phase) is not Over:
        return None
    return Outcome(winners=phase.winners, how=phase.how, points=tuple(map(sum, zip(*view.points, strict=True))))
