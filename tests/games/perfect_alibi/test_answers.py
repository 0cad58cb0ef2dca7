"""Answering, showing, changing assistants, and what assistants do: sections 3.5 to 3.7."""

from collections import Counter
from typing import Any

import pytest

from tests.games.perfect_alibi.staging import Staged, chip, refused, stage
from whodunit.core.types import TABLE, Seat
from whodunit.games.perfect_alibi.model import (
    Answer,
    Answered,
    AskFreely,
    Asking,
    AssistantChanged,
    CardDrawn,
    CardShown,
    ChangeAssistant,
    Changing,
    Choosing,
    DrawCard,
    LetShow,
    ReplacementTaken,
    Replacing,
    Show,
    Showing,
    Slam,
    TakeChip,
    TakeReplacement,
)

pytestmark = pytest.mark.rules

ALL3 = {0, 1, 2, TABLE}
BLUE = "Bar-3 Restaurant-6 Bar-12 SunDeck-9 Library-3"


def asked(
    *elements: str, assistants: str = "ACD", answerer: Seat = 1, hands: tuple[str, ...] = ("", BLUE, ""), **more: Any
) -> Staged:
    return stage(hands, assistants=assistants, **more).ask(*elements, answerer=answerer)


def four(hand: str, assistants: str, seats: int = 4, **more: Any) -> Staged:
    """Four or five players; seat 0 asks seat 1, who has this hand."""
    return stage(("", hand, *("",) * (seats - 2)), assistants=assistants, **more)


@pytest.mark.parametrize(
    ("elements", "count"),
    [(("Bar",), 2), (("Bar", "Restaurant"), 3), (("3",), 2), (("3", "6", "9"), 4), (("Library",), 1), (("6",), 1)],
)
def test_the_true_count(elements: tuple[str, ...], count: int) -> None:
    """ALIBI-27, ALIBI-30: the number of cards with one of the elements, and nothing else, is the answer."""
    game = asked(*elements)

    assert game.numbers() == [count]
    assert refused(game, 1, Answer(count + 1))
    assert refused(game, 1, Answer(count - 1))
    assert refused(game, 2, Answer(count))
    game.answer(count)
    assert game.last[0].said == count
    assert game.who_knows(Answered, "said") == ALL3


def test_open_cards_are_never_counted() -> None:
    """ALIBI-7."""
    game = stage(("", "Bar-3", "", ""), opened="Bar-6 Bar-9 Bar-12", assistants="ACDE").ask("Bar")

    assert game.numbers() == [1]


def test_with_0_or_1_no_card_is_shown() -> None:
    """ALIBI-31."""
    for elements, count in ((("Library",), 1), (("12",), 1)):
        game = asked(*elements, assistants="ABD").answer(count)
        assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]
        assert not game.last[0].due
    game = stage(("", "Bar-3 Bar-6 Bar-9 Bar-12 Library-3", ""), assistants="ABD").ask("SunDeck").answer(0)
    assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]


def test_with_2_or_more_a_matching_card_of_his_choice_is_shown() -> None:
    """ALIBI-32, ALIBI-P4: which one, only asker and answerer know."""
    game = asked("Bar", "Restaurant", assistants="ABD").answer(3)

    assert game.kinds() == ["Answered"]
    assert game.last[0].due
    assert game.state.phase == Showing(1, False)
    assert game.awaiting() == {1}
    assert game.choices(1, Show, "card") == ["Bar-3", "Bar-12", "Restaurant-6"]
    assert refused(game, 1, Show("SunDeck-9"))
    assert refused(game, 1, Show("Bar-6"))
    assert refused(game, 0, Show("Bar-3"))
    assert game.may(1) == {Show, Slam}
    game.show("Bar-12")
    assert game.kinds() == ["CardShown", "ChipReplaced", "TurnBegan"]
    assert game.last[0] == CardShown(question=1, seat=1, to=0, card="Bar-12", known_to=frozenset({0, 1}))
    assert game.told(2)[0] == CardShown(question=1, seat=1, to=0, card=None, known_to=frozenset({0, 1}))


