"""Section 3.2 and 3.5: how cubes fall, and what an inspection lets everybody see."""

import struct
from collections import Counter

import pytest
from msgspec.structs import replace

from tests.games.arosa.staging import AROSA, BLUE, BROWN, GRAY, YELLOW, found_by, opened, stage
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.games.arosa.model import (
    Arrange,
    Arranging,
    CoverTracks,
    Dropped,
    Exposed,
    GameEnded,
    Inspect,
    OrderAwaited,
    Searching,
    Suspect,
    TurnBegan,
)
from whodunit.tower import Resting, Tower
from whodunit.tower.scripted import Landing

pytestmark = pytest.mark.rules


def test_a_drop_ends_on_one_floor_that_nobody_is_told() -> None:
    """AROSA-8, 10, 11: dropper, colour and noise are public and the same for all; the floor is known to nobody."""
    game = stage({4: "blue"}, act=1, landings={0: 6, 1: 2}).play(YELLOW, Inspect(4))

    blue, yellow = game.of(Dropped)
    assert (blue.seat, blue.colour, blue.why) == (YELLOW, "blue", "back")
    assert (yellow.seat, yellow.colour, yellow.why) == (YELLOW, "yellow", "penalty")
    assert [event.moved[0].floor for event in (blue, yellow)] == [6, 2]
    assert blue.clip.id != yellow.clip.id
    for viewer in (YELLOW, BLUE, TABLE):
        seen = [event for event in game.seen(viewer) if isinstance(event, Dropped)]
        assert [event.moved for event in seen] == [None, None]
        assert [event.clip for event in seen] == [blue.clip, yellow.clip]
        assert all(event.known_to == frozenset() for event in seen)


def test_every_clip_has_an_id_of_its_own_that_nobody_can_guess() -> None:
    """AROSA-11: drawn for the batch, and counted on within it, so that no other batch has one of them."""
    game = stage({4: "2 blue gray"}, act=1)
    first = game.play(YELLOW, Inspect(4)).of(Dropped)
    second = game.play(BLUE, Inspect(5)).of(Dropped)

    ids = [event.clip.id for event in (*first, *second)]
    assert len(set(ids)) == len(ids)
    assert {len(id) for id in ids} == {32}
    assert [id[-2:] for id in ids[: len(first)]] == ["00", "01", "02", "03"]
    assert len({id[:-2] for id in ids}) == 2
    game = stage({4: "2 blue gray"}, act=1)
    game.draws[f"clips {game.state.drops}"] = "5eed" * 8
    assert [event.clip.id for event in game.play(YELLOW, Inspect(4)).of(Dropped)][-1] == "5eed" * 7 + "5e03"


def test_cubes_fall_one_after_another() -> None:
    """AROSA-9, 24: each has an event of its own, and all of a turn come in one batch."""
    game = stage({4: "2 blue gray"}, act=1).play(YELLOW, Inspect(4))

    assert Counter(game.dropped("back")) == {"blue": 2, "gray": 1}
    assert game.kinds() == [Exposed, *[Dropped] * 4, TurnBegan]
    drawn = {tuple(_order(seed)) for seed in range(40)}
    assert len(drawn) == 3, "without a choice the order is random"


def _order(seed: int) -> list[str]:
    game = stage({4: "2 blue gray"}, act=1)
    game.draws[f"order {game.state.drops}"] = ((0, 1, 2), (0, 2, 1), (2, 0, 1))[seed % 3]
    return game.play(YELLOW, Inspect(4)).dropped("back")


def test_the_investigator_may_arrange() -> None:
    """AROSA-24: with `arrange` the order is his, for all to see before anything falls."""
    game = stage({4: "2 blue gray yellow"}, act=1).play(YELLOW, Inspect(4, arrange=True))

    assert game.kinds() == [Exposed, OrderAwaited]
    assert game.state.phase == Arranging(penalty=1, penalty_first=False)
    assert game.awaiting() == {YELLOW}
    assert game.state.held == (YELLOW, BLUE, BLUE, GRAY)
    assert not game.can(BLUE, Arrange((0, 1, 2, 3)))
    assert not game.can(YELLOW, Arrange((0, 1, 2)))
    game.play(YELLOW, Arrange((3, 1, 0, 2)))
    assert game.dropped() == ["gray", "blue", "yellow", "blue", "yellow"]
    assert game.dropped("penalty") == ["yellow"]


