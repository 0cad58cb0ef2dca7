"""Section 4: who hears the number and who sees the card, for every pair of assistants, true or not."""

from itertools import permutations
from typing import Final

import pytest

from tests.games.perfect_alibi.staging import BY_LETTER, Staged, stage
from whodunit.core.types import TABLE, Seat
from whodunit.games.perfect_alibi.facts import ASSISTANTS, LETTERS, Assistant
from whodunit.games.perfect_alibi.model import Answered, CardDrawn, CardShown

pytestmark = pytest.mark.rules

ASKER, ANSWERER = 0, 1

# Asker holds, answerer holds, number heard by, card, card seen by (besides the answerer); as section 4 has it.
TABLE_4: Final = """
Journalist   | Captain      | all   | chosen | asker
Journalist   | Psychiatrist | all   | -      | -
Journalist   | Priest       | all   | chosen | asker, Cpt
Journalist   | Cook         | all   | chosen | asker, Cpt
Captain      | Journalist   | all   | chosen | asker
Captain      | Psychiatrist | all   | -      | -
Captain      | Priest       | all   | chosen | asker
Captain      | Cook         | all   | chosen | asker
Psychiatrist | Journalist   | all   | chosen | asker, Cpt
Psychiatrist | Captain      | all   | chosen | asker
Psychiatrist | Priest       | all   | chosen | asker, Cpt
Psychiatrist | Cook         | all   | chosen | asker, Cpt
Priest       | Journalist   | asker | chosen | asker, Cpt
Priest       | Captain      | asker | chosen | asker
Priest       | Psychiatrist | asker | -      | -
Priest       | Cook         | asker | chosen | asker, Cpt
Cook         | Journalist   | all   | random | asker
Cook         | Captain      | all   | random | asker
Cook         | Psychiatrist | all   | -      | -
Cook         | Priest       | all   | random | asker
"""
ROWS: Final = [tuple(cell.strip() for cell in line.split("|")) for line in TABLE_4.strip().splitlines()]
HAND: Final = "Bar-3 Bar-6 Library-9"


def seated(asker: Assistant, answerer: Assistant, *, captain: Seat | None) -> str:
    """Return letters for five seats: asker and answerer hold these, and a third player the Captain if he can."""
    left = [one for one in ASSISTANTS if one not in (asker, answerer)]
    if "Captain" in left and captain is not None:
        left.remove("Captain")
        left.insert(captain - 2, "Captain")
    return "".join(LETTERS[one] for one in (asker, answerer, *left))


def lying(answerer_fears: Assistant) -> str:
    """Return rival tiles for five seats, the answerer's this one."""
    rest = [one for one in ASSISTANTS if one != answerer_fears]
    return "".join(LETTERS[one] for one in (rest[0], answerer_fears, *rest[1:]))


def expected(named: str, captain: Seat | None) -> set[Seat]:
    seats: set[Seat] = set()
    for name in named.split(", "):
        seats |= {"asker": {ASKER}, "Cpt": set() if captain is None else {captain}, "-": set()}[name]
    return seats


def check(game: Staged, row: tuple[str, ...], captain: Seat | None, card: str) -> None:
    """Check an announced 2 or more against the row."""
    _, _, heard, kind, seers = row
    everybody = {*range(game.seats), TABLE}
    assert game.who_knows(Answered, "said") == ({ASKER, ANSWERER} if heard == "asker" else everybody)
    assert game.last[0].due == (kind != "-")
    if kind == "-":
        assert not {"CardShown", "CardDrawn"} & set(game.kinds())
        assert game.state.on_turn != ASKER
    elif kind == "random":
        assert game.kinds()[1] == "CardDrawn"
        assert game.who_knows(CardDrawn, "card") == {ANSWERER, ASKER}
    else:
        assert game.kinds() == ["Answered"]
        game.show(card)
        assert game.who_knows(CardShown, "card") == {ANSWERER, *expected(seers, captain)}
    assert game.state.on_turn != ASKER


def test_the_table_has_every_pair() -> None:
    """ALIBI-44 to 49: twenty rows."""
    assert {(row[0], row[1]) for row in ROWS} == set(permutations(ASSISTANTS, 2))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("captain", [2, 3, 4])
