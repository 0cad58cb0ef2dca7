"""The games in OpenSpiel: importing this module registers `whodunit_clue` and all other games that are installed.

    import pyspiel
    import whodunit.env.open_spiel
    game = pyspiel.load_game("whodunit_clue(players=3,turns=200,dice_count=2)")

Every option of a game is a parameter: of several values the names joined by +, -1 or "" where an option is left open.
Who decides when is said in `env/episode.py`, what chance nodes there are in `env/chance.py`. The information-state
string is everything that a player has seen, event by event; the tensor is what `Observer` makes of its view and of
its belief.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from whodunit import describe, games
from whodunit.core.info import Info, Option
from whodunit.core.types import TABLE, Seat
from whodunit.env.chance import OUTCOMES, Settled, Unsettled
from whodunit.env.episode import Episode, Terms
from whodunit.env.space import TURNS
from whodunit.env.told import now, shown, told

__all__ = ["NAMES", "PREFIX", "Game", "State", "TensorObserver", "options_of", "register"]

PREFIX: Final = "whodunit_"
"""What the name of a game begins with in OpenSpiel."""


class Game(pyspiel.Game):
    """One of our games with its number of players, its turns and its options; `register` makes a class of each."""

    id: str
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**self.kind.parameter_specification, **(params or {})}
        self.terms = Terms(self.id, given["players"], options_of(games.get(self.id).INFO, given), given["turns"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.terms.space.size,
            max_chance_outcomes=OUTCOMES,
            num_players=self.terms.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.terms.longest,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> "State":
        """Return the state before anything is dealt."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "TensorObserver":
        """Return what fills tensors and strings."""
        if params:
            raise ValueError(f"an observer of {PREFIX}{self.id} has no parameters, such as {params}")
        return TensorObserver(self.terms, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class State(pyspiel.State):
    """A moment of a game: a player's decision, a choice of chance on the way to the next one, or the end."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._terms = game.terms
        self._episode: Episode | None = None
        self._said: int | None = None
        """The index whose consequences chance is deciding."""
        self._choices: tuple[int, ...] = ()
        self._label = ""
        """Of the draw that is being made."""
        self._left: tuple[int, ...] = ()
        """Of each choice that chance still has to make for it, how many outcomes it has."""
        self._told: dict[Seat, tuple[int, str]] = {}
        self._go_on()

    def _go_on(self) -> None:
        """Do what was said, or deal, as far as chance has been settled."""
        choices = iter(self._choices)

        def draws(seq: int) -> Settled:
            return Settled(seq, choices)

        try:
            if self._episode is None:
                after = self._terms.begin_with(draws)
            else:
                assert self._said is not None
                after = self._episode.step(self._said, draws)
        except Unsettled as chance:
            self._label, self._left = chance.label, chance.outcomes
        else:
            self._episode, self._said, self._choices = after, None, ()

    @property
    def episode(self) -> Episode | None:
        """The moment itself, or that before chance had to decide; None until all is dealt."""
        return self._episode

    def current_player(self) -> int:
        """Return whose decision it is."""
        if self._left:
            return int(pyspiel.PlayerId.CHANCE)
        assert self._episode is not None
        return int(pyspiel.PlayerId.TERMINAL) if self._episode.seat is None else self._episode.seat

    def _legal_actions(self, player: int) -> list[int]:
        assert player == self.current_player()
        assert self._episode is not None
        return self._episode.mask().nonzero()[0].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every outcome with its probability."""
        return [(outcome, 1 / self._left[0]) for outcome in range(self._left[0])]

    def _apply_action(self, action: int) -> None:
        if not self._left:
            self._said = int(action)
        elif 0 <= action < self._left[0]:
            self._choices, self._left = (*self._choices, int(action)), self._left[1:]
        else:
            raise ValueError(f"{action} is no outcome of {self._label!r}, which has {self._left[0]}")
        if not self._left:
            self._go_on()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"{self._label}: {action}"
        return self._terms.space.name(action)

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return not self._left and self._episode is not None and self._episode.seat is None

    def returns(self) -> list[float]:
        """Return what each player has won."""
        return [0.0] * self._terms.seats if self._episode is None else [*self._episode.payoffs()]

    def told(self, viewer: Seat) -> str:
        """Return all that a viewer has been told, and who decides now."""
        episode = self._episode
        if episode is None:
            return ""
        since, before = self._told.get(viewer, (0, ""))
        if since < episode.light.seq:
            before += told(episode, viewer, since)
            self._told[viewer] = episode.light.seq, before
        return before + now(episode, viewer)

    def shown(self, viewer: Seat) -> str:
        """Return what a viewer sees now."""
        return "" if self._episode is None else shown(self._episode, viewer)

    def __str__(self) -> str:
        if self._episode is None:
            return "nothing is dealt yet"
        state = self._episode.light.state
        return f"{describe(self._terms.game, state)}\n{now(self._episode, TABLE)}"


class TensorObserver:
    """What a player sees, as OpenSpiel asks for it; without private information it is what everybody sees."""

    def __init__(self, terms: Terms, kind: Any) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("nobody sees what all players hold")
        self._terms = terms
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self.tensor: NDArray[np.float32] = np.zeros(len(terms.names), np.float32)
        self.dict = {"observation": self.tensor}

    def _viewer(self, player: int) -> Seat:
        return player if self._is_private else TABLE

    def set_from(self, state: State, player: int) -> None:
        """Write what the player sees into the tensor; with perfect recall also what follows from all it has seen."""
        if state.episode is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._terms.observe(state.episode, self._viewer(player), belief=self._recalls)

    def string_from(self, state: State, player: int) -> str:
        """Return what the player sees, or with perfect recall all that it has seen."""
        viewer = self._viewer(player)
        return state.told(viewer) if self._recalls else state.shown(viewer)


def options_of(info: Info, given: dict[str, Any]) -> dict[str, object]:
    """Return options as a game knows them from OpenSpiel's parameters."""
    return {option.name: _read(option, given[option.name]) for option in info.describe()}


def _read(option: Option, value: Any) -> object:
    if option.optional and value in (-1, ""):
        return None
    return tuple(value.split("+")) if option.kind == "list" else value


def _written(option: Option, default: Any) -> bool | int | str:
    if option.kind == "list":
        return "+".join(default or ())
    written: bool | int | str = -1 if default is None else default
    return written


def register() -> Sequence[str]:
    """Register every game that says which actions there are and what a seat sees; return their names."""
    names = []
    for id in games.playable():
        game = games.get(id)
        info, least = game.INFO, game.INFO.seats[0]
        standard = info.parse(least, {**info.bulk})
        if game.space(least, standard, 1) is None or game.observed(least, standard, 0) is None:
            continue
        kind = pyspiel.GameType(
            short_name=PREFIX + id,
            long_name=games.texts(id)["name"],
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=info.seats[1],
            min_num_players=least,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                "players": least,
                "turns": TURNS,
                **{option.name: _written(option, getattr(standard, option.name)) for option in info.describe()},
            },
        )
        pyspiel.register_game(kind, type(f"Whodunit{id.title().replace('_', '')}", (Game,), {"id": id, "kind": kind}))
        names.append(kind.short_name)
    return names


NAMES: Final = register()
"""The games that OpenSpiel knows now."""
