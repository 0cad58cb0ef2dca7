"""Evidence in the names of a game, turned into masks and whole numbers."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import lcm
from typing import Generic, NamedTuple

from whodunit.deduce.evidence import AnyEvidence, E, Evidence, H, HandEvidence, Weight
from whodunit.deduce.reduce import Atom, Judge, Knowledge
from whodunit.deduce.worlds import World

MOST = 250


class Deal(Generic[E, H]):
    """What is dealt, and to whom how many: the same for all positions of a game."""

    __slots__ = ("bits", "capacities", "elements", "holders", "places")

    def __init__(self, elements: Sequence[E], holders: Mapping[H, int]) -> None:
        self.elements = tuple(elements)
        self.holders = tuple(holders)
        self.capacities = tuple(holders.values())
        self.bits = {element: 1 << place for place, element in enumerate(self.elements)}
        self.places = {holder: place for place, holder in enumerate(self.holders)}
        if len(self.elements) > MOST:
            raise ValueError(f"more than {MOST} elements")
        if len(self.bits) != len(self.elements):
            raise ValueError("an element is dealt twice")
        if min(self.capacities, default=0) < 0 or sum(self.capacities) != len(self.elements):
            raise ValueError(f"{len(self.elements)} elements do not fill holders of {self.capacities}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        mine = (self.elements, self.holders, self.capacities)
        return mine == (other.elements, other.holders, other.capacities)

    def __hash__(self) -> int:
        return hash((self.elements, self.holders, self.capacities))

    def mask(self, elements: Iterable[E]) -> int:
        """Return the elements as bits, the first element as the lowest."""
        mask = 0
        for element in elements:
            mask |= self.bits[element]
        return mask

    def named(self, mask: int) -> tuple[E, ...]:
        """Return the elements of a mask, in the order in which they are dealt."""
        found = []
        while mask:
            found.append(self.elements[(mask & -mask).bit_length() - 1])
            mask &= mask - 1
        return tuple(found)

    def hands(self, world: World) -> dict[H, tuple[E, ...]]:
        """Return who has what in a world."""
        return {holder: self.named(mask) for holder, mask in zip(self.holders, world, strict=True)}


class Compiled(NamedTuple):
    """All evidence of a position, twice: what is possible at all (`logic`), and how likely it makes a world (`mass`).

    The weights in `mass` are whole: divided by `scale` they are what the evidence says.
    """

    logic: Knowledge
    mass: Knowledge
    scale: int


def nothing_known(deal: Deal[E, H]) -> Compiled:
    """Return the position before any evidence."""
    holders = len(deal.holders)
    everything = (1 << len(deal.elements)) - 1
    none: tuple[tuple[()], ...] = ((),) * holders
    known = Knowledge(deal.capacities, (everything,) * holders, (0,) * holders, none, none)
    return Compiled(known, known, 1)


def with_evidence(known: Compiled, deal: Deal[E, H], evidence: Iterable[AnyEvidence[E, H]]) -> Compiled:
    """Return the position with more evidence; what is on other holders is shared with the one before."""
    logic = _Draft(known.logic)
    mass = logic if known.mass is known.logic else _Draft(known.mass)  # apart from the first likelihood on
    scale = known.scale
    for item in evidence:
        holder = deal.places[item.holder]
        if isinstance(item, HandEvidence):
            judge = _judge(item, deal)
            mass = mass.apart_from(logic)
            logic.judges[holder] += (_support_of(judge),)
            mass.judges[holder] += (judge,)
            continue
        mask = deal.mask(item.elements)
        if item.given is None and len(item.weights) == len(item.elements) + 1 == mask.bit_count() + 1:
            table = _plain(item.weights)
            if table is not None:
                logic.add(holder, mask, table)
                if mass is not logic:
                    mass.add(holder, mask, table)
                continue
        atom, denominator = _atom(item, deal, mask)
        mass = mass.apart_from(logic)
        scale *= denominator
        logic.add_atom(holder, Atom(mask, _support(atom.on), atom.given, _support(atom.off)))
        mass.atoms[holder] += (atom,)
    possible = logic.frozen()
    return Compiled(possible, possible if mass is logic else mass.frozen(), scale)


class _Table(NamedTuple):
    """Weights of 0 and 1, and whether they leave all of the elements away, or all in place."""

    on: tuple[int, ...]
    none: bool
    all: bool


@lru_cache(maxsize=256)
def _plain(weights: tuple[Weight, ...]) -> _Table | None:
    if any(weight not in (0, 1) for weight in weights):
        return None
    on = tuple(map(int, weights))
    return _Table(on, none=not any(on[1:]) and on[0] == 1, all=not any(on[:-1]) and on[-1] == 1)


class _Draft:
    """Knowledge while it grows."""

    __slots__ = ("allowed", "atoms", "capacities", "judges", "required")

    def __init__(self, known: Knowledge) -> None:
        self.capacities = known.capacities
        self.allowed, self.required = list(known.allowed), list(known.required)
        self.atoms, self.judges = list(known.atoms), list(known.judges)

    def apart_from(self, other: "_Draft") -> "_Draft":
        """Return a draft that is not the other one, itself or a copy."""
        return self if self is not other else _Draft(self.frozen())

    def add(self, holder: int, mask: int, table: _Table) -> None:
        """Add evidence of weights 0 and 1; what settles its elements goes into the masks."""
        if table.none:
            self.allowed[holder] &= ~mask
        elif table.all:
            self.required[holder] |= mask
        else:
            self.atoms[holder] += (Atom(mask, table.on),)

    def add_atom(self, holder: int, atom: Atom) -> None:
        """Add an atom of weights 0 and 1 that may depend on an element."""
        if not atom.given and (table := _plain(atom.on)):
            self.add(holder, atom.mask, table)
        elif not any(atom.off) and all(atom.on):
            self.required[holder] |= atom.given
        else:
            self.atoms[holder] += (atom,)

    def frozen(self) -> Knowledge:
        return Knowledge(
            self.capacities, tuple(self.allowed), tuple(self.required), tuple(self.atoms), tuple(self.judges)
        )


def _atom(item: Evidence[E, H], deal: Deal[E, H], mask: int) -> tuple[Atom, int]:
    given = 0 if item.given is None else deal.bits[item.given]
    if mask.bit_count() != len(item.elements) or mask & given:
        raise ValueError(f"an element is named twice: {item}")
    weights = item.weights + item.otherwise
    if len(item.weights) != len(item.elements) + 1 or len(item.otherwise) != (len(item.weights) if given else 0):
        raise ValueError(f"a weight is needed for every number from none to all: {item}")
    if any(weight < 0 for weight in weights):
        raise ValueError(f"a weight is negative: {item}")
    denominator = lcm(*(weight.denominator for weight in weights))
    whole = tuple(weight.numerator * (denominator // weight.denominator) for weight in weights)
    return Atom(mask, whole[: len(item.weights)], given, whole[len(item.weights) :]), denominator


def _support(weights: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(weight > 0) for weight in weights)


def _judge(item: HandEvidence[E, H], deal: Deal[E, H]) -> Judge:
    return lambda hand: item.weigh(deal.named(hand))


def _support_of(judge: Judge) -> Judge:
    return lambda hand: int(judge(hand) > 0)
