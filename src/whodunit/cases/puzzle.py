"""A case with its answer and its proof, as it is kept: secret until whoever solves it is done.

Whatever is read is proved again: that exactly one answer fits, where it becomes certain, and each step of the proof.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.cases.effort import effort, inferences, signature
from whodunit.cases.posed import GIVEN, Posed, claim_of, claims_of, cuts_of, known, provable
from whodunit.cases.ruling import certain
from whodunit.cases.steps import Mark, Step, explained
from whodunit.core.cutting import Entry, Line, Question, Weighed
from whodunit.core.redact import redact
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.deduce.explain import Log
from whodunit.deduce.reduce import Knowledge

MINER: Final = 1
"""Rises with every change of mining, steps or efforts that makes other cases of the same seed."""
LEAST_STEPS: Final = 3
"""So many steps of a proof at least are more than reading off where a card is."""
LEAST_KINDS: Final = 2
"""Of so many kinds of evidence at least, beside the hand and what was shown."""


class Made(Struct, frozen=True):
    """From what a case was made."""

    seed: str
    rules: int
    """The version of the game's rules."""
    player: int
    """The version of how cases are cut from it, its miner's player included."""
    miner: int = MINER


class Puzzle(Struct, frozen=True):
    """A case with everything that is known of it."""

    posed: Posed
    """With all its lines."""
    answer: tuple[Entry, ...]
    par: int
    """The line at which the answer is certain."""
    steps: tuple[Step, ...]
    effort: int
    """How hard the proof is, in thousandths."""
    made: Made

    def at(self, turned: int) -> Posed:
        """Return what is known when so many lines are turned: the only thing of it that may be told before the end."""
        return replace(self.posed, lines=self.posed.lines[:turned])


class BadPuzzle(ValueError):
    """What is kept is no case that can be solved; says what is wrong with it, in words that may stand in a log."""


def puzzle_of(posed: Posed, answer: tuple[Entry, ...], par: int, made: Made) -> Puzzle | None:
    """Return a case that was cut with its proof; None, if it is too simple to be posed."""
    position = known(posed)
    steps = explained(position, claims_of(position, answer))
    too_simple = (
        inferences(steps) < provable(posed.game).inferences
        or sum(not _is_read_off(step) for step in steps) < LEAST_STEPS
        or len(_kinds(posed, steps)) < LEAST_KINDS
    )
    if too_simple:
        return None
    return Puzzle(posed, answer, par, steps, effort(steps, position, posed.total), made)


def _is_read_off(step: Step) -> bool:
    return step.kind == "read" and all(mark.held for mark in step.settles)


def weighed(posed: Posed, cuts: Weighed, made: Made) -> Puzzle:
    """Return a case of a game in which nothing is proved: its par is the line from which on the answer is likely."""
    answer = cuts.truth(posed.given, posed.lines, posed.question)
    return Puzzle(posed, (answer,), _likely_from(posed, cuts, answer), (), 0, made)


def _likely_from(posed: Posed, cuts: Weighed, answer: Entry) -> int:
    """Return the line from which on an answer is as likely as a case wants it to be; one more than all, if never."""
    for turned in range(posed.total, -1, -1):
        if cuts.chances(posed.given, posed.lines[:turned], posed.question)[answer] < cuts.sure:
            return turned + 1
    return 0


def _kinds(posed: Posed, steps: Sequence[Step]) -> frozenset[str]:
    """Return what kinds of evidence a proof rests on."""
    cuts = provable(posed.game)
    lines = sorted({line for step in steps for line in step.lines})
    return frozenset().union(*(cuts.kinds(posed.lines[line - 1], posed.seat) for line in lines))


def shape(puzzle: Puzzle) -> str:
    """Return the canonical form of a case and its proof: two cases of the same shape are solved alike.

    It says which lines are used, of what form the steps are, and whom each is about, counted from the seat.
    """
    posed = puzzle.posed
    used = ",".join(map(str, sorted({line for step in puzzle.steps for line in step.lines})))
    about = sorted(f"{step.kind[0]}{_seen_from(posed, mark.column)}" for step in puzzle.steps for mark in step.settles)
    return f"{posed.question.kind} {posed.seats} {used}/{posed.total} {signature(puzzle.steps)} {' '.join(about)}"


def _seen_from(posed: Posed, column: str) -> str:
    """Return whose column it is, counted from the seat that solves the case; or what it is called."""
    return f"+{(int(column) - posed.seat) % posed.seats}" if column.isdecimal() else column


# --- As it is kept ---------------------------------------------------------------------------------------------------


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    """A case as it is written: its events can only be read when its game is known."""

    game: str
    seat: Seat
    seats: int
    question: Question
    given: tuple[Raw, ...]
    lines: tuple[tuple[Raw, ...], ...]
    answer: tuple[Entry, ...]
    par: int
    steps: tuple[Step, ...]
    effort: int
    made: Made


_WRITTEN: Final = msgspec.json.Decoder(_Written)


