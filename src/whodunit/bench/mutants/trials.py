"""Test runs against changed copies of the package: two at a time, each stopped when it fails or hangs."""

import compileall
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import whodunit

PACKAGE = Path(whodunit.__path__[0])
ROOT = PACKAGE.parents[1]
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0")
AT_ONCE = 2
CPU_LIMIT = 60
"""How many seconds of its own a run may take, unless its caller knows better: after that it hangs."""
PATIENCE = 20
"""How much longer than that is waited for a run on a machine that is busy with others."""
MEMORY_LIMIT = 4 << 30  # a change can make a loop that fills the machine


@dataclass(frozen=True)
class Trial:
    """The files that differ from the package in this trial, named from its root, and what stands in them."""

    texts: Mapping[str, str]


@dataclass(frozen=True)
class Verdict:
    """How the tests took it, and how much of the processor's time that was.

    A run that used up its own time hangs, which is to fail; one that others kept from running shows nothing.
    """

    passed: bool
    hung: bool
    seconds: float
    output: str


def run(
    trials: Iterable[Trial], tests: list[str], cpu_limit: int = CPU_LIMIT
) -> Generator[tuple[int, Verdict], None, None]:
    """Run the tests on each trial; yield its number and the verdict as they come."""
    waiting = enumerate(trials)
    running: dict[int, _Run] = {}
    with TemporaryDirectory(prefix="whodunit-mutants-") as scratch:
        pristine = Path(scratch) / "pristine"
        shutil.copytree(PACKAGE, pristine / "whodunit", ignore=shutil.ignore_patterns("__pycache__", "static"))
        compileall.compile_dir(pristine, quiet=2)
        try:
            while True:
                while len(running) < AT_ONCE and (following := next(waiting, None)):
                    number, trial = following
                    running[number] = _Run(trial, tests, cpu_limit, pristine, Path(scratch) / str(number))
                if not running:
                    return
                time.sleep(0.02)
                for number, each in list(running.items()):
                    if (verdict := each.verdict()) is not None:
                        del running[number]
                        yield number, verdict
        finally:  # also when nobody wants the rest any more
            for each in running.values():
                each.stop()


class _Run:
    """One run of the tests, in a process group of its own so that nothing of it outlives it."""

    def __init__(self, trial: Trial, tests: list[str], cpu_limit: int, pristine: Path, home: Path) -> None:
        shutil.copytree(pristine, home)
        for name, text in trial.texts.items():
            file = home / "whodunit" / name
            file.write_text(text)
            for stale in file.parent.glob(f"__pycache__/{file.stem}.*"):
                stale.unlink()
        self.home = home
        self.output = home / "output"
        self.end = time.monotonic() + PATIENCE * cpu_limit
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(  # noqa: S603  (our own tests)
                [sys.executable, *PYTEST, *tests],
                cwd=ROOT,
                env=_environment(home),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(_limit, cpu_limit),  # noqa: PLW1509  (this process has no threads)
            )

    def verdict(self) -> Verdict | None:
        pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self.process.returncode = os.waitstatus_to_exitcode(status)
        elif time.monotonic() < self.end:
            return None
        output = self.output.read_text(errors="replace")
        self.stop()
        hung = self.process.returncode == -signal.SIGXCPU
        stalled = not pid
        return Verdict(stalled or self.process.returncode == 0, hung, used.ru_utime + used.ru_stime, output)

    def stop(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def _environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # the same verdict every time
        "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis"),  # no change learns from the failure of another
    }


def _limit(cpu_limit: int) -> None:
    """Bound what a run may take, also for the case that nobody is left to stop it."""
    import resource  # noqa: PLC0415  (not on every system)

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, 2 * cpu_limit))
