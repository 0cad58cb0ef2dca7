"""Small tables that a review needs and no rule says: fitted on games of bots, each with its source and its error.

`./run fit review` makes them; `fitted.json` beside this module has them. A shape that is not in it has none: then the
review leaves that part out, and says so.
"""

from collections.abc import Collection, Sequence
from functools import cache
from importlib import resources
from math import exp
from typing import Final

import msgspec
from msgspec import Struct

from whodunit.core.types import Game, Seat

WORTH_SHOWING: Final = 0.02
"""Chances to win that foretell less than so many bits a turn are shown to nobody: a flat line teaches nothing."""


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """What was fitted for a game with so many seats, by its rulebook's options."""

    game: str
    seats: int
    ends: tuple[tuple[float, float], ...]
    """Up to so many bits missing to oneself: how likely another ends the case before one's next turn."""
    bit: float
    """What a missing bit takes from a seat's chance to win, as a logarithm."""
    turn: float
    """The same, of a turn that it must wait."""
    games: int
    ends_error: float
    """The largest standard error of `ends`."""
    error: float
    """How far the fitted chances to win are from what happened, in ten classes, on games that were not fitted to."""
    told: float
    """How much more these chances say about who wins than even ones do, in bits a turn, on the same games."""
    players: tuple[str, ...]
    command: str
    seed: str
    date: str


class Fitted(Struct, frozen=True):
    """All that was fitted, by game and seats."""

    shapes: dict[str, Shape]

    def of(self, game: Game, seats: int) -> Shape | None:
        """Return what was fitted for this game and so many seats, or None."""
        return self.shapes.get(f"{game.INFO.id}/{seats}")

    def tells(self, game: Game, seats: int) -> bool:
        """Say whether the chances to win are worth showing: they were fitted, and foretold games not fitted to."""
        shape = self.of(game, seats)
        return shape is not None and shape.told >= WORTH_SHOWING

    def ended_first(self, game: Game, seats: int, bits: float) -> float | None:
        """Return how likely another ends the case before one's next turn; None: that was never fitted."""
        shape = self.of(game, seats)
        if shape is None:
            return None
        return next((share for most, share in shape.ends if bits <= most), shape.ends[-1][1])

    def chances(
        self, game: Game, bits: Sequence[float], waits: Sequence[int], out: Collection[Seat] = ()
    ) -> tuple[float, ...]:
        """Return each seat's chance to win, from what is missing to it and how many turns it waits; or nothing.

        Whoever is out has none.
        """
        shape = self.of(game, len(bits))
        if shape is None:
            return ()
        fears = [shape.bit * left + shape.turn * wait for left, wait in zip(bits, waits, strict=True)]
        least = min(fear for seat, fear in enumerate(fears) if seat not in out)
        odds = [0.0 if seat in out else exp(least - fear) for seat, fear in enumerate(fears)]
        return tuple(odd / sum(odds) for odd in odds)


@cache
def load() -> Fitted:
    """Read what was fitted."""
    file = resources.files(__name__.rpartition(".")[0]) / "fitted.json"
    shapes = msgspec.json.decode(file.read_bytes(), type=list[Shape]) if file.is_file() else []
    return Fitted({f"{shape.game}/{shape.seats}": shape for shape in shapes})


FITTED: Final = load()
