"""The compiled kernel, where there is one (build.py says how it comes); what it cannot hold is counted in Python."""

import ctypes
import logging
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final

from whodunit.deduce import frontier, worlds
from whodunit.deduce.frontier import Solution
from whodunit.deduce.reduce import Knowledge, TooWide, reduced
from whodunit.deduce.worlds import JOINT, World

LOG: Final = logging.getLogger(__name__)
SLOW: Final = (
    "Python counts alone, many times slower than the compiled kernel: "
    "with a C compiler, `python -m whodunit.deduce.build` makes it"
)
"""What is said once in a process, when something is first counted."""

COUNTED, TOO_WIDE, ELSEWHERE = 0, 1, 2  # as in kernel.h
ELEMENTS, HOLDERS, ATOMS = 62, 31, 400
WORD = (1 << 64) - 1


@cache
def load() -> "Native | None":
    """Return the compiled engine, or say that there is none and return None."""
    from whodunit.deduce.build import library  # noqa: PLC0415  (`python -m` complains of what is loaded already)

    try:
        return Native(ctypes.CDLL(str(library())))
    except OSError:  # not built, or on another kind of machine
        LOG.warning(SLOW)
        return None


def leave_the_word_to_the_parent() -> None:
    """Say nothing in this process, one of many workers: whoever started them has said it."""
    LOG.setLevel(logging.ERROR)


class Native:
    """The engine in C: the same answers as Python's."""

    def __init__(self, kernel: ctypes.CDLL) -> None:
        address = ctypes.c_void_p
        self._solve = kernel.whodunit_solve
        self._solve.argtypes = (address, address)
        self._possible = kernel.whodunit_possible
        self._possible.argtypes = (address, address)
        self._worlds = kernel.whodunit_worlds
        self._worlds.argtypes = (address, address, ctypes.c_int64, address)
        self._joint = kernel.whodunit_joint
        self._joint.argtypes = (address, ctypes.c_int, address)
        self._order = kernel.whodunit_order
        self._order.argtypes = (address, address)

    def solve(self, known: Knowledge) -> Solution:
        """Return the weight of all worlds, and of those in which an element is with a holder."""
        holders = len(known.capacities)
        elements = sum(known.capacities)
        out = _room(2 + 2 * elements * holders)
        problem = _encoded(known)
        if problem is None or not _counted(self._solve(_at(problem), _at(out))):
            return frontier.solve(known)
        words = out.tolist()
        low, high = words[::2], words[1::2]
        if any(high):
            low = [one | other << 64 for one, other in zip(low, high, strict=True)]
        return Solution(low[0], [low[at : at + holders] for at in range(1, 1 + elements * holders, holders)])

    def possible(self, known: Knowledge) -> bool:
        """Say whether any world fits."""
        out = _room(1)
        problem = _encoded(known)
        if problem is None or self._possible(_at(problem), _at(out)) != COUNTED:
            return worlds.possible(known)  # which may find one world where all are too many
        return out[0] != 0

    def worlds(self, known: Knowledge, ranks: Sequence[int]) -> list[World]:
        """Return the worlds of these ranks, each below the total."""
        holders = len(known.capacities)
        out = _room(len(ranks) * holders)
        problem = _encoded(known)
        wanted = array("Q", [word for rank in ranks for word in (rank & WORD, rank >> 64 & WORD)])
        if problem is None or not _counted(self._worlds(_at(problem), _at(wanted), len(ranks), _at(out))):
            return worlds.worlds(known, ranks)
        return list(zip(*[iter(out.tolist())] * holders, strict=True))

    def joint(self, known: Knowledge, holder: int) -> dict[int, int]:
        """Return the weight of every hand that the holder may have."""
        out = _room(1 + 3 * JOINT)
        problem = _encoded(known)
        if problem is None or not _counted(self._joint(_at(problem), holder, _at(out))):
            return worlds.joint(known, holder)
        words = out[1 : 1 + 3 * out[0]].tolist()
        hands, low, high = words[::3], words[1::3], words[2::3]
        if any(high):
            low = [one | other << 64 for one, other in zip(low, high, strict=True)]
        return dict(zip(hands, low, strict=True))

    def order(self, known: Knowledge) -> list[int]:
        """Return the order in which the free elements are dealt; nothing if no world fits."""
        out = _room(1 + ELEMENTS)
        problem = _encoded(known)
        assert problem is not None
        self._order(_at(problem), _at(out))
        return out[1 : 1 + out[0]].tolist()


def _encoded(known: Knowledge) -> "array[int] | None":
    """Return the problem as words, as read_position in position.c reads them; None if it does not fit."""
    elements, holders = sum(known.capacities), len(known.capacities)
    if elements > ELEMENTS or holders > HOLDERS or sum(map(len, known.atoms)) > ATOMS:
        return None
    hands: dict[int, tuple[tuple[int, int], ...]] = {}
    if any(known.judges):
        position = reduced(known)
        hands = position.hands if position else dict.fromkeys(range(holders), ())
    words = [elements, holders, frontier.STATES]
    for holder, capacity in enumerate(known.capacities):
        listed = hands.get(holder)
        number = WORD if listed is None else len(listed)
        words += (capacity, known.allowed[holder], known.required[holder], len(known.atoms[holder]), number)
    for holder, atoms in enumerate(known.atoms):
        for mask, on, given, off in atoms:
            words += (mask, given, *on, *off)
        for hand in hands.get(holder, ()):
            words += hand
    try:
        return array("Q", words)
    except OverflowError:
        return None


def _counted(code: int) -> bool:
    if code == TOO_WIDE:
        raise TooWide(f"more than {frontier.STATES} states, or more than {JOINT} hands")
    return code == COUNTED


def _room(words: int) -> "array[int]":
    return array("Q", bytes(8 * words))


def _at(words: "array[int]") -> int:
    return words.buffer_info()[0]
