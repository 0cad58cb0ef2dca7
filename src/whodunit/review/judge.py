"""The judge: how good a decision was, from what its seat could know. Labels, totals, second tries and hints ask it."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, cast

from whodunit.core.judging import Choice, Measure, Prospect, Reply, Showing
from whodunit.core.redact import fold
from whodunit.core.types import Action, Attention, Belief, Event, Game, Message, Opening, Seat
from whodunit.review.fitted import FITTED, Fitted
from whodunit.review.labels import MATTERS, SURELY, kept, label
from whodunit.review.verdict import Answer, Option, Verdict

STAKE: Final = Measure(loss=0.2, share=0.6, least=0.0)
"""When a final guess is a blunder, as a chance to win."""
GUESSED: Final = 1000
"""So many final guesses are compared with the one that was made."""


def judge(
    game: Game,
    seat: Seat,
    seen: Sequence[Event],
    decision: Action,
    *,
    showing: Showing = "seen_first",
    fitted: Fitted = FITTED,
) -> Verdict | None:
    """Return how good a decision of the seat is after all that it has seen; None where that is not graded."""
    belief = believing(game, seat, "logic", showing)
    for event in seen:
        belief = belief.learn(event)
    seats = cast(Opening, seen[0]).seats
    return judged(Position(game, seat, seats, fold(game, seen), belief), decision, fitted)


def believing(game: Game, seat: Seat, attention: Attention, showing: Showing) -> Belief:
    """Return what a viewer knows before anything was seen, if cards are shown so, as far as the game knows of that."""
    if showing == game.INFO.showings[0] or showing not in game.INFO.showings:
        return game.belief(seat, attention)
    belief: Belief = cast(Any, game).belief(seat, attention, showing)
    return belief


class Position(NamedTuple):
    """A seat before a decision: what it sees, and what it may conclude from all that it has seen."""

    game: Game
    seat: Seat
    seats: int
    view: Any
    belief: Belief


def judged(at: Position, decision: Action, fitted: Fitted = FITTED) -> Verdict | None:
    """Return how good a decision is there; None where that is not graded."""
    if type(decision) in at.game.INFO.final:
        return _staked(at, decision, fitted)
    choice = at.game.choice(at.view, at.seat, at.belief, decision)
    return None if choice is None else _graded(at.game, choice)


def _graded(game: Game, choice: Choice) -> Verdict:
    best, taken = choice.best[0], choice.taken
    stake = best.value if choice.stake is None else choice.stake
    loss = max(0.0, best.value - taken.value)
    error = (best.error**2 + taken.error**2) ** 0.5 if best.action != taken.action else 0.0
    named = None
    if choice.spread >= MATTERS[choice.unit]:
        sure = max(0.0, loss - SURELY * error)
        named = label(sure, stake, choice.unit, choice.measure, taken.value - choice.typical)
    return Verdict(
        kind=choice.kind,
        unit=choice.unit,
        label=named,
        loss=loss,
        share=kept(loss, stake, choice.measure),
        taken=_option(game, taken),
        best=tuple(_option(game, prospect) for prospect in choice.best),
        weight=choice.spread,
        offered=choice.offered,
        answers=tuple(_answer(game, reply) for reply in choice.replies),
        assumes=choice.assumes,
        error=error,
    )


def _option(game: Game, prospect: Prospect) -> Option:
    line = game.tell_action(prospect.action)
    return Option(prospect.action, line, prospect.value, prospect.gain, prospect.error)


def _answer(game: Game, reply: Reply) -> Answer:
    line = reply.line or game.tell(reply.events[-1])
    return Answer(line, reply.chance, reply.left, len(reply.events) - 1 if reply.line is None else 0)


# --- Final guesses -----------------------------------------------------------------------------------------------


def _staked(at: Position, guess: Action, fitted: Fitted) -> Verdict:
    """Weigh a final guess against the likeliest of its kind, and against waiting for one more answer."""
    game, belief = at.game, at.belief
    now = Option(guess, game.tell_action(guess), _right(belief, guess))
    rivals = [
        Option(other, game.tell_action(other), _right(belief, other))
        for offer in game.legal(at.view, at.seat)
        if offer.action is type(guess) and offer.count <= GUESSED
        for other in islice(offer.actions(), GUESSED)
        if other != guess
    ]
    options = [now, *([max(rivals, key=_by_value)] if rivals else [])]
    assumes = belief.assumes()
    waiting = _waiting(at, fitted)
    if waiting is None:
        assumes = (*assumes, Message("review.assumes.not_fitted"))
    else:
        options.append(Option(None, Message("review.wait"), waiting))
        assumes = (*assumes, Message("review.assumes.fitted"))
    best = tuple(sorted(options, key=lambda option: -option.value))
    loss = best[0].value - now.value
    worst = min(option.value for option in options)
    matters = len(options) > 1 and best[0].value - worst >= MATTERS["chance"]
    return Verdict(
        kind="stake",
        unit="chance",
        label=label(loss, best[0].value, "chance", STAKE, 0.0) if matters else None,
        loss=loss,
        share=kept(loss, best[0].value, STAKE),
        taken=now,
        best=best,
        weight=best[0].value - worst,
        assumes=assumes,
    )


def _right(belief: Belief, guess: Action) -> float:
    """Return how likely a guess is right; one that asks once more before it is made, on average over the answers."""
    replies = belief.replies(guess)
    return sum(reply.chance * reply.top for reply in replies) if replies else belief.chance(guess)


def _waiting(at: Position, fitted: Fitted) -> float | None:
    """Return how likely one guesses rightly after one more answer: nobody else must have ended the case before."""
    replies = at.game.ahead(at.view, at.seat, at.belief)
    ended_first = fitted.ended_first(at.game, at.seats, at.belief.entropy())
    if not replies or ended_first is None:
        return None
    return (1 - ended_first) * sum(reply.chance * reply.top for reply in replies)


def _by_value(option: Option) -> float:
    return option.value
