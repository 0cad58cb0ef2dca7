"""A bot behind an address: each line is posted to it, and it answers in the body."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer

from whodunit.seats.own import END_S, MOST_BYTES, Failure


class Address:
    """Posts each line to a server that somebody else has started; every line has a connection of its own."""

    def __init__(self, host: str, port: int, path: str) -> None:
        self._host = host
        self._port = port
        self._path = path

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Return what it answers, or raise Failure."""
        until = time.monotonic() + seconds
        connection = HTTPConnection(self._host, self._port, timeout=seconds)
        try:
            connection.connect()
            with _cut_off(connection.sock, until):
                headers = {"Content-Type": "application/json", "Connection": "close"}
                connection.request("POST", self._path, line, headers)
                with connection.getresponse() as response:
                    said = response.read(MOST_BYTES + 1)
        except (OSError, HTTPException, ValueError) as error:
            if time.monotonic() >= until:
                raise _late(seconds) from error
            raise Failure("crashed", str(error) or type(error).__name__) from error
        finally:
            connection.close()
        if time.monotonic() >= until:  # what was cut off may look whole
            raise _late(seconds)
        if response.status != 200:
            what = f"{response.status} {response.reason}: {said.decode('utf-8', 'backslashreplace')}"
            raise Failure("crashed", what)
        if len(said) > MOST_BYTES:
            raise Failure("garbled", f"more than {MOST_BYTES} bytes")
        return said

    def close(self, last: bytes | None = None) -> None:
        """Tell it a last line."""
        if last is not None:
            with suppress(Failure):
                self.ask(last, END_S)


def _late(seconds: float) -> Failure:
    return Failure("late", f"no answer within {seconds:g} s")


@contextmanager
def _cut_off(line: socket.socket, until: float) -> Iterator[None]:
    """Cut the line when the time is over: a socket's own limit begins anew with every byte."""

    def cut() -> None:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = Timer(max(0.0, until - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
