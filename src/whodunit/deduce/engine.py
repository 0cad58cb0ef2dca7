"""Chooses who counts: Python alone, or the compiled kernel where it has been built. Both give the same answers."""

from collections.abc import Sequence
from typing import Final, Protocol

from whodunit.deduce import frontier, native
from whodunit.deduce.frontier import Solution
from whodunit.deduce.reduce import Knowledge
from whodunit.deduce.worlds import World, joint, possible, worlds


class Engine(Protocol):
    """Everything that is asked of a position; raises TooWide rather than take for ever."""

    def solve(self, known: Knowledge, /) -> Solution:
        """Return the weight of all worlds, and of those in which an element is with a holder."""

    def joint(self, known: Knowledge, holder: int, /) -> dict[int, int]:
        """Return the weight of every hand that the holder may have."""

    def worlds(self, known: Knowledge, ranks: Sequence[int], /) -> list[World]:
        """Return the worlds of these ranks, each below the total."""

    def possible(self, known: Knowledge, /) -> bool:
        """Say whether any world fits."""


class Pure:
    """The engine that needs nothing but Python."""

    solve = staticmethod(frontier.solve)
    joint = staticmethod(joint)
    worlds = staticmethod(worlds)
    possible = staticmethod(possible)


PURE: Final[Engine] = Pure()
"""Counts in Python alone: the same answers wherever there is no compiled kernel, 10 to 90 times slower."""


def best() -> Engine:
    """Return the quickest engine there is."""
    return native.load() or PURE
