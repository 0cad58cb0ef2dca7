"""What a seat of Mord im Arosa sees, as numbers: the same for all. What was heard, a belief makes something of."""

from collections import Counter
from functools import partial
from operator import attrgetter
from typing import Any, Final, get_args

from msgspec.structs import replace

from whodunit.core.observing import AnyOf, Count, Flag, Number, Observed, OneOf, Part, Round, nth, one
from whodunit.core.types import Seat
from whodunit.games.arosa.facts import FLOORS, VICTIM, VICTIMS, owner_of, since_open
from whodunit.games.arosa.model import Options, Phase, State
from whodunit.tower import Tower

_PHASES: Final = tuple(kind.__name__ for kind in get_args(Phase))
_ENDS: Final = ("sheet", "supply")


def observed(seats: int, options: Options, seat: Seat) -> Observed:
    """Return the numbers that a seat sees."""
    table = Round(seats, seat)
    owners = (*table.order, VICTIM)
    clues = options.clues
    dearest = max(options.scene_points, options.near_points, options.far_points)
    cubes = partial(Number, most=max(clues, VICTIMS))
    return Observed(
        (
            one(OneOf("eyes", range(seats)), lambda _: None if seat < 0 else seat),
            one(OneOf("act", (1, 2)), attrgetter("act")),
            one(Count("turn"), attrgetter("turn")),
            one(table.who("on turn"), attrgetter("on_turn")),
            Part(
                (
                    OneOf("phase", _PHASES),
                    OneOf("phase.floor", FLOORS),
                    Number("phase.most", clues),
                    Flag("phase.arrange"),
                    Number("phase.penalty", seats),
                    Flag("phase.penalty first"),
                    AnyOf("phase.winner", table.order),
                    AnyOf("phase.culprit", table.order),
                    *(Number(table.name("phase.total", other), dearest * clues) for other in table.order),
                    OneOf("phase.how", _ENDS),
                ),
                attrgetter("phase"),
                partial(_phase, table),
            ),
            table.each("supply", partial(Number, most=clues), "supplies"),
            *(
                Part(
                    tuple(Number(table.name(f"sheet.floor {floor}", other), clues) for other in table.order),
                    nth("sheet", floor),
                    lambda space: [space[other] for other in table.order],
                )
                for floor in FLOORS
            ),
            Part(tuple(Number(f"victims.floor {floor}", VICTIMS) for floor in FLOORS), attrgetter("victims")),
            *(
                Part(tuple(cubes(_cubes(what, owner, table)) for owner in owners), attrgetter(what), how)
                for what, how in (
                    ("inside", lambda inside: [inside[owner] for owner in owners]),
                    ("held", partial(_counts, owners)),
                    ("fallen", partial(_counts, owners)),
                )
            ),
            Part(
                tuple(Count(_cubes(f"since.floor {floor}", owner, table), 3) for floor in FLOORS for owner in owners),
                attrgetter("record"),
                partial(_since, owners),
            ),
            Part(
                (
                    Flag("tower"),
                    *(cubes(_cubes(f"tower.floor {floor}", owner, table)) for floor in FLOORS for owner in owners),
                ),
                attrgetter("tower"),
                partial(_tower, owners),
            ),
            one(Count("drops", 50), attrgetter("drops")),
            one(Count("lifts"), attrgetter("lifts")),
            Part(tuple(Number(f"price.floor {floor}", dearest) for floor in FLOORS), attrgetter("prices")),
            table.each("points", partial(Number, most=dearest * clues), "totals"),
        ),
        current=partial(_current, owners),
    )


def _current(owners: tuple[Seat, ...], view: State) -> State:
    """Leave out what can be heard again, and of the past what is not told floor by floor."""
    tower = view.tower
    return replace(
        view,
        heard=(),
        record=tuple(_since(owners, view.record)),
        tower=None if tower is None else tuple(_tower(owners, tower)),
    )


def _cubes(what: str, owner: Seat, table: Round) -> str:
    return f"victims.{what}" if owner == VICTIM else table.name(what, owner)


def _counts(owners: tuple[Seat, ...], cubes: tuple[Seat, ...]) -> list[int]:
    counts = Counter(cubes)
    return [counts[owner] for owner in owners]


def _since(owners: tuple[Seat, ...], record: tuple[int, ...]) -> list[int]:
    """Return how many cubes of each owner were dropped since each floor was open last: they alone can lie there."""
    return [counts[owner + 1] for counts in since_open(record) for owner in owners]


def _tower(owners: tuple[Seat, ...], tower: Tower | None) -> list[Any]:
    lie = Counter((rest.floor, owner_of(rest.cube)) for rest in (tower.resting if tower is not None else ()))
    return [tower is not None, *(lie[floor, owner] for floor in FLOORS for owner in owners)]


def _phase(table: Round, phase: Phase) -> tuple[Any, ...]:
    fields = ("floor", "most", "arrange", "penalty", "penalty_first", "winners", "culprits")
    totals = getattr(phase, "totals", None)
    return (
        type(phase).__name__,
        *(getattr(phase, name, None) for name in fields),
        *(None if totals is None else totals[other] for other in table.order),
        getattr(phase, "how", None),
    )
