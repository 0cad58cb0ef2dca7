"""How much the server carries, what it costs, and what it survives: a part each.

Clue: a hundred tables of it, in memory as its peer. Load: a hundred tables of Clue and Perfect Alibi, durable, beside
the server's own stack bare and its peers; memory, latencies, many sockets, many tables, long games. Reviews: moves
while closed cases are reviewed. Nodes: two on one PostgreSQL. Kill: what a kill -9 leaves behind. Flood: what one
household can take from all others. Fuzz: what malformed and hostile messages do. Oracle: what can be read from how long
things take. Every ratio is of figures of one run: the median over its passes, between `..._min` and `..._max`.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whodunit.bench import report
from whodunit.bench.report import Bar
from whodunit.bench.server import flood, fuzz, kill, nodes, oracle, scale, speed


@dataclass(frozen=True)
class Part:
    """What can be run by itself: it fills in figures and returns what else there is to say."""

    run: Callable[[argparse.Namespace, dict[str, float]], str]
    bars: Sequence[Bar]
    labels: Mapping[str, str]


PARTS: dict[str, Sequence[Part]] = {
    "load": [
        Part(speed.run, speed.BARS, speed.LABELS),
        Part(scale.run, scale.BARS, scale.LABELS),
    ],
    "reviews": [Part(scale.run_reviews, scale.REVIEW_BARS, scale.REVIEW_LABELS)],
    "clue": [Part(speed.run_clue, speed.CLUE_BARS, speed.CLUE_LABELS)],
    "nodes": [Part(nodes.run, nodes.BARS, nodes.LABELS)],
    "kill": [Part(kill.run, kill.BARS, kill.LABELS)],
    "flood": [Part(flood.run, flood.BARS, flood.LABELS)],
    "fuzz": [Part(fuzz.run, fuzz.BARS, fuzz.LABELS)],
    "oracle": [Part(oracle.run, oracle.BARS, oracle.LABELS)],
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench server", description=__doc__)
    parser.add_argument(
        "--passes", type=int, default=speed.PASSES, help=f"how often each server has its turn ({speed.PASSES})"
    )
    parser.add_argument(
        "--moves", type=int, default=speed.MEASURED, help=f"how many moves of each table a turn is ({speed.MEASURED})"
    )
    parser.add_argument("--seconds", type=float, default=2, help="how long each turn of the flood is measured (2)")
    parser.add_argument("--beside", type=Path, help="another tree with its .venv, whose server has its turn as well")
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part alone (repeatable)")
    parser.add_argument("--kills", type=int, default=kill.BENCH_KILLS, help="how often servers are killed")
    parser.add_argument("--messages", type=int, default=fuzz.MESSAGES, help="how many hostile messages are sent")
    parser.add_argument("--flips", type=int, default=flood.FLIPS, help="how many bits are flipped on disk")
    parser.add_argument("--no-peer", action="store_true", help="leave boardgame.io and Colyseus out")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    figures: dict[str, float] = {}
    parts = [part for name in args.only or PARTS for part in PARTS[name]]
    details = [part.run(args, figures) for part in parts]
    bars = [bar for part in parts for bar in part.bars]
    if args.beside and "load" in (args.only or PARTS):
        bars += speed.BESIDE_BARS
    labels = {key: label for part in parts for key, label in part.labels.items()}
    return report.finish(args, figures, bars, labels, "\n\n".join(details))
