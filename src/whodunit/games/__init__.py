"""The registry: every installed game, found by its entry point, each loaded when it is asked for.

A package registers a game under its id, and ours do the same:

    [project.entry-points."whodunit.games"]
    nightcap = "nightcap"
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module, metadata, resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from whodunit.core.contract import Incomplete, complete
from whodunit.core.errors import NoGame
from whodunit.core.lesson import Lesson
from whodunit.core.types import Game

GROUP: Final = "whodunit.games"
LANGUAGES: Final = ("en", "de", "fr", "nb")
"""What the house speaks. A game speaks English at least; what it lacks in another language is said in English."""
_OURS: Final = f"{__name__}."


class Registered(NamedTuple):
    """What a package says of its game before anything is loaded."""

    id: str
    module: str
    package: str
    """The distribution that registers it, as people install it."""

    @property
    def is_ours(self) -> bool:
        return self.module.startswith(_OURS)


@cache
def registered() -> Mapping[str, Registered]:
    """Return every installed game by its id: ours first, then the others."""
    return _registered()[0]


def ids() -> tuple[str, ...]:
    """Return the ids of all installed games; none is loaded for it."""
    return tuple(registered())


@cache
def _registered() -> tuple[Mapping[str, Registered], Mapping[str, str]]:
    """Find all games, and of ids that several packages want why only one has it."""
    found = [
        Registered(point.name, point.value, point.dist.name if point.dist else "?")
        for point in metadata.entry_points(group=GROUP)
    ]
    games: dict[str, Registered] = {}
    refused: dict[str, str] = {}
    for entry in sorted({*found}, key=lambda entry: (not entry.is_ours, entry)):
        first = games.setdefault(entry.id, entry)
        if first != entry:
            name = f"{entry.id} of {entry.package}"
            refused[name] = f"the id {entry.id!r} is taken by {first.package} ({first.module})"
    return MappingProxyType(games), MappingProxyType(refused)


def get(id: str) -> Game:
    """Return the game of this id; NoGame, if it is not installed or does not work."""
    if id not in registered():
        raise NoGame(f"there is no game {id!r}; there is: {', '.join(ids())}")
    game = _load(id)
    if isinstance(game, str):
        raise NoGame(f"the game {id!r} does not work: {game}")
    return game


@cache
def _load(id: str) -> Game | str:
    """Load a game; a string says why that cannot be done."""
    entry = registered()[id]
    try:
        game = complete(import_module(entry.module))
        words = [_texts(id, language) for language in LANGUAGES]
    except Incomplete as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  (whatever a stranger's package raises, the house opens without it)
        return f"{type(error).__name__}: {error}"
    if game.INFO.id != id:
        return f"it is registered as {id!r} and calls itself {game.INFO.id!r}"
    if "name" not in words[0]:
        return "texts/en.json lacks its 'name'"
    return game


def playable() -> tuple[str, ...]:
    """Return the ids of all games that work, in the order of their doors; loads them."""
    loaded = {id: game for id in registered() if not isinstance(game := _load(id), str)}
    return tuple(sorted(loaded, key=lambda id: (not registered()[id].is_ours, loaded[id].INFO.place, id)))


def broken() -> Mapping[str, str]:
    """Return what is installed and left out, by name, with the reason; loads all games."""
    reasons = {entry.id: reason for entry in registered().values() if isinstance(reason := _load(entry.id), str)}
    return {f"{id} of {registered()[id].package}": reason for id, reason in reasons.items()} | dict(_registered()[1])


# --- A game's folder ---------------------------------------------------------------------------------------------


def folder(id: str) -> Traversable:
    """Return the folder of a game's package: texts/, and perhaps lesson/, rulebook/ and door.svg."""
    if id not in registered():
        raise NoGame(f"there is no game {id!r}; there is: {', '.join(ids())}")
    return resources.files(registered()[id].module)


def texts(id: str, language: str = "en") -> dict[str, str]:
    """Return the words of a game by key, in a language, or in English where it has none; below both the house's own."""
    return {**_house_texts(language), **_texts(id, "en"), **(_texts(id, language) if language != "en" else {})}


def _texts(id: str, language: str) -> dict[str, str]:
    return _read(folder(id) / "texts" / f"{language}.json")


def described(id: str, language: str = "en") -> dict[str, str]:
    """Return the words of a game with those that describe its views and actions: what no page needs lies apart."""
    if language not in LANGUAGES:
        raise LookupError(f"there is no language {language!r}; there is: {', '.join(LANGUAGES)}")
    house, own = resources.files(__name__) / "described", folder(id) / "described"
    languages = dict.fromkeys(("en", language))
    words = [*(_read(place / f"{each}.json") for place in (house, own) for each in languages), texts(id, language)]
    return {key: text for words_of in words for key, text in words_of.items()}


def _house_texts(language: str) -> dict[str, str]:
    return _read(resources.files(__name__) / "texts" / f"{language}.json")


def _read(file: Traversable) -> dict[str, str]:
    if not file.is_file():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise ValueError(f"texts/{file.name}: {error}") from error


def lesson(id: str) -> Lesson:
    """Return a game's guided first case, or raise LookupError if it has none."""
    file = folder(id) / "lesson" / "case.json" if id in registered() else None
    if file is None or not file.is_file():
        raise LookupError(f"there is no first case of {id!r}")
    return msgspec.json.decode(file.read_bytes(), type=Lesson)