def written(puzzle: Puzzle) -> bytes:
    """Return a case as it is kept."""
    posed = puzzle.posed
    return encode(
        _Written(
            posed.game,
            posed.seat,
            posed.seats,
            posed.question,
            _raw(posed.given),
            tuple(map(_raw, posed.lines)),
            puzzle.answer,
            puzzle.par,
            puzzle.steps,
            puzzle.effort,
            puzzle.made,
        )
    )


def read(body: bytes) -> Puzzle:
    """Return a case that was kept, proved again; BadPuzzle, if it is not what it says."""
    try:
        kept = _WRITTEN.decode(body)
        event = msgspec.json.Decoder(games.get(kept.game).INFO.event)
        given = tuple(map(event.decode, kept.given))
        lines = tuple(tuple(map(event.decode, line)) for line in kept.lines)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadPuzzle(f"it cannot be read: {error}") from error
    posed = Posed(kept.game, kept.seat, kept.seats, kept.question, given, lines, len(lines))
    puzzle = Puzzle(posed, kept.answer, kept.par, kept.steps, kept.effort, kept.made)
    verify(puzzle)
    return puzzle


def _raw(events: Line) -> tuple[Raw, ...]:
    return tuple(Raw(encode(event)) for event in events)


# --- Proved again ----------------------------------------------------------------------------------------------------


def verify(puzzle: Puzzle) -> None:
    """Raise BadPuzzle unless a case has exactly one answer, this one, and its proof holds."""
    posed, form = puzzle.posed, puzzle.posed.question.form
    if any(redact(event, posed.seat) != event for line in (posed.given, *posed.lines) for event in line):
        raise BadPuzzle("it tells what its seat has not seen")
    if len(puzzle.answer) != len(form) or any(
        entry not in group for entry, group in zip(puzzle.answer, form, strict=False)
    ):
        raise BadPuzzle("its answer is none to its question")
    if not 1 <= puzzle.par <= posed.total:
        raise BadPuzzle("its par is none of its lines")
    cuts = cuts_of(posed.game)
    if isinstance(cuts, Weighed):
        _verify_weighed(puzzle, cuts)
        return
    try:
        for turned in range(posed.total + 1):
            position = known(puzzle.at(turned))
            if not position.engine.possible(position.known):
                raise BadPuzzle(f"its first {turned} lines cannot all be true")
            if certain(position, claims_of(position, puzzle.answer)) != (turned >= puzzle.par):
                raise BadPuzzle(f"its answer is not certain from line {puzzle.par} on and not before")
        _verify_steps(puzzle)
    except (LookupError, TypeError, AttributeError, AssertionError) as error:  # a game folds what its own rules made
        raise BadPuzzle(f"its events do not follow one another: {type(error).__name__}") from error


def _verify_weighed(puzzle: Puzzle, cuts: Weighed) -> None:
    try:
        again = weighed(puzzle.posed, cuts, puzzle.made)
    except ValueError as error:
        raise BadPuzzle(f"it is none of the game's: {error}") from error
    if puzzle.answer != again.answer:
        raise BadPuzzle("its answer is not true")
    if puzzle.par != again.par:
        raise BadPuzzle(f"its answer is not likely from line {puzzle.par} on and not before")
    if puzzle.steps or puzzle.effort:
        raise BadPuzzle("nothing of it can be proved")


def _verify_steps(puzzle: Puzzle) -> None:
    position = known(puzzle.posed)
    log = Log(position.deal, position.engine, position.evidence)
    given = log.known([GIVEN] if GIVEN in log.alone else [])

    def follows(stand: Knowledge, mark: Mark) -> bool:
        denied = claim_of(position, mark.row, mark.column, held=not mark.held)
        return not position.engine.possible(log.supposing(stand, denied))

    shown: set[Mark] = set()
    for number, step in enumerate(puzzle.steps, 1):
        if not all(mark in shown or follows(given, mark) for mark in step.rests):
            raise BadPuzzle(f"step {number} of its proof rests on what was not shown before")
        if not all(line in log.alone for line in step.lines):
            raise BadPuzzle(f"step {number} of its proof rests on a line that says nothing")
        stand = log.known([source for source in (GIVEN, *step.lines) if source in log.alone])
        for mark in step.rests:
            stand = log.supposing(stand, claim_of(position, mark.row, mark.column, held=mark.held))
        if not all(follows(stand, mark) for mark in step.settles):
            raise BadPuzzle(f"step {number} of its proof does not hold")
        shown |= _spread(position, step.settles)
    if not all(Mark(row, column, held=True) in shown for row, column in puzzle.answer):
        raise BadPuzzle("its proof does not lead to its answer")


def _spread(position: Any, marks: Sequence[Mark]) -> set[Mark]:
    """Return marks with their other side: what is with one holder is with no other."""
    others = {
        Mark(mark.row, str(holder), held=False)
        for mark in marks
        if mark.held
        for holder in position.deal.holders
        if str(holder) != mark.column
    }
    return {*marks, *others}
