"""How quick the games are: random play of whole games on one core, beside the peers' games in the same run."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

import whodunit
from whodunit import games
from whodunit.bench import peer_env, peers, report
from whodunit.bench.report import Bar
from whodunit.bots.random import Random
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Event, Game
from whodunit.table.seal import Seal

SEATS = 4
SEARCHED: Final = ("clue", "perfect_alibi", "crime_hotel")
"""The games in which nothing is heard: beside the peers, what a researcher plays them with should be quick as well."""
LONG: Final = "clue"
"""A game without end, as long as nobody makes a final guess: in it one sees whether time grows with the past."""
LATE: Final = 5000
AROUND: Final = 500
"""So many steps are timed at the beginning of a long game, and as many around the late one."""
AGAIN: Final = 8

seeds = count()


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
        growth = growth_figures()
    found = {key: value for game in played for key, value in figures(game, of(game, rounds)).items()}
    bounds = [bar for game in played for bar in bars(game)]
    return report.finish(args, found | growth, [*bounds, Bar(f"growth_at_{LATE}", "<=", 1.1)])


def bars(game: str) -> list[Bar]:
    return [
        Bar(f"{game}.decisions_per_game", ">=", 100),
        Bar(f"{game}.plain_vs_best_peer", ">=", 2.0),
        Bar(f"{game}.view_vs_best_peer", ">=", 1.0),
        Bar(f"api_vs_rules.{game}", "<=", 1.3),
        *([Bar(f"light_vs_best_peer.{game}", ">=", 2.5)] if game in SEARCHED else []),
    ]


Round = dict[str, dict[str, float]]
"""What each engine did when it had its turn, by name; ours are `plain`, `light` and `view`, of a game."""
OURS: Final = ("plain", "light", "view")


def measured(played: Sequence[str], executable: Path, rounds: int, seconds: float) -> Iterator[Round]:
    """Give each engine its turn in each round: what slows the machine down for a while slows all of them."""
    for number in range(1, rounds + 1):
        report.progress(f"round {number} of {rounds} ...")
        result: Round = {}
        for name in played:
            game = games.get(name)
            plays = {"plain": partial(play_plain, game), "light": partial(play_light, game)}
            turn_about(plays, seconds / 8)  # warm-up, as the peers have
            result |= {f"{name}.{kind}": did for kind, did in turn_about(plays, seconds).items()}
            play = partial(play_with_views, game)
            peers.measure(play, seconds / 8)
            result[f"{name}.view"] = peers.measure(play, seconds)
        for name in peers.LOOPS:
            result[name] = peer_env.run(executable, name, seconds)
        yield result


def of(game: str, rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds of one game and the peers."""
    ours = {f"{game}.{kind}": kind for kind in OURS}
    return [
        {ours.get(name, name): did for name, did in each.items() if "." not in name or name in ours} for each in rounds
    ]


def figures(game: str, rounds: Sequence[Round]) -> dict[str, float]:
    """Sum the rounds up; engines are compared within a round only, with the quickest peer of that round."""

    def speed(name: str) -> list[float]:
        return [each[name]["decisions"] / each[name]["cpu_seconds"] for each in rounds]

    speeds = {name: speed(name) for name in (*OURS, *peers.LOOPS)}
    best = [max(both) for both in zip(*(speeds[name] for name in peers.PEERS), strict=True)]
    played = sum(each["plain"]["decisions"] for each in rounds) / sum(each["plain"]["games"] for each in rounds)
    return {
        f"{game}.decisions_per_s": median(speeds["plain"]),
        f"{game}.light_decisions_per_s": median(speeds["light"]),
        f"{game}.view_decisions_per_s": median(speeds["view"]),
        **{f"peer.{name}.decisions_per_s": median(speeds[name]) for name in peers.LOOPS},
        f"{game}.decisions_per_game": played,
        f"{game}.plain_vs_best_peer": median(ours / peer for ours, peer in zip(speeds["plain"], best, strict=True)),
        f"{game}.view_vs_best_peer": median(ours / peer for ours, peer in zip(speeds["view"], best, strict=True)),
        f"{game}.plain_vs_rlcard_by_hand": median(
            ours / peer for ours, peer in zip(speeds["plain"], speeds["rlcard_by_hand"], strict=True)
        ),
        f"api_vs_rules.{game}": median(
            rules / light for rules, light in zip(speeds["plain"], speeds["light"], strict=True)
        ),
        f"light_vs_best_peer.{game}": median(ours / peer for ours, peer in zip(speeds["light"], best, strict=True)),
        f"light_vs_rlcard_by_hand.{game}": median(
            ours / peer for ours, peer in zip(speeds["light"], speeds["rlcard_by_hand"], strict=True)
        ),
    }


