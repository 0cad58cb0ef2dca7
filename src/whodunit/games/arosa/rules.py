"""The rules of Mord im Arosa; the numbers in the comments are those of docs/rules/arosa.md."""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from typing import Any, Final, Literal, assert_never

from msgspec.structs import replace

from whodunit import tower
from whodunit.core.errors import BadOptions
from whodunit.core.info import Info, Sounds, left_of_last
from whodunit.core.offer import Choice, Offer, One, Order, Some
from whodunit.core.rng import Rng
from whodunit.core.types import Blob, Outcome, Seat
from whodunit.games.arosa.ear import hindsight
from whodunit.games.arosa.facts import (
    COLOURS,
    FLOORS,
    VICTIM,
    VICTIMS,
    Colour,
    Floor,
    cleared,
    cube_of,
    dropped,
    fell,
    owner_of,
)
from whodunit.games.arosa.model import (
    Accusing,
    AnyAction,
    AnyEvent,
    Arrange,
    Arranging,
    CluesPlaced,
    CluesTakenBack,
    CoveringAnnounced,
    CoverTracks,
    Dropped,
    Exposed,
    Falling,
    Found,
    GameEnded,
    Heard,
    Inspect,
    Opened,
    Options,
    OrderAwaited,
    Over,
    ReturnAwaited,
    Searching,
    State,
    Suspect,
    Suspected,
    TakeBack,
    TakingBack,
    TurnBegan,
    VictimsFound,
)
from whodunit.games.arosa.practice import Practice, check_installed, practise
from whodunit.tower import DropModel, Lift, Resting, Tower
from whodunit.tower.schedule import RELEASED, publication

INFO: Final = Info(
    id="arosa",
    rules=2,
    seats=(2, 6),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    colour="#23505c",
    place=4,
    bulk={"tower": "surrogate"},
    without_people={"tower": ("surrogate", "scripted")},
    simulated={"tower": ("physics",)},
    sounds=Sounds(
        clip_s=RELEASED,
        published=publication,
        again=lambda view: tuple([drop.clip for drop in view.heard]),
        exercise=Practice,
        practise=practise,
        warm=tower.warm,
        hindsight=hindsight,
    ),
    check_installed=check_installed,
    hides=(Dropped,),
    again=lambda options, seats: left_of_last(
        seats, victim_dropper=options.victim_dropper, first_investigator=options.first_investigator
    ),
    # Nothing may be taken back: whatever is done opens the hotel or drops a cube. Nobody is asked: nobody has a secret.
)

GROUND: Final[Floor] = 0
_OWNER: Final[dict[Colour, Seat]] = {colour: seat for seat, colour in enumerate(COLOURS[:VICTIM])} | {
    COLOURS[VICTIM]: VICTIM
}

# --- Setting up --------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, rng: Rng) -> Sequence[AnyEvent]:
    """Play the prologue: AROSA-14 to AROSA-18. Nobody has a choice in it, so it is one batch."""
    if options.clues <= options.prologue_clues:
        raise BadOptions(f"of {options.clues} clues {options.prologue_clues} cannot be dropped in the prologue")
    dropper = _named(options.victim_dropper, "victim_dropper", seats, rng)
    investigator = _named(options.first_investigator, "first_investigator", seats, rng)
    opened = Opened(
        game="arosa", rules=INFO.rules, seats=seats, options=options, victim_dropper=dropper, investigator=investigator
    )
    now = _Course(_opened(opened), rng, [opened])
    for _ in range(VICTIMS):
        now.drop(dropper, VICTIM, "prologue")
    for place in range(seats):
        seat = (dropper + place) % seats
        for _ in range(options.prologue_clues):
            now.drop(seat, seat, "prologue")
    now.events.append(TurnBegan(seat=investigator, act=1))
    return now.events


def _named(given: Seat | None, name: str, seats: int, rng: Rng) -> Seat:
    if given is None:
        return rng.below(name, seats)
    if given >= seats:
        raise BadOptions(f"{name} {given} is no seat of a table of {seats}")
    return given


# --- What an event changes ---------------------------------------------------------------------------------------

# Phases that say no more than their name are made once.
_FALLING: Final = Falling()
_SEARCHING: Final = Searching()
_ACCUSING: Final = Accusing()


