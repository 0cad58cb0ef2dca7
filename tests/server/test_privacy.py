"""What is stored about somebody is handed out to them, and forgotten if they wish; the game goes on without a name."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import Client, Refused
from tests.server.sites import SALT, Open, Parlour, dice, opened, plays, settle, terms_of
from whodunit.core.ports import Leaf
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.server import privacy
from whodunit.server.people import COOKIE

OPTIONS = {"starter": 0}
THOUGHT = "Ada bluffs, I think"


async def evening(house: Open, *, start: bool = True) -> tuple[str, list[str], list[Client]]:
    """Let Ada and Bob sit down, and Bob leave traces everywhere."""
    cookies = [house.cookie(), house.cookie()]
    ada, bob = [await house.page(cookie) for cookie in cookies]
    terms = terms_of(chairs=[None, None, "random"], options=OPTIONS, public=True)
    table = (await ada.ask("create_table", **terms))["table"]
    for page in (ada, bob):
        await page.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Robert", salt=SALT)
    if start:
        await ada.ask("start", table=table)
    await bob.ask("jot", table=table, text=THOUGHT)
    await bob.ask("mark", table=table, cell="Rope|0", mark="hers")
    await bob.ask("say", table=table, text="good evening to you")
    await ada.until(lambda told: "chat" in told.last)
    return table, cookies, [ada, bob]


def found(folder: Path, traces: list[bytes]) -> list[bytes]:
    """Return which of these stand in a file of the house."""
    stored = [file.read_bytes() for file in folder.iterdir()]
    return [trace for trace in traces if any(trace in data for data in stored)]


def test_a_person_gets_one_file_with_all_that_is_theirs() -> None:
    async def scene() -> None:
        async with opened() as house:
            table, (ada, bob), _ = await evening(house)
            response = await house.get("/api/me", bob)
            assert response.headers["Content-Disposition"] == 'attachment; filename="whodunit-me.json"'
            assert response.headers["Cache-Control"] == "no-store"
            told: dict[str, Any] = msgspec.json.decode(await response.read())
            (kept,) = told["tables"]

            assert told["person"] == bob.partition(".")[0]
            assert (kept["table"], kept["game"], kept["stage"], kept["seat"]) == (table, "clue", "playing", 1)
            entries = {entry["type"]: entry for entry in kept["entries"]}
            assert entries["Sat"]["name"] == "Robert"
            (page,) = kept["notes"]
            assert (page["text"], page["marks"]) == (THOUGHT, {"Rope|0": "hers"})
            assert entries["Said"]["text"] == "good evening to you"
            assert ada.partition(".")[0].encode() not in await response.read()
            assert (await house.get("/api/me")).status == 403
            stranger = await house.get("/api/me", house.cookie())
            assert msgspec.json.decode(await stranger.read())["tables"] == []

    asyncio.run(scene())


def test_the_moves_are_in_it_too() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS | {"max_turns": 4})
            await parlour.play([ada, bob], table)
            told = await privacy.handed_out(parlour.host, "bob")
            batches = await parlour.host.batches(await parlour.host.get(table))

            mine = [batch.seq for batch in batches if batch.cause and batch.cause.seat == 1]
            assert [move.seq for move in told.tables[0].moves] == mine
            assert mine

    asyncio.run(scene())


WORDS = "I should have looked in the conservatory"


async def solve(house: Open, ann: str, bob: str) -> None:
    """Keep leaves of both, of the house, and again and again of Bob's, so that rows move."""
    store = house.site.host.store
    for day in range(1, 30):
        item = f"2026-11-{day:02}.clue"
        await store.keep_leaf(Leaf("case", item, body=b'{"answer":["Plum"]}'))
        for person in (ann, bob):
            for version in range(1, 5):
                whose = f"{WORDS}, {day} of {version}" if person == bob else "nothing"
                body = msgspec.json.encode({"turned": version, "tries": [[whose] * (version * day % 40)]})
                await store.keep_leaf(Leaf("try", item, person, version, version % 2 == 0, body))
    await store.keep_leaf(Leaf("person", "", bob, body=b"\xffno JSON"))


