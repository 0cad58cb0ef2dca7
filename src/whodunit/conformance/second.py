"""Games decided again in a second process with another hash seed, where sets and maps of words have another order."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence

import msgspec

from whodunit.conformance.play import Played
from whodunit.core.types import Game, Seat
from whodunit.core.wire import encode
from whodunit.games import get
from whodunit.table.codec import read_action
from whodunit.table.table import Table


class Order(msgspec.Struct, frozen=True):
    """What to decide again: how the game was opened, and all that was done."""

    game: str
    seats: int
    options: msgspec.Raw
    seed: bytes
    actions: tuple[tuple[Seat, msgspec.Raw] | None, ...]
    """None: the last action was taken back."""


def order(played: Played) -> Order:
    """Return all that a second process needs to play the same game."""
    causes = [batch.cause for batch in played.batches[1:]]
    actions = tuple(None if cause is None else (cause.seat, msgspec.Raw(encode(cause.action))) for cause in causes)
    options = msgspec.Raw(encode(played.options))
    return Order(played.game.INFO.id, played.last.seats, options, played.last.seed, actions)


def digest(played: Played) -> str:
    """Return a hash of everything that happened, why, what was drawn for it, and what everybody saw and could do."""
    parts = zip(played.batches, played.tables, strict=True)
    return hashlib.sha256(encode([(batch, table.views, table.offers) for batch, table in parts])).hexdigest()


def _played(game: Game, order: Order) -> Played:
    options = msgspec.json.decode(order.options, type=game.INFO.options)
    table, batch = Table.open(game, order.seats, options, order.seed)
    tables, batches = [table], [batch]
    for done in order.actions:
        if done is None:
            assert table.undoer is not None, "what was taken back there stands here"
            table, batch = table.undo(table.undoer)
        else:
            seat, action = done[0], read_action(bytes(done[1]), game)
            table, batch = table.act(seat, table.since(seat, action), action)
        tables.append(table)
        batches.append(batch)
    return Played(game, options, tuple(batches), tuple(tables))


def in_second_process(games: Sequence[Played], module: str = __name__) -> list[str]:
    """Return the digests that another process comes to, or what it could not do."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    path = os.pathsep.join(filter(None, sys.path))  # pytest may have added to it
    second = subprocess.run(  # noqa: S603  (ourselves)
        [sys.executable, "-m", module],
        input=encode([order(played) for played in games]),
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        capture_output=True,
        check=False,
    )
    return second.stdout.decode().splitlines() or [second.stderr.decode()]


def main(game_of: Callable[[str], Game] = get) -> None:
    """Decide again whatever stands in the input; print a line for each game."""
    for order in msgspec.json.decode(sys.stdin.buffer.read(), type=list[Order]):
        try:
            print(digest(_played(game_of(order.game), order)))
        except Exception as error:  # noqa: BLE001  (whatever it is, the first process did not meet it)
            print(f"{type(error).__name__}: {error}".partition("\n")[0])


if __name__ == "__main__":
    main()
