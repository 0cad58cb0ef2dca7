"""Byte equality: in two worlds that a viewer cannot tell apart, every frame that the viewer is sent is the same."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tests.plugs import plug_of
from tests.server.client import Client
from tests.server.sites import SALT, FakeClock, Here, Open, opened, terms_of
from whodunit.conformance.play import Played
from whodunit.conformance.play import play as played
from whodunit.conformance.rerun import rerun
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import TABLE, Batch, Belief, Seat
from whodunit.core.wire import encode
from whodunit.games import get
from whodunit.host.live import Live
from whodunit.room import pace
from whodunit.server import people
from whodunit.server.feeds import GRACE_MS
from whodunit.table.seal import Seal
from whodunit.table.table import Table

GAMES = [  # with questions, moves taken back, and lies
    ("clue", Setting(3, {}, seed=50, pace=60)),
    ("clue", Setting(4, {}, seed=35, pace=60)),
    ("perfect_alibi", Setting(3, {"rival": True}, seed=2, pace=90)),
    ("perfect_alibi", Setting(4, {"rival": True, "slam_window_s": 5, "turn_limit_s": 30}, seed=4, pace=90)),
    ("perfect_alibi", Setting(4, {"rival": True, "answer_mode": "by_hand"}, seed=8, pace=90)),
]


@pytest.fixture(autouse=True)
def _alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table have the same ids, codes, keys and seal."""
    monkeypatch.setattr(people, "table_id", lambda: "table")
    monkeypatch.setattr(people, "invitation", lambda: "CCCCDDDD")
    monkeypatch.setattr(people, "seat_key", lambda: "a key")
    monkeypatch.setattr(people, "seal", lambda: Seal.from_seed(0))


class Staged:
    """One world's game, played again through the server: its batches, and what is peculiar to this world."""

    def __init__(self, game: Played, batches: Sequence[Batch], world: Any, viewer: Seat) -> None:
        self.game = game
        self.batches = batches
        self.viewer = viewer
        self.peculiar = str(world)  # what other seats note down differs between worlds, and how often they do
        self.often = 1 + (world != plug_of(game.game.INFO.id).world(game.last.state, game.events))
        self.clock = FakeClock()
        self.went = False
        """Whether another player has gone away meanwhile."""
        self._stacks = {batch.seq: {draw.label: draw.result for draw in batch.draws} for batch in batches}

    def draws(self, seed: bytes, seq: int) -> Rng:
        return StackedRng(seed, seq, self._stacks[seq])

    async def frames(self) -> dict[Seat, list[bytes]]:
        """Play it, and return what each seat and a spectator were sent."""
        async with opened(clock=self.clock, workers=Here(), haste=1.0, draws=self.draws) as house:
            pages = await self._seated(house)
            live = await house.site.host.get("table")
            for number, batch in enumerate(self.batches[1:], 1):
                await self._moved(house, pages, live, number, batch)
            return {seat: page.told.frames[1:] for seat, page in pages.items()}  # the welcome names a port

    async def _seated(self, house: Open) -> dict[Seat, Client]:
        seats, signed = self.game.last.seats, house.site.people._signed
        cookies = {seat: f"person{seat}.{signed(f'person{seat}')}" for seat in (*range(seats), TABLE)}
        pages = {seat: await house.page(cookie) for seat, cookie in cookies.items()}
        options = encode(self.game.options)
        name = self.game.game.INFO.id
        terms = terms_of(game=name, chairs=[None] * seats, public=True, options=decoded(options))
        await pages[0].ask("create_table", **terms)
        for seat, page in pages.items():
            if seat > 0:
                await page.ask("sit_down", table="table", seat=seat, name=f"Person {seat}", salt=SALT)
        for page in pages.values():
            await page.ask("watch_table", table="table")
        await pages[0].ask("start", table="table")
        await together(pages, self.batches[0].last)
        return pages

    async def _moved(self, house: Open, pages: dict[Seat, Client], live: Live, number: int, batch: Batch) -> None:
        assert live.table is not None
        self.clock.move(self.clock.now() + 700)
        if batch.cause is None:
            assert live.table.undo_point is not None
            await pages[live.table.undo_point[0]].ask("undo", table="table")
        else:
            seat, action = batch.cause.seat, decoded(encode(batch.cause.action))
            (since,) = {offer.since for offer in live.table.offers[seat] if offer.admits(batch.cause.action)}
            asked = type(batch.cause.action) in self.game.game.INFO.answers
            if seat == TABLE:
                assert live.limit is not None
                self.clock.move(live.limit[0])
                await together(pages, batch.last)
                return
            if not asked:
                await pages[seat].ask("act", table="table", since=since, action=action)
            else:
                reply = await pages[seat].begin("select", table="table", since=since, action=action)
                await pages[seat].until(lambda told: told.room["answer"]["chosen"])
                await self._meanwhile(pages, seat)
                due = live.room.chairs[seat].due
                assert due is not None
                self.clock.move(due.at)
                await asyncio.wait_for(reply, 20)
        await together(pages, batch.last)
        if number % 5 == 0 and self.viewer != TABLE:
            await pages[self.viewer].ask("notes", table="table")
        if number >= 9 and not self.went and not live.table.asked:
            self.went = True
            await self._interrupted(house, pages, live)

    async def _meanwhile(self, pages: dict[Seat, Client], asked: Seat) -> None:
        """Let the others do in secret what nobody may notice."""
        for seat in range(self.game.last.seats):
            for number in range(self.often if seat != self.viewer else 0):
                if self.game.game.INFO.orders:
                    await pages[seat].ask("set_order", table="table", order=("seen", "least")[number])
                await pages[seat].ask("mark", table="table", cell=f"{number} {self.peculiar[-60:]}", mark="x")
                await pages[seat].ask("jot", table="table", text=f"{asked} {self.peculiar}"[:4000])

    async def _interrupted(self, house: Open, pages: dict[Seat, Client], live: Live) -> None:
        """Let another player go away and come back."""
        seat = 1 if self.viewer == 0 else 0
        await pages[seat].close()
        while live.pages[seat]:  # noqa: ASYNC110  (a counter, not an event)
            await asyncio.sleep(0.001)
        self.clock.move(self.clock.now() + GRACE_MS)
        others = [page for other, page in pages.items() if other != seat]
        for page in others:
            await page.until(lambda told: told.chair(seat)["away_ms"] is not None)
        await pages[2].ask("say", table="table", text="where is everybody?")
        person = live.room.chairs[seat].people[0]
        pages[seat] = await house.page(f"{person}.{house.site.people._signed(person)}")
        await pages[seat].ask("watch_table", table="table")
        for page in others:
            await page.until(lambda told: told.chair(seat)["away_ms"] is None)


