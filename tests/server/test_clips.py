"""Clips over HTTP: nobody hears ahead, everybody hears the same, and who was away hears it later."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Refused
from tests.server.hotel import PROLOGUE_MS, RELEASE_MS, Hotel, clips, hotel, scene, script, within
from tests.server.sites import MIDNIGHT, FakeClock, Here, opened
from whodunit.games.arosa.practice import Practice
from whodunit.infra.sqlite import SqliteStore
from whodunit.server.fair_queue import Claim

PROLOGUE = (6, 5, 4, 4, 3, 3)
EARS = ("ada", "bob", "eve")
"""Two who play, and one who looks on."""


async def opens(house: Hotel, page: Client, floor: int, ms: int = 750) -> None:
    """Let the page's player open a floor, on which one cube is dropped unless the test says how long that takes."""
    act = house.act(page, "Inspect", floor=floor)
    await house.due(house.clock.now() + ms)
    house.clock.move(house.clock.now() + ms)
    await act


async def statuses(house: Hotel, clip: str) -> list[int]:
    return [(await house.get(person, clip))[0] for person in EARS]


def test_nobody_hears_ahead_and_all_hear_the_same() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, _ = await house.begun("ada", "bob")
            for nth, clip in enumerate(clips(ada.told)):
                release = MIDNIGHT + PROLOGUE_MS + RELEASE_MS * nth
                if nth:
                    house.clock.move(release - 1)
                    assert await statuses(house, clip) == [425] * 3
                house.clock.move(release)
                heard = [await house.get(person, clip) for person in EARS]
                assert {status for status, _ in heard} == {200}
                assert len({data for _, data in heard}) == 1
                assert heard[0][1] == (await house.house.site.host.store.blob(house.live.id, clip)).data  # type: ignore[union-attr]

    scene(play)


def test_a_fetch_that_comes_too_early_is_told_when_to_come_again() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, _ = await house.begun("ada", "bob")
            early = await house.house.get(f"/t/{house.live.id}/clip/{clips(ada.told)[2]}", house.cookie("ada"))
            assert (early.status, early.headers["Retry-After"]) == (425, "5")
            now = await house.house.get(f"/t/{house.live.id}/clip/{clips(ada.told)[0]}", house.cookie("ada"))
            assert (now.headers["Cache-Control"], now.content_type) == (
                "private, max-age=3600",
                "application/x-likelihood",
            )

    scene(play)


def test_a_page_that_comes_later_is_told_what_is_still_to_come() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, _ = await house.begun("ada", "bob")
            house.clock.move(house.clock.now() + 2 * RELEASE_MS)
            late = await house.page("bob")
            expected = [(clip, RELEASE_MS * (nth + 1)) for nth, clip in enumerate(clips(ada.told)[3:])]
            assert [(clip["id"], clip["left_ms"]) for clip in late.told.table["clips"]] == expected
            await house.calm()
            assert (await house.page("bob")).told.table["clips"] == []

    scene(play)


def test_no_bytes_travel_with_an_event() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            pages = await house.begun("ada", "bob")
            pages.append(await house.page("eve"))
            for page in pages:
                drops = [line["event"] for line in page.told.events if line["event"]["type"] == "Dropped"]
                assert {drop["clip"]["data"] for drop in drops} == {""}
                assert {drop["moved"] for drop in drops} == {None}

    scene(play)


def test_strangers_get_nothing_and_what_is_no_clip_is_not_found() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, _ = await house.begun("ada", "bob")
            await house.calm()
            clip = clips(ada.told)[0]
            assert [(await house.get(None, clip))[0], (await house.get("ada", "0" * 32))[0]] == [403, 404]
            missing = await house.house.get(f"/t/nowhere/clip/{clip}", house.cookie("ada"))
            assert missing.status == 404

    scene(play)


def test_a_private_table_keeps_its_clips() -> None:
    async def play() -> None:
        async with hotel("ada", "bob", public=False) as house:
            ada, _ = await house.begun("ada", "bob")
            assert await statuses(house, clips(ada.told)[0]) == [200, 200, 403]

    scene(play)


def test_drops_may_be_heard_again_until_the_next_turn_and_never_are_lost() -> None:
    """SOUND_REPLAY, AROSA-R24: bob's page has played him nothing yet, so everything waits for him."""

    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE)) as house:
            ada, _ = await house.begun("ada", "bob")
            await house.calm()
            await ada.ask("heard", table=house.live.id, seq=ada.told.seq)
            old = clips(ada.told)
            assert [await statuses(house, clip) for clip in old] == [[200, 200, 200]] * 6

            await opens(house, ada, 7)
            await house.calm()
            assert [await statuses(house, clip) for clip in old] == [[410, 200, 410]] * 6
            assert await statuses(house, clips(ada.told)[-1]) == [200, 200, 200]

    scene(play)


