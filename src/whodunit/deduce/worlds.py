"""Finds single worlds: whether there is any, the one of a given rank, and one holder's hands one by one.

Worlds are ranked by who takes the first element of the order, then the second, and so on; a world has as many ranks
as it has weight. So a rank names the same world whatever engine counts, and a rank drawn evenly is an exact sample.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import factorial, prod
from typing import NamedTuple, TypeAlias

from whodunit.deduce import frontier
from whodunit.deduce.automaton import Automaton
from whodunit.deduce.frontier import Graph, Layer, Machine, Step, backward, forward, machine, steps
from whodunit.deduce.reduce import Knowledge, Part, TooWide

World: TypeAlias = tuple[int, ...]
"""By holder, the mask of what it has."""

JOINT = 1 << 12
"""A holder with more possible hands than this has no joint distribution."""


def possible(known: Knowledge) -> bool:
    """Say whether any world fits: depth first, so that the first one found is enough."""
    ready = machine(known)
    if ready is None:
        return False
    moves = [(steps(ready.halves[0], element), steps(ready.halves[1], element)) for element in ready.order]
    dead: set[tuple[int, int, int]] = set()

    def lives(level: int, nodes: int, column: int) -> bool:
        if level == len(moves):
            return True
        if (level, nodes, column) in dead:
            return False
        first, second = moves[level][0](nodes), moves[level][1](column)
        if second[0] >= 0 and any(lives(level + 1, take[0], second[0]) for take in first[2]):
            return True
        if first[0] >= 0 and any(lives(level + 1, first[0], take[0]) for take in second[2]):
            return True
        dead.add((level, nodes, column))
        if len(dead) > frontier.STATES:
            raise TooWide(f"more than {frontier.STATES} states lead nowhere")
        return False

    return lives(0, 0, 0)


class _Edge(NamedTuple):
    """One way on from a state: the weight of all worlds on it, its own weight, who takes, and the state behind it."""

    mass: int
    weight: int
    holder: int
    nodes: int
    column: int


class Walker:
    """The worlds of a position, by rank."""

    def __init__(self, ready: Machine) -> None:
        self.ready = ready
        self.graph: Graph = forward(ready.halves, ready.order)
        self.ways: list[Layer] = backward(self.graph, [[0] * 64 for _ in range(64)], ready.order)
        self.edges: list[dict[tuple[int, int], list[_Edge]]] = [{} for _ in ready.order]

    def world(self, rank: int) -> World:
        """Return the world of this rank."""
        hands = list(self.ready.position.required)
        weight = self.ready.factor
        nodes = column = 0
        for level, element in enumerate(self.ready.order):
            known = self.edges[level]
            edges = known.get((nodes, column))
            if edges is None:
                edges = known[nodes, column] = self._edges(level, nodes, column)
            for edge in edges:
                mass = weight * edge.mass
                if rank < mass:
                    break
                rank -= mass
            weight *= edge.weight
            hands[edge.holder] |= 1 << element
            nodes, column = edge.nodes, edge.column
        return tuple(hands)

    def _edges(self, level: int, nodes: int, column: int) -> list[_Edge]:
        rows, columns = self.graph.moves[level]
        stay, stay_weight, takes = rows[nodes]
        keep, keep_weight, column_takes = columns[column]
        found = []
        if keep >= 0:
            found += [(holder, key, keep, weight * keep_weight) for key, weight, holder in takes]
        if stay >= 0:
            found += [(holder, stay, key, weight * stay_weight) for key, weight, holder in column_takes]
        ahead = self.ways[level + 1]
        return [
            _Edge(weight * ways, weight, holder, nodes, column)
            for holder, nodes, column, weight in sorted(found)
            if (ways := ahead.get(nodes, {}).get(column))
        ]


@lru_cache(maxsize=2)
def _walker(known: Knowledge) -> Walker | None:
    ready = machine(known)
    return None if ready is None else Walker(ready)


def worlds(known: Knowledge, ranks: Sequence[int]) -> list[World]:
    """Return the worlds of these ranks, each below the total."""
    walker = _walker(known)
    assert walker is not None or not ranks, "a position without worlds has no ranks"
    return [walker.world(rank) for rank in ranks] if walker else []


def joint(known: Knowledge, holder: int) -> dict[int, int]:
    """Return the weight of every hand that the holder may have.

    The hands are counted side by side in one long number, a lane of bits for each. A lane is wide enough for
    whatever is summed up in it. Taking an element moves a number up by as many lanes as hands without it come before.
    """
    ready = machine(known)
    if ready is None:
        return {}
    every = [each for half in ready.halves for each in half]
    own = [each for each in every if each.holder == holder]
    others = [each for each in every if each.holder != holder]
    hands = _Hands(own[0], ready.order) if own else None
    if hands is None:
        graph = forward(ready.halves, ready.order)
        total = ready.factor * graph.layers[-1].get(0, {}).get(0, 0)
        return {ready.position.required[holder]: total} if total else {}
    lane = _bound(ready.position.parts).bit_length()
    layer = {0: {0: 1}}
    for element in ready.order:
        layer = _dealt(layer, hands, element, others, lane)
    lanes = layer.get(0, {}).get(0, 0)
    found = {}
    for rank in range(hands.count):
        if mass := lanes >> rank * lane & (1 << lane) - 1:
            found[ready.position.required[holder] | hands.hand(rank)] = mass * ready.factor
    return found


def _dealt(layer: Layer, hands: "_Hands", element: int, others: Sequence[Automaton], lane: int) -> Layer:
    step = steps(others, element)
    moves: dict[int, Step] = {}
    after: Layer = {}
    for node, row in layer.items():
        skip, skip_weight, take, take_weight, lanes = hands.moves(node, element)
        for column, value in row.items():
            if column not in moves:
                moves[column] = step(column)
            keep, keep_weight, takes = moves[column]
            if skip >= 0 and takes:
                target = after.setdefault(skip, {})
                for key, weight, _ in takes:
                    target[key] = target.get(key, 0) + value * (weight * skip_weight)
            if take >= 0 and keep >= 0:
                target = after.setdefault(take, {})
                target[keep] = target.get(keep, 0) + (value * (take_weight * keep_weight) << lanes * lane)
    return after


class _Hands:
    """One holder's hands by rank: those without the first element before those with it, and so on."""

    def __init__(self, automaton: Automaton, order: Sequence[int]) -> None:
        self.levels = automaton.levels
        self.order = [element for element in order if element in automaton.levels]
        self.before: dict[int, list[int]] = {}  # by element and node: how many hands leave the element
        behind = [1]
        for element in reversed(self.order):
            level = automaton.levels[element]
            self.before[element] = [behind[node] if node >= 0 else 0 for node in level.skip]
            takes = [behind[node] if node >= 0 else 0 for node in level.take]
            behind = list(map(int.__add__, self.before[element], takes))
        self.count = behind[0]
        if self.count > JOINT:
            raise TooWide(f"a holder with more than {JOINT} possible hands has no joint distribution")

    def moves(self, node: int, element: int) -> tuple[int, int, int, int, int]:
        """Return where leaving leads, its weight, where taking leads, its weight, and by how many ranks."""
        if element not in self.levels:
            return node, 1, -1, 0, 0
        level = self.levels[element]
        skip_weight, take_weight = level.weights[node] if level.weights else (1, 1)
        return level.skip[node], skip_weight, level.take[node], take_weight, self.before[element][node]

    def hand(self, rank: int) -> int:
        """Return the hand of this rank."""
        node = hand = 0
        for element in self.order:
            level, before = self.levels[element], self.before[element][node]
            if rank < before:
                node = level.skip[node]
            else:
                rank -= before
                hand |= 1 << element
                node = level.take[node]
        return hand


def _bound(parts: Sequence[Part]) -> int:
    """Return a number that no sum of weights exceeds."""
    deals = factorial(sum(part.need for part in parts)) // prod(factorial(part.need) for part in parts)
    weights = prod(max(*atom.on, *atom.off) for part in parts if part.hands is None for atom in part.atoms)
    return deals * weights * prod(max(weight for _, weight in part.hands) for part in parts if part.hands)
