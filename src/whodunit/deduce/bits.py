"""How much an observation would tell, estimated from worlds in which it is imagined."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import log, log2
from typing import Any


def bits(seen: Sequence[Hashable], answers: Iterable[tuple[Hashable, ...]]) -> float:
    """Estimate the information that what is seen has about each part of the answer, summed up (Miller-Madow)."""
    names: dict[Hashable, int] = {}
    sights = [names.setdefault(sight, len(names)) for sight in seen]
    if len(names) == 1:
        return 0.0
    about_seen = _entropy(Counter(sights))
    told = 0.0
    for part in zip(*answers, strict=True):
        told += about_seen + _entropy(Counter(part)) - _entropy(Counter(zip(sights, part, strict=True)))
    return max(0.0, told)


def _entropy(counts: Counter[Any]) -> float:
    total = counts.total()
    plain = log2(total) - sum(count * log2(count) for count in counts.values()) / total
    return plain + (len(counts) - 1) / (2 * total * log(2))
