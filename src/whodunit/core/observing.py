"""What a seat sees as numbers: a game declares named fields, part by part, and how each part is read off a view.

No numpy here, and none in a game: `whodunit.env` makes arrays of it.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

from msgspec import Struct

from whodunit.core.types import Seat


class OneOf(Struct, frozen=True):
    """A number for each value, called `<name>.<value>`: 1 for the one it is, all 0 for None."""

    name: str
    values: Sequence[Hashable]

    def names(self) -> Sequence[str]:
        return [f"{self.name}.{value}" for value in self.values]

    def numbers(self, value: Any) -> Sequence[float]:
        return _ones(self, () if value is None else (value,))


class AnyOf(Struct, frozen=True):
    """A number for each value, called `<name>.<value>`: 1 for those that are there; all 0 for None."""

    name: str
    values: Sequence[Hashable]

    def names(self) -> Sequence[str]:
        return [f"{self.name}.{value}" for value in self.values]

    def numbers(self, value: Any) -> Sequence[float]:
        return _ones(self, value or ())


def _ones(field: OneOf | AnyOf, there: Iterable[Any]) -> Sequence[float]:
    found = [0.0] * len(field.values)
    for value in there:
        if value not in field.values:
            raise ValueError(f"{value!r} is no value of {field.name}")
        found[field.values.index(value)] = 1.0
    return found


class Number(Struct, frozen=True):
    """A number from `least` to `most`, laid on 0 to 1; 0 for None."""

    name: str
    most: float
    least: float = 0

    def names(self) -> Sequence[str]:
        return (self.name,)

    def numbers(self, value: Any) -> Sequence[float]:
        if value is None:
            return (0.0,)
        if not self.least <= value <= self.most:
            raise ValueError(f"{self.name} is {value}, not from {self.least} to {self.most}")
        return ((value - self.least) / ((self.most - self.least) or 1),)


class Count(Struct, frozen=True):
    """A number from 0 without a greatest: n becomes n / (n + half), so that `half` stands in the middle; 0 for None."""

    name: str
    half: float = 10

    def names(self) -> Sequence[str]:
        return (self.name,)

    def numbers(self, value: Any) -> Sequence[float]:
        return (value / (value + self.half),) if value else (0.0,)


class Flag(Struct, frozen=True):
    """1 for what is so, 0 for what is not, or for None."""

    name: str

    def names(self) -> Sequence[str]:
        return (self.name,)

    def numbers(self, value: Any) -> Sequence[float]:
        return (1.0,) if value else (0.0,)


Field: TypeAlias = OneOf | AnyOf | Number | Count | Flag


def _all(part: Any) -> Iterable[Any]:
    return part  # type: ignore[no-any-return]


class Part(Struct, frozen=True):
    """Fields that change together: what did not change is not made anew, so small parts are quicker than one."""

    fields: tuple[Field, ...]
    of: Callable[[Any], Hashable]
    """What of a view these fields tell."""
    values: Callable[[Any], Iterable[Any]] = _all
    """Of what `of` returned: a value for each field."""


def one(field: Field, of: Callable[[Any], Hashable]) -> Part:
    """Return a part of one field, which tells just what `of` returns."""
    return Part((field,), of, _alone)


def _alone(value: Any) -> tuple[Any]:
    return (value,)


class Round(Struct, frozen=True):
    """The seats as one of them counts: itself first, then to the left. A spectator counts from seat 0.

    Told in this order, the same number means the same to every seat, and one player can be trained on all of them.
    """

    seats: int
    seat: Seat

    @property
    def order(self) -> tuple[Seat, ...]:
        first = max(self.seat, 0)
        return (*range(first, self.seats), *range(first))

    def name(self, what: str, whose: Seat) -> str:
        """Return what something of a player is called: `hand`, if it is one's own, or `seat 2.hand`."""
        return what if whose == self.seat else f"seat {whose}.{what}"

    def each(self, what: str, field: Callable[[str], Field], of: str | None = None) -> Part:
        """Return a part with a field for each seat, of what the view has seat by seat, by the same name or as `of`."""
        fields = tuple(field(self.name(what, seat)) for seat in self.order)
        return Part(fields, attrgetter(of or what), itemgetter(*self.order))

    def apart(self, what: str, field: Callable[[str], Field], of: str | None = None) -> tuple[Part, ...]:
        """Return the same as a part for each seat, where what one has changes without the others'."""
        return tuple(one(field(self.name(what, seat)), nth(of or what, seat)) for seat in self.order)

    def who(self, name: str) -> OneOf:
        """Return a field for who it is."""
        return OneOf(name, self.order)


def nth(of: str, place: int) -> Callable[[Any], Any]:
    """Return how one of several things is read off a view; None before there are any."""
    every = attrgetter(of)

    def read(view: Any) -> Any:
        things = every(view)
        return things[place] if place < len(things) else None

    return read


def _itself(view: Any) -> Any:
    return view


class Observed(Struct, frozen=True):
    """Everything that a seat sees and that may matter to play."""

    parts: tuple[Part, ...]
    current: Callable[[Any], Any] = _itself
    """The view without what is only history: two views give the same numbers if, and only if, these are equal."""


def names(part: Part) -> list[str]:
    """Return a name for each number of a part."""
    return [name for field in part.fields for name in field.names()]


def numbers(part: Part, told: Any) -> list[float]:
    """Return what a part says of what its `of` has returned, number by number."""
    return [
        number for field, value in zip(part.fields, part.values(told), strict=True) for number in field.numbers(value)
    ]
