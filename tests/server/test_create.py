"""Laying a table: what may be asked for, what is refused, and that a refusal changes nothing."""

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import WSCloseCode

from tests.server.client import Client, Refused
from tests.server.sites import SALT, Open, Page, Parlour, opened, settle, terms_of
from whodunit.infra.memory import MemoryStore
from whodunit.server import quotas
from whodunit.server.sockets import FRAME_BYTES


def stored(store: MemoryStore) -> int:
    """Count everything that a store has."""
    return sum(map(len, store._records.values())) + len(store._listings)


def test_a_table_is_laid_as_asked(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            ada = await house.page()
            options = {"dice_count": 2, "starter": 1}
            terms = terms_of(options=options, chairs=[None, "rookie", None], assistance="logic", pace="steady")
            table = (await ada.ask("create_table", **terms))["table"]
            await ada.ask("watch_table", table=table)
            room = ada.told.room

            assert (room["options"], room["assistance"], room["pace"]) == (options, "logic", "steady")
            assert (room["stage"], room["public"], room["me"], room["host"]) == ("gathering", False, 0, 0)
            assert [chair["kind"] for chair in room["chairs"]] == ["person", "bot", "open"]
            assert [chair["level"] for chair in room["chairs"]] == [None, "rookie", None]
            assert room["chairs"][0]["name"] == "Ada"
            assert room["may"] == ["stand_up", "start"]
            assert ada.told.seq == 0  # nothing is dealt yet

    asyncio.run(scene())


def test_a_table_with_bots_alone_can_begin_at_once_whoever_starts() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            ada = parlour.page("ada")
            terms = terms_of(chairs=[None, "random", "random"], options={"starter": 1}, start=True)
            table = (await ada.ask("create_table", **terms))["table"]
            await ada.ask("watch_table", table=table)
            dealt = ada.told.seq
            await parlour.pass_time(5000)

            assert ada.told.seq > dealt > 0

    asyncio.run(scene())


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no such game": ({"game": "cluedo"}, "bad_options"),
    "no such option": ({"options": {"dice": 2}}, "bad_options"),
    "no such value": ({"options": {"dice_count": 3}}, "bad_options"),
    "options that do not fit each other": ({"options": {"two_player_side_cards": 4}}, "bad_options"),
    "a tower that is not for people": ({"game": "arosa", "options": {"tower": "surrogate"}}, "bad_options"),
    "options that do not fit the seats": ({"options": {"starter": 4}}, "bad_options"),
    "a nested value": ({"options": {"starter": {"a": [1]}}}, "bad_options"),
    "too many chairs for the game": ({"chairs": [None] * 7}, "bad_options"),
    "a bot in the maker's chair": ({"chairs": ["rookie", None, None]}, "bad_options"),
    "to begin with a free chair": ({"chairs": [None, None, "rookie"], "start": True}, "bad_options"),
    "one chair": ({"chairs": [None]}, "bad_ask"),
    "no such level": ({"chairs": [None, "genius"]}, "bad_ask"),
    "no such help": ({"assistance": "oracle"}, "bad_ask"),
    "no such pace": ({"pace": "lightning"}, "bad_ask"),
    "an unknown field": ({"seat": 2}, "bad_ask"),
    "a number for a switch": ({"public": 1}, "bad_ask"),
    "a word for a list": ({"chairs": "rookie"}, "bad_ask"),
    "a short salt": ({"salt": "00"}, "bad_ask"),
    "no name": ({"name": ""}, "bad_ask"),
    "an invisible name": ({"name": "\u200b\u202e"}, "bad_name"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_makes_no_table_is_refused_and_nothing_is_stored(what: str) -> None:
    changes, reason = BAD[what]

    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            ada = await house.page()
            with pytest.raises(Refused) as refused:
                await ada.ask("create_table", **terms_of(**changes))

            assert refused.value.reason == reason
            assert refused.value.args[1] or reason == "bad_name"  # it says what is wrong
            assert stored(store) == 0

    asyncio.run(scene())


def test_a_field_left_out_is_refused() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            terms = terms_of()
            for field in terms:
                rest = {name: value for name, value in terms.items() if name != field}
                with pytest.raises(msgspec.ValidationError, match=f"missing required field `{field}`"):
                    await parlour.page("ada").ask("create_table", **rest)

    asyncio.run(scene())


# --- Junk ------------------------------------------------------------------------------------------------------------

DEEP = b'{"type":"act","n":7,"table":"t","since":1,"action":' + b"[" * 5000 + b"]" * 5000 + b"}"
JUNK = {
    "nothing": (b"", 0),
    "no JSON": (b"{'type': 'watch_lobby'}", 0),
    "a list": (b"[1, 2]", 0),
    "a number": (b"17", 0),
    "noise": (bytes(range(256)), 0),
    "half an ask": (b'{"type":"watch_lobby","n":', 0),
    "no such ask": (b'{"type":"win","n":7}', 7),
    "no type": (b'{"n":7}', 7),
    "no number": (b'{"type":"watch_lobby"}', 0),
    "a number that is none": (b'{"type":"watch_lobby","n":"7"}', 0),
    "an unknown field": (b'{"type":"watch_lobby","n":7,"seat":1}', 7),
    "a tell": (b'{"type":"goodbye","n":7,"reason":"restarting"}', 7),
    "text that is none": (b'{"type":"jot","n":7,"table":"t","text":"\xff"}', 7),
    "half a letter": (b'{"type":"jot","n":7,"table":"t","text":"\\ud800 "}', 0),
    "too deep": (DEEP, 0),
}


@pytest.mark.parametrize("what", JUNK)
def test_junk_is_refused_and_the_socket_stays(what: str) -> None:
    data, number = JUNK[what]

    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            page = await house.page()
            await page.send(data)
            await page.until(lambda told: "refused" in told.last)
            refused = page.told.last["refused"]

            assert (refused["reason"], refused["n"]) == ("bad_ask", number)
            assert refused["detail"]
            assert stored(store) == 0
            await page.ask("watch_lobby")

    asyncio.run(scene())


ACTIONS: dict[str, Any] = {
    "no such action": {"type": "Cheat"},
    "no action": 17,
    "an action without its choice": {"type": "Move"},
    "an action with more than it has": {"type": "Roll", "dice": [6]},
    "a choice of the wrong kind": {"type": "Show", "card": 5},
    "no such card": {"type": "Show", "card": "Spoon"},
    "somebody else's": {"type": "Roll", "seat": 1},
    "a text that is none": msgspec.Raw(b'{"type":"Show","card":"\xff"}'),
    "an action of another kind": {"type": "jot", "text": "x"},
}


@pytest.mark.parametrize("what", ACTIONS)
def test_an_action_that_is_none_is_refused(what: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            before = ada.told.seq
            for ask in ("act", "select"):
                with pytest.raises(Refused) as refused:
                    await ada.ask(ask, table=table, since=ada.told.seq, action=ACTIONS[what])
                assert refused.value.reason == "bad_ask"

            await ada.ask("watch_table", table=table)
            assert ada.told.seq == before

    asyncio.run(scene())


async def alone(house: Open) -> tuple[str, Client]:
    """Start a game of two people, one of whom will never come."""
    ada, bob = await house.page(), await house.page()
    terms = terms_of(chairs=[None, None], options={"starter": 0}, public=True)
    table = (await ada.ask("create_table", **terms))["table"]
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    await ada.ask("start", table=table)
    await ada.ask("watch_table", table=table)
    return table, ada


@pytest.mark.parametrize(
    "ask",
    [
        {"type": "watch_table", "after": 10**30},
        {"type": "watch_table", "after": -5},
        {"type": "look", "seq": 10**30},
        {"type": "look", "seq": 0},
        {"type": "notes", "seq": -1},
        {"type": "call_stand_in", "seat": 10**30},
        {"type": "call_stand_in", "seat": -1},
        {"type": "set_chair", "seat": -1, "level": None},
        {"type": "sit_down", "seat": -2, "name": "Eve", "salt": SALT},
        {"type": "act", "since": 10**30, "action": {"type": "Roll"}},
        {"type": "act", "since": -1, "action": {"type": "Roll"}},
        {"type": "undo"},
        {"type": "why", "row": "", "column": "\u0000"},
        {"type": "rematch"},
        {"type": "check_seal"},
        {"type": "since_away"},
    ],
    ids=str,
)
def test_numbers_out_of_range_and_asks_out_of_season_do_no_harm(ask: dict[str, Any], tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as house:
            table, ada = await alone(house)
            before = ada.told.seq
            fields = {name: value for name, value in ask.items() if name != "type"}
            refused = nullcontext() if ask["type"] == "watch_table" else pytest.raises(Refused)
            with refused:
                await ada.ask(ask["type"], table=table, **fields)
            await ada.ask("watch_table", table=table)

            assert (ada.told.seq, ada.told.room["stage"]) == (before, "playing")

    asyncio.run(scene())


def test_a_frame_that_is_too_long_ends_the_socket_and_changes_nothing() -> None:
    async def scene() -> None:
        store = MemoryStore()
        async with opened(store=store) as house:
            page = await house.page()
            options = {"x": "a" * FRAME_BYTES}
            await page.send(msgspec.json.encode({"type": "create_table", "n": 1, **terms_of(options=options)}))

            assert await page.ended() == WSCloseCode.MESSAGE_TOO_BIG
            assert stored(store) == 0

    asyncio.run(scene())


def test_an_unknown_table_is_refused_and_none_is_made() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            page = parlour.page("ada")
            for table in ("nosuch", "../etc", "\u0000", "'; DROP TABLE record; --"):
                for ask in ("watch_table", "start", "undo"):
                    with pytest.raises(Refused, match="no_table"):
                        await page.ask(ask, table=table)
            await settle()

            assert parlour.host.tables == {}

    asyncio.run(scene())


def test_nobody_lays_table_after_table() -> None:
    async def scene() -> None:
        async with Parlour() as house:

            async def refused(page: Page) -> str | None:
                try:
                    await page.ask("create_table", **terms_of())
                except Refused as refused:
                    return refused.reason
                return None

            def stranger(person: str, line: str) -> Page:
                page = house.page(person)
                page.local, page.household = False, line
                return page

            burst, shared = quotas.PERSON_TABLES, quotas.HOUSEHOLD_TABLES
            ada = stranger("ada", "192.0.2.7")
            assert [await refused(ada) for _ in range(burst + 1)] == [None] * burst + ["too_many_tables"]
            with pytest.raises(Refused, match="too_many_tables"):
                await ada.ask("first_case", game="clue", name="Ada")
            others = [await refused(stranger(f"bob {number}", "192.0.2.7")) for number in range(shared - burst + 1)]
            assert others == [None] * (shared - burst) + ["too_many_tables"]
            assert await refused(stranger("cleo", "192.0.2.8")) is None
            mine = house.page("dora")
            assert {await refused(mine) for _ in range(2 * burst)} == {None}

    asyncio.run(scene())
