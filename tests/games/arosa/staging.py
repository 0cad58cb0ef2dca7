"""Games of Mord im Arosa staged for tests: cubes lie where a test wants them, and fall where its script says."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Result, StackedRng
from whodunit.core.types import TABLE, Action, Event, Game, Outcome, Seat
from whodunit.games import get
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM, VICTIMS, Floor, cube_of, dropped, owner_of
from whodunit.games.arosa.model import Dropped, Exposed, Opened, Options, State, TurnBegan
from whodunit.tower import Resting, Script, Tower
from whodunit.tower.scripted import Landing

AROSA: Final[Game] = get("arosa")

YELLOW, BLUE, BROWN, GRAY = range(4)
SCENES: Final = {3: 1, 5: 1}
"""Where the victims were found, unless a test says otherwise."""
ELSEWHERE: Final = 7
"""Where the cubes lie that a test does not mention."""


def owners(words: str) -> list[Seat]:
    """Read "red 2 blue" as owners of cubes."""
    found: list[Seat] = []
    number = 1
    for word in words.split():
        if word.isdecimal():
            number = int(word)
            continue
        seat = COLOURS.index(word)
        found += [VICTIM if seat == len(COLOURS) - 1 else seat] * number
        number = 1
    return found


class Staged:
    """A game under way: the state, what every seat and the TABLE see of it, and everything that has happened."""

    def __init__(self, state: State, script: Script) -> None:
        seats = len(state.supplies)
        self.script = script
        self.state: Any = state
        self.views: dict[Seat, Any] = dict.fromkeys((*range(seats), TABLE), replace(state, tower=None))
        self.events: list[Any] = []
        self.last: list[Any] = []
        self.draws: dict[str, Result] = {}

    def play(self, seat: Seat, action: Action) -> "Staged":
        """Do this if the seat's own view offers it."""
        offers = tuple(AROSA.legal(self.views[seat], seat))
        if not any(offer.admits(action) for offer in offers):
            raise Illegal(seat, action, offers)
        rng = StackedRng(b"staged", len(self.events) + 1, self.draws, self.script)
        self.happen(AROSA.decide(self.state, seat, action, rng))
        return self

    def happen(self, events: Iterable[Event]) -> None:
        self.last = list(events)
        self.events.extend(self.last)
        for event in self.last:
            self.state = AROSA.evolve(self.state, event)
            for viewer, view in self.views.items():
                self.views[viewer] = AROSA.evolve(view, redact(event, viewer))
            balanced(self.state)

    def offers(self, seat: Seat) -> list[Offer]:
        return list(AROSA.legal(self.views[seat], seat))

    def can(self, seat: Seat, action: Action) -> bool:
        return any(offer.admits(action) for offer in self.offers(seat))

    def seen(self, viewer: Seat) -> list[Any]:
        """Return what the last action led to, as this viewer sees it."""
        return [redact(event, viewer) for event in self.last]

    def kinds(self) -> list[type]:
        """Return what the last action led to, by type."""
        return [type(event) for event in self.last]

    def of(self, kind: type) -> list[Any]:
        """Return what the last action led to of this type."""
        return [event for event in self.last if isinstance(event, kind)]

    def dropped(self, why: str | None = None) -> list[str]:
        """Return the colours that the last action let fall, in order."""
        return [event.colour for event in self.of(Dropped) if why in (None, event.why)]

    def floor(self, floor: Floor) -> Counter[str]:
        """Return what lies on a floor of the hotel, by colour."""
        return Counter(COLOURS[owner_of(rest.cube)] for rest in self.state.tower.on(floor))

    def on_sheet(self, floor: Floor) -> tuple[int, ...]:
        space: tuple[int, ...] = self.state.sheet[floor]
        return space

    def awaiting(self) -> frozenset[Seat]:
        (answer,) = {AROSA.awaiting(view) for view in (self.state, *self.views.values())}  # the same to everybody
        return answer

    def outcome(self) -> Outcome | None:
        outcomes = [AROSA.outcome(view) for view in (self.state, *self.views.values())]
        assert all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0]


def balanced(state: State) -> None:
    """AROSA-6: no clue and no victim is ever lost, and the tower holds what it should."""
    for seat, supply in enumerate(state.supplies):
        sheet = sum(space[seat] for space in state.sheet)
        outside = (*state.held, *state.fallen).count(seat)
        assert min(supply, state.inside[seat]) >= 0, "AROSA-6"
        assert supply + sheet + state.inside[seat] + outside == state.options.clues, "AROSA-6"
    waiting = (*state.held, *state.fallen).count(VICTIM)
    if state.drops >= VICTIMS:
        assert sum(state.victims) + state.inside[VICTIM] + waiting == VICTIMS, "AROSA-6"
    if state.tower is not None:
        lies = Counter(owner_of(rest.cube) for rest in state.tower.resting)
        everybody = (*range(len(state.supplies)), VICTIM)
        assert [lies[owner] for owner in everybody] == list(state.inside), "AROSA-7"
        assert all(rest.floor in FLOORS for rest in state.tower.resting), "AROSA-8"


