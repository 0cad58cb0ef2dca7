"""Nothing that an environment tells a seat differs between two worlds that the seat cannot tell apart."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env.worlds import Course, pairs
from whodunit.core.types import Seat
from whodunit.env import Terms
from whodunit.env.chance import radices
from whodunit.env.episode import Episode
from whodunit.env.told import shown, told


def seen(episode: Episode, viewer: Seat, *, whole: bool) -> dict[str, Any]:
    """Everything that a viewer is told by any environment; what takes long, only where all of it is asked for."""
    own = viewer == episode.seat
    return {
        "who decides": (episode.seat, episode.is_asked, len(episode.begun), episode.decisions),
        "mask": episode.mask().tolist() if own else None,
        "begun": episode.begun if own else None,
        "numbers": episode.terms.observe(episode, viewer, belief=whole).tolist(),
        "told": told(episode, viewer) if whole else None,
        "shown": shown(episode, viewer),
        "end": (episode.outcome, episode.cut, episode.payoffs()),
    }


def chances(course: Course) -> list[tuple[str, tuple[int, ...]]]:
    """What chance had to decide, choice by choice: the labels, and how many outcomes there were."""
    return [
        (draw.label, radices(draw.range) if draw.kind == "below" else (draw.range,))
        for batch in course.batches
        for draw in batch.draws
    ]


SETTINGS: list[tuple[str, int, dict[str, object]]] = [
    ("clue", 3, {}),
    ("perfect_alibi", 3, {}),
    ("crime_hotel", 3, {}),
    ("arosa", 2, {}),
]
MORE: list[tuple[str, int, dict[str, object]]] = [
    ("clue", 2, {"two_player_side_cards": 4}),
    ("clue", 6, {}),
    ("perfect_alibi", 4, {"rival": True}),
    ("perfect_alibi", 5, {"slam_window_s": 3, "last_question_protected": True}),
    ("perfect_alibi", 3, {"answer_mode": "by_hand"}),
    ("perfect_alibi", 3, {"answer_mode": "by_hand", "unforgiving": True}),
    ("crime_hotel", 4, {"beginner": True}),
    ("arosa", 6, {}),
]


def compare(game: str, seats: int, options: dict[str, object], seeds: Iterable[int]) -> None:
    """Compare games in two worlds for every viewer, moment by moment."""
    compared: Counter[Seat] = Counter()
    others = 0
    for seed in seeds:
        for viewer, here, there in pairs(Terms(game, seats, options, turns=30), seed):
            for number, (one, other) in enumerate(zip(here.moments, there.moments, strict=False)):
                whole = number % 8 == 0
                assert seen(one, viewer, whole=whole) == seen(other, viewer, whole=whole), (
                    f"{viewer}, {one.light.events}"
                )
                others += one.light.state != other.light.state
            assert chances(here)[: len(chances(there))] == chances(there)
            compared[viewer] += len(there.moments)

    assert min(compared[viewer] for viewer in range(-1, seats)) > 10
    assert others > 10  # they were other worlds


@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_two_worlds_that_a_seat_cannot_tell_apart_look_alike(game: str, seats: int, options: dict[str, object]) -> None:
    compare(game, seats, options, [1])


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS + MORE)
def test_many_worlds_look_alike(game: str, seats: int, options: dict[str, object]) -> None:
    compare(game, seats, options, range(6))


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Terms.observe

    def leaky(self: Terms, episode: Episode, seat: Seat, *, belief: bool = False) -> NDArray[np.float32]:
        numbers = honest(self, episode, seat, belief=belief)
        numbers[0] = len(episode.light.state.envelope.suspect)
        return numbers

    monkeypatch.setattr(Terms, "observe", leaky)
    with pytest.raises(AssertionError, match="numbers"):
        compare("clue", 3, {}, [1])
