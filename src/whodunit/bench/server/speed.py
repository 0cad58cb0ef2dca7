"""How many moves a second: a hundred tables of Clue and Perfect Alibi, durable, beside the stack bare and the peers.

Every pass gives each server its turn, on a core of its own; the load generator has another. A turn is so many moves of
each table, whatever time they take: frames grow with the game, and whoever came less far would have it easier. A move
is a stored batch that all four seats have been told of; a seat moves as soon as they have been. Answers come from the
house at once, as they do without pauses: the scripts know them, and `house_share` says how many of our moves they are.
Latency is from the sending of a move to the last seat's frame.
"""

import argparse
import platform
import sqlite3
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from whodunit.bench import report
from whodunit.bench.report import Bar, spread
from whodunit.bench.server import bare, peers, timing
from whodunit.bench.server.load import (
    ALONG,
    LoadTable,
    Move,
    Moves,
    Plan,
    Result,
    Seat,
    Send,
    Server,
    Wait,
    compiled,
    free_port,
    load,
    serving,
)
from whodunit.bench.server.script import CLUE, MIXED, SEATS, ScriptedMove, Staging, game_of, scripts, table_id

TABLES = 100
GAMES = 3
LENGTH = 150
QUESTIONS = 2000
WARM = 20
MEASURED = 130
"""So many moves each table makes: most of a game, which is as long as the scripts'."""
PASSES = 8
BESIDE = "beside"
"""Our server as it is in another tree."""

BARS = [
    Bar("vs_boardgame_io", ">=", 4.5),
    Bar("vs_colyseus", ">=", 1.0),
    Bar("vs_colyseus_durable_equal", ">=", 1.2),
    Bar("answer_timing_auc", "<=", 0.55),
    Bar("passes", ">=", PASSES),
]
BESIDE_BARS = [Bar("us_per_move_vs_beside", ">=", 1.5)]
LABELS = {
    "durable_moves_per_s": "moves/s, SQLite synchronous=FULL",
    "memory_moves_per_s": "moves/s, in memory",
    "echo_per_s": "echoes/s, bare stack",
    "fanout_per_s": "fan-outs/s (1 in, 4 x 600 B out), bare stack",
    "boardgame_io_moves_per_s": "moves/s, boardgame.io in memory",
    "colyseus_moves_per_s": "moves/s, Colyseus in memory",
    "colyseus_durable_moves_per_s": "moves/s, Colyseus, node:sqlite synchronous=FULL",
    "colyseus_durable_equal_moves_per_s": "the same, telling what our frames tell",
    "vs_echo": "durable moves : echoes",
    "vs_fanout": "durable moves : fan-outs",
    "vs_memory": "durable moves : in memory",
    "vs_boardgame_io": "durable moves : boardgame.io in memory",
    "vs_boardgame_io_cpu": "the same by CPU time a move",
    "vs_colyseus": "durable moves : Colyseus in memory",
    "vs_colyseus_cpu": "the same by CPU time a move",
    "vs_colyseus_durable": "durable moves : Colyseus durable",
    "vs_colyseus_durable_cpu": "the same by CPU time a move",
    "vs_colyseus_durable_equal": "durable moves : Colyseus durable, telling what our frames tell",
    "vs_colyseus_durable_equal_cpu": "the same by CPU time a move",
    "us_per_move": "server CPU us a move, durable",
    "us_per_move_beside": "server CPU us a move, durable, the other tree",
    "us_per_move_vs_beside": "the other tree's CPU time a move : ours",
    "memory_us_per_move": "server CPU us a move, in memory",
    "boardgame_io_us_per_move": "server CPU us a move, boardgame.io",
    "colyseus_us_per_move": "server CPU us a move, Colyseus",
    "colyseus_durable_us_per_move": "server CPU us a move, Colyseus durable",
    "colyseus_durable_equal_us_per_move": "server CPU us a move, Colyseus durable, telling what our frames tell",
    "house_share": "share of our moves that are the house's answers",
    "passes": "how often each server had its turn",
    "python": "version of our server's Python",
    "answer_timing_auc": "best classifier on answers' delays, AUC",
}


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure, fill the figures in, and return every turn."""
    report.progress(f"timing of {QUESTIONS} answers ...")
    delays = timing.measured(QUESTIONS)
    with TemporaryDirectory(prefix="whodunit-server-") as name:
        bench = Bench(Path(name), args.moves)
        turns = bench.turns() | ({} if args.no_peer else bench.peer_turns())
        if args.beside:
            turns |= bench.beside(args.beside)
        passes = list(measured(turns, args.passes))
    figures |= summed_up(passes) | {"answer_timing_auc": timing.worst(delays), "python": python_version()}
    answers = ", ".join(f"{kind} {len(each)}" for kind, each in delays.items())
    return f"{interpreters()}\nanswers: {answers}\n\n{table(passes)}"


CLUE_BARS = [Bar("clue_vs_boardgame_io", ">=", 3.0)]
CLUE_LABELS = {
    "clue_moves_per_s": "moves/s of Clue alone, in memory",
    "clue_durable_moves_per_s": "moves/s of Clue alone, SQLite synchronous=FULL",
    "clue_vs_boardgame_io": "the first : boardgame.io in memory",
    "clue_durable_vs_boardgame_io": "the second : boardgame.io in memory",
}


def run_clue(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure tables of Clue alone, where peer and house both forget everything, and fill the figures in."""
    with TemporaryDirectory(prefix="whodunit-clue-") as name:
        bench = Bench(Path(name), args.moves, CLUE)
        turns = bench.turns() | ({} if args.no_peer else bench.peer_turns())
        wanted = ("memory", "durable", "boardgame_io")
        passes = list(measured({name: turn for name, turn in turns.items() if name in wanted}, args.passes))
    for key, ours in (("clue", "memory"), ("clue_durable", "durable")):
        figures[f"{key}_moves_per_s"] = median(each[ours].per_second for each in passes)
        if "boardgame_io" in passes[0]:
            ratios = [each[ours].per_second / each["boardgame_io"].per_second for each in passes]
            figures |= spread(f"{key}_vs_boardgame_io", ratios)
    return f"{interpreters()}\n\n{table(passes)}"


