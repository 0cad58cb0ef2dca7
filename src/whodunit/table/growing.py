"""A sequence that is a value, as a tuple is, and yet quick to add to."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar, overload

from whodunit.core.types import Frozen

T = TypeVar("T")

_EACH: Final = 64
"""So many items stand in a block: a few of them are copied for each that is added, and never those before."""


class Growing(Frozen, Sequence[T]):
    """Items in blocks that all sequences share which have grown out of one another."""

    __slots__ = ("_blocks", "_last")

    _blocks: tuple[tuple[T, ...], ...]
    """The full ones."""
    _last: tuple[T, ...]
    """The one that grows: never full, so that there is always room."""

    def __init__(self, blocks: tuple[tuple[T, ...], ...], last: tuple[T, ...]) -> None:
        self._blocks = blocks
        self._last = last

    @classmethod
    def of(cls, items: Sequence[T]) -> "Growing[T]":
        """Return these items as one that can grow."""
        if isinstance(items, Growing):
            return items
        full = len(items) - len(items) % _EACH
        blocks = tuple(tuple(items[place : place + _EACH]) for place in range(0, full, _EACH))
        return cls(blocks, tuple(items[full:]))

    def and_then(self, item: T) -> "Growing[T]":
        """Return all of them and one more."""
        last = (*self._last, item)
        return Growing((*self._blocks, last), ()) if len(last) == _EACH else Growing(self._blocks, last)

    def __len__(self) -> int:
        return len(self._blocks) * _EACH + len(self._last)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self._blocks), self._last)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            return tuple([self[index] for index in range(*place.indices(len(self)))])
        block, within = divmod(range(len(self))[place], _EACH)
        return self._blocks[block][within] if block < len(self._blocks) else self._last[within]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (Growing, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> "tuple[type[Growing[T]], tuple[object, ...]]":
        return Growing, (self._blocks, self._last)
