from collections import Counter
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whodunit.core.rng import Rng, StackedRng, Stream
from whodunit.tower import FLOORS, Drop, Resting, Tower, facts, law, listen, surrogate
from whodunit.tower.surrogate import LIKELIHOOD, Surrogate

FLOOR = st.integers(0, FLOORS - 1)
DRAW = st.integers(0, (1 << 63) - 1)
TOWER = st.lists(FLOOR, max_size=60).map(lambda floors: Tower(tuple(Resting(*pair) for pair in enumerate(floors))))


def pile(cubes: int) -> Tower:
    return Tower(tuple(Resting(cube, cube % FLOORS) for cube in range(cubes)))


@pytest.mark.parametrize("cubes", [0, 1, 30, 45, 122])
def test_the_law_adds_up_and_leaves_no_floor_out(cubes: int) -> None:
    assert isclose(sum(law(cubes)), 1)
    assert min(law(cubes)) > 0.04


def test_floors_come_up_as_often_as_the_law_says() -> None:
    drops = [Surrogate().drop(pile(30), 99, 0, Rng(b"law", number)).floor for number in range(20_000)]

    shares = Counter(drops)
    assert all(abs(shares[floor] / 20_000 - law(30)[floor]) < 0.012 for floor in range(FLOORS))


@pytest.mark.parametrize("difficulty", facts.ACOUSTICS)
def test_what_is_heard_is_as_likely_as_it_says(difficulty: facts.Difficulty) -> None:
    """Sum up: the likelihoods of all ways of sounding add up to one on every floor."""
    ear = surrogate._ear(difficulty)
    ways = [listen(LIKELIHOOD, sound, difficulty) for sound in ear.sounds]

    assert all(isclose(sum(column), 1, rel_tol=1e-5) for column in zip(*ways, strict=True))
    assert all(weight > 0 for way in ways for weight in way), "no way of sounding rules a floor out"
    assert len(set(ear.sounds)) == len(ear.sounds)


def test_hearing_helps_more_the_clearer_it_is() -> None:
    def right(difficulty: facts.Difficulty) -> float:
        hits = 0
        for number in range(4000):
            drop = Surrogate(difficulty).drop(Tower(), 0, 0, Rng(b"clear", number))
            likely = listen(drop.media, drop.sound, difficulty)
            believed = [one * other for one, other in zip(law(0), likely, strict=True)]
            hits += believed.index(max(believed)) == drop.floor
        return hits / 4000

    assert right("clear") > right("normal") + 0.03 > right("hard") + 0.06 > max(law(0)) + 0.2


@given(TOWER, DRAW, st.sampled_from(sorted(facts.ACOUSTICS)))
def test_any_drop_can_be_stacked_again(tower: Tower, drawn: int, difficulty: facts.Difficulty) -> None:
    drop = Surrogate(difficulty).drop(tower, 99, 0, StackedRng(b"", 0, {"drop 0": drawn}))

    again = StackedRng(b"", 0, {"drop 0": surrogate.stacked(tower, difficulty, drop)})

    assert Surrogate(difficulty).drop(tower, 99, 0, again) == drop


@given(TOWER, DRAW, FLOOR)
def test_the_same_noise_can_come_from_any_floor(tower: Tower, drawn: int, floor: int) -> None:
    drop = Surrogate().drop(tower, 99, 0, StackedRng(b"", 0, {"drop 0": drawn}))
    elsewhere = Drop((Resting(99, floor),), drop.media, drop.sound)

    again = StackedRng(b"", 0, {"drop 0": surrogate.stacked(tower, "normal", elsewhere)})

    assert Surrogate().drop(tower, 99, 0, again) == elsewhere


def test_a_knocked_cube_falls_to_a_lower_floor() -> None:
    tower = pile(40)
    knocking = StackedRng(b"", 0, {"drop 0": 5 << 43})

    (cube,) = Surrogate().drop(tower, 99, 0, knocking).moved[1:]

    assert cube.floor < tower.resting[cube.cube].floor


def test_a_knock_that_cannot_be_is_refused() -> None:
    drop = Surrogate().drop(pile(3), 99, 0, Rng(b"", 0))
    impossible = Drop((*drop.moved[:1], Resting(1, 5)), drop.media, drop.sound)

    with pytest.raises(ValueError, match="is not in list"):
        surrogate.stacked(pile(3), "normal", impossible)


def test_imagined_drops_may_repeat_their_labels() -> None:
    stream = Stream(b"a bot's own")

    assert [len(Surrogate().drop(Tower(), 0, 0, stream).moved) for _ in range(3)] == [1, 1, 1]