Pass = Mapping[str, Result]
"""What each server did when it had its turn, by name."""


def measured(turns: "Mapping[str, Callable[[], Result]]", passes: int) -> Iterator[Pass]:
    """Give each server its turn in each pass: what slows the machine down for a while slows all of them.

    Every other pass goes backwards, so that nobody always comes after the same other one.
    """
    for number in range(1, passes + 1):
        order = [*turns] if number % 2 else [*turns][::-1]
        report.progress(f"pass {number} of {passes}: {', '.join(order)} ...")
        done = {name: turns[name]() for name in order}
        yield {name: done[name] for name in turns}


def summed_up(passes: Sequence[Pass]) -> dict[str, float]:
    """Return medians over the passes, and between which bounds what is compared was; pairs are of one pass only."""

    def middle(name: str, of: Callable[[Result], float]) -> float:
        return median(of(each[name]) for each in passes)

    def ratio(one: str, other: str) -> float:
        return median(each[one].per_second / each[other].per_second for each in passes)

    def quicker(than: str) -> list[float]:
        return [each["durable"].per_second / each[than].per_second for each in passes]

    def cheaper(than: str) -> list[float]:
        return [each[than].us_per_move / each["durable"].us_per_move for each in passes]

    figures = {
        "durable_moves_per_s": middle("durable", lambda result: result.per_second),
        "memory_moves_per_s": middle("memory", lambda result: result.per_second),
        "echo_per_s": middle("echo", lambda result: result.per_second),
        "fanout_per_s": middle("fanout", lambda result: result.per_second),
        "vs_echo": ratio("durable", "echo"),
        "vs_fanout": ratio("durable", "fanout"),
        "vs_memory": ratio("durable", "memory"),
        **spread("us_per_move", [each["durable"].us_per_move for each in passes]),
        "memory_us_per_move": middle("memory", lambda result: result.us_per_move),
        "durable_p50_ms": middle("durable", lambda result: result.p50_ms),
        "durable_p99_ms": middle("durable", lambda result: result.p99_ms),
        "memory_p50_ms": middle("memory", lambda result: result.p50_ms),
        "memory_p99_ms": middle("memory", lambda result: result.p99_ms),
        "house_share": middle("durable", lambda result: 1 - result.asked / result.moves),
        "passes": len(passes),
    }
    for peer in peers.PEERS:
        if any(peer not in each for each in passes):
            continue
        figures |= {
            f"{peer}_moves_per_s": middle(peer, lambda result: result.per_second),
            f"{peer}_us_per_move": middle(peer, lambda result: result.us_per_move),
            **spread(f"vs_{peer}", quicker(peer)),
            # By CPU time: on a machine that others use as well, moves/s also tell how much of a core was left.
            **spread(f"vs_{peer}_cpu", cheaper(peer)),
        }
    if all(BESIDE in each for each in passes):
        figures |= spread("us_per_move_beside", [each[BESIDE].us_per_move for each in passes])
        figures |= spread("us_per_move_vs_beside", cheaper(BESIDE))
    return figures


def python_version() -> float:
    """Return which Python this is as a number: 3.11 for every patch of it."""
    return float(f"{sys.version_info.major}.{sys.version_info.minor}")


