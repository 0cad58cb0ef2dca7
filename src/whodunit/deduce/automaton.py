"""One holder's evidence as a machine that reads the elements in order: each is taken, or left to others."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple, TypeAlias

from whodunit.deduce.reduce import Atom, Part, is_clause

DEAD = -1

Weights: TypeAlias = list[tuple[int, int]] | None
"""By node, what leaving and what taking the element multiplies; None where that is 1 throughout."""


class Level(NamedTuple):
    """For every node before an element: the node after leaving it and after taking it, or DEAD."""

    skip: list[int]
    take: list[int]
    weights: Weights


class Automaton(NamedTuple):
    """The nodes of one holder, by element; where the holder cannot have the element, nothing changes.

    Every node lies on some way from the only first node to the only last one, and no two mean the same.
    """

    holder: int
    levels: dict[int, Level]
    width: int
    """The most nodes on a level."""
    factor: int
    """What every hand's weight is to be multiplied by."""


@lru_cache(maxsize=512)
def automaton(part: Part, order: tuple[int, ...]) -> Automaton | None:
    """Return the smallest machine that reads the part's elements in this order, or None if no hand fits its evidence.

    Kept from position to position: new evidence on one holder leaves the machines of the others as they are.
    """
    return _smallest(part.holder, order, _reachable(part, order) if part.hands is None else _listed(part.hands, order))


def _reachable(part: Part, order: Sequence[int]) -> list[Level]:
    """Follow every hand from the front. A node packs the need, one bit per open clause, one field per other atom."""
    clauses = [atom.mask for atom in part.atoms if is_clause(atom, part.need)]
    counted = [atom for atom in part.atoms if not is_clause(atom, part.need)]
    size = part.need.bit_length()
    fields = _fields(counted, order, size + len(clauses))
    future = part.free
    nodes = {part.need | ((1 << len(clauses)) - 1) << size: 0}
    levels = []
    for place, element in enumerate(order):
        future &= ~(1 << element)
        met = last = 0
        for index, mask in enumerate(clauses):
            if mask >> element & 1:
                met |= 1 << size + index
                if not mask & future:
                    last |= 1 << size + index
        after: dict[int, int] = {}
        bounds = _Bounds((1 << size) - 1, future.bit_count(), met, last)
        levels.append(
            _counting_level(nodes, after, bounds, fields[place])
            if fields[place]
            else _plain_level(nodes, after, bounds)
        )
        nodes = after
    return levels


class _Bounds(NamedTuple):
    """Where a node keeps its need, how many elements follow, which clauses this one meets, and those it is last of."""

    needs: int
    left: int
    met: int
    last: int


def _plain_level(nodes: dict[int, int], after: dict[int, int], bounds: _Bounds) -> Level:
    """Read an element that is in no atom but clauses."""
    needs, left, met, last = bounds
    skip, take = [], []
    for node in nodes:
        need = node & needs
        skip.append(after.setdefault(node, len(after)) if need <= left and not node & last else DEAD)
        take.append(after.setdefault(node - 1 & ~met, len(after)) if need else DEAD)
    return Level(skip, take, None)


class _Field(NamedTuple):
    """Where a node keeps an atom's number, and (new bits, weight) by old number, if left and if taken."""

    shift: int
    mask: int
    skip: list[tuple[int, int]]
    take: list[tuple[int, int]]


def _counting_level(nodes: dict[int, int], after: dict[int, int], bounds: _Bounds, fields: Sequence[_Field]) -> Level:
    """Read an element that other atoms count."""
    needs, left, met, last = bounds
    skip, take, weights = [], [], []
    for node in nodes:
        need = node & needs
        skipped, taken = node, node - 1 & ~met
        skip_weight, take_weight = int(need <= left and not node & last), int(need > 0)
        for shift, mask, skips, takes in fields:
            value = node >> shift & mask
            bits, weight = skips[value]
            skip_weight *= weight
            skipped = skipped & ~(mask << shift) | bits
            bits, weight = takes[value]
            take_weight *= weight
            taken = taken & ~(mask << shift) | bits
        skip.append(after.setdefault(skipped, len(after)) if skip_weight else DEAD)
        take.append(after.setdefault(taken, len(after)) if take_weight else DEAD)
        weights.append((skip_weight, take_weight))
    plain = all(a <= 1 and b <= 1 for a, b in weights)
    return Level(skip, take, None if plain else weights)


def _fields(atoms: Sequence[Atom], order: Sequence[int], shift: int) -> list[list[_Field]]:
    """Give every atom its bits, and list by place in the order what happens to them."""
    by_place: list[list[_Field]] = [[] for _ in order]
    for atom in atoms:
        size = (len(atom.on) - 1).bit_length()
        bits = size + bool(atom.given)
        for place, skip, take in _steps(atom, order, size):
            by_place[place].append(
                _Field(
                    shift,
                    (1 << bits) - 1,
                    [(new << shift, weight) for new, weight in skip],
                    [(new << shift, weight) for new, weight in take],
                )
            )
        shift += bits
    return by_place


