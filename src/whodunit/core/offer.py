"""Offers: what a seat may do now, as a product of choices that can be checked, counted, listed or sampled."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice, permutations, product
from math import comb, factorial
from typing import Any, TypeAlias

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.core.types import Action

Value: TypeAlias = bool | int | str


class One(Struct, frozen=True, tag="one", gc=False):
    """Exactly one of these values."""

    of: tuple[Value, ...]

    @property
    def count(self) -> int:
        return len(self.of)

    def admits(self, value: object) -> bool:
        return value in self.of

    def includes(self, other: "Choice") -> bool:
        """Say whether everything that the other admits is admitted here too."""
        return isinstance(other, One) and all(value in self.of for value in other.of)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.of)

    def at(self, index: int) -> Value:
        return self.of[index]


class Some(Struct, frozen=True, tag="some", gc=False):
    """From `least` to `most` different ones of these values, written in the order in which they stand here."""

    of: tuple[Value, ...]
    least: int
    most: int

    @property
    def count(self) -> int:
        return _subsets(len(self.of), self.least, self.most)

    def admits(self, value: object) -> bool:
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

    def at(self, index: int) -> tuple[Value, ...]:
        size = self.least
        while index >= (number := comb(len(self.of), size)):
            index -= number
            size += 1
        if index < _SOON_REACHED:
            return next(islice(combinations(self.of, size), index, None))
        chosen: list[Value] = []
        for place, item in enumerate(self.of):
            with_item = comb(len(self.of) - place - 1, size - len(chosen) - 1) if len(chosen) < size else 0
            if index < with_item:
                chosen.append(item)
            else:
                index -= with_item
        return tuple(chosen)


_SOON_REACHED = 32
"""Up to here it is quicker to list subsets than to reckon which one stands at a place."""


@cache
def _subsets(of: int, least: int, most: int) -> int:
    return sum(comb(of, size) for size in range(least, most + 1))


class Order(Struct, frozen=True, tag="order", gc=False):
    """All of these values, in an order of the seat's choice."""

    of: tuple[Value, ...]

    @property
    def count(self) -> int:
        return factorial(len(self.of))

    def admits(self, value: object) -> bool:
        return isinstance(value, tuple) and len(value) == len(self.of) and set(value) == set(self.of)

    def includes(self, other: "Choice") -> bool:
        """Say whether everything that the other admits is admitted here too."""
        return isinstance(other, Order) and len(other.of) == len(self.of) and set(other.of) == set(self.of)

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return permutations(self.of)

    def at(self, index: int) -> tuple[Value, ...]:
        rest = list(self.of)
        chosen = []
        for left in range(len(rest), 0, -1):
            place, index = divmod(index, factorial(left - 1))
            chosen.append(rest.pop(place))
        return tuple(chosen)


Choice: TypeAlias = One | Some | Order

# Most choices are One: what an offer asks them at every decision it looks up itself, which takes half as long.


class Offer(Struct, frozen=True, gc=False):
    """One kind of action with its open choices; `since` is the seq at which it last changed for this seat."""

    action: type[Action]
    choices: dict[str, Choice] = {}
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
            yield self.action(**dict(zip(self.choices, values, strict=True)))

    def at(self, index: int) -> Action:
        """Return the action that `actions` lists at this place, without listing the others."""
        values: dict[str, Any] = {}
        for field, choice in reversed(self.choices.items()):
            index, place = divmod(index, len(choice.of) if type(choice) is One else choice.count)
            values[field] = choice.of[place] if type(choice) is One else choice.at(place)
        return self.action(**values)

    def sample(self, rng: Rng, label: str = "choice") -> Action:
        """Draw one of the actions, each as likely as any other, without listing them."""
        if len(self.choices) == 1:  # nearly always
            [(field, choice)] = self.choices.items()
            is_one = type(choice) is One
            place = rng.below(label, len(choice.of) if is_one else choice.count)
            return self.action(**{field: choice.of[place] if is_one else choice.at(place)})
        return self.at(rng.below(label, self.count)) if self.choices else self.action()

    def __str__(self) -> str:
        return f"{self.action.__name__}({', '.join(self.choices)}) [{self.count}]"
