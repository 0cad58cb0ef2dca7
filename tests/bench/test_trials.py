"""What a changed copy of the package does to a test: it passes, fails or hangs, whatever else the machine does.

Each trial is a run of pytest in a process of its own: `./run soak` has the time for it.
"""

from pathlib import Path

import pytest

from whodunit.bench.mutants import trials
from whodunit.bench.mutants.trials import Trial, Verdict

pytestmark = pytest.mark.soak
FILE = "core/text.py"


def verdict_on(text: str, tests: Path, cpu_limit: int = 60) -> Verdict:
    ((_, verdict),) = trials.run([Trial({FILE: text})], [str(tests)], cpu_limit)
    return verdict


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    file = tmp_path / "test_it.py"
    file.write_text("from whodunit.core import text\n\n\ndef test_it():\n    assert text.answer() == 1\n")
    return file


def test_a_change_that_nobody_notices_passes(tests: Path) -> None:
    verdict = verdict_on("def answer(): return 1", tests)

    assert (verdict.passed, verdict.hung) == (True, False)
    assert verdict.seconds > 0


def test_a_change_that_a_test_notices_fails(tests: Path) -> None:
    verdict = verdict_on("def answer(): return 2", tests)

    assert (verdict.passed, verdict.hung) == (False, False)
    assert "assert 2 == 1" in verdict.output


def test_a_change_that_runs_for_ever_hangs_which_is_to_fail(tests: Path) -> None:
    verdict = verdict_on("def answer():\n    while True: pass", tests, cpu_limit=4)

    assert (verdict.passed, verdict.hung) == (False, True)


def test_a_run_that_never_got_its_time_shows_nothing(tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "PATIENCE", 0)

    verdict = verdict_on("def answer(): return 2", tests)

    assert (verdict.passed, verdict.hung) == (True, False)
