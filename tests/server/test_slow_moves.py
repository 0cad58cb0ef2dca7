"""Moves that take long to decide: when they are published, what goes on meanwhile, and what waits."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Refused
from tests.server.hotel import PROLOGUE_MS, RELEASE_MS, TERMS, Hotel, drops, hotel, scene, script, within
from tests.server.sites import MIDNIGHT, FakeClock, Here, Parlour, opened, pass_time
from tests.server.worlds import laid, starts
from whodunit.games.arosa.model import Dropped
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.server import thoughts as thinking
from whodunit.server.fair_queue import Claim

PROLOGUE = (6, 5, 4, 4, 3, 3)
"""Where the victims, ada's two clues and bob's two come to lie: on floor 7 there is nothing."""


async def inspected(house: Hotel, floor: int, late_ms: int = 0) -> tuple[int, list[Client]]:
    """Let ada open a floor, computed after so long; return when that was published after her request."""
    ada, bob = pages = await house.begun("ada", "bob")
    await house.calm()
    asked, seq = house.clock.now(), ada.told.seq
    if late_ms:
        house.hand.free.clear()
    act = house.act(ada, "Inspect", floor=floor)
    await within(lambda: house.hand.asked == 2)
    house.clock.move(asked + late_ms)
    house.hand.free.set()
    while not act.done():
        await asyncio.sleep(0.001)
        if house.clock.next is not None and not house.live.lock.locked():
            house.clock.move(min(house.clock.next, asked + 9000))
    await act
    for page in pages:
        await page.until(lambda told: told.seq > seq)
    assert bob.told.events == ada.told.events
    return ada.told.events[-1]["at"] - asked, pages


@pytest.mark.parametrize(
    ("late_ms", "published"),
    [(0, 750), (740, 750), (750, 750), (751, 1000), (1000, 1000), (1001, 2000), (4200, 5000)],
)
def test_a_turn_is_published_when_everybody_could_have_foretold_it(late_ms: int, published: int) -> None:
    """One cube falls: half a second and a quarter after the request, or if that is over at the next whole second."""

    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE)) as house:
            after, (ada, _) = await inspected(house, 7, late_ms)
            assert [drop["why"] for drop in drops(ada.told)][6:] == ["penalty"]
            assert after == published

    scene(play)


@pytest.mark.parametrize("landing", range(1, 8))
def test_where_a_cube_falls_changes_no_moment_and_no_frame(landing: int) -> None:
    async def told(landing: int) -> tuple[int, list[list[bytes]]]:
        async with hotel("ada", "bob", draws=script(*PROLOGUE, landing)) as house:
            after, pages = await inspected(house, 7)
            return after, [page.told.frames[1:] for page in pages]  # the first names the site's port

    assert scene(partial(told, landing)) == scene(partial(told, 0))


def test_the_prologue_is_published_by_the_same_rule() -> None:
    async def play() -> None:
        async with hotel("ada", "bob") as house:
            ada, bob = await house.begun("ada", "bob")
            assert {line["at"] for line in ada.told.events} == {MIDNIGHT + PROLOGUE_MS}
            assert ada.told.events == bob.told.events
            told = [{"id": drop["clip"]["id"], "left_ms": RELEASE_MS * nth} for nth, drop in enumerate(drops(ada.told))]
            assert ada.told.table["clips"] == told
            assert len(told) == 6

    scene(play)


def test_while_a_turn_falls_everything_else_goes_on() -> None:
    """Notes, marks, watching; a second act of the same seat is refused, and another's is not on offer."""

    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE)) as house:
            ada, bob = await house.begun("ada", "bob")
            await house.calm()
            house.hand.free.clear()
            act = house.act(ada, "Inspect", floor=7)
            await within(lambda: house.hand.asked == 2)

            for page in (ada, bob):
                await page.ask("mark", table=house.live.id, cell="red|3", mark="x")
                await page.ask("notes", table=house.live.id)
                await page.ask("watch_table", table=house.live.id)
                assert page.told.room["marks"] == {"red|3": "x"}
            eve = await house.page("eve")
            with pytest.raises(Refused, match="busy"):
                await house.act(ada, "Inspect", floor=6)
            assert not act.done()
            assert eve.told.seq == ada.told.seq == house.live.table.seq  # type: ignore[union-attr]

            house.hand.free.set()
            await house.due(house.clock.now() + 750)
            house.clock.move(house.clock.now() + 750)
            await act

    scene(play)


def test_an_action_sent_before_the_last_release_waits_for_it() -> None:
    """Six clips fell; the next turn counts from the moment at which the last of them is released."""

    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE)) as house:
            ada, _ = await house.begun("ada", "bob")
            released = house.clock.now() + 5 * RELEASE_MS
            act = house.act(ada, "Inspect", floor=7)
            await house.due(released)
            with pytest.raises(Refused, match="busy"):
                await house.act(ada, "Inspect", floor=6)
            house.clock.move(released - 1)
            assert house.hand.asked == 1
            house.clock.move(released)
            await house.due(released + 750)
            house.clock.move(released + 750)
            await act
            await ada.until(lambda told: told.events[-1]["at"] == released + 750)

    scene(play)


