"""Counts deals: elements are dealt one by one, and all deals that leave the same open are counted as one.

What is open is one node of every holder's machine. The holders are split into two halves, and a layer is kept as
rows: by the nodes of the first half, then by those of the second; so the work is done per half, not per pair.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from whodunit.deduce.automaton import Automaton, automaton
from whodunit.deduce.order import ordered
from whodunit.deduce.reduce import Knowledge, Reduced, TooWide, reduced

Row: TypeAlias = dict[int, int]
Layer: TypeAlias = dict[int, Row]
Take: TypeAlias = tuple[int, int, int]
"""Where it leads, its weight, and the holder who takes the element."""
Step: TypeAlias = tuple[int, int, tuple[Take, ...]]
"""What one half's nodes can do with an element: leave it (where it leads or DEAD, its weight), or take it."""

STATES = 1 << 18
"""More states than this are not counted."""


class Solution(NamedTuple):
    """The weight of all worlds, and of those in which an element is with a holder; integers, so exact."""

    total: int
    masses: list[list[int]]
    """By element, by holder."""


class Machine(NamedTuple):
    """A position ready to be counted."""

    position: Reduced
    order: list[int]
    halves: tuple[list[Automaton], list[Automaton]]
    factor: int


def machine(known: Knowledge) -> Machine | None:
    """Prepare a position; None if no world fits it."""
    position = reduced(known)
    if position is None:
        return None
    order = ordered(position)
    automata = []
    factor = position.factor
    for part in position.parts:
        built = automaton(part, tuple(element for element in order if part.free >> element & 1))
        if built is None:
            return None
        automata.append(built)
        factor *= built.factor
    return Machine(position, order, _halves(automata), factor) if factor else None


def _halves(automata: Sequence[Automaton]) -> tuple[list[Automaton], list[Automaton]]:
    """Split the holders so that both halves have about as many states."""
    halves: tuple[list[Automaton], list[Automaton]] = ([], [])
    widths = [1, 1]
    for each in sorted(automata, key=lambda each: (-each.width, each.holder)):
        side = int(widths[1] < widths[0])
        halves[side].append(each)
        widths[side] *= each.width
    return halves


