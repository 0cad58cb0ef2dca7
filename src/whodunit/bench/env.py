"""How quick our environments are: many games a call, with what is seen and may be done, beside the peers'.

`Vector` is compared with OpenSpiel's vector environment over its C++ games, and with PettingZoo. Everybody plays at
random; in our games nobody stakes the game on a guess if there is anything else to do, so that they are long.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np

from whodunit import games
from whodunit.bench import peer_env, peers, report
from whodunit.bench.engine import one_core
from whodunit.env import Vector

SEATS = 4
TURNS = 100
PROCESSES = 2

Round = dict[str, float]
"""Decisions a second, by who made them."""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench env", description=__doc__)
    parser.add_argument("--game", choices=peers.OURS, action="append", help="only this one (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each has its turn (default: 3)")
    parser.add_argument("--seconds", type=float, default=2, help="how long each turn is (default: 2)")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    played = args.game or list(peers.OURS)
    executable = peer_env.with_whodunit()
    rounds = list(measured(played, executable, args.rounds, args.seconds))
    return report.finish(args, figures(played, rounds), [])


def measured(played: Sequence[str], executable: Path, rounds: int, seconds: float) -> Iterator[Round]:
    """Give each its turn in each round: what slows the machine down for a while slows all of them."""
    others = [name for name in peers.SEEN if not name.startswith("ours_in") or name.rpartition(".")[2] in played]
    for number in range(1, rounds + 1):
        report.progress(f"round {number} of {rounds} ...")
        result: Round = {}
        with one_core():
            for game in played:
                result[f"{game}.vector"] = stepped(game, 1, seconds)
            for name in others:
                did = peer_env.run(executable, name, seconds)
                result[f"peer.{name}"] = did["decisions"] / did["cpu_seconds"]
        for game in played:  # on all cores, by the clock on the wall
            result[f"{game}.vector_on_1"] = stepped(game, 1, seconds, clock=perf_counter)
            result[f"{game}.vector_on_{PROCESSES}"] = stepped(game, PROCESSES, seconds, clock=perf_counter)
        yield result


def stepped(game: str, processes: int, seconds: float, clock: object = process_time) -> float:
    """Return how many decisions a second many games at once take, without the time of choosing at random."""
    assert callable(clock)
    with Vector(game, peers.MANY, SEATS, games.get(game).INFO.bulk, "bench", processes, TURNS) as vector:
        risky = np.isin(np.arange(vector.space.size), [*peers.risky(vector.terms)])
        rng = np.random.default_rng(1)
        now, steps, took = vector.now, 0, 0.0
        while took < seconds:
            safe = now.masks & ~risky
            legal = np.where(safe.any(axis=1, keepdims=True), safe, now.masks)
            said = (rng.random(legal.shape, np.float32) * legal).argmax(axis=1)
            began = clock()
            now = vector.step(said)
            took += clock() - began
            steps += peers.MANY
    return steps / took


def figures(played: Sequence[str], rounds: Sequence[Round]) -> dict[str, float]:
    """Sum the rounds up; what is compared is compared within a round."""
    found = {f"{name}.per_s": median(each[name] for each in rounds) for name in rounds[0]}
    ratio = partial(_ratio, rounds)
    for game in played:
        for peer in ("pettingzoo", *(f"open_spiel.{name}" for name in peers.VECTORS)):
            found[f"{game}.vector_vs_{peer}"] = ratio(f"{game}.vector", f"peer.{peer}")
        found[f"{game}.processes_vs_one"] = ratio(f"{game}.vector_on_{PROCESSES}", f"{game}.vector_on_1")
    return found


def _ratio(rounds: Sequence[Round], one: str, other: str) -> float:
    return median(each[one] / each[other] for each in rounds)
