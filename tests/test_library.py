"""The library as its page shows it, and what `import whodunit` brings along."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import whodunit
from whodunit import games

DOCS = Path(__file__).resolve().parents[1] / "docs"


def examples(page: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL))


@pytest.mark.parametrize("page", [DOCS / "library.md", DOCS.parent / "README.md"])
def test_the_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = examples(page.read_text("utf-8"))
    assert "whodunit.new_game" in code
    exec(compile(code, str(page), "exec"), {})  # noqa: S102  (our own page)


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    page = (DOCS / "library.md").read_text("utf-8")
    for name in whodunit.__all__:
        assert getattr(getattr(whodunit, name), "__doc__", None), name
        assert name in page, f"{name} is not on the library page"


def test_importing_it_brings_no_numpy_and_no_server() -> None:
    heavy = "numpy mujoco soundfile aiohttp asyncio sqlite3 whodunit.server whodunit.games.clue whodunit.bench"
    code = f"import sys, whodunit; print([name for name in {heavy.split()} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "[]\n"


def test_the_base_needs_no_extra() -> None:
    site = ["aiohttp", "confusable_homoglyphs", "precis_i18n", "prometheus_client"]
    extras = [*site, "asyncpg", "hypothesis", "mujoco", "numpy", "pytest", "soundfile"]
    base = (
        "arena",
        "cli",
        "host.host",
        "infra.memory",
        "infra.sqlite",
        "tower",
        *(f"games.{id}" for id in games.ids()),
    )
    code = f"""import sys, importlib
sys.modules |= dict.fromkeys({extras})  # whoever imports one of them is told that there is none
for name in {base}:
    importlib.import_module(f"whodunit.{{name}}")"""

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (told.returncode, told.stderr) == (0, "")


def test_the_same_seed_gives_the_same_game() -> None:
    assert whodunit.new_game("clue", 3, 7) == whodunit.new_game("clue", 3, 7)
    assert whodunit.new_game("clue", 3, 7).events != whodunit.new_game("clue", 3, 8).events


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(LookupError, match="there is no game 'chess'; there is: arosa"):
        whodunit.new_game("chess", 2, 1)


def test_a_view_shows_everything_once_the_case_is_closed() -> None:
    game = whodunit.new_game("clue", 2, 1)

    assert whodunit.view(game, 0).hands[1] is None
    assert whodunit.view(game).hands == (None, None)
    assert whodunit.view(game.close()) == game.table.state
