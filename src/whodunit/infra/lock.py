"""Lets one server use a database file: a lock that ends with its process, however that ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whodunit.core.errors import InUse

if sys.platform == "win32":
    import msvcrt

    def _seize(file: int) -> None:
        os.lseek(file, 1 << 20, os.SEEK_SET)  # what is locked cannot be read there, and the process's number is to be
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _seize(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_open: set[int] = set()


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock, or raise InUse. Its file stays when it goes: were it deleted, two could each hold one."""
    with _kept_open(path) as file:
        try:
            _seize(file)
        except (BlockingIOError, PermissionError) as error:  # POSIX says the one, Windows the other
            holder = os.read(file, 20).decode("ascii", "replace") or "unknown"
            raise InUse(f"another server already runs on this database: process {holder} holds {path}") from error
        with suppress(OSError):  # on a full disk nobody learns who holds it; it is held all the same
            os.ftruncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        yield


@contextmanager
def held_itself(path: Path) -> Iterator[int]:
    """Hold the file itself, by whatever name it is known, or raise InUse; yields it to be read from.

    To be entered before SQLite opens the file and left after it has closed it: whoever closes any descriptor of a file
    drops all that SQLite has locked in it.
    """
    with _kept_open(path) as file:
        # A second name has a log of its own: what the first one's log holds would be missed, and the file torn apart.
        if os.fstat(file).st_nlink > 1:
            raise InUse(
                f"{path} has another name (a hard link): two servers could use it at once. Keep one of the names"
            )
        if sys.platform == "linux":  # elsewhere this lock and SQLite's own may get into each other's way
            try:
                _seize(file)
            except BlockingIOError as error:
                raise InUse(f"another server already runs on this database, by another name than {path}") from error
        yield file


@contextmanager
def _kept_open(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    _open.add(file)
    try:
        yield file
    finally:
        if file in _open:  # not so in a forked process, where the number may be another file's by now
            _open.remove(file)
            os.close(file)


def _let_go() -> None:
    for file in _open:
        os.close(file)
    _open.clear()


if sys.platform != "win32":
    # A forked worker that outlives a killed server would keep the lock; closing its copy leaves the server's alone.
    os.register_at_fork(after_in_child=_let_go)
