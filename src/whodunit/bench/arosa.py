"""How well Mord im Arosa is believed and heard: shares against what was found, and what listening is worth."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, product
from statistics import median
from typing import Final, NamedTuple

from msgspec.structs import replace

from whodunit import arena, games
from whodunit.bench import report
from whodunit.bench.report import Bar
from whodunit.bots import DETECTIVE
from whodunit.bots.thinker import Thinker
from whodunit.core.types import TABLE, Player, Seat
from whodunit.games.arosa.evidence import Belief
from whodunit.games.arosa.facts import COLOURS, FLOORS, owner_of
from whodunit.games.arosa.model import Exposed, State, Suspected
from whodunit.table.case import Case

BINS: Final = 5
SEATS: Final = 4
ENOUGH: Final = 50
"""A bin with fewer shares than that says nothing."""

BARS: Final = [
    Bar("calibration", "<=", 0.03),
    Bar("calibration_surrogate", "<=", 0.03),
    Bar("listening_gain", ">=", 0.10),
]
LABELS: Final = {
    "calibration": "greatest error of a share in five bins, all games",
    "calibration_surrogate": "greatest error of a share in five bins, surrogate",
    "calibration_physics": "the same with real falls and noises",
    "calibration_chance": "what as few games on the surrogate give, median",
    "hits_listening": "named players with a clue there, detectives",
    "hits_deaf": "the same, detectives made deaf",
    "listening_gain": "what listening adds",
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench arosa", description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games on the surrogate (default: 100)")
    parser.add_argument("--physics", type=int, default=5, help="games on the physics (default: 5)")
    parser.add_argument("--seed", default="arosa")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    figures: dict[str, float] = {}
    found: dict[str, list[list[tuple[float, bool]]]] = {}
    for tower, count in (("surrogate", args.games), ("physics", args.physics)):
        found[tower] = [
            list(shares(arena.play_case(_opened(tower, args.seed, number), _nothing))) for number in range(count)
        ]
        report.progress(f"{count} games on the {tower}")
    figures |= calibration(found["surrogate"], found["physics"])
    if args.games:
        named = [hit for number in range(args.games) for hit in hits(f"{args.seed} {number}")]
        for ear, name in ((True, "hits_listening"), (False, "hits_deaf")):
            mine = [hit.there for hit in named if hit.listens is ear]
            figures[name] = sum(mine) / len(mine)
        figures["listening_gain"] = figures["hits_listening"] - figures["hits_deaf"]
    return report.finish(args, figures, [bar for bar in BARS if bar.key in figures], labels=LABELS)


def _opened(tower: str, seed: str, number: int) -> Case:
    return arena.open_with_bots("arosa", ["detective"] * SEATS, {"tower": tower}, f"{seed} {number}")


def _nothing(*_: object) -> None:
    pass


# --- Shares against what was found -------------------------------------------------------------------------------


def shares(case: Case) -> Iterator[tuple[float, bool]]:
    """Yield before every look, for every colour inside and every floor: the share it had, and whether it was there."""
    game = games.get("arosa")
    known, state = game.belief(TABLE), None
    assert isinstance(known, Belief)
    for event in case.events:
        if isinstance(event, Exposed):
            assert isinstance(state, State)
            assert state.tower is not None
            there = {(owner_of(rest.cube), rest.floor) for rest in state.tower.resting}
            for owner, floor in product(known.owners, FLOORS):
                if known.inside[owner]:
                    yield known.some(owner, floor), (owner, floor) in there
        known, state = known.learn(event), game.evolve(state, event)


def calibration(quick: list[list[tuple[float, bool]]], real: list[list[tuple[float, bool]]]) -> dict[str, float]:
    """Return the errors over all games and over each tower's, and what chance alone does to so few as the real ones.

    Shares of one game go together: where a cube lies decides many of them. So a few games say little.
    """
    figures: dict[str, float] = {}
    for name, games_ in (
        ("calibration", quick + real),
        ("calibration_surrogate", quick),
        ("calibration_physics", real),
    ):
        if games_:
            figures[name] = miscalibration(chain.from_iterable(games_))
    few = len(real)
    groups = [quick[first : first + few] for first in range(0, len(quick) - few + 1, few)] if few else []
    if groups:
        figures["calibration_chance"] = median(miscalibration(chain.from_iterable(group)) for group in groups)
    return figures | {"shares": sum(map(len, quick + real))}


def miscalibration(pairs: Iterable[tuple[float, bool]]) -> float:
    """Return the greatest difference, over bins, between the mean share and how often it was so."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for share, there in pairs:
        bins[min(int(share * BINS), BINS - 1)].append((share, there))
    full = [members for members in bins if len(members) >= ENOUGH]
    return max(abs(sum(share - there for share, there in members) / len(members)) for members in full)


# --- What listening is worth -------------------------------------------------------------------------------------


class Hit(NamedTuple):
    """A player who was named: whether the accuser listens, and whether a clue of the named was there."""

    listens: bool
    there: bool


class Deaf(Thinker):
    """The detective with its ears stopped."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        assert isinstance(self._belief, Belief)
        self._belief = replace(self._belief, ear=0.0)


def hits(seed: str) -> Iterator[Hit]:
    """Let two detectives who listen and two who do not play a game, and yield everybody whom they name."""
    case = arena.open_with_bots("arosa", ["detective"] * SEATS, {}, seed)
    kinds: list[Callable[..., Player]] = [partial(Thinker, mind=DETECTIVE), partial(Deaf, mind=DETECTIVE)]
    players: dict[Seat, Player] = {
        seat: kind(case.table.game, seat, case.seal.bot_seed((), seat))
        for seat, kind in enumerate(kinds * (SEATS // 2))
    }
    named: tuple[Seat, ...] = ()
    for event in arena.play_case(case, _nothing, players).events:
        if isinstance(event, Suspected):
            named = event.suspects
        elif isinstance(event, Exposed):
            found = {cube.colour for cube in event.found}
            yield from (Hit(event.seat % 2 == 0, COLOURS[suspect] in found) for suspect in named)
            named = ()
