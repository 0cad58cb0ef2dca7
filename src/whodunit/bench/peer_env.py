"""The peers' own environment, made when it is first needed, and the workers that run in it."""

import hashlib
import json
import shutil
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

from whodunit.bench import peers
from whodunit.bench.report import progress

ROOT = Path(__file__).parents[3]
NAME = "whodunit-games"


def python(root: Path = ROOT) -> Path:
    """Return the interpreter of `.venv-peers`, after installing what `requirements/peers.txt` locks."""
    lock = root / "requirements" / "peers.txt"
    if not lock.exists():
        raise SystemExit("the peers are locked in requirements/peers.txt, which is not here: run this from a clone")
    home = root / ".venv-peers"
    executable = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = home / "installed"
    wanted = hashlib.sha256(f"{sys.version}\n{lock.read_text()}".encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return executable
    progress("installing the peers into .venv-peers (once, about a minute) ...")
    venv.create(home, clear=True, with_pip=True)  # with pip also because RLCard calls it when it is imported
    install = [str(executable), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    subprocess.run([*install, "-r", str(lock)], check=True, stdout=sys.stderr)  # noqa: S603  (our own lock)
    (home / ".gitignore").write_text("*\n")
    stamp.write_text(wanted)  # last: a broken installation is made anew
    return executable


def with_whodunit(root: Path = ROOT) -> Path:
    """Return the same interpreter after making the checkout importable in it, games and all."""
    executable = python(root)
    command = [str(executable), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own)
    site, ours = Path(told.stdout.strip()), metadata.distribution(NAME)
    info = site / f"{NAME.replace('-', '_')}-{ours.version}.dist-info"
    wanted = {
        **{info / name: ours.read_text(name) or "" for name in ("METADATA", "entry_points.txt")},  # to find games by
        site / "whodunit.pth": f"{root / 'src'}\n",
    }
    older = {*site.glob(f"{NAME.replace('-', '_')}-*.dist-info")} - {info}
    if not older and all(path.exists() and path.read_text() == text for path, text in wanted.items()):
        return executable  # nothing is touched that another process may be reading
    for each in older:
        shutil.rmtree(each)
    info.mkdir(exist_ok=True)
    for path, text in wanted.items():
        path.write_text(text)
    return executable


def run(executable: Path, name: str, seconds: float) -> dict[str, float]:
    """Let one peer play for so long in a process of its own."""
    command = [str(executable), "-I", peers.__file__, name, str(seconds)]  # -I: nothing of ours is in its way
    worker = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own file)
    result: dict[str, float] = json.loads(worker.stdout.splitlines()[-1])
    return result
