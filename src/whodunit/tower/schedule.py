"""When a turn's drops are published and its clips released: by public facts alone, so that waiting tells nothing.

The longer a cube falls, the longer its fall takes to compute; nobody may see that.
"""

from math import ceil
from typing import Final

PUBLISHED: Final = 0.5
EACH_DROP: Final = 0.25
SOON_EACH_DROP: Final = 0.05
"""Where one person plays among bots: more than a fall takes to compute on any machine that serves a house."""
RELEASED: Final = 2.3
"""Seconds between two clips of a turn: each lasts two."""


def publication(drops: int, ready: float, beat: float | None = None) -> float:
    """Return the seconds from a turn's request to its publication, if everything was ready after so many.

    With a beat, as soon as can be: one beat, and as many more as the falls may take. Whatever comes later comes on a
    whole second: the less often somebody can see that it was late, the less it tells.
    """
    due = PUBLISHED + EACH_DROP * drops if beat is None else beat * (1 + ceil(SOON_EACH_DROP * drops / beat))
    return due if ready <= due else float(ceil(ready))


def releases(drops: int) -> tuple[float, ...]:
    """Return the seconds from the publication to the release of each clip."""
    return tuple(RELEASED * number for number in range(drops))
