"""What a game brings so that cases to solve can be cut from it: how its record falls into lines, and what can be asked.

A case is cut from what one seat saw of a game: what was given to it, and lines, each a whole question with its answers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Event, Seat

Entry: TypeAlias = tuple[str, str]
"""A row and a column of the sheet: that this thing is with this holder."""
Line: TypeAlias = tuple[Event, ...]
"""A whole question with its answers, as one seat saw them."""


class Question(Struct, frozen=True):
    """What a case asks."""

    kind: str
    """The game's texts ask it in words under `case.ask.<kind>`."""
    form: tuple[tuple[Entry, ...], ...]
    """Of each of these groups of entries exactly one is true: to answer is to name it."""
    subject: str | None = None
    """The row that it is about, where the kind alone does not say it."""


class Setting(Struct, frozen=True):
    """A table at which games are played to cut cases from."""

    seats: int
    options: Mapping[str, object]
    kinds: tuple[str, ...]
    """Which questions are asked of such games."""
    weekdays: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    """On which days, from Monday as 1."""


class Record(Struct, frozen=True):
    """What one seat saw of a game, as far as a case can be made of it."""

    given: Line
    """What everybody or the seat alone knows from the start."""
    lines: tuple[Line, ...]
    """In the order in which they came."""
    is_whole: bool = False
    """Whether no line can be left out, since each says how the table stands for the next."""


def _unchanged(line: Line, _place: int) -> Line:
    return line


def _always(_given: Line, _lines: Sequence[Line], _seat: Seat) -> bool:
    return True


class Cuts(Struct, frozen=True):
    """How cases are cut from games of a game, where an answer can be proved."""

    version: int
    """Rises with every change of what follows that makes other cases of the same seed."""
    settings: tuple[Setting, ...]
    lines: tuple[int, int]
    """The fewest and the most lines of a case."""
    play: Callable[[Any, Seat, Rng], Action]
    """The miner's player: of the state and whose turn it is, what is done now; it goes by what the seat can see.

    It is frozen, and counts in whole numbers alone: who changes it changes every case that is still to come.
    """
    records: Callable[[Sequence[Any], Seat], Iterable[Record]]
    """Of all that a seat saw of a game: what a case can be made of."""
    sighted: Callable[[Line, Seat], Line]
    """Of a line that is left out, and of the seat: what it has been shown in it all the same."""
    position: Callable[[Any], Any]
    """Of a belief: what is known of the deal, as a position of `deduce` in which every possible world counts once."""
    questions: Callable[[Any, Sequence[str]], Iterable[Question]]
    """Of such a position: all questions of these kinds that can be asked of it."""
    kinds: Callable[[Line, Seat], frozenset[str]]
    """What kinds of evidence a line brings, besides what the seat itself has seen."""
    renumbered: Callable[[Line, int], Line] = _unchanged
    """Of a line and its place in the case, from 1: the line, if it counts itself among those that are left."""
    worthy: Callable[[Line, Sequence[Line], Seat], bool] = _always
    """Of what is given, of the lines up to the one that makes the answer certain, and of the seat: whether the case is
    worth solving."""
    inferences: int = 3
    """So many steps of a proof at least are more than reading a line."""
    longest: int = 900
    """A game is left after so many events."""


class Weighed(Struct, frozen=True):
    """How cases are made of a game in which nothing can be proved, and an answer is only more or less likely."""

    version: int
    sure: int
    """In millionths: a case is only posed where the best answer is as likely, in the end."""
    make: Callable[[int], tuple[Line, tuple[Line, ...], Question]]
    """From the number of a day, counted as `date.toordinal` does: what is given, the lines, and what is asked."""
    chances: Callable[[Line, Sequence[Line], Question], Mapping[Entry, int]]
    """Of what is given, the lines that are turned and the question: how likely each entry is, in millionths."""
    truth: Callable[[Line, Sequence[Line], Question], Entry]
    """The same, but what is true: secret until the end. ValueError, if that is no case of this game; says why."""
    clip: Callable[[str], bytes | None]
    """The sound of this id; None: there is none."""
