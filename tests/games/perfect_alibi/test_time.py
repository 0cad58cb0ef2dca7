"""What only time decides: the pause after an answer, and a turn that takes too long (section 7)."""

from typing import Any, Final

import pytest

from tests.games.perfect_alibi.staging import Staged, chip, refused, stage
from whodunit.core.types import TABLE, Action, Seat
from whodunit.games.perfect_alibi.model import (
    Answer,
    Ask,
    Asked,
    AskFreely,
    Beginning,
    ChangeAssistant,
    ChipReplaced,
    Choosing,
    Confirm,
    GoOn,
    Hurry,
    Naming,
    Pausing,
    Replacing,
    Showing,
    Slam,
    TakeChip,
    TurnBegan,
    TurnHurried,
)

pytestmark = pytest.mark.rules

HANDS = ("", "Bar-3 Bar-6 Library-9", "", "")
MISSING: Final = "Library-12"
WRONG = Slam("Library-3")
PLAIN = (chip("blue", "wheel"),) * 4
ARROWS = (chip("blue", "clock+"),) * 4


def four(assistants: str = "ACDE", **more: Any) -> Staged:
    return stage(HANDS, MISSING, assistants=assistants, **more)


# --- The pause after an answer ---------------------------------------------------------------------------------------


def test_after_an_answer_only_slams_and_confirmations_count_until_the_pause_is_over() -> None:
    """ALIBI-51: SLAM_WINDOW_S; the next turn begins when time says so."""
    game = four(slam_window_s=5, answer_mode="by_hand").ask("Library").answer(1)

    assert game.kinds() == ["Answered"]
    assert game.state.phase == Pausing()
    assert game.awaiting() == {TABLE}
    assert [game.may(seat) for seat in range(4)] == [{Slam, Confirm}, {Slam}, {Slam, Confirm}, {Slam, Confirm}]
    assert game.may(TABLE) == {GoOn}
    assert all(refused(game, seat, GoOn()) for seat in range(4))
    game.play(TABLE, GoOn())
    assert game.kinds() == ["ChipReplaced", "TurnBegan"]
    assert game.state.on_turn == 1
    assert game.may(TABLE) == set()


@pytest.mark.parametrize("assistants", ["ACDE", "ABDE", "EBDA", "DBCE"])
def test_the_pause_comes_when_the_card_has_been_shown_or_drawn(assistants: str) -> None:
    """ALIBI-32, ALIBI-46, ALIBI-49, ALIBI-51: also where no card is shown, so the pause tells nothing."""
    game = four(assistants, slam_window_s=5).ask("Bar").answer(2)
    if isinstance(game.state.phase, Showing):
        assert game.may(TABLE) == set()
        game.show("Bar-3")

    assert game.state.phase == Pausing()
    assert game.state.on_turn == 0


def test_a_journalists_question_is_followed_by_a_pause_and_leaves_the_row_alone() -> None:
    """ALIBI-23, ALIBI-51."""
    game = four(slam_window_s=5).free("Library").answer(1).play(TABLE, GoOn())

    assert game.kinds() == ["TurnBegan"]


def test_after_a_last_question_the_card_is_named_at_once() -> None:
    """ALIBI-60: there is no next turn before which to pause."""
    game = four(slam_window_s=5).last_question("Library").answer(1)

    assert game.state.phase == Naming()
    assert game.may(TABLE) == set()


def test_who_goes_out_in_the_pause_is_skipped_and_the_pause_goes_on() -> None:
    """ALIBI-15, ALIBI-57."""
    game = four(slam_window_s=5).ask("Library").answer(1)
    game.play(0, WRONG).play(1, WRONG)

    assert game.state.phase == Pausing()
    game.play(TABLE, GoOn())
    assert game.last[-1] == TurnBegan(seat=2)
    assert isinstance(game.last[0], ChipReplaced)


def test_who_goes_out_while_the_cook_waits_still_draws_before_the_pause() -> None:
    """ALIBI-57, ALIBI-R8."""
    game = four("EBDA", cook_optional=True, slam_window_s=5).ask("Bar").answer(2)
    assert game.state.phase == Choosing(1, last=False)
    game.play(0, WRONG)

    assert game.kinds()[-1] == "CardDrawn"
    assert game.state.phase == Pausing()
    game.play(TABLE, GoOn())
    assert game.last[-1] == TurnBegan(seat=1)


def test_a_slam_in_the_pause_may_win() -> None:
    """ALIBI-50, ALIBI-53."""
    game = four(slam_window_s=5).ask("Library").answer(1).play(2, Slam(MISSING))

    assert game.outcome() is not None
    assert game.awaiting() == frozenset()
    assert game.may(TABLE) == set()


def test_without_the_option_there_is_no_pause() -> None:
    """ALIBI-21."""
    assert four().ask("Library").answer(1).state.phase == Beginning()


# --- A turn that takes too long --------------------------------------------------------------------------------------


