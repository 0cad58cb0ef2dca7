"""What a kill -9 leaves behind, at random moments while tables are played, on each kind of store."""

import argparse
import asyncio
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from aiohttp import ClientSession, DummyCookieJar, TCPConnector

from whodunit.bench import report
from whodunit.bench.database import postgres
from whodunit.bench.report import Bar
from whodunit.bench.server.games import GAMES, STUCK_S, Nodes, Outcome, play_one
from whodunit.bench.server.load import free_port
from whodunit.bench.server.people import Person
from whodunit.bench.server.script import Staging
from whodunit.core.rng import Stream

HASTE = 0.1
"""Where servers are killed answers take a while, so that a kill meets some that are due."""
BENCH_KILLS = 200
TABLES = 6
"""At how many tables is played where servers are killed."""
RESTS = 4
"""At one kill in so many every table has moved on before: bots need longer to come back than people."""
DUE_S = 10.0
"""How long a kill waits for an answer that is due: every second one is to meet some."""

BARS = [Bar("kills", ">=", BENCH_KILLS), Bar("lost_after_kill", "<=", 0)]
LABELS = {
    "kills": "kills -9 under load, SQLite and PostgreSQL",
    "lost_after_kill": "acknowledged moves lost, tables damaged or stuck",
}


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Kill a server on each kind of store; fill the figures in."""
    with tempfile.TemporaryDirectory(prefix="whodunit-kill-") as name, postgres() as database:
        half = args.kills // 2
        report.progress(f"{half} kills on SQLite, {half} on PostgreSQL ...")
        # Both at once: most of the time goes by with waiting for a server that starts, and for answers that are due.
        with ThreadPoolExecutor() as both:
            ends = [*both.map(kill, (str(Path(name, "whodunit.sqlite")), database), (half, half), (1.5, 3.0))]
    faults = [fault for done in ends for fault in done.faults]
    figures |= {"kills": sum(done.kills for done in ends), "lost_after_kill": len(faults)}
    played = ", ".join(
        f"{done.games} games, {done.moves:,} moves, {done.chosen:,} answers chosen, {done.pending} due at a kill"
        for done in ends
    )
    return "\n".join([f"SQLite, PostgreSQL: {played}", *faults[:20]])


def kill(where: str, kills: int, pause_s: float) -> Outcome:
    """Kill a server so many times, at random moments while its tables are played; where: as for `stage.py`."""
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
                await play_one(session, nodes, number, group, done, seated)
            number += TABLES + 1

    def moved() -> int:
        return done.moves + sum(page.seq for people in seated.values() for each in people for page in each.pages)

    def standing() -> dict[int, tuple[str | None, int]]:
        """Return how far each table has come."""
        pages = {group: people[0].page for group, people in seated.items() if people}
        return {group: (page.watching, page.seq) for group, page in pages.items()}

    def pending() -> int:
        return sum(bool(each.page.room.get("answer")) for people in seated.values() for each in people)

    async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
        tasks = [asyncio.ensure_future(place(group)) for group in range(TABLES)]
        for number in range(kills):
            before, stood = moved(), standing()
            await _until(lambda: moved() > before, STUCK_S)  # noqa: B023  (it is over when the loop goes on)
            if not number % RESTS:
                await _until(lambda: all(standing()[group] != stood[group] for group in stood), STUCK_S)  # noqa: B023
            await asyncio.sleep(draws.below("moment", 1000) / 1000 * pause_s)
            if number % 2:
                await _until(pending, DUE_S)
            done.pending += pending()
            await nodes.kill(0)
            done.kills += 1
        await asyncio.gather(*tasks)
    return done


async def _until(true: Callable[[], object], most_s: float) -> None:
    """Wait until something is so, but not for ever."""
    deadline = asyncio.get_running_loop().time() + most_s
    while not true() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110  (many things may make it so)
        await asyncio.sleep(0.01)
