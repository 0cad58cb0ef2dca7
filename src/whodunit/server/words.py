"""What the server itself says to people; all else is said by pages."""

import json
from functools import cache
from importlib import resources


@cache
def own_words(language: str) -> dict[str, str]:
    """Return the server's own sentences in one of the house's languages, by key."""
    file = resources.files("whodunit.server") / "texts" / f"{language}.json"
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return words
