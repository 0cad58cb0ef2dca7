"""The games in PettingZoo.

    from whodunit.env.pettingzoo import env
    table = env("clue", seats=4, turns=200, dice_count=2)

`env` has one agent decide at a time, in the order that `env/episode.py` says. `parallel_env` has all agents say
something in every cycle: the one who decides is heard, the others had better wait. In both an agent sees the numbers
of `Observer`, and `info["action_mask"]` says which indices of `ActionSpace` it may say. An index that it may not say
loses the decision: the house draws a legal one, and `info["illegal"]` counts it. The reward comes with the end: see
`payoffs`.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from whodunit.core.types import TABLE, Seat
from whodunit.env.episode import Episode, Terms
from whodunit.env.seeds import Seeds
from whodunit.env.space import TURNS, VERSION
from whodunit.env.told import in_words

__all__ = ["Cycles", "Turns", "cycled_env", "env", "parallel_env"]

RENDERS: Final = ["ansi", "human"]


class _Table:
    """What both kinds of environments have: agents, spaces, seeds, and what each agent is told."""

    def __init__(
        self, game: str, seats: int, options: Mapping[str, object], turns: int, *, belief: bool, render_mode: str | None
    ) -> None:
        if render_mode is not None and render_mode not in RENDERS:
            raise ValueError(f"there is no render_mode {render_mode!r}; there is: {', '.join(RENDERS)}")
        self.terms = Terms(game, seats, options, turns)
        self.belief = belief
        self.render_mode = render_mode
        self.agents = [f"seat_{seat}" for seat in range(seats)]
        self.seat_of: dict[str, Seat] = {agent: seat for seat, agent in enumerate(self.agents)}
        seen = len(self.terms.names)
        self.observation_spaces = {agent: spaces.Box(0.0, 1.0, (seen,), np.float32) for agent in self.agents}
        self.action_spaces = {agent: spaces.Discrete(self.terms.space.size) for agent in self.agents}
        self._seeds = Seeds()
        self.episode: Episode | None = None
        self.illegal = [0] * seats

    def reset(self, seed: int | None) -> None:
        """Begin a game: with a seed the one of that seed, and the games after it are the same ones, too."""
        if seed is not None:
            self._seeds = Seeds(seed)
        self._seeds.next_game()
        self.episode = self.terms.begin(self._seeds.game)
        self.illegal = [0] * self.terms.seats

    @property
    def now(self) -> Episode:
        if self.episode is None:
            raise ValueError("reset comes first")
        return self.episode

    def say(self, index: Any) -> None:
        """Say an index for the seat that decides, or if it may not be said another one."""
        episode = self.now
        assert episode.seat is not None
        if not 0 <= int(index) < self.terms.space.size or not episode.mask()[int(index)]:
            self.illegal[episode.seat] += 1
            index = episode.drawn(self._seeds.house)
        self.episode = episode.step(int(index))

    def observe(self, agent: str) -> NDArray[np.float32]:
        return self.terms.observe(self.now, self.seat_of[agent], belief=self.belief)

    def info(self, agent: str, *, waits: bool) -> dict[str, Any]:
        """Return an agent's mask, and how often it has said what it may not; who does not decide may at most wait."""
        seat, episode = self.seat_of[agent], self.now
        if seat == episode.seat:
            mask = episode.mask().astype(np.int8)
        else:
            mask = np.zeros(self.terms.space.size, np.int8)
            mask[self.terms.space.wait] = waits
        return {"action_mask": mask, "illegal": self.illegal[seat]}

    def render(self) -> str | None:
        """Return or print what everybody sees."""
        seen = in_words(self.now, TABLE)
        if self.render_mode == "human":
            print(seen)  # noqa: T201  (what this mode is for)
        return seen if self.render_mode == "ansi" else None


