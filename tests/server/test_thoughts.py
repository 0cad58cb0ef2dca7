"""What is thought in a worker process: how long that takes tells nobody anything."""

from collections.abc import Sequence

import pytest

from whodunit import games
from whodunit.bots.reliving import SeatedBot, seen_batch
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Batch, Seat
from whodunit.server import thoughts
from whodunit.server.thoughts import SLICE_S, Seen, Think, think
from whodunit.table.table import Table


class Processor:
    """The processor's time, of which only what is said is used; each look at it takes a little."""

    def __init__(self) -> None:
        self.used = 0.0

    def __call__(self) -> float:
        self.used += 1e-5
        return self.used


def positions(*, asked: bool) -> list[tuple[Seat, tuple[Batch, ...]]]:
    """Return who is asked at some tables of Clue, or is on turn, and what has happened there."""
    found: list[tuple[Seat, tuple[Batch, ...]]] = []
    rng = Stream(b"slices")
    table, batch = Table.open(games.get("clue"), 3, games.get("clue").INFO.parse(3, {}), b"slices")
    batches = [batch]
    while len(found) < 8 and not table.outcome:
        seat = min(table.awaiting)
        if (seat in table.asked) is asked:
            found.append((seat, tuple(batches)))
        offers = [offer for offer in table.offers[seat] if offer.action.__name__ != "Accuse"]
        offer = offers[rng.below("offer", len(offers))]
        table, batch = table.act(seat, offer.since, offer.sample(rng))
        batches.append(batch)
    return found


def told(table: str, seat: Seat, batches: Sequence[Batch]) -> Think:
    """Return the wish that a rookie thinks for this seat, which has been told all of it."""
    steps = tuple(seen_batch(batch, games.get("clue"), seat) for batch in batches)
    return Think(Seen(table, "clue", seat, 0, steps), "rookie", b"seed", certified=False)


@pytest.mark.parametrize("takes", [0.0011, 0.0094, 0.0305])
def test_an_asked_bots_thought_uses_whole_slices_of_the_processors_time(
    takes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it can answer: how long others have to wait for the processor must not tell it."""
    processor = Processor()
    honest = SeatedBot.act

    def act(bot: SeatedBot) -> Action:
        processor.used += takes
        return honest(bot)

    monkeypatch.setattr(thoughts, "thread_time", processor)
    monkeypatch.setattr(SeatedBot, "act", act)
    for number, (seat, batches) in enumerate([*positions(asked=True), *positions(asked=False)]):
        before = processor.used
        think(told(f"slices {takes} {number}", seat, batches))
        slices = (processor.used - before) / SLICE_S
        assert (abs(slices - round(slices)) < 0.01) is (number < 8), slices
        assert slices >= takes / SLICE_S


def test_a_bot_that_may_do_nothing_any_more_does_nothing() -> None:
    """Another node may have let the table move on when it is asked: that is no reason to give up."""
    seat, batches = positions(asked=True)[0]

    assert think(told("here", seat, batches)) is not None
    assert think(told("moved on", (seat + 1) % 3, batches)) is None
