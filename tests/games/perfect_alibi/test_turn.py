"""The turn, chips and questions: sections 3.3 and 3.4."""

from typing import Any

import pytest

from tests.games.perfect_alibi.staging import Staged, chip, refused, stage
from whodunit.core.types import TABLE
from whodunit.games.perfect_alibi.model import (
    Answering,
    Ask,
    Asked,
    AskFreely,
    Asking,
    AskLast,
    ChipReplaced,
    ChipTaken,
    Slam,
    TakeChip,
    TurnBegan,
)

pytestmark = pytest.mark.rules

ROW = (chip("blue", "wheel"), chip("green", "clock"), chip("yellow", "wheel"), chip("blue", "clock"))
HANDS = ("Bar-3 Bar-6 Bar-9 Bar-12 Library-12", "Restaurant-3 SunDeck-3 Library-3 Restaurant-6 SunDeck-6", "")


def begun(**staging: Any) -> Staged:
    """Seat 0 (yellow) begins with the Captain; blue has the Psychiatrist, green the Priest."""
    return stage(HANDS, assistants="BCD", **{"row": ROW, **staging})


def test_at_the_start_of_a_turn_one_of_three_things_is_done() -> None:
    """ALIBI-16: there is no passing."""
    assert begun().may(0) == {TakeChip, AskLast, Slam}
    with_journalist = stage(HANDS, assistants="ABC", row=ROW)
    assert with_journalist.may(0) == {TakeChip, AskFreely, AskLast, Slam}
    assert with_journalist.may(1) == {Slam}
    assert with_journalist.awaiting() == {0}


def test_a_chip_of_another_colour_names_the_answerer() -> None:
    """ALIBI-17: never one's own."""
    game = begun()

    for place, answerer in ((1, 1), (2, 2), (4, 1)):
        assert not refused(begun(), 0, TakeChip(place, answerer))
    assert refused(game, 0, TakeChip(1, 2))
    assert refused(game, 0, TakeChip(3, 0))
    assert refused(game, 0, TakeChip(3, 1))
    assert refused(game, 0, TakeChip(5, 1))
    assert refused(game, 1, TakeChip(2, 2))
    game.play(0, TakeChip(2, 2))
    assert game.last == [ChipTaken(seat=0, place=2, chip=ROW[1], answerer=2)]
    assert game.state.phase == Asking(2)
    assert game.state.taken == 2
    assert game.awaiting() == {0}


def test_a_player_who_is_out_can_be_asked() -> None:
    """ALIBI-17."""
    game = begun(out=[1]).play(0, TakeChip(1, 1)).play(0, Ask(("Bar",)))

    assert game.awaiting() == {1}
    assert game.answer(0).state.on_turn == 2


def test_own_chips_are_refused_beside_one_of_another() -> None:
    """ALIBI-18, ALIBI-E3."""
    own = chip("yellow", "clock")
    game = begun(row=(own, own, own, chip("green", "wheel")))

    assert all(refused(game, 0, TakeChip(place, other)) for place in (1, 2, 3) for other in (0, 1, 2))
    assert game.choices(0, TakeChip, "place") == [4]


def test_with_four_own_chips_one_is_taken_and_anybody_asked() -> None:
    """ALIBI-18, ALIBI-E4, ALIBI-40: its symbol and arrows still count."""
    row = (chip("yellow", "clock"), chip("yellow", "wheel"), chip("yellow", "clock+"), chip("yellow", "wheel"))
    game = begun(row=row)

    assert game.choices(0, TakeChip, "place") == [1, 2, 3, 4]
    assert game.choices(0, TakeChip, "answerer") == [1, 2]
    game.play(0, TakeChip(1, 1))
    assert refused(game, 0, Ask(("Bar",)))
    assert not refused(game, 0, Ask(("3",)))
    assert type(begun(row=row).play(0, TakeChip(3, 2)).state.phase).__name__ == "Changing"


def test_after_the_answer_the_chip_is_replaced_in_its_place() -> None:
    """ALIBI-20, ALIBI-21: the used one goes to the discard."""
    game = begun().play(0, TakeChip(2, 2)).play(0, Ask(("3",)))
    new = game.state.stack[3]
    before = len(game.state.stack)
    game.answer(0, chip=3)

    assert game.last[1:] == [ChipReplaced(place=2, chip=new, reshuffled=False), TurnBegan(seat=1)]
    assert game.state.row == (ROW[0], new, ROW[2], ROW[3])
    assert game.state.discard == (ROW[1],)
    assert len(game.state.stack) == before - 1
    assert game.state.taken is None
    assert game.view(TABLE).discard == game.state.discard


def test_turns_go_clockwise_and_skip_who_is_out() -> None:
    """ALIBI-15."""
    for out, follows in (([], 1), ([1], 2)):
        game = begun(out=out).play(0, TakeChip(2, 2)).play(0, Ask(("3",))).answer(0)
        assert game.awaiting() == {follows}
        assert game.state.turn == 2
    late = stage(("",) * 5, out=[4, 0], on_turn=3, assistants="ABDEC").ask("Bar", answerer=4)
    assert late.answer(late.numbers(4)[0]).awaiting() == {1}


