"""How often somebody may do what costs others something: so much a second, after a first burst, for each key."""

import time
import zlib
from collections.abc import Mapping
from typing import Final

KEPT: Final = 20_000
"""How many keys have a count of their own."""
SHARED: Final = 1024
"""So many counts are shared by all other keys, while there are more: nobody is let off because others come, too."""
TOLD: Final = 0.01
"""What has been used is told to other nodes in portions of this share of the burst."""


class RateLimit:
    """So much a second, after a first burst."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = time.monotonic()

    def admits(self, cost: float = 1.0, spare: float = 0.0) -> bool:
        """Count one more, or say that it is too much; what is to be left over, `spare`, is for what matters more."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost + spare:
            return False
        self._left -= cost
        return True

    def take(self, cost: float) -> None:
        """Count what has been used elsewhere, whether or not it was there to be used."""
        self.admits(0.0)
        self._left = max(-self._burst, self._left - cost)

    def is_full_by(self, now: float) -> bool:
        """Say whether everything that was ever used is back: then it is as good as new."""
        return self._left + (now - self._at) * self._rate >= self._burst


class RateLimits:
    """What each of many is allowed. Only what is as good as new is forgotten, however many there are."""

    def __init__(self, rate: float, burst: float, kept: int = KEPT) -> None:
        self._rate = rate
        self._burst = burst
        self._kept = kept
        self._allowed: dict[str, RateLimit] = {}
        self._used: dict[str, float] = {}
        """By key: what has been used here and not been told to other nodes."""

    def admits(self, key: str, cost: float = 1.0, *, spare: float = 0.0) -> bool:
        """Count what this costs for the key, or say that it is too much.

        Of what the key may use at once, the share `spare` is to be left over: for what matters more.
        """
        key, allowed = self._of(key)
        if not allowed.admits(cost, spare * self._burst):
            return False
        self._used[key] = self._used.get(key, 0.0) + cost
        return True

    def take(self, used: Mapping[str, float]) -> None:
        """Count what other nodes have let these keys use."""
        for key, cost in used.items():
            self._of(key)[1].take(cost)

    def take_used(self) -> dict[str, float]:
        """Return what has been used here since this was last asked, for other nodes to know: not every crumb."""
        told = {key: used for key, used in self._used.items() if used >= TOLD * self._burst}
        self._used = {key: used for key, used in self._used.items() if key not in told and key in self._allowed}
        return told

    def _of(self, key: str) -> tuple[str, RateLimit]:
        """Return what is allowed, and by which key that is counted, as the one that was last asked for."""
        allowed = self._allowed.pop(key, None)
        if allowed is None:
            self._forget()
            if len(self._allowed) >= self._kept:
                key = f"shared {zlib.crc32(key.encode()) % SHARED}"
                allowed = self._allowed.pop(key, None)
            allowed = allowed or RateLimit(self._rate, self._burst)
        self._allowed[key] = allowed  # as the last, so that the first is the oldest
        return key, allowed

    def _forget(self) -> None:
        """Forget those of whom nothing was heard for longest, as long as they are as good as new."""
        now = time.monotonic()
        while self._allowed and self._allowed[oldest := next(iter(self._allowed))].is_full_by(now):
            del self._allowed[oldest]
            self._used.pop(oldest, None)
