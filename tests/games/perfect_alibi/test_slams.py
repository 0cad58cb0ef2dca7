"""Naming the missing alibi, and one last question: sections 3.8 and 3.9."""

from typing import Any, Final

import pytest

from tests.games.perfect_alibi.staging import Staged, chip, refused, stage
from whodunit.core.types import TABLE, Outcome, Seat
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.facts import PACK
from whodunit.games.perfect_alibi.model import (
    Answered,
    Ask,
    AskFreely,
    AskLast,
    Beginning,
    CardDrawn,
    CardShown,
    ChangeAssistant,
    Choosing,
    GameEnded,
    MissingSeen,
    Name,
    Naming,
    Revealed,
    RunOut,
    Show,
    Showing,
    Slam,
    Slammed,
    TakeChip,
    TakeReplacement,
    TurnBegan,
)

pytestmark = pytest.mark.rules

HANDS = ("", "Bar-3 Bar-6 Library-9", "", "")
MISSING: Final = "Library-12"
WRONG = Slam("Library-3")


def four(assistants: str = "ACDE", **more: Any) -> Staged:
    return stage(HANDS, MISSING, assistants=assistants, **more)


def test_anybody_who_is_not_out_may_slam_at_any_time() -> None:
    """ALIBI-50: in every phase, on turn or not; one of all sixteen cards."""
    game = four("ABDE", row=(chip("blue", "wheel+"),) * 4)

    def all_may() -> None:
        for seat in range(4):
            assert game.choices(seat, Slam, "card") == list(PACK)

    all_may()
    game.play(0, TakeChip(1, 1))
    all_may()
    game.play(0, ChangeAssistant("Captain"))
    all_may()
    game.play(1, TakeReplacement("Journalist"))
    all_may()
    game.play(0, Ask(("Bar",)))
    all_may()
    game.answer(2)
    all_may()
    game.show("Bar-3")
    all_may()
    assert refused(game, 0, Slam("Attic-3"))  # type: ignore[arg-type]
    assert TABLE not in {seat for seat in game.views if seat >= 0}
    assert game.may(TABLE) == set()


def test_who_is_right_wins() -> None:
    """ALIBI-52, ALIBI-53: the card and all hands are shown."""
    game = four(rivals="BADC").play(2, Slam(MISSING))

    assert game.kinds() == ["Slammed", "Revealed", "GameEnded"]
    assert game.outcome() == Outcome(winners=(2,), how="solved")
    assert game.last[2] == GameEnded(winner=2, how="solved")
    assert game.last[1] == Revealed(missing=MISSING, hands=game.state.hands, rivals=game.state.rivals, said=())
    for viewer in (0, 1, 2, 3, TABLE):
        slam = game.told(viewer)[0]
        assert (slam.seat, slam.card, slam.right) == (2, MISSING, True)
        assert game.view(viewer) == game.state
    assert game.awaiting() == frozenset()
    assert all(game.offers(seat) == [] for seat in (0, 1, 2, 3, TABLE))


def test_the_end_also_shows_what_was_not_heard() -> None:
    """ALIBI-53: all is shown, the Priest's numbers too; a question without an answer stays without."""
    game = four("DABE").ask("Bar").answer(2).show("Bar-3").ask("Library", answerer=2)
    game.play(3, Slam(MISSING))

    assert game.last[1].said == (2,)
    assert [question.said for question in game.view(TABLE).log] == [2, None]
    assert game.view(3) == game.state


def test_who_is_wrong_is_out_and_the_others_learn_only_that() -> None:
    """ALIBI-52, ALIBI-54, ALIBI-55, ALIBI-E17: his mark and the card are his alone."""
    game = four().play(1, WRONG)

    assert game.kinds() == ["Slammed", "MissingSeen"]
    assert game.last[0] == Slammed(seat=1, card="Library-3", right=False, known_to=frozenset({1}))
    assert game.last[1] == MissingSeen(seat=1, card=MISSING, known_to=frozenset({1}))
    for viewer in (0, 2, 3, TABLE):
        assert [event.card for event in game.told(viewer)] == [None, None]
        assert game.view(viewer).missing is None
    assert game.view(1).missing == MISSING
    assert {perfect_alibi.informed(game.view(viewer)) for viewer in range(4)} == {frozenset({1})}
    assert game.state.out == (False, True, False, False)
    assert game.awaiting() == {0}
    assert isinstance(game.state.phase, Beginning)
    assert game.outcome() is None


def test_who_is_out_only_answers() -> None:
    """ALIBI-55, ALIBI-E17, ALIBI-E29: he is skipped, cannot slam, and is asked as ever."""
    game = four("AEDB").play(1, WRONG)

    assert refused(game, 1, WRONG)
    assert game.may(1) == set()
    game.play(0, AskFreely(1, ("3",))).answer(1)
    assert game.state.on_turn == 2
    game.change(on_turn=0)
    game.free("Bar", answerer=1).answer(2)
    assert game.awaiting() == {1}
    assert game.may(1) == {Show}
    game.show("Bar-3")
    assert game.who_knows(CardShown, "card") == {0, 1, 3}
    row = (chip("blue", "clock+"),) * 4
    game.change(on_turn=0, row=row).play(0, TakeChip(1, 1)).play(0, ChangeAssistant("Cook"))
    assert game.may(1) == {TakeReplacement}
    assert game.awaiting() == {1}