def test_hands_never_change_and_a_card_may_be_shown_again() -> None:
    """ALIBI-33, ALIBI-34."""
    game = asked("Bar", assistants="ABD")
    hands = game.state.hands
    game.answer(2).show("Bar-3")

    assert game.state.hands == hands
    game.change(on_turn=0).ask("3").answer(2)
    assert "Bar-3" in game.choices(1, Show, "card")
    assert not refused(game, 1, Show("Bar-3"))


# --- Changing assistants -----------------------------------------------------------------------------------------


def arrows(assistants: str = "EDA", seats: int = 3, kind: str = "wheel+", **more: Any) -> Staged:
    """Yellow, in seat 0, has taken a blue chip with arrows."""
    row = (chip("blue", kind),) * 4
    return stage(("",) * seats, assistants=assistants, row=row, **more).play(0, TakeChip(1, 1))


def test_the_change_comes_after_the_chip_and_before_the_question() -> None:
    """ALIBI-19, ALIBI-35: and there is no way round it."""
    game = arrows()

    assert game.state.phase == Changing(1)
    assert game.awaiting() == {0}
    assert game.may(0) == {ChangeAssistant, Slam}
    assert arrows(kind="wheel+").may(1) == {Slam}


def test_one_takes_another_from_the_pool() -> None:
    """ALIBI-36, ALIBI-E7: never the one just put down."""
    game = arrows()

    assert refused(game, 0, ChangeAssistant("Cook"))
    assert refused(game, 0, ChangeAssistant("Journalist"))
    assert sorted(game.choices(0, ChangeAssistant, "assistant")) == ["Captain", "Priest", "Psychiatrist"]
    game.play(0, ChangeAssistant("Captain"))
    assert game.last == [AssistantChanged(seat=0, gave="Cook", took="Captain", taken_from=None)]
    assert game.state.assistants == ("Captain", "Priest", "Journalist")
    assert game.state.pool == ("Psychiatrist", "Cook")
    assert game.state.phase == Asking(1)


def test_who_loses_his_assistant_picks_from_the_pool() -> None:
    """ALIBI-36, ALIBI-37, ALIBI-P5: the one just put down among them, before the question."""
    game = arrows().play(0, ChangeAssistant("Priest"))

    assert game.last == [AssistantChanged(seat=0, gave="Cook", took="Priest", taken_from=1)]
    assert game.state.phase == Replacing(1)
    assert game.state.assistants == ("Priest", None, "Journalist")
    assert game.awaiting() == {1}
    assert sorted(game.choices(1, TakeReplacement, "assistant")) == ["Captain", "Cook", "Psychiatrist"]
    assert refused(game, 1, TakeReplacement("Priest"))
    assert refused(game, 0, TakeReplacement("Cook"))
    game.play(1, TakeReplacement("Cook"))
    assert game.last == [ReplacementTaken(seat=1, assistant="Cook")]
    assert game.state.assistants == ("Priest", "Cook", "Journalist")
    assert game.state.pool == ("Captain", "Psychiatrist")
    assert game.state.phase == Asking(1)
    assert game.awaiting() == {0}


def test_with_five_players_a_change_is_a_swap() -> None:
    """ALIBI-38, ALIBI-P12."""
    game = arrows("EDABC", seats=5)

    assert game.choices(0, ChangeAssistant, "assistant") == ["Priest"]
    game.play(0, ChangeAssistant("Priest"))
    assert game.choices(1, TakeReplacement, "assistant") == ["Cook"]
    game.play(1, TakeReplacement("Cook"))
    assert game.state.assistants[:2] == ("Priest", "Cook")
    assert game.state.pool == ()


