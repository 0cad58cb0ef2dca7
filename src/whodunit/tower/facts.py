"""The tower's measures and the levels of difficulty: tables, no code.

No source gives the cubes, holes or boxes in millimetres: these are our choice, tuned so that no floor is a favourite.
The tower is about 25 cm high and stepped, its holes are nearly but not quite in line (docs/rules/arosa.md, section 7).
"""

from typing import Final, Literal, NamedTuple, TypeAlias

Difficulty: TypeAlias = Literal["clear", "normal", "hard"]
"""How much the sound of a drop tells."""

# Metres, kilograms, seconds.
STOREY: Final = 0.031
CUBE: Final = 0.008
DENSITY: Final = 700.0
HOLE: Final = 0.023
LID: Final = 0.002
WALL: Final = 0.004
WIDTHS: Final = tuple(0.124 - 0.009 * box for box in range(8))
"""The inner side of each box, from the ground up."""
HOLES: Final = (
    (0.003, -0.003),
    (-0.0028, 0.0028),
    (0.0024, 0.0014),
    (-0.0012, -0.0016),
    (0.0016, 0.0004),
    (-0.0004, 0.0012),
    (0.0016, -0.0014),
    (0.0, 0.0),
)
"""How far the hole in each box's lid lies off the axis, up to 3 mm; the hand aims at the top one. The lower, the worse:
otherwise few cubes would stop between the ground floor and the fourth."""

FRICTION: Final = 0.45
DAMPING: Final = 0.29
"""Lively, but it settles."""
TIME_STEP: Final = 0.0005
"""Twice as long, and cubes tunnel through lids."""
LONGEST_FALL: Final = 3.0
"""About one fall in a thousand is still rocking then, and is taken as it lies."""

RELEASE_HEIGHT: Final = 0.005
RELEASE_SPREAD: Final = 0.003
RELEASE_SPEED: Final = 0.08
"""Sideways, the deviation of each component."""
RELEASE_PUSH: Final = 0.5
"""Downwards, at most."""
RELEASE_SPIN: Final = 15.0


class Acoustics(NamedTuple):
    """What a difficulty does to the sound."""

    spread: float
    """How far the boxes' voices are apart: 1 is the law of plates."""
    couple: float
    """How much a box sings along with its neighbour."""
    detune: float
    jitter: float
    """How far the voices of one drop stray from those of another: all modes together, and each alone."""
    attenuation: float
    """Decibels a storey."""
    muffle: float
    """What a storey leaves of the treble."""
    table: float
    """How much of the table's own thud is heard."""
    lead: float
    """Seconds of silence before the release, at most."""
    noise: float
    """Decibels of the room's own noise."""


ACOUSTICS: Final[dict[Difficulty, Acoustics]] = {
    "clear": Acoustics(0.8, 0.35, 0.03, 0.03, 1.4, 0.9, 0.5, 0.0, -54.0),
    "normal": Acoustics(0.6, 0.5, 0.06, 0.06, 1.2, 0.92, 0.25, 0.0, -50.0),
    "hard": Acoustics(0.45, 0.6, 0.09, 0.08, 0.7, 0.95, 0.25, 0.15, -44.0),
}
