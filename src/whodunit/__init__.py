"""Murder-mystery deduction games: play them, watch them, and think about them from any seat."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from whodunit import games
from whodunit.core.chance import chance, outcomes
from whodunit.core.describing import Describer
from whodunit.core.errors import BadCase, BadOptions, Conflict, Illegal, StillOpen, TooMany
from whodunit.core.offer import Offer
from whodunit.core.rng import Probe, Rng, Stream, Undrawn
from whodunit.core.types import TABLE, Action, Belief, Game, Outcome, Player, S, Seat, Update
from whodunit.table import case_file
from whodunit.table.case import Case, open_case
from whodunit.table.light import Light, light_of, open_light
from whodunit.table.resample import resample
from whodunit.table.seal import Seal

if TYPE_CHECKING:  # only a type checker loads these four here: everybody else loads the game that is played
    from whodunit.games.arosa.model import State as ArosaState
    from whodunit.games.clue.model import State as ClueState
    from whodunit.games.crime_hotel.model import State as CrimeHotelState
    from whodunit.games.perfect_alibi.model import State as PerfectAlibiState

__version__ = "0.1.0"

__all__ = [
    "TABLE",
    "BadCase",
    "BadOptions",
    "Belief",
    "Case",
    "Conflict",
    "Illegal",
    "Light",
    "Offer",
    "Outcome",
    "Player",
    "Probe",
    "Rng",
    "StillOpen",
    "Stream",
    "TooMany",
    "Undrawn",
    "Update",
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


@overload
def new_game(id: Literal["clue"], seats: int, seed: int | str, **options: object) -> "Case[ClueState]": ...
@overload
def new_game(
    id: Literal["perfect_alibi"], seats: int, seed: int | str, **options: object
) -> "Case[PerfectAlibiState]": ...
@overload
def new_game(id: Literal["crime_hotel"], seats: int, seed: int | str, **options: object) -> "Case[CrimeHotelState]": ...
@overload
def new_game(id: Literal["arosa"], seats: int, seed: int | str, **options: object) -> "Case[ArosaState]": ...
@overload
def new_game(id: str, seats: int, seed: int | str, **options: object) -> "Case[Any]": ...
def new_game(id: str, seats: int, seed: int | str, **options: object) -> Case:
    """Open a game of this id; the same seed gives the same game."""
    return open_case(id, seats, options, Seal.from_seed(seed))


@overload
def step(game: Case[S], seat: Seat, action: Action) -> Case[S]: ...
@overload
def step(game: Light[S], seat: Seat, action: Action) -> Light[S]: ...
def step(game: Case[S] | Light[S], seat: Seat, action: Action) -> Case[S] | Light[S]:
    """Return the game after the seat's action; raise Illegal, which says what is on offer, if it may not do that."""
    return game.step(seat, action)


def view(game: Case[S] | Light[S], seat: Seat = TABLE) -> S:
    """Return the game as this seat knows it, None for the unknown; as TABLE, what is public; once closed, all of it.

    A type checker knows its type in our games; in others it is Any.
    """
    if isinstance(game, Light):
        known: S = game.state if game.outcome else game.view(seat)
    else:
        known = game.table.state if game.closed else game.table.views[seat]
    return known


@overload
def light_game(id: Literal["clue"], seats: int, seed: int | str, **options: object) -> "Light[ClueState]": ...
@overload
def light_game(
    id: Literal["perfect_alibi"], seats: int, seed: int | str, **options: object
) -> "Light[PerfectAlibiState]": ...
@overload
def light_game(
    id: Literal["crime_hotel"], seats: int, seed: int | str, **options: object
) -> "Light[CrimeHotelState]": ...
@overload
def light_game(id: Literal["arosa"], seats: int, seed: int | str, **options: object) -> "Light[ArosaState]": ...
@overload
def light_game(id: str, seats: int, seed: int | str, **options: object) -> "Light[Any]": ...
def light_game(id: str, seats: int, seed: int | str, **options: object) -> Light:
    """Open a game of this id for search and training: no seal, record or undo; it goes as `new_game` does."""
    return open_light(id, seats, seed, options)


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
    state: type[Any] = game.INFO.state
    if type(thing) is not state:
        found = f"{type(thing).__module__}.{type(thing).__name__}"
        raise TypeError(f"this is a {found}, and no view, offer or action of {game.INFO.id}")
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
