"""The order in which elements are dealt out: a good one keeps few questions open at a time."""

from collections.abc import Sequence

from whodunit.deduce.reduce import Part, Reduced

# Whole numbers throughout: the compiled engine must find the same order. 64 stands for one bit of a state's width.
LOG = [0, *(((size**64).bit_length() - 1) for size in range(1, 257))]
NEAR = 10920  # how much a step towards closing an atom counts, divided by the elements it still lacks
EXACT = 840  # how much the width itself counts


def ordered(position: Reduced) -> list[int]:
    """Return the free elements, those first that decide what other evidence means, then the narrowest way through."""
    rest = [element for element in range(position.free.bit_length()) if position.free >> element & 1]
    first = 0
    for part in position.parts:
        for atom in part.atoms:
            first |= atom.given
    way = _Way(position.parts, rest)
    order = [element for element in rest if first >> element & 1]
    for element in order:
        way.step(element)
        rest.remove(element)
    while rest:
        element = min(rest, key=way.score)  # the first of equals, so the lowest
        way.step(element)
        rest.remove(element)
        order.append(element)
    return order


class _Way:
    """How wide the states are on the way, and by how much each next element would change that."""

    def __init__(self, parts: Sequence[Part], elements: Sequence[int]) -> None:
        self.parts: dict[int, list[list[int]]] = {}  # by element: [need, past, future, width]
        self.atoms: dict[int, list[list[int]]] = {}  # by element: [most counted, past, future, width]
        all_parts, all_atoms = [], []
        for part in parts:
            all_parts.append((part.free, [part.need, 0, part.free.bit_count(), 0]))
            for atom in part.atoms:
                most = min(part.need, _saturation(atom.on), len(atom.on) - 1)
                if atom.given:
                    most = min(part.need, len(atom.on) - 1)
                all_atoms.append((atom.mask, [most, 0, atom.mask.bit_count(), 0]))
        for element in elements:
            self.parts[element] = [record for mask, record in all_parts if mask >> element & 1]
            self.atoms[element] = [record for mask, record in all_atoms if mask >> element & 1]

    def score(self, element: int) -> int:
        """Return what dealing this element next costs."""
        width = near = 0
        for need, past, future, now in self.parts[element]:
            width += _part_width(need, past + 1, future - 1) - now
        for most, past, future, now in self.atoms[element]:
            if future > 1:
                width += (LOG[min(past + 1, most) + 1] >> 1) - now
                near += NEAR // (future - 1)
            else:
                width -= now
        return EXACT * width - near

    def step(self, element: int) -> None:
        """Deal this element."""
        for record in self.parts[element]:
            need, past, future, _ = record
            record[1:] = past + 1, future - 1, _part_width(need, past + 1, future - 1)
        for record in self.atoms[element]:
            most, past, future, _ = record
            record[1:] = past + 1, future - 1, LOG[min(past + 1, most) + 1] >> 1 if future > 1 else 0


def _part_width(need: int, past: int, future: int) -> int:
    most, least = min(need, future), max(0, need - past)
    return LOG[most - least + 1]


def _saturation(table: Sequence[int]) -> int:
    """Return the number from which on the weight stays the same."""
    number = len(table) - 1
    while number and table[number - 1] == table[number]:
        number -= 1
    return number
