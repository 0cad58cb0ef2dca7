"""Clue: who did it, with what, and where."""

from whodunit.games.clue.cases import CUTS
from whodunit.games.clue.evidence import belief, imagine
from whodunit.games.clue.judge import ahead, choice
from whodunit.games.clue.observe import observed
from whodunit.games.clue.rules import INFO, awaiting, decide, evolve, informed, legal, outcome, setup
from whodunit.games.clue.sense import consider, habit, plan, urge, worth
from whodunit.games.clue.space import space
from whodunit.games.clue.tell import tell, tell_action

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
