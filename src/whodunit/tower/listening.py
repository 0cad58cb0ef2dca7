"""The trained ear: from the samples of a clip to a calibrated likelihood of each floor.

A small network, one for each difficulty, trained on thousands of real falls; `whodunit bench tower --rebuild` makes its
data anew. It was fitted to P(floor | clip) on falls whose floors follow the law, and so divides by that law.
"""

import json
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whodunit.tower import flac
from whodunit.tower.cubes import Likelihood
from whodunit.tower.facts import Difficulty
from whodunit.tower.features import features

Floats = NDArray[np.float64]


class Net(NamedTuple):
    """Features, made comparable, through one hidden layer (and past it) to a number for each floor."""

    mean: Floats
    scale: Floats
    hidden: Floats
    """Weights of the hidden layer, the last row its offsets."""
    out: Floats
    """Weights from the hidden layer, from the features themselves, and offsets, in this order."""
    prior: Floats
    """How often the floors came up in training."""

    def posterior(self, rows: Floats) -> Floats:
        """Return the probability of each floor, a row for each row, under the prior of the training."""
        return softmax(self.logits(rows))

    def logits(self, rows: Floats) -> Floats:
        plain = np.clip((rows - self.mean) / self.scale, -4, 4)
        return np.asarray(widened(plain, self.hidden) @ self.out)


def widened(plain: Floats, hidden: Floats) -> Floats:
    """Put the hidden layer before the features, and a one behind them."""
    one = np.ones((len(plain), 1))
    return np.hstack([np.tanh(np.hstack([plain, one]) @ hidden), plain, one])


def softmax(logits: Floats) -> Floats:
    """Turn rows of numbers into rows of probabilities."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


@lru_cache
def net(difficulty: Difficulty) -> Net:
    """Load the ear for a difficulty."""
    file = resources.files(__package__) / "data" / f"listener-{difficulty}.json"
    return Net(**{name: np.array(value) for name, value in json.loads(file.read_text("utf-8")).items()})


@lru_cache(maxsize=256)  # everybody in a process hears a game's clips, some of them more than once
def listen(clip: bytes, difficulty: Difficulty) -> Likelihood:
    """Return how likely the clip is for each floor, up to a factor."""
    ear = net(difficulty)
    row = ear.posterior(features(flac.decode(clip))[None])[0] / ear.prior
    return tuple(float(value) for value in row / row.max())
