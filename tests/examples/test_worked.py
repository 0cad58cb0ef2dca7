"""The worked examples run, and do what they say."""

import sys
from inspect import getsource

import pytest

from examples import random_against_detective, search


def test_a_detective_beats_who_does_anything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(random_against_detective, "GAMES", 2)
    random_against_detective.main()

    detective, anything = capsys.readouterr().out.splitlines()
    assert detective.startswith("detective: 100% of 2 games (")
    assert anything.startswith("random: 0% of 2 games (")


@pytest.mark.parametrize("id", ["clue", pytest.param("perfect_alibi", marks=pytest.mark.soak)])
def test_a_search_plays_whole_games(
    id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(getsource(search.Searcher).splitlines()) <= 60
    monkeypatch.setattr(search, "TRIED", 1)
    monkeypatch.setattr(sys, "argv", ["search", id, "--against", "random", "--games", "1", "--seed", "3"])
    search.main()

    assert capsys.readouterr().out.startswith("won ")