def steps(automata: Sequence[Automaton], element: int) -> Callable[[int], Step]:
    """Return what the packed nodes of these holders can do with this element."""
    active = []
    shift = 0
    for each in automata:
        bits = (each.width - 1).bit_length()
        if (table := each.levels.get(element)) is not None:
            active.append((shift, (1 << bits) - 1, *table, each.holder))
        shift += bits

    def step(nodes: int) -> Step:
        stay, weight = nodes, 1
        takes = []
        blocked: Take | None = None
        for shift, mask, skip, take, weights, holder in active:
            node = nodes >> shift & mask
            left, taken = skip[node], take[node]
            skip_weight, take_weight = weights[node] if weights else (1, 1)
            if left < 0:
                if blocked:
                    return -1, 0, ()
                blocked = (taken - node << shift), take_weight, holder
                continue
            stay += left - node << shift
            weight *= skip_weight
            if taken >= 0:
                takes.append((taken - left << shift, take_weight, skip_weight, holder))
        if blocked:
            move, take_weight, holder = blocked
            return -1, 0, ((stay + move, weight * take_weight, holder),)
        return (
            stay,
            weight,
            tuple(
                (stay + move, weight // skip_weight * take_weight, holder)
                for move, take_weight, skip_weight, holder in takes
            ),
        )

    return step


class Graph(NamedTuple):
    """Every state that can be reached, level by level, with the weight of the ways to it."""

    layers: list[Layer]
    moves: list[tuple[dict[int, Step], dict[int, Step]]]
    """By level: what each half's nodes can do with the element."""


def forward(halves: tuple[Sequence[Automaton], Sequence[Automaton]], order: Sequence[int]) -> Graph:
    """Deal the elements one by one."""
    layers: list[Layer] = [{0: {0: 1}}]
    moves = []
    states = 1
    for element in order:
        first, second = steps(halves[0], element), steps(halves[1], element)
        rows = {nodes: first(nodes) for nodes in layers[-1]}
        columns: dict[int, Step] = {}
        layer: Layer = {}
        for nodes, row in layers[-1].items():
            for column in row:
                if column not in columns:
                    columns[column] = second(column)
            _deal(row, rows[nodes], columns, layer)
        states += sum(map(len, layer.values()))
        if states > STATES:
            raise TooWide(f"more than {STATES} states")
        layers.append(layer)
        moves.append((rows, columns))
    return Graph(layers, moves)


def _deal(row: Row, step: Step, columns: dict[int, Step], layer: Layer) -> None:
    """Add to the next layer where the states of one row lead."""
    stay, stay_weight, takes = step
    if takes:
        kept = _kept(row, columns)
        for nodes, weight, _ in takes:
            target = layer.get(nodes)
            if target is None:
                layer[nodes] = dict(kept) if weight == 1 else {key: value * weight for key, value in kept.items()}
            elif weight == 1:
                for key, value in kept.items():
                    target[key] = target.get(key, 0) + value
            else:
                for key, value in kept.items():
                    target[key] = target.get(key, 0) + value * weight
    if stay >= 0:
        target = layer.setdefault(stay, {})
        for column, value in row.items():
            ways = value * stay_weight
            for key, weight, _ in columns[column][2]:
                target[key] = target.get(key, 0) + ways * weight


def _kept(row: Row, columns: dict[int, Step]) -> Row:
    """Return the row after the second half has left the element to the first."""
    kept: Row = {}
    for column, value in row.items():
        key, weight, _ = columns[column]
        if key >= 0:
            kept[key] = kept.get(key, 0) + value * weight
    return kept


def backward(graph: Graph, masses: list[list[int]], order: Sequence[int]) -> list[Layer]:
    """Return by level the weight of the ways on from every state, and add up the masses on the way."""
    ahead: Layer = {0: {0: 1}}
    behind = [ahead]
    for level in range(len(order) - 1, -1, -1):
        rows, columns = graph.moves[level]
        ahead = {
            nodes: found
            for nodes, row in graph.layers[level].items()
            if (found := _ways_on(row, rows[nodes], columns, ahead, masses[order[level]]))
        }
        behind.append(ahead)
    behind.reverse()
    return behind


def _ways_on(row: Row, step: Step, columns: dict[int, Step], ahead: Layer, mass: list[int]) -> Row:
    """Return the weight of the ways on from the states of one row."""
    stay, stay_weight, takes = step
    by_kept: Row = {}
    if takes:
        kept = _kept(row, columns)
        for nodes, weight, holder in takes:
            target = ahead.get(nodes)
            if target is None:
                continue
            gained = 0
            for key, value in kept.items():
                if ways := target.get(key):
                    gained += value * ways
                    by_kept[key] = by_kept.get(key, 0) + ways * weight
            mass[holder] += gained * weight
    target = ahead.get(stay, {})
    found: Row = {}
    for column, value in row.items():
        key, weight, column_takes = columns[column]
        ways = by_kept.get(key, 0) * weight
        if target:
            for key, weight, holder in column_takes:
                if on := target.get(key):
                    on *= weight * stay_weight
                    mass[holder] += value * on
                    ways += on
        if ways:
            found[column] = ways
    return found


def solve(known: Knowledge) -> Solution:
    """Count the worlds, and for every element and holder those in which the one is with the other."""
    size = sum(known.capacities)
    masses = [[0] * len(known.capacities) for _ in range(size)]
    ready = machine(known)
    if ready is None:
        return Solution(0, masses)
    graph = forward(ready.halves, ready.order)
    ways = backward(graph, masses, ready.order)
    total = ready.factor * ways[0].get(0, {}).get(0, 0)
    if ready.factor != 1:
        for element in ready.order:
            masses[element] = [mass * ready.factor for mass in masses[element]]
    for holder, mask in enumerate(ready.position.required):
        for element in range(size):
            if mask >> element & 1:
                masses[element][holder] = total
    return Solution(total, masses)