def turn_about(plays: Mapping[str, Callable[[int], int]], seconds: float) -> dict[str, dict[str, float]]:
    """Play each game both ways, one after the other, for so many seconds each: so both have the same to do.

    Who is first takes turns, as the second finds in memory what the first has looked for.
    """
    did = {kind: {"decisions": 0.0, "games": 0.0, "cpu_seconds": 0.0} for kind in plays}
    kinds = [*plays]
    while min(each["cpu_seconds"] for each in did.values()) < seconds:
        number = next(seeds)
        for kind in kinds:
            start = process_time()
            did[kind]["decisions"] += plays[kind](number)
            did[kind]["cpu_seconds"] += process_time() - start
            did[kind]["games"] += 1
        kinds.reverse()
    return did


# --- Our own random play -----------------------------------------------------------------------------------------


def play_plain(game: Game, number: int) -> int:
    """Play one game by nothing but its rules, on the truth alone; return the number of decisions."""
    decide, evolve, legal, awaiting = game.decide, game.evolve, game.legal, game.awaiting
    seed = Seal.from_seed(number).seed(())
    players = players_of(game, number)
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


def play_light(game: Game, number: int) -> int:
    """Play the same game as docs/library.md shows it to whoever searches or trains."""
    players = players_of(game, number)
    light = whodunit.light_game(game.INFO.id, SEATS, number, **game.INFO.bulk)
    decisions = 0
    while waiting := light.awaiting:
        seat = waiting[0]
        light = light.step(seat, players[seat].choose(light.state, light.legal(seat)))
        decisions += 1
    return decisions


def players_of(game: Game, number: int) -> list[Random]:
    return [Random(game, seat, b"%d %d" % (number, seat)) for seat in range(SEATS)]


def play_with_views(game: Game) -> int:
    """Play one game in which each seat decides on its own view; return the number of decisions.

    A view takes in what its seat has not seen yet when the seat is about to act, and at the end of the game: every
    event is redacted and evolved once for the truth's and every seat's sake, as at a real table.
    """
    decide, evolve, legal, awaiting = game.decide, game.evolve, game.legal, game.awaiting
    number = next(seeds)
    seed, players = Seal.from_seed(number).seed(()), players_of(game, number)
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


# --- Whether time grows with the past ----------------------------------------------------------------------------


def growth_figures() -> dict[str, float]:
    report.progress(f"a game of {LATE} steps ...")
    return {
        f"growth_at_{LATE}": growth(whodunit.new_game(LONG, SEATS, next(seeds))),
        f"light_growth_at_{LATE}": growth(whodunit.light_game(LONG, SEATS, next(seeds))),
    }


def growth(opened: whodunit.Case | whodunit.Light) -> float:
    """Say how much longer a step takes around the late one than at the beginning of the same game.

    Both stretches are stepped through by turns, again and again, when the whole game has been played: what is kept in
    memory is kept for both then, and what slows the machine down slows both. The quickest time of each counts.
    """
    final = games.get(LONG).INFO.final
    rng = Rng(b"growth", next(seeds))
    game, done = opened, []
    for number in range(LATE + AROUND // 2):
        seat = game.awaiting[0]
        offers = [offer for offer in game.legal(seat) if offer.action not in final]
        action = offers[rng.below(f"{number} offer", len(offers))].sample(rng, f"{number} action")
        done.append((game, seat, action))
        game = game.step(seat, action)

    def timed(first: int) -> float:
        now, start = done[first][0], process_time()
        for _, seat, action in done[first : first + AROUND]:
            now = now.step(seat, action)
        return process_time() - start

    times = [(timed(0), timed(LATE - AROUND // 2)) for _ in range(AGAIN)]
    return min(late for _, late in times) / min(early for early, _ in times)


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
