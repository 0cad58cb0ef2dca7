"""Messages that nobody honest sends: asks made from the protocol's own schema and then spoiled, frames and requests
that break their rules, and asks in order that are none of the sender's business. All of them are drawn.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from whodunit.core.rng import Stream

FRAME_BYTES = 16 * 1024
"""The longest frame that a page may send; ours are now and then longer."""
WORDS = (
    "",
    "x",
    "\u202e\u0000",
    "'; DROP TABLE record; --",
    "../../house.key",
    "\ud7ff\uffff",
    "NaN",
    "bench0",
    "é" * 900,
)
NUMBERS = (0, 1, -1, 2**31, 2**63, -(2**63), 2**64, 10**30, 0.5, 1e308)
ODD: tuple[object, ...] = (None, True, [], {}, [[]], {"type": "act"}, *WORDS, *NUMBERS)


class Asks:
    """Makes asks out of the protocol's schema: what `msgspec.json.schema` says of it."""

    def __init__(self, schema: Mapping[str, Any], draws: Stream) -> None:
        self._parts: Mapping[str, Any] = schema["$defs"]
        self._kinds = [each["$ref"] for each in schema["anyOf"]]
        self._draws = draws

    def _one(self, of: Sequence[Any]) -> Any:
        return of[self._draws.below("one", len(of))]

    def well_formed(self, tables: Sequence[str]) -> dict[str, Any]:
        """Return an ask of any kind, as the schema wants it, about one of these tables if it is about one."""
        ask: dict[str, Any] = self._made({"$ref": self._one(self._kinds)}, 0)
        return ask | ({"table": self._one(tables)} if "table" in ask else {})

    def spoiled(self, tables: Sequence[str]) -> dict[str, Any]:
        """Return an ask that the schema does not admit: something is missing, too much, or of another type."""
        ask = self.well_formed(tables)
        field = self._one([*ask])
        way = self._draws.below("way", 4)
        if way == 0:
            return {key: value for key, value in ask.items() if key != field} | {"extra": 1}
        if way == 1:
            return ask | {self._one(["seat ", "known_to", "__class__", "person", ""]): self._one(ODD)}
        if way == 2:
            return ask | {field: self._one(ODD)} | {"n": self._one([None, "1", [], {}, 0.5])}
        return ask | {"type": self._one(["", "Act", "acts", None, 7, "act\u0000", ["act"]])}

    def _made(self, part: Mapping[str, Any], depth: int) -> Any:
        """Return a value that a part of the schema admits."""
        if "$ref" in part:
            return self._made(self._parts[part["$ref"].rpartition("/")[2]], depth)
        if "anyOf" in part:
            return self._made(self._one(part["anyOf"]), depth)
        if "enum" in part:
            return self._one(part["enum"])
        match part.get("type"):
            case "object":
                wanted = part.get("required", ())
                properties = part.get("properties", {}).items()
                chosen = [(name, of) for name, of in properties if name in wanted or self._draws.below("given", 2)]
                return {name: self._made(of, depth + 1) for name, of in chosen}
            case "array" if "prefixItems" in part:
                return [self._made(of, depth + 1) for of in part["prefixItems"]]
            case "array":
                least = part.get("minItems", 0)
                count = least + self._draws.below("length", min(3, part.get("maxItems", least + 2) - least + 1))
                return [self._made(part.get("items", {}), depth + 1) for _ in range(count)]
            case "string":
                return self._text(part)
            case "integer":
                least = part.get("minimum", -3)
                most = part.get("maximum", part.get("exclusiveMaximum", least + 201) - 1)
                return least + self._draws.below("integer", most - least + 1)
            case "boolean":
                return bool(self._draws.below("boolean", 2))
            case "null":
                return None
            case _:
                return self._one(ODD) if depth > 3 else {"type": self._one(["Roll", "Ask", "Show", "", "Move"])}

    def _text(self, part: Mapping[str, Any]) -> str:
        pattern: str | None = part.get("pattern")
        if pattern is not None:
            return _FITTING[pattern](self._draws.below("pattern", 2**60))
        text = str(self._one(WORDS)) or "x"
        return text[: part.get("maxLength", 900)].ljust(part.get("minLength", 0), "x")


_FITTING: Final[Mapping[str, Callable[[int], str]]] = {
    "^[0-9a-f]{32}$": lambda number: f"{number:032x}",  # a salt
    "^[A-Za-z0-9_-]{22}$": lambda number: f"{number:022x}",  # a duel
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": lambda number: f"{2000 + number % 99}-{number % 14:02}-{number % 33:02}",  # a day
}
"""By pattern of the protocol: what fits it."""


# --- Frames (RFC 6455) ---------------------------------------------------------------------------------------------


def frame(
    payload: bytes, opcode: int = 1, *, first: int = 0x80, masked: bool = True, claims: int | None = None
) -> bytes:
    """Return a frame; `first` are the bits beside the opcode, `claims` is the length it says it has."""
    length = len(payload) if claims is None else claims
    bit = 0x80 if masked else 0
    if length < 126:
        head = bytes((first | opcode, bit | length))
    elif length < 65536:
        head = bytes((first | opcode, bit | 126)) + struct.pack(">H", length)
    else:
        head = bytes((first | opcode, bit | 127)) + struct.pack(">Q", length)
    return head + (bytes(4) if masked else b"") + payload  # a mask of zeros is a mask


