"""How often somebody may do what costs others something: so many times a second, after a first burst, for each key."""

import time


class RateLimit:
    """So many a second, after a first burst."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = time.monotonic()

    def admits(self) -> bool:
        """Count one, or say that it is one too many."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RateLimits:
    """What each of many is allowed; of whom nothing was heard for longest is forgotten first."""

    def __init__(self, rate: float, burst: int, kept: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._kept = kept
        self._allowed: dict[str, RateLimit] = {}

    def admits(self, key: str) -> bool:
        """Count one for this key, or say that it is one too many."""
        allowed = self._allowed.pop(key, None) or RateLimit(self._rate, self._burst)
        self._allowed[key] = allowed  # as the last, so that the first is the oldest
        if len(self._allowed) > self._kept:
            del self._allowed[next(iter(self._allowed))]
        return allowed.admits()
