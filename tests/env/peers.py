"""Runs in the peers' environment: their own generic tests over our games, and what their interfaces tell in two worlds.

`python peers.py open_spiel|pettingzoo|gymnasium <game>` tests it at every number of seats.
`python peers.py worlds <file>` reads pairs of games in two worlds that a viewer cannot tell apart, and plays them.
"""

import pickle
import random
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np

from whodunit import games
from whodunit.core.rng import StackedRng
from whodunit.core.types import Batch, Seat
from whodunit.env.chance import radices
from whodunit.env.episode import Terms

Course: TypeAlias = tuple[Terms, tuple[Batch, ...], tuple[int, ...]]
"""A game: its batches, and what was said index by index."""
VARIANTS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "clue": ({"dice_count": 2, "suggestion_mandatory": True, "last_active_wins": True, "max_turns": 30},),
    "perfect_alibi": (
        {"rival": True, "slam_window_s": 3},
        {"answer_mode": "by_hand"},
        {"answer_mode": "by_hand", "unforgiving": True, "cook_optional": True},
    ),
    "crime_hotel": ({"beginner": True, "investigations": 1}, {"duplicate_uses": 1, "rounds": 3}),
    "arosa": ({"difficulty": "hard", "clues": 8, "ground_penalty_first": True},),
}


def seats_of(game: str) -> range:
    least, most = games.get(game).INFO.seats
    return range(least, most + 1)


# --- OpenSpiel -----------------------------------------------------------------------------------------------------


def open_spiel(game: str) -> None:
    import pyspiel  # noqa: PLC0415  (only this part needs it)

    import whodunit.env.open_spiel  # noqa: F401, PLC0415  (registers the games)

    for seats in seats_of(game):
        for options in ({}, *VARIANTS[game]):
            given = "".join(f",{name}={value}" for name, value in options.items())
            name = f"whodunit_{game}(players={seats},turns=30{given})"
            print("random_sim_test", name, flush=True)
            loaded = pyspiel.load_game(name)
            assert {**loaded.terms.game.INFO.bulk, **options}.items() <= _as_dict(loaded.terms.options).items()
            pyspiel.random_sim_test(loaded, num_sims=1 if options else 2, serialize=True, verbose=False)
            assert str(pyspiel.load_game(str(loaded))) == str(loaded)
    if game == "clue":
        named = pyspiel.load_game("whodunit_clue(players=2,tokens=Green+Plum,starter=1)").terms.options
        assert (named.tokens, named.starter, named.max_turns) == (("Green", "Plum"), 1, None)
    _is_refused(lambda: pyspiel.load_game(f"whodunit_{game}(players=9)"))
    _is_refused(lambda: pyspiel.load_game(f"whodunit_{game}(players={seats},no_such_option=1)"))


def _as_dict(options: Any) -> dict[str, object]:
    return {name: getattr(options, name) for name in options.__struct_fields__}


