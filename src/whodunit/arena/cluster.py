"""Matches over many machines, by Ray (extra `ray`): the same results as on one machine, each counted once."""

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

import whodunit
from whodunit import arena, bots, games
from whodunit.arena import Match, Result
from whodunit.deduce import best
from whodunit.deduce.native import leave_the_word_to_the_parent

__all__ = ["Build", "Died", "OtherBuild", "build_of", "results"]

RETRIES: Final = 5
"""So often a match is begun again whose process or machine has died; after that something is wrong with the match."""
IN_HAND: Final = 4
"""So many matches for each processor are handed out at a time."""


class Build(Struct, frozen=True):
    """What must be the same on all machines, or their results are not of one arena."""

    version: str
    bots: int
    rules: int


class OtherBuild(RuntimeError):
    """A machine of the cluster has another version of the house than this one."""


class Died(RuntimeError):
    """A match took its process with it again and again."""


def build_of(game: str) -> Build:
    """Return what this machine has of it."""
    return Build(whodunit.__version__, bots.VERSION, games.get(game).INFO.rules)


def results(todo: Sequence[Match], address: str = "local") -> Iterator[Result]:
    """Play the matches on a cluster of Ray, and yield each result as it comes.

    `address` is what `ray.init` takes: "local" begins a cluster on this machine alone, "auto" joins the one that runs
    here. A match whose process or machine dies is played again, elsewhere if need be, and its result comes once.
    """
    if not todo:
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that somebody plays
    import ray  # noqa: PLC0415  (an extra)
    from ray.exceptions import RayError, RayTaskError  # noqa: PLC0415

    best()  # if Python counts alone, this says it for all workers
    mine = not ray.is_initialized()
    if mine:
        ray.init(address=address, log_to_driver=False, **(_local() if address == "local" else {}))
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        waiting = iter(todo)
        pending: list[Any] = []
        while True:
            room = IN_HAND * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(pending)
            pending += [task.remote(match, build_of(match.game)) for match in islice(waiting, max(0, room))]
            if not pending:
                return
            finished, pending = ray.wait(pending, num_returns=1)
            for reference in finished:
                try:
                    result: Result = ray.get(reference)
                except RayTaskError as failed:
                    raise failed.as_instanceof_cause() from None
                except RayError as died:
                    raise Died(
                        f"a match was lost {RETRIES + 1} times with the process that played it: {died}"
                    ) from died
                yield result
    finally:
        if mine:
            ray.shutdown()


def _local() -> dict[str, Any]:
    """Return how a cluster is begun that nobody else can reach, where the system has more than one loopback address."""
    here = {"_node_ip_address": "127.0.0.2"} if sys.platform == "linux" else {}  # 127.0.0.1 Ray takes for the network's
    return {"include_dashboard": False, **here}


def _play(match: Match, build: Build) -> Result:
    """Play a match on some machine, if it plays as the one does that hands it out."""
    leave_the_word_to_the_parent()
    if (here := build_of(match.game)) != build:
        raise OtherBuild(f"a machine of the cluster has {here}, and this one {build}: install the same on both")
    return arena.play(match)
