"""Cases to solve: turned line by line, ruled on, ended, counted; and nothing of them leaks."""

import asyncio
import logging
from functools import partial
from typing import Any

import msgspec
import pytest

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
    turned_to,
    with_other_secrets,
    wrong,
)
from whodunit.cases.days import case_of
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Heard, Proved, Unproved
from whodunit.core.errors import NotStored
from whodunit.core.ports import Leaf
from whodunit.core.wire import blobs_of, encode
from whodunit.infra.memory import MemoryStore
from whodunit.server import attempts, case_work, cases, privacy
from whodunit.server.attempts import Attempt, Streak, Tried, begins_at, day_after, day_at
from whodunit.server.case_work import Claimed, Marked
from whodunit.server.padding import padded


@pytest.fixture(autouse=True)
def _found_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    found_quickly(monkeypatch)


# --- Playing --------------------------------------------------------------------------------------------------------


def test_a_case_is_opened_turned_and_solved() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page, puzzle = parlour.page("ada"), clue(DAY)
            frame = await page.ask("open_case", case=CASE)
            assert (frame["state"], frame["turned"], frame["total"]) == ("begun", 1, puzzle.posed.total)
            assert (frame["started_at"], frame["ended_at"], frame["result"]) == (NOON, None, None)
            assert frame == await page.ask("open_case", case=CASE)
            assert {key: frame[key] for key in ("given", "lines", "view")} == told(puzzle)
            events = [event for line in (frame["given"], *frame["lines"]) for event in line]
            assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
            assert frame["view"]["hands"][frame["seat"]]
            assert [group for group in frame["groups"] if "Rope" in group] != [frame["rows"]]
            assert {*frame["columns"]} >= {*map(str, range(frame["seats"]))}
            for entry in (entry for group in frame["question"]["form"] for entry in group):
                assert entry[0] in frame["rows"]
                assert entry[1] in frame["columns"]

            parlour.clock.move(NOON + 90_000)
            frame = await solve(page)
            assert (frame["state"], frame["turned"], frame["ended_at"]) == ("solved", puzzle.par, NOON + 90_000)
            assert frame["tries"] == [
                {"turned": puzzle.par, "claim": [[*entry] for entry in puzzle.answer], "ruling": {"kind": "proved"}}
            ]
            result = frame["result"]
            assert (result["solved"], result["at"], result["par"]) == (True, puzzle.par, puzzle.par)
            assert (result["guesses"], result["hints"], result["solved_here"]) == (0, 0, 1)
            assert len(result["lines"]) == puzzle.posed.total
            assert len(result["steps"]) == len(puzzle.steps)
            assert frame == await page.ask("open_case", case=CASE)
            (card,) = (await page.ask("read_today"))["cards"]
            assert (card["state"], card["par"], card["solved_here"]) == ("solved", puzzle.par, 1)

    asyncio.run(scene())


def test_a_claim_that_is_not_proved_is_a_guess_whether_it_is_right_or_not_and_one_goes_on() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page, puzzle = parlour.page("ada"), clue(DAY)
            await page.ask("open_case", case=CASE)
            for number, claim in enumerate((puzzle.answer, wrong(puzzle)), 1):
                frame = await page.ask("claim_case", case=CASE, turned=1, claim=claim)
                assert (frame["state"], len(frame["tries"])) == ("begun", number)
            assert frame["tries"][0]["ruling"]["kind"] == "unproved"
            held = {hand["column"]: hand["cards"] for hand in frame["tries"][0]["ruling"]["deal"]}
            assert any(row not in held[column] for row, column in puzzle.answer)
            frame = await page.ask("check_mark", case=CASE, turned=1, row="Rope", column="envelope", held=True)
            assert len(frame["hints"]) == 1
            frame = await solve(page)
            assert (frame["result"]["guesses"], frame["result"]["hints"]) == (2, 1)

    asyncio.run(scene())


