"""Things put on shelves unseen, shelves cleared in sight: what lies where, how likely. It knows no game.

Things of one kind cannot be told apart. Each is put on some shelf, with a weight for every shelf; now and then a shelf
is cleared, and everybody sees how many there were. Nothing moves meanwhile, so between two clearings of a shelf exactly
as many of the things put meanwhile came to lie there as the second clearing showed. That is all the evidence there is,
and a dynamic program over the entries from the last to the first counts it exactly: its state is, for every shelf that
will be cleared again, how many are still to come; a shelf that will not be cleared again needs none.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Shelf: TypeAlias = int
Weights: TypeAlias = tuple[float, ...]
Masses: TypeAlias = NDArray[np.float64]

STEP: Final = 1e-5
"""By how much a weight is raised to see how the total grows with it, which is the number to expect."""


class Put(NamedTuple):
    """Something was put on a shelf, on each with this weight."""

    weights: Weights


class Cleared(NamedTuple):
    """A shelf was cleared, and there were so many."""

    shelf: Shelf
    found: int


Entry: TypeAlias = Put | Cleared


class _Axes(NamedTuple):
    """How many are still to come to each shelf before it is cleared, at most; None where it will not be."""

    needs: tuple[int | None, ...]

    def size(self, shelf: Shelf) -> int:
        return 1 + (self.needs[shelf] or 0)

    def split(self, shelf: Shelf) -> tuple[int, int, int]:
        """Return the sizes before, on and after a shelf's axis."""
        sizes = [1 + (need or 0) for need in self.needs]
        return prod(sizes[:shelf]), sizes[shelf], prod(sizes[shelf + 1 :])

    def after(self, cleared: Cleared) -> "_Axes":
        """Return the axes as they are before a clearing, if these are those after it."""
        needs = list(self.needs)
        needs[cleared.shelf] = cleared.found
        return _Axes(tuple(needs))


class Shelves:
    """What is known of the things of one kind; a value: learning leaves it as it was."""

    def __init__(self, size: int, entries: Sequence[Entry] = ()) -> None:
        self.size = size
        self.entries = tuple(entries)

    def learn(self, *entries: Entry) -> "Shelves":
        """Return what is known after these entries."""
        return Shelves(self.size, (*self.entries, *entries))

    @property
    def total(self) -> float:
        """How likely it was that all is seen that was seen."""
        return self._start[0]

    @property
    def possible(self) -> bool:
        """Whether everything that was seen can be so."""
        return self.total > 0

    def none(self, shelf: Shelf) -> float:
        """Return how likely nothing lies on a shelf now; 0 and 1 only if that is certain."""
        return self._share(1 + shelf)

    def some(self, shelf: Shelf) -> float:
        """Return how likely something lies on a shelf now; 0 and 1 only if that is certain."""
        return 1.0 - self.none(shelf)

    def expected(self, shelf: Shelf) -> float:
        """Return how many things to expect on a shelf now."""
        return max(0.0, (self._share(1 + self.size + shelf) - 1.0) / STEP)

    def sample(self, words: Iterator[int], number: int) -> list[tuple[Shelf, ...]]:
        """Draw, independently and exactly, where everything was put, entry by entry."""
        found: list[Any] = []
        state = np.full(number, self._first, dtype=np.intp)
        for place, entry in enumerate(self.entries):
            axes, future = self._axes[place + 1], self._futures[place + 1][0]
            if isinstance(entry, Put):
                draws = np.array([word >> 11 for word in islice(words, number)], dtype=np.float64) * 2.0**-53
                shelves, state = _put(entry.weights, axes, future, state, draws)
                found.append(shelves)
            else:
                state = _turned(entry.shelf, self._axes[place], axes, state)
        return list(zip(*(shelves.tolist() for shelves in found), strict=True)) if found else [()] * number

    def worlds(self) -> Iterator[tuple[Shelf, ...]]:
        """Yield every way in which things can have been put, whatever its weight."""
        return self._from(0, self._first, ())

    def _from(self, place: int, state: int, put: tuple[Shelf, ...]) -> Iterator[tuple[Shelf, ...]]:
        if not self._futures[place][0][state]:
            return
        if place == len(self.entries):
            yield put
            return
        entry, axes = self.entries[place], self._axes[place + 1]
        if isinstance(entry, Cleared):
            (state,) = _turned(entry.shelf, self._axes[place], axes, np.array([state]))
            yield from self._from(place + 1, int(state), put)
            return
        for shelf in range(self.size):
            _, size, stride = axes.split(shelf)
            if axes.needs[shelf] is None:
                yield from self._from(place + 1, state, (*put, shelf))
            elif state // stride % size:
                yield from self._from(place + 1, state - stride, (*put, shelf))

    def mass(self, put: Sequence[Shelf]) -> float:
        """Return how likely everything was put so."""
        rest, lies, mass = iter(put), [0] * self.size, 1.0
        for entry in self.entries:
            if isinstance(entry, Put):
                shelf = next(rest)
                lies[shelf] += 1
                mass *= entry.weights[shelf]
            elif lies[entry.shelf] != entry.found:
                return 0.0
            else:
                lies[entry.shelf] = 0
        return mass / self.total if mass else 0.0

    @cached_property
    def _axes(self) -> list[_Axes]:
        """The axes before each entry, and after the last."""
        axes = [_Axes((None,) * self.size)]
        for entry in reversed(self.entries):
            axes.append(axes[-1].after(entry) if isinstance(entry, Cleared) else axes[-1])
        return axes[::-1]

    @cached_property
    def _first(self) -> int:
        """The state before the first entry: everything is still to come."""
        axes = self._axes[0]
        return sum((need or 0) * axes.split(shelf)[2] for shelf, need in enumerate(axes.needs))

    @cached_property
    def _futures(self) -> list[Masses]:
        """For each state before each entry: the mass of all that can follow, in several variants at once.

        The first is as it is; then nothing is put on one shelf since it was cleared; then a little more is.
        """
        variants = 1 + 2 * self.size
        futures: list[Masses] = [np.ones((variants, 1))]
        for entry, axes, before in zip(
            reversed(self.entries), reversed(self._axes[1:]), reversed(self._axes[:-1]), strict=True
        ):
            after = futures[-1]
            if isinstance(entry, Put):
                futures.append(_before_put(entry.weights, axes, after))
                continue
            pre, size, post = axes.split(entry.shelf)
            mass = np.zeros((variants, pre, before.size(entry.shelf), post))
            mass[:, :, 0] = after.reshape(variants, pre, size, post)[:, :, size - 1]
            futures.append(mass.reshape(variants, -1))
        return futures[::-1]

    @cached_property
    def _start(self) -> list[float]:
        masses: list[float] = self._futures[0][:, self._first].tolist()
        return masses

    def _share(self, variant: int) -> float:
        if not self.possible:
            raise ValueError("what was seen cannot all be so")
        return self._start[variant] / self._start[0]


