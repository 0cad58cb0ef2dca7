"""The player who does anything it may, and hardly ever stakes the game on a guess."""

from collections.abc import Sequence
from typing import Any, Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Game, Seat, Update

FINAL_GUESS_ONE_IN: Final = 200
"""In one turn of so many it stakes the game on a final guess, so that its games are long."""


class Random:
    """Chooses one of its offers, then one of that offer's actions, each as likely as any other."""

    def __init__(self, game: Game, seat: Seat, seed: bytes) -> None:
        self._final = game.INFO.final
        self._seed = seed
        self._moves = 0
        self._daring = (-1, False)
        self._update: Update | None = None

    def see(self, update: Update) -> None:
        """Keep the last thing told: it remembers nothing else."""
        self._update = update

    def act(self) -> Action:
        """Choose from the offers of the last update."""
        assert self._update is not None
        return self.choose(self._update.view, self._update.offers)

    def choose(self, view: Any, offers: Sequence[Offer]) -> Action:
        """Choose an action from these offers."""
        rng = Rng(self._seed, self._moves)
        self._moves += 1
        plain = [offer for offer in offers if offer.action not in self._final]
        if len(plain) < len(offers) and (not plain or self._dares(view.turn)):
            plain = [offer for offer in offers if offer.action in self._final]
        offer = plain[rng.below("offer", len(plain))] if len(plain) > 1 else plain[0]
        return offer.sample(rng)

    def _dares(self, turn: int) -> bool:
        """Say whether this is a turn for a final guess: one draw a turn, however often it is asked."""
        if self._daring[0] != turn:
            self._daring = turn, Rng(self._seed, turn).below("final guess", FINAL_GUESS_ONE_IN) == 0
        return self._daring[1]
