"""Seeds of one game after another, as environments need them: from one number, or from nowhere."""

import secrets

from whodunit.core.rng import Rng, Stream


class Seeds:
    """A sequence of games, the same for the same seed; the bots' and the house's draws go with each."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = secrets.token_hex(16) if seed is None else str(seed)
        self._nth = 0
        self.house: Rng = Stream(b"")

    def next_game(self) -> None:
        """Go on to the next game."""
        self._nth += 1
        self.house = Stream(self.of("house"))

    @property
    def game(self) -> str:
        """The seed of the game itself."""
        return f"{self._seed}, game {self._nth}"

    def of(self, whom: str) -> bytes:
        """Return the seed of somebody's own draws in this game."""
        return f"{self.game}: {whom}".encode()