def test_a_wrong_claim_after_the_last_line_ends_it_as_missed() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page, puzzle = parlour.page("ada"), clue(DAY)
            await turned_to(page, puzzle.posed.total)
            assert await refusal(page, "turn_line", case=CASE, turned=puzzle.posed.total) == "last_line"
            frame = await page.ask("claim_case", case=CASE, turned=puzzle.posed.total, claim=wrong(puzzle))
            assert frame["state"] == "missed"
            assert frame["tries"][0]["ruling"]["kind"] == "impossible"
            assert frame["tries"][0]["ruling"]["lines"]
            assert (frame["result"]["solved"], frame["result"]["guesses"]) == (False, 1)

    asyncio.run(scene())


def test_who_gives_up_has_missed_it_and_whatever_comes_then_is_refused() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            await page.ask("open_case", case=CASE)
            frame = await page.ask("give_up", case=CASE, turned=1)
            assert (frame["state"], frame["result"]["at"], frame["result"]["solved_here"]) == ("missed", 1, 0)
            for kind, fields in changing(1).items():
                assert await refusal(page, kind, case=CASE, **fields) == "case_over"
            assert frame == await page.ask("open_case", case=CASE)
            assert frame != await parlour.page("bob").ask("open_case", case=CASE)

    asyncio.run(scene())


def changing(turned: int) -> dict[str, dict[str, Any]]:
    """Return every ask that changes a case."""
    return {
        "turn_line": {"turned": turned},
        "claim_case": {"turned": turned, "claim": clue(DAY).answer},
        "check_mark": {"turned": turned, "row": "Rope", "column": "envelope", "held": False},
        "give_up": {"turned": turned},
    }


def test_two_pages_cannot_try_twice() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            one, other = parlour.page("ada"), parlour.page("ada")
            await one.ask("open_case", case=CASE)
            claim = [[*entry] for entry in wrong(clue(DAY))]
            done = await asyncio.gather(
                *(page.ask("claim_case", case=CASE, turned=1, claim=claim) for page in (one, other)),
                return_exceptions=True,
            )
            refused = [answer for answer in done if isinstance(answer, Refused)]
            assert [error.reason for error in refused] == ["stale"]
            frame = await one.ask("open_case", case=CASE)
            assert len(frame["tries"]) == 1
            await one.ask("turn_line", case=CASE, turned=1)
            for kind, fields in changing(1).items():
                assert await refusal(other, kind, case=CASE, **fields) == "stale"
                stale = msgspec.json.decode(other.told.frames[-1])
                assert stale["now"] == await one.ask("open_case", case=CASE)
                assert (stale["now"]["turned"], len(stale["now"]["tries"])) == (2, 1)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("open_case", {"case": "2026-11-19.clue"}, "no_case"),
        ("open_case", {"case": "2027-11-19.clue"}, "no_case"),
        ("open_case", {"case": "2026-11-17.clue"}, "no_case"),
        ("open_case", {"case": "2026-11-18.nothing"}, "no_case"),
        ("open_case", {"case": "2026-02-30.clue"}, "no_case"),
        ("open_case", {"case": "20261118.clue"}, "no_case"),
        ("open_case", {"case": "clue"}, "no_case"),
        ("turn_line", {"case": "2026-11-19.clue", "turned": 1}, "no_case"),
        ("turn_line", {"case": CASE, "turned": 0}, "stale"),
        ("turn_line", {"case": CASE, "turned": -1}, "stale"),
        ("claim_case", {"case": CASE, "turned": 1, "claim": [["Rope", "envelope"]]}, "bad_claim"),
        ("claim_case", {"case": CASE, "turned": 1, "claim": [["Rope", "0"]] * 3}, "bad_claim"),
        ("claim_case", {"case": CASE, "turned": 1, "claim": [["nothing", "nowhere"]] * 3}, "bad_claim"),
        ("check_mark", {"case": CASE, "turned": 1, "row": "Rope", "column": "9", "held": True}, "bad_claim"),
        ("check_mark", {"case": CASE, "turned": 1, "row": "", "column": "0", "held": True}, None),
        ("claim_case", {"case": CASE, "turned": 1, "claim": []}, None),
        ("claim_case", {"case": CASE, "turned": 1, "claim": [["Rope"]]}, None),
        ("claim_case", {"case": CASE, "turned": "1", "claim": [["Rope", "0"]]}, None),
        ("open_case", {"case": ""}, None),
        ("open_case", {"case": 7}, None),
        ("read_archive", {"before": "yesterday"}, None),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(kind: str, fields: dict[str, Any], reason: str | None) -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            before = await page.ask("open_case", case=CASE)
            if reason is None:
                with pytest.raises(msgspec.ValidationError):
                    await page.ask(kind, **fields)
            else:
                assert await refusal(page, kind, **fields) == reason
            assert await page.ask("open_case", case=CASE) == before

    asyncio.run(scene())


