"""How much the server carries: a hundred tables of Clue, durable, beside its own stack bare and boardgame.io; how two
nodes on one PostgreSQL play and what a kill leaves behind.

Every pass gives each server its turn, on a core of its own; the load generator has another. A move is a stored batch
that all four seats have been told of; a seat moves as soon as they have been. Answers come from the house at once, as
they do without pauses: the scripts know them. Latency is from the sending of a move to the last seat's frame.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from whodunit.bench import report, server_bare, server_nodes, server_peer, server_timing
from whodunit.bench.database import postgres
from whodunit.bench.report import Bar
from whodunit.bench.server_load import (
    Move,
    Plan,
    Result,
    Seat,
    Send,
    Server,
    Table,
    Wait,
    compiled,
    free_port,
    load,
    serving,
)
from whodunit.bench.server_script import SEATS, Step, scripts, table_id

TABLES = 100
GAMES = 3
"""How many games each table has ready: one after another, so that none becomes longer than games are."""
LENGTH = 150
DEALS = 25
QUESTIONS = 2000

BARS = [Bar("vs_boardgame_io", ">=", 3.0), Bar("answer_timing_auc", "<=", 0.55)]
PARTS: dict[str, Sequence[Bar]] = {
    "load": BARS,
    "nodes": [
        Bar("two_node_games", ">=", server_nodes.BENCH_GAMES),
        Bar("two_node_faults", "<=", 0),
        Bar("two_nodes_vs_one", ">=", 0.7),
    ],
    "kill": [Bar("kills", ">=", server_nodes.BENCH_KILLS), Bar("lost_after_kill", "<=", 0)],
}
"""What can be run by itself, and what each has to clear."""

LABELS = {
    "durable_moves_per_s": "moves/s, SQLite synchronous=FULL",
    "memory_moves_per_s": "moves/s, in memory",
    "echo_per_s": "echoes/s, bare stack",
    "fanout_per_s": "fan-outs/s (1 in, 4 x 600 B out), bare stack",
    "boardgame_io_moves_per_s": "moves/s, boardgame.io in memory",
    "vs_echo": "durable moves : echoes",
    "vs_fanout": "durable moves : fan-outs",
    "vs_memory": "durable moves : in memory",
    "vs_boardgame_io": "in memory : boardgame.io in memory",
    "vs_boardgame_io_cpu": "the same by CPU time a move",
    "us_per_move": "server CPU us a move, durable",
    "memory_us_per_move": "server CPU us a move, in memory",
    "boardgame_io_us_per_move": "server CPU us a move, boardgame.io",
    "answer_timing_auc": "best classifier on answers' delays, AUC",
    "one_node_moves_per_s": "moves/s, one node on PostgreSQL",
    "two_nodes_moves_per_s": "moves/s, two nodes, every table's seats on both",
    "two_nodes_vs_one": "two nodes : one, all on the same cores",
    "two_node_games": "games on two nodes, moves racing, nodes killed",
    "two_node_faults": "of these: moves lost or doubled, views apart, tables stuck",
    "kills": "kills -9 under load, SQLite and PostgreSQL",
    "lost_after_kill": "acknowledged moves lost, tables damaged or stuck",
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench server", description=__doc__)
    parser.add_argument("--passes", type=int, default=3, help="how often each server has its turn (default: 3)")
    parser.add_argument("--seconds", type=float, default=2, help="how long each turn is measured (default: 2)")
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part alone (repeatable)")
    parser.add_argument("--no-peer", action="store_true", help="leave boardgame.io out")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    parts = args.only or [*PARTS]
    figures: dict[str, float] = {}
    details: list[str] = []
    for part in parts:
        {"load": _load, "nodes": _nodes, "kill": _kill}[part](args, figures, details)
    bars = [bar for part in parts for bar in PARTS[part]]
    return report.finish(args, figures, bars, LABELS, "\n\n".join(details))


def _nodes(args: argparse.Namespace, figures: dict[str, float], details: list[str]) -> None:
    with TemporaryDirectory(prefix="whodunit-nodes-") as name:
        bench = Bench(Path(name), args.seconds)
        passes = list(measured(bench.node_turns(), args.passes))
    figures |= {
        "one_node_moves_per_s": median(each["one"].per_second for each in passes),
        "two_nodes_moves_per_s": median(each["two"].per_second for each in passes),
        "two_nodes_vs_one": median(each["two"].per_second / each["one"].per_second for each in passes),
    }
    details.append(table(passes))
    report.progress(f"{server_nodes.BENCH_GAMES} games on two nodes ...")
    done = server_nodes.play(server_nodes.BENCH_GAMES, server_nodes.BENCH_FALLS, durable=True)
    figures |= {"two_node_games": done.ended, "two_node_faults": len(done.faults)}
    details.append("\n".join([f"{done.moves:,} moves, {done.kills} nodes killed", *done.faults[:20]]))


def _kill(_: argparse.Namespace, figures: dict[str, float], details: list[str]) -> None:
    with TemporaryDirectory(prefix="whodunit-kill-") as name, postgres() as database:
        half = server_nodes.BENCH_KILLS // 2
        report.progress(f"{half} kills on SQLite, {half} on PostgreSQL ...")
        ends = [
            server_nodes.kill(str(Path(name, "whodunit.sqlite")), half, 1.5),
            server_nodes.kill(database, half, 3.0),
        ]
    faults = [fault for done in ends for fault in done.faults]
    figures |= {"kills": sum(done.kills for done in ends), "lost_after_kill": len(faults)}
    played = ", ".join(f"{done.games} games with {done.moves:,} moves" for done in ends)
    details.append("\n".join([f"SQLite, PostgreSQL: {played}", *faults[:20]]))


def _load(args: argparse.Namespace, figures: dict[str, float], details: list[str]) -> None:
    report.progress(f"timing of {QUESTIONS} answers ...")
    delays = server_timing.measured(QUESTIONS)
    with TemporaryDirectory(prefix="whodunit-server-") as name:
        bench = Bench(Path(name), args.seconds)
        turns = bench.turns() | ({} if args.no_peer else _peer_turn(bench))
        passes = list(measured(turns, args.passes))
    figures |= summed_up(passes) | {"answer_timing_auc": server_timing.worst(delays)}
    details.append("answers: " + ", ".join(f"{kind} {len(each)}" for kind, each in delays.items()))
    details.append(table(passes))


Pass = Mapping[str, Result]
"""What each server did when it had its turn, by name."""


def measured(turns: "Mapping[str, Callable[[], Result]]", passes: int) -> Iterator[Pass]:
    """Give each server its turn in each pass: what slows the machine down for a while slows all of them."""
    for number in range(1, passes + 1):
        report.progress(f"pass {number} of {passes}: {', '.join(turns)} ...")
        yield {name: turn() for name, turn in turns.items()}


def summed_up(passes: Sequence[Pass]) -> dict[str, float]:
    """Return medians over the passes; servers are compared within a pass only."""

    def middle(name: str, of: Callable[[Result], float]) -> float:
        return median(of(each[name]) for each in passes)

    def ratio(one: str, other: str) -> float:
        return median(each[one].per_second / each[other].per_second for each in passes)

    figures = {
        "durable_moves_per_s": middle("durable", lambda result: result.per_second),
        "memory_moves_per_s": middle("memory", lambda result: result.per_second),
        "echo_per_s": middle("echo", lambda result: result.per_second),
        "fanout_per_s": middle("fanout", lambda result: result.per_second),
        "vs_echo": ratio("durable", "echo"),
        "vs_fanout": ratio("durable", "fanout"),
        "vs_memory": ratio("durable", "memory"),
        "us_per_move": middle("durable", lambda result: result.us_per_move),
        "memory_us_per_move": middle("memory", lambda result: result.us_per_move),
        "durable_p50_ms": middle("durable", lambda result: result.p50_ms),
        "durable_p99_ms": middle("durable", lambda result: result.p99_ms),
        "memory_p50_ms": middle("memory", lambda result: result.p50_ms),
        "memory_p99_ms": middle("memory", lambda result: result.p99_ms),
    }
    if all("boardgame_io" in each for each in passes):
        figures |= {
            "boardgame_io_moves_per_s": middle("boardgame_io", lambda result: result.per_second),
            "vs_boardgame_io": ratio("memory", "boardgame_io"),
            "boardgame_io_us_per_move": middle("boardgame_io", lambda result: result.us_per_move),
            # The same by CPU time: on a machine that others use as well, moves/s also tell how much of a core was left.
            "vs_boardgame_io_cpu": median(
                each["boardgame_io"].us_per_move / each["memory"].us_per_move for each in passes
            ),
        }
    return figures


def table(passes: Sequence[Pass]) -> str:
    """Lay every turn out, so that whoever reads sees how much they differ."""
    head = ("pass", "server", "moves/s", "us CPU a move", "core", "p50 ms", "p99 ms", "bytes a frame")
    rows = [
        (
            str(number),
            name,
            f"{result.per_second:,.0f}",
            f"{result.us_per_move:,.0f}",
            f"{result.cpu_seconds / result.seconds:.0%}",
            f"{result.p50_ms:.1f}",
            f"{result.p99_ms:.1f}",
            f"{result.bytes_per_frame:,.0f}",
        )
        for number, each in enumerate(passes, 1)
        for name, result in each.items()
    ]
    return report.columns([head, *rows], right=range(2, len(head)))


# --- Whose turn it is ----------------------------------------------------------------------------------------------


class Bench:
    """What all turns share: the generator, the scripts, a folder that goes when all is done."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self.generator = compiled(folder)
        report.progress(f"playing {DEALS} games beforehand ...")
        self.scripts = scripts(DEALS, LENGTH)

    def turns(self) -> "dict[str, Callable[[], Result]]":
        """Return the turns of everything that runs on our own stack."""
        echo = Plan([Table([Seat("/echo")], [Move(0, 0, "x" * server_bare.ECHO_BYTES)])] * (TABLES * SEATS), cycle=True)
        return {
            "echo": partial(self._turn, partial(_bare, "echo"), lambda _: echo),
            "fanout": partial(self._turn, partial(_bare, "fanout"), lambda _: fanout_plan()),
            "memory": partial(self._turn, partial(_staged, None), self._plan),
            "durable": partial(self._turn, partial(_staged, self.folder), self._plan),
        }

    def node_turns(self) -> "dict[str, Callable[[], Result]]":
        """Return the turns of one node and of two on a PostgreSQL of their own, all on whatever cores there are."""
        return {"one": partial(self._node_turn, 1), "two": partial(self._node_turn, 2)}

    def _node_turn(self, number: int) -> Result:
        with TemporaryDirectory(dir=self.folder) as name, postgres() as database, ExitStack() as stack:
            nodes = [stack.enter_context(_node(database, TABLES if first else 0)) for first in (True, False)[:number]]
            plan = site_plan(nodes[0].told["cookies"], self.scripts, [node.port for node in nodes])
            return load(self.generator, plan, nodes[0], self.seconds, Path(name))

    def peer(self, home: Path) -> "Callable[[], Result]":
        """Return the turn of boardgame.io."""
        plan = server_peer.plan(home, TABLES, SEATS, GAMES * LENGTH)

        def started(port: int) -> AbstractContextManager[Server]:
            return serving(server_peer.command(home, port), port, server_peer.ENVIRONMENT)

        return partial(self._turn, started, lambda _: plan)

    def _plan(self, server: Server) -> Plan:
        return site_plan(server.told["cookies"], self.scripts)

    def _turn(
        self, started: "Callable[[int], AbstractContextManager[Server]]", plan: "Callable[[Server], Plan]"
    ) -> Result:
        with TemporaryDirectory(dir=self.folder) as name, started(free_port()) as server:
            return load(self.generator, plan(server), server, self.seconds, Path(name))