def _is_refused(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception as error:  # noqa: BLE001  (theirs is a RuntimeError, pybind's may be another)
        print("refused:", type(error).__name__, str(error).splitlines()[0])
    else:
        raise AssertionError("this is not refused")


# --- PettingZoo ----------------------------------------------------------------------------------------------------


def pettingzoo(game: str) -> None:
    from pettingzoo.test import (  # noqa: PLC0415  (only this part needs it)
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        seed_test,
    )

    from whodunit.env import pettingzoo as ours  # noqa: PLC0415

    def seeded(make: Callable[..., Any], **settings: Any) -> Any:
        """Return an environment in which what their test says at random is always the same, and ends no game."""
        table = make(game, seats, **settings)
        for number, agent in enumerate(table.possible_agents):
            table.action_space(agent).seed(number)
        return table

    for seats in seats_of(game):
        print(game, seats, flush=True)
        for options in ({}, *VARIANTS[game]):
            table = partial(ours.env, game, seats, turns=60, render_mode="ansi", **options)
            api_test(table(), num_cycles=100)
            print("seed_test", options, flush=True)  # it says nothing itself
            seed_test(table)
        api_test(ours.env(game, seats, belief=True), num_cycles=20)
        parallel_api_test(ours.parallel_env(game, seats), num_cycles=50)
        print("parallel_seed_test", flush=True)
        parallel_seed_test(partial(ours.parallel_env, game, seats), num_cycles=20)
        api_test(ours.cycled_env(game, seats), num_cycles=20)
        module = SimpleNamespace(env=partial(seeded, ours.cycled_env), parallel_env=partial(seeded, ours.parallel_env))
        print("max_cycles_test", flush=True)
        max_cycles_test(module)
        _loses_the_decision(ours.env(game, seats))
        _waits(ours.parallel_env(game, seats))
    _is_refused(lambda: ours.env(game, 99))
    _is_refused(lambda: ours.env(game, seats, no_such_option=1))
    _is_refused(lambda: ours.env(game, seats, render_mode="rgb_array"))


def _loses_the_decision(table: Any) -> None:
    """Say nothing but what may not be said: the house draws, and it is counted for the one who said it."""
    table.reset(seed=3)
    said: dict[str, int] = dict.fromkeys(table.agents, 0)
    for agent in table.agent_iter(60):
        mask = table.infos[agent]["action_mask"]
        if not mask.any():
            break
        table.step(int(np.flatnonzero(mask == 0)[0]))
        said[agent] += 1
        assert all(info["illegal"] == said[other] for other, info in table.infos.items())
    assert sum(said.values()) > 20


def _waits(table: Any) -> None:
    """Who does not decide may only wait, and is not heard whatever it says."""
    _, infos = table.reset(seed=3)
    while table.agents:
        may = [np.flatnonzero(info["action_mask"]).tolist() for info in infos.values()]
        assert sum(indices != [table.table.terms.space.wait] for indices in may) == 1
        actions = {agent: int(np.flatnonzero(infos[agent]["action_mask"])[0]) for agent in table.agents}
        _, rewards, ended, cut, infos = table.step(actions)
        assert any(ended.values()) or any(cut.values()) or not any(rewards.values())


# --- Gymnasium -----------------------------------------------------------------------------------------------------


def gymnasium(game: str) -> None:
    import gymnasium as gym  # noqa: PLC0415  (only this part needs it)
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415

    import whodunit.env.gymnasium  # noqa: F401, PLC0415  (registers the environments)

    for seats in seats_of(game):
        for number, options in enumerate(({}, *VARIANTS[game])):
            seat = number % seats
            print("check_env", game, seats, "seat", seat, options, flush=True)
            settings: dict[str, Any] = {"seats": seats, "seat": seat, "options": options, "turns": 60}
            bots = "random" if number else ("rookie", "detective", "mastermind", *["random"] * 3)[: seats - 1]
            table = gym.make(f"whodunit/{game}-v0", bots=bots, render_mode="ansi", **settings)
            check_env(table.unwrapped)
            _to_the_end(table)
    for wrong in ({"seats": 99}, {"seat": 99}, {"bots": "no such bot"}, {"options": {"no_such_option": 1}}):
        _is_refused(partial(gym.make, f"whodunit/{game}-v0", **wrong))


def _to_the_end(table: Any) -> None:
    """Play at random, half of it illegal, twice with one seed: it is the same game."""
    courses = []
    for _ in range(2):
        draw = random.Random(5)  # noqa: S311  (play, no secret)
        seen, info = table.reset(seed=11)
        course, over, illegal = [(seen.tolist(), 0.0)], False, 0
        while not over:
            legal = draw.random() < 0.5
            choices = np.flatnonzero(info["action_mask"] == int(legal))
            illegal += not legal
            seen, reward, ended, cut, info = table.step(choices[draw.randrange(len(choices))])
            course.append((seen.tolist(), reward))
            over = ended or cut
            assert info["illegal"] == illegal
            assert over or not reward
        courses.append(course)
    assert courses[0] == courses[1]


# --- Two worlds ----------------------------------------------------------------------------------------------------


def worlds(file: str) -> None:
    """Play each pair of games through OpenSpiel and PettingZoo, and compare what the viewer is told."""
    import pyspiel  # noqa: PLC0415

    import whodunit.env.open_spiel  # noqa: F401, PLC0415
    from whodunit.env import pettingzoo as ours  # noqa: PLC0415

    pairs: list[tuple[Seat, Course, Course]] = pickle.loads(Path(file).read_bytes())  # noqa: S301  (our own)
    compared = 0
    for viewer, *both in pairs:
        told = [
            [_through_open_spiel(pyspiel, course, viewer) for course in both],
            *([[_through_pettingzoo(ours, course, viewer) for course in both]] if viewer >= 0 else []),
        ]
        for here, there in told:
            steps = min(len(here), len(there))
            assert here[:steps] == there[:steps], f"viewer {viewer} can tell"
            compared += steps
    print("compared", compared, "moments of", len(pairs), "pairs")
    assert compared > 100


def choices_of(batch: Batch) -> list[int]:
    """Return the choices of chance that make a batch's draws."""
    made: list[int] = []
    for draw in batch.draws:
        if draw.kind == "below":
            assert isinstance(draw.result, int)
            left, digits = draw.result, []
            for radix in reversed(radices(draw.range)):
                left, digit = divmod(left, radix)
                digits.append(digit)
            made += reversed(digits)
        elif draw.kind == "shuffled":
            assert isinstance(draw.result, tuple)
            order = list(range(draw.range))
            for last in range(draw.range - 1, 0, -1):
                other = order.index(draw.result[last])
                made.append(other)
                order[last], order[other] = order[other], order[last]
    return made


def _through_open_spiel(pyspiel: Any, course: Course, viewer: Seat) -> list[object]:
    """Play a course in OpenSpiel; return what the viewer is told at every decision, and the size of every chance."""
    terms, batches, said = course
    settings = {"players": terms.seats, "turns": terms.turns, **_as_dict(terms.options)}
    told: list[object] = []
    given = ",".join(f"{name}={value}" for name, value in settings.items() if value not in {None, ""})
    game = pyspiel.load_game(f"whodunit_{terms.game.INFO.id}({given})")
    nobody = pyspiel.PrivateInfoType.NONE
    kind = pyspiel.IIGObservationType(public_info=True, perfect_recall=True, private_info=nobody)
    public = game.make_py_observer(kind)
    state = game.new_initial_state()
    by_seq = {batch.seq: choices_of(batch) for batch in batches}
    indices = iter(said)
    while not state.is_terminal():
        if state.is_chance_node():
            # A step may reach over several batches: what time does follows by itself.
            first = 1 if state.episode is None else state.episode.light.seq + 1
            coming = [choice for seq in sorted(by_seq) if seq >= first for choice in by_seq[seq]]
            while state.is_chance_node():
                if not coming:
                    return told
                told.append(("chance", len(state.chance_outcomes())))
                state.apply_action(coming.pop(0))
            continue
        player = state.current_player()
        if viewer < 0:
            told.append((player, public.string_from(state, 0)))
        else:
            told.append((player, state.information_state_string(viewer), state.observation_string(viewer)))
            told.append((state.information_state_tensor(viewer), state.observation_tensor(viewer), state.returns()))
            told.append(state.legal_actions() if player == viewer else None)
        index = next(indices, None)
        if index is None:
            return told
        state.apply_action(index)
    return [*told, state.returns()]


def _through_pettingzoo(ours: Any, course: Course, viewer: Seat) -> list[object]:
    """Lay each moment of a course on a table of PettingZoo's; return what the viewer's agent is told."""
    terms, batches, said = course
    told: list[object] = []
    stacks = {batch.seq: {draw.label: draw.result for draw in batch.draws} for batch in batches}

    def draws(seq: int) -> StackedRng:
        return StackedRng(b"", seq, stacks.get(seq, {}))

    alone = ours.env(terms.game.INFO.id, terms.seats, turns=terms.turns, **_as_dict(terms.options)).unwrapped
    cycles = ours.parallel_env(terms.game.INFO.id, terms.seats, turns=terms.turns, **_as_dict(terms.options))
    alone.reset(seed=1)
    cycles.reset(seed=1)
    agent = alone.possible_agents[viewer]
    episode = alone.table.terms.begin_with(draws)
    for index in (*said, None):
        alone.table.episode = cycles.table.episode = episode
        alone._select()  # as its own step does
        infos = alone.infos[agent], cycles._seen()[1][agent]
        told.append([alone.agent_selection, alone.observe(agent).tolist()])
        told += [(info["action_mask"].tolist(), info["illegal"]) for info in infos]
        if index is not None and episode.light.seq < batches[-1].last:
            episode = episode.step(index, draws)
    return told


PARTS: Final = {"open_spiel": open_spiel, "pettingzoo": pettingzoo, "gymnasium": gymnasium, "worlds": worlds}

if __name__ == "__main__":
    warnings.simplefilter("error")
    PARTS[sys.argv[1]](sys.argv[2])
