"""The Rival variant: section 3.10."""

from itertools import combinations
from typing import Any

import pytest

from tests.games.perfect_alibi.staging import Staged, chip, refused, stage
from tests.games.perfect_alibi.worlds import limits
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.facts import LOCATIONS, PACK, TIMES
from whodunit.games.perfect_alibi.model import Answer, Answered, Ask, CardShown, ChangeAssistant, Show, TakeChip
from whodunit.games.perfect_alibi.rules import bounds, lies

pytestmark = pytest.mark.rules


def five(hand: str, assistants: str = "EDABC", rivals: str = "AEBCD", **more: Any) -> Staged:
    """Seat 0 has the Cook, and seat 1 the Cook for a rival."""
    return stage(("", hand, "", "", ""), assistants=assistants, rivals=rivals, **more)


def three(hand: str, elements: tuple[str, ...]) -> Staged:
    return stage(("", hand, ""), assistants="ABD", rivals="BAC").ask(*elements)


def test_whoever_is_asked_by_his_rival_lies() -> None:
    """ALIBI-63, ALIBI-64, ALIBI-P10: one more or one less; at 1 nothing is drawn."""
    game = five("Bar-3 Bar-6 Library-9").ask("Bar")

    assert game.numbers() == [1, 3]
    assert refused(game, 1, Answer(2))
    game.answer(1)
    assert "CardDrawn" not in game.kinds()
    assert five("Bar-3 Bar-6 Library-9").ask("Bar").answer(3).kinds()[1] == "CardDrawn"


def test_all_others_tell_the_truth() -> None:
    """ALIBI-63: the asker's assistant counts, not the answerer's."""
    assert five("Bar-3 Bar-6 Library-9", "BDAEC").ask("Bar").numbers() == [2]
    assert five("Bar-3 Bar-6 Library-9", "DEABC").ask("Bar").numbers() == [2]
    assert stage(("", "Bar-3 Bar-6 Library-9", ""), assistants="EDA").ask("Bar").numbers() == [2]


def test_a_lie_is_chosen_anew_each_time() -> None:
    """ALIBI-64."""
    game = five("Bar-3 Bar-6 Library-9").ask("Bar").answer(1)
    game.change(on_turn=0)

    assert game.ask("Bar").numbers() == [1, 3]


def test_with_nothing_to_count_only_1_can_be_said() -> None:
    """ALIBI-65, ALIBI-E11."""
    game = five("Library-3 Library-6 Library-9").ask("Bar")

    assert game.numbers() == [1]
    assert game.answer(1).kinds() == ["Answered", "ChipReplaced", "TurnBegan"]


def test_with_a_full_hand_only_one_less() -> None:
    """ALIBI-65, ALIBI-66, ALIBI-E12: and a matching card is shown."""
    game = five("Bar-3 Bar-6 Bar-9", "BDAEC", "ABCDE").ask("Bar")

    assert game.numbers() == [2]
    game.answer(2)
    assert game.choices(1, Show, "card") == ["Bar-3", "Bar-6", "Bar-9"]


def test_a_lie_of_2_shows_the_only_matching_card() -> None:
    """ALIBI-66, ALIBI-E13."""
    game = five("Bar-3 Library-6 Library-9", "BDAEC", "ABCDE").ask("Bar")

    assert game.numbers() == [0, 2]
    game.answer(2)
    assert game.choices(1, Show, "card") == ["Bar-3"]


def test_open_cards_bound_a_lie_from_above() -> None:
    """ALIBI-65, ALIBI-E14."""
    game = stage(
        ("", "Bar-12 Library-6 Library-9", "", ""), opened="Bar-3 Bar-6 Bar-9", assistants="BDAE", rivals="ABCD"
    ).ask("Bar")

    assert game.numbers() == [0]


def test_open_cards_bound_a_lie_from_below() -> None:
    """ALIBI-65, ALIBI-66, ALIBI-E26."""
    hands = ("", "Library-12 Bar-3 Bar-6", "", "")
    opened = "Library-3 Library-6 Library-9"
    game = stage(hands, opened=opened, assistants="BDAE", rivals="ABCD").ask("Bar", "Restaurant", "SunDeck")

    assert game.numbers() == [3]
    game.answer(3)
    assert game.choices(1, Show, "card") == ["Bar-3", "Bar-6"]


def test_who_holds_his_own_rival_never_lies() -> None:
    """ALIBI-68, ALIBI-E15."""
    for asker in "ABCD":
        rest = "".join(letter for letter in "ABCD" if letter != asker)
        game = five("Bar-3 Bar-6 Library-9", f"{asker}E{rest}", "AEBCD")
        assert game.ask("Bar").numbers() == [2]


