"""Falls to train the ear on, as a page gets them, and whether the tower is installed that they need."""

from base64 import b64encode

from msgspec import Struct

from whodunit import tower
from whodunit.core.errors import BadOptions, Refusal
from whodunit.core.rng import Rng
from whodunit.games.arosa.facts import FLOORS, Floor


class Practice(Struct, frozen=True):
    """A fall to train the ear on, made anew for each ask."""

    clip: str
    """The sound file in base64: what a table's clip is."""
    floor: int
    """Where the cube came to lie."""
    resting: tuple[int, ...]
    """By floor, how many cubes lay there when it fell."""
    pose: str
    """Where exactly the cube came to lie, in base64: what a closed case says of each of its cubes."""
    ear: int
    """Which floor the trained listener would have named."""


def practise(difficulty: tower.Difficulty, floor: Floor | None, rng: Rng) -> Practice:
    """Let a cube fall that counts for nothing; with a floor, one that comes to lie there."""
    if floor is not None and floor not in FLOORS:
        raise BadOptions(f"the hotel has no floor {floor}")
    fall = tower.practise(difficulty, floor, rng)
    return Practice(b64encode(fall.sound).decode(), fall.floor, fall.resting, b64encode(fall.pose).decode(), fall.ear)


def check_installed() -> None:
    """Refuse to let people play where no real cube can fall."""
    if not tower.is_installed():
        raise Refusal("no_tower", "real cubes need what whodunit-games[tower] installs")
