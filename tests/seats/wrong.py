"""A program that plays by its lines' examples, and goes wrong in a way of its own:  python wrong.py WAY NOTES

It writes every line that it is told into the file NOTES. What tests/seats/server.py serves goes wrong in the same ways.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOURS = 10_000.0


def answers(way: str, told: dict[str, Any]) -> Iterator[bytes]:
    """Yield what is answered to a line, piece by piece."""
    hello, act, urgent = (told["asks"] == asks for asks in ("hello", "act", "interrupt"))
    right = json.dumps(told["example"]).encode() + b"\n"
    if hello and way.endswith("interrupter"):
        right = b'{"interrupts": true}\n'
    match way:
        case "late" if act:
            time.sleep(HOURS)
        case "silent":
            time.sleep(HOURS)
        case "trickling" if act:
            while True:
                yield b" "
                time.sleep(0.05)
        case "endless" if act:
            while True:
                yield b"[" * 65536
        case "wide" if act:
            yield b" " * (2 << 20) + right
        case "garbled" if act:
            yield b"what?\n"
        case "nested" if act:
            yield b"[" * 100_000 + b"\n"
        case "no text" if act:
            yield b'{"type": "Pl\xe9y"}\n'
        case "unknown" if act:
            yield b'{"type": "Dance"}\n'
        case "rude" if hello:
            yield b'{"interrupts": "sometimes"}\n'
        case "illegal" if act:
            yield json.dumps({"type": "Play", "card": _not_held(told)}).encode() + b"\n"
        case "late interrupter" if urgent:
            time.sleep(HOURS)
        case "hasty interrupter" if urgent:
            yield json.dumps(_last(told["offers"])).encode() + b"\n"
        case "pushing interrupter" if (
            urgent and len(told["offers"]) > 1
        ):  # what it might do anyway, as it is waited for
            yield json.dumps(_last(told["offers"][:-1])).encode() + b"\n"
        case _:
            yield right


def _last(offers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the last thing on offer, in the first way in which it can be done."""
    choices = {
        name: choice["of"][0] if choice["type"] == "one" else choice["of"][: choice["least"]]
        for name, choice in offers[-1]["choices"].items()
    }
    return {"type": offers[-1]["action"], **choices}


def _not_held(told: dict[str, Any]) -> int:
    held = [card for offer in told["offers"] if "card" in offer["choices"] for card in offer["choices"]["card"]["of"]]
    return next(card for card in range(1, 33) if card not in held)


def main(way: str, notes: Path) -> None:
    """Answer line by line."""
    if way == "stillborn" or (way == "stillborn once" and not notes.exists()):
        notes.touch()
        sys.exit("it never lived")
    if way == "family":  # its child has its FIFO open for as long as it lives
        subprocess.Popen(["sleep", str(HOURS)], stdout=notes.with_suffix(".fifo").open("wb"))
    if way == "scattered family":  # one has left its group, and one nobody has for a parent any more
        for command in (["sleep", str(HOURS)], ["sh", "-c", f"sleep {HOURS} &"]):
            subprocess.Popen(command, stdout=notes.with_suffix(".fifo").open("wb"), start_new_session=True)
    with notes.open("a", encoding="utf-8") as noted:
        for line in sys.stdin:
            noted.write(line)
            noted.flush()
            told = json.loads(line)
            if told["asks"] == "act":
                one_off(way, notes)
            for piece in answers(way, told):
                os.write(1, piece)
            if way == "chatty":
                os.write(1, b'"and another thing"\n')
            if way == "spaced":
                os.write(1, b"\n")


def one_off(way: str, notes: Path) -> None:
    """Go wrong in ways that only a program has."""
    crashed = notes.with_suffix(".crashed")
    if way == "crashing" or (way == "crashing once" and not crashed.exists()):
        crashed.touch()
        print("\x1b[31mno idea\x1b[0m", file=sys.stderr)
        sys.exit(3)
    if way == "wailing":
        sys.stderr.write("woe! " * 100_000)
    if way == "mute":
        os.close(1)
        time.sleep(HOURS)
    if way == "deaf":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
        time.sleep(HOURS)
    if way == "shot":
        os.abort()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
