"""Players for any game; each knows what its seat is told, and nothing else."""

import json
from collections.abc import Callable
from functools import partial
from importlib import resources
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from whodunit.bots.random import Random
from whodunit.bots.thinker import Mind, Thinker
from whodunit.core.types import Game, Player, Seat

VERSION: Final = 7
"""Rises with every change that makes a bot play another move; a case names the version of its bots."""

ROOKIE: Final = Mind("sight", samples=4, curiosity=0.0, discretion=0.0, guesses=False, forgets=0.02)
UNFORGETTING: Final = replace(ROOKIE, forgets=0.0)
"""The rookie with a perfect memory, to see how much of the distance to the detective is forgetting."""
DETECTIVE: Final = Mind("logic", samples=64, curiosity=1.0, discretion=0.0)
MASTERMIND: Final = Mind("motives", samples=64, curiosity=1.0, discretion=0.2, foresight=4)

LEVELS: Final[MappingProxyType[str, Callable[[Game, Seat, bytes], Player]]] = MappingProxyType(
    {
        "random": Random,
        "rookie": partial(Thinker, mind=ROOKIE),
        "unforgetting": partial(Thinker, mind=UNFORGETTING),
        "detective": partial(Thinker, mind=DETECTIVE),
        "mastermind": partial(Thinker, mind=MASTERMIND),
    }
)


OWN: Final = "own"
"""What stands in a case in place of a level where somebody's own bot played: nobody here could run it again."""


def seated(level: str, game: Game, seat: Seat, seed: bytes) -> Player:
    """Return a player of this level for a seat."""
    if level not in LEVELS:
        raise LookupError(f"there is no player {level!r}; there is: {', '.join(LEVELS)}")
    return LEVELS[level](game, seat, seed)


def texts(language: str = "en") -> dict[str, str]:
    """Return the words in which bots explain themselves, by message key."""
    words: dict[str, str] = json.loads((resources.files(__name__) / "texts" / f"{language}.json").read_text("utf-8"))
    return words
