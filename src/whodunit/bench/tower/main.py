"""How the tower behaves: where cubes come to lie, what it costs, what can be heard, whether the quick one is alike."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from whodunit.bench import report
from whodunit.bench.engine import one_core
from whodunit.bench.report import Bar
from whodunit.bench.tower import train
from whodunit.bench.tower.corpus import Corpus, gather, load, save
from whodunit.core.rng import Rng
from whodunit.tower import facts, features, physics, schedule, surrogate
from whodunit.tower.cubes import FLOORS, Resting, Tower
from whodunit.tower.facts import Difficulty
from whodunit.tower.listening import net, softmax

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BARS: Final = [
    Bar("floor_share_min", ">=", 0.05),
    Bar("floor_share_max", "<=", 0.25),
    Bar("floor_0_share", "<=", 0.16),
    Bar("drop_ms_mean_30", "<=", 60),
    Bar("drop_ms_p95_30", "<=", 150),
    Bar("clip_ms_p95", "<=", 200),
    Bar("escaped", "<=", 0),
    Bar("timeout_share", "<=", 0.001),
    Bar("roof_share", "<=", 0.005),
    Bar("listener_human_top1", ">=", 0.45),
    Bar("listener_human_top1", "<=", 0.62),
    Bar("listener_best_top1", "<=", 0.70),
    Bar("bytes_latency_over_prior", "<=", 0.02),
    Bar("surrogate_drops_per_s", ">=", 100_000),
    Bar("surrogate_law_max_error", "<=", 0.02),
    Bar("surrogate_listener_error", "<=", 0.03),
    Bar("belief_calibration_max_error", "<=", 0.03),
]

LABELS: Final = {
    "floor_share_min": "rarest floor's share, empty or 30 inside",
    "floor_share_max": "commonest floor's share",
    "floor_0_share": "ground floor's share, the greater of both",
    "listener_human_top1": "floor named by ten human cues",
    "listener_best_top1": "floor named by the best ear tried",
    "listener_silent_top1": "floor named from the loudness picture",
    "bytes_latency_top1": "floor named from file size and latency",
    "prior_top1": "floor named from nothing",
}
RESTING: Final = 30
HEAPS: Final = (3, 10, 20, 45)
"""How many cubes lie inside in the falls that only look for escapes."""
_NORMAL: Final[Difficulty] = "normal"
_BINS: Final = np.array([0, 0.2, 0.4, 0.6, 0.8, 1.0001])


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench tower", description=__doc__)
    parser.add_argument("--drops", type=int, default=10_000, help="falls in which nothing may escape (10000)")
    parser.add_argument(
        "--clips", type=int, default=3000, help="clips that are listened to, and a quarter clear and hard (3000)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rebuild", type=int, metavar="CLIPS", help="first make the shipped data anew from so many")
    parser.add_argument("--corpus", type=Path, metavar="FILE", help="where the falls for --rebuild are kept")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    with one_core():
        if args.rebuild:
            train.rebuild(_rebuilt_from(args.rebuild, args.corpus, args.seed))
        found = figures(args.drops, args.clips, args.seed)
    return report.finish(args, found, BARS, LABELS)


def _rebuilt_from(clips: int, file: Path | None, seed: int) -> Corpus:
    """Return the training falls: never those of the measurement, whose seeds are even."""
    if file is not None and file.exists():
        return load(file)
    corpus = gather(clips, 2 * seed + 1)
    if file is not None:
        save(corpus, file)
    return corpus


def figures(drops: int, clips: int, seed: int) -> dict[str, float]:
    """Measure everything."""
    report.progress(f"{drops} falls ...")
    tally = Tally()
    found = landings(drops, 2 * seed, tally)
    report.progress("cost ...")
    found |= cost(max(10, drops // 25), 2 * seed)
    report.progress(f"{clips} clips ...")
    corpus = gather(clips, 2 * seed, (_NORMAL,))
    others = gather(clips // 4, 2 * seed, ("clear", "hard"))
    found |= hearing(others) | hearing(corpus)
    found |= {"surrogate_drops_per_s": surrogate_speed(200_000)}
    tally.add(corpus.resting, corpus.floors)
    return found | likeness(corpus) | {"surrogate_law_max_error": tally.off_the_law()}


# --- Falling ----------------------------------------------------------------------------------------------------------


def landings(drops: int, seed: int, tally: "Tally") -> dict[str, float]:
    """Count where cubes end: a fifth of the falls into an empty tower, a fifth on 30 cubes, the rest as games go."""
    empty = tally.falls(drops // 5, lambda _: Tower(), (seed, 1))
    piles = [stacked(RESTING, (seed, RESTING, number)) for number in range(max(1, drops // 500))]
    full = tally.falls(drops // 5, lambda nth: piles[nth % len(piles)], (seed, 2))
    heaps = [stacked(size, (seed, size, number)) for size in HEAPS for number in range(2)]
    tally.falls(drops - 2 * (drops // 5), lambda nth: heaps[nth % len(heaps)], (seed, 3))
    shares = np.array([empty, full])
    return {
        **{f"floor_share_{floor}": float(shares[:, floor].mean()) for floor in range(FLOORS)},
        "floor_share_min": float(shares.min()),
        "floor_share_max": float(shares.max()),
        "floor_0_share": float(shares[:, 0].max()),
        "escaped": tally.escaped,
        "roof_share": tally.roof / drops,
        "timeout_share": tally.timeouts / drops,
        "pushed_up": tally.up,
    }


class Tally:
    """Where many falls ended, and what went wrong in those that a game would repeat without a trace."""

    def __init__(self) -> None:
        self.escaped = self.roof = self.timeouts = self.up = 0
        self.resting: list[int] = []
        self.floors: list[int] = []

    def add(self, resting: Iterable[int], floors: Iterable[int]) -> None:
        """Count falls that ended inside, each with the number of cubes that lay there before."""
        self.resting += map(int, resting)
        self.floors += map(int, floors)

    def off_the_law(self) -> float:
        """Return how far the surrogate's law is from the shares counted, at most."""
        shares = np.bincount(self.floors, minlength=FLOORS) / len(self.floors)
        expected = np.mean([surrogate.law(cubes) for cubes in self.resting], axis=0)
        return float(np.abs(shares - expected).max())

    def falls(self, number: int, tower_of: Callable[[int], Tower], seed: Sequence[int]) -> Floats:
        chance = np.random.Generator(np.random.PCG64(seed))
        floors, resting = [], []
        for nth in range(number):
            tower = tower_of(nth)
            fall = physics.fallen(tower, *physics.release(chance))
            landed = [physics.floor_of(pose) for pose in fall.poses]
            self.escaped += landed.count(-1)
            self.roof += landed[0] == FLOORS
            self.timeouts += fall.seconds >= facts.LONGEST_FALL
            self.up += any(floor > rest.floor for floor, rest in zip(landed[1:], tower.resting, strict=True))
            if 0 <= landed[0] < FLOORS:
                floors.append(landed[0])
                resting.append(len(tower.resting))
        self.add(resting, floors)
        return np.asarray(np.bincount(floors, minlength=FLOORS) / len(floors))


