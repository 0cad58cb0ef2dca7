"""The tower of Mord im Arosa: cubes that fall, floors they come to lie on, and the noise of it. It knows no rules.

Three towers stand behind one small protocol, `DropModel`. The rules ask for drops and lifts and look no further:

    model = tower.model("physics", difficulty="normal", shake=0)
    drop = model.drop(state.tower, cube, nth, rng)     # drop.moved is secret; drop.media and drop.sound are public
    state.tower = state.tower.after(drop.moved)        # what `evolve` does with the stored event: nothing is simulated
    tower.listen(drop.media, drop.sound, "normal")     # whoever hears it, person or bot: a likelihood for each floor

The light half (`cubes`, `facts`, `surrogate`, `scripted` and this door) needs nothing but the standard library and
msgspec; a game imports nothing else. The heavy half (physics, sound, listening: MuJoCo, numpy, soundfile) is loaded by
this door when somebody drops a real cube or listens to a real clip, which the site does in its worker processes.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from msgspec.structs import replace

from whodunit.core.rng import Rng
from whodunit.tower.cubes import (
    CLIP,
    FLOORS,
    Drop,
    DropModel,
    Exercise,
    Kind,
    Lift,
    Likelihood,
    Place,
    Resting,
    Tower,
    place,
)
from whodunit.tower.facts import Difficulty
from whodunit.tower.scripted import Landing, Script, Scripted
from whodunit.tower.surrogate import LIKELIHOOD, Surrogate, law, spoken

__all__ = [
    "CLIP",
    "FLOORS",
    "Difficulty",
    "Drop",
    "DropModel",
    "Exercise",
    "Kind",
    "Landing",
    "Lift",
    "Likelihood",
    "Place",
    "Resting",
    "Script",
    "Tower",
    "is_installed",
    "law",
    "listen",
    "model",
    "place",
    "practise",
    "warm",
]


def model(kind: Kind, difficulty: Difficulty = "normal", shake: float = 0.0, script: Script | None = None) -> DropModel:
    """Return the tower of this kind; a value without memory, cheap to make for every move."""
    match kind:
        case "surrogate":
            return Surrogate(difficulty)
        case "scripted":
            return Scripted(script or Script())
        case "physics":
            made: Callable[[Difficulty, float], DropModel] = _heavy("physics").Physics
            return made(difficulty, shake)


def listen(media: str, sound: bytes, difficulty: Difficulty) -> Likelihood:
    """Return how likely this noise is, up to a factor, for each floor its cube may have come to lie on.

    It hears the samples and nothing else. A belief multiplies this with its prior (`law`).
    """
    if media == LIKELIHOOD:
        return spoken(sound)
    return cast(Likelihood, _heavy("listening").listen(sound, difficulty))


def practise(difficulty: Difficulty, floor: int | None, rng: Rng) -> Exercise:
    """Let a cube fall into a tower with some in it, for practice; with a floor, until one comes to lie there."""
    fall = cast(Exercise, _heavy("physics").practised(difficulty, floor, rng))
    heard = listen(CLIP, fall.sound, difficulty)
    likely = [prior * noise for prior, noise in zip(law(sum(fall.resting)), heard, strict=True)]
    return replace(fall, ear=likely.index(max(likely)))


def is_installed() -> bool:
    """Say whether real cubes can fall here, without loading what they need."""
    return all(find_spec(name) is not None for name in ("mujoco", "numpy", "soundfile"))


def warm() -> None:
    """Load the heavy half ahead of the first drop: for a worker process that has nothing to do yet."""
    _heavy("physics").Physics().drop(Tower(), 0, 0, Rng(b"", 0))
    _heavy("listening").net("normal")


def _heavy(name: str) -> Any:
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise LookupError(f"real cubes need {error.name}, which whodunit-games[tower] installs") from error
