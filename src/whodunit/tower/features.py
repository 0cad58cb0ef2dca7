"""What can be heard in a clip, as numbers. Samples go in and nothing else: not its size, its time or its file."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from whodunit.tower import flac

Floats = NDArray[np.float64]
Samples = NDArray[np.float32]

_HOP: Final = flac.RATE // 1000
"""Samples of a millisecond: the ear's clock here."""
_RISE: Final = 6.5
"""Decibels within some milliseconds that make an onset."""
_BACK: Final = 9
_CLEAR: Final = 11.0
"""Decibels over the room's noise."""
_LOUD: Final = 12.0
"""Decibels below the loudest that still count as loud."""
_WINDOW: Final = 512
"""Samples of one look at the timbre."""
_BANDS: Final = 20
_FIRSTS: Final = 6
"""Onsets whose times and levels are told one by one."""
_COLUMNS: Final = 200
"""Columns of the loudness picture, 10 ms each."""
_PICTURE_FLOOR: Final = -60.0
_PICTURE_LEVELS: Final = 24
_STROKE: Final = 0.1
"""What a column must stand over those before it."""

HUMAN: Final = 10
"""How many of the features, the first ones, a person could name."""


def features(samples: Samples) -> Floats:
    """Return all features of a clip: the ten human cues first, then rhythm, then timbre."""
    mono = samples.mean(axis=1)
    level = loudness(mono)
    onsets = _onsets(level)
    peaks = _peaks(level, onsets)
    return np.concatenate([_cues(mono, onsets, peaks), _rhythm(onsets, peaks), _timbre(mono, onsets)])


