"""For research: games as arrays of numbers. Needs the extra `research`; the games themselves need no numpy."""

from importlib.util import find_spec

if find_spec("numpy") is None:
    raise ModuleNotFoundError("whodunit.env needs numpy, which whodunit-games[research] installs", name="numpy")

from whodunit.env.episode import Episode, Terms, payoffs
from whodunit.env.observe import Observer
from whodunit.env.space import TURNS, VERSION, ActionSpace, Wait
from whodunit.env.vector import Moments, Vector

__all__ = ["TURNS", "VERSION", "ActionSpace", "Episode", "Moments", "Observer", "Terms", "Vector", "Wait", "payoffs"]
