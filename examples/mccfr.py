"""Outcome-sampling MCCFR of OpenSpiel on a small Perfect Alibi.

    python examples/mccfr.py --iterations 400

Needs open_spiel beside whodunit-games[research]. A table of regrets learns only what it meets again, and no deal of a
whole game comes twice. So the game is made small, as is done with poker: a player tells apart how many alibis may be
the missing one and what kinds of action are on offer, and chooses a kind. It slams the likeliest card; what else is
to be chosen within a kind falls to chance. Printed is what the average policy wins against two who do anything.
"""

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

import whodunit.env.open_spiel  # noqa: F401  (registers the games)
from whodunit.games.perfect_alibi.model import Slam

GAME = "whodunit_perfect_alibi(players=3,turns=20)"


class Small:
    """A state as a player of the small game sees it; all else is the state of the whole game."""

    def __init__(self, whole: Any, terms: Any) -> None:
        self.whole, self.terms = whole, terms
        kinds = [*dict.fromkeys(map(type, map(terms.space.at, range(terms.space.size))))]
        self.kinds = {kind: number for number, kind in enumerate(kinds)}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def offered(self) -> dict[int, list[int]]:
        """Return the indices on offer by their kind."""
        found: dict[int, list[int]] = {}
        for index in self.whole.legal_actions():
            found.setdefault(self.kinds[type(self.terms.space.at(index))], []).append(index)
        return found

    def legal_actions(self) -> list[int]:
        return [*self.offered()]

    def shares(self) -> dict[str, float]:
        """Return how likely each alibi is the missing one, by what the player has seen."""
        seen = dict(zip(self.terms.names, self.whole.information_state_tensor(), strict=False))
        return {name.split(".")[1]: share for name, share in seen.items() if name.endswith(".missing")}

    def information_state_string(self, player: int) -> str:
        return f"{player} {sum(share > 0 for share in self.shares().values())} {self.legal_actions()}"

    def apply_action(self, kind: int) -> None:
        self.whole.apply_action(kind if self.whole.is_chance_node() else self.chosen(kind))

    def chosen(self, kind: int) -> int:
        """Return the index that is said of a kind: the likeliest card to slam, else any."""
        among = self.offered()[kind]
        if self.kinds[Slam] != kind:
            return int(np.random.choice(among))
        shares = self.shares()
        return max(among, key=lambda index: shares[self.terms.space.at(index).card])


class SmallGame:
    """The whole game, begun as a small one."""

    def __init__(self, name: str) -> None:
        self.whole = pyspiel.load_game(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def new_initial_state(self) -> Small:
        return Small(self.whole.new_initial_state(), self.whole.terms)


def tried(game: SmallGame, solver: OutcomeSamplingSolver, games: int) -> float:
    """Return what the average policy wins a game, each seat in turn, against two who do anything."""
    policy, won = solver.average_policy(), 0.0
    for number in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(np.random.choice([outcome for outcome, _ in state.chance_outcomes()]))
            elif state.current_player() == number % 3:
                chances = policy.action_probabilities(state)
                state.apply_action(np.random.choice([*chances], p=[*chances.values()]))
            else:
                state.whole.apply_action(np.random.choice(state.whole.legal_actions()))
        won += state.returns()[number % 3]
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--tried", type=int, default=200, help="games against players who do anything, ten times")
    args = parser.parse_args()
    np.random.seed(1)  # the solver draws from it
    game = SmallGame(GAME)
    solver = OutcomeSamplingSolver(game)
    for number in range(args.iterations + 1):
        if number % max(1, args.iterations // 10) == 0:
            print(
                f"{number} iterations, {len(solver._infostates)} information states: "
                f"{tried(game, solver, args.tried):+.2f} a game",
                flush=True,
            )
        solver.iteration()


if __name__ == "__main__":
    main()
