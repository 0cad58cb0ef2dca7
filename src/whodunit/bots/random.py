"""A player that does anything it may, and rarely makes a final guess."""

from collections.abc import Sequence
from typing import Any, Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Game, Message, Seat, Update

FINAL_GUESS_ONE_IN: Final = 200
"""In one turn of so many it stakes the game on a final guess, so that its games are long."""


class Random:
    """Chooses one of its offers, then one of that offer's actions, each as likely as any other."""

    def __init__(self, game: Game, _seat: Seat, seed: bytes) -> None:
        self._final = frozenset(game.INFO.final)
        self._rng = Stream(seed)
        self._turn = -1
        self._dares = False
        self._update: Update | None = None

    def see(self, update: Update) -> None:
        """Keep the last thing told: it remembers nothing else."""
        self._update = update

    def act(self) -> Action:
        """Choose from the offers of the last update."""
        assert self._update is not None
        return self.choose(self._update.view, self._update.offers)

    def interrupt(self) -> None:
        """Never interrupt: what it dares, it dares when it is waited for."""

    def explain(self) -> tuple[Message, ...]:
        """Say that there was no reason."""
        return (Message("random"),)

    def choose(self, view: Any, offers: Sequence[Offer]) -> Action:
        """Choose an action from these offers."""
        rng, final = self._rng, self._final
        if final:
            if view.turn != self._turn:
                self._turn = view.turn
                self._dares = rng.below("final guess", FINAL_GUESS_ONE_IN) == 0
            if len(offers) > 1:
                dares, kept = self._dares, []
                for offer in offers:
                    if (offer.action in final) is dares:
                        kept.append(offer)  # noqa: PERF401  (a comprehension costs a call, as much as all the rest)
                offers = kept or offers
        offer = offers[0] if len(offers) == 1 else offers[rng.below("offer", len(offers))]
        return offer.sample(rng)
