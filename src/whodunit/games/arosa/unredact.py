"""What everybody has seen of a game of Mord im Arosa, with its secrets as a world of a belief has them.

A cube lies where it fell until its floor is opened. But one may have been pushed to another floor, or have fallen out.
Then nothing is remembered of its colour's falls until that was seen (the world says None): only what was found of them,
and where the rest lie now. How that came about is made up, in one way that fits: such cubes are pushed where they must
have been.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM, Colour, Cube, Floor, cube_of, owner_of
from whodunit.games.arosa.model import AnyEvent, Dropped, Exposed
from whodunit.tower import Lift, Resting

if TYPE_CHECKING:
    from whodunit.games.arosa.evidence import Belief, World


class _Stay(NamedTuple):
    """A cube of which no fall is remembered: with which event it came in, and when and whence it went out again."""

    cube: Cube
    came: int
    went: int
    floor: Floor


class _Course(NamedTuple):
    """What every event did, by its place among those seen."""

    falls: dict[int, dict[Cube, Floor]]
    """By drop: which cubes come to lie on which floor."""
    spilled: dict[int, list[Cube]]
    """By open floor: which cubes fell out."""


def unredact(_belief: "Belief", world: "World", seen: Sequence[Any], _rng: Rng) -> tuple[AnyEvent, ...]:
    """Return the events with where every cube came to lie, and what was taken out of the hotel."""
    return tuple(_lived(world, seen))


def _lived(world: "World", seen: Sequence[Any]) -> Iterator[AnyEvent]:
    falls, spilled = _course(world, seen)
    lies: dict[Cube, Floor] = {}
    nth = 0
    for place, event in enumerate(seen):
        match event:
            case Dropped(colour=colour, moved=told):
                cube = cube_of(nth, _owner(colour))
                nth += 1
                lies |= falls[place]
                first = (cube, *sorted(falls[place].keys() - {cube}))
                moved = tuple(Resting(other, falls[place][other]) for other in first)
                yield replace(event, moved=moved) if told is None else event
            case Exposed(floor=floor, lift=told):
                taken = tuple(Resting(cube, floor) for cube in sorted(lies) if lies[cube] == floor)
                for cube in (*(rest.cube for rest in taken), *spilled[place]):
                    del lies[cube]
                yield replace(event, lift=Lift(taken, tuple(sorted(spilled[place])))) if told is None else event
            case _:
                yield event


def _owner(colour: Colour) -> Seat:
    return VICTIM if colour == COLOURS[VICTIM] else COLOURS.index(colour)


def _course(world: "World", seen: Sequence[Any]) -> _Course:
    course = _Course(defaultdict(dict), defaultdict(list))
    opened: dict[Floor, list[int]] = {floor: [] for floor in FLOORS}
    lies: dict[Cube, Floor] = {}
    free: defaultdict[Seat, list[tuple[int, Cube]]] = defaultdict(list)
    stays: list[_Stay] = []
    nth = 0
    for place, event in enumerate(seen):
        match event:
            case Dropped(colour=colour):
                owner, fell = _owner(colour), world.floors[nth]
                cube = cube_of(nth, owner)
                nth += 1
                if fell is None:
                    free[owner].append((place, cube))
                else:
                    lies[cube] = course.falls[place][cube] = fell
            case Exposed(floor=floor, found=found, fallen=fallen):
                found_of = Counter(_owner(cube.colour) for cube in found)
                for cube in [cube for cube in lies if lies[cube] == floor]:
                    del lies[cube]
                    found_of[owner_of(cube)] -= 1
                last = opened[floor][-1] if opened[floor] else -1
                for owner, number in found_of.items():
                    stays += [_Stay(cube, came, place, floor) for came, cube in _out(free[owner], number, last)]
                for owner, number in Counter(map(_owner, fallen)).items():
                    gone = _out(free[owner], number, -1)
                    stays += [_Stay(cube, came, place, FLOORS[-1]) for came, cube in gone]
                    course.spilled[place] += [cube for _, cube in gone]
                opened[floor].append(place)
            case _:
                pass
    for rest in world.strays:
        ((came, cube),) = _out(free[owner_of(rest.cube)], 1, -1)
        stays.append(_Stay(cube, came, len(seen), rest.floor))
    drops = [place for place, event in enumerate(seen) if isinstance(event, Dropped)]
    for stay in stays:
        for place, floor in _way(stay, drops, opened):
            course.falls[place][stay.cube] = floor
    return course


def _out(free: list[tuple[int, Cube]], number: int, since: int) -> list[tuple[int, Cube]]:
    """Take so many cubes out, the oldest of those that came in since: they need not have been pushed."""
    if not 0 <= number <= len(free):
        raise ValueError("this world does not go with what was found: it is none of this belief's")
    chosen = sorted(free, key=lambda one: (one[0] < since, one))[:number]
    for one in chosen:
        free.remove(one)
    return chosen


def _way(stay: _Stay, drops: Sequence[int], opened: Mapping[Floor, Sequence[int]]) -> Iterator[tuple[int, Floor]]:
    """Yield with which drop the cube comes to lie on which floor, so that nobody finds it before it goes out."""
    within = [place for place in drops if stay.came <= place < stay.went]
    hidden = max((place for place in opened[stay.floor] if place < stay.went), default=-1)
    lies: Floor | None = None
    for place, later in zip(within, (*within[1:], stay.went), strict=True):
        found = {
            floor: next((when for when in opened[floor] if place < when < stay.went), inf)  # how long it may lie there
            for floor in FLOORS
        }
        goes = lies
        if found[stay.floor] == inf:
            goes = stay.floor
        elif lies is None or found[lies] < later:
            # Best from above, and only once: a cube is pushed downwards (AROSA-12).
            goes = max(FLOORS, key=lambda floor: (floor > stay.floor and found[floor] > hidden, found[floor], floor))
        if goes is not None and goes != lies:
            yield place, goes
            lies = goes