def test_without_replay_each_seat_hears_once() -> None:
    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE), sound_replay=False) as house:
            ada, bob = await house.begun("ada", "bob")
            await house.calm()
            assert ada.told.table["view"]["heard"] == []
            third = [line["seq"] for line in ada.told.events if line["event"]["type"] == "Dropped"][2]
            await ada.ask("heard", table=house.live.id, seq=third)
            await ada.until(lambda told: told.room["heard"])
            assert [(await house.get("ada", clip))[0] for clip in clips(ada.told)] == [410] * 3 + [200] * 3
            assert [(await house.get("bob", clip))[0] for clip in clips(ada.told)] == [200] * 6
            assert [(await house.get("eve", clip))[0] for clip in clips(ada.told)] == [200] * 6
            assert (ada.told.room["heard"], bob.told.room["heard"]) == (third, 0)

    scene(play)


def test_what_a_seat_has_heard_only_grows_and_is_its_own() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, bob = await house.begun("ada", "bob")
            phone = await house.page("ada")
            told = len(bob.told.frames)
            for seq, known in [(3, 3), (2, 3), (5, 5)]:
                await ada.ask("heard", table=house.live.id, seq=seq)
                await within(lambda known=known: phone.told.room["heard"] == known)  # type: ignore[misc]
            with pytest.raises(Refused, match="no_event"):
                await ada.ask("heard", table=house.live.id, seq=ada.told.seq + 1)
            eve = await house.page("eve")
            with pytest.raises(Refused, match="no_seat"):
                await eve.ask("heard", table=house.live.id, seq=1)
            assert len(bob.told.frames) == told

    scene(play)


def test_moments_survive_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with hotel("ada", "bob", folder=tmp_path) as house:
            ada, _ = await house.begun("ada", "bob")
            table, told = house.live.id, clips(ada.told)
            await ada.ask("heard", table=table, seq=4)
        clock = FakeClock(MIDNIGHT + PROLOGUE_MS + 2 * RELEASE_MS)
        async with opened(store=SqliteStore(tmp_path / "whodunit.sqlite"), clock=clock, haste=1.0) as house_again:
            again = Hotel(house_again, clock, house.hand, await house_again.site.host.get(table))
            page = await again.page("ada")
            assert [clip["left_ms"] for clip in page.told.table["clips"]] == [
                RELEASE_MS,
                2 * RELEASE_MS,
                3 * RELEASE_MS,
            ]
            assert [(await again.get("ada", clip))[0] for clip in told] == [200] * 3 + [425] * 3
            assert page.told.room["heard"] == 4

    scene(play)


def test_the_last_clips_keep_their_moments_though_the_case_is_closed() -> None:
    """The penalty empties ada's supply, which ends the game: everything else is open at once, this when it is due."""

    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE, 1), clues=3) as house:
            ada, _ = await house.begun("ada", "bob")
            await house.calm()
            await ada.ask("heard", table=house.live.id, seq=ada.told.seq)
            old = clips(ada.told)
            await opens(house, ada, 4, 500 + 250 * 3)
            await ada.until(lambda told: told.over)
            *back, penalty = clips(ada.told)[6:]
            assert [await statuses(house, clip) for clip in old] == [[200] * 3] * 6
            assert [await statuses(house, clip) for clip in (back[1], penalty)] == [[425] * 3] * 2
            await house.calm()
            assert await statuses(house, penalty) == [200] * 3

    scene(play)


class Room(Here):
    """Where somebody practises, and takes as long as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.over = asyncio.Event()
        self.begun = 0

    async def practise(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:  # noqa: ARG002  (as in Workers)
        self.begun += 1
        await self.over.wait()
        return Practice(b64encode(b"a fall").decode(), job.floor, (0,) * 8, "", 0)


def test_everybody_may_practise_one_fall_at_a_time() -> None:
    async def play() -> None:
        room = Room()
        async with hotel("ada", "bob", workers=room) as house:
            cookie = house.house.cookie()
            page, second = await house.house.page(cookie), await house.house.page(cookie)
            fall = asyncio.create_task(page.ask("practise", game="arosa", difficulty="clear", floor=6))
            await within(lambda: room.begun)
            for own in (page, second):  # whoever opens another page is the same person
                with pytest.raises(Refused, match="too_fast"):
                    await own.ask("practise", game="arosa", difficulty="hard")
            other = asyncio.create_task(
                (await house.house.page()).ask("practise", game="arosa", difficulty="hard", floor=0)
            )
            room.over.set()
            sound = b64encode(b"a fall").decode()
            assert await fall == {"clip": sound, "floor": 6, "resting": [0] * 8, "pose": "", "ear": 0}
            assert (await other)["floor"] == 0
            with pytest.raises(Refused, match="bad_options"):
                await page.ask("practise", game="clue", difficulty="clear")
            with pytest.raises(Refused, match="bad_ask"):
                await page.ask("practise", game="arosa", difficulty="clear", floor=8)

    scene(play)


def test_nobody_practises_without_pause() -> None:
    async def play() -> None:
        room = Room()
        room.over.set()
        async with hotel("ada", "bob", workers=room) as house:
            page = await house.house.page()
            asks = [page.ask("practise", game="arosa", difficulty="clear", floor=1) for _ in range(100)]
            done = await asyncio.gather(*asks, return_exceptions=True)
            assert 0 < sum(isinstance(fall, Refused) for fall in done) < 100

    scene(play)
