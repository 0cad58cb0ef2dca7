"""The word for a loss. One rule serves labels, counts, totals and second tries, so that they never disagree."""

from collections.abc import Mapping
from typing import Final

from whodunit.core.judging import Measure, Unit
from whodunit.review.verdict import Label

AS_GOOD: Final[Mapping[Unit, float]] = {"bits": 0.05, "points": 0.05, "chance": 0.02}
"""A loss of so little is none; nor is one of a tenth of what was on offer."""
A_TENTH: Final = 0.1
SLIGHT: Final[Mapping[Unit, float]] = {"bits": 0.1, "points": 0.1, "chance": 0.05}
NEARLY_ALL: Final = 0.85
"""Who loses slightly, or keeps so much, has done well."""
MATTERS: Final[Mapping[Unit, float]] = {"bits": 0.05, "points": 0.05, "chance": 0.02}
"""Where less lies between the best and the worst on offer, there was nothing to decide."""
SURELY: Final = 2.0
"""So many standard errors are taken off a loss that rests on samples, before it has a name."""


def label(loss: float, stake: float, unit: Unit, measure: Measure, above: float) -> Label:
    """Name a loss, of so much on offer; `above` is how much better than the average of all on offer the choice was."""
    share = kept(loss, stake, measure)
    if loss <= max(AS_GOOD[unit], A_TENTH * stake):
        is_stroke = measure.stroke is not None and loss <= AS_GOOD[unit] and above >= measure.stroke
        return "masterstroke" if is_stroke else "best"
    if loss <= SLIGHT[unit] or share >= NEARLY_ALL:
        return "good"
    if loss > measure.loss and share < measure.share:
        return "blunder"
    return "mistake" if loss > measure.loss / 2 and share < max(0.6, measure.share) else "inaccuracy"


def kept(loss: float, stake: float, measure: Measure) -> float:
    """Return how much of what was on offer is kept; where nothing was, all of it."""
    whole = max(stake, measure.least)
    return min(1.0, max(0.0, 1 - loss / whole)) if whole else 1.0
