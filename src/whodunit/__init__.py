"""Murder-mystery deduction games: play them, watch them, and think about them from any seat."""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from whodunit import games
from whodunit.core.chance import chance, outcomes
from whodunit.core.describing import Describer
from whodunit.core.errors import BadCase, BadOptions, Conflict, Illegal, StillOpen, TooMany
from whodunit.core.offer import Offer
from whodunit.core.rng import Probe, Rng, Stream, Undrawn
from whodunit.core.types import TABLE, Action, Game, Seat
from whodunit.table import case_file
from whodunit.table.case import Case, open_case
from whodunit.table.light import Light, light_game, light_of
from whodunit.table.resample import resample
from whodunit.table.seal import Seal

__version__ = "0.1.0"

__all__ = [
    "TABLE",
    "BadCase",
    "BadOptions",
    "Case",
    "Conflict",
    "Illegal",
    "Light",
    "Probe",
    "Rng",
    "StillOpen",
    "Stream",
    "TooMany",
    "Undrawn",
    "chance",
    "describe",
    "legal",
    "light_game",
    "light_of",
    "load",
    "new_game",
    "outcomes",
    "resample",
    "save",
    "step",
    "view",
]


AnyGame = TypeVar("AnyGame", Case, Light)


def new_game(id: str, seats: int, seed: int | str, **options: object) -> Case:
    """Open a game of this id; the same seed gives the same game."""
    return open_case(id, seats, options, Seal.from_seed(seed))


def step(game: AnyGame, seat: Seat, action: Action) -> AnyGame:
    """Return the game after the seat's action; raise Illegal, which says what is on offer, if it may not do that."""
    return game.step(seat, action)


def view(game: Case | Light, seat: Seat = TABLE) -> Any:
    """Return the game as this seat knows it, None for the unknown; as TABLE, what is public; once closed, all of it."""
    if isinstance(game, Light):
        return game.state if game.outcome else game.view(seat)
    return game.table.state if game.closed else game.table.views[seat]


def legal(game: Case | Light, seat: Seat) -> tuple[Offer, ...]:
    """Return what the seat may do now, as offers that can be listed, counted or sampled."""
    return game.legal(seat)


def describe(game: Game | str, thing: Any, language: str = "en", seat: Seat | None = None) -> str:
    """Say all that a view, an offer or an action holds, in words; of a view also whose it is, if `seat` is given."""
    game = games.get(game) if isinstance(game, str) else game
    describer = _describer(game.INFO.id, language)
    if isinstance(thing, Offer):
        return describer.offer(thing)
    if isinstance(thing, Action):
        return describer.action(thing)
    if type(thing) is not game.INFO.state:
        raise TypeError(f"{thing!r} is no view, offer or action of {game.INFO.id}")
    return describer.view(thing, seat)


@cache
def _describer(id: str, language: str) -> Describer:
    return Describer(games.described(id, language))


def load(path: str | Path) -> Case:
    """Load a saved case, or raise BadCase, which names the line that is wrong."""
    return case_file.parse(Path(path).read_bytes())


def save(game: Case, path: str | Path, seat: Seat | None = None) -> None:
    """Save a closed case, or of an open one a seat's own transcript."""
    # Written aside and renamed, so that an interrupted save never leaves half a file under the name.
    whole = Path(f"{path}.part")
    whole.write_bytes(case_file.content(game, seat))
    whole.replace(path)
