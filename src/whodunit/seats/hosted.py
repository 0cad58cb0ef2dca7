"""A bot in Python as a program: `python -m whodunit.seats.hosted my.module:Bot` plays one game by lines (`lines.py`).

It runs apart from the arena, so it knows nothing but what its seat is told, and can be stopped whatever it does.
"""

import os
import sys
import time
from importlib import import_module
from itertools import groupby
from threading import Thread
from traceback import extract_tb
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw, Struct

from whodunit import games
from whodunit.bots.reliving import SeatedBot, SeenBatch
from whodunit.core.types import Game, Player, Seat
from whodunit.core.wire import encode
from whodunit.seats.lines import Asks, Hello, RoomLine
from whodunit.table.codec import BatchEntry, read

ORPHANED_S: Final = 1.0
"""How often it looks whether the arena is still there."""


class ToldEvent(Struct, frozen=True):
    """What is read of an EventFrame."""

    batch: int
    event: Raw


class ToldLine(Struct, frozen=True, tag="table"):
    """What is read of a TableLine: view and offers follow from the events."""

    events: tuple[ToldEvent, ...]
    asks: Asks | None


_LINE = msgspec.json.Decoder(RoomLine | ToldLine)


def play(description: str, lines: BinaryIO, answers: BinaryIO) -> None:
    """Play a game: read lines and answer them, until the game is over."""
    bot: SeatedBot | None = None
    for text in lines:
        line = _LINE.decode(text)
        said: object
        if isinstance(line, RoomLine):
            player = _player(description, games.get(line.game), line.me, bytes.fromhex(line.seed))
            bot = SeatedBot(player, games.get(line.game), line.me)
            said = Hello(interrupts=type(player).interrupt is not Player.interrupt)
        else:
            assert bot is not None
            for seq, together in groupby(line.events, lambda told: told.batch):
                entry = BatchEntry(seq, tuple(told.event for told in together))
                bot.see(SeenBatch(read(entry, bot.game).events, mine=False))
            if line.asks is None:
                return
            said = bot.player.act() if line.asks == "act" else bot.player.interrupt()
        answers.write(encode(said) + b"\n")
        answers.flush()


def _player(description: str, game: Game, seat: Seat, seed: bytes) -> Player:
    """Build the player; whatever is wrong with it is said in a line."""
    module, _, name = description.partition(":")
    player = getattr(import_module(module), name)(game, seat, seed)
    if not isinstance(player, Player):
        raise TypeError(f"{description} makes a {type(player).__name__}, and no whodunit.Player")
    return player


def _end_with_the_arena() -> None:
    arena = os.getppid()
    while os.getppid() == arena:
        time.sleep(ORPHANED_S)
    os._exit(1)


def main(description: str) -> None:
    """Play on the standard streams; what the bot itself prints goes to the standard error, and it can read nothing."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    Thread(target=_end_with_the_arena, daemon=True).start()
    try:
        play(description, lines, answers)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is told in the one line that an arena reports)
        *_, where = (frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<"))
        sys.exit(f"{type(error).__name__}: {error} ({where.filename}, line {where.lineno})")


if __name__ == "__main__":
    main(sys.argv[1])
