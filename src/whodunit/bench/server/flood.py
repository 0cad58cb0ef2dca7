"""What one household can take from everybody else, and what a disk, a clock or a line can do to a house.

Every attack comes through what is public: HTTP, sockets, and the files that are kept. Visitors come through a proxy, as
those of a site on the internet do: whoever is on the server's own machine has no limits. Where the store matters, each
attack is tried on SQLite and on PostgreSQL; the figure is the worse of both, and the details name both.
"""

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from whodunit.bench import report
from whodunit.bench.report import Bar
from whodunit.bench.server import flood_data, flood_doors, flood_sizes, flood_waits, flood_writes
from whodunit.bench.server.flood_house import STORES, Grounds, StoreKind

FLIPS = 2000
AS_LONG = 3
"""An attack is measured for so many times the seconds of a turn."""

BARS = [
    Bar("disk_mb_per_s_one_household", "<=", flood_writes.STILL_MB_PER_S),
    Bar("bystander_ms_under_look", "<=", 20),
    Bar("held_after_slow_heads", "<=", 0),
    Bar("notes_ms_under_practice", "<=", 60),
    Bar("hall_places_one_household", "<=", 3),
    Bar("tries_over_limit", "<=", 0),
    Bar("flips_loaded_silently", "<=", 0),
    Bar("forgotten_left_on_disk", "<=", 0),
    Bar("tls_size_bits", "<=", 0.3),
    Bar("opened_by_wrong_clock", "<=", 0),
]
LABELS = {
    "disk_mb_per_s_one_household": "MB/s that one household adds to the disk, its first burst spent",
    "disk_burst_mb": "MB of that first burst",
    "bystander_ms_under_look": "ms of a bystander's ask while 20 sockets look at a long case, half of them",
    "held_after_slow_heads": "places held by 300 half-sent requests after 20 s",
    "sockets_one_household": "idle sockets of one household, of 1,000",
    "notes_ms_under_practice": "ms of another table's notes while 20 cookies practise, half of them",
    "notes_ms_under_bots": "the same while bots alone play at 60 tables",
    "hall_places_one_household": "places of the hall that 30 tables of one household take",
    "tries_admitted_by_rotation": "codes tried by rotating through 10,001 addresses",
    "tries_limit": "as many may be tried",
    "tries_over_limit": "tries beyond the limit, by rotation and at the door",
    "flips": "bits flipped in a database",
    "flips_loaded_silently": "of these: read with other content, without a word",
    "forgotten_left_on_disk": "name, words, notes, cookie found after `/api/forget`",
    "tls_size_bits": "bits that the sizes of frames tell of a card that is shown",
    "opened_by_wrong_clock": "running games opened by a clock 31 days ahead",
}
T = TypeVar("T")


def run(args: argparse.Namespace, figures: dict[str, float]) -> str:
    """Attack in every way, and fill the figures in."""
    seconds = AS_LONG * args.seconds
    with TemporaryDirectory(prefix="whodunit-flood-") as name, ExitStack() as stack:
        return Flood(Grounds(stack, Path(name)), Path(name), figures).lasted(seconds, args.flips)


class Flood:
    """All attacks, one after another: none is to feel another."""

    def __init__(self, grounds: Grounds, folder: Path, figures: dict[str, float]) -> None:
        self._grounds = grounds
        self._folder = folder
        self._figures = figures
        self._details: list[str] = []

    def lasted(self, seconds: float, flips: int) -> str:
        """Attack for so long each, and return what there is to say."""
        figures = self._figures
        grown = self._on(STORES, "disk", lambda where: flood_writes.poured(where, seconds))
        figures["disk_mb_per_s_one_household"] = max(each.mb_per_s for each in grown)
        figures["disk_burst_mb"] = max(each.burst_mb for each in grown)
        looked = self._on(STORES, "look", lambda where: flood_waits.looked(where, seconds))
        figures["bystander_ms_under_look"] = max(each.ms for each in looked)
        (places,) = self._on(STORES[:1], "doors", flood_doors.held)
        figures["held_after_slow_heads"] = places.held
        figures["sockets_one_household"] = places.idle
        (practice,) = self._on(STORES[:1], "practice", lambda where: flood_waits.practised(where, seconds))
        figures["notes_ms_under_practice"] = practice.ms
        (bots,) = self._on(STORES[:1], "bots", lambda where: flood_waits.played_by_bots(where, seconds))
        figures["notes_ms_under_bots"] = bots.ms
        halls = self._on(STORES, "hall", flood_writes.crowded)
        figures["hall_places_one_household"] = max(each.theirs for each in halls)
        rotated = self._told("tries", flood_doors.rotated())
        (at_the_door,) = self._on(STORES[:1], "tries", flood_doors.rotated_at_the_door)
        figures["tries_admitted_by_rotation"] = rotated.admitted
        figures["tries_limit"] = round(rotated.limit)
        figures["tries_over_limit"] = round(rotated.over + at_the_door.over)
        flipped = self._told("flips", flood_data.flipped(self._folder, flips))
        figures["flips"] = flipped.fates.total()
        figures["flips_loaded_silently"] = flipped.fates["silent"]
        left = self._on(STORES, "forgotten", flood_data.forgotten)
        figures["forgotten_left_on_disk"] = max(len(each.soon) for each in left)
        (sizes,) = self._on(STORES[:1], "sizes", flood_sizes.read_off)
        figures["tls_size_bits"] = sizes.bits
        opened = self._on(STORES, "clock", flood_data.opened_by_clock)
        figures["opened_by_wrong_clock"] = max(opened)
        return "\n".join(self._details)

    def _on(self, stores: Sequence[StoreKind], name: str, attack: Callable[[str], T]) -> list[T]:
        """Try an attack on a fresh house of each kind."""
        return [self._told(f"{name}, {store}", attack(self._grounds.new(store))) for store in stores]

    def _told(self, name: str, found: T) -> T:
        self._details.append(f"{name}: {found}")
        report.progress(self._details[-1])
        return found
