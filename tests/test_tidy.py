"""What holds for every file of the repository, whatever it is about."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from whodunit.bench.server.main import PARTS

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS = PROJECT["dependency-groups"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
RUNTIME = [*PROJECT["project"]["dependencies"], *EXTRAS["site"], *EXTRAS["tower"], *EXTRAS["postgres"]]
LOCKS = {
    "runtime": RUNTIME,
    "build": GROUPS["build"],
    "dev": [*RUNTIME, *EXTRAS["testing"], *GROUPS["build"], *(r for r in GROUPS["dev"] if isinstance(r, str))],
    "peers": GROUPS["peers"],
}

# Written so that no pattern matches its own source.
UNWANTED = {
    "registry host": re.compile(r"(?i)\b(?:pypi|pythonhosted|npmjs|yarnpkg|debian)\.(?:org|com|net|python\.org)\b"),
    "machine path": re.compile(r"(?<![\w.])(?:/(?:work|root|home|Users)/\w|[A-Z]:\\Users)"),
    "open end": re.compile(r"\b(?:TO[D]O|FIX[M]E)\b"),
}
MOST_LINES = 700
LONG = {  # path: the reason why it may be longer; a file is as long as its idea, and few ideas are longer than this
    "src/whodunit/games/perfect_alibi/rules.py": "the rules of a game stand in one file; 95 lines of it are imports",
    "src/whodunit/server/protocol.py": "the whole protocol in one document; nothing in it but structs",
    "web/src/lib/protocol.ts": "made from protocol.py",
}


def repository_files() -> list[Path]:
    """Tracked files and those that would be: a fault is found before it is committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if git.returncode:
        pytest.fail(f"this test needs the git checkout: {git.stderr.strip()}")
    return [ROOT / name for name in git.stdout.split("\0") if name and (ROOT / name).is_file()]


def unwanted(files: Iterable[Path]) -> list[str]:
    return [
        f"{file}:{number}: {what}: {found[0]}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), 1)
        for what, pattern in UNWANTED.items()
        if (found := pattern.search(line))
    ]