_Moves: TypeAlias = list[tuple[int, int]]


def _steps(atom: Atom, order: Sequence[int], size: int) -> Iterator[tuple[int, _Moves, _Moves]]:
    """Yield where the atom reads an element, and what becomes of its number; above the number, `given` is one bit."""
    left = atom.mask.bit_count()
    pending = atom.given
    flag = 1 << size
    for place, element in enumerate(order):
        bit = 1 << element
        if not (atom.mask | atom.given) & bit:
            continue
        counts = atom.mask & bit != 0
        left -= counts
        pending &= ~bit
        more = 1 if counts else flag

        def move(value: int, left: int = left, pending: int = pending) -> tuple[int, int]:
            number = value & flag - 1
            held = bool(value & flag)
            tables = (atom.on, atom.off) if pending else (atom.off if atom.given and not held else atom.on,)
            if number + left >= len(atom.on):
                return 0, 0
            if left or pending:
                alive = any(any(table[number : number + left + 1]) for table in tables)
                return value, int(alive)
            return 0, tables[0][number]

        values = range(flag << bool(atom.given))
        yield place, [move(value) for value in values], [move(value + more) for value in values]


def _listed(hands: Sequence[tuple[int, int]], order: Sequence[int]) -> list[Level]:
    """Follow the hands that are listed; a node is a run of them, in the order of what is taken first."""
    sequences = sorted(
        (sum(1 << len(order) - place for place, element in enumerate(order, 1) if mask >> element & 1), weight)
        for mask, weight in hands
    )
    codes = [code for code, _ in sequences]
    runs = [(0, len(codes))]
    levels = []
    for place in range(len(order) - 1, -1, -1):
        level = Level([], [], None if place else [])
        after: list[tuple[int, int]] = []
        for start, end in runs:
            middle = bisect_left(codes, (codes[start] >> place | 1) << place, start, end) if start < end else end
            for run, moves in (((start, middle), level.skip), ((middle, end), level.take)):
                moves.append(len(after) if run[0] < run[1] else DEAD)
                if run[0] < run[1]:
                    after.append(run)
            if level.weights is not None:
                weights = [weight for _, weight in sequences[start:end]]
                level.weights.append((sum(weights[: middle - start]), sum(weights[middle - start :])))
        runs = after
        levels.append(level)
    last = levels[-1]
    levels[-1] = Level([min(move, 0) for move in last.skip], [min(move, 0) for move in last.take], last.weights)
    return levels


def _smallest(holder: int, order: Sequence[int], levels: Sequence[Level]) -> Automaton | None:
    """Merge, from the back, the nodes that mean the same, and drop those from which no hand can be completed."""
    classes = [0]  # by node of the level behind; the only last node needs nothing more
    common = [1]  # what all ways on from a node have in common is drawn forward into the weights
    width = 1
    smaller = {}
    for element, level in zip(reversed(order), reversed(levels), strict=True):
        if level.weights is None and max(common, default=1) == 1:
            classes, merged = _merged(level, classes)
            common = [int(place != DEAD) for place in classes]
        else:
            classes, merged, common = _merged_weighted(level, classes, common)
        width = max(width, len(merged.skip))
        smaller[element] = merged
    if classes[0] == DEAD:
        return None
    return Automaton(holder, smaller, width, common[0])


def _merged(level: Level, classes: list[int]) -> tuple[list[int], Level]:
    seen: dict[tuple[int, int], int] = {}
    dead = (DEAD, DEAD)
    found = []
    classes = [*classes, DEAD]  # so that DEAD leads to DEAD
    for skip, take in zip(level.skip, level.take, strict=True):
        pair = classes[skip], classes[take]
        found.append(DEAD if pair == dead else seen.setdefault(pair, len(seen)))
    return found, Level([skip for skip, _ in seen], [take for _, take in seen], None)


def _merged_weighted(level: Level, classes: list[int], common: list[int]) -> tuple[list[int], Level, list[int]]:
    seen: dict[tuple[int, int, int, int], int] = {}
    found, shared = [], []
    classes, common = [*classes, DEAD], [*common, 0]
    weights = level.weights or [(1, 1)] * len(level.skip)
    for skip, take, (skip_weight, take_weight) in zip(level.skip, level.take, weights, strict=True):
        one, other = skip_weight * common[skip], take_weight * common[take]
        divisor = gcd(one, other)
        shared.append(divisor)
        if not divisor:
            found.append(DEAD)
            continue
        key = classes[skip], classes[take], one // divisor, other // divisor
        found.append(seen.setdefault(key, len(seen)))
    return found, Level([key[0] for key in seen], [key[1] for key in seen], [key[2:] for key in seen]), shared