def _before_put(weights: Weights, axes: _Axes, after: Masses) -> Masses:
    """Return the masses before something was put, from those after it."""
    variants, size = len(after), len(weights)
    opened = np.full(variants, sum(weight for weight, need in zip(weights, axes.needs, strict=True) if need is None))
    for shelf, need in enumerate(axes.needs):
        if need is None:
            opened[1 + shelf] -= weights[shelf]
            opened[1 + size + shelf] += weights[shelf] * STEP
    if axes.needs.count(None) == 1:  # what is left of the only open shelf is nothing, and no rounding of it
        opened[1 + axes.needs.index(None)] = 0.0
    mass = opened[:, None] * after
    for shelf, need in enumerate(axes.needs):
        if need:
            pre, length, post = axes.split(shelf)
            source = after.reshape(variants, pre, length, post)
            mass.reshape(variants, pre, length, post)[:, :, 1:] += weights[shelf] * source[:, :, :-1]
    return mass


def _put(
    weights: Weights, axes: _Axes, future: Masses, state: NDArray[np.intp], draws: Masses
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw the shelf in each of some states, and return it with the state that follows."""
    masses: list[Masses] = []
    states = []
    for shelf, need in enumerate(axes.needs):
        if need is None:
            masses.append(weights[shelf] * future[state])
            states.append(state)
            continue
        _, size, stride = axes.split(shelf)
        fits = state // stride % size > 0
        later = np.where(fits, state - stride, state)
        masses.append(np.where(fits, weights[shelf] * future[later], 0.0))
        states.append(later)
    summed = np.cumsum(np.array(masses), axis=0)
    chosen = np.minimum((draws * summed[-1] >= summed).sum(axis=0), len(masses) - 1)
    return chosen, np.array(states)[chosen, np.arange(len(state))]


def _turned(shelf: Shelf, before: _Axes, after: _Axes, state: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the states after a clearing: nothing was still to come there, and now its next count is."""
    _, size, post = before.split(shelf)
    _, later, _ = after.split(shelf)
    return state // (size * post) * (later * post) + (later - 1) * post + state % post
