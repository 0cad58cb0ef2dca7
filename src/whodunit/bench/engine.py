"""How quick the games are: random play of whole games on one core, beside the peers' games in the same run."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from whodunit import games
from whodunit.bench import peer_env, peers, report
from whodunit.bench.report import Bar
from whodunit.bots.random import Random
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Event, Game

SEATS = 4

seeds = (number.to_bytes(8, "big") for number in count())


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench engine", description=__doc__)
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this one (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each engine has its turn (default: 3)")
    parser.add_argument("--seconds", type=float, default=2, help="how long each turn is (default: 2)")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    played = args.game or list(games.ids())
    executable = peer_env.python()
    with one_core():
        rounds = list(measured(played, executable, args.rounds, args.seconds))
    found = {key: value for game in played for key, value in figures(game, of(game, rounds)).items()}
    return report.finish(args, found, [bar for game in played for bar in bars(game)])


def bars(game: str) -> list[Bar]:
    return [
        Bar(f"{game}.decisions_per_game", ">=", 100),
        Bar(f"{game}.plain_vs_best_peer", ">=", 2.0),
        Bar(f"{game}.view_vs_best_peer", ">=", 1.0),
    ]


Round = dict[str, dict[str, float]]
"""What each engine did when it had its turn, by name; ours are `plain` and `view`, of a game."""


def measured(played: Sequence[str], executable: Path, rounds: int, seconds: float) -> Iterator[Round]:
    """Give each engine its turn in each round: what slows the machine down for a while slows all of them."""
    for number in range(1, rounds + 1):
        report.progress(f"round {number} of {rounds} ...")
        result = {}
        for name in played:
            game = games.get(name)
            for kind, play in (("plain", partial(play_plain, game)), ("view", partial(play_with_views, game))):
                peers.measure(play, seconds / 8)  # warm-up, as the peers have
                result[f"{name}.{kind}"] = peers.measure(play, seconds)
        for name in peers.LOOPS:
            result[name] = peer_env.run(executable, name, seconds)
        yield result


def of(game: str, rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds of one game and the peers."""
    ours = {f"{game}.{kind}": kind for kind in ("plain", "view")}
    return [
        {ours.get(name, name): did for name, did in each.items() if "." not in name or name in ours} for each in rounds
    ]


def figures(game: str, rounds: Sequence[Round]) -> dict[str, float]:
    """Sum the rounds up; engines are compared within a round only, with the quickest peer of that round."""

    def speed(name: str) -> list[float]:
        return [each[name]["decisions"] / each[name]["cpu_seconds"] for each in rounds]

    speeds = {name: speed(name) for name in ("plain", "view", *peers.LOOPS)}
    best = [max(both) for both in zip(*(speeds[name] for name in peers.PEERS), strict=True)]
    played = sum(each["plain"]["decisions"] for each in rounds) / sum(each["plain"]["games"] for each in rounds)
    return {
        f"{game}.decisions_per_s": median(speeds["plain"]),
        f"{game}.view_decisions_per_s": median(speeds["view"]),
        **{f"peer.{name}.decisions_per_s": median(speeds[name]) for name in peers.LOOPS},
        f"{game}.decisions_per_game": played,
        f"{game}.plain_vs_best_peer": median(ours / peer for ours, peer in zip(speeds["plain"], best, strict=True)),
        f"{game}.view_vs_best_peer": median(ours / peer for ours, peer in zip(speeds["view"], best, strict=True)),
        f"{game}.plain_vs_rlcard_by_hand": median(
            ours / peer for ours, peer in zip(speeds["plain"], speeds["rlcard_by_hand"], strict=True)
        ),
    }


# --- Our own random play -----------------------------------------------------------------------------------------


def play_plain(game: Game) -> int:
    """Play one game on the truth alone; return the number of decisions."""
    decide, evolve, legal, awaiting = game.decide, game.evolve, game.legal, game.awaiting
    seed = next(seeds)
    players = [Random(game, seat, seed + bytes([seat])) for seat in range(SEATS)]
    state: Any = None
    seq = 0
    for event in game.setup(SEATS, game.INFO.parse(SEATS, game.INFO.bulk), Rng(seed, 1)):
        state = evolve(state, event)
        seq += 1
    decisions = 0
    while waited_for := awaiting(state):
        seat = min(waited_for)
        offers = legal(state, seat)
        action = players[seat].choose(state, offers)
        judge(offers, action, seat)
        for event in decide(state, seat, action, Rng(seed, seq + 1)):
            state = evolve(state, event)
            seq += 1
        decisions += 1
    return decisions


def play_with_views(game: Game) -> int:
    """Play one game in which each seat decides on its own view; return the number of decisions.

    A view takes in what its seat has not seen yet when the seat is about to act, and at the end of the game: every
    event is redacted and evolved once for the truth's and every seat's sake, as at a real table.
    """
    decide, evolve, legal, awaiting = game.decide, game.evolve, game.legal, game.awaiting
    seed = next(seeds)
    players = [Random(game, seat, seed + bytes([seat])) for seat in range(SEATS)]
    state = None
    views: list[Any] = [None] * SEATS
    seen = [0] * SEATS
    events: list[Event] = []

    def catch_up(seat: int) -> None:
        view = views[seat]
        for event in events[seen[seat] :]:
            view = evolve(view, redact(event, seat))
        views[seat], seen[seat] = view, len(events)

    for event in game.setup(SEATS, game.INFO.parse(SEATS, game.INFO.bulk), Rng(seed, 1)):
        state = evolve(state, event)
        events.append(event)
    decisions = 0
    while waited_for := awaiting(state):
        seat = min(waited_for)
        catch_up(seat)
        offers = legal(views[seat], seat)
        action = players[seat].choose(views[seat], offers)
        judge(offers, action, seat)
        for event in decide(state, seat, action, Rng(seed, len(events) + 1)):
            state = evolve(state, event)
            events.append(event)
        decisions += 1
    for seat in range(SEATS):
        catch_up(seat)
    return decisions


def judge(offers: Sequence[Offer], action: Action, seat: int) -> None:
    for offer in offers:
        if offer.admits(action):
            return
    raise Illegal(seat, action, tuple(offers))


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its workers on one core, where the system can."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