def test_time_asks_for_whoever_does_not() -> None:
    """ALIBI-16: TURN_LIMIT_S; there is no passing, so chip and question are drawn, and nobody is out."""
    game = four(row=PLAIN, turn_limit_s=60)
    assert game.may(TABLE) == {Hurry}
    assert refused(game, TABLE, Hurry(1))
    assert refused(game, 0, Hurry(0))
    game.play(TABLE, Hurry(0), **{"hurried,_Beginning": 2, "hurried,_Asking": 4})

    hurried, taken, asked = game.last
    assert hurried == TurnHurried(seat=0)
    assert (taken.seat, taken.place, taken.answerer) == (0, 3, 1)
    assert asked == Asked(
        question=1, seat=0, answerer=1, elements=asked.elements, holding=game.state.assistants, way="chip"
    )
    assert game.awaiting() == {1}
    assert game.may(TABLE) == set()
    assert not any(game.state.out)


def test_every_chip_and_every_question_may_be_drawn() -> None:
    """ALIBI-17, ALIBI-26: by lot, one to three elements of what the chip shows; never the Journalist or a last one."""
    row = (chip("blue", "wheel"), chip("green", "clock"), chip("red", "wheel"), chip("yellow", "wheel"))
    found = set()
    for place in range(3):
        for number in range(14):
            game = four(row=row, turn_limit_s=60)
            draws = {"hurried,_Beginning:_offer": place, "hurried,_Asking": number}
            _, taken, asked = game.play(TABLE, Hurry(0), **draws).last
            assert asked.way == "chip"
            assert taken.place != 4
            found.add((taken.place, asked.elements))
    assert len(found) == 3 * 14


def test_a_change_of_assistants_is_drawn_too() -> None:
    """ALIBI-19, ALIBI-36: with four players one lies in the pool; whose is taken picks for himself (ALIBI-37)."""
    pool = four(row=ARROWS, turn_limit_s=60).play(TABLE, Hurry(0), **{"hurried,_Changing": 0})
    assert pool.kinds() == ["TurnHurried", "ChipTaken", "AssistantChanged", "Asked"]
    swap = four(row=ARROWS, turn_limit_s=60).play(TABLE, Hurry(0), **{"hurried,_Changing": 1})
    assert swap.kinds() == ["TurnHurried", "ChipTaken", "AssistantChanged"]
    assert {pool.last[2].taken_from, swap.last[2].taken_from} == {None, 1}
    assert swap.state.phase == Replacing(1)
    assert swap.may(TABLE) == set()


def test_time_takes_up_the_turn_where_the_player_left_it() -> None:
    """ALIBI-16, ALIBI-19."""
    changing = four(row=ARROWS, turn_limit_s=60).play(0, TakeChip(2, 1))
    assert changing.may(TABLE) == {Hurry}
    assert changing.play(TABLE, Hurry(0)).kinds()[:2] == ["TurnHurried", "AssistantChanged"]
    asking = four(row=PLAIN, turn_limit_s=60).play(0, TakeChip(2, 1))
    assert asking.play(TABLE, Hurry(0)).kinds() == ["TurnHurried", "Asked"]
    own = four(row=ARROWS, turn_limit_s=60).play(0, TakeChip(2, 1)).play(0, ChangeAssistant("Captain"))
    assert own.may(TABLE) == {Hurry}


def test_the_cook_draws_when_the_time_is_over() -> None:
    """ALIBI-49, ALIBI-R8: as ever where it is not left to its holder."""
    game = four("EBDA", cook_optional=True, turn_limit_s=60).ask("Bar").answer(2)
    game.play(TABLE, Hurry(0))

    assert game.kinds() == ["TurnHurried", "CardDrawn", "ChipReplaced", "TurnBegan"]
    paused = four("EBDA", cook_optional=True, turn_limit_s=60, slam_window_s=5).ask("Bar").answer(2)
    assert paused.play(TABLE, Hurry(0)).kinds() == ["TurnHurried", "CardDrawn"]
    assert paused.state.phase == Pausing()


def test_own_chips_are_drawn_with_anybody_to_ask() -> None:
    """ALIBI-18."""
    row = (chip("yellow", "wheel"),) * 4
    asked = {
        four(row=row, turn_limit_s=60).play(TABLE, Hurry(0), **{"hurried,_Beginning": number}).last[1].answerer
        for number in range(12)
    }
    assert asked == {1, 2, 3}


@pytest.mark.parametrize(("seat", "action"), [(1, Answer(1)), (0, AskFreely(1, ("Bar",))), (0, Ask(("Bar",)))])
def test_no_time_runs_while_others_are_waited_for(seat: Seat, action: Action) -> None:
    """ALIBI-20: an answer has its own time, whatever it is."""
    game = four(row=PLAIN, turn_limit_s=60, guess_limit_s=60)
    if isinstance(action, Answer):
        game.free("Library")
        assert game.may(TABLE) == set()
        assert game.play(seat, action).may(TABLE) == {Hurry}
        return
    if isinstance(action, Ask):
        game.play(0, TakeChip(1, 1))
    assert game.play(seat, action).may(TABLE) == set()


def test_the_next_players_time_is_his_own() -> None:
    """ALIBI-57: who goes out on his turn leaves the next player a whole one."""
    game = four(turn_limit_s=60).play(0, WRONG)

    assert game.choices(TABLE, Hurry, "seat") == [1]


def test_without_the_option_a_turn_takes_as_long_as_it_takes() -> None:
    """ALIBI-16."""
    assert four(guess_limit_s=60).may(TABLE) == set()