def harmless(draws: Stream, asks: Asks, tables: Sequence[str]) -> bytes:
    """Return a frame in order whose content is not: the server refuses it and the socket stays."""
    ways: Sequence[Callable[[], bytes]] = (
        lambda: _json(asks.spoiled(tables)),
        lambda: _json(ODD[draws.below("odd", len(ODD))]),
        lambda: _json(asks.spoiled(tables))[: -1 - draws.below("cut", 12)],
        lambda: b"[" * draws.below("deep", 8000),
        lambda: b'{"a":' * draws.below("deep", 2500),
        lambda: _noise(draws, draws.below("length", 300)),
        lambda: _json(asks.spoiled(tables) | {"pad": "x" * draws.below("pad", FRAME_BYTES - 4000)}),
        lambda: b'{"type":"act","type":"undo","n":1,"n":2,"table":"bench0","table":"bench1"}',
    )
    return frame(ways[draws.below("way", len(ways))](), opcode=1 + draws.below("binary", 2))


def breaking(draws: Stream) -> bytes:
    """Return something after which the server may close the socket: too long, not whole, or no frame at all."""
    ways: Sequence[Callable[[], bytes]] = (
        lambda: frame(b"x" * (FRAME_BYTES + 1 + draws.below("more", 4 * FRAME_BYTES))),
        lambda: frame(b'{"type"', claims=4000),  # half a frame, and then nothing
        lambda: frame(b"", claims=2**62),
        lambda: frame(b"{}", masked=False),
        lambda: frame(b"{}", first=0xF0),
        lambda: frame(b"{}", opcode=3 + draws.below("reserved", 5)),
        lambda: frame(b"{}", opcode=0),  # goes on with what was never begun
        lambda: frame(b"x" * 126, opcode=9),  # a ping has 125 bytes at most
        lambda: frame(b"\x03", opcode=8),
        lambda: frame(b"x", first=0) + frame(b"x" * 9000, opcode=0, first=0) * 4,  # a message without an end
        lambda: frame(b"\xff\xfe\xc0\x80"),
        lambda: _noise(draws, 1 + draws.below("length", 200)),
        lambda: frame(b"{}")[:3],
    )
    return ways[draws.below("way", len(ways))]()


# --- Requests (RFC 9112) -------------------------------------------------------------------------------------------


def request(draws: Stream, port: int, cookies: Sequence[str], tables: Sequence[str]) -> bytes:
    """Return a request that is malformed, forged or none of the sender's business."""
    host = f"127.0.0.1:{port}"
    cookie = cookies[draws.below("cookie", len(cookies))]
    table = tables[draws.below("table", len(tables))]
    forged = (
        cookie[:-1] + ("0" if cookie[-1] != "0" else "1"),
        cookie.partition(".")[0],
        "." + cookie.partition(".")[2],
        f"{cookie.partition('.')[0]}.{'0' * 64}",
        "x" * 4000,
        "é.é",
    )[draws.below("forged", 6)]
    guess = f"{draws.below('code', 2**40):08X}"[:8]

    def post(path: str, body: bytes, who: str, origin: str = host, more: str = "") -> bytes:
        head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{origin}\r\nCookie: whodunit={who}\r\n{more}"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def get(path: str, who: str, more: str = "") -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: whodunit={who}\r\n{more}\r\n".encode()

    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    keyed = upgrade + "Sec-WebSocket-Key: d2hvZHVuaXQgYmVuY2hlcw==\r\n"
    ways: Sequence[Callable[[], bytes]] = (
        lambda: post("/api/join", _json({"code": guess}), cookie),
        lambda: post("/api/seat", _json({"key": guess * 4}), cookie),
        lambda: post("/api/join", _json({"code": ODD[draws.below("odd", len(ODD))]}), cookie),
        lambda: post("/api/join", _json({"code": guess}), forged),
        lambda: post("/api/seat", _json({"key": "key 0 0"}), cookie, origin="evil.example"),
        lambda: post("/api/join", b"x" * (2 * FRAME_BYTES), cookie),
        lambda: post("/api/join", b"{", cookie)[:-1],
        lambda: post("/api/join", b"", cookie, more="Transfer-Encoding: chunked\r\n") + b"zz\r\n",
        lambda: get(f"/t/{table}/case", cookie),
        lambda: get(f"/t/{table}/case", forged),
        lambda: get(f"/t/{table}/clip/{guess}", cookie),
        lambda: get("/../../../../etc/passwd", cookie),
        lambda: get("/assets/..%2f..%2fhouse.key", cookie),
        lambda: get("/%00", cookie),
        lambda: get("/ws", forged, f"Origin: http://{host}\r\n{keyed}"),
        lambda: get("/ws", cookie, f"Origin: http://evil.example\r\n{keyed}"),
        lambda: get("/ws", cookie, f"Origin: http://{host}\r\n{upgrade}"),
        lambda: get("/" + "a" * 9000, cookie),
        lambda: get("/", cookie, f"X: {'x' * 9000}\r\n"),
        lambda: get("/health", cookie, "Content-Length: -5\r\n"),
        lambda: b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        lambda: b"GET / HTTP/9.9\r\n\r\n",
        lambda: b"BREW /pot HTCPCP/1.0\r\n\r\n",
        lambda: b"GET /metrics",
        lambda: b"\r\n" * 50,
        lambda: _noise(draws, 1 + draws.below("length", 500)) + b"\r\n\r\n",
    )
    return ways[draws.below("way", len(ways))]()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _noise(draws: Stream, length: int) -> bytes:
    return bytes(draws.below("byte", 256) for _ in range(length))
