"""A server that plays by its lines' examples, and goes wrong in a way of its own, named by the path."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

from tests.seats.wrong import answers


class Handler(BaseHTTPRequestHandler):
    """Answers posts; whatever waits for ever, waits until the other end hangs up."""

    told: ClassVar[list[dict[str, Any]]]

    def do_POST(self) -> None:
        """Answer a line."""
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.told.append(told)
        way, act = unquote(urlsplit(self.path).path[1:]), told["asks"] == "act"
        if (way == "late" and act) or way == "silent":
            with suppress(OSError):
                self.connection.recv(1)  # until it is hung up
            return
        if way == "crashing" and act:
            self.send_error(500, "no idea")
            return
        if way == "moved" and act:
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        if way == "hanging up" and act:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if way == "talking otherwise" and act:
            self.wfile.write(b"SMTP\r\n\r\n")
            return
        with suppress(OSError):  # who goes on and on is hung up on
            self.send_response(200)
            self.end_headers()
            for piece in answers(way, told):
                self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve on loopback; yield the address and the lines that come."""
    told: list[dict[str, Any]] = []
    handler = type("Noting", (Handler,), {"told": told})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", told
        finally:
            server.shutdown()
            thread.join()
