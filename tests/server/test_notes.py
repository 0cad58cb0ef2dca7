"""Notes: what writes itself at each level, why, as of when; and a player's own marks, which nobody else sees."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import Refused
from tests.server.sites import Page, Parlour, beyond, opened, terms_of
from whodunit.core.redact import redact
from whodunit.core.wire import encode
from whodunit.games import get
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import Jotted, Marked, decode
from whodunit.server.workers import Workers

LEVELS = ["paper", "facts", "logic", "probabilities"]


async def played(parlour: Parlour, level: str, until: int = 60) -> tuple[str, list[Page]]:
    table, pages = await parlour.table("ada", "bob", bots=["rookie"], assistance=level, options={"starter": 0})
    await parlour.play(pages, table, until=beyond(until))
    return table, pages


async def believed(parlour: Parlour, table: str, seat: int, seq: int | None = None) -> Any:
    """Return what the library believes after what the seat has seen."""
    live = await parlour.host.get(table)
    events = [event for batch in await parlour.host.batches(live) for event in batch.events]
    belief = get("clue").belief(seat)
    for event in events[:seq]:
        belief = belief.learn(redact(event, seat))
    return belief


def plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))


@pytest.mark.parametrize("level", LEVELS)
def test_a_sheet_is_what_the_library_makes_of_what_the_seat_has_seen(level: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages = await played(parlour, level)
            for seat, page in enumerate(pages):
                for _ in range(2):  # told step by step, and what was told is remembered
                    sheet = await page.ask("notes", table=table)
                    belief = await believed(parlour, table, seat)
                    assert sheet == plain(belief.sheet(level))
                    await parlour.play(pages, table, until=beyond(page.told.seq + 8))

    asyncio.run(scene())


def test_each_level_says_more_than_the_last() -> None:
    async def scene() -> None:
        sheets = {}
        for level in LEVELS:
            async with Parlour() as parlour:
                table, (ada, _) = await played(parlour, level, until=200)
                sheets[level] = await ada.ask("notes", table=table)

        assert sheets["paper"]["cells"] == []
        sources = {
            level: {cell["source"] for cell in sheet["cells"] if cell["mark"]} for level, sheet in sheets.items()
        }
        assert sources["facts"] == {"seen"}
        assert sources["logic"] == sources["probabilities"] == {"seen", "follows"}
        for level in ("paper", "facts"):
            assert [sheets[level][field] for field in ("solutions", "worlds", "bits")] == [None] * 3
        shares = {level: any(c["share"] is not None for c in sheet["cells"]) for level, sheet in sheets.items()}
        assert shares == {"paper": False, "facts": False, "logic": False, "probabilities": True}

    asyncio.run(scene())


def test_probabilities_are_exact() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await played(parlour, "probabilities")
            sheet = await ada.ask("notes", table=table)
            live = await parlour.host.get(table)
            assert live.table is not None
            trio = live.table.state.envelope
            sums: dict[str, float] = {}
            for cell in sheet["cells"]:
                share = {"yes": 1.0, "no": 0.0}.get(cell["mark"], cell["share"])
                sums[cell["row"]] = sums.get(cell["row"], 0.0) + share
            true = [cell for cell in sheet["cells"] if cell["row"] in trio.cards and cell["column"] == "envelope"]

            assert all(abs(total - 1) < 1e-9 for total in sums.values())  # every card is somewhere
            assert len(sums) == 21
            assert all(cell["mark"] != "no" for cell in true)
            assert int(sheet["worlds"]) >= sheet["solutions"] >= 1

    asyncio.run(scene())


def test_notes_as_of_an_event_are_those_of_that_moment() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await played(parlour, "logic")
            now = await ada.ask("notes", table=table)
            for seq in (1, 8, 20, 41, ada.told.seq):
                then = await ada.ask("notes", table=table, seq=seq)
                assert then == plain((await believed(parlour, table, 0, seq)).sheet("logic"))
            assert then == now
            assert await ada.ask("notes", table=table) == now  # looking back changes nothing
            for seq in (0, -1, ada.told.seq + 1):
                with pytest.raises(Refused, match="no_event"):
                    await ada.ask("notes", table=table, seq=seq)

    asyncio.run(scene())


async def logic(parlour: Parlour, table: str) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = plain((await believed(parlour, table, 0)).sheet("logic"))["cells"]
    return cells


@pytest.mark.parametrize("level", LEVELS)
def test_why_is_answered_where_the_table_chose_it_and_for_what_is_certain(level: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await played(parlour, level)
            while not (found := [cell for cell in await logic(parlour, table) if cell["source"] == "follows"]):
                await parlour.play([ada, bob], table, until=beyond(ada.told.seq + 20))
            sure = found[0]
            unsure = next(cell for cell in await logic(parlour, table) if not cell["mark"])
            asked = {"table": table, "row": sure["row"], "column": sure["column"]}
            if level in {"paper", "facts"}:
                with pytest.raises(Refused, match="no_help"):
                    await ada.ask("why", **asked)
                return
            proof = await ada.ask("why", **asked)
            assert proof["reasons"]
            assert 1 <= proof["grade"] <= 5
            for row, column in ((unsure["row"], unsure["column"]), ("Spoon", "envelope"), (sure["row"], "9")):
                with pytest.raises(Refused, match="not_certain"):
                    await ada.ask("why", table=table, row=row, column=column)
            with pytest.raises(Refused, match="not_certain"):
                await ada.ask("why", **asked, seq=1)

    asyncio.run(scene())


def test_notes_come_from_another_process_too(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(tmp_path, workers=thinkers) as house:
            ada = await house.page()
            terms = terms_of(chairs=[None, "rookie", "rookie"], options={"starter": 0}, start=True)
            table = (await ada.ask("create_table", **terms))["table"]
            with pytest.raises(Refused, match="no_table"):
                await ada.ask("notes", table="nosuch")
            sheet = await ada.ask("notes", table=table)
            hand = {cell["row"] for cell in sheet["cells"] if cell["column"] == "0" and cell["mark"] == "yes"}
            await ada.ask("watch_table", table=table)

            assert hand == {*ada.told.table["view"]["hands"][0]}

    asyncio.run(scene())


def test_there_are_no_notes_before_the_game() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            ada = parlour.page("ada")
            table = (await ada.ask("create_table", **terms_of()))["table"]
            for ask, fields in (("notes", {}), ("look", {"seq": 1}), ("why", {"row": "Rope", "column": "0"})):
                with pytest.raises(Refused, match="no_event"):
                    await ada.ask(ask, table=table, **fields)

    asyncio.run(scene())


# --- One's own -------------------------------------------------------------------------------------------------------


def test_own_marks_are_kept_with_their_turn_and_shown_to_nobody_else() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as parlour:
            table, (ada, bob) = await played(parlour, "paper", until=20)
            eve = await parlour.watching("eve", table)
            others = [page.told.frames.copy() for page in (bob, eve)]
            await ada.ask("mark", table=table, cell="Rope|1", mark="x")
            await ada.ask("mark", table=table, cell="Hall|2", mark="?")
            await ada.ask("mark", table=table, cell="Rope|1", mark="")
            await ada.ask("jot", table=table, text="Bob coughed\nwhen I said Rope")

            assert ada.told.room["marks"] == {"Hall|2": "?"}
            assert ada.told.room["jotting"] == "Bob coughed\nwhen I said Rope"
            assert [page.told.frames for page in (bob, eve)] == others  # not even that something was noted
            entries = [entry for record in await store.read(table, "room") for entry in decode(record.body)]
            assert not [entry for entry in entries if isinstance(entry, Marked | Jotted)]
            assert [(notes.seat, notes.version) for notes in await store.notes(table)] == [(0, 4)]

        async with Parlour(store, bus) as parlour:  # another day
            ada, bob = [await parlour.watching(person, table) for person in ("ada", "bob")]
            assert (ada.told.room["marks"], ada.told.room["jotting"][:3]) == ({"Hall|2": "?"}, "Bob")
            assert (bob.told.room["marks"], bob.told.room["jotting"]) == ({}, "")

    asyncio.run(scene())


def test_marks_and_jottings_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert manners.MARKS == 1000
    monkeypatch.setattr(manners, "MARKS", 10)

    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob")
            for number in range(10):
                await ada.ask("mark", table=table, cell=f"{number}", mark="x")
            with pytest.raises(Refused, match="too_many_marks"):
                await ada.ask("mark", table=table, cell="10", mark="x")
            await ada.ask("mark", table=table, cell="0", mark="o")
            await ada.ask("jot", table=table, text="x" * 4000)
            for field in ({"cell": "x" * 81, "mark": ""}, {"cell": "", "mark": ""}, {"cell": "x", "mark": "x" * 17}):
                with pytest.raises(ValueError, match="Expected `str`"):
                    await ada.ask("mark", table=table, **field)
            with pytest.raises(ValueError, match="Expected `str`"):
                await ada.ask("jot", table=table, text="x" * 4001)

    asyncio.run(scene())
