"""Clue: who did it, with what, and where."""

from whodunit.games.clue.rules import INFO, awaiting, decide, evolve, legal, outcome, setup
from whodunit.games.clue.tell import tell

__all__ = ["INFO", "awaiting", "decide", "evolve", "legal", "outcome", "setup", "tell"]
