"""Clips as files of one size for all: FLAC, which every browser decodes, filled up with its own padding block."""

from io import BytesIO
from typing import Final

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE: Final = 24_000
SIZE: Final = 1 << 16
"""Bytes of every clip."""

_BITS: Final = 11
"""Of the 16, those that say something: the room's noise is louder than the rest."""
_STREAMINFO: Final = 0
_PADDING: Final = 1
_LAST: Final = 0x80


def encode(samples: NDArray[np.float32], most: int = _BITS, size: int = SIZE) -> bytes:
    """Pack samples between -1 and 1 into a file of so many bytes; one too rich for it loses its finest bits."""
    for bits in range(most, 0, -1):
        file = BytesIO()
        soundfile.write(file, coarse(samples, bits), RATE, format="FLAC", subtype="PCM_16")
        info, frames = _parts(file.getvalue())
        room = size - len(info) - len(frames) - 12
        if room >= 0:
            padding = bytes([_LAST | _PADDING]) + room.to_bytes(3, "big") + bytes(room)
            return b"fLaC" + bytes([_STREAMINFO]) + len(info).to_bytes(3, "big") + info + padding + frames
    raise AssertionError("a clip of single bits fits")


def coarse(samples: NDArray[np.float32], bits: int = _BITS) -> NDArray[np.int16]:
    """Return the samples as a file keeps them: in so many bits, the rest zero."""
    step, most = 1 << (16 - bits), 1 << (bits - 1)
    return np.asarray(np.clip(np.rint(samples * most), -most, most - 1) * step, dtype=np.int16)


def decode(clip: bytes) -> NDArray[np.float32]:
    """Return the samples, a row for each moment and a column for each ear."""
    samples, rate = soundfile.read(BytesIO(clip), dtype="float32", always_2d=True)
    if rate != RATE:
        raise ValueError(f"a clip has {RATE} samples a second, not {rate}")
    return np.asarray(samples)


def _parts(file: bytes) -> tuple[bytes, bytes]:
    """Return the description of the stream and its frames; tags and seek tables stay behind."""
    place, info, last = 4, b"", False
    while not last:
        kind, length = file[place], int.from_bytes(file[place + 1 : place + 4], "big")
        last = bool(kind & _LAST)
        if kind & ~_LAST == _STREAMINFO:
            info = file[place + 4 : place + 4 + length]
        place += 4 + length
    return info, file[place:]
