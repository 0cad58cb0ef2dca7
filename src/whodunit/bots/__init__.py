"""Players for any game; each knows what its seat is told, and nothing else."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from whodunit.bots.random import Random
from whodunit.core.types import Game, Player, Seat

LEVELS: Final[MappingProxyType[str, Callable[[Game, Seat, bytes], Player]]] = MappingProxyType(
    {
        "random": Random,
    }
)


def seated(level: str, game: Game, seat: Seat, seed: bytes) -> Player:
    """Return a player of this level for a seat."""
    if level not in LEVELS:
        raise LookupError(f"there is no player {level!r}; there is: {', '.join(LEVELS)}")
    return LEVELS[level](game, seat, seed)
