"""Two nodes on one PostgreSQL: games whose seats are split over both, moves that race through both, and a node killed.

Every person has a page on both nodes and now and then sends the same move through both at once. What was acknowledged
must stand in the closed case exactly once, an answer as its player chose it; whoever looks through whichever node must
see the same, and every game ends.
"""

import argparse
import asyncio
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from aiohttp import ClientError, ClientSession, DummyCookieJar, TCPConnector
from msgspec import Struct

from whodunit.bench import report, server_speed
from whodunit.bench.database import postgres
from whodunit.bench.report import Bar
from whodunit.bench.server_load import Result, free_port, load
from whodunit.bench.server_people import Lost, Page, Person, Refused
from whodunit.bench.server_script import BotTable, Staging
from whodunit.bench.server_speed import Bench, measured, site_plan, staged, table
from whodunit.core.rng import Stream
from whodunit.games import get
from whodunit.table import file
from whodunit.table.case import Case
from whodunit.table.verify import verify

GAMES: tuple[tuple[str, dict[str, object], tuple[str | None, ...]], ...] = (
    ("clue", {"max_turns": 10}, (None, None, None, "random")),
    ("perfect_alibi", {}, (None, None, "random")),
    ("crime_hotel", {"rounds": 2}, (None, None, None, "random")),
    ("arosa", {"tower": "surrogate"}, (None,)),
)
"""What is played: the game, its options, and who sits where (None: a person). In Arosa bots have all seats."""
PHYSICS = 5
"""At so many tables of Arosa cubes really fall."""
HASTE = 0.1
"""Where servers are killed answers take a while, so that a kill meets some that are due."""
BRISK = 0.03
"""On two nodes just long enough to choose one, and to race for its moment."""
BENCH_GAMES = 500
BENCH_FALLS = 10
"""How many nodes are killed meanwhile."""
BENCH_KILLS = 200
AT_ONCE = 25
TABLES = 6
"""At how many tables is played where servers are killed."""
DUE_S = 10.0
"""How long a kill waits for an answer that is due: every second one is to meet some."""
STUCK_S = 60.0
"""A game in which nothing has happened for so long is stuck."""


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
KILL_BARS = [Bar("kills", ">=", BENCH_KILLS), Bar("lost_after_kill", "<=", 0)]
KILL_LABELS = {
    "kills": "kills -9 under load, SQLite and PostgreSQL",
    "lost_after_kill": "acknowledged moves lost, tables damaged or stuck",
}


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Measure two nodes beside one, then play on them; fill the figures in."""
    with tempfile.TemporaryDirectory(prefix="whodunit-nodes-") as name:
        bench = Bench(Path(name), args.seconds)
        turns = {"one": partial(_turn, bench, 1), "two": partial(_turn, bench, 2)}
        passes = list(measured(turns, args.passes))
    figures |= {
        "one_node_moves_per_s": median(each["one"].per_second for each in passes),
        "two_nodes_moves_per_s": median(each["two"].per_second for each in passes),
        "two_nodes_vs_one": median(each["two"].per_second / each["one"].per_second for each in passes),
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
        for groups in (server_speed.TABLES, 0)[:number]:
            staging = Staging(database, free_port(), groups, server_speed.GAMES, deals=bench.deals)
            nodes.append(stack.enter_context(staged(staging, pinned=False)))
        plan = site_plan(nodes[0].told["cookies"], bench.scripts, [node.port for node in nodes])
        return load(bench.generator, plan, nodes[0], bench.seconds, Path(name))


def run_kill(_: argparse.Namespace, figures: dict[str, float]) -> str:
    """Kill a server on each kind of store; fill the figures in."""
    with tempfile.TemporaryDirectory(prefix="whodunit-kill-") as name, postgres() as database:
        half = BENCH_KILLS // 2
        report.progress(f"{half} kills on SQLite, {half} on PostgreSQL ...")
        ends = [kill(str(Path(name, "whodunit.sqlite")), half, 1.5), kill(database, half, 3.0)]
    faults = [fault for done in ends for fault in done.faults]
    figures |= {"kills": sum(done.kills for done in ends), "lost_after_kill": len(faults)}
    played = ", ".join(
        f"{done.games} games, {done.moves:,} moves, {done.chosen:,} answers chosen, {done.pending} due at a kill"
        for done in ends
    )
    return "\n".join([f"SQLite, PostgreSQL: {played}", *faults[:20]])


class Nodes:
    """Servers on one database, of which each can be killed and comes back under its address."""

    def __init__(self, stagings: Sequence[Staging], stack: ExitStack) -> None:
        self._stack = stack
        self._stagings = stagings
        self._servers = [stack.enter_context(staged(staging, pinned=False)) for staging in stagings]
        self.cookies: list[list[str]] = self._servers[0].told["cookies"]
        """They hold on every node."""
        self.addresses = [f"http://127.0.0.1:{staging.port}" for staging in stagings]

    async def kill(self, number: int) -> None:
        """Kill a node without warning, and start it again."""
        process, staging = self._servers[number].process, self._stagings[number]
        os.killpg(process.pid, signal.SIGKILL)
        await asyncio.to_thread(process.wait)
        started = staged(Staging(staging.store, staging.port, haste=staging.haste), pinned=False)
        self._servers[number] = await asyncio.to_thread(self._stack.enter_context, started)


class Outcome(Struct):
    """What became of it all."""

    games: int
    moves: int
    kills: int
    faults: list[str]
    pending: int = 0
    """How many answers were due when a server was killed."""
    chosen: int = 0
    """How many times a player chose an answer, and was told that it is kept."""

    @property
    def ended(self) -> int:
        """How many games have come to an end, good or bad."""
        return self.games + len(self.faults)


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


def bots_id(number: int) -> str:
    return f"bots{number}"


async def _played(nodes: Nodes, games: int, kills: int) -> Outcome:
    """Play the games, some at a time, so that a kill meets them at every stage."""
    done = Outcome(0, 0, 0, [])
    places = asyncio.Semaphore(AT_ONCE)

    async def game(number: int) -> None:
        async with places:
            await _game(session, nodes, number, number, done)

    async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
        tasks = [asyncio.ensure_future(game(number)) for number in range(games)]
        for number in range(kills):
            while done.ended < (number + 1) / (kills + 1) * games * 0.8:  # noqa: ASYNC110  (games end when they do)
                await asyncio.sleep(0.05)
            await nodes.kill(number % 2)
            done.kills += 1
        await asyncio.gather(*tasks)
    return done


def kill(where: str, kills: int, pause_s: float) -> Outcome:
    """Kill a server so many times, at random moments while its tables are played; where: as for `server.stage`."""
    with ExitStack() as stack:
        staging = Staging(where, free_port(), groups=TABLES, haste=HASTE)
        return asyncio.run(_killed(Nodes([staging], stack), kills, pause_s))


async def _killed(nodes: Nodes, kills: int, pause_s: float) -> Outcome:
    done = Outcome(0, 0, 0, [])
    draws = Stream(b"kill")
    seated: dict[int, list[Person]] = {}

    async def place(group: int) -> None:
        number = group
        while done.kills < kills:
            if GAMES[number % len(GAMES)][0] != "arosa":  # whose tables are laid beforehand
                await _game(session, nodes, number, group, done, seated)
            number += TABLES + 1

    def moved() -> int:
        return done.moves + sum(page.seq for people in seated.values() for each in people for page in each.pages)

    def pending() -> int:
        return sum(bool(each.page.room.get("answer")) for people in seated.values() for each in people)

    async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
        tasks = [asyncio.ensure_future(place(group)) for group in range(TABLES)]
        for number in range(kills):
            before = moved()
            await _until(lambda: moved() > before, STUCK_S)  # noqa: B023  (it is over when the loop goes on)
            await asyncio.sleep(draws.below("moment", 1000) / 1000 * pause_s)
            if number % 2:
                await _until(pending, DUE_S)
            done.pending += pending()
            await nodes.kill(0)
            done.kills += 1
        await asyncio.gather(*tasks)
    return done


async def _game(
    session: ClientSession,
    nodes: Nodes,
    number: int,
    group: int,
    done: Outcome,
    seated: dict[int, list[Person]] | None = None,
) -> None:
    game, options, chairs = GAMES[number % len(GAMES)]
    people = [seat for seat, level in enumerate(chairs) if level is None]
    pages = [[Page(session, address, nodes.cookies[group][seat]) for address in nodes.addresses] for seat in people]
    answers = {kind.__name__ for kind in get(game).INFO.answers}
    players = [
        Person(own, seat, Stream(b"%d %d" % (number, seat)), answers) for own, seat in zip(pages, people, strict=True)
    ]
    if seated is not None:
        seated[group] = players
    try:
        if game == "arosa":
            table = bots_id(number)
            await _watched(players, table)
        else:
            table = await asyncio.wait_for(_begun(players, game, options, chairs), STUCK_S)
        await _until_over(players, table)
        moves = await _checked(session, nodes, players, table, nodes.cookies[group], done.faults)
        done.moves += moves  # not across an await: others add theirs meanwhile
        done.chosen += sum(player.promises.chosen for player in players)
        done.games += 1
    except Exception as error:  # noqa: BLE001  (one game's fault is counted, and the others go on)
        done.faults.append(f"game {number} of {game}: {type(error).__name__} {error}")
    finally:
        await asyncio.gather(*(page.close() for own in pages for page in own))
    if not done.ended % 50:
        report.progress(f"{done.games} games, {len(done.faults)} faults, {done.kills} nodes killed")


async def _begun(players: Sequence[Person], game: str, options: dict[str, object], chairs: Sequence[str | None]) -> str:
    """Lay a table through one node, let each person sit down through the next, and begin."""
    first = players[0].pages[0]
    terms = {"game": game, "options": options, "chairs": chairs, "public": True, "assistance": "paper"}
    laid = await first.surely("create_table", name="Person 0", salt=f"{0:032x}", **terms)
    table: str = laid["table"]
    for player in players:
        name, page = f"Person {player.seat}", player.pages[player.seat % len(player.pages)]
        if player is not players[0]:
            await _once(page, "sit_down", table=table, seat=player.seat, name=name, salt=f"{player.seat:032x}")
        await _watched([player], table)
    await _once(first, "start", table=table)
    return table


async def _watched(players: Sequence[Person], table: str) -> None:
    for page in [page for player in players for page in player.pages]:
        page.watching = table
        await page.surely("watch_table", table=table)


async def _until(true: Callable[[], object], most_s: float) -> None:
    """Wait until something is so, but not for ever."""
    deadline = asyncio.get_running_loop().time() + most_s
    while not true() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110  (many things may make it so)
        await asyncio.sleep(0.01)


async def _once(page: Page, kind: str, **fields: Any) -> None:
    """Ask for what can be done once: that it has been done already is told as a refusal."""
    try:
        await page.ask(kind, **fields)
    except Lost:
        with suppress(Refused):
            await page.surely(kind, **fields)


async def _until_over(players: Sequence[Person], table: str) -> None:
    playing = asyncio.gather(*(player.play(table) for player in players))
    seq = -1
    try:
        while not playing.done():
            await asyncio.wait([playing], timeout=STUCK_S)
            now = max(page.seq for player in players for page in player.pages)
            if not playing.done() and now == seq:
                raise TimeoutError(f"{table} is stuck at event {now}")
            seq = now
        await playing
    finally:
        playing.cancel()


async def _checked(
    session: ClientSession,
    nodes: Nodes,
    players: Sequence[Person],
    table: str,
    cookies: Sequence[str],
    faults: list[str],
) -> int:
    """Compare what everybody saw and was promised with the closed case; return how many moves it has."""
    for player in players:
        views = [msgspec.json.encode(page.table and page.table["view"], order="sorted") for page in player.pages]
        if len({*views}) > 1:
            faults.append(f"{table}: seat {player.seat} sees two games")
    bodies = []
    for address in nodes.addresses:
        while True:
            try:
                async with session.get(
                    f"{address}/t/{table}/case", headers={"Cookie": f"whodunit={cookies[0]}"}
                ) as got:
                    got.raise_for_status()
                    bodies.append(await got.read())
                    break
            except (ClientError, OSError):
                await asyncio.sleep(0.2)
    if len({*bodies}) > 1:
        faults.append(f"{table}: two nodes tell two cases")
    case = _loaded(bodies[0])
    faults += [f"{table}: {each.text}" for each in verify(case) if each.holds is False]
    causes: Counter[tuple[int, bytes]] = Counter()
    for batch in case.batches:
        if batch.cause is not None:
            told = msgspec.json.encode(msgspec.to_builtins(batch.cause.action), order="sorted")
            causes[batch.cause.seat, told] += 1
    for player in players:
        for told in player.acknowledged | player.unknown:
            stored, promised = causes[player.seat, told], player.acknowledged[told]
            if not promised <= stored <= promised + player.unknown[told]:
                faults.append(
                    f"{table}: seat {player.seat} was promised {promised} and got {stored} of {told.decode()}"
                )
        given = [
            (batch.seq, batch.cause.action)
            for batch in case.batches
            if batch.cause is not None
            and batch.cause.seat == player.seat
            and type(batch.cause.action) in case.table.game.INFO.answers
        ]
        faults += [f"{table}: seat {player.seat}, {fault}" for fault in player.promises.broken(given, case.table.game)]
    return len(case.batches)


def _loaded(body: bytes) -> Case:
    with tempfile.NamedTemporaryFile(suffix=".case") as kept:
        kept.write(body)
        kept.flush()
        return file.load(kept.name)