def interpreters() -> str:
    """Say what runs the servers: how an interpreter was built is a tenth of what a move costs."""
    settings = str(sysconfig.get_config_var("CONFIG_ARGS"))
    built = "optimised" if "--enable-optimizations" in settings else "not optimised"
    ours = f"{platform.python_implementation()} {platform.python_version()} ({built}, {platform.python_compiler()})"
    return f"interpreter: {ours}, SQLite {sqlite3.sqlite_version}; peers: {peers.versions()}"


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

    def __init__(
        self, folder: Path, moves: int = MEASURED, deals: Sequence[int] = MIXED, length: int | None = None
    ) -> None:
        self.folder = folder
        self.length = Moves(moves, WARM)
        self.generator = compiled(folder)
        self.deals = tuple(deals)
        report.progress(f"playing {len(deals)} games beforehand ...")
        self.scripts = list(scripts(deals, length or LENGTH).values())

    def turns(self) -> "dict[str, Callable[[], Result]]":
        """Return the turns of everything that runs on our own stack."""
        echo = Plan([LoadTable([Seat("/echo")], [Move(0, 0, "x" * bare.ECHO_BYTES)])] * (TABLES * SEATS), cycle=True)
        return {
            "echo": partial(self._turn, partial(_bare, "echo"), lambda _: echo),
            "fanout": partial(self._turn, partial(_bare, "fanout"), lambda _: fanout_plan()),
            "memory": partial(self._turn, partial(self._staged, "memory"), self._plan),
            "durable": partial(self._turn, partial(self._staged, str(self.folder / "durable")), self._plan),
        }

    def peer_turns(self) -> "dict[str, Callable[[], Result]]":
        """Return the turns of the peers that can be had here."""
        turns: dict[str, Callable[[], Result]] = {}
        games = [game_of(self.deals[number % len(self.deals)]) for number in range(TABLES)]
        for name in peers.PEERS:
            try:
                peer = peers.Peer(name, peers.installed(name))
            except peers.NoPeer as reason:
                report.progress(f"without {name}: {reason}")
                continue
            started = partial(peer.serving, games, self.folder)
            turns[name] = partial(self._turn, started, peer.plan(games, SEATS, GAMES * LENGTH))
        return turns

    def beside(self, tree: Path) -> "dict[str, Callable[[], Result]]":
        """Return the turn of our server as it is in another tree, run by that tree's interpreter."""
        python = tree.resolve() / ".venv" / "bin" / "python"
        started = partial(self._staged, str(self.folder / BESIDE), python=str(python))
        return {BESIDE: partial(self._turn, started, self._plan)}

    def _staged(self, store: str, port: int, python: str = sys.executable) -> AbstractContextManager[Server]:
        where = store if store == "memory" else f"{store}-{port}.sqlite"
        return staged(Staging(where, port, groups=TABLES, games=GAMES, deals=self.deals), python=python)

    def _plan(self, server: Server) -> Plan:
        return site_plan(server.told["cookies"], self.scripts)

    def _turn(
        self, started: "Callable[[int], AbstractContextManager[Server]]", plan: "Callable[[Server], Plan]"
    ) -> Result:
        with TemporaryDirectory(dir=self.folder) as name, started(free_port()) as server:
            return load(self.generator, plan(server), server, self.length, Path(name))


def _bare(kind: str, port: int) -> AbstractContextManager[Server]:
    return serving([sys.executable, "-m", "whodunit.bench.server.bare", kind, str(port)], port)


def staged(
    staging: Staging, *, pinned: bool = True, log: Path | None = None, python: str = sys.executable
) -> AbstractContextManager[Server]:
    """Run the site with its tables laid."""
    command = [python, "-m", "whodunit.bench.server.stage", msgspec.json.encode(staging).decode()]
    return serving(command, staging.port, pinned=pinned, log=log)


def fanout_plan() -> Plan:
    """Return the load of bare fan-out: one of four sends, the four are told, the next one sends."""
    moves = [Move(0, seat, "x" * bare.ECHO_BYTES) for seat in range(SEATS)]
    return Plan([LoadTable([Seat(f"/{table}")] * SEATS, moves) for table in range(TABLES)], cycle=True)


def site_plan(
    cookies: Sequence[Sequence[str]],
    played: Sequence[Sequence[ScriptedMove]],
    ports: Sequence[int | None] = (None,),
    games: int = GAMES,
    assisted: int = 0,
) -> Plan:
    """Return the load of the site: each group of people watches its tables and plays one after another.

    Where there are several nodes, the seats of each table sit at them by turns. At the first tables, as many as are
    assisted, every seat asks for its notes too.
    """
    tables = []
    for group, four in enumerate(cookies):
        numbers = range(games * group, games * (group + 1))
        watch = [Send(watching(table_id(number), number)) for number in numbers]
        seats = [
            Seat("/ws", f"whodunit={cookie}", [Wait(), *watch], ports[place % len(ports)])
            for place, cookie in enumerate(four)
        ]
        moves = [
            Move(step.last, step.seat, act(number, step)) for number in numbers for step in played[number % len(played)]
        ]
        along = f'{{"type":"notes","n":{ALONG},"table":"{table_id(numbers[0])}"}}' if group < assisted else ""
        tables.append(LoadTable(seats, moves, along))
    return Plan(tables, how="last", marker='"seq":', refusal='"type":"refused"')


def watching(table: str, number: int = 1) -> str:
    """Return the frame with which a page watches a table."""
    return f'{{"type":"watch_table","n":{number},"table":"{table}"}}'


def act(number: int, step: ScriptedMove) -> str:
    """Return the frame with which a seat moves; none where the house does."""
    if step.seat < 0:
        return ""
    action = step.action.decode()
    return f'{{"type":"act","n":{step.last},"table":"{table_id(number)}","since":{step.since},"action":{action}}}'
