"""Mord im Arosa for the conformance suite: what is hidden, what everybody may know of it, and what always holds.

Worlds are played again on the surrogate, in which any cube can be let fall anywhere with any noise. That a cube is
pushed to another floor is possible and rare; whoever reckons leaves it out, so games in which it happens prove nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tests.games.arosa.staging import balanced
from whodunit.core.offer import Offer, One
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Game, Seat
from whodunit.games import arosa
from whodunit.games.arosa.evidence import World
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM, VICTIMS, Floor, owner_of
from whodunit.games.arosa.model import (
    AnyEvent,
    CluesPlaced,
    CluesTakenBack,
    Dropped,
    Exposed,
    GameEnded,
    Inspect,
    Opened,
    Options,
    Over,
    State,
    Suspect,
    TurnBegan,
)
from whodunit.tower import Drop, Resting, Tower, law
from whodunit.tower.surrogate import stacked

Story = tuple[tuple[Floor, int] | None, ...]
"""What is seen of one colour: a drop (None), or a floor and how many were there."""

# --- Settings and play -------------------------------------------------------------------------------------------

FULLEST: Final = max(FLOORS, key=lambda floor: law(0)[floor])
GOLDEN: Final = Path(__file__).parent / "golden"
ELSEWHERE: Final = frozenset({("tower", "physics"), ("tower", "scripted")})


def adjusted(seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawn options with as little changed as makes them fit, and games of few drops: few worlds to try.

    An option that is given alone is tried as it is, in a game in which it can make a difference.
    """
    clues, alone = options.get("clues"), len(options) == 1
    if alone or not options:
        fitting = {"clues": 6, "prologue_clues": 1, **options}
    else:
        fitting = {"prologue_clues": 0, **options, "clues": 1 if clues is None else 1 + 2 * (clues % 2)}
    fitting["tower"] = "surrogate"
    fitting["prologue_clues"] = min(fitting["prologue_clues"], fitting["clues"] - 1)
    for name in ("victim_dropper", "first_investigator"):
        if fitting.get(name) is not None:
            fitting[name] %= seats
    return fitting


def lively(offers: Sequence[Offer]) -> Sequence[Offer]:
    """Narrow the offers to looking where most cubes come to lie."""
    looks = [offer for offer in offers if offer.action in (Inspect, Suspect)]
    return [replace(offer, choices={**offer.choices, "floor": One((FULLEST,))}) for offer in looks] or offers


def honest(_state: State, _seat: Seat, _action: Action) -> bool:
    """Nothing is left to honour: the house sees to everything."""
    return True


def provable(events: Sequence[AnyEvent]) -> bool:
    """Say whether no cube was pushed to another floor, in a tower whose falls can be given."""
    opened = events[0]
    assert isinstance(opened, Opened)
    pushed = any(isinstance(event, Dropped) and len(event.moved or ()) > 1 for event in events)
    return opened.options.tower == "surrogate" and not pushed


# --- Worlds ------------------------------------------------------------------------------------------------------


def world(_state: State, events: Sequence[AnyEvent]) -> World:
    """Return where every cube has fallen."""
    return World(tuple(_fall(event)[0].floor for event in events if isinstance(event, Dropped)))


def _fall(event: Dropped) -> tuple[Resting, ...]:
    assert event.moved is not None
    return event.moved


def as_world(believed: World) -> World:
    return believed


def guess(world: World) -> World:
    """Return the world itself: there is nothing else to guess."""
    return world


def stack(world: World, opening: Batch) -> Mapping[str, Result]:
    """Return the drops of the prologue."""
    opened = opening.events[0]
    assert isinstance(opened, Opened)
    return _drops(world, opened.options, 0, 0, opening)


def again(
    world: World, state: State, recorded: Batch, _seen: Sequence[AnyEvent]
) -> tuple[Action | None, Mapping[str, Result]]:
    """Return the same action, for nothing of it is hidden, and the drops of this world with the noises heard."""
    assert recorded.cause is not None
    draws = _drops(world, state.options, state.drops, sum(state.inside), recorded)
    for draw in recorded.draws:
        if draw.label.startswith("order"):
            found = _clues(state, recorded)
            if found != draw.range:  # another order of others, which everybody sees
                draws[draw.label] = tuple(range(found))
    return recorded.cause.action, draws


