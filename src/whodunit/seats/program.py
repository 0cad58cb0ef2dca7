"""A bot that is a program: a line in on its standard input, a line out on its standard output."""

import os
import secrets
import selectors
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from typing import IO, Any, Final

from whodunit.seats.own import END_S, MOST_BYTES, MOST_SAID, Failure

_PIECE: Final = 1 << 16
_ROUNDS: Final = 10
"""So often at most it is looked for who has left a program's group: whoever is found may just start another."""


class Program:
    """Runs a command from the first line on; all that it starts ends with it.

    That is its group of processes, which is its own; on Linux also whoever has left that, such as by `setsid`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._running: _Running | None = None

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Return the line that it says to this one, or raise Failure."""
        until = time.monotonic() + seconds
        if self._running is None:
            self._running = _started(self._command)
        running = self._running
        if running.overheard():
            raise Failure("garbled", f"it said more than it was asked for: {running.said()}")
        running.exchange(line, until, running.has_line)
        if running.has_line():
            return running.line()
        if running.ended:
            self._running = None
            running.linger()
            running.kill()
            raise Failure("crashed", f"{running.status}{running.wailed()}")
        if running.has_too_much():
            raise Failure("garbled", f"more than {MOST_BYTES} bytes without an end of the line")
        raise Failure("late", f"no answer within {seconds:g} s{running.wailed()}")

    def close(self, last: bytes | None = None) -> None:
        """Tell it a last line and give it a moment to end, or kill it at once; and all that it has started."""
        running, self._running = self._running, None
        if running is None:
            return
        try:
            if last is not None:
                until = time.monotonic() + END_S
                running.exchange(last, until, lambda: running.has_been_told)
                running.hang_up()
                running.exchange(b"", until, lambda: False)
        finally:
            running.kill()


def _started(command: Sequence[str]) -> "_Running":
    if sys.platform == "win32":
        raise Failure("crashed", "programs play on Linux and macOS alone")
    try:
        # In a session of its own: a Ctrl-C is for the arena, and what the program starts is known by its group.
        # Whoever leaves that is known by a name in its environment, which no other program of any arena has.
        pipes: dict[str, Any] = {"bufsize": 0, "stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
        mark = f"WHODUNIT_BOT_{secrets.token_hex(8)}"
        environment = {**os.environ, mark: ""}
        started = Popen(command, start_new_session=True, env=environment, **pipes)  # noqa: S603  (what the user asked for)
        return _Running(started, mark)
    except OSError as error:
        raise Failure("crashed", str(error)) from error


class _Running:
    """A program that runs. Nothing of it is waited for without an end, be it that it reads nothing or says too much."""

    def __init__(self, process: "Popen[bytes]", mark: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._mark = mark
        self._in, self._out, self._err = process.stdin, process.stdout, process.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._untold = b""
        self._heard = bytearray()
        self._wails = b""
        self._open: list[IO[Any]] = [self._out, self._err]

    @property
    def ended(self) -> bool:
        """Whether it can say no more."""
        return self._out not in self._open

    @property
    def has_been_told(self) -> bool:
        return not self._untold or self._in.closed

    @property
    def status(self) -> str:
        """How it has ended, once it is killed."""
        code = self._process.returncode
        if code is None:
            return "cannot be killed"
        if code == -signal.SIGKILL:  # by us, as it has closed its output, or by somebody before, such as for its memory
            return "closed its standard output, or was killed"
        return f"ended with status {code}" if code >= 0 else f"ended by signal {-code} ({signal.strsignal(-code)})"

    def has_line(self) -> bool:
        return b"\n" in self._heard

    def has_too_much(self) -> bool:
        return len(self._heard) > MOST_BYTES

    def line(self) -> bytes:
        """Take the first line of what it has said."""
        said, _, rest = self._heard.partition(b"\n")
        self._heard = rest.lstrip()  # an empty line is no answer
        return bytes(said)

    def overheard(self) -> bool:
        """Say whether there is something that nobody has asked for."""
        self._listen(self._out)
        return bool(self._heard)

    def said(self) -> str:
        return self._heard[:MOST_SAID].decode("utf-8", "backslashreplace")

    def wailed(self) -> str:
        """Return what is to be said of its standard error: its end."""
        self._listen(self._err)
        return f": {self._wails.decode('utf-8', 'backslashreplace')}" if self._wails.strip() else ""

    def exchange(self, told: bytes, until: float, is_done: Callable[[], bool]) -> None:
        """Tell it this and listen, until that is done, it has ended, it says too much, or the time is over."""
        self._untold = told
        self._tell()
        while not is_done() and not self.ended and not self.has_too_much():
            with selectors.DefaultSelector() as pipes:
                for pipe in self._open:
                    pipes.register(pipe, selectors.EVENT_READ)
                if not self.has_been_told:
                    pipes.register(self._in, selectors.EVENT_WRITE)
                ready = pipes.select(max(0.0, until - time.monotonic()))
            if not ready:
                return
            for key, _ in ready:
                if key.fileobj is self._in:
                    self._tell()
                else:
                    self._listen(self._out if key.fileobj is self._out else self._err)
            if time.monotonic() > until:
                return

    def linger(self) -> None:
        """Give it a moment to end by itself, after which it is known how; then its standard error is closed, too."""
        until = time.monotonic() + END_S
        while self._err in self._open:
            with selectors.DefaultSelector() as pipes:
                pipes.register(self._err, selectors.EVENT_READ)
                if not pipes.select(max(0.0, until - time.monotonic())):
                    return
            self._listen(self._err)

    def hang_up(self) -> None:
        """Say that there will be no more lines."""
        with suppress(OSError):
            self._in.close()

    def kill(self) -> None:
        """End it, and whatever it has started; its group is its own number for as long as it is not waited for."""
        with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's word for a group of the dead
            os.killpg(self._process.pid, signal.SIGKILL)
        for _ in range(_ROUNDS):
            if not _killed_by_mark(self._mark):
                break
        with suppress(TimeoutExpired):  # whoever has taken other rights than ours
            self._process.wait(END_S)
        self._listen(self._err)
        self.hang_up()
        self._out.close()
        self._err.close()
        self._open.clear()

    def _tell(self) -> None:
        """Write as much as it takes now."""
        try:
            while self._untold and not self._in.closed:
                written = os.write(self._in.fileno(), self._untold)
                self._untold = self._untold[written:]
        except BlockingIOError:
            return
        except OSError:  # it reads no more: whether it has answered all the same is found out by listening
            self.hang_up()

    def _listen(self, pipe: IO[Any]) -> None:
        """Read what there is now."""
        if pipe not in self._open:
            return
        try:
            piece = os.read(pipe.fileno(), _PIECE)
        except BlockingIOError:
            return
        if not piece:
            self._open.remove(pipe)
        elif pipe is self._out:
            self._heard = (self._heard + piece).lstrip()
        else:
            self._wails = (self._wails + piece)[-4 * MOST_SAID :]


def _killed_by_mark(mark: str) -> bool:
    """Kill all processes with this name in their environment and say if there were any; macOS does not tell."""
    name, found = f"{mark}=".encode(), False
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is somebody else's
            if name in environment.read_bytes().split(b"\0"):
                found = True
                os.kill(int(environment.parent.name), signal.SIGKILL)
    return found
