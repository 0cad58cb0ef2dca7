"""Sizes: in two worlds that a spectator cannot tell apart, what every player is sent is as long."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.plugs import plug_of
from tests.server.client import Client
from tests.server.test_bytes import (
    GAMES,
    Staged,
    _alike,  # noqa: F401  (every test here uses this fixture)
    believed,
    unfinished,
)
from whodunit.bench.server.sizes import bits, measure
from whodunit.conformance.play import play
from whodunit.conformance.rerun import rerun
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Batch, Seat
from whodunit.games import get
from whodunit.server.padding import LEAST, padded
from whodunit.server.thoughts import Chronicle, Retold, chronicle, retell
from whodunit.table.codec import bare, packed

BAR = 0.3
"""So many bits, of 4.4, may be told."""
MORE = [("crime_hotel", Setting(3, {}, seed=4, pace=60)), ("clue", Setting(2, {}, seed=7, pace=60))]
"""Other secrets, and hands so large and accusers so wise that a smaller step would tell them apart."""


class Watched(Staged):
    """A table at which everybody does the same at the same time, and something else."""

    async def _meanwhile(self, pages: dict[Seat, Client], asked: Seat) -> None:
        self.often = 1
        await super()._meanwhile(pages, asked)

    async def _interrupted(self, *_: object) -> None:
        """Let everybody stay."""


def told_long_after(name: str, past: Sequence[Batch], viewer: Seat) -> bytes:
    """Return what a process makes of the past for somebody who comes to the table later."""
    bodies = tuple(packed(bare(batch)[0]) for batch in past)
    assert retell(Retold("table", name, 0, past[-1].last, bodies)) is None
    told = chronicle(Chronicle("table", name, viewer, 0, past[-1].last, 0))
    assert isinstance(told, bytes)
    return told


@pytest.mark.parametrize(("name", "setting"), [*GAMES, *MORE], ids=lambda given: getattr(given, "seats", given))
def test_sizes_are_the_same_in_every_world_that_a_spectator_cannot_tell_apart(name: str, setting: Setting) -> None:
    plug = plug_of(name)
    game = unfinished(play(get(name), plug, setting))
    viewer = Viewer(game, plug, TABLE)
    likely = [plug.as_world(world) for world in believed(viewer).sample(Rng(b"likely", 0), "worlds", 9)]
    other = next(world for world in likely if viewer.known[-1].allows(world) and world != viewer.truth)
    here, there = (
        asyncio.run(Watched(game, rerun(game, plug, viewer.script, world).batches, world, TABLE).frames())
        for world in (viewer.truth, other)
    )

    pasts = [rerun(game, plug, viewer.script, world).batches for world in (viewer.truth, other)]
    for seat in range(game.last.seats):
        assert len({len(told_long_after(name, past, seat)) for past in pasts}) == 1
        assert [*map(len, here[seat])] == [*map(len, there[seat])], f"the sizes that seat {seat} is sent tell something"
        contents = [[len(frame.rstrip()) for frame in told[seat]] for told in (here, there)]
        assert contents[0] != contents[1]  # without padding they would


def test_the_sizes_tell_nothing_of_a_card_that_is_shown() -> None:
    found = measure(games=6)

    assert found.bits <= BAR
    assert found.bare > 2  # without padding they tell more than half of it
    assert found.bytes_ratio < 1.5


@pytest.mark.parametrize(
    ("sizes", "told"), [([7], 0), ([7, 7, 7], 0), ([1, 2], 1), ([1, 1, 2, 2], 1), ([1, 2, 3, 4], 2)]
)
def test_how_much_a_size_tells(sizes: list[int], told: float) -> None:
    assert bits(sizes) == told


@pytest.mark.parametrize(("size", "whole"), [(0, LEAST), (LEAST, LEAST), (LEAST + 1, 2 * LEAST), (5000, 8192)])
def test_what_is_secret_as_a_whole_is_filled_up_by_doubling(size: int, whole: int) -> None:
    assert padded(b"x" * size) == b"x" * size + b" " * (whole - size)
