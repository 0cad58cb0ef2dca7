"""Wrong answers, confirmations, and the Unforgiving variant: section 3.11."""

from typing import Any

import pytest

from tests.games.perfect_alibi.staging import Staged, refused, stage
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Outcome
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    AnswerConfirmed,
    AnswerCorrected,
    AnswerFoundWrong,
    Beginning,
    CardDrawn,
    CardShown,
    Confirm,
    ConfirmationAsked,
    Correct,
    Correcting,
    Due,
    Name,
    Naming,
    RunOut,
    Show,
    ShowLate,
    Slam,
    TakeChip,
    TreacheryClaimed,
)

pytestmark = pytest.mark.rules

HANDS = ("", "Bar-3 Bar-6 Library-9", "", "")
OPENED = "Restaurant-3 Restaurant-6 SunDeck-3"
HARD: dict[str, Any] = {"answer_mode": "by_hand", "unforgiving": True}
SOFT: dict[str, Any] = {"answer_mode": "by_hand"}
ALL = {0, 1, 2, 3, TABLE}


def four(assistants: str = "ABDE", **more: Any) -> Staged:
    return stage(HANDS, "Library-12", opened=OPENED, assistants=assistants, **more)


def erred(assistants: str = "ABDE", said: int = 1, **more: Any) -> Staged:
    """Seat 1 has two bar cards and has said something else."""
    return four(assistants, **{**SOFT, **more}).ask("Bar").answer(said)


# --- Modes -------------------------------------------------------------------------------------------------------


def test_unforgiving_needs_answers_by_hand() -> None:
    """ALIBI-75, ALIBI-E23."""
    with pytest.raises(BadOptions, match="ALIBI-75"):
        perfect_alibi.setup(4, perfect_alibi.INFO.parse(4, {"unforgiving": True}), Rng(b"", 1))


def test_by_hand_all_possible_numbers_are_on_offer() -> None:
    """ALIBI-75, ALIBI-76: L to M, whether a lie is due or not."""
    game = four(**SOFT).ask("Bar")

    assert game.may(1) >= {Announce}
    assert game.numbers() == [0, 1, 2, 3]
    assert four(**SOFT, rivals="BACD").ask("Bar").numbers() == [0, 1, 2, 3]
    assert four(**SOFT, rivals="ABCD").ask("Bar").numbers() == [0, 1, 2, 3]
    three = stage(("", "", ""), assistants="ABD", **SOFT).ask("Bar", "Restaurant", "SunDeck")
    assert three.numbers() == [1, 2, 3, 4, 5]
    assert four(**SOFT, lie_bounds="literal").ask("Bar").numbers() == [0, 1, 2, 3, 4]


def test_2_or_more_without_a_card_to_show_is_not_taken() -> None:
    """ALIBI-76: he would notice; where nothing is shown or the Cook draws, it stands."""
    none = ("", "Library-3 Library-6 Library-9", "", "")

    def numbers(assistants: str, **more: Any) -> list[int]:
        return stage(none, opened=OPENED, assistants=assistants, **SOFT, **more).ask("Bar").numbers()

    assert numbers("ABDE") == [0, 1]
    assert numbers("DBAE") == [0, 1]
    assert numbers("ACDE") == [0, 1, 2, 3]
    assert numbers("EBDA") == [0, 1, 2, 3]
    assert numbers("EBDA", cook_optional=True) == [0, 1]
    game = stage(none, opened=OPENED, assistants="EBDA", **SOFT).ask("Bar").answer(2)
    assert game.kinds()[1] == "CardDrawn"


def test_cards_shown_must_match_also_by_hand() -> None:
    """ALIBI-76."""
    game = erred(said=3)

    assert game.choices(1, Show, "card") == ["Bar-3", "Bar-6"]


# --- Confirming --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rivals", ["", "BACD"])
def test_where_the_house_counts_there_is_nothing_to_confirm(rivals: str) -> None:
    """ALIBI-R27: neither a true count nor a permitted lie can be wrong."""
    game = four(rivals=rivals).ask("Library")
    game.answer(game.numbers()[0])

    assert game.state.log[0].answered
    assert all(Confirm not in game.may(seat) for seat in (*range(4), TABLE))
    assert all(refused(game, seat, Confirm(1)) for seat in (*range(4), TABLE))