class Turns(AECEnv[str, NDArray[np.float32], int | None]):
    """A table at which one agent decides at a time."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, object] | None = None,
        turns: int = TURNS,
        *,
        belief: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = _Table(game, seats, options or {}, turns, belief=belief, render_mode=render_mode)
        self.metadata = {"name": f"whodunit_{game}_v{VERSION}", "render_modes": RENDERS, "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [*self.table.agents]

    def observation_space(self, agent: str) -> spaces.Box:
        """Return the numbers that an agent sees, each from 0 to 1."""
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the indices of ActionSpace; the mask in an agent's info says which of them it may say now."""
        return self.table.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  (theirs)
        """Begin another game: the same seed gives the same one, no seed the next one."""
        self.table.reset(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def step(self, action: int | None) -> None:
        """Say an index for the agent whose decision it is; None once its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} decides, so it says an index")
        self._cumulative_rewards[agent] = 0.0
        self.table.say(action)
        now = self.table.now
        if now.seat is None:
            for other, won in zip(self.possible_agents, now.payoffs(), strict=True):
                self.rewards[other] = won
                self.terminations[other], self.truncations[other] = not now.cut, now.cut
        self._accumulate_rewards()
        self._select()
        self._deads_step_first()

    def _select(self) -> None:
        seat = self.table.now.seat
        self.agent_selection = self.possible_agents[0 if seat is None else seat]
        self.infos = {agent: self.table.info(agent, waits=False) for agent in self.agents}

    def observe(self, agent: str) -> NDArray[np.float32]:
        """Return what an agent sees, as Observer numbers it."""
        return self.table.observe(agent)

    def render(self) -> str | None:
        """Say in words what everybody sees: "ansi" returns it, "human" prints it."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is open."""


class Cycles(ParallelEnv[str, NDArray[np.float32], int]):
    """A table at which all agents say something in every cycle, and the one who decides is heard."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, object] | None = None,
        turns: int = TURNS,
        max_cycles: int | None = None,
        *,
        belief: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.table = _Table(game, seats, options or {}, turns, belief=belief, render_mode=render_mode)
        self.metadata = {"name": f"whodunit_{game}_v{VERSION}", "render_modes": RENDERS, "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents = [*self.table.agents]
        self.max_cycles = max_cycles
        self._cycles = 0

    def observation_space(self, agent: str) -> spaces.Box:
        """Return the numbers that an agent sees, each from 0 to 1."""
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the indices of ActionSpace; the mask in an agent's info says which of them it may say now."""
        return self.table.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  (theirs)
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, dict[str, Any]]]:
        """Begin another game, and return what every agent sees: the same seed gives the same one, no seed the next."""
        self.table.reset(seed)
        self.agents = [*self.possible_agents]
        self._cycles = 0
        return self._seen()

    def _seen(self) -> tuple[dict[str, NDArray[np.float32]], dict[str, dict[str, Any]]]:
        observations = {agent: self.table.observe(agent) for agent in self.agents}
        return observations, {agent: self.table.info(agent, waits=True) for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, NDArray[np.float32]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Say an index for every agent; only that of the one who decides is heard."""
        seat = self.table.now.seat
        if seat is None or not self.agents:
            raise ValueError("this game is over")
        self.table.say(actions[self.possible_agents[seat]])
        self._cycles += 1
        now = self.table.now
        ended = now.seat is None and not now.cut
        cut = not ended and (now.cut or self._cycles == self.max_cycles)
        observations, infos = self._seen()
        told = (
            observations,
            dict(zip(self.agents, now.payoffs(), strict=True)),
            dict.fromkeys(self.agents, ended),
            dict.fromkeys(self.agents, cut),
            infos,
        )
        if ended or cut:
            self.agents = []
        return told

    def render(self) -> str | None:
        """Say in words what everybody sees: "ansi" returns it, "human" prints it."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is open."""


def env(
    game: str,
    seats: int,
    *,
    turns: int = TURNS,
    belief: bool = False,
    render_mode: str | None = None,
    **options: object,
) -> OrderEnforcingWrapper:
    """Return a table at which one agent decides at a time, in the wrappers that PettingZoo advises."""
    table = Turns(game, seats, options, turns, belief=belief, render_mode=render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(table))


def parallel_env(
    game: str,
    seats: int,
    *,
    turns: int = TURNS,
    max_cycles: int | None = None,
    belief: bool = False,
    render_mode: str | None = None,
    **options: object,
) -> Cycles:
    """Return a table at which all agents say something in every cycle."""
    return Cycles(game, seats, options, turns, max_cycles, belief=belief, render_mode=render_mode)


def cycled_env(game: str, seats: int, **settings: Any) -> AECEnv[str, NDArray[np.float32], int | None]:
    """Return the same table as an AECEnv: all agents say something in every cycle, one after another."""
    return parallel_to_aec(parallel_env(game, seats, **settings))