def test_an_empty_stack_is_made_of_all_discards_at_once() -> None:
    """ALIBI-22, ALIBI-E5: with the chip just used; so the row never has fewer than four."""
    game = begun()
    last = chip("green", "wheel+")
    used = (chip("blue", "wheel"), chip("yellow", "clock"))
    game.change(stack=(last,), discard=used)
    game.play(0, TakeChip(2, 2)).play(0, Ask(("3",))).answer(0)

    assert game.last[1] == ChipReplaced(place=2, chip=last, reshuffled=True)
    assert game.state.row == (ROW[0], last, ROW[2], ROW[3])
    assert sorted(game.state.stack, key=repr) == sorted([*used, ROW[1]], key=repr)
    assert game.state.discard == ()


def test_the_order_of_the_discards_is_forgotten() -> None:
    """ALIBI-22: shuffled, so no order is left to be known."""
    used = (chip("blue", "wheel"), chip("yellow", "clock"), chip("blue", "clock+"))
    stacks = []
    for discard in (used, used[::-1]):
        game = begun().change(stack=(chip("green", "wheel"),), discard=discard)
        stacks.append(game.play(0, TakeChip(2, 2)).play(0, Ask(("3",))).answer(0).state.stack)

    assert stacks[0] == stacks[1]


@pytest.mark.parametrize("way", ["free", "last_question"])
def test_without_a_chip_row_and_stack_stay(way: str) -> None:
    """ALIBI-23, ALIBI-42, ALIBI-43, ALIBI-E6: the Journalist asks anybody, and no assistant is changed."""
    game = stage(HANDS, assistants="ACD", row=ROW)
    before = game.state.row, game.state.stack, game.state.discard, game.state.assistants
    getattr(game, way)("3", answerer=1)

    assert game.state.phase == Answering(1, way == "last_question")
    game.answer(3)
    assert (game.state.row, game.state.stack, game.state.discard, game.state.assistants) == before


def test_the_question_is_heard_by_all() -> None:
    """ALIBI-24, ALIBI-28: asker, assistants, answerer and elements, also of the Priest's holder."""
    game = stage(HANDS, assistants="DBC", row=ROW).play(0, TakeChip(1, 1)).play(0, Ask(("Bar", "Library")))
    asked = Asked(
        question=1,
        seat=0,
        answerer=1,
        elements=("Bar", "Library"),
        holding=("Priest", "Captain", "Psychiatrist"),
        way="chip",
    )

    for viewer in (0, 1, 2, TABLE):
        assert game.told(viewer) == [asked]
        (question,) = game.view(viewer).log
        assert (question.asker, question.answerer, question.assistant) == (0, 1, "Priest")
        assert (question.answered, question.said) == (False, None)


def test_a_wheel_asks_about_locations() -> None:
    """ALIBI-25, ALIBI-26, ALIBI-P1, ALIBI-P3."""
    for elements in (("Bar",), ("Bar", "Restaurant", "SunDeck")):
        assert not refused(begun().play(0, TakeChip(1, 1)), 0, Ask(elements))
    game = begun().play(0, TakeChip(1, 1))
    assert refused(game, 0, Ask(("6",)))
    assert refused(game, 0, Ask(("Bar", "6")))


def test_a_clock_asks_about_times() -> None:
    """ALIBI-25, ALIBI-26, ALIBI-P2."""
    for elements in (("6", "12"), ("3", "6", "9")):
        assert not refused(begun().play(0, TakeChip(2, 2)), 0, Ask(elements))
    assert refused(begun().play(0, TakeChip(2, 2)), 0, Ask(("Bar",)))


def test_one_to_three_elements_none_twice() -> None:
    """ALIBI-26."""
    game = begun().play(0, TakeChip(1, 1))

    assert refused(game, 0, Ask(()))
    assert refused(game, 0, Ask(("Bar", "Bar")))
    assert refused(game, 0, Ask(("Bar", "Restaurant", "SunDeck", "Library")))
    wide = begun(max_elements=4).play(0, TakeChip(1, 1))
    assert not refused(wide, 0, Ask(("Bar", "Restaurant", "SunDeck", "Library")))
    short = begun(max_elements=1).play(0, TakeChip(1, 1))
    assert refused(short, 0, Ask(("Bar", "Restaurant")))


def test_nobody_asks_himself() -> None:
    """ALIBI-29."""
    game = stage(HANDS, assistants="ACD", row=ROW)

    assert refused(game, 0, AskFreely(0, ("Bar",)))
    assert refused(game, 0, AskLast(0, ("Bar",)))
    assert game.choices(0, AskFreely, "answerer") == [1, 2, 1, 2]
    assert refused(game, 0, AskFreely(1, ("Bar", "3")))


def test_only_the_journalist_asks_freely() -> None:
    """ALIBI-42: and only at the start of the turn."""
    assert refused(begun(), 0, AskFreely(1, ("Bar",)))
    game = stage(HANDS, assistants="ACD", row=ROW).play(0, TakeChip(1, 1))
    assert refused(game, 0, AskFreely(1, ("Bar",)))
    assert refused(game, 0, AskLast(1, ("Bar",)))
    assert refused(game, 0, TakeChip(2, 2))
