"""How a table stands in lists: what a store may know of it to find it again."""

import hashlib
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from whodunit.core.ports import Listing
from whodunit.room.clocks import next_act
from whodunit.room.room import Room, stage_of
from whodunit.table.table import Table

DATED_MS: Final = 24 * 60 * 60 * 1000
"""How wrong the date in a list may be: with every move it is not worth the writing."""


def digest(key: str) -> str:
    """Return what a store may know of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def listing_of(id: str, room: Room, table: Table | None, at: int, now: int) -> Listing:
    """Return how a table that last moved at `at` stands in lists."""
    keys = _digests((room.laid.code, *filter(None, map(room.key, range(len(room.chairs))))))
    shown, stage = room.laid.public and not room.withdrawn, stage_of(table)
    household = room.laid.household if shown and stage == "gathering" else ""
    return Listing(id, stage, shown, room.people, keys, at, next_act(room, table, now), household)


def newly_listed(old: Listing | None, id: str, room: Room, table: Table | None, at: int, now: int) -> Listing | None:
    """Return how the table now stands in lists, or None if that has not changed, but for when it last moved."""
    new = listing_of(id, room, table, at, now)
    return None if old is not None and at - old.at < DATED_MS and replace(new, at=old.at) == old else new


@lru_cache
def _digests(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(digest, keys))
