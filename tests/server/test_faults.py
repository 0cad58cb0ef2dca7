"""What fails for a moment stops nothing for good: not the hall, not the bots, not the sweeper, not the way out."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.server.sites import SALT, FakeClock, Here, Parlour, opened, pass_time, settle, terms_of
from tests.server.worlds import begun
from whodunit.core.errors import NotStored
from whodunit.core.ports import HALL, Listing, Record
from whodunit.games.perfect_alibi.model import PickAssistant
from whodunit.host.host import Host
from whodunit.host.timers import RETRY_MS
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room.pace import TEMPI
from whodunit.server import app, clips, housekeeping, lobby, workers
from whodunit.server.bot_runner import LONGEST_RETRY_MS, URGE_MS, Runner
from whodunit.server.clock_watch import ClockWatch
from whodunit.server.fair_queue import Claim
from whodunit.server.serve import Discreet, Settings, _serve


class Flaky(MemoryStore):
    """Does not answer the next few times."""

    mute = 0
    answered = 0

    def _answer(self) -> None:
        if self.mute:
            self.mute -= 1
            raise NotStored("the database does not answer")
        self.answered += 1

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        self._answer()
        return await super().read(table, stream, after)

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        self._answer()
        return await super().gathering(after, each)


# --- The hall ------------------------------------------------------------------------------------------------------


def test_the_hall_is_told_once_the_database_answers_again() -> None:
    async def scene() -> None:
        store = Flaky()
        async with Parlour(store, haste=0) as parlour:
            ada, bob = parlour.page("ada"), parlour.page("bob")
            await ada.ask("watch_lobby")
            store.mute = 1
            table = (await bob.ask("create_table", **terms_of(public=True)))["table"]
            async with asyncio.timeout(10):
                while [each["table"] for each in ada.told.last["lobby"]["open"]] != [table]:  # noqa: ASYNC110  (until it is told)
                    await asyncio.sleep(0.01)

    asyncio.run(scene())


def test_a_table_that_cannot_be_read_is_missing_in_the_hall_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        store = MemoryStore()
        rubbish = Listing("bad", "gathering", public=True, people=("ada",), keys=(), at=2**52)
        await store.append("bad", [Record("room", 1, 1, b"rubbish")], (), rubbish)
        async with Parlour(store, haste=0) as parlour:
            ada, bob = parlour.page("ada"), parlour.page("bob")
            table = (await bob.ask("create_table", **terms_of(public=True)))["table"]
            for _ in range(2):
                await ada.ask("watch_lobby")

            assert [each["table"] for each in ada.told.last["lobby"]["open"]] == [table]
            assert ada.told.last["lobby"]["mine"] == []

    asyncio.run(scene())
    assert [record.message for record in caplog.records] == ["the table bad cannot be read"]


def test_a_hall_that_broke_is_closed_like_any_other() -> None:
    async def scene() -> None:
        parlour = Parlour(haste=0)
        await parlour.page("ada").ask("watch_lobby")

        async def broken() -> None:
            raise ValueError("what is Rope?")

        parlour.lobby._tasks.append(asyncio.ensure_future(broken()))
        await settle()
        await parlour.close()

    asyncio.run(scene())


def test_one_round_that_fails_is_not_the_last(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with Parlour(haste=0) as parlour:
            ada, bob = parlour.page("ada"), parlour.page("bob")
            await ada.ask("watch_lobby")
            tell, parlour.lobby._tell = parlour.lobby._tell, fails  # type: ignore[method-assign]
            await bob.ask("create_table", **terms_of(public=True))
            await settle()
            assert ada.told.last["lobby"]["open"] == []
            parlour.lobby._tell = tell  # type: ignore[method-assign]
            await bob.ask("create_table", **terms_of(public=True))
            await settle()
            assert len(ada.told.last["lobby"]["open"]) == 2

    async def fails() -> None:
        raise ValueError("a bug")

    asyncio.run(scene())
    assert "a round through the hall failed" in caplog.text


class Deaf(MemoryBus):
    """Cannot be listened to at first."""

    deaf = 1

    def listen(self, table: str) -> AsyncIterator[int]:
        if table == HALL and self.deaf:
            self.deaf -= 1
            raise ValueError("a bug")
        return super().listen(table)


def test_a_hall_that_could_not_hear_other_nodes_hears_them_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), Deaf()
        async with Parlour(store, bus, haste=0) as one, Parlour(store, bus, haste=0) as two:
            ada = one.page("ada")
            await ada.ask("watch_lobby")
            await settle()
            table = (await two.page("bob").ask("create_table", **terms_of(public=True, chairs=[None] * 3)))["table"]
            await two.page("cleo").ask("sit_down", table=table, seat=1, name="Cleo", salt=SALT)
            async with asyncio.timeout(10):
                while [each["table"] for each in ada.told.last["lobby"]["open"]] != [table]:  # noqa: ASYNC110  (until it is told)
                    await asyncio.sleep(0.01)

    monkeypatch.setattr(lobby, "DEAF_S", 0)
    asyncio.run(scene())
    assert "the hall hears no other node" in caplog.text


# --- The sweeper ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [NotStored, ValueError])
def test_a_sweep_of_which_every_step_fails_is_followed_by_the_next(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    def failing(step: str) -> Callable[..., None]:
        def fail(*_: object) -> None:
            done.append(step)
            raise error("what is Rope?")

        return fail

    async def scene() -> None:
        async with opened() as house:
            house.site._sweeper.cancel()  # type: ignore[union-attr]
            site = house.site
            for part, step in ((site.wakeups, "wake_due"), (site.feeds, "sweep"), (site.notices, "sweep")):
                monkeypatch.setattr(part, step, failing(f"{type(part).__name__}.{step}"))
            monkeypatch.setattr(site.workers, "keep", failing("keep"))
            monkeypatch.setattr(site.clock_watch, "look", failing("look"))
            monkeypatch.setattr(site.health, "faults", failing("faults"))
            monkeypatch.setattr(ClockWatch, "is_vouched", True)
            monkeypatch.setattr(housekeeping, "clear_hall", failing("clear_hall"))
            monkeypatch.setattr(housekeeping, "close_unfinished", failing("close_unfinished"))
            monkeypatch.setattr(clips, "drop_old", failing("drop_old"))
            sweeper = asyncio.ensure_future(site._sweep())
            await settle()
            sweeper.cancel()

    monkeypatch.setattr(app, "SWEEP_S", 0)
    monkeypatch.setattr(app, "HOURLY", 1)
    asyncio.run(scene())
    minutely = ("Wakeups.wake_due", "Feeds.sweep", "Notices.sweep", "keep", "look", "faults", "clear_hall")
    steps = (*minutely, "drop_old", "close_unfinished")
    assert tuple(done[: 2 * len(steps)]) == steps * 2
    assert "the sweep of wakeups" in caplog.text


# --- Bots ----------------------------------------------------------------------------------------------------------


def test_a_bot_that_could_not_be_told_what_happened_moves_later() -> None:
    async def scene() -> None:
        store = Flaky()
        async with Parlour(store) as parlour:
            ada = parlour.page("ada")
            terms = terms_of(chairs=[None, "random", "random"], options={"starter": 1})
            table = (await ada.ask("create_table", **terms))["table"]
            await ada.ask("watch_table", table=table)
            store.mute = 1
            await ada.ask("start", table=table)
            await settle()
            seq = ada.told.seq
            assert store.mute == 0
            await parlour.pass_time(10 * RETRY_MS)

            assert ada.told.seq > seq

    asyncio.run(scene())


def test_a_bot_that_could_interrupt_is_asked_again() -> None:
    async def scene() -> None:
        clock, store = FakeClock(), Flaky()
        host = Host(store, MemoryBus(), clock)
        levels = (None, None, "rookie")
        live = await begun(host, ("ann", "ben"), game="perfect_alibi", seats=3, levels=levels, options={})
        for assistant in ("Captain", "Priest", "Journalist"):
            assert live.table is not None
            (seat,) = live.table.awaiting
            await host.moves.act(live, seat, live.table.offers[seat][0].since, PickAssistant(assistant))
        runner = Runner(host, Here(), b"seed")
        live.pages[0] += 1
        store.mute = 1
        watching, answered = asyncio.ensure_future(runner._watch(live)), store.answered
        await settle()
        assert (store.mute, store.answered) == (0, answered)
        await pass_time(clock, TEMPI["normal"].beat + RETRY_MS)
        assert store.answered > answered
        await pass_time(clock, 9000 + URGE_MS)
        await watching
        await runner.close()
        await host.close()

    asyncio.run(scene())


class Failing(Here):
    """Fails so many times."""

    left = 6

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        if self.left:
            self.left -= 1
            raise RuntimeError("what is Rope?")
        return await super().run(table, work, job, claim)


@pytest.mark.parametrize("game", ["clue", "perfect_alibi"])
def test_bots_are_tried_again_whatever_has_stopped_them(game: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        thinking = Failing()
        async with Parlour(workers=thinking) as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], game=game)
            await ada.ask("hand_over", table=table, level="random")
            seq = ada.told.seq
            for _ in range(2 * Failing.left):
                await parlour.pass_time(LONGEST_RETRY_MS)
            assert not thinking.left
            assert ada.told.seq > seq
            assert not parlour.runner._failures

    asyncio.run(scene())
    stopped = [record for record in caplog.records if "stopped" in record.message]
    assert 1 <= len(stopped) <= 2  # once for moves, and once for interrupts


def test_a_process_that_dies_is_replaced_once_however_many_thoughts_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ProcessPoolExecutor] = []
    honest = workers._pool

    def noted() -> ProcessPoolExecutor:
        made.append(honest())
        return made[-1]

    async def scene() -> list[Any]:
        thinking = workers.Workers(1)
        try:
            wishes = [thinking.once(f"table {number}", die_once, (tmp_path / "died", number)) for number in range(20)]
            return await asyncio.gather(*wishes)
        finally:
            thinking.close()

    monkeypatch.setattr(workers, "_pool", noted)
    assert asyncio.run(scene()) == [*range(20)]
    assert len(made) == 2


def die_once(job: tuple[Path, int]) -> int:
    """Kill the process that does this for the first time."""
    mark, number = job
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return number


# --- The log -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_what_nobody_waited_for_is_logged_without_its_message(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def bug(card: str) -> None:
        raise ValueError(card)

    async def scene() -> None:
        serving = asyncio.ensure_future(_serve(Settings(port=0, data=tmp_path, browser=False, lanes=1)))
        await asyncio.sleep(0)
        asyncio.ensure_future(bug("Rope"))  # noqa: RUF006  (nobody waits for it)
        await asyncio.sleep(0)
        gc.collect()
        asyncio.get_running_loop().call_exception_handler({"message": "Task was destroyed but it is pending!"})
        signal.raise_signal(signal.SIGTERM)
        await serving

    asyncio.run(scene())
    told = [Discreet("%(message)s").format(bare(record)) for record in caplog.records]
    assert len(told) == 2
    assert told[0].endswith("in bug\n    raise ValueError(card)\nValueError")
    assert "Rope" not in told[0]
    assert told[1] == "Task was destroyed but it is pending!"


def bare(record: logging.LogRecord) -> logging.LogRecord:
    """Return a record as it was before pytest's own formatter added to it."""
    record.exc_text = None
    return record


def test_an_error_that_is_its_own_cause_is_told_once() -> None:
    try:
        error = ValueError("what is Rope?")
        raise error from error
    except ValueError:
        record = logging.LogRecord("house", logging.ERROR, __file__, 1, "it failed", None, sys.exc_info())

    assert Discreet("%(message)s").format(record).count("ValueError\n") <= 1