@pytest.mark.parametrize("words", ["2 blue", "blue", ""])
def test_there_is_nothing_to_arrange_in_one_colour(words: str) -> None:
    """AROSA-24: cubes of one colour are alike."""
    game = stage({4: words}, act=1).play(YELLOW, Inspect(4, arrange=True))

    assert game.of(OrderAwaited) == []
    assert game.of(TurnBegan) == [TurnBegan(seat=BLUE, act=1)]


def test_a_falling_cube_may_push_another() -> None:
    """AROSA-E24, AROSA-12, 23: the drop looks like any other; what was pushed is gone from its floor."""
    game = stage({5: "blue"}, act=1)
    pushed = next(rest.cube for rest in game.state.tower.on(5))
    game.script.drops[game.state.drops] = Landing(0, ((pushed, 2),))
    game.play(YELLOW, Inspect(4))

    drop = game.of(Dropped)[0]
    assert [rest.floor for rest in drop.moved] == [0, 2]
    assert [event.moved for event in game.seen(BLUE) if isinstance(event, Dropped)] == [None]
    assert game.floor(5) == {}
    assert game.floor(2) == {"blue": 1}
    game.play(BLUE, Inspect(5))
    assert found_by(game) == {}
    assert game.state.sheet == ((0,) * 4,) * 8


def test_a_cube_that_does_not_go_in_is_dropped_again() -> None:
    """AROSA-E23, AROSA-13: one event, one noise, one clue less."""
    game = stage(act=1, landings={0: Landing(4, roof_rests=2)}).play(YELLOW, Inspect(2))

    assert game.dropped() == ["yellow"]
    assert game.state.supplies[YELLOW] == 17
    assert game.floor(4) == {"yellow": 1}


def test_an_open_floor_shows_itself_and_nothing_else() -> None:
    """AROSA-22, 23: any floor may be chosen, and its cubes are seen by colour and number."""
    game = stage({4: "2 gray blue", 5: "brown"}, act=1).play(YELLOW, Inspect(4))

    assert found_by(game) == {"gray": 2, "blue": 1}
    for viewer in (YELLOW, GRAY, TABLE):
        (exposed,) = [event for event in game.seen(viewer) if isinstance(event, Exposed)]
        assert exposed.lift is None
        assert b"cube" not in encode(exposed)
        assert [cube.colour for cube in exposed.found] == ["blue", "gray", "gray"], "in an order that tells nothing"
    assert game.floor(5) >= Counter(brown=1)


def test_a_cube_that_lies_open_is_shown_where_it_lies() -> None:
    """AROSA-23: its centre in millimetres and its turn, as the tower packed them; same-coloured ones by place."""
    game = stage({4: "2 blue"}, act=1)
    poses = {x: struct.pack("<7f", x / 1000, 0.01, 0.128, 1, 0, 0, 0.1239) for x in (30, -20)}
    lies = iter(poses.values())
    cubes = tuple(Resting(rest.cube, 4, next(lies)) if rest.floor == 4 else rest for rest in game.state.tower.resting)
    game.state = replace(game.state, tower=Tower(cubes))
    game.play(YELLOW, Inspect(4))

    (exposed,) = game.of(Exposed)
    assert [cube.at for cube in exposed.found] == [(x, 10.0, 128.0, 1.0, 0.0, 0.0, 0.124) for x in (-20.0, 30.0)]


def test_a_floor_may_be_inspected_again_though_it_is_empty() -> None:
    """AROSA-E21, AROSA-22, 46: legal; the floor is empty and costs a penalty."""
    game = stage({3: "blue"}, landings={0: 6, 1: 6}).play(YELLOW, Suspect((BLUE,), 3))
    game.play(BLUE, Suspect((GRAY,), 3))

    assert found_by(game) == {}
    assert game.dropped() == ["blue"]
    assert game.dropped("penalty") == ["blue"]