def test_a_person_gets_their_leaves_and_nobody_elses() -> None:
    async def scene() -> None:
        async with opened() as house:
            ann, bob = house.cookie(), house.cookie()
            await solve(house, *(cookie.partition(".")[0] for cookie in (ann, bob)))
            told = msgspec.json.decode(await (await house.get("/api/me", bob)).read())
            odd, *tries = told["leaves"]

            assert (odd["shelf"], odd["body"]) == ("person", "/25vIEpTT04=")
            assert [(kept["shelf"], kept["item"]) for kept in tries] == [
                ("try", f"2026-11-{day:02}.clue") for day in range(1, 30)
            ]
            assert tries[6]["body"] == {"turned": 4, "tries": [[f"{WORDS}, 7 of 4"] * 28]}
            anns = await (await house.get("/api/me", ann)).read()
            assert len(msgspec.json.decode(anns)["leaves"]) == 29
            assert WORDS.encode() not in anns
            stranger = await (await house.get("/api/me", house.cookie())).read()
            assert msgspec.json.decode(stranger)["leaves"] == []

    asyncio.run(scene())


def test_the_leaves_of_whoever_is_forgotten_are_in_no_file_while_the_house_still_runs(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            ann, bob = house.cookie(), house.cookie()
            people = [cookie.partition(".")[0] for cookie in (ann, bob)]
            await solve(house, *people)
            traces = [WORDS.encode(), people[1].encode()]
            assert found(tmp_path, traces) == traces
            assert (await house.post("/api/forget", {"sure": True}, bob)).status == 204

            assert found(tmp_path, traces) == []
            store = house.site.host.store
            assert len(await store.leaves_of_person(people[0])) == len(await store.leaves("case")) == 29
            assert [leaf.person for leaf in await store.leaves_of_item("try", "2026-11-07.clue")] == people[:1]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("damage", "forgotten", "named"),
    [
        (
            "UPDATE leaf SET body = 'other' WHERE person = '{}' AND item = '2026-11-07.clue'",
            True,
            "try/2026-11-07.clue",
        ),
        ("DELETE FROM leaf WHERE item = '2026-11-07.clue'", False, "*/*"),
    ],
)
def test_damaged_leaves_are_named_and_forgotten_where_it_is_known_whose_they_are(
    tmp_path: Path, damage: str, forgotten: bool, named: str
) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            ann, bob = house.cookie(), house.cookie()
            people = [cookie.partition(".")[0] for cookie in (ann, bob)]
            await solve(house, *people)
        with closing(sqlite3.connect(tmp_path / "whodunit.sqlite")) as connection, connection:
            connection.execute(damage.format(people[1]))
        async with opened(tmp_path) as house:
            told = msgspec.json.decode(await (await house.get("/api/me", bob)).read())
            assert (len(told["leaves"]), told["damaged"]) == (29 if forgotten else 0, [named])
            status = (await house.post("/api/forget", {"sure": True}, bob)).status
            assert status == (204 if forgotten else 409)
            assert found(tmp_path, [people[1].encode()]) == ([] if forgotten else [people[1].encode()])

    asyncio.run(scene())


