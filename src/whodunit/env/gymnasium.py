"""One seat of a game in Gymnasium, the others played by the house's bots.

    import gymnasium
    import whodunit.env.gymnasium
    env = gymnasium.make("whodunit/clue-v0", seats=4, bots="detective", turns=200, options={"dice_count": 2})

The agent sees the numbers of `Observer`; `info["action_mask"]` says which indices of `ActionSpace` it may say. An
index that it may not say loses the decision: the house draws a legal one, and `info["illegal"]` counts it. The reward
comes with the end: see `payoffs`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from whodunit import bots as levels
from whodunit import games
from whodunit.core.types import Action, Player, Seat
from whodunit.env.episode import Episode, Terms
from whodunit.env.seeds import Seeds
from whodunit.env.space import TURNS, VERSION, Wait
from whodunit.env.told import in_words

__all__ = ["IDS", "NAMESPACE", "Chair", "register"]

NAMESPACE: Final = "whodunit"
"""What the id of an environment begins with in Gymnasium."""


class Chair(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A seat at a table of bots."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  (theirs)

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: Seat = 0,
        bots: str | Sequence[str] = "detective",
        options: Mapping[str, object] | None = None,
        turns: int = TURNS,
        *,
        belief: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in {None, *self.metadata["render_modes"]}:
            raise ValueError(f"there is no render_mode {render_mode!r}; there is: ansi")
        self.terms = Terms(game, seats, options, turns)
        seats = self.terms.seats
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat} at a table of {seats}")
        self.seat = seat
        self.bots = (bots,) * (seats - 1) if isinstance(bots, str) else tuple(bots)
        if len(self.bots) != seats - 1 or not all(bot in levels.LEVELS for bot in self.bots):
            raise ValueError(f"{seats} seats need {seats - 1} bots of: {', '.join(levels.LEVELS)}; not {self.bots}")
        self.belief = belief
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, (len(self.terms.names),), np.float32)
        self.action_space = spaces.Discrete(self.terms.space.size)
        self._seeds = Seeds(0)
        self._players: dict[Seat, Player] = {}
        self._told: dict[Seat, int] = {}
        self._episode: Episode | None = None
        self._illegal = 0

    @property
    def episode(self) -> Episode:
        """The moment that the game has come to."""
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("reset comes first")
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, and let the bots play to the first decision of the seat."""
        super().reset(seed=seed, options=options)
        self._seeds = Seeds(int(self.np_random.integers(1 << 62)))
        self._seeds.next_game()
        others = [seat for seat in range(self.terms.seats) if seat != self.seat]
        self._players = {
            seat: levels.seated(bot, self.terms.game, seat, self._seeds.of(f"seat {seat}"))
            for seat, bot in zip(others, self.bots, strict=True)
        }
        self._told = dict.fromkeys(others, 0)
        self._illegal = 0
        self._episode = self._played(self.terms.begin(self._seeds.game))
        return self._seen()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Say an index, and let the bots play to the seat's next decision, or to the end."""
        episode = self.episode
        if episode.seat is None:
            raise gymnasium.error.ResetNeeded("this game is over")
        index = int(action)
        if not 0 <= index < self.terms.space.size or not episode.mask()[index]:
            self._illegal += 1
            index = episode.drawn(self._seeds.house)
        self._episode = episode = self._played(episode.step(index))
        seen, info = self._seen()
        return seen, episode.payoffs()[self.seat], episode.outcome is not None, episode.cut, info

    def _seen(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        episode = self.episode
        info = {"action_mask": episode.mask().astype(np.int8), "illegal": self._illegal}
        return self.terms.observe(episode, self.seat, belief=self.belief), info

    def _played(self, episode: Episode) -> Episode:
        """Let the bots decide until the seat does."""
        while episode.seat is not None and episode.seat != self.seat:
            episode = episode.act(self._chosen(episode, episode.seat))
        return episode

    def _chosen(self, episode: Episode, seat: Seat) -> Action:
        """Return what a bot does: an interrupt if it will, and if it is not waited for, else nothing."""
        player = self._players[seat]
        player.see(episode.light.update(seat, self._told[seat]))
        self._told[seat] = episode.light.seq
        urgent = player.interrupt() if self.terms.interrupts else None
        return urgent or (Wait() if episode.is_asked else player.act())

    def render(self) -> str | None:
        """Return what the seat sees, in words."""
        return in_words(self.episode, self.seat) if self.render_mode == "ansi" else None


def register() -> Sequence[str]:
    """Register every game that says which actions there are and what a seat sees; return their ids."""
    ids = []
    for name in games.playable():
        if (id := f"{NAMESPACE}/{name}-v{VERSION}") not in gymnasium.registry:
            gymnasium.register(id=id, entry_point=f"{__name__}:{Chair.__name__}", kwargs={"game": name})
        ids.append(id)
    return ids


IDS: Final = register()
"""The environments that `gymnasium.make` knows now."""
