"""Real cubes: rigid bodies in MuJoCo. Deterministic for a draw on one machine and one build of MuJoCo.

Other machines may differ in the last bit and so in the floor: an old game is folded from its stored poses and never
simulated again.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from whodunit.core.rng import Rng
from whodunit.tower import facts, scene, sound
from whodunit.tower.cubes import CLIP, FLOORS, POSE, Drop, Exercise, Lift, Resting, Tower, taken_out
from whodunit.tower.facts import Difficulty
from whodunit.tower.impacts import Contacts

Floats = NDArray[np.float64]

_STILL_EVERY: Final = 8
"""Steps between two looks whether everything sleeps."""
_PRACTICE_CUBES: Final = 16
"""Fewer than this lie in the tower one practises with."""
_AXIS: Final = tuple(facts.HOLES[-1])


class Fall(NamedTuple):
    """Where everything lies after a simulation, in the order of the cubes given."""

    poses: tuple[bytes, ...]
    contacts: Contacts
    seconds: float


class Physics(Struct, frozen=True, gc=False):
    """The drop model of every game with people."""

    difficulty: Difficulty = "normal"
    shake: float = 0.0
    """How hard a hand shakes what it lifts: the deviation of the cubes' sideways speed, in metres a second."""

    def drop(self, tower: Tower, cube: int, nth: int, rng: Rng) -> Drop:
        seed = rng.below(f"drop {nth}", 1 << 63)
        moved, contacts = landed(tower, cube, np.random.Generator(np.random.PCG64([seed, 0])))
        clip = sound.clip(contacts, np.random.Generator(np.random.PCG64([seed, 1])), self.difficulty)
        return Drop(moved, CLIP, clip)

    def lift(self, tower: Tower, floor: int, nth: int, rng: Rng) -> Lift:
        if self.shake == 0:
            return taken_out(tower, floor)
        seed = rng.below(f"lift {nth}", 1 << 63)
        return shaken(tower, floor, self.shake, np.random.Generator(np.random.PCG64([seed, 0])))


def landed(tower: Tower, cube: int, chance: np.random.Generator) -> tuple[tuple[Resting, ...], Contacts]:
    """Drop the cube until it is inside; an attempt that failed leaves no trace."""
    while True:
        fall = fallen(tower, *release(chance))
        floors = tuple(map(floor_of, fall.poses))
        # A resting cube pushed up or out is no drop either: the rules know only cubes that fall.
        if 0 <= floors[0] < FLOORS and all(
            0 <= floor <= rest.floor for floor, rest in zip(floors[1:], tower.resting, strict=True)
        ):
            pushed = (
                Resting(rest.cube, floor, pose)
                for rest, floor, pose in zip(tower.resting, floors[1:], fall.poses[1:], strict=True)
                if pose != rest.pose
            )
            return (Resting(cube, floors[0], fall.poses[0]), *pushed), fall.contacts


def practised(difficulty: Difficulty, floor: int | None, rng: Rng) -> Exercise:
    """Drop a cube among a drawn number of others, again and again until it lies where it is wanted."""
    chance = np.random.Generator(np.random.PCG64(rng.below("practice", 1 << 63)))
    tower = Tower()
    for cube in range(int(chance.integers(_PRACTICE_CUBES))):
        tower = tower.after(landed(tower, cube, chance)[0])
    while True:
        moved, contacts = landed(tower, len(tower.resting), chance)
        if floor is None or moved[0].floor == floor:
            resting = tuple(len(tower.on(place)) for place in range(FLOORS))
            return Exercise(sound.clip(contacts, chance, difficulty), moved[0].floor, resting, moved[0].pose)


