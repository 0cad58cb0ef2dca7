"""The sentences of a review in a language: its own, and below and above them what the house and the game say."""

from functools import cache
from importlib import resources

import msgspec

from whodunit import games


def texts(game: str, language: str = "en") -> dict[str, str]:
    """Return every sentence that the review of a game may need, by key; a game's own words go before."""
    return {**_texts("en"), **_texts(language), **games.texts(game, language)}


@cache
def _texts(language: str) -> dict[str, str]:
    file = resources.files(__name__.rpartition(".")[0]) / "texts" / f"{language}.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
