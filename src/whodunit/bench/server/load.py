"""The load generator, a C program, and the servers it is let loose on: what to send, how to run both, what it cost."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import IO, Any, Literal

SOURCE = Path(__file__).with_name("loadgen") / "loadgen.c"
PORTS = range(20_000, 32_000)  # below those that the system gives to clients: four hundred of them are the load's own
PATIENCE = 90.0
"""How many seconds a server has to start, and more than any of them needs to stop."""
WARM = 0.5
"""For so many seconds a server is warmed up, where seconds are measured."""


@dataclass(frozen=True)
class Send:
    """A frame that a socket sends when it greets."""

    frame: str


@dataclass(frozen=True)
class Wait:
    """A socket that greets waits for a frame."""


@dataclass(frozen=True)
class Seat:
    """One socket: where it connects, and how it greets."""

    path: str
    cookie: str = "-"
    greeting: Sequence[Send | Wait] = ()
    port: int | None = None
    """Another server's, where there are several."""


@dataclass(frozen=True)
class Move:
    """What a seat sends (-1: nothing, the house moves), and the number that all seats are then told."""

    number: int
    seat: int
    frame: str


@dataclass(frozen=True)
class LoadTable:
    seats: Sequence[Seat]
    moves: Sequence[Move] = ()
    along: str = ""
    """What every seat asks too when it is told of a move, unless it still waits for the last such answer."""


ALONG = 77
"""The number of such an ask, by which its answer is known."""


@dataclass(frozen=True)
class Plan:
    """Everything the generator does; it reads a number behind a marker in the frames it gets, or counts them."""

    tables: Sequence[LoadTable]
    how: Literal["first", "last", "count"] = "count"
    marker: str = ""
    refusal: str = "\1"
    """A frame that contains this says no to a move."""
    cycle: bool = False
    """Whether the moves are repeated without an end, each told with the next number."""
    binary: bool = False
    """Whether all frames are binary, written here in hexadecimal digits."""

    def lines(self, port: int) -> Iterator[str]:
        """Write the plan for the generator."""
        told = port
        yield f"P\t{told}"
        yield f"M\t{self.how[0]}\t{self.marker}"
        yield f"E\t{self.refusal}"
        if self.cycle:
            yield "C"
        if self.binary:
            yield "B"
        for number, table in enumerate(self.tables):
            for place, seat in enumerate(table.seats):
                if (seat.port or port) != told:
                    told = seat.port or port
                    yield f"P\t{told}"
                yield f"S\t{number}\t{place}\t{seat.path}\t{seat.cookie}"
                yield from (f"H\t{each.frame}" if isinstance(each, Send) else "W" for each in seat.greeting)
            for move in table.moves:
                assert not set("\t\n") & set(move.frame), "a frame of JSON has neither"
                yield f"A\t{number}\t{move.number}\t{move.seat}\t{move.frame}"
            if table.along:
                yield f"N\t{number}\t{table.along}"


@dataclass(frozen=True)
class Moves:
    """How long a load is: so many moves of each table, after some that warm the server up.

    Frames grow while a game is played. Within the same seconds a slow server would not come as far, and have it easier.
    """

    measured: int
    warm: int


@dataclass(frozen=True)
class Result:
    """What a server did under load."""

    moves: int
    seconds: float
    cpu_seconds: float
    p50_ms: float
    p99_ms: float
    bytes_per_frame: float
    asked: int = 0
    along: int = 0
    """How many asks beside the moves were answered."""

    @property
    def core(self) -> float:
        """How much of a core the server used."""
        return self.cpu_seconds / self.seconds

    @property
    def per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def us_per_move(self) -> float:
        return 1e6 * self.cpu_seconds / self.moves


@dataclass
class Server:
    """A server under measurement; `told` is the line that it printed when it was ready."""

    process: "subprocess.Popen[str]"
    port: int
    told: dict[str, Any] = field(default_factory=dict)


