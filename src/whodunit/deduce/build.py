"""The compiled kernel: what it is made of, where it lies, and how it is made.

A wheel brings it (hatch_build.py). Beside its sources `python -m whodunit.deduce.build` makes it: in a checkout, and in
an installed copy that came without. Where there is no C compiler, or no right to write, nothing is built, and Python
counts alone. This file stands on its own, because a wheel is built where nothing of ours is installed.
"""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SOURCES: Final = ("automaton.c", "half.c", "kernel.c", "memory.c", "position.c")
HEADERS: Final = ("count.h", "joint.h", "kernel.h")
SUFFIX: Final = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
# Nothing about this machine's processor, so that a wheel runs on every one of its kind. On Windows, `-static` takes in
# what gcc would otherwise look for in a library of its own.
FLAGS: Final = ("-std=c11", "-O3", "-shared", "-static" if sys.platform == "win32" else "-fPIC")
COMPILERS: Final = ("cc", "gcc", "clang")  # those with 128-bit numbers


def library() -> Path:
    """Return where the kernel built from these very sources lies, or would lie."""
    digest = hashlib.sha256()
    for name in SOURCES + HEADERS:
        digest.update((HERE / name).read_bytes())
    return HERE / f"kernel-{digest.hexdigest()[:16]}{SUFFIX}"


def build(target: Path | None = None, flags: Sequence[str] = ()) -> Path | None:
    """Compile the kernel unless it is there; return where it is, or None if it cannot be built."""
    import shutil  # noqa: PLC0415  (whoever only counts needs none of the three)
    import subprocess  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    target = target or library()
    if target.exists():
        return target
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return None
    try:
        folder = tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-")
    except OSError:  # installed where we may not write
        return None
    with folder as name:
        new = Path(name, target.name)
        command = [compiler, *FLAGS, *flags, "-o", str(new), *(str(HERE / source) for source in SOURCES)]
        made = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603  (our own sources)
        if made.returncode:
            print(made.stderr, file=sys.stderr)  # noqa: T201  (the one who sets the house up wants to know)
            return None
        for old in target.parent.glob(f"kernel-*{SUFFIX}"):
            old.unlink(missing_ok=True)
        new.replace(target)  # at once, so nobody ever loads half a kernel
    return target


if __name__ == "__main__" and build() is None:
    print("no compiled kernel: deduction runs on Python alone", file=sys.stderr)  # noqa: T201
