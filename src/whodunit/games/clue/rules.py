"""The rules of Clue; the numbers in the comments are those of docs/rules/clue.md."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, assert_never

from msgspec.structs import replace

from whodunit.core.errors import BadOptions
from whodunit.core.info import Info
from whodunit.core.offer import Offer, One
from whodunit.core.rng import Rng
from whodunit.core.types import Outcome, Seat
from whodunit.games.clue.facts import (
    DOOR_SQUARES,
    DOORS,
    NEIGHBOURS,
    PACK,
    PASSAGES,
    ROOMS,
    STARTS,
    SUSPECTS,
    WEAPONS,
    Card,
    Place,
    Room,
    Square,
)
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    Answering,
    AnyAction,
    AnyEvent,
    Arrived,
    Beginning,
    CannotShow,
    CardShown,
    Concluding,
    CouldNotShow,
    Dealing,
    DiceThrown,
    EndTurn,
    EnvelopeFilled,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    HandDealt,
    LookAside,
    LookingAside,
    Move,
    Moved,
    NoMove,
    NotMoved,
    Opened,
    Options,
    Over,
    PassageTaken,
    Roll,
    Show,
    SideCardSeen,
    SideCardsLaid,
    State,
    StayAndSuggest,
    Stayed,
    Suggest,
    Suggested,
    TakePassage,
    TokenStoodAside,
    Trio,
    TurnBegan,
    Walking,
    WeaponsPlaced,
)

INFO: Final = Info(
    id="clue",
    rules=1,
    seats=(2, 6),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    final=(Accuse,),
    undoable=(Move, TakePassage, StayAndSuggest, NoMove, Suggest, EndTurn),
)

FACES: Final = 6

# --- Setting up --------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, rng: Rng) -> Sequence[AnyEvent]:
    """Lay the table: CLUE-2 to CLUE-9."""
    _check(seats, options)
    tokens = options.tokens or SUSPECTS[:seats]
    starter = options.starter or 0  # seats are clockwise from Scarlet, so the first owned token sits in seat 0 (CLUE-9)
    rooms = options.weapon_rooms or rng.shuffled("weapons", ROOMS)[: len(WEAPONS)]
    trio = Trio(
        SUSPECTS[rng.below("envelope suspect", len(SUSPECTS))],
        WEAPONS[rng.below("envelope weapon", len(WEAPONS))],
        ROOMS[rng.below("envelope room", len(ROOMS))],
    )
    deck = rng.shuffled("deck", [card for card in PACK if card not in trio])
    side, deck = deck[: options.two_player_side_cards], deck[options.two_player_side_cards :]
    return [
        Opened(game="clue", rules=INFO.rules, seats=seats, options=options, tokens=tokens, starter=starter),
        WeaponsPlaced(rooms=rooms),
        EnvelopeFilled(trio=trio),
        *([SideCardsLaid(count=len(side), cards=side)] if side else []),
        *_dealt(deck, seats, starter),
        TurnBegan(seat=starter),
    ]


def _dealt(deck: Sequence[Card], seats: int, starter: Seat) -> Iterator[HandDealt]:
    for seat in range(seats):
        cards = sorted(deck[(seat - starter) % seats :: seats], key=PACK.index)  # CLUE-8: the starter gets the first
        yield HandDealt(seat=seat, size=len(cards), cards=tuple(cards), known_to=frozenset({seat}))


def _check(seats: int, options: Options) -> None:
    """Refuse what no single option shows to be wrong."""
    if not options.min_players <= seats <= options.max_players:
        raise BadOptions(f"this table is for {options.min_players} to {options.max_players} players, not for {seats}")
    if options.two_player_side_cards and seats != 2:
        raise BadOptions(f"two_player_side_cards is for 2 players, not for {seats} (CLUE-V5)")
    if options.starter is not None and options.starter >= seats:
        raise BadOptions(f"starter {options.starter} is no seat of a table of {seats}")
    clockwise = None if options.tokens is None else tuple(s for s in SUSPECTS if s in options.tokens)
    if options.tokens != clockwise or len(options.tokens or SUSPECTS[:seats]) != seats:
        raise BadOptions(f"tokens must name {seats} different suspects clockwise: {', '.join(SUSPECTS)} (CLUE-4)")
    rooms = options.weapon_rooms
    if rooms is not None and not len(set(rooms)) == len(rooms) == len(WEAPONS):
        raise BadOptions(f"weapon_rooms must name {len(WEAPONS)} different rooms (CLUE-5)")


# --- What happened -----------------------------------------------------------------------------------------------


def evolve(state: State | None, event: AnyEvent) -> State:
    """Fold one event into the table; a redacted event leaves None where it hides something."""
    if state is None:
        assert isinstance(event, Opened)
        return _opened(event)
    match event:
        case CouldNotShow():
            return replace(state, phase=_after_pass(state, event.seat))
        case CardShown():
            return replace(state, phase=Concluding())
        case DiceThrown():
            return replace(state, phase=Walking(sum(event.dice)))
        case Moved():
            return _walked(state, event.seat, event.to)
        case TurnBegan():
            summoned = _put(state.summoned, state.on_turn, None)  # CLUE-34: the mark ends with its owner's turn
            return replace(state, turn=state.turn + 1, on_turn=event.seat, summoned=summoned, phase=Beginning())
        case Suggested():
            return _suggested(state, event.seat, event.trio)
        case PassageTaken():
            return _walked(state, event.seat, event.to)
        case Stayed():
            return replace(state, summoned=_put(state.summoned, event.seat, None), phase=Arrived(may_suggest=True))
        case NotMoved():
            return replace(state, phase=Arrived(may_suggest=False))
        case SideCardSeen():
            looked = tuple(sorted((*state.looked[event.seat], event.position)))
            side = state.side if event.card is None else _put(state.side, event.position - 1, event.card)
            return replace(state, looked=_put(state.looked, event.seat, looked), side=side, phase=Concluding())
        case Accused():
            return state if event.right else replace(state, out=_put(state.out, event.seat, True))
        case EnvelopeSeen() | EnvelopeFilled() | EnvelopeOpened():
            return state if event.trio is None else replace(state, envelope=event.trio)
        case TokenStoodAside():
            token = SUSPECTS.index(state.tokens[event.seat])
            return replace(state, places=_put(state.places, token, event.room))
        case GameEnded():
            return replace(state, phase=Over(event.winner, event.how))
        case WeaponsPlaced():
            return replace(state, weapons=event.rooms)
        case SideCardsLaid():
            return replace(state, side=event.cards or (None,) * event.count)
        case HandDealt():
            return replace(
                state,
                sizes=_put(state.sizes, event.seat, event.size),
                hands=_put(state.hands, event.seat, event.cards),
            )
        case Opened():
            raise ValueError("a game is opened once")
        case _:
            assert_never(event)


def _opened(event: Opened) -> State:
    return State(
        options=event.options,
        tokens=event.tokens,
        on_turn=event.starter,
        phase=Dealing(),
        places=tuple(STARTS[suspect] for suspect in SUSPECTS),
        sizes=(0,) * event.seats,
        hands=(None,) * event.seats,
        looked=((),) * event.seats,
        summoned=(None,) * event.seats,
        out=(False,) * event.seats,
    )


def _walked(state: State, seat: Seat, to: Place) -> State:
    token = SUSPECTS.index(state.tokens[seat])
    return replace(
        state,
        places=_put(state.places, token, to),
        summoned=_put(state.summoned, seat, None),
        phase=Arrived(may_suggest=isinstance(to, str)),
    )


def _suggested(state: State, seat: Seat, trio: Trio) -> State:
    token, weapon = SUSPECTS.index(trio.suspect), WEAPONS.index(trio.weapon)
    summoned = state.summoned
    if trio.suspect in state.tokens and state.places[token] != trio.room:  # CLUE-34: only who is actually moved
        summoned = _put(summoned, state.tokens.index(trio.suspect), trio.room)
    return replace(
        state,
        places=_put(state.places, token, trio.room),
        weapons=_put(state.weapons, weapon, trio.room),
        summoned=summoned,
        phase=Answering(trio, _left_of(state, seat)),
    )


def _after_pass(state: State, seat: Seat) -> Answering | LookingAside | Concluding:
    assert isinstance(state.phase, Answering)
    asked = _left_of(state, seat)
    if asked != state.on_turn:
        return Answering(state.phase.trio, asked)
    return LookingAside() if len(state.looked[asked]) < len(state.side) else Concluding()


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _left_of(state: State, seat: Seat) -> Seat:
    return (seat + 1) % len(state.tokens)


# --- What may be done --------------------------------------------------------------------------------------------

_ROLL: Final = Offer(Roll)
_PASSAGE: Final = Offer(TakePassage)
_NO_MOVE: Final = Offer(NoMove)
_CANNOT_SHOW: Final = Offer(CannotShow)
_END_TURN: Final = Offer(EndTurn)
_ACCUSE: Final = Offer(Accuse, {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One(ROOMS)})
_SUGGEST, _STAY = (
    {room: Offer(kind, {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One((room,))}) for room in ROOMS}
    for kind in (Suggest, StayAndSuggest)
)


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what the seat may do now, from what it can see."""
    phase = view.phase
    if isinstance(phase, Answering):
        return (_answer(view, phase.trio),) if seat == phase.asked else ()
    if seat != view.on_turn:
        return ()
    match phase:
        case Beginning():
            return (*_movement_choices(view), _ACCUSE)
        case Walking(throw):
            return (_walks(*_walk_from(view, throw)).offer,)
        case Arrived(may_suggest=False) | Concluding():
            return _ACCUSE, _END_TURN
        case Arrived():
            suggest = _SUGGEST[_room(view)]
            return (suggest, _ACCUSE) if view.options.suggestion_mandatory else (suggest, _ACCUSE, _END_TURN)
        case LookingAside():
            unseen = tuple(at for at in range(1, len(view.side) + 1) if at not in view.looked[seat])
            return (Offer(LookAside, {"position": One(unseen)}),)
        case Dealing() | Over():
            return ()
        case _:
            assert_never(phase)


