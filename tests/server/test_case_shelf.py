"""The shelf of cases: a day's are made ahead and kept; what is damaged is left out and named."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.contract.houses import postgres_store
from tests.server.client import Refused
from tests.server.puzzles import (
    CASE,
    DAY,
    DAY_MS,
    GAME,
    NOON,
    Making,
    clue,
    found_quickly,
    house,
    refusal,
    seen_to,
    solve,
    told,
    wrong,
)
from tests.server.sites import FakeClock, opened
from whodunit.cases.days import GENERATIONS
from whodunit.cases.puzzle import Puzzle, read, written
from whodunit.core.errors import NotStored
from whodunit.core.ports import Leaf
from whodunit.infra.memory import MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.server import case_shelf, case_work
from whodunit.server.attempts import begins_at, day_after
from whodunit.server.case_shelf import Shelf


@pytest.fixture(autouse=True)
def _found_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    found_quickly(monkeypatch)


# --- Made ahead -----------------------------------------------------------------------------------------------------


def test_a_new_house_has_cases_of_past_days_once_todays_are_there() -> None:
    async def scene() -> None:
        workers = Making()
        async with house(workers=workers) as parlour:
            past = Shelf(parlour.host.store, workers, parlour.clock.now, lambda: [GAME], back=2)
            past.see_to_days()
            assert past._task is not None
            await past._task
            assert workers.made == [f"{day_after(DAY, offset)}.{GAME}" for offset in (0, 1, -1, -2)]
            past.see_to_days()
            await past._task
            assert len(workers.made) == 4
            page = parlour.page("ada")
            assert [day["day"] for day in (await page.ask("read_archive"))["days"]] == [
                day_after(DAY, -1),
                day_after(DAY, -2),
            ]

    asyncio.run(scene())


def test_of_days_before_the_first_cases_there_are_none() -> None:
    async def scene() -> None:
        workers = Making()
        async with house(workers=workers, at=begins_at(GENERATIONS[0].since)) as parlour:
            first = Shelf(parlour.host.store, workers, parlour.clock.now, lambda: [GAME], back=2)
            first.see_to_days()
            assert first._task is not None
            await first._task
            assert [made[:10] for made in workers.made] == [GENERATIONS[0].since, day_after(GENERATIONS[0].since)]
            assert first.fault() is None

    asyncio.run(scene())


def test_today_and_tomorrow_are_made_once_and_read_again_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        for made in ([CASE, f"{day_after(DAY)}.{GAME}"], []):
            workers = Making()
            async with house(SqliteStore(tmp_path / "whodunit.sqlite"), workers=workers) as parlour:
                await seen_to(parlour)
                await seen_to(parlour)
                assert workers.made == made
                assert workers.proven == [CASE, f"{day_after(DAY)}.{GAME}"]
                today = await parlour.page("ada").ask("read_today")
                assert (today["day"], today["now"], today["next_at"]) == (DAY, NOON, NOON + DAY_MS // 2)
                assert (today["making"], today["fault"], today["streak"], today["best_streak"]) == (False, False, 0, 0)
                (card,) = today["cards"]
                assert card == {
                    "case": CASE,
                    "game": GAME,
                    "weekday": 3,
                    "heard": False,
                    "seats": clue(DAY).posed.seats,
                    "state": "new",
                    "turned": 0,
                    "total": clue(DAY).posed.total,
                    "guesses": 0,
                    "hints": 0,
                    "par": None,
                    "solved_here": 0,
                }

    asyncio.run(scene())


def test_at_midnight_nothing_is_to_be_computed() -> None:
    async def scene() -> None:
        workers = Making()
        async with house(workers=workers) as parlour:
            await seen_to(parlour)
            before = len(workers.made), len(workers.proven)
            parlour.clock.move(begins_at(day_after(DAY)))
            today = await parlour.page("ada").ask("read_today")
            assert today["day"] == day_after(DAY)
            assert [card["case"] for card in today["cards"]] == [f"{day_after(DAY)}.{GAME}"]
            await parlour.page("ada").ask("open_case", case=f"{day_after(DAY)}.{GAME}")
            assert (len(workers.made), len(workers.proven)) == before
            await seen_to(parlour)  # in the night the next one is
            assert workers.made[-1] == f"{day_after(DAY, 2)}.{GAME}"

    asyncio.run(scene())


def test_while_a_case_is_made_the_page_says_so_and_nothing_waits() -> None:
    async def scene() -> None:
        async with house() as parlour:
            page = parlour.page("ada")
            today = await page.ask("read_today")
            assert (today["cards"], today["making"], today["fault"]) == ([], True, False)
            assert await refusal(page, "open_case", case=CASE) == "no_case"

    asyncio.run(scene())


def test_what_is_kept_is_never_made_again() -> None:
    async def scene() -> None:
        store, older = MemoryStore(), clue(DAY, 5)
        assert older.posed != clue(DAY).posed
        await store.keep_leaf(Leaf("case", CASE, body=written(older)))
        async with house(store) as parlour:
            await seen_to(parlour)
            frame = await parlour.page("ada").ask("open_case", case=CASE)
            assert frame["given"] == told(older)["given"]
            leaf = await store.leaf("case", CASE)
            assert leaf is not None
            assert (leaf.version, leaf.body) == (1, written(older))

    asyncio.run(scene())


def test_of_two_nodes_both_have_the_case_that_was_kept_first(database: str) -> None:
    async def scene() -> None:
        stores = [await postgres_store(database, name) for name in ("here", "there")]
        houses = [house(store) for store in stores]
        await asyncio.gather(*map(seen_to, houses))
        pages = [parlour.page("ada") for parlour in houses]
        frames = [await page.ask("open_case", case=CASE) for page in pages]
        assert frames[0] == frames[1]
        turned = await asyncio.gather(
            *(page.ask("turn_line", case=CASE, turned=1) for page in pages), return_exceptions=True
        )
        reasons = [one.reason for one in turned if isinstance(one, Refused)]
        assert reasons == ["stale"]  # one was slower
        assert [(await page.ask("open_case", case=CASE))["turned"] for page in pages] == [2, 2]
        for parlour in houses:
            await parlour.close()

    asyncio.run(scene())


# --- The archive ----------------------------------------------------------------------------------------------------


def test_past_days_stay_and_can_be_played_31_at_a_time() -> None:
    async def scene() -> None:
        store = MemoryStore()
        days = [day_after(DAY, -number) for number in range(1, 41)]
        for day in days:
            await store.keep_leaf(Leaf("case", f"{day}.{GAME}", body=written(clue(day))))
        async with house(store) as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            first = await page.ask("read_archive")
            assert [day["day"] for day in first["days"]] == days[:31]
            rest = await page.ask("read_archive", before=first["days"][-1]["day"])
            assert [day["day"] for day in rest["days"]] == days[31:]
            assert [card["case"] for card in rest["days"][0]["cards"]] == [f"{days[31]}.{GAME}"]
            assert (await page.ask("read_archive", before="2030-01-01")) == first
            assert (await page.ask("read_archive", before=days[-1]))["days"] == []
            frame = await solve(page, f"{days[2]}.{GAME}")
            assert frame["state"] == "solved"
            archive = await page.ask("read_archive")
            assert [day["cards"][0]["state"] for day in archive["days"][:4]] == ["new", "new", "solved", "new"]
            assert (await page.ask("read_today"))["streak"] == 0

    asyncio.run(scene())


# --- What goes wrong ------------------------------------------------------------------------------------------------


def tampered(body: bytes) -> Iterator[bytes]:
    puzzle = read(body)
    yield b"rubbish"
    yield written(replace(puzzle, answer=wrong(puzzle)))
    yield written(replace(puzzle, par=puzzle.par - 1))
    yield written(clue("2026-11-03"))
    yield written(replace(puzzle, posed=replace(puzzle.posed, lines=puzzle.posed.lines[:1])))


@pytest.mark.parametrize("number", range(5))
def test_a_tampered_case_is_refused_by_name_and_nothing_else_is(number: int, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        store, body = MemoryStore(), [*tampered(written(clue(DAY)))][number]
        await store.keep_leaf(Leaf("case", CASE, body=body))
        workers = Making()
        async with house(store, workers=workers) as parlour:
            await seen_to(parlour)
            await seen_to(parlour)
            page = parlour.page("ada")
            today = await page.ask("read_today")
            assert (today["cards"], today["making"], today["fault"]) == ([], False, True)
            assert await refusal(page, "open_case", case=CASE) == "case_damaged"
            fault = parlour.cases.shelf.fault()
            assert fault is not None
            assert CASE in fault
            assert CASE in caplog.text
            assert workers.made == [f"{day_after(DAY)}.{GAME}"]  # it is not silently replaced
            leaf = await store.leaf("case", CASE)
            assert leaf is not None
            assert leaf.body == body
            parlour.clock.move(begins_at(day_after(DAY)))
            today = await page.ask("read_today")
            assert len(today["cards"]) == 1
            assert (await page.ask("read_archive"))["fault"]

    asyncio.run(scene())


def test_where_the_miner_fails_there_is_the_archive_and_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_day: str, _game: str) -> Puzzle:
        raise ZeroDivisionError("Colonel Mustard")

    monkeypatch.setattr(case_work, "case_of", fail)

    async def scene() -> None:
        store, past = MemoryStore(), day_after(DAY, -1)
        await store.keep_leaf(Leaf("case", f"{past}.{GAME}", body=written(clue(past))))
        workers = Making()
        async with house(store, workers=workers) as parlour:
            await seen_to(parlour)
            await seen_to(parlour)
            assert len(workers.made) == 2
            page = parlour.page("ada")
            today = await page.ask("read_today")
            assert (today["cards"], today["making"], today["fault"]) == ([], False, True)
            archive = await page.ask("read_archive")
            assert (len(archive["days"]), archive["fault"]) == (1, False)
            assert "ZeroDivisionError" in (parlour.cases.shelf.fault() or "")
            monkeypatch.setattr(case_work, "case_of", lambda day, _game: clue(day))
            parlour.clock.move(NOON + case_shelf.AGAIN_MS)
            await seen_to(parlour)
            today = await page.ask("read_today")
            assert (len(today["cards"]), today["fault"], parlour.cases.shelf.fault()) == (1, False, None)

    asyncio.run(scene())


def test_what_was_made_and_could_not_be_kept_is_not_made_twice() -> None:
    class Full(MemoryStore):
        is_full = True

        async def keep_leaf(self, leaf: Leaf) -> None:
            if self.is_full:
                raise NotStored
            await super().keep_leaf(leaf)

    async def scene() -> None:
        store, workers = Full(), Making()
        async with house(store, workers=workers) as parlour:
            await seen_to(parlour)
            assert (await parlour.page("ada").ask("read_today"))["making"]
            store.is_full = False
            await seen_to(parlour)
            assert workers.made == [CASE, f"{day_after(DAY)}.{GAME}"]
            assert (await parlour.page("ada").ask("read_today"))["cards"]

    asyncio.run(scene())


def test_a_clock_that_leaps_does_not_open_tomorrows_case() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await parlour.clock_watch.begin()
            await seen_to(parlour)
            page = parlour.page("ada")
            parlour.clock.set(DAY_MS)
            assert (await page.ask("read_today"))["day"] == DAY
            assert await refusal(page, "open_case", case=f"{day_after(DAY)}.{GAME}") == "no_case"
            parlour.clock.move(parlour.clock.now() + DAY_MS // 2)
            assert (await page.ask("read_today"))["day"] == day_after(DAY)  # for half a day has passed

    asyncio.run(scene())


# --- The real site --------------------------------------------------------------------------------------------------


def test_the_real_site_serves_the_pages_and_tells_the_host_of_a_case_that_is_missing(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / "whodunit.sqlite")
        today, nights = begins_at(DAY), [f"{day_after(DAY, offset)}.{GAME}" for offset in (0, 1)]
        await store.keep_leaf(Leaf("case", nights[0], body=written(clue(DAY))))
        await store.keep_leaf(Leaf("case", nights[1], body=b"rubbish"))
        clock = FakeClock(today)
        async with opened(store=store, clock=clock, steady=clock.steady, case_games=lambda: (GAME,)) as site:
            page = await site.page()
            await seen_to(site.site)
            told = await page.ask("read_today")
            assert (told["day"], len(told["cards"]), told["fault"]) == (DAY, 1, False)
            for path in ("/today", f"/today/{DAY}", f"/case/{CASE}"):
                assert (await site.get(path)).status == 200
            for path in (f"/case/{CASE}/clip/1234", f"/case/{nights[1]}/clip/1234", "/case/nothing/clip/1234"):
                assert (await site.get(path, site.cookie())).status == 404
                assert (await site.get(path)).status == 404
            frame = await page.ask("open_case", case=CASE)
            frame = await page.ask("claim_case", case=CASE, turned=1, claim=clue(DAY).answer)
            assert frame["tries"][0]["ruling"]["kind"] == "unproved"
            health = await site.get("/health")
            assert (health.status, nights[1] in await health.text()) == (503, True)
            assert "case" not in (await (await site.get("/metrics")).text()).lower()

    asyncio.run(scene())
