"""What the site tells whoever watches over it, as Prometheus reads it: numbers, no table, person or move by name."""

from collections import Counter
from collections.abc import Awaitable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from whodunit import __version__
from whodunit.host.host import Host
from whodunit.host.live import Change
from whodunit.server.workers import Workers

if TYPE_CHECKING:
    from whodunit.server.sockets import Socket

T = TypeVar("T")
METRICS_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Seconds."""


class Metrics(Collector):
    """Counts what happens in one site, in a registry of its own: several sites may share a process."""

    def __init__(self, host: Host, workers: Workers, sockets: "set[Socket]") -> None:
        self._host = host
        self._workers = workers
        self._sockets = sockets
        self._moves = 0
        about = "From the ask for a move to its reply; of an answer, until it is noted."
        self._move_seconds = Histogram("whodunit_move_seconds", about, buckets=BUCKETS, registry=None)
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        host.listeners.append(self._changed)

    async def timed(self, work: Awaitable[T]) -> T:
        """Measure how long a move takes from the ask to the reply: judged, stored, told. An answer is only noted."""
        with self._move_seconds.time():
            return await work

    def _changed(self, change: Change) -> None:
        self._moves += len(change.batches)

    def text(self) -> str:
        """Return everything, as it stands."""
        return generate_latest(self._registry).decode()

    def describe(self) -> Iterator[Metric]:
        """Say nothing: the registry would else collect all of it to learn the names."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Read every number where it is kept."""
        info = GaugeMetricFamily("whodunit_info", "Which version runs.", labels=["version"])
        info.add_metric([__version__], 1)
        yield info
        lives = self._host.tables.values()
        stages = Counter(live.stage for live in lives)
        tables = GaugeMetricFamily("whodunit_tables", "Tables in memory.", labels=["stage"])
        for stage in ("gathering", "playing", "over"):
            tables.add_metric([stage], stages[stage])
        yield tables
        led = sum(map(self._host.leases.holds, lives))
        yield GaugeMetricFamily("whodunit_tables_led", "Of these, those whose clocks and bots run here.", led)
        due = sum(len(live.rings) + (live.limit is not None) for live in lives)
        yield GaugeMetricFamily("whodunit_timers", "Answers and limits that are due here.", due)
        yield GaugeMetricFamily("whodunit_sockets", "Pages that are connected.", len(self._sockets))
        waiting = sum(page.waiting for page in self._sockets)
        yield GaugeMetricFamily("whodunit_frames_waiting", "Frames queued for slow readers.", waiting)
        yield CounterMetricFamily("whodunit_moves", "Moves that tables here have heard of.", self._moves)
        for took in self._move_seconds.collect():
            # The time since when it counts is a series that nobody has asked for.
            took.samples = [sample for sample in took.samples if not sample.name.endswith("_created")]
            yield took
        stored = self._host.store.waiting
        yield GaugeMetricFamily("whodunit_appends_waiting", "Appends queued for the next commit.", stored)
        workers = self._workers
        yield GaugeMetricFamily("whodunit_workers", "Processes that think.", workers.size)
        yield GaugeMetricFamily("whodunit_thoughts_waiting", "Thoughts queued or being thought.", workers.running)
        yield CounterMetricFamily("whodunit_thoughts", "Thoughts thought.", workers.finished)
        yield CounterMetricFamily("whodunit_thought_seconds", "Their time, queue included.", workers.seconds)
        busy = "Time in which each of the processes had something to think, all together."
        yield CounterMetricFamily("whodunit_workers_busy_seconds", busy, workers.worked)
