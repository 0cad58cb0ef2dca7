"""Connections and servers that end in mid-game: nothing is lost, nothing is told twice, nothing moves in time."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.client import Told
from tests.server.sites import FakeClock, Here, Page, Parlour, beyond, dice, opened, play, settle
from tests.server.test_away import asks
from tests.server.test_game import SHORT, gathered
from whodunit.infra.memory import MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.server.workers import Workers


def resumed(page: Page, old: Told) -> Page:
    """Let a page go on with what its predecessor was told, as a browser does: a gap or a repetition then fails."""
    page.told = old
    return page


@pytest.mark.parametrize("seed", range(5))
def test_whoever_reconnects_is_told_exactly_what_was_missed(seed: int) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["random", "random"])
            rng = dice(seed)
            constant = await parlour.watching("bob", table)  # his other device is never disconnected
            for _ in range(8):
                if constant.told.over:
                    break
                bob.close()
                seen = bob.told.seq
                await parlour.play([ada, constant], table, until=beyond(seen + rng.choice((0, 1, 9))))
                bob = resumed(parlour.page("bob"), bob.told)
                await bob.ask("watch_table", table=table, after=seen)
                missed = [frame for frame in bob.told.frames if b'"type":"table"' in frame][-1]
                assert f'"after":{seen},'.encode() in missed
                await parlour.play([ada, bob], table, until=beyond(seen + 12))

            assert bob.told.events == constant.told.events
            assert bob.told.table["view"] == constant.told.table["view"]
            assert bob.told.table["offers"] == constant.told.table["offers"]

    asyncio.run(scene())


def test_an_after_that_cannot_be_is_answered_with_everything() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob")
            for after in (-1, ada.told.seq + 1, 10**30):
                page = await parlour.watching("ada", table, after=after)
                assert page.told.table["after"] == 0
                assert page.told.events == ada.told.events

    asyncio.run(scene())


def test_sockets_that_break_over_and_over_lose_nothing(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(tmp_path, workers=thinkers) as house:
            table, ada, bob = await gathered(house, options={"max_turns": 16})
            await ada.ask("start", table=table)
            cookie = house.cookie()
            await house.post("/api/seat", {"key": bob.told.room["seat_key"]}, cookie)
            rng = dice(3)

            async def breaks() -> Told:
                told = Told()
                while not told.over:
                    page = await house.page(cookie)
                    page.told = told
                    await page.ask("watch_table", table=table, after=told.seq)
                    await asyncio.sleep(rng.random() / 20)
                    if rng.random() < 0.5:
                        assert page.ws._response.connection is not None
                        transport = page.ws._response.connection.transport
                        assert transport is not None
                        transport.abort()
                    await page.close()
                return told

            told, _ = await asyncio.gather(breaks(), play([ada, bob], table))

            assert told.events == bob.told.events
            assert told.table["view"] == bob.told.table["view"]

    asyncio.run(scene())


# --- The server begins anew ------------------------------------------------------------------------------------------


def holds(told: Told, what: str) -> bool:
    """Say whether the seat is asked, and has this to choose from."""
    if not asks(1)(told):
        return False
    choices = told.table["offers"][0]["choices"]
    return what == ("pass" if not choices else "one" if len(choices["card"]["of"]) == 1 else "several")


@pytest.mark.parametrize("what", ["pass", "one", "several"])
def test_a_restart_keeps_offers_answers_that_are_due_and_notes(what: str, tmp_path: Path) -> None:
    clock = FakeClock()
    path = tmp_path / "whodunit.sqlite"

    async def before() -> tuple[str, Told]:
        store = MemoryStore()
        async with Parlour(store, clock=clock) as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options={"starter": 0})
            await parlour.play([bob, ada], table, until=lambda told: holds(told, what))
            await bob.ask("mark", table=table, cell="Rope|0", mark="x")
            await bob.ask("jot", table=table, text="it was the butler")
            await bob.ask("watch_table", table=table)
        written = SqliteStore(path)
        await written.append(table, [*await store.read(table, "case"), *await store.read(table, "room")])
        for notes in await store.notes(table):
            await written.keep_notes(table, replace(notes, version=1))
        await written.close()
        return table, bob.told

    async def after(table: str, old: Told) -> None:
        async with Parlour(SqliteStore(path), clock=clock) as parlour:
            bob = await parlour.watching("bob", table)
            assert bob.told.table["offers"] == old.table["offers"]  # `since` and all
            assert bob.told.room["answer"] == old.room["answer"]
            assert (bob.told.room["marks"], bob.told.room["jotting"]) == ({"Rope|0": "x"}, "it was the butler")
            asked, due = bob.told.seq, clock.now() + old.room["answer"]["left_ms"]
            clock.move(due - 1)
            await asyncio.sleep(0.05)
            assert bob.told.seq == asked
            clock.move(due)
            while bob.told.seq == asked:  # noqa: ASYNC110  (a real disk takes a while)
                await asyncio.sleep(0.005)
            assert bob.told.events[asked]["at"] == due

    asyncio.run(after(*asyncio.run(before())))


def test_a_game_goes_on_after_a_restart_and_its_bots_stay_honest(tmp_path: Path, thinkers: Workers) -> None:
    kept: dict[str, Any] = {}

    async def before() -> None:
        async with opened(tmp_path, workers=thinkers) as house:
            table, ada, bob = await gathered(house, chairs=[None, None, "detective", "rookie"], options=SHORT)
            await ada.ask("start", table=table)
            await play([ada, bob], table, until=beyond(25))
            live = await house.site.host.get(table)
            kept.update(
                table=table, events=ada.told.events, people=live.room.chairs[0].people + live.room.chairs[1].people
            )
            assert not ada.told.over

    async def after() -> None:
        async with opened(tmp_path, workers=thinkers) as house:
            thinkers.keep(())  # the bots' own process is a new one, too
            table = kept["table"]
            signed = house.site.people._signed
            pages = [await house.page(f"{person}.{signed(person)}") for person in kept["people"]]
            for page in pages:
                await page.ask("watch_table", table=table)
            assert pages[0].told.events[: len(kept["events"])] == kept["events"]
            await play(pages, table)
            checked = await pages[0].ask("check_seal", table=table)

            assert [statement["ok"] for statement in checked["statements"]] == [True] * 5

    asyncio.run(before())
    asyncio.run(after())


def test_a_bots_certificate_holds_when_its_thought_was_for_nothing() -> None:
    async def scene() -> None:
        async with Parlour(workers=Here()) as parlour:
            options = {"starter": 0, "max_turns": 20}
            table, (ada,) = await parlour.table("ada", bots=["rookie", "rookie"], options=options)
            rng, undone = dice(3), 0
            while not ada.told.over:
                seq = ada.told.seq
                await parlour.play([ada], table, until=beyond(seq), seed=rng.randrange(99))
                await settle()  # whoever comes next has thought already
                if ada.told.table["may_undo"] and rng.random() < 0.7:
                    undone += 1
                    await ada.ask("undo", table=table)
            checked = await ada.ask("check_seal", table=table)

            assert undone > 3
            assert [statement["ok"] for statement in checked["statements"]] == [True] * 5

    asyncio.run(scene())


def test_whoever_leaves_while_being_told_anew_has_left() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", bots=["random"])
            live = await parlour.host.get(table)
            async with live.lock:  # as while a move is being stored
                telling = asyncio.create_task(parlour.feeds.watch(ada, live, 0))
                await settle()
                await ada.ask("leave_table", table=table)
            told = len(ada.told.frames)
            await telling

            assert len(ada.told.frames) == told
            assert live.pages[0] == 0
            await parlour.pass_time(10_000)
            assert live.room.chairs[0].away

    asyncio.run(scene())