def test_whoever_is_forgotten_has_left_no_trace_on_the_disk_and_the_game_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, (_, bob), pages = await evening(house)
            person, roberts = bob.partition(".")[0], pages[1].told.room["seat_key"]
            refused = await house.post("/api/forget", {"sure": False}, bob)
            assert refused.status == 400
            assert (await house.post("/api/forget", {"sure": True}, bob, Origin="https://evil.test")).status == 403
            response = await house.post("/api/forget", {"sure": True}, bob)
            assert response.status == 204
            assert f'{COOKIE}=""' in response.headers["Set-Cookie"]
            await pages[1].ended()
            assert pages[1].told.last["goodbye"]["reason"] == "forgotten"

            await pages[0].until(lambda told: told.chair(1)["stand_in"] is not None)
            assert pages[0].told.chair(1)["name"] == ""
            assert pages[0].told.last["chat"]["lines"] != []  # as it was told; not so to whoever comes now
            eve = await house.page()
            await eve.ask("watch_table", table=table)
            assert eve.told.last["chat"]["lines"] == []
            told = msgspec.json.decode(await (await house.get("/api/me", bob)).read())
            assert told["tables"] == []
            await plays(pages[0], table, dice(0), until=lambda told: told.seq > 60 or told.over)
            room = house.site.host.tables[table].room
            for key in (room.laid.keys[1], room.key(1), roberts):
                assert (await house.post("/api/seat", {"key": key}, house.cookie())).status == 409
            traces.append(person.encode())

    traces = [b"Robert", THOUGHT.encode(), b"hers", b"good evening to you"]
    asyncio.run(scene())
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.name.startswith("whodunit.sqlite"))
    assert b"Ada" in stored
    assert [trace for trace in traces if trace in stored] == []


def test_whoever_is_forgotten_is_in_no_file_while_the_house_still_runs(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, (_, bob), pages = await evening(house)
            person = bob.partition(".")[0].encode()
            traces = [b"Robert", THOUGHT.encode(), b"good evening to you", person]
            await pages[0].ask("say", table=table, text="who was that?")
            assert found(tmp_path, traces) == traces
            assert (await house.post("/api/forget", {"sure": True}, bob)).status == 204

            assert found(tmp_path, traces) == []
            assert found(tmp_path, [b"who was that?"]) == [b"who was that?"]

    asyncio.run(scene())


def test_whoever_sits_at_a_damaged_table_is_told_that_it_could_not_be_forgotten(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, (_, bob), _ = await evening(house)
        with closing(sqlite3.connect(tmp_path / "whodunit.sqlite")) as connection, connection:
            connection.execute("UPDATE record SET body = replace(body, 'Robert', 'Rupert') WHERE stream = 'room'")
        async with opened(tmp_path) as house:
            response = await house.post("/api/forget", {"sure": True}, bob)
            assert (response.status, (await response.json())["reason"]) == (409, "damaged")
            told = msgspec.json.decode(await (await house.get("/api/me", bob)).read())
            assert (told["tables"], told["damaged"]) == ([], [table])
            page = await house.page(bob)
            with pytest.raises(Refused, match="damaged"):
                await page.ask("watch_table", table=table)
            assert (await house.get(f"/t/{table}/case", bob)).status == 409
            other = (await page.ask("create_table", **terms_of(chairs=[None, "random", "random"])))["table"]
            await page.ask("watch_table", table=other)

    asyncio.run(scene())


def test_whoever_is_forgotten_before_the_start_leaves_a_free_chair() -> None:
    async def scene() -> None:
        async with opened() as house:
            _, (_, bob), pages = await evening(house, start=False)
            await house.post("/api/forget", {"sure": True}, bob)
            await pages[0].until(lambda told: told.chair(1)["kind"] == "open")

    asyncio.run(scene())


def test_another_node_forgets_as_well() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as one, Parlour(store, bus, one.clock) as two:
            table, (ada, bob) = await one.table("ada", "bob", options=OPTIONS)
            await bob.ask("say", table=table, text="hello")
            eve = await two.watching("eve", table)
            await privacy.forget(one.host, "bob")
            await settle()

            there = (await two.host.get(table)).room
            assert (there.chairs[1].name, there.chairs[1].gone) == ("", True)
            assert "bob" not in there.people
            assert eve.told.chair(1)["name"] == ""
            assert (await one.host.get(table)).room == there
            assert list(await store.of_person("bob")) == []
            await parlour_rematch(one, ada, table)

    async def parlour_rematch(parlour: Parlour, ada: Any, table: str) -> None:
        await parlour.play([ada], table, until=lambda told: told.over)
        new = (await ada.ask("rematch", table=table, salt=SALT))["table"]
        assert (await parlour.host.get(new)).room.chairs[1].people == ()

    asyncio.run(scene())
