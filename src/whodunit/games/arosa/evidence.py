"""What every event of Mord im Arosa tells: where cubes may lie, by what was heard and by what was found.

Nobody sees more than anybody else, so all viewers know the same; they differ in how well they listen and remember.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.notes import Assistance, Cell, Proof, Reason, Sheet
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Attention, Event, Message, Seat
from whodunit.deduce.shelves import Cleared, Put, Shelves, Weights
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM, Colour, Floor, cube_of, read
from whodunit.games.arosa.model import AnyEvent, CoverTracks, Dropped, Exposed, Inspect, Opened, Options, State, Suspect
from whodunit.games.arosa.tell import tell
from whodunit.tower import Resting, Tower, law, listen

EARS: Final[dict[Attention, float]] = {"sight": 0.3, "logic": 1.0, "motives": 1.0}
"""How much of what a noise tells is taken in: its likelihoods to this power."""
SURE: Final = 1e-12
"""As near as a share comes to 0 or 1 that is not certain."""
PUSHED: Final = 0.002
"""How often a drop pushes a cube to another floor, as measured with the physics."""


class World(Struct, frozen=True, gc=False):
    """One way everything hidden may be: where each drop came to lie, and what lies there since nobody knows when."""

    floors: tuple[Floor | None, ...]
    """By drop; None where a cube was pushed or fell out, so that nothing is remembered of it."""
    strays: tuple[Resting, ...] = ()


class Trace(Struct, frozen=True):
    """What one viewer remembers of the cubes of one colour."""

    shelves: Shelves
    strays: int = 0
    """So many of the things on the shelves are no drops that are remembered, but cubes found in the wrong place."""
    skipped: int = 0
    """So many drops of this colour were before that, and are remembered no more."""
    since: tuple[int, ...] = (0,) * len(FLOORS)
    """By floor, which event cleared it last; 0 = none."""

    def astray(self, owner: Seat, put: tuple[Floor, ...]) -> Iterator[Resting]:
        """Yield the strays that still lie where they were put in one sample."""
        cleared = {entry.shelf for entry in self.shelves.entries if isinstance(entry, Cleared)}
        for number, floor in enumerate(put[: self.strays]):
            if floor not in cleared:
                yield Resting(cube_of(number, owner), floor)


class Belief(Struct, frozen=True, dict=True):
    """What one viewer may conclude from what it has heard and seen so far."""

    seat: Seat
    attention: Attention
    ear: float
    seq: int = 0
    """How many events it has learned."""
    options: Options = Options()
    inside: tuple[int, ...] = ()
    """How many cubes of each owner are in the hotel, victims last."""
    traces: tuple[Trace, ...] = ()
    """By owner, victims last."""
    order: tuple[Seat, ...] = ()
    """By drop, the owner."""
    calm: int = 0
    """Which event cleared a floor last, if nothing has been dropped since; else 0."""

    def learn(self, event: Any) -> "Belief":
        """Return the belief after one more event, as every viewer sees it."""
        now = replace(self, seq=self.seq + 1)
        match event:
            case Opened(seats=seats, options=options):
                trace = Trace(Shelves(len(FLOORS)))
                return replace(now, options=options, inside=(0,) * (seats + 1), traces=(trace,) * (seats + 1))
            case Dropped():
                return _dropped(now, event)
            case Exposed():
                return _exposed(now, event)
            case _:
                return now

    @property
    def steady(self) -> bool:
        """Whether this tower never pushes a cube to another floor, so that what follows from that is certain."""
        return self.options.tower == "surrogate"

    def some(self, owner: Seat, floor: Floor) -> float:
        """Return how likely at least one cube of this owner lies on a floor."""
        return self._chances[owner][0][floor]

    def expected(self, owner: Seat, floor: Floor) -> float:
        """Return how many cubes of this owner to expect on a floor."""
        return self._chances[owner][1][floor]

    @cached_property
    def _chances(self) -> list[tuple[list[float], list[float]]]:
        return [
            ([trace.shelves.some(floor) for floor in FLOORS], [trace.shelves.expected(floor) for floor in FLOORS])
            for trace in self.traces
        ]

    def worlds(self) -> Iterator[World]:
        """Yield every world that this viewer cannot rule out, if nothing is ever pushed to another floor."""
        for put in product(*(list(trace.shelves.worlds()) for trace in self.traces)):
            yield self._world(put)

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently, each as likely as it is."""
        drawn = [
            trace.shelves.sample(rng.words(f"{label} of {COLOURS[owner]}"), number) for owner, trace in self._owned()
        ]
        return [self._world(put) for put in zip(*drawn, strict=True)]

    def _owned(self) -> Iterator[tuple[Seat, Trace]]:
        """Yield the traces, victims last, with their owners."""
        last = len(self.traces) - 1
        return ((VICTIM if number == last else number, trace) for number, trace in enumerate(self.traces))

    def _world(self, put: tuple[tuple[Floor, ...], ...]) -> World:
        """Put what was sampled colour by colour into the order of the drops."""
        rest = [
            iter((*(None,) * trace.skipped, *floors[trace.strays :]))
            for trace, floors in zip(self.traces, put, strict=True)
        ]
        strays = (
            stray
            for (owner, trace), floors in zip(self._owned(), put, strict=True)
            for stray in trace.astray(owner, floors)
        )
        return World(tuple([next(rest[owner]) for owner in self.order]), tuple(strays))

    def answer(self, _world: World) -> tuple[()]:
        """Return nothing: there is no solution to be found out, and noises would seem to tell of one."""
        return ()

    def chance(self, guess: Action) -> float:
        """Return how likely an inspection is to find what it is made for."""
        match guess:
            case Suspect(suspects=suspects, floor=floor):
                wanted: Sequence[Seat] = suspects
            case Inspect(floor=floor):
                wanted = (VICTIM,)
            case CoverTracks(floor=floor):
                wanted = (self.seat,)
            case _:
                return 1.0
        chance = 1.0
        for owner in wanted:
            found = self.some(owner, floor)
            chance *= found if self.steady or not self.inside[owner] else max(found, PUSHED)
        return chance

    def forget(self, rng: Rng) -> "Belief":
        """Return the belief without the noise of one drop, drawn at random."""
        places = [
            (owner, place)
            for owner, trace in enumerate(self.traces)
            for place, entry in enumerate(trace.shelves.entries)
            if isinstance(entry, Put)
        ]
        if not places:
            return self
        owner, place = places[rng.below("forgotten", len(places))]
        trace = self.traces[owner]
        entries = list(trace.shelves.entries)
        entries[place] = Put(law(len(self.order)))
        lost = replace(trace, shelves=Shelves(len(FLOORS), entries))
        return replace(self, traces=(*self.traces[:owner], lost, *self.traces[owner + 1 :]))

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: floors by colour."""
        if level == "paper" or not self.traces:
            return Sheet(self.seq)
        shares = level == "probabilities"
        cells = [self._cell(owner, floor, shares=shares) for owner, _ in self._owned() for floor in FLOORS]
        if level == "facts":
            return Sheet(self.seq, tuple(cell for cell in cells if cell.source == "seen"))
        return Sheet(self.seq, tuple(cells), assumes=self.assumes() if shares else ())

    def _cell(self, owner: Seat, floor: Floor, *, shares: bool) -> Cell:
        mark, source = self._mark(owner, floor)
        share = None
        if shares:
            found = self.some(owner, floor)
            share = {"yes": 1.0, "no": 0.0, None: min(max(found, SURE), 1 - SURE)}[mark]
        return Cell(COLOURS[owner], str(floor), mark, source, share)

    def _mark(self, owner: Seat, floor: Floor) -> tuple[Literal["yes", "no"] | None, Literal["seen", "follows"] | None]:
        """Return what is certain of a colour and a floor, and whether it was seen there."""
        if self._plain(owner, floor):
            return "no", "seen"
        if not self.steady:
            return None, None  # whatever is inside may have been pushed there
        none = self.traces[owner].shelves.none(floor)
        return ("no", "follows") if none == 1 else ("yes", "follows") if none == 0 else (None, None)

    def _plain(self, owner: Seat, floor: Floor) -> bool:
        """Say whether one needs no thought to see that none of this colour is there."""
        trace = self.traces[owner]
        if not self.inside[owner]:
            return True
        if not self.steady:
            return self.calm > 0 and trace.since[floor] == self.calm
        return trace.since[floor] > 0 and not any(
            isinstance(entry, Put) for entry in trace.shelves.entries[self._cleared_at(trace, floor) :]
        )

    def _cleared_at(self, trace: Trace, floor: Floor) -> int:
        entries = trace.shelves.entries
        return max(place for place, entry in enumerate(entries) if isinstance(entry, Cleared) and entry.shelf == floor)

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        owner = next((owner for owner, _ in self._owned() if COLOURS[owner] == row), None)
        floor = next((floor for floor in FLOORS if str(floor) == column), None)
        if owner is None or floor is None or self._mark(owner, floor)[0] is None:
            return None
        if not self.inside[owner]:
            return Proof(1, (Reason(Message("why.none_inside")),))
        if self._plain(owner, floor):
            return Proof(1, (_reason(self.traces[owner].since[floor], seen), Reason(Message("why.none_since"))))
        looks = [seq for seq, event in enumerate(seen[: self.seq], 1) if isinstance(event, Exposed)]
        return Proof(5, tuple(_reason(seq, seen) for seq in looks))

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume."""
        told = (Message("assumes.law"), Message("assumes.noise"))
        return told if self.steady else (*told, Message("assumes.no_push"))


