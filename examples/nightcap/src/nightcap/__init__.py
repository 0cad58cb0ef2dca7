"""Nightcap: seven guests, one poisoned glass. The package is the game; these names are all that the house asks for."""

from nightcap.evidence import belief, imagine
from nightcap.observe import observed
from nightcap.rules import INFO, awaiting, decide, evolve, legal, outcome, setup
from nightcap.sense import consider, worth
from nightcap.space import space
from nightcap.tell import TELL

__all__ = [
    "INFO",
    "TELL",
    "awaiting",
    "belief",
    "consider",
    "decide",
    "evolve",
    "imagine",
    "legal",
    "observed",
    "outcome",
    "setup",
    "space",
    "worth",
]
