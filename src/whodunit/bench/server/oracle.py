"""Whether what is hidden can be read from how long things take: the attack itself, on real servers and in real time.

At each table somebody is asked who has a choice of answers, or has none; no frame tells the asker which. Whatever an
attacker could time is timed (`probe`), on each kind of store. A first round finds the ten channels that tell the
most; fresh questions then say how much each of them really tells, and the worst of these counts. That a leak would be
found is shown on a server that has one. Beside it: questions that can be taken back, notices that tell a choice, bots
that cannot go on with a seat that they are handed, and how long a tap takes until it is shown as noted.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from whodunit.bench import levels, report
from whodunit.bench.database import postgres
from whodunit.bench.report import Bar
from whodunit.bench.server import undo, worlds
from whodunit.bench.server.channels import Channel, Readings, by_configuration, table, worst_of
from whodunit.bench.server.load import Server, cores, free_port
from whodunit.bench.server.notices import all_notices
from whodunit.bench.server.probe import GUEST, MANNER_OF, MANNERS, Manner, Strand
from whodunit.bench.server.script import Staging, WorldTables
from whodunit.bench.server.speed import staged
from whodunit.bench.server.timing import auc
from whodunit.bench.server.worlds import KINDS, Kind, world
from whodunit.core.rng import Stream
from whodunit.room.pace import Pace

HASTE = 0.05
"""Answers come after 0.2 to 0.5 s."""
SCREENED = 200
"""How many probes of each class a channel gets at first."""
REPEATED = 1500
"""How many fresh ones if it is among the worst."""
CONTROLLED = 400
"""As many are enough where the leak is plain."""
WORST = 10
STRANDS = 48
"""How many tables wait for their answer at once; one question at a time is asked."""
STRANDS_ALONE = 4
"""As many of the one person among bots: in a house that is busy a late thought would tell less."""
MOST_S = 75.0
"""So long the questions of one manner take at most on one server: on a slow machine there are fewer probes."""
UNDO_GAMES = 10
NOTICES = 100
LEVEL_GAMES = 4
NEVER_MS = 10.0**9
STORES = ("SQLite", "PostgreSQL")
CONTROL: tuple[str, Kind] = ("SQLite", "clue person")

BARS = [
    Bar("oracle_auc", "<=", 0.55),
    Bar("oracle_control_auc", ">=", 0.9),
    Bar("undo_after_asked", "<=", 0),
    Bar("notice_auc", "<=", 0.55),
    Bar("levels_crashed", "<=", 0),
    Bar("noted_ms", "<=", 100),
]
LABELS = {
    "oracle_auc": "best attack on what a question's work tells, AUC",
    "oracle_control_auc": "the same where a habit is stored apart, AUC",
    "undo_after_asked": "questions taken back when somebody was asked",
    "notice_auc": "whether and when an asked player is told, AUC",
    "levels_crashed": "positions in which a bot cannot take a seat over",
    "noted_ms": "from a tap to `noted`, p99 ms",
}


class Round(Struct, frozen=True):
    """Questions to be put on one server."""

    store: str
    kind: str
    manners: tuple[Manner, ...]
    probes: int
    """Of each class, in each manner."""

    @property
    def count(self) -> int:
        return 2 * self.probes * len(self.manners)

    @property
    def alone(self) -> Pace | None:
        return worlds.ALONE.get(msgspec.convert(self.kind, Kind))

    @property
    def strands(self) -> int:
        return min(STRANDS, STRANDS_ALONE) if self.alone else STRANDS

    @property
    def haste(self) -> float:
        return 1.0 if self.alone else HASTE  # beats are short enough as they are


class Attack:
    """The servers that are attacked one after another, and what was found out."""

    def __init__(self, stack: ExitStack, folder: Path, spared: Sequence[str], *, habit: bool = False) -> None:
        self._stack = stack
        self._folder = folder
        self._spared = spared
        self._habit = habit
        self._database: str | None = None
        self._first = count(0, 1_000_000)  # where each round's worlds begin: every question is a fresh one
        self.noted: list[float] = []

    def on(self, rounds: Iterable[Round]) -> Readings:
        """Put all these questions."""
        readings = Readings()
        for each in rounds:
            self._put(each, readings)
        return readings

    def _put(self, each: Round, readings: Readings) -> None:
        first, begun = next(self._first), time.monotonic()
        worlds = WorldTables(each.kind, first, each.count, self._habit)
        where = self._where(each.store, first)
        staging = Staging(where, free_port(), groups=each.strands, seated=0, worlds=worlds, haste=each.haste)
        with staged(staging) as server, _on_another_core():
            put = asyncio.run(self._asked(server, each, first, readings))
        took = time.monotonic() - begun
        report.progress(f"{each.store}, {each.kind}, {' and '.join(each.manners)}: {put} questions in {took:.0f} s")

    def _where(self, store: str, first: int) -> str:
        if store == "PostgreSQL":
            self._database = self._database or self._stack.enter_context(postgres())
            return self._database
        return "memory" if store == "memory" else str(self._folder / f"{first}-{self._habit}.sqlite")

    async def _asked(self, server: Server, each: Round, first: int, readings: Readings) -> int:
        """Put the questions of one round, both classes and all manners in an order drawn by chance."""
        kind, quiet, put = msgspec.convert(each.kind, Kind), asyncio.Lock(), 0
        deadline = time.monotonic() + MOST_S * len(each.manners)
        by_strand: list[list[int]] = [[] for _ in range(each.strands)]
        for place in Stream(b"oracle %d" % first).shuffled("order", range(each.count)):
            by_strand[worlds.group_of(place, each.strands)].append(place)

        async def play(number: int, places: Sequence[int]) -> None:
            nonlocal put
            draws = Stream(b"strand %d %d" % (first, number))
            strand = Strand(server.port, each.haste, draws, self._spared, each.alone)
            await strand.open(server.told["cookies"][number], server.told["strangers"][number])
            for place in places:
                if time.monotonic() > deadline:
                    break
                dealt, manner = world(kind, first + place), each.manners[place // 2 % len(each.manners)]
                found = await strand.probe(manner, dealt, first + place, server.told["guests"][place], quiet)
                put += 1
                for (vantage, operation), reading in found.items():
                    channel = Channel(each.store, each.kind, vantage, operation)
                    readings.add(channel, reading, choice=dealt.choice)
            self.noted += strand.noted
            strands.append(strand)

        strands: list[Strand] = []
        await asyncio.gather(*(play(number, places) for number, places in enumerate(by_strand)))
        for strand in strands:  # not before: whoever goes away is noted, and that would be felt
            strand.close()
        return put


@contextmanager
def _on_another_core() -> Iterator[None]:
    """Measure beside the server, and not in its way; only now, as what is started from here would come along."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores()[1])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def attacked(attack: Attack, where: Sequence[tuple[str, Kind]], screened: int, repeated: int) -> tuple[float, str]:
    """Screen all channels, measure the worst anew, and return what the worst of these tells, and all of these."""
    first = attack.on(Round(store, kind, manners_of(kind), screened) for store, kind in where)
    suspects = first.worst(WORST)
    again = attack.on(rounds(suspects, repeated))
    told = f"{len(first.channels)} channels, {screened} probes a class; the worst anew, {repeated} a class:"
    return worst_of(again, suspects), f"{told}\n{table(first, again, suspects)}"


