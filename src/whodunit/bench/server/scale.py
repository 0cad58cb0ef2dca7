"""What the server costs as it grows: a connection, a table, two thousand idle sockets, a thousand tables, a long game;
and how soon a move is told at a given pace, alone and while bots think and pages show probabilities.

Memory is what the process has in use (RSS) with some of the same thing and with hundreds more: whatever the allocator
keeps for itself is counted in. Where two costs are compared, both are CPU time a move at the same pace.
"""

import argparse
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from whodunit import arena
from whodunit.bench import report
from whodunit.bench.report import Bar, spread
from whodunit.bench.server import speed
from whodunit.bench.server.load import LoadTable, Plan, Result, Seat, Send, Server, Wait, free_port, load, resident_kb
from whodunit.bench.server.script import (
    CLUE,
    MIXED,
    SEATS,
    BotTable,
    ScriptedMove,
    Staging,
    ages,
    closed_id,
    parted,
    scripts,
    table_id,
)
from whodunit.bench.server.speed import Bench, site_plan, staged, watching
from whodunit.core.rng import Stream
from whodunit.core.wire import blobs_of
from whodunit.server.reviewing import AT_A_TIME

PACE = 300
"""Moves a second that people make; the house's answers come on top."""
LATENCY_S = 5.0
BOTS = 20
REVIEWED = 20
ASSISTED = 20
SOME, CROWD = 100, 500
"""So many tables of four sockets are weighed: the difference counts, as something is loaded but once."""
PAST = 130
"""How many moves a table is old when it is weighed: more than 150 events of Clue."""
EVENTS = 150
IDLE_S = 52.0
"""A little more than two heartbeats."""
FEW, MANY = 10, 1000
EARLY, LATE = 0, 150
"""How many moves a game is old at the beginning, and when it is long: few games of Clue are longer.

Few tables are compared with many at every age between: in the same time few go through whole games, and each of many
makes a move or two, so all of one age would compare one kind of move with all kinds.
"""
SHORT_S = 3.0
FORGOTTEN_S = 90.0
"""A table that nobody is connected to must be forgotten by then."""
AROSA_TURNS = 40
FALLING = {"tower": "physics"}  # otherwise bots among themselves play on tables

BARS = [
    Bar("p99_ms_at_300", "<=", 20.0),
    Bar("p99_ms_with_bots", "<=", 40.0),
    Bar("kb_per_connection", "<=", 25.0),
    Bar("kb_per_table", "<=", 25.0),
    Bar("tables_kept_for_nobody", "<=", 0),
    Bar("core_share_2000_sockets", "<=", 0.1),
    Bar("cost_1000_vs_10_tables", "<=", 1.3),
    Bar("cost_late_vs_early_game", "<=", 1.2),
]
LABELS = {
    "p50_ms_at_300": "ms to the last seat at 300 moves/s, half of them",
    "p99_ms_at_300": "ms to the last seat at 300 moves/s, 99 of 100",
    "p99_ms_with_bots": "the same while 20 tables of detectives play and 20 show probabilities",
    "kb_per_connection": "kB a connection",
    "kb_per_table": "kB a table of Clue after its 150th event, four seats looking on",
    "tables_kept_for_nobody": "tables in memory when everybody has gone",
    "core_share_2000_sockets": "share of a core for 2,000 sockets with a heartbeat",
    "cost_1000_vs_10_tables": "CPU a move at 1,000 tables : at 10",
    "cost_late_vs_early_game": "CPU a move late in a game : at its beginning",
    "arosa_turns_per_s": "Arosa: turns/s on the physics, one core",
}


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure, fill the figures in, and return what they come from."""
    with TemporaryDirectory(prefix="whodunit-scale-") as name:
        scale = Scale(Path(name))
        details = [
            scale.latencies(figures),
            scale.with_bots(figures),
            scale.costs(figures, args.passes),
            scale.weights(figures),
            scale.idle(figures),
        ]
    figures["arosa_turns_per_s"] = arosa_turns_per_s(AROSA_TURNS)
    return "\n".join(details)


REVIEW_BARS = [Bar("p99_ms_with_reviews", "<=", 20.0)]
REVIEW_LABELS = {
    "p99_ms_with_reviews": "ms to the last seat at 300 moves/s, 99 of 100, while 20 reviews of Clue are made",
    "reviews_read_on": "times that reviews were read on meanwhile",
}


def run_reviews(_: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure how soon moves are told while closed cases are reviewed, and fill the figures in."""
    with TemporaryDirectory(prefix="whodunit-reviews-") as name:
        return Scale(Path(name)).with_reviews(figures)


