"""A plug for a game that gives none, or a part of one: what the suite asks, from the game's own belief.

The belief lists the worlds. Which one is true, the state after the opening says: it is the public view with that world
filled in. How the table is laid in another world is found by trying: one draw of setup after another is changed, and
whatever comes of it is looked up. So this serves games whose hidden things all lie on the table once it is laid.

A belief that is asked about itself would not notice a leak that it reads; `asks_who_is_entitled` (believes.py) does.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import replace

from whodunit.conformance.believes import differing
from whodunit.conformance.play import Played
from whodunit.conformance.plug import Plug
from whodunit.conformance.spent import SPENT, Measured
from whodunit.core.errors import BadOptions
from whodunit.core.offer import Offer
from whodunit.core.redact import fold, redact
from whodunit.core.rng import Draw, Result, Rng, StackedRng
from whodunit.core.types import TABLE, Action, Batch, Belief, Event, Game, Seat
from whodunit.core.wire import encode
from whodunit.table.table import Table

MOST_WORLDS: Final = 20_000
"""A belief that lists more worlds is not searched for one of them."""
MOST_DEALS: Final = 3000
"""So often a table is laid in search of other worlds."""
MOST_VALUES: Final = 64
"""Of a draw with more results than this, so many others are tried."""
NEAR: Final = 20
"""So many of them for a single neighbour."""
GUESSES: Final = 2000
"""So many final guesses are tried in search of the right one."""


def complete(game: Game, given: object = None) -> Plug:
    """Return a whole plug: what is given, and the rest derived."""
    return cast(Plug, _Completed(given, Derived(game, getattr(given, "as_world", _same))))


def _same(world: Any) -> Any:
    return world


class _Completed:
    """What is given, else what is derived, all of it measured."""

    def __init__(self, given: object, derived: "Derived") -> None:
        self._given = given
        self._derived = derived

    def at(self, played: Played) -> Plug:
        return cast(Plug, _Completed(self._given, self._derived.at(played)))

    def __getattr__(self, name: str) -> Any:
        if name not in _PARTS:
            raise AttributeError(name)
        if name == "stackable" and hasattr(self._given, "stack"):
            found: Any = _always
        else:
            found = getattr(self._given, name) if hasattr(self._given, name) else getattr(self._derived, name)
        if callable(found):
            found = self._measured(name, found)
        vars(self)[name] = found  # asked once
        return found

    def _measured(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        game = self._derived.game.INFO.id
        if name == "belief":
            return lambda viewer: Measured(function(viewer), game)
        return SPENT.calls(f"{game}: {name}", function)


_PARTS: Final = frozenset(name for name in vars(Plug) if not name.startswith("_"))


def _always(*_: object) -> bool:
    return True


class Derived:
    """What can be said of a game before it is played."""

    GOLDEN: Final = None
    ELSEWHERE: Final[frozenset[tuple[str, Any]]] = frozenset()

    def __init__(self, game: Game, as_world: Callable[[Any], Any]) -> None:
        self.game = game
        self.as_world = as_world
        self.openings: dict[bytes, Openings] = {}

    def at(self, played: Played) -> "Placed":
        return Placed(self, played)

    def adjusted(self, seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return as many of the options as a table opens with."""
        fitting: dict[str, Any] = {}
        for name, value in options.items():
            if self._opens(seats, {**fitting, name: value}):
                fitting[name] = value
        return dict(options) if self._opens(seats, options) else fitting

    def _opens(self, seats: int, options: Mapping[str, Any]) -> bool:
        try:
            Table.open(self.game, seats, self.game.INFO.parse(seats, dict(options)), b"")
        except BadOptions:
            return False
        return True

    def lively(self, offers: Sequence[Offer]) -> Sequence[Offer]:
        return offers

    def honest(self, _state: Any, _seat: Seat, _action: Action) -> bool:
        return True

    def invariants(self, _before: Any, _event: Any, _after: Any) -> None:
        """Only the game's author knows what always holds."""

    def provable(self, _events: Sequence[Any]) -> bool:
        return True

    def again(
        self, _world: Any, _state: Any, _recorded: Batch, _seen: Sequence[Any]
    ) -> tuple[Action | None, Mapping[str, Result]]:
        """Let the seat do whatever looks like what it did; what was drawn is drawn again."""
        return None, {}

    def comparable(self, _world: Any, _truth: Any) -> bool:
        return True

    def belief(self, viewer: Seat) -> "Believed":
        return Believed(self.game.belief(viewer, "logic"), viewer, self.as_world)


