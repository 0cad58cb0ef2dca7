"""What version 0.1.0 stored opens, folds and goes on: a database with questions in the air, and a case file.

Both were written by that version itself, and what it would have done next stands beside them.
"""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

import whodunit
from tests.server.client import Refused
from tests.server.sites import FakeClock, Parlour
from whodunit.core.types import Undone
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus
from whodunit.infra.sqlite import SqliteStore
from whodunit.review import review
from whodunit.review.verdict import encoded
from whodunit.room.entries import Abandoned
from whodunit.server.history import filed
from whodunit.server.reviews import version_of
from whodunit.server.thoughts import unfiled
from whodunit.table.verify import verify

OLD: Final = Path(__file__).parent / "old"
TOLD: Final[dict[str, Any]] = json.loads((OLD / "0.1.0.json").read_text())
TABLES: Final[dict[str, dict[str, Any]]] = TOLD["tables"]
PATIENCE_S: Final = 10.0


async def opened(folder: Path, name: str) -> tuple[Host, FakeClock, Live]:
    """Open a copy of the database as the house left it, and return the table of this name."""
    path = folder / "whodunit.sqlite"
    shutil.copy(OLD / "0.1.0.sqlite", path)
    clock = FakeClock(TOLD["now"])
    host = Host(SqliteStore(path), MemoryBus(), clock)
    return host, clock, await host.get(TABLES[name]["table"])


async def moved(live: Live, clock: FakeClock, until: int) -> None:
    """Let time pass until the table has moved on, or this moment has come; the disk takes time of its own."""
    table, deadline = live.table, asyncio.get_running_loop().time() + PATIENCE_S
    while live.table is table and clock.now() < until:
        clock.move(min(until, clock.next or until))
        while live.lock.locked() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110  (a thread works)
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_then_stands_as_it_stood(name: str, tmp_path: Path) -> None:
    async def scene() -> None:
        host, _, live = await opened(tmp_path, name)
        assert live.table is not None
        assert (live.table.seq, list(live.table.asked)) == (TABLES[name]["seq"], TABLES[name]["asked"])
        batches = await host.batches(live)
        assert batches[-1].last == live.table.seq
        if name == "a question taken back":
            assert isinstance(batches[-1].events[-1], Undone)
            assert live.table.awaiting == {live.table.state.on_turn}
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("name", [name for name, told in TABLES.items() if told["asked"]])
def test_an_answer_that_was_due_then_is_given_now(name: str, tmp_path: Path) -> None:
    """By habit, as chosen, or the only one there is; who is waited for now answers when they like."""

    async def scene() -> None:
        host, clock, live = await opened(tmp_path, name)
        assert live.table is not None
        (seat,), gives = live.table.asked, TABLES[name]["gives"]
        due, table = live.room.chairs[seat].due, live.table
        assert due is not None
        await moved(live, clock, due.at + 5000)
        if gives is None:
            assert live.table is table
            offer = next(offer for offer in table.offers[seat] if offer.action in live.game.INFO.answers)
            await asyncio.wait_for(host.answering.select(live, seat, due.since, offer.at(0)), PATIENCE_S)
            gives = json.loads(encode(offer.at(0)))
        batch = (await host.batches(live, table.seq))[0]
        assert batch.cause is not None
        assert (batch.cause.seat, json.loads(encode(batch.cause.action))) == (seat, gives)
        await host.close()

    asyncio.run(scene())


@pytest.mark.parametrize("name", ["a choice made", "a question taken back"])
def test_a_game_of_then_that_is_closed_now_is_reviewed_as_any_other(name: str, tmp_path: Path) -> None:
    async def scene() -> None:
        path = tmp_path / "whodunit.sqlite"
        shutil.copy(OLD / "0.1.0.sqlite", path)
        async with Parlour(SqliteStore(path), clock=FakeClock(TOLD["now"])) as parlour:
            live = await parlour.host.get(TABLES[name]["table"])
            page = parlour.page("somebody who looks on")
            with pytest.raises(Refused, match="still_open"):
                await page.ask("read_review", table=live.id, viewer=0)
            await parlour.host.writer.note(live, lambda _: [Abandoned(at=parlour.clock.now())])
            made = review(unfiled(await filed(parlour.host, live)))
            for seat, part in made.seats.items():
                assert await page.ask("read_review", table=live.id, viewer=seat) == json.loads(encoded(part))
            said = await page.ask("read_review", table=live.id, viewer="whole")
            assert said == json.loads(encoded(made.whole))
            kept = [await parlour.host.store.review(live.id, version_of(live.game), str(seat)) for seat in made.seats]
            assert None not in kept

    asyncio.run(scene())


def test_a_case_of_then_opens_and_verifies() -> None:
    case = whodunit.load(OLD / "0.1.0.case")

    assert case.outcome is not None
    assert all(said.holds is not False for said in verify(case))
