"""The example of a game, installed for as long as tests want to play it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from whodunit import games

EXAMPLE: Final = "nightcap"
SOURCES: Final = Path(__file__).resolve().parents[1] / "examples" / EXAMPLE / "src"


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Let the example be installed for a while, as `pip` would: with its entry point, and nothing but its sources."""
    about = folder / f"{EXAMPLE}-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {EXAMPLE}\nVersion: 0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[{games.GROUP}]\n{EXAMPLE} = {EXAMPLE}\n", "utf-8")
    before = [*sys.path]
    sys.path[:0] = [str(folder), str(SOURCES)]  # the house's own processes are given it too
    _look_again()
    yield
    sys.path[:] = before
    _look_again()


def _look_again() -> None:
    games.registered.cache_clear()
    games._registered.cache_clear()
