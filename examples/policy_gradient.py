"""A policy gradient in numpy: one small network plays all seats of Perfect Alibi and learns from its own games.

    python examples/policy_gradient.py --rounds 24

Each round it plays games against itself and moves its weights towards what its winners did (REINFORCE). After each it
takes one seat against two players who do anything: printed are its wins there, which is the learning curve. It sees
what a seat sees, and what follows from it (`belief`): when to slam is for it to find out. For a thousand games nothing
is to be seen of that; after 2,400 it wins four games of five.
"""

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whodunit.env import Vector

GAME, SEATS, TURNS = "perfect_alibi", 3, 60
WIDE, AT_ONCE = 64, 16
BATCH, RATE, CURIOSITY = 512, 0.003, 0.01

Floats = NDArray[np.floating]


class Policy:
    """A network with one hidden layer: from what a seat sees to how likely it says each index."""

    def __init__(self, seen: int, said: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.weights = [rng.normal(0, 1 / np.sqrt(seen), (seen, WIDE)), np.zeros((WIDE, said))]
        self.moments = [[np.zeros_like(weight) for weight in self.weights] for _ in range(2)]
        self.updates = 0

    def chances(self, seen: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        hidden = np.tanh(seen @ self.weights[0])
        scores = np.where(masks, hidden @ self.weights[1], -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, shares / shares.sum(axis=1, keepdims=True)

    def say(self, seen: Floats, masks: NDArray[np.bool_]) -> NDArray[np.intp]:
        _, shares = self.chances(seen, masks)
        said: NDArray[np.intp] = (shares.cumsum(axis=1) > self.rng.random((len(shares), 1))).argmax(axis=1)
        return said

    def learn(self, seen: Floats, masks: NDArray[np.bool_], said: NDArray[np.intp], won: Floats) -> None:
        """Make likelier what was followed by more than the usual, and a little likelier what is seldom said (Adam)."""
        hidden, shares = self.chances(seen, masks)
        logs = np.log(np.where(shares > 0, shares, 1))
        surprise = -(shares * logs).sum(axis=1, keepdims=True)
        push = -shares * (won - won.mean())[:, None]
        push[np.arange(len(said)), said] += won - won.mean()
        push = (push - CURIOSITY * shares * (logs + surprise)) / len(said)
        slopes = [seen.T @ ((push @ self.weights[1].T) * (1 - hidden**2)), hidden.T @ push]
        self.updates += 1
        for weight, slope, mean, square in zip(self.weights, slopes, *self.moments, strict=True):
            np.add(mean, 0.1 * (slope - mean), out=mean)
            np.add(square, 0.001 * (slope**2 - square), out=square)
            step = (mean / (1 - 0.9**self.updates)) / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)
            np.add(weight, RATE * step, out=weight)


class Played(NamedTuple):
    """A game: decision by decision what was seen, what might be said, what was said and by whom; and who won what."""

    place: int
    course: list[tuple[Any, ...]]
    won: NDArray[np.float32]


def games(policy: Policy, number: int, seed: str, *, alone: bool) -> Iterator[Played]:
    """Play so many games. The policy plays every seat, or, `alone`, one of each game against who does anything."""
    with Vector(GAME, AT_ONCE, SEATS, seed=seed, turns=TURNS, belief=True) as table:
        now, done = table.now, 0
        courses: list[list[tuple[Any, ...]]] = [[] for _ in range(AT_ONCE)]
        while done < number:
            said = policy.say(now.observations, now.masks)
            if alone:
                anything = (policy.rng.random(now.masks.shape) * now.masks).argmax(axis=1)
                said = np.where(now.seats == np.arange(AT_ONCE) % SEATS, said, anything)
            for place, course in enumerate(courses):
                course.append((now.observations[place], now.masks[place], said[place], now.seats[place]))
            now = table.step(said)
            for place in map(int, now.done.nonzero()[0]):
                done += 1
                yield Played(place, courses[place], now.rewards[place])
                courses[place] = []


def curve(rounds: int, learned: int, tried: int, seed: int) -> Iterator[tuple[int, float, float]]:
    """Yield after each round from how many games it has learned, its share of wins alone, and what a game gives it."""
    with Vector(GAME, 1, SEATS, turns=TURNS) as table:
        policy = Policy(len(table.names), table.space.size, np.random.default_rng(seed))
    for number in range(rounds + 1):
        if number:
            played = games(policy, learned, f"{seed} {number}", alone=False)
            steps = [(*step[:3], game.won[step[3]]) for game in played for step in game.course]
            policy.rng.shuffle(steps)
            for first in range(0, len(steps), BATCH):
                policy.learn(*(np.array(column) for column in zip(*steps[first : first + BATCH], strict=True)))
        ends = [game.won[game.place % SEATS] for game in games(policy, tried, f"{seed} {number} tried", alone=True)]
        yield number * learned, float(np.mean(np.array(ends) > 0)), float(np.mean(ends))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--learned", type=int, default=200, help="games of a round")
    parser.add_argument("--tried", type=int, default=200, help="games against players who do anything, after each")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for count, wins, payoff in curve(args.rounds, args.learned, args.tried, args.seed):
        print(f"{count} games learned: wins {wins:.0%}, {payoff:+.2f} a game", flush=True)


if __name__ == "__main__":
    main()