def _reason(seq: int, seen: Sequence[Event]) -> Reason:
    return Reason(tell(cast(AnyEvent, seen[seq - 1])), seq)


def belief(seat: Seat, attention: Attention = "logic") -> Belief:
    """Return what a viewer knows before anything was heard."""
    return Belief(seat, attention, EARS[attention])


def _dropped(now: Belief, event: Dropped) -> Belief:
    owner = _owner(event.colour)
    likely = law(sum(now.inside))
    if now.ear and event.clip.data:
        heard = listen(event.clip.media, event.clip.data, now.options.difficulty)
        likely = tuple(prior * noise**now.ear for prior, noise in zip(likely, heard, strict=True))
    whole = sum(likely)
    trace = now.traces[owner]
    put = Put(tuple(weight / whole for weight in likely))
    return replace(
        now,
        inside=_put(now.inside, owner, now.inside[owner] + 1),
        traces=_put(now.traces, owner, replace(trace, shelves=trace.shelves.learn(put))),
        order=(*now.order, owner),
        calm=0,
    )


def _exposed(now: Belief, event: Exposed) -> Belief:
    counts = [0] * len(now.traces)
    for cube in event.found:
        counts[_owner(cube.colour)] += 1
    fallen = [_owner(colour) for colour in event.fallen]
    now = replace(now, inside=tuple(had - found for had, found in zip(now.inside, counts, strict=True)))
    traces = [_cleared(now, number, event.floor, count) for number, count in enumerate(counts)]
    for owner in sorted(set(fallen)):
        left = now.inside[owner] - fallen.count(owner)
        now = replace(now, inside=_put(now.inside, owner, left))
        traces[owner] = _lost(now, traces[owner], owner, left, now.traces[owner], event.floor)
    return replace(now, traces=tuple(traces), calm=now.seq)