def _movement_choices(view: State) -> Iterator[Offer]:
    """Offer the movement choices of CLUE-14."""
    place, blocked = _standing(view)
    near = DOOR_SQUARES[place] if isinstance(place, str) else NEIGHBOURS[place]
    first_step = place in DOORS or any(not blocked >> square & 1 for square in near)
    if first_step:
        yield _ROLL
    if place in PASSAGES:
        yield _PASSAGE
    room = view.summoned[view.on_turn]
    if room is not None:
        yield _STAY[room]
    if not first_step and place not in PASSAGES:  # CLUE-25
        yield _NO_MOVE


def _answer(view: State, trio: Trio) -> Offer:
    assert isinstance(view.phase, Answering)
    hand = view.hands[view.phase.asked] or ()
    matching = tuple(card for card in trio.cards if card in hand)
    return Offer(Show, {"card": One(matching)}) if matching else _CANNOT_SHOW


def _standing(view: State) -> tuple[Place, int]:
    """Return where the token on turn stands, and the squares of all others as bits (CLUE-20, 28)."""
    own = SUSPECTS.index(view.tokens[view.on_turn])
    blocked = 0
    for token, place in enumerate(view.places):
        if token != own and not isinstance(place, str):
            blocked |= 1 << place
    return view.places[own], blocked