def test_before_it_is_opened_a_case_cannot_be_turned() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            for kind, fields in changing(1).items():
                assert await refusal(parlour.page("ada"), kind, case=CASE, **fields) == "not_begun"

    asyncio.run(scene())


def test_a_case_allows_so_many_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST_TRIES", 2)

    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            await page.ask("open_case", case=CASE)
            for kind in ("claim_case", "check_mark"):
                for _ in range(2):
                    await page.ask(kind, case=CASE, **changing(1)[kind])
                assert await refusal(page, kind, case=CASE, **changing(1)[kind]) == "too_many_tries"

    asyncio.run(scene())


def test_on_a_disk_that_is_full_nothing_has_changed() -> None:
    class Full(MemoryStore):
        is_full = False

        async def keep_leaf(self, leaf: Leaf) -> None:
            if self.is_full:
                raise NotStored
            await super().keep_leaf(leaf)

    async def scene() -> None:
        store = Full()
        async with house(store) as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            before = await page.ask("open_case", case=CASE)
            store.is_full = True
            for kind, fields in changing(1).items():
                assert await refusal(page, kind, case=CASE, **fields) == "not_stored"
            assert await page.ask("open_case", case=CASE) == before

    asyncio.run(scene())


# --- Streaks and numbers -------------------------------------------------------------------------------------------


def test_a_streak_counts_days_in_a_row_on_which_the_days_own_case_was_solved() -> None:
    async def scene() -> None:
        async with house() as parlour:
            page = parlour.page("ada")
            for offset, solves, expected in [(0, True, 1), (1, True, 2), (2, False, 2), (3, True, 1), (4, True, 2)]:
                day = day_after(DAY, offset)
                parlour.clock.move(begins_at(day) + 1)
                await seen_to(parlour)
                if solves:
                    await solve(page, f"{day}.{GAME}")
                    await refusal(page, "turn_line", case=f"{day}.{GAME}", turned=1)
                today = await page.ask("read_today")
                assert (today["streak"], today["best_streak"]) == (expected, 2) if offset else (1, 1)
            await solve(page, f"{day_after(DAY, 2)}.{GAME}")  # too late for its own day
            assert (await page.ask("read_today"))["streak"] == 2
            parlour.clock.move(begins_at(day_after(DAY, 6)))
            today = await page.ask("read_today")
            assert (today["streak"], today["best_streak"]) == (0, 2)
            assert (await parlour.page("bob").ask("read_today"))["best_streak"] == 0

    asyncio.run(scene())


def test_a_case_that_is_begun_on_its_day_and_solved_after_midnight_is_solved_too_late_for_a_streak() -> None:
    async def scene() -> None:
        async with house(at=begins_at(day_after(DAY)) - 1) as parlour:
            await seen_to(parlour)
            page = parlour.page("ada")
            await page.ask("open_case", case=CASE)
            parlour.clock.move(begins_at(day_after(DAY)))
            assert (await solve(page))["state"] == "solved"
            assert (await page.ask("read_today"))["streak"] == 0

    asyncio.run(scene())


def test_how_many_have_solved_it_is_counted_once_in_a_while() -> None:
    class Counting(MemoryStore):
        counted = 0

        async def count_leaves(self, shelf: str, item: str) -> int:
            self.counted += 1
            return await super().count_leaves(shelf, item)

    async def scene() -> None:
        store = Counting()
        async with house(store) as parlour:
            await seen_to(parlour)
            for number, name in enumerate(("ada", "bob", "cleo"), 1):
                page = parlour.page(name)
                assert (await solve(page))["result"]["solved_here"] == number
                assert (await page.ask("read_today"))["cards"][0]["solved_here"] == number
            assert store.counted == 1
            await parlour.page("eve").ask("open_case", case=CASE)
            await parlour.page("eve").ask("give_up", case=CASE, turned=1)
            parlour.clock.move(NOON + cases.COUNTED_MS)
            assert (await parlour.page("eve").ask("read_today"))["cards"][0]["solved_here"] == 3
            assert store.counted == 2

    asyncio.run(scene())