def test_an_action_that_waited_too_long_is_refused() -> None:
    """Meanwhile the seat has acted through another node of the site."""

    async def play() -> None:
        store, bus, clock = MemoryStore(), MemoryBus(), FakeClock()
        async with Parlour(store, bus, clock) as here, Parlour(store, bus, clock) as there:
            live = await laid(here.host, ("ada", "bob"), game="arosa", options=TERMS)
            begins = asyncio.create_task(here.host.moves.begin(live, starts(live, "ada")))
            await pass_time(clock, PROLOGUE_MS + 20 * RELEASE_MS)
            await begins
            ada, phone = await here.watching("ada", live.id), await there.watching("ada", live.id)
            wish = ada.told.table["offers"][0]["since"]
            acts = [
                asyncio.create_task(
                    page.ask("act", table=live.id, since=wish, action={"type": "Inspect", "floor": floor})
                )
                for page, floor in ((ada, 7), (phone, 6))
            ]
            await pass_time(clock, 20 * RELEASE_MS)
            done = await asyncio.gather(*acts, return_exceptions=True)
            assert [type(each) for each in done].count(Refused) == 1
            assert ada.told.events == phone.told.events
            assert [line["event"]["type"] for line in ada.told.events].count("Exposed") == 1

    scene(play)


def test_who_sits_down_while_the_prologue_falls_brings_a_salt_and_lets_it_fall_again() -> None:
    async def play() -> None:
        async with hotel("ada", levels=("random",)) as house:
            live = house.live
            ada = await house.page("ada")
            house.hand.free.clear()
            start = asyncio.create_task(ada.ask("start", table=live.id))
            await within(lambda: house.hand.asked == 1)
            await ada.ask("sit_down", table=live.id, seat=0, name="Ada", salt="ab" * 16)
            house.hand.free.set()
            await house.due(MIDNIGHT + PROLOGUE_MS)
            house.clock.move(MIDNIGHT + PROLOGUE_MS)
            await start
            assert house.hand.asked == 2
            assert live.room.header is not None
            assert live.room.header.salts[0] == "ab" * 16
            assert live.table is not None
            assert live.table.seed == live.room.laid.seal.seed(live.room.header.salts)

    scene(play)


def test_a_turn_that_the_house_does_not_live_to_see_has_not_happened(tmp_path: Path) -> None:
    async def play() -> None:
        async with hotel("ada", "bob", folder=tmp_path, draws=script(*PROLOGUE)) as house:
            ada, _ = await house.begun("ada", "bob")
            await house.calm()
            table, seq, offers = house.live.id, ada.told.seq, ada.told.table["offers"]
            house.hand.free.clear()
            house.act(ada, "Inspect", floor=7).cancel()
            act = house.act(ada, "Inspect", floor=7)
            await within(lambda: house.hand.asked == 2)
            act.cancel()
        async with opened(store=SqliteStore(tmp_path / "whodunit.sqlite"), haste=0.0) as again:
            page = await again.page(f"ada.{again.site.people._signed('ada')}")
            await page.ask("watch_table", table=table)
            assert (page.told.seq, page.told.table["offers"]) == (seq, offers)

    scene(play)


def test_whoever_leaves_while_the_turn_falls_has_acted() -> None:
    async def play() -> None:
        async with hotel("ada", "bob", draws=script(*PROLOGUE)) as house:
            ada, bob = await house.begun("ada", "bob")
            await house.calm()
            seq, now = ada.told.seq, house.clock.now()
            house.act(ada, "Inspect", floor=7)
            await within(lambda: house.hand.asked == 2)
            await ada.ws.close()
            await house.due(now + 750)
            house.clock.move(now + 750)
            await bob.until(lambda told: told.seq > seq)
            assert bob.told.table["awaiting"] == [1]

    scene(play)


class Thoughts(Here):
    """Keeps what it was given to think about, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[tuple[int, Any]] = []
        self.clock = FakeClock()

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        self.jobs.append((self.clock.now(), job))
        return await super().run(table, work, job, claim)

    def heard(self, nth: int) -> list[bool]:
        """Return of the nth job which drops had their sound with them."""
        events = [event for step in self.jobs[nth][1].seen.steps for event in step.events]
        return [bool(event.clip.data) for event in events if isinstance(event, Dropped)]


def test_a_bot_begins_to_think_when_it_has_heard_everything() -> None:
    async def play() -> None:
        thoughts = Thoughts()
        async with hotel("ada", levels=("rookie",), workers=thoughts, first_investigator=1) as house:
            thoughts.clock = house.clock
            await house.begun("ada")
            released = house.clock.now() + 5 * RELEASE_MS
            await house.due(released)
            house.clock.move(released - 1)
            assert thoughts.jobs == []
            house.clock.move(released)
            await within(lambda: thoughts.jobs)
            assert thoughts.jobs[0][0] == released
            assert thoughts.heard(0) == [True] * 6

    scene(play)


def test_notes_hear_what_is_released_and_no_more() -> None:
    async def play() -> None:
        thoughts = Thoughts()
        async with hotel("ada", "bob", workers=thoughts) as house:
            ada, _ = await house.begun("ada", "bob")
            for nth in range(6):
                house.clock.move(MIDNIGHT + PROLOGUE_MS + RELEASE_MS * nth)
                sheet = await ada.ask("notes", table=house.live.id)
                assert sheet["seq"] == (2 + nth if nth < 5 else ada.told.seq)
            assert [thoughts.heard(nth) for nth in range(6)] == [[True]] * 6  # each is told only what is new

    scene(play)


def test_a_process_keeps_in_mind_what_it_heard_and_not_the_clips() -> None:
    async def play() -> None:
        thoughts = Thoughts()
        async with hotel("ada", levels=("rookie",), workers=thoughts, first_investigator=1) as house:
            (ada,) = await house.begun("ada")
            await house.calm()
            await ada.ask("notes", table=house.live.id)
            await within(lambda: len(thoughts.jobs) == 2)
            bot, mind = thinking._BOTS.get((house.live.id, 1, "rookie")), thinking._MINDS.get((house.live.id, 0))
            assert bot is not None
            assert mind is not None
            for events in (bot.events, mind.seen):
                assert [event.clip.data for event in events if isinstance(event, Dropped)] == [b""] * 6

    scene(play)
