"""Section 3.8 and 3.9: the end of the game, the points, culprit and winner."""

from typing import Any

import pytest

from tests.games.arosa.staging import AROSA, BLUE, BROWN, GRAY, YELLOW, stage
from whodunit.games.arosa.facts import FLOORS
from whodunit.games.arosa.model import CluesPlaced, CoverTracks, GameEnded, Inspect, Suspect
from whodunit.games.arosa.rules import classes, prices, totals_of

pytestmark = pytest.mark.rules


def costs(*scenes: int) -> tuple[int, ...]:
    return classes(tuple(scenes.count(floor) for floor in FLOORS), 3, 2, 1)


def ended(game: Any) -> GameEnded:
    (event,) = game.of(GameEnded)
    assert event is game.last[-1]
    assert game.awaiting() == frozenset()
    assert not any(game.offers(seat) for seat in range(4))
    assert isinstance(event, GameEnded)
    return event


def test_crime_scenes_and_their_neighbours() -> None:
    """AROSA-P1, E16, E17, E18, AROSA-66, 67, 68, 69: the highest class once; floors 0 and 7 are no neighbours."""
    assert costs(3, 5) == (1, 1, 2, 3, 2, 3, 2, 1)
    assert costs(3, 4) == (1, 1, 2, 3, 3, 2, 1, 1)
    assert costs(0, 0) == (3, 2, 1, 1, 1, 1, 1, 1)
    assert costs(7) == (1, 1, 1, 1, 1, 1, 2, 3)
    assert costs() == (1,) * 8
    assert prices(stage(victims={2: 2}, scene_points=9, near_points=5, far_points=0).state) == (0, 5, 9, 5, 0, 0, 0, 0)


SCORED = {
    0: "blue",
    1: "blue 2 brown",
    2: "2 blue",
    3: "blue brown",
    4: "2 blue 2 brown",
    5: "blue",
    6: "2 blue",
    7: "blue",
}


def test_the_printed_scoring() -> None:
    """AROSA-P4, AROSA-62, 66, 67, 68, 69: 21 points from 11 clues."""
    game = stage(sheet=SCORED | {6: "blue"}, elsewhere=2, supplies={BLUE: 5}, sheet_limit=11)
    assert totals_of(game.state)[BLUE] == 19
    game = stage({6: "blue"}, sheet=SCORED | {6: "blue"}, supplies={BLUE: 5}, sheet_limit=11, elsewhere=2)
    game.play(YELLOW, Suspect((BLUE,), 6))

    assert sum(space[BLUE] for space in game.state.sheet) == 11
    assert ended(game).totals[BLUE] == 2 * 3 + 6 * 2 + 3 * 1 == 21


def test_the_printed_result() -> None:
    """AROSA-P5, AROSA-70, 71, 72, 74: culprit Blue, winner Brown; what is not on the sheet counts for nothing."""
    between = {2: "2 blue 5 yellow 5 gray", 6: "blue"}
    game = stage({6: "blue"}, sheet=SCORED | between, elsewhere=0, sheet_limit=11)
    assert totals_of(game.state) == (10, 19, 9, 10)
    game.play(YELLOW, Suspect((BLUE,), 6))

    end = ended(game)
    assert (end.totals, end.culprits, end.winners, end.how) == ((10, 21, 9, 10), (BLUE,), (BROWN,), "sheet")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.points, outcome.how) == ((BROWN,), (10, 21, 9, 10), "sheet")
    assert game.state.phase.culprits == (BLUE,)


def test_ten_clues_on_the_sheet_end_the_game() -> None:
    """AROSA-59: nine do not."""
    for have, over in ((8, False), (9, True)):
        game = stage({2: "gray"}, sheet={1: f"{have} gray"}).play(YELLOW, Suspect((GRAY,), 2))
        assert (game.outcome() is not None) is over
    game = stage({2: "gray"}, sheet={1: "3 gray"}, sheet_limit=4).play(YELLOW, Suspect((GRAY,), 2))
    assert ended(game).how == "sheet"


def test_the_whole_batch_is_placed() -> None:
    """AROSA-E13, AROSA-47, 59, 62: also past ten."""
    game = stage({2: "gray 2 blue"}, sheet={1: "9 gray 9 blue"}).play(YELLOW, Suspect((BLUE, GRAY), 2))

    assert [sum(space[seat] for space in game.state.sheet) for seat in (BLUE, GRAY)] == [11, 10]
    assert game.state.supplies[BLUE] == 7
    assert ended(game).how == "sheet"


