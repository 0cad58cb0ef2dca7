"""The plug that is derived from a game's own belief, against one that is written from the rules of the example game."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import pytest

import nightcap
from nightcap import model
from nightcap.model import GUESTS, Accuse, Guest, State
from whodunit.conformance import derive
from whodunit.conformance.derive import complete
from whodunit.conformance.play import Played, play
from whodunit.conformance.plug import Plug
from whodunit.conformance.rerun import rerun
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.contract import complete as whole
from whodunit.core.redact import redact
from whodunit.core.rng import Result, Rng
from whodunit.core.types import TABLE, Batch, Seat
from whodunit.deduce.belief import DealtWorld
from whodunit.games import get

GAME: Final = whole(nightcap)
DERIVED: Final = complete(GAME)
SETTINGS: Final = tuple(Setting(seats, {}, seed, pace=12) for seats in (2, 3) for seed in range(4))


class Known(NamedTuple):
    """What a viewer knows by the rules of Nightcap."""

    me: Seat
    possible: tuple[DealtWorld, ...] = ()

    def learn(self, event: Any) -> "Known":
        match event:
            case model.Opened(seats=seats):
                return Known(self.me, tuple(_deals(seats)))
            case model.HandDealt(seat=seat, guests=guests) if seat == self.me:
                return self._where(lambda world: world.hands[seat] == guests)
            case model.GuestShown(seat=seat, to=self.me, guest=guest):
                return self._where(lambda world: guest in world.hands[seat])
            case model.GuestShown(seat=seat, guests=guests):
                return self._where(lambda world: not {*guests}.isdisjoint(world.hands[seat]))
            case model.NothingShown(seat=seat, guests=guests):
                return self._where(lambda world: {*guests}.isdisjoint(world.hands[seat]))
            case model.Accused(guest=guest, right=right):
                return self._where(lambda world: (world.solution == (guest,)) == right)
            case model.NightEnded(guest=guest):
                return self._where(lambda world: world.solution == (guest,))
            case _:
                return self

    def _where(self, fits: Any) -> "Known":
        return Known(self.me, tuple(filter(fits, self.possible)))

    def worlds(self) -> Sequence[DealtWorld]:
        return self.possible

    def allows(self, world: DealtWorld) -> bool:
        return world in self.possible


def _deals(seats: int) -> Iterator[DealtWorld]:
    for culprit in GUESTS:
        rest = [guest for guest in GUESTS if guest != culprit]
        for hands in _hands(rest, seats, len(rest) // seats):
            yield DealtWorld(hands, (culprit,))


def _hands(rest: Sequence[Guest], seats: int, size: int) -> Iterator[tuple[tuple[Guest, ...], ...]]:
    if not seats:
        yield ()
        return
    for hand in combinations(rest, size):
        left = [guest for guest in rest if guest not in hand]
        for others in _hands(left, seats - 1, size):
            yield hand, *others


class Written:
    """A plug by hand."""

    def world(self, state: State, _events: Sequence[Any]) -> DealtWorld:
        assert state.culprit is not None
        return DealtWorld(tuple(hand or () for hand in state.hands), (state.culprit,))

    def belief(self, viewer: Seat) -> Known:
        return Known(viewer)

    def stack(self, world: DealtWorld, opening: Batch) -> Mapping[str, Result]:
        order = list(world.solution)
        for place in range(len(world.hands[0])):
            order += [hand[place] for hand in world.hands]
        starter = next(event.seat for event in opening.events if isinstance(event, model.TurnBegan))
        return {"guests": tuple(map(GUESTS.index, order)), "starter": starter}

    def guess(self, world: DealtWorld) -> Accuse:
        return Accuse(world.solution[0])


WRITTEN: Final = complete(GAME, Written())


@pytest.fixture(params=SETTINGS, ids=lambda setting: f"{setting.seats}-{setting.seed}")
def played(request: pytest.FixtureRequest) -> Played:
    return play(GAME, DERIVED, request.param)


def test_the_derived_truth_is_the_one_that_is_read_from_the_state(played: Played) -> None:
    assert Viewer(played, DERIVED, TABLE).truth == Viewer(played, WRITTEN, TABLE).truth


def test_every_viewer_can_know_the_same_after_every_batch(played: Played) -> None:
    for seat in played.viewers:
        one, other = Viewer(played, DERIVED, seat), Viewer(played, WRITTEN, seat)

        for derived, written in zip(one.known, other.known, strict=True):
            assert {*derived.worlds()} == {*written.worlds()}
            assert all(map(derived.allows, written.worlds()))
            assert not derived.allows(None)


def test_worlds_are_dealt_as_they_would_be_by_hand(played: Played) -> None:
    for seat in played.viewers:
        viewer = Viewer(played, DERIVED, seat)

        assert len(viewer.worlds) > 1
        for world in viewer.worlds:
            one, other = (rerun(played, plug, viewer.script, world) for plug in (viewer.plug, WRITTEN))
            assert (one.divergence is None) == (other.divergence is None)
            if one.divergence is not None and other.divergence is not None:
                assert one.divergence.at == other.divergence.at
            assert [_public(batch) for batch in one.batches] == [_public(batch) for batch in other.batches]


def _public(batch: Batch) -> list[Any]:
    return [redact(event, TABLE) for event in batch.events]


def test_a_small_game_is_dealt_in_all_its_worlds() -> None:
    played = play(GAME, DERIVED, Setting(2, {}, seed=1, pace=5))
    plug = DERIVED.at(played)

    assert all(map(plug.stackable, _deals(2)))
    assert not plug.stackable(DealtWorld((GUESTS[:3], GUESTS[:3]), ("Vicar",)))


def test_a_neighbour_is_another_world_that_can_be_dealt(played: Played) -> None:
    plug = DERIVED.at(played)
    truth = plug.world(played.last.state, played.events)
    near = [plug.neighbour(truth, Rng(b"near", seq)) for seq in range(5)]

    assert truth not in near
    assert all(map(plug.stackable, near))


def test_the_derived_guess_is_the_right_one(played: Played) -> None:
    truth = WRITTEN.world(played.last.state, played.events)

    assert DERIVED.at(played).guess(truth) == WRITTEN.guess(truth)


def test_options_that_open_no_table_are_left_out() -> None:
    clue = complete(get("clue"))

    assert clue.adjusted(2, {"min_players": 3, "dice_count": 2}) == {"dice_count": 2}
    assert clue.adjusted(3, {"min_players": 3, "dice_count": 2}) == {"min_players": 3, "dice_count": 2}


# --- Where nothing can be derived ----------------------------------------------------------------------------------


def told(plug: Plug, played: Played, seat: Seat) -> str:
    with pytest.raises(AssertionError) as fault:
        _ = Viewer(played, plug, seat).worlds
    return str(fault.value)


def test_too_many_worlds_are_named_with_what_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derive, "MOST_WORLDS", 100)
    played = play(GAME, DERIVED, SETTINGS[0])

    assert told(complete(GAME), played, 0).startswith(
        "viewer -1, after the opening (Opened, CulpritHidden, HandDealt, HandDealt, TurnBegan): "
        "the belief lists more than 100 worlds. Write `world`, `stack` and `neighbour` in a plug"
    )


def test_a_belief_that_lists_too_many_worlds_is_asked_for_a_method(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stacked:
        world, stack = Written.world, Written.stack

        def neighbour(self, world: DealtWorld, _rng: Rng) -> DealtWorld:
            return world

    monkeypatch.setattr(derive, "MOST_WORLDS", 2)
    played = play(GAME, DERIVED, SETTINGS[0])

    assert "viewer 0, after event 5 (TurnBegan): the belief lists more than 2 worlds. Give it a method `allows" in told(
        complete(GAME, Stacked()), played, 0
    )


def test_clue_has_too_many_worlds_to_derive_anything() -> None:
    game = get("clue")
    plug = complete(game)

    assert "viewer -1, after the opening" in told(plug, play(game, plug, Setting(3, {}, seed=1)), 0)
