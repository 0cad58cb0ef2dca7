"""Exercises for the ear: what a page may ask for is what the game has."""

from typing import get_args

import msgspec
import pytest

from whodunit import tower
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Rng
from whodunit.games.arosa.facts import FLOORS
from whodunit.games.arosa.practice import practise
from whodunit.server import protocol


def asked(floor: int) -> protocol.Practise:
    """Return what a page asks, as the server reads it."""
    ask = {"type": "practise", "n": 1, "game": "arosa", "difficulty": "normal", "floor": floor}
    return msgspec.json.decode(msgspec.json.encode(ask), type=protocol.Practise)


def test_every_floor_and_difficulty_may_be_asked_for() -> None:
    assert [asked(floor).floor for floor in FLOORS] == [*FLOORS]
    assert get_args(protocol.Difficulty) == get_args(tower.Difficulty)


@pytest.mark.parametrize("floor", [-1, len(FLOORS)])
def test_a_floor_that_the_hotel_has_not_is_refused(floor: int) -> None:
    with pytest.raises(BadOptions, match="no floor"):
        practise("normal", floor, Rng(b"", 1))
    with pytest.raises(msgspec.ValidationError):
        asked(floor)
