"""What an attacker measures, channel by channel, and how well each of them tells two classes of worlds apart."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from whodunit.bench import report
from whodunit.bench.server.timing import auc


class Channel(NamedTuple):
    """Who measures what, on which server."""

    store: str
    kind: str
    """The game, and who is asked."""
    vantage: str
    operation: str

    def __str__(self) -> str:
        return ", ".join(self)


class Reading(NamedTuple):
    """One number from one channel. Only readings of the same circumstances are compared: what came before it, say."""

    value: float
    among: str = ""


class Readings:
    """All numbers of all channels, with the class of the world that each comes from."""

    def __init__(self) -> None:
        self._found: dict[Channel, dict[str, tuple[list[float], list[float]]]] = defaultdict(
            lambda: defaultdict(lambda: ([], []))
        )

    def add(self, channel: Channel, reading: Reading, *, choice: bool) -> None:
        """Take one number in."""
        self._found[channel][reading.among][choice].append(reading.value)

    @property
    def channels(self) -> Sequence[Channel]:
        return tuple(self._found)

    def auc(self, channel: Channel) -> float:
        """Return how well a channel tells the classes apart: read whichever way round is better, so at least a half."""
        strata = [(forced, choice) for forced, choice in self._found[channel].values() if forced and choice]
        pairs = sum(len(forced) * len(choice) for forced, choice in strata)
        if not pairs:
            return 0.5
        found = sum(auc(choice, forced) * len(forced) * len(choice) for forced, choice in strata) / pairs
        return max(found, 1 - found)

    def count(self, channel: Channel) -> tuple[int, int]:
        """Return how many numbers there are of each class, forced and with a choice."""
        strata = self._found[channel].values()
        return sum(len(forced) for forced, _ in strata), sum(len(choice) for _, choice in strata)

    def middle(self, channel: Channel) -> tuple[float, float]:
        """Return the median of each class, whatever the circumstances."""
        forced, choice = ([value for each in self._found[channel].values() for value in each[of]] for of in (0, 1))
        return _median(forced), _median(choice)

    def worst(self, most: int) -> list[Channel]:
        """Return the channels that tell the most, the worst first."""
        return sorted(self._found, key=self.auc, reverse=True)[:most]


def _median(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def worst_of(again: Readings, suspects: Iterable[Channel]) -> float:
    """Return what the worst of these channels tells when measured anew."""
    return max((again.auc(channel) for channel in suspects), default=0.5)


def table(first: Readings, again: Readings, suspects: Sequence[Channel]) -> str:
    """Lay the suspects out: how much each told at first, and how much when measured anew."""
    head = ("store", "asked", "from", "operation", "AUC", "again", "probes", "forced", "choice")
    rows = [
        (
            *channel,
            f"{first.auc(channel):.3f}",
            f"{again.auc(channel):.3f}",
            "+".join(map(str, again.count(channel))),
            *(f"{value:.3f}" for value in again.middle(channel)),
        )
        for channel in sorted(suspects, key=again.auc, reverse=True)
    ]
    return report.columns([head, *rows], right=range(4, len(head)))


def by_configuration(suspects: Iterable[Channel]) -> Mapping[tuple[str, str], list[Channel]]:
    """Sort channels by the server that they are measured on: store and kind."""
    found: dict[tuple[str, str], list[Channel]] = {}
    for channel in suspects:
        found.setdefault((channel.store, channel.kind), []).append(channel)
    return found