def test_the_assistant_after_the_change_counts() -> None:
    """ALIBI-39, ALIBI-63, ALIBI-E16."""
    row = (chip("blue", "wheel+"),) * 4
    hands, opened = ("", "Bar-3 Bar-6 Library-9", "", ""), "Restaurant-3 Restaurant-6 SunDeck-3"
    game = stage(hands, opened=opened, assistants="BAEC", rivals="ABCD", row=row)
    game.play(0, TakeChip(1, 1)).play(0, ChangeAssistant("Priest")).play(0, Ask(("Bar",)))
    assert game.numbers() == [2]
    back = stage(hands, opened=opened, assistants="DAEC", rivals="ABCD", row=row)
    back.play(0, TakeChip(1, 1)).play(0, ChangeAssistant("Captain")).play(0, Ask(("Bar",)))
    assert back.numbers() == [1, 3]


def test_five_cards_cannot_all_be_elsewhere() -> None:
    """ALIBI-65, ALIBI-66, ALIBI-E25."""
    game = three("Library-3 Library-6 Library-9 Library-12 Bar-3", ("Bar", "Restaurant", "SunDeck"))

    assert game.numbers() == [2]
    game.answer(2)
    assert game.choices(1, Show, "card") == ["Bar-3"]


def test_there_are_only_four_cards_of_an_element() -> None:
    """ALIBI-65, ALIBI-E27."""
    assert three("Bar-3 Bar-6 Bar-9 Bar-12 Library-3", ("Bar",)).numbers() == [3]


@pytest.mark.parametrize("said", [1, 3])
def test_a_lie_to_the_priest(said: int) -> None:
    """ALIBI-47, ALIBI-48, ALIBI-64, ALIBI-E31: it stays between the two; a card is seen by the Captain too."""
    game = five("Bar-3 Bar-6 Library-9", "DABCE", "ADBCE").ask("Bar")
    assert game.numbers() == [1, 3]
    game.answer(said)

    assert game.who_knows(Answered, "said") == {0, 1}
    assert game.told(3)[0].due == (said == 3)
    if said == 3:
        assert game.show("Bar-3").who_knows(CardShown, "card") == {0, 1, 2}
    else:
        assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]


def test_four_elements_do_not_go_with_rivals() -> None:
    """ALIBI-26, ALIBI-E32."""
    options = perfect_alibi.INFO.parse(3, {"rival": True, "max_elements": 4})
    with pytest.raises(BadOptions, match="ALIBI-26"):
        perfect_alibi.setup(3, options, Rng(b"", 1))


def test_tiles_stay_the_same_and_secret() -> None:
    """ALIBI-62, ALIBI-67."""
    game = five("Bar-3 Bar-6 Library-9").ask("Bar").answer(3)

    assert game.state.rivals[1] == "Cook"
    for viewer in (0, 2, 3, 4, TABLE):
        assert game.view(viewer).rivals[1] is None


@pytest.mark.parametrize("hand", ["Bar-3 Bar-6 Library-9", "Library-3 Library-6 Library-9", "Bar-3 Bar-6 Bar-9"])
def test_literal_bounds_only_forbid_less_than_nothing(hand: str) -> None:
    """ALIBI-65: LIE_BOUNDS."""
    true = hand.count("Bar")
    game = five(hand, lie_bounds="literal").ask("Bar")

    assert game.numbers() == [number for number in (true - 1, true + 1) if number >= 0]


def test_the_table_of_bounds() -> None:
    """ALIBI-65: all values of L and M; there is always a lie, and the truth always lies between."""
    assert [bounds(3, (), LOCATIONS[:n]) for n in (1, 2, 3)] == [(0, 4), (0, 5), (1, 5)]
    assert [bounds(5, (), TIMES[:n]) for n in (1, 2, 3)] == [(0, 3), (0, 3), (0, 3)]
    for opened in combinations(PACK, 3):
        for number in (1, 2, 3):
            for elements in combinations(LOCATIONS, number):
                least, most = bounds(4, opened, elements)
                assert (least, most) == limits(4, opened, elements)
                assert least < most
                assert all(lies(true, least, most) for true in range(least, most + 1))


def test_lies_are_one_off() -> None:
    """ALIBI-64, ALIBI-65."""
    assert lies(2, 0, 3) == (1, 3)
    assert lies(0, 0, 3) == (1,)
    assert lies(3, 0, 3) == (2,)
    assert lies(1, 1, 5) == (2,)
