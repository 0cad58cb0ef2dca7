"""The registry: one line a game, each loaded when it is asked for."""

import json
from importlib import import_module, resources
from types import MappingProxyType
from typing import Final, cast

import msgspec

from whodunit.core.lesson import Lesson
from whodunit.core.types import Game

GAMES: Final = MappingProxyType(
    {
        "clue": "whodunit.games.clue",
        "perfect_alibi": "whodunit.games.perfect_alibi",
        "crime_hotel": "whodunit.games.crime_hotel",
        "arosa": "whodunit.games.arosa",
    }
)
LANGUAGES: Final = ("en", "de", "fr", "nb")
"""Every game's texts are there in each of these."""


def get(id: str) -> Game:
    """Return the game of this id."""
    if id not in GAMES:
        raise LookupError(f"there is no game {id!r}; there is: {', '.join(GAMES)}")
    return cast(Game, import_module(GAMES[id]))


def texts(id: str, language: str = "en") -> dict[str, str]:
    """Return the words of a game in a language, by message key."""
    file = resources.files(GAMES[id]) / "texts" / f"{language}.json"
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return words


def lesson(id: str) -> Lesson:
    """Return a game's guided first case, or raise LookupError if it has none."""
    file = resources.files(GAMES[id]) / "lesson" / "case.json" if id in GAMES else None
    if file is None or not file.is_file():
        raise LookupError(f"there is no first case of {id!r}")
    return msgspec.json.decode(file.read_bytes(), type=Lesson)
