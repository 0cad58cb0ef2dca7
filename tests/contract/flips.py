"""A house's database with one bit turned, and what becomes of all that is read from it: a part of test_damage.py."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from whodunit.core.errors import Damaged, NotStored
from whodunit.core.ports import NEVER, Leaf, Listing, Notes, Record
from whodunit.core.types import Blob
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_schema import BadDatabase

TABLES: Final = 60
PEOPLE: Final = 25
STAGES: Final = ("gathering", "playing", "over")


async def furnish(path: Path, sizes: tuple[int, ...] = (8, 20, 60), blob: int = 100) -> None:
    """Store tables of every kind: long and short streams, blobs, listings that were replaced.

    Small bodies: then most bits are those by which SQLite and we find things.
    """
    dice = random.Random(5)  # noqa: S311  (the same each time)
    store = SqliteStore(path)
    for number in range(TABLES):
        table = f"table{number:03}{dice.getrandbits(32):08x}"
        people = tuple(f"person{one:02}" for one in dice.sample(range(PEOPLE), dice.randrange(1, 6)))
        for turn in range(dice.randrange(1, 30)):
            body = dice.randbytes(dice.choice(sizes))
            seq = 2 * turn + 1  # records of two entries each, of both streams at once
            records = [Record("case", seq, seq + 1, body), Record("room", turn + 1, turn + 1, body[::-1])]
            blobs = [Blob(f"blob{turn}", "audio/flac", dice.randbytes(blob))] if number % 7 == 0 else []
            due = dice.randrange(10**12) if number % 3 else None
            keys = (f"key{number}", f"{number}key")
            listing = Listing(
                table, STAGES[number % 3], number % 2 == 0, people[: turn + 1], keys, 10**12 + 50 * number + turn, due
            )
            await store.append(table, records, blobs, listing)
            if number % 5 == 0:
                await store.keep_notes(table, Notes(0, turn + 1, body))
            if STAGES[number % 3] == "over":
                await store.keep_review(table, f"version {turn}", "whole", body)
                await store.keep_review(table, "version", "0", body)
            if number % 4 == 0:
                await store.keep_leaf(Leaf("case", table, "", turn + 1, body=body))
                await store.keep_leaf(Leaf("try", table, people[0], turn + 1, turn % 2 == 0, body))
                await store.keep_leaf(Leaf("try", table, f"guest{turn}", 1, turn % 3 > 0, body))
    await store.close()


async def _attempt(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    try:
        return await work()
    except Damaged as damage:
        return "damaged" if damage.table in str(damage) else f"strange: {damage}"
    except NotStored as error:
        return "malformed" if "malformed" in str(error) or "not a database" in str(error) else f"strange: {error}"


async def told(path: Path, tables: list[str]) -> dict[str, Any] | str:
    """Return all that a store says about these tables, and in all its lists; or why it does not open."""
    try:
        store = SqliteStore(path)
    except BadDatabase as error:
        return str(error)
    try:
        said: dict[str, Any] = {
            "leaves of the house": await _attempt(lambda: store.leaves("case")),
            "left out": {*store._damaged.values()},
            "gathering": await _attempt(store.gathering),
            "unfinished": await _attempt(lambda: store.unfinished(NEVER)),
            "due": await _attempt(lambda: store.due(NEVER)),
        }
        for number in range(PEOPLE):
            said[f"of {number}"] = await _attempt(lambda: store.of_person(f"person{number:02}"))  # noqa: B023  (awaited)
            said[f"leaves of {number}"] = await _attempt(lambda: store.leaves_of_person(f"person{number:02}"))  # noqa: B023
        for number in range(TABLES):
            for key in (f"key{number}", f"{number}key"):
                said[f"opened by {key}"] = await _attempt(lambda: store.opened_by(key))  # noqa: B023  (awaited)
        for table in tables:
            for stream in ("case", "room"):
                said[f"{stream} of {table}"] = await _attempt(lambda: store.read(table, stream))  # noqa: B023  (awaited)
            said[f"notes of {table}"] = await _attempt(lambda: store.notes(table))  # noqa: B023  (awaited)
            # Where nothing is kept it is made again: nobody loses anything.
            kept = await _attempt(lambda: store.review(table, "version", "0"))  # noqa: B023  (awaited)
            said[f"review of {table}"] = kept or "damaged"
            said[f"leaf of {table}"] = await _attempt(lambda: store.leaf("case", table))  # noqa: B023  (awaited)
            said[f"leaves on {table}"] = await _attempt(lambda: store.leaves_of_item("try", table))  # noqa: B023
            said[f"count of {table}"] = await _attempt(lambda: store.count_leaves("try", table))  # noqa: B023
            for turn in (0, 3, 29):
                said[f"try {turn} of {table}"] = await _attempt(lambda: store.leaf("try", table, f"guest{turn}"))  # noqa: B023
                said[f"blob {turn} of {table}"] = await _attempt(lambda: store.blob(table, f"blob{turn}"))  # noqa: B023
        said["leaves left out"] = {*store._sound_leaves.named}
    finally:
        await store.close()
    return said


def tables_of(path: Path) -> list[str]:
    async def scene() -> list[str]:
        store = SqliteStore(path)
        everyone = [await store.of_person(f"person{number:02}") for number in range(PEOPLE)]
        await store.close()
        return sorted({listing.table for each in everyone for listing in each})

    return asyncio.run(scene())


def _without(found: Any, lost: set[Any]) -> Any:
    """Leave out of a list the tables that were named as damaged when the house opened, and leaves as it was read."""
    if not lost or not found or not isinstance(found, list):
        return found
    if isinstance(found[0], Leaf):
        return [leaf for leaf in found if (leaf.shelf, leaf.item) not in lost]
    return [one for one in found if (one.table if isinstance(one, Listing) else one[1]) not in lost]


def verdict(true: dict[str, Any], said: dict[str, Any] | str) -> tuple[str, list[str]]:
    """Say how a damaged file fared, and what it says otherwise without a word."""
    if isinstance(said, str):
        return f"does not open: {said.rpartition(':')[2]}", []
    lists = ("gathering", "unfinished", "due")
    silent, named = [], 0
    for what, before in true.items():
        lost = said["left out"] if what in lists else said["leaves left out"] if "leaves" in what else set()
        if "left out" in what or _without(said[what], lost) == _without(before, lost):
            continue
        if said[what] in ("damaged", "malformed"):
            named += 1
        else:
            silent.append(what)
    if silent:
        return "silent", silent
    return ("named" if named or said["left out"] or said["leaves left out"] else "same"), []


def survey(path: Path, flips: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Turn one bit after the other, each in a fresh copy, and count how the copies fare."""
    tables = tables_of(path)
    true = asyncio.run(told(path, tables))
    assert isinstance(true, dict)
    whole, dice = path.read_bytes(), random.Random(seed)  # noqa: S311  (the same each time)
    copy = path.with_name("flipped.db")
    fates: Counter[str] = Counter()
    silent: list[str] = []
    for _ in range(flips):
        at = dice.randrange(len(whole) * 8)
        data = bytearray(whole)
        data[at // 8] ^= 1 << at % 8
        for end in ("-wal", "-shm"):
            copy.with_name(copy.name + end).unlink(missing_ok=True)
        copy.write_bytes(data)
        fate, changed = verdict(true, asyncio.run(told(copy, tables)))
        fates[fate] += 1
        if changed:
            silent.append(f"bit {at % 8} of byte {at // 8} (page {at // 8 // 4096 + 1}): {changed[:3]}")
    return fates, silent
