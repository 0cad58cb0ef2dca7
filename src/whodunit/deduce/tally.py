"""What a flow says of one holder, counted quickly: what is settled is set aside, and nothing is counted besides.

Its numbers are those of `Flow.posterior`. That one can draw samples too, and what it draws must stay as it is: bots are
certified by their draws.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache
from math import log2
from statistics import median_low
from typing import Final, Generic, NamedTuple, TypeAlias

from whodunit.deduce.asking import NOTHING, Outlook
from whodunit.deduce.engine import Engine
from whodunit.deduce.evidence import E, H
from whodunit.deduce.flow import Branch, Flow, Held, Lacked
from whodunit.deduce.reduce import Atom, Knowledge

POLISHED: Final = 2
"""So many times powers of two are taken out of weights: more changes nearly nothing."""

Lanes: TypeAlias = int
"""A mask over the lanes of a branch."""


class Draft(NamedTuple, Generic[E]):
    """All notes of a branch, element by element."""

    branch: Branch
    may: dict[E, Lanes]
    """Where each element may be."""
    halvings: dict[E, list[int]]
    """How doubtful it is there, by lane; of those that are doubtful anywhere."""

    def at(self, holder: H) -> Lanes:
        """Return the lanes that are now with a holder."""
        return sum(1 << place for place, lane in enumerate(self.branch.lanes) if lane.where == holder)


def drafts(flow: Flow[E, H]) -> list[Draft[E]]:
    """Return every branch of a flow with what is noted of it."""
    if "drafts" not in flow.counted:
        flow.counted["drafts"] = [_draft(branch, flow.elements) for branch in flow.branches]
    found: list[Draft[E]] = flow.counted["drafts"]
    return found


def _draft(branch: Branch, elements: Sequence[E]) -> Draft[E]:
    places = {lane.id: place for place, lane in enumerate(branch.lanes)}
    every = (1 << len(places)) - 1
    may = dict.fromkeys(elements, every)
    halvings: dict[E, list[int]] = {}
    for note in branch.notes:
        named: tuple[E, ...] = note.elements  # type: ignore[assignment]  # the caller's own
        if note.kind == "doubt":
            for element in named:
                row = halvings.setdefault(element, [0] * len(places))
                for lane in note.lanes:
                    row[places[lane]] += note.halvings
            continue
        mask = 0
        for lane in note.lanes:
            mask |= 1 << places[lane]
        if note.kind == "out":
            mask ^= every
        for element in named:
            may[element] &= mask
    return Draft(branch, may, halvings)


class Open(NamedTuple, Generic[E]):
    """What is open in a branch: the elements that are not settled, and how many of them each lane gets."""

    elements: tuple[E, ...]
    rooms: tuple[int, ...]
    settled: dict[E, int]
    """The lane of every other element."""
    lanes: tuple[Lanes, ...]
    """By element, where it may be."""
    weights: tuple[dict[int, tuple[int, int]], ...]
    """By element and lane the weights if it is not there, and if it is; nothing where nothing is doubtful."""
    bits: int
    """How many times all weights are doubled beside what the doubts say."""


def opened(draft: Draft[E], facts: "Sequence[Held[E, H] | Lacked[E, H]]" = ()) -> Open[E] | None:
    """Return what is open in a branch, if this is so besides; None if it is at once seen to be impossible."""
    may = draft.may
    if facts:
        may = may.copy()
        for fact in facts:
            there = draft.at(fact.holder)
            for element in fact.elements:
                may[element] &= there if isinstance(fact, Held) else ~there
    rooms = [lane.size for lane in draft.branch.lanes]
    settled: dict[E, int] = {}
    free, full = may, 0
    while True:
        rest: dict[E, Lanes] = {}
        for element, mask in free.items():
            lanes = mask & ~full
            if lanes & lanes - 1:
                rest[element] = lanes
                continue
            place = lanes.bit_length() - 1
            if not lanes or not rooms[place]:
                return None
            settled[element] = place
            rooms[place] -= 1
        # A lane that is full takes nothing more, and what then has one lane left is settled too.
        before, full = full, 0
        for place, room in enumerate(rooms):
            if not room:
                full |= 1 << place
        free = rest
        if full == before:
            break
    bits = 0
    weights: tuple[dict[int, tuple[int, int]], ...] = ()
    if draft.halvings:
        bits = sum(draft.halvings[element][place] for element, place in settled.items() if element in draft.halvings)
        if any(element in draft.halvings for element in free):
            weights, doubled = _weights(rooms, free, draft.halvings)
            bits += doubled
    return Open(tuple(free), tuple(rooms), settled, tuple(free.values()), weights, bits)


def _weights(
    rooms: Sequence[int], free: dict[E, Lanes], halvings: dict[E, list[int]]
) -> tuple[tuple[dict[int, tuple[int, int]], ...], int]:
    """Return every element's weights by lane, and how many times all of them are doubled.

    An element is in one lane, and a lane gets so many elements: so a power of two may be taken out of each. They are
    chosen so that what is left is near one, because the engine takes the product of all weights for a bound.
    """
    none = [0] * len(rooms)
    rows = [
        ([place for place in range(len(rooms)) if lanes >> place & 1], halvings.get(element, none))
        for element, lanes in free.items()
    ]
    by_element, by_lane = [0] * len(rows), [0] * len(rooms)
    for _ in range(POLISHED):
        for place, room in enumerate(rooms):
            if room:
                column = [
                    row[place] - by for (places, row), by in zip(rows, by_element, strict=True) if place in places
                ]
                by_lane[place] = median_low(column) if column else 0
        by_element = [median_low([row[place] - by_lane[place] for place in places]) for places, row in rows]
    doubled = sum(by_element) + sum(room * by for room, by in zip(rooms, by_lane, strict=True))
    weights: list[dict[int, tuple[int, int]]] = []
    for (places, row), by in zip(rows, by_element, strict=True):
        pairs = {}
        for place in places:
            more = by + by_lane[place] - row[place]
            if more:
                pairs[place] = (1, 1 << more) if more > 0 else (1 << -more, 1)
                doubled += max(0, -more)
        weights.append(pairs)
    return tuple(weights), doubled


def _known(part: Open[E], tilted: Collection[E] = (), at: Lanes = 0, by: int = 1) -> Knowledge:
    """Return an open branch as the engine takes it; the tilted elements weigh so many times as much in these lanes."""
    allowed = [0] * len(part.rooms)
    atoms: list[tuple[Atom, ...]] = [()] * len(part.rooms)
    for place, room in enumerate(part.rooms):
        if not room:
            continue
        bit, mask = 1, 0
        for lanes in part.lanes:
            if lanes >> place & 1:
                mask |= bit
            bit <<= 1
        allowed[place] = mask
        times = by if at >> place & 1 else 1
        if part.weights or times != 1:
            atoms[place] = tuple(_atoms(part, place, tilted, times))
    none = (0,) * len(part.rooms)
    return Knowledge(part.rooms, tuple(allowed), none, tuple(atoms), ((),) * len(part.rooms))


def _atoms(part: Open[E], place: int, tilted: Collection[E], times: int) -> list[Atom]:
    found = []
    for number, (element, lanes) in enumerate(zip(part.elements, part.lanes, strict=True)):
        if lanes >> place & 1:
            away, there = part.weights[number].get(place, (1, 1)) if part.weights else (1, 1)
            there *= times if element in tilted else 1
            if away != 1 or there != 1:
                found.append(Atom(1 << number, (away, there)))
    return found


def masses(flow: Flow[E, H], holder: H, *facts: Held[E, H] | Lacked[E, H]) -> tuple[dict[E, int], Fraction]:
    """Return the weight of all courses in which a holder of one element has this one, and the scale of the weights.

    If this is so besides: what is known now, and of now.
    """
    if not facts and holder in flow.counted:
        return flow.counted[holder]  # type: ignore[no-any-return]  # as below
    parts = []
    for draft in drafts(flow):
        part = opened(draft, facts)
        if part is not None:
            place = draft.at(holder).bit_length() - 1
            parts.append((_ones(flow.engine, part, place), part.bits))
    most = max((bits for _, bits in parts), default=0)
    found = dict.fromkeys(flow.elements, 0)
    for ones, bits in parts:
        for element, mass in ones:
            found[element] += mass << most - bits
    weights = {element: mass for element, mass in found.items() if mass}, Fraction(2) ** most
    if not facts:
        flow.counted[holder] = weights
    return weights


def _ones(engine: Engine, part: Open[E], place: int) -> list[tuple[E, int]]:
    """Return what a lane of one element may get, each with its weight."""
    settled = [element for element, lane in part.settled.items() if lane == place]
    if not part.elements:
        return [(element, 1) for element in settled]
    solved = engine.solve(_known(part))
    if settled:
        return [(settled[0], solved.total)]
    return [(element, masses[place]) for element, masses in zip(part.elements, solved.masses, strict=True)]


def outlook(flow: Flow[E, H], holder: H, *facts: Held[E, H] | Lacked[E, H]) -> Outlook:
    """Return what a flow says of a holder of one element, if this is so besides."""
    weights, scale = masses(flow, holder, *facts)
    total = sum(weights.values())
    if not total:
        return NOTHING
    chances = [mass / total for mass in weights.values()]
    return Outlook(total / scale, sum(chance * -log2(chance) for chance in chances), max(chances))


def drawn_evenly(flow: Flow[E, H], holder: H, elements: Collection[E]) -> dict[E, Fraction]:
    """Return how likely each of these elements is, if the holder takes one of those of them that it has.

    Each that it has is as likely as any other, so what counts is how many it has: with the elements weighing t times
    as much the courses in which it has k of them weigh t to the k, and the integral of t to the k-1 is one k-th.
    """
    chosen = frozenset(elements)
    found = dict.fromkeys(elements, Fraction(0))
    total = Fraction(0)
    for draft in drafts(flow):
        part = opened(draft)
        if part is None:
            continue
        whole = 1 / Fraction(2) ** part.bits
        at = draft.at(holder)
        ours = [element for element, place in part.settled.items() if element in chosen and at >> place & 1]
        if not part.elements:
            total += whole
            for element in ours:
                found[element] += whole / len(ours)
            continue
        hand = [place for place in range(len(part.rooms)) if at >> place & 1]
        most = min(sum(part.rooms[place] for place in hand), sum(element in chosen for element in part.elements))
        for by, share in enumerate(_integral(max(1, most + len(ours))), 1):
            solved = flow.engine.solve(_known(part, chosen, at, by))
            weight = share * whole * Fraction(by ** len(ours), by)
            if by == 1:
                total += solved.total * whole
            for number, element in enumerate(part.elements):
                if element in chosen:
                    found[element] += weight * sum([solved.masses[number][place] for place in hand])
            for element in ours:
                found[element] += weight * solved.total
    return {element: mass / total for element, mass in found.items() if mass}


@cache
def _integral(points: int) -> tuple[Fraction, ...]:
    """Return the weights by which values at 1, 2, ... give the integral from 0 to 1, exact for so many coefficients."""
    weights = []
    for at in range(1, points + 1):
        polynomial = [Fraction(1)]  # the one that is 1 here and 0 at all other points
        for other in range(1, points + 1):
            if other != at:
                low = [coefficient * -other for coefficient in polynomial] + [Fraction(0)]
                high = [Fraction(0), *polynomial]
                polynomial = [(one + two) / (at - other) for one, two in zip(low, high, strict=True)]
        weights.append(sum((part / (power + 1) for power, part in enumerate(polynomial)), Fraction(0)))
    return tuple(weights)
