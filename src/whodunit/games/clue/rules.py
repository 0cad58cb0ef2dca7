"""The rules of Clue; the numbers in the comments are those of docs/rules/clue.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, assert_never, get_args

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
    SQUARES,
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
    colour="#1f4a3a",
    place=1,
    final=(Accuse,),
    undoable=(Move, TakePassage, StayAndSuggest, NoMove, Suggest, EndTurn),
    answers=(Show, CannotShow),
    orders=("seen", "least"),
    showings=("even", "seen_first"),
    again=lambda options, seats: {"starter": ((options.starter or 0) + 1) % seats},  # CLUE-10
)

FACES: Final = 6
DICE: Final = ("die 1", "die 2")

_TOKEN: Final = {suspect: token for token, suspect in enumerate(SUSPECTS)}
_BIT: Final[dict[Place, int]] = {square: 1 << bit for bit, square in enumerate(SQUARES)} | dict.fromkeys(ROOMS, 0)
"""Sets of squares are numbers with a bit for each; a room has none."""
_NEXT: Final[dict[Place, int]] = {
    **{square: sum(_BIT[near] for near in NEIGHBOURS[square]) for square in SQUARES},
    **{room: sum(_BIT[door] for door in DOOR_SQUARES[room]) for room in ROOMS},
}
"""The squares that a first step from a place can lead to."""

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
    if options.min_players > options.max_players:
        raise BadOptions(f"min_players {options.min_players} is more than max_players {options.max_players}")
    if not options.min_players <= seats <= options.max_players:
        raise BadOptions(f"this table is for {options.min_players} to {options.max_players} players, not for {seats}")
    if options.two_player_side_cards and seats != 2:
        raise BadOptions(f"two_player_side_cards is for 2 players, not for {seats} (CLUE-V5)")
    if options.starter is not None and options.starter >= seats:
        raise BadOptions(f"starter {options.starter} is no seat of a table of {seats}")
    tokens = SUSPECTS[:seats] if options.tokens is None else options.tokens
    if len(tokens) != seats or tokens != tuple(suspect for suspect in SUSPECTS if suspect in tokens):
        raise BadOptions(f"tokens must name {seats} different suspects clockwise: {', '.join(SUSPECTS)} (CLUE-4)")
    rooms = options.weapon_rooms
    if rooms is not None and not len(set(rooms)) == len(rooms) == len(WEAPONS):
        raise BadOptions(f"weapon_rooms must name {len(WEAPONS)} different rooms (CLUE-5)")


# Phases that say no more than their name are made once: a phase changes with nearly every event.
_BEGINNING: Final = Beginning()
_CONCLUDING: Final = Concluding()
_ARRIVED: Final = Arrived(may_suggest=False)
_ENTERED: Final = Arrived(may_suggest=True)

# --- What happened -----------------------------------------------------------------------------------------------


def evolve(state: State | None, event: AnyEvent) -> State:
    """Fold one event into the table; a redacted event leaves None where it hides something."""
    if state is None:
        assert isinstance(event, Opened)
        return _opened(event)
    return _FOLDS[type(event)](state, event)


@lru_cache(maxsize=64)
def _opened(event: Opened) -> State:
    """Return the empty table, one for all views: what no event has touched is then kept once, as `_placed` does it."""
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


def _opened_again(_state: State, _event: Opened) -> State:
    raise ValueError("a game is opened once")


def _weapons_placed(state: State, event: WeaponsPlaced) -> State:
    return replace(state, weapons=event.rooms)


def _side_cards_laid(state: State, event: SideCardsLaid) -> State:
    return replace(state, side=event.cards or (None,) * event.count)


def _hand_dealt(state: State, event: HandDealt) -> State:
    return replace(
        state,
        sizes=_placed(state.sizes, event.seat, event.size),
        hands=_put(state.hands, event.seat, event.cards),
    )


def _turn_began(state: State, event: TurnBegan) -> State:
    summoned = _unmarked(state, state.on_turn)  # CLUE-34: the mark ends with its owner's turn
    return replace(state, turn=state.turn + 1, on_turn=event.seat, summoned=summoned, phase=_BEGINNING)


def _dice_thrown(state: State, event: DiceThrown) -> State:
    return replace(state, phase=Walking(sum(event.dice)))


def _walked(state: State, event: Moved | PassageTaken) -> State:
    token = _TOKEN[state.tokens[event.seat]]
    return replace(
        state,
        places=_placed(state.places, token, event.to),
        summoned=_unmarked(state, event.seat),
        phase=_ENTERED if isinstance(event.to, str) else _ARRIVED,
    )


def _stayed(state: State, event: Stayed) -> State:
    return replace(state, summoned=_unmarked(state, event.seat), phase=_ENTERED)


def _not_moved(state: State, _event: NotMoved) -> State:
    return replace(state, phase=_ARRIVED)


def _suggested(state: State, event: Suggested) -> State:
    trio = event.trio
    token, weapon = _TOKEN[trio.suspect], WEAPONS.index(trio.weapon)
    summoned = state.summoned
    if trio.suspect in state.tokens and state.places[token] != trio.room:  # CLUE-34: only who is actually moved
        summoned = _placed(summoned, state.tokens.index(trio.suspect), trio.room)
    return replace(
        state,
        places=_placed(state.places, token, trio.room),
        weapons=_placed(state.weapons, weapon, trio.room),
        summoned=summoned,
        on_turn=event.seat,  # it is already, unless this is a case that was cut from a game and tells no turns
        phase=Answering(trio, _left_of(state, event.seat)),
    )


def _passed(state: State, event: CouldNotShow) -> State:
    return replace(state, phase=_after_pass(state, event.seat))


def _card_shown(state: State, _event: CardShown) -> State:
    return replace(state, phase=_CONCLUDING)


def _side_card_seen(state: State, event: SideCardSeen) -> State:
    looked = tuple(sorted((*state.looked[event.seat], event.position)))
    side = state.side if event.card is None else _put(state.side, event.position - 1, event.card)
    return replace(state, looked=_put(state.looked, event.seat, looked), side=side, phase=_CONCLUDING)


def _out_if_wrong(state: State, event: Accused) -> State:
    return state if event.right else replace(state, out=_put(state.out, event.seat, True))


def _envelope_known(state: State, event: EnvelopeFilled | EnvelopeSeen | EnvelopeOpened) -> State:
    return state if event.trio is None else replace(state, envelope=event.trio)


def _stood_aside(state: State, event: TokenStoodAside) -> State:
    return replace(state, places=_placed(state.places, _TOKEN[state.tokens[event.seat]], event.room))


def _ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=Over(event.winner, event.how))


# A table, not a `match`: every seat folds every event, and trying the classes one after another cost more than folding.
_FOLDS: Final[Mapping[type[AnyEvent], Callable[[State, Any], State]]] = {
    Opened: _opened_again,
    WeaponsPlaced: _weapons_placed,
    EnvelopeFilled: _envelope_known,
    HandDealt: _hand_dealt,
    SideCardsLaid: _side_cards_laid,
    TurnBegan: _turn_began,
    DiceThrown: _dice_thrown,
    Moved: _walked,
    PassageTaken: _walked,
    Stayed: _stayed,
    NotMoved: _not_moved,
    Suggested: _suggested,
    CouldNotShow: _passed,
    CardShown: _card_shown,
    SideCardSeen: _side_card_seen,
    Accused: _out_if_wrong,
    EnvelopeSeen: _envelope_known,
    TokenStoodAside: _stood_aside,
    EnvelopeOpened: _envelope_known,
    GameEnded: _ended,
}
assert _FOLDS.keys() == set(get_args(AnyEvent)), "no event may be forgotten"


def _after_pass(state: State, seat: Seat) -> Answering | LookingAside | Concluding:
    assert isinstance(state.phase, Answering)
    asked = _left_of(state, seat)
    if asked != state.on_turn:
        return Answering(state.phase.trio, asked)
    return LookingAside() if len(state.looked[asked]) < len(state.side) else _CONCLUDING


def _unmarked(state: State, seat: Seat) -> tuple[Room | None, ...]:
    return state.summoned if state.summoned[seat] is None else _placed(state.summoned, seat, None)


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return values[:index] + (value,) + values[index + 1 :]  # noqa: RUF005  (twice as quick)


@lru_cache(maxsize=32)
def _placed(places: tuple[Any, ...], index: int, place: object) -> tuple[Any, ...]:
    """Put what everybody sees: then all views hold the same tuple, and not each its own."""
    return _put(places, index, place)


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
            place = _place(view)
            first_step = place in DOORS or _NEXT[place] & ~_blocked(view, place) != 0
            return _movement_choices(place, view.summoned[seat], first_step)
        case Walking(throw):
            return (_walks_of(view, throw).offer,)
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


@cache
def _movement_choices(place: Place, summoned: Room | None, first_step: bool) -> tuple[Offer, ...]:  # noqa: FBT001
    """Return the movement choices of CLUE-14, and the accusation that may come before them."""
    passage = place in PASSAGES
    return (
        *([_ROLL] if first_step else []),
        *([_PASSAGE] if passage else []),
        *([] if summoned is None else [_STAY[summoned]]),
        *([] if first_step or passage else [_NO_MOVE]),  # CLUE-25
        _ACCUSE,
    )


def _answer(view: State, trio: Trio) -> Offer:
    assert isinstance(view.phase, Answering)
    hand = view.hands[view.phase.asked] or ()
    matching = tuple(card for card in trio.cards if card in hand)
    return Offer(Show, {"card": One(matching)}) if matching else _CANNOT_SHOW


def _place(view: State) -> Place:
    """Return where the token on turn stands."""
    return view.places[_TOKEN[view.tokens[view.on_turn]]]


def _blocked(view: State, place: Place) -> int:
    """Return the squares where others stand than the token in this place, as bits (CLUE-20, 28)."""
    taken = 0
    for other in view.places:
        taken |= _BIT[other]
    return taken & ~_BIT[place]


def _room(view: State) -> Room:
    place = _place(view)
    assert isinstance(place, str)
    return place


# --- Walking -----------------------------------------------------------------------------------------------------

T = TypeVar("T")

_Path: TypeAlias = tuple[Square, ...]
_Trails: TypeAlias = dict[tuple[Square, int], _Path]
"""The ways that a walk can have gone so far, by where it stands and what it has visited."""


class _Walks(NamedTuple):
    paths: dict[Place, _Path]
    offer: Offer


def _walks_of(view: State, throw: int) -> _Walks:
    place, options = _place(view), view.options
    return _walks(
        place, throw, _blocked(view, place) & _near(place, throw), options.room_entry_cost, options.exact_roll
    )


@lru_cache(maxsize=16384)
def _walks(start: Place, throw: int, blocked: int, entry_cost: int, exact: bool) -> _Walks:  # noqa: FBT001  (a cache key)
    """Find every end of a walk and one path to it."""
    paths: dict[Place, _Path] = {}
    if throw <= FACES:
        for end, trails in _trails(start, throw, entry_cost, exact).items():
            for visited, path in trails:
                if not visited & blocked:
                    paths[end] = path
                    break
    paths = paths or _search(start, throw, blocked, entry_cost, exact)
    return _Walks(paths, Offer(Move, {"to": One(tuple(paths))}))


@cache
def _trails(start: Place, throw: int, entry_cost: int, exact: bool) -> dict[Place, list[tuple[int, _Path]]]:  # noqa: FBT001
    """List for every end all ways to walk there on an empty board: who knows them need not search again."""
    ends: dict[Place, list[tuple[int, _Path]]] = {}
    for steps, trails in _growing(start, throw, 0, forget=False):
        for (square, visited), path in trails.items():
            for end in _ends(start, square, steps, throw, entry_cost, exact):
                ends.setdefault(end, []).append((visited & ~_BIT[start], path))
    return _in_order(ends)


def _search(start: Place, throw: int, blocked: int, entry_cost: int, exact: bool) -> dict[Place, _Path]:  # noqa: FBT001
    """Find the ends of a walk on a board with others in the way, however long the throw."""
    paths: dict[Place, _Path] = {}
    longest: dict[Place, _Path] = {}
    for steps, trails in _growing(start, throw, blocked, forget=True):
        for (square, _), path in trails.items():
            for end in _ends(start, square, steps, throw, entry_cost, exact):
                paths.setdefault(end, path)
        if steps and trails:
            longest = {square: path for (square, _), path in trails.items()}
    return _in_order(paths or longest)  # CLUE-22


def _in_order(ends: dict[Place, T]) -> dict[Place, T]:
    return {end: ends[end] for end in _BIT if end in ends}


def _ends(start: Place, square: Square, steps: int, throw: int, entry_cost: int, exact: bool) -> Iterator[Place]:  # noqa: FBT001
    """Say where a walk may end that stands on this square after so many steps."""
    if steps and (steps == throw or not exact):  # CLUE-21
        yield square
    if square in DOORS and DOORS[square] != start and steps + entry_cost <= throw:  # CLUE-26, 27, 30
        yield DOORS[square]


def _growing(start: Place, throw: int, blocked: int, *, forget: bool) -> Iterator[tuple[int, _Trails]]:
    """Yield the walks of every length up to the throw; no walk visits a square twice (CLUE-19).

    Walks that stand on one square and have visited the same squares within reach have the same future: to `forget`
    the squares out of reach leaves one of them, and makes twelve steps bearable.
    """
    trails: _Trails
    if isinstance(start, str):  # CLUE-29
        first, trails = 1, {(door, _BIT[door]): (door,) for door in DOOR_SQUARES[start] if not _BIT[door] & blocked}
    else:
        first, trails = 0, {(start, _BIT[start]): ()}
    for steps in range(first, throw + 1):
        yield steps, trails
        if steps == throw:
            return
        longer: _Trails = {}
        for (square, visited), path in trails.items():
            for near in NEIGHBOURS[square]:
                if not _BIT[near] & (visited | blocked):
                    kept = _near(near, throw - steps - 1) if forget else -1
                    longer.setdefault((near, (visited | _BIT[near]) & kept), (*path, near))
        trails = longer


@cache
def _near(place: Place, radius: int) -> int:
    """Return the squares within so many steps of a place: no walk of that length leaves them."""
    near = _BIT[place]
    if radius > 0:
        for square in DOOR_SQUARES[place] if isinstance(place, str) else NEIGHBOURS[place]:
            near |= _near(square, radius - 1)
    return near


# --- What happens ------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    match action:
        case Roll():
            dice = [1 + rng.below(die, FACES) for die in DICE[: state.options.dice_count]]
            return [DiceThrown(seat=seat, dice=tuple(dice))]
        case Move(to=to):
            assert isinstance(state.phase, Walking)
            return [Moved(seat=seat, path=_walks_of(state, state.phase.throw).paths[to], to=to)]
        case EndTurn():
            return [_pass_turn(state)]
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
    place = _place(state)
    if not isinstance(place, str) and place in DOORS:
        events.append(TokenStoodAside(seat=seat, room=DOORS[place]))
    active = state.out.count(False) - 1
    if active == 0:
        return [*events, opened, GameEnded(winner=None, how="all_out")]  # CLUE-57
    if active == 1 and state.options.last_active_wins:
        return [*events, opened, GameEnded(winner=_next_active(state), how="last_active")]  # CLUE-V4
    return [*events, _pass_turn(state)]


def _pass_turn(state: State) -> TurnBegan | GameEnded:
    if state.turn == state.options.max_turns:
        return GameEnded(winner=None, how="no_result")
    return TurnBegan(seat=_next_active(state))


def _next_active(state: State) -> Seat:
    """Return who is next to the left and not out (CLUE-12); the last one left is next to himself (CLUE-56)."""
    seat = _left_of(state, state.on_turn)
    while state.out[seat] and seat != state.on_turn:
        seat = _left_of(state, seat)
    return seat


# --- Who is waited for, and how it ended -------------------------------------------------------------------------

_ALONE: Final = tuple(frozenset({seat}) for seat in range(len(SUSPECTS)))
_NOBODY: Final[frozenset[Seat]] = frozenset()


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for."""
    phase = view.phase
    if isinstance(phase, Answering):
        return _ALONE[phase.asked]
    return _NOBODY if isinstance(phase, (Over, Dealing)) else _ALONE[view.on_turn]


def informed(view: State) -> frozenset[Seat]:
    """Return who has accused wrongly, and so has seen the envelope (CLUE-51)."""
    return frozenset(seat for seat, out in enumerate(view.out) if out) if True in view.out else frozenset()


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    phase = view.phase
    if not isinstance(phase, Over):
        return None
    return Outcome(winners=() if phase.winner is None else (phase.winner,), how=phase.how)
