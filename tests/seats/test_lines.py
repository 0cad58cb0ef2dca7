"""What a bot of one's own is told: what its seat is told and nothing else, in the form in which the site tells it."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from tests.plugs import plug_of
from tests.server.sites import Parlour, over
from tests.server.test_bytes import unfinished
from whodunit.conformance.play import Played, play
from whodunit.conformance.rerun import rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.types import Batch, Event, Seat, Update
from whodunit.games import get
from whodunit.host.live import Change
from whodunit.seats.lines import RoomLine
from whodunit.seats.own import Own
from whodunit.server import frames as site
from whodunit.server.protocol import RoomFrame
from whodunit.table.table import Table

Telling: TypeAlias = Callable[[Table, Seat, Iterable[Event]], Update]
OF_THE_LINE = {"asks", "example"}
"""What a line has beside what a frame has."""


class Echo:
    """A wire to whoever answers each line with its example; it keeps what went over it."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def ask(self, line: bytes, _seconds: float) -> bytes:
        self.lines.append(line)
        return json.dumps(json.loads(line)["example"]).encode()

    def close(self, last: bytes | None = None) -> None:
        self.lines += [] if last is None else [last]

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


def test_a_line_says_what_the_frame_of_the_site_says() -> None:
    """A bot that reads the one reads the other."""
    frames: dict[Seat, list[dict[str, Any]]] = {0: [], 1: [], 2: []}
    compared = {0: 0, 1: 0, 2: 0}

    async def scene() -> None:
        wires = {seat: Echo() for seat in frames}
        bots: dict[Seat, Own] = {}

        def compare(change: Change) -> None:
            table = change.live.table
            if not change.batches or table is None:
                return
            telling = site.Telling(change.live, change.batches, change.batches[0].seq - 1)
            for seat, untold in frames.items():
                bot = bots.setdefault(seat, Own(wires[seat], change.live.game, seat, b"seed", 1.0))
                bot.see(table.update(seat, [event for batch in change.batches for event in batch.events]))
                untold.append(json.loads(telling.to(seat)))
                if seat in table.awaiting and not table.closed:
                    bot.act()
                elif table.closed:
                    bot.part()
                else:
                    continue
                compared[seat] += same(wires[seat].told[-1], untold)
                untold.clear()

        async with Parlour() as parlour:
            parlour.host.listeners.append(compare)
            table, pages = await parlour.table("ada", "bob", "cleo", options={"max_turns": 9})
            await parlour.play(pages, table, over)

    asyncio.run(scene())

    assert min(compared.values()) > 4
    assert {"table", "game", "me"} <= {*RoomLine.__struct_fields__} & {*RoomFrame.__struct_fields__}


def same(line: dict[str, Any], frames: list[dict[str, Any]]) -> int:
    """Compare a line with the frames that say the same; return 1."""
    assert [*line][-2:] == ["asks", "example"]
    frame = frames[-1] | {"after": frames[0]["after"], "events": [event for told in frames for event in told["events"]]}
    for event in frame["events"]:
        event["at"] = 0  # there is no clock in an arena
    said = {name: value for name, value in line.items() if name not in OF_THE_LINE | {"table"}}
    assert said == {name: frame[name] for name in said}
    return 1


# --- Two worlds -------------------------------------------------------------------------------------------------------


@pytest.fixture
def _one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every seat be called the same; by chance it has a name of its own each time."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "name")


def lines(game: Played, batches: Iterable[Batch], seat: Seat, told: Telling = Table.update) -> list[bytes]:
    """Let a bot of one's own sit there, and return what it is told while the game is played."""
    wire = Echo()
    bot = Own(wire, game.game, seat, b"seed of the seat", 1.0)
    table = Table(game.game, game.last.seats, b"")
    for batch in batches:
        table = table.grow(batch)
        bot.see(told(table, seat, batch.events))
        if table.offers[seat]:
            bot.interrupt()
            bot.act()
    bot.part()
    return wire.lines


def views_of_the_truth(table: Table, seat: Seat, events: Iterable[Event]) -> Update:
    return replace(table.update(seat, events), view=table.state)


def events_of_the_truth(table: Table, seat: Seat, events: Iterable[Event]) -> Update:
    return replace(table.update(seat, events), events=tuple(events))


WORLDS = [
    ("clue", Setting(3, {}, seed=50, pace=60)),
    ("perfect_alibi", Setting(3, {"rival": True}, seed=2, pace=90)),
    ("crime_hotel", Setting(3, {}, seed=4, pace=60)),
    ("arosa", Setting(3, {"tower": "surrogate"}, seed=8, pace=60)),
]


def pairs(name: str, setting: Setting) -> Iterator[tuple[Played, Seat, list[Batch], list[Batch]]]:
    """Yield a game, a seat, and the game's past in two worlds which the seat cannot tell apart."""
    plug = plug_of(name)
    game = unfinished(play(get(name), plug, setting))
    for seat in range(setting.seats):
        viewer = Viewer(game, plug, seat)
        for world in indistinguishable(viewer):
            there = rerun(game, viewer.plug, viewer.script, world).batches[: viewer.ruled_out(world)]
            yield game, seat, list(game.batches[: len(there)]), there


@pytest.mark.usefixtures("_one_name")
@pytest.mark.parametrize(("name", "setting"), WORLDS, ids=[name for name, _ in WORLDS])
def test_a_bot_is_told_the_same_bytes_in_every_world_that_its_seat_cannot_tell_apart(
    name: str, setting: Setting
) -> None:
    compared = 0
    for game, seat, here, there in pairs(name, setting):
        told = lines(game, here, seat)
        assert told == lines(game, there, seat)
        assert here != there
        compared += len(told)

    assert compared > 30


@pytest.mark.usefixtures("_one_name")
@pytest.mark.parametrize("leak", [views_of_the_truth, events_of_the_truth])
def test_a_leak_would_be_seen(leak: Telling) -> None:
    for game, seat, here, there in pairs(*WORLDS[0]):
        assert lines(game, here, seat, leak) != lines(game, there, seat, leak)
