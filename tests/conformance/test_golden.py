"""Golden transcripts are kept: that they still fold and conform, the suite checks game by game."""

from pathlib import Path

import pytest

from tests.plugs import plug_of, worlds_of
from whodunit.conformance.golden import make, transcripts_of
from whodunit.games import registered


def test_a_transcript_is_never_made_again(tmp_path: Path) -> None:
    path, plug = tmp_path / "short.case", plug_of("clue")
    make("clue", plug, path, seats=2, options={}, seed=1, pace=1)
    before = path.read_bytes()

    with pytest.raises(FileExistsError):
        make("clue", plug, path, seats=3, options={}, seed=2, pace=1)
    assert path.read_bytes() == before
    path.unlink()  # lost, but still known: its name stays taken
    with pytest.raises(FileExistsError):
        make("clue", plug, path, seats=3, options={}, seed=2, pace=1)


@pytest.mark.parametrize("game", [entry.id for entry in registered().values() if entry.is_ours])
def test_every_game_of_ours_has_transcripts_and_a_plug_by_hand(game: str) -> None:
    assert transcripts_of(plug_of(game).GOLDEN)


def test_a_game_of_ours_without_a_plug_is_named() -> None:
    with pytest.raises(AssertionError, match=r"tests/games/no_such_game/worlds\.py is not there"):
        worlds_of("no_such_game")
