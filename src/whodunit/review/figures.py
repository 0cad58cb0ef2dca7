"""How one seat did in a closed case, in figures that can be compared with those of others who played the same deal."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from whodunit.core.errors import StillOpen
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Batch, Event, Game, Outcome, Seat, Undone
from whodunit.review.knowing import standing_batches
from whodunit.table.case import Case

THOUSAND: Final = 1000


class Figures(Struct, frozen=True):
    """What a seat's game comes to; whole numbers alone, so that who is as good as another is said exactly."""

    won: bool
    turns: int
    """How many turns of its own it had."""
    chance: int | None
    """In thousandths, how likely its own notes called the truth when it guessed last, or else at the end.

    None where no guess can name the truth, as where points decide.
    """
    points: int | None
    """None where a game has none."""


def figures(case: Case, seat: Seat) -> Figures:
    """Return how a seat did in a closed case; StillOpen before."""
    if case.closed is None:
        raise StillOpen("this case is still open: only what is over can be compared")
    outcome, standing = case.outcome, [batch for batch, stands in standing_batches(case.batches) if stands]
    points = None if outcome is None or outcome.points is None else outcome.points[seat]
    won = outcome is not None and seat in outcome.winners
    return Figures(won, _turns(case.table.game, standing, seat), _chance(case, standing, outcome, seat), points)


def _states(game: Game, standing: Sequence[Batch]) -> Iterator[tuple[Batch, Any]]:
    """Yield each batch with the whole state before it."""
    state = None
    for batch in standing:
        yield batch, state
        for event in batch.events:
            state = state if isinstance(event, Undone) else game.evolve(state, event)


def _turns(game: Game, standing: Sequence[Batch], seat: Seat) -> int:
    """Count the turns that began for the seat; what was taken back is no turn."""
    state, turns = None, set[int]()
    for batch in standing:
        for event in batch.events:
            if isinstance(event, Undone):
                continue
            before = 0 if state is None else state.turn
            state = game.evolve(state, event)
            if state.turn > before and state.on_turn == seat:
                turns.add(state.turn)
    return len(turns)


def _chance(case: Case, standing: Sequence[Batch], outcome: Outcome | None, seat: Seat) -> int | None:
    game = case.table.game
    if outcome is None or not game.INFO.final:
        return None
    truth = _truth(game, standing)
    if truth is None:
        return None
    own = [batch.seq for batch in standing if _guesses(game, batch) and batch.cause and batch.cause.seat == seat]
    until = own[-1] if own else case.batches[-1].seq  # what the last batch lays open nobody could have known before
    seen: list[Event] = [event for batch in case.batches if batch.seq < until for event in batch.events]
    belief = game.belief(seat)
    for event in seen:
        belief = belief.learn(redact(event, seat))
    return round(THOUSAND * belief.chance(truth))


def _guesses(game: Game, batch: Batch) -> bool:
    return batch.cause is not None and type(batch.cause.action) in game.INFO.final


def _truth(game: Game, standing: Sequence[Batch]) -> Action | None:
    """Return the final guess that was right: the last one on offer to anybody that would have won."""
    for batch, state in reversed([*_states(game, standing)]):
        if batch.cause is None or batch.cause.seat < 0 or state is None:
            continue
        seat = batch.cause.seat
        for offer in game.legal(state, seat):
            for action in offer.actions() if offer.action in game.INFO.final else ():
                if _wins(game, state, seat, action):
                    return action
    return None


def _wins(game: Game, state: Any, seat: Seat, action: Action) -> bool:
    for event in game.decide(state, seat, action, Rng(b"", 0)):
        state = game.evolve(state, event)
    outcome = game.outcome(state)
    return outcome is not None and seat in outcome.winners
