"""What the pages may say, whatever language they speak."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from whodunit import games

SHELL: Final = Path(__file__).resolve().parents[2] / "web" / "src" / "texts"


def table_word(key: str) -> re.Pattern[str]:
    """Return what finds a text of the table page, in any language."""
    return _said("table", key)


def shell_word(key: str) -> re.Pattern[str]:
    """Return what finds a text that all pages share, in any language."""
    return _said("shell", key)


def game_word(game: str, key: str) -> re.Pattern[str]:
    """Return what finds a text of a game, in any language."""
    return _any(games.texts(game, language)[key] for language in games.LANGUAGES)


def _said(where: str, key: str) -> re.Pattern[str]:
    files = [SHELL / f"{where}.{language}.json" for language in games.LANGUAGES]
    return _any(json.loads(file.read_text("utf-8"))[key] for file in files)


def _any(texts: Iterable[str]) -> re.Pattern[str]:
    # A browser's accessible names have plain spaces where the text has narrow ones, and to it no word begins with an É.
    spaced = (r"\s".join(map(re.escape, text.split())) for text in texts)
    return re.compile(rf"(?<!\w)({'|'.join(spaced)})")
