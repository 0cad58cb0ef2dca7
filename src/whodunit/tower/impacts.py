"""From a log of contacts to knocks: what the ear takes for one blow of one thing against another."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whodunit.tower import facts, scene

Floats = NDArray[np.float64]

_LOUD: Final = 0.012
"""Newtons; three cubes at rest press as much."""
_STANDS_OUT: Final = 0.0084
_APART: Final = 4
"""Steps between two knocks on one thing."""
_WIDTH: Final = 2
"""Steps to either side that belong to a knock."""
_MASS: Final = facts.DENSITY * facts.CUBE**3


class Contacts(NamedTuple):
    """Everything that touched while a cube fell: a row for each step and pair. It names storeys: never to be sent."""

    step: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    """What touched: a scene's code of a plate, a wall, the table, or a cube."""
    force: Floats
    height: Floats


class Impact(NamedTuple):
    """One knock: when, on what, and how fast a cube would have to be to strike so hard."""

    seconds: float
    thing: int
    """A scene's code."""
    box: int
    """The storey in which it happens."""
    speed: float


def impacts(contacts: Contacts) -> list[Impact]:
    """Find the knocks, in the order of time."""
    found: list[Impact] = []
    if not len(contacts.step):
        return found
    first, second = contacts.first, contacts.second
    # A cube touches a fixed thing, or another cube; then the storey is where they meet.
    cubes = (first == scene.CUBE) & (second == scene.CUBE)
    storey = np.clip(contacts.height // facts.STOREY, 0, len(facts.WIDTHS) - 1).astype(np.int64)
    things = np.where(cubes, scene.CUBE + storey, np.minimum(first, second))
    length = int(contacts.step.max()) + 2 * _APART + 1
    for thing in np.unique(things):
        here = things == thing
        steps = contacts.step[here] + _APART
        force = np.asarray(np.bincount(steps, weights=contacts.force[here], minlength=length), dtype=np.float64)
        for peak in _peaks(force):
            impulse = float(force[max(0, peak - _WIDTH) : peak + _WIDTH + 1].sum()) * facts.TIME_STEP
            seconds = (peak - _APART) * facts.TIME_STEP
            found.append(Impact(seconds, min(int(thing), scene.CUBE), _box(int(thing)), impulse / _MASS))
    return sorted(found)


def _box(thing: int) -> int:
    if thing >= scene.CUBE:
        return thing - scene.CUBE
    return 0 if thing == scene.TABLE else thing % scene.WALL


def _peaks(force: Floats) -> list[int]:
    """Find maxima that are high, stand out from what is round them, and are no neighbours."""
    middle = force[1:-1]
    top = np.flatnonzero((middle > force[:-2]) & (middle >= force[2:]) & (middle > _LOUD)) + 1
    taken: list[int] = []
    for peak in top[np.argsort(-force[top], kind="stable")].tolist():
        around = force[max(0, peak - _APART) : peak], force[peak + 1 : peak + 1 + _APART]
        base = max(float(side.min()) if len(side) else 0.0 for side in around)
        if force[peak] - base >= _STANDS_OUT and all(abs(peak - other) >= _APART for other in taken):
            taken.append(peak)
    return taken