def stacked(cubes: int, seed: Sequence[int]) -> Tower:
    """Return a tower into which so many cubes have fallen."""
    chance = np.random.Generator(np.random.PCG64(seed))
    tower = Tower()
    for cube in range(cubes):
        tower = tower.after(physics.landed(tower, cube, chance)[0])
    return tower


def cost(drops: int, seed: int) -> dict[str, float]:
    """Time a fall among 30 cubes, and all of it up to the finished file, in this process's own time.

    Then guess the floor from what an envelope tells, without listening: how many bytes there are, and when they come.
    """
    tower, chance = stacked(RESTING, (seed, RESTING)), np.random.Generator(np.random.PCG64(seed))
    rng, real = Rng(b"bench", 0), physics.Physics(_NORMAL)
    real.drop(tower, RESTING, drops, rng)  # the first one pays for imports and for compiling the tower
    falls, clips, floors, sizes = [], [], [], []
    for nth in range(drops):
        start = process_time()
        physics.landed(tower, RESTING, chance)
        middle = process_time()
        drop = real.drop(tower, RESTING, nth, rng)
        falls.append((middle - start) * 1000)
        clips.append((process_time() - middle) * 1000)
        floors.append(drop.floor)
        sizes.append(len(drop.sound))
    return _outside(np.array(floors), sizes, [schedule.publication(1, clip / 1000) for clip in clips]) | {
        "drop_ms_mean_30": float(np.mean(falls)),
        "drop_ms_p95_30": float(np.percentile(falls, 95)),
        "clip_ms_mean": float(np.mean(clips)),
        "clip_ms_p95": float(np.percentile(clips, 95)),
    }


# --- Hearing ----------------------------------------------------------------------------------------------------------


