"""Who sits in a seat of an arena: a level of the house, or a bot of one's own, described by a string.

`my.module:Bot` is a Player in Python, `exec:./mybot --flag` any program, `http://127.0.0.1:9000/seat` a server. All
three are told the same lines (`lines.py`, docs/bots.md), and nothing but what their seat is told: a Player in Python
runs in a process of its own, too. A description can be sent to another process: a bot begins where it plays.
"""

import csv
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from whodunit import bots
from whodunit.core.types import Game, Player, Seat
from whodunit.seats.address import Address
from whodunit.seats.own import Own, Wire
from whodunit.seats.program import Program

MOVE_S: Final = 5.0
"""How many seconds a bot of one's own may take for a decision, unless its user says otherwise."""

_PROGRAM: Final = "exec:"
_ADDRESS: Final = "http://"
_PYTHON: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def split(text: str) -> list[str]:
    """Return the descriptions in a list with commas; one that has commas stands in double quotes."""
    try:
        return next(csv.reader([text]), [])
    except csv.Error as error:
        raise LookupError(f"{text!r} is no list of players: {error}") from error


def is_own(description: str) -> bool:
    """Say whether this is a bot of somebody's own, and none of the house's."""
    return description not in bots.LEVELS


def player(description: str, game: Game, seat: Seat, seed: bytes, move_s: float = MOVE_S) -> Player:
    """Return the player that is described, or raise LookupError; one's own begins when it is first asked."""
    if not is_own(description):
        return bots.seated(description, game, seat, seed)
    return Own(_wire(description), game, seat, seed, move_s)


def check(description: str, game: Game) -> None:
    """Begin a bot of one's own once, before anybody plays; raise LookupError, which says why that cannot be done."""
    if is_own(description):
        own = Own(_wire(description), game, 0, b"", MOVE_S)
        if description.startswith(_PROGRAM):
            _find(description)
        if why := own.refusal():
            raise LookupError(f"{description} does not begin: {why}")


def _wire(description: str) -> Wire:
    if description.startswith(_PROGRAM):
        return Program(_command(description))
    if description.startswith(_ADDRESS):
        try:
            where = urlsplit(description)
            host, port = where.hostname, where.port
        except ValueError as error:
            raise LookupError(f"{description} is no address: {error}") from error
        if not host:
            raise LookupError(f"{description} is no address: it names no machine")
        path = f"{where.path or '/'}?{where.query}" if where.query else where.path or "/"
        return Address(host, port or 80, path)
    if _PYTHON.fullmatch(description):
        return Program([sys.executable, "-m", "whodunit.seats.hosted", description])
    known = ", ".join(bots.LEVELS)
    own = f"module:Class, {_PROGRAM}command, {_ADDRESS}address"
    raise LookupError(f"there is no player {description!r}; there is: {known}; and a bot of your own: {own}")


def _command(description: str) -> list[str]:
    try:
        command = shlex.split(description.removeprefix(_PROGRAM))
    except ValueError as error:
        raise LookupError(f"{description} is no command: {error}") from error
    if not command:
        raise LookupError(f"{description} names no program")
    return command


def _find(description: str) -> None:
    program, *_ = _command(description)
    if shutil.which(program) is None:
        why = "may not be executed (chmod +x)" if Path(program).is_file() else "is not there"
        raise LookupError(f"{description}: the program {program!r} {why}")
