"""Falls by the thousand, as games make them: what the tower is measured with and the listeners are trained on."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from whodunit.bench import report
from whodunit.tower import facts, features, flac, physics, sound
from whodunit.tower.cubes import FLOORS, Tower
from whodunit.tower.facts import Difficulty
from whodunit.tower.impacts import Contacts, impacts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)
_PROLOGUE: Final = 10
_MOST: Final = 45
"""Cubes inside, when the game is over."""


class Hearing(NamedTuple):
    """The clips of one difficulty, a row for each drop."""

    features: Floats
    pictures: Floats


class Corpus(NamedTuple):
    """Drops: on which floor each ended, how many cubes lay inside before, what else it pushed to another floor."""

    floors: Ints
    resting: Ints
    knocks: Ints
    heard: dict[Difficulty, Hearing]


class _Drop(NamedTuple):
    floor: int
    resting: int
    knocks: int
    contacts: Contacts


def gather(drops: int, seed: int, difficulties: Sequence[Difficulty] = DIFFICULTIES) -> Corpus:
    """Let so many cubes fall, game after game, and hear each at every difficulty."""
    games: list[Corpus] = []
    left = drops
    while left > 0:
        games.append(game(seed, len(games), left, difficulties))
        left -= len(games[-1].floors)
        report.progress(f"{drops - left} drops ...")
    return joined(games)


def game(seed: int, number: int, most: int, difficulties: Sequence[Difficulty] = DIFFICULTIES) -> Corpus:
    """Play one game, or its first drops if there would be more than `most`."""
    falls = list(islice(_falls(seed, number), most))
    heard: dict[Difficulty, list[tuple[Floats, Floats]]] = {name: [] for name in difficulties}
    for nth, drop in enumerate(falls):
        knocks = impacts(drop.contacts)
        for name in difficulties:
            chance = np.random.Generator(np.random.PCG64([seed, number, nth]))
            samples = sound.render(knocks, chance, facts.ACOUSTICS[name])
            sent = flac.coarse(samples).astype(np.float32) / np.float32(1 << 15)  # as it comes out of a file
            heard[name].append((features.features(sent), features.picture(sent)))
    columns = {name: list(zip(*rows, strict=True)) for name, rows in heard.items()}
    return Corpus(
        np.array([drop.floor for drop in falls]),
        np.array([drop.resting for drop in falls]),
        np.array([drop.knocks for drop in falls]),
        {name: Hearing(*(np.array(column) for column in table)) for name, table in columns.items()},
    )


def joined(games: Sequence[Corpus]) -> Corpus:
    """Put games together."""
    floors, resting, knocks = (np.concatenate([each[column] for each in games]) for column in range(3))
    heard = {
        name: Hearing(*map(np.concatenate, zip(*(each.heard[name] for each in games), strict=True)))
        for name in games[0].heard
    }
    return Corpus(floors, resting, knocks, heard)


def save(corpus: Corpus, file: Path) -> None:
    """Keep a corpus, so that listeners can be trained again without another fall."""
    arrays = {"floors": corpus.floors, "resting": corpus.resting, "knocks": corpus.knocks}
    for name, heard in corpus.heard.items():
        arrays |= {f"{name}.{field}": column for field, column in heard._asdict().items()}
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # numpy takes its one option for a name


def load(file: Path) -> Corpus:
    """Read a corpus that was kept."""
    with np.load(file) as arrays:
        names = [name for name in DIFFICULTIES if f"{name}.features" in arrays]
        heard = {name: Hearing(*(arrays[f"{name}.{field}"] for field in Hearing._fields)) for name in names}
        return Corpus(arrays["floors"], arrays["resting"], arrays["knocks"], heard)


def _falls(seed: int, number: int) -> Iterator[_Drop]:
    """Play as a table would: a prologue, then a floor at a time taken out and dropped back, and penalties."""
    chance = np.random.Generator(np.random.PCG64([seed, number]))
    tower, hand, new = Tower(), list(range(_PROLOGUE)), _PROLOGUE
    while len(tower.resting) < _MOST:
        for cube in hand:
            drop, tower = _dropped(tower, cube, chance)
            yield drop
        hand = [rest.cube for rest in tower.on(int(chance.integers(FLOORS)))]
        tower = tower.without(hand)
        if chance.uniform() < 0.5:  # about every second turn costs a penalty
            hand.append(new)
            new += 1


def _dropped(tower: Tower, cube: int, chance: np.random.Generator) -> tuple[_Drop, Tower]:
    before = {rest.cube: rest.floor for rest in tower.resting}
    moved, contacts = physics.landed(tower, cube, chance)
    knocks = sum(before[rest.cube] != rest.floor for rest in moved[1:])
    return _Drop(moved[0].floor, len(before), knocks, contacts), tower.after(moved)
