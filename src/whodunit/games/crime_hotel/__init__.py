"""Crime Hotel: in which of 27 rooms the murderer hides."""

from whodunit.games.crime_hotel.cases import CUTS
from whodunit.games.crime_hotel.evidence import belief, imagine
from whodunit.games.crime_hotel.judge import ahead, choice
from whodunit.games.crime_hotel.observe import observed
from whodunit.games.crime_hotel.rules import INFO, awaiting, decide, evolve, informed, legal, outcome, setup
from whodunit.games.crime_hotel.sense import consider, habit, plan, urge, worth
from whodunit.games.crime_hotel.space import space
from whodunit.games.crime_hotel.tell import tell, tell_action

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