def decoded(data: bytes) -> Any:
    return msgspec.json.decode(data)


async def together(pages: dict[Seat, Client], seq: int) -> None:
    for page in pages.values():
        await page.until(lambda told: told.seq == seq)
        await page.ask("leave_lobby")  # and whatever was on its way has come


def choices(game: Played, batches: Sequence[Batch]) -> list[int]:
    """Return for every answer how many there were to choose from."""
    table, counts = Table(game.game, game.last.seats, b""), []
    for batch in batches:
        if batch.cause is not None and type(batch.cause.action) in game.game.INFO.answers:
            (offer,) = pace.answer_offers(game.game, table.offers[batch.cause.seat])
            counts.append(offer.count)
        table = table.grow(batch)
    return counts


def unfinished(game: Played) -> Played:
    """Return the game as it stood before its end, which tells everybody everything."""
    return Played(game.game, game.options, game.batches[:-1], game.tables[:-1])


def believed(viewer: Viewer) -> Belief:
    belief = viewer.played.game.belief(viewer.seat)
    for event in viewer.played.events:
        belief = belief.learn(redact(event, viewer.seat))
    return belief


def differences(one: list[int], other: list[int]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("who", ["a player", "a spectator"])
@pytest.mark.parametrize(("name", "setting"), GAMES, ids=lambda given: getattr(given, "seats", given))
def test_a_viewer_is_sent_the_same_bytes_in_every_world_it_cannot_tell_apart(
    name: str, setting: Setting, who: str
) -> None:
    plug = plug_of(name)
    game = unfinished(played(get(name), plug, setting))
    viewer = Viewer(game, plug, 2 if who == "a player" else TABLE)
    likely = [plug.as_world(world) for world in believed(viewer).sample(Rng(b"likely", 0), "worlds", 30)]
    worlds = [viewer.truth, *(world for world in (*viewer.worlds, *likely) if viewer.known[-1].allows(world))]
    batches = {world: rerun(game, plug, viewer.script, world).batches for world in worlds}
    answers = {world: choices(game, batches[world]) for world in worlds}
    other = max(worlds, key=lambda world: differences(answers[world], answers[viewer.truth]))
    assert differences(answers[other], answers[viewer.truth]) > 0  # somebody has a choice here, and there has none
    here, there = (
        asyncio.run(Staged(game, batches[world], world, viewer.seat).frames()) for world in (viewer.truth, other)
    )

    assert len(here[viewer.seat]) > len(game.batches)
    for number, (one, other) in enumerate(zip(here[viewer.seat], there[viewer.seat], strict=True)):
        assert one == other, f"frame {number} tells {who} something"
    # And the worlds are two: somebody is sent something else.
    assert any(here[seat] != there[seat] for seat in here if seat != viewer.seat)
