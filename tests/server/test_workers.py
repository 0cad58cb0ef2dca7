"""Processes that think for a server, and no longer than it."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from whodunit import games
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Batch, Seat
from whodunit.server import workers
from whodunit.server.workers import SLICE_S, Seen, Step, Think, think
from whodunit.table.table import Table

PATIENCE_S = 20
SERVER = """
import os, time
from whodunit.server.workers import _lane

if __name__ == "__main__":
    lane = _lane()
    print(lane.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def alive(process: int) -> bool:
    """Say whether a process is there and has not ended: whoever inherits it may not have looked after it yet."""
    try:
        os.kill(process, 0)
        # Where there is no /proc, one that has ended is there until it is looked after.
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()


def test_a_worker_does_not_outlive_a_server_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert alive(worker)
        server.kill()
    deadline = time.monotonic() + PATIENCE_S
    while alive(worker):
        assert time.monotonic() < deadline
        time.sleep(0.01)


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
    steps = tuple(Step(tuple(redact(event, seat) for event in batch.events), mine=False) for batch in batches)
    return Think(Seen(table, "clue", seat, 0, steps), "rookie", b"seed", certified=False)


@pytest.mark.parametrize("takes", [0.0011, 0.0094, 0.0305])
def test_an_asked_bots_thought_uses_whole_slices_of_the_processors_time(
    takes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it can answer: how long others have to wait for the processor must not tell it."""
    processor = Processor()
    honest = workers._Bot.act

    def act(bot: workers._Bot) -> Action:
        processor.used += takes
        return honest(bot)

    monkeypatch.setattr(workers, "thread_time", processor)
    monkeypatch.setattr(workers._Bot, "act", act)
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
