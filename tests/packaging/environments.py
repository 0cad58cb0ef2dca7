"""Throw-away environments: what is built is installed there, beside what it says that it needs and nothing else."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from zipfile import Path as ZipPath

from packaging.requirements import Requirement

from whodunit.deduce.build import COMPILERS

ROOT = Path(__file__).resolve().parents[2]
HAS_COMPILER = any(map(shutil.which, COMPILERS))


def clean_environment(**changed: str) -> dict[str, str]:
    """This process's variables without those that would let the checkout in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WHODUNIT", "HATCH"))}
    return kept | changed


def built(target: str, folder: Path, root: Path = ROOT, **environment: str) -> Path:
    """Build an sdist or a wheel with the backend of this environment, which spares the download of another."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    done = subprocess.run(
        command, cwd=root, env=clean_environment(**environment), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


def described(wheel: Path) -> PathDistribution:
    """The metadata in a wheel."""
    name = "-".join(wheel.name.split("-")[:2])
    return PathDistribution(ZipPath(wheel, f"{name}.dist-info/"))


def needed(requires: Sequence[str] | None, extras: Sequence[str]) -> Iterator[Distribution]:
    """Everything that these requirements bring, as it is installed here."""
    for wish in map(Requirement, requires or ()):
        if wish.marker is None or any(wish.marker.evaluate({"extra": extra}) for extra in extras or [""]):
            found = distribution(wish.name)
            yield found
            yield from needed(found.requires, sorted(wish.extras))


class Environment:
    """A fresh virtual environment with a wheel in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        self.python = folder / "bin" / "python"
        variables = {"base": str(folder), "platbase": str(folder)}
        self.packages = Path(sysconfig.get_path("purelib", "venv", variables))

    def install(self, wheel: Path, *extras: str) -> None:
        """Install the wheel. What it needs is linked from here; the installer itself finds out whether that is all."""
        for found in {one.name: one for one in needed(described(wheel).requires, extras)}.values():
            for name in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                source, here = Path(str(found.locate_file(name))), self.packages / name
                if source.suffix == ".dist-info":  # uv overlooks links to these
                    shutil.copytree(source, here)
                else:
                    here.symlink_to(source)
        name = described(wheel).metadata["Name"]
        self._installed(f"{name}[{','.join(extras)}] @ {wheel.as_uri()}")

    def add(self, wheel: Path) -> None:
        """Install one more wheel; what it needs must be here."""
        self._installed(str(wheel))

    def _installed(self, wish: str) -> None:
        uv = shutil.which("uv")
        installer = [uv, "pip"] if uv else [sys.executable, "-m", "pip", f"--python={self.python}"]
        options = [f"--python={self.python}"] if uv else ["--no-compile", "--disable-pip-version-check"]
        self._called([*installer, "install", "-q", "--no-index", *options, wish])

    def _called(self, command: Sequence[str | Path]) -> None:
        done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def run(self, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run a program of this environment, away from the checkout."""
        program = self.folder / "bin" / command[0]
        return subprocess.run(
            [program, *command[1:]],
            cwd=self.folder,
            env=clean_environment(**environment),
            capture_output=True,
            text=True,
            check=False,
        )

    def evaluated(self, code: str) -> str:
        """Run Python code here; return what it prints."""
        done = self.run("python", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()