def evolve(state: State | None, event: AnyEvent) -> State:
    """Return the table after an event; the same for the truth and for every view."""
    if state is None:
        if isinstance(event, Opened):
            return _opened(event)
        raise ValueError("a game begins with Opened")
    match event:
        case Dropped():
            return _fallen(state, event)
        case TurnBegan(seat=seat, act=act):
            phase = _SEARCHING if act == 1 else _ACCUSING
            return replace(state, turn=state.turn + 1, on_turn=seat, act=act, phase=phase)
        case Suspected() | CoveringAnnounced():
            return replace(state, phase=_FALLING)
        case Exposed():
            return _exposed(state, event)
        case VictimsFound(floor=floor, count=count):
            victims = _put(state.victims, floor, state.victims[floor] + count)
            return _counted(
                replace(state, victims=victims, held=tuple([owner for owner in state.held if owner != VICTIM]))
            )
        case CluesPlaced():
            return _counted(_placed(state, event))
        case CluesTakenBack(seat=seat, floor=floor, count=count):
            supplies = _put(state.supplies, seat, state.supplies[seat] + count)
            sheet = _on_sheet(state, floor, seat, -count)
            return _counted(replace(state, supplies=supplies, sheet=sheet, phase=_FALLING))
        case ReturnAwaited(floor=floor, most=most, arrange=arrange):
            return replace(state, phase=TakingBack(floor, most, arrange))
        case OrderAwaited(penalty=penalty, penalty_first=penalty_first):
            return replace(state, phase=Arranging(penalty, penalty_first))
        case GameEnded(winners=winners, culprits=culprits, totals=totals, how=how):
            return replace(state, phase=Over(winners, culprits, totals, how))
        case Opened():
            raise ValueError("a game is opened once")
        case _:
            assert_never(event)


def _opened(event: Opened) -> State:
    seats = event.seats
    opened = State(
        options=event.options,
        on_turn=event.investigator,
        phase=_FALLING,
        supplies=(event.options.clues,) * seats,
        sheet=((0,) * seats,) * len(FLOORS),
        victims=(0,) * len(FLOORS),
        inside=(0,) * (seats + 1),
        tower=Tower(),
    )
    return _counted(opened)


def _counted(state: State) -> State:
    """Write the points on the sheet, so that whoever shows a view need not count them (AROSA-74)."""
    return replace(state, prices=prices(state), totals=totals_of(state))


def _fallen(state: State, event: Dropped) -> State:
    """Return the table after a drop: where the cube came from is public, where it lies is not."""
    owner, why, moved = _OWNER[event.colour], event.why, event.moved
    supplies, held, fallen = state.supplies, state.held, state.fallen
    if why == "back":
        held = _less(held, (owner,))
    elif why == "fallen":
        fallen = _less(fallen, (owner,))
    elif owner != VICTIM:
        supplies = _put(supplies, owner, supplies[owner] - 1)
    return replace(
        state,
        phase=_FALLING,
        supplies=supplies,
        inside=_put(state.inside, owner, state.inside[owner] + 1),
        tower=None if state.tower is None or moved is None else _with(state.tower, moved),
        held=held,
        fallen=fallen,
        heard=(*state.heard, Heard(event.seat, event.colour, event.clip.id)) if state.options.sound_replay else (),
        drops=state.drops + 1,
        record=(*state.record, dropped(owner)),
    )


def _with(inside: Tower, moved: tuple[Resting, ...]) -> Tower:
    if len(moved) == 1:  # the newest cube has the highest number
        return Tower((*inside.resting, moved[0]))
    return inside.after(moved)


def _exposed(state: State, event: Exposed) -> State:
    found = tuple([_OWNER[cube.colour] for cube in event.found])
    fallen = tuple([_OWNER[colour] for colour in event.fallen])
    inside = list(state.inside)
    for owner in (*found, *fallen):
        inside[owner] -= 1
    return replace(
        state,
        phase=_FALLING,
        inside=tuple(inside),
        tower=None if state.tower is None or event.lift is None else _lifted(state.tower, event.lift),
        held=found,
        fallen=fallen,
        heard=(),
        lifts=state.lifts + 1,
        record=(*state.record, *map(fell, fallen), cleared(event.floor)),
    )


def _lifted(inside: Tower, lift: Lift) -> Tower:
    rest = inside.without([*[taken.cube for taken in lift.taken], *lift.spilled])
    return rest.after(lift.moved) if lift.moved else rest


