"""A bar on a terminal for work that takes long."""

import sys
from typing import Final

WIDTH: Final = 30


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, total: int, what: str = "") -> None:
        self._total = max(total, 1)
        self._what = f"{what} " if what else ""
        self._done = 0

    def step(self, count: int = 1) -> None:
        """Count so many more."""
        done, self._done = self._done, min(self._done + count, self._total)
        if sys.stderr.isatty() and done != self._done:
            filled = WIDTH * self._done // self._total
            end = "\n" if self._done == self._total else ""
            bar = f"{'#' * filled}{'.' * (WIDTH - filled)}"
            sys.stderr.write(f"\r{self._what}[{bar}] {self._done}/{self._total}{end}")
            sys.stderr.flush()

    def end(self) -> None:
        """Fill the bar: what was to be done was less than it seemed."""
        self.step(self._total)
