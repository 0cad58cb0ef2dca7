"""How a fall sounds: every knock strikes the boxes' modes, the storeys muffle it, the room answers.

Modal synthesis (van den Doel, Kry, Pai 2001) with a click for the small cube itself (Chadwick, Zheng, James 2012). The
modes are drawn afresh for every drop (Traer, Cusimano, McDermott 2019): a timbre kept for a game would be a fingerprint
of each floor. Nothing is added to mislead, and every clip lasts as long as any other.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from whodunit.tower import facts, flac, scene
from whodunit.tower.facts import Acoustics, Difficulty
from whodunit.tower.impacts import Contacts, Impact, impacts

Floats = NDArray[np.float32]
"""Single precision is finer than eleven bits by far, and half the work."""

SECONDS: Final = 2.0
LENGTH: Final = int(flac.RATE * SECONDS)

_BOXES: Final = len(facts.WIDTHS)
_TONE: Final = 2048
"""Samples of one knock's answer; the lowest mode is silent by then."""
_ROOM: Final = 55_296
"""Samples of a clip and of the room's answer behind it, and a number that transforms quickly."""
_START: Final = 0.02
"""Seconds between the beginning of a clip and the release, before any lead."""
_FADE: Final = 0.08
_LOUDNESS: Final = 1.1

_TOP: Final = 900.0
_RATIOS: Final = np.array([1, 1.63, 2.5, 3.2, 4.1, 5.3])
_GAINS: Final = np.array([1, 0.8, 0.6, 0.45, 0.35, 0.25])
_TABLE: Final = 190 * np.array([1, 2.3, 3.9])
_WOOD: Final = np.array([3800.0, 5600.0, 7400.0])
_BOARD_Q, _TABLE_Q, _WOOD_Q = 9.0, 5.0, 12.0

_STRIKES: Final = {scene.PLATE: 1.0, scene.WALL: 0.6, scene.TABLE: 0.35, scene.CUBE: 0.35}
"""How much of a knock goes into the boxes."""
_CLICK: Final = 0.45
_WET: Final = 0.16
_REVERB: Final = 0.3
"""Seconds until the room's answer is 60 dB down."""


def clip(contacts: Contacts, chance: np.random.Generator, difficulty: Difficulty) -> bytes:
    """Render one fall: two seconds, two ears, as many bytes as any other."""
    return flac.encode(render(impacts(contacts), chance, facts.ACOUSTICS[difficulty]))


def render(knocks: Sequence[Impact], chance: np.random.Generator, acoustics: Acoustics) -> Floats:
    """Return the samples, a column for each ear."""
    start = _START + chance.uniform(0, 1) * acoustics.lead
    boxes, clicks, table, wood = _voices(chance, acoustics)
    dry = np.zeros(LENGTH + _TONE, dtype=np.float32)
    for knock in knocks:
        at = int((start + knock.seconds) * flac.RATE)
        if at >= LENGTH:
            break
        kind = knock.thing // scene.WALL * scene.WALL
        speed = knock.speed * np.exp(chance.normal(0, 0.25))
        tone = _STRIKES[kind] * boxes[knock.box] + _CLICK * (0.7 if kind == scene.WALL else 1) * clicks[knock.box]
        if kind == scene.TABLE:
            tone = tone + acoustics.table * table
        elif kind == scene.CUBE:
            tone = tone + 0.5 * wood[knock.box]
        # A harder blow is shorter, and so brighter.
        width = max(3, round(0.00022 * max(speed, 0.01) ** -0.2 * flac.RATE))
        pulse = np.hanning(width + 2)[1:-1]
        struck = np.convolve(tone, (pulse / pulse.sum() * speed).astype(np.float32))[:_TONE]
        dry[at : at + _TONE] += struck
    return _in_a_room(dry[:LENGTH] * np.float32(_LOUDNESS), chance, acoustics)