def _placed(state: State, event: CluesPlaced) -> State:
    seat = event.seat
    return replace(
        state,
        supplies=_put(state.supplies, seat, state.supplies[seat] - event.count + event.missing),
        sheet=_on_sheet(state, event.floor, seat, event.count),
        held=_less(state.held, (seat,) * event.missing),
    )


def _on_sheet(state: State, floor: Floor, seat: Seat, count: int) -> tuple[tuple[int, ...], ...]:
    space = state.sheet[floor]
    return _put(state.sheet, floor, _put(space, seat, space[seat] + count))


def _less(owners: tuple[Seat, ...], gone: Iterable[Seat]) -> tuple[Seat, ...]:
    rest = list(owners)
    for owner in gone:
        rest.remove(owner)
    return tuple(rest)


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


# --- What may be done --------------------------------------------------------------------------------------------


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what the seat may do now: there is nothing in it that not everybody sees."""
    if seat != view.on_turn:
        return ()
    phase = view.phase
    match phase:
        case Searching():
            return _SEARCH
        case Accusing():
            own = any(space[seat] for space in view.sheet)
            covers = own or not view.options.cover_needs_clue_on_sheet  # AROSA-53
            return _accuse(len(view.supplies), seat, covers)
        case TakingBack(most=most):
            return _take_back(most)
        case Arranging():
            return _arrange(len(view.held))
        case Falling() | Over():
            return ()
        case _:
            assert_never(phase)


_PLACES: Final[dict[str, Choice]] = {"floor": One(FLOORS), "arrange": One((False, True))}
_SEARCH: Final = (Offer(Inspect, _PLACES),)
_COVER: Final = Offer(CoverTracks, _PLACES)  # AROSA-54: any floor


@cache
def _accuse(seats: int, seat: Seat, covers: bool) -> tuple[Offer, ...]:  # noqa: FBT001  (a key of the cache)
    others = tuple(other for other in range(seats) if other != seat)
    suspect = Offer(Suspect, {"suspects": Some(others, 1, len(others)), **_PLACES})  # AROSA-42
    return (suspect, _COVER) if covers else (suspect,)


@cache
def _take_back(most: int) -> tuple[Offer, ...]:
    return (Offer(TakeBack, {"count": One(tuple(range(most, -1, -1)))}),)  # AROSA-55: the most comes first


@cache
def _arrange(count: int) -> tuple[Offer, ...]:
    return (Offer(Arrange, {"order": Order(tuple(range(count)))}),)


# --- What happens ------------------------------------------------------------------------------------------------

_PLACE: Final = 2
"""So many digits of a clip's id say which of its batch it is: no batch has more drops than there are cubes, 122."""