def test_a_record_of_rules_1_with_a_confirmation_where_the_house_counts_still_folds() -> None:
    """ALIBI-R27: until rules 2 one could be asked for; it came to nothing then too."""
    game = four().ask("Library").answer(1)
    asked, confirmed = ConfirmationAsked(seat=3, question=1, answerer=1), AnswerConfirmed(seat=1, question=1)

    after = perfect_alibi.evolve(perfect_alibi.evolve(game.state, asked), confirmed)

    assert after == game.state


def test_any_player_may_ask_to_confirm_at_any_time() -> None:
    """ALIBI-69: about any answer of another, once; also who is out, but not the spectators."""
    game = four(**SOFT, out=[3]).ask("Library")
    assert Confirm not in game.may(0) | game.may(2) | game.may(3)
    game.answer(1)

    assert game.choices(0, Confirm, "question") == [1]
    assert game.choices(2, Confirm, "question") == game.choices(3, Confirm, "question") == [1]
    assert Confirm not in game.may(1) | game.may(TABLE)
    assert refused(game, 0, Confirm(2))
    game.play(3, Confirm(1))
    assert game.last == [
        ConfirmationAsked(seat=3, question=1, answerer=1),
        AnswerConfirmed(seat=1, question=1),
    ]
    assert refused(game, 0, Confirm(1))
    assert isinstance(game.state.phase, Beginning)


def test_a_right_answer_is_confirmed() -> None:
    """ALIBI-69."""
    game = erred(said=2).show("Bar-3").play(0, Confirm(1))

    assert game.kinds() == ["ConfirmationAsked", "AnswerConfirmed"]


def test_a_permitted_lie_is_confirmed_unchanged() -> None:
    """ALIBI-69, ALIBI-E33."""
    game = erred(rivals="BACD").play(2, Confirm(1))

    assert game.kinds() == ["ConfirmationAsked", "AnswerConfirmed"]
    assert game.state.log[0].said == 1


def test_a_wrong_answer_is_corrected_and_the_card_shown() -> None:
    """ALIBI-69: the card that was due is shown now; meanwhile the others can go on."""
    game = erred().play(3, Confirm(1))

    assert game.last[1] == AnswerFoundWrong(seat=1, question=1)
    assert game.state.phase == Correcting((Due(1, 1, "number"),), Beginning())
    assert game.awaiting() == {1}
    assert game.choices(1, Correct, "number") == [2]
    assert {TakeChip, Correct} <= game.may(1)
    assert refused(game, 0, Correct(2))
    game.play(1, Correct(2))
    assert game.last == [AnswerCorrected(seat=1, question=1, said=2, due=True, known_to=frozenset(ALL))]
    assert game.state.log[0].said == 2
    assert game.state.phase == Correcting((Due(1, 1, "card"),), Beginning())
    assert game.choices(1, ShowLate, "card") == ["Bar-3", "Bar-6"]
    assert refused(game, 1, ShowLate("Library-9"))
    game.play(1, ShowLate("Bar-6"))
    assert game.kinds() == ["CardShown"]
    assert game.who_knows(CardShown, "card") == {0, 1}
    assert game.state.phase == Beginning()
    assert game.awaiting() == {1}


def test_a_correction_goes_to_those_who_knew_the_first_number() -> None:
    """ALIBI-69: by the assistants held when the question was asked; the others learn only that it was corrected."""
    game = erred("DABE")
    game.change(assistants=("Captain", "Priest", "Cook", "Journalist"))
    game.play(3, Confirm(1)).play(1, Correct(2))

    assert game.who_knows(AnswerCorrected, "said") == {0, 1}
    assert game.view(3).log[0].said is None
    assert game.view(0).log[0].said == 2
    game.play(1, ShowLate("Bar-3"))
    assert game.who_knows(CardShown, "card") == {0, 1, 2}


def test_after_a_correction_the_cook_draws_and_the_psychiatrist_shows_nothing() -> None:
    """ALIBI-69, ALIBI-46, ALIBI-49."""
    cook = erred("EBDA").play(3, Confirm(1)).play(1, Correct(2), drawn_card=2)
    assert cook.kinds() == ["AnswerCorrected", "CardDrawn"]
    assert cook.last[1].card == "Library-9"
    assert cook.who_knows(CardDrawn, "card") == {0, 1}
    assert cook.state.phase == Beginning()
    silent = erred("ACDE").play(3, Confirm(1)).play(1, Correct(2))
    assert silent.kinds() == ["AnswerCorrected"]
    assert not silent.last[0].due
    assert silent.state.phase == Beginning()


