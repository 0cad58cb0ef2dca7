"""Compiles the kernel beside its sources: `python -m whodunit.deduce.build`, once, when the house is set up.

Where there is no C compiler, or no right to write here, nothing is built, and Python counts alone.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from whodunit.deduce.native import HERE, SOURCES, library


def build(target: Path | None = None) -> Path | None:
    """Compile the kernel unless it is there; return where it is, or None if it cannot be built."""
    target = target or library()
    if target.exists():
        return target
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    try:
        folder = tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-")
    except OSError:  # installed where we may not write
        return None
    with folder as name:
        new = Path(name, target.name)
        command = [compiler, "-std=c11", "-O3", "-shared", "-fPIC", "-o", str(new), *(str(HERE / s) for s in SOURCES)]
        made = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603  (our own sources)
        if made.returncode:
            print(made.stderr, file=sys.stderr)  # noqa: T201  (the one who sets the house up wants to know)
            return None
        for old in target.parent.glob("kernel-*.so"):
            old.unlink(missing_ok=True)
        new.replace(target)  # at once, so nobody ever loads half a kernel
    return target


if __name__ == "__main__":
    if build() is None:
        print("no compiled kernel: deduction runs on Python alone", file=sys.stderr)  # noqa: T201