class _Course:
    """The events of one action as they come about: each drop falls into the hotel as the one before has left it.

    Of the table it keeps what the rest of the action depends on; `evolve` does the same, and all of it, afterwards.
    """

    __slots__ = ("before", "clips", "events", "held", "model", "nth", "rng", "sheet", "supplies", "tower", "victims")

    def __init__(self, state: State, rng: Rng, events: list[AnyEvent] | None = None) -> None:
        options = state.options
        assert state.tower is not None
        self.before = state
        self.rng = rng
        self.events: list[AnyEvent] = events or []
        self.model: DropModel = tower.model(options.tower, options.difficulty, options.lift_shake / 100, rng.script)
        self.tower = state.tower
        self.nth = state.drops
        self.clips = ""
        self.held = state.held
        self.supplies = list(state.supplies)
        self.sheet = list(map(sum, zip(*state.sheet, strict=True)))
        self.victims = sum(state.victims)

    def drop(self, seat: Seat, owner: Seat, why: Any) -> None:
        """Let a cube fall (AROSA-8 to 13); only the noise is for anybody's ears."""
        nth = self.nth
        drop = self.model.drop(self.tower, cube_of(nth, owner), nth, self.rng)
        # One unguessable id for all drops of the batch, which are published at once, and each one's place in it.
        self.clips = self.clips or self.rng.token(f"clips {nth}")[:-_PLACE]
        clip = Blob(f"{self.clips}{nth - self.before.drops:0{_PLACE}x}", drop.media, drop.sound)
        self.events.append(Dropped(seat=seat, colour=COLOURS[owner], why=why, clip=clip, moved=drop.moved))
        self.tower = _with(self.tower, drop.moved)
        self.nth = nth + 1

    def expose(self, seat: Seat, floor: Floor) -> list[int]:
        """Open a floor (AROSA-23), and return how many cubes of each owner lie there, victims last."""
        lift = self.model.lift(self.tower, floor, self.before.lifts, self.rng)
        # By colour and place: the tower's numbers would tell which drop it was.
        owners = sorted([(owner_of(rest.cube), _at(rest)) for rest in lift.taken])
        found = tuple([Found(COLOURS[owner], at) for owner, at in owners])
        fallen = tuple([COLOURS[owner] for owner in sorted(map(owner_of, lift.spilled))]) if lift.spilled else ()
        self.events.append(Exposed(seat=seat, floor=floor, found=found, fallen=fallen, lift=lift))
        self.tower = _lifted(self.tower, lift)
        self.held = tuple([owner for owner, _ in owners if owner != VICTIM])
        counts = [0] * (len(self.supplies) + 1)
        for owner, _ in owners:
            counts[owner] += 1
        return counts

    def place(self, floor: Floor, counts: dict[Seat, int]) -> None:
        """Let players put clues on the sheet, all at once (AROSA-44, 47); who is short takes from the floor (63)."""
        for seat, count in counts.items():
            if count:
                missing = max(0, count - self.supplies[seat])
                self.supplies[seat] -= count - missing
                self.sheet[seat] += count
                self.events.append(CluesPlaced(seat=seat, floor=floor, count=count, missing=missing))

    def penalties(self, seat: Seat, count: int) -> bool:
        """Drop clues as a penalty, and say whether that ended the game: the last of a supply does (AROSA-61, 64)."""
        for _ in range(count):
            self.drop(seat, seat, "penalty")
            self.supplies[seat] -= 1
            if self.ends():
                return True
        return False

    def ends(self) -> bool:
        """End the game if it is over: AROSA-59 to AROSA-61."""
        full = max(self.sheet) >= self.before.options.sheet_limit
        if not full and 0 not in self.supplies:
            return False
        totals = totals_of(reduce(evolve, self.events, self.before))
        self.events.append(
            GameEnded(
                winners=_all_with(min(totals), totals),  # AROSA-72, 73
                culprits=_all_with(max(totals), totals),  # AROSA-71
                totals=totals,
                how="sheet" if full else "supply",
            )
        )
        return True


def _at(rest: Resting) -> tuple[float, ...]:
    if not rest.pose:
        return ()
    lies = tower.place(rest.pose)
    return (*(round(number, 1) for number in lies[:3]), *(round(number, 3) for number in lies.turn))


def _all_with(total: int, totals: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, points in enumerate(totals) if points == total)


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    now = _Course(state, rng)
    match action:
        case Inspect(floor=floor, arrange=arrange):
            _inspected(now, seat, floor, arrange=arrange)
        case Suspect(suspects=suspects, floor=floor, arrange=arrange):
            _suspected(now, seat, suspects, floor, arrange=arrange)
        case CoverTracks(floor=floor, arrange=arrange):
            _covered(now, seat, floor, arrange=arrange)
        case TakeBack(count=count):
            assert isinstance(state.phase, TakingBack)
            now.events.append(CluesTakenBack(seat=seat, floor=state.phase.floor, count=count))
            _settle(now, seat, 0, arrange=state.phase.arrange)
        case Arrange(order=order):
            assert isinstance(state.phase, Arranging)
            held = [state.held[place] for place in order]
            _close(now, seat, held, state.phase.penalty, penalty_first=state.phase.penalty_first)
        case _:
            assert_never(action)
    return now.events


def _inspected(now: _Course, seat: Seat, floor: Floor, *, arrange: bool) -> None:
    """Search a floor for victims: AROSA-29 to AROSA-39."""
    *clues, victims = now.expose(seat, floor)
    if not victims:
        _settle(now, seat, 1, arrange=arrange)  # AROSA-30 to 32
        return
    now.events.append(VictimsFound(floor=floor, count=victims))
    now.victims += victims
    now.place(floor, {other: count for other, count in enumerate(clues) if other != seat})  # AROSA-35, 36
    _settle(now, seat, 0, arrange=arrange)


