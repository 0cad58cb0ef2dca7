"""A whole game of Mord im Arosa with real cubes: from the lobby over sockets and worker processes to its record."""

import asyncio
import os
import signal
from base64 import b64decode
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Refused
from tests.server.hotel import clips
from tests.server.sites import SALT, Open, Parlour, opened, play, terms_of
from whodunit import arena, load, tower
from whodunit.server import clips as server_clips
from whodunit.server.workers import Workers
from whodunit.table.verify import verify
from whodunit.tower import listen

SHORT: dict[str, Any] = {"clues": 4, "sheet_limit": 3}
CHAIRS = [None, None, "detective"]


def terms(**changes: Any) -> dict[str, Any]:
    return terms_of(**{"game": "arosa", "options": SHORT, "chairs": CHAIRS, **changes})


async def gathered(house: Open, *cookies: str) -> tuple[str, list[Client]]:
    """Lay a table through the lobby, sit down at it and begin."""
    ada, bob = [await house.page(cookie) for cookie in cookies]
    table: str = (await ada.ask("create_table", **terms()))["table"]
    await ada.ask("watch_table", table=table)
    joined = await house.post("/api/join", {"code": ada.told.room["code"]}, cookies[1])
    assert joined.status == 200
    await bob.ask("watch_table", table=table)
    await bob.ask("sit_down", table=table, seat=1, name="Bob", salt=SALT)
    await ada.ask("start", table=table)
    return table, [ada, bob]


async def heard(house: Open, table: str, cookie: str, page: Client) -> list[bytes]:
    """Fetch every clip that the page has been told of."""
    found = [await house.get(f"/t/{table}/clip/{clip}", cookie) for clip in clips(page.told)]
    assert {(response.status, response.content_type) for response in found} == {(200, "audio/flac")}
    return [await response.read() for response in found]


def test_a_game_of_real_cubes(tmp_path: Path, thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(tmp_path, workers=thinkers, decide=thinkers.decide) as house:
            cookies = [house.cookie(), house.cookie()]
            table, pages = await gathered(house, *cookies)
            await play(pages, table)
            ada, bob = pages
            assert ada.told.events == bob.told.events
            sounds = await heard(house, table, cookies[0], ada)
            assert sounds == await heard(house, table, cookies[1], bob)
            assert len({len(sound) for sound in sounds}) == 1
            assert max(listen("audio/flac", sounds[0], "normal")) == 1

            checked = (await ada.ask("check_seal", table=table))["statements"]
            assert [(said["about"], said["ok"]) for said in checked] == [
                ("commitment", True),
                ("draws", True),
                ("events", True),
                ("bot", True),  # it heard what is stored, when it played
            ]

            file = tmp_path / "game.case"
            file.write_bytes(await (await house.get(f"/t/{table}/case", cookies[1])).read())
            case = load(file)
            assert [event.clip.data for event in case.events if hasattr(event, "clip")] == sounds
            assert all(said.holds for said in (*verify(case), *arena.certify(case)))

            house.site.host.clock.now = lambda: 2**53  # type: ignore[method-assign]  # long after
            await server_clips.drop_old(house.site.host)
            gone = await house.get(f"/t/{table}/clip/{clips(ada.told)[0]}", cookies[0])
            assert gone.status == 410
            checked = (await ada.ask("check_seal", table=table))["statements"]
            assert [said["ok"] for said in checked] == [True, True, True, None]

    asyncio.run(scene())


def test_cubes_fall_in_another_process(thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(workers=thinkers, decide=thinkers.decide):
            assert await thinkers.decide("table", os.getpid) != os.getpid()

    asyncio.run(scene())


def die_once(mark: Path) -> str:
    """Kill the process that does this for the first time."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "fallen"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_is_replaced_and_the_turn_falls_again(tmp_path: Path) -> None:
    async def scene() -> None:
        workers = Workers(1)
        try:
            assert await workers.decide("table", partial(die_once, tmp_path / "died")) == "fallen"
            with pytest.raises(RuntimeError, match="dies of it"):
                await workers.decide("table", die)
        finally:
            workers.close()

    asyncio.run(scene())


def test_one_practises_with_real_cubes(thinkers: Workers) -> None:
    async def scene() -> None:
        async with opened(workers=thinkers) as house:
            page = await house.page()
            for floor in (0, 6):
                fall = await page.ask("practise", game="arosa", difficulty="clear", floor=floor)
                assert (fall["floor"], len(fall["resting"])) == (floor, 8)
                assert max(listen("audio/flac", b64decode(fall["clip"]), "clear")) == 1
            again = await page.ask("practise", game="arosa", difficulty="clear", floor=6)
            assert again["clip"] != fall["clip"]

    asyncio.run(scene())


@pytest.mark.parametrize("tower", ["surrogate", "scripted"])
def test_where_people_sit_cubes_are_real(tower: str) -> None:
    async def scene() -> None:
        async with opened() as house:
            page = await house.page()
            with pytest.raises(Refused, match="bad_options"):
                await page.ask("create_table", **terms(options={"tower": tower}))

    asyncio.run(scene())


def test_options_that_do_not_fit_are_refused_before_anything_falls() -> None:
    async def scene() -> None:
        async def nothing_falls(*_: object) -> Any:
            raise AssertionError("a cube falls")

        async with opened(decide=nothing_falls) as house:
            page = await house.page()
            with pytest.raises(Refused, match="bad_options"):
                await page.ask("create_table", **terms(options={"clues": 2, "prologue_clues": 2}))
            assert (await page.ask("create_table", **terms()))["table"]

    asyncio.run(scene())


def test_a_house_without_the_tower_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            ada = parlour.page("ada")
            laid = (await ada.ask("create_table", **terms()))["table"]
            monkeypatch.setattr(tower, "find_spec", lambda name: None if name == "mujoco" else name)
            for kind, fields in (
                ("create_table", terms()),
                ("start", {"table": laid}),
                ("practise", {"game": "arosa", "difficulty": "normal"}),
            ):
                with pytest.raises(Refused, match="no_tower"):
                    await ada.ask(kind, **fields)
            await ada.ask("create_table", **terms_of())  # other games need none

    assert tower.is_installed()
    asyncio.run(scene())
