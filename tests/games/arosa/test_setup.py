"""Section 3.1 and 3.3: the material, the prologue, who begins."""

import pytest

from tests.games.arosa.staging import AROSA, opened
from whodunit.core.errors import BadOptions
from whodunit.core.types import TABLE
from whodunit.games.arosa.facts import COLOURS, FLOORS
from whodunit.games.arosa.model import Dropped, Inspect, Opened, Searching, TurnBegan

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_prologue(seats: int) -> None:
    """AROSA-E1, AROSA-1, 3, 14, 17: every supply is 18, and the hotel holds two victims and two clues a player."""
    game = opened(seats)

    assert game.state.supplies == (18,) * seats
    assert game.state.inside == (*(2,) * seats, 2)
    assert len(game.state.tower.resting) == 2 + 2 * seats
    assert game.state.sheet == ((0,) * seats,) * 8
    assert game.state.victims == (0,) * 8
    assert game.state.phase == Searching()
    assert game.state.act == 1
    assert AROSA.evolve(None, game.events[0]).supplies == (20,) * seats


@pytest.mark.parametrize("seats", [1, 7])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    """AROSA-1."""
    with pytest.raises(BadOptions, match="2 to 6 players"):
        AROSA.INFO.parse(seats, {})


def test_every_player_has_a_colour_of_his_own() -> None:
    """AROSA-3, 4: six colours, and red for nobody."""
    assert len(set(COLOURS)) == 7
    assert COLOURS[-1] == "red"
    game = opened(6)
    assert {event.colour for event in game.of(Dropped)} == set(COLOURS)
    assert {event.colour for event in opened(2).of(Dropped)} == {"yellow", "blue", "red"}


def test_the_hotel_has_eight_floors_and_the_sheet_a_space_for_each() -> None:
    """AROSA-2, 5."""
    game = opened()

    assert FLOORS == (0, 1, 2, 3, 4, 5, 6, 7)
    assert len(game.state.sheet) == len(game.state.victims) == 8
    assert [game.can(game.state.on_turn, Inspect(floor)) for floor in (-1, *FLOORS, 8)] == [False, *[True] * 8, False]


def test_victims_first_then_two_clues_each_clockwise() -> None:
    """AROSA-15, 16: each drops both before the next begins."""
    game = opened(3, victim_dropper=1, first_investigator=2)

    told = [(event.seat, event.colour) for event in game.of(Dropped)]
    assert told[:2] == [(1, "red"), (1, "red")]
    assert told[2:] == [(1, "blue"), (1, "blue"), (2, "brown"), (2, "brown"), (0, "yellow"), (0, "yellow")]
    assert {event.why for event in game.of(Dropped)} == {"prologue"}
    assert game.events[-1] == TurnBegan(seat=2, act=1)
    assert game.awaiting() == {2}


def test_knife_and_hotel_are_drawn_apart_or_named() -> None:
    """AROSA-15, 18: random unless the table names them; one may be both."""
    drawn = {(game.victim_dropper, game.investigator) for game in (_opening(seed) for seed in range(60))}

    assert len(drawn) == 9
    assert _opening(1, victim_dropper=2, first_investigator=2).victim_dropper == 2
    assert _opening(1, victim_dropper=2, first_investigator=1).investigator == 1
    with pytest.raises(BadOptions, match="victim_dropper 3 is no seat"):
        _opening(1, victim_dropper=3)
    with pytest.raises(BadOptions, match="first_investigator 5 is no seat"):
        _opening(1, first_investigator=5)


def _opening(seed: int, **options: object) -> Opened:
    from whodunit.core.rng import Rng  # noqa: PLC0415

    events = AROSA.setup(3, AROSA.INFO.parse(3, {"tower": "scripted", **options}), Rng(bytes([seed]), 1))
    assert isinstance(events[0], Opened)
    return events[0]


def test_a_prologue_leaves_clues_to_play_with() -> None:
    """AROSA-16, 60: whoever has dropped all clues before the first turn has lost them."""
    with pytest.raises(BadOptions, match="of 2 clues 2 cannot be dropped"):
        opened(clues=2)
    assert opened(clues=3).state.supplies == (1,) * 4
    assert opened(prologue_clues=0).state.supplies == (20,) * 4


def test_which_tower_is_for_whom() -> None:
    """AROSA-8: real falls unless a table says otherwise; tables for bots among themselves, and never a script."""
    assert AROSA.INFO.parse(2, {}).tower == "physics"
    assert AROSA.INFO.parse(2, AROSA.INFO.bulk).tower == "surrogate"
    assert AROSA.INFO.simulated == {"tower": ("physics",)}
    assert [option.values for option in AROSA.INFO.describe(people=True) if option.name == "tower"] == [("physics",)]
    for closed in ("surrogate", "scripted"):
        with pytest.raises(BadOptions, match="not for people"):
            AROSA.INFO.parse(2, {"tower": closed}, people=True)


def test_sheet_and_supplies_lie_open_and_floors_are_nobodys() -> None:
    """AROSA-7: everybody can count what is inside; nobody sees where."""
    game = opened(4, first_investigator=0)

    for viewer in (*range(4), TABLE):
        view = game.views[viewer]
        assert view.tower is None
        assert (view.supplies, view.sheet, view.inside) == (game.state.supplies, game.state.sheet, game.state.inside)