def test_a_card_shown_once_is_not_due_again() -> None:
    """ALIBI-69: 3 corrected to 2."""
    game = erred(said=3).show("Bar-3").play(0, Confirm(1)).play(1, Correct(2))

    assert not game.last[0].due
    assert game.state.phase == Beginning()


def test_a_lie_that_was_due_is_put_in_the_place_of_the_truth() -> None:
    """ALIBI-69, ALIBI-73."""
    game = erred(said=2, rivals="BACD").show("Bar-3").play(0, Confirm(1))

    assert game.choices(1, Correct, "number") == [1, 3]


def test_others_go_on_while_an_answer_is_corrected() -> None:
    """ALIBI-69: turns, slams and further confirmations; the table waits only for the correction."""
    game = erred()  # seat 1 is on turn now
    game.ask("SunDeck", answerer=2).answer(game.numbers(2)[0])
    game.play(3, Confirm(1))
    assert game.awaiting() == {1}
    game.play(0, Confirm(2))
    phase = game.state.phase
    assert isinstance(phase, Correcting)
    assert phase.due[0] == Due(1, 1, "number")
    game.play(3, Slam("Bar-3"))
    assert game.state.out[3]
    game.ask("Bar", answerer=0)
    assert game.awaiting() == {1}
    game.play(1, Correct(2)).play(1, ShowLate("Bar-3"))
    while isinstance(game.state.phase, Correcting):
        (seat,) = game.awaiting()
        kind = Correct if Correct in game.may(seat) else ShowLate
        field = "number" if kind is Correct else "card"
        game.play(seat, kind(game.choices(seat, kind, field)[0]))
    assert game.awaiting() == {0}
    game.play(2, Slam("Library-12"))
    assert game.outcome() == Outcome(winners=(2,), how="solved")


def test_several_corrections_are_made_in_the_order_asked() -> None:
    """ALIBI-69."""
    game = erred()
    game.change(on_turn=0).ask("Bar").answer(0)
    game.play(3, Confirm(2)).play(3, Confirm(1))

    assert game.state.phase == Correcting((Due(2, 1, "number"), Due(1, 1, "number")), game.state.phase.then)
    game.play(1, Correct(2))
    assert game.state.phase.due == (Due(2, 1, "card"), Due(1, 1, "number"))
    game.play(1, ShowLate("Bar-3"))
    assert game.last[0].question == 2
    assert game.state.phase.due == (Due(1, 1, "number"),)


def test_the_last_guess_waits_for_no_correction() -> None:
    """ALIBI-60, ALIBI-69: but it may, and no time runs meanwhile."""
    game = four(**SOFT, guess_limit_s=9).last_question("Bar").answer(1)
    assert game.may(TABLE) == {RunOut}
    game.play(3, Confirm(1))

    assert game.state.phase == Correcting((Due(1, 1, "number"),), Naming())
    assert game.may(TABLE) == set()
    assert Name in game.may(0)
    game.play(1, Correct(2)).play(1, ShowLate("Bar-3"))
    assert game.state.phase == Naming()
    assert game.may(TABLE) == {RunOut}


def test_a_win_ends_a_correction_too() -> None:
    """ALIBI-53."""
    game = erred().play(3, Confirm(1)).play(0, Slam("Library-12"))

    assert game.outcome() == Outcome(winners=(0,), how="solved")
    assert game.awaiting() == frozenset()


# --- Treachery ---------------------------------------------------------------------------------------------------


def test_unforgiving_knows_no_confirmation() -> None:
    """ALIBI-69, ALIBI-70."""
    game = erred(**HARD)

    assert all(Confirm not in game.may(seat) for seat in range(4))
    assert Accuse in game.may(0) & game.may(2) & game.may(3)
    assert Accuse not in game.may(1)
    assert Accuse not in erred().may(0)


def test_a_wrong_answer_is_treachery() -> None:
    """ALIBI-70, ALIBI-71, ALIBI-E20."""
    game = erred(**HARD, rivals="").play(3, Accuse(1, (1,)))

    assert game.last[0] == TreacheryClaimed(seat=3, accused=1, questions=(1,), right=True)
    assert game.kinds() == ["TreacheryClaimed", "Revealed", "GameEnded"]
    assert game.outcome() == Outcome(winners=(3,), how="treachery")


