"""A case's past is the same however often and in whatever order it is looked at: the fold of what these eyes saw."""

from random import Random

import pytest

from whodunit import games
from whodunit.core.redact import fold, redact
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE, Batch, Undone
from whodunit.core.wire import encode
from whodunit.table.replay import Eyes, Replay
from whodunit.table.table import Table

EVENTS = 80
EVERY: tuple[Eyes, ...] = ("all", TABLE, 0, 1, 2)


def played(game: str, seed: int) -> list[Batch]:
    """Return some of a game of random play in which much is taken back."""
    rules, rng = games.get(game), Stream(b"%d" % seed)
    table, batch = Table.open(rules, 3, rules.INFO.parse(3, {}), b"past")
    batches = [batch]
    while table.seq < EVENTS and not table.outcome:
        if table.undoer is not None and not rng.below("undo", 3):
            table, batch = table.undo(table.undoer)
        else:
            seat = min(seat for seat in table.awaiting if seat != TABLE)
            offer = table.offers[seat][rng.below("offer", len(table.offers[seat]))]
            table, batch = table.act(seat, offer.since, offer.sample(rng))
        batches.append(batch)
    return batches


@pytest.mark.parametrize("game", ["clue", "crime_hotel", "perfect_alibi"])
def test_the_past_is_the_fold_of_what_these_eyes_have_seen(game: str) -> None:
    undone = 0
    for seed in range(3):
        batches, rules = played(game, seed), games.get(game)
        events = [event for batch in batches for event in batch.events]
        undone += sum(isinstance(event, Undone) for event in events)
        replay = Replay(rules)
        looks = [(eyes, seq) for eyes in EVERY for seq in range(1, len(events) + 1)]
        Random(seed).shuffle(looks)  # noqa: S311  (play)
        for batch in batches:
            replay.grow(batch)
        for eyes, seq in looks:
            seen = events[:seq] if eyes == "all" else [redact(event, eyes) for event in events[:seq]]
            assert encode(replay.view(eyes, seq)) == encode(fold(rules, seen))
    assert undone or not games.get(game).INFO.undoable


def test_it_is_open_up_to_the_last_that_was_stored_by_then() -> None:
    replay = Replay(games.get("clue"))
    batches = played("clue", 0)[:3]
    for at, batch in enumerate(batches):
        replay.grow(Batch(seq=batch.seq, events=batch.events, at=1000 * at + 1000))

    assert [replay.open_until(late) for late in (999, 1000, 2500, 9000)] == [0, *(batch.last for batch in batches)]
