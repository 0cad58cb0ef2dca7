"""Processes that think for a server, and no longer than it: what goes where, in a queue that is fair between tables."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from whodunit.server import workers as server_workers
from whodunit.server.case_work import make, prove
from whodunit.server.fair_queue import Claim, Stake
from whodunit.server.reviewing import open_case, read_on
from whodunit.server.thoughts import Filed, Glance, Ponder, Seen, Think, exercise, glance, hinted, ponder, think
from whodunit.server.workers import Process, Workers

PATIENCE_S = 20
BUSY = 6
"""So many thoughts a table wants at once."""
SERVER = """
import os, time
from whodunit.server.workers import _pool

if __name__ == "__main__":
    lane = _pool()
    print(lane.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def alive(process: int) -> bool:
    """Say whether a process is there and has not ended: whoever inherits it may not have looked after it yet."""
    try:
        os.kill(process, 0)
        # Where there is no /proc, one that has ended is there until it is looked after.
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()


def test_a_worker_does_not_outlive_a_server_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert alive(worker)
        server.kill()
    deadline = time.monotonic() + PATIENCE_S
    while alive(worker):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_case_is_made_in_a_process_of_its_own_that_ends_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        workers = Workers(1)
        try:
            first = await workers.make_case(process, None)
            assert not alive(first)
            second = await workers.make_case(process, None)
            assert first != second
            assert second != await workers.practise(process, None, Claim())
            monkeypatch.setattr(server_workers, "MAKING_S", 1.0)
            with pytest.raises(TimeoutError):
                await workers.make_case(time.sleep, 60)
            monkeypatch.setattr(server_workers, "MAKING_S", 60.0)
            assert not alive(await workers.make_case(process, None))
        finally:
            workers.close()

    asyncio.run(scene())


def process(_: object) -> int:
    return os.getpid()


class Places(Workers):
    """Notes where each work is to be done, and does none."""

    def __init__(self) -> None:
        super().__init__(2)
        self.went: list[Process] = []

    async def _queued(self, process: Process, work: Callable[[Any], Any], job: Any) -> Any:
        self.went.append(process)
        return work.__name__, job


def test_bots_and_notes_and_checks_and_practice_and_reviews_and_cases_never_wait_for_one_another() -> None:
    """Who waits for a bot's thought would learn how long it takes."""

    async def scene() -> None:
        workers = Places()
        tables = [f"table {number}" for number in range(50)]
        for table in tables:
            await workers.run(table, think, Think(Seen(table, "clue", 0, 0, ()), "rookie", b"", certified=True))
            await workers.decide(table, print)
        bots, workers.went = {*workers.went}, []
        for table in tables:
            await workers.run(table, ponder, Ponder(Seen(table, "clue", 0, 0, ()), "logic"))
            await workers.run(table, glance, Glance(table, 1, "all"))
            for work in (ponder, hinted):
                await workers.once(table, work, None)
        notes, workers.went = {*workers.went}, []
        await workers.check(cast(Filed, None))
        await workers.prove_case(prove, None)
        aside, workers.went = {*workers.went}, []
        await workers.file(cast(Filed, None))
        await workers.practise(exercise, None, Claim(Stake.SPARE))
        spare, workers.went = {*workers.went}, []
        await workers.review(open_case, None, Claim(Stake.SPARE))
        await workers.review(read_on, None, Claim(Stake.SPARE))
        reviews, workers.went = {*workers.went}, []
        await workers.make_case(make, None)
        cases = {*workers.went}

        assert [len(lanes) for lanes in (bots, notes, aside, spare, reviews, cases)] == [2, 2, 1, 1, 1, 1]
        assert len(bots | notes | aside | spare | reviews | cases) == workers.size == 8

    asyncio.run(scene())


def test_a_tables_thoughts_go_to_one_pool() -> None:
    async def scene() -> None:
        workers = Places()
        for _ in range(3):
            await workers.decide("table", print)
        assert len({*workers.went}) == 1

    asyncio.run(scene())


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


def slept(job: float) -> float:
    time.sleep(job)
    return job


def test_a_household_that_asks_without_pause_keeps_nobody_else_waiting() -> None:
    """Twenty cookies of one address, and somebody at another."""
    ended: list[str] = []

    async def thought(workers: Workers, household: str, person: str) -> None:
        claim = Claim(Stake.PERSON, frozenset({household}), person)
        await workers.once("table", time.sleep, 0.01, claim)
        ended.append(household)

    async def scene() -> None:
        workers = Workers(1)
        try:
            await workers.once("table", time.sleep, 0)  # the process is there
            flood = [asyncio.ensure_future(thought(workers, "flood", f"cookie {number}")) for number in range(20)]
            await asyncio.sleep(0)
            for _ in range(3):
                await thought(workers, "modest", "bob")
            await asyncio.gather(*flood)
        finally:
            workers.close()

    asyncio.run(scene())
    assert [place for place, household in enumerate(ended) if household == "modest"][-1] <= 8


def test_what_nobody_waits_for_any_more_still_has_its_process_for_itself() -> None:
    """Else whoever asks and leaves, again and again, would fill the process with what counts for nobody."""

    async def scene() -> None:
        workers = Workers(1)
        process = workers._notes[0]
        try:
            await workers.once("table", time.sleep, 0)
            for _ in range(3):
                left = asyncio.ensure_future(workers.once("table", slept, 0.05))
                await asyncio.sleep(0.01)
                left.cancel()
            assert process._pool is not None
            assert len(process._pool._pending_work_items) <= 1
            assert await workers.once("table", slept, 0.0) == 0.0
        finally:
            workers.close()

    asyncio.run(scene())


# --- Processes that cannot be started --------------------------------------------------------------------------------


def stillborn(births: Path) -> None:
    """End the process at its start, three times."""
    died = len([*births.iterdir()])
    if died < 3:
        (births / f"{died}").touch()
        os._exit(1)


def test_a_process_that_ends_at_its_start_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pool() -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=context, initializer=stillborn, initargs=(tmp_path,))

    async def scene() -> None:
        workers = Workers(1)
        try:
            assert await asyncio.gather(*(workers.once(f"{number}", slept, 0.0) for number in range(5))) == [0.0] * 5
            assert workers.fault() is None
        finally:
            workers.close()

    monkeypatch.setattr(server_workers, "_pool", pool)
    monkeypatch.setattr(server_workers, "PATIENCE_S", 60.0)  # however slow the machine is
    asyncio.run(scene())
    assert len([*tmp_path.iterdir()]) == 3