def manners_of(kind: Kind) -> tuple[Manner, ...]:
    """Return who can time a question: nobody looks on at a table of one person among bots."""
    return tuple(manner for manner in MANNERS if manner != GUEST or kind not in worlds.ALONE)


def rounds(suspects: Sequence[Channel], probes: int) -> list[Round]:
    """Return the questions that measure these channels anew."""
    return [
        Round(store, kind, tuple(dict.fromkeys(MANNER_OF[channel.vantage] for channel in channels)), probes)
        for (store, kind), channels in by_configuration(suspects).items()
    ]


# --- Beside it -------------------------------------------------------------------------------------------------------


def notice_auc(notices: int) -> float:
    """Return how well notices tell whether there is a choice."""
    told = asyncio.run(all_notices(notices))
    forced, choice = ([NEVER_MS if at is None else float(at) for at in told[of]] for of in ("forced", "choice"))
    found = auc(choice, forced)
    return max(found, 1 - found)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which such a share of all of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def run(_: argparse.Namespace, figures: dict[str, float]) -> str:
    """Attack, fill the figures in, and return what the worst channels told."""
    return measured([(store, kind) for store in STORES for kind in KINDS], figures)


def measured(where: Sequence[tuple[str, Kind]], figures: dict[str, float]) -> str:
    """Attack these kinds of servers, and fill the figures in."""
    tried, figures["undo_after_asked"] = undo.undone(UNDO_GAMES)
    report.progress(f"{tried} questions tried to be taken back, {figures['undo_after_asked']} were")
    figures["notice_auc"] = notice_auc(NOTICES)
    faults = levels.crashed(LEVEL_GAMES, 0)
    figures["levels_crashed"] = len(faults)
    # A question that is taken back cannot be timed any further.
    spared = ("undo",) if figures["undo_after_asked"] else ()
    with TemporaryDirectory(prefix="whodunit-oracle-") as name, ExitStack() as stack:
        folder = Path(name)
        report.progress("a server with a leak ...")
        control = Attack(stack, folder, spared, habit=True)
        figures["oracle_control_auc"], leak = attacked(control, [_control(where)], SCREENED, CONTROLLED)
        report.progress("the server as it is ...")
        attack = Attack(stack, folder, spared)
        figures["oracle_auc"], found = attacked(attack, where, SCREENED, REPEATED)
    figures["noted_ms"] = percentile(attack.noted, 0.99)
    return "\n\n".join([f"where a habit is stored apart: {leak}", f"as it is: {found}", *faults[:20]])


def _control(where: Sequence[tuple[str, Kind]]) -> tuple[str, Kind]:
    return CONTROL if CONTROL in where else where[0]