def _cleared(now: Belief, owner: Seat, floor: Floor, count: int) -> Trace:
    trace = now.traces[owner]
    since = _put(trace.since, floor, now.seq)
    learned = replace(trace, shelves=trace.shelves.learn(Cleared(floor, count)), since=since)
    if now.steady or learned.shelves.possible:
        return learned
    return _lost(now, learned, owner, now.inside[owner], trace, floor)


def _lost(now: Belief, trace: Trace, owner: Seat, left: int, before: Trace, floor: Floor) -> Trace:
    """Return the trace of cubes of which one was not where it could be: what is left lies anywhere but here.

    Where it was expected before counts for all that are left alike; which noise was whose is given up.
    """
    expected = [before.shelves.expected(place) if place != floor else 0.0 for place in FLOORS]
    whole = sum(expected)
    even: Weights = tuple(float(place != floor) / (len(FLOORS) - 1) for place in FLOORS)
    weights = (
        tuple((1 - PUSHED) * part / whole + PUSHED * rest for part, rest in zip(expected, even, strict=True))
        if whole
        else even
    )
    skipped = sum(other == owner for other in now.order) if owner < len(now.traces) - 1 else now.order.count(VICTIM)
    return replace(trace, shelves=Shelves(len(FLOORS), [Put(weights)] * left), strays=left, skipped=skipped)


def _owner(colour: Colour) -> Seat:
    return VICTIM if colour == COLOURS[VICTIM] else COLOURS.index(colour)


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def imagine(view: State, world: World) -> State:
    """Fill the hotel as this world has it; what falls from now on falls by the surrogate's tables."""
    gone: set[Floor] = set()
    lies = list(world.strays)
    nth = view.drops
    for entry in reversed(view.record):
        kind, number = read(entry)
        if kind == "cleared":
            gone.add(number)
        elif kind == "dropped":
            nth -= 1
            floor = world.floors[nth]
            if floor is not None and floor not in gone:
                lies.append(Resting(cube_of(nth, number), floor))
        if len(gone) == len(FLOORS):
            break
    options = view.options if view.options.tower == "surrogate" else replace(view.options, tower="surrogate")
    return replace(view, tower=Tower(tuple(sorted(lies, key=_number))), options=options)


def _number(rest: Resting) -> int:
    return rest.cube
