"""The configuration constants of section 2: their defaults, and a clear answer to whoever gets them wrong."""

from typing import Any

import pytest

from tests.games.clue.staging import CLUE
from whodunit.core.errors import BadOptions
from whodunit.core.info import Option
from whodunit.core.rng import Rng
from whodunit.games.clue.facts import ROOMS
from whodunit.games.clue.model import (
    Accuse,
    AnyAction,
    AnyEvent,
    EndTurn,
    Move,
    NoMove,
    Opened,
    Options,
    State,
    StayAndSuggest,
    Suggest,
    TakePassage,
)

pytestmark = pytest.mark.rules


def test_the_defaults_are_those_of_the_rules() -> None:
    """CLUE-1 and section 2: every constant, with the value of this specification."""
    assert {option.name: option.default for option in CLUE.INFO.describe()} == {
        "dice_count": 1,
        "suggestion_mandatory": False,
        "accuse_after_disproof": False,
        "last_active_wins": False,
        "two_player_side_cards": 0,
        "exact_roll": True,
        "room_entry_cost": 1,
        "min_players": 2,
        "max_players": 6,
        "tokens": None,
        "weapon_rooms": None,
        "starter": None,
        "max_turns": None,
    }


def test_the_variants_are_described_as_such() -> None:
    """CLUE-V1, CLUE-V2, CLUE-V3, CLUE-V4, CLUE-V5, CLUE-V6, CLUE-V7: which option is which variant."""
    described = {option.name: option for option in CLUE.INFO.describe()}

    assert {option.rule: option.name for option in described.values() if option.variant} == {
        "CLUE-V1": "dice_count",
        "CLUE-V2": "suggestion_mandatory",
        "CLUE-V3": "accuse_after_disproof",
        "CLUE-V4": "last_active_wins",
        "CLUE-V5": "two_player_side_cards",
        "CLUE-V6": "exact_roll",
        "CLUE-V7": "room_entry_cost",
    }
    assert described["dice_count"] == Option("dice_count", "choice", 1, "CLUE-V1", True, values=(1, 2))
    assert described["two_player_side_cards"].values == (0, 4)
    assert described["room_entry_cost"].values == (0, 1)


def test_the_game_says_what_it_is() -> None:
    """CLUE-1; and only what tells nobody anything hidden may be taken back."""
    info = CLUE.INFO

    assert (info.id, info.rules, info.seats) == ("clue", 1, (2, 6))
    assert (info.options, info.action, info.event, info.state) == (Options, AnyAction, AnyEvent, State)
    assert info.final == (Accuse,)
    assert set(info.undoable) == {Move, TakePassage, StayAndSuggest, NoMove, Suggest, EndTurn}


@pytest.mark.parametrize(("seats", "options", "complaint"), [
    (1, {}, "clue is for 2 to 6 players, not for 1"),
    (7, {}, "clue is for 2 to 6 players, not for 7"),
    ("3", {}, "clue is for 2 to 6 players, not for '3'"),
    (3.0, {}, "clue is for 2 to 6 players, not for 3.0"),
    (True, {}, "clue is for 2 to 6 players, not for True"),
    (3, {"dices": 2}, "clue has no option 'dices'; it has: dice_count, "),
    (3, {"dice_count": 3}, r"3.*\$\.dice_count"),
    (3, {"dice_count": "2"}, r"\$\.dice_count"),
    (3, {"dice_count": True}, r"\$\.dice_count"),
    (3, {"room_entry_cost": 2}, r"\$\.room_entry_cost"),
    (3, {"two_player_side_cards": 3}, r"\$\.two_player_side_cards"),
    (3, {"suggestion_mandatory": 1}, r"\$\.suggestion_mandatory"),
    (3, {"accuse_after_disproof": "yes"}, r"\$\.accuse_after_disproof"),
    (3, {"last_active_wins": None}, r"\$\.last_active_wins"),
    (3, {"exact_roll": 0}, r"\$\.exact_roll"),
    (3, {"min_players": 1}, r"\$\.min_players"),
    (3, {"max_players": 7}, r"\$\.max_players"),
    (3, {"tokens": ["Scarlet", "Mustard", "Butler"]}, r"'Butler'.*\$\.tokens"),
    (3, {"tokens": "Scarlet"}, r"\$\.tokens"),
    (3, {"weapon_rooms": ["Cellar"]}, r"'Cellar'.*\$\.weapon_rooms"),
    (3, {"starter": -1}, r"\$\.starter"),
    (3, {"starter": 6}, r"\$\.starter"),
    (3, {"max_turns": 0}, r"\$\.max_turns"),
    (3, {"max_turns": 1.5}, r"\$\.max_turns"),
])  # fmt: skip
def test_a_wrong_option_is_named(seats: Any, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadOptions, match=complaint):
        CLUE.INFO.parse(seats, options)


@pytest.mark.parametrize(("seats", "options", "complaint"), [
    (2, {"min_players": 3}, "this table is for 3 to 6 players, not for 2"),
    (5, {"max_players": 4}, "this table is for 2 to 4 players, not for 5"),
    (3, {"two_player_side_cards": 4}, r"two_player_side_cards is for 2 players, not for 3 \(CLUE-V5\)"),
    (3, {"starter": 3}, "starter 3 is no seat of a table of 3"),
    (3, {"starter": 5}, "starter 5 is no seat of a table of 3"),
    (3, {"tokens": ["Plum", "Scarlet", "White"]}, r"tokens must name 3 different suspects clockwise: Scarlet, Mustard"),
    (3, {"tokens": ["Scarlet", "White"]}, r"tokens must name 3 .*\(CLUE-4\)"),
    (2, {"tokens": ["Scarlet", "Scarlet"]}, "tokens must name 2 different"),
    (3, {"tokens": []}, "tokens must name 3 different"),
    (3, {"weapon_rooms": ROOMS[:5]}, r"weapon_rooms must name 6 different rooms \(CLUE-5\)"),
    (3, {"weapon_rooms": ROOMS[:7]}, "weapon_rooms must name 6"),
    (3, {"weapon_rooms": ["Hall", *ROOMS[:5]]}, "weapon_rooms must name 6"),
    (3, {"weapon_rooms": ["Hall", *ROOMS[:6]]}, "weapon_rooms must name 6"),
    (3, {"weapon_rooms": []}, "weapon_rooms must name 6"),
    (4, {"min_players": 5, "max_players": 3}, "min_players.*max_players"),
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(seats: int, options: dict[str, object], complaint: str) -> None:
    """CLUE-1, CLUE-2, CLUE-4, CLUE-5, CLUE-10, CLUE-V5: each right by itself, but not here."""
    with pytest.raises(BadOptions, match=complaint):
        CLUE.setup(seats, CLUE.INFO.parse(seats, options), Rng(b"", 1))


@pytest.mark.parametrize(("seats", "options"), [
    (3, {"min_players": 3, "max_players": 3}),
    (2, {"two_player_side_cards": 4, "starter": 1}),
    (6, {"starter": 5, "tokens": ["Scarlet", "Mustard", "White", "Green", "Peacock", "Plum"]}),
    (3, {"starter": 2, "weapon_rooms": ROOMS[3:], "max_turns": 1}),
])  # fmt: skip
def test_options_at_their_limits_are_accepted(seats: int, options: dict[str, object]) -> None:
    """CLUE-1, CLUE-10: the limits belong to what is allowed."""
    given = CLUE.INFO.parse(seats, options)

    opened, *_ = CLUE.setup(seats, given, Rng(b"", 1))

    assert isinstance(opened, Opened)
    assert opened.options == given
