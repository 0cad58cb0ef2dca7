"""Thoughts wait in a queue that is fair between tables, and processes are at work while any waits."""

import asyncio
import time

from whodunit.server.workers import Workers

BUSY = 6
"""So many thoughts a table wants at once."""


def test_a_table_that_wants_many_thoughts_keeps_no_other_waiting() -> None:
    ended: list[str] = []

    async def thought(workers: Workers, table: str) -> None:
        await workers.once(table, time.sleep, 0.02)
        ended.append(table)

    async def all_of_them() -> None:
        workers = Workers(1)
        try:
            await workers.once("busy", time.sleep, 0)  # the process is there
            many = [asyncio.ensure_future(thought(workers, "busy")) for _ in range(BUSY)]
            await asyncio.sleep(0)
            await thought(workers, "modest")
            await asyncio.gather(*many)
        finally:
            workers.close()

    asyncio.run(all_of_them())

    assert len(ended) == BUSY + 1
    assert ended.index("modest") <= 2  # behind the one that had begun, and perhaps one that came in between


def test_a_process_is_at_work_once_however_many_wait_for_it() -> None:
    async def scene() -> None:
        workers = Workers(1)
        try:
            assert workers.worked == 0
            await workers.once("a", time.sleep, 0)  # the process is there
            before, began = workers.worked, time.monotonic()
            await asyncio.gather(*(workers.once(f"{number}", time.sleep, 0.05) for number in range(4)))
            took = time.monotonic() - began

            assert 0.2 <= workers.worked - before <= took
            assert workers.seconds > took  # they waited for one another
            now = workers.worked
            await asyncio.sleep(0.01)
            assert workers.worked == now
        finally:
            workers.close()

    asyncio.run(scene())
