"""The registry: games are found by their entry points, and none that is broken keeps the house shut."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.all import PARTS
from whodunit import games
from whodunit.core.errors import NoGame

Package = Callable[..., None]
GOOD = """
from whodunit.games.clue import *
from msgspec.structs import replace
from whodunit.games.clue import INFO
INFO = replace(INFO, id={id!r})
"""


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Write a distribution that registers a game into a folder of its own."""

    def write(name: str, id: str, code: str, words: str = '{"name": "A game"}') -> None:
        module = name.replace("-", "_")
        folder = tmp_path / module
        (folder / "texts").mkdir(parents=True)
        (folder / "__init__.py").write_text(code, "utf-8")
        (folder / "texts" / "en.json").write_text(words, "utf-8")
        about = tmp_path / f"{module}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        (about / "entry_points.txt").write_text(f"[whodunit.games]\n{id} = {module}\n", "utf-8")

    return write


def asked(folder: Path, what: str) -> Any:
    """Ask a fresh process that has these packages too."""
    code = f"import json, sys; from whodunit import games; print(json.dumps({what}))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


ROOT = Path(__file__).resolve().parents[1]
DISTRIBUTION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"]
OURS = ["clue", "perfect_alibi", "crime_hotel", "arosa"]


def test_our_own_games_are_registered_as_any_other() -> None:
    assert sorted(games.ids()) == sorted(OURS)
    assert {entry.package for entry in games.registered().values()} == {DISTRIBUTION}


def test_an_installed_game_stands_behind_ours(tmp_path: Path, package: Package) -> None:
    package("a-game", "a_game", GOOD.format(id="a_game"))

    assert asked(tmp_path, "games.playable()") == [*OURS, "a_game"]
    assert asked(tmp_path, "games.broken()") == {}
    assert asked(tmp_path, "games.texts('a_game', 'de')") == {"name": "A game", "why.hand": "Deine eigenen Karten."}


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        ("import no_such_module", "{}", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", "{}", "ZeroDivisionError: division by zero"),
        ("INFO = 1", "{}", "bad_game has no INFO: Describe the game"),
        ("from whodunit.games.clue import INFO", '{"name": "Bad"}', "bad_game lacks 9 of its functions. setup: Return"),
        (GOOD.format(id="other"), '{"name": "Bad"}', "it is registered as 'bad' and calls itself 'other'"),
        (GOOD.format(id="bad"), "{}", "texts/en.json lacks its 'name'"),
        (GOOD.format(id="bad"), "{", "ValueError: texts/en.json: "),
    ],
)
def test_a_broken_game_is_named_with_its_reason_and_left_out(
    tmp_path: Path, package: Package, code: str, words: str, told: str
) -> None:
    package("bad-game", "bad", code, words)

    assert asked(tmp_path, "games.playable()") == OURS
    ((name, reason),) = asked(tmp_path, "games.broken()").items()
    assert name == "bad of bad-game"
    assert reason.startswith(told)


def test_of_two_games_with_one_id_the_second_is_refused_by_name(tmp_path: Path, package: Package) -> None:
    package("false-clue", "clue", GOOD.format(id="clue"))
    package("a-game", "a_game", GOOD.format(id="a_game"))
    package("b-game", "a_game", GOOD.format(id="a_game"))

    assert asked(tmp_path, "games.playable()") == [*OURS, "a_game"]
    assert asked(tmp_path, "games.get('a_game').__name__") == "a_game"
    assert asked(tmp_path, "games.broken()") == {
        "clue of false-clue": f"the id 'clue' is taken by {DISTRIBUTION} (whodunit.games.clue)",
        "a_game of b-game": "the id 'a_game' is taken by a-game (a_game)",
    }


def test_nothing_is_loaded_to_know_which_games_there_are(tmp_path: Path, package: Package) -> None:
    package("bad-game", "bad", "1 / 0")

    assert "bad" in asked(tmp_path, "games.ids()")
    assert asked(tmp_path, "games.ids() and [name for name in sys.modules if name.startswith('whodunit.games.')]") == []


def test_a_game_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(NoGame, match=r"there is no game 'chess'; there is: arosa, clue"):
        games.get("chess")
    with pytest.raises(NoGame, match="there is no game 'chess'"):
        games.folder("chess")


# --- What a game of ours must have ---------------------------------------------------------------------------------


def lacking(id: str, root: Path) -> list[str]:
    """Return what a game of ours lacks that nobody would miss until it hurts."""
    home = root / "src" / "whodunit" / "games" / id
    wanted = [
        root / "docs" / "rules" / f"{id}.md",
        root / "tests" / "games" / id / "worlds.py",
        root / "tests" / "games" / id / "golden" / "expected.json",
        *(home / "texts" / f"{language}.json" for language in games.LANGUAGES),
    ]
    missing = [str(path.relative_to(root)) for path in wanted if not path.is_file()]
    parts = [part.name for part in PARTS if f"--whodunit-game={id}" in part.options]
    return missing + ([] if parts == [id] else [f"a part of {id} in tests/all.py"])


@pytest.mark.parametrize("id", OURS)
def test_a_game_of_ours_lacks_nothing(id: str) -> None:
    assert lacking(id, ROOT) == []


def test_what_is_lacking_is_named(tmp_path: Path) -> None:
    assert lacking("chess", tmp_path) == [
        "docs/rules/chess.md",
        "tests/games/chess/worlds.py",
        "tests/games/chess/golden/expected.json",
        *(f"src/whodunit/games/chess/texts/{language}.json" for language in ("en", "de", "fr", "nb")),
        "a part of chess in tests/all.py",
    ]


def test_a_part_of_the_tests_is_there_for_every_registered_game_of_ours() -> None:
    assert {*OURS} <= {part.name for part in PARTS}
