"""The example game, registered as if it were installed: small enough to be reviewed in a moment, and exact."""

from collections.abc import Iterator
from types import MappingProxyType

import pytest

from whodunit import arena, games
from whodunit.games import Registered
from whodunit.table.case import Case


@pytest.fixture(autouse=True, scope="module")
def nightcap() -> Iterator[None]:
    """Let the house have the example."""
    patch = pytest.MonkeyPatch()
    with_it = MappingProxyType({**games.registered(), "nightcap": Registered("nightcap", "nightcap", "nightcap")})
    patch.setattr(games, "registered", lambda: with_it)
    yield
    patch.undo()


@pytest.fixture(scope="module")
def case() -> Case:
    """A game that the detective in seat 2 has won; the one in seat 0 does anything."""
    return played("s1", "random", "rookie", "detective")


def played(seed: str, *levels: str, **options: object) -> Case:
    return arena.play_case(arena.open_with_bots("nightcap", levels, options, seed), lambda *_: None)
