"""`whodunit.env.Observer`: a seat's view, and perhaps its belief, as an array of named numbers."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whodunit
from tests.plugs import plug_of
from whodunit import games
from whodunit.conformance.play import Played, play
from whodunit.conformance.rerun import rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.contract import complete
from whodunit.core.observing import numbers
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Belief, Seat
from whodunit.env import Observer
from whodunit.games.arosa.facts import COLOURS
from whodunit.games.arosa.model import Dropped, Exposed
from whodunit.table.table import Table

OURS = tuple(id for id, entry in games.registered().items() if entry.is_ours)


def played(id: str, seats: int, seed: int = 1, pace: int = 25) -> Played:
    plug = plug_of(id)
    return play(games.get(id), plug, Setting(seats, plug.adjusted(seats, {}), seed, pace))


def observer_of(game: Played, seat: Seat) -> Observer:
    return Observer(game.game, game.last.seats, game.options, seat)


def field(observer: Observer, seen: Any, name: str) -> float:
    return float(seen[observer.names.index(name)])


@pytest.mark.parametrize("id", OURS)
def test_views_in_any_order_give_what_a_fresh_look_gives(id: str) -> None:
    for seats in games.get(id).INFO.seats:
        game = played(id, seats)
        for viewer in game.viewers:
            observer, looks = observer_of(game, viewer), observer_of(game, viewer)
            parts = game.game.observed(seats, game.options, viewer).parts  # type: ignore[union-attr]
            for table in (*game.tables, *reversed(game.tables)):
                view = table.views[viewer]
                seen = observer.observe(view)
                fresh = [number for part in parts for number in numbers(part, part.of(view))]
                assert seen.dtype == np.float32
                assert seen.shape == (observer.size,) == (len(observer.names),)
                assert np.array_equal(seen[: len(fresh)], np.array(fresh, np.float32))
                assert not seen[len(fresh) :].any()
                looks.observe(game.last.state)  # what was looked at before leaves nothing behind
                assert np.array_equal(looks.observe(view), seen)
            assert len({*observer.names}) == observer.size


def test_what_is_returned_is_nobody_elses() -> None:
    game = played("clue", 3)
    observer = observer_of(game, 0)
    first = observer.observe(game.tables[0].views[0])
    kept = first.copy()
    first[:] = 7

    assert np.array_equal(observer.observe(game.tables[0].views[0]), kept)


def beliefs(game: Played, seat: Seat) -> Iterator[tuple[Table, Belief]]:
    belief = game.game.belief(seat)
    for table, batch in zip(game.tables, game.batches, strict=True):
        for event in batch.events:
            belief = belief.learn(redact(event, seat))
        yield table, belief


@pytest.mark.parametrize("id", OURS)
def test_a_beliefs_marginals_are_those_of_its_sheet(id: str) -> None:
    game = played(id, games.get(id).INFO.seats[0] + 1, pace=8)
    observer = observer_of(game, 1)
    for table, belief in [*beliefs(game, 1)][:12]:
        seen = observer.observe(table.views[1], belief)
        shares = {f"belief.{cell.row}.{cell.column}": cell.share for cell in belief.sheet("probabilities").cells}
        assert {name for name in observer.names if name.startswith("belief.")} == {*shares}
        assert field(observer, seen, "belief") == 1
        for name, share in shares.items():
            assert field(observer, seen, name) == np.float32(share)
        without = observer.observe(table.views[1])
        assert field(observer, without, "belief") == 0
        assert not without[observer.names.index("belief") :].any()


@pytest.mark.parametrize("id", OURS)
def test_in_two_worlds_that_a_seat_cannot_tell_apart_it_sees_the_same(id: str) -> None:
    plug, compared = plug_of(id), 0
    for seed in range(6):
        game = played(id, games.get(id).INFO.seats[0] + 1, seed)
        if not plug.provable(game.events):
            continue
        for seat in game.viewers:
            viewer = Viewer(game, plug, seat)
            for world in indistinguishable(viewer)[:1]:
                until = viewer.ruled_out(world)
                other = rerun(game, viewer.plug, viewer.script, world).batches[:until]
                compared += _compared(game, other, seat)
        if compared > 60:
            return
    assert compared > 60


def _compared(game: Played, other: Any, seat: Seat) -> int:
    here, there = observer_of(game, seat), observer_of(game, seat)
    words = game.game.INFO.id
    table, belief = Table(game.game, game.last.seats, b""), game.game.belief(seat)
    for number, ((one, mine), batch) in enumerate(zip(beliefs(game, seat), other, strict=False)):
        table = table.grow(batch)
        for event in batch.events:
            belief = belief.learn(redact(event, seat))
        held = (mine, belief) if number % 8 == 0 else (None, None)
        seen = here.observe(one.views[seat], held[0]), there.observe(table.views[seat], held[1])
        assert np.array_equal(*seen), f"seat {seat} is told of another world by its numbers, after event {table.seq}"
        told = [whodunit.describe(words, each.views[seat], seat=seat) for each in (one, table)]
        assert told[0] == told[1], f"seat {seat} is told of another world in words, after event {table.seq}"
    return len(other)


def test_what_matters_to_play_is_there() -> None:
    game = whodunit.new_game("clue", 3, 7)
    observer = Observer("clue", 3, {}, 1)
    view = whodunit.view(game, 1)
    seen = observer.observe(view)

    assert sorted(
        name for name in observer.names if name.startswith("hand.") and field(observer, seen, name)
    ) == sorted(f"hand.{card}" for card in view.hands[1] or ())
    assert field(observer, seen, f"Rope.room.{view.weapons[0]}") == 1
    assert field(observer, seen, "seat 2.corridor") == 1
    assert field(observer, seen, "seat 2.row") == pytest.approx(24 / 24, abs=0.05)
    assert field(observer, seen, f"on turn.{view.on_turn}") == 1
    assert field(observer, seen, "phase.Beginning") == 1
    assert field(observer, seen, "eyes.1") == 1


def test_in_arosa_it_is_told_what_fell_since_a_floor_was_open() -> None:
    game = played("arosa", 3, pace=15)
    observer = observer_of(game, 1)
    events = [event for batch in game.batches for event in batch.events]
    seen = observer.observe(game.last.views[1])
    opened = 0
    for floor in range(8):
        last = max(
            (at for at, event in enumerate(events) if isinstance(event, Exposed) and event.floor == floor), default=-1
        )
        opened += last >= 0
        for owner, name in ((0, "seat 0."), (1, ""), (2, "seat 2.")):
            fell = sum(isinstance(event, Dropped) and event.colour == COLOURS[owner] for event in events[last + 1 :])
            assert field(observer, seen, f"{name}since.floor {floor}") == pytest.approx(fell / (fell + 3))
    assert opened > 1


@pytest.mark.parametrize("id", OURS)
def test_the_library_page_says_how_many_there_are(id: str) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "library.md").read_text("utf-8")
    few, many = (Observer(id, seats, {}, 0).names.index("belief") for seats in games.get(id).INFO.seats)

    assert f"| {games.texts(id)['name']} | {few} to {many} |" in page


def test_the_truth_can_be_looked_at_in_the_same_numbers() -> None:
    """What a seat does not know has its place, too: a state, once a case is closed, or a sampled world fills it."""
    game = whodunit.new_game("clue", 3, 7)
    observer = Observer("clue", 3, {}, 1)
    mine, truth = observer.observe(whodunit.view(game, 1)), observer.observe(whodunit.view(game.close()))
    state = game.table.state

    assert field(observer, mine, f"envelope.room.{state.envelope.room}") == 0
    assert field(observer, truth, f"envelope.room.{state.envelope.room}") == 1
    assert field(observer, truth, f"seat 2.hand.{state.hands[2][0]}") == 1


def test_an_observer_can_be_sent_to_another_process() -> None:
    game = played("perfect_alibi", 4)
    observer = observer_of(game, 2)
    again = pickle.loads(pickle.dumps(observer))  # noqa: S301  (our own)

    assert again.names == observer.names
    assert np.array_equal(again.observe(game.last.views[2]), observer.observe(game.last.views[2]))


def test_a_spectator_sees_as_a_seat_does() -> None:
    game = played("crime_hotel", 3)

    assert observer_of(game, TABLE).size == observer_of(game, 0).size
    assert "seat 0.hand.11" in observer_of(game, TABLE).names


def test_a_game_without_numbers_says_so() -> None:
    module: Any = type(games)("blind")
    vars(module).update({name: part for name, part in vars(games.get("clue")).items() if name != "observed"})
    with pytest.raises(LookupError, match="clue does not say what a seat sees as numbers: it brings no `observed`"):
        Observer(complete(module), 3, {}, 0)


@pytest.mark.parametrize("seat", [-2, 3])
def test_a_seat_that_is_not_there_sees_nothing(seat: int) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {seat} at a table of 3"):
        Observer("clue", 3, {}, seat)