def release(chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw where and how a hand lets go: pose and velocity."""
    reach = (facts.HOLE - facts.CUBE) / 2
    aim = np.clip(chance.normal(0, facts.RELEASE_SPREAD, 2), -reach, reach) + _AXIS
    turn = chance.normal(size=4)
    sideways = chance.normal(0, facts.RELEASE_SPEED, 2)
    down = -chance.uniform(0, facts.RELEASE_PUSH)
    spin = chance.normal(0, facts.RELEASE_SPIN, 3)
    height = FLOORS * facts.STOREY + facts.RELEASE_HEIGHT
    return np.array([*aim, height, *(turn / np.linalg.norm(turn))]), np.array([*sideways, down, *spin])


def fallen(tower: Tower, pose: Floats, velocity: Floats) -> Fall:
    """Let a cube go from this pose with this velocity among the resting ones."""
    model, data, codes = _world(len(tower.resting) + 1)
    resting = [number for rest in tower.resting for number in POSE.unpack(rest.pose)]
    # Asleep must be said in the model before the reset: what is written into the data wakes everything at once, and
    # cubes that nobody touched would be heard.
    model.qpos0[7:] = resting
    model.tree_sleep_policy[0] = mujoco.mjtSleepPolicy.mjSLEEP_AUTO_ALLOWED
    model.tree_sleep_policy[1:] = mujoco.mjtSleepPolicy.mjSLEEP_INIT
    mujoco.mj_resetData(model, data)
    data.qpos[:7] = pose
    data.qvel[:6] = velocity
    return _settled(model, data, codes)


def shaken(tower: Tower, floor: int, shake: float, chance: np.random.Generator) -> Lift:
    """Lift with an unsteady hand: everything above the floor is kicked, and may fall out below."""
    above = tuple(rest for rest in tower.resting if rest.floor > floor)
    if not above:
        return taken_out(tower, floor)
    model, data, codes = _world(len(above))
    model.tree_sleep_policy[:] = mujoco.mjtSleepPolicy.mjSLEEP_AUTO_ALLOWED
    mujoco.mj_resetData(model, data)
    data.qpos[:] = [number for rest in above for number in POSE.unpack(rest.pose)]
    for cube in range(len(above)):
        data.qvel[6 * cube : 6 * cube + 2] = chance.normal(0, shake, 2)
    poses = _settled(model, data, codes).poses
    stays = {rest.cube: floor < floor_of(pose) < FLOORS for rest, pose in zip(above, poses, strict=True)}
    return Lift(
        tower.on(floor),
        tuple(cube for cube, stayed in stays.items() if not stayed),
        tuple(
            Resting(rest.cube, floor_of(pose), pose)
            for rest, pose in zip(above, poses, strict=True)
            if stays[rest.cube] and pose != rest.pose
        ),
    )


def floor_of(pose: bytes) -> int:
    """Return the floor inside which the centre lies; -1 outside, 8 on the roof."""
    x, y, z = POSE.unpack(pose)[:3]
    floor = int((z + 0.0005) // facts.STOREY)
    if z < -0.001 or floor > FLOORS:
        return -1
    half = facts.WIDTHS[min(floor, FLOORS - 1)] / 2
    return floor if max(abs(x), abs(y)) < half else -1


# One model for each number of cubes; a game has at most 122 of them inside. Its data is written over by every fall: one
# process, one fall at a time.
@lru_cache(maxsize=128)
def _world(cubes: int) -> tuple[Any, Any, NDArray[np.int64]]:
    model = mujoco.MjModel.from_xml_string(scene.xml(cubes))
    return model, mujoco.MjData(model), np.array(scene.codes(cubes))


def _settled(model: Any, data: Any, codes: NDArray[np.int64]) -> Fall:
    """Step until everything sleeps; what touches is written down."""
    steps, pairs, forces, heights = [], [], [], []
    step, last = 0, int(facts.LONGEST_FALL / facts.TIME_STEP)
    while step < last:
        mujoco.mj_step(model, data)
        step += 1
        if data.ncon:
            contact = data.contact
            address = contact.efc_address
            live = address >= 0
            if live.any():
                pairs.append(contact.geom[live])
                forces.append(data.efc_force[address[live]])
                heights.append(contact.pos[live, 2])
                steps.append(np.full(len(pairs[-1]), step))
        if step % _STILL_EVERY == 0 and data.ntree_awake == 0:
            break
    poses = tuple(POSE.pack(*row) for row in data.qpos.reshape(-1, 7))
    return Fall(poses, _gathered(steps, pairs, forces, heights, codes), step * facts.TIME_STEP)


def _gathered(
    steps: Sequence[NDArray[np.int64]],
    pairs: Sequence[NDArray[np.int32]],
    forces: Sequence[Floats],
    heights: Sequence[Floats],
    codes: NDArray[np.int64],
) -> Contacts:
    if not steps:
        none = np.zeros(0, dtype=np.int64)
        return Contacts(none, none, none, np.zeros(0), np.zeros(0))
    touched = codes[np.concatenate(pairs)]
    return Contacts(
        np.concatenate(steps), touched[:, 0], touched[:, 1], np.concatenate(forces), np.concatenate(heights)
    )
