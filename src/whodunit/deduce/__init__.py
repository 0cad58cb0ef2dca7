"""Exact inference about a deal: who holds what, how likely, and why. It knows elements, holders and evidence; no game.

position = Position(cards, {0: 6, 1: 6, 2: 6, "envelope": 3}, rules=[count("envelope", suspects, 1, None), ...])
position = position.learn(has(0, my_hand, "hand"), lacks(1, trio, source=7), some(2, trio, source=8))
position.posterior.marginal("Rope", "envelope")
"""

from whodunit.deduce.engine import PURE, Engine, best
from whodunit.deduce.evidence import Claim, Evidence, HandEvidence, count, has, lacks, not_all, shows, some
from whodunit.deduce.explain import Explanation, ProofStep
from whodunit.deduce.position import Position
from whodunit.deduce.posterior import Posterior
from whodunit.deduce.reduce import TooWide
from whodunit.deduce.worlds import World

__all__ = [
    "PURE",
    "Claim",
    "Engine",
    "Evidence",
    "Explanation",
    "HandEvidence",
    "Position",
    "Posterior",
    "ProofStep",
    "TooWide",
    "World",
    "best",
    "count",
    "has",
    "lacks",
    "not_all",
    "shows",
    "some",
]
