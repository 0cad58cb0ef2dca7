"""Section 3.4 and 3.6: act I, the search for the victims."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.games.arosa.staging import BLUE, GRAY, YELLOW, refused, stage
from whodunit import tower
from whodunit.games.arosa import rules
from whodunit.games.arosa.model import (
    Accusing,
    CluesPlaced,
    CoverTracks,
    Dropped,
    Exposed,
    Inspect,
    Searching,
    Suspect,
    TurnBegan,
    VictimsFound,
)

pytestmark = pytest.mark.rules


def test_the_picture_of_act_one() -> None:
    """AROSA-P2, AROSA-33, 35, 36, 37, 38."""
    game = stage({5: "red 2 blue yellow"}, act=1).play(YELLOW, Inspect(5))

    assert game.state.victims[5] == 1
    assert game.on_sheet(5) == (0, 2, 0, 0)
    assert game.state.supplies == (18, 16, 18, 18)
    assert sorted(game.dropped()) == ["blue", "blue", "yellow"]
    assert game.dropped("penalty") == []
    assert game.kinds()[:3] == [Exposed, VictimsFound, CluesPlaced]


def test_the_tower_is_told_how_hard_it_is_shaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """AROSA-27: in centimetres a second by the option, in metres by the tower."""
    told: list[tuple[Any, ...]] = []

    def model(*given: Any) -> Any:
        told.append(given)
        return tower.model(*given)

    game = stage({5: "2 blue"}, act=1, lift_shake=25)
    monkeypatch.setattr(rules, "tower", SimpleNamespace(model=model))
    game.play(YELLOW, Inspect(5))

    assert [shake for _, _, shake, _ in told] == [0.25]


def test_an_empty_floor_costs_one_clue() -> None:
    """AROSA-E2, AROSA-29, 31, 32."""
    game = stage(act=1).play(YELLOW, Inspect(4))

    assert game.dropped() == ["yellow"]
    assert game.dropped("penalty") == ["yellow"]
    assert game.state.supplies == (17, 18, 18, 18)
    assert game.state.sheet == ((0,) * 4,) * 8
    assert game.state.phase == Searching()


def test_a_floor_without_a_victim_goes_back_and_costs_one_clue() -> None:
    """AROSA-30, 31, 32: however many clues were found."""
    game = stage({4: "2 blue gray"}, act=1).play(YELLOW, Inspect(4))

    assert sorted(game.dropped("back")) == ["blue", "blue", "gray"]
    assert game.dropped("penalty") == ["yellow"]
    assert game.of(CluesPlaced) == []


def test_both_victims_on_one_floor() -> None:
    """AROSA-E3, AROSA-34, 35: one crime scene, and nothing is doubled; act II next."""
    game = stage({2: "2 red blue"}, act=1, on_turn=GRAY).play(GRAY, Inspect(2))

    assert game.state.victims == (0, 0, 2, 0, 0, 0, 0, 0)
    assert game.of(VictimsFound) == [VictimsFound(floor=2, count=2)]
    assert game.on_sheet(2) == (0, 1, 0, 0)
    assert game.last[-1] == TurnBegan(seat=YELLOW, act=2)
    assert game.state.phase == Accusing()


def test_the_ground_floor_is_an_ordinary_floor_in_act_one() -> None:
    """AROSA-E4, AROSA-39."""
    game = stage({0: "red blue"}, act=1).play(YELLOW, Inspect(0))

    assert game.on_sheet(0) == (0, 1, 0, 0)
    assert game.dropped("penalty") == []


def test_the_second_victim_on_the_same_floor() -> None:
    """AROSA-40: the same space, one crime scene."""
    game = stage({5: "red"}, act=1, victims={5: 1}).play(YELLOW, Inspect(5))

    assert game.state.victims == (0, 0, 0, 0, 0, 2, 0, 0)
    assert game.state.act == 2


def test_act_two_begins_with_the_next_turn() -> None:
    """AROSA-20, 38: the turn that finds the last victim is played to its end as a turn of act I."""
    game = stage({5: "red 2 blue gray"}, act=1, victims={1: 1}).play(YELLOW, Inspect(5, arrange=True))

    assert game.state.act == 1
    assert game.awaiting() == {YELLOW}
    game.play(YELLOW, game.offers(YELLOW)[0].at(0))
    assert game.state.act == 2
    assert game.awaiting() == {BLUE}
    assert game.state.inside[-1] == 0
    assert not any(event.colour == "red" for event in game.of(Dropped))


def test_one_victim_does_not_end_act_one() -> None:
    """AROSA-20."""
    game = stage({5: "red"}, act=1).play(YELLOW, Inspect(5))

    assert game.last[-1] == TurnBegan(seat=BLUE, act=1)


def test_the_actions_of_one_act_are_refused_in_the_other() -> None:
    """AROSA-29, 41."""
    search, accuse = stage(act=1), stage(sheet={1: "yellow"})

    assert refused(search, YELLOW, Suspect((BLUE,), 3))
    assert refused(search, YELLOW, CoverTracks(3))
    assert refused(accuse, YELLOW, Inspect(3))
    assert refused(search, BLUE, Inspect(3))
