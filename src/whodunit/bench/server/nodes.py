"""Two nodes on one PostgreSQL: games whose seats are split over both, moves that race through both, and a node killed.

Every person has a page on both nodes and now and then sends the same move through both at once. What was acknowledged
must stand in the closed case exactly once, an answer as its player chose it; whoever looks through whichever node must
see the same, and every game ends.
"""

import argparse
import asyncio
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

from aiohttp import ClientSession, DummyCookieJar, TCPConnector

from whodunit.bench import report
from whodunit.bench.database import postgres
from whodunit.bench.report import Bar, spread
from whodunit.bench.server import speed
from whodunit.bench.server.games import GAMES, Nodes, Outcome, bots_id, play_one
from whodunit.bench.server.load import Result, free_port, load
from whodunit.bench.server.script import BotTable, Staging
from whodunit.bench.server.speed import Bench, measured, site_plan, staged, table

PHYSICS = 5
"""At so many tables of Arosa cubes really fall."""
BRISK = 0.03
"""On two nodes just long enough to choose one, and to race for its moment."""
BENCH_GAMES = 500
BENCH_FALLS = 10
"""How many nodes are killed meanwhile."""
AT_ONCE = 25

BARS = [
    Bar("two_node_games", ">=", BENCH_GAMES),
    Bar("two_node_faults", "<=", 0),
    Bar("two_nodes_vs_one", ">=", 0.7),
]
LABELS = {
    "one_node_moves_per_s": "moves/s, one node on PostgreSQL",
    "two_nodes_moves_per_s": "moves/s, two nodes, every table's seats on both",
    "two_nodes_vs_one": "two nodes : one, all on the same cores",
    "two_node_games": "games on two nodes, moves racing, nodes killed",
    "two_node_faults": "of these: moves lost or doubled, views apart, tables stuck",
}


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure two nodes beside one, then play on them; fill the figures in."""
    with tempfile.TemporaryDirectory(prefix="whodunit-nodes-") as name:
        bench = Bench(Path(name), args.moves)
        turns = {"one": partial(_turn, bench, 1), "two": partial(_turn, bench, 2)}
        passes = list(measured(turns, args.passes))
    figures |= {
        "one_node_moves_per_s": median(each["one"].per_second for each in passes),
        "two_nodes_moves_per_s": median(each["two"].per_second for each in passes),
        **spread("two_nodes_vs_one", [each["two"].per_second / each["one"].per_second for each in passes]),
    }
    report.progress(f"{BENCH_GAMES} games on two nodes ...")
    done = play(BENCH_GAMES, BENCH_FALLS, durable=True)
    figures |= {"two_node_games": done.ended, "two_node_faults": len(done.faults)}
    return "\n".join(
        [
            table(passes),
            "",
            f"{done.moves:,} moves, {done.chosen:,} answers chosen, {done.kills} nodes killed",
            *done.faults[:20],
        ]
    )


def _turn(bench: Bench, number: int) -> Result:
    """Let one node or two have their turn on a PostgreSQL of their own, all on whatever cores there are."""
    with tempfile.TemporaryDirectory(dir=bench.folder) as name, postgres() as database, ExitStack() as stack:
        nodes = []
        for groups in (speed.TABLES, 0)[:number]:
            staging = Staging(database, free_port(), groups, speed.GAMES, deals=bench.deals)
            nodes.append(stack.enter_context(staged(staging, pinned=False)))
        plan = site_plan(nodes[0].told["cookies"], bench.scripts, [node.port for node in nodes])
        return load(bench.generator, plan, nodes[0], bench.length, Path(name))


def play(games: int, kills: int, *, durable: bool) -> Outcome:
    """Play so many games on two nodes of their own, and kill one after the other in between."""
    numbers = [number for number in range(games) if GAMES[number % len(GAMES)][0] == "arosa"]
    towers = ["physics" if place < PHYSICS else "surrogate" for place in range(len(numbers))]
    bots = [
        BotTable(bots_id(number), number, "arosa", {"tower": tower}, "random")
        for number, tower in zip(numbers, towers, strict=True)
    ]
    with postgres(durable=durable) as database, ExitStack() as stack:
        stagings = [
            Staging(database, free_port(), groups=games, bots=tuple(bots), haste=BRISK),
            Staging(database, free_port(), haste=BRISK),
        ]
        return asyncio.run(_played(Nodes(stagings, stack), games, kills))


async def _played(nodes: Nodes, games: int, kills: int) -> Outcome:
    """Play the games, some at a time, so that a kill meets them at every stage."""
    done = Outcome(0, 0, 0, [])
    places = asyncio.Semaphore(AT_ONCE)

    async def game(number: int) -> None:
        async with places:
            await play_one(session, nodes, number, number, done)

    async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
        tasks = [asyncio.ensure_future(game(number)) for number in range(games)]
        for number in range(kills):
            while done.ended < (number + 1) / (kills + 1) * games * 0.8:  # noqa: ASYNC110  (games end when they do)
                await asyncio.sleep(0.05)
            await nodes.kill(number % 2)
            done.kills += 1
        await asyncio.gather(*tasks)
    return done