class Believed:
    """The game's own belief, asked by the suite."""

    def __init__(
        self, belief: Belief, viewer: Seat, as_world: Callable[[Any], Any], seq: int = 0, last: str = "nothing"
    ) -> None:
        self.belief = belief
        self._viewer = viewer
        self._as_world = as_world
        self._seq = seq
        self._last = last

    def learn(self, event: Any) -> "Believed":
        learned = self.belief.learn(event)
        return Believed(learned, self._viewer, self._as_world, self._seq + 1, type(event).__name__)

    def worlds(self) -> Iterable[Any]:
        return map(self._as_world, self.belief.worlds())

    def allows(self, world: Any) -> bool:
        own: Callable[[Any], bool] | None = getattr(self.belief, "allows", None)
        # The game's own belief knows worlds of its own kind only.
        return own(world) if own is not None and self._as_world is _same else world in self._listed

    @cached_property
    def _listed(self) -> frozenset[Any]:
        worlds = list(islice(self.worlds(), MOST_WORLDS + 1))
        assert len(worlds) <= MOST_WORLDS, (
            f"viewer {self._viewer}, after event {self._seq} ({self._last}): the belief lists more than {MOST_WORLDS} "
            "worlds. Give it a method `allows(world) -> bool`, or write `belief` in a plug"
        )
        return frozenset(worlds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Believed) and self.belief == other.belief

    __hash__ = None  # type: ignore[assignment]  # a game's belief need have none


# --- A game that was played ---------------------------------------------------------------------------------------


class Placed(Derived):
    """What can be said of a game that was played, by how it was opened."""

    def __init__(self, derived: Derived, played: Played) -> None:
        super().__init__(derived.game, derived.as_world)
        self.openings = derived.openings
        self._played = played

    @cached_property
    def _alike(self) -> "Openings":
        """All openings that look to everybody like this one."""
        opening, seats = self._played.batches[0], self._played.last.seats
        key = encode((seats, [redact(event, TABLE) for event in opening.events]))
        if key not in self.openings:
            self.openings[key] = Openings(self.game, opening, seats, self._played.options, self.as_world)
        return self.openings[key]

    @cached_property
    def _deals(self) -> "dict[Any, Dealt]":
        """Every world in which the table has been laid, with the draws that led there."""
        with SPENT.on(f"{self.game.INFO.id}: looking for draws that lead to other worlds (a plug's `stack` spares it)"):
            return self._alike.explored(self._truth, self._played.batches[0])

    @cached_property
    def _truth(self) -> Any:
        tables = self._played.tables
        truth = self._alike.world_of(tables[0].state)
        for table, batch in zip(tables, self._played.batches, strict=True):
            imagined = self.game.imagine(table.views[TABLE], self._alike.believed[truth])
            assert imagined == table.state, (
                f"after event {table.seq} ({_types(batch)}) the public view, with {truth} filled in by `imagine`, is "
                f"not the true state: they differ in {differing(imagined, table.state)}. Either `imagine` leaves that "
                "out, or something hidden comes to the table after its opening; then write `world`, `stack`, `again` "
                "and `neighbour` in a plug"
            )
        return truth

    def world(self, _state: Any, _events: Sequence[Any]) -> Any:
        return self._truth

    def stack(self, world: Any, _opening: Batch) -> Mapping[str, Result]:
        return self._deals[world].stack

    def stackable(self, world: Any) -> bool:
        return world in self._deals

    def neighbour(self, world: Any, rng: Rng) -> Any:
        return self._alike.neighbour(self._deals[world], rng) or world

    def guess(self, _world: Any) -> Action | None:
        """Return a final guess that wins in the true world, at the last moment at which it could be made."""
        game = self.game
        for table in reversed(self._played.tables):
            for seat in range(table.seats):
                for offer in (offer for offer in table.offers[seat] if offer.action in game.INFO.final):
                    for action in islice(offer.actions(), GUESSES):
                        after, _ = table.decide(seat, action, Rng(b"guess", table.seq + 1))
                        if after.outcome is not None and seat in after.outcome.winners:
                            return action
        return None