def compiled(folder: Path) -> Path:
    """Compile the generator, or end with a word about what is missing."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        raise SystemExit("this benchmark's load generator is a C program for Linux: it needs Linux and a C compiler")
    program = folder / "loadgen"
    subprocess.run([compiler, "-std=c11", "-O2", "-o", str(program), str(SOURCE)], check=True)  # noqa: S603  (ours)
    return program


def cores() -> tuple[set[int], set[int]]:
    """Return the cores of servers and of the generator: different ones where there are two."""
    usable = sorted(os.sched_getaffinity(0))
    return ({usable[0]}, {usable[-1]}) if len(usable) > 1 else (set(usable), set(usable))


@contextmanager
def serving(
    command: Sequence[str],
    port: int,
    env: dict[str, str] | None = None,
    *,
    pinned: bool = True,
    log: Path | None = None,
) -> Iterator[Server]:
    """Run a server on its core until it is no longer needed; it prints a line of JSON when it is ready."""
    with ExitStack() as files:
        errors = files.enter_context(log.open("ab")) if log else None  # its own copy stays open
        process = _started(command, env, errors)
    try:
        if pinned:
            os.sched_setaffinity(process.pid, cores()[0])
        watchdog = Timer(PATIENCE, process.kill)
        watchdog.start()
        line = _stdout(process).readline()
        watchdog.cancel()
        if not line:
            raise RuntimeError(f"{command} did not start")
        yield Server(process, port, json.loads(line))
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _stdout(process).close()


def _started(command: Sequence[str], env: dict[str, str] | None, errors: IO[bytes] | None) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603  (our own programs)
        command,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=None if env is None else {**os.environ, **env},
        start_new_session=True,  # Linux shares cores among sessions: so server and load do not share a share
    )


def load(
    generator: Path,
    plan: Plan,
    server: Server,
    length: float | Moves,
    folder: Path,
    *,
    rate: float = 0,
    met: Callable[[], object] = lambda: None,
) -> Result:
    """Let the generator loose on a server for so long; raise RuntimeError if it was not played as written.

    Length: in seconds, or in moves. A rate: so many moves a second are begun, whatever the server does. Met: called
    when all are connected and at rest.
    """
    file = folder / "plan"
    file.write_text("".join(f"{line}\n" for line in plan.lines(server.port)), "utf-8")
    command = [str(generator), str(file), *_told(length, len(plan.tables)), *([str(rate)] if rate else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:  # noqa: S603
        os.sched_setaffinity(process.pid, cores()[1])
        out = _stdout(process)
        out.readline()
        met()
        before = cpu_seconds(server.process.pid)
        out.readline()
        after = cpu_seconds(server.process.pid)
        told = out.readline()
    if process.returncode or not told:
        raise RuntimeError("the load generator failed")
    counted = json.loads(told)
    scripted = any(table.moves for table in plan.tables)
    if counted["refused"] or counted["ended"] or bool(counted["moves"]) != scripted:
        raise RuntimeError(f"the scripts were not played as written, or are too short: {told}")
    return Result(
        moves=counted["moves"],
        seconds=counted["seconds"],
        cpu_seconds=after - before,
        p50_ms=counted["p50_ms"],
        p99_ms=counted["p99_ms"],
        bytes_per_frame=counted["bytes"] / max(1, counted["frames"]),
        asked=counted["asked"],
        along=counted["along"],
    )


def _told(length: float | Moves, tables: int) -> Sequence[str]:
    if isinstance(length, Moves):
        return "moves", str(length.warm * tables), str(length.measured * tables)
    return "seconds", str(WARM), str(length)


def cpu_seconds(pid: int) -> float:
    """Return what a process and all below it have used so far, from /proc."""
    ticks = sum(int(number) for number in _stat(pid)[11:15])  # its own, and that of children that have ended
    total = ticks / os.sysconf("SC_CLK_TCK")
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            total += cpu_seconds(int(child))
    return total


def resident_kb(pid: int) -> int:
    """Return how much memory a process has in use, without those below it."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def _stat(pid: int) -> list[str]:
    # The name stands in brackets and may contain anything.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def free_port() -> int:
    """Return a port that nobody uses."""
    start = PORTS.start + time.monotonic_ns() // 1000 % 10_000  # not always the same one
    for port in chain(range(start, PORTS.stop), range(PORTS.start, start)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise RuntimeError("no free port")


def _stdout(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdout is not None
    return process.stdout
