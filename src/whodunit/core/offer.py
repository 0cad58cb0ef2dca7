"""Offers: what a seat may do now, as a product of choices that can be checked, counted, listed or sampled."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, combinations, permutations, product
from math import comb, factorial
from typing import Any, TypeAlias

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Frozen

Value: TypeAlias = bool | int | str


class One(Frozen, Struct, frozen=True, tag="one", gc=False):
    """Exactly one of these values."""

    of: tuple[Value, ...]

    @property
    def count(self) -> int:
        """How many different values this choice admits."""
        return len(self.of)

    def admits(self, value: object) -> bool:
        """Say whether the value is one of this choice's."""
        return value in self.of

    def includes(self, other: "Choice") -> bool:
        """Say whether everything that the other admits is admitted here too."""
        return isinstance(other, One) and all(value in self.of for value in other.of)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.of)

    def sample(self, rng: Rng, label: str) -> Value:
        """Draw one of the values, each as likely as any other."""
        return self.of[rng.below(label, len(self.of))]

    def at(self, index: int) -> Value:
        """Return the value at this place, in the order in which they are listed."""
        return self.of[index]


class Some(Frozen, Struct, frozen=True, tag="some", gc=False):
    """From `least` to `most` different ones of these values, written in the order in which they stand here."""

    of: tuple[Value, ...]
    least: int
    most: int

    @property
    def count(self) -> int:
        """How many different values this choice admits."""
        return _subsets(len(self.of), self.least, self.most)

    def admits(self, value: object) -> bool:
        """Say whether the value is one of this choice's."""
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        rest = iter(self.of)
        for item in value:  # noqa: SIM110  (a generator would double the cost of a hot path)
            if item not in rest:  # consumes `rest`: a subsequence, so no order twice and no repeats
                return False
        return True

    def includes(self, other: "Choice") -> bool:
        """Say whether everything that the other admits is admitted here too."""
        if not isinstance(other, Some) or not self.least <= other.least <= other.most <= self.most:
            return False
        rest = iter(self.of)
        return all(item in rest for item in other.of)

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        for size in range(self.least, self.most + 1):
            yield from combinations(self.of, size)

    def sample(self, rng: Rng, label: str) -> tuple[Value, ...]:
        """Draw one of the values, each as likely as any other."""
        of = self.of
        if len(of) > _FEW:
            return self.at(rng.below(label, self.count))
        listed = _listed(len(of), self.least, self.most)
        return tuple([of[place] for place in listed[rng.below(label, len(listed))]])

    def at(self, index: int) -> tuple[Value, ...]:
        """Return the value at this place, in the order in which they are listed."""
        of = self.of
        if len(of) <= _FEW:
            return tuple([of[place] for place in _listed(len(of), self.least, self.most)[index]])
        size = self.least
        while index >= (number := comb(len(of), size)):
            index -= number
            size += 1
        chosen: list[Value] = []
        for place, item in enumerate(of):
            with_item = comb(len(of) - place - 1, size - len(chosen) - 1) if len(chosen) < size else 0
            if index < with_item:
                chosen.append(item)
            else:
                index -= with_item
        return tuple(chosen)


_FEW = 8
"""The subsets of so few values are listed once: that is quicker than to reckon which one stands at a place."""


@cache
def _listed(of: int, least: int, most: int) -> tuple[tuple[int, ...], ...]:
    return tuple(chain.from_iterable(combinations(range(of), size) for size in range(least, most + 1)))


@cache
def _subsets(of: int, least: int, most: int) -> int:
    return sum(comb(of, size) for size in range(least, most + 1))


class Order(Frozen, Struct, frozen=True, tag="order", gc=False):
    """All of these values, in an order of the seat's choice."""

    of: tuple[Value, ...]

    @property
    def count(self) -> int:
        """How many different values this choice admits."""
        return factorial(len(self.of))

    def admits(self, value: object) -> bool:
        """Say whether the value is one of this choice's."""
        return isinstance(value, tuple) and len(value) == len(self.of) and set(value) == set(self.of)

    def includes(self, other: "Choice") -> bool:
        """Say whether everything that the other admits is admitted here too."""
        return isinstance(other, Order) and len(other.of) == len(self.of) and set(other.of) == set(self.of)

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return permutations(self.of)

    def sample(self, rng: Rng, label: str) -> tuple[Value, ...]:
        """Draw one of the values, each as likely as any other."""
        return self.at(rng.below(label, self.count))

    def at(self, index: int) -> tuple[Value, ...]:
        """Return the value at this place, in the order in which they are listed."""
        rest = list(self.of)
        chosen = []
        for left in range(len(rest), 0, -1):
            place, index = divmod(index, factorial(left - 1))
            chosen.append(rest.pop(place))
        return tuple(chosen)


Choice: TypeAlias = One | Some | Order

# Most choices are One: what an offer asks them at every decision it looks up itself, which takes half as long.


class Offer(Frozen, Struct, frozen=True, gc=False):
    """One kind of action with its open choices; `since` is the seq at which it last changed for this seat.

    There is a choice for every field of the action, in the order of the fields.
    """

    action: type[Action]
    """The kind of action that is on offer."""
    choices: Mapping[str, Choice] = {}
    """By field of the action, what it may be."""
    since: int = 0

    @property
    def count(self) -> int:
        """How many different actions this offer admits."""
        count = 1
        for choice in self.choices.values():
            count *= len(choice.of) if type(choice) is One else choice.count
        return count

    def admits(self, action: object) -> bool:
        """Say whether the action is one of this offer's."""
        if type(action) is not self.action:
            return False
        for field, choice in self.choices.items():
            value = getattr(action, field)
            if not (value in choice.of if type(choice) is One else choice.admits(value)):
                return False
        return True

    def includes(self, other: "Offer") -> bool:
        """Say whether the other is this offer or was a part of it: it has only grown."""
        return (
            other.action is self.action
            and other.choices.keys() == self.choices.keys()
            and all(choice.includes(other.choices[field]) for field, choice in self.choices.items())
        )

    def actions(self) -> Iterator[Action]:
        """List every action of this offer, in a fixed order."""
        for values in product(*self.choices.values()):
            yield self.action(*values)

    def at(self, index: int) -> Action:
        """Return the action that `actions` lists at this place, without listing the others."""
        values: list[Any] = []
        for choice in reversed(tuple(self.choices.values())):
            if type(choice) is One:
                of = choice.of
                size = len(of)
                values.append(of[index % size])
            else:
                size = choice.count
                values.append(choice.at(index % size))
            index //= size
        values.reverse()
        return self.action(*values)

    def sample(self, rng: Rng, label: str = "choice") -> Action:
        """Draw one of the actions, each as likely as any other, without listing them."""
        choices = self.choices
        if len(choices) == 1:  # nearly always
            (choice,) = choices.values()
            if type(choice) is One:
                of = choice.of
                return self.action(of[rng.below(label, len(of))])
            return self.action(choice.sample(rng, label))
        if len(choices) == 2:  # as `at` has it, without its loop
            first, second = choices.values()
            size = len(second.of) if type(second) is One else second.count
            several = len(first.of) if type(first) is One else first.count
            one, other = divmod(rng.below(label, several * size), size)
            return self.action(first.at(one), second.at(other))
        return self.at(rng.below(label, self.count)) if choices else self.action()

    def __str__(self) -> str:
        return f"{self.action.__name__}({', '.join(self.choices)}) [{self.count}]"
