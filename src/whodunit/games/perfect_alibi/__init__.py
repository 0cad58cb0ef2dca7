"""Perfect Alibi: one alibi is missing, and not every answer is true."""

from whodunit.games.perfect_alibi.cases import CUTS
from whodunit.games.perfect_alibi.evidence import belief, imagine
from whodunit.games.perfect_alibi.judge import ahead, choice
from whodunit.games.perfect_alibi.observe import observed
from whodunit.games.perfect_alibi.rules import INFO, awaiting, decide, evolve, informed, legal, outcome, setup
from whodunit.games.perfect_alibi.sense import consider, habit, plan, urge, worth
from whodunit.games.perfect_alibi.space import space
from whodunit.games.perfect_alibi.tell import tell, tell_action

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
