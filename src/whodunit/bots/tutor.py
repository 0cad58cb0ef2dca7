"""Advises a learner: what a careful player would do in their seat, by what the seat has seen and nothing else.

It never names what may be the very solution before that is certain: whoever follows it finds out, and is not lucky.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from whodunit.bots.thinker import Mind, Thinker
from whodunit.core.lesson import Lesson
from whodunit.core.redact import fold
from whodunit.core.types import Action, Belief, Event, Game, Seat, Update

MIND: Final = Mind("logic", samples=12, curiosity=1.0, discretion=0.0, guesses=False)
"""Who thinks, and makes no guess that may be wrong."""


class _Tutor(Thinker):
    """Does what the lesson has explained, wherever that is worth considering."""

    taught: frozenset[str] = frozenset()

    def _considered(self, view: Any) -> Sequence[Action]:
        found = super()._considered(view)
        return [action for action in found if type(action).__name__ in self.taught] or found


def advise(game: Game, seat: Seat, seen: Sequence[Event], lesson: Lesson) -> Action | None:
    """Return what the seat had better do now, or None if it has nothing to do."""
    view, belief = fold(game, seen), game.belief(seat)
    for event in seen:
        belief = belief.learn(event)
    offers = tuple(game.legal(view, seat))
    waited_for, interrupts = seat in game.awaiting(view), game.INFO.interrupts
    thinker = _Tutor(game, seat, str(len(seen)).encode(), MIND)  # the same advice however often it is asked for
    thinker.taught = lesson.taught
    thinker.see(Update(len(seen), tuple(seen), view, offers, game.awaiting(view), game.outcome(view)))
    if (urgent := thinker.interrupt()) is not None:
        return urgent
    if not waited_for or all(offer.action in interrupts for offer in offers):
        return None
    action = thinker.act()
    if (answer := lesson.answer) is None or not _may_solve(action, belief, answer):
        return action
    others = [other for other in _near(game, view, seat, action) if not _may_solve(other, belief, answer)]
    if not others:
        safe = [offer for offer in offers if offer.action not in (*game.INFO.final, *interrupts)]
        others = [other for offer in safe for other in offer.actions() if not _may_solve(other, belief, answer)]
    return max(others, key=lambda other: _promise(game, view, seat, belief, other), default=action)


def _may_solve(action: Action, belief: Belief, answer: tuple[str, int]) -> bool:
    """Say whether an action names what may be the solution, and need not be."""
    column, count = answer
    cells = [cell for cell in belief.sheet("logic").cells if cell.column == column and cell.mark != "no"]
    words = {word for value in _values(action) for word in str(value).split()}
    named = [cell for cell in cells if cell.row in words]
    return len(named) >= count and any(cell.mark is None for cell in named)


def _values(action: Action) -> Iterator[Any]:
    for name in action.__struct_fields__:
        value = getattr(action, name)
        yield from value if isinstance(value, tuple) else (value,)


def _near(game: Game, view: Any, seat: Seat, action: Action) -> Iterator[Action]:
    """Yield what is on offer instead and differs in one thing."""
    for offer in game.legal(view, seat):
        if offer.admits(action):
            for other in offer.actions():
                if sum(getattr(other, name) != getattr(action, name) for name in action.__struct_fields__) == 1:
                    yield other


def _promise(game: Game, view: Any, seat: Seat, belief: Belief, action: Action) -> float:
    choice = game.choice(view, seat, belief, action)
    return belief.gain(action) if choice is None else choice.taken.value