def test_what_he_saw_changes_nothing_for_others() -> None:
    """ALIBI-55: what the others get is the same, whatever the missing card is."""
    seen = []
    for missing in ("Library-12", "SunDeck-12"):
        game = stage(("Bar-9 Bar-12 Library-6", "Bar-3 Bar-6 Library-9", "", ""), missing, assistants="ACDE")
        before = len(game.events)
        game.play(1, WRONG).free("Bar", answerer=1).answer(2)
        seen.append([game.seen(viewer)[before:] for viewer in (0, TABLE)])

    assert seen[0] == seen[1]


def test_the_earliest_slam_is_settled_first() -> None:
    """ALIBI-51: then the next."""
    game = four().play(3, WRONG).play(2, Slam(MISSING))

    assert game.outcome() == Outcome(winners=(2,), how="solved")
    assert [event.seat for event in game.events if isinstance(event, Slammed)] == [3, 2]


def test_the_last_one_left_wins_without_a_guess() -> None:
    """ALIBI-51, ALIBI-56, ALIBI-E18: his own slam is not even looked at."""
    game = stage(("", "", ""), MISSING, assistants="ACD", out=[0], on_turn=1).play(1, WRONG)

    assert game.kinds() == ["Slammed", "MissingSeen", "Revealed", "GameEnded"]
    assert game.outcome() == Outcome(winners=(2,), how="last_left")
    assert refused(game, 2, WRONG)


def test_going_out_at_the_start_of_the_turn_ends_it() -> None:
    """ALIBI-57: no chip was taken, none is replaced."""
    game = four().play(0, WRONG)

    assert game.kinds() == ["Slammed", "MissingSeen", "TurnBegan"]
    assert game.awaiting() == {1}


def test_going_out_with_a_chip_in_hand_the_chip_is_replaced() -> None:
    """ALIBI-57: before asking, and before a change not yet made, which is dropped."""
    for kind in ("wheel", "wheel+"):
        game = four("ABDE", row=(chip("blue", kind),) * 4).play(0, TakeChip(3, 1)).play(0, WRONG)
        assert game.kinds() == ["Slammed", "MissingSeen", "ChipReplaced", "TurnBegan"]
        assert game.last[2].place == 3
        assert game.state.assistants[0] == "Journalist"
        assert game.awaiting() == {1}


def test_a_change_already_made_is_completed() -> None:
    """ALIBI-57, ALIBI-E30: the answerer takes his replacement, then the turn is over."""
    game = four("ABDE", row=(chip("blue", "wheel+"),) * 4).play(0, TakeChip(3, 1)).play(0, ChangeAssistant("Captain"))
    game.play(0, WRONG)
    assert game.kinds() == ["Slammed", "MissingSeen"]
    assert game.awaiting() == {1}
    game.play(1, TakeReplacement("Psychiatrist"))

    assert game.kinds() == ["ReplacementTaken", "ChipReplaced", "TurnBegan"]
    assert game.state.assistants == ("Captain", "Psychiatrist", "Priest", "Cook")
    assert game.awaiting() == {1}
    assert game.state.log == ()


def test_a_question_already_asked_is_answered() -> None:
    """ALIBI-57: also the card is shown; then the turn is over."""
    game = four("ABDE").ask("Bar").play(0, WRONG)

    assert game.kinds() == ["Slammed", "MissingSeen"]
    assert game.awaiting() == {1}
    game.answer(2)
    game.play(3, Slam("Bar-9"))
    assert game.state.phase == Showing(1, False)
    game.show("Bar-3")
    assert game.kinds() == ["CardShown", "ChipReplaced", "TurnBegan"]
    assert game.who_knows(CardShown, "card") == {0, 1}
    assert game.awaiting() == {1}


def test_the_answerer_goes_out_before_answering() -> None:
    """ALIBI-57: he still answers."""
    game = four("ABDE").ask("Bar").play(1, WRONG)

    assert game.awaiting() == {1}
    assert game.answer(2).show("Bar-6").awaiting() == {2}


def test_the_cook_who_goes_out_while_choosing_draws() -> None:
    """ALIBI-57: what was begun is finished, without a new choice."""
    game = four("EBDA", cook_optional=True).ask("Bar").answer(2)
    assert game.state.phase == Choosing(1, False)
    game.play(0, WRONG, drawn_card=1)

    assert game.kinds() == ["Slammed", "MissingSeen", "CardDrawn", "ChipReplaced", "TurnBegan"]
    assert game.last[2].card == "Bar-6"
    early = four("EBDA", cook_optional=True).ask("Bar").play(0, WRONG).answer(2)
    assert early.kinds() == ["Answered", "CardDrawn", "ChipReplaced", "TurnBegan"]


# --- One last question -------------------------------------------------------------------------------------------