class Scale:
    """Servers with more and more of something."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bench = Bench(folder, length=LATE + 250)

    # --- How soon ---

    def latencies(self, figures: dict[str, float]) -> str:
        """Play at a pace that a busy evening may have."""
        report.progress(f"{PACE} moves a second ...")
        with self._site(speed.TABLES, games=speed.GAMES) as server:
            found = self._load(server, self._bench.scripts, LATENCY_S, games=speed.GAMES)
        figures |= {"p50_ms_at_300": found.p50_ms, "p99_ms_at_300": found.p99_ms}
        return f"{PACE} moves/s: {told(found)}"

    def with_bots(self, figures: dict[str, float]) -> str:
        """Play at that pace while others think, on all cores: thinking has processes of its own."""
        report.progress(f"the same, with {BOTS} tables of detectives and {ASSISTED} that show probabilities ...")
        groups = speed.TABLES
        bots = [BotTable(f"bots{number}", number) for number in range(BOTS)]
        with self._site(groups, assisted=ASSISTED, bots=bots, pinned=False) as server:
            cookies: list[list[str]] = server.told["cookies"]
            plan = site_plan(cookies, self._bench.scripts, games=1, assisted=ASSISTED)
            crowd = [LoadTable([_watcher(cookies[each.group][0], each.table)]) for each in bots]
            plan = Plan([*plan.tables, *crowd], plan.how, plan.marker, plan.refusal)
            before = metric(server, "whodunit_thoughts_total")
            found = self._load_plan(server, plan, LATENCY_S, PACE * len(plan.tables) / groups)
            thoughts = metric(server, "whodunit_thoughts_total") - before - found.along
        figures["p99_ms_with_bots"] = found.p99_ms
        if not found.along or thoughts <= 0:
            raise RuntimeError(f"nobody thought meanwhile: {thoughts} moves of bots, {found.along} sheets")
        return (
            f"with bots: {told(found)}; meanwhile {thoughts:,.0f} thoughts of bots and {found.along:,} sheets of notes"
        )

    def with_reviews(self, figures: dict[str, float]) -> str:
        """Play at that pace while closed cases are reviewed: they have a process of their own."""
        report.progress(f"{PACE} moves a second, while {REVIEWED} cases are reviewed ...")
        groups = speed.TABLES
        with self._site(groups, closed=REVIEWED, played_out=PAST, pinned=False) as server:
            cookies: list[list[str]] = server.told["cookies"]
            plan = site_plan(cookies, self._bench.scripts, games=1)
            crowd = [LoadTable([_reader(cookies[number][0], closed_id(number))]) for number in range(REVIEWED)]
            plan = Plan([*plan.tables, *crowd], plan.how, plan.marker, plan.refusal)
            self._load_plan(server, Plan(crowd[:1]), SHORT_S, 0)  # the process is there: to start one is another matter
            before = metric(server, "whodunit_thoughts_total")
            found = self._load_plan(server, plan, LATENCY_S, PACE * len(plan.tables) / groups)
            read = metric(server, "whodunit_thoughts_total") - before
        figures |= {"p99_ms_with_reviews": found.p99_ms, "reviews_read_on": read}
        if not 0 < read < REVIEWED * SEATS * PAST / AT_A_TIME:  # so many steps are the least that all of them take
            raise RuntimeError(f"reviews were not made all the time: {read:.0f} steps")
        return f"with {REVIEWED} reviews: {told(found)}; meanwhile they were read on {read:,.0f} times"

    # --- What a move costs ---

    def costs(self, figures: dict[str, float], passes: int) -> str:
        """Compare few tables with many, and the beginning of a game with its end."""
        report.progress(f"{FEW} and {MANY} tables, early and late, {passes} times ...")
        few, many, early, late = ([] for _ in range(4))
        for _ in range(passes):
            few.append(self._cost(FEW, LATE, spread=True))
            many.append(self._cost(MANY, LATE, spread=True))
            early.append(self._cost(speed.TABLES, EARLY))
            late.append(self._cost(speed.TABLES, LATE))
        figures |= {
            **spread("cost_1000_vs_10_tables", [*map(_ratio, many, few)]),
            **spread("cost_late_vs_early_game", [*map(_ratio, late, early)]),
        }
        turns = {f"{FEW} tables": few, f"{MANY} tables": many, "early": early, "late": late}
        return "\n".join(
            f"{name}: {', '.join(f'{each.us_per_move:,.0f}' for each in found)} us a move, {told(found[-1])}"
            for name, found in turns.items()
        )

    def _cost(self, groups: int, past: int, *, spread: bool = False) -> Result:
        played = self._bench.scripts
        rest = [
            parted(played[number % len(played)], age)[1] for number, age in enumerate(ages(groups, past, spread=spread))
        ]
        with self._site(groups, played=past, spread=spread) as server:
            return self._load(server, rest, SHORT_S)

    # --- What something weighs ---

    def weights(self, figures: dict[str, float]) -> str:
        """Weigh connections, then tables with a past, and see that the tables are forgotten when everybody has gone."""
        report.progress(f"memory of {CROWD * SEATS:,} connections and {CROWD} tables ...")
        self._check_past()
        store = str(self._folder / "weights.sqlite")
        with self._site(CROWD, store=store, deals=CLUE, played=PAST) as server:
            cookies: list[list[str]] = server.told["cookies"]
        idle = [LoadTable([_watcher(cookie) for cookie in four]) for four in cookies]
        busy = [LoadTable([_watcher(each, table_id(n)) for each in four]) for n, four in enumerate(cookies)]
        sizes, kept = {}, 0.0
        for name, crowd in {"some": idle[:SOME], "all": idle, "some look": busy[:SOME], "all look": busy}.items():
            # Each in a process that has done nothing else: what was freed before would be taken again unseen.
            with self._site(0, store=store) as server:
                sizes[name] = self._weighed(server, Plan(crowd))
                kept = self._kept(server) if name == "all look" else 0
        more = CROWD - SOME
        connection = (sizes["all"] - sizes["some"]) / (more * SEATS)
        figures |= {
            "kb_per_connection": connection,
            "kb_per_table": (sizes["all look"] - sizes["some look"]) / more - SEATS * connection,
            "tables_kept_for_nobody": kept,
        }
        told = ", ".join(f"{name} {kb / 1024:.1f}" for name, kb in sizes.items())
        return f"MB with {SOME * SEATS} and {CROWD * SEATS:,} sockets, without and with tables: {told}"

    def _check_past(self) -> None:
        pasts = scripts(CLUE, PAST)
        if min(steps[-1].last for steps in pasts.values()) < EVENTS:
            raise RuntimeError(f"{PAST} moves are not always {EVENTS} events")

    def _weighed(self, server: Server, plan: Plan) -> int:
        seen: list[int] = []
        self._load_plan(server, plan, 0.1, 0, met=lambda: seen.append(resident_kb(server.process.pid)))
        return seen[0]

    def _kept(self, server: Server) -> float:
        def tables() -> float:
            return sum(metric(server, f'whodunit_tables{{stage="{stage}"}}') for stage in ("gathering", "playing"))

        _await(lambda: not tables())
        return tables()

    def idle(self, figures: dict[str, float]) -> str:
        """Let two thousand sockets be there and do nothing."""
        report.progress(f"{CROWD * SEATS:,} sockets with a heartbeat, {IDLE_S:.0f} s ...")
        with self._site(CROWD) as server:
            plan = Plan([LoadTable([_watcher(cookie) for cookie in four]) for four in server.told["cookies"]])
            found = self._load_plan(server, plan, IDLE_S, 0)
        figures["core_share_2000_sockets"] = found.core
        return f"{CROWD * SEATS:,} sockets: {found.core:.1%} of a core"

    # --- Servers and loads ---

    def _site(self, groups: int, *, pinned: bool = True, **more: object) -> AbstractContextManager[Server]:
        port = free_port()
        fields = {"store": str(self._folder / f"{port}.sqlite"), "groups": groups, "games": 1, "deals": MIXED, **more}
        return staged(Staging(port=port, **fields), pinned=pinned)  # type: ignore[arg-type]

    def _load(self, server: Server, played: Sequence[Sequence[ScriptedMove]], seconds: float, games: int = 1) -> Result:
        return self._load_plan(server, site_plan(server.told["cookies"], played, games=games), seconds, PACE)

    def _load_plan(
        self, server: Server, plan: Plan, seconds: float, rate: float, met: Callable[[], object] = lambda: None
    ) -> Result:
        with TemporaryDirectory(dir=self._folder) as name:
            return load(self._bench.generator, plan, server, seconds, Path(name), rate=rate, met=met)


def _watcher(cookie: str, table: str | None = None) -> Seat:
    """Return a socket that looks on, at a table or at nothing; it has asked for something either way."""
    ask = watching(table) if table else '{"type":"leave_lobby","n":1}'
    return Seat("/ws", f"whodunit={cookie}", [Wait(), Send(ask), Wait()])


def _reader(cookie: str, table: str) -> Seat:
    """Return a socket that waits for a review, and meanwhile does nothing."""
    return Seat(
        "/ws",
        f"whodunit={cookie}",
        [Wait(), Send(f'{{"type":"read_review","n":1,"table":"{table}","viewer":"whole"}}')],
    )


def _ratio(one: Result, other: Result) -> float:
    return one.us_per_move / other.us_per_move


def told(found: Result) -> str:
    """Say in short what a load gave."""
    times = f"p50 {found.p50_ms:.1f} ms, p99 {found.p99_ms:.1f} ms"
    return f"{found.per_second:,.0f} batches/s, {times}, {found.core:.0%} of a core"


def metric(server: Server, name: str) -> float:
    """Return one of the numbers that the server tells of itself."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=30) as got:
        lines = got.read().decode().splitlines()
    return next(float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == name)


def _await(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + FORGOTTEN_S
    while not true() and time.monotonic() < deadline:
        time.sleep(0.2)


def arosa_turns_per_s(turns: int) -> float:
    """Return how many turns of Arosa a core decides in a second: cubes fall on the physics, and are heard."""
    report.progress(f"{turns} turns of Arosa ...")
    draws, spent, done = Stream(b"arosa"), 0.0, 0
    case = arena.open_with_bots("arosa", ["random"] * SEATS, FALLING, "bench server")
    while done < turns:
        if case.outcome:
            case = arena.open_with_bots("arosa", ["random"] * SEATS, FALLING, f"bench server {done}")
        seat = case.awaiting[0]
        offers = case.legal(seat)
        action = offers[draws.below("offer", len(offers))].sample(draws)
        began = time.process_time()
        case = case.step(seat, action)
        spent += time.process_time() - began
        done += any(map(blobs_of, case.batches[-1].events))
    return done / spent
