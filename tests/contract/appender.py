"""Appends to a database until it is killed, and says what was acknowledged: a part of test_crash.py.

Begins anew, in a process of its own, with every line it reads: starting Python itself would be slower.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from whodunit.core.ports import Leaf, Listing, Record
from whodunit.core.types import Blob
from whodunit.infra.sqlite import SqliteStore

TABLES = ("red", "green", "blue")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # at once and whole, whenever the end comes


async def grow(store: SqliteStore, table: str) -> None:
    seq = len(await store.read(table, "case"))
    kept = await store.leaf("try", table, "Ann")
    version = kept.version if kept else 0
    while True:
        seq += 1
        body = b"%d " % seq * (seq * 97 % 2000)  # of every length, over several pages
        records = [Record("case", seq, seq, body), Record("room", seq, seq, body)]
        await store.append(
            table, records, [Blob(str(seq), "text/plain", body)], Listing(table, "playing", True, ("Ann",), at=seq)
        )
        version += 1
        await store.keep_leaf(Leaf("try", table, "Ann", version, done=seq % 2 > 0, body=body))
        say(f"{table} {seq}")


async def grow_all(path: Path) -> None:
    store = SqliteStore(path)
    await asyncio.gather(*(grow(store, table) for table in TABLES))


def main(path: Path) -> None:
    while sys.stdin.readline():
        child = os.fork()
        if not child:
            signal.alarm(20)  # a test that hangs helps nobody
            asyncio.run(grow_all(path))
        say(f"pid {child}")
        os.waitpid(child, 0)
        say(f"dead {child}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
