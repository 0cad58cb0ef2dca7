"""Falls by the thousand, as games make them: what the tower is measured with and the listeners are trained on."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from whodunit.bench import report
from whodunit.tower import facts, features, flac, physics, sound
from whodunit.tower.cubes import FLOORS, Tower
from whodunit.tower.facts import Difficulty
from whodunit.tower.impacts import impacts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)
_PROLOGUE: Final = 10
_MOST: Final = 45
"""Cubes inside, when the game is over."""


class Heard(NamedTuple):
    """The clips of one difficulty, a row for each drop."""

    features: Floats
    pictures: Floats
    sizes: Ints
    """Bytes of the file as sent."""
    latency: Floats
    """Milliseconds for rendering, packing and the fall before it."""


class Corpus(NamedTuple):
    """Drops: on which floor each ended, how many cubes lay inside before, what else it pushed to another floor."""

    floors: Ints
    resting: Ints
    knocks: Ints
    heard: dict[Difficulty, Heard]


class _Drop(NamedTuple):
    floor: int
    resting: int
    knocks: int
    contacts: physics.Contacts
    milliseconds: float


def gather(drops: int, seed: int, difficulties: Sequence[Difficulty] = DIFFICULTIES) -> Corpus:
    """Let so many cubes fall, and hear each at every difficulty."""
    falls: list[_Drop] = []
    rows: dict[Difficulty, list[tuple[Floats, Floats, int, float]]] = {name: [] for name in difficulties}
    for drop in _games(seed):
        falls.append(drop)
        for name in difficulties:
            began = perf_counter()
            chance = np.random.Generator(np.random.PCG64([seed, len(falls), 1]))
            clip = flac.encode(sound.render(impacts(drop.contacts), chance, facts.ACOUSTICS[name]))
            took = (perf_counter() - began) * 1000 + drop.milliseconds
            samples = flac.decode(clip)
            rows[name].append((features.features(samples), features.picture(samples), len(clip), took))
        if len(falls) % 500 == 0:
            report.progress(f"{len(falls)} drops ...")
        if len(falls) == drops:
            break
    columns = {name: list(zip(*table, strict=True)) for name, table in rows.items()}
    return Corpus(
        np.array([drop.floor for drop in falls]),
        np.array([drop.resting for drop in falls]),
        np.array([drop.knocks for drop in falls]),
        {name: Heard(*(np.array(column) for column in table)) for name, table in columns.items()},
    )


def save(corpus: Corpus, file: Path) -> None:
    """Keep a corpus, so that listeners can be trained again without another fall."""
    arrays = {"floors": corpus.floors, "resting": corpus.resting, "knocks": corpus.knocks}
    for name, heard in corpus.heard.items():
        arrays |= {f"{name}.{field}": column for field, column in heard._asdict().items()}
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # numpy takes its one option for a name


def load(file: Path) -> Corpus:
    """Read a corpus that was kept."""
    with np.load(file) as arrays:
        names = [name for name in DIFFICULTIES if f"{name}.sizes" in arrays]
        heard = {name: Heard(*(arrays[f"{name}.{field}"] for field in Heard._fields)) for name in names}
        return Corpus(arrays["floors"], arrays["resting"], arrays["knocks"], heard)


def _games(seed: int) -> Iterator[_Drop]:
    """Play on and on as a table would: a prologue, then a floor at a time taken out and dropped back, and penalties."""
    chance = np.random.Generator(np.random.PCG64([seed, 0, 0]))
    while True:
        tower, hand = Tower(), list(range(_PROLOGUE))
        new = _PROLOGUE
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
    began = perf_counter()
    moved, contacts = physics.landed(tower, cube, chance)
    took = (perf_counter() - began) * 1000
    knocks = sum(before[rest.cube] != rest.floor for rest in moved[1:])
    return _Drop(moved[0].floor, len(before), knocks, contacts, took), tower.after(moved)
