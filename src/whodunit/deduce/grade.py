"""How hard a proof is for a person: what must be done until the claim stands there."""

from collections.abc import Sequence

from whodunit.deduce.reduce import Atom, Knowledge, propagate

DIRECT, AT_ONCE, IN_ROUNDS, COUNTING, CASES = 1, 2, 3, 4, 5


def graded(known: Knowledge, against: Knowledge, bit: int, holder: int) -> int:
    """Return the grade of the proof that this element is, or is not, with this holder.

    `known` is what the sources of the proof say, `against` the same with the claim denied.
    """
    allowed, required = list(known.allowed), list(known.required)
    _one_place_each(allowed, required)
    rounds = 0
    while True:
        if bit & (required[holder] | ~allowed[holder]):
            return DIRECT if rounds == 0 else AT_ONCE if rounds == 1 else IN_ROUNDS
        if not _round(known, allowed, required):
            break
        rounds += 1
    allowed, required = list(against.allowed), list(against.required)
    return CASES if propagate(against.capacities, allowed, required, against.atoms) else COUNTING


def _round(known: Knowledge, allowed: list[int], required: list[int]) -> bool:
    """Draw every conclusion that what stands there allows, without counting hands; say whether anything is new."""
    may, must = tuple(allowed), tuple(required)
    once = twice = 0
    for mask in may:
        twice |= once & mask
        once |= mask
    for holder, atoms in enumerate(known.atoms):
        required[holder] |= may[holder] & ~twice
        for atom in atoms:
            gone, come = _from_atom(atom, may[holder], must[holder])
            allowed[holder] &= ~gone
            required[holder] |= come
    _one_place_each(allowed, required)
    return (may, must) != (tuple(allowed), tuple(required))


def _one_place_each(allowed: list[int], required: list[int]) -> None:
    taken = 0
    for mask in required:
        taken |= mask
    for holder, mask in enumerate(required):
        allowed[holder] &= ~taken | mask


def _from_atom(atom: Atom, may: int, must: int) -> tuple[int, int]:
    """Return what the holder cannot have by this atom, and what it must have."""
    held = (atom.mask & must).bit_count()
    part = atom.mask & may & ~must
    high = held + part.bit_count()
    with_it, without = any(atom.on[held : high + 1]), any(atom.off[held : high + 1])
    if atom.given and atom.given & may & ~must:
        gone, come = (0 if with_it else atom.given), (0 if without else atom.given)
        numbers = _numbers(atom.on, held, high) + _numbers(atom.off, held, high)
    else:
        gone = come = 0
        numbers = _numbers(atom.off if atom.given and not atom.given & must else atom.on, held, high)
    if numbers and min(numbers) == high:
        come |= part
    if numbers and max(numbers) == held:
        gone |= part
    return gone, come


def _numbers(table: Sequence[int], low: int, high: int) -> list[int]:
    return [number for number in range(low, high + 1) if table[number]]