def locked(lock: str) -> list[tuple[Requirement, str]]:
    """Each requirement of a lock with the options behind it."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return [(Requirement(line.split(" --")[0]), line) for line in lines]


def versions(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for requirement, _ in locked(lock):
        (exact,) = requirement.specifier
        found.setdefault(canonicalize_name(requirement.name), set()).add(exact.version)
    return found


def test_no_file_names_a_registry_or_a_machine_or_leaves_an_open_end() -> None:
    files = repository_files()

    assert ROOT / "pyproject.toml" in files
    assert unwanted(files) == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("registry host", "https://files.python" + "hosted.org/packages"),
        ("registry host", "--index-url=https://py" + "pi.org/simple"),
        ("registry host", '"resolved": "https://registry.npm' + 'js.org/svelte"'),
        ("registry host", "deb http://deb.deb" + "ian.org/ stable main"),
        ("machine path", "open('/wo" + "rk/main/run')"),
        ("machine path", "cd /ho" + "me/ann/whodunit"),
        ("open end", "# TO" + "DO: later"),
    ],
)
def test_the_finder_finds(tmp_path: Path, what: str, text: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(f"good\n{text}\n", "utf-8")

    (found,) = unwanted([file])

    assert found.startswith(f"{file}:2: {what}: ")


def test_the_finder_lets_ordinary_text_pass(tmp_path: Path) -> None:
    file = tmp_path / "good.txt"
    file.write_text("net/work/flow ../home/page $HOME/x PyPI Debian work/root TODOs\n", "utf-8")

    assert unwanted([file]) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_requirement_has_a_hash_and_no_address(lock: str) -> None:
    assert [line for _, line in locked(lock) if "--hash=sha256:" not in line or "://" in line] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_holds_what_pyproject_asks_for(lock: str) -> None:
    have = versions(lock)
    for wish in map(Requirement, LOCKS[lock]):
        assert all(version in wish.specifier for version in have[canonicalize_name(wish.name)]), wish


def test_what_is_installed_into_one_environment_has_one_version() -> None:
    everything: dict[str, set[str]] = {}
    for lock in ("runtime", "build", "dev"):
        for name, found in versions(lock).items():
            assert everything.setdefault(name, found) == found, name


def test_the_build_group_holds_what_every_build_needs() -> None:
    assert set(PROJECT["build-system"]["requires"]) < set(GROUPS["build"])


def test_no_pure_package_is_left_out_of_the_import_contract() -> None:
    pure = ("core", "deduce", "tower", "games", "bots", "table", "room", "review", "cases")
    (contract,) = (c for c in PROJECT["tool"]["importlinter"]["contracts"] if "time" in c.get("forbidden_modules", ()))

    there = {f"whodunit.{name}" for name in pure if (ROOT / "src" / "whodunit" / name / "__init__.py").exists()}

    assert set(contract["source_modules"]) == there


def test_commands_can_be_executed() -> None:
    commands = [ROOT / "run", ROOT / ".ci" / "run", *(f for f in repository_files() if f.parent == ROOT / "scripts")]

    assert [command for command in commands if not os.access(command, os.X_OK)] == []


def test_a_long_file_has_a_reason() -> None:
    sources = [file for file in repository_files() if file.suffix in {".py", ".ts", ".svelte", ".css", ".c", ".h"}]
    long = {str(f.relative_to(ROOT)) for f in sources if len(f.read_text("utf-8").splitlines()) > MOST_LINES}

    assert long == set(LONG)


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "LICENSE", "docs/architecture.md", "docs/decisions.md"])
def test_the_page_is_there(page: str) -> None:
    assert (ROOT / page).is_file()


def modules(text: str) -> set[str]:
    """Return the modules that a tree in a code block names, by package: a line `  name/` begins one."""
    found, package = set(), ""
    for line in text.split("```")[1].splitlines():
        if begun := re.match(r"  (\w+)/|(?=\w+/)", line):
            package = f"{begun[1]}/" if begun[1] else ""
        if inner := re.match(r"    (\w+)/", line):
            package = f"bench/{inner[1]}/"
        found |= {f"{package}{name}" for name in re.findall(r"\b\w+\.py\b", line)}
    return found


def test_the_architecture_names_every_module_in_its_package() -> None:
    source = ROOT / "src" / "whodunit"
    files = [file.relative_to(source) for file in source.rglob("*.py") if file.name != "__init__.py"]
    there = {str(file) if file.parts[0] != "games" else f"games/{file.name}" for file in files}

    assert modules((ROOT / "docs" / "architecture.md").read_text("utf-8")) - {"__init__.py"} == there


def test_every_layer_is_drawn() -> None:
    layers = next(c["layers"] for c in PROJECT["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    packages = {name for layer in layers for name in re.findall(r"\w+", layer)}
    there = {name for name in packages if list((ROOT / "src" / "whodunit").glob(f"{name}*"))}
    source = (ROOT / "docs" / "diagrams" / "layers.dot").read_text("utf-8")
    drawn = set(re.findall(r"^ +(\w+) +\[label=", source, re.MULTILINE))

    assert drawn == there


def test_every_proof_that_the_threats_name_is_there() -> None:
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    rows = [line.split("|")[-2] for line in text.splitlines() if line.startswith("| ") and "shown by" not in line]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row) if not name.startswith("--only")}
    tests = {name for name in named if name.startswith("tests/")}
    figures = {key for parts in PARTS.values() for part in parts for key in part.labels}

    assert all("`" in row for row in rows)
    assert {name for name in tests if not _is_there(*name.split("::"))} == set()
    assert named - tests - figures == set()


def _is_there(file: str, function: str | None = None) -> bool:
    path = ROOT / file
    return path.is_file() and (function is None or f"\ndef {function}(" in path.read_text("utf-8"))