def _suspected(now: _Course, seat: Seat, suspects: tuple[Seat, ...], floor: Floor, *, arrange: bool) -> None:
    """Accuse: AROSA-42 to AROSA-52."""
    now.events.append(Suspected(seat=seat, suspects=suspects, floor=floor))
    found = now.expose(seat, floor)
    if floor == GROUND and not found[seat]:
        first = now.before.options.ground_penalty_first
        _settle(now, seat, len(suspects), arrange=arrange, penalty_first=first)  # AROSA-49 to 51
        return
    now.place(floor, {suspect: found[suspect] for suspect in suspects})
    _settle(now, seat, sum(not found[suspect] for suspect in suspects), arrange=arrange)  # AROSA-46


def _covered(now: _Course, seat: Seat, floor: Floor, *, arrange: bool) -> None:
    """Look for own clues: AROSA-53 to AROSA-58."""
    now.events.append(CoveringAnnounced(seat=seat, floor=floor))
    own = now.expose(seat, floor)[seat]
    most = min(own, now.before.sheet[floor][seat])
    if most:
        now.events.append(ReturnAwaited(seat=seat, floor=floor, most=most, arrange=arrange))
    else:
        _settle(now, seat, int(not own), arrange=arrange)  # AROSA-57


def _settle(now: _Course, seat: Seat, penalty: int, *, arrange: bool, penalty_first: bool = False) -> None:
    """Go on when clues have been placed or taken back: the end, a choice of order, or the drops."""
    if now.ends():
        return
    held: Sequence[Seat] = now.held
    if arrange and len(set(held)) > 1:
        now.events.append(OrderAwaited(seat=seat, penalty=penalty, penalty_first=penalty_first))
        return
    if len(held) > 1:
        held = now.rng.shuffled(f"order {now.nth}", held)  # AROSA-24
    _close(now, seat, held, penalty, penalty_first=penalty_first)


def _close(now: _Course, seat: Seat, order: Sequence[Seat], penalty: int, *, penalty_first: bool) -> None:
    """Drop everything back, pay, and pass the turn on: AROSA-24 to AROSA-27."""
    if penalty_first and now.penalties(seat, penalty):
        return
    for owner in order:
        now.drop(seat, owner, "back")
    if not penalty_first and now.penalties(seat, penalty):
        return
    for owner in _fallen_out(now):
        now.drop(seat, owner, "fallen")
    act: Literal[1, 2] = 2 if now.victims == VICTIMS else 1
    now.events.append(TurnBegan(seat=(seat + 1) % len(now.supplies), act=act))  # AROSA-19 to 21


def _fallen_out(now: _Course) -> tuple[Seat, ...]:
    """Return whose cubes fell out in this turn, be it in this action or before a choice in it."""
    for event in now.events:
        if isinstance(event, Exposed):
            return tuple([_OWNER[colour] for colour in event.fallen])
    return now.before.fallen


# --- Points, and how it ended ------------------------------------------------------------------------------------


@cache
def classes(victims: tuple[int, ...], scene: int, near: int, far: int) -> tuple[int, ...]:
    """Return what a clue costs on each floor, counted once in the highest class that fits: AROSA-65 to AROSA-69."""
    scenes = [floor for floor in FLOORS if victims[floor]]
    return tuple(
        scene if floor in scenes else near if any(abs(floor - other) == 1 for other in scenes) else far
        for floor in FLOORS
    )


def prices(view: State) -> tuple[int, ...]:
    """Return what a clue costs on each floor as things stand."""
    options = view.options
    return classes(view.victims, options.scene_points, options.near_points, options.far_points)


def totals_of(view: State) -> tuple[int, ...]:
    """Return everybody's suspicion points as they stand; anyone can count them at any time (AROSA-70, 74)."""
    price = prices(view)
    return tuple(
        [
            sum([cost * space[seat] for cost, space in zip(price, view.sheet, strict=True)])
            for seat in range(len(view.supplies))
        ]
    )


_NOBODY: Final[frozenset[Seat]] = frozenset()
_ALONE: Final = tuple(frozenset({seat}) for seat in range(INFO.seats[1]))


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for."""
    kind = type(view.phase)
    return _NOBODY if kind is Falling or kind is Over else _ALONE[view.on_turn]


def informed(_view: State) -> frozenset[Seat]:
    """Return nobody: in this game everybody plays to the end."""
    return _NOBODY


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    match view.phase:
        case Over(winners=winners, how=how, totals=totals):
            return Outcome(winners=winners, how=how, points=totals)
        case _:
            return None
