import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from whodunit import games

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"

ITEMS = """
* **CLUE-1** Two to six players.
* **CLUE-2** As CLUE-7, which is not defined by being named here.
* **CLUE-V1 Two dice.** The sum counts.
* **CLUE-T1** (a case)
| A1 | A ruling needs no test. | |
"""
ROWS = """
| ALIBI-1 | **[R1]** A rule. | PUBLIC |
| ALIBI-2 | Another. | PUBLIC |
| ALIBI-3 | Another. | PUBLIC |
| P1 | A printed case. | 1 |
| E1 | An edge case. | 1 to 3 |
| ALIBI-R1 | A ruling needs no test. | |
"""


def coverage(root: Path, game: str, rules: str, tests: str) -> subprocess.CompletedProcess[str]:
    for path, text in {f"docs/rules/{game}.md": rules, f"tests/games/{game}/deep/test_it.py": tests}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    command = [sys.executable, str(SCRIPTS / "rules_coverage"), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def a_test(docstring: str, name: str = "test_it") -> str:
    return f'def {name}() -> None:\n    """{docstring}"""\n'


def test_rules_coverage_passes_when_every_number_is_cited(tmp_path: Path) -> None:
    tests = a_test("CLUE-2, V1: a sentence of the book.") + a_test("", "test_clue_1_seats") + a_test("", "test_clue_t1")

    result = coverage(tmp_path, "clue", ITEMS, tests)

    assert (result.returncode, result.stdout) == (0, "clue: 4 of 4 numbers have a test\n"), result.stderr


CITATIONS = ["ALIBI-1 to ALIBI-3, P1, E1.", "ALIBI-P1, E1, 1 to 3", "ALIBI-E1, 1, 2, 3, P1: a"]


@pytest.mark.parametrize("citation", CITATIONS)
def test_rules_coverage_reads_tables_lists_and_ranges(tmp_path: Path, citation: str) -> None:
    result = coverage(tmp_path, "perfect_alibi", ROWS, a_test(citation))

    assert (result.returncode, result.stderr) == (0, "")


def test_rules_coverage_fails_when_a_number_has_no_test(tmp_path: Path) -> None:
    tests = f'"""CLUE-1"""\n# CLUE-V1\n{a_test("CLUE-1", "helper")}{a_test("CLUE-T1, 2 players are enough.")}'

    result = coverage(tmp_path, "clue", ITEMS, tests)

    assert result.returncode == 1
    assert result.stderr.splitlines() == [f"CLUE-{number} has no test" for number in ("1", "2", "V1")]


def test_rules_coverage_fails_when_a_test_cites_what_is_not_defined(tmp_path: Path) -> None:
    result = coverage(tmp_path, "clue", ITEMS, a_test("CLUE-1, 2, V1, T1, 12"))

    assert (result.returncode, result.stderr) == (1, "CLUE-12 is cited, but not defined\n")


def test_rules_coverage_fails_without_rules_or_tests(tmp_path: Path) -> None:
    assert coverage(tmp_path, "clue", ITEMS, "").returncode == 1
    (tmp_path / "docs/rules/clue.md").unlink()
    command = [sys.executable, str(SCRIPTS / "rules_coverage"), str(tmp_path)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def test_rules_coverage_walks_the_registry() -> None:
    result = subprocess.run(
        [sys.executable, str(SCRIPTS / "rules_coverage")], capture_output=True, text=True, check=True
    )

    ours = [id for id, entry in games.registered().items() if entry.is_ours]
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == ours


def run_with(python: str, folder: Path) -> str:
    """Start ./run in a copy without environment, with a Python that behaves like this; return what it complains of."""
    for name in ("run", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    fake = folder / "fake python"
    fake.write_text(f"#!/bin/sh\n{python}\n", "utf-8")
    fake.chmod(0o755)
    environment = {"PYTHON": str(fake), "PATH": "/usr/bin:/bin"}
    started = subprocess.run([folder / "run"], env=environment, capture_output=True, text=True, check=False)
    assert started.returncode == 1
    assert not (folder / ".venv" / "start.stamp").exists()
    return started.stderr


def test_a_python_that_is_too_old_is_refused_in_one_line(tmp_path: Path) -> None:
    assert run_with("exit 1", tmp_path) == (
        f"run: Python 3.11 or newer is needed, and PYTHON={tmp_path}/fake python is not\n"
    )


def test_a_python_without_venv_says_what_to_install(tmp_path: Path) -> None:
    told = run_with('case "$2" in *ensurepip*) exit 1 ;; *) exit 0 ;; esac', tmp_path)

    assert told.endswith("has no venv: install it (Debian, Ubuntu: apt install python3-venv)\n")
