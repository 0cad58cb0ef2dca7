"""What every event of Mord im Arosa tells: where cubes may lie, by what was heard and by what was found.

Nobody sees more than anybody else, so all viewers know the same; they differ in how well they listen and remember.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import log2, prod
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.judging import Reply, Weighing
from whodunit.core.notes import Assistance, Cell, Proof, Reason, Sheet
from whodunit.core.resampling import resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Attention, Event, Frozen, Message, Seat
from whodunit.deduce.shelves import Cleared, Put, Shelves
from whodunit.games.arosa.contents import PUSHED, Fell, Find, Story, finds, missing
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM, Colour, Floor, cube_of, owner_of, read
from whodunit.games.arosa.model import (
    AnyEvent,
    CoverTracks,
    Dropped,
    Exposed,
    Found,
    Inspect,
    Opened,
    Options,
    State,
    Suspect,
)
from whodunit.games.arosa.tell import tell
from whodunit.games.arosa.unredact import unredact
from whodunit.tower import Resting, Tower, law, listen

EARS: Final[dict[Attention, float]] = {"sight": 0.3, "logic": 1.0, "motives": 1.0}
"""How much of what a noise tells is taken in: its likelihoods to this power."""
LISTED: Final = 24
"""So many ways in which a floor may look are told one by one, the likeliest; the others in one."""


class World(Frozen, Struct, frozen=True, gc=False):
    """One way everything hidden may be: where each drop came to lie, and what lies there since nobody knows when."""

    floors: tuple[Floor | None, ...]
    """By drop; None where a cube was pushed or fell out, so that nothing is remembered of it."""
    strays: tuple[Resting, ...] = ()


class Memory(NamedTuple):
    """What a story comes to if cubes only lie where they fell, as far as that goes."""

    shelves: Shelves
    strays: int = 0
    """So many of the things on the shelves are no drops that are remembered, but cubes left over from a mistake."""
    skipped: int = 0
    """So many drops were before that, and are remembered no more."""

    def astray(self, owner: Seat, put: tuple[Floor, ...]) -> Iterator[Resting]:
        """Yield the strays that still lie where they were put in one sample."""
        cleared = {entry.shelf for entry in self.shelves.entries if isinstance(entry, Cleared)}
        for number, floor in enumerate(put[: self.strays]):
            if floor not in cleared:
                yield Resting(cube_of(number, owner), floor)


@lru_cache(maxsize=256)  # players who listen alike share what they make of it
def _memory(story: Story) -> Memory:
    """Make sense of a story; where a cube was not where it could be, it was pushed there, and memory begins anew."""
    memory = Memory(Shelves(len(FLOORS)))
    place = 0
    while place < len(story):
        fell = next((at for at in range(place, len(story)) if isinstance(story[at], Fell)), len(story))
        rest = _further(memory, story[place:fell])
        if rest.possible:
            memory, place = memory._replace(shelves=rest), fell
        else:
            seen = range(place + 1, fell + 1)
            wrong = place + bisect_left(seen, True, key=lambda until: not _further(memory, story[place:until]).possible)
            memory, place = memory._replace(shelves=_further(memory, story[place:wrong])), wrong
        if place < len(story):
            memory, place = _anew(memory, story, place), place + 1
    return memory


def _further(memory: Memory, story: Story) -> Shelves:
    return memory.shelves.learn(*[entry for entry in story if not isinstance(entry, Fell)])


def _anew(memory: Memory, story: Story, place: int) -> Memory:
    """Return the memory after an entry that cannot be: what is left lies where it was expected, and not here.

    Which noise was whose is given up.
    """
    entry, before = story[place], story[: place + 1]
    floor = entry.shelf if isinstance(entry, Cleared) else None
    puts = sum(isinstance(other, Put) for other in before)
    out = sum(1 if isinstance(other, Fell) else other.found for other in before if not isinstance(other, Put))
    expected = [PUSHED + memory.shelves.expected(other) if other != floor else 0.0 for other in FLOORS]
    left = Put(tuple(share / sum(expected) for share in expected))
    return Memory(Shelves(len(FLOORS), [left] * (puts - out)), strays=puts - out, skipped=puts)


class Belief(Frozen, Struct, frozen=True):
    """What one viewer may conclude from what it has heard and seen so far."""

    seat: Seat
    attention: Attention
    ear: float
    seq: int = 0
    """How many events it has learned."""
    options: Options = Options()
    inside: tuple[int, ...] = ()
    """How many cubes of each owner are in the hotel, victims last."""
    stories: tuple[Story, ...] = ()
    """By owner, victims last."""
    order: tuple[Seat, ...] = ()
    """By drop, the owner."""
    calm: tuple[int, Floor] | None = None
    """Which event cleared which floor last, if nothing has been dropped since."""
    truth: Tower | None = None
    """The tower itself, if somebody has told: no player ever is."""

    def learn(self, event: Any) -> "Belief":
        """Return the belief after one more event, as every viewer sees it."""
        now = replace(self, seq=self.seq + 1, truth=None)
        match event:
            case Opened(seats=seats, options=options):
                return replace(now, options=options, inside=(0,) * (seats + 1), stories=((),) * (seats + 1))
            case Dropped():
                return _dropped(now, event)
            case Exposed():
                return _exposed(now, event)
            case _:
                return now

    def some(self, owner: Seat, floor: Floor) -> float:
        """Return how likely at least one cube of this owner lies on a floor."""
        if not self.inside[owner]:
            return 0.0
        if self.truth is not None:
            return float(self.expected(owner, floor) > 0)
        return min(max(1 - self._shelves(owner).none(floor), PUSHED), 1 - PUSHED)

    def expected(self, owner: Seat, floor: Floor) -> float:
        """Return how many cubes of this owner to expect on a floor."""
        if self.truth is not None:
            return float(sum(owner_of(rest.cube) == owner for rest in self.truth.on(floor)))
        return self._shelves(owner).expected(floor)

    def _shelves(self, owner: Seat) -> Shelves:
        return _memory(self.stories[owner]).shelves

    def worlds(self) -> Iterator[World]:
        """Yield every world that this viewer cannot rule out, if nothing was ever pushed to another floor."""
        for put in product(*(list(self._shelves(owner).worlds()) for owner in self.owners)):
            yield self._world(put)

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently, each as likely as it is."""
        if self.truth is not None:
            return [World((None,) * len(self.order), self.truth.resting)] * number
        drawn = [
            self._shelves(owner).sample(rng.words(f"{label} of {COLOURS[owner]}"), number) for owner in self.owners
        ]
        return [self._world(put) for put in zip(*drawn, strict=True)]

    @property
    def owners(self) -> tuple[Seat, ...]:
        """Whose cubes there are, victims last."""
        return (*range(len(self.stories) - 1), VICTIM)

    def _world(self, put: tuple[tuple[Floor, ...], ...]) -> World:
        """Put what was drawn colour by colour into the order of the drops."""
        strays: list[Resting] = []
        rest = []
        for owner in self.owners:
            memory = _memory(self.stories[owner])
            strays += memory.astray(owner, put[owner])
            rest.append(iter((*(None,) * memory.skipped, *put[owner][memory.strays :])))
        return World(tuple([next(rest[owner]) for owner in self.order]), tuple(strays))

    def answer(self, _world: World) -> tuple[()]:
        """Return nothing: there is no solution to be found out, and noises would seem to tell of one."""
        return ()

    def chance(self, guess: Action | World) -> float:
        """Return how likely an inspection is to find what it is made for, or a world is the true one."""
        match guess:
            case World(floors=floors):
                return self._mass(floors)
            case Suspect(suspects=suspects, floor=floor):
                return prod(self.some(suspect, floor) for suspect in suspects)
            case Inspect(floor=floor):
                return self.some(VICTIM, floor)
            case CoverTracks(floor=floor):
                return self.some(self.seat, floor)
            case _:
                return 1.0

    def _mass(self, floors: tuple[Floor | None, ...]) -> float:
        """Return how likely everything fell so, as far as it has fallen."""
        mass = 1.0
        for owner in self.owners:
            memory = _memory(self.stories[owner])
            mine = [floor for floor, other in zip(floors, self.order, strict=False) if other == owner]
            if not memory.strays:  # nobody knows which drops they were
                mass *= memory.shelves.mass([floor for floor in mine if floor is not None])
        return mass

    def told(self, state: State) -> "Belief":
        """Return the belief of somebody who sees the truth until something else happens: the ceiling of an arena."""
        return replace(self, truth=state.tower)

    def forget(self, rng: Rng) -> "Belief":
        """Return the belief without the noise of one drop, drawn at random."""
        if not self.order:
            return self
        nth = rng.below("forgotten", len(self.order))
        owner = self.order[nth]
        story = list(self.stories[owner])
        places = [place for place, entry in enumerate(story) if isinstance(entry, Put)]
        story[places[self.order[:nth].count(owner)]] = Put(law(nth))
        return replace(self, stories=_put(self.stories, owner, tuple(story)))

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: floors by colour."""
        if level == "paper" or not self.stories:
            return Sheet(self.seq)
        shares = level == "probabilities"
        cells = [self._cell(owner, floor, shares=shares) for owner in self.owners for floor in FLOORS]
        if level == "facts":
            return Sheet(self.seq, tuple(cell for cell in cells if cell.mark))
        return Sheet(self.seq, tuple(cells), assumes=self.assumes() if shares else ())

    def _cell(self, owner: Seat, floor: Floor, *, shares: bool) -> Cell:
        row, column = COLOURS[owner], str(floor)
        if self._empty(owner, floor):
            return Cell(row, column, "no", "seen", 0.0 if shares else None)
        return Cell(row, column, share=self.some(owner, floor) if shares else None)

    def _empty(self, owner: Seat, floor: Floor) -> bool:
        """Say whether certainly none of this colour lies there; with any drop one may have been pushed there."""
        return not self.inside[owner] or (self.calm is not None and self.calm[1] == floor)

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        owner = next((owner for owner in self.owners if COLOURS[owner] == row), None)
        floor = next((floor for floor in FLOORS if str(floor) == column), None)
        if owner is None or floor is None or not self._empty(owner, floor):
            return None
        if not self.inside[owner] or self.calm is None:
            return Proof(1, (Reason(Message("why.none_inside")),))
        seq = self.calm[0]
        return Proof(1, (Reason(tell(cast(AnyEvent, seen[seq - 1])), seq), Reason(Message("why.none_since"))))

    def entropy(self, by: Weighing = "likely") -> float:
        """Return how many bits are missing to know how many cubes of each colour lie on which floor.

        There is no solution, but that is what everybody listens for. Where more than eight of a colour are inside,
        only the likeliest ways are reckoned with (`contents.py`).
        """
        return sum([missing(story)[by == "logic"] for story in self.stories])

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return nothing: there is no solution."""
        return ()

    def finds(self, owner: Seat, floor: Floor) -> tuple[Find, ...]:
        """Return how many cubes of this owner a floor may show, if none was pushed."""
        return finds(self.stories[owner])[floor]

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        """Return what may be found on the floor that an action opens: the likeliest ways, then all others in one."""
        if not isinstance(action, Inspect | Suspect | CoverTracks) or not self.stories:
            return ()
        owners = (VICTIM, *range(len(self.stories) - 1))  # as what was found is told
        each = [self.finds(owner, action.floor) for owner in owners]
        later = sum(find.chance * find.left for found in each for find in found)
        ways: list[tuple[float, float, tuple[int, ...]]] = [(1.0, 0.0, ())]
        rest = rest_left = 0.0
        for found in each:
            later -= sum(find.chance * find.left for find in found)
            more = [
                (chance * find.chance, left + find.left, (*numbers, find.number))
                for chance, left, numbers in ways
                for find in found
            ]
            # What is likely in the end has a likely beginning: the others' numbers have nothing to do with it.
            more.sort(key=lambda way: -way[0])
            ways = more[:LISTED]
            rest += sum(chance for chance, _, _ in more[LISTED:])
            rest_left += sum(chance * (left + later) for chance, left, _ in more[LISTED:])
        seat = self.seat if by is None else by
        told = [Reply((_shown(seat, action.floor, owners, way[2]),), way[0], way[1], 0.0) for way in ways]
        if rest:
            told.append(Reply((), rest, rest_left / rest, 0.0, Message("found.else")))
        return tuple(told)

    def gain(self, action: Any, by: Seat | None = None) -> float:  # noqa: ARG002  (everybody sees an open floor)
        """Return how many bits opening a floor may be expected to tell: as many as are missing of what it shows."""
        if not isinstance(action, Inspect | Suspect | CoverTracks) or not self.stories:
            return 0.0
        return -sum(
            find.chance * log2(find.chance) for owner in self.owners for find in self.finds(owner, action.floor)
        )

    unredact = unredact
    resample = resampled

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume."""
        return (Message("assumes.law"), Message("assumes.noise"), Message("assumes.no_push"))


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
    put = Put(tuple(weight / whole for weight in likely))
    return replace(
        now,
        inside=_put(now.inside, owner, now.inside[owner] + 1),
        stories=_put(now.stories, owner, (*now.stories[owner], put)),
        order=(*now.order, owner),
        calm=None,
    )


def _exposed(now: Belief, event: Exposed) -> Belief:
    found = [_owner(cube.colour) for cube in event.found]
    fallen = [_owner(colour) for colour in event.fallen]
    inside, stories = list(now.inside), list(now.stories)
    for owner in now.owners:
        inside[owner] -= found.count(owner) + fallen.count(owner)
        cleared = Cleared(event.floor, found.count(owner))
        stories[owner] = (*stories[owner], cleared, *[Fell(event.floor)] * fallen.count(owner))
    return replace(now, inside=tuple(inside), stories=tuple(stories), calm=(now.seq, event.floor))


def _shown(seat: Seat, floor: Floor, owners: Sequence[Seat], numbers: Sequence[int]) -> Exposed:
    """Return what everybody sees when a floor is open on which so many lie."""
    found = [Found(COLOURS[owner]) for owner, number in zip(owners, numbers, strict=True) for _ in range(number)]
    return Exposed(seat=seat, floor=floor, found=tuple(found), lift=None)


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