CROWDED = """
import asyncio, os, resource
import pytest
from tests.server.client import Refused
from tests.server.sites import opened, terms_of
from whodunit.server import workers

workers.PATIENCE_S = 0.2


async def until(holds):
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


async def main():
    async with opened() as house:
        page = await house.page()
        table = (await page.ask("create_table", **terms_of(chairs=[None, "random", "random"])))["table"]
        await page.ask("watch_table", table=table)
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        spare = os.dup(0)
        os.close(spare)
        resource.setrlimit(resource.RLIMIT_NOFILE, (spare, most))
        await page.ask("start", table=table)
        await page.ask("hand_over", table=table, level="random")
        await until(lambda: house.site.workers.fault())
        assert house.site.health.faults()
        with pytest.raises(Refused, match="overloaded"):
            await page.ask("notes", table=table)
        seq = page.told.seq
        resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))
        await until(lambda: page.told.seq > seq + 10)
        await until(lambda: not house.site.health.faults())
        await page.ask("notes", table=table)
        print("went on", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_bots_play_on_when_a_machine_that_was_full_has_room_again(tmp_path: Path) -> None:
    """No process could be spawned when the table began: it was said in /health, refused to people, and tried again."""
    script = tmp_path / "crowded.py"
    script.write_text(CROWDED)
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])}
    done = subprocess.run([sys.executable, script], env=paths, capture_output=True, text=True, check=False, timeout=90)

    assert done.stdout == "went on\n", done.stderr