def test_a_permitted_lie_is_none() -> None:
    """ALIBI-72, ALIBI-73, ALIBI-74, ALIBI-E21: the accuser is out, sees nothing, and the tile stays secret."""
    game = erred(**HARD, rivals="BACD").play(3, Accuse(1, (1,)))

    assert game.last == [TreacheryClaimed(seat=3, accused=1, questions=(1,), right=False)]
    assert game.state.out == (False, False, False, True)
    assert perfect_alibi.informed(game.state) == frozenset()
    for viewer in (0, 2, 3, TABLE):
        assert game.view(viewer).rivals[1] is None
        assert game.view(viewer).missing is None
        assert game.view(viewer).hands[1] is None
    assert game.outcome() is None


def test_the_truth_where_a_lie_was_due_is_treachery() -> None:
    """ALIBI-73, ALIBI-E22."""
    game = erred(said=2, **HARD, rivals="BACD").play(3, Accuse(1, (1,)))

    assert game.outcome() == Outcome(winners=(3,), how="treachery")


def test_one_wrong_answer_among_those_named_is_enough() -> None:
    """ALIBI-70, ALIBI-71: and of those not named none counts."""

    def twice() -> Staged:
        game = erred(**HARD)
        return game.change(on_turn=0).ask("Library").answer(1).change(on_turn=0)

    assert twice().choices(2, Accuse, "questions") == [(1,), (2,), (1, 2)]
    assert refused(twice(), 2, Accuse(1, ()))
    assert refused(twice(), 2, Accuse(1, (3,)))
    assert refused(twice(), 2, Accuse(0, (1,)))
    assert twice().play(2, Accuse(1, (1, 2))).outcome() is not None
    assert twice().play(2, Accuse(1, (2,))).outcome() is None


def test_every_earlier_answer_can_be_called_treachery() -> None:
    """ALIBI-70, ALIBI-R15: also the first of a hundred, and all of them at once."""

    def hundred() -> Staged:
        game = erred(**HARD)
        for _ in range(99):
            game.change(on_turn=0).ask("Library").answer(1)
        return game

    every = tuple(range(1, 101))
    (offer,) = (offer for offer in hundred().offers(3) if offer.action is Accuse)

    assert offer.choices["questions"].of == every
    assert offer.admits(offer.sample(Rng(b"sample", 1)))
    assert refused(hundred(), 3, Accuse(1, (2, 1)))
    assert refused(hundred(), 3, Accuse(1, (101,)))
    assert hundred().play(3, Accuse(1, (1,))).outcome() == Outcome(winners=(3,), how="treachery")
    assert hundred().play(3, Accuse(1, every)).outcome() == Outcome(winners=(3,), how="treachery")
    assert hundred().play(3, Accuse(1, every[1:])).outcome() is None


def test_treachery_may_be_claimed_at_any_time_of_anybody() -> None:
    """ALIBI-70: also of one who is out, and of an answer to the Priest; but not by one who is out."""
    game = erred("DABE", **HARD, out=[1])
    assert Accuse in game.may(3)
    game.ask("Bar", answerer=0)
    assert Accuse in game.may(3)
    assert Accuse not in erred(**HARD, out=[3]).may(3)


def test_accusing_wrongly_on_turn_ends_the_turn() -> None:
    """ALIBI-57, ALIBI-72; and the last one left wins (ALIBI-56)."""
    game = four(**HARD).ask("Library").answer(1).play(1, Slam("Bar-3")).change(on_turn=2)
    game.play(2, Accuse(1, (1,)))
    assert game.kinds() == ["TreacheryClaimed", "TurnBegan"]
    assert game.awaiting() == {3}
    game.play(3, Accuse(1, (1,)))
    assert game.outcome() == Outcome(winners=(0,), how="last_left")


def test_a_protected_last_question_is_safe_from_accusations() -> None:
    """ALIBI-61, ALIBI-70: they stand in the same queue as slams."""
    game = erred(**HARD, last_question_protected=True)
    game.change(on_turn=0).last_question("Library").answer(1)

    assert Accuse not in game.may(2)
    assert Accuse not in game.may(0)
