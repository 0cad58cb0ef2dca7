"""The page about environments: its tables are what the spaces are, and its examples run."""

import re
import subprocess
import sys
from pathlib import Path

from whodunit.env.sizes import tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)


def theirs(block: str) -> bool:
    return any(name in block for name in ("pyspiel", "pettingzoo", "gymnasium"))


def test_the_tables_are_those_of_the_spaces() -> None:
    (shown,) = re.findall(r"<!-- sizes -->\n\n(.*?)\n\n<!-- sizes end -->", PAGE.read_text("utf-8"), flags=re.DOTALL)

    assert shown == tables(), "python -m whodunit.env.sizes prints them anew"


def test_the_examples_run() -> None:
    ours = [block for block in blocks() if not theirs(block)]
    assert len(ours) == 3
    exec(compile("\n".join(ours), str(PAGE), "exec"), {})  # noqa: S102  (our own page)


def test_without_numpy_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['numpy'] = None; import whodunit.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.endswith("whodunit.env needs numpy, which whodunit-games[research] installs\n")
