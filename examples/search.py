"""Information-set search in sixty lines: whole games that might be the true one, played on, and the best action kept.

    PYTHONPATH=examples whodunit arena clue --seats search:Searcher,detective,detective --games 90 --seed 1 \
        --option max_turns=90 --move-time 60

Every candidate of `consider` is tried in the same resampled games. There everybody goes on for one round with what
they could know: each seat has a past of its own in such a game, so it has an exact belief of its own, and takes
anything that is worth considering. How the game then stands is told by the bits that each is missing, and by where
each stands: who is one bit behind is taken to be half as likely to be the first to know. The worse half of the
candidates is dropped, and the rest are tried in more games. It is made for games that are won by knowing first.
"""

from collections.abc import Sequence
from typing import Any

import whodunit
from whodunit import Light, Player, Stream, Update
from whodunit.core.types import Action, Game, Seat

TRIED = 8
"""In so many resampled games, before the worse half is dropped."""


class Searcher(Player):
    """A player like any other: it is fed what its seat is told."""

    def __init__(self, game: Game, seat: Seat, seed: bytes) -> None:
        super().__init__(game, seat, seed)
        self.rng = Stream(seed)
        self.belief: Any = game.belief(seat)
        self.seen: list[Any] = []

    def see(self, update: Update) -> None:
        super().see(update)
        for event in update.events:
            self.seen.append(event)
            self.belief = self.belief.learn(event)

    def act(self) -> Action:
        considered = self.game.consider(self.update.view, self.seat, self.belief, self.rng)
        guesses = [action for action in considered if type(action) in self.game.INFO.final]
        if guesses:  # `consider` has weighed them against waiting
            return max(guesses, key=self.belief.chance)
        values = dict.fromkeys(considered, 0.0)
        while len(values) > 1:
            for _ in range(TRIED):
                game = whodunit.resample(self.belief, self.rng, self.seen)
                minds = {seat: _learned(game, seat, (0, self.game.belief(seat))) for seat in range(game.seats)}
                for action in values:
                    values[action] += self._value(game.step(self.seat, action, self.rng), minds)
            best = sorted(values, key=values.__getitem__, reverse=True)
            values = {action: values[action] for action in best[: len(best) // 2]}
        return next(iter(values))

    def interrupt(self) -> Action | None:
        return next(iter(self.game.urge(self.update.view, self.seat, self.belief)), None)

    def _value(self, game: Light, minds: dict[Seat, "_Mind"]) -> float:
        """Play one round on, and return how likely this seat is then to be the first."""
        minds, until = dict(minds), game.state.turn + game.seats
        while game.outcome is None and game.state.turn < until:
            seat = game.awaiting[0]
            worthy: Sequence[Action] = [offer.at(0) for offer in game.legal(seat)[:1]]  # what time does
            if seat >= 0:
                minds[seat] = _learned(game, seat, minds[seat])
                worthy = self.game.consider(game.view(seat), seat, minds[seat][1], self.rng)
            game = game.step(seat, worthy[self.rng.below("worthy", len(worthy))], self.rng)
        if game.outcome is not None:
            return (self.seat in game.outcome.winners) / max(1, len(game.outcome.winners))
        bits = {seat: _learned(game, seat, mind)[1].entropy() for seat, mind in minds.items()}
        chances = [2 ** (self.game.worth(game.state, seat) - bits[seat]) for seat in sorted(bits)]
        return float(chances[self.seat] / sum(chances))


_Mind = tuple[int, Any]
"""How many events somebody has learned, and the belief."""


def _learned(game: Light, seat: Seat, mind: _Mind) -> _Mind:
    since, belief = mind
    for event in game.news(seat, since):
        belief = belief.learn(event)
    return game.seq, belief