class Dealt(NamedTuple):
    """A world in which the table has been laid."""

    world: Any
    draws: tuple[Draw, ...]
    alike: bool
    """Whether it looks the same to everybody."""

    @property
    def stack(self) -> dict[str, Result]:
        return {draw.label: draw.result for draw in self.draws}


class Openings:
    """All openings that look alike to everybody: the worlds that may lie behind them, and draws that lead there."""

    def __init__(self, game: Game, opening: Batch, seats: int, options: Any, as_world: Callable[[Any], Any]) -> None:
        self._game = game
        self._seats = seats
        self._options = options
        self._public = [redact(event, TABLE) for event in opening.events]
        self._view = fold(game, self._public)
        belief = game.belief(TABLE, "logic")
        for event in self._public:
            belief = belief.learn(event)
        listed = list(islice(belief.worlds(), MOST_WORLDS + 1))
        assert len(listed) <= MOST_WORLDS, (
            f"viewer {TABLE}, after the opening ({_types(opening)}): the belief lists more than {MOST_WORLDS} worlds. "
            "Write `world`, `stack` and `neighbour` in a plug, and give the belief a method `allows(world) -> bool`"
        )
        self.believed = {as_world(world): world for world in listed}
        imagined = {world: game.imagine(self._view, own) for world, own in self.believed.items()}
        fields = self._view.__struct_fields__
        self._hidden = [
            name for name in fields if any(getattr(s, name) != getattr(self._view, name) for s in imagined.values())
        ]
        self._world_by_state: dict[bytes, Any] = {}
        for world, state in imagined.items():
            other = self._world_by_state.setdefault(self._key(state), world)
            assert other == world, (
                f"after the opening `imagine` makes the same state of {world} and of {other}. Let it fill in all that "
                "differs between worlds, or write `world`, `stack` and `neighbour` in a plug"
            )
        self._deals: dict[Any, Dealt] = {}
        self._complete = False
        self._telling: list[str] = []
        """The draws on which the world depends."""

    def _key(self, state: Any) -> bytes:
        """Return what a state has in the fields that differ between worlds."""
        return encode([getattr(state, name) for name in self._hidden])

    def world_of(self, state: Any) -> Any:
        """Return the world of a true state after the opening."""
        world = self._world_by_state.get(self._key(state))
        if world is not None and self._game.imagine(self._view, self.believed[world]) == state:
            return world
        nearest = min(
            (differing(self._game.imagine(self._view, own), state) for own in self.believed.values()),
            key=len,
            default="everything",
        )
        raise AssertionError(
            f"after the opening none of the {len(self.believed)} worlds that viewer {TABLE} thinks possible is the "
            f"true one: filled into the public view by `imagine`, the nearest differs from the true state in {nearest}"
        )

    def explored(self, truth: Any, opening: Batch) -> dict[Any, Dealt]:
        """Lay the table again and again, beginning as it was laid, with one draw changed each time."""
        first = self._deals[truth] = Dealt(truth, opening.draws, alike=True)
        if self._complete:
            return self._deals
        self._telling = self._telling or self._labels(first)
        labels, tries = self._telling, 0
        queue = deque([first])
        seen = {truth}
        while queue:
            for draws in _changed(queue.popleft().draws, labels):
                tries += 1
                if tries > MOST_DEALS:
                    break
                dealt = self._laid(draws)
                if dealt is not None and dealt.world not in seen:
                    seen.add(dealt.world)
                    queue.append(self._deals[dealt.world])
        self._complete = tries <= MOST_DEALS
        self._check(truth, tries, labels)
        return self._deals

    def _check(self, truth: Any, tries: int, labels: Sequence[str]) -> None:
        others = [world for world in self.believed if world not in self._deals]
        if not others:
            return
        assert len(self._deals) > 1, (
            f"after the opening {len(self.believed)} worlds are possible by the belief of viewer {TABLE}, but {tries} "
            f"other deals led to none but {truth}. If they cannot be found by changing draws, write `stack` in a plug"
        )
        whole = all(draw.kind != "below" or draw.range <= MOST_VALUES for draw in self._deals[truth].draws)
        assert not (self._complete and whole), (
            f"after the opening viewer {TABLE} believes in {others[0]}, but no draws of setup ({', '.join(labels)}) "
            "lead there: the belief is too wide, or something public tells. If they cannot be found by changing one "
            "draw at a time, write `stack` in a plug"
        )

    def _labels(self, first: Dealt) -> list[str]:
        """Return the draws that change the world when they are changed; the others are no secrets."""
        key = self._key(fold(self._game, self._setup(first.draws)[0]))
        found = []
        for draw in first.draws:
            tried = (self._setup(draws) for draws in islice(_changed(first.draws, [draw.label]), 12))
            if any(events and self._key(fold(self._game, events)) != key for events, _ in tried):
                found.append(draw.label)
        return found

    def _setup(self, draws: Iterable[Draw]) -> tuple[tuple[Event, ...], tuple[Draw, ...]]:
        rng = StackedRng(b"derived", 1, {draw.label: draw.result for draw in draws})
        try:
            return tuple(self._game.setup(self._seats, self._options, rng)), tuple(rng.draws)
        except ValueError:  # with this draw, a later one is of another kind
            return (), ()

    def _laid(self, draws: Iterable[Draw]) -> Dealt | None:
        """Lay the table with these draws; return it if its world is one of ours."""
        events, drawn = self._setup(draws)
        world = self._world_by_state.get(self._key(fold(self._game, events))) if events else None
        if world is None:
            return None
        dealt = Dealt(world, drawn, [redact(event, TABLE) for event in events] == self._public)
        known = self._deals.get(world)
        if known is None or (dealt.alike and not known.alike):
            self._deals[world] = dealt
        return dealt

    def neighbour(self, dealt: Dealt, rng: Rng) -> Any:
        """Return a world in which one draw was another, or None if there is none at hand."""
        for draws in rng.shuffled("near", list(_changed(dealt.draws, self._telling)))[:NEAR]:
            laid = self._laid(draws)
            if laid is not None and laid.world != dealt.world:
                return laid.world
        return None


def _changed(draws: tuple[Draw, ...], labels: Sequence[str]) -> Iterator[tuple[Draw, ...]]:
    """Yield the draws with one of these changed: two places of an order exchanged, or another number."""
    for place, draw in enumerate(draws):
        if draw.label in labels:
            for result in _others(draw):
                yield (*draws[:place], replace(draw, result=result), *draws[place + 1 :])


def _others(draw: Draw) -> Iterator[Result]:
    result = draw.result
    if isinstance(result, tuple):
        for one, other in combinations(range(len(result)), 2):
            order = list(result)
            order[one], order[other] = order[other], order[one]
            yield tuple(order)
    elif isinstance(result, int):
        numbers = range(0, draw.range, 1 + (draw.range - 1) // MOST_VALUES)
        yield from (number for number in numbers if number != result)


def _types(batch: Batch) -> str:
    return ", ".join(type(event).__name__ for event in batch.events)
