"""Turns that fall: when they are published, what goes on meanwhile, and what waits."""

import asyncio
from functools import partial

import pytest

from tests.server.client import Client, Refused
from tests.server.hotel import PROLOGUE_MS, RELEASE_MS, Hotel, drops, hotel, scene, script, within
from tests.server.sites import MIDNIGHT

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