def _clues(state: State, recorded: Batch) -> int:
    """Return how many clues are dropped back here."""
    for event in recorded.events:
        if isinstance(event, Exposed):
            assert state.tower is not None
            return sum(owner_of(rest.cube) != VICTIM for rest in state.tower.on(event.floor))
    return len(state.held)


def _drops(world: World, options: Options, nth: int, inside: int, recorded: Batch) -> dict[str, Result]:
    draws: dict[str, Result] = {}
    for event in recorded.events:
        if isinstance(event, Exposed):
            inside -= len(event.found)
        if isinstance(event, Dropped) and nth < len(world.floors):
            floor = world.floors[nth]
            assert floor is not None
            full = Tower(tuple(Resting(8 * number, 0) for number in range(inside)))
            drop = Drop((Resting(0, floor),), event.clip.media, event.clip.data)
            draws[f"drop {nth}"] = stacked(full, options.difficulty, drop)
            nth, inside = nth + 1, inside + 1
    return draws


def comparable(world: World, truth: World) -> bool:
    """Say whether the world knows as many drops."""
    return len(world.floors) == len(truth.floors)


def neighbour(world: World, rng: Rng) -> World:
    """Return a world in which one cube has fallen elsewhere, or two have changed places."""
    floors = list(world.floors)
    one, other = (rng.below(label, len(floors)) for label in ("one", "other"))
    if rng.below("swap", 2):
        floors[one], floors[other] = floors[other], floors[one]
    else:
        floors[one] = rng.below("floor", len(FLOORS))
    return World(tuple(floors))


# --- What everybody may know -------------------------------------------------------------------------------------


class Known(Struct, frozen=True):
    """What can be known by the column "Known to": the colour of every drop, and what lay on every open floor."""

    order: tuple[Seat, ...] = ()
    stories: tuple[tuple[Seat, Story], ...] = ()

    def learn(self, event: AnyEvent) -> "Known":
        match event:
            case Opened(seats=seats):
                return Known((), tuple((owner, ()) for owner in (*range(seats), VICTIM)))
            case Dropped(colour=colour):
                dropped = _owner(colour)
                added = ((owner, (*story, None) if owner == dropped else story) for owner, story in self.stories)
                return replace(self, order=(*self.order, dropped), stories=tuple(added))
            case Exposed(floor=floor, found=found):
                lay = [_owner(cube.colour) for cube in found]
                seen = ((owner, (*story, (floor, lay.count(owner)))) for owner, story in self.stories)
                return replace(self, stories=tuple(seen))
            case _:
                return self

    def allows(self, world: World) -> bool:
        """Let everything fall as this world says, and look where it was looked."""
        if len(world.floors) < len(self.order):
            return False
        for owner, story in self.stories:
            rest = (floor for floor, other in zip(world.floors, self.order, strict=False) if other == owner)
            lies = [0] * len(FLOORS)
            for entry in story:
                if entry is None:
                    lies[next(rest) or 0] += 1
                elif lies[entry[0]] != entry[1]:
                    return False
                else:
                    lies[entry[0]] = 0
        return True

    def worlds(self) -> Iterator[World]:
        return self._combined(0, {})

    def _combined(self, number: int, falls: dict[Seat, tuple[Floor, ...]]) -> Iterator[World]:
        if number == len(self.stories):
            rest = {owner: iter(floors) for owner, floors in falls.items()}
            yield World(tuple(next(rest[owner]) for owner in self.order))
            return
        owner, story = self.stories[number]
        for floors in _falls(story, 0, (0,) * len(FLOORS), ()):
            yield from self._combined(number + 1, falls | {owner: floors})


def _owner(colour: str) -> Seat:
    return VICTIM if colour == "red" else COLOURS.index(colour)


def _falls(story: Story, place: int, lies: tuple[int, ...], fell: tuple[Floor, ...]) -> Iterator[tuple[Floor, ...]]:
    """Yield every way in which the cubes of one colour can have fallen."""
    if place == len(story):
        yield fell
        return
    for floor, after in _next(story, place, lies):
        if _ends_well(story, place + 1, after):
            yield from _falls(story, place + 1, after, fell if floor is None else (*fell, floor))


