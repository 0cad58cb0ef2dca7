"""Makes the data that the tower ships with from a corpus of falls: ears, the law of floors, ways of sounding."""

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from whodunit.bench import report
from whodunit.bench.tower.corpus import Corpus
from whodunit.tower.cubes import FLOORS
from whodunit.tower.listening import Net, softmax, widened

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DATA: Final = Path(__file__).resolve().parents[2] / "tower" / "data"
FOLDS: Final = 5
HIDDEN: Final = 12
DECAY: Final = 0.02
_WAYS: Final = 192
"""Of sounding, among which the surrogate tells clips apart."""
SCALE: Final = 1 << 23
"""What the weights of all ways add up to, for each floor."""


def fit(rows: Floats, floors: Ints, hidden: int, decay: float, steps: int = 600, seed: int = 1) -> Net:
    """Fit a network with so many hidden cells (none: plain logistic regression) by Adam on the whole of the rows."""
    chance = np.random.Generator(np.random.PCG64(seed))
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    plain = np.clip((rows - mean) / scale, -4, 4)
    counts: Floats = np.bincount(floors, minlength=FLOORS) + np.float64(1)
    prior = counts / counts.sum()
    width = plain.shape[1]
    weights = [
        chance.normal(0, 1 / np.sqrt(width), (width + 1, hidden)),
        np.zeros((hidden + width + 1, FLOORS)),
    ]
    weights[1][:hidden] = chance.normal(0, 0.1, (hidden, FLOORS))
    weights[1][-1] = np.log(prior)
    target = np.eye(FLOORS)[floors]
    with_one = np.hstack([plain, np.ones((len(plain), 1))])
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    for step in range(1, steps + 1):
        wide = widened(plain, weights[0])
        off = (softmax(wide @ weights[1]) - target) / len(rows)
        slopes = [
            with_one.T @ ((off @ weights[1][:hidden].T) * (1 - wide[:, :hidden] ** 2)),
            wide.T @ off,
        ]
        for number, slope in enumerate(slopes):
            pull = weights[number].copy()
            pull[-1] = 0  # offsets are free
            slope = slope + decay * pull  # noqa: PLW2901
            first[number] = 0.9 * first[number] + 0.1 * slope
            second[number] = 0.999 * second[number] + 0.001 * slope**2
            rate = 0.02 * (1 - (step - 1) / steps)
            weights[number] -= (
                rate * (first[number] / (1 - 0.9**step)) / (np.sqrt(second[number] / (1 - 0.999**step)) + 1e-8)
            )
    return Net(mean, scale, weights[0], weights[1], prior)


def cross_validated(rows: Floats, floors: Ints, hidden: int, decay: float) -> Floats:
    """Return the logits for every row by a network that has never met it."""
    logits = np.zeros((len(rows), FLOORS))
    for fold in range(FOLDS):
        out = np.arange(len(rows)) % FOLDS == fold
        logits[out] = fit(rows[~out], floors[~out], hidden, decay).logits(rows[out])
    return logits


def temperature(logits: Floats, floors: Ints) -> float:
    """Return what logits are to be divided by, so that they are as sure as they are right."""
    tried = np.geomspace(0.5, 3, 60)
    return float(tried[np.argmin([log_loss(softmax(logits / warm), floors) for warm in tried])])


def log_loss(posterior: Floats, floors: Ints) -> float:
    """Return the bits that are missing to the floor, on average."""
    return float(-np.log2(posterior[np.arange(len(floors)), floors] + 1e-12).mean())


def top1(posterior: Floats, floors: Ints) -> float:
    """Return how often the likeliest floor is the right one."""
    return float((posterior.argmax(axis=1) == floors).mean())


def rebuild(corpus: Corpus, folder: Path = DATA) -> None:
    """Write all data files anew."""
    folder.mkdir(exist_ok=True)
    surrogate: dict[str, object] = {"law": _law(corpus.resting, corpus.floors), "knocks": _knocks(corpus)}
    ways: dict[str, list[list[int]]] = {}
    for name, heard in corpus.heard.items():
        logits = cross_validated(heard.features, corpus.floors, HIDDEN, DECAY)
        warm = temperature(logits, corpus.floors)
        posterior = softmax(logits / warm)
        report.progress(
            f"{name}: top-1 {top1(posterior, corpus.floors):.3f}, {log_loss(posterior, corpus.floors):.3f} bits left, "
            f"temperature {warm:.2f}"
        )
        ear = fit(heard.features, corpus.floors, HIDDEN, DECAY)
        _write(folder / f"listener-{name}.json", _rounded(ear._replace(out=ear.out / warm)))
        ways[name] = _sounding(posterior, ear.prior)
    _write(folder / "surrogate.json", surrogate | {"ways": ways})


def _law(resting: Ints, floors: Ints) -> list[list[float]]:
    """Fit how the floors' shares change with the cubes inside: offsets and slopes of their logarithms."""
    line = fit(resting[:, None].astype(float), floors, 0, 0.0001)
    slope = line.out[0] / line.scale[0]
    offset = line.out[1] - slope * line.mean[0]
    return [[round(float(value), 5) for value in column] for column in (offset, slope)]


def _knocks(corpus: Corpus) -> float:
    """Return how often a drop pushes a cube to another floor, for each cube inside."""
    return round(float((corpus.knocks > 0).sum() / corpus.resting.sum()), 7)


def _sounding(posterior: Floats, prior: Floats) -> list[list[int]]:
    """Sort what the ear made of the clips into ways of sounding; return how likely each is on each floor.

    Clips are counted for every floor as far as the ear believes in it: it is calibrated, and no way rules a floor out.
    """
    likely = posterior / prior
    roots = np.sqrt(likely / likely.sum(axis=1, keepdims=True))
    chance = np.random.Generator(np.random.PCG64(7))
    middles = roots[chance.choice(len(roots), min(_WAYS, len(roots)), replace=False)]
    nearest = np.zeros(len(roots), dtype=np.int64)
    for _ in range(40):
        nearest = (roots @ middles.T * 2 - (middles**2).sum(axis=1)).argmax(axis=1)
        middles = np.array(
            [
                roots[nearest == way].mean(axis=0) if (nearest == way).any() else middles[way]
                for way in range(len(middles))
            ]
        )
    counts = np.array([posterior[nearest == way].sum(axis=0) for way in np.unique(nearest)])
    weights = np.maximum(1, np.rint(counts / counts.sum(axis=0) * SCALE)).astype(np.int64)
    weights[weights.argmax(axis=0), np.arange(FLOORS)] += SCALE - weights.sum(axis=0)
    return [[int(weight) for weight in way] for way in weights]


def _rounded(ear: Net) -> dict[str, object]:
    return {
        name: json.loads(json.dumps(value.tolist()), parse_float=lambda digits: float(f"{float(digits):.4g}"))
        for name, value in ear._asdict().items()
    }


def _write(file: Path, data: object) -> None:
    file.write_text(json.dumps(data, separators=(",", ":")) + "\n", "utf-8")