def hearing(corpus: Corpus) -> dict[str, float]:
    """Try every kind of listener on the clips: the shipped one, which never met them, and some that learn from them."""
    floors = corpus.floors
    found: dict[str, float] = {"prior_top1": float(np.bincount(floors).max() / len(floors))}
    for name, heard in corpus.heard.items():
        human = softmax(train.cross_validated(heard.features[:, : features.HUMAN], floors, 0, 0.001))
        eye = np.array([features.seen(shown) for shown in heard.pictures])
        silent = softmax(train.cross_validated(eye, floors, 0, 0.004))
        ears = {
            "shipped": net(name).posterior(heard.features),
            "linear": softmax(train.cross_validated(heard.features, floors, 0, 0.004)),
            "alike": softmax(train.cross_validated(heard.features, floors, train.HIDDEN, train.DECAY)),
        }
        tail = "" if name == _NORMAL else f"_{name}"
        found |= {
            f"listener_human_top1{tail}": train.top1(human, floors),
            f"listener_best_top1{tail}": max(train.top1(ear, floors) for ear in ears.values()),
            f"listener_shipped_top1{tail}": train.top1(ears["shipped"], floors),
            f"listener_shipped_bits_left{tail}": train.log_loss(ears["shipped"], floors),
            f"listener_silent_top1{tail}": train.top1(silent, floors),
        }
    return found


def _outside(floors: Ints, sizes: Sequence[int], latency: Sequence[float]) -> dict[str, float]:
    rows = np.column_stack([sizes, latency])
    guessed = train.top1(softmax(train.cross_validated(rows, floors, 4, 0.001)), floors)
    return {
        "bytes_latency_top1": guessed,
        "bytes_latency_over_prior": guessed - float(np.bincount(floors).max() / len(floors)),
        "clip_bytes_min": min(sizes),
        "clip_bytes_max": max(sizes),
    }


# --- The quick tower --------------------------------------------------------------------------------------------------


def surrogate_speed(drops: int) -> float:
    """Return how many drops on 30 cubes the surrogate makes in a second."""
    tower = Tower(tuple(Resting(cube, cube % FLOORS) for cube in range(RESTING)))
    quick = surrogate.Surrogate(_NORMAL)
    rngs = [Rng(b"bench", nth) for nth in range(drops)]  # a batch has a few drops: a generator each is the dear case
    start = process_time()
    for rng in rngs:
        quick.drop(tower, RESTING, 0, rng)
    return drops / (process_time() - start)


def likeness(corpus: Corpus) -> dict[str, float]:
    """Compare the surrogate with the physics, drop by drop on as many cubes, and ask whether beliefs come true."""
    floors = corpus.floors
    drops = [(int(resting), _quick(int(resting), nth)) for nth, resting in enumerate(np.tile(corpus.resting, 5))]
    quick_floors = np.array([floor for _, (floor, _) in drops])
    quick = _believed([resting for resting, _ in drops], np.array([heard for _, (_, heard) in drops]))
    ear = net(_NORMAL)
    posterior = ear.posterior(corpus.heard[_NORMAL].features)
    real = _believed(corpus.resting.tolist(), posterior / ear.prior)
    error = train.top1(quick, quick_floors) - train.top1(real, floors)
    return {
        "surrogate_listener_top1": train.top1(quick, quick_floors),
        "surrogate_listener_error": abs(error),
        "belief_calibration_max_error": max(miscalibration(real, floors), miscalibration(quick, quick_floors)),
        "knocks_per_1000": float(1000 * (corpus.knocks > 0).mean()),
    }


def _quick(resting: int, nth: int) -> tuple[int, tuple[float, ...]]:
    tower = Tower(tuple(Resting(cube, 0) for cube in range(resting)))
    drop = surrogate.Surrogate(_NORMAL).drop(tower, resting, 0, Rng(b"likeness", nth))
    return drop.floor, surrogate.spoken(drop.sound)


def _believed(resting: Sequence[int], likelihoods: Floats) -> Floats:
    """Return what a listener believes of each drop: the law times the likelihood."""
    both = np.array([surrogate.law(cubes) for cubes in resting]) * likelihoods
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def miscalibration(posterior: Floats, floors: Ints) -> float:
    """Return how far five bins of probabilities are from what came true, at most."""
    true = np.eye(FLOORS)[floors].ravel()
    said = posterior.ravel()
    bins = np.digitize(said, _BINS) - 1
    return max(
        (abs(float(said[bins == b].mean() - true[bins == b].mean())) for b in range(5) if (bins == b).any()),
        default=0.0,
    )
