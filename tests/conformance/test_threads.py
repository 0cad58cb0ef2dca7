"""Games are used by many threads at once: nothing about their types is left to be found out by whoever comes first."""

import subprocess
import sys

MEETS = """
import sys
from contextlib import suppress
from msgspec import MsgspecError
from whodunit.games import get
from whodunit.table.codec import read_action

game, met = get(sys.argv[1]), []
sys.setprofile(lambda frame, event, _: met.append(frame.f_code.co_name) if event == "call" else None)
with suppress(MsgspecError):
    read_action(b"0", game)
game.INFO.parse(game.INFO.seats[0], {})
sys.setprofile(None)
print(*sorted({*met}))
"""


def test_a_games_types_are_known_as_soon_as_it_is_loaded(game_id: str) -> None:
    """Two threads that met them at once would crash: msgspec uses what it knows by half."""
    done = subprocess.run([sys.executable, "-c", MEETS, game_id], capture_output=True, text=True, check=True)

    assert "read_action" in done.stdout
    assert "get_class_annotations" not in done.stdout
