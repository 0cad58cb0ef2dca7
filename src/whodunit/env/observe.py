"""What a seat sees as an array of numbers, each with a name."""

from collections.abc import Hashable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from whodunit import games
from whodunit.core.info import Options
from whodunit.core.observing import Part, names, numbers
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Belief, Game, Seat

KEPT: Final = 1024
"""So many values of a part are kept as numbers; then they are made anew."""


class Observer:
    """The numbers that one seat sees: as many for every view of this game, at so many seats, with these options."""

    names: tuple[str, ...]
    """What each number tells."""
    size: int

    def __init__(self, game: Game | str, seats: int, options: Options | Mapping[str, object], seat: Seat) -> None:
        game = games.get(game) if isinstance(game, str) else game
        options = options if isinstance(options, Options) else game.INFO.parse(seats, options)
        if not TABLE <= seat < seats:
            raise ValueError(f"there is no seat {seat} at a table of {seats}")
        self._made_of = game.INFO.id, seats, options, seat
        observed = game.observed(seats, options, seat)
        if observed is None:
            raise LookupError(f"{game.INFO.id} does not say what a seat sees as numbers: it brings no `observed`")
        self._parts: list[_Numbers] = []
        named: list[str] = []
        for part in observed.parts:
            self._parts.append(_Numbers(part, len(named)))
            named += names(part)
        self._belief = len(named)
        self._cells = {cell: nth for nth, cell in enumerate(_sheet(game, seats, options, seat))}
        self.names = (*named, "belief", *(f"belief.{row}.{column}" for row, column in self._cells))
        self.size = len(self.names)
        self._now: NDArray[np.float32] = np.zeros(self.size, np.float32)
        self._thought: Belief | None = None

    def observe(self, view: Any, belief: Belief | None = None) -> NDArray[np.float32]:
        """Return what the view tells, and the marginals of the belief's sheet; 0 for whatever is not known."""
        now = self._now
        for part in self._parts:
            told = part.of(view)
            if told is not part.told and told != part.told:
                now[part.place] = part.numbers(told)
                part.told = told
        if belief is not self._thought:
            now[self._belief :] = 0.0 if belief is None else self._marginals(belief)
            self._thought = belief
        return now.copy()

    def _marginals(self, belief: Belief) -> NDArray[np.float32]:
        cells = belief.sheet("probabilities").cells
        shares = np.zeros(1 + len(self._cells), np.float32)
        shares[0] = bool(cells)
        for cell in cells:
            shares[1 + self._cells[cell.row, cell.column]] = cell.share
        return shares

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, self._made_of


class _Numbers:
    """A part with its place in the array, and what it told last."""

    __slots__ = ("_kept", "_part", "of", "place", "told")

    def __init__(self, part: Part, start: int) -> None:
        self.of = part.of
        self.place = slice(start, start + len(names(part)))
        self.told: Hashable = _Numbers  # nothing that a view holds is equal to this
        self._part = part
        self._kept: dict[Hashable, NDArray[np.float32]] = {}

    def numbers(self, told: Hashable) -> NDArray[np.float32]:
        """Return the numbers for what the part tells now."""
        kept = self._kept.get(told)
        if kept is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            kept = self._kept[told] = np.array(numbers(self._part, told), np.float32)
        return kept


def _sheet(game: Game, seats: int, options: Options, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Return the entries that a belief's sheet has in this game: a deal of the very game tells."""
    given = {name: getattr(options, name) for name in options.__struct_fields__}
    quick: Any = game.INFO.parse(seats, {**given, **game.INFO.bulk})
    belief = game.belief(seat)
    for event in game.setup(seats, quick, Rng(b"observer", 1)):
        belief = belief.learn(redact(event, seat))
    return tuple((cell.row, cell.column) for cell in belief.sheet("probabilities").cells)
