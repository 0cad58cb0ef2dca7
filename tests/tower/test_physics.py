import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from tests.tower.falls import game, tower_of
from whodunit.core.rng import Rng
from whodunit.tower import FLOORS, facts, listen, model, physics, place, practise, scene, warm
from whodunit.tower.cubes import POSE, Resting, Tower
from whodunit.tower.impacts import impacts
from whodunit.tower.physics import Physics


def hand(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def test_the_holes_are_off_the_axis_by_three_millimetres_at_most() -> None:
    assert len(facts.HOLES) == len(facts.WIDTHS) == FLOORS
    assert 0.001 < max(max(abs(x), abs(y)) for x, y in facts.HOLES) <= 0.003
    assert min(facts.WIDTHS) > facts.HOLE > facts.CUBE


@pytest.mark.parametrize("floor", [0, 3, 7])
def test_one_practises_with_a_cube_that_lies_where_it_is_wanted(floor: int) -> None:
    falls = [practise("normal", floor, Rng(b"practice", number)) for number in range(3)]

    assert {fall.floor for fall in falls} == {floor}
    assert len({fall.sound for fall in falls}) == 3
    assert len({sum(fall.resting) for fall in falls}) > 1
    assert {len(fall.resting) for fall in falls} == {FLOORS}


def test_one_practises_with_whatever_falls() -> None:
    falls = [practise("clear", None, Rng(b"practice", number)) for number in range(8)]

    assert len({fall.floor for fall in falls}) > 2


def test_a_cube_comes_to_rest_on_a_floor_inside_the_tower() -> None:
    for before, drop in game(25):
        where = place(drop.moved[0].pose)
        half = facts.WIDTHS[drop.floor] * 500
        assert max(abs(where.x), abs(where.y)) < half
        assert drop.floor * 31 - 1 < where.z < (drop.floor + 1) * 31
        assert abs(sum(part * part for part in where.turn) - 1) < 1e-5
        assert drop.moved[0].cube not in {rest.cube for rest in before.resting}


def test_cubes_lie_on_the_lids_and_the_table() -> None:
    heights = [place(rest.pose).z - 31 * rest.floor for rest in tower_of(20).resting]

    assert min(heights) > 3.5, "half an edge, and the contact gives a little"
    assert np.median(heights) < 4.5, "most lie flat"


def test_one_draw_gives_the_same_poses_and_bytes_also_in_a_worker_process() -> None:
    """Also: all that a worker needs travels there and back."""
    tower, real = tower_of(8), model("physics")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as worker:
        worker.submit(warm).result()
        there = [worker.submit(real.drop, tower, 8, nth, Rng(b"again", 1)).result() for nth in range(4)]
        heard = worker.submit(listen, there[0].media, there[0].sound, "normal").result()

    assert there == [real.drop(tower, 8, nth, Rng(b"again", 1)) for nth in range(4)]
    assert heard == listen(there[0].media, there[0].sound, "normal")


def test_another_seed_gives_another_fall() -> None:
    assert Physics().drop(Tower(), 0, 0, Rng(b"a", 0)) != Physics().drop(Tower(), 0, 0, Rng(b"b", 0))


def test_what_nobody_touches_stays_as_it_is_to_the_last_bit() -> None:
    tower = tower_of(20)
    untouched = 0
    for seed in range(10):
        fall = physics.fallen(tower, *physics.release(hand(seed)))
        same = [rest.pose == pose for rest, pose in zip(tower.resting, fall.poses[1:], strict=True)]
        untouched += sum(same)
        assert sum(same) >= 10
    assert untouched < 200, "some are pushed"


def test_nothing_is_heard_before_the_falling_cube_strikes() -> None:
    for seed in range(10):
        pose, velocity = physics.release(hand(seed))
        contacts = physics.fallen(tower_of(20), pose, velocity).contacts
        soonest = facts.RELEASE_HEIGHT - facts.CUBE * 0.87  # a corner may stand in the hole at the release
        assert impacts(contacts)[0].seconds > (0.001 if soonest > 0 else 0)
        assert contacts.height[contacts.step < 10].min(initial=1) > 7 * facts.STOREY


def test_a_cube_that_stays_on_the_roof_is_dropped_again() -> None:
    height = FLOORS * facts.STOREY + facts.CUBE / 2
    on_the_roof = POSE.pack(0.02, 0.02, height, 1, 0, 0, 0)

    assert physics.floor_of(on_the_roof) == FLOORS
    assert physics.floor_of(POSE.pack(0.2, 0, 0.004, 1, 0, 0, 0)) == -1
    landed = {physics.landed(Tower(), 0, hand(seed))[0][0].floor for seed in range(40)}
    assert landed <= set(range(FLOORS))


def test_the_first_attempt_that_ends_inside_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    tower, tries = tower_of(3), []
    real = physics.fallen

    def slippery(before: Tower, pose: object, velocity: object) -> physics.Fall:
        fall = real(before, pose, velocity)  # type: ignore[arg-type]
        tries.append(before)
        if len(tries) < 3:
            roof = POSE.pack(0, 0.02, FLOORS * facts.STOREY + 0.004, 1, 0, 0, 0)
            return fall._replace(poses=(roof, *fall.poses[1:]))
        return fall

    monkeypatch.setattr(physics, "fallen", slippery)
    moved, _ = physics.landed(tower, 3, hand(5))

    assert tries == [tower] * 3, "every attempt begins with the tower as it was"
    assert 0 <= moved[0].floor < FLOORS


def test_a_steady_hand_takes_out_a_floor_and_moves_nothing() -> None:
    tower, rng = tower_of(20), Rng(b"", 0)

    lift = model("physics").lift(tower, 5, 0, rng)

    assert lift.taken == tower.on(5)
    assert (lift.spilled, lift.moved, rng.draws) == ((), (), [])


def test_a_shaking_hand_spills_cubes_from_above_and_none_from_below() -> None:
    tower, spilled = tower_of(20), 0
    above = {rest.cube: rest.floor for rest in tower.resting if rest.floor > 2}
    for nth in range(4):
        lift = Physics(shake=0.6).lift(tower, 2, nth, Rng(b"shake", 0))
        spilled += len(lift.spilled)
        assert set(lift.spilled) <= set(above)
        assert all(2 < rest.floor <= above[rest.cube] for rest in lift.moved)
        assert not set(lift.spilled) & {rest.cube for rest in lift.moved}
        assert lift.taken == tower.on(2)
    assert spilled > 0


def test_a_gentle_shake_spills_less() -> None:
    def lost(shake: float) -> int:
        lifts = [Physics(shake=shake).lift(tower_of(20), 0, nth, Rng(b"shake", 0)) for nth in range(4)]
        return sum(len(lift.spilled) for lift in lifts)

    assert lost(0.05) < lost(0.8)


def test_a_knock_names_what_was_struck_and_where() -> None:
    fall = physics.fallen(Tower(), *physics.release(hand(3)))
    knocks = impacts(fall.contacts)
    floor = physics.floor_of(fall.poses[0])

    assert [knock.seconds for knock in knocks] == sorted(knock.seconds for knock in knocks)
    assert all(0.001 < knock.speed < 5 for knock in knocks)
    assert knocks[-1].thing in ({scene.TABLE, scene.WALL} if floor == 0 else {floor - 1, scene.WALL + floor})


def test_a_full_tower_still_takes_a_cube() -> None:
    resting = tuple(
        Resting(number, 0, POSE.pack(0.012 * (number % 9 - 4), 0.012 * (number // 9 - 4), 0.004, 1, 0, 0, 0))
        for number in range(81)
    )
    moved, _ = physics.landed(Tower(resting), 99, hand(1))

    assert moved[0].cube == 99
