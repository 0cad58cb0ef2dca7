"""The plugs of our own games: what may be known by their rules files, written a second time."""

from importlib import import_module

from whodunit.conformance.derive import complete
from whodunit.conformance.plug import Plug
from whodunit.games import get


def plug_of(game: str) -> Plug:
    """Return the plug of one of our games; one without it fails every test of the suite."""
    return complete(get(game), worlds_of(game))


def worlds_of(game: str) -> object:
    """Return what we give of it."""
    try:
        return import_module(f"tests.games.{game}.worlds")
    except ModuleNotFoundError as error:
        raise AssertionError(f"{game} is one of our games, but tests/games/{game}/worlds.py is not there") from error
