"""First cases: staged, for one person alone, and never taken for a sealed deal."""

import asyncio
from typing import Any, Final

import pytest

from tests.lessons import begin, path_of
from tests.lessons import follow as played
from tests.server.client import Refused
from tests.server.first_cases import first_case, follow, listening, waited_for
from tests.server.sites import SALT, Parlour, settle
from whodunit import games
from whodunit.core.errors import Refusal
from whodunit.table.verify import verify

MOST_MS: Final = 20_000
"""For so long others are waited for at most: about five minutes are to be the learner's."""
GAMES: Final = [game for game in games.ids() if path_of(game).exists()]


def test_the_site_plays_the_game_that_was_staged_and_promises_nothing_about_it() -> None:
    async def scene() -> None:
        lesson = games.lesson("clue")
        staged = played(begin("clue", lesson), lesson).case
        async with Parlour() as parlour:
            table, ada = await first_case(parlour)
            room = ada.told.room
            assert (room["lesson"], room["assistance"], room["code"], room["commitment"]) == (True, "logic", None, "")
            await follow(parlour, table, ada)

            case = await parlour.host.case(await parlour.host.get(table))
            assert case.events == staged.events
            assert [said.holds for said in verify(case)] == [None, True, True]
            assert (await ada.ask("check_seal", table=table))["statements"][0]["ok"] is None

            real = (await ada.ask("rematch", table=table, salt=SALT))["table"]
            again = await parlour.watching("ada", real)
            assert (again.told.room["lesson"], again.told.room["stage"]) == (False, "playing")
            assert again.told.room["commitment"]
            laid = (await parlour.host.get(real)).room.laid
            assert laid.seal != case.seal

    asyncio.run(scene())


@pytest.mark.parametrize("game", GAMES)
def test_in_a_first_case_others_are_not_waited_for_long(game: str) -> None:
    async def scene() -> None:
        lesson = games.lesson(game)
        falls = listening(game, played(begin(game, lesson), lesson))
        assert 1000 < await waited_for(game) <= MOST_MS + falls

    asyncio.run(scene())


def test_where_the_ear_decides_the_guide_advises_nothing() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await first_case(parlour, "arosa")
            for _ in range(200):
                if ada.told.on_turn:
                    break
                await parlour.pass_time(500)
            advised: Any = await ada.ask("give_advice", table=table)
            assert (advised["action"], advised["line"]) == (None, None)
            assert ada.told.on_turn

    asyncio.run(scene())


def test_nobody_else_comes_to_a_first_case() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await first_case(parlour)
            code = (await parlour.host.get(table)).room.laid.code
            with pytest.raises(Refusal, match="private"):
                await parlour.laying.join("eve", code)
            eve = parlour.page("eve")
            for ask in ("watch_table", "notes", "check_seal"):
                with pytest.raises(Refused, match="private"):
                    await eve.ask(ask, table=table)
            await settle()
            assert [chair["kind"] for chair in ada.told.room["chairs"]] == ["person", "bot", "bot"]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("wish", "reason"),
    [({"game": "cluedo", "name": "Ada"}, "bad_options"), ({"game": "clue", "name": "\u200b"}, "bad_name")],
)
def test_a_first_case_needs_a_game_and_a_name(wish: dict[str, str], reason: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            with pytest.raises(Refused, match=reason):
                await parlour.page("ada").ask("first_case", **wish)

    asyncio.run(scene())


def test_in_a_first_case_the_learner_is_waited_for() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            _, ada = await first_case(parlour)
            await parlour.pass_time(600_000)
            seq = ada.told.seq
            await parlour.pass_time(600_000)
            assert (ada.told.seq, ada.told.on_turn) == (seq, True)

    asyncio.run(scene())