def test_the_end_comes_before_what_is_owed() -> None:
    """AROSA-E15, AROSA-61: no drops follow."""
    game = stage({2: "blue"}, sheet={1: "9 blue"}).play(YELLOW, Suspect((BLUE, GRAY), 2))

    assert ended(game).how == "sheet"
    assert game.dropped() == []
    assert game.state.held == (BLUE,)
    assert game.state.supplies[YELLOW] == 18


def test_who_is_short_takes_from_the_floor() -> None:
    """AROSA-E12, AROSA-60, 63: the missing ones only; the supply is empty, and the game over."""
    game = stage({4: "5 gray"}, sheet={1: "4 gray"}, supplies={GRAY: 3}).play(YELLOW, Suspect((GRAY,), 4))

    assert game.of(CluesPlaced) == [CluesPlaced(seat=GRAY, floor=4, count=5, missing=2)]
    assert game.on_sheet(4)[GRAY] == 5
    assert sum(space[GRAY] for space in game.state.sheet) == 9
    assert game.state.held == (GRAY,) * 3
    assert game.state.supplies[GRAY] == 0
    assert ended(game).how == "supply"


def test_an_exact_supply_takes_nothing_from_the_floor() -> None:
    """AROSA-E20, AROSA-60, 63."""
    game = stage({4: "2 blue"}, sheet={1: "5 blue"}, supplies={BLUE: 2}).play(YELLOW, Suspect((BLUE,), 4))

    assert game.of(CluesPlaced) == [CluesPlaced(seat=BLUE, floor=4, count=2, missing=0)]
    assert game.state.held == (BLUE, BLUE)
    assert ended(game).how == "supply"


def test_penalties_stop_with_the_supply() -> None:
    """AROSA-E14, AROSA-61, 64: two of three are dropped."""
    game = stage(supplies={YELLOW: 2}).play(YELLOW, Suspect((BLUE, BROWN, GRAY), 2))

    assert game.dropped("penalty") == ["yellow"] * 2
    assert game.state.supplies[YELLOW] == 0
    assert ended(game).how == "supply"


def test_the_end_in_act_one() -> None:
    """AROSA-E19, AROSA-60, 61, 65, 73: no crime scene, all level: everybody is culprit and winner."""
    game = stage(act=1, supplies={YELLOW: 1}).play(YELLOW, Inspect(2))

    end = ended(game)
    assert (end.totals, end.winners, end.culprits) == ((0,) * 4, (0, 1, 2, 3), (0, 1, 2, 3))
    assert sum(game.state.victims) == 0


def test_only_what_was_found_is_a_crime_scene() -> None:
    """AROSA-65."""
    game = stage(act=1, victims={6: 1}, sheet={6: "blue", 5: "gray"}, supplies={YELLOW: 1}, elsewhere=1)
    game.play(YELLOW, Inspect(2))

    end = ended(game)
    assert (end.totals, end.winners, end.culprits) == ((0, 3, 0, 2), (YELLOW, BROWN), (BLUE,))


def test_placing_may_end_act_one() -> None:
    """AROSA-59, 61: both conditions are tested in both acts."""
    game = stage({4: "red gray"}, act=1, sheet={1: "9 gray"}).play(YELLOW, Inspect(4))

    assert ended(game).how == "sheet"
    assert game.dropped() == []


def test_the_last_clue_may_be_a_penalty_for_covering() -> None:
    """AROSA-57, 60."""
    game = stage(sheet={2: "yellow"}, supplies={YELLOW: 1}).play(YELLOW, CoverTracks(2))

    assert ended(game).how == "supply"


def test_ties_are_not_broken() -> None:
    """AROSA-73: several winners, several culprits."""
    game = stage({2: "gray"}, sheet={1: "9 gray", 7: "11 brown"}, sheet_limit=20, supplies={YELLOW: 1})
    game.play(YELLOW, Suspect((BLUE,), 6))

    end = ended(game)
    assert end.totals == (0, 0, 11, 9)
    assert (end.winners, end.culprits) == ((YELLOW, BLUE), (BROWN,))
    assert AROSA.outcome(game.state) == game.outcome()


def test_neither_condition_stops_a_game_that_goes_on() -> None:
    """AROSA-59, 60, 61."""
    game = stage({2: "gray"}, sheet={1: "8 gray"}, supplies={YELLOW: 2}).play(YELLOW, Suspect((BLUE,), 2))

    assert game.outcome() is None
    assert game.state.supplies[YELLOW] == 1
