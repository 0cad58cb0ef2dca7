"""The constants of section 7: their defaults, and a clear answer to whoever gets them wrong."""

from typing import Any

import pytest

from tests.games.perfect_alibi.staging import ALIBI
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Rng
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    AnyAction,
    AnyEvent,
    Ask,
    AskFreely,
    AskLast,
    ChangeAssistant,
    Confirm,
    Correct,
    GoOn,
    Hurry,
    Name,
    Options,
    PickAssistant,
    RunOut,
    Show,
    ShowLate,
    Slam,
    State,
    TakeChip,
)

pytestmark = pytest.mark.rules


def test_the_defaults_are_those_of_the_rules() -> None:
    """ALIBI-1 and section 7: every constant, with the value of this specification."""
    assert {option.name: option.default for option in ALIBI.INFO.describe()} == {
        "rival": False,
        "unforgiving": False,
        "answer_mode": "enforced",
        "max_elements": 3,
        "cook_optional": False,
        "lie_bounds": "possible",
        "last_question_protected": False,
        "colours": None,
        "wheel_chips": 2,
        "clock_chips": 2,
        "wheel_arrow_chips": 1,
        "clock_arrow_chips": 1,
        "bot_error_rate": 0,
        "bot_slam_delay_least_s": 4,
        "bot_slam_delay_most_s": 9,
        "slam_window_s": 0,
        "answer_limit_s": 60,
        "turn_limit_s": None,
        "guess_limit_s": None,
    }


def test_the_variants_are_described_as_such() -> None:
    """ALIBI-62, ALIBI-70, ALIBI-75."""
    variants = {option.rule: option.name for option in ALIBI.INFO.describe() if option.variant}

    assert variants == {"ALIBI-62": "rival", "ALIBI-70": "unforgiving", "ALIBI-75": "answer_mode"}


def test_the_game_says_what_it_is() -> None:
    """ALIBI-1; what stakes the game, what may be taken back, who is asked, and what needs no waiting."""
    info = ALIBI.INFO

    assert (info.id, info.rules, info.seats) == ("perfect_alibi", 2, (3, 5))
    assert (info.options, info.action, info.event, info.state) == (Options, AnyAction, AnyEvent, State)
    assert info.final == (Slam, Name, AskLast, Accuse)
    assert info.undoable == (PickAssistant, TakeChip, ChangeAssistant, Ask, AskFreely)
    assert info.answers == (Answer, Announce, Show, Correct, ShowLate)
    assert info.interrupts == (Slam, Confirm, Accuse)
    assert dict(info.limits) == {
        RunOut: "guess_limit_s",
        Hurry: "turn_limit_s",
        GoOn: "slam_window_s",
        Announce: "answer_limit_s",
    }


@pytest.mark.parametrize(("seats", "options", "complaint"), [
    (2, {}, "perfect_alibi is for 3 to 5 players, not for 2"),
    (6, {}, "perfect_alibi is for 3 to 5 players, not for 6"),
    (3, {"rivals": True}, "perfect_alibi has no option 'rivals'"),
    (3, {"max_elements": 5}, r"\$\.max_elements"),
    (3, {"max_elements": 0}, r"\$\.max_elements"),
    (3, {"answer_mode": "by_mouth"}, r"\$\.answer_mode"),
    (3, {"lie_bounds": "none"}, r"\$\.lie_bounds"),
    (3, {"colours": ["pink"]}, r"\$\.colours"),
    (3, {"wheel_chips": 7}, r"\$\.wheel_chips"),
    (3, {"bot_error_rate": 101}, r"\$\.bot_error_rate"),
    (3, {"guess_limit_s": 0}, r"\$\.guess_limit_s"),
])  # fmt: skip
def test_a_wrong_option_is_named(seats: int, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadOptions, match=complaint):
        ALIBI.INFO.parse(seats, options)


@pytest.mark.parametrize(("seats", "options", "complaint"), [
    (3, {"rival": True, "max_elements": 4}, r"at most 3 elements \(ALIBI-26\)"),
    (3, {"unforgiving": True}, r"ALIBI-75"),
    (3, {"colours": ["red", "blue"]}, "colours must name 3 different"),
    (3, {"colours": ["red", "blue", "red"]}, "colours must name 3 different"),
    (4, {"colours": ["red", "blue", "green"]}, "colours must name 4 different"),
    (3, {"wheel_chips": 3}, r"a colour has 6 chips, not 7 \(ALIBI-3\)"),
    (3, {"clock_chips": 1}, "not 5"),
    (3, {"wheel_arrow_chips": 0}, "not 5"),
    (3, {"clock_arrow_chips": 2}, "not 7"),
    (3, {"bot_slam_delay_least_s": 10}, "more than bot_slam_delay_most_s"),
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(seats: int, options: dict[str, Any], complaint: str) -> None:
    """ALIBI-1, ALIBI-3, ALIBI-26, ALIBI-75: each right by itself, but not here."""
    with pytest.raises(BadOptions, match=complaint):
        ALIBI.setup(seats, ALIBI.INFO.parse(seats, options), Rng(b"", 1))


@pytest.mark.parametrize("options", [
    {"rival": True, "unforgiving": True, "answer_mode": "by_hand"},
    {"rival": True, "max_elements": 3},
    {"max_elements": 4},
    {"bot_slam_delay_least_s": 9},
    {"colours": ["white", "red", "blue"]},
    {"wheel_chips": 0, "clock_chips": 0, "wheel_arrow_chips": 3, "clock_arrow_chips": 3},
])  # fmt: skip
def test_options_at_their_limits_are_accepted(options: dict[str, Any]) -> None:
    """ALIBI-1, ALIBI-3, ALIBI-26, ALIBI-75: the variants go together."""
    assert ALIBI.setup(3, ALIBI.INFO.parse(3, options), Rng(b"", 1))[0].options.rival is options.get("rival", False)  # type: ignore[attr-defined]
