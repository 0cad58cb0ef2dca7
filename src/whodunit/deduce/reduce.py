"""What follows without search: the masks of every holder drawn tight, and the evidence that is then left."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

Table: TypeAlias = tuple[int, ...]
Judge: TypeAlias = Callable[[int], int]
"""The weight of a whole hand."""

HANDS = 1 << 16
"""A holder with more possible hands than this is not judged hand by hand."""


class TooWide(Exception):
    """The position is too large to be counted; the message says in what."""


class Atom(NamedTuple):
    """Evidence about one holder's hand: the weight is `on[n]` for n elements of the mask.

    With a `given` bit, `on` counts if that element is in the hand and `off` if it is not; it is never in the mask.
    """

    mask: int
    on: Table
    given: int = 0
    off: Table = ()


class Part(NamedTuple):
    """One holder who still has elements to get: how many, which may come, and the evidence on them."""

    holder: int
    need: int
    free: int
    atoms: tuple[Atom, ...]
    hands: tuple[tuple[int, int], ...] | None = None
    """If its evidence is no matter of numbers: every hand of free elements that fits it, with the weight."""


class Reduced(NamedTuple):
    """A position with all that follows at once; a world's weight is `factor` times what the parts give it."""

    required: list[int]
    parts: list[Part]
    factor: int
    hands: dict[int, tuple[tuple[int, int], ...]]
    """By holder that is judged by its whole hand, as in its part; also if nothing of the hand is open any more."""

    @property
    def free(self) -> int:
        """The elements whose holder is not settled."""
        free = 0
        for part in self.parts:
            free |= part.free
        return free


class Knowledge(NamedTuple):
    """The evidence on every holder, by holder: what it may have, what it must have, atoms and judges."""

    capacities: tuple[int, ...]
    allowed: tuple[int, ...]
    required: tuple[int, ...]
    atoms: tuple[tuple[Atom, ...], ...]
    judges: tuple[tuple[Judge, ...], ...]


def joined(pieces: Sequence[Knowledge]) -> Knowledge:
    """Return what all pieces say together."""
    allowed, required = list(pieces[0].allowed), list(pieces[0].required)
    atoms, judges = list(pieces[0].atoms), list(pieces[0].judges)
    for piece in pieces[1:]:
        for holder, mask in enumerate(piece.allowed):
            allowed[holder] &= mask
            required[holder] |= piece.required[holder]
            if piece.atoms[holder]:
                atoms[holder] += piece.atoms[holder]
            if piece.judges[holder]:
                judges[holder] += piece.judges[holder]
    return Knowledge(pieces[0].capacities, tuple(allowed), tuple(required), tuple(atoms), tuple(judges))


def weight(known: Knowledge, world: Sequence[int]) -> int:
    """Return the weight of one world, by holder the mask of what it has."""
    product = 1
    for holder, hand in enumerate(world):
        if hand & ~known.allowed[holder] or known.required[holder] & ~hand:
            return 0
        for atom in known.atoms[holder]:
            product *= (atom.off if atom.given and not atom.given & hand else atom.on)[(atom.mask & hand).bit_count()]
        for judge in known.judges[holder]:
            if product:
                product *= judge(hand)
    return product


def reduced(known: Knowledge) -> Reduced | None:
    """Return what is left to be counted, or None if no world is."""
    allowed, required = list(known.allowed), list(known.required)
    if not propagate(known.capacities, allowed, required, known.atoms):
        return None
    parts = []
    factor = 1
    hands = {}
    for holder, atoms in enumerate(known.atoms):
        part, constant = _rest(holder, known.capacities[holder], allowed[holder], required[holder], atoms)
        factor *= constant
        if judges := known.judges[holder]:
            hands[holder] = tuple(_judged(part, required[holder], judges))
            if not hands[holder]:
                return None
            part = part._replace(hands=hands[holder])
        if part.need:
            parts.append(part)
        elif part.hands:
            factor *= part.hands[0][1]
    return Reduced(required, parts, factor, hands)


def _judged(part: Part, must: int, judges: Sequence[Judge]) -> Iterator[tuple[int, int]]:
    """Weigh every hand that the holder may have."""
    if comb(part.free.bit_count(), part.need) > HANDS:
        raise TooWide(f"a holder with more than {HANDS} possible hands cannot be judged by the whole hand")
    bits = [1 << element for element in range(part.free.bit_length()) if part.free >> element & 1]
    for chosen in combinations(bits, part.need):
        hand = sum(chosen)
        weight = 1
        for atom in part.atoms:
            weight *= (atom.off if atom.given and not atom.given & hand else atom.on)[(atom.mask & hand).bit_count()]
        for judge in judges:
            if not weight:
                break
            weight *= judge(must | hand)
        if weight:
            yield hand, weight