def _voices(chance: np.random.Generator, acoustics: Acoustics) -> tuple[Floats, Floats, Floats, Floats]:
    """Draw how everything sounds in this drop: what a knock in each box, its click, the table and the wood give."""
    number = np.arange(_BOXES)
    together = np.exp(chance.normal(0, acoustics.detune, (_BOXES, 1)))
    alone = np.exp(chance.normal(0, acoustics.jitter, (_BOXES, len(_RATIOS))))
    base = _TOP * (facts.WIDTHS[-1] / np.array(facts.WIDTHS)) ** (2 * acoustics.spread)
    pitches = base[:, None] * together * _RATIOS * alone
    gains = _GAINS * chance.uniform(0.3, 1, pitches.shape)
    singing = _modes(pitches, gains, _BOARD_Q, chance)
    coupling = acoustics.couple ** np.abs(number[:, None] - number)
    coupling /= coupling.sum(axis=0)

    depth = _BOXES - 1 - number
    path = _path(depth, acoustics)
    heard = _filtered(singing, path)
    boxes = coupling.T.astype(np.float32) @ heard

    burst = np.zeros((_BOXES, _TONE), dtype=np.float32)
    ticks = int(0.0012 * flac.RATE)
    burst[:, :ticks] = chance.normal(size=(_BOXES, ticks)) * np.exp(-np.arange(ticks) / ticks * 3)
    frequency = np.fft.rfftfreq(2 * _TONE, 1 / flac.RATE)
    outside = (1 + (1500 / np.maximum(frequency, 1)) ** 4) * (1 + (frequency / 8000) ** 4)
    band = path / outside.astype(np.float32)
    clicks = _filtered(burst, band)

    detuned = np.exp(chance.normal(0, acoustics.detune, 2))
    low = _modes(_TABLE[None] * detuned[0], chance.uniform(0.6, 1, (1, len(_TABLE))), _TABLE_Q, chance)
    high = _modes(_WOOD[None] * detuned[1], chance.uniform(0.3, 1, (1, len(_WOOD))), _WOOD_Q, chance)
    table = _filtered(low, path[:1])[0]
    wood = _filtered(high, path)
    return boxes, clicks, table, wood


def _filtered(tones: Floats, response: NDArray[np.complex64]) -> Floats:
    return np.asarray(np.fft.irfft(np.fft.rfft(tones, 2 * _TONE) * response)[:, :_TONE], dtype=np.float32)


def _modes(
    pitches: NDArray[np.float64], gains: NDArray[np.float64], quality: float, chance: np.random.Generator
) -> Floats:
    """Return a row for each voice: its dying tones added up."""
    time = (np.arange(_TONE) / flac.RATE).astype(np.float32)
    phases = chance.uniform(0, 2 * np.pi, pitches.shape).astype(np.float32)
    audible = np.where(pitches < flac.RATE * 0.45, gains, 0).astype(np.float32)
    angle = (2 * np.pi * pitches[..., None]).astype(np.float32) * time
    tones = np.sin(angle + phases[..., None]) * np.exp(angle * np.float32(-1 / (2 * quality)))
    return np.asarray((audible[..., None] * tones).sum(axis=1))


def _path(depth: NDArray[np.int64], acoustics: Acoustics) -> NDArray[np.complex64]:
    """Return what the storeys above do to a sound from below: quieter, duller, later."""
    frequency = np.fft.rfftfreq(2 * _TONE, 1 / flac.RATE)
    gain = 10 ** (-acoustics.attenuation * depth / 20)
    edge = 9000 * acoustics.muffle ** (2.0 * depth)
    ratio = 1j * frequency / edge[:, None]
    later = np.exp(-2j * np.pi * frequency * (0.0009 + 0.00009 * depth[:, None]))
    return np.asarray(gain[:, None] / (1 + np.sqrt(2) * ratio + ratio**2) * later, dtype=np.complex64)


def _in_a_room(dry: Floats, chance: np.random.Generator, acoustics: Acoustics) -> Floats:
    """Add the room's answer for each ear and its own noise; whatever still sounds at the end fades."""
    time = np.arange(int(_REVERB * flac.RATE)) / flac.RATE
    dying = np.exp(-6.9 * time / _REVERB) / np.sqrt(len(time) * 0.07)
    tails = chance.standard_normal((2, len(time)), dtype=np.float32) * dying.astype(np.float32)
    spectrum = np.fft.rfft(dry, _ROOM)
    wet = np.fft.irfft(spectrum * np.fft.rfft(tails, _ROOM), _ROOM)[:, :LENGTH]
    hiss = chance.standard_normal((2, LENGTH), dtype=np.float32) * np.float32(10 ** (acoustics.noise / 20))
    heard = np.tanh(dry + np.float32(_WET) * wet + hiss)
    fade = int(_FADE * flac.RATE)
    heard[:, -fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    return np.asarray(heard.T)