def _peer_turn(bench: Bench) -> "dict[str, Callable[[], Result]]":
    try:
        return {"boardgame_io": bench.peer(server_peer.installed())}
    except server_peer.NoPeer as reason:
        report.progress(f"without boardgame.io: {reason}")
        return {}


def _bare(kind: str, port: int) -> AbstractContextManager[Server]:
    return serving([sys.executable, "-m", "whodunit.bench.server_bare", kind, str(port)], port)


def _staged(folder: Path | None, port: int) -> AbstractContextManager[Server]:
    # By name: the server is above the benchmarks, and knows them.
    store = "memory" if folder is None else str(folder / f"{port}.sqlite")
    numbers = map(str, (port, TABLES, GAMES, DEALS))
    return serving([sys.executable, "-m", "whodunit.server.stage", store, *numbers], port)


def _node(database: str, groups: int) -> AbstractContextManager[Server]:
    port = free_port()
    numbers = map(str, (port, groups, GAMES, DEALS))
    return serving([sys.executable, "-m", "whodunit.server.stage", database, *numbers], port, pinned=False)


def fanout_plan() -> Plan:
    """Return the load of bare fan-out: one of four sends, the four are told, the next one sends."""
    moves = [Move(0, seat, "x" * server_bare.ECHO_BYTES) for seat in range(SEATS)]
    return Plan([Table([Seat(f"/{table}")] * SEATS, moves) for table in range(TABLES)], cycle=True)


def site_plan(
    cookies: Sequence[Sequence[str]], played: Sequence[Sequence[Step]], ports: Sequence[int | None] = (None,)
) -> Plan:
    """Return the load of the site: each group of people watches its tables and plays one after another.

    Where there are several nodes, the seats of each table sit at them by turns.
    """
    tables = []
    for group, four in enumerate(cookies):
        numbers = range(GAMES * group, GAMES * (group + 1))
        watch = [Send(f'{{"type":"watch_table","n":{number},"table":"{table_id(number)}"}}') for number in numbers]
        seats = [
            Seat("/ws", f"whodunit={cookie}", [Wait(), *watch], ports[place % len(ports)])
            for place, cookie in enumerate(four)
        ]
        moves = [
            Move(step.last, step.seat, act(number, step)) for number in numbers for step in played[number % len(played)]
        ]
        tables.append(Table(seats, moves))
    return Plan(tables, how="last", marker='"seq":', refusal='"type":"refused"')


def act(number: int, step: Step) -> str:
    """Return the frame with which a seat moves; none where the house does."""
    if step.seat < 0:
        return ""
    action = step.action.decode()
    return f'{{"type":"act","n":{step.last},"table":"{table_id(number)}","since":{step.since},"action":{action}}}'