def _room(view: State) -> Room:
    place, _ = _standing(view)
    assert isinstance(place, str)
    return place


# --- Walking -----------------------------------------------------------------------------------------------------


class _Walks(NamedTuple):
    paths: dict[Place, tuple[Square, ...]]
    offer: Offer


def _walk_from(view: State, throw: int) -> tuple[Place, int, int, int, bool]:
    place, blocked = _standing(view)
    reach = _near(place, throw)
    return place, throw, blocked & reach, view.options.room_entry_cost, view.options.exact_roll


@lru_cache(maxsize=8192)
def _walks(start: Place, throw: int, blocked: int, entry_cost: int, exact: bool) -> _Walks:
    """Find every end of a walk and one path to it; the walk never visits a square twice (CLUE-19).

    Walks that stand on the same square and have visited the same squares within reach have the same future, so
    one of them is enough: this keeps twelve steps with two dice as cheap as six with one.
    """
    rooms: dict[Place, tuple[Square, ...]] = {}
    squares: dict[Place, tuple[Square, ...]] = {}
    longest: dict[Place, tuple[Square, ...]] = {}
    walks: dict[tuple[Square, int], tuple[Square, ...]]
    if isinstance(start, str):  # CLUE-29
        steps, walks = 1, {(door, 1 << door): (door,) for door in DOOR_SQUARES[start] if not blocked >> door & 1}
    else:
        steps, walks = 0, {(start, 1 << start): ()}
    while walks:
        here = {square: path for (square, _), path in walks.items()}
        for square, path in here.items():
            if square in DOORS and DOORS[square] != start and steps + entry_cost <= throw:  # CLUE-26, 27, 30
                rooms.setdefault(DOORS[square], path)
        if steps:
            longest = here  # type: ignore[assignment]  # a square is a place
            if steps == throw or not exact:
                squares = {**longest, **squares}
        if steps == throw:
            break
        steps += 1
        walks = _one_step(walks, blocked, throw - steps)
    if not rooms and not squares:
        squares = longest  # CLUE-22
    ends = (*sorted(squares, key=int), *(room for room in ROOMS if room in rooms))
    return _Walks(squares | rooms, Offer(Move, {"to": One(ends)}))


