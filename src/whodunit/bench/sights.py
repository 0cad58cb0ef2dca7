"""How quickly a view is told as numbers and in words: the views of whoever decides, in games of random play."""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import whodunit
from whodunit import games
from whodunit.bench import report
from whodunit.bench.report import Bar
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.env import Observer
from whodunit.table.table import Table

BOUND = 30
"""So many microseconds an observation may take in Clue at most: a seat looks before every decision."""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench sights", description=__doc__)
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this one (default: all)")
    parser.add_argument("--decisions", type=int, default=3000, help="so many views of each game (default: 3000)")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    told = args.game or [id for id in games.ids() if games.registered()[id].is_ours]
    figures = {key: value for game in told for key, value in measured(game, args.decisions).items()}
    return report.finish(args, figures, [Bar("clue.observe_us", "<=", BOUND)] if "clue" in told else [])


def measured(id: str, number: int) -> dict[str, float]:
    """Return what an observation and a description take of processor time, in microseconds, at the largest table."""
    game = games.get(id)
    seats = game.INFO.seats[1]
    options = game.INFO.parse(seats, dict(game.INFO.bulk))
    looks = [look for look, _ in zip(_looks(id, seats, options), range(number), strict=False)]
    observers = [Observer(game, seats, options, seat) for seat in range(seats)]
    return {
        f"{id}.numbers": observers[0].size,
        f"{id}.observe_us": _each(lambda seat, view: observers[seat].observe(view), looks),
        f"{id}.describe_us": _each(lambda seat, view: whodunit.describe(game, view, seat=seat), looks),
    }


def _looks(id: str, seats: int, options: Any) -> Iterator[tuple[Seat, Any]]:
    """Yield who decides, and what they see, game after game; final guesses are left to the end of a long game."""
    game, deal = games.get(id), 0
    while True:
        table, _ = Table.open(game, seats, options, b"sights %d" % deal)
        deal += 1
        for number in range(400):
            if table.outcome is not None:
                break
            (seat,) = table.awaiting
            yield seat, table.views[seat]
            rng = Rng(table.seed, number)
            offers = [offer for offer in table.offers[seat] if offer.action not in game.INFO.final] or [
                *table.offers[seat]
            ]
            offer = offers[rng.below("offer", len(offers))]
            table, _ = table.act(seat, offer.since, offer.sample(rng))


def _each(look: Callable[[Seat, Any], object], looks: Sequence[tuple[Seat, Any]]) -> float:
    for seat, view in looks[:50]:  # what is made once is made now
        look(seat, view)
    start = time.process_time()
    for seat, view in looks:
        look(seat, view)
    return (time.process_time() - start) / len(looks) * 1e6
