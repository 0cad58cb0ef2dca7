"""First cases: each staged game is short, can be solved, and really shows every step; every step has its words."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.lesson_facts import FACTS, solution
from tests.lessons import LEARNER, LEAST, MOST, MOST_OF_OTHERS, Play, act, begin, follow, path_of, understood
from whodunit import games
from whodunit.core.lesson import Lesson
from whodunit.core.types import Action

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "de", "fr", "nb")
LESSONS = [game for game in games.ids() if path_of(game).exists()]
FEW = 4
"""So many of what ends the game for the learner are enough: after it hardly anything is said."""
ALL = 1000
SHARED = ROOT / "web" / "src" / "lesson" / "texts"


def words(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("game", LESSONS)
def test_whoever_follows_the_guide_solves_the_case_soon_and_meets_every_step(game: str) -> None:
    lesson = games.lesson(game)

    played = follow(begin(game, lesson), lesson)

    again = f"run: .venv/bin/python -m tests.lessons {game}"
    assert played.case.outcome is not None, again
    assert played.case.outcome.winners == (LEARNER,), again
    assert played.left == (), again
    assert understood(played, lesson), again  # what ends it is a proof of what was explained, and no luck
    assert LEAST <= len(played.deeds) <= MOST, again
    assert played.others <= MOST_OF_OTHERS, again
    assert faults(game, played) == []


def faults(game: str, played: Play) -> list[str]:
    """List what the guide has said that was not so."""
    return [
        f"event {len(moment.told)}: {text}"
        for moment, said in played.said
        for text in said.texts
        if not FACTS[game][text](moment, said.about)
    ]


def unearned(game: str, play: Play, lesson: Lesson) -> list[str]:
    """List the advice to name the solution though the learner's notes do not prove it, and what is not on offer."""
    moment = play.moment
    action = moment.advice(lesson)
    if action is None or not any(offer.admits(action) for offer in moment.offers):
        return [f"event {len(moment.told)}: {action} is not on offer"]
    names = {word for name in action.__struct_fields__ for word in str(getattr(action, name)).split()}
    rows = solution(game, moment)
    proved = lesson.answer is None or rows == {
        cell.row for cell in moment.sheet.cells if cell.column == lesson.answer[0] and cell.mark == "yes"
    }
    named = bool(rows) and all({*row.split()} <= names or row in map(str, _values(action)) for row in rows)
    return [f"event {len(moment.told)}: {action} names the solution"] if named and not proved else []


def _values(action: Action) -> list[object]:
    return [getattr(action, name) for name in action.__struct_fields__]


def spread(play: Play, most: int, lesson: Lesson) -> list[Action]:
    """Return what the learner may do, of each kind so many that lie far apart, and what the guide advises."""
    final = play.case.table.game.INFO.final
    counts = [
        (offer, min(most, offer.count, *((FEW,) if offer.action in final else ()))) for offer in play.moment.offers
    ]
    some = [offer.at(place * offer.count // count) for offer, count in counts for place in range(count)]
    advised = play.moment.advice(lesson)
    return some if advised is None or advised in some else [*some, advised]


def branches(game: str, lesson: Lesson, widths: Sequence[int], deeds: tuple[Action, ...] = ()) -> Iterator[Play]:
    """Replay a lesson along every branch of the learner's next choices, so wide each."""
    play = reduce(act, deeds, begin(game, lesson))  # from its beginning: bots remember
    if not widths or play.case.outcome:
        yield play
        return
    for action in spread(play, widths[0], lesson):
        yield from branches(game, lesson, widths[1:], (*deeds, action))


def wander(game: str, widths: Sequence[int], most: int) -> tuple[int, list[str]]:
    """Replay a lesson along its branches, each to its end or for so many deeds: how many, and what was untrue."""
    lesson = games.lesson(game)
    quick = replace(lesson, options={**lesson.options, **games.get(game).INFO.bulk})
    count, found = 0, list[str]()
    for branch in branches(game, quick, widths):
        played = branch
        while not played.case.outcome and len(played.deeds) < most:
            found += unearned(game, played, lesson)
            action = played.moment.advice(lesson)
            assert action is not None
            played = act(played, action)
        found += [f"{played.deeds}: {fault}" for fault in faults(game, played)]
        count += 1
    return count, found


@pytest.mark.parametrize("game", LESSONS)
def test_whatever_is_done_first_the_guide_says_what_is_so(game: str) -> None:
    count, found = wander(game, (3, 3, 2), 4)

    assert found == []
    assert count >= 6


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", LESSONS)
def test_along_every_branch_of_the_first_three_choices_the_guide_says_what_is_so(game: str) -> None:
    count, found = wander(game, (ALL, 12, 4), 2 * MOST)

    assert found == []
    assert count >= 40


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_says_what_it_has_different(game: str) -> None:
    lesson, usual = games.lesson(game), games.get(game).INFO.parse(3, {})

    # What is chosen by chance in a usual game may be anything here.
    different = {name for name in lesson.options if getattr(usual, name) is not None}
    assert {f"differs.{name}" for name in different} == {
        text for text in words(path_of(game).with_name("en.json")) if text.startswith("differs.")
    }


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_for_people(game: str) -> None:
    lesson = games.lesson(game)

    games.get(game).INFO.parse(1 + len(lesson.bots), lesson.options, people=True)

    assert lesson.assistance in {"logic", "probabilities"}  # the guide speaks of what follows


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_every_step_has_its_words_in_every_language(game: str, language: str) -> None:
    texts = words(path_of(game).with_name(f"{language}.json"))

    said = {text for step in games.lesson(game).steps for text in (step.text, *(more.text for more in step.more))}
    assert {text for text in texts if not text.startswith("differs.")} == said == {*FACTS[game]}
    assert [text for text in texts.values() if not 20 <= len(text) <= 260 or "{" in text] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_guide_says_the_same_in_every_language(language: str) -> None:
    english, other = words(SHARED / "en.json"), words(SHARED / f"{language}.json")
    gaps = re.compile(r"{\w+}")

    assert {key: sorted(gaps.findall(text)) for key, text in other.items()} == {
        key: sorted(gaps.findall(text)) for key, text in english.items()
    }


@pytest.mark.parametrize("game", LESSONS)
def test_no_two_languages_share_a_sentence(game: str) -> None:
    said = [text for language in LANGUAGES for text in words(path_of(game).with_name(f"{language}.json")).values()]

    assert len(said) == len(set(said))  # nothing was left untranslated
