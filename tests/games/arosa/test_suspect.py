"""Section 3.7: the action "suspect", and what is special on the ground floor."""

import pytest

from tests.games.arosa.staging import BLUE, BROWN, GRAY, YELLOW, refused, stage
from whodunit.games.arosa.model import Arranging, CluesPlaced, CoverTracks, Dropped, Exposed, Suspect, Suspected

pytestmark = pytest.mark.rules


def test_the_picture_of_act_two() -> None:
    """AROSA-P3, AROSA-44, 45, 46."""
    game = stage({3: "2 gray brown"}).play(YELLOW, Suspect((BLUE, GRAY), 3))

    assert game.on_sheet(3) == (0, 0, 0, 2)
    assert game.state.supplies == (17, 18, 18, 16)
    assert sorted(game.dropped("back")) == ["brown", "gray", "gray"]
    assert game.dropped("penalty") == ["yellow"]
    assert game.dropped()[-1] == "yellow"


def test_names_come_before_the_floor_is_open() -> None:
    """AROSA-41, 43: one action, announced before anything is seen, and it binds."""
    game = stage({3: "2 gray brown"}).play(YELLOW, Suspect((BLUE, GRAY), 3))

    assert game.kinds()[:3] == [Suspected, Exposed, CluesPlaced]
    assert game.last[0] == Suspected(seat=YELLOW, suspects=(BLUE, GRAY), floor=3)
    assert game.awaiting() == {BLUE}


def test_whom_one_may_name() -> None:
    """AROSA-E11, AROSA-42: others only, at least one, each once; all of them is allowed."""
    game = stage()

    for named in ((YELLOW,), (YELLOW, BLUE), (), (BLUE, BLUE), (4,)):
        assert refused(game, YELLOW, Suspect(named, 3))
    assert game.can(YELLOW, Suspect((BLUE,), 3))
    assert game.can(YELLOW, Suspect((BLUE, BROWN, GRAY), 3))
    assert stage(seats=2).can(YELLOW, Suspect((BLUE,), 3))


def test_who_was_not_named_puts_nothing() -> None:
    """AROSA-45: nor does the investigator."""
    game = stage({3: "2 gray 2 yellow blue"}).play(YELLOW, Suspect((BLUE,), 3))

    assert game.on_sheet(3) == (0, 1, 0, 0)
    assert game.dropped("penalty") == []


def test_placements_are_simultaneous() -> None:
    """AROSA-47: all are made before anything else happens."""
    game = stage({3: "gray blue"}).play(YELLOW, Suspect((BLUE, GRAY), 3))

    assert [(event.seat, event.count) for event in game.of(CluesPlaced)] == [(BLUE, 1), (GRAY, 1)]
    assert game.kinds()[:5] == [Suspected, Exposed, CluesPlaced, CluesPlaced, Dropped]


def test_on_the_ground_floor_without_a_clue_of_ones_own() -> None:
    """AROSA-E5, AROSA-49, 50, 51: nobody places, and every name costs."""
    game = stage({0: "3 gray blue"}).play(YELLOW, Suspect((BLUE, BROWN, GRAY), 0))

    assert game.on_sheet(0) == (0, 0, 0, 0)
    assert game.of(CluesPlaced) == []
    assert [event.why for event in game.of(Dropped)] == ["back"] * 4 + ["penalty"] * 3
    assert game.state.supplies[YELLOW] == 15


def test_on_the_ground_floor_with_a_clue_of_ones_own() -> None:
    """AROSA-E6, AROSA-48."""
    game = stage({0: "3 gray blue yellow"}).play(YELLOW, Suspect((BLUE, BROWN, GRAY), 0))

    assert game.on_sheet(0) == (0, 1, 0, 3)
    assert game.state.supplies == (17, 17, 18, 14)
    assert len(game.dropped("back")) == 5
    assert game.dropped("penalty") == ["yellow"]


def test_a_clue_of_ones_own_is_needed_on_the_ground_floor_alone() -> None:
    """AROSA-48, 52: elsewhere, and when covering tracks, nothing is special."""
    game = stage({1: "gray"}).play(YELLOW, Suspect((GRAY,), 1))
    assert game.on_sheet(1) == (0, 0, 0, 1)
    game = stage({0: "gray"}, sheet={0: "yellow"}).play(YELLOW, CoverTracks(0))
    assert game.dropped("penalty") == ["yellow"]
    assert game.state.supplies[YELLOW] == 17


def test_the_penalty_may_come_first_on_the_ground_floor() -> None:
    """AROSA-51, R7: a constant, off by default."""
    game = stage({0: "gray"}, ground_penalty_first=True).play(YELLOW, Suspect((GRAY,), 0))
    assert game.dropped() == ["yellow", "gray"]
    game = stage({0: "gray yellow"}, ground_penalty_first=True).play(YELLOW, Suspect((BLUE,), 0))
    assert [event.why for event in game.of(Dropped)] == ["back", "back", "penalty"]
    game = stage({0: "gray blue"}, ground_penalty_first=True).play(YELLOW, Suspect((GRAY,), 0, arrange=True))
    assert game.state.phase == Arranging(penalty=1, penalty_first=True)
    game.play(YELLOW, game.offers(YELLOW)[0].at(0))
    assert game.dropped()[0] == "yellow"
    game = stage({0: "gray"}, ground_penalty_first=True, supplies={YELLOW: 1}).play(YELLOW, Suspect((GRAY,), 0))
    assert game.dropped() == ["yellow"]
    assert game.outcome() is not None