def test_one_last_question_may_be_about_anything_to_anybody() -> None:
    """ALIBI-58: instead of a chip; no assistant is changed."""
    game = four("BCDE")

    assert game.choices(0, AskLast, "answerer") == [1, 2, 3] * 2
    kinds = [elements for elements in game.choices(0, AskLast, "elements") if len(elements) == 1]
    assert kinds == [("Bar",), ("Restaurant",), ("SunDeck",), ("Library",), ("3",), ("6",), ("9",), ("12",)]
    assert refused(game, 1, AskLast(0, ("Bar",)))
    game.last_question("Bar", "Library", answerer=1)
    assert game.last[0].way == "last"
    assert game.state.taken is None


@pytest.mark.parametrize(
    ("assistants", "kinds"),
    [("ABDE", ["CardShown"]), ("ACDE", []), ("EBDA", []), ("DBAE", ["CardShown"])],
)
def test_it_is_handled_like_any_other(assistants: str, kinds: list[str]) -> None:
    """ALIBI-59: Captain, Psychiatrist, Priest and Cook work."""
    game = four(assistants).last_question("Bar").answer(2)
    answered = ["Answered", "CardDrawn"] if assistants[0] == "E" else ["Answered"]
    assert game.kinds() == answered
    if kinds:
        game.show("Bar-3")
        assert game.kinds() == kinds
    assert game.state.phase == Naming()
    assert game.awaiting() == {0}
    heard = {0, 1} if assistants[0] == "D" else {0, 1, 2, 3, TABLE}
    assert game.who_knows(Answered, "said") == heard
    if assistants[0] == "E":
        assert game.who_knows(CardDrawn, "card") == {0, 1}


def test_then_a_card_must_be_named() -> None:
    """ALIBI-60, ALIBI-E19: nothing else is left to him."""
    game = four("BCDE").last_question("9").answer(1)

    assert game.may(0) == {Name}
    assert refused(game, 0, TakeChip(1, 1))
    assert refused(game, 0, Slam(MISSING))
    assert refused(game, 1, Name(MISSING))
    game.play(0, Name(MISSING))
    assert game.outcome() == Outcome(winners=(0,), how="solved")
    wrong = four("BCDE").last_question("9").answer(1).play(0, Name("Bar-9"))
    assert wrong.kinds() == ["Slammed", "MissingSeen", "TurnBegan"]
    assert wrong.state.out == (True, False, False, False)
    assert wrong.awaiting() == {1}


def test_other_slams_come_first() -> None:
    """ALIBI-61."""
    game = four("BCDE").last_question("9").answer(1)

    assert Slam in game.may(2)
    game.play(2, Slam(MISSING))
    assert game.outcome() == Outcome(winners=(2,), how="solved")


def test_a_protected_caller_guesses_first() -> None:
    """ALIBI-61: LAST_QUESTION_PROTECTED."""
    game = four("BCDE", last_question_protected=True)
    assert Slam in game.may(2)
    game.last_question("9")
    assert Slam not in game.may(2)
    assert Slam in game.may(0)
    game.answer(1)
    assert Slam not in game.may(2)
    shown = four("ABDE", last_question_protected=True).last_question("Bar").answer(2)
    assert Slam not in shown.may(1) | shown.may(2)
    plain = four("ABDE", last_question_protected=True).ask("Bar").answer(2)
    assert Slam in plain.may(1) & plain.may(2)


def test_a_caller_who_slams_before_the_answer_has_guessed() -> None:
    """ALIBI-57, ALIBI-60: the answer is still given, then comes the next turn."""
    game = four("BCDE").last_question("9").play(0, WRONG)
    assert game.awaiting() == {1}
    game.answer(1)

    assert game.kinds() == ["Answered", "TurnBegan"]
    assert game.awaiting() == {1}
    cook = four("EBDA").last_question("Bar").play(0, WRONG).answer(2)
    assert cook.kinds() == ["Answered", "CardDrawn", "TurnBegan"]
    shown = four("ABDE").last_question("Bar").answer(2).play(0, WRONG).show("Bar-3")
    assert shown.kinds() == ["CardShown", "TurnBegan"]


def test_who_names_no_card_in_time_is_out_without_a_look() -> None:
    """ALIBI-60: GUESS_LIMIT_S; time is the table's to call."""
    game = four("BCDE", guess_limit_s=30).last_question("9")
    assert game.may(TABLE) == set()
    game.answer(1)
    assert game.may(TABLE) == {RunOut}
    assert refused(game, 0, RunOut())
    game.play(TABLE, RunOut())

    assert game.kinds() == ["TimeRanOut", "TurnBegan"]
    assert game.state.out[0]
    assert game.view(0).missing is None
    assert game.last[1] == TurnBegan(seat=1)
    assert four("BCDE").last_question("9").answer(1).may(TABLE) == set()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_last_slam_of_three(seat: Seat) -> None:
    """ALIBI-56: whoever is left, on turn or not."""
    game = stage(("", "", ""), MISSING, assistants="ACD", on_turn=seat)
    others = [other for other in range(3) if other != seat]
    for other in others:
        game.play(other, WRONG)

    assert game.outcome() == Outcome(winners=(seat,), how="last_left")