def test_the_whole_table(row: tuple[str, ...], captain: Seat) -> None:
    """ALIBI-30, ALIBI-32, ALIBI-44 to 49."""
    asker, answerer = BY_LETTER[LETTERS[row[0]]], BY_LETTER[LETTERS[row[1]]]  # type: ignore[index]
    letters = seated(asker, answerer, captain=captain)
    game = stage(("", HAND, "", "", ""), assistants=letters).ask("Bar").answer(2)
    third = letters.index("B") if "B" in letters[2:] else None

    check(game, row, third, "Bar-6")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_whole_table_with_the_captain_in_the_pool(row: tuple[str, ...]) -> None:
    """ALIBI-44, ALIBI-E10: then nobody else sees."""
    if "Captain" in row[:2]:
        return
    asker, answerer = LETTERS[row[0]], LETTERS[row[1]]  # type: ignore[index]
    third = next(letter for letter in "ACDE" if letter not in (asker, answerer))
    hand = f"{HAND} Library-3 Library-6"
    game = stage(("", hand, ""), assistants=asker + answerer + third).ask("Bar").answer(2)

    check(game, row, None, "Bar-3")


LIES: Final = {  # true count and lie: a hand for it, and the card that is then shown
    (2, 1): (HAND, None),
    (2, 3): (HAND, "Bar-6"),
    (1, 0): ("Bar-3 Library-6 Library-9", None),
    (1, 2): ("Bar-3 Library-6 Library-9", "Bar-3"),
    (0, 1): ("Library-3 Library-6 Library-9", None),
    (3, 2): ("Bar-3 Bar-6 Bar-9", "Bar-9"),
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("captain", [2, 3, 4])
@pytest.mark.parametrize(("true", "said"), LIES)
def test_the_whole_table_with_lies(row: tuple[str, ...], captain: Seat, true: int, said: int) -> None:
    """ALIBI-59, ALIBI-63 to 67: nothing but the number is other than with the truth."""
    asker = BY_LETTER[LETTERS[row[0]]]  # type: ignore[index]
    letters = seated(asker, BY_LETTER[LETTERS[row[1]]], captain=captain)  # type: ignore[index]
    third = letters.index("B") if "B" in letters[2:] else None
    hand, card = LIES[true, said]
    game = stage(("", hand, "", "", ""), "Bar-12", assistants=letters, rivals=lying(asker)).ask("Bar")
    lied(game, row, third, said, card)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("said", [1, 3])
def test_the_whole_table_with_lies_and_the_captain_in_the_pool(row: tuple[str, ...], said: int) -> None:
    """ALIBI-44, ALIBI-63 to 67: then nobody else sees the card that is shown for a lie."""
    if "Captain" in row[:2]:
        return
    asker, answerer = LETTERS[row[0]], LETTERS[row[1]]  # type: ignore[index]
    third = next(letter for letter in "ACDE" if letter not in (asker, answerer))
    others = [letter for letter in "ABCDE" if letter != asker]
    hand = f"{HAND} Library-3 Library-6"
    rivals = others[0] + asker + others[1]
    game = stage(("", hand, ""), assistants=asker + answerer + third, rivals=rivals).ask("Bar")
    lied(game, row, None, said, "Bar-3" if said > 1 else None)


def lied(game: Staged, row: tuple[str, ...], captain: Seat | None, said: int, card: str | None) -> None:
    """Answer a lie, and check who hears it and who sees what."""
    assert said in game.numbers()
    game.answer(said)
    if card is not None:
        check(game, row, captain, card)
    else:
        assert game.kinds() == ["Answered", "ChipReplaced", "TurnBegan"]
        heard = {ASKER, ANSWERER} if row[2] == "asker" else {*range(game.seats), TABLE}
        assert game.who_knows(Answered, "said") == heard


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_lie_looks_to_all_others_like_the_truth(row: tuple[str, ...]) -> None:
    """ALIBI-67: the same events, phases and offers, whatever makes the number what it is."""
    asker = BY_LETTER[LETTERS[row[0]]]  # type: ignore[index]
    letters = seated(asker, BY_LETTER[LETTERS[row[1]]], captain=4)  # type: ignore[index]
    other = next(one for one in ASSISTANTS if one != asker)
    truth = stage(("", "Bar-3 Bar-6 Bar-9", "", "", ""), "Bar-12", assistants=letters, rivals=lying(other))
    lie = stage(("", "Bar-3 Bar-6 Library-9", "", "", ""), "Bar-12", assistants=letters, rivals=lying(asker))
    before = len(truth.events)
    for game in (truth, lie):
        game.ask("Bar").answer(3, drawn_card=0)
        if game.awaiting() == {ANSWERER} and game.state.on_turn == ASKER:
            game.show("Bar-6")
    for viewer in (0, 2, 3, 4, TABLE):
        assert truth.seen(viewer)[before:] == lie.seen(viewer)[before:]
        assert truth.view(viewer).phase == lie.view(viewer).phase
