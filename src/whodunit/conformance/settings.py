"""Tables to play at: every number of seats, every option and variant, drawn from what the game says of itself."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from whodunit.conformance.plug import Plug
from whodunit.core.info import Info, Option

UNBOUNDED = 40  # how far above its least value an option without a greatest one is drawn


class Setting(Struct, frozen=True):
    """All that decides how a game of random play goes."""

    seats: int
    options: dict[str, Any]
    seed: int
    pace: int = 60
    """After so many decisions a player who may stake the game on a guess does so."""


def settings_of(info: Info, plug: Plug | None, *, pace: tuple[int, int] = (5, 120)) -> st.SearchStrategy[Setting]:
    """Draw a table; without a plug the options need not fit each other."""

    def setting(seats: int, options: dict[str, Any], seed: int, pace: int) -> Setting:
        return Setting(seats, plug.adjusted(seats, options) if plug else options, seed, pace)

    options = st.fixed_dictionaries({}, optional={option.name: _values(option) for option in info.describe()})
    return st.builds(
        setting,
        seats=st.integers(*info.seats),
        options=options,
        seed=st.integers(0, 1 << 32),
        pace=st.integers(*pace),
    )


def _values(option: Option) -> st.SearchStrategy[Any]:
    match option.kind:
        case "switch":
            values: st.SearchStrategy[Any] = st.booleans()
        case "choice" | "seat":
            values = st.sampled_from(option.values)
        case "number":
            least = option.least or 0
            values = st.integers(least, least + UNBOUNDED if option.most is None else option.most)
        case "list":
            most = len(option.values) if option.most is None else option.most
            drawn = st.lists(st.sampled_from(option.values), min_size=option.least or 0, max_size=most, unique=True)
            values = drawn.map(tuple)
        case kind:
            raise ValueError(f"{option.name} is of a kind that nobody knows: {kind}")
    return st.none() | values if option.optional else values


def corners(info: Info, plug: Plug) -> Iterator[Setting]:
    """Yield a table for every value that an option can have (of a number: the ends), at every number of seats."""
    for seats in range(info.seats[0], info.seats[1] + 1):
        for option in info.describe():
            for value in _corners(option):
                yield Setting(seats, plug.adjusted(seats, {option.name: value}), seed=seats, pace=60)


def _corners(option: Option) -> Iterator[Any]:
    if option.optional:
        yield None
    match option.kind:
        case "switch":
            yield from (False, True)
        case "choice" | "seat":
            yield from option.values
        case "number":
            yield option.least or 0
            yield (option.least or 0) + UNBOUNDED if option.most is None else option.most
        case "list":
            for start in range(len(option.values)):
                yield (*option.values[start:], *option.values[:start])
        case kind:
            raise ValueError(f"{option.name} is of a kind that nobody knows: {kind}")


def exercised(info: Info, options: Any) -> Iterator[tuple[str, Any]]:
    """Yield each option with the value that it has in a game; a list's values count one by one."""
    for option in info.describe():
        value = getattr(options, option.name)
        if option.kind == "list" and value is not None:
            yield from ((option.name, member) for member in value)
        else:
            yield option.name, value


def wanted(info: Info) -> set[tuple[str, Any]]:
    """Return what `exercised` must have yielded for every option value to have been played."""
    return {
        (option.name, value)
        for option in info.describe()
        for corner in _corners(option)
        for value in (corner if isinstance(corner, tuple) else (corner,))
    }
