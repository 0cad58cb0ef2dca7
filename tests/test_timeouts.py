"""No test hangs in silence: one that is too slow fails by its name and shows where every thread was."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.all import PARTS
from tests.browser.conftest import LIMIT_S

ROOT = Path(__file__).resolve().parents[1]
SLOW = """
import signal, threading, time

def helping():
    time.sleep(60)

def test_quick():
    pass

def test_slow():
    threading.Thread(target=helping, daemon=True).start()
    time.sleep(60)

def test_deaf():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(60)
"""


def told(folder: Path, test: str, **limits: float) -> str:
    """Run tests under our own settings, with other limits; return all that is said."""
    path = folder / "test_it.py"
    path.write_text(SLOW, "utf-8")
    options = [part for name, limit in limits.items() for part in ("-o", f"{name}={limit}")]
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-q", "-n1", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *options, f"{path}::test_quick", f"{path}::{test}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 1, done.stdout
    return done.stdout


def test_a_slow_test_fails_by_its_name_and_shows_all_stacks(tmp_path: Path) -> None:
    said = told(tmp_path, "test_slow", timeout=0.3)

    assert "test_it.py::test_slow" in said
    assert "Failed: Timeout (>0.3s) from pytest-timeout." in said
    assert "in helping" in said  # another thread
    assert "1 failed, 1 passed" in said  # the rest goes on


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to block")
def test_one_that_is_deaf_to_signals_ends_its_process_and_shows_all_stacks(tmp_path: Path) -> None:
    said = told(tmp_path, "test_deaf", timeout=0.3, faulthandler_timeout=0.6)

    assert "crashed while running 'test_it.py::test_deaf'" in said
    assert "in test_deaf" in said
    assert "1 failed, 1 passed" in said


def test_what_ends_a_process_is_the_last_resort(pytestconfig: pytest.Config) -> None:
    usual, last = (float(pytestconfig.getini(name)) for name in ("timeout", "faulthandler_timeout"))

    assert 0 < usual <= LIMIT_S < last
    assert pytestconfig.getini("faulthandler_exit_on_timeout")


def test_all_parts_together_have_eleven_and_a_half_minutes() -> None:
    assert sum(part.budget for part in PARTS) <= 11.5 * 60
