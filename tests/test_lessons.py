"""First cases: each staged game is short, can be solved, and really shows every step; every step has its words."""

import json
import re
from pathlib import Path

import pytest

from tests.lessons import LEARNER, MOST, Follower, path_of, play
from whodunit import games

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "de", "fr", "nb")
LESSONS = [game for game in games.ids() if path_of(game).exists()]
SHARED = ROOT / "web" / "src" / "lesson" / "texts"


def words(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("game", LESSONS)
def test_whoever_follows_the_guide_solves_the_case_soon_and_meets_every_step(game: str) -> None:
    lesson = games.lesson(game)

    played = play(game, lesson, Follower(game, lesson.advice), MOST[game])

    again = f"run: .venv/bin/python -m tests.lessons {game}"
    assert played.case.outcome is not None, again
    assert played.case.outcome.winners == (LEARNER,), again
    assert sorted(played.shown) == sorted(step.text for step in lesson.steps), again


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_for_people(game: str) -> None:
    lesson = games.lesson(game)

    games.get(game).INFO.parse(1 + len(lesson.bots), lesson.options, people=True)

    assert lesson.assistance in {"logic", "probabilities"}  # the guide speaks of what follows


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_every_step_has_its_words_in_every_language(game: str, language: str) -> None:
    texts = words(path_of(game).with_name(f"{language}.json"))

    assert sorted(texts) == sorted(step.text for step in games.lesson(game).steps)
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