def test_nothing_is_dropped_while_the_hotel_is_open() -> None:
    """AROSA-25, 26: what was found goes back first, then the penalty; a penalty is never exposed by its own turn."""
    game = stage({3: "gray"}, landings={0: 3, 1: 3}).play(YELLOW, Suspect((BLUE, GRAY), 3))

    assert [event.why for event in game.of(Dropped)] == ["back", "penalty"]
    kinds = game.kinds()
    assert kinds.index(Exposed) < kinds.index(Dropped)
    assert game.floor(3) == {"gray": 1, "yellow": 1}


def test_what_fell_out_goes_back_at_the_very_end() -> None:
    """AROSA-E25, AROSA-27, 46: it does not count for the open floor."""
    game = stage({3: "blue"}, spills=["gray"]).play(YELLOW, Suspect((GRAY,), 3))

    (exposed,) = game.of(Exposed)
    assert exposed.fallen == ("gray",)
    assert found_by(game) == {"blue": 1}
    assert game.on_sheet(3) == (0, 0, 0, 0)
    assert [(event.colour, event.why) for event in game.of(Dropped)] == [
        ("blue", "back"),
        ("yellow", "penalty"),
        ("gray", "fallen"),
    ]
    assert {event.seat for event in game.of(Dropped)} == {YELLOW}


def test_what_fell_out_stays_out_if_the_game_ends() -> None:
    """AROSA-E26, AROSA-27, 61."""
    game = stage({3: "blue"}, spills=["gray"], supplies={YELLOW: 1}).play(YELLOW, Suspect((GRAY,), 3))

    assert game.dropped() == ["blue", "yellow"]
    assert isinstance(game.last[-1], GameEnded)
    assert game.state.fallen == (GRAY,)


def test_a_victim_that_falls_out_goes_back_too() -> None:
    """AROSA-27, R8: it is neither found nor lost."""
    game = stage({3: "blue"}, act=1, spills=["red"], landings={2: 5}).play(YELLOW, Inspect(3))

    assert game.dropped() == ["blue", "yellow", "red"]
    assert sum(game.state.victims) == 0
    assert game.floor(5)["red"] == 1
    assert game.state.phase == Searching()


def test_clues_on_the_sheet_come_from_the_supply() -> None:
    """AROSA-28: what is found in the hotel goes back there."""
    game = stage({3: "2 gray"}).play(YELLOW, Suspect((GRAY,), 3))

    assert game.state.supplies[GRAY] == 16
    assert game.state.inside[GRAY] == 2
    assert game.dropped() == ["gray", "gray"]


def test_a_turn_is_one_inspection_and_nobody_passes() -> None:
    """AROSA-19, 21: then the next player clockwise, in both acts."""
    game = stage(act=1, on_turn=GRAY)
    assert {offer.action for offer in game.offers(GRAY)} == {Inspect}
    assert game.offers(YELLOW) == []
    game.play(GRAY, Inspect(2))
    assert game.awaiting() == {YELLOW}
    game = stage(sheet={1: "brown"}, on_turn=BROWN)
    assert {offer.action for offer in game.offers(BROWN)} == {Suspect, CoverTracks}
    game.play(BROWN, Suspect((GRAY,), 2))
    assert game.awaiting() == {GRAY}


def test_the_drops_of_the_last_turn_can_be_heard_again() -> None:
    """AROSA-11: their clips stand on the table until the next inspection."""
    game = opened(2, first_investigator=0)
    assert len(game.state.heard) == 6
    game.play(0, Inspect(2))

    assert [heard.clip for heard in game.state.heard] == [event.clip.id for event in game.of(Dropped)]
    assert game.views[TABLE].heard == game.state.heard
    assert AROSA.INFO.sounds is not None
    assert AROSA.INFO.sounds.again(game.views[TABLE]) == tuple(event.clip.id for event in game.of(Dropped))


def test_without_replay_nothing_can_be_heard_again() -> None:
    """AROSA-11 with SOUND_REPLAY off: what falls is heard when it falls, and is never on offer again."""
    game = opened(2, first_investigator=0, sound_replay=False)
    assert game.state.heard == ()
    game.play(0, Inspect(2))

    assert game.of(Dropped)
    assert game.state.heard == game.views[TABLE].heard == ()