def test_what_is_held_after_the_change_decides() -> None:
    """ALIBI-39, ALIBI-E28: the answerer took the Psychiatrist, so nothing is shown."""
    row = (chip("blue", "wheel+"),) * 4
    game = stage(("", BLUE, ""), assistants="EDA", row=row).play(0, TakeChip(1, 1))
    game.play(0, ChangeAssistant("Priest")).play(1, TakeReplacement("Psychiatrist"))
    game.play(0, ask("Bar", "Restaurant")).answer(3)

    assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]
    assert game.who_knows(Answered, "said") == {0, 1}  # the Priest was gained by the change
    plain = stage(("", BLUE, ""), assistants="EBA", row=row).play(0, TakeChip(1, 1))
    plain.play(0, ChangeAssistant("Captain")).play(1, TakeReplacement("Psychiatrist"))
    plain.play(0, ask("Bar", "Restaurant")).answer(3)
    assert plain.who_knows(Answered, "said") == ALL3
    assert plain.kinds()[1] != "CardShown"


def test_a_journalist_gained_by_a_change_is_of_no_use_this_turn() -> None:
    """ALIBI-39."""
    game = arrows("EBC").play(0, ChangeAssistant("Journalist"))

    assert AskFreely not in game.may(0)


def test_everybody_has_an_assistant_also_who_is_out() -> None:
    """ALIBI-41: and his ability works."""
    game = asked("Bar", assistants="ABC", answerer=1, out=[2])
    assert None not in game.state.assistants
    captain = stage(("", BLUE, ""), assistants="AEB", out=[2]).ask("Bar").answer(2).show("Bar-3")
    assert captain.who_knows(CardShown, "card") == {0, 1, 2}


# --- Abilities ---------------------------------------------------------------------------------------------------


def ask(*elements: str) -> Any:
    from whodunit.games.perfect_alibi.model import Ask  # noqa: PLC0415  (beside its only use)

    return Ask(elements)  # type: ignore[arg-type]


def test_the_captain_sees_what_others_show() -> None:
    """ALIBI-44, ALIBI-P6."""
    yellow = "Bar-3 Bar-6 Library-3 Library-6 Library-9"
    game = stage(("", yellow, ""), assistants="ADB").ask("Bar").answer(2)
    game.show("Bar-6")

    assert game.who_knows(CardShown, "card") == {0, 1, 2}
    assert game.who_knows(Answered, "said") == ALL3


def test_with_the_captain_in_the_pool_only_the_asker_sees() -> None:
    """ALIBI-44, ALIBI-E10."""
    assert asked("Bar", assistants="ADE").answer(2).show("Bar-3").who_knows(CardShown, "card") == {0, 1}


def test_the_captain_as_asker_or_answerer_sees_what_these_see() -> None:
    """ALIBI-44: neither adds anybody."""
    for assistants in ("BDE", "ABE"):
        game = asked("Bar", assistants=assistants).answer(2).show("Bar-3")
        assert game.who_knows(CardShown, "card") == {0, 1}


def test_the_psychiatrist_shows_nothing() -> None:
    """ALIBI-46, ALIBI-P7."""
    game = asked("Bar", "Restaurant", assistants="ACB").answer(3)

    assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]
    assert not game.last[0].due
    assert game.who_knows(Answered, "said") == ALL3


def test_the_priest_alone_hears_the_answer() -> None:
    """ALIBI-47, ALIBI-48, ALIBI-P8: that a card is shown, everybody sees."""
    red_asks_yellow = four("Restaurant-3 Restaurant-9 Bar-6", "DACE")
    game = red_asks_yellow.ask("Restaurant").answer(2)

    assert game.who_knows(Answered, "said") == {0, 1}
    assert all(event.due for event in game.told(2) if isinstance(event, Answered))
    assert game.view(2).log[0].said is None
    assert game.view(2).log[0].answered
    assert game.view(0).log[0].said == 2
    assert type(game.view(TABLE).phase) is Showing
    game.show("Restaurant-9")
    assert game.who_knows(CardShown, "card") == {0, 1}
    few = four("Restaurant-3 Library-9 Bar-6", "DACE").ask("Restaurant").answer(1)
    assert few.who_knows(Answered, "said") == {0, 1}
    assert few.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]


