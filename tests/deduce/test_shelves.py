"""The shelves against enumeration: everything that can have been put, weighed one by one."""

from collections.abc import Iterator
from itertools import product
from math import isclose, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whodunit.core.rng import Rng
from whodunit.deduce.shelves import Cleared, Entry, Put, Shelves

SIZE = 3


def cleared_counts(entries: list[Entry], put: tuple[int, ...]) -> list[int]:
    """Return what each clearing would have shown."""
    rest, lies, shown = iter(put), [0] * SIZE, []
    for entry in entries:
        if isinstance(entry, Put):
            lies[next(rest)] += 1
        else:
            shown.append(lies[entry.shelf])
            lies[entry.shelf] = 0
    return shown


def left(entries: list[Entry], put: tuple[int, ...]) -> list[int]:
    """Return how many lie on each shelf in the end."""
    return cleared_counts([*entries, *(Cleared(shelf, 0) for shelf in range(SIZE))], put)[-SIZE:]


def possible(entries: list[Entry]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield whatever fits what was seen, with its weight."""
    puts = [entry for entry in entries if isinstance(entry, Put)]
    seen = [entry.found for entry in entries if isinstance(entry, Cleared)]
    for put in product(range(SIZE), repeat=len(puts)):
        if cleared_counts(entries, put) == seen:
            yield put, prod(entry.weights[shelf] for entry, shelf in zip(puts, put, strict=True))


@st.composite
def stories(draw: st.DrawFn) -> list[Entry]:
    """Draw what may have been seen: things are really put somewhere."""
    entries: list[Entry] = []
    lies = [0] * SIZE
    for _ in range(draw(st.integers(0, 9))):
        shelf = draw(st.integers(0, SIZE - 1))
        if sum(isinstance(entry, Put) for entry in entries) < 6 and draw(st.integers(0, 2)):
            weights = draw(st.lists(st.integers(1, 9), min_size=SIZE, max_size=SIZE))
            entries.append(Put(tuple(weight / sum(weights) for weight in weights)))
            lies[shelf] += 1
        else:
            entries.append(Cleared(shelf, lies[shelf]))
            lies[shelf] = 0
    return entries


@settings(max_examples=150, derandomize=True)
@given(stories())
def test_shares_and_worlds_are_those_of_enumeration(entries: list[Entry]) -> None:
    shelves = Shelves(SIZE).learn(*entries)
    worlds = dict(possible(entries))
    total = sum(worlds.values())

    assert sorted(shelves.worlds()) == sorted(worlds)
    assert isclose(shelves.total, total)
    for put, mass in worlds.items():
        assert isclose(shelves.mass(put), mass / total)
    for shelf in range(SIZE):
        lies = {put: left(entries, put)[shelf] for put in worlds}
        none = sum(mass for put, mass in worlds.items() if not lies[put]) / total
        assert isclose(shelves.none(shelf), none, abs_tol=1e-9)
        assert (shelves.none(shelf) == 0) == (0 not in lies.values())
        expected = sum(mass * lies[put] for put, mass in worlds.items()) / total
        assert isclose(shelves.expected(shelf), expected, abs_tol=1e-9)


@settings(max_examples=20, derandomize=True)
@given(stories())
def test_samples_are_worlds_as_often_as_they_are_likely(entries: list[Entry]) -> None:
    worlds = dict(possible(entries))
    total = sum(worlds.values())

    drawn = Shelves(SIZE, entries).sample(Rng(b"shelves", 1).words("sample"), 2000)

    assert set(drawn) <= set(worlds)
    for put, mass in worlds.items():
        assert abs(drawn.count(put) / 2000 - mass / total) < 0.06


def test_what_cannot_be_is_known_to_be_impossible() -> None:
    even = Put((1 / 3,) * 3)

    shelves = Shelves(SIZE, [even, Cleared(0, 0), Cleared(1, 0), Cleared(2, 0)])

    assert not shelves.possible
    assert list(shelves.worlds()) == []
    with pytest.raises(ValueError, match="cannot all be so"):
        shelves.none(0)


def test_a_thing_found_nowhere_else_is_certain() -> None:
    even = Put((1 / 3,) * 3)

    shelves = Shelves(SIZE, [even, even, Cleared(0, 0), Cleared(1, 1)])

    assert [shelves.none(shelf) for shelf in range(SIZE)] == pytest.approx([1, 1, 0])
    assert shelves.learn(even).none(1) == pytest.approx(2 / 3)
    assert shelves.none(1) == pytest.approx(1)
