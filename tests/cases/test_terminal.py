"""Cases in words, and solving one at a terminal."""

import re
from itertools import islice
from string import Formatter
from typing import get_args

import pytest

from whodunit import games
from whodunit.cases import words
from whodunit.cases.inference import Kind
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Impossible, Unproved, rule
from whodunit.cases.supply import supplied
from whodunit.cases.terminal import COMMANDS, WIDTH, Solving, matching
from whodunit.core.cutting import Entry

PLAYERS = ("Agatha", "Basil", "Celeste", "Dashiell", "Edgar", "Fjodor")


@pytest.fixture(scope="module")
def trio() -> Puzzle:
    return next(supplied("clue", "terminal", ["trio"]))


@pytest.fixture(scope="module")
def holder() -> Puzzle:
    return next(supplied("clue", "terminal", ["holder"]))


def claimed(solving: Solving, claim: tuple[Entry, ...]) -> list[str]:
    """Claim this, by the numbers of the list."""
    places = (group.index(entry) for entry, group in zip(claim, solving.puzzle.posed.question.form, strict=True))
    return solving.typed(f"claim {', '.join(str(place + 1) for place in places)}")


def turned(solving: Solving, number: int) -> None:
    for _ in range(number - solving.turned):
        solving.typed("")


# --- The words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_every_language_has_every_sentence_with_the_same_places(language: str) -> None:
    def places(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text)} - {None}

    english = {key: places(text) for key, text in words._texts("en").items()}

    assert {key: places(text) for key, text in words._texts(language).items()} == english
    assert {f"case.step.{kind}" for kind in get_args(Kind)} <= english.keys()


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_no_two_commands_of_a_language_are_one(language: str) -> None:
    told = [words._texts(language)[f"case.terminal.word.{command}"] for command in (*COMMANDS, "yes", "no")]

    assert len(set(told)) == len(told)


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_a_whole_case_is_told_in_every_language(trio: Puzzle, holder: Puzzle, language: str) -> None:
    """A missing sentence is a KeyError, and an unnamed thing keeps the name that the program has for it."""
    for puzzle in (trio, holder):
        solving = Solving(puzzle, PLAYERS, language)
        told = solving.begin()
        for _ in range(puzzle.posed.total + 1):
            told += solving.typed("")
        told += [*claimed(solving, puzzle.answer), *solving.left()]

        assert solving.ended
        assert max(map(len, told)) <= WIDTH + 40  # only headings and lists of choices are not wrapped
        assert not re.search(r"\{|LeadPipe|BilliardRoom|case\.", "\n".join(told))


def test_a_step_says_its_lines_and_marks(trio: Puzzle) -> None:
    solving = Solving(trio, PLAYERS)
    turned(solving, trio.par)
    told = "\n".join(claimed(solving, trio.answer))

    for number, step in enumerate(trio.steps, 1):
        (head,) = re.findall(rf"^ *{number}\. (.*)$", told, re.MULTILINE)
        assert [int(line) for line in re.findall(r"\d+", head)][: len(step.lines)] == [*step.lines]
        for mark in step.settles:
            assert solving.words.row(mark.row) in head
            assert mark.column == "envelope" or solving.words.column(mark.column) in head


# --- Solving ---------------------------------------------------------------------------------------------------------


def test_lines_are_turned_one_at_a_time(trio: Puzzle) -> None:
    solving = Solving(trio, PLAYERS)
    before = "\n".join(solving.begin())

    for number in range(1, trio.posed.total + 1):
        assert f"Line {number} of {trio.posed.total}" not in before
        assert f"Line {number} of {trio.posed.total}" in solving.typed("")
    assert solving.typed("") == ["All lines are turned. The answer follows from them: claim it, or give up."]


def test_a_right_claim_that_does_not_follow_yet_is_answered_as_a_wrong_one_is(trio: Puzzle) -> None:
    solving = Solving(trio, PLAYERS)
    turned(solving, trio.par - 1)
    right = claimed(solving, trio.answer)
    others = (
        claim
        for claim in zip(*trio.posed.question.form, strict=False)
        if claim != trio.answer and isinstance(rule(trio.at(trio.par - 1), claim), Unproved)
    )
    wrong = [claimed(solving, claim) for claim in islice(others, 2)]

    assert right[0].startswith("This does not follow yet.")
    assert all(told[0] == right[0] for told in wrong)
    assert any(line.startswith("  envelope") for line in right)
    assert not solving.ended
    assert solving.guesses == 1 + len(wrong)


