"""Information-set search in sixty lines: whole games that might be the true one, played on, and the best action kept.

    python examples/search.py clue --against detective --games 12

Each candidate of `consider` is tried in the same resampled games. There everybody goes on by what they could know (each seat has
its own history, so its own exact belief), one round long, choosing at random among what is worth considering. How such a game
stands is told by the bits that each is missing: who misses one bit more is taken to be half as likely to be first. Candidates
that do badly are dropped, and the rest tried in more games. It is for games in which whoever knows first wins.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import whodunit
from whodunit import Light, Stream, arena, bots
from whodunit.core.types import Action, Game, Message, Seat, Update

GAMES = 8
"""In so many resampled games every candidate is tried before half of them are dropped."""


class Searcher:
    """A player that searches; built and fed like every other."""

    def __init__(self, game: Game, seat: Seat, seed: bytes) -> None:
        self.game, self.seat, self.rng = game, seat, Stream(seed)
        self.belief: Any = game.belief(seat)
        self.seen: list[Any] = []

    def see(self, update: Update) -> None:
        self.view = update.view
        for event in update.events:
            self.seen.append(event)
            self.belief = self.belief.learn(event)

    def act(self) -> Action:
        candidates = list(dict.fromkeys(self.game.consider(self.view, self.seat, self.belief, self.rng)))
        guesses = [action for action in candidates if type(action) in self.game.INFO.final]
        if guesses and (self.belief.chance(guesses[0]) == 1 or len(guesses) == len(candidates)):
            return max(guesses, key=self.belief.chance)
        values = dict.fromkeys(candidates, 0.0)
        while len(values) > 1:
            for _ in range(GAMES):
                game = whodunit.resample(self.belief, self.rng, self.seen)
                minds = {seat: self._mind(game, seat) for seat in range(game.seats)}
                for action in values:
                    values[action] += self._value(game.step(self.seat, action, self.rng), minds)
            best = sorted(values, key=values.__getitem__, reverse=True)
            values = {action: values[action] for action in best[: len(best) // 2]}
        return next(iter(values))

    def interrupt(self) -> Action | None:
        return next(iter(self.game.urge(self.view, self.seat, self.belief)), None)

    def explain(self) -> tuple[Message, ...]:
        return ()

    def _mind(self, game: Light, seat: Seat) -> tuple[int, Any]:
        """Return what a seat could believe in a resampled game, and how many events it has learned."""
        return self._learned(game, seat, (0, self.game.belief(seat)))

    def _learned(self, game: Light, seat: Seat, mind: tuple[int, Any]) -> tuple[int, Any]:
        seq, belief = mind
        for event in game.news(seat, seq):
            belief = belief.learn(event)
        return game.seq, belief

    def _value(self, game: Light, minds: dict[Seat, tuple[int, Any]]) -> float:
        """Play one round on, and return how likely this seat is to be the first, as far as can be said then."""
        minds, until = dict(minds), game.state.turn + game.seats
        while game.outcome is None and game.state.turn < until:
            seat = game.awaiting[0]
            if seat < 0:
                game = game.step(seat, game.legal(seat)[0].at(0), self.rng)
                continue
            minds[seat] = self._learned(game, seat, minds[seat])
            worthy = self.game.consider(game.view(seat), seat, minds[seat][1], self.rng)
            game = game.step(seat, worthy[self.rng.below("worthy", len(worthy))], self.rng)
        if game.outcome is not None:
            return (self.seat in game.outcome.winners) / max(1, len(game.outcome.winners))
        chances = [2.0 ** -self._learned(game, seat, mind)[1].entropy() for seat, mind in minds.items()]
        return chances[self.seat] / sum(chances)