def loudness(mono: Samples) -> Floats:
    """Return the level of each millisecond in decibels."""
    power = (mono[: len(mono) // _HOP * _HOP].reshape(-1, _HOP) ** 2).mean(axis=1)
    smooth = np.convolve(power.astype(np.float64), [0.25, 0.5, 0.25], mode="same")
    return np.asarray(10 * np.log10(smooth + 1e-9))


def picture(samples: Samples) -> Floats:
    """Return the loudness picture, for those who do not hear: the level of every 10 ms, from 0 to 1 in steps.

    Sixty decibels of the mean of both ears, in 24 steps; whoever draws it elsewhere draws these.
    """
    size = len(samples) // _COLUMNS
    power = (samples[: size * _COLUMNS].mean(axis=1).reshape(_COLUMNS, size) ** 2).mean(axis=1)
    height = np.clip(1 - 10 * np.log10(power + 1e-9) / _PICTURE_FLOOR, 0, 1)
    return np.asarray(np.rint(height * _PICTURE_LEVELS) / _PICTURE_LEVELS)


def seen(shown: Floats) -> Floats:
    """Return what an eye makes of the picture: how many strokes, how high, when, and the picture itself, coarser."""
    before = np.minimum(np.roll(shown, 1), np.roll(shown, 2))
    rise = np.where(np.arange(_COLUMNS) < 2, 0, shown - before)
    struck = (rise >= _STROKE) & (rise >= np.roll(rise, 1)) & (rise > np.roll(rise, -1))
    strokes = np.flatnonzero(struck) if struck.any() else np.array([int(shown.argmax())])
    heights = shown[np.minimum(strokes[:, None] + np.arange(2), _COLUMNS - 1)].max(axis=1)
    high = strokes[heights > heights.max() - _LOUD / -_PICTURE_FLOOR]
    cues = [len(strokes), len(high), strokes[0], strokes[-1], high[-1], strokes[heights.argmax()], heights.max()]
    early = [(strokes - strokes[0] < limit).sum() for limit in (5, 10, 20, 30, 40)]
    return np.concatenate(
        [cues, early, heights.mean(keepdims=True), shown[: _COLUMNS // 2].reshape(-1, 4).mean(axis=1)]
    )


def _onsets(level: Floats) -> NDArray[np.int64]:
    """Find the milliseconds in which something strikes."""
    padded = np.concatenate([np.full(_BACK, level[0]), level])
    before = np.lib.stride_tricks.sliding_window_view(padded, _BACK)[:-1].min(axis=1)
    rise = np.where(level > np.median(level) + _CLEAR, level - before, 0.0)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(rise, 4), 9).max(axis=1)
    found = np.flatnonzero((rise >= _RISE) & (rise == around))
    return found if len(found) else np.array([int(level.argmax())])


def _peaks(level: Floats, onsets: NDArray[np.int64]) -> Floats:
    """Return how loud each onset gets within its first milliseconds."""
    within = np.minimum(onsets[:, None] + np.arange(6), len(level) - 1)
    return np.asarray(level[within].max(axis=1))


def _cues(mono: Samples, onsets: NDArray[np.int64], peaks: Floats) -> Floats:
    """Count and time the knocks as a person would: how many, how loud, when, how bright."""
    loud = np.flatnonzero(peaks > peaks.max() - _LOUD)
    first, last, loudest = int(onsets[0]), int(onsets[loud[-1]]), int(onsets[peaks.argmax()])
    return np.array([
        len(onsets),
        len(loud),
        first,
        float(onsets[-1] - first),
        last,
        *(_centroid(mono, at) for at in (first, loudest, last)),
        float(peaks.max()),
        loudest,
    ])  # fmt: skip


def _rhythm(onsets: NDArray[np.int64], peaks: Floats) -> Floats:
    """Tell the first onsets one by one, and the gaps between all of them."""
    times, levels = np.full(_FIRSTS, float(onsets[-1])), np.full(_FIRSTS, float(peaks[-1]))
    number = min(_FIRSTS, len(onsets))
    times[:number], levels[:number] = onsets[:number], peaks[:number]
    gaps = np.diff(onsets, append=onsets[-1] + 200)
    third = np.array_split(peaks, 3)
    return np.concatenate([
        np.diff(times),
        levels,
        [np.log(gaps.max()), np.log(np.median(gaps)), float(onsets[np.argmax(gaps[:-1])] if len(gaps) > 1 else 0)],
        [float(part.mean()) if len(part) else float(peaks[-1]) for part in third],
        [float((onsets - onsets[0] < limit).sum()) for limit in (50, 100, 200, 300, 400)],
    ])  # fmt: skip


def _timbre(mono: Samples, onsets: NDArray[np.int64]) -> Floats:
    """Return the bands of the first knock, of all of them, and of the last four."""
    looks = np.minimum(onsets * _HOP, len(mono) - _WINDOW)[:, None] + np.arange(_WINDOW)
    power = np.abs(np.fft.rfft(mono[looks] * np.hanning(_WINDOW))) ** 2 @ _bands().T
    return np.concatenate([np.log(part.mean(axis=0) + 1e-7) for part in (power[:1], power, power[-4:])])


def _centroid(mono: Samples, at: int) -> float:
    start = min(at * _HOP, len(mono) - _WINDOW)
    power = np.abs(np.fft.rfft(mono[start : start + _WINDOW] * np.hanning(_WINDOW))) ** 2
    frequency = np.fft.rfftfreq(_WINDOW, 1 / flac.RATE)
    return float(np.log((power * frequency).sum() / (power.sum() + 1e-12) + 1))


@lru_cache
def _bands() -> Floats:
    """Return triangles over the spectrum, evenly spaced as the ear spaces pitch."""
    frequency = np.fft.rfftfreq(_WINDOW, 1 / flac.RATE)
    mel = np.linspace(2595 * np.log10(1 + 60 / 700), 2595 * np.log10(1 + 11000 / 700), _BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    rising = (frequency - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - frequency) / (edges[2:] - edges[1:-1])[:, None]
    return np.asarray(np.clip(np.minimum(rising, falling), 0, None))