def test_a_claim_that_follows_ends_the_case_with_its_proof(trio: Puzzle) -> None:
    solving = Solving(trio, PLAYERS)
    turned(solving, trio.par)
    told = claimed(solving, trio.answer)

    assert told[0] == "Proved: that follows from what is known."
    assert f"Solved at line {trio.par}. Par: {trio.par}. Guesses: 0. Hints: 0." in told
    assert "The proof, step by step" in told
    assert solving.ended


def test_a_wrong_claim_after_the_last_line_names_the_clash_and_ends_the_case(trio: Puzzle) -> None:
    wrong = next(claim for claim in zip(*trio.posed.question.form, strict=False) if claim != trio.answer)
    solving = Solving(trio, PLAYERS)
    turned(solving, trio.posed.total)
    ruling = rule(trio.posed, wrong)
    told = claimed(solving, wrong)

    assert isinstance(ruling, Impossible)
    assert told[0].startswith("Impossible: ")
    assert [int(number) for number in re.findall(r"\d+", told[0])] == [line for line in ruling.lines if line]
    assert any(line.startswith("Not solved. ") for line in told)
    assert solving.ended


def test_a_mark_is_checked_for_a_hint_and_stands_on_the_sheet_if_it_follows(holder: Puzzle) -> None:
    ((row, column),) = holder.answer
    solving = Solving(holder, PLAYERS)
    row, column = solving.words.row(row), solving.words.column(column)
    early = solving.typed(f"mark {row} {column} yes")
    assert solving.typed("sheet") == ["Nothing is marked yet."]

    turned(solving, holder.posed.total)
    assert early[0].startswith("This does not follow yet.")
    assert solving.typed(f"mark {row}, {column}, no")[0].startswith("Impossible: ")
    assert solving.typed(f"mark {row} {column} yes")[0].startswith("Proved: ")
    assert solving.typed("sheet") == [f"{column}: {row}"]
    assert (solving.hints, solving.guesses, solving.ended) == (3, 0, False)


def test_giving_up_shows_the_answer(holder: Puzzle) -> None:
    solving = Solving(holder, PLAYERS)
    told = solving.typed("give up")

    answer = solving.words.answer(holder.posed.question, holder.answer)
    assert f"The answer: {answer}" in told
    assert solving.ended


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("dance", "“dance” is nothing that can be done here. With “help” you see what can."),
        ("claim", "Name one of each list, in their order, with commas between: 3 in all."),
        ("claim plum", "Name one of each list, in their order, with commas between: 3 in all."),
        ("claim plum, , hall", "Name one of each list, in their order, with commas between: 3 in all."),
        ("claim plum rope attic", "“attic” is none of these: "),
        ("claim mrs rope hall", "“mrs” may be several: Mrs. White · Mrs. Peacock"),
        ("mark plum agatha", "Name a row, a column, and yes or no."),
        ("mark plum nobody yes", "“nobody” is none of these: Agatha"),
    ],
)
def test_what_is_not_understood_costs_nothing(trio: Puzzle, typed: str, told: str) -> None:
    solving = Solving(trio, PLAYERS)

    assert " ".join(solving.typed(typed)).startswith(told)
    assert (solving.guesses, solving.hints, solving.turned, solving.ended) == (0, 0, 0, False)


@pytest.mark.parametrize(
    ("language", "typed"),
    [("de", "behaupte"), ("de", "beh"), ("fr", "affirme"), ("nb", "påstå"), ("nb", "PÅ"), ("nb", "claim"), ("en", "c")],
)
def test_commands_are_known_by_their_beginning_in_the_language_and_in_english(
    trio: Puzzle, language: str, typed: str
) -> None:
    solving = Solving(trio, PLAYERS, language)
    solving.typed(f"{typed} 1, 1, 1")

    assert solving.guesses == 1


@pytest.mark.parametrize(
    ("language", "typed"), [("de", "gib auf"), ("nb", "gi opp"), ("fr", "abandonne"), ("en", "gi")]
)
def test_one_may_give_up_in_every_language(trio: Puzzle, language: str, typed: str) -> None:
    solving = Solving(trio, PLAYERS, language)
    solving.typed(typed)

    assert solving.ended


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("plum", ["Prof. Plum"]),
        ("Prof. Plum", ["Prof. Plum"]),
        ("p", ["Prof. Plum", "Mrs. Peacock"]),
        ("m p", ["Mrs. Peacock"]),
        ("2", ["Mrs. Peacock"]),
        ("bar", ["Bar"]),
        ("lib 1", ["Library 1", "Library 11"]),
        ("library 1", ["Library 1"]),
        ("9", []),
        ("", []),
    ],
)
def test_a_word_is_known_by_its_number_itself_or_its_beginning(said: str, names: list[str]) -> None:
    every = ["Prof. Plum", "Mrs. Peacock", "Bar", "Barn", "Library 1", "Library 11"]

    assert [every[place] for place in matching(said, every)] == names
