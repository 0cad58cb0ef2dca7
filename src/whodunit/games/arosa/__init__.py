"""Mord im Arosa: a tower of eight floors, two victims, and cubes that can only be heard."""

from whodunit.games.arosa.cases import CUTS
from whodunit.games.arosa.evidence import belief, imagine
from whodunit.games.arosa.judge import ahead, choice
from whodunit.games.arosa.observe import observed
from whodunit.games.arosa.rules import INFO, awaiting, decide, evolve, informed, legal, outcome, setup
from whodunit.games.arosa.sense import consider, habit, plan, urge, worth
from whodunit.games.arosa.space import space
from whodunit.games.arosa.tell import tell, tell_action

__all__ = [
    "CUTS",
    "INFO",
    "ahead",
    "awaiting",
    "belief",
    "choice",
    "consider",
    "decide",
    "evolve",
    "habit",
    "imagine",
    "informed",
    "legal",
    "observed",
    "outcome",
    "plan",
    "setup",
    "space",
    "tell",
    "tell_action",
    "urge",
    "worth",
]
