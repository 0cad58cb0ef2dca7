"""A whole game of two people and two bots over the real server, and what becomes of it afterwards."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import whodunit
from tests.server.client import Client, Refused, Told
from tests.server.sites import SALT, Open, Parlour, opened, play, terms_of
from whodunit import games
from whodunit.core.wire import encode
from whodunit.games.clue.facts import PACK
from whodunit.server.workers import Workers
from whodunit.table.verify import verify

SHORT = {"max_turns": 10}


async def gathered(house: Open, **terms: Any) -> tuple[str, Client, Client]:
    """Let Ada lay a table and Bob join by its code."""
    ada, cookie = await house.page(), house.cookie()
    table = (await ada.ask("create_table", **terms_of(**{"options": SHORT, **terms})))["table"]
    await ada.ask("watch_table", table=table)
    joined = await house.post("/api/join", {"code": ada.told.room["code"]}, cookie)
    assert await joined.json() == {"table": table}
    bob = await house.page(cookie)
    await bob.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    return table, ada, bob


@asynccontextmanager
async def playing(folder: Path, thinkers: Workers, **terms: Any) -> AsyncIterator[tuple[Open, str, Client, Client]]:
    async with opened(folder, workers=thinkers) as house:
        table, ada, bob = await gathered(house, **{"chairs": [None, None, "detective", "rookie"], **terms})
        await ada.ask("start", table=table)
        yield house, table, ada, bob


def hands(told: Told) -> list[Any]:
    found: list[Any] = told.table["view"]["hands"]
    return found


def test_two_people_and_two_bots_play_to_the_end(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (_, table, ada, bob):
            await play([ada, bob], table)

            assert ada.told.table["outcome"] == bob.told.table["outcome"] != None  # noqa: E711  (three at once)
            assert ada.told.table["closed"]
            assert ada.told.room["stage"] == bob.told.room["stage"] == "over"
            assert [event["seq"] for event in ada.told.events] == [event["seq"] for event in bob.told.events]
            assert ada.told.room["may"] == ["rematch"]
            causes = {event["event"]["type"] for event in ada.told.events}
            assert {"Opened", "HandDealt", "Suggested", "GameEnded"} <= causes
            with pytest.raises(Refused, match="illegal"):
                await ada.ask("act", table=table, since=ada.told.seq, action={"type": "Roll"})

    asyncio.run(scene())


def test_the_case_can_be_downloaded_loaded_and_verified_once_it_is_closed(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (house, table, ada, bob):
            eve = house.cookie()
            friend = house.cookie()
            await house.post("/api/join", {"code": ada.told.room["code"]}, friend)
            assert (await house.get(f"/t/{table}/case", friend)).status == 409
            with pytest.raises(Refused, match="still_open"):
                await ada.ask("check_seal", table=table)
            await play([ada, bob], table)
            download = await house.get(f"/t/{table}/case", friend)
            path = tmp_path / "downloaded.case"
            path.write_bytes(await download.read())
            case = whodunit.load(path)

            assert download.headers["Content-Disposition"] == f'attachment; filename="clue-{table}.case"'
            assert (await house.get(f"/t/{table}/case", eve)).status == 403
            assert (await house.get("/t/nosuch/case", eve)).status == 404
            assert all(statement.holds for statement in verify(case))
            assert case.header.commitment == ada.told.room["commitment"]  # promised before anybody sat down
            assert case.header.salts[:2] == (SALT, SALT)
            assert [bot.level for bot in case.header.bots] == ["detective", "rookie"]
            checked = await bob.ask("check_seal", table=table)
            assert [statement["ok"] for statement in checked["statements"]] == [True] * 5

    asyncio.run(scene())


def test_others_eyes_are_lent_only_when_the_case_is_closed(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (_, table, ada, bob):
            await ada.until(lambda told: told.seq > 0)
            for eyes in (1, 2, -1, 99, "all"):
                with pytest.raises(Refused, match="still_open"):
                    await ada.ask("look", table=table, seq=1, eyes=eyes)
            await play([ada, bob], table)
            last = ada.told.seq
            own = (await ada.ask("look", table=table, seq=last))["view"]
            seen = {eyes: (await ada.ask("look", table=table, seq=last - 1, eyes=eyes))["view"] for eyes in (1, -1)}
            everything = (await ada.ask("look", table=table, seq=8, eyes="all"))["view"]

            assert own == ada.told.table["view"]
            assert seen[1]["hands"] == hands(bob.told)
            assert seen[-1]["hands"] == [None] * 4
            assert all(everything["hands"])
            assert everything["envelope"]
            for seq, nobody in ((0, None), (last + 1, None), (1, 4), (1, -2)):
                with pytest.raises(Refused, match=r"no_event|no_seat"):
                    await ada.ask("look", table=table, seq=seq, eyes=nobody)

    asyncio.run(scene())


def test_the_past_looks_as_it_looked_then() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["random"], options=SHORT)
            then: dict[int, Any] = {}

            def noted(told: Told) -> bool:
                then.setdefault(told.seq, told.table["view"])
                return told.over

            await parlour.play([ada, bob], table, until=noted)
            for seq, view in then.items():
                assert (await ada.ask("look", table=table, seq=seq))["view"] == view
            assert len(then) > 5

    asyncio.run(scene())


def test_a_spectator_sees_what_is_public_and_may_do_nothing(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers, public=True) as (house, table, ada, bob):
            eve = await house.page()
            await eve.ask("watch_table", table=table)
            asks: dict[str, dict[str, Any]] = {
                "act": {"since": eve.told.seq, "action": {"type": "Roll"}},
                "select": {"since": eve.told.seq, "action": {"type": "CannotShow"}},
                "undo": {},
                "notes": {},
                "why": {"row": "Green", "column": "0"},
                "since_away": {},
                "mark": {"cell": "Green|0", "mark": "x"},
                "jot": {"text": "x"},
                "hand_over": {},
                "stand_up": {},
                "take_back": {},
            }
            for ask, fields in asks.items():
                with pytest.raises(Refused) as refused:
                    await eve.ask(ask, table=table, **fields)
                assert refused.value.reason == "no_seat", ask
            with pytest.raises(Refused, match="not_away"):
                await eve.ask("call_stand_in", table=table, seat=1)
            await play([ada, bob], table)
            await eve.until(lambda told: told.over)

            frames = [frame for frame in eve.told.frames if b'"type":"table"' in frame]
            assert len(frames) > 5
            assert hands(eve.told) == [None] * 4
            assert eve.told.table["offers"] == []
            room = eve.told.room
            assert (room["me"], room["code"], room["seat_key"], room["answer"], room["marks"]) == (None,) * 4 + ({},)
            assert room["may"] == []
            assert not any(chair["may"] for chair in room["chairs"])
            for event in eve.told.events:
                if event["event"]["type"] in {"HandDealt", "CardShown"}:
                    assert event["event"].get("cards", event["event"].get("card")) is None

    asyncio.run(scene())


def test_nobody_is_sent_anothers_key_cards_or_notes(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (house, table, ada, bob):
            await ada.ask("mark", table=table, cell="Rope|1", mark="ada-was-here")
            await ada.ask("jot", table=table, text="ada-thinks-so")
            live = await house.site.host.get(table)
            await play([ada, bob], table)
            keys, seal = [live.room.key(seat) or "" for seat in (0, 1)], live.room.laid.seal
            people = [person.encode() for person in live.room.people]
            sent = {page: b"".join(page.told.frames) for page in (ada, bob)}

            assert keys[0].encode() in sent[ada]
            assert keys[1].encode() in sent[bob]
            for page, mine in ((ada, 0), (bob, 1)):
                secrets = [*(key.encode() for seat, key in enumerate(keys) if seat != mine), *people]
                secrets += [seal.secret.encode(), seal.nonce.encode()]
                assert not [secret for secret in secrets if secret in sent[page]]
            assert b"ada-was-here" not in sent[bob]
            assert b"ada-thinks-so" not in sent[bob]
            own = set(hands(bob.told)[1])
            for event in (event["event"] for event in bob.told.events):
                cards = event.get("cards") or [event["card"]] if event.get("card") else []
                if 1 not in event["known_to"]:
                    assert not cards
                elif event["type"] == "HandDealt":
                    assert set(cards) <= own

    asyncio.run(scene())


# --- Again -----------------------------------------------------------------------------------------------------------


def test_a_rematch_seats_the_same_people_in_one_click_whoever_clicks(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (_, table, ada, bob):
            with pytest.raises(Refused, match="not_over"):
                await ada.ask("rematch", table=table, salt=SALT)
            await play([ada, bob], table)
            first, second = await asyncio.gather(
                bob.ask("rematch", table=table, salt=SALT), ada.ask("rematch", table=table, salt=SALT)
            )
            again = first["table"]

            assert second["table"] == again != table
            await ada.until(lambda told: told.room["rematch"] == again)
            for page, me in ((ada, 0), (bob, 1)):
                await page.ask("watch_table", table=again)
                assert page.told.room["me"] == me
                assert page.told.room["stage"] == "gathering"
            chairs = [(chair["kind"], chair["name"], chair["level"]) for chair in bob.told.room["chairs"]]
            assert chairs[:2] == [("person", "Ada", None), ("person", "Bob", None)]
            assert [level for _, _, level in chairs[2:]] == ["detective", "rookie"]
            assert bob.told.room["options"] == {**SHORT, "starter": 1}  # CLUE-10
            await ada.ask("start", table=again)
            await bob.until(lambda told: told.room["stage"] == "playing")
            assert bob.told.table["view"]["on_turn"] == 1
            assert (await ada.ask("rematch", table=table, salt=SALT))["table"] == again

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("game", "options", "changed"),
    [
        ("clue", {}, {"starter": 1}),
        ("clue", {"starter": 3}, {"starter": 0}),
        ("perfect_alibi", {}, {}),
        ("crime_hotel", {}, {}),
        ("crime_hotel", {"first_car": 1}, {"first_car": 2}),
        ("arosa", {}, {}),
        ("arosa", {"victim_dropper": 3, "first_investigator": 0}, {"victim_dropper": 0, "first_investigator": 1}),
    ],
)
def test_in_a_rematch_another_one_begins_as_the_book_has_it(
    game: str, options: dict[str, Any], changed: dict[str, Any]
) -> None:
    info = games.get(game).INFO

    assert info.again(info.parse(4, options), 4) == changed


def test_a_rematch_against_bots_begins_at_once_with_other_cards() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options=SHORT)
            await parlour.play([ada], table)
            before = ada.told.room
            again = (await ada.ask("rematch", table=table, salt=SALT))["table"]
            await ada.ask("watch_table", table=again)

            assert ada.told.room["stage"] == "playing"
            for secret in ("commitment", "code", "seat_key"):
                assert ada.told.room[secret] != before[secret]

    asyncio.run(scene())


# --- Logs ------------------------------------------------------------------------------------------------------------


def test_no_log_line_of_a_whole_game_tells_a_card_or_a_secret(
    tmp_path: Path, thinkers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def scene() -> None:
        async with playing(tmp_path, thinkers) as (house, table, ada, bob):
            await ada.ask("jot", table=table, text="my secret thoughts")
            with pytest.raises(Refused):
                await ada.ask("act", table=table, since=10**6, action={"type": "Show", "card": "Rope"})
            await play([ada, bob], table)
            live = await house.site.host.get(table)
            secrets = [
                *live.room.laid.keys,
                live.room.key(0) or "",
                live.room.laid.code,
                live.room.laid.seal.secret,
                *live.room.people,
            ]
            shown = [repr(live), str(live), repr(live.room), repr(house.site.host), repr(live.table)]
            text = "\n".join([*shown, *(record.getMessage() + str(record.exc_info) for record in caplog.records)])

            assert not [secret for secret in (*secrets, "secret thoughts") if secret in text]
            assert not [card for card in PACK if re.search(rf"\b{card}\b", text)]
            assert encode(live.room.laid.seal).decode() not in text

    asyncio.run(scene())