def _next(story: Story, place: int, lies: tuple[int, ...]) -> Iterator[tuple[Floor | None, tuple[int, ...]]]:
    entry = story[place]
    if entry is None:
        for floor in FLOORS:
            yield floor, (*lies[:floor], lies[floor] + 1, *lies[floor + 1 :])
    elif lies[entry[0]] == entry[1]:
        yield None, (*lies[: entry[0]], 0, *lies[entry[0] + 1 :])


def _ends_well(story: Story, place: int, lies: tuple[int, ...]) -> bool:
    """Say whether what is seen from here on can be seen; what lies where nobody looks again makes no difference."""
    looks = {entry[0] for entry in story[place:] if entry is not None}
    return _can(story, place, tuple(count if floor in looks else 0 for floor, count in enumerate(lies)))


@lru_cache(maxsize=100_000)
def _can(story: Story, place: int, lies: tuple[int, ...]) -> bool:
    if place == len(story):
        return True
    if any(_shown(story, place, floor) not in (None, *range(count, 99)) for floor, count in enumerate(lies)):
        return False
    return any(_ends_well(story, place + 1, after) for _, after in _next(story, place, lies))


def _shown(story: Story, place: int, floor: Floor) -> int | None:
    return next((entry[1] for entry in story[place:] if entry is not None and entry[0] == floor), None)


def belief(_viewer: Seat) -> Known:
    """Everybody knows the same."""
    return Known()


# --- What always holds -------------------------------------------------------------------------------------------


def invariants(before: State | None, event: AnyEvent, after: State) -> None:
    """Raise AssertionError if what happened, or where it led, cannot be."""
    balanced(after)
    if before is None:
        return
    match event:
        case Dropped(seat=seat, colour=colour, why=why):
            fallen, *pushed = _fall(event)
            assert owner_of(fallen.cube) == _owner(colour), "AROSA-10"
            assert all(0 <= rest.floor < len(FLOORS) for rest in (fallen, *pushed)), "AROSA-8"
            if why == "penalty":
                assert (seat, colour) == (before.on_turn, COLOURS[before.on_turn]), "AROSA-31, 46"
                assert not before.held or before.options.ground_penalty_first, "AROSA-26"
            where = {rest.cube: rest.floor for rest in before.tower.resting} if before.tower else {}
            assert all(rest.floor <= where[rest.cube] for rest in pushed), "AROSA-12: never upwards"
        case Exposed(floor=floor, found=found):
            assert before.tower is not None
            assert len(before.tower.on(floor)) == len(found), "AROSA-23"
            assert after.tower is not None
            assert not after.tower.on(floor), "AROSA-24: all are taken out"
        case CluesPlaced(seat=seat, floor=floor, count=count):
            assert count == before.held.count(seat), "AROSA-35, 44"
            assert seat != before.on_turn, "AROSA-36, 45"
            assert after.sheet[floor][seat] == before.sheet[floor][seat] + count, "AROSA-62"
        case CluesTakenBack(seat=seat, floor=floor, count=count):
            assert count <= min(before.held.count(seat), before.sheet[floor][seat]), "AROSA-55"
        case TurnBegan(seat=seat, act=act):
            assert not after.held, "AROSA-24"
            assert not after.fallen, "AROSA-27"
            assert (act == 2) == (sum(after.victims) == VICTIMS), "AROSA-20"
            assert before.turn == 0 or seat == (before.on_turn + 1) % len(after.supplies), "AROSA-18"
        case GameEnded(totals=totals, winners=winners, culprits=culprits):
            full = any(sum(column) >= after.options.sheet_limit for column in zip(*after.sheet, strict=True))
            assert full or 0 in after.supplies, "AROSA-59, 60"
            assert {totals[seat] for seat in winners} == {min(totals)}, "AROSA-72"
            assert {totals[seat] for seat in culprits} == {max(totals)}, "AROSA-71"
            assert isinstance(after.phase, Over)
        case _:
            pass


CHECKED: Final[Game] = arosa  # mypy says what the module lacks
