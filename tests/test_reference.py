"""The reference has every public name, each with its docstring, as the sources have them now."""

import importlib
import inspect
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "whodunit"
PAGE = ROOT / "docs" / "api.md"
PUBLIC = [
    *("whodunit", "whodunit.env", "whodunit.arena", "whodunit.arena.cluster"),
    *("whodunit.deduce", "whodunit.review", "whodunit.cases", "whodunit.tower"),
]
ADAPTERS = ["whodunit.env.open_spiel", "whodunit.env.pettingzoo", "whodunit.env.gymnasium"]
"""They cannot be imported here."""


def sections() -> dict[str, dict[str, str]]:
    """Return the text of each name, by module."""
    modules = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    entries = {module.split("\n")[0]: re.split(r"^### ", module, flags=re.MULTILINE)[1:] for module in modules}
    return {module: {entry.split("\n")[0]: entry for entry in found} for module, found in entries.items()}


def members(kind: type) -> Iterator[tuple[str, object]]:
    """Yield what a class of ours has that can be called or read, as Python finds it and not as the script reads it."""
    for name, member in vars(kind).items():
        is_told = isinstance(member, property | cached_property | classmethod | staticmethod)
        if not name.startswith("_") and (is_told or inspect.isfunction(member)):
            yield name, member


def test_it_is_current() -> None:
    made = subprocess.run([ROOT / "scripts" / "reference"], capture_output=True, text=True, check=False)

    assert (made.returncode, made.stderr) == (0, "")
    assert PAGE.read_text("utf-8") == made.stdout, "scripts/reference > docs/api.md makes it anew"


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_stands_there_with_all_that_it_has(module: str) -> None:
    loaded, there = importlib.import_module(module), sections()[module]

    assert there.keys() == {*loaded.__all__}
    for name in loaded.__all__:
        found = getattr(loaded, name)
        if not inspect.isclass(found) or not found.__module__.startswith("whodunit"):
            continue
        assert inspect.cleandoc(found.__doc__ or "?").split("\n")[0] in there[name], name
        for own, member in members(found):
            told = re.search(rf"^- `{own}\b.*?`: (.*)$", there[name], flags=re.MULTILINE)
            assert told is not None, f"{name}.{own}"
            assert told[1] == inspect.cleandoc(member.__doc__ or "?").split("\n")[0], f"{name}.{own}"


def test_no_module_that_says_what_is_public_is_left_out() -> None:
    telling = [path for path in SOURCE.rglob("*.py") if "\n__all__ = " in path.read_text("utf-8")]
    names = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in telling}
    own = {name.removesuffix(".__init__") for name in names if not name.startswith("whodunit.games.")}

    assert own == {*PUBLIC, *ADAPTERS}  # what a game has is what Game says
    assert {*PUBLIC, *ADAPTERS} <= sections().keys()


@pytest.mark.parametrize(
    ("file", "silenced", "named"),
    [
        ("__init__.py", '    """Open a game of this id; the same seed gives the same game."""\n', "whodunit.new_game"),
        ("env/vector.py", '        """End the processes, if there are any."""\n', "whodunit.env.Vector.close"),
        ("deduce/worlds.py", None, "whodunit.deduce.World"),
    ],
)
def test_a_public_name_without_a_docstring_is_refused(
    tmp_path: Path, file: str, silenced: str | None, named: str
) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=lambda _, names: {n for n in names if not _is_source(n)})
    (tmp_path / "scripts").mkdir()
    script = shutil.copy2(ROOT / "scripts" / "reference", tmp_path / "scripts")
    changed = tmp_path / "src" / "whodunit" / file
    source = changed.read_text("utf-8")
    silent = re.sub(r'(\nWorld: .*\n)""".*?"""\n', r"\1", source) if silenced is None else source.replace(silenced, "")
    assert silent != source
    changed.write_text(silent, "utf-8")

    made = subprocess.run([script], capture_output=True, text=True, check=False)

    assert made.returncode == 1
    assert made.stderr == f"these are public and have no docstring: {named}\n"


def _is_source(name: str) -> bool:
    return name.endswith(".py") or "." not in name
