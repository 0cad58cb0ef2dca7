"""What the site tells whoever watches over it, as Prometheus reads it: numbers, no table, person or move by name."""

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeVar

from whodunit.host.host import Host
from whodunit.host.live import Change
from whodunit.server.workers import Workers

if TYPE_CHECKING:
    from whodunit.server.sockets import Socket

T = TypeVar("T")
BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Seconds."""


class Metrics:
    """Counts what happens in one process."""

    def __init__(self, host: Host, workers: Workers) -> None:
        self._host = host
        self._workers = workers
        self._moves = 0
        self._latencies = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0
        host.listeners.append(self._changed)

    async def timed(self, work: Awaitable[T]) -> T:
        """Measure how long a move takes from the ask to the reply: judged, stored, told."""
        began = time.perf_counter()
        try:
            return await work
        finally:
            took = time.perf_counter() - began
            self._latencies[bisect_left(BUCKETS, took)] += 1
            self._seconds += took

    def _changed(self, change: Change) -> None:
        self._moves += len(change.batches)

    def text(self, sockets: "set[Socket]") -> str:
        """Return everything, as it stands."""
        return "".join(f"{line}\n" for line in self._lines(sockets))

    def _lines(self, sockets: "set[Socket]") -> Iterator[str]:
        yield from _metric("whodunit_info", "gauge", "Which version runs.", {f'version="{version("whodunit")}"': 1})
        tables = Counter(live.stage for live in self._host.tables.values())
        stages = {f'stage="{stage}"': tables[stage] for stage in ("gathering", "playing", "over")}
        yield from _metric("whodunit_tables", "gauge", "Tables in memory.", stages)
        led = sum(map(self._host.leases.holds, self._host.tables.values()))
        yield from _metric("whodunit_tables_led", "gauge", "Of these, those whose clocks and bots run here.", led)
        due = sum(len(live.timers) + (live.limit is not None) for live in self._host.tables.values())
        yield from _metric("whodunit_timers", "gauge", "Answers and limits that are due here.", due)
        yield from _metric("whodunit_sockets", "gauge", "Pages that are connected.", len(sockets))
        waiting = sum(page.waiting for page in sockets)
        yield from _metric("whodunit_frames_waiting", "gauge", "Frames queued for slow readers.", waiting)
        yield from _metric("whodunit_moves_total", "counter", "Moves that tables here have heard of.", self._moves)
        yield from self._histogram()
        stored = self._host.store.waiting
        yield from _metric("whodunit_appends_waiting", "gauge", "Appends queued for the next commit.", stored)
        workers = self._workers
        yield from _metric("whodunit_workers", "gauge", "Processes that think.", workers.size)
        yield from _metric("whodunit_thoughts_waiting", "gauge", "Thoughts queued or being thought.", workers.running)
        yield from _metric("whodunit_thoughts_total", "counter", "Thoughts thought.", workers.finished)
        yield from _metric("whodunit_thought_seconds_total", "counter", "Their time, queue included.", workers.seconds)
        busy = "Time in which each of the processes had something to think, all together."
        yield from _metric("whodunit_workers_busy_seconds_total", "counter", busy, workers.worked)
        yield from _metric("process_cpu_seconds_total", "counter", "CPU time of this process.", time.process_time())
        yield from _metric("process_resident_memory_bytes", "gauge", "Memory of this process.", _resident())

    def _histogram(self) -> Iterator[str]:
        name = "whodunit_move_seconds"
        yield f"# HELP {name} From the ask for a move to its reply."
        yield f"# TYPE {name} histogram"
        total = 0
        for bound, number in zip((*BUCKETS, None), self._latencies, strict=True):
            total += number
            yield f'{name}_bucket{{le="{"+Inf" if bound is None else bound}"}} {total}'
        yield f"{name}_sum {self._seconds:.6f}"
        yield f"{name}_count {total}"


def _metric(name: str, kind: str, about: str, value: "float | dict[str, int]") -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    if isinstance(value, dict):
        for labels, number in value.items():
            yield f"{name}{{{labels}}} {number}"
    else:
        yield f"{name} {value}"


def _resident() -> int:
    """Return the memory in use, or 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  (no path: a window into the kernel)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