def propagate(
    capacities: Sequence[int], allowed: list[int], required: list[int], atoms: Sequence[Sequence[Atom]]
) -> bool:
    """Draw the masks tight in place until nothing follows; say whether they are free of contradiction."""
    everything = (1 << sum(capacities)) - 1
    taken = 0
    for mask in required:
        if taken & mask:
            return False
        taken |= mask
    for holder, mask in enumerate(required):
        allowed[holder] &= ~taken | mask
    dirty = (1 << len(allowed)) - 1
    while dirty:
        while dirty:
            holder = (dirty & -dirty).bit_length() - 1
            dirty &= dirty - 1
            before = required[holder]
            if not _tighten(holder, capacities[holder], allowed, required, atoms[holder]):
                return False
            if gained := required[holder] & ~before:
                for other, mask in enumerate(allowed):
                    if mask & gained and other != holder:
                        allowed[other] = mask & ~gained
                        dirty |= 1 << other
        once = twice = 0
        for mask in allowed:
            twice |= once & mask
            once |= mask
        if once != everything:
            return False
        for holder, mask in enumerate(allowed):
            if gained := mask & ~twice & ~required[holder]:
                required[holder] |= gained
                dirty |= 1 << holder
    return True


def _tighten(holder: int, capacity: int, allowed: list[int], required: list[int], atoms: Sequence[Atom]) -> bool:
    """Draw one holder's masks tight by its capacity and its atoms."""
    may, must = allowed[holder], required[holder]
    while True:
        free = may & ~must
        size = free.bit_count()
        need = capacity - must.bit_count()
        if must & ~may or not 0 <= need <= size:
            return False
        if free and need == 0:
            may, free, size = must, 0, 0
        elif free and need == size:
            must, free, size, need = may, 0, 0, 0
        before = may, must
        for atom in atoms:
            given = atom.given
            mask, on, off = atom.mask, atom.on, atom.off
            part = mask & free
            fresh = part.bit_count()
            held = (mask & before[1]).bit_count()
            low = held + max(0, need - size + fresh)
            high = held + min(fresh, need)
            if given:
                if not given & must and not any(off[low : high + 1]):
                    must |= given
                elif given & may and not any(on[low : high + 1]):
                    may &= ~given
                if given & free & may & ~must:
                    on = tuple(map(int.__or__, on, off))
                elif not given & must:
                    on = off
                if must & ~may:
                    return False
            while low <= high and not on[low]:
                low += 1
            if low > high:
                return False
            while not on[high]:
                high -= 1
            if part and low == held + fresh:
                must |= part
            elif part and high == held:
                may &= ~part
            if low - held == need:  # all that is still to come is among these
                may &= part | ~free
            elif high - held == need - size + fresh:  # all others come
                must |= free & ~part
        if (may, must) == before:
            allowed[holder], required[holder] = may, must
            return True


def _rest(holder: int, capacity: int, may: int, must: int, atoms: Sequence[Atom]) -> tuple[Part, int]:
    """Cut the atoms down to the free elements, join those on the same ones, drop those that tell nothing more."""
    free = may & ~must
    size = free.bit_count()
    need = capacity - must.bit_count()
    factor = 1
    joined: dict[tuple[int, int], Atom] = {}
    for atom in atoms:
        part = atom.mask & free
        fresh = part.bit_count()
        held = (atom.mask & must).bit_count()
        low, high = max(0, need - size + fresh), min(fresh, need)
        given = atom.given & free
        on, off = atom.on, atom.off
        if atom.given and not given and not atom.given & must:
            on = off
        on = tuple(on[held + n] if low <= n <= high else 0 for n in range(fresh + 1))
        if given:
            off = tuple(off[held + n] if low <= n <= high else 0 for n in range(fresh + 1))
            if on == off:
                given = 0
        if not given:
            off = ()
            if all(weight == on[low] for weight in on[low : high + 1]):
                factor *= on[low]
                continue
        other = joined.get((part, given))
        if other:
            on = tuple(map(int.__mul__, on, other.on))
            off = tuple(map(int.__mul__, off, other.off))
        joined[part, given] = Atom(part, on, given, off)
    clauses = [atom.mask for atom in joined.values() if is_clause(atom, need)]
    left = []
    for atom in joined.values():
        if not is_clause(atom, need):
            left.append(atom)
            continue
        factor *= atom.on[1]
        if not any(atom.mask & mask == mask != atom.mask for mask in clauses):  # else a shorter one says more
            left.append(Atom(atom.mask, (0,) + (1,) * (len(atom.on) - 1)))
    return Part(holder, need, free, tuple(left)), factor


def is_clause(atom: Atom, need: int) -> bool:
    """Say whether the atom asks for at least one of its elements, and no more."""
    if atom.given or atom.on[0]:
        return False
    return all(weight == atom.on[1] for weight in atom.on[1 : need + 1])
