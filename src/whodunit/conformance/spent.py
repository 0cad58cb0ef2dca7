"""How long a plug's functions and a belief's enumeration take, so that a slow suite says where it is slow."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from whodunit.conformance.plug import Possible

TOLD: Final = 5.0
"""Seconds; whatever takes less altogether is not worth a word."""
MOST: Final = 5
"""So many of the slowest are named."""


class Spent:
    """Seconds by what took them; of one within another they count for the inner one alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = 0.0

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        """Measure what is done meanwhile."""
        before, self._inner, start = self._inner, 0.0, perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - start
            self.seconds[what] += took - self._inner
            self._inner = before + took

    def each(self, what: str, values: Iterable[Any]) -> Iterator[Any]:
        """Yield the values, and measure how long they take to come."""
        rest = iter(values)
        while True:
            with self.on(what):
                try:
                    value = next(rest)
                except StopIteration:
                    return
            yield value

    def calls(self, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, measured."""

        def measured(*args: Any) -> Any:
            with self.on(what):
                return function(*args)

        return measured


SPENT: Final = Spent()
"""Of this process."""


class Measured:
    """A belief of a plug, measured."""

    def __init__(self, possible: Possible, game: str) -> None:
        self._possible = possible
        self._game = game

    def learn(self, event: Any) -> "Measured":
        with SPENT.on(f"{self._game}: belief.learn"):
            return Measured(self._possible.learn(event), self._game)

    def worlds(self) -> Iterator[Any]:
        return SPENT.each(f"{self._game}: belief.worlds", self._possible.worlds())

    def allows(self, world: Any) -> bool:
        with SPENT.on(f"{self._game}: belief.allows"):
            return self._possible.allows(world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measured) and self._possible == other._possible

    __hash__ = None  # type: ignore[assignment]  # as its belief need have none


def report(seconds: Mapping[str, float]) -> list[str]:
    """Return a line for each of the slowest, or none if nothing was slow."""
    if sum(seconds.values()) < TOLD:
        return []
    slowest = sorted(seconds.items(), key=lambda item: -item[1])
    return [f"{took:7.1f} s  {what}" for what, took in slowest[:MOST]]
