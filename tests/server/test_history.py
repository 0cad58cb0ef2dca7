"""All hands for who watches: with everybody's consent, late, and before that not a byte of them."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.server.client import Refused
from tests.server.sites import Here, Page, Parlour, beyond, opened, settle, terms_of
from whodunit.core.errors import NoProcess
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.host import writer
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.manners import LATE_MS
from whodunit.server import people, thoughts
from whodunit.server.fair_queue import Claim
from whodunit.server.feeds import LONG
from whodunit.server.thoughts import Glance, Retold
from whodunit.server.workers import Workers
from whodunit.table.seal import Seal

GAMES: dict[str, dict[str, Any]] = {"clue": {"starter": 0}, "perfect_alibi": {}, "crime_hotel": {}}
"""Those that are played here without cubes: what falls is stored as anything else."""


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


async def watched(parlour: Parlour, game: str = "clue") -> tuple[str, list[Page], Page]:
    """Begin a game of two people and bots that Eve watches."""
    bots = ("random", "random")
    table, pages = await parlour.table("ada", "bob", bots=bots, game=game, options=GAMES[game])
    return table, pages, await parlour.watching("eve", table)


async def agree(table: str, *pages: Page) -> None:
    for page in pages:
        await page.ask("agree", table=table, agreed=True)


async def moves(parlour: Parlour, table: str, pages: list[Page], count: int) -> None:
    """Let the game go on, as far as it goes without much thought."""
    for _ in range(count):
        if not pages[0].told.over:
            await parlour.pass_time(5000)
            mover = next((page for page in pages if page.told.on_turn), None)
            if mover is not None:
                await parlour.play([mover], table, until=beyond(mover.told.seq))


def test_until_everybody_has_agreed_whoever_watches_sees_the_public_view_alone() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob), eve = await watched(parlour)
            await parlour.pass_time(2 * LATE_MS)
            assert await refusal(eve, "peek", table=table) == "not_agreed"
            await agree(table, ada)
            assert [chair["agrees"] for chair in eve.told.room["chairs"]] == [True, False, False, False]
            assert not eve.told.room["open_hands"]
            assert await refusal(eve, "peek", table=table) == "not_agreed"
            assert await refusal(eve, "look", table=table, seq=eve.told.seq, eyes="all") == "still_open"
            assert await refusal(eve, "agree", table=table, agreed=True) == "no_seat"
            await agree(table, bob)
            assert eve.told.room["open_hands"]
            assert all((await eve.ask("peek", table=table))["view"]["hands"])

            await bob.ask("agree", table=table, agreed=False)  # and no longer, at once
            assert await refusal(eve, "peek", table=table) == "not_agreed"
            assert await refusal(eve, "look", table=table, seq=1, eyes="all") == "still_open"

    asyncio.run(scene())


def test_nobody_who_plays_peeks() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob), _ = await watched(parlour)
            await agree(table, ada, bob)
            await parlour.pass_time(2 * LATE_MS)
            assert await refusal(ada, "peek", table=table) == "not_agreed"
            assert await refusal(ada, "look", table=table, seq=1, eyes="all") == "still_open"

    asyncio.run(scene())


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_is_everything_up_to_then_and_nothing_since(game: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages, eve = await watched(parlour, game)
            await agree(table, *pages)
            assert await refusal(eve, "peek", table=table) == "no_event"
            await moves(parlour, table, pages, 3)
            parlour.clock.move(parlour.clock.now() + LATE_MS - 1)
            await settle()
            first = await eve.ask("peek", table=table)
            parlour.clock.move(parlour.clock.now() + 1)
            await moves(parlour, table, pages, 3)

            live = await parlour.host.get(table)
            batches = await parlour.host.batches(live)
            late = parlour.clock.now() - LATE_MS
            events = [event for batch in batches if batch.at <= late for event in batch.events]
            seen = await eve.ask("peek", table=table)
            assert first["seq"] <= seen["seq"] == len(events) < live.table.seq  # type: ignore[union-attr]
            assert encode(seen["view"]) == encode(_plain(fold(live.game, events)))
            again = await eve.ask("look", table=table, seq=seen["seq"], eyes="all")
            assert again["view"] == seen["view"]
            assert await refusal(eve, "look", table=table, seq=seen["seq"] + 1, eyes="all") == "still_open"
            assert await refusal(eve, "look", table=table, seq=1, eyes=0) == "still_open"

    asyncio.run(scene())


@pytest.mark.parametrize("game", GAMES)
def test_consent_changes_no_byte_of_what_anybody_is_told_of_the_game(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same deal and the same moves, with and without consent: what is shown late is shown to who asks for it."""

    async def told(*, agreed: bool) -> list[list[bytes]]:
        async with Parlour() as parlour:
            table, pages, eve = await watched(parlour, game)
            if agreed:
                await agree(table, *pages)
            await moves(parlour, table, pages, 6)
            viewers = (*pages, eve)
            frames = [[frame for frame in viewer.told.frames if b'"type":"table"' in frame] for viewer in viewers]
            return [[frame.replace(table.encode(), b"") for frame in own] for own in frames]

    async def scene() -> None:
        frames = await told(agreed=True)
        assert min(map(len, frames)) > 3
        assert frames == await told(agreed=False)

    monkeypatch.setattr(people, "seal", lambda: Seal.from_seed("one deal"))
    asyncio.run(scene())


