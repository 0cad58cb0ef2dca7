"""Cases that are worth solving, without end, no two near each other that are solved alike."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from whodunit import games
from whodunit.cases.mining import mine
from whodunit.cases.posed import provable
from whodunit.cases.puzzle import Made, Puzzle, puzzle_of, shape

APART: Final = 30
"""Of so many cases no two have proofs of the same shape."""


def supplied(game: str, seed: str, kinds: Sequence[str] = (), weekday: int | None = None) -> Iterator[Puzzle]:
    """Yield cases without end: of these kinds of questions, or of all; of one weekday's tables, or of all."""
    made = Made(seed, games.get(game).INFO.rules, provable(game).version)
    last: deque[str] = deque(maxlen=APART)
    for found in mine(game, seed, kinds, weekday):
        puzzle = puzzle_of(found.posed, found.answer, found.par, made)
        if puzzle is not None and (its := shape(puzzle)) not in last:
            last.append(its)
            yield puzzle
