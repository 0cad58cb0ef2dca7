"""How many levels crash when they take a seat over: none, and it is told where one does.

`./run soak` lets them take over at every event of whole games; what stands for it in every run of the tests is
the conformance suite's `takes_over`, in every phase.
"""

from collections.abc import Iterator

import pytest

from whodunit.bench import levels
from whodunit.bots.thinker import Thinker
from whodunit.conformance.handovers import Position, played
from whodunit.core.types import Game
from whodunit.games import get, ids


@pytest.mark.soak
def test_no_level_crashes_at_any_event_of_a_game() -> None:
    assert levels.crashed(games=1, seed=1) == []


def test_a_crash_is_told_once_for_each_game_level_and_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    def naming(game: Game, seed: bytes) -> Iterator[Position]:
        return (position for position in played(game, seed) if position.phase == "Naming")

    def crash(*_: object) -> None:
        raise ValueError("nothing to choose from")

    monkeypatch.setattr(levels, "played", naming)
    monkeypatch.setattr(Thinker, "_likeliest", crash)

    told = levels.crashed(games=30, seed=1)

    assert [line.split(": seat")[0] for line in told] == [
        "perfect_alibi, rookie, Naming",
        "perfect_alibi, unforgetting, Naming",
    ]
    assert told[0].endswith("ValueError: nothing to choose from")


def test_the_same_seed_plays_the_same_games() -> None:
    for name in ids():
        one, again, other = (list(played(get(name), seed)) for seed in (b"one", b"one", b"other"))

        assert one == again
        assert one != other
