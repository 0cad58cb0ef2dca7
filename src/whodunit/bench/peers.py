"""Random play in other people's engines: `python peers.py <peer> <seconds>` prints one JSON line.

It runs in an environment of the peers' own, so it imports nothing of ours but where our games are played in theirs.
OpenSpiel and PettingZoo leave the random loop to the caller: theirs is here as lean as the documented interface
allows. RLCard brings a loop and a random agent of its own; a hand-written one on its raw actions is quicker, and is
measured and printed beside it. A decision is a player's; what chance or the bookkeeping of a finished game costs is
in the time, not in the count.
"""

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

Play = Callable[[], int]
"""Plays one whole game and returns the number of decisions in it."""

chance = Random(1).random  # noqa: S311  (play, no secret)


def open_spiel() -> Play:
    import_module("open_spiel.python.games.liars_poker")  # registers the game
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game("python_liars_poker")
    terminal = int(pyspiel.PlayerId.TERMINAL)

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while (player := state.current_player()) != terminal:
            if player < 0:  # chance; this game's outcomes are equally likely
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                actions = state.legal_actions(player)
                state.apply_action(actions[int(chance() * len(actions))])
                decisions += 1
        return decisions

    return play


def rlcard() -> Play:
    env = import_module("rlcard").make("uno")
    agent = import_module("rlcard.agents").RandomAgent(num_actions=env.num_actions)
    env.set_agents([agent] * env.num_players)

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(steps) // 2 for steps in trajectories)  # state, action, state, action, ..., last state

    return play


def rlcard_by_hand() -> Play:
    env = import_module("rlcard").make("uno")

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            actions = state["raw_legal_actions"]
            state, _ = env.step(actions[int(chance() * len(actions))], raw_action=True)  # spares it the decoding
            decisions += 1
        return decisions

    return play


def pettingzoo() -> Play:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # stdout is for the result
    # The bare environment: the wrappers of env() only catch mistakes that this loop does not make.
    env = import_module("pettingzoo.classic.leduc_holdem_v4").raw_env()
    env.reset(seed=1)

    def play() -> int:
        decisions = 0
        env.reset()  # a seed here would rebuild the whole environment for every game
        while env.agents:
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                env.step(None)
            else:
                actions = env.observe(agent)["action_mask"].nonzero()[0]
                env.step(actions[int(chance() * len(actions))])
                decisions += 1
        return decisions

    return play


PEERS: dict[str, Callable[[], Play]] = {"open_spiel": open_spiel, "rlcard": rlcard, "pettingzoo": pettingzoo}
LOOPS: dict[str, Callable[[], Play]] = PEERS | {"rlcard_by_hand": rlcard_by_hand}


# --- What a learner is given: `bench env` --------------------------------------------------------------------------

MANY = 64
"""So many games are stepped in one call."""


def open_spiel_vector(name: str) -> Play:
    """Step many games of OpenSpiel's at once, with observations and legal actions: in its own vector environment."""
    rl_environment = import_module("open_spiel.python.rl_environment")
    agent = import_module("open_spiel.python.rl_agent")
    vector = import_module("open_spiel.python.vector_env")
    table = vector.SyncVectorEnv([rl_environment.Environment(name) for _ in range(MANY)])
    now = table.reset()

    def play() -> int:
        nonlocal now
        said = []
        for step in now:
            actions = step.observations["legal_actions"][step.current_player()]
            said.append(agent.StepOutput(action=actions[int(chance() * len(actions))], probs=None))
        now, _, _, _ = table.step(said, reset_if_done=True)
        return MANY

    return play


def risky(terms: Any) -> frozenset[int]:
    """Return the indices of final guesses in a game of ours: whoever plays at random makes none while it can."""
    final = {kind.__name__ for kind in terms.game.INFO.final}
    return frozenset(index for index in range(terms.space.size) if terms.space.name(index).partition("(")[0] in final)


def ours_in_open_spiel(id: str) -> Play:
    """Play a game of ours in OpenSpiel, with what a learner asks of it: tensor and legal actions of who decides."""
    import_module("whodunit.env.open_spiel")
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(f"whodunit_{id}(players=4,turns=100)")
    stakes = risky(game.terms)

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()  # equally likely
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
                continue
            player = state.current_player()
            state.observation_tensor(player)
            legal = state.legal_actions(player)
            actions = [action for action in legal if action not in stakes] or legal
            state.apply_action(actions[int(chance() * len(actions))])
            decisions += 1
        return decisions

    return play


def ours_in_pettingzoo(id: str) -> Play:
    """Play a game of ours in PettingZoo."""
    table = import_module("whodunit.env.pettingzoo").env(id, 4, turns=100).unwrapped
    stakes = risky(table.table.terms)

    def play() -> int:
        decisions = 0
        table.reset()
        while table.agents:
            _, _, terminated, truncated, info = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            legal = info["action_mask"].nonzero()[0].tolist()
            actions = [index for index in legal if index not in stakes] or legal
            table.step(actions[int(chance() * len(actions))])
            decisions += 1
        return decisions

    return play


OURS = ("clue", "perfect_alibi", "crime_hotel", "arosa")
VECTORS = ("liars_dice", "oh_hell", "hanabi", "battleship")
SEEN: dict[str, Callable[[], Play]] = {
    "pettingzoo": pettingzoo,
    **{f"open_spiel.{name}": partial(open_spiel_vector, name) for name in VECTORS},
    **{f"ours_in_open_spiel.{id}": partial(ours_in_open_spiel, id) for id in OURS},
    **{f"ours_in_pettingzoo.{id}": partial(ours_in_pettingzoo, id) for id in OURS},
}
"""Loops in which every decision comes with what its player sees and may do."""


def measure(play: Play, seconds: float) -> dict[str, float]:
    """Play whole games for so many seconds of this process's own time."""
    decisions = games = 0
    start = now = process_time()
    while now - start < seconds:
        decisions += play()
        games += 1
        now = process_time()
    return {"decisions": decisions, "games": games, "cpu_seconds": now - start}


def main(name: str, seconds: str) -> None:
    play = (LOOPS | SEEN)[name]()
    measure(play, float(seconds) / 8)  # warm-up
    print(json.dumps(measure(play, float(seconds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