def test_it_holds_on_every_node_and_after_a_restart() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as one, Parlour(store, bus, one.clock) as two:
            table, pages, _ = await watched(one)
            eve = await two.watching("eve", table)
            await agree(table, *pages)
            await one.pass_time(2 * LATE_MS)
            assert (await eve.ask("peek", table=table))["seq"] > 0
        async with Parlour(store, MemoryBus(), one.clock) as again:
            eve = await again.watching("eve", table)
            assert eve.told.room["open_hands"]
            assert (await eve.ask("peek", table=table))["seq"] > 0

    asyncio.run(scene())


# --- Where it is folded ----------------------------------------------------------------------------------------------


def forbidden(*_: object) -> None:
    raise AssertionError("this runs on the event loop")


def test_the_event_loop_neither_unpacks_nor_folds_what_is_looked_at(
    thinkers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with opened(workers=thinkers) as house:
            page = await house.page(cookie := house.cookie())
            chairs = [None, "random", "random"]
            table = (await page.ask("create_table", **terms_of(chairs=chairs, start=True)))["table"]
            await page.ask("watch_table", table=table)
            await page.ask("hand_over", table=table, level="random")
            await page.until(lambda told: told.over)
            live = house.site.host.tables[table]
            events = [event for batch in await house.site.host.batches(live) for event in batch.events]
            wanted = [_plain(fold(live.game, [redact(event, 1) for event in events[:seq]])) for seq in (1, 9)]
            everything = _plain(fold(live.game, events))

            monkeypatch.setattr(house.site.host, "batches", forbidden)
            monkeypatch.setattr(writer, "unpack", forbidden)
            looks = [await page.ask("look", table=table, seq=seq, eyes=1) for seq in (1, 9)]
            assert [look["view"] for look in looks] == wanted
            last = await page.ask("look", table=table, seq=len(events), eyes="all")
            assert (last["seq"], last["view"]) == (len(events), everything)
            assert (await house.get(f"/t/{table}/case", cookie)).status == 200
            assert all(said["ok"] for said in (await page.ask("check_seal", table=table))["statements"])

    asyncio.run(scene())


class Counted(Here):
    """Counts what is told and folded."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0
        self.folded = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        self.told += len(job.bodies) if isinstance(job, Retold) else 0
        self.folded += isinstance(job, Glance)
        await self.gate.wait()
        return await super().run(table, work, job, claim)


def test_several_who_look_at_one_moment_share_one_fold_and_each_event_is_told_once() -> None:
    async def scene() -> None:
        workers = Counted()
        async with Parlour(workers=workers) as parlour:
            table, pages, eve = await watched(parlour)
            await moves(parlour, table, pages, 4)
            guests = [eve, *[await parlour.watching(f"guest {number}", table) for number in range(4)]]
            workers.gate.clear()
            looks = [asyncio.ensure_future(guest.ask("look", table=table, seq=3)) for guest in guests]
            await settle()
            looks.pop(0).cancel()  # the others wait for it all the same
            workers.gate.set()
            views = await asyncio.gather(*looks)
            assert workers.folded == 1
            assert all(view == views[0] for view in views)
            for seq in range(1, 5):
                await eve.ask("look", table=table, seq=seq)
            live = parlour.host.tables[table]
            assert live.table is not None
            assert workers.folded == 4
            assert workers.told == len(await parlour.host.batches(live))

    asyncio.run(scene())


def test_nobody_is_shown_what_another_was_shown_of_the_same_moment() -> None:
    """A running game: each look is folded from what its own eyes were told, also where it is shared and kept."""

    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages, eve = await watched(parlour)
            await moves(parlour, table, pages, 4)
            live = parlour.host.tables[table]
            events = [event for batch in await parlour.host.batches(live) for event in batch.events]
            for seq in (1, len(events)):
                for _ in range(2):
                    for page, viewer in zip((*pages, eve), (0, 1, TABLE), strict=True):
                        seen = await page.ask("look", table=table, seq=seq)
                        own = fold(live.game, [redact(event, viewer) for event in events[:seq]])
                        assert seen["view"] == _plain(own)

    asyncio.run(scene())


def test_a_process_that_has_forgotten_the_past_is_told_it_again() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages, eve = await watched(parlour)
            await moves(parlour, table, pages, 2)
            first = await eve.ask("look", table=table, seq=1)
            thoughts._PASTS._kept.clear()
            assert (await eve.ask("look", table=table, seq=2))["seq"] == 2
            assert await eve.ask("look", table=table, seq=1) == first

    asyncio.run(scene())


# --- Who comes to a long game ----------------------------------------------------------------------------------------


def table_frames(page: Page) -> list[Any]:
    """Return what the page was told of the table, without the spaces in between."""
    frames = [frame for frame in page.told.frames if frame.startswith(b'{"type":"table"')]
    return [msgspec.json.decode(frame) for frame in frames]


def test_whoever_comes_to_a_long_game_is_told_the_same_as_if_it_were_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Told by another process, in parts, or here; to a player or to a guest; from the beginning or from the middle."""

    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages, _ = await watched(parlour)
            await parlour.play(pages, table, until=lambda told: told.over or told.seq > 5 * LONG)
            live = parlour.host.tables[table]
            assert live.table is not None
            assert live.table.seq > 3 * LONG
            ends = [batch.last for batch in await parlour.host.batches(live)]
            for person in ("ada", "bob", "eve"):
                for after in (0, ends[0], ends[len(ends) // 2], ends[-2], ends[-1]):
                    told = []
                    for past in (parlour.feeds.past, None):
                        with monkeypatch.context() as patch:
                            patch.setattr(parlour.feeds, "past", past)
                            page = parlour.page(person)
                            page.told.events = [{"seq": seq} for seq in range(1, after + 1)]
                            await page.ask("watch_table", table=table, after=after)
                            told.append(table_frames(page))
                    assert told[0] == told[1]
                    assert len(told[0]) == 1

    asyncio.run(scene())


def test_a_long_game_is_told_here_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(*_: object) -> bytes:
        raise NoProcess

    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages, _ = await watched(parlour)
            await parlour.play(pages, table, until=lambda told: told.over or told.seq > 2 * LONG)
            wanted = table_frames(await parlour.watching("eve", table))
            monkeypatch.setattr(parlour.feeds, "past", none)
            assert table_frames(await parlour.watching("eve", table)) == wanted

    asyncio.run(scene())


def test_whoever_sits_down_meanwhile_is_told_what_the_seat_may_see() -> None:
    """And nothing that was made for other eyes."""

    async def scene() -> None:
        workers = Counted()
        async with Parlour(workers=workers) as parlour:
            table, pages, _ = await watched(parlour)
            await parlour.play(pages, table, until=lambda told: told.over or told.seq > 2 * LONG)
            live = parlour.host.tables[table]
            workers.gate.clear()
            coming = asyncio.ensure_future(parlour.watching("cleo", table))
            await settle()
            await parlour.host.writer.note(live, lambda room: manners.hold(room, 0, "cleo", parlour.clock.now()))
            workers.gate.set()
            cleo = await coming
            assert table_frames(cleo)[-1:] == table_frames(await parlour.watching("ada", table))

    asyncio.run(scene())


def _plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))