def stage(
    hotel: Mapping[Floor, str] | None = None,
    *,
    act: int = 2,
    on_turn: Seat = YELLOW,
    seats: int = 4,
    sheet: Mapping[Floor, str] | None = None,
    victims: Mapping[Floor, int] | None = None,
    supplies: Mapping[Seat, int] | None = None,
    elsewhere: Floor = ELSEWHERE,
    landings: Mapping[int, Landing | Floor] | None = None,
    spills: Iterable[str] = (),
    **options: object,
) -> Staged:
    """Set the table as section 4 of the rules says; `landings` count from the first drop to come.

    A supply is 18, or 20 less what is named of that player if that is more than two; the rest lies elsewhere. `spills`
    names colours of which one cube, from elsewhere, falls out at the first lift.
    """
    given: Options = AROSA.INFO.parse(seats, {"tower": "scripted", **options})
    named = {floor: owners(words) for floor, words in (hotel or {}).items()}
    traces = {floor: owners(words) for floor, words in (sheet or {}).items()}
    found = dict(SCENES if act == 2 else {}) if victims is None else dict(victims)
    lies: list[tuple[Seat, Floor]] = [(owner, floor) for floor, cubes in named.items() for owner in cubes]
    missing = VICTIMS - sum(found.values()) - sum(owner == VICTIM for owner, _ in lies)
    lies += [(VICTIM, elsewhere)] * missing
    left = []
    for seat in range(seats):
        mine = sum(cubes.count(seat) for cubes in (*named.values(), *traces.values()))
        supply = (supplies or {}).get(seat, given.clues - max(2, mine))
        lies += [(seat, elsewhere)] * (given.clues - supply - mine)
        left.append(supply)
    resting = tuple(Resting(cube_of(nth, owner), floor) for nth, (owner, floor) in enumerate(lies))
    opened = Opened(game="arosa", rules=1, seats=seats, options=given, victim_dropper=0, investigator=on_turn)
    state = replace(
        AROSA.evolve(None, opened),
        supplies=tuple(left),
        sheet=tuple(tuple(traces.get(floor, []).count(seat) for seat in range(seats)) for floor in FLOORS),
        victims=tuple(found.get(floor, 0) for floor in FLOORS),
        inside=tuple(sum(owner == other for other, _ in lies) for owner in (*range(seats), VICTIM)),
        tower=Tower(resting),
        drops=len(lies),
        record=tuple(dropped(owner) for owner, _ in lies),
    )
    falls = {
        state.drops + nth: landing if isinstance(landing, Landing) else Landing(landing)
        for nth, landing in (landings or {}).items()
    }
    out = tuple(
        next(rest.cube for rest in resting if owner_of(rest.cube) == owners(word)[0] and rest.floor == elsewhere)
        for word in spills
    )
    game = Staged(state, Script(falls, {0: out} if out else {}))
    balanced(state)
    game.happen([TurnBegan(seat=on_turn, act=act)])  # type: ignore[arg-type]
    return game


def opened(seats: int = 4, landings: Mapping[int, Floor] | None = None, **options: object) -> Staged:
    """Open a game, prologue and all."""
    given: Options = AROSA.INFO.parse(seats, {"tower": "scripted", **options})
    script = Script({nth: Landing(floor) for nth, floor in (landings or {}).items()})
    events = AROSA.setup(seats, given, StackedRng(b"opened", 1, {}, script))
    game = Staged(AROSA.evolve(None, events[0]), script)
    game.happen(events[1:])
    game.last = game.events = list(events)
    return game


def refused(game: Staged, seat: Seat, action: Action) -> bool:
    """Say whether the game refuses this and nothing at all has changed by asking."""
    before = game.state, dict(game.views), list(game.events)
    try:
        game.play(seat, action)
    except Illegal:
        return before == (game.state, game.views, game.events)
    return False


def found_by(game: Staged) -> Counter[str]:
    """Return what the last action found on its floor, as everybody saw it."""
    seen = [[event for event in game.seen(viewer) if isinstance(event, Exposed)] for viewer in game.views]
    assert all(events[0].found == seen[0][0].found for events in seen)
    return Counter(cube.colour for cube in seen[0][0].found)
