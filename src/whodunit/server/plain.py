"""What the page must know of a game that brings nothing of its own to show it: the plain table is made from this."""

from typing import Any

from msgspec import structs

from whodunit import games
from whodunit.core.redact import fold, redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Event, Game
from whodunit.server.protocol import Plain


def described(id: str) -> Plain:
    """Describe a game by its own word, and by an opening that no table has: its types do not tell what is by seat.

    Nothing of a real deal goes into this, so that it may be told to anybody.
    """
    game = games.get(id)
    few, many = (_opening(game, seats) for seats in game.INFO.seats)
    public = fold(game, [redact(event, TABLE) for event in few])
    truth, larger = fold(game, few), fold(game, many)
    belief = game.belief(0)
    for event in few:
        belief = belief.learn(redact(event, 0))
    cells = belief.sheet("probabilities").cells
    least, most = game.INFO.seats
    return Plain(
        answers=tuple(kind.__name__ for kind in game.INFO.answers),
        final=tuple(kind.__name__ for kind in game.INFO.final),
        interrupts=tuple(kind.__name__ for kind in game.INFO.interrupts),
        # With as many entries as seats at the smallest and the largest table: hardly by chance.
        by_seat=tuple(name for name in _fields(truth) if _counts(truth, name, least) and _counts(larger, name, most)),
        hidden=tuple(name for name in _fields(truth) if getattr(public, name) is None is not getattr(truth, name)),
        rows=tuple(dict.fromkeys(cell.row for cell in cells)),
        columns=tuple(dict.fromkeys(cell.column for cell in cells if not cell.column.isdigit())),
    )


def _opening(game: Game, seats: int) -> tuple[Event, ...]:
    return tuple(game.setup(seats, game.INFO.parse(seats, {}), Rng(b"plain", 0)))


def _fields(state: Any) -> list[str]:
    return [field.name for field in structs.fields(state)]


def _counts(state: Any, name: str, seats: int) -> bool:
    value = getattr(state, name)
    return isinstance(value, tuple) and len(value) == seats
