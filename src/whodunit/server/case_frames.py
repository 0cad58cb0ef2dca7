"""What a page gets of a case to solve: made of what is posed and what the person has done; in the end of the rest."""

from functools import lru_cache
from typing import Any, NamedTuple

from whodunit import games
from whodunit.cases.posed import Posed, cuts_of, view
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Heard, Impossible, Proved, Ruling, Unproved
from whodunit.cases.steps import Mark
from whodunit.core.cutting import Line, Weighed
from whodunit.core.frames import EventFrame
from whodunit.core.types import Game
from whodunit.server import protocol
from whodunit.server.attempts import Attempt
from whodunit.server.case_shelf import CaseName, Facts
from whodunit.server.case_work import Sheet


def card(name: CaseName, facts: Facts, attempt: Attempt | None, solved_here: int) -> protocol.CaseCard:
    """Return a case's card, as it stands with somebody."""
    heard = isinstance(cuts_of(name.game), Weighed)
    return protocol.CaseCard(
        case=str(name),
        game=name.game,
        weekday=name.weekday,
        heard=heard,
        seats=facts.seats,
        state="new" if attempt is None else attempt.state,
        turned=0 if attempt is None else attempt.turned,
        total=facts.total,
        guesses=0 if attempt is None else attempt.guesses,
        hints=0 if attempt is None else len(attempt.hints),
        par=None if heard or attempt is None or attempt.ended_at is None else facts.par,
        solved_here=solved_here,
    )


def frame(
    name: CaseName, posed: Posed, sheet: Sheet, attempt: Attempt, result: protocol.CaseResult | None
) -> protocol.CaseFrame:
    """Return a case as far as somebody has come with it."""
    told, question = _told(posed), posed.question
    return protocol.CaseFrame(
        case=str(name),
        game=posed.game,
        weekday=name.weekday,
        question=protocol.QuestionFrame(question.kind, question.form, question.subject),
        seats=posed.seats,
        seat=posed.seat,
        state=attempt.state,
        turned=attempt.turned,
        total=posed.total,
        given=told.given,
        lines=told.lines,
        rows=sheet.rows,
        columns=sheet.columns,
        groups=sheet.groups,
        view=told.view,
        tries=tuple(protocol.ClaimFrame(one.turned, one.claim, _ruling(one.ruling)) for one in attempt.tries),
        hints=tuple(
            protocol.CheckedMarkFrame(one.turned, one.row, one.column, one.held, _ruling_of_mark(one.ruling))
            for one in attempt.hints
        ),
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        result=result,
    )


def result(puzzle: Puzzle, attempt: Attempt, solved_here: int) -> protocol.CaseResult:
    """Return how a case has ended for somebody, with all that was secret in it."""
    assert attempt.ended_at is not None, "it is secret until then"
    return protocol.CaseResult(
        solved=attempt.solved,
        at=attempt.turned,
        par=puzzle.par,
        guesses=attempt.guesses,
        hints=len(attempt.hints),
        answer=puzzle.answer,
        steps=tuple(
            protocol.StepFrame(step.kind, step.lines, _marks(step.rests), _marks(step.settles), step.cases)
            for step in puzzle.steps
        ),
        lines=_told(puzzle.posed).lines,
        solved_here=solved_here,
    )


def _marks(marks: tuple[Mark, ...]) -> tuple[protocol.StepMarkFrame, ...]:
    return tuple(protocol.StepMarkFrame(mark.row, mark.column, mark.held) for mark in marks)


class _Told(NamedTuple):
    given: tuple[EventFrame, ...]
    lines: tuple[tuple[EventFrame, ...], ...]
    view: Any


@lru_cache(maxsize=256)  # everybody who has turned as many lines is told the same
def _told(posed: Posed) -> _Told:
    game = games.get(posed.game)
    begins, lines = len(posed.given) + 1, []
    for line in posed.lines:
        lines.append(_frames(game, line, begins))
        begins += len(line)
    return _Told(_frames(game, posed.given, 1), tuple(lines), view(posed))


def _frames(game: Game, line: Line, begins: int) -> tuple[EventFrame, ...]:
    return tuple(EventFrame(seq, begins, 0, event, game.tell(event)) for seq, event in enumerate(line, begins))


def _ruling(ruling: Ruling | Heard) -> protocol.AnyRuling:
    if isinstance(ruling, Heard):
        return protocol.HeardRuling(ruling.chance, ruling.listener, ruling.listener_chance)
    return _ruling_of_mark(ruling)


def _ruling_of_mark(ruling: Ruling) -> protocol.ProvedFrame | protocol.UnprovedFrame | protocol.ImpossibleFrame:
    match ruling:
        case Proved():
            return protocol.ProvedFrame()
        case Unproved(deal=deal):
            return protocol.UnprovedFrame(tuple(protocol.HandFrame(held.column, held.rows) for held in deal))
        case Impossible(lines=lines):
            return protocol.ImpossibleFrame(lines)
