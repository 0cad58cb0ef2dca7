"""Play in a second process with another hash seed, where sets and maps of words have another order."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.conformance.faults import HASHED, faulty
from tests.conformance.play import play
from tests.conformance.plug import plug_of
from tests.conformance.settings import Setting
from whodunit.core.wire import encode
from whodunit.games import get

ROOT = Path(__file__).resolve().parents[2]


class Order(msgspec.Struct, frozen=True):
    """What to play; `hashed` with a fault that must be found."""

    game: str
    setting: Setting
    hashed: bool = False


def digest(order: Order) -> str:
    """Return a hash of everything that happened, why, what was drawn for it, and what everybody saw and could do."""
    game = faulty(HASHED) if order.hashed else get(order.game)
    played = play(game, plug_of(order.game), order.setting)
    parts = zip(played.batches, played.tables, strict=True)
    return hashlib.sha256(encode([(batch, table.views, table.offers) for batch, table in parts])).hexdigest()


def in_second_process(orders: Sequence[Order]) -> list[str]:
    """Return the digests that another process comes to."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    second = subprocess.run(
        [sys.executable, "-m", "tests.conformance.second"],
        input=encode(orders),
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    return second.stdout.decode().split()


if __name__ == "__main__":
    for order in msgspec.json.decode(sys.stdin.buffer.read(), type=list[Order]):
        print(digest(order))
