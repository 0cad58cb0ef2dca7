"""Things put on shelves unseen, shelves cleared in sight: what lies where, how likely. It knows no game.

Things of one kind cannot be told apart. Each is put on some shelf, with a weight for every shelf; now and then a shelf
is cleared, and everybody sees how many there were. Nothing moves meanwhile, so between two clearings of a shelf exactly
as many of the things put meanwhile came to lie there as the second clearing showed. That is all the evidence there is,
and a dynamic program over the entries counts it exactly: its state is, for every shelf that will be cleared again, how
many are still to come before that; a shelf that will not be cleared again needs none.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from typing import NamedTuple, TypeAlias

Shelf: TypeAlias = int
Weights: TypeAlias = tuple[float, ...]
Masses: TypeAlias = list[float]
"""By state."""
State: TypeAlias = int
"""The numbers still to come, shelf by shelf, as the digits of one number."""
Needs: TypeAlias = tuple[int | None, ...]
"""By shelf, how many come at most before it is cleared; None where it will not be."""


class Put(NamedTuple):
    """Something was put on a shelf, on each with this weight."""

    weights: Weights


class Cleared(NamedTuple):
    """A shelf was cleared, and there were so many."""

    shelf: Shelf
    found: int


Entry: TypeAlias = Put | Cleared


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
        return self._futures[0][self._first]

    @property
    def possible(self) -> bool:
        """Whether everything that was seen can be so."""
        return self.total > 0

    def none(self, shelf: Shelf) -> float:
        """Return how likely nothing lies on a shelf now."""
        return self._now(shelf)[0]

    def expected(self, shelf: Shelf) -> float:
        """Return how many things to expect on a shelf now."""
        return self._now(shelf)[1]

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
        return mass / self.total

    def sample(self, words: Iterator[int], number: int) -> list[tuple[Shelf, ...]]:
        """Draw, independently and exactly, where everything was put, entry by entry."""
        found: list[list[Shelf]] = [[] for _ in range(number)]
        states = [self._first] * number
        for place, entry in enumerate(self.entries):
            if isinstance(entry, Cleared):
                ahead = _cleared(self._needs[place], self._needs[place + 1], entry.shelf)
                states = [ahead[state] for state in states]
                continue
            ways = {state: self._ways(place, entry.weights, state) for state in set(states)}
            for which, state in enumerate(states):
                sums, shelves, later = ways[state]
                draw = (next(words) >> 11) * 2.0**-53 * sums[-1]
                chosen = min(bisect_right(sums, draw), len(sums) - 1)
                found[which].append(shelves[chosen])
                states[which] = later[chosen]
        return [tuple(put) for put in found]

    def worlds(self) -> Iterator[tuple[Shelf, ...]]:
        """Yield every way in which things can have been put, whatever its weight."""
        return self._from(0, self._first, ())

    def _from(self, place: int, state: State, put: tuple[Shelf, ...]) -> Iterator[tuple[Shelf, ...]]:
        if not self._futures[place][state]:
            return
        if place == len(self.entries):
            yield put
            return
        entry = self.entries[place]
        if isinstance(entry, Cleared):
            ahead = _cleared(self._needs[place], self._needs[place + 1], entry.shelf)
            yield from self._from(place + 1, ahead[state], put)
            return
        for shelf, later in zip(*self._ways(place, entry.weights, state)[1:], strict=True):
            yield from self._from(place + 1, later, (*put, shelf))

    def _ways(self, place: int, weights: Weights, state: State) -> tuple[list[float], list[Shelf], list[State]]:
        """Return where the thing of this entry can be put: masses summed up, shelves, and the states that follow."""
        masses, shelves, states = [], [], []
        for shelf, later in _choices(self._needs[place])[state]:
            masses.append(weights[shelf] * self._futures[place + 1][later])
            shelves.append(shelf)
            states.append(later)
        return list(accumulate(masses)), shelves, states

    @cached_property
    def _needs(self) -> list[Needs]:
        """The needs before each entry, and after the last."""
        needs: list[Needs] = [(None,) * self.size]
        for entry in reversed(self.entries):
            needs.append(_put(needs[-1], entry) if isinstance(entry, Cleared) else needs[-1])
        return needs[::-1]

    @cached_property
    def _first(self) -> State:
        """The state before the first entry: everything is still to come."""
        return _states(self._needs[0]) - 1

    @cached_property
    def _futures(self) -> list[Masses]:
        """For each state before each entry: the mass of all that can follow."""
        futures: list[Masses] = [[1.0]]
        for place in range(len(self.entries) - 1, -1, -1):
            futures.append(self._before(place, futures[-1]))
        return futures[::-1]

    @cached_property
    def _pasts(self) -> list[Masses]:
        """For each state before each entry: the mass of all that can have led to it."""
        masses = [0.0] * _states(self._needs[0])
        masses[self._first] = 1.0
        pasts = [masses]
        for place, entry in enumerate(self.entries):
            before, after = pasts[-1], [0.0] * _states(self._needs[place + 1])
            if isinstance(entry, Cleared):
                for state, later in _cleared(self._needs[place], self._needs[place + 1], entry.shelf).items():
                    after[later] += before[state]
            else:
                for mass, choices in zip(before, _choices(self._needs[place]), strict=True):
                    if mass:
                        for shelf, later in choices:
                            after[later] += mass * entry.weights[shelf]
            pasts.append(after)
        return pasts

    def _before(self, place: int, after: Masses, without: Shelf | None = None) -> Masses:
        """Return the masses before an entry from those after it; nothing is put on the shelf that is left out."""
        entry, needs = self.entries[place], self._needs[place]
        if isinstance(entry, Cleared):
            before = [0.0] * _states(needs)
            for state, later in _cleared(needs, self._needs[place + 1], entry.shelf).items():
                before[state] = after[later]
            return before
        weights = entry.weights if without is None else (*entry.weights[:without], 0.0, *entry.weights[without + 1 :])
        openly = sum([weight for weight, need in zip(weights, needs, strict=True) if need is None])
        before = [openly * mass for mass in after]
        for shelf, pairs in _moves(needs):
            weight = weights[shelf]
            for state, later in pairs:
                before[state] += weight * after[later]
        return before

    @cached_property
    def _asked(self) -> dict[Shelf, tuple[float, float]]:
        return {}

    def _now(self, shelf: Shelf) -> tuple[float, float]:
        """Return how likely nothing lies on a shelf, and how many things to expect there.

        Only what was put since it was cleared can lie there; what may have been before is in the pasts.
        """
        if shelf in self._asked:
            return self._asked[shelf]
        if not self.possible:
            raise ValueError("what was seen cannot all be so")
        none, there = [1.0], [0.0]
        place = len(self.entries)
        while place and self.entries[place - 1][0] != shelf:  # a Put begins with its weights, a Cleared with its shelf
            place -= 1
            entry, future = self.entries[place], self._futures[place + 1]
            none = self._before(place, none, shelf)
            there = self._before(place, there)
            if isinstance(entry, Put):
                there = [mass + entry.weights[shelf] * more for mass, more in zip(there, future, strict=True)]
        past = self._pasts[place]
        self._asked[shelf] = (
            sum([mass * more for mass, more in zip(past, none, strict=True)]) / self.total,
            sum([mass * more for mass, more in zip(past, there, strict=True)]) / self.total,
        )
        return self._asked[shelf]


# --- States: which there are, and how one leads to another -------------------------------------------------------


def _put(needs: Needs, cleared: Cleared) -> Needs:
    return (*needs[: cleared.shelf], cleared.found, *needs[cleared.shelf + 1 :])


def _states(needs: Needs) -> int:
    return prod([1 + (need or 0) for need in needs])


def _strides(needs: Needs) -> list[int]:
    """Return what one more to come adds to a state, by shelf."""
    sizes = [1 + (need or 0) for need in needs]
    return [prod(sizes[shelf + 1 :]) for shelf in range(len(needs))]


@lru_cache(maxsize=4096)
def _moves(needs: Needs) -> tuple[tuple[Shelf, tuple[tuple[State, State], ...]], ...]:
    """Return, by shelf that will be cleared, from which state to which something put there leads."""
    found = []
    for shelf, (need, stride) in enumerate(zip(needs, _strides(needs), strict=True)):
        if need:
            states = (state for state in range(_states(needs)) if state // stride % (need + 1))
            found.append((shelf, tuple((state, state - stride) for state in states)))
    return tuple(found)


@lru_cache(maxsize=4096)
def _choices(needs: Needs) -> tuple[tuple[tuple[Shelf, State], ...], ...]:
    """Return, by state, where something can be put, and the state that follows."""
    closed = {(state, shelf): later for shelf, pairs in _moves(needs) for state, later in pairs}
    return tuple(
        tuple(
            (shelf, state if need is None else closed[state, shelf])
            for shelf, need in enumerate(needs)
            if need is None or (state, shelf) in closed
        )
        for state in range(_states(needs))
    )


@lru_cache(maxsize=4096)
def _cleared(before: Needs, after: Needs, shelf: Shelf) -> dict[State, State]:
    """Return where clearing a shelf leads: nothing was still to come there, and now its next number is."""
    stride, length = _strides(before)[shelf], 1 + (before[shelf] or 0)
    later = 1 + (after[shelf] or 0)
    return {
        state: state // (stride * length) * (stride * later) + (later - 1) * stride + state % stride
        for state in range(_states(before))
        if state // stride % length == 0
    }