def _one_step(
    walks: dict[tuple[Square, int], tuple[Square, ...]], blocked: int, left: int
) -> dict[tuple[Square, int], tuple[Square, ...]]:
    longer: dict[tuple[Square, int], tuple[Square, ...]] = {}
    for (square, visited), path in walks.items():
        for near in NEIGHBOURS[square]:
            if not (blocked | visited) >> near & 1:
                longer.setdefault((near, (visited | 1 << near) & _near(near, left)), (*path, near))
    return longer


@lru_cache(maxsize=None)
def _near(place: Place, radius: int) -> int:
    """Return the squares within so many steps of a place, as bits: no walk of that length leaves them."""
    if radius == 0:
        return 0 if isinstance(place, str) else 1 << place
    near = DOOR_SQUARES[place] if isinstance(place, str) else (*NEIGHBOURS[place], place)
    bits = 0
    for square in near:
        bits |= _near(square, radius - 1)
    return bits


# --- What happens ------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    match action:
        case Roll():
            dice = tuple(1 + rng.below(f"die {die}", FACES) for die in range(1, state.options.dice_count + 1))
            return [DiceThrown(seat=seat, dice=dice)]
        case Move(to=to):
            assert isinstance(state.phase, Walking)
            return [Moved(seat=seat, path=_walks(*_walk_from(state, state.phase.throw)).paths[to], to=to)]
        case TakePassage():
            return [PassageTaken(seat=seat, to=PASSAGES[_room(state)])]
        case StayAndSuggest():
            return [Stayed(seat=seat), Suggested(seat=seat, trio=_trio(action))]
        case NoMove():
            return [NotMoved(seat=seat)]
        case Suggest():
            return [Suggested(seat=seat, trio=_trio(action))]
        case Show(card=card):
            asker = state.on_turn
            shown = CardShown(seat=seat, to=asker, card=card, known_to=frozenset({seat, asker}))
            return [shown] if state.options.accuse_after_disproof else [shown, _pass_turn(state)]  # CLUE-44
        case CannotShow():
            return [CouldNotShow(seat=seat)]
        case LookAside(position=position):
            looked_at = state.side[position - 1]
            return [SideCardSeen(seat=seat, position=position, card=looked_at, known_to=frozenset({seat}))]
        case Accuse():
            return _accused(state, seat, _trio(action))
        case EndTurn():
            return [_pass_turn(state)]
        case _:
            assert_never(action)


def _trio(action: Suggest | StayAndSuggest | Accuse) -> Trio:
    return Trio(action.suspect, action.weapon, action.room)


def _accused(state: State, seat: Seat, trio: Trio) -> Sequence[AnyEvent]:
    assert state.envelope is not None
    opened = EnvelopeOpened(trio=state.envelope)
    if trio == state.envelope:
        return [Accused(seat=seat, trio=trio, right=True), opened, GameEnded(winner=seat, how="solved")]
    events: list[AnyEvent] = [
        Accused(seat=seat, trio=trio, right=False),
        EnvelopeSeen(seat=seat, trio=state.envelope, known_to=frozenset({seat})),
    ]
    place, _ = _standing(state)
    if not isinstance(place, str) and place in DOORS:
        events.append(TokenStoodAside(seat=seat, room=DOORS[place]))
    active = [other for other in _clockwise_from(state, seat) if not state.out[other] and other != seat]
    if not active:
        return [*events, opened, GameEnded(winner=None, how="all_out")]  # CLUE-57
    if state.options.last_active_wins and len(active) == 1:
        return [*events, opened, GameEnded(winner=active[0], how="last_active")]  # CLUE-V4
    return [*events, _turn_of(state, active[0])]


def _pass_turn(state: State) -> TurnBegan | GameEnded:
    return _turn_of(state, next(seat for seat in _clockwise_from(state, state.on_turn) if not state.out[seat]))


def _turn_of(state: State, seat: Seat) -> TurnBegan | GameEnded:
    if state.turn == state.options.max_turns:
        return GameEnded(winner=None, how="no_result")
    return TurnBegan(seat=seat)


def _clockwise_from(state: State, seat: Seat) -> Iterator[Seat]:
    """Yield the seats from the left of this one, and this one last."""
    for distance in range(1, len(state.tokens) + 1):
        yield (seat + distance) % len(state.tokens)


# --- Who is waited for, and how it ended -------------------------------------------------------------------------


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for."""
    match view.phase:
        case Answering(asked=asked):
            return frozenset({asked})
        case Over() | Dealing():
            return frozenset()
        case _:
            return frozenset({view.on_turn})


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    match view.phase:
        case Over(winner=winner, how=how):
            return Outcome(winners=() if winner is None else (winner,), how=how)
        case _:
            return None
