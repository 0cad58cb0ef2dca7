"""A player that does anything it may, and rarely makes a final guess."""

from collections.abc import Sequence
from typing import Any, Final

from whodunit.core.offer import Offer
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Game, Message, Player, Seat

FINAL_GUESS_ONE_IN: Final = 200
"""In one turn of so many it stakes the game on a final guess, so that its games are long."""


class Random(Player):
    """Chooses one of its offers, then one of that offer's actions, each as likely as any other.

    It never interrupts: what it dares, it dares when it is waited for.
    """

    def __init__(self, game: Game, seat: Seat, seed: bytes) -> None:
        super().__init__(game, seat, seed)
        self._final = frozenset(game.INFO.final)
        self._rng = Stream(seed)
        self._turn = -1
        self._dares = False

    def act(self) -> Action:
        """Choose from the offers of the last update."""
        return self.choose(self.update.view, self.update.offers)

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