def test_the_captain_sees_the_card_shown_to_the_priest() -> None:
    """ALIBI-48: but does not hear the number."""
    game = four("Restaurant-3 Restaurant-9 Bar-6", "DABE").ask("Restaurant").answer(2).show("Restaurant-3")

    assert game.who_knows(CardShown, "card") == {0, 1, 2}
    assert game.who_knows(Answered, "said") == {0, 1}


def test_the_priest_does_not_hide_what_its_holder_answers() -> None:
    """ALIBI-47: it works for its holder's own questions."""
    assert asked("Library", assistants="ADB").answer(1).who_knows(Answered, "said") == ALL3


def test_the_cook_draws_from_the_whole_hand() -> None:
    """ALIBI-45, ALIBI-49, ALIBI-P9: the Captain does not see it, and it need not match."""
    drawn: Counter[str] = Counter()
    for place in range(3):
        game = four("Bar-3 Bar-6 Library-9", "EDAB").ask("Bar").answer(2, drawn_card=place)
        assert game.kinds() == ["Answered", "CardDrawn", "ChipReplaced", "TurnBegan"]
        assert game.last[0].due
        assert game.who_knows(CardDrawn, "card") == {0, 1}
        assert game.who_knows(Answered, "said") == {0, 1, 2, 3, TABLE}
        event = game.last[1]
        assert (event.question, event.seat, event.answerer) == (1, 0, 1)
        drawn[event.card] += 1

    assert drawn == {"Bar-3": 1, "Bar-6": 1, "Library-9": 1}


def test_the_cook_draws_nothing_where_nothing_is_shown() -> None:
    """ALIBI-46, ALIBI-49, ALIBI-E8: with 0 or 1, and from the Psychiatrist's holder."""
    assert "CardDrawn" not in asked("Library", assistants="EAB").answer(1).kinds()
    game = asked("Bar", "Restaurant", assistants="ECB").answer(3)
    assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]
    assert game.who_knows(Answered, "said") == ALL3


def test_the_priest_asks_the_psychiatrist() -> None:
    """ALIBI-46, ALIBI-47, ALIBI-48, ALIBI-E9: bystanders learn nothing at all."""
    seen = []
    for hand, count in ((BLUE, 3), ("Library-3 Library-6 Library-9 SunDeck-3 SunDeck-9", 0)):
        game = asked("Bar", "Restaurant", assistants="DCB", hands=("", hand, "")).answer(count)
        assert game.who_knows(Answered, "said") == {0, 1}
        seen.append(game.told(2)[0])
    assert seen[0] == seen[1]


def test_where_the_house_lets_him_the_cook_may_stay_in_the_galley() -> None:
    """ALIBI-49: COOK_OPTIONAL; compulsory else."""
    game = four("Bar-3 Bar-6 Library-9", "EDAB", cook_optional=True).ask("Bar").answer(2)

    assert game.state.phase == Choosing(1, False)
    assert game.awaiting() == {0}
    assert {DrawCard, LetShow} <= game.may(0)
    assert game.may(1) == {Slam}
    game.play(0, LetShow())
    assert game.state.phase == Showing(1, False)
    game.show("Bar-6")
    assert game.who_knows(CardShown, "card") == {0, 1, 3}
    other = four("Bar-3 Bar-6 Library-9", "EDAB", cook_optional=True).ask("Bar").answer(2)
    other.play(0, DrawCard(), drawn_card=2)
    assert other.kinds() == ["CardDrawn", "ChipReplaced", "TurnBegan"]
    assert other.last[0].card == "Library-9"