def test_what_somebody_has_done_is_handed_out_and_forgotten() -> None:
    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            ada, bob = parlour.page("ada"), parlour.page("bob")
            await solve(ada)
            await solve(bob)
            handed = encode(await privacy.handed_out(parlour.host, "ada"))
            assert b'"streak"' in handed
            assert CASE.encode() in handed
            await privacy.forget(parlour.host, "ada")
            assert not await parlour.host.store.leaves_of_person("ada")
            today = await ada.ask("read_today")
            assert (today["streak"], today["best_streak"], today["cards"][0]["state"]) == (0, 0, "new")
            assert (await bob.ask("read_today"))["streak"] == 1

    asyncio.run(scene())


# --- No leak --------------------------------------------------------------------------------------------------------

SECRET_AT = 2


def test_before_midnight_tomorrows_case_is_as_unknown_as_one_of_next_year() -> None:
    class Watched(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.asked: list[tuple[str, str]] = []

        async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
            self.asked.append((shelf, item))
            return await super().leaf(shelf, item, person)

    async def scene() -> None:
        store, workers = Watched(), Making()
        async with house(store, workers=workers) as parlour:
            await seen_to(parlour)
            page, replies = parlour.page("ada"), []
            for case in (f"{day_after(DAY)}.{GAME}", f"2027-11-19.{GAME}"):
                store.asked.clear()
                assert await refusal(page, "open_case", case=case) == "no_case"
                assert not store.asked
                replies.append(page.told.frames[-1])
            assert replies[0] == replies[1]
            assert not workers.jobs

    asyncio.run(scene())


def test_what_is_secret_changes_no_byte_and_no_work_before_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also not what is said of a claim that is right in one world and wrong in the other."""
    caplog.set_level(logging.DEBUG, "whodunit")

    class Noted(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.written: list[tuple[object, ...]] = []

        async def keep_leaf(self, leaf: Leaf) -> None:
            self.written.append((leaf.shelf, leaf.item, leaf.person, leaf.version, leaf.done, len(leaf.body)))
            await super().keep_leaf(leaf)

    async def world(puzzle: Puzzle) -> tuple[object, ...]:
        monkeypatch.setattr(case_work, "read", lambda _: puzzle)
        store, workers = Noted(), Making()
        async with house(store, workers=workers) as parlour:
            await store.keep_leaf(Leaf("case", CASE, body=b"the same length"))
            await seen_to(parlour)
            pages = [parlour.page("ada"), parlour.page("bob")]
            caplog.clear()
            truth, lie = clue(DAY).answer, wrong(clue(DAY))
            for page in pages:
                await turned_to(page, SECRET_AT)
                for claim in (truth, lie):
                    await page.ask("claim_case", case=CASE, turned=SECRET_AT, claim=claim)
                for row, column in (*truth, *lie):
                    for held in (True, False):
                        await page.ask("check_mark", case=CASE, turned=SECRET_AT, row=row, column=column, held=held)
                await page.ask("read_today")
                await refusal(page, "turn_line", case=CASE, turned=1)
            handed = encode(await privacy.handed_out(parlour.host, "ada"))
            return (
                [padded(frame) for page in pages for frame in page.told.frames],
                [(key, work) for key, work, _ in workers.jobs],
                [job for _, _, job in workers.jobs],
                store.written,
                caplog.text,
                handed,
            )

    async def scene() -> None:
        puzzle = clue(DAY)
        worlds = [await world(one) for one in (puzzle, with_other_secrets(puzzle, SECRET_AT))]
        assert worlds[0] == worlds[1]
        assert len({puzzle.answer, with_other_secrets(puzzle, SECRET_AT).answer}) == 2
        frames, _, jobs, *_, text, _ = worlds[0]
        assert len(jobs) == 2 * (2 + 12)  # type: ignore[arg-type]
        assert not text
        assert any(b'"unproved"' in frame for frame in frames)  # type: ignore[attr-defined]

    asyncio.run(scene())


def test_nothing_but_what_is_posed_goes_to_whoever_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Any] = []

    def noted(job: Any) -> Any:
        jobs.append(job)
        return case_work.ruled(job)

    monkeypatch.setattr(cases, "ruled", noted)

    async def scene() -> None:
        async with house() as parlour:
            await seen_to(parlour)
            page, puzzle = parlour.page("ada"), clue(DAY)
            await turned_to(page, 2)
            await page.ask("claim_case", case=CASE, turned=2, claim=puzzle.answer)
            await page.ask("check_mark", case=CASE, turned=2, row="Rope", column="envelope", held=True)
            assert jobs == [Claimed(puzzle.at(2), puzzle.answer), Marked(puzzle.at(2), "Rope", "envelope", held=True)]

    asyncio.run(scene())


# --- Values ---------------------------------------------------------------------------------------------------------


def test_a_claim_that_is_only_heard_ends_the_case_right_or_wrong() -> None:
    heard = Tried(3, (("Red", "2"),), Heard(900_000, ("Red", "2"), 900_000))
    for right in (True, False):
        ended = attempts.claim(Attempt(1, 3), heard, 8, 99, is_right=partial(bool, right))
        assert (ended.solved, ended.ended_at, ended.guesses) == (right, 99, 0 if right else 1)


def test_who_is_right_is_not_asked_while_a_case_goes_on() -> None:
    def never() -> bool:
        raise AssertionError("it was asked")

    for ruling in (Unproved(()), Proved()):
        attempts.claim(Attempt(1, 3), Tried(3, (), ruling), 8, 99, is_right=never)


def test_days() -> None:
    assert day_at(begins_at(DAY)) == day_at(begins_at(DAY) + DAY_MS - 1) == DAY
    assert day_at(begins_at(DAY) - 1) == "2026-11-17"
    assert day_after("2026-12-31") == "2027-01-01"
    streak = Streak().on("2026-12-30").on("2026-12-31").on("2027-01-01").on("2027-01-01")
    assert streak == Streak("2027-01-01", 3, 3)
    assert streak.on("2026-12-31") == streak
    assert [streak.running(day) for day in ("2027-01-01", "2027-01-02", "2027-01-03")] == [3, 3, 0]
    assert Streak().running(DAY) == 0


# --- By ear ---------------------------------------------------------------------------------------------------------

EAR = f"{DAY}.arosa"


def test_by_ear_one_claim_ends_a_case_and_only_what_has_fallen_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_work, "case_of", case_of)
    puzzle = case_of(DAY, "arosa")
    right, other = puzzle.answer[0], next(one for one in puzzle.posed.question.form[0] if one != puzzle.answer[0])

    async def scene() -> None:
        async with house(games=("arosa",)) as parlour:
            await seen_to(parlour)
            for name, entry in (("ada", right), ("bob", other)):
                page, told = parlour.page(name), parlour.cases
                frame = await page.ask("open_case", case=EAR)
                clips = [blob.id for line in puzzle.posed.lines for event in line for blob in blobs_of(event).values()]
                heard = [blob.id for event in puzzle.posed.lines[0] for blob in blobs_of(event).values()]
                assert heard
                assert {*heard} < {*clips}
                for clip in (*clips, "none"):
                    found = await told.clip(name, EAR, clip)
                    assert (found is not None) == (clip in heard)
                assert await told.clip("eve", EAR, heard[0]) is None
                assert await told.clip(name, f"{day_after(DAY)}.arosa", heard[0]) is None
                mark = {"row": right[0], "column": right[1], "held": True}
                assert await refusal(page, "check_mark", case=EAR, turned=1, **mark) == "only_heard"
                frame = await page.ask("claim_case", case=EAR, turned=1, claim=[entry])
                assert frame["tries"][0]["ruling"]["kind"] == "heard"
                assert frame["state"] == ("solved" if entry == right else "missed")
                assert (frame["result"]["answer"], frame["result"]["steps"]) == ([[*right]], [])

    asyncio.run(scene())
