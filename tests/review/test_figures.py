"""How a seat did, in figures: what counts as its turn, and what its own notes gave to the truth."""

from functools import cache
from typing import Any

import pytest

from whodunit import arena
from whodunit.core.errors import StillOpen
from whodunit.core.redact import redact
from whodunit.core.types import Batch, Event
from whodunit.games.clue.model import Accuse, EnvelopeFilled, TurnBegan
from whodunit.games.perfect_alibi.model import AskLast, Name, Slam
from whodunit.review.figures import figures
from whodunit.table.case import Case

LEVELS = ("rookie", "detective", "detective", "random")


@cache
def played(game: str, seed: int) -> Case:
    return arena.play_case(arena.open_with_bots(game, LEVELS, {}, f"figures {seed}"), lambda *_: None)


def known(case: Case, seat: int, guesses: tuple[type, ...]) -> Any:
    """Return what the seat believed at its last final guess, or before the case's last batch."""
    own = [batch for batch in case.batches if _is_own(batch, seat, guesses)]
    until = (own or [case.batches[-1]])[-1].seq
    belief: Any = case.table.game.belief(seat)
    for event in (event for batch in case.batches if batch.seq < until for event in batch.events):
        belief = belief.learn(redact(event, seat))
    return belief


def _is_own(batch: Batch, seat: int, guesses: tuple[type, ...]) -> bool:
    return batch.cause is not None and batch.cause.seat == seat and isinstance(batch.cause.action, guesses)


def one(events: tuple[Event, ...], kind: type) -> Any:
    return next(event for event in events if isinstance(event, kind))


@pytest.mark.parametrize("seed", range(4))
def test_in_clue_the_chance_of_the_truth_is_that_of_the_envelope(seed: int) -> None:
    case = played("clue", seed)
    envelope = one(case.events, EnvelopeFilled)
    assert case.outcome is not None
    for seat in range(4):
        told = figures(case, seat)
        chance = known(case, seat, (Accuse,)).solution().get(envelope.trio, 0.0)
        assert told.chance == round(1000 * chance)
        assert told.won == (seat in case.outcome.winners)
        assert told.turns == sum(isinstance(event, TurnBegan) and event.seat == seat for event in case.events)
        assert told.points is None
    assert any((figures(case, seat).chance or 0) < 1000 for seat in range(4))


@pytest.mark.parametrize("seed", range(4))
def test_in_perfect_alibi_it_is_that_of_the_missing_card(seed: int) -> None:
    case = played("perfect_alibi", seed)
    missing = case.table.state.missing
    for seat in range(4):
        chance = known(case, seat, (Slam, Name, AskLast)).solution().get(missing, 0.0)
        assert figures(case, seat).chance == round(1000 * chance)


def test_where_points_decide_no_truth_is_named() -> None:
    case = played("crime_hotel", 0)
    assert case.outcome is not None
    for seat in range(4):
        told = figures(case, seat)
        assert (told.chance, told.points) == (None, (case.outcome.points or ())[seat])
        assert told.turns > 0


def test_what_is_given_up_was_won_by_nobody_and_what_is_open_says_nothing() -> None:
    case = arena.open_with_bots("clue", LEVELS, {}, "given up")
    with pytest.raises(StillOpen):
        figures(case, 0)
    told = figures(case.close(), 0)
    assert (told.won, told.chance) == (False, None)
